//! The binary of Limner: every role, `limner up` with all of them in one process, and commands for operators. It has no
//! logic of its own: it maps settings to the configurations of the services and runs them.

mod admin;
mod cli;
mod crew;
mod demo;
mod endpoints;
mod exit;
mod extract;
mod healthcheck;
mod inspect;
mod mcp;
mod migrate;
mod output;
mod private;
mod progress;
mod roles;
mod schema;
mod subprocesses;
mod up;
mod views;
mod wiring;

use cli::{Command, ConfigCommand};
use exit::Exit;
use limner_runtime::metrics::{self, Recorded};
use limner_runtime::settings::{LogFilter, LogSettings};
use limner_runtime::{Settings, telemetry};
use mimalloc::MiMalloc;
use std::future::Future;
use std::process::ExitCode;
use std::time::Duration;

/// Reading a page allocates and frees hundreds of thousands of small values; mimalloc makes that an eighth faster than
/// the system's allocator.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(exit) => exit.report(),
    }
}

fn run() -> Result<(), Exit> {
    let cli = cli::parse()?;
    // First, before anything is loaded that a page must not find.
    match &cli.command {
        Command::LayoutWorker(args) => return subprocesses::run_layout(args),
        Command::ExtractionWorker(args) => return subprocesses::run_extraction(args),
        _ => {}
    }
    // The one TLS provider, for all libraries. If it is already set, then by this process itself.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let settings = Settings::load(cli.config.as_deref())?;
    match cli.command {
        Command::Up => serve(settings, "up", up::run),
        Command::Gateway => serve(settings, "gateway", roles::gateway),
        Command::Fetcher => serve(settings, "fetcher", roles::fetcher),
        Command::Extractor => serve(settings, "extractor", roles::extractor),
        Command::Metering => serve(settings, "metering", roles::metering),
        Command::Renderer => serve(settings, "renderer", roles::renderer),
        Command::Egress => serve(settings, "egress", roles::egress),
        Command::Console => serve(settings, "console", roles::console),
        Command::Mcp(args) if args.stdio => block_on(command(&settings, mcp::run(&settings, args.url))),
        Command::Mcp(_) => serve(settings, "mcp", roles::mcp),
        Command::Extract(args) => block_on(command(&settings, extract::run(&settings, args))),
        Command::Inspect(args) => block_on(command(&settings, inspect::run(&settings, args))),
        Command::Migrate => block_on(command(&settings, migrate::run(&settings))),
        Command::Openapi => Ok(output::print_json(&limner_gateway::openapi::document(
            settings.public_url.as_str(),
            settings.limits.url_bytes.0,
        ))?),
        Command::Config(ConfigCommand::Dump) => Ok(output::print_file(settings.dump().trim_end())?),
        Command::Config(ConfigCommand::Check) => Ok(output::print("The configuration is valid.")?),
        Command::Admin(args) => block_on(command(&settings, admin::run(&settings, args))),
        Command::LayoutWorker(args) => subprocesses::run_layout(&args),
        Command::ExtractionWorker(args) => subprocesses::run_extraction(&args),
        Command::Healthcheck => block_on(async { Ok(healthcheck::run(&settings).await?) }),
    }
}

/// Runs a role until a signal.
fn serve<F>(settings: Settings, role: &'static str, run: impl FnOnce(Settings, Recorded) -> F) -> Result<(), Exit>
where
    F: Future<Output = anyhow::Result<()>>,
{
    block_on(async {
        let telemetry = telemetry::start(&settings.log, &settings.telemetry, role)?;
        let recorded = metrics::install()?;
        limner_netguard::describe_metrics();
        tracing::info!(service.role = role, service.version = env!("CARGO_PKG_VERSION"), "starting");
        let ended = run(settings, recorded).await;
        telemetry.finish().await;
        Ok(ended?)
    })
}

/// Runs a command of a person, who wants its output and no log.
async fn command(settings: &Settings, run: impl Future<Output = Result<(), Exit>>) -> Result<(), Exit> {
    let log = LogSettings { level: LogFilter::warnings(), ..settings.log.clone() };
    let telemetry = telemetry::start(&log, &settings.telemetry, "command")?;
    let ended = run.await;
    telemetry.finish().await;
    ended
}

fn block_on(run: impl Future<Output = Result<(), Exit>>) -> Result<(), Exit> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(run);
    // A thread that is still working does not prevent the process from ending.
    runtime.shutdown_timeout(LAST_WORK);
    ended
}

/// Maximum time to wait, at the end of the process, for work on blocking threads.
const LAST_WORK: Duration = Duration::from_secs(1);
