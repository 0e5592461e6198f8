//! The HTTP transport: `/mcp`, and the protected resource metadata, which names the authorization server.

pub(crate) mod auth;
pub(crate) mod grants;
pub(crate) mod keys;
pub(crate) mod legacy_cancellation;

use crate::config::PATH;
use crate::{Backend, Config, Sessions};
use auth::{BearerAuth, SCOPE};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router, middleware};
use http::{HeaderValue, header};
use legacy_cancellation::MAX_REQUEST_BYTES;
use limner_netguard::is_loopback;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use url::Url;

/// RFC 9728 §3.1: the resource's path follows.
pub(crate) const METADATA: &str = "/.well-known/oauth-protected-resource";

/// Returns the metadata of this resource server (RFC 9728 §2).
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

/// State of the HTTP transport.
pub(crate) struct HttpState<H> {
    pub(crate) handler: H,
    pub(crate) sessions: Sessions,
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) auth: BearerAuth,
}

/// Returns the router.
pub(crate) fn router<H: ServerHandler + Clone>(
    config: &Config,
    url: &Url,
    served: HttpState<H>,
    stop: CancellationToken,
) -> Router {
    let base = url.as_str().trim_end_matches('/');
    let described = metadata(base, &config.console_url);
    let HttpState { handler, sessions, backend, auth } = served;
    let transport = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(sessions == Sessions::InProcess)
        .with_json_response(true)
        .with_cancellation_token(stop)
        .with_max_request_body_bytes(MAX_REQUEST_BYTES)
        .with_allowed_hosts(hosts(config, url))
        .with_allowed_origins(origins(config, url))
        .enforce_origin_validation();
    let protocol = match sessions {
        Sessions::None => protocol(handler, NeverSessionManager::default(), transport),
        Sessions::InProcess => protocol(handler, LocalSessionManager::default(), transport),
    };
    let guarded = protocol
        .layer(middleware::from_fn_with_state(backend, legacy_cancellation::follow))
        .layer(middleware::from_fn_with_state(Arc::new(auth), auth::authenticate));
    Router::new()
        .merge(guarded)
        .route(METADATA, get(protected_resource_metadata))
        .route(&format!("{METADATA}{PATH}"), get(protected_resource_metadata))
        .with_state(Arc::new(described))
}

fn protocol<H: ServerHandler + Clone, M: SessionManager>(
    handler: H,
    sessions: M,
    transport: StreamableHttpServerConfig,
) -> Router<Arc<Value>> {
    let service = StreamableHttpService::new(move || Ok(handler.clone()), Arc::new(sessions), transport);
    Router::new().route_service(PATH, service)
}

/// Returns the metadata. Anybody may read it, including web pages.
async fn protected_resource_metadata(State(described): State<Arc<Value>>) -> Response {
    let mut response = Json(described.as_ref()).into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=300"));
    response
}

/// Returns our own host names: requests with other names (DNS rebinding) are rejected.
fn hosts(config: &Config, url: &Url) -> Vec<String> {
    let mut hosts: Vec<String> = url.host_str().map(str::to_owned).into_iter().collect();
    hosts.push(config.listen.ip().to_string());
    if is_loopback(url) {
        hosts.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
    }
    hosts
}

/// Returns the origins of web pages that may call. Programs send no origin.
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
