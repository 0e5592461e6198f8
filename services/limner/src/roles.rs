//! Single roles, for a fleet of many processes.

use crate::crew::Crew;
use crate::{schema, wiring};
use anyhow::Context;
use limner_console::Console;
use limner_egress::Egress;
use limner_extractor::Extractor;
use limner_fetcher::Fetcher;
use limner_gateway::{Backend, Gateway};
use limner_mcp::McpServer;
use limner_metering::{Ledger, MeteringService};
use limner_renderer::Renderer;
use limner_runtime::admin::AdminServer;
use limner_runtime::metrics::Recorded;
use limner_runtime::settings::{
    BaseUrl, ConsoleSettings, EgressSettings, ExtractorSettings, McpSettings, MeteringSettings, Server,
};
use limner_runtime::{Readiness, Settings, shutdown};

/// `limner gateway`
pub(crate) async fn gateway(settings: Settings, recorded: Recorded) -> anyhow::Result<()> {
    settings.require(&[Server::Redis, Server::Nats])?;
    let policy = wiring::policy(&settings);
    wiring::announce(&policy);
    let (cache, bus) = tokio::try_join!(wiring::cache(&settings), wiring::bus(&settings, "gateway"))?;
    let config = wiring::gateway_config(&settings, policy, settings.metering.url.as_str());
    let screenshots = wiring::screenshots(&settings)?;
    let backend = Backend::connect(&config, cache, bus, Some(screenshots)).await?;
    let gateway = Gateway::bind(config, backend).await.context("gateway.listen")?;
    alone(&settings, recorded, |crew| crew.add("gateway", |stop| gateway.run(stop))).await
}

/// `limner fetcher`
pub(crate) async fn fetcher(settings: Settings, recorded: Recorded) -> anyhow::Result<()> {
    settings.require(&[Server::Redis, Server::Nats])?;
    let policy = wiring::policy(&settings);
    wiring::announce(&policy);
    let egress = wiring::egress(&settings, policy)?;
    let (cache, bus) = tokio::try_join!(wiring::cache(&settings), wiring::bus(&settings, "fetcher"))?;
    let config = wiring::fetcher_config(&settings, settings.extractor.url.as_str());
    let fetcher = Fetcher::bind(config, bus, cache, egress)?;
    alone(&settings, recorded, |crew| crew.add("fetcher", |stop| fetcher.run(stop))).await
}

/// `limner extractor`
pub(crate) async fn extractor(settings: Settings, recorded: Recorded) -> anyhow::Result<()> {
    let listen = settings.extractor.listen.unwrap_or(ExtractorSettings::USUAL);
    let extractor = Extractor::bind(wiring::extractor_config(&settings, listen)).await.context("extractor.listen")?;
    alone(&settings, recorded, |crew| {
        // Not ready while it cannot start its worker processes.
        crew.follow("extraction processes", extractor.readiness());
        crew.add("extractor", |stop| extractor.run(stop));
    })
    .await
}

/// `limner egress`
pub(crate) async fn egress(settings: Settings, recorded: Recorded) -> anyhow::Result<()> {
    let policy = wiring::policy(&settings);
    wiring::announce(&policy);
    let passes = wiring::passes(&settings)?;
    let listen = settings.egress.listen.unwrap_or(EgressSettings::USUAL);
    let config = wiring::egress_config(&settings, listen, passes);
    let egress = Egress::bind(config, wiring::egress(&settings, policy)?).await.context("egress.listen")?;
    alone(&settings, recorded, |crew| crew.add("egress", |stop| egress.run(stop))).await
}

/// `limner renderer`
pub(crate) async fn renderer(settings: Settings, recorded: Recorded) -> anyhow::Result<()> {
    settings.require(&[Server::Redis, Server::Nats])?;
    let passes = wiring::passes(&settings)?;
    let browser = wiring::browser_config(&settings, wiring::proxy_address(&settings), passes)?;
    let (cache, bus) = tokio::try_join!(wiring::cache(&settings), wiring::bus(&settings, "renderer"))?;
    let config = wiring::renderer_config(&settings, browser, settings.extractor.url.as_str());
    let renderer = Renderer::bind(config, bus, cache, wiring::screenshots(&settings)?)?;
    alone(&settings, recorded, |crew| {
        // Not ready without a browser.
        crew.follow("browser", renderer.readiness());
        crew.add("renderer", |stop| renderer.run(stop));
    })
    .await
}

/// `limner metering`
pub(crate) async fn metering(settings: Settings, recorded: Recorded) -> anyhow::Result<()> {
    settings.require(&[Server::Postgres, Server::Redis, Server::Nats])?;
    let (cache, bus) = tokio::try_join!(wiring::cache(&settings), wiring::bus(&settings, "metering"))?;
    let store = wiring::lazy_store(&settings)?;
    let ledger = Ledger::new(store.clone(), Some(cache), Some(bus));
    let listen = settings.metering.listen.unwrap_or(MeteringSettings::USUAL);
    let metering =
        MeteringService::bind(wiring::metering_config(&settings, listen), wiring::billing_desk(&settings, ledger)?)
            .await
            .context("metering.listen")?;
    alone(&settings, recorded, |crew| {
        // Not ready without a ledger, so that a roll-out stops before it replaces a working process.
        crew.follow("ledger", schema::is_there(store));
        crew.add("metering", |stop| metering.run(stop));
    })
    .await
}

/// `limner console`
pub(crate) async fn console(settings: Settings, recorded: Recorded) -> anyhow::Result<()> {
    settings.require(&[Server::Postgres])?;
    let listen = settings.console.listen.unwrap_or(ConsoleSettings::USUAL);
    let config = wiring::console_config(&settings, listen, settings.metering.url.as_str())?;
    let store = wiring::lazy_store(&settings)?;
    let console = Console::bind(config, store.clone()).await.context("console")?;
    alone(&settings, recorded, |crew| {
        // Only at start: pages that need no database are served without it.
        crew.follow("schema", schema::has_come(store));
        crew.add("console", |stop| console.run(stop));
    })
    .await
}

/// `limner mcp`
pub(crate) async fn mcp(settings: Settings, recorded: Recorded) -> anyhow::Result<()> {
    let listen = settings.mcp.listen.unwrap_or(McpSettings::USUAL);
    let console = settings.console.listen.unwrap_or(ConsoleSettings::USUAL);
    let console = settings.console.url.clone().unwrap_or_else(|| BaseUrl::of(console));
    let config = wiring::mcp_config(&settings, listen, settings.metering.url.as_str(), console.as_str());
    let server = McpServer::bind(config).await.context("mcp")?;
    alone(&settings, recorded, |crew| crew.add("mcp", |stop| server.run(stop))).await
}

/// Runs one service and the admin server until a signal.
async fn alone(settings: &Settings, recorded: Recorded, add: impl FnOnce(&mut Crew)) -> anyhow::Result<()> {
    let shutdown = shutdown::on_signals()?;
    let readiness = Readiness::default();
    let admin = AdminServer::bind(settings.admin.listen, readiness.clone(), recorded).await?;
    tracing::info!(admin.address = %admin.local_addr(), "admin server listens");
    let mut crew = Crew::new(readiness);
    crew.add("admin", |stop| admin.run(stop));
    add(&mut crew);
    crew.run(shutdown, settings.shutdown.grace).await
}
