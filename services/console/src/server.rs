//! The HTTP server: listening, connections and shutdown.

use crate::archive::Downloader;
use crate::audit::AuditLog;
use crate::config::Config;
use crate::devices::Devices;
use crate::docs::Docs;
use crate::email_links::EmailLinks;
use crate::error::ConsoleError;
use crate::fleet_probe::FleetProbe;
use crate::gateway::GatewayClient;
use crate::legal::LegalTexts;
use crate::mail::Mailer;
use crate::metering::Metering;
use crate::oauth::DocumentClient;
use crate::oauth::clients::OAuthClients;
use crate::oidc::Provider;
use crate::password::Passwords;
use crate::playground::Playground;
use crate::public_url::PublicUrl;
use crate::rate_limit::RateLimiter;
use crate::sessions::Sessions;
use crate::state::AppState;
use crate::users::Users;
use crate::{background_jobs, routes};
use axum::extract::ConnectInfo;
use hyper_util::service::TowerToHyperService;
use limner_runtime::Secret;
use limner_runtime::http::{HttpLimits, ResponseMemory};
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
/// Memory budget for the responses of all clients, in bytes.
const RESPONSE_BYTES: usize = 128 * 1024 * 1024;
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
        Ok(Self { listener, address, app: state(config, PublicUrl::parse(url)?, store)? })
    }

    /// Returns the listening address.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Returns the public URL.
    pub fn url(&self) -> &str {
        self.app.url.as_str()
    }

    /// Serves until `shutdown`, then finishes the requests in progress.
    ///
    /// # Errors
    /// None at present; errors of a single connection do not end the server.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), ConsoleError> {
        let Self { listener, app, address } = self;
        let app = Arc::new(app);
        let memory = ResponseMemory::new(RESPONSE_BYTES, app.config.peers.pace.timeout);
        let router = memory.limit(routes::router(Arc::clone(&app)));
        tracing::info!(console.address = %address, console.url = app.url.as_str(), "the console listens");
        let recurring = tokio::spawn(background_jobs::run(Arc::clone(&app), shutdown.clone()));
        let limits = HttpLimits {
            max_connections: MAX_CONNECTIONS,
            peers: app.config.peers.clone(),
            header_timeout: HEADER_TIMEOUT,
            memory_budget: memory.budget(),
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

/// Builds the state of a console.
///
/// # Errors
/// A setting is invalid.
fn state(config: Config, url: PublicUrl, store: Store) -> Result<AppState, ConsoleError> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let metering = Metering::lazy(&config.metering_url, config.metering_token.as_ref().map(Secret::expose))?;
    let gateway = GatewayClient::new(&config.gateway_url)?;
    let rate_limiter = RateLimiter::new(store.clone());
    let documents = DocumentClient::new(config.egress.clone())?;
    Ok(AppState {
        mailer: Mailer::new(&config)?,
        passwords: Passwords::new(cores),
        users: Users::new(store.clone(), metering.clone(), config.currency.clone()),
        email_links: EmailLinks::new(store.clone(), url.clone()),
        sessions: Sessions::new(store.clone(), config.session_idle, config.session_ttl),
        devices: Devices::new(store.clone()),
        audit: AuditLog::new(store.clone()),
        oauth_clients: OAuthClients::new(store.clone(), documents, rate_limiter.clone()),
        rate_limiter,
        provider: config.oidc.clone().map(|oidc| Provider::new(oidc, config.egress.clone())).transpose()?,
        downloader: Downloader::new(&config)?,
        playground: Playground::new(gateway.clone(), metering.clone()),
        docs: Docs::new(
            &config.openapi,
            &config.api_url,
            config.resources.first().map(|resource| resource.uri.as_str()),
            &config.example_page(),
        ),
        legal: LegalTexts::new(&config)?,
        gateway,
        fleet_probe: FleetProbe::new()?,
        metering,
        store,
        url,
        config,
    })
}
