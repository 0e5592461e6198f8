//! Migrations and the pool against a real server.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use limner_local_servers::{Postgres, shared_servers};
use limner_store::{Store, StoreConfig, StoreError};
use std::time::Duration;

async fn empty() -> Store {
    let url = shared_servers::postgres().await.fresh_database().await.unwrap();
    Store::connect(StoreConfig { url, ..StoreConfig::default() }).await.unwrap()
}

#[tokio::test]
async fn migrating_twice_changes_nothing() {
    let store = empty().await;
    assert!(matches!(store.check_schema().await, Err(StoreError::Behind { found: 0, .. })));
    let first = store.migrate().await.unwrap();
    assert_eq!(first.applied.len(), usize::try_from(first.version).unwrap());
    let second = store.migrate().await.unwrap();
    assert_eq!((second.applied.len(), second.version), (0, first.version));
    store.check_schema().await.unwrap();
}

#[tokio::test]
async fn processes_that_migrate_at_once_wait_for_each_other() {
    let store = empty().await;
    let runs = (0..4).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.migrate().await.unwrap().applied.len() })
    });
    let mut applied = Vec::new();
    for run in runs.collect::<Vec<_>>() {
        applied.push(run.await.unwrap());
    }
    let migrations = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap().count();
    assert_eq!(applied.iter().sum::<usize>(), migrations, "each is applied once: {applied:?}");
}

#[tokio::test]
async fn schemas_of_other_builds_are_refused() {
    let store = empty().await;
    store.migrate().await.unwrap();
    let client = store.client().await.unwrap();
    client.batch_execute("UPDATE schema_migration SET md5 = 'other' WHERE version = 2").await.unwrap();
    assert!(matches!(store.migrate().await, Err(StoreError::Altered { version: 2, .. })));
    client.batch_execute("DELETE FROM schema_migration WHERE version = 2").await.unwrap();
    from_a_later_release(&store).await;
    assert!(matches!(store.migrate().await, Err(StoreError::Foreign { found: 9999, missing: 2 })));
}

async fn from_a_later_release(store: &Store) {
    let client = store.client().await.unwrap();
    let migrated = "INSERT INTO schema_migration (version, name, md5) VALUES (9999, 'future', '')";
    client.batch_execute(migrated).await.unwrap();
}

/// After a roll-back to the previous release the schema stays.
#[tokio::test]
async fn schema_of_a_later_release_is_accepted() {
    let store = empty().await;
    store.migrate().await.unwrap();
    from_a_later_release(&store).await;
    store.check_schema().await.unwrap();
    let migrated = store.migrate().await.unwrap();
    assert_eq!((migrated.applied.len(), migrated.version), (0, 9999));
}

#[tokio::test]
async fn older_schema_is_refused() {
    let store = empty().await;
    let version = store.migrate().await.unwrap().version;
    let client = store.client().await.unwrap();
    client.execute("DELETE FROM schema_migration WHERE version = $1", &[&version]).await.unwrap();
    let older = store.check_schema().await;
    assert!(matches!(older, Err(StoreError::Behind { found, known }) if (found, known) == (version - 1, version)));
}

#[tokio::test]
async fn sessions_use_utc_and_cancel_long_statements() {
    let url = shared_servers::postgres().await.fresh_database().await.unwrap();
    let statement_timeout = Duration::from_millis(50);
    let store = Store::connect(StoreConfig { url, statement_timeout, ..StoreConfig::default() }).await.unwrap();
    let zone: String = store.query_one("SELECT current_setting('timezone') AS zone", &[]).await.unwrap().get("zone");
    assert_eq!(zone, "UTC");
    let cause = store.query("SELECT pg_sleep(30)", &[]).await.unwrap_err();
    assert!(cause.to_string().contains("statement timeout"), "{cause}");
    assert!(!cause.is_connection_lost());
}

#[tokio::test]
async fn missing_database_is_reported_in_time() {
    let mut postgres = Postgres::temporary().await.unwrap();
    let acquire_timeout = Duration::from_millis(500);
    let store = StoreConfig { url: postgres.url(), acquire_timeout, ..StoreConfig::default() };
    let store = Store::connect(store).await.unwrap();
    postgres.stop();
    for _ in 0..3 {
        let cause = store.ping().await.unwrap_err();
        assert!(cause.is_unavailable(), "{cause}");
    }
    postgres.restart().await.unwrap();
    store.ping().await.unwrap();
}

#[tokio::test]
async fn invalid_url_does_not_reveal_its_password() {
    for url in ["postgres://u:hunter2@host:notaport/db", "not an address: hunter2", "", "postgres:///hunter2"] {
        let config = StoreConfig { url: url.to_owned(), ..StoreConfig::default() };
        assert!(!format!("{config:?}").contains("hunter2"));
        let cause = Store::connect(config).await.unwrap_err();
        assert!(matches!(cause, StoreError::InvalidUrl), "{url}: {cause:?}");
        assert!(!format!("{cause} {cause:?}").contains("hunter2"), "{url}");
    }
}
