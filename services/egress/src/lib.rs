//! The egress role: the browser's only way out. A forward and `CONNECT` proxy that reaches what `netguard` allows, for
//! whoever shows a pass, within the allowance that the pass grants.
//!
//! A pass belongs to one page ([`limner_netguard::Pass`]): no page can use up another's allowance, and a page that has
//! used up its own gets nothing more on any of its connections. With its pass, `GET /` tells what a page has taken and why
//! hosts could not be reached; `DELETE /` also ends the page and cuts what it still has open.
//!
//! The proxy reads nothing of what passes through a tunnel, keeps nothing, and tells a page no more than that a host
//! could not be reached.

mod config;
mod forward;
mod metered;
mod pages;
mod proxy;

pub use config::Config;

use limner_netguard::Client;
use limner_runtime::{Arrival, Entrance};
use pages::Pages;
use proxy::Proxy;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The listening socket can't be had.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {cause}")]
pub struct EgressError {
    address: SocketAddr,
    #[source]
    cause: std::io::Error,
}

/// The role, listening and not yet serving.
pub struct Egress {
    listener: TcpListener,
    address: SocketAddr,
    proxy: Proxy,
}

impl Egress {
    /// Takes the listening socket. Everything goes out through `client`.
    ///
    /// # Errors
    /// The socket can't be had.
    pub async fn bind(config: Config, client: Client) -> Result<Self, EgressError> {
        let fault = |cause| EgressError { address: config.listen, cause };
        let listener = TcpListener::bind(config.listen).await.map_err(fault)?;
        let address = listener.local_addr().map_err(fault)?;
        let pages = Pages::new(config.max_pages);
        let proxy = Proxy { config, client, pages, tunnels: TaskTracker::new() };
        Ok(Self { listener, address, proxy })
    }

    /// Where it listens.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`, then lets what is open go on for as long as the drain lasts.
    ///
    /// # Errors
    /// None at present; faults of single connections are theirs alone.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), EgressError> {
        let (listener, proxy) = (self.listener, Arc::new(self.proxy));
        let entrance = Entrance::new(listener, proxy.config.max_connections);
        let connections = TaskTracker::new();
        while let Some(Arrival { stream, place, .. }) = entrance.next(&shutdown).await {
            let serving = Arc::clone(&proxy).serve(stream, shutdown.clone());
            connections.spawn(async move {
                serving.await;
                drop(place);
            });
        }
        connections.close();
        proxy.tunnels.close();
        let drained = async { tokio::join!(connections.wait(), proxy.tunnels.wait()) };
        if tokio::time::timeout(proxy.config.drain, drained).await.is_err() {
            tracing::warn!(tunnels = proxy.tunnels.len(), "the drain ended with tunnels open");
        }
        Ok(())
    }
}
