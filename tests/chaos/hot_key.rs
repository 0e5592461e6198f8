//! Cache hits need only Redis; and Redis can be lost.

use super::{PAGE, ledger};
use limner_store::Store;
use limner_testkit::CannedResponse;
use limner_tests::Cluster;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const CACHED_PAGE: [(&str, &str); 1] = [("url", "http://site.test/known")];
const HITS: u32 = 200;

/// Counts the statements of all clients from now on.
async fn count_statements(cluster: &mut Cluster) -> Store {
    let store = ledger(cluster).await;
    let client = store.client().await.unwrap();
    client.batch_execute("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'").await.unwrap();
    cluster.postgres.restart().await.unwrap();
    let store = ledger(cluster).await;
    store.client().await.unwrap().batch_execute("CREATE EXTENSION pg_stat_statements").await.unwrap();
    store
}

/// Returns the statements executed by clients during `work`, with their number.
async fn statements(store: &Store, work: impl AsyncFnOnce()) -> BTreeMap<String, i64> {
    store.query("SELECT pg_stat_statements_reset()", &[]).await.unwrap();
    work().await;
    let rows = store.query("SELECT query, calls FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat%'", &[]);
    rows.await.unwrap().iter().map(|row| (row.get("query"), row.get("calls"))).collect()
}

#[tokio::test]
async fn hit_executes_no_statement() {
    let mut cluster = Cluster::start(1).await;
    let store = count_statements(&mut cluster).await;
    let account = cluster.roomy_account();
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    super::call_until(&cluster, &account, "warm", |answer| answer.status.is_success()).await;
    cluster.call("images", &CACHED_PAGE, &account).await.usage();
    let hit = async || {
        let hit = cluster.call("images", &CACHED_PAGE, &account).await;
        assert_eq!((hit.header("x-cache"), &hit.usage()["creditsSpent"]), ("HIT", &0.into()));
    };
    hit().await;
    // Statements of metering's periodic jobs, and of the history of earlier calls.
    let idle_time = Duration::from_secs(4);
    let idle = statements(&store, async || tokio::time::sleep(idle_time).await).await;
    let started = Instant::now();
    let asked = statements(&store, async || {
        for _ in 0..HITS {
            hit().await;
        }
    })
    .await;
    let share = started.elapsed().as_secs_f64() / idle_time.as_secs_f64();
    for (statement, times) in asked {
        // Hits are recorded in the history in batches, at most two per second.
        let usual = match statement.contains("record_calls") || statement.contains("month_of") {
            true => 2.0 * started.elapsed().as_secs_f64(),
            false => share * idle.get(&statement).copied().unwrap_or_default() as f64,
        };
        assert!((times as f64) < 2.0 * usual + 8.0, "{HITS} hits, and {times} times (idle: {usual:.0}): {statement}");
    }
}

#[tokio::test]
async fn hot_state_is_rebuilt_after_a_loss_of_redis() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.account("developer", &[]);
    cluster.admin(&["pack", "grant", &account.id, "top-up"]);
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    cluster.call("fonts", &CACHED_PAGE, &account).await.usage();
    // Nothing of it is on disk.
    cluster.redis.kill();
    cluster.redis.restart().await.unwrap();
    cluster.restart_gateway().await;
    let miss = cluster.call("images", &CACHED_PAGE, &account).await;
    assert_eq!((miss.header("x-cache"), &miss.usage()["creditsThisMonth"]), ("MISS", &6.into()), "{miss:?}");

    // A gateway without local caches, which can only read from Redis.
    cluster.metering.kill();
    cluster.postgres.kill();
    cluster.restart_gateway().await;
    let hit = cluster.call("images", &CACHED_PAGE, &account).await;
    assert_eq!((hit.header("x-cache"), &hit.usage()["creditsThisMonth"]), ("HIT", &6.into()), "{hit:?}");
    assert_eq!((hit.number("x-quota-limit"), hit.number("x-quota-remaining")), (5_000, 4_994));
    assert_eq!((hit.number("x-ratelimit-limit"), &hit.usage()["remaining"]), (60, &4_994.into()));
}
