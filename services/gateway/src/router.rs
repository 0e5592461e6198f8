//! Routes.

use crate::account_directory::key_hash;
use crate::error::CallError;
use crate::openapi;
use crate::request_id::RequestId;
use crate::response::{ResponseContext, error_response};
use crate::screenshot_route;
use crate::state::GatewayState;
use crate::usage_route::answer_usage;
use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Path, Request, State};
use axum::handler::Handler;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, any, on};
use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use limner_runtime::http::MemoryBudget;
use limner_types::{Operation, WireEnum};
use std::convert::Infallible;
use std::future::Ready;
use std::net::IpAddr;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

/// Smaller responses are not compressed: it would hardly shrink them.
const COMPRESS_ABOVE_BYTES: u16 = 1_024;

pub(crate) const OPERATIONS: &str = "/v1/";
const USAGE_PATH: &str = "/v1/usage";
const OPENAPI_PATH: &str = "/v1/openapi.json";
const SCREENSHOT_PATH: &str = "/screenshots/{name}";
const CANCEL_PATH: &str = "/internal/calls/{name}";

/// Path in the `User-Agent` of our reads: informs operators of the pages that we read.
pub const VISITOR_PATH: &str = "/bot";
const VISITOR: &str = include_str!("visitor.txt");

/// Returns the operation that a request names, if its method is GET.
pub(crate) fn operation(request: &Request) -> Option<Operation> {
    let operation = request.uri().path().strip_prefix(OPERATIONS).and_then(Operation::parse)?;
    (request.method() == Method::GET).then_some(operation)
}

/// Returns the router of all paths. GET requests of operations do not reach it, see [`operation`].
pub(crate) fn router(gateway: Arc<GatewayState>) -> Router {
    let mut router = Router::new();
    for operation in Operation::ALL {
        router = router.route(&format!("{OPERATIONS}{operation}"), any(method_not_allowed(GET)));
    }
    let document = Bytes::from(openapi::document(&gateway.config.public_url, gateway.config.max_url_bytes).to_string());
    router
        .route(USAGE_PATH, get_only(usage))
        .route(OPENAPI_PATH, get_only(move || openapi_document(document)))
        .route(VISITOR_PATH, get_only(visitor))
        .route(CANCEL_PATH, on(MethodFilter::DELETE, cancel).fallback(not_found))
        .route(SCREENSHOT_PATH, on(MethodFilter::GET, screenshot).fallback(method_not_allowed(GET_OR_HEAD)))
        .fallback(not_found)
        .with_state(gateway)
}

/// The peer address of a request's connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Paths without a parameter.
static PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let operations = Operation::ALL.iter().map(|operation| format!("{OPERATIONS}{operation}"));
    operations.chain([USAGE_PATH, OPENAPI_PATH, VISITOR_PATH].map(str::to_owned)).collect()
});

/// Returns the route of a path for metrics: from a closed set, whatever the path.
pub(crate) fn route(path: &str) -> &'static str {
    let is_below = |route: &str| {
        let name = path.strip_prefix(route.trim_end_matches("{name}"));
        name.is_some_and(|name| !name.is_empty() && !name.contains('/'))
    };
    let named = || [SCREENSHOT_PATH, CANCEL_PATH].into_iter().find(|route| is_below(route));
    let plain = PATHS.iter().find(|own| *own == path).map(String::as_str);
    plain.or_else(named).unwrap_or("other")
}

/// Memory that an encoder and its window use until the response is sent.
const ENCODER_BYTES: usize = 1024 * 1024;

/// Returns the predicate for responses worth compressing: images are compressed already.
fn is_worth_encoding() -> impl Predicate {
    SizeAbove::new(COMPRESS_ABOVE_BYTES).and(NotForContentType::IMAGES)
}

/// Compresses the response with an encoding that the caller accepts, if the memory budget has room for an encoder.
pub(crate) async fn compressed(headers: &HeaderMap, mut response: Response, room: &MemoryBudget) -> Response {
    if !is_worth_encoding().should_compress(&response) {
        return response;
    }
    let share = match headers.contains_key(ACCEPT_ENCODING) {
        true => room.reserve_for_request(ENCODER_BYTES, Duration::ZERO).await.ok(),
        false => None,
    };
    let Some(share) = share else {
        response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
        return response;
    };
    Box::pin(encoded(headers, response)).await.map(|body| share.hold_body(body))
}

async fn encoded(headers: &HeaderMap, response: Response) -> Response {
    let compression = CompressionLayer::new().quality(CompressionLevel::Precise(4));
    let mut request = http::Request::new(());
    for accepted in headers.get_all(ACCEPT_ENCODING) {
        request.headers_mut().append(ACCEPT_ENCODING, accepted.clone());
    }
    let mut response = Some(response);
    // Called once, as `oneshot` guarantees.
    let once = service_fn(move |_| std::future::ready(Ok::<_, Infallible>(response.take().unwrap_or_default())));
    let response = ServiceExt::oneshot(compression.layer(once), request).await;
    response.unwrap_or_else(|never| match never {}).map(Body::new)
}

/// Routes GET only: `HEAD` could not tell what a response would have cost.
fn get_only<H, T>(handler: H) -> MethodRouter<Arc<GatewayState>>
where
    H: Handler<T, Arc<GatewayState>>,
    T: 'static,
{
    let other = method_not_allowed(GET);
    on(MethodFilter::GET, handler).on(MethodFilter::HEAD, other.clone()).fallback(other)
}

async fn usage(
    State(gateway): State<Arc<GatewayState>>,
    Extension(id): Extension<RequestId>,
    request: Request,
) -> Response {
    answer_usage(&gateway, request.headers(), request.uri().query(), &id).await
}

/// Cancels calls of the MCP server; other callers get 404.
async fn cancel(
    State(gateway): State<Arc<GatewayState>>,
    Extension(id): Extension<RequestId>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    match cancel_calls(&gateway, request.headers(), &name, request.uri().path()).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => error_response(&error, &id, &ResponseContext::default()),
    }
}

async fn cancel_calls(gateway: &GatewayState, headers: &HeaderMap, name: &str, path: &str) -> Result<(), CallError> {
    let caller = gateway.directory.authenticate(key_hash(headers)?).await?;
    gateway.cancellable_calls.cancel(&caller, name, path).await
}

async fn screenshot(
    State(gateway): State<Arc<GatewayState>>,
    Extension(id): Extension<RequestId>,
    Extension(Peer(peer)): Extension<Peer>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    match screenshot_route::screenshot(&gateway, &name, peer, &headers).await {
        Ok(response) => response,
        Err(error) => error_response(&error, &id, &ResponseContext::default()),
    }
}

async fn openapi_document(document: Bytes) -> Response {
    let mut response = Response::new(Body::from(document));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    response
}

async fn visitor() -> Response {
    let mut response = Response::new(Body::from(VISITOR));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    response
}

async fn not_found(Extension(id): Extension<RequestId>, uri: Uri) -> Response {
    error_response(&CallError::not_found(uri.path()), &id, &ResponseContext::default())
}

/// Methods of a path, as in the header `Allow`.
const GET: &str = "GET";
/// Those of files: what links to a picture asks for its head.
const GET_OR_HEAD: &str = "GET, HEAD";

/// Returns the handler of requests with other methods than `allowed`.
fn method_not_allowed(allowed: &'static str) -> impl Fn(Extension<RequestId>, Method) -> Ready<Response> + Clone {
    move |Extension(id), method| {
        let error = CallError::method_not_allowed(&method, allowed);
        let mut response = error_response(&error, &id, &ResponseContext::default());
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
        std::future::ready(response)
    }
}

#[cfg(test)]
mod tests {
    use super::route;

    #[test]
    fn metrics_know_every_route_and_no_path_that_callers_make_up() {
        for (path, expected) in [
            ("/v1/images", "/v1/images"),
            ("/v1/usage", "/v1/usage"),
            ("/bot", "/bot"),
            ("/screenshots/a.png", "/screenshots/{name}"),
            ("/internal/calls/a", "/internal/calls/{name}"),
            ("/screenshots/", "other"),
            ("/screenshots/a/b", "other"),
            ("/v1/images/", "other"),
            ("/v1/nothing", "other"),
        ] {
            assert_eq!(route(path), expected, "{path}");
        }
    }
}
