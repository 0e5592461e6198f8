//! Fair queueing by account.

use crate::support::{JobScript, Running, start_with};
use futures::future::{join, join_all};
use limner_gateway::{PlaceLimits, Places};
use limner_proto::v1;
use limner_types::{ApiKey, ErrorCode, Plan};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Starts a gateway on which an account has two places.
async fn start_with_two_places(static_wait: Duration) -> (Running, ApiKey) {
    let by_plan = HashMap::from([(Plan::Developer, Places { static_reads: 2, browser_reads: 1 })]);
    let places = PlaceLimits { by_plan, static_wait, ..PlaceLimits::default() };
    start_with(|config| config.places = places, |_| {}).await
}

fn page(name: &str) -> String {
    format!("/v1/images?url=example.com/{name}")
}

#[tokio::test]
async fn calls_beyond_an_accounts_places_wait_behind_its_own_calls() {
    let (gateway, busy) = start_with_two_places(Duration::from_secs(20)).await;
    let (quiet, fleet) = (gateway.world.account("b", |_| {}), &gateway.world.fleet);
    let other = gateway.world.gateway(|_| {}).await;
    fleet.shut();
    let pages = ["1", "2", "3", "4", "5"].map(page);
    let flood = join_all(pages.iter().map(|path| gateway.get(&busy, path)));
    let watch = async {
        fleet.arrival().await;
        fleet.arrival().await;
        let path = page("quiet");
        let call = join(other.get(&quiet, &path), async {
            fleet.arrival().await;
            assert_eq!(fleet.jobs().len(), 3, "two of the busy account, and the other account's call");
            assert_eq!(gateway.world.metering.open_holds(), 3, "a waiting call reserves no credits");
            fleet.open();
        });
        call.await.0.assert_ok("MISS");
    };
    for answer in join(flood, watch).await.0 {
        answer.assert_ok("MISS");
    }
    assert_eq!(gateway.world.metering.commits(), 6);
}

#[tokio::test]
async fn browser_reads_have_places_of_their_own() {
    let (gateway, busy) = start_with_two_places(Duration::from_secs(20)).await;
    let fleet = &gateway.world.fleet;
    fleet.shut();
    let rendered = ["1", "2"].map(|name| format!("{}&render=true", page(name)));
    let rendered = join_all(rendered.iter().map(|path| gateway.get(&busy, path)));
    let watch = async {
        fleet.arrival().await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(fleet.jobs().len(), 1, "the account has one place in browsers");
        let pages = ["3", "4"].map(page);
        let open = async {
            fleet.arrival().await;
            fleet.arrival().await;
            assert_eq!(fleet.jobs().len(), 3, "both static places are free beside it");
            fleet.open();
        };
        join(join_all(pages.iter().map(|path| gateway.get(&busy, path))), open).await.0
    };
    let (rendered, read) = join(rendered, watch).await;
    for answer in rendered.iter().chain(&read) {
        answer.assert_ok("MISS");
    }
    assert_eq!(fleet.jobs().len(), 4);
}

#[tokio::test]
async fn call_that_cannot_start_in_time_fails_soon_and_costs_nothing() {
    let (gateway, busy) = start_with_two_places(Duration::from_millis(300)).await;
    let fleet = &gateway.world.fleet;
    fleet.shut();
    let pages = ["1", "2"].map(page);
    let flood = join_all(pages.iter().map(|path| gateway.get(&busy, path)));
    let late = async {
        fleet.arrival().await;
        fleet.arrival().await;
        let began = Instant::now();
        let late = gateway.get(&busy, &page("late")).await;
        late.assert_error(500, ErrorCode::InternalError);
        assert!(late.number("retry-after") > 0 && began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        fleet.open();
    };
    join(flood, late).await;
    assert_eq!((fleet.jobs().len(), gateway.world.metering.commits()), (2, 2));
    // The places are returned.
    gateway.get(&busy, &page("next")).await.assert_ok("MISS");
}

#[tokio::test]
async fn call_that_waits_for_its_place_does_not_hold_up_identical_calls_of_others() {
    let (gateway, busy) = start_with_two_places(Duration::from_secs(20)).await;
    let (quiet, fleet) = (gateway.world.account("b", |_| {}), &gateway.world.fleet);
    fleet.shut();
    let (pages, both) = (["1", "2"].map(page), page("both"));
    let flood = join_all(pages.iter().map(|path| gateway.get(&busy, path)));
    let watch = async {
        fleet.arrival().await;
        fleet.arrival().await;
        let waiting = gateway.get(&busy, &both);
        let other = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            gateway.get(&quiet, &both).await
        };
        let open = async {
            fleet.arrival().await;
            fleet.open();
        };
        let (waiting, (other, ())) = join(waiting, join(other, open)).await;
        other.assert_ok("MISS");
        waiting.assert_ok("HIT");
    };
    join(flood, watch).await;
    assert_eq!(fleet.jobs().len(), 3);
}

#[tokio::test]
async fn account_whose_calls_fail_has_half_its_places_for_a_while() {
    let by_plan = HashMap::from([(Plan::Developer, Places { static_reads: 2, browser_reads: 1 })]);
    let places = PlaceLimits { by_plan, failure_budget: Duration::from_millis(1), ..PlaceLimits::default() };
    let (gateway, key) = start_with(|config| config.places = places, |_| {}).await;
    let fleet = &gateway.world.fleet;
    fleet.does(JobScript::Fails(v1::Failure::new(ErrorCode::TargetError, "The page is not there.")));
    fleet.shut();
    let dead = page("dead");
    let fail = join(gateway.get(&key, &dead), async {
        fleet.arrival().await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        fleet.open();
    });
    assert!(fail.await.0.status >= 400);
    fleet.does(JobScript::Json(r#"{"url":"https://example.com/","images":[],"count":0}"#.to_owned()));
    let before = fleet.jobs().len();
    fleet.shut();
    let pages = ["1", "2"].map(page);
    let calls = join_all(pages.iter().map(|path| gateway.get(&key, path)));
    let watch = async {
        fleet.arrival().await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(fleet.jobs().len(), before + 1, "one place of two");
        fleet.open();
    };
    for answer in join(calls, watch).await.0 {
        answer.assert_ok("MISS");
    }
}
