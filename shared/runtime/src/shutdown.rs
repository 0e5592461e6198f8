//! Shutdown by signals: the first one is graceful, the second one immediate.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Exit status after an immediate shutdown: 128 + SIGINT, like shells.
const INTERRUPTED: i32 = 130;

/// Listens for SIGTERM and SIGINT. The first cancels the token; the second ends the process immediately.
///
/// # Errors
/// The system rejects the handlers.
pub fn on_signals() -> std::io::Result<CancellationToken> {
    let (terminate, interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let token = CancellationToken::new();
    tokio::spawn(watch(terminate, interrupt, token.clone()));
    Ok(token)
}

async fn watch(mut terminate: Signal, mut interrupt: Signal, token: CancellationToken) {
    next(&mut terminate, &mut interrupt).await;
    tracing::info!("shutdown requested: finishing work in progress; a second signal ends the process immediately");
    token.cancel();
    next(&mut terminate, &mut interrupt).await;
    tracing::warn!("second signal: exiting immediately");
    std::process::exit(INTERRUPTED);
}

async fn next(terminate: &mut Signal, interrupt: &mut Signal) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
