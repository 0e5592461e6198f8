//! Calls that the MCP server cancels for clients that cancel.

use crate::support::{Answer, JobScript, Running, TestFleet};
use futures::future::{join, join_all};
use limner_proto::v1;
use limner_types::{ApiKey, ErrorCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

const PATH: &str = "/v1/brand?url=example.com";
const PRICE: u64 = 15;

/// Two gateways; one caller who cancels and one who stays.
struct Stage {
    world: Arc<TestFleet>,
    gateways: [Arc<Running>; 2],
    quitter: ApiKey,
    stayer: ApiKey,
}

impl Stage {
    async fn set() -> Self {
        let world = TestFleet::new().await;
        world.account("quitter", |_| {});
        let (quitter, stayer) = (world.mcp_key("quitter"), world.account("stayer", |_| {}));
        let gateways = [Arc::new(world.gateway(|_| {}).await), Arc::new(world.gateway(|_| {}).await)];
        Self { world, gateways, quitter, stayer }
    }

    /// Starts a call of that name.
    fn call(&self, gateway: usize, key: &ApiKey, path: &str, name: &str) -> JoinHandle<Answer> {
        let gateway = &self.gateways[gateway];
        let request =
            gateway.client.get(gateway.url(path)).bearer_auth(key.expose()).header("limner-cancellation-id", name);
        tokio::spawn(Answer::send(request))
    }

    async fn cancel(&self, gateway: usize, key: &ApiKey, name: &str) -> Answer {
        let gateway = &self.gateways[gateway];
        let path = gateway.url(&format!("/internal/calls/{name}"));
        Answer::send(gateway.client.delete(path).bearer_auth(key.expose())).await
    }

    /// Starts a call of the caller who stays, and waits until it waits for the other's result.
    async fn start_waiting_call(&self, gateway: usize, key: &ApiKey) -> JoinHandle<Answer> {
        let waiting = self.call(gateway, key, PATH, "of-its-own");
        // It has been counted, and is about to wait.
        for asked in 1.. {
            let usage = self.gateways[gateway].get(key, "/v1/usage").await;
            if usage.number("x-ratelimit-limit") - usage.number("x-ratelimit-remaining") > asked {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        waiting
    }

    fn spent_credits(&self) -> (u64, u64) {
        let spent = |id| self.world.metering.account(id).spent_this_month;
        (spent("quitter"), spent("stayer"))
    }
}

fn is_cancelled(answer: &Answer) {
    answer.assert_error(499, ErrorCode::InvalidRequest);
    assert!(!answer.text.contains("images"), "no result: {answer:?}");
}

#[tokio::test]
async fn cancelled_call_releases_its_hold_and_its_result_is_discarded() {
    for (path, told_at) in [(PATH, 0), (PATH, 1), ("/v1/brand?url=example.com&fresh=true", 0)] {
        let stage = Stage::set().await;
        stage.world.fleet.shut();
        let call = stage.call(0, &stage.quitter, path, "a");
        stage.world.fleet.arrival().await;
        assert_eq!(stage.world.metering.open_holds(), 1);
        assert_eq!(stage.cancel(told_at, &stage.quitter, "a").await.status, 204);
        is_cancelled(&call.await.unwrap());
        let released = stage.world.metering.released();
        assert_eq!((stage.world.metering.open_holds(), released[0].code.as_str()), (0, "cancelled"));
        // The result arrives nevertheless. Repeating the call is charged.
        stage.world.fleet.open();
        let again = stage.gateways[0].get(&stage.quitter, PATH).await;
        again.assert_ok("MISS");
        assert_eq!((stage.spent_credits(), stage.world.metering.commits()), ((PRICE, 0), 1));
        stage.gateways[1].get(&stage.stayer, PATH).await.assert_ok("HIT");
    }
}

#[tokio::test]
async fn cancelled_result_is_charged_to_whoever_takes_it() {
    let stage = Stage::set().await;
    stage.world.fleet.shut();
    let call = stage.call(0, &stage.quitter, PATH, "a");
    stage.world.fleet.arrival().await;
    stage.cancel(0, &stage.quitter, "a").await;
    is_cancelled(&call.await.unwrap());
    stage.world.fleet.open();
    // A caller that arrives during the job, or after it, pays.
    stage.gateways[1].get(&stage.stayer, PATH).await.assert_ok("MISS");
    assert_eq!(stage.spent_credits(), (0, PRICE));
    assert_eq!(stage.world.fleet.jobs()[0].cache_key, "", "no worker caches it");
}

#[tokio::test]
async fn followers_of_a_cancelled_call_get_the_result_and_one_pays() {
    for stays_at in [0, 1] {
        let stage = Stage::set().await;
        let also = stage.world.account("also", |_| {});
        stage.world.fleet.shut();
        let call = stage.call(0, &stage.quitter, PATH, "a");
        stage.world.fleet.arrival().await;
        let waiting =
            [stage.start_waiting_call(stays_at, &stage.stayer).await, stage.start_waiting_call(1, &also).await];
        stage.cancel(1, &stage.quitter, "a").await;
        is_cancelled(&call.await.unwrap());
        assert_eq!(stage.world.metering.open_holds(), 0);
        stage.world.fleet.open();
        let mut outcomes = Vec::new();
        for answer in join_all(waiting).await {
            let answer = answer.unwrap();
            assert_eq!(answer.status, 200, "{answer:?}");
            outcomes.push((answer.header("x-cache").to_owned(), answer.usage()["creditsSpent"].as_u64().unwrap()));
        }
        outcomes.sort();
        assert_eq!(outcomes, [("HIT".to_owned(), 0), ("MISS".to_owned(), PRICE)]);
        let spent = stage.spent_credits();
        assert_eq!((spent.0, spent.1 + stage.world.metering.account("also").spent_this_month), (0, PRICE));
        assert_eq!((stage.world.metering.commits(), stage.world.fleet.jobs().len()), (1, 1), "read once");
        stage.gateways[0].get(&stage.quitter, PATH).await.assert_ok("HIT");
    }
}

#[tokio::test]
async fn follower_without_credits_does_not_get_a_cancelled_result() {
    let stage = Stage::set().await;
    let poor = stage.world.account("poor", |account| account.monthly_limit = Some(0));
    stage.world.fleet.shut();
    let call = stage.call(0, &stage.quitter, PATH, "a");
    stage.world.fleet.arrival().await;
    let poor = stage.start_waiting_call(1, &poor).await;
    stage.cancel(0, &stage.quitter, "a").await;
    is_cancelled(&call.await.unwrap());
    let stays = stage.start_waiting_call(1, &stage.stayer).await;
    stage.world.fleet.open();
    let (poor, stays) = (poor.await.unwrap(), stays.await.unwrap());
    assert_eq!(stays.status, 200);
    // It is free once another caller has paid.
    match poor.status {
        200 => poor.assert_ok("HIT"),
        _ => drop(poor.assert_error(429, ErrorCode::QuotaExceeded)),
    }
    assert_eq!((stage.spent_credits(), stage.world.metering.commits()), ((0, PRICE), 1));
}

#[tokio::test]
async fn followers_of_a_cancelled_call_get_its_failure() {
    let stage = Stage::set().await;
    stage.world.fleet.does(JobScript::Fails(v1::Failure::new(ErrorCode::TargetBlocked, "The page refused us.")));
    stage.world.fleet.shut();
    let call = stage.call(0, &stage.quitter, PATH, "a");
    stage.world.fleet.arrival().await;
    let waiting = [stage.start_waiting_call(0, &stage.stayer).await, stage.start_waiting_call(1, &stage.stayer).await];
    stage.cancel(0, &stage.quitter, "a").await;
    is_cancelled(&call.await.unwrap());
    stage.world.fleet.open();
    for answer in join_all(waiting).await {
        answer.unwrap().assert_error(422, ErrorCode::TargetBlocked);
    }
    assert_eq!((stage.world.metering.commits(), stage.world.metering.open_holds()), (0, 0));
}

#[tokio::test]
async fn follower_may_cancel_without_affecting_the_leader() {
    for waits_at in [0, 1] {
        let stage = Stage::set().await;
        stage.world.fleet.shut();
        let leader = stage.call(0, &stage.stayer, PATH, "x");
        stage.world.fleet.arrival().await;
        let waiting = stage.call(waits_at, &stage.quitter, PATH, "a");
        let behind = stage.start_waiting_call(waits_at, &stage.quitter).await;
        stage.cancel(0, &stage.quitter, "a").await;
        is_cancelled(&waiting.await.unwrap());
        stage.world.fleet.open();
        leader.await.unwrap().assert_ok("MISS");
        behind.await.unwrap().assert_ok("HIT");
        assert_eq!((stage.spent_credits(), stage.world.metering.commits()), ((0, PRICE), 1));
    }
}

#[tokio::test]
async fn cancellation_may_arrive_before_or_after_its_call() {
    let stage = Stage::set().await;
    stage.call(0, &stage.quitter, PATH, "a").await.unwrap().assert_ok("MISS");
    assert_eq!(stage.cancel(0, &stage.quitter, "a").await.status, 204);
    assert_eq!(
        (stage.spent_credits(), stage.world.metering.released().len()),
        ((PRICE, 0), 0),
        "a charged call stays charged"
    );
    stage.gateways[1].get(&stage.quitter, PATH).await.assert_ok("HIT");

    let other = "/v1/brand?url=example.com/other";
    stage.cancel(1, &stage.quitter, "b").await;
    is_cancelled(&stage.call(0, &stage.quitter, other, "b").await.unwrap());
    assert_eq!((stage.world.fleet.jobs().len(), stage.world.metering.open_holds()), (1, 0));
    assert_eq!((stage.spent_credits(), stage.world.metering.commits()), ((PRICE, 0), 1));
}

#[tokio::test]
async fn only_keys_of_the_mcp_server_cancel_and_only_calls_of_their_account() {
    let stage = Stage::set().await;
    let (plain, stranger) = (stage.world.account("plain", |_| {}), stage.world.mcp_key("stayer"));
    stage.world.fleet.shut();
    let plains = stage.call(0, &plain, "/v1/brand?url=example.com/plain", "a");
    stage.world.fleet.arrival().await;
    let call = stage.call(0, &stage.quitter, PATH, "a");
    stage.world.fleet.arrival().await;
    stage.cancel(0, &plain, "a").await.assert_error(404, ErrorCode::NotFound);
    assert_eq!(stage.cancel(0, &stranger, "a").await.status, 204, "calls of another account");
    let nobody = stage.gateways[0].client.delete(stage.gateways[0].url("/internal/calls/a"));
    Answer::send(nobody).await.assert_error(401, ErrorCode::InvalidApiKey);
    stage.gateways[0].get(&plain, "/internal/calls/a").await.assert_error(404, ErrorCode::NotFound);
    stage.world.fleet.open();
    plains.await.unwrap().assert_ok("MISS");
    call.await.unwrap().assert_ok("MISS");
    assert_eq!(stage.world.metering.commits(), 2);
}

#[tokio::test]
async fn disconnecting_is_no_cancellation() {
    let stage = Stage::set().await;
    stage.world.fleet.shut();
    let call = stage.call(0, &stage.quitter, PATH, "a");
    stage.world.fleet.arrival().await;
    call.abort();
    let _ = call.await;
    stage.world.fleet.open();
    let waiting = async {
        while stage.world.metering.commits() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), waiting).await.unwrap();
    stage.gateways[1].get(&stage.quitter, PATH).await.assert_ok("HIT");
    assert_eq!(stage.spent_credits(), (PRICE, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn cancellation_at_any_time_leaves_one_charge_or_no_result() {
    let stage = Stage::set().await;
    let (mut charged, mut cancelled) = (0, 0);
    for round in 0..60_u64 {
        let (path, name) = (format!("{PATH}/{round}"), format!("r{round}"));
        let call = stage.call(0, &stage.quitter, &path, &name);
        let waits = stage.call((round % 2) as usize, &stage.stayer, &path, &name);
        tokio::time::sleep(Duration::from_micros(100 * round)).await;
        let (told, call) = join(stage.cancel(((round / 2) % 2) as usize, &stage.quitter, &name), call).await;
        let (call, waits) = (call.unwrap(), waits.await.unwrap());
        assert_eq!((told.status, waits.status), (204, 200), "{waits:?}");
        match call.status {
            200 => charged += call.usage()["creditsSpent"].as_u64().unwrap(),
            _ => {
                is_cancelled(&call);
                cancelled += 1;
            }
        }
        let (quitter, stayer) = stage.spent_credits();
        assert_eq!((quitter, quitter + stayer), (charged, (round + 1) * PRICE), "round {round}");
        stage.gateways[0].get(&stage.quitter, &path).await.assert_ok("HIT");
    }
    assert!(cancelled > 0, "some cancellations were in time");
    assert_eq!((stage.world.metering.commits(), stage.world.metering.open_holds()), (60, 0));
}
