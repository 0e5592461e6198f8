//! The HTTP server: listening, connections and shutdown.

use crate::state::AppState;
use crate::{Config, ConsoleError, background_jobs, routes};
use axum::extract::ConnectInfo;
use hyper_util::service::TowerToHyperService;
use limner_runtime::http::HttpLimits;
use limner_store::Store;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

const MAX_CONNECTIONS: usize = 4_096;
const MAX_HEAD_BYTES: usize = 64 * 1024;
const MAX_STREAMS: u32 = 64;
/// Time limit for receiving a request's headers.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);

/// The console: HTTP/1.1 and HTTP/2 without TLS (a proxy in front terminates TLS).
pub struct Console {
    listener: TcpListener,
    address: SocketAddr,
    app: AppState,
}

impl Console {
    /// Binds the listening socket. Database, metering and gateway may become available later.
    ///
    /// # Errors
    /// The socket cannot be bound, or a setting is invalid.
    pub async fn bind(config: Config, store: Store) -> Result<Self, ConsoleError> {
        let refused = |cause| ConsoleError::Listen { address: config.listen, cause };
        let listener = TcpListener::bind(config.listen).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let url = config.url.clone().unwrap_or_else(|| format!("http://{address}"));
        Ok(Self { listener, address, app: AppState::new(config, url, store)? })
    }

    /// Returns the listening address.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Returns the public URL.
    pub fn url(&self) -> &str {
        &self.app.url
    }

    /// Serves until `shutdown`, then finishes the requests in progress.
    ///
    /// # Errors
    /// None at present; errors of a single connection do not end the server.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), ConsoleError> {
        let Self { listener, app, address } = self;
        let app = Arc::new(app);
        let router = routes::router(Arc::clone(&app));
        tracing::info!(console.address = %address, console.url = app.url, "the console listens");
        let recurring = tokio::spawn(background_jobs::run(Arc::clone(&app), shutdown.clone()));
        let limits = HttpLimits {
            max_connections: MAX_CONNECTIONS,
            peers: app.config.peers.clone(),
            header_timeout: HEADER_TIMEOUT,
            memory_budget: None,
            max_header_bytes: MAX_HEAD_BYTES,
            max_streams: MAX_STREAMS,
            drain_timeout: app.config.drain,
        };
        let connect = |stream, peer| {
            let known = router.clone().map_request(move |mut request: http::Request<axum::body::Body>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                request
            });
            (stream, TowerToHyperService::new(known))
        };
        limits.serve(listener, &shutdown, connect).await;
        recurring.abort();
        Ok(())
    }
}
