//! Failures and outages of parts of the fleet.

use crate::support::{JobScript, TestFleet, sha256, start, start_with};
use futures::future::join_all;
use limner_gateway::Invalidation;
use limner_local_servers::Redis;
use limner_proto::v1;
use limner_types::ErrorCode;
use serde_json::json;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const PATH: &str = "/v1/images?url=example.com";

#[tokio::test]
async fn failures_of_the_fleet_reach_the_caller_with_their_code_and_cost_nothing() {
    let (gateway, key) = start().await;
    for (code, status) in [
        (ErrorCode::TargetBlocked, 422),
        (ErrorCode::TargetTimeout, 422),
        (ErrorCode::TargetError, 422),
        (ErrorCode::TargetUnreachable, 422),
        (ErrorCode::UnprocessableContent, 422),
        (ErrorCode::NotFound, 404),
        (ErrorCode::RenderUnavailable, 503),
        (ErrorCode::InternalError, 500),
    ] {
        let failure = v1::Failure { retry_after_seconds: Some(0), ..v1::Failure::new(code, "Why, and what to do.") };
        gateway.world.fleet.does(JobScript::Fails(failure));
        let answer = gateway.get(&key, PATH).await;
        assert_eq!(answer.assert_error(status, code), "Why, and what to do.");
        assert_eq!(answer.number("retry-after"), 1, "never 0");
        assert!(answer.has_header("x-ratelimit-limit") && !answer.has_header("x-quota-limit"));
        let released = gateway.world.metering.released();
        let last = released.last().unwrap();
        assert_eq!(
            (last.request_id.as_str(), last.code.as_str()),
            (answer.header("x-request-id"), code.to_string().as_str())
        );
    }
    assert_eq!((gateway.world.metering.open_holds(), gateway.world.metering.account("a").spent_this_month), (0, 0));
}

#[tokio::test]
async fn provisional_result_is_cached_before_it_is_charged() {
    let (gateway, key) = start().await;
    let body = r#"{"url":"https://example.com/","images":[],"count":0,"hint":"Retry with render=true."}"#;
    gateway.world.fleet.does(JobScript::Provisional(body.to_owned()));
    let miss = gateway.get(&key, PATH).await;
    assert_eq!((miss.header("x-cache"), &miss.json()["usage"]["creditsSpent"]), ("MISS", &json!(1)));
    assert_eq!(miss.json()["hint"], "Retry with render=true.");
    let hit = gateway.get(&key, PATH).await;
    assert_eq!((hit.header("x-cache"), &hit.json()["usage"]["creditsSpent"]), ("HIT", &json!(0)));
    assert_eq!((hit.json()["hint"].clone(), gateway.world.fleet.jobs().len()), (miss.json()["hint"].clone(), 1));
}

#[tokio::test]
async fn body_of_a_large_result_is_kept_in_the_object_store() {
    let world = TestFleet::with_result_bytes(100).await;
    let key = world.account("a", |_| {});
    // Two gateways: the second one has nothing in its memory.
    let (first, second) = (world.gateway(|_| {}).await, world.gateway(|_| {}).await);
    let large: String = (0..300_u32).map(|number| number.pow(2).to_string()).collect();
    world.fleet.does(JobScript::Json(format!(r#"{{"images":[],"text":"{large}"}}"#)));
    first.get(&key, PATH).await.assert_ok("MISS");
    let results = world.objects.path().join("results");
    let days: Vec<_> = std::fs::read_dir(&results).unwrap().map(|day| day.unwrap().path()).collect();
    assert_eq!((days.len(), std::fs::read_dir(&days[0]).unwrap().count()), (1, 1));
    for gateway in [&first, &second, &second] {
        let hit = gateway.get(&key, PATH).await;
        hit.assert_ok("HIT");
        assert_eq!((&hit.json()["text"], &hit.usage()["creditsSpent"]), (&json!(large), &json!(0)));
    }
    // What the object store has lost is extracted again.
    std::fs::remove_dir_all(&results).unwrap();
    let third = world.gateway(|_| {}).await;
    third.get(&key, PATH).await.assert_ok("MISS");
    third.get(&key, PATH).await.assert_ok("HIT");
    assert_eq!(world.fleet.jobs().len(), 2);
}

#[tokio::test]
async fn selector_without_a_match_lists_the_sections() {
    let (gateway, key) = start().await;
    let section = v1::Section {
        selector: "#hero".to_owned(),
        label: "Hero".to_owned(),
        elements: 3,
        preview: "Welcome".to_owned(),
        role: Some("hero".to_owned()),
    };
    let failure = v1::Failure {
        sections: vec![section],
        ..v1::Failure::new(ErrorCode::NotFound, "`x` matches nothing. Sections: #hero.")
    };
    gateway.world.fleet.does(JobScript::Fails(failure));
    let answer = gateway.get(&key, "/v1/code?url=example.com&selector=x").await;
    answer.assert_error(404, ErrorCode::NotFound);
    let expected = json!([{"selector": "#hero", "label": "Hero", "elements": 3, "preview": "Welcome", "role": "hero"}]);
    assert_eq!(answer.json()["data"]["sections"], expected);
}

#[tokio::test]
async fn calls_without_nats_fail_clearly_and_their_holds_are_freed() {
    let (gateway, key) = start().await;
    gateway.world.fleet.does(JobScript::CannotBeQueued);
    let answer = gateway.get(&key, PATH).await;
    let message = answer.assert_error(500, ErrorCode::InternalError);
    assert!(!answer.text.contains("10.0.0.1"), "the message contains the cause: {message}");
    assert!(answer.number("retry-after") > 0);
    assert_eq!(gateway.world.metering.open_holds(), 0);
}

#[tokio::test]
async fn job_without_a_reply_ends_at_the_deadline() {
    let (gateway, key) = start_with(|config| config.call_deadline = Duration::from_millis(300), |_| {}).await;
    gateway.world.fleet.does(JobScript::NeverReplies);
    let started = Instant::now();
    gateway.get(&key, PATH).await.assert_error(500, ErrorCode::InternalError);
    assert!((Duration::from_millis(300)..Duration::from_secs(5)).contains(&started.elapsed()));
    assert_eq!(gateway.world.metering.open_holds(), 0);
}

#[tokio::test]
async fn calls_without_metering_are_served_as_hits_and_fail_as_misses() {
    let (gateway, key) = start().await;
    let stranger = gateway.world.account("b", |_| {});
    gateway.get(&key, PATH).await.assert_ok("MISS");
    gateway.world.metering.down.store(true, Ordering::SeqCst);
    let hit = gateway.get(&key, PATH).await;
    hit.assert_ok("HIT");
    assert_eq!(hit.usage()["creditsThisMonth"], 1);
    let miss = gateway.get(&key, "/v1/svg?url=example.com").await;
    miss.assert_error(500, ErrorCode::InternalError);
    assert!(miss.number("retry-after") > 0 && miss.has_header("x-ratelimit-limit"));
    gateway.get(&stranger, PATH).await.assert_error(500, ErrorCode::InternalError);
    assert_eq!(gateway.world.fleet.jobs().len(), 1, "no work without a hold");
    gateway.world.metering.down.store(false, Ordering::SeqCst);
    gateway.get(&key, "/v1/svg?url=example.com").await.assert_ok("MISS");
    gateway.get(&stranger, PATH).await.assert_ok("HIT");
}

#[tokio::test]
async fn hits_without_metering_are_served_after_the_key_expired() {
    let (gateway, key) = start_with(|config| config.key_cache_ttl = Duration::from_millis(1), |_| {}).await;
    gateway.get(&key, PATH).await.assert_ok("MISS");
    gateway.world.metering.down.store(true, Ordering::SeqCst);
    // As if the key's lifetime were over.
    gateway.cache.drop_key(sha256(&key)).await.unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
    gateway.get(&key, PATH).await.assert_ok("HIT");
    gateway.get(&key, "/v1/svg?url=example.com").await.assert_error(500, ErrorCode::InternalError);
    // A key whose revocation was announced is not accepted any more.
    gateway.announce(Invalidation::Account { account_id: "a".to_owned(), key_sha256: Some(sha256(&key)) });
    let forgotten = async { while gateway.get(&key, PATH).await.status == 200 {} };
    tokio::time::timeout(Duration::from_secs(10), forgotten).await.expect("forgotten");
    gateway.get(&key, PATH).await.assert_error(500, ErrorCode::InternalError);
}

#[tokio::test]
async fn failed_charge_is_retried_and_the_caller_is_answered() {
    let (gateway, key) = start_with(|config| config.commit_timeout = Duration::from_millis(100), |_| {}).await;
    gateway.world.metering.commits_fail.store(true, Ordering::SeqCst);
    let answer = gateway.get(&key, PATH).await;
    answer.assert_ok("MISS");
    assert_eq!((&answer.usage()["creditsSpent"], &answer.usage()["creditsThisMonth"]), (&json!(1), &json!(1)));
    assert_eq!(gateway.world.metering.commits(), 0);
    gateway.world.metering.commits_fail.store(false, Ordering::SeqCst);
    gateway.shutdown.cancel();
    gateway.ended.await.unwrap();
    assert_eq!(gateway.world.metering.account("a").spent_this_month, 1, "a shutdown settles open holds");
}

#[tokio::test]
async fn late_charge_is_reported_as_projected() {
    let pack = |account: &mut limner_types::AccountState| (account.plan_spent, account.pack_balance) = (5_000, 500);
    let (gateway, key) = start_with(|config| config.commit_timeout = Duration::from_millis(100), pack).await;
    gateway.world.metering.commits_fail.store(true, Ordering::SeqCst);
    let answer = gateway.get(&key, "/v1/brand?url=example.com").await;
    answer.assert_ok("MISS");
    assert_eq!((answer.number("x-pack-credits"), answer.number("x-quota-remaining")), (485, 0));
    assert_eq!((&answer.usage()["packCredits"], &answer.usage()["creditsSpent"]), (&json!(485), &json!(15)));
    gateway.world.metering.commits_fail.store(false, Ordering::SeqCst);
    gateway.shutdown.cancel();
    gateway.ended.await.unwrap();
    assert_eq!(gateway.world.metering.account("a").pack_balance, 485);
}

#[tokio::test]
async fn too_many_concurrent_calls_are_refused_before_a_hold() {
    let (gateway, key) = start_with(|config| config.max_calls_in_flight = 1, |_| {}).await;
    gateway.world.fleet.shut();
    let second = async {
        gateway.world.fleet.arrival().await;
        let answer = gateway.get(&key, "/v1/svg?url=example.com").await;
        gateway.world.fleet.open();
        answer
    };
    let (first, second) = tokio::join!(gateway.get(&key, PATH), second);
    first.assert_ok("MISS");
    second.assert_error(500, ErrorCode::InternalError);
    assert!(second.number("retry-after") > 0);
}

#[tokio::test]
async fn reply_that_is_no_json_object_is_an_internal_error() {
    let (gateway, key) = start().await;
    gateway.world.fleet.does(JobScript::Json("[]".to_owned()));
    gateway.get(&key, PATH).await.assert_error(500, ErrorCode::InternalError);
}

#[tokio::test]
async fn calls_work_without_redis_and_after_its_return() {
    let mut redis = Redis::temporary().await.unwrap();
    let world = TestFleet::with_redis(redis.url());
    let key = world.account("a", |account| account.requests_per_minute = 20);
    let gateway = world.gateway(|_| {}).await;
    gateway.get(&key, PATH).await.assert_ok("MISS");
    gateway.get(&key, PATH).await.assert_ok("HIT");

    redis.kill();
    for n in 0..3 {
        let started = Instant::now();
        let answer = gateway.get(&key, PATH).await;
        answer.assert_ok("MISS");
        assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
        assert_eq!(answer.usage()["creditsThisMonth"], 2 + n);
    }
    // Identical calls are still merged per gateway.
    gateway.world.fleet.shut();
    let calls = join_all((0..8).map(|_| gateway.get(&key, PATH)));
    let open = async {
        for _ in 0..5 {
            gateway.world.fleet.arrival().await;
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        gateway.world.fleet.open();
    };
    let (answers, ()) = tokio::join!(calls, open);
    assert_eq!(answers.iter().filter(|answer| answer.header("x-cache") == "MISS").count(), 1);
    // The rate window still applies: 20, of which 11 are used.
    let answers = join_all((0..20).map(|n| async move { n }).map(|_| gateway.get(&key, "/v1/images"))).await;
    let refused = answers.iter().filter(|answer| answer.status == 429).count();
    assert_eq!(refused, 11, "counted by this gateway only");
    answers.last().unwrap().assert_error(429, ErrorCode::RateLimited);

    redis.restart().await.unwrap();
    let back = async {
        while gateway.get(&key, PATH).await.header("x-cache") != "HIT" {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), back).await.expect("the gateway reconnects");
}
