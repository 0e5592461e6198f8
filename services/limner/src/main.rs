//! The binary of Limner: every role, `limner up` with all of them in one process, and commands for operators. It has no
//! logic of its own: it maps settings to the configurations of the services and runs them.

mod admin;
mod cli;
mod demo;
mod diff;
mod exit;
mod extract;
mod healthcheck;
mod inspect;
mod local_servers;
mod manual;
mod mcp;
mod migrate;
mod output;
mod progress;
mod run_dir;
mod run_service;
mod schema_readiness;
mod service_configs;
mod subprocesses;
mod supervisor;
mod up;
mod views;

use cli::{Command, ConfigCommand, MigrateArgs};
use exit::ExitReason;
use limner_runtime::metrics::{self, RecorderHandle};
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

fn run() -> Result<(), ExitReason> {
    let cli = cli::parse()?;
    // First, before anything is loaded that a page must not find.
    match &cli.command {
        Command::LayoutWorker(args) => return subprocesses::run_layout(args),
        Command::ExtractionWorker(args) => return subprocesses::run_extraction(args),
        Command::Completions { shell } => return Ok(manual::print_completions(*shell)?),
        Command::Man { out } => return Ok(manual::print_manual(out.as_deref())?),
        _ => {}
    }
    // The one TLS provider, for all libraries. If it is already set, then by this process itself.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let settings = Settings::load(cli.config.as_deref())?;
    match cli.command {
        Command::Up => serve(settings, "up", up::run),
        Command::Gateway => serve(settings, "gateway", crate::run_service::gateway),
        Command::Fetcher => serve(settings, "fetcher", crate::run_service::fetcher),
        Command::Extractor => serve(settings, "extractor", crate::run_service::extractor),
        Command::Metering => serve(settings, "metering", crate::run_service::metering),
        Command::Renderer => serve(settings, "renderer", crate::run_service::renderer),
        Command::Egress => serve(settings, "egress", crate::run_service::egress),
        Command::Console => serve(settings, "console", crate::run_service::console),
        Command::Mcp(args) if args.stdio => block_on(command(&settings, mcp::run(&settings, args.url))),
        Command::Mcp(_) => serve(settings, "mcp", crate::run_service::mcp),
        Command::Extract(args) => block_on(command(&settings, extract::run(&settings, args))),
        Command::Diff(args) => block_on(command(&settings, diff::run(&settings, args))),
        Command::Inspect(args) => block_on(command(&settings, inspect::run(&settings, args))),
        Command::Migrate(MigrateArgs { grants: Some(server) }) => {
            Ok(output::print(migrate::grants(server).trim_end())?)
        }
        Command::Migrate(_) => block_on(command(&settings, migrate::run(&settings))),
        Command::Openapi => Ok(output::print_json(&limner_gateway::openapi::document(
            settings.public_url.as_str(),
            settings.limits.url_bytes.0,
        ))?),
        Command::Config(ConfigCommand::Dump) => Ok(output::print_file(settings.dump().trim_end())?),
        Command::Config(ConfigCommand::Check) => Ok(output::print("The configuration is valid.")?),
        Command::Admin(args) => block_on(command(&settings, admin::run(&settings, args))),
        Command::LayoutWorker(args) => subprocesses::run_layout(&args),
        Command::ExtractionWorker(args) => subprocesses::run_extraction(&args),
        Command::Completions { shell } => Ok(manual::print_completions(shell)?),
        Command::Man { out } => Ok(manual::print_manual(out.as_deref())?),
        Command::Healthcheck => block_on(async { Ok(healthcheck::run(&settings).await?) }),
    }
}

/// Runs a role until a signal.
fn serve<F>(
    settings: Settings,
    role: &'static str,
    run: impl FnOnce(Settings, RecorderHandle) -> F,
) -> Result<(), ExitReason>
where
    F: Future<Output = anyhow::Result<()>>,
{
    block_on(async {
        let telemetry = telemetry::start(&settings.log, &settings.telemetry, role)?;
        let recorded = metrics::install()?;
        tracing::info!(service.role = role, service.version = env!("CARGO_PKG_VERSION"), "starting");
        let ended = run(settings, recorded).await;
        telemetry.finish().await;
        Ok(ended?)
    })
}

/// Runs a command of a person, who wants its output and no log.
async fn command(settings: &Settings, run: impl Future<Output = Result<(), ExitReason>>) -> Result<(), ExitReason> {
    let log = LogSettings { level: LogFilter::warnings(), ..settings.log.clone() };
    let telemetry = telemetry::start(&log, &settings.telemetry, "command")?;
    let ended = run.await;
    telemetry.finish().await;
    ended
}

fn block_on(run: impl Future<Output = Result<(), ExitReason>>) -> Result<(), ExitReason> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(run);
    // A thread that is still working does not prevent the process from ending.
    runtime.shutdown_timeout(SHUTDOWN_GRACE);
    ended
}

/// Maximum time to wait, at the end of the process, for work on blocking threads.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn work_on_a_blocking_thread_does_not_keep_the_process_alive() {
        let (release, held) = mpsc::channel::<()>();
        let (ended, end) = mpsc::channel();
        std::thread::spawn(move || {
            let run = async {
                let (started, start) = tokio::sync::oneshot::channel();
                tokio::task::spawn_blocking(move || {
                    let _ = started.send(());
                    let _ = held.recv();
                });
                start.await.map_err(anyhow::Error::from)?;
                Ok(())
            };
            let _ = ended.send(block_on(run).is_ok());
        });
        // As long as the work lasts, without a limit.
        let has_ended = end.recv_timeout(SHUTDOWN_GRACE + Duration::from_secs(20));
        drop(release);
        assert_eq!(has_ended, Ok(true));
    }
}
