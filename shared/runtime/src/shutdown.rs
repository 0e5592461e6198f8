//! An orderly end: the first signal asks for it, the second does not wait, and the grace period bounds it.

use std::future::Future;
use std::time::Duration;
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

/// Work that was still going on when the grace period was over, and was cut off.
#[derive(Debug, thiserror::Error)]
#[error("work was still in flight after the grace period of {0:?} and was cut off")]
pub struct CutOff(pub Duration);

/// Runs `work` to its end; once `shutdown` is cancelled, for at most `grace` longer.
///
/// # Errors
/// When the work had to be cut off.
pub async fn within_grace<T>(
    work: impl Future<Output = T>,
    shutdown: &CancellationToken,
    grace: Duration,
) -> Result<T, CutOff> {
    let limit = async {
        shutdown.cancelled().await;
        tokio::time::sleep(grace).await;
    };
    tokio::select! {
        output = work => Ok(output),
        () = limit => Err(CutOff(grace)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn work_may_finish_within_the_grace_period_and_not_after() {
        let shutdown = CancellationToken::new();
        let second = Duration::from_secs(1);
        assert_eq!(within_grace(tokio::time::sleep(100 * second), &shutdown, second).await.ok(), Some(()));
        shutdown.cancel();
        assert!(within_grace(tokio::time::sleep(second / 2), &shutdown, second).await.is_ok());
        assert!(within_grace(tokio::time::sleep(second * 2), &shutdown, second).await.is_err());
    }
}
