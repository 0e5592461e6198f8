//! Checks that the database has the schema that a role needs, for its readiness.

use limner_store::{Store, StoreError};
use std::time::Duration;
use tokio::sync::watch;

/// Interval at which the database is checked.
const INTERVAL: Duration = Duration::from_secs(2);
/// Time limit of a check: a connection whose server is gone may never answer.
const LIMIT: Duration = Duration::from_secs(2);

async fn check(store: &Store) -> Result<(), StoreError> {
    let checked = tokio::time::timeout(LIMIT, store.check_schema()).await;
    checked.unwrap_or_else(|_| Err(StoreError::Unavailable("no answer in time".to_owned())))
}

/// Watches whether the database answers and has the schema.
pub(crate) fn watch_present(store: Store) -> watch::Receiver<bool> {
    let (says, ready) = watch::channel(false);
    tokio::spawn(async move {
        loop {
            let is_there = check(&store).await.is_ok();
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
        while let Err(cause) = check(&store).await {
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
