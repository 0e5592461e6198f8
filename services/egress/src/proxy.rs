//! The state that all connections share, and connections to sites.

use crate::config::Config;
use crate::page_budgets::{PageAccount, PageBudgets};
use crate::proxy_response::ProxyError;
use limner_netguard::Client;
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

/// Maximum size of the head of a request or response.
pub(crate) const MAX_HEAD_BYTES: usize = 256 * 1024;

/// A host and port that a page requests something from.
pub(crate) struct Site {
    host: String,
    port: u16,
    /// The name by which its failures are reported.
    pub(crate) authority: String,
}

impl Site {
    pub(crate) fn new(host: &str, port: u16) -> Self {
        Self { host: host.to_owned(), port, authority: format!("{host}:{port}") }
    }
}

/// State shared by all connections.
pub(crate) struct Proxy {
    pub(crate) config: Config,
    pub(crate) client: Client,
    pub(crate) pages: PageBudgets,
    pub(crate) tunnels: TaskTracker,
}

impl Proxy {
    /// Connects to a checked address of a site.
    pub(crate) async fn connect(&self, site: &Site, page: &PageAccount) -> Result<TcpStream, ProxyError> {
        let outcome = self.client.connect(&site.host, site.port, Instant::now() + self.config.connect).await;
        outcome.map_err(|fault| {
            page.record_failure(&site.authority, &fault);
            ProxyError::from_fetch_error(&fault)
        })
    }
}
