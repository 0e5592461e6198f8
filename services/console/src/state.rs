//! The state that all requests share. The modules of its fields have the behaviour.

use crate::archive::Downloader;
use crate::audit::AuditLog;
use crate::config::Config;
use crate::devices::Devices;
use crate::docs::Docs;
use crate::email_links::EmailLinks;
use crate::fleet_probe::FleetProbe;
use crate::gateway::GatewayClient;
use crate::legal::LegalTexts;
use crate::mail::Mailer;
use crate::metering::Metering;
use crate::oauth::clients::OAuthClients;
use crate::oidc::Provider;
use crate::password::Passwords;
use crate::playground::Playground;
use crate::public_url::PublicUrl;
use crate::rate_limit::RateLimiter;
use crate::sessions::Sessions;
use crate::users::Users;
use limner_store::Store;

/// The state of the service.
pub(crate) struct AppState {
    pub(crate) config: Config,
    pub(crate) url: PublicUrl,
    pub(crate) store: Store,
    pub(crate) metering: Metering,
    pub(crate) gateway: GatewayClient,
    pub(crate) fleet_probe: FleetProbe,
    pub(crate) mailer: Mailer,
    pub(crate) passwords: Passwords,
    pub(crate) users: Users,
    pub(crate) email_links: EmailLinks,
    pub(crate) sessions: Sessions,
    pub(crate) devices: Devices,
    pub(crate) audit: AuditLog,
    pub(crate) rate_limiter: RateLimiter,
    pub(crate) oauth_clients: OAuthClients,
    /// The OpenID Connect provider that people may sign in with.
    pub(crate) provider: Option<Provider>,
    pub(crate) playground: Playground,
    /// Downloads the files that results list.
    pub(crate) downloader: Downloader,
    pub(crate) docs: Docs,
    pub(crate) legal: LegalTexts,
}
