//! Servers that stop and return.

use super::{PAGE, call_until, spent_credits};
use limner_testkit::CannedResponse;
use limner_tests::Cluster;

#[tokio::test]
async fn calls_without_redis_work_uncached() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    cluster.call("images", &[("url", "http://site.test/before")], &account).await.usage();
    cluster.redis.kill();
    for _ in 0..2 {
        let answer = cluster.call("images", &[("url", "http://site.test/without")], &account).await;
        assert_eq!(
            (answer.usage()["creditsSpent"].as_u64(), answer.header("x-cache")),
            (Some(1), "MISS"),
            "{answer:?}"
        );
    }
    assert_eq!(spent_credits(&cluster, &account).await, 3);
    cluster.redis.restart().await.unwrap();
    call_until(&cluster, &account, "again", |answer| answer.status.is_success()).await;
    let url = [("url", "http://site.test/again-0")];
    let mut hit = cluster.call("images", &url, &account).await;
    for _ in 0..50 {
        if hit.header("x-cache") == "HIT" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        hit = cluster.call("images", &url, &account).await;
    }
    assert_eq!(hit.header("x-cache"), "HIT", "the cache is back without a restart");
}

#[tokio::test]
async fn calls_without_nats_are_served_as_hits_and_cost_nothing_as_misses() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    let known = [("url", "http://site.test/known")];
    cluster.call("images", &known, &account).await.usage();
    cluster.nats.kill();
    let hit = cluster.call("images", &known, &account).await;
    assert_eq!((hit.header("x-cache"), hit.usage()["creditsSpent"].as_u64()), ("HIT", Some(0)));
    let miss = cluster.call("images", &[("url", "http://site.test/new")], &account).await;
    miss.assert_error(500, "internal_error");
    // A gateway that starts meanwhile serves hits as well.
    cluster.restart_gateway().await;
    let hit = cluster.call("images", &known, &account).await;
    assert_eq!((hit.header("x-cache"), hit.usage()["creditsSpent"].as_u64()), ("HIT", Some(0)));
    let miss = cluster.call("images", &[("url", "http://site.test/new")], &account).await;
    miss.assert_error(500, "internal_error");
    assert_eq!(spent_credits(&cluster, &account).await, 1);
    cluster.nats.restart().await.unwrap();
    let answer = call_until(&cluster, &account, "again", |answer| answer.status.is_success()).await;
    assert_eq!(answer.usage()["creditsSpent"], 1);
}

#[tokio::test]
async fn calls_without_postgres_are_served_as_hits_and_fail_closed_as_misses() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    let known = [("url", "http://site.test/known")];
    cluster.call("images", &known, &account).await.usage();
    cluster.postgres.kill();
    let hit = cluster.call("images", &known, &account).await;
    assert_eq!((hit.header("x-cache"), hit.usage()["creditsSpent"].as_u64()), ("HIT", Some(0)));
    let miss = cluster.call("images", &[("url", "http://site.test/new")], &account).await;
    miss.assert_error(500, "internal_error");
    assert_eq!(cluster.site.count("/new"), 0, "no page is read without a possible charge");
    cluster.postgres.restart().await.unwrap();
    call_until(&cluster, &account, "again", |answer| answer.status.is_success()).await;
    assert_eq!(spent_credits(&cluster, &account).await, 2);
}

#[tokio::test]
async fn calls_without_metering_are_served_as_hits_and_fail_closed_as_misses() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    let known = [("url", "http://site.test/known")];
    cluster.call("images", &known, &account).await.usage();
    cluster.metering.kill();
    let hit = cluster.call("images", &known, &account).await;
    assert_eq!(hit.header("x-cache"), "HIT");
    cluster.call("images", &[("url", "http://site.test/new")], &account).await.assert_error(500, "internal_error");
    cluster.metering = cluster.start_role("metering");
    call_until(&cluster, &account, "again", |answer| answer.status.is_success()).await;
}
