//! The admin server: `/healthz`, `/readyz` and `/metrics`, on a separate port.

use crate::Readiness;
use crate::http::{HttpLimits, PeerLimits, ResponseMemory};
use crate::metrics::RecorderHandle;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

const MAX_CONNECTIONS: usize = 256;
const MAX_HEAD_BYTES: usize = 16 * 1024;
const MAX_STREAMS: u32 = 16;
/// Memory budget for the responses of all clients, in bytes.
const RESPONSE_BYTES: usize = 16 * 1024 * 1024;
/// Time limit for receiving a request's headers, and for idle connections. Scrapes arrive about every fifteen seconds.
const HEADER_TIMEOUT: Duration = Duration::from_secs(60);
/// Time limit for probes and scrapes in progress once the rest of the process has ended.
const DRAIN: Duration = Duration::from_secs(5);

/// The admin server, bound but not yet serving.
pub struct AdminServer {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
}

/// The admin port cannot be bound.
#[derive(Debug, thiserror::Error)]
#[error("admin.listen {address}: {cause}")]
pub struct BindError {
    address: SocketAddr,
    cause: std::io::Error,
}

impl AdminServer {
    /// Binds the port.
    ///
    /// # Errors
    /// The port is already in use.
    pub async fn bind(address: SocketAddr, readiness: Readiness, metrics: RecorderHandle) -> Result<Self, BindError> {
        let bind = async {
            let listener = TcpListener::bind(address).await?;
            let bound = listener.local_addr()?;
            Ok((listener, bound))
        };
        let (listener, address) = bind.await.map_err(|cause| BindError { address, cause })?;
        Ok(Self { listener, address, router: router(readiness, metrics) })
    }

    /// Returns the listening address.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`. Cancel it last: a draining process still answers its probes.
    ///
    /// # Errors
    /// None at present; errors of a single connection do not end the server.
    pub async fn run(self, shutdown: CancellationToken) -> std::io::Result<()> {
        let peers = PeerLimits::default();
        let memory = ResponseMemory::new(RESPONSE_BYTES, peers.pace.timeout);
        let limits = HttpLimits {
            max_connections: MAX_CONNECTIONS,
            peers,
            header_timeout: HEADER_TIMEOUT,
            memory_budget: memory.budget(),
            max_header_bytes: MAX_HEAD_BYTES,
            max_streams: MAX_STREAMS,
            drain_timeout: DRAIN,
        };
        let service = TowerToHyperService::new(memory.limit(self.router));
        limits.serve(self.listener, &shutdown, |stream, _| (stream, service.clone())).await;
        Ok(())
    }
}

fn router(readiness: Readiness, metrics: RecorderHandle) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready).with_state(readiness))
        .route("/metrics", get(render).with_state(metrics))
}

async fn ready(State(readiness): State<Readiness>) -> Response {
    let status = if readiness.is_ready() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let body = json!({
        "ready": readiness.is_ready(),
        "draining": readiness.is_draining(),
        "components": readiness.components(),
    });
    (status, axum::Json(body)).into_response()
}

async fn render(State(metrics): State<RecorderHandle>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], crate::metrics::render(&metrics))
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn probes_report_the_state() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let readiness = Readiness::default();
        let component = readiness.component("gateway");
        let metrics = crate::metrics::install().unwrap();
        let server =
            AdminServer::bind(SocketAddr::from(([127, 0, 0, 1], 0)), readiness.clone(), metrics).await.unwrap();
        let base = format!("http://{}", server.local_addr());
        let shutdown = CancellationToken::new();
        let running = tokio::spawn(server.run(shutdown.clone()));
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let get = async |path: &str| {
            let answer = client.get(format!("{base}{path}")).send().await.unwrap();
            (answer.status().as_u16(), answer.text().await.unwrap())
        };

        assert_eq!(get("/healthz").await.0, 200);
        let (status, body) = get("/readyz").await;
        assert_eq!((status, body.contains(r#""gateway":false"#)), (503, true), "{body}");
        component.ready();
        assert_eq!(get("/readyz").await.0, 200);
        readiness.drain();
        assert_eq!(get("/readyz").await.0, 503);
        ::metrics::counter!("limner_test_total").increment(3);
        assert!(get("/metrics").await.1.contains("limner_test_total 3"));

        shutdown.cancel();
        running.await.unwrap().unwrap();
    }
}
