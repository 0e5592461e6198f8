//! What every request can use.

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

/// How long a playground key is kept without a call. It lives in memory alone; the next one replaces it.
const PLAYGROUND_KEY_IDLE: Duration = Duration::from_secs(60 * 60);
const MOST_PLAYGROUND_KEYS: u64 = 10_000;

/// The state of the service.
pub(crate) struct App {
    pub(crate) config: Config,
    /// Our own address, without trailing slash.
    pub(crate) url: String,
    /// Scheme and authority of it.
    pub(crate) origin: String,
    pub(crate) store: Store,
    pub(crate) metering: Metering,
    pub(crate) gateway: GatewayClient,
    pub(crate) mailer: Mailer,
    pub(crate) passwords: Passwords,
    pub(crate) assets: Assets,
    pub(crate) reference: Reference,
    /// Of clients.
    pub(crate) documents: DocumentClient,
    /// Who else tells us who people are.
    pub(crate) provider: Option<Provider>,
    /// By account.
    pub(crate) playground_keys: Cache<String, ApiKey>,
}

impl App {
    /// # Errors
    /// A setting makes no sense.
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
            reference: Reference::read(&config.openapi, &config.api_url),
            playground_keys: Cache::builder()
                .max_capacity(MOST_PLAYGROUND_KEYS)
                .time_to_idle(PLAYGROUND_KEY_IDLE)
                .build(),
            config,
        })
    }

    /// Whether people reach us over TLS.
    pub(crate) fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// What people call the provider they may sign in with.
    pub(crate) fn provider_label(&self) -> Option<String> {
        self.provider.as_ref().map(|provider| provider.config.label.clone())
    }

    /// An absolute address of ours.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}
