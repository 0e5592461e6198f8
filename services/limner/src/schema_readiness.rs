//! Checks that the database has the schema that a role needs, for its readiness.

use limner_store::Store;
use std::time::Duration;
use tokio::sync::watch;

/// Interval at which the database is checked.
const INTERVAL: Duration = Duration::from_secs(2);

/// Watches whether the database answers and has the schema.
pub(crate) fn watch_present(store: Store) -> watch::Receiver<bool> {
    let (says, ready) = watch::channel(false);
    tokio::spawn(async move {
        loop {
            let is_there = store.check_schema().await.is_ok();
            says.send_if_modified(|was_there| std::mem::replace(was_there, is_there) != is_there);
            tokio::select! {
                () = says.closed() => return,
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    });
    ready
}

/// Watches until the database answered with the schema once.
pub(crate) fn watch_once_present(store: Store) -> watch::Receiver<bool> {
    let (says, ready) = watch::channel(false);
    tokio::spawn(async move {
        let mut told = String::new();
        while let Err(cause) = store.check_schema().await {
            let text = cause.to_string();
            if text != told {
                tracing::warn!(error = text, "waiting for the schema");
                told = text;
            }
            tokio::select! {
                () = says.closed() => return,
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
        says.send_replace(true);
        // Followers treat the end of the sender as the loss of the schema.
        says.closed().await;
    });
    ready
}
