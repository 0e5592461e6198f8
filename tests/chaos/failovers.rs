//! Servers that change their roles or fall silent behind one address while calls run. Each test prints the time to the
//! first success, the calls that were lost meanwhile and the charges that differ from what callers were told.
#![allow(clippy::print_stdout, reason = "the table of fail-overs has these figures")]

use super::load::{Load, Told, assert_ledger};
use limner_local_servers::{PgBouncer, Postgres, Redis};
use limner_testkit::TcpProxy;
use limner_tests::{Account, Cluster, ServerProxies};
use std::time::{Duration, Instant};

/// Maximum time until Redis or Postgres is used again.
const REDIS_RECOVERY: Duration = Duration::from_secs(10);
const POSTGRES_RECOVERY: Duration = Duration::from_secs(15);
/// Maximum time until metering says that it is not ready.
const READINESS: Duration = Duration::from_secs(6);

async fn start() -> (Cluster, ServerProxies, Account, Load) {
    let (cluster, proxies) = Cluster::start_behind_proxies(1, "[log]\nformat = \"json\"\n").await;
    let account = cluster.roomy_account();
    let mut load = Load::start(&cluster, &account).await;
    load.wait_for(20, "succeed", Told::is_success).await;
    (cluster, proxies, account, load)
}

fn is_charged(told: &Told) -> bool {
    told.is_success() && told.cache == "MISS"
}

/// Ends the load once calls are well again, checks the ledger, and prints a row of the table in
/// `docs/operations/failovers.md`.
async fn report(
    what: &str,
    (cluster, account, mut load): (&Cluster, &Account, Load),
    (from, limit): (Instant, Duration),
    is_recovered: fn(&Told) -> bool,
) {
    load.wait_for(10, "are well again", is_recovered).await;
    let told = load.stop().await;
    let after = || told.iter().filter(|told| told.at >= from);
    let first = after().find(|told| is_recovered(told)).expect("a call that is well again");
    let lost = after().filter(|told| !told.is_success()).count();
    let again = after().filter(|told| told.known && told.cache == "MISS").count();
    assert_ledger(cluster, account, &told).await;
    cluster.admin(&["ledger", "check"]);
    let took = first.answered - from;
    println!("{what}: first success after {took:.1?}, 0 wrong charges, {lost} calls failed, {again} repeats charged");
    assert!(took < limit, "{what}: {took:?}");
}

#[tokio::test]
async fn roles_of_redis_are_swapped() {
    let (cluster, proxies, account, mut load) = start().await;
    let second = Redis::temporary_replica(&cluster.redis).await.unwrap();
    second.promote().await.unwrap();
    cluster.redis.follow(&second).await.unwrap();
    load.wait_for(4, "succeed without a cache", Told::is_success).await;
    proxies.redis.lead_to(second.address());
    let swapped = Instant::now();
    let is_hit = |told: &Told| told.cache == "HIT";
    load.wait_for(20, "hit the cache again", is_hit).await;
    report("Redis, roles swapped", (&cluster, &account, load), (swapped, REDIS_RECOVERY), is_hit).await;
}

#[tokio::test]
async fn revoked_key_stops_within_a_second_without_redis() {
    let (mut cluster, _proxies, _account, load) = start().await;
    load.stop().await;
    for hangs in [false, true] {
        let account = cluster.roomy_account();
        let url = [("url", "http://site.test/known")];
        cluster.call("images", &url, &account).await.usage();
        if hangs {
            cluster.redis.pause().unwrap()
        } else {
            cluster.redis.kill()
        }
        cluster.call("images", &url, &account).await.usage();
        cluster.admin(&["key", "revoke", &account.key]);
        let revoked = Instant::now();
        while cluster.call("images", &url, &account).await.status != 401 {
            assert!(revoked.elapsed() < Duration::from_secs(1), "the key still works; Redis hangs: {hangs}");
        }
        println!("Redis away (hangs: {hangs}): a revoked key is refused {:.2?} later", revoked.elapsed());
        if hangs { cluster.redis.resume() } else { cluster.redis.restart().await.unwrap() }
    }
}

#[tokio::test]
async fn connections_to_postgres_are_half_open() {
    let (cluster, proxies, account, load) = start().await;
    proxies.postgres.silence_existing();
    let silent = Instant::now();
    let what = "Postgres, half-open connections";
    report(what, (&cluster, &account, load), (silent, POSTGRES_RECOVERY), is_charged).await;
}

#[tokio::test]
async fn postgres_is_behind_a_black_hole() {
    let (cluster, proxies, account, mut load) = start().await;
    proxies.postgres.silence();
    let silent = Instant::now();
    while is_ready(&cluster).await {
        assert!(silent.elapsed() < READINESS, "metering says that it is ready");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("Postgres, black hole: metering is not ready {:.1?} later", silent.elapsed());
    load.wait_for(4, "fail closed", |told| !told.is_success()).await;
    proxies.postgres.lead_to(cluster.postgres.address());
    let back = Instant::now();
    report("Postgres, black hole", (&cluster, &account, load), (back, POSTGRES_RECOVERY), is_charged).await;
    while !is_ready(&cluster).await {
        assert!(back.elapsed() < Duration::from_secs(40), "metering is not ready again");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn stand_by_of_postgres_is_promoted() {
    let (mut cluster, proxies, account, load) = start().await;
    let standby = Postgres::temporary_standby(&cluster.postgres).await.unwrap();
    cluster.postgres.kill();
    let killed = Instant::now();
    standby.promote().await.unwrap();
    proxies.postgres.lead_to(standby.address());
    let what = "Postgres, primary killed, stand-by promoted";
    report(what, (&cluster, &account, load), (killed, POSTGRES_RECOVERY), is_charged).await;
}

/// PgBouncer refuses start-up parameters, as RDS Proxy does, and gives each transaction another connection.
#[tokio::test]
async fn stand_by_of_postgres_is_promoted_behind_a_pooler() {
    let (mut cluster, proxies, account, mut load) = start().await;
    let primary = TcpProxy::start(cluster.postgres.address());
    let pooler = PgBouncer::temporary_before(primary.address(), &cluster.postgres).await.unwrap();
    proxies.postgres.lead_to(pooler.address());
    proxies.postgres.silence_existing();
    load.wait_for(20, "are charged through the pooler", is_charged).await;
    let standby = Postgres::temporary_standby(&cluster.postgres).await.unwrap();
    cluster.postgres.kill();
    let killed = Instant::now();
    standby.promote().await.unwrap();
    primary.lead_to(standby.address());
    let what = "Postgres behind PgBouncer, primary killed, stand-by promoted";
    report(what, (&cluster, &account, load), (killed, POSTGRES_RECOVERY), is_charged).await;
}

#[tokio::test]
async fn former_primary_of_postgres_stays_and_is_read_only() {
    let (cluster, proxies, account, load) = start().await;
    let standby = Postgres::temporary_standby(&cluster.postgres).await.unwrap();
    let read_only = "ALTER SYSTEM SET default_transaction_read_only = on; SELECT pg_reload_conf()";
    cluster.postgres.execute(read_only).await.unwrap();
    standby.promote().await.unwrap();
    proxies.postgres.lead_to(standby.address());
    let swapped = Instant::now();
    let what = "Postgres, former primary read-only, stand-by promoted";
    report(what, (&cluster, &account, load), (swapped, POSTGRES_RECOVERY), is_charged).await;
}

/// Returns true if metering's `/readyz` is a success.
async fn is_ready(cluster: &Cluster) -> bool {
    let log = cluster.log("metering");
    let line = log.lines().find(|line| line.contains("admin server listens")).expect("a line with the address");
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let url = format!("http://{}/readyz", line["admin.address"].as_str().unwrap());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    client.get(url).send().await.unwrap().status().is_success()
}
