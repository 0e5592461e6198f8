//! State shared by all requests.

use crate::assets::Assets;
use crate::gateway::GatewayClient;
use crate::mail::Mailer;
use crate::metering::Metering;
use crate::oauth::DocumentClient;
use crate::oidc::Provider;
use crate::password::Passwords;
use crate::routes::docs::Reference;
use crate::{Config, ConsoleError};
use limner_store::Store;
use limner_types::ApiKey;
use moka::future::Cache;
use std::time::Duration;
use url::Url;

/// Time after which an unused playground key is dropped. It is kept in memory only; the next call creates a new one.
const PLAYGROUND_KEY_IDLE: Duration = Duration::from_secs(60 * 60);
const MAX_PLAYGROUND_KEYS: u64 = 10_000;

/// The state of the service.
pub(crate) struct AppState {
    pub(crate) config: Config,
    /// Our public URL, without trailing slash.
    pub(crate) url: String,
    /// Origin of `url`: scheme and authority.
    pub(crate) origin: String,
    pub(crate) store: Store,
    pub(crate) metering: Metering,
    pub(crate) gateway: GatewayClient,
    pub(crate) mailer: Mailer,
    pub(crate) passwords: Passwords,
    pub(crate) assets: Assets,
    pub(crate) reference: Reference,
    /// Reads the metadata documents of clients.
    pub(crate) documents: DocumentClient,
    /// The OpenID Connect provider that people may sign in with.
    pub(crate) provider: Option<Provider>,
    /// Playground keys by account.
    pub(crate) playground_keys: Cache<String, ApiKey>,
}

impl AppState {
    /// # Errors
    /// A setting is invalid.
    pub(crate) fn new(config: Config, url: String, store: Store) -> Result<Self, ConsoleError> {
        let parsed =
            Url::parse(&url).map_err(|cause| ConsoleError::Config(format!("the console's address: {cause}")))?;
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Ok(Self {
            origin: parsed.origin().ascii_serialization(),
            url,
            store,
            metering: Metering::lazy(&config.metering_url)?,
            gateway: GatewayClient::new(&config.gateway_url)?,
            mailer: Mailer::new(&config)?,
            passwords: Passwords::new(cores),
            assets: Assets::new(),
            provider: config.oidc.clone().map(|oidc| Provider::new(oidc, config.egress.clone())).transpose()?,
            documents: DocumentClient::new(config.egress.clone())?,
            reference: Reference::from_openapi(&config.openapi, &config.api_url),
            playground_keys: Cache::builder()
                .max_capacity(MAX_PLAYGROUND_KEYS)
                .time_to_idle(PLAYGROUND_KEY_IDLE)
                .build(),
            config,
        })
    }

    /// Returns true if the public URL uses TLS.
    pub(crate) fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// Returns the display name of the provider that people may sign in with.
    pub(crate) fn provider_label(&self) -> Option<String> {
        self.provider.as_ref().map(|provider| provider.config.label.clone())
    }

    /// Returns the absolute URL of a path of ours.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}
