//! How buckets are asked. What answers is the operator's, but need not be well: no answer is larger than what we keep, none
//! is waited for long, and no redirect is followed, which would carry credentials elsewhere or make us ask where we should
//! not.

use http_body_util::{BodyExt, Limited};
use object_store::ClientOptions;
use object_store::client::{
    ClientConfigKey, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use std::pin::Pin;
use std::time::Duration;

/// Larger than any screenshot.
pub(crate) const LARGEST_OBJECT: usize = 64 * 1024 * 1024;
/// A thousand names, as lists come in, or a fault in words.
const LARGEST_OTHER_ANSWER: usize = 4 * 1024 * 1024;
const CONNECT_WITHIN: Duration = Duration::from_secs(3);
/// Between two pieces of an answer.
const LONGEST_SILENCE: Duration = Duration::from_secs(5);
/// For a whole answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);

/// Connects to buckets.
#[derive(Debug)]
pub(crate) struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let option = |key: ClientConfigKey| options.get_config_value(&key);
        let is_on = |key: ClientConfigKey| option(key).as_deref() == Some("true");
        let wrong =
            |source: reqwest::Error| object_store::Error::Generic { store: "HTTP client", source: source.into() };
        let mut builder = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_WITHIN)
            .read_timeout(LONGEST_SILENCE)
            .timeout(ANSWER_WITHIN)
            .https_only(!is_on(ClientConfigKey::AllowHttp))
            .danger_accept_invalid_certs(is_on(ClientConfigKey::AllowInvalidCertificates));
        if let Some(proxy) = option(ClientConfigKey::ProxyUrl) {
            builder = builder.proxy(reqwest::Proxy::all(proxy).map_err(wrong)?);
        }
        Ok(HttpClient::new(Bounded(builder.build().map_err(wrong)?)))
    }
}

/// A client whose answers are bounded.
#[derive(Debug)]
struct Bounded(reqwest::Client);

type Answering<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

impl HttpService for Bounded {
    fn call<'client, 'call>(&'client self, request: HttpRequest) -> Answering<'call>
    where
        'client: 'call,
        Self: 'call,
    {
        Box::pin(async move {
            // Lists and the like have a query, objects have none.
            let is_object = request.uri().query().is_none();
            let (parts, body) = HttpService::call(&self.0, request).await?.into_parts();
            let most = if is_object && parts.status.is_success() { LARGEST_OBJECT } else { LARGEST_OTHER_ANSWER };
            let body = Limited::new(body, most).map_err(|cause| match cause.downcast::<HttpError>() {
                Ok(cause) => *cause,
                Err(cause) => HttpError::new_boxed(HttpErrorKind::Decode, cause),
            });
            Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(body)))
        })
    }
}
