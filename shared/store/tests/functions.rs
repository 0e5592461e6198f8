//! The SQL functions of a migrated database against the files in `functions/`.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use limner_local_servers::shared_servers;
use limner_store::{Store, StoreConfig, StoreError};
use std::collections::BTreeMap;

/// Functions by their signatures.
type Definitions = BTreeMap<String, String>;

const DEFINITIONS: &str = "SELECT p.oid::regprocedure::text AS signature, pg_get_functiondef(p.oid) AS definition,
        p.xmin = pg_current_xact_id()::xid AS is_replaced
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND p.prokind <> 'a'";

async fn empty() -> Store {
    let url = shared_servers::postgres().await.fresh_database().await.unwrap();
    Store::connect(StoreConfig { url, ..StoreConfig::default() }).await.unwrap()
}

/// Reads the SQL files of a folder, in the order of their names.
fn sql_files(folder: &str) -> Vec<(String, String)> {
    let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(&folder).unwrap();
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let content = |name: String| (name.clone(), std::fs::read_to_string(format!("{folder}/{name}")).unwrap());
    names.into_iter().map(content).collect()
}

/// The first migration that cannot be applied in a transaction with those before it.
const FIRST_APART: &str = "0024";

/// Creates a database as releases without `functions/` left it.
async fn with_migrations_only() -> Store {
    let store = empty().await;
    let mut client = store.client().await.unwrap();
    let transaction = client.transaction().await.unwrap();
    let table = "CREATE TABLE schema_migration (version integer PRIMARY KEY, name text NOT NULL, md5 text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now())";
    transaction.batch_execute(table).await.unwrap();
    for (name, sql) in sql_files("migrations").into_iter().filter(|(name, _)| name.as_str() < FIRST_APART) {
        transaction.batch_execute(&sql).await.unwrap();
        let note = "INSERT INTO schema_migration (version, name, md5) VALUES ($1, $2, md5($3::text))";
        let version: i32 = name[..4].parse().unwrap();
        transaction.execute(note, &[&version, &name.trim_end_matches(".sql"), &sql]).await.unwrap();
    }
    transaction.commit().await.unwrap();
    store
}

async fn definitions(store: &Store) -> Definitions {
    let rows = store.query(DEFINITIONS, &[]).await.unwrap();
    rows.iter().map(|row| (row.get("signature"), row.get("definition"))).collect()
}

async fn times_applied(store: &Store) -> i64 {
    store.query_one("SELECT count(*) AS times FROM schema_functions", &[]).await.unwrap().get("times")
}

async fn run(store: &Store, sql: &str) {
    store.client().await.unwrap().batch_execute(sql).await.unwrap();
}

#[tokio::test]
async fn migrated_database_has_exactly_the_functions_of_the_folder() {
    let store = empty().await;
    store.migrate().await.unwrap();
    let migrated = definitions(&store).await;
    let mut client = store.client().await.unwrap();
    let transaction = client.transaction().await.unwrap();
    let mut defined = 0;
    for (name, sql) in sql_files("functions") {
        // Here all functions exist, so that PostgreSQL checks the bodies.
        let applied = transaction.batch_execute(&sql).await;
        assert!(applied.is_ok(), "{name}: {applied:?}");
        defined += sql.matches("CREATE OR REPLACE FUNCTION ").count();
    }
    let rows = transaction.query(DEFINITIONS, &[]).await.unwrap();
    let without_file: Vec<String> =
        rows.iter().filter(|row| !row.get::<_, bool>("is_replaced")).map(|row| row.get("signature")).collect();
    assert_eq!(without_file, Vec::<String>::new(), "functions without a file");
    assert_eq!(defined, rows.len(), "a function is defined in two files");
    let of_the_folder: Definitions = rows.iter().map(|row| (row.get("signature"), row.get("definition"))).collect();
    assert_eq!(migrated, of_the_folder);
}

#[tokio::test]
async fn database_with_migrations_only_gets_the_functions() {
    let store = with_migrations_only().await;
    assert!(matches!(store.check_schema().await, Err(StoreError::Behind { .. })));
    let migrated = store.migrate().await.unwrap();
    let missing = sql_files("migrations").iter().filter(|(name, _)| name.as_str() >= FIRST_APART).count();
    assert_eq!((migrated.applied.len(), migrated.functions_applied), (missing, true));
    store.check_schema().await.unwrap();
    let fresh = empty().await;
    fresh.migrate().await.unwrap();
    assert_eq!(definitions(&store).await, definitions(&fresh).await);
}

#[tokio::test]
async fn functions_are_applied_once() {
    let store = empty().await;
    assert!(store.migrate().await.unwrap().functions_applied);
    let before = definitions(&store).await;
    assert!(!store.migrate().await.unwrap().functions_applied);
    assert_eq!((definitions(&store).await, times_applied(&store).await), (before, 1));
}

#[tokio::test]
async fn functions_are_applied_by_one_of_several_processes() {
    let store = with_migrations_only().await;
    let runs = (0..4).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.migrate().await.unwrap().functions_applied })
    });
    let mut applied = 0;
    for run in runs.collect::<Vec<_>>() {
        applied += usize::from(run.await.unwrap());
    }
    assert_eq!((applied, times_applied(&store).await), (1, 1));
}

#[tokio::test]
async fn functions_of_an_earlier_release_are_replaced() {
    let store = empty().await;
    store.migrate().await.unwrap();
    let expected = definitions(&store).await;
    run(&store, "UPDATE schema_functions SET sha256 = '', release = '{0,0,9}'").await;
    run(&store, "CREATE OR REPLACE FUNCTION metering.clock() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'").await;
    assert!(matches!(store.check_schema().await, Err(StoreError::OutdatedFunctions)));
    assert!(store.migrate().await.unwrap().functions_applied);
    store.check_schema().await.unwrap();
    assert_eq!(definitions(&store).await, expected);
}

/// After a roll-back to the previous release the functions stay.
#[tokio::test]
async fn functions_of_a_later_release_are_kept() {
    let store = empty().await;
    store.migrate().await.unwrap();
    run(&store, "UPDATE schema_functions SET sha256 = '', release = '{9999,0,0}'").await;
    store.check_schema().await.unwrap();
    assert!(!store.migrate().await.unwrap().functions_applied);
    assert_eq!(times_applied(&store).await, 1);
}

/// Another build of the same release: pods of both run while one replaces the other.
#[tokio::test]
async fn replaced_functions_leave_the_previous_build_ready() {
    let store = empty().await;
    store.migrate().await.unwrap();
    run(&store, "INSERT INTO schema_functions (sha256, release) SELECT '', release FROM schema_functions").await;
    store.check_schema().await.unwrap();
    assert!(store.migrate().await.unwrap().functions_applied);
}
