//! The way in over HTTP: `/mcp`, and the document that says where to sign in.

pub(crate) mod auth;
pub(crate) mod grants;
pub(crate) mod keys;

use crate::config::PATH;
use crate::{Config, Tools};
use auth::{Door, SCOPE};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router, middleware};
use http::{HeaderValue, header};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Arguments of tools are short.
const LARGEST_REQUEST: usize = 256 * 1024;
/// RFC 9728 §3.1: the resource's path follows.
pub(crate) const METADATA: &str = "/.well-known/oauth-protected-resource";

/// What clients are told about this resource server (RFC 9728 §2).
pub(crate) fn metadata(url: &str, console_url: &str) -> Value {
    json!({
        "resource": format!("{url}{PATH}"),
        "resource_name": "Limner",
        "authorization_servers": [console_url],
        "scopes_supported": [SCOPE],
        "bearer_methods_supported": ["header"],
        "resource_documentation": format!("{console_url}/docs"),
    })
}

/// Everything that is served.
pub(crate) fn router(config: &Config, url: &Url, tools: Tools, door: Door, stop: CancellationToken) -> Router {
    let base = url.as_str().trim_end_matches('/');
    let described = metadata(base, &config.console_url);
    let protocol = StreamableHttpService::new(
        move || Ok(tools.clone()),
        Arc::new(NeverSessionManager::default()),
        StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_cancellation_token(stop)
            .with_max_request_body_bytes(LARGEST_REQUEST)
            .with_allowed_hosts(hosts(config, url))
            .with_allowed_origins(origins(config, url))
            .enforce_origin_validation(),
    );
    let guarded =
        Router::new().route_service(PATH, protocol).layer(middleware::from_fn_with_state(Arc::new(door), auth::enter));
    Router::new()
        .merge(guarded)
        .route(METADATA, get(describe))
        .route(&format!("{METADATA}{PATH}"), get(describe))
        .with_state(Arc::new(described))
}

/// Anybody may read it, web pages included.
async fn describe(State(described): State<Arc<Value>>) -> Response {
    let mut response = Json(described.as_ref()).into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=300"));
    response
}

/// The names we go by: a page that makes its own name lead here (DNS rebinding) uses another one.
fn hosts(config: &Config, url: &Url) -> Vec<String> {
    let mut hosts: Vec<String> = url.host_str().map(str::to_owned).into_iter().collect();
    hosts.push(config.listen.ip().to_string());
    if is_loopback(url) {
        hosts.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
    }
    hosts
}

/// Web pages that may call. Programs send no origin.
fn origins(config: &Config, url: &Url) -> Vec<String> {
    let mut origins = config.allowed_origins.clone();
    if let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) {
        origins.push(format!("{}://{host}:{port}", url.scheme()));
        if is_loopback(url) {
            origins.extend(["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:{port}")));
        }
    }
    origins
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
