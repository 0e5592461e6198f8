//! Faults of servers that are not outages: lost keys, clocks that step, full disks, a server of two that is down. What
//! callers get is documented in `docs/operations/failovers.md`; no role is restarted.
#![allow(clippy::print_stdout, reason = "the table of faults has these figures")]

use super::load::{Load, Told, assert_ledger, hits_were_served};
use super::{count, ledger};
use limner_local_servers::{Nats, Postgres, Redis};
use limner_tests::{Account, Cluster, ServerUrls, Servers};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

async fn load_on(cluster: &Cluster) -> (Account, Load) {
    let account = cluster.roomy_account();
    let mut load = Load::start(cluster, &account).await;
    load.wait_for(20, "succeed", Told::is_success).await;
    (account, load)
}

fn is_charged(told: &Told) -> bool {
    told.is_success() && told.cache == "MISS"
}

/// Checks that callers were charged what they were told, in whatever month, and that every balance follows from its
/// entries.
async fn assert_charges(cluster: &Cluster, told: &[Told]) {
    // One more for the call that filled the cache.
    let expected = 1 + told.iter().map(|told| i64::try_from(told.credits).unwrap()).sum::<i64>();
    let store = ledger(cluster).await;
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let charged = count(&store, "SELECT coalesce(sum(credits), 0)::bigint FROM metering.usage_call").await;
        let held = count(&store, "SELECT count(*) FROM metering.hold").await;
        if (charged, held) == (expected, 0) {
            break;
        }
        assert!(Instant::now() < until, "told of {expected} credits; {charged} charged, {held} holds");
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    cluster.admin(&["ledger", "check"]);
}

#[tokio::test]
async fn redis_loses_all_keys() {
    let cluster = Cluster::start(1).await;
    let (account, mut load) = load_on(&cluster).await;
    let other = cluster.roomy_account();
    cluster.call("images", &[("url", "http://site.test/known")], &other).await.usage();
    cluster.admin(&["key", "revoke", &other.key]);
    let lost = Instant::now();
    cluster.redis.remove_all_keys().await.unwrap();
    load.wait_for(10, "hit the cache again", |told| told.cache == "HIT").await;
    let refused = cluster.call("images", &[("url", "http://site.test/known")], &other).await;
    refused.assert_error(401, "invalid_api_key");
    let told = load.stop().await;
    let failed: Vec<&Told> = told.iter().filter(|told| !told.is_success()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    let again = told.iter().filter(|told| told.at >= lost && told.known && told.cache == "MISS").count();
    println!("Redis, all keys lost: 0 calls failed, {again} repeats charged");
    assert!((1..=2).contains(&again), "one of the four callers fetches the page for all: {again}");
    assert_ledger(&cluster, &account, &told).await;
}

#[tokio::test]
async fn one_of_two_servers_is_down() {
    let dead = format!("127.0.0.1:{}", limner_local_servers::free_port().unwrap());
    for dead_is_first in [true, false] {
        let servers = Servers::temporary().await;
        let (postgres, nats) = (servers.postgres.address().to_string(), servers.nats.address().to_string());
        let pair = |alive: &str, dead: &str| match dead_is_first {
            true => format!("{dead},{alive}"),
            false => format!("{alive},{dead}"),
        };
        let change = |urls: &mut ServerUrls| {
            urls.postgres = urls.postgres.replace(&postgres, &pair(&postgres, &dead));
            urls.nats = pair(&urls.nats, &urls.nats.replace(&nats, &dead));
        };
        let mut cluster = Cluster::start_on(servers, 1, "", change).await;
        let (account, mut load) = load_on(&cluster).await;
        // The one that remains is found again after a restart as well.
        cluster.nats.restart().await.unwrap();
        cluster.postgres.restart().await.unwrap();
        load.wait_for(10, "are done again", is_charged).await;
        let told = load.stop().await;
        assert_ledger(&cluster, &account, &told).await;
    }
}

#[tokio::test]
async fn clocks_of_postgres_and_redis_step() {
    let (postgres, redis, nats) =
        tokio::join!(Postgres::temporary_with_clock(), Redis::temporary_with_clock(), Nats::temporary());
    let servers = Servers { postgres: postgres.unwrap(), redis: redis.unwrap(), nats: nats.unwrap() };
    let cluster = Cluster::start_on(servers, 1, "", |_| {}).await;
    let (account, mut load) = load_on(&cluster).await;
    for step in [2 * HOUR, -2 * HOUR, 0, 40 * DAY, 0] {
        cluster.postgres.step_clock(step).unwrap();
        let told = count(&ledger(&cluster).await, "SELECT extract(epoch FROM metering.clock())::bigint").await;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        assert!((told - i64::try_from(now).unwrap() - step).abs() < 60, "the clock steps by {step} s");
        load.wait_for(8, "are charged", is_charged).await;
        load.wait_for(8, "hit the cache", |told| told.cache == "HIT").await;
    }
    for step in [2 * DAY, -2 * DAY, 0] {
        cluster.redis.step_clock(step).unwrap();
        load.wait_for(8, "are charged", is_charged).await;
        load.wait_for(8, "hit the cache", |told| told.cache == "HIT").await;
    }
    // Keys are still revoked at once.
    let told = load.stop().await;
    cluster.admin(&["key", "revoke", &account.key]);
    let refused = cluster.call("images", &[("url", "http://site.test/known")], &account).await;
    refused.assert_error(401, "invalid_api_key");
    let failed: Vec<&Told> = told.iter().filter(|told| !told.is_success()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    println!("clocks stepped: 0 of {} calls failed", told.len());
    assert_charges(&cluster, &told).await;
}

#[tokio::test]
async fn disk_of_postgres_is_full() {
    let (postgres, redis, nats) =
        tokio::join!(Postgres::temporary_on_small_disk(200), Redis::temporary(), Nats::temporary());
    let servers = Servers { postgres: postgres.unwrap(), redis: redis.unwrap(), nats: nats.unwrap() };
    let mut cluster = Cluster::start_on(servers, 1, "", |_| {}).await;
    let (account, mut load) = load_on(&cluster).await;
    cluster.postgres.fill_disk().await.unwrap();
    let full = Instant::now();
    load.wait_for(4, "fail closed", |told| told.code == "internal_error").await;
    let freed = Instant::now();
    cluster.postgres.free_disk().await.unwrap();
    // It ends itself if it cannot write its log.
    if !cluster.postgres.is_running() {
        cluster.postgres.restart().await.unwrap();
    }
    load.wait_for(10, "are charged again", is_charged).await;
    let told = load.stop().await;
    let first = told.iter().find(|told| told.at >= freed && is_charged(told)).unwrap();
    println!("Postgres, full disk: first success {:.1?} after there is space", first.answered - freed);
    assert!(first.answered - freed < Duration::from_secs(15));
    hits_were_served(&told, (full, freed));
    assert_ledger(&cluster, &account, &told).await;
    cluster.admin(&["ledger", "check"]);
}

#[tokio::test]
async fn disk_of_nats_is_full() {
    let (postgres, redis, nats) =
        tokio::join!(Postgres::temporary(), Redis::temporary(), Nats::temporary_on_small_disk(16));
    let servers = Servers { postgres: postgres.unwrap(), redis: redis.unwrap(), nats: nats.unwrap() };
    let mut cluster = Cluster::start_on(servers, 1, "", |_| {}).await;
    let (account, mut load) = load_on(&cluster).await;
    cluster.nats.fill_disk().await.unwrap();
    let full = Instant::now();
    load.wait_for(4, "fail", |told| told.code == "internal_error").await;
    let freed = Instant::now();
    cluster.nats.free_disk().await.unwrap();
    // A server that could not write does not answer until it starts again.
    cluster.nats.restart().await.unwrap();
    let back = Instant::now();
    load.wait_for(10, "are done again", is_charged).await;
    let told = load.stop().await;
    let first = told.iter().find(|told| told.answered >= back && is_charged(told)).unwrap();
    println!("NATS, full disk: first success {:.1?} after its restart", first.answered - back);
    assert!(first.answered - back < Duration::from_secs(15));
    hits_were_served(&told, (full, freed));
    assert_ledger(&cluster, &account, &told).await;
}
