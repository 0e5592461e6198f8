//! Paths and methods.

use crate::answer::{Known, error_response};
use crate::envelope::envelope;
use crate::error::CallError;
use crate::gateway::Gateway;
use crate::openapi;
use crate::request_id::RequestId;
use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Path, Request, State};
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Method, Uri};
use limner_types::{Choice, Operation};
use std::sync::Arc;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

/// Answers below this are sent as they are: compressed they are hardly smaller.
const COMPRESS_ABOVE_BYTES: u16 = 1_024;

/// Where the `User-Agent` of our reads leads those whose pages we read.
pub const VISITOR_PATH: &str = "/bot";
const VISITOR: &str = include_str!("visitor.txt");

pub(crate) fn router(gateway: Arc<Gateway>) -> Router {
    let mut router = Router::new();
    for operation in Operation::ALL.iter().copied() {
        let handler = move |State(gateway): State<Arc<Gateway>>,
                            Extension(id): Extension<RequestId>,
                            request: Request| async move {
            gateway.answer(operation, request.headers(), request.uri().query(), &id).await
        };
        router = router.route(&format!("/v1/{operation}"), get_only(handler));
    }
    let document: Arc<str> =
        openapi::document(&gateway.config.public_url, gateway.config.max_url_bytes).to_string().into();
    let compression = CompressionLayer::new()
        .quality(CompressionLevel::Precise(4))
        .compress_when(SizeAbove::new(COMPRESS_ABOVE_BYTES));
    router
        .route("/v1/usage", get_only(usage))
        .route("/v1/openapi.json", get_only(move || openapi_document(document)))
        .route(VISITOR_PATH, get_only(visitor))
        .fallback(not_found)
        .layer(compression)
        // Pictures are compressed already.
        .route("/screenshots/{name}", get_only(screenshot))
        .layer(from_fn_with_state(Arc::clone(&gateway), envelope))
        .with_state(gateway)
}

/// GET and nothing else: `HEAD` could not say what an answer would have cost.
fn get_only<H, T>(handler: H) -> MethodRouter<Arc<Gateway>>
where
    H: Handler<T, Arc<Gateway>>,
    T: 'static,
{
    on(MethodFilter::GET, handler).on(MethodFilter::HEAD, method_not_allowed).fallback(method_not_allowed)
}

async fn usage(State(gateway): State<Arc<Gateway>>, Extension(id): Extension<RequestId>, request: Request) -> Response {
    gateway.answer_usage(request.headers(), request.uri().query(), &id).await
}

async fn screenshot(
    State(gateway): State<Arc<Gateway>>,
    Extension(id): Extension<RequestId>,
    Path(name): Path<String>,
) -> Response {
    match gateway.screenshot(&name).await {
        Ok(response) => response,
        Err(error) => error_response(&error, &id, &Known::default()),
    }
}

async fn openapi_document(document: Arc<str>) -> Response {
    let mut response = Response::new(Body::from(document.as_bytes().to_vec()));
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
    error_response(&CallError::not_found(uri.path()), &id, &Known::default())
}

async fn method_not_allowed(Extension(id): Extension<RequestId>, method: Method) -> Response {
    let mut response = error_response(&CallError::method_not_allowed(&method), &id, &Known::default());
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET"));
    response
}
