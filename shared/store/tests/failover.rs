//! Servers that fall silent or change their roles behind one address, and a connection pooler.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use futures::future::join_all;
use limner_local_servers::{PgBouncer, Postgres};
use limner_store::{Store, StoreConfig, StoreError};
use limner_testkit::TcpProxy;
use std::time::{Duration, Instant};

const CONNECTIONS: usize = 4;
/// Time after which a caller of metering gives up.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum time to the first success once the server can be reached again.
const RECOVERY: Duration = Duration::from_secs(15);

fn store(url: String) -> Store {
    Store::lazy(StoreConfig { url, pool_size: CONNECTIONS, ..StoreConfig::default() }).unwrap()
}

/// Returns a database's URL at another address.
fn moved(url: &str, from: &Postgres, to: &TcpProxy) -> String {
    url.replace(&from.address().to_string(), &to.address().to_string())
}

/// Opens all connections of the pool.
async fn warm(store: &Store) {
    let all = join_all((0..CONNECTIONS).map(|_| store.query("SELECT pg_sleep(0.3)::text", &[]))).await;
    assert!(all.iter().all(Result::is_ok), "{all:?}");
}

/// Calls until a call succeeds, each with a caller's patience, and returns the time it took.
async fn time_to_success(store: &Store, sql: &'static str) -> Duration {
    let began = Instant::now();
    loop {
        match tokio::time::timeout(PATIENCE, store.idempotent(|store| async move { store.query(sql, &[]).await })).await
        {
            Ok(Ok(_)) => return began.elapsed(),
            outcome => assert!(began.elapsed() < RECOVERY, "no recovery in time: {outcome:?}"),
        }
    }
}

#[tokio::test]
async fn connections_that_nobody_answers_are_replaced() {
    let postgres = Postgres::temporary().await.unwrap();
    let proxy = TcpProxy::start(postgres.address());
    let store = store(moved(&postgres.url(), &postgres, &proxy));
    warm(&store).await;
    proxy.silence_existing();
    let took = time_to_success(&store, "SELECT 1").await;
    println!("PostgreSQL, connections that nobody answers, new ones served: first success after {took:?}");
    warm(&store).await;

    proxy.silence();
    for _ in 0..2 * CONNECTIONS {
        let outcome = tokio::time::timeout(PATIENCE, store.ping()).await;
        assert!(!matches!(outcome, Ok(Ok(()))), "{outcome:?}");
    }
    proxy.lead_to(postgres.address());
    let took = time_to_success(&store, "SELECT 1").await;
    println!("PostgreSQL, a black hole that acknowledges: first success {took:?} after its end");
}

#[tokio::test]
async fn statement_without_an_answer_ends_at_the_callers_limit() {
    let postgres = Postgres::temporary().await.unwrap();
    let proxy = TcpProxy::start(postgres.address());
    let url = moved(&postgres.url(), &postgres, &proxy);
    let statement_timeout = Duration::from_millis(500);
    let store = Store::lazy(StoreConfig { url, statement_timeout, ..StoreConfig::default() }).unwrap();
    store.ping().await.unwrap();
    proxy.silence_existing();
    let began = Instant::now();
    let cause = store.ping().await.unwrap_err();
    assert!(matches!(cause, StoreError::Unavailable(_)), "{cause}");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    // The server's own limit holds as well, although it is no start-up parameter.
    let cause = store.query("SELECT pg_sleep(10)::text", &[]).await.unwrap_err();
    assert_eq!(cause.sql_state().map(|state| state.code().to_owned()).as_deref(), Some("57014"), "{cause}");
}

#[tokio::test]
async fn former_primary_that_refuses_writes_is_left() {
    let first = Postgres::temporary().await.unwrap();
    first.execute("\\connect limner\nCREATE TABLE note (at timestamptz)").await.unwrap();
    let second = Postgres::temporary_standby(&first).await.unwrap();
    let proxy = TcpProxy::start(first.address());
    let store = store(moved(&first.url(), &first, &proxy));
    warm(&store).await;

    let refused = Store::connect(StoreConfig { url: second.url(), ..StoreConfig::default() }).await.unwrap_err();
    assert!(refused.is_unavailable(), "a stand-by is no primary: {refused}");

    second.promote().await.unwrap();
    first.execute("ALTER SYSTEM SET default_transaction_read_only = on; SELECT pg_reload_conf()").await.unwrap();
    proxy.lead_to(second.address());
    let write = "INSERT INTO note VALUES (now()) RETURNING at";
    let took = time_to_success(&store, write).await;
    println!("PostgreSQL, a stand-by was promoted and the former primary is read-only: first success after {took:?}");
    assert!(took < RECOVERY, "{took:?}");
}

#[tokio::test]
async fn read_only_server_is_not_ready() {
    let postgres = Postgres::temporary().await.unwrap();
    let store = store(postgres.url());
    store.migrate().await.unwrap();
    store.check_schema().await.unwrap();
    postgres.execute("ALTER SYSTEM SET default_transaction_read_only = on; SELECT pg_reload_conf()").await.unwrap();
    let noticed = async { while store.check_schema().await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(5), noticed).await.expect("read-only is not ready");
    postgres
        .execute("SET default_transaction_read_only = off; ALTER SYSTEM RESET default_transaction_read_only")
        .await
        .unwrap();
    postgres.execute("SELECT pg_reload_conf()").await.unwrap();
    let took = time_to_success(&store, "SELECT 1").await;
    println!("PostgreSQL, read-only for a while: first success {took:?} after its end");
}

#[tokio::test]
async fn transactions_may_reach_different_sessions_of_the_server() {
    let postgres = Postgres::temporary().await.unwrap();
    let pooler = PgBouncer::temporary(&postgres).await.unwrap();
    let url = pooler.url("limner");
    // Two processes, whose names of statements would be the same.
    let stores = [store(url.clone()), store(url)];
    stores[0].migrate().await.unwrap();
    let calls = (0..400).map(|turn| {
        let store = stores[turn % 2].clone();
        async move {
            store.check_schema().await?;
            let row = store
                .query_one("SELECT $1::bigint + 1 AS next, current_setting('timezone') AS zone", &[&(turn as i64)])
                .await?;
            assert_eq!((row.get::<_, i64>("next"), row.get::<_, &str>("zone")), (turn as i64 + 1, "UTC"));
            Ok::<_, StoreError>(())
        }
    });
    let outcomes = join_all(calls).await;
    let failed: Vec<_> = outcomes.iter().filter(|outcome| outcome.is_err()).collect();
    assert!(failed.is_empty(), "{} failed, such as {:?}", failed.len(), failed[0]);
}
