//! Middleware for every request and response, whatever the path: request id, size limits, CORS, security headers,
//! panics, the log line and the metrics.

use crate::error::CallError;
use crate::handle_request::answer;
use crate::request_id::RequestId;
use crate::response::{
    CACHE, ErrorCodeExt, IGNORED_PARAMS, NO_STORE, PACK_CREDITS, QUOTA_LIMIT, QUOTA_REMAINING, RATE_LIMIT,
    RATE_REMAINING, RATE_RESET, REQUEST_ID, ResponseContext, error_response,
};
use crate::router::{self, OPERATIONS, Peer};
use crate::state::GatewayState;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use futures::FutureExt;
use http::header::{
    ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL,
    CONTENT_SECURITY_POLICY, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use limner_types::{CacheOutcome, ErrorCode, Operation, WireEnum};
use metrics::{Counter, Histogram, counter, histogram};
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};
use tower::ServiceExt;
use tracing::Instrument;

/// Headers that scripts of other origins may read (`Access-Control-Expose-Headers`).
static EXPOSED: LazyLock<HeaderValue> = LazyLock::new(|| {
    let names = [
        RATE_LIMIT,
        RATE_REMAINING,
        RATE_RESET,
        QUOTA_LIMIT,
        QUOTA_REMAINING,
        CACHE,
        REQUEST_ID,
        PACK_CREDITS,
        IGNORED_PARAMS,
        RETRY_AFTER,
        WWW_AUTHENTICATE,
    ];
    let list: Vec<&str> = names.iter().map(http::HeaderName::as_str).collect();
    HeaderValue::from_str(&list.join(", ")).unwrap_or(HeaderValue::from_static(""))
});

/// The outermost service.
pub(crate) struct RequestPipeline {
    gateway: Arc<GatewayState>,
    router: Router,
    hits: HitMetrics,
}

/// Metrics of responses.
struct ResponseMetrics {
    requests: Counter,
    duration: Histogram,
}

impl ResponseMetrics {
    fn new(route: &'static str, code: &'static str, cache: &'static str) -> Self {
        Self {
            requests: counter!("limner_gateway_requests_total", "route" => route, "code" => code, "cache" => cache),
            duration: histogram!("limner_gateway_request_duration_seconds", "route" => route, "cache" => cache),
        }
    }

    fn record(&self, took: Duration) {
        self.requests.increment(1);
        self.duration.record(took.as_secs_f64());
    }
}

/// Metrics of cache hits, by operation. They are looked up once: the registry copies, hashes and compares all labels.
#[derive(Default)]
struct HitMetrics([OnceLock<ResponseMetrics>; Operation::ALL.len()]);

impl HitMetrics {
    fn of_route(&self, route: &'static str) -> Option<&ResponseMetrics> {
        let operation = Operation::parse(route.strip_prefix(OPERATIONS)?)?;
        let metrics = self.0.get(Operation::ALL.iter().position(|other| *other == operation)?)?;
        Some(metrics.get_or_init(|| ResponseMetrics::new(route, OK, CacheOutcome::Hit.as_str())))
    }
}

/// The label of successful requests.
const OK: &str = "ok";

impl RequestPipeline {
    pub(crate) fn new(gateway: Arc<GatewayState>) -> Self {
        Self { router: router::router(Arc::clone(&gateway)), gateway, hits: HitMetrics::default() }
    }

    pub(crate) async fn respond(&self, request: Request, peer: IpAddr) -> Response {
        let started = Instant::now();
        let id = RequestId::new();
        let route = router::route(request.uri().path());
        let method = request.method().clone();
        let span = tracing::info_span!(
            "request",
            otel.name = format!("{method} {route}"),
            otel.kind = "server",
            request.id = id.as_str(),
            http.route = route,
            // Known once the key is.
            account.id = tracing::field::Empty,
        );
        let mut response = self.answer(request, peer, &id).instrument(span.clone()).await;
        finish(response.headers_mut(), &id);
        span.in_scope(|| observe(&method, route, &response, started.elapsed(), &self.hits));
        response
    }

    async fn answer(&self, request: Request, peer: IpAddr, id: &RequestId) -> Response {
        if is_preflight(&request) {
            return preflight();
        }
        if let Err(error) = check_size(&self.gateway, &request) {
            return error_response(&error, id, &ResponseContext::default());
        }
        AssertUnwindSafe(self.serve(request, peer, id)).catch_unwind().await.unwrap_or_else(|_| {
            // The panic hook has logged the location.
            tracing::error!("a request panicked");
            counter!("limner_gateway_panics_total").increment(1);
            error_response(&CallError::internal(), id, &ResponseContext::default())
        })
    }

    /// Serves a request. Operations bypass the router: its layers box and clone every part of a request, which costs as
    /// much as the rest of a hit.
    async fn serve(&self, request: Request, peer: IpAddr, id: &RequestId) -> Response {
        match router::operation(&request) {
            Some(operation) => {
                let gateway = Arc::clone(&self.gateway);
                let response = answer(gateway, operation, request.headers(), request.uri().query(), id).await;
                router::compressed(request.headers(), response, &self.gateway.memory_budget).await
            }
            None => Box::pin(self.route(request, peer, id)).await,
        }
    }

    async fn route(&self, mut request: Request, peer: IpAddr, id: &RequestId) -> Response {
        request.extensions_mut().insert(*id);
        request.extensions_mut().insert(Peer(peer));
        let mut accepted = HeaderMap::new();
        for encodings in request.headers().get_all(ACCEPT_ENCODING) {
            accepted.append(ACCEPT_ENCODING, encodings.clone());
        }
        let response = self.router.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
        router::compressed(&accepted, response, &self.gateway.memory_budget).await
    }
}

fn check_size(gateway: &GatewayState, request: &Request) -> Result<(), CallError> {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let most = gateway.config.max_target_bytes;
    if target > most {
        let message = format!("The request's path and query are longer than {most} bytes. Shorten them.");
        return Err(CallError::new(ErrorCode::InvalidRequest, message));
    }
    let headers: usize = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    let most = gateway.config.max_header_bytes;
    if headers > most {
        let message = format!("The request's headers are larger than {most} bytes. Send fewer.");
        return Err(CallError::new(ErrorCode::InvalidRequest, message));
    }
    Ok(())
}

/// Returns true for a CORS preflight (Fetch Standard §3.2.2), which carries no key.
fn is_preflight(request: &Request) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(ORIGIN)
        && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

fn preflight() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET"));
    // A wildcard would not cover `Authorization`.
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("authorization, accept, content-type"));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
}

/// Adds the headers of every response.
fn finish(headers: &mut HeaderMap, id: &RequestId) {
    if let Ok(id) = HeaderValue::from_str(id.as_str()) {
        headers.insert(REQUEST_ID, id);
    }
    // Keys are not cookies: a page of any origin may call with a key it was given.
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED.clone());
    // Results contain markup and stylesheets of third-party pages: no browser may interpret them as a page of ours.
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox"),
    );
    headers.entry(CACHE_CONTROL).or_insert(NO_STORE);
}

fn observe(method: &Method, route: &'static str, response: &Response, took: Duration, hits: &HitMetrics) {
    let failed = response.extensions().get::<ErrorCodeExt>();
    let code = failed.map_or(OK, |failed| failed.0.as_str());
    let outcome = response.extensions().get::<CacheOutcome>();
    let cache = outcome.map_or("none", |outcome| outcome.as_str());
    let status = response.status().as_u16();
    let is_hit = failed.is_none() && outcome == Some(&CacheOutcome::Hit);
    match is_hit.then(|| hits.of_route(route)).flatten() {
        Some(metrics) => metrics.record(took),
        None => ResponseMetrics::new(route, code, cache).record(took),
    }
    tracing::info!(
        http.method = method.as_str(),
        http.status = status,
        call.code = code,
        call.cache = cache,
        call.duration_ms = took.as_secs_f64() * 1_000.0,
        "answered"
    );
}
