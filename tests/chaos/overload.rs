//! More calls than the workers can do, for minutes: those that are answered are nearly as many as without the others, and
//! no call is told that its target is at fault.
#![allow(clippy::print_stdout, reason = "a measurement prints its figures")]

use super::PAGE;
use limner_testkit::CannedResponse;
use limner_tests::{Account, Client, Cluster};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Latency of the origin, which the workers wait for.
const LATENCY: Duration = Duration::from_millis(500);
/// Pages that the only fetcher reads at once.
const SLOTS: usize = 4;
const ACCOUNTS: usize = 6;
const MEASURED: Duration = Duration::from_secs(20);
const OVERLOADED: Duration = Duration::from_secs(120);
/// Time until the waiting calls are as many as they get.
const SETTLING: Duration = Duration::from_secs(20);
const LOAD: f64 = 3.0;
/// `limits.queue`: a call whose read has not begun by then fails.
const QUEUE_LIMIT: Duration = Duration::from_secs(20);
/// Time for the hold, the queue and the answer on a busy machine.
const MARGIN: Duration = Duration::from_secs(3);
/// Minimum share of the capacity that is answered.
const GOODPUT: f64 = 0.8;

/// Returns pages in a second while twice as many callers as slots wait for their answers.
async fn capacity(cluster: &Cluster, account: &Account) -> f64 {
    let done = Arc::<AtomicUsize>::default();
    let mut callers = JoinSet::new();
    for caller in 0..2 * SLOTS {
        let (client, account, done) = (Client::clone(cluster), account.clone(), Arc::clone(&done));
        callers.spawn(async move {
            for turn in 0.. {
                let url = format!("http://site.test/capacity-{caller}-{turn}");
                let answer = client.call("images", &[("url", &url)], &account).await;
                assert!(answer.status.is_success(), "{answer:?}");
                done.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
    // The first pages have slots for themselves.
    tokio::time::sleep(2 * LATENCY).await;
    let before = done.load(Ordering::SeqCst);
    tokio::time::sleep(MEASURED).await;
    let pages = done.load(Ordering::SeqCst) - before;
    callers.shutdown().await;
    pages as f64 / MEASURED.as_secs_f64()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes: make soak"]
async fn goodput_survives_three_times_the_capacity() {
    let config = format!("[fetcher]\nconcurrency = {SLOTS}\nper_host = {SLOTS}\n[limits]\nper_site = 10_000\n");
    let cluster = Cluster::start_with(1, &config).await;
    cluster.site.fallback(|_| CannedResponse::html(PAGE).after(LATENCY));
    cluster.site.on("/a.png", CannedResponse::html("").status(404));
    let accounts: Vec<Account> = (0..ACCOUNTS).map(|_| cluster.roomy_account()).collect();
    let capacity = capacity(&cluster, &accounts[0]).await;

    let mut calls = JoinSet::new();
    let mut ticks = tokio::time::interval(Duration::from_secs_f64(1.0 / (LOAD * capacity)));
    let began = Instant::now();
    let mut turn = 0;
    while began.elapsed() < SETTLING + OVERLOADED {
        ticks.tick().await;
        let (client, account) = (Client::clone(&cluster), accounts[turn % ACCOUNTS].clone());
        let url = format!("http://site.test/overload-{turn}");
        calls.spawn(async move {
            let asked = Instant::now();
            let answer = client.call("images", &[("url", &url)], &account).await;
            (answer.status.as_u16(), answer.code().to_owned(), asked.elapsed(), Instant::now())
        });
        turn += 1;
    }
    let (from, to) = (began + SETTLING, Instant::now());
    let mut answered = 0;
    let mut failures = std::collections::BTreeMap::<String, usize>::new();
    let (mut longest, mut longest_failure) = (Duration::ZERO, Duration::ZERO);
    for (status, code, took, at) in calls.join_all().await {
        answered += usize::from(status == 200 && (from..to).contains(&at));
        if status != 200 {
            *failures.entry(format!("{status} {code}")).or_default() += 1;
            longest_failure = longest_failure.max(took);
        }
        longest = longest.max(took);
    }
    let goodput = answered as f64 / (to - from).as_secs_f64();
    println!(
        "capacity {capacity:.1}/s; at {LOAD} times that for {OVERLOADED:?}: goodput {goodput:.1}/s, {:.0} % (goal: {:.0} %); \
         failures {failures:?}; longest answer {longest:.1?}, longest failure {longest_failure:.1?}",
        100.0 * goodput / capacity,
        100.0 * GOODPUT
    );
    assert!(goodput >= GOODPUT * capacity, "{goodput} of {capacity}");
    assert!(failures.keys().all(|failure| failure == "500 internal_error"), "{failures:?}");
    assert!(longest < Duration::from_secs(46), "{longest:?}");
    assert!(longest_failure < QUEUE_LIMIT + LATENCY + MARGIN, "{longest_failure:?}");
    cluster.admin(&["ledger", "check"]);
}
