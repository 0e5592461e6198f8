//! `limner up`: every role in one process, with private servers for those that are not configured.

mod demo_account;
mod welcome;

use crate::demo::{self, DemoSite};
use crate::local_servers::PrivateServers;
use crate::run_dir::{Endpoints, RunDir};
use crate::supervisor::Supervisor;
use crate::{exit, migrate, service_configs};
use anyhow::Context;
use limner_bus::Bus;
use limner_cache::Cache;
use limner_console::Console;
use limner_egress::Egress;
use limner_extractor::Extractor;
use limner_fetcher::Fetcher;
use limner_gateway::{Dependencies, Gateway};
use limner_mcp::McpServer;
use limner_metering::{Ledger, MeteringService};
use limner_netguard::{Client, EgressPolicy, EgressTokenKey};
use limner_renderer::Renderer;
use limner_runtime::admin::AdminServer;
use limner_runtime::metrics::RecorderHandle;
use limner_runtime::settings::{BaseUrl, ConsoleSettings, McpSettings, WatchedRole, WatchedRoles};
use limner_runtime::{Readiness, Secret, Settings, shutdown};
use limner_screenshot_store::ScreenshotStore;
use limner_store::Store;
use limner_types::ApiKey;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpListener;
use uuid::Uuid;

/// Starts everything, prints how to use it, and runs until a signal.
pub(crate) async fn run(mut settings: Settings, recorded: RecorderHandle) -> anyhow::Result<()> {
    let shutdown = shutdown::on_signals()?;
    let run_dir = RunDir::lock(&settings)?;
    let started = tokio::select! {
        started = start(&mut settings, recorded, &run_dir) => started?,
        () = shutdown.cancelled() => return Ok(()),
    };
    derive_public_url(&mut settings, started.endpoints.gateway);
    let sites = welcome::Sites { console: started.console.as_deref(), mcp: started.mcp.as_deref() };
    welcome::print(&settings, &started.endpoints, &sites, started.demo_key.as_ref())?;
    started.crew.run(shutdown, settings.shutdown.grace).await
}

/// Derives the public URL from the gateway's listening address, unless it is set.
fn derive_public_url(settings: &mut Settings, listen: SocketAddr) {
    if settings.public_url == BaseUrl::for_listener(DEFAULT_GATEWAY) && listen.port() != 0 {
        settings.public_url = BaseUrl::for_listener(listen);
    }
}

/// Default address of the gateway.
const DEFAULT_GATEWAY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);

/// The running fleet.
struct RunningFleet {
    crew: Supervisor,
    endpoints: Endpoints,
    /// URL of the console.
    console: Option<String>,
    /// URL of the MCP server.
    mcp: Option<String>,
    demo_key: Option<ApiKey>,
}

/// One connection of each kind, shared by all roles.
struct Connections {
    store: Store,
    cache: Cache,
    bus: Bus,
}

impl Connections {
    async fn open(settings: &Settings) -> anyhow::Result<Self> {
        let (store, cache, bus) = tokio::try_join!(
            service_configs::store(settings),
            service_configs::cache(settings),
            service_configs::bus(settings, "up")
        )?;
        Ok(Self { store, cache, bus })
    }
}

async fn start(settings: &mut Settings, recorded: RecorderHandle, run_dir: &RunDir) -> anyhow::Result<RunningFleet> {
    let listen = settings.gateway.listen;
    // Found out before servers are started and migrated, which takes seconds.
    TcpListener::bind(listen).await.map(drop).with_context(|| {
        format!("gateway.listen: cannot listen on {listen}; LIMNER__GATEWAY__LISTEN sets another address")
    })?;
    derive_public_url(settings, listen);
    if settings.renderer.enabled && !service_configs::has_browser(settings) {
        tracing::error!(
            "no Chromium here: pages that need a browser cannot be read (make setup, or renderer.chromium)"
        );
        settings.renderer.enabled = false;
    }
    let readiness = Readiness::default();
    let admin = AdminServer::bind(settings.admin.listen, readiness.clone(), recorded).await?;
    let has_own_accounts = settings.postgres.url.is_none();
    let mut crew = Supervisor::new(readiness);
    // Started first, stopped last: the servers outlive everything that uses them.
    let servers = PrivateServers::start(settings).await?;
    crew.add("servers", |stop| servers.supervise(stop));
    let connections = Connections::open(settings).await?;
    migrate::apply(&connections.store, &connections.bus).await?;
    let mut endpoints = endpoints(settings, admin.local_addr());
    crew.add("admin", |stop| admin.run(stop));
    let store = connections.store.clone();
    let lower = add_services(settings, connections, &mut crew).await?;
    let LowerServices { ledger, metering_url, gateway, policy } = lower;
    endpoints.gateway = gateway.local_addr();
    // Before the gateway runs: its callers may then already use `limner admin`.
    run_dir.publish(&endpoints)?;
    crew.add("gateway", |stop| gateway.run(stop));
    derive_public_url(settings, endpoints.gateway);
    // Without a console users could not sign in.
    let mcp = match settings.mcp.enabled && settings.console.enabled {
        true => Some(mcp_socket(settings).await?),
        false => None,
    };
    let console = match settings.console.enabled {
        true => Some(bind_console(settings, store, &metering_url, &endpoints, policy).await?),
        false => None,
    };
    let mcp = match (mcp, &console) {
        (Some(socket), Some(console)) => {
            Some(add_mcp(settings, socket, &metering_url, endpoints.gateway, console.url(), &mut crew)?)
        }
        _ => None,
    };
    let console_url = console.as_ref().map(|console| console.url().to_owned());
    // Last: the first probe for its status page finds everything.
    if let Some(console) = console {
        crew.add("console", |stop| console.run(stop));
    }
    // A configured database may be shared: do not create accounts in it unasked.
    let demo_key = match settings.demo.enabled && has_own_accounts {
        true => Some(demo_account::new_key(&ledger, &settings.data_dir).await?),
        false => None,
    };
    Ok(RunningFleet { crew, endpoints, console: console_url, mcp, demo_key })
}

/// Results of starting the lower services that the upper ones need.
struct LowerServices {
    ledger: Ledger,
    metering_url: String,
    /// Bound, but not running yet.
    gateway: Gateway,
    /// The egress policy, with the demo site.
    policy: EgressPolicy,
}

/// Adds the demo site and the roles, dependencies first, up to the gateway.
async fn add_services(
    settings: &Settings,
    Connections { store, cache, bus }: Connections,
    crew: &mut Supervisor,
) -> anyhow::Result<LowerServices> {
    let mut policy = service_configs::policy(settings);
    if settings.demo.enabled {
        let site = DemoSite::bind().await?;
        policy.own_sites.insert(demo::HOST.to_owned(), site.local_addr());
        crew.add("demo", |stop| site.run(stop));
    }
    service_configs::warn_about_open_egress(&policy);

    let ledger = Ledger::new(store, Some(cache.clone()), Some(bus.clone()));
    let ledger = service_configs::with_settings(settings, ledger)?;
    let listen = settings.metering.listen.unwrap_or(ANY_PORT);
    let billing = service_configs::billing_engine(settings, ledger.clone())?;
    let metering = MeteringService::bind(service_configs::metering_config(settings, listen), billing)
        .await
        .context("metering.listen")?;
    let metering_url = format!("http://{}", metering.local_addr());
    crew.add("metering", |stop| metering.run(stop));

    let listen = settings.extractor.listen.unwrap_or(ANY_PORT);
    let extractor =
        Extractor::bind(service_configs::extractor_config(settings, listen)).await.context("extractor.listen")?;
    let extractor_url = format!("http://{}", extractor.local_addr());
    crew.track_readiness("extraction processes", extractor.readiness());
    crew.add("extractor", |stop| extractor.run(stop));

    let egress_client = service_configs::egress(settings, policy.clone())?;
    let screenshots = service_configs::screenshots(settings)?;
    if settings.renderer.enabled {
        let servers = (bus.clone(), cache.clone(), screenshots.clone());
        add_browser(settings, egress_client.clone(), servers, &extractor_url, crew).await?;
    }
    let config = service_configs::fetcher_config(settings, &extractor_url);
    let fetcher = Fetcher::bind(config, bus.clone(), cache.clone(), egress_client)?;
    crew.add("fetcher", |stop| fetcher.run(stop));

    let config = service_configs::gateway_config(settings, policy.clone(), &metering_url);
    let backend = Dependencies::connect(&config, cache, bus, Some(screenshots)).await?;
    let gateway = Gateway::bind(config, backend).await.context("gateway.listen")?;
    Ok(LowerServices { ledger, metering_url, gateway, policy })
}

/// Binds the console. Unless its address is configured, it uses another port if the default one is
/// taken.
async fn bind_console(
    settings: &Settings,
    store: Store,
    metering_url: &str,
    endpoints: &Endpoints,
    policy: EgressPolicy,
) -> anyhow::Result<Console> {
    let mut settings = settings.clone();
    settings.console.gateway_url.get_or_insert_with(|| BaseUrl::for_listener(endpoints.gateway));
    if settings.console.watch.is_empty() {
        settings.console.watch = roles_here(&settings, endpoints.admin);
    }
    let listen = settings.console.listen.unwrap_or(ConsoleSettings::DEFAULT_LISTEN);
    let mut config = service_configs::console_config(&settings, listen, metering_url)?;
    let demo = || limner_console::DemoSite { host: demo::HOST.to_owned(), files: demo::router() };
    config.demo = settings.demo.enabled.then(demo);
    config.egress.policy = policy;
    let bind = |listen| Console::bind(limner_console::Config { listen, ..config.clone() }, store.clone());
    let bound = match bind(listen).await {
        Err(limner_console::ConsoleError::Listen { .. }) if settings.console.listen.is_none() => bind(ANY_PORT).await,
        bound => bound,
    };
    bound.context("console")
}

/// Returns the roles of this process for the status page. One admin server answers for all of them.
fn roles_here(settings: &Settings, admin: SocketAddr) -> WatchedRoles {
    let is_here = |role: &WatchedRole| match role {
        WatchedRole::Fetcher | WatchedRole::Extractor => true,
        WatchedRole::Renderer => settings.renderer.enabled,
        WatchedRole::Mcp => settings.mcp.enabled,
    };
    WatchedRole::ALL.into_iter().filter(is_here).map(|role| (role, BaseUrl::for_listener(admin))).collect()
}

/// Binds the MCP server's socket at the configured address, or at the default one, or at another port if that is taken.
/// It is bound before the console starts, because tokens are issued for its URL.
async fn mcp_socket(settings: &mut Settings) -> anyhow::Result<TcpListener> {
    let listener = match settings.mcp.listen {
        Some(listen) => TcpListener::bind(listen).await,
        None => match TcpListener::bind(McpSettings::DEFAULT_LISTEN).await {
            Ok(listener) => Ok(listener),
            Err(_) => TcpListener::bind(ANY_PORT).await,
        },
    };
    let listener = listener.context("mcp.listen")?;
    settings.mcp.listen = Some(listener.local_addr()?);
    Ok(listener)
}

/// Adds the MCP server and returns its URL.
fn add_mcp(
    settings: &Settings,
    socket: TcpListener,
    metering_url: &str,
    gateway: SocketAddr,
    console_url: &str,
    crew: &mut Supervisor,
) -> anyhow::Result<String> {
    let mut settings = settings.clone();
    settings.mcp.gateway_url.get_or_insert_with(|| BaseUrl::for_listener(gateway));
    let config = service_configs::mcp_config(&settings, socket.local_addr()?, metering_url, console_url);
    let server = McpServer::with_listener(socket, config).context("mcp")?;
    let url = server.url();
    crew.add("mcp", |stop| server.run(stop));
    Ok(url)
}

/// Adds the browser's proxy and the renderer. A machine without a browser serves everything else.
async fn add_browser(
    settings: &Settings,
    egress_client: Client,
    (bus, cache, screenshots): (Bus, Cache, ScreenshotStore),
    extractor_url: &str,
    crew: &mut Supervisor,
) -> anyhow::Result<()> {
    let token_key = match &settings.egress.secret {
        Some(_) => service_configs::token_key(settings)?,
        None => EgressTokenKey::new(&format!("{}{}", Uuid::new_v4(), Uuid::new_v4())),
    };
    let listen = settings.egress.listen.unwrap_or(ANY_PORT);
    let egress = Egress::bind(service_configs::egress_config(settings, listen, token_key.clone()), egress_client).await;
    let egress = egress.context("egress.listen")?;
    let browser = match service_configs::browser_config(settings, egress.local_addr().to_string(), token_key) {
        Ok(browser) => browser,
        Err(fault) => {
            tracing::error!(error = exit::with_causes(&fault), "no browser: pages that need one cannot be read");
            return Ok(());
        }
    };
    crew.add("egress", |stop| egress.run(stop));
    let config = service_configs::renderer_config(settings, browser, extractor_url);
    let renderer = Renderer::bind(config, bus, cache, screenshots)?;
    if !renderer.wait_for_browser(BROWSER_START_TIMEOUT).await {
        tracing::error!("the browser has not started yet: pages that need one can't be read until it has");
    }
    // Everything else works without a browser.
    crew.track_dependency("browser", renderer.readiness());
    crew.add("renderer", |stop| renderer.run(stop));
    Ok(())
}

/// Maximum time to wait for the browser to start.
const BROWSER_START_TIMEOUT: Duration = Duration::from_secs(30);

const ANY_PORT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

fn endpoints(settings: &Settings, admin: SocketAddr) -> Endpoints {
    let exposed = |url: &Option<Secret>| url.as_ref().map(|url| url.expose().to_owned()).unwrap_or_default();
    Endpoints {
        gateway: settings.gateway.listen,
        admin,
        postgres: exposed(&settings.postgres.url),
        redis: exposed(&settings.redis.url),
        nats: exposed(&settings.nats.url),
    }
}
