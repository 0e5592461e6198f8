//! The egress role: the browser's only connection to the network. A forward and `CONNECT` proxy that connects to
//! addresses that `netguard` allows, for holders of an egress token, within the token's budget.
//!
//! A token belongs to one page ([`limner_netguard::EgressToken`]): no page can use another's budget, and a page that has
//! exhausted its own gets nothing more on any of its connections. With its token, `GET /` reports a page's usage and
//! the reasons why hosts could not be reached; `DELETE /` also ends the page and closes its open connections.
//!
//! The proxy does not inspect tunnels, stores nothing, and tells a page only that a host could not be reached.

mod browser_connection;
mod config;
mod forward;
mod metered_io;
mod page_budgets;
mod proxy;
mod proxy_response;

pub use config::Config;

use crate::page_budgets::PageBudgets;
use browser_connection::serve;
use limner_netguard::Client;
use limner_runtime::{AcceptedConnection, LimitedListener};
use proxy::Proxy;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The listening socket cannot be bound.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {cause}")]
pub struct EgressError {
    address: SocketAddr,
    #[source]
    cause: std::io::Error,
}

/// The role, listening but not yet serving.
pub struct Egress {
    listener: TcpListener,
    address: SocketAddr,
    proxy: Proxy,
}

impl Egress {
    /// Binds the listening socket. All outgoing connections use `client`.
    ///
    /// # Errors
    /// The socket cannot be bound.
    pub async fn bind(config: Config, client: Client) -> Result<Self, EgressError> {
        let fault = |cause| EgressError { address: config.listen, cause };
        let listener = TcpListener::bind(config.listen).await.map_err(fault)?;
        let address = listener.local_addr().map_err(fault)?;
        let pages = PageBudgets::new(config.max_pages);
        let proxy = Proxy { config, client, pages, tunnels: TaskTracker::new() };
        Ok(Self { listener, address, proxy })
    }

    /// Returns the listening address.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`, then lets open connections continue for at most the drain time.
    ///
    /// # Errors
    /// None at present; errors of a single connection do not end the server.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), EgressError> {
        let (listener, proxy) = (self.listener, Arc::new(self.proxy));
        let entrance = LimitedListener::new(listener, proxy.config.max_connections);
        let connections = TaskTracker::new();
        while let Some(AcceptedConnection { stream, permit: place, .. }) = entrance.next(&shutdown).await {
            let serving = serve(Arc::clone(&proxy), stream, shutdown.clone());
            connections.spawn(async move {
                serving.await;
                drop(place);
            });
        }
        connections.close();
        proxy.tunnels.close();
        let drained = async { tokio::join!(connections.wait(), proxy.tunnels.wait()) };
        if tokio::time::timeout(proxy.config.drain, drained).await.is_err() {
            tracing::warn!(drain.tunnels = proxy.tunnels.len(), "shutdown timed out with tunnels open");
        }
        Ok(())
    }
}
