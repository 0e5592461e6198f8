//! An orderly end: the first signal asks for it, the second does not wait.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// The exit status of a process that was told to end at once: 128 + SIGINT, as shells have it.
const INTERRUPTED: i32 = 130;

/// Listens for SIGTERM and SIGINT. The first cancels the token; the second ends the process at once.
///
/// # Errors
/// When the system refuses the handlers.
pub fn on_signals() -> std::io::Result<CancellationToken> {
    let (terminate, interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let token = CancellationToken::new();
    tokio::spawn(watch(terminate, interrupt, token.clone()));
    Ok(token)
}

async fn watch(mut terminate: Signal, mut interrupt: Signal, token: CancellationToken) {
    next(&mut terminate, &mut interrupt).await;
    tracing::info!("asked to end: finishing work in flight; a second signal ends at once");
    token.cancel();
    next(&mut terminate, &mut interrupt).await;
    tracing::warn!("second signal: ending at once");
    std::process::exit(INTERRUPTED);
}

async fn next(terminate: &mut Signal, interrupt: &mut Signal) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
