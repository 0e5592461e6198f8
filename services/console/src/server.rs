//! Listening, connections and the drain.

use crate::app::App;
use crate::{Config, ConsoleError, probes, routes};
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use limner_runtime::{Arrival, Entrance};
use limner_store::Store;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

const MOST_CONNECTIONS: usize = 4_096;
/// How long a client may take to send a request's headers.
const HEADER_PATIENCE: Duration = Duration::from_secs(20);

/// The service: HTTP/1.1 and HTTP/2 without TLS (which ends in front of it).
pub struct Console {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
}

impl Console {
    /// Takes the listening socket. Database, metering and gateway may come later.
    ///
    /// # Errors
    /// The socket can't be had, or a setting makes no sense.
    pub async fn bind(config: Config, store: Store) -> Result<Self, ConsoleError> {
        let refused = |cause| ConsoleError::Listen { address: config.listen, cause };
        let listener = TcpListener::bind(config.listen).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let url = config.url.clone().unwrap_or_else(|| format!("http://{address}"));
        Ok(Self { listener, address, app: App::new(config, url, store)? })
    }

    /// Where it listens.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The address people use.
    pub fn url(&self) -> &str {
        &self.app.url
    }

    /// Serves until `shutdown`, then finishes the requests under way.
    ///
    /// # Errors
    /// None at present; faults of single connections are theirs alone.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), ConsoleError> {
        let Self { listener, app, address } = self;
        let app = Arc::new(app);
        let router = routes::router(Arc::clone(&app));
        tracing::info!(console.address = %address, console.url = app.url, "the console listens");
        let recurring = tokio::spawn(probes::run(Arc::clone(&app), shutdown.clone()));
        let connections = GracefulShutdown::new();
        let entrance = Entrance::new(listener, MOST_CONNECTIONS);
        let server = Arc::new(server());
        while let Some(Arrival { stream, peer, place }) = entrance.next(&shutdown).await {
            let known = router.clone().map_request(move |mut request: http::Request<hyper::body::Incoming>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                request
            });
            let connection = server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(known));
            let watched = connections.watch(connection.into_owned());
            tokio::spawn(async move {
                if let Err(cause) = watched.await {
                    tracing::debug!(error = cause, "a connection ended early");
                }
                drop(place);
            });
        }
        drop(entrance);
        if tokio::time::timeout(app.config.drain, connections.shutdown()).await.is_err() {
            tracing::warn!("requests under way were cut off");
        }
        recurring.abort();
        Ok(())
    }
}

fn server() -> Builder<TokioExecutor> {
    let mut server = Builder::new(TokioExecutor::new());
    server.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_PATIENCE).max_buf_size(64 * 1024);
    server.http2().timer(TokioTimer::new()).max_concurrent_streams(64).keep_alive_interval(HEADER_PATIENCE);
    server
}
