//! Backends for results: the gateway over HTTP, or an in-process extractor with the same responses.

use bytes::{Bytes, BytesMut};
use futures::future::BoxFuture;
use limner_types::{ApiKey, ErrorBody, ErrorCode, Operation};
use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use std::sync::Arc;
use std::time::Duration;

/// Time limit of a call; longer than any call takes.
const CALL_TIMEOUT: Duration = Duration::from_secs(75);
const CANCEL_TIMEOUT: Duration = Duration::from_secs(5);
/// Header with a call's name for the gateway.
const CANCELLATION_ID: &str = "limner-cancellation-id";
/// The header's name in the previous release, whose gateways run during an upgrade.
const PREVIOUS_CANCELLATION_ID: &str = "limner-call";
const CHECK_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_RESPONSE_BYTES: usize = 32_000_000;
const TOO_LARGE: &str =
    "The result is larger than 32 MB, more than a tool returns. The HTTP API returns it as a whole.";
/// Maximum size of a screenshot that is shown; a larger one is only named, because no model accepts it.
const MAX_SCREENSHOT_BYTES: usize = 5_000_000;
/// Maximum number of attempts with a new key, if the previous one was revoked meanwhile.
const MAX_KEY_ATTEMPTS: u32 = 3;

/// The user that a call is made for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    /// Empty for the user who started the process.
    pub account_id: String,
    /// Name that the client gave itself; untrusted.
    pub client_name: String,
}

/// A successful response.
#[derive(Debug, Clone)]
pub struct BackendResponse {
    /// Its media type.
    pub content_type: String,
    /// The body of the HTTP API.
    pub body: Bytes,
}

/// A failed call.
#[derive(Debug, Clone)]
pub struct CallError {
    /// The error body of the HTTP API.
    pub body: ErrorBody,
    /// Seconds until a repeat may succeed.
    pub retry_after: Option<u32>,
}

impl CallError {
    /// Returns an internal error; the cause is logged for the operator.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(error = %cause, "tool call failed");
        let message = "An internal error occurred. Nothing was charged.";
        Self { body: ErrorBody::new(ErrorCode::InternalError, message, None), retry_after: None }
    }
}

impl From<ErrorBody> for CallError {
    fn from(body: ErrorBody) -> Self {
        Self { body, retry_after: None }
    }
}

/// Options of a call.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallOptions<'a> {
    /// Name by which the call can be cancelled, if it has one.
    pub name: Option<&'a str>,
    /// Only a cached result is accepted: no page is read, and nothing is charged.
    pub cached_only: bool,
}

/// Executes calls.
pub trait Backend: Send + Sync + 'static {
    /// Makes one call with the parameters of the HTTP API.
    fn call<'a>(
        &'a self,
        caller: &'a Caller,
        operation: Operation,
        query: &'a [(String, String)],
        manner: CallOptions<'a>,
    ) -> BoxFuture<'a, Result<BackendResponse, CallError>>;

    /// Cancels the caller's calls of that name at all gateways. They cost nothing unless they are already completed.
    fn cancel<'a>(&'a self, caller: &'a Caller, name: &'a str) -> BoxFuture<'a, ()>;

    /// Returns the screenshot named in a result, unless it is too large.
    fn picture<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Option<Bytes>>;

    /// Returns true if calls cost credits.
    fn is_charged(&self) -> bool {
        true
    }
}

/// Provides the API key for a caller's calls.
pub trait KeyProvider: Send + Sync + 'static {
    /// Returns a key that worked when it was last used.
    fn key<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<ApiKey, CallError>>;

    /// Reports that the key was rejected, so that the next one is different. Returns false if there is no other key.
    fn forget<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, bool>;
}

/// The same key for every call.
impl KeyProvider for ApiKey {
    fn key<'a>(&'a self, _: &'a Caller) -> BoxFuture<'a, Result<ApiKey, CallError>> {
        Box::pin(async { Ok(self.clone()) })
    }

    fn forget<'a>(&'a self, _: &'a Caller) -> BoxFuture<'a, bool> {
        Box::pin(async { false })
    }
}

/// Calls the gateway's public API.
pub struct GatewayBackend {
    http: reqwest::Client,
    base: String,
    keys: Arc<dyn KeyProvider>,
    /// Setting that the caller chose the gateway with: errors name both.
    chosen_with: Option<&'static str>,
}

impl GatewayBackend {
    /// Returns a client of the gateway at `url` (without `/v1`).
    ///
    /// # Errors
    /// The HTTP client cannot be created.
    pub fn new(url: &str, keys: Arc<dyn KeyProvider>) -> Result<Self, crate::McpError> {
        let http =
            reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).timeout(CALL_TIMEOUT);
        let http = http.build();
        let http = http.map_err(|cause| crate::McpError::Config(format!("the gateway's client: {cause}")))?;
        Ok(Self { http, base: url.trim_end_matches('/').to_owned(), keys, chosen_with: None })
    }

    /// Returns the client with errors that name the gateway, and the setting that the caller chose it with.
    #[must_use]
    pub fn chosen_with(self, setting: &'static str) -> Self {
        Self { chosen_with: Some(setting), ..self }
    }

    /// Checks that there is a gateway at the URL.
    ///
    /// # Errors
    /// The message for the caller.
    pub async fn check(&self) -> Result<(), String> {
        let request = self.http.get(format!("{}/v1/openapi.json", self.base)).timeout(CHECK_TIMEOUT);
        let response = request.send().await.map_err(|cause| self.unreachable(&cause.without_url()))?;
        let status = response.status().as_u16();
        if is_page(content_type(response.headers())) || status != 200 { Err(self.refused(status)) } else { Ok(()) }
    }

    fn unreachable(&self, cause: &reqwest::Error) -> String {
        let causes = std::iter::successors(Some(cause as &dyn std::error::Error), |cause| cause.source());
        let causes: Vec<String> = causes.map(ToString::to_string).collect();
        format!("The Limner at {} cannot be reached: {}.{}", self.base, causes.join(": "), self.advice())
    }

    /// Returns the message for a response that is none of the API. Proxies answer for a gateway that is unavailable.
    fn refused(&self, status: u16) -> String {
        match status {
            500.. => format!("The Limner at {} is unavailable (status {status}). Try again in a minute.", self.base),
            _ => format!("{} answered with status {status}, but is it a Limner?{}", self.base, self.advice()),
        }
    }

    fn advice(&self) -> String {
        self.chosen_with.map(|setting| format!(" Check {setting}.")).unwrap_or_default()
    }

    /// Returns the error for a call that the gateway did not answer. Its address is only named to the one who chose it.
    fn unanswered(&self, why: String) -> CallError {
        let error = CallError::internal(&why);
        match self.chosen_with {
            Some(_) => ErrorBody::new(ErrorCode::InternalError, why, None).into(),
            None => error,
        }
    }

    async fn send(
        &self,
        operation: Operation,
        query: &[(String, String)],
        manner: CallOptions<'_>,
        key: &ApiKey,
    ) -> Result<GatewayResponse, reqwest::Error> {
        let request = self.http.get(format!("{}/v1/{operation}", self.base)).query(query).bearer_auth(key.expose());
        let request = match manner.name {
            Some(name) => request.header(CANCELLATION_ID, name).header(PREVIOUS_CANCELLATION_ID, name),
            None => request,
        };
        let request = match manner.cached_only {
            true => request.header(CACHE_CONTROL, "only-if-cached"),
            false => request,
        };
        let mut response = request.send().await?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get(RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse().ok());
        let content_type = content_type(response.headers()).to_owned();
        let body = read_body(&mut response, MAX_RESPONSE_BYTES).await?;
        Ok(GatewayResponse { status, retry_after, content_type, body })
    }

    async fn try_call(
        &self,
        caller: &Caller,
        operation: Operation,
        query: &[(String, String)],
        manner: CallOptions<'_>,
    ) -> Result<BackendResponse, CallError> {
        let mut tried = 0;
        loop {
            let key = self.keys.key(caller).await?;
            let GatewayResponse { status, retry_after, content_type, body } = self
                .send(operation, query, manner, &key)
                .await
                .map_err(|cause| self.unanswered(self.unreachable(&cause.without_url())))?;
            tried += 1;
            if status == 401 && tried < MAX_KEY_ATTEMPTS && self.keys.forget(caller).await {
                continue;
            }
            let Some(body) = body else { return Err(ErrorBody::new(ErrorCode::InternalError, TOO_LARGE, None).into()) };
            if status == 200 && !is_page(&content_type) {
                return Ok(BackendResponse { content_type, body });
            }
            return match serde_json::from_slice(&body) {
                Ok(body) => Err(CallError { body, retry_after }),
                Err(_) => Err(self.unanswered(self.refused(status))),
            };
        }
    }

    async fn try_cancel(&self, caller: &Caller, name: &str) {
        let Ok(key) = self.keys.key(caller).await else { return };
        let request = self.http.delete(format!("{}/internal/calls/{name}", self.base)).bearer_auth(key.expose());
        // A user's own key cannot cancel: its calls are completed, like those of any client that disconnects.
        match request.timeout(CANCEL_TIMEOUT).send().await {
            Ok(response) => tracing::debug!(http.status = response.status().as_u16(), "call cancelled"),
            Err(cause) => tracing::warn!(error = %cause.without_url(), "cannot cancel a call; it continues"),
        }
    }

    async fn try_screenshot(&self, url: &str) -> Option<Bytes> {
        let name = screenshot_name(url)?;
        let mut response = self.http.get(format!("{}/screenshots/{name}", self.base)).send().await.ok()?;
        match response.status().is_success() {
            true => read_body(&mut response, MAX_SCREENSHOT_BYTES).await.ok()?,
            false => None,
        }
    }
}

/// A response of a gateway, or of what answers in its place.
struct GatewayResponse {
    status: u16,
    retry_after: Option<u32>,
    content_type: String,
    /// `None` if it is too large.
    body: Option<Bytes>,
}

fn content_type(headers: &HeaderMap) -> &str {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Returns true for the media type of web pages, which is none of a gateway's.
fn is_page(content_type: &str) -> bool {
    content_type.starts_with("text/html")
}

/// Returns the name of one of our own screenshots. Only the name is used to fetch it, through our own gateway, never
/// another URL that a result contains.
fn screenshot_name(url: &str) -> Option<&str> {
    let name = url.rsplit_once("/screenshots/")?.1;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (!name.is_empty() && !name.starts_with('.') && name.bytes().all(is_name)).then_some(name)
}

/// Reads the body; returns `None` if it is larger than `most`.
async fn read_body(response: &mut reqwest::Response, most: usize) -> Result<Option<Bytes>, reqwest::Error> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > most {
            return Ok(None);
        }
    }
    Ok(Some(body.freeze()))
}

impl Backend for GatewayBackend {
    fn call<'a>(
        &'a self,
        caller: &'a Caller,
        operation: Operation,
        query: &'a [(String, String)],
        manner: CallOptions<'a>,
    ) -> BoxFuture<'a, Result<BackendResponse, CallError>> {
        Box::pin(self.try_call(caller, operation, query, manner))
    }

    fn cancel<'a>(&'a self, caller: &'a Caller, name: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(self.try_cancel(caller, name))
    }

    fn picture<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Option<Bytes>> {
        Box::pin(self.try_screenshot(url))
    }
}

type QueryPairs = Vec<(String, String)>;
type ExtractFn = dyn Fn(Operation, QueryPairs) -> BoxFuture<'static, Result<BackendResponse, CallError>> + Send + Sync;
type ScreenshotFn = dyn Fn(String) -> BoxFuture<'static, Option<Bytes>> + Send + Sync;

/// Extracts in this process. The latest results are cached, so that the result pages of one call need one read; nothing
/// is charged.
pub struct LocalBackend {
    extract: Box<ExtractFn>,
    screenshot: Box<ScreenshotFn>,
    cache: moka::future::Cache<(Operation, QueryPairs), BackendResponse>,
}

impl LocalBackend {
    const CACHED_RESPONSES: u64 = 32;
    const CACHE_TTL: Duration = Duration::from_secs(10 * 60);

    /// Returns a backend that answers with `extract`, and with `picture` for screenshots by name.
    pub fn new<F, P>(
        extract: impl Fn(Operation, QueryPairs) -> F + Send + Sync + 'static,
        picture: impl Fn(String) -> P + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<BackendResponse, CallError>> + Send + 'static,
        P: Future<Output = Option<Bytes>> + Send + 'static,
    {
        let extract = move |operation, query| -> BoxFuture<'static, _> { Box::pin(extract(operation, query)) };
        let picture = move |name| -> BoxFuture<'static, _> { Box::pin(picture(name)) };
        let cache =
            moka::future::Cache::builder().max_capacity(Self::CACHED_RESPONSES).time_to_live(Self::CACHE_TTL).build();
        Self { extract: Box::new(extract), screenshot: Box::new(picture), cache }
    }
}

impl Backend for LocalBackend {
    fn call<'a>(
        &'a self,
        _: &'a Caller,
        operation: Operation,
        query: &'a [(String, String)],
        _: CallOptions<'a>,
    ) -> BoxFuture<'a, Result<BackendResponse, CallError>> {
        Box::pin(async move {
            let is_fresh = query.iter().any(|(name, value)| name == "fresh" && value == "true");
            let rest = query.iter().filter(|(name, _)| name != "fresh").cloned().collect();
            let key = (operation, rest);
            if !is_fresh && let Some(answer) = self.cache.get(&key).await {
                return Ok(answer);
            }
            let answer = (self.extract)(operation, key.1.clone()).await?;
            self.cache.insert(key, answer.clone()).await;
            Ok(answer)
        })
    }

    /// A call in this process ends when its future is dropped.
    fn cancel<'a>(&'a self, _: &'a Caller, _: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(std::future::ready(()))
    }

    fn picture<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Option<Bytes>> {
        Box::pin(async move {
            let png = (self.screenshot)(screenshot_name(url)?.to_owned()).await?;
            (png.len() <= MAX_SCREENSHOT_BYTES).then_some(png)
        })
    }

    fn is_charged(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_testkit::{CannedResponse, OriginServer};

    #[tokio::test]
    async fn responses_that_are_no_results_are_errors_with_their_reason() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let site = OriginServer::start().await;
        let key = Arc::new(ApiKey::from_secret([7; 32]));
        let backend = GatewayBackend::new(&format!("http://{}", site.address()), key).unwrap().chosen_with("--url");
        let large = format!("\"{}\"", "x".repeat(MAX_RESPONSE_BYTES));
        for (response, expected) in [
            (
                CannedResponse::html("<h1>Bad gateway").status(502),
                "is unavailable (status 502). Try again in a minute.",
            ),
            (CannedResponse::html("<h1>Welcome"), "but is it a Limner? Check --url."),
            (CannedResponse::html("<h1>Nothing").status(404), "but is it a Limner? Check --url."),
            (CannedResponse::json(large), "larger than 32 MB"),
        ] {
            site.on("/v1/brand", response);
            let options = CallOptions::default();
            let error = backend.call(&Caller::default(), Operation::Brand, &[], options).await.unwrap_err();
            assert!(error.body.status_message.contains(expected), "{error:?}");
        }
        site.on("/v1/openapi.json", CannedResponse::html("<h1>Unavailable").status(503));
        assert!(backend.check().await.unwrap_err().contains("is unavailable (status 503)"));
    }

    #[test]
    fn only_our_own_screenshots_are_fetched() {
        assert_eq!(
            screenshot_name("https://api.example.com/screenshots/2026-11-22-ab_c.png"),
            Some("2026-11-22-ab_c.png")
        );
        for url in [
            "https://a.com/x.png",
            "http://a.com/screenshots/",
            "http://a.com/screenshots/a/b",
            "/screenshots/..",
            "/screenshots/a?b",
            "/screenshots/%2e",
        ] {
            assert_eq!(screenshot_name(url), None, "{url}");
        }
    }
}
