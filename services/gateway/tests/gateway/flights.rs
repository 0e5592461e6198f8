//! Identical concurrent calls.

use crate::support::{JobScript, TestFleet, start};
use futures::future::join_all;
use limner_proto::v1;
use limner_types::ErrorCode;
use serde_json::json;
use std::time::Duration;

const PATH: &str = "/v1/brand?url=example.com";

#[tokio::test]
async fn two_hundred_identical_calls_on_two_gateways_are_one_job_and_one_charge() {
    let (first, key) = start().await;
    let second = first.world.gateway(|_| {}).await;
    first.world.fleet.shut();
    let calls = join_all((0..200).map(|n| if n % 2 == 0 { first.get(&key, PATH) } else { second.get(&key, PATH) }));
    let open = async {
        first.world.fleet.arrival().await;
        first.world.fleet.open();
    };
    let (answers, ()) = tokio::join!(calls, open);
    let spent = |answer: &crate::support::Answer| answer.usage()["creditsSpent"].as_u64().unwrap();
    let (misses, hits): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.header("x-cache") == "MISS");
    assert_eq!((misses.len(), hits.len()), (1, 199));
    assert_eq!(spent(misses[0]), 15);
    for hit in hits {
        hit.assert_ok("HIT");
        assert_eq!((spent(hit), &hit.usage()["cached"]), (0, &json!(true)));
    }
    assert_eq!(first.world.fleet.jobs().len(), 1);
    assert_eq!((first.world.metering.commits(), first.world.metering.account("a").spent_this_month), (1, 15));
}

#[tokio::test]
async fn followers_get_the_leaders_failure() {
    let (first, key) = start().await;
    let second = first.world.gateway(|_| {}).await;
    let mut failure = v1::Failure::new(ErrorCode::TargetBlocked, "The page refused us.");
    failure.retry_after_seconds = None;
    first.world.fleet.does(JobScript::Fails(failure));
    first.world.fleet.shut();
    let calls = join_all((0..20).map(|n| if n % 2 == 0 { first.get(&key, PATH) } else { second.get(&key, PATH) }));
    let open = async {
        first.world.fleet.arrival().await;
        // All of them have been counted, so all of them are about to wait.
        while first.cache.get_account("a").await.unwrap().is_none() {}
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        first.world.fleet.open();
    };
    let (answers, ()) = tokio::join!(calls, open);
    for answer in &answers {
        assert_eq!(answer.assert_error(422, ErrorCode::TargetBlocked), "The page refused us.");
        assert!(answer.has_header("x-ratelimit-limit"));
    }
    assert_eq!(first.world.fleet.jobs().len(), 1);
    assert_eq!((first.world.metering.commits(), first.world.metering.open_holds()), (0, 0));
    // A failure is not cached.
    first.world.fleet.does(JobScript::Json("{}".to_owned()));
    first.get(&key, PATH).await.assert_ok("MISS");
}

#[tokio::test]
async fn leader_without_credits_does_not_fail_the_others() {
    let world = TestFleet::new().await;
    let (first, second) = (world.gateway(|_| {}).await, world.gateway(|_| {}).await);
    let poor = world.account("poor", |account| account.monthly_limit = Some(0));
    let rich = world.account("rich", |_| {});
    for round in 0..5 {
        let path = format!("{PATH}/{round}");
        let (gateways, keys) = ([&first, &second], [&poor, &rich]);
        let calls = (0..12).map(|n| gateways[n % 2].get(keys[(n / 2) % 2], &path));
        let answers = join_all(calls).await;
        for (n, answer) in answers.iter().enumerate() {
            match (n / 2) % 2 {
                // Without credits the cache is still served, if another call was faster.
                0 if answer.status == 200 => answer.assert_ok("HIT"),
                0 => drop(answer.assert_error(429, ErrorCode::QuotaExceeded)),
                _ => assert_eq!(answer.status, 200, "{answer:?}"),
            }
        }
    }
    assert_eq!(world.fleet.jobs().len(), 5);
    assert_eq!(world.metering.account("rich").spent_this_month, 75);
}

#[tokio::test]
async fn leader_that_times_out_does_not_fail_followers_with_time_left() {
    let world = TestFleet::new().await;
    let hurried = world.gateway(|config| config.call_deadline = Duration::from_millis(500)).await;
    let patient = world.gateway(|_| {}).await;
    let key = world.account("a", |_| {});
    world.fleet.does(JobScript::NeverReplies);
    let follower = async {
        world.fleet.arrival().await;
        world.fleet.does(JobScript::Json("{}".to_owned()));
        patient.get(&key, PATH).await
    };
    let (leader, follower) = tokio::join!(hurried.get(&key, PATH), follower);
    leader.assert_error(500, ErrorCode::InternalError);
    follower.assert_ok("MISS");
    assert_eq!((world.metering.commits(), world.metering.open_holds()), (1, 0));
}

#[tokio::test]
async fn fresh_calls_are_read_and_charged_each() {
    let (gateway, key) = start().await;
    let path = format!("{PATH}&fresh=true");
    let answers = join_all((0..5).map(|_| gateway.get(&key, &path))).await;
    for answer in answers {
        answer.assert_ok("BYPASS");
    }
    assert_eq!((gateway.world.fleet.jobs().len(), gateway.world.metering.commits()), (5, 5));
}

#[tokio::test]
async fn leader_that_panics_does_not_block_followers() {
    let (gateway, key) = start().await;
    gateway.world.fleet.does(JobScript::Panics);
    gateway.world.fleet.shut();
    let calls = join_all((0..3).map(|_| gateway.get(&key, PATH)));
    let open = async {
        gateway.world.fleet.arrival().await;
        gateway.world.fleet.open();
    };
    let (answers, ()) = tokio::join!(calls, open);
    for answer in answers {
        answer.assert_error(500, ErrorCode::InternalError);
    }
    gateway.world.fleet.does(JobScript::Json("{}".to_owned()));
    gateway.get(&key, PATH).await.assert_ok("MISS");
}
