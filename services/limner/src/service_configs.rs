//! Maps settings to the configurations of services and shared crates: the only module that knows both.

use crate::subprocesses;
use anyhow::Context;
use limner_bus::{Bus, BusConfig, StreamStorage};
use limner_cache::{Cache, CacheConfig};
use limner_console::{FleetRole, MailConfig, OidcConfig, ProtectedResource, SmtpConfig};
use limner_fetcher::{Reader, ReaderLimits};
use limner_gateway::{PlaceLimits, Places};
use limner_metering::Ledger;
use limner_metering::billing::stripe::{StripeConfig, StripeProvider};
use limner_metering::billing::{BillingEngine, BillingProvider, ManualProvider, Prices};
use limner_metering::contract_terms::Currency;
use limner_netguard::{Client, EgressOptions, EgressPolicy, EgressTokenKey, Timeouts};
use limner_renderer::{BrowserConfig, Recycle, VisitLimits};
use limner_runtime::settings::{
    AccountPlaces, BaseUrl, BillingProviderName, BillingSettings, ConsoleSettings, NonEmptySecret, QueueStorage,
    Server, SettingsError, SettingsErrors, SharedSecret, SingleLine, WatchedRole,
};
use limner_runtime::{Secret, Settings};
use limner_screenshot_store::{RecordLog, ScreenshotStore};
use limner_store::{Store, StoreConfig};
use limner_types::{Plan, WireEnum};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Returns the configured egress policy.
pub(crate) fn policy(settings: &Settings) -> EgressPolicy {
    EgressPolicy {
        allow: settings.egress.allow.clone(),
        hosts: settings.egress.hosts.clone(),
        ..EgressPolicy::default()
    }
}

/// Warns about destinations beyond the public Internet.
pub(crate) fn warn_about_open_egress(policy: &EgressPolicy) {
    if !policy.allow.is_empty() {
        let networks: Vec<String> = policy.allow.iter().map(ToString::to_string).collect();
        tracing::warn!(egress.allow = networks.join(", "), "callers can reach these private networks");
    }
    for (name, socket) in &policy.hosts {
        tracing::warn!(egress.host = name, egress.socket = %socket, "this name leads to a socket of its own");
    }
    for (name, socket) in &policy.own_sites {
        tracing::warn!(egress.host = name, egress.socket = %socket, "this name leads to the built-in demo site");
    }
}

/// Returns the HTTP client of everything that reads pages.
pub(crate) fn egress(settings: &Settings, policy: EgressPolicy) -> anyhow::Result<Client> {
    let options = egress_options(settings, policy)?;
    Ok(Client::new(EgressOptions { timeouts: page_timeouts(settings), ..options })?)
}

/// The first byte of a page's response may take the whole time of a read. Reads with less time end at their deadline.
fn page_timeouts(settings: &Settings) -> Timeouts {
    let (usual, read) = (Timeouts::default(), settings.limits.static_read);
    Timeouts { first_byte: usual.first_byte.max(read), total: usual.total.max(read), ..usual }
}

fn egress_options(settings: &Settings, policy: EgressPolicy) -> anyhow::Result<EgressOptions> {
    let extra_ca_pem = extra_ca(settings)?.map(String::into_bytes);
    Ok(EgressOptions { policy, extra_ca_pem, ..EgressOptions::default() })
}

/// Reads the additional CA certificates.
fn extra_ca(settings: &Settings) -> anyhow::Result<Option<String>> {
    let Some(path) = &settings.egress.extra_ca else { return Ok(None) };
    std::fs::read_to_string(path).map(Some).with_context(|| format!("egress.extra_ca {}", path.display()))
}

/// Returns the configured key for egress tokens.
pub(crate) fn token_key(settings: &Settings) -> anyhow::Result<EgressTokenKey> {
    let secret = settings.egress.secret.as_ref().ok_or_else(|| {
        let problem = "it is needed here, the same for proxy and renderers; only `limner up` makes one";
        SettingsErrors(vec![SettingsError::new("egress.secret", problem)])
    })?;
    let key = EgressTokenKey::new(secret.current().expose());
    Ok(secret.accepted().skip(1).fold(key, |key, other| key.accepting(other.expose())))
}

/// Returns the egress proxy's configuration.
pub(crate) fn egress_config(
    settings: &Settings,
    listen: SocketAddr,
    token_key: EgressTokenKey,
) -> limner_egress::Config {
    limner_egress::Config { drain: settings.shutdown.grace, ..limner_egress::Config::new(listen, token_key) }
}

/// Returns the store of screenshots.
pub(crate) fn screenshots(settings: &Settings) -> anyhow::Result<ScreenshotStore> {
    let folder = || format!("file://{}", settings.data_dir.join("objects").display());
    let url = settings.objects.url.as_ref().map_or_else(folder, |url| url.expose().to_owned());
    ScreenshotStore::open(&url).context("objects.url")
}

/// Returns the ledger as configured: with a log of erasures, and with hits in the history or only in its sums.
pub(crate) fn with_settings(settings: &Settings, ledger: Ledger) -> anyhow::Result<Ledger> {
    let ledger = ledger.with_hits_counted_only(!settings.metering.history_hits);
    let Some(url) = &settings.metering.erasure_log else { return Ok(ledger) };
    let log = RecordLog::open(url.expose()).context("metering.erasure_log")?;
    Ok(ledger.with_erasure_log(log))
}

/// Returns the configured browser, or the one found on this machine.
pub(crate) fn chromium(settings: &Settings) -> Option<PathBuf> {
    settings.renderer.chromium.clone().or_else(limner_local_servers::chromium_path)
}

/// Returns true if this process can start a browser.
pub(crate) fn has_browser(settings: &Settings) -> bool {
    settings.renderer.enabled && chromium(settings).is_some()
}

/// Returns a browser's configuration. `proxy` is its only network access, `token_key` the key of its tokens.
pub(crate) fn browser_config(
    settings: &Settings,
    proxy: String,
    token_key: EgressTokenKey,
) -> anyhow::Result<BrowserConfig> {
    let chromium =
        chromium(settings).context("no Chromium here: install it (make setup) or name it with renderer.chromium")?;
    let limits = &settings.limits;
    Ok(BrowserConfig {
        chromium,
        profiles: settings.data_dir.join("browsers"),
        proxy,
        token_key,
        user_agent: limner_fetcher::user_agent(information_url(settings).as_deref(), "{chrome}"),
        extra_ca_pem: extra_ca(settings)?,
        extra_flags: Vec::new(),
        recycle: Recycle::default(),
        limits: VisitLimits {
            visit: limits.browser_read,
            html_bytes: limits.html_bytes.0,
            css_bytes: limits.css_bytes.0,
            stylesheets: limits.stylesheets,
            redirects: limits.redirects,
            ..VisitLimits::default()
        },
    })
}

/// Returns the renderer's configuration.
pub(crate) fn renderer_config(
    settings: &Settings,
    browser: BrowserConfig,
    extractor_url: &str,
) -> limner_renderer::Config {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    limner_renderer::Config {
        browser,
        concurrency: settings.renderer.concurrency.unwrap_or(2 * cores),
        processors: cores,
        spare_memory: settings.renderer.spare_memory.0 as u64,
        extractors: vec![extractor_url.to_owned()],
        screenshots_url: screenshots_url(settings),
        per_site: settings.limits.per_site,
        start_reserve: start_reserve(settings),
    }
}

/// Returns the time before a call's deadline by which its read must have begun.
fn start_reserve(settings: &Settings) -> Duration {
    settings.limits.call.saturating_sub(settings.limits.queue)
}

/// Returns the URL prefix of screenshots; a name is appended.
pub(crate) fn screenshots_url(settings: &Settings) -> String {
    format!("{}/screenshots", settings.public_url.as_str())
}

/// Returns `host:port` of the configured proxy.
pub(crate) fn proxy_address(settings: &Settings) -> String {
    let url = settings.renderer.proxy.as_str();
    url.trim_start_matches("http://").trim_end_matches('/').to_owned()
}

/// Returns the reader of pages.
pub(crate) fn reader(settings: &Settings, policy: EgressPolicy) -> anyhow::Result<Reader> {
    Ok(Reader::new(egress(settings, policy)?, reader_limits(settings)))
}

fn reader_limits(settings: &Settings) -> ReaderLimits {
    let limits = &settings.limits;
    ReaderLimits {
        user_agent: user_agent(settings),
        html_bytes: limits.html_bytes.0,
        css_bytes: limits.css_bytes.0,
        stylesheets: limits.stylesheets,
        redirects: limits.redirects,
        static_read: limits.static_read,
        ..ReaderLimits::default()
    }
}

/// Returns the `User-Agent` of reads without a browser.
pub(crate) fn user_agent(settings: &Settings) -> String {
    limner_fetcher::user_agent(information_url(settings).as_deref(), limner_fetcher::CHROME)
}

/// Returns the URL that informs site operators about our reads; `None` for a loopback URL, which would be of no use to
/// them.
pub(crate) fn information_url(settings: &Settings) -> Option<String> {
    let base = settings.public_url.as_str();
    (!settings.public_url.is_loopback()).then(|| format!("{base}{}", limner_gateway::VISITOR_PATH))
}

/// Connects to the configured queue.
pub(crate) async fn bus(settings: &Settings, role: &str) -> anyhow::Result<Bus> {
    settings.require(&[Server::Nats])?;
    Bus::connect(bus_config(settings, role)).await.context("nats.url")
}

/// Like [`bus`], for a role that has work without NATS.
pub(crate) async fn bus_in_background(settings: &Settings, role: &str) -> anyhow::Result<Bus> {
    settings.require(&[Server::Nats])?;
    let config = BusConfig { connect_timeout: Duration::from_secs(2), ..bus_config(settings, role) };
    Bus::connect_or_retry(config).await.context("nats.url")
}

/// Like [`bus`], with a short timeout for a command whose user waits.
pub(crate) async fn bus_for_a_command(settings: &Settings) -> anyhow::Result<Bus> {
    let config = BusConfig { connect_timeout: Duration::from_secs(2), ..bus_config(settings, "command") };
    Bus::connect(config).await.context("nats.url")
}

fn bus_config(settings: &Settings, role: &str) -> BusConfig {
    let nats = &settings.nats;
    BusConfig {
        url: expose(nats.url.as_ref()),
        credentials: nats.credentials.as_ref().map(|credentials| credentials.expose().to_owned()),
        extra_ca: nats.extra_ca.clone(),
        name: format!("limner-{role}"),
        ack_wait: nats.ack_wait,
        max_deliveries: u32::try_from(nats.max_deliveries).unwrap_or(u32::MAX),
        max_job_age: nats.max_job_age,
        paid_weight: nats.paid_weight,
        replicas: nats.replicas,
        storage: match nats.storage {
            QueueStorage::File => StreamStorage::File,
            QueueStorage::Memory => StreamStorage::Memory,
        },
        max_waiting_jobs: nats.waiting_jobs,
        max_jobs_in_hand: nats.jobs_in_hand,
        max_stream_bytes: nats.stream_bytes.map(|size| size.0 as u64),
        ..BusConfig::default()
    }
}

/// Connects to the configured cache.
pub(crate) async fn cache(settings: &Settings) -> anyhow::Result<Cache> {
    settings.require(&[Server::Redis])?;
    let config = CacheConfig {
        url: expose(settings.redis.url.as_ref()),
        result_ttl: settings.cache.result_ttl,
        max_result_bytes: settings.cache.result_bytes.0,
        snapshot_ttl: settings.cache.snapshot_ttl,
        max_snapshot_bytes: settings.cache.snapshot_bytes.0,
        max_snapshots_bytes: settings.cache.snapshot_share.0,
        ..CacheConfig::default()
    };
    Cache::connect(config).await.context("redis.url")
}

/// Opens a connection pool to the configured database.
pub(crate) async fn store(settings: &Settings) -> anyhow::Result<Store> {
    settings.require(&[Server::Postgres])?;
    Store::connect(store_config(settings)).await.context("postgres.url")
}

fn store_config(settings: &Settings) -> StoreConfig {
    StoreConfig {
        url: expose(settings.postgres.url.as_ref()),
        pool_size: settings.postgres.pool_size,
        ..StoreConfig::default()
    }
}

fn expose(url: Option<&Secret>) -> String {
    url.map(|url| url.expose().to_owned()).unwrap_or_default()
}

/// Like [`store`], for a service that may start before its database does.
pub(crate) fn lazy_store(settings: &Settings) -> anyhow::Result<Store> {
    Store::lazy(store_config(settings)).context("postgres.url")
}

/// Returns the token that clients of metering present.
fn metering_token(settings: &Settings) -> Option<Secret> {
    settings.metering.token.as_ref().map(|token| token.current().clone())
}

/// Returns the gateway's configuration.
pub(crate) fn gateway_config(settings: &Settings, policy: EgressPolicy, metering_url: &str) -> limner_gateway::Config {
    limner_gateway::Config {
        listen: settings.gateway.listen,
        public_url: settings.public_url.as_str().to_owned(),
        metering_url: metering_url.to_owned(),
        metering_token: metering_token(settings),
        policy,
        served: limner_extract::is_served,
        renderer: settings.renderer.enabled,
        max_url_bytes: settings.limits.url_bytes.0,
        call_deadline: settings.limits.call,
        max_static_duration: settings.limits.queue.max(settings.limits.static_read),
        max_browser_duration: settings.limits.queue.max(settings.limits.browser_read),
        hold_life: settings.metering.hold_life,
        response_bytes: settings.gateway.response_memory.0,
        client_address_header: settings
            .gateway
            .client_address_header
            .as_ref()
            .map(|header| SingleLine::as_str(header).to_owned()),
        places: place_limits(settings),
        screenshots_per_minute: u32::try_from(settings.gateway.screenshots_per_minute).unwrap_or(u32::MAX),
        peers: settings.http.peers(),
        drain: settings.shutdown.grace,
        ..limner_gateway::Config::default()
    }
}

/// Time of a call for everything but its read: hold, extraction and charge.
const WORK_RESERVE: Duration = Duration::from_secs(5);

fn place_limits(settings: &Settings) -> PlaceLimits {
    let given = &settings.places;
    let by_plan = Plan::ALL.iter().map(|plan| {
        let AccountPlaces { static_reads, browser_reads } = match plan {
            Plan::Free => given.free,
            Plan::Developer => given.developer,
            Plan::Growth => given.growth,
            Plan::Scale => given.scale,
            Plan::Business => given.business,
        };
        (*plan, Places { static_reads, browser_reads })
    });
    let limits = &settings.limits;
    let wait =
        |read: Duration| limits.call.saturating_sub(read + WORK_RESERVE).min(limits.queue).max(Duration::from_secs(1));
    PlaceLimits {
        by_plan: by_plan.collect(),
        static_wait: wait(limits.static_read),
        browser_wait: wait(limits.browser_read),
        failure_budget: settings.places.failure_budget,
    }
}

/// Returns the fetcher's configuration.
pub(crate) fn fetcher_config(settings: &Settings, extractor_url: &str) -> limner_fetcher::Config {
    limner_fetcher::Config {
        concurrency: settings.fetcher.concurrency,
        per_host: settings.fetcher.per_host,
        per_site: settings.limits.per_site,
        jobs_in_hand: settings.fetcher.jobs,
        extractors: vec![extractor_url.to_owned()],
        render_available: settings.renderer.enabled,
        start_reserve: start_reserve(settings),
        limits: reader_limits(settings),
        ..limner_fetcher::Config::default()
    }
}

/// Returns the extractor's configuration.
pub(crate) fn extractor_config(settings: &Settings, listen: SocketAddr) -> limner_extractor::Config {
    let usual = limner_extractor::Config::default();
    let max_running = settings.extractor.concurrency.unwrap_or(usual.max_running);
    let processes = subprocesses::extraction(
        settings.extractor.processor_time,
        settings.limits.result_bytes.0,
        settings.renderer.enabled,
    );
    let execution = limner_extractor::Execution::Processes(processes);
    let max_background = settings.extractor.background.unwrap_or(4 * max_running);
    let slot_time = settings.extractor.slot_time;
    let reflection = settings.grpc.reflection;
    limner_extractor::Config { listen, max_running, max_background, slot_time, execution, reflection, ..usual }
}

/// Returns metering's configuration.
pub(crate) fn metering_config(settings: &Settings, listen: SocketAddr) -> limner_metering::Config {
    limner_metering::Config {
        listen,
        webhooks: settings.billing.webhook_listen,
        history_retention: settings.metering.history_retention,
        tokens: settings.metering.token.iter().flat_map(SharedSecret::accepted).cloned().collect(),
        reflection: settings.grpc.reflection,
        peers: settings.http.peers(),
        drain: settings.shutdown.grace,
        ..limner_metering::Config::default()
    }
}

/// Returns the console's configuration.
pub(crate) fn console_config(
    settings: &Settings,
    listen: SocketAddr,
    metering_url: &str,
) -> anyhow::Result<limner_console::Config> {
    let console = &settings.console;
    let folder = || console.mail_dir.clone().unwrap_or_else(|| settings.data_dir.join("mail"));
    let public_url = settings.public_url.as_str();
    Ok(limner_console::Config {
        listen,
        url: console.url.as_ref().map(|url| url.as_str().to_owned()),
        api_url: public_url.to_owned(),
        gateway_url: console.gateway_url.as_ref().map_or(public_url, BaseUrl::as_str).to_owned(),
        metering_url: metering_url.to_owned(),
        metering_token: metering_token(settings),
        mail: match &console.smtp_url {
            Some(url) => MailConfig::Smtp(SmtpConfig { url: url.expose().to_owned(), ca_pem: smtp_ca(console)? }),
            None => MailConfig::Folder(folder()),
        },
        mail_from: console.mail_from.as_str().to_owned(),
        currency: settings.billing.currency.as_str().to_owned(),
        openapi: limner_gateway::openapi::document(public_url, settings.limits.url_bytes.0),
        client_address_header: console
            .client_address_header
            .as_ref()
            .map(|header| SingleLine::as_str(header).to_owned()),
        terms: legal_text("console.terms_file", console.terms_file.as_deref())?,
        privacy: legal_text("console.privacy_file", console.privacy_file.as_deref())?,
        imprint: legal_text("console.imprint_file", console.imprint_file.as_deref())?,
        watched: watched_roles(console),
        peers: settings.http.peers(),
        session_idle: console.session_idle,
        session_ttl: console.session_ttl,
        audit_retention: console.audit_retention,
        egress: egress_options(settings, policy(settings))?,
        user_agent: user_agent(settings),
        resources: match settings.mcp.enabled {
            true => vec![ProtectedResource { uri: settings.mcp.resource(), name: "Limner".to_owned() }],
            false => Vec::new(),
        },
        oidc: console.oidc_issuer.as_ref().zip(console.oidc_client_id.as_ref()).map(|(issuer, client_id)| OidcConfig {
            issuer: issuer.as_str().to_owned(),
            client_id: client_id.as_str().to_owned(),
            client_secret: console.oidc_client_secret.as_ref().map(|secret| secret.expose().to_owned()),
            label: console.oidc_label.as_str().to_owned(),
        }),
        ..limner_console::Config::with_mail_folder(folder())
    })
}

/// Returns the roles that the status page watches.
fn watched_roles(console: &ConsoleSettings) -> Vec<limner_console::WatchedRole> {
    let watched = console.watch.iter().map(|(role, url)| limner_console::WatchedRole {
        role: match role {
            WatchedRole::Fetcher => FleetRole::Fetcher,
            WatchedRole::Renderer => FleetRole::Renderer,
            WatchedRole::Extractor => FleetRole::Extractor,
            WatchedRole::Mcp => FleetRole::Mcp,
        },
        admin_url: url.as_str().to_owned(),
    });
    watched.collect()
}

fn legal_text(setting: &'static str, path: Option<&Path>) -> anyhow::Result<Option<String>> {
    let read = |path: &Path| std::fs::read_to_string(path).with_context(|| format!("{setting}: {}", path.display()));
    path.map(read).transpose()
}

fn smtp_ca(console: &ConsoleSettings) -> anyhow::Result<Option<Vec<u8>>> {
    let Some(path) = &console.smtp_ca_file else { return Ok(None) };
    let pem = std::fs::read(path).with_context(|| format!("console.smtp_ca_file: {}", path.display()))?;
    Ok(Some(pem))
}

/// Returns the MCP server's configuration. `console_url`: the authorization server.
pub(crate) fn mcp_config(
    settings: &Settings,
    listen: SocketAddr,
    metering_url: &str,
    console_url: &str,
) -> limner_mcp::Config {
    let mcp = &settings.mcp;
    let origins = mcp.allowed_origins.as_ref().map_or("", SingleLine::as_str);
    let gateway_url = mcp.gateway_url.as_ref().map_or(settings.public_url.as_str(), BaseUrl::as_str);
    limner_mcp::Config {
        listen,
        url: mcp.url.as_ref().map(|url| url.as_str().to_owned()),
        console_url: console_url.to_owned(),
        gateway_url: gateway_url.to_owned(),
        metering_url: metering_url.to_owned(),
        metering_token: metering_token(settings),
        allowed_origins: origins
            .split(',')
            .map(str::trim)
            .filter(|origin| !origin.is_empty())
            .map(str::to_owned)
            .collect(),
        peers: settings.http.peers(),
        drain: settings.shutdown.grace,
        ..limner_mcp::Config::default()
    }
}

/// Returns the billing currency of new accounts.
pub(crate) fn currency(settings: &Settings) -> Currency {
    Currency::parse(settings.billing.currency.as_str()).unwrap_or_default()
}

/// Returns the billing service with the configured provider.
pub(crate) fn billing_engine(settings: &Settings, ledger: Ledger) -> anyhow::Result<BillingEngine> {
    let billing = &settings.billing;
    let mut prices = Prices::default();
    for ((name, currency), cents) in &billing.prices {
        let currency = Currency::parse(&currency.to_lowercase()).unwrap_or_default();
        prices =
            prices.with_price(name, currency, *cents).map_err(|fault| anyhow::anyhow!("billing.prices: {fault}"))?;
    }
    let provider: Arc<dyn BillingProvider> = match billing.provider {
        BillingProviderName::Manual => Arc::new(ManualProvider),
        BillingProviderName::Stripe => Arc::new(StripeProvider::new(stripe_config(billing)).context("billing")?),
    };
    Ok(BillingEngine::new(ledger, provider, prices))
}

fn stripe_config(billing: &BillingSettings) -> StripeConfig {
    let token =
        |token: &Option<NonEmptySecret>| token.as_ref().map(NonEmptySecret::expose).unwrap_or_default().to_owned();
    StripeConfig {
        api_url: billing.stripe_url.as_str().to_owned(),
        secret_key: token(&billing.stripe_secret_key),
        webhook_secrets: token(&billing.stripe_webhook_secret).split(',').map(str::to_owned).collect(),
        automatic_tax: billing.automatic_tax,
        tax_code: billing.tax_code.as_str().to_owned(),
        days_until_due: u32::try_from(billing.days_until_due).unwrap_or(u32::MAX),
        ..StripeConfig::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn no_connection_phase_times_out_before_a_read() {
        for (read, first_byte, whole) in [(5, 15, 30), (15, 15, 30), (20, 20, 30), (40, 40, 40)] {
            let text = format!("[limits]\nstatic_read = \"{read}s\"\n");
            let settings = Settings::from_sources(Some((Path::new("limner.toml"), &text)), []).unwrap();
            let timeouts = page_timeouts(&settings);
            assert_eq!((timeouts.first_byte.as_secs(), timeouts.total.as_secs()), (first_byte, whole), "{read}s");
            assert!(timeouts.first_byte <= timeouts.total);
        }
    }
}
