//! One account sends what its plan allows at pages that hardly ever answer. Another one's calls are hardly slower.

use super::PAGE;
use limner_testkit::CannedResponse;
use limner_tests::{Account, Client, Fleet, FleetOptions};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Number of hosts with slow pages, so that no limit per host applies.
const HOSTS: usize = 60;
const SLOW: Duration = Duration::from_secs(13);
/// Interval between the noisy account's calls: 600 a minute.
const NOISE: Duration = Duration::from_millis(100);
const CALLS: usize = 40;
/// Below this a difference is the test machine's, not a queue's.
const NOTICEABLE: Duration = Duration::from_millis(150);

async fn call(client: &Client, account: &Account, url: &str) -> (u16, String, Duration) {
    let began = Instant::now();
    let answer = client.call("images", &[("url", url), ("fresh", "true")], account).await;
    (answer.status.as_u16(), answer.code().to_owned(), began.elapsed())
}

/// Returns the 95th percentile of the time of calls one after the other.
async fn p95(client: &Client, account: &Account) -> Duration {
    let mut times = Vec::new();
    for _ in 0..CALLS {
        let (status, code, took) = call(client, account, "http://site.test/quiet").await;
        assert_eq!(status, 200, "{code}");
        times.push(took);
        tokio::time::sleep(NOISE).await;
    }
    times.sort_unstable();
    times[CALLS * 95 / 100 - 1]
}

#[tokio::test]
async fn slow_pages_of_one_account_do_not_delay_another() {
    let hosts: Vec<String> = (0..HOSTS).map(|host| format!("slow{host}.test")).collect();
    let fleet = Fleet::start_with(FleetOptions { hosts, ..FleetOptions::default() }).await;
    fleet.site.on("/quiet", CannedResponse::html(PAGE));
    fleet.site.fallback(|_| CannedResponse::html(PAGE).after(SLOW));
    let (quiet, noisy) = (fleet.account("growth", &[]), fleet.account("scale", &[]));
    call(&fleet, &quiet, "http://site.test/quiet").await;
    let undisturbed = p95(&fleet, &quiet).await;

    let client = Client::clone(&fleet);
    let noise = tokio::spawn({
        let noisy = noisy.clone();
        async move {
            let mut calls = JoinSet::new();
            let mut ticks = tokio::time::interval(NOISE);
            for turn in 0..250 {
                ticks.tick().await;
                let (client, noisy) = (client.clone(), noisy.clone());
                let url = format!("http://slow{}.test/{turn}", turn % HOSTS);
                calls.spawn(async move { call(&client, &noisy, &url).await });
            }
            calls.join_all().await
        }
    });
    // By now it has all the places that it can get.
    tokio::time::sleep(Duration::from_secs(8)).await;
    let disturbed = p95(&fleet, &quiet).await;
    println!("a quiet account's p95: {undisturbed:?} alone, {disturbed:?} beside a noisy one");
    assert!(disturbed <= (undisturbed * 3).max(NOTICEABLE), "{undisturbed:?} alone, {disturbed:?} beside a noisy one");
    for (status, code, took) in noise.await.unwrap() {
        let is_known = matches!((status, code.as_str()), (200, _) | (422, "target_timeout") | (500, "internal_error"));
        assert!(is_known && took < Duration::from_secs(46), "{status} {code} after {took:?}");
    }
}
