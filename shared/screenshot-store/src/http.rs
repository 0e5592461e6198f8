//! HTTP client for buckets. Buckets belong to the operator, but may be faulty: responses have a maximum size and a time
//! limit, and redirects are not followed, because they could send credentials elsewhere or reach forbidden hosts.

use http_body_util::{BodyExt, Limited};
use object_store::ClientOptions;
use object_store::client::{
    ClientConfigKey, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use std::pin::Pin;
use std::time::Duration;

/// Maximum size of an object; larger than any screenshot.
pub(crate) const MAX_OBJECT_BYTES: usize = 64 * 1024 * 1024;
/// Maximum size of other responses: a thousand names, as lists are paged, or an error text.
const MAX_OTHER_RESPONSE_BYTES: usize = 4 * 1024 * 1024;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Time limit between two chunks of a response.
const MAX_IDLE: Duration = Duration::from_secs(5);
/// Time limit of a whole response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(15);

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
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(MAX_IDLE)
            .timeout(RESPONSE_TIMEOUT)
            .https_only(!is_on(ClientConfigKey::AllowHttp))
            .danger_accept_invalid_certs(is_on(ClientConfigKey::AllowInvalidCertificates));
        if let Some(proxy) = option(ClientConfigKey::ProxyUrl) {
            builder = builder.proxy(reqwest::Proxy::all(proxy).map_err(wrong)?);
        }
        Ok(HttpClient::new(BoundedClient(builder.build().map_err(wrong)?)))
    }
}

/// A client with limited responses.
#[derive(Debug)]
struct BoundedClient(reqwest::Client);

type ResponseFuture<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

impl HttpService for BoundedClient {
    fn call<'client, 'call>(&'client self, request: HttpRequest) -> ResponseFuture<'call>
    where
        'client: 'call,
        Self: 'call,
    {
        Box::pin(async move {
            // Requests for lists have a query, those for objects do not.
            let is_object = request.uri().query().is_none();
            let (parts, body) = HttpService::call(&self.0, request).await?.into_parts();
            let most = if is_object && parts.status.is_success() { MAX_OBJECT_BYTES } else { MAX_OTHER_RESPONSE_BYTES };
            let body = Limited::new(body, most).map_err(|cause| match cause.downcast::<HttpError>() {
                Ok(cause) => *cause,
                Err(cause) => HttpError::new_boxed(HttpErrorKind::Decode, cause),
            });
            Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(body)))
        })
    }
}
