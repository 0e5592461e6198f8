//! The HTTP server: listening, connections and shutdown.

use crate::backend::GatewayBackend;
use crate::http::HttpState;
use crate::http::auth::{BearerAuth, Introspect};
use crate::http::grants::Grants;
use crate::http::keys::{AccountKeys, metering};
use crate::{Config, McpError, Sessions, Tools, http};
use axum::Router;
use hyper_util::service::TowerToHyperService;
use limner_runtime::http::{HttpLimits, PeerLimits, ResponseMemory};
use rmcp::ServerHandler;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use url::Url;

const MAX_CONNECTIONS: usize = 8_192;
const MAX_HEAD_BYTES: usize = 64 * 1024;
const MAX_STREAMS: u32 = 64;
/// Memory budget for the responses of all clients, in bytes.
const RESPONSE_BYTES: usize = 128 * 1024 * 1024;
/// Time limit for receiving a request's headers.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);

/// The MCP server: HTTP/1.1 and HTTP/2 without TLS (a proxy in front terminates TLS).
pub struct McpServer {
    listener: TcpListener,
    address: SocketAddr,
    url: String,
    router: Router,
    peers: PeerLimits,
    drain: Duration,
    cut_off: CancellationToken,
}

impl McpServer {
    /// Binds the listening socket. Metering and gateway may become available later.
    ///
    /// # Errors
    /// The socket cannot be bound, or a setting is invalid.
    pub async fn bind(config: Config) -> Result<Self, McpError> {
        let listener = TcpListener::bind(config.listen).await;
        let listener = listener.map_err(|cause| McpError::Listen { address: config.listen, cause })?;
        Self::with_listener(listener, config)
    }

    /// Returns a server on a socket that is already listening.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn with_listener(listener: TcpListener, config: Config) -> Result<Self, McpError> {
        let tokens = Arc::new(Grants::new(metering(&config)?));
        Self::with_tokens(listener, config, tokens)
    }

    /// Like [`McpServer::with_listener`], with another token introspection.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn with_tokens(listener: TcpListener, config: Config, tokens: Arc<dyn Introspect>) -> Result<Self, McpError> {
        Self::serving(listener, config, tokens, |tools| tools, Sessions::None)
    }

    /// Like [`McpServer::with_listener`], with a handler that wraps the tools.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn with_handler_layer<H: ServerHandler + Clone>(
        listener: TcpListener,
        config: Config,
        wrap: impl FnOnce(Tools) -> H,
        sessions: Sessions,
    ) -> Result<Self, McpError> {
        let tokens = Arc::new(Grants::new(metering(&config)?));
        Self::serving(listener, config, tokens, wrap, sessions)
    }

    fn serving<H: ServerHandler + Clone>(
        listener: TcpListener,
        config: Config,
        tokens: Arc<dyn Introspect>,
        wrap: impl FnOnce(Tools) -> H,
        sessions: Sessions,
    ) -> Result<Self, McpError> {
        let address = listener.local_addr().map_err(|cause| McpError::Listen { address: config.listen, cause })?;
        let url = config.url.clone().unwrap_or_else(|| format!("http://{address}"));
        let parsed = Url::parse(&url).map_err(|cause| McpError::Config(format!("mcp.url: {cause}")))?;
        let keys = Arc::new(AccountKeys::new(metering(&config)?));
        let tools = Tools::new(Arc::new(GatewayBackend::new(&config.gateway_url, keys)?));
        let auth = BearerAuth::new(&url, tokens, config.token_cache_ttl);
        let cut_off = CancellationToken::new();
        let backend = tools.backend();
        let served = HttpState { handler: wrap(tools), sessions, backend, auth };
        let router = http::router(&config, &parsed, served, cut_off.clone());
        Ok(Self { listener, address, url, router, peers: config.peers, drain: config.drain, cut_off })
    }

    /// Returns the listening address.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL for clients.
    pub fn url(&self) -> String {
        format!("{}{}", self.url, crate::config::PATH)
    }

    /// Serves until `shutdown`, then finishes the requests in progress.
    ///
    /// # Errors
    /// None at present; errors of a single connection do not end the server.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), McpError> {
        tracing::info!(mcp.address = %self.address, mcp.url = self.url(), "the MCP server listens");
        let memory = ResponseMemory::new(RESPONSE_BYTES, self.peers.pace.timeout);
        let router = memory.limit(self.router);
        let limits = HttpLimits {
            max_connections: MAX_CONNECTIONS,
            peers: self.peers,
            header_timeout: HEADER_TIMEOUT,
            memory_budget: memory.budget(),
            max_header_bytes: MAX_HEAD_BYTES,
            max_streams: MAX_STREAMS,
            drain_timeout: self.drain,
        };
        let connect = |stream, _| (stream, TowerToHyperService::new(router.clone()));
        limits.serve(self.listener, &shutdown, connect).await;
        self.cut_off.cancel();
        Ok(())
    }
}
