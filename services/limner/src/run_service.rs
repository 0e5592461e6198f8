//! Single roles, for a fleet of many processes.

use crate::supervisor::Supervisor;
use crate::{schema_readiness, service_configs};
use anyhow::Context;
use limner_console::Console;
use limner_egress::Egress;
use limner_extractor::Extractor;
use limner_fetcher::Fetcher;
use limner_gateway::{Dependencies, Gateway};
use limner_mcp::McpServer;
use limner_metering::{Ledger, MeteringService};
use limner_renderer::Renderer;
use limner_runtime::admin::AdminServer;
use limner_runtime::metrics::RecorderHandle;
use limner_runtime::settings::{
    BaseUrl, ConsoleSettings, EgressSettings, ExtractorSettings, McpSettings, MeteringSettings, Server,
};
use limner_runtime::{Readiness, Settings, shutdown};

/// `limner gateway`
pub(crate) async fn gateway(settings: Settings, recorded: RecorderHandle) -> anyhow::Result<()> {
    settings.require(&[Server::Redis, Server::Nats])?;
    let policy = service_configs::policy(&settings);
    service_configs::warn_about_open_egress(&policy);
    let (cache, bus) =
        tokio::try_join!(service_configs::cache(&settings), service_configs::bus_in_background(&settings, "gateway"))?;
    let nats = bus.connection_state();
    let config = service_configs::gateway_config(&settings, policy, settings.metering.url.as_str());
    let screenshots = service_configs::screenshots(&settings)?;
    let backend = Dependencies::connect(&config, cache, bus, Some(screenshots)).await?;
    let gateway = Gateway::bind(config, backend).await.context("gateway.listen")?;
    run_single_service(&settings, recorded, |crew| {
        // Hits need no NATS.
        crew.track_dependency("nats", nats);
        crew.add("gateway", |stop| gateway.run(stop));
    })
    .await
}

/// `limner fetcher`
pub(crate) async fn fetcher(settings: Settings, recorded: RecorderHandle) -> anyhow::Result<()> {
    settings.require(&[Server::Redis, Server::Nats])?;
    let policy = service_configs::policy(&settings);
    service_configs::warn_about_open_egress(&policy);
    let egress = service_configs::egress(&settings, policy)?;
    let (cache, bus) = tokio::try_join!(service_configs::cache(&settings), service_configs::bus(&settings, "fetcher"))?;
    let config = service_configs::fetcher_config(&settings, settings.extractor.url.as_str());
    let fetcher = Fetcher::bind(config, bus, cache, egress)?;
    run_single_service(&settings, recorded, |crew| crew.add("fetcher", |stop| fetcher.run(stop))).await
}

/// `limner extractor`
pub(crate) async fn extractor(settings: Settings, recorded: RecorderHandle) -> anyhow::Result<()> {
    let listen = settings.extractor.listen.unwrap_or(ExtractorSettings::DEFAULT_LISTEN);
    let extractor =
        Extractor::bind(service_configs::extractor_config(&settings, listen)).await.context("extractor.listen")?;
    run_single_service(&settings, recorded, |crew| {
        // Not ready while it cannot start its worker processes.
        crew.track_readiness("extraction processes", extractor.readiness());
        crew.add("extractor", |stop| extractor.run(stop));
    })
    .await
}

/// `limner egress`
pub(crate) async fn egress(settings: Settings, recorded: RecorderHandle) -> anyhow::Result<()> {
    let policy = service_configs::policy(&settings);
    service_configs::warn_about_open_egress(&policy);
    let token_key = service_configs::token_key(&settings)?;
    let listen = settings.egress.listen.unwrap_or(EgressSettings::DEFAULT_LISTEN);
    let config = service_configs::egress_config(&settings, listen, token_key);
    let egress = Egress::bind(config, service_configs::egress(&settings, policy)?).await.context("egress.listen")?;
    run_single_service(&settings, recorded, |crew| crew.add("egress", |stop| egress.run(stop))).await
}

/// `limner renderer`
pub(crate) async fn renderer(settings: Settings, recorded: RecorderHandle) -> anyhow::Result<()> {
    settings.require(&[Server::Redis, Server::Nats])?;
    let token_key = service_configs::token_key(&settings)?;
    let browser = service_configs::browser_config(&settings, service_configs::proxy_address(&settings), token_key)?;
    let (cache, bus) =
        tokio::try_join!(service_configs::cache(&settings), service_configs::bus(&settings, "renderer"))?;
    let config = service_configs::renderer_config(&settings, browser, settings.extractor.url.as_str());
    let renderer = Renderer::bind(config, bus, cache, service_configs::screenshots(&settings)?)?;
    run_single_service(&settings, recorded, |crew| {
        // Not ready without a browser.
        crew.track_readiness("browser", renderer.readiness());
        crew.add("renderer", |stop| renderer.run(stop));
    })
    .await
}

/// `limner metering`
pub(crate) async fn metering(settings: Settings, recorded: RecorderHandle) -> anyhow::Result<()> {
    settings.require(&[Server::Postgres, Server::Redis, Server::Nats])?;
    let (cache, bus) =
        tokio::try_join!(service_configs::cache(&settings), service_configs::bus_in_background(&settings, "metering"))?;
    let nats = bus.connection_state();
    let store = service_configs::lazy_store(&settings)?;
    let ledger = Ledger::new(store.clone(), Some(cache), Some(bus));
    let ledger = service_configs::with_settings(&settings, ledger)?;
    let listen = settings.metering.listen.unwrap_or(MeteringSettings::DEFAULT_LISTEN);
    let metering = MeteringService::bind(
        service_configs::metering_config(&settings, listen),
        service_configs::billing_engine(&settings, ledger)?,
    )
    .await
    .context("metering.listen")?;
    run_single_service(&settings, recorded, |crew| {
        // Not ready without a ledger, so that a roll-out stops before it replaces a working process.
        crew.track_readiness("ledger", schema_readiness::watch_present(store));
        // Announcements wait for it, holds and commits do not.
        crew.track_dependency("nats", nats);
        crew.add("metering", |stop| metering.run(stop));
    })
    .await
}

/// `limner console`
pub(crate) async fn console(settings: Settings, recorded: RecorderHandle) -> anyhow::Result<()> {
    settings.require(&[Server::Postgres])?;
    let listen = settings.console.listen.unwrap_or(ConsoleSettings::DEFAULT_LISTEN);
    let config = service_configs::console_config(&settings, listen, settings.metering.url.as_str())?;
    let store = service_configs::lazy_store(&settings)?;
    let console = Console::bind(config, store.clone()).await.context("console")?;
    run_single_service(&settings, recorded, |crew| {
        // Only at start: pages that need no database are served without it.
        crew.track_readiness("schema", schema_readiness::watch_once_present(store));
        crew.add("console", |stop| console.run(stop));
    })
    .await
}

/// `limner mcp`
pub(crate) async fn mcp(settings: Settings, recorded: RecorderHandle) -> anyhow::Result<()> {
    let listen = settings.mcp.listen.unwrap_or(McpSettings::DEFAULT_LISTEN);
    let console = settings.console.listen.unwrap_or(ConsoleSettings::DEFAULT_LISTEN);
    let console = settings.console.url.clone().unwrap_or_else(|| BaseUrl::for_listener(console));
    let config = service_configs::mcp_config(&settings, listen, settings.metering.url.as_str(), console.as_str());
    let server = McpServer::bind(config).await.context("mcp")?;
    run_single_service(&settings, recorded, |crew| crew.add("mcp", |stop| server.run(stop))).await
}

/// Runs one service and the admin server until a signal.
async fn run_single_service(
    settings: &Settings,
    recorded: RecorderHandle,
    add: impl FnOnce(&mut Supervisor),
) -> anyhow::Result<()> {
    let shutdown = shutdown::on_signals()?;
    let readiness = Readiness::default();
    let admin = AdminServer::bind(settings.admin.listen, readiness.clone(), recorded).await?;
    tracing::info!(admin.address = %admin.local_addr(), "admin server listens");
    let mut crew = Supervisor::new(readiness);
    crew.add("admin", |stop| admin.run(stop));
    add(&mut crew);
    crew.run(shutdown, settings.shutdown.grace).await
}
