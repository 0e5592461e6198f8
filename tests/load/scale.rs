//! Measures the scaling of fetchers and renderers under load: pages in a given time with one, two and four of them, on
//! origins with a latency, which is what workers wait for most.
//!
//! `make bench` runs it on the release build. It ends by itself.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench reports on standard output and fails by panicking"
)]

use limner_testkit::CannedResponse;
use limner_tests::{Account, Client, Replicas};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const PAGE: &str = "<title>Page</title><p>Words to read.</p><img src=/a.png>";
const COUNTS: [usize; 3] = [1, 2, 4];
/// Minimum throughput of four workers relative to one.
const GOAL: f64 = 3.4;

/// A kind of worker, and the latency of its origin.
struct Workers {
    role: &'static str,
    /// Number of pages that one of them reads concurrently.
    slots: usize,
    /// Latency of the origin.
    latency: Duration,
    measured: Duration,
    render: bool,
}

const WORKERS: [Workers; 2] = [
    Workers {
        role: "fetcher",
        slots: 4,
        latency: Duration::from_millis(500),
        measured: Duration::from_secs(10),
        render: false,
    },
    Workers {
        role: "renderer",
        slots: 1,
        latency: Duration::from_secs(3),
        measured: Duration::from_secs(30),
        render: true,
    },
];

fn main() {
    // `cargo test --benches` passes --test: there is nothing to check then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for workers in &WORKERS {
        runtime.block_on(grow(workers));
    }
}

async fn grow(workers: &Workers) {
    let slots = workers.slots.to_string();
    let (concurrency, per_host) = (format!("concurrency = {slots}"), format!("per_host = {slots}"));
    let mut lines = vec![(workers.role, concurrency.as_str())];
    lines.extend((workers.role == "fetcher").then_some((workers.role, per_host.as_str())));
    lines.push(("limits", "per_site = 0"));
    let mut fleet = Replicas::start_with(1, &lines).await;
    let latency = workers.latency;
    fleet.site.fallback(move |_| CannedResponse::html(PAGE).after(latency));
    // The page's subresources are served at once: only the page has latency.
    fleet.site.on("/a.png", CannedResponse::html("").status(404));
    let account = fleet.roomy_account();
    let mut first = None;
    let mut running = 1;
    for count in COUNTS {
        while running < count {
            fleet.add(workers.role).await;
            running += 1;
        }
        let pages = pages_in(&fleet, &account, workers, count).await;
        let ratio = pages as f64 / *first.get_or_insert(pages) as f64;
        println!(
            "{count} x {}: {pages} pages in {:?}, {ratio:.2} times as many as one",
            workers.role, workers.measured
        );
        if count == COUNTS[COUNTS.len() - 1] {
            println!("  goal: at least {GOAL}: {}", if ratio >= GOAL { "met" } else { "missed" });
        }
    }
}

/// Returns the number of pages read while there is always a waiting job.
async fn pages_in(fleet: &Replicas, account: &Account, workers: &Workers, count: usize) -> usize {
    let (stop, measuring, pages) =
        (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
    let mut callers = JoinSet::new();
    for caller in 0..2 * count * workers.slots {
        let (client, account) = (Client::clone(fleet), account.clone());
        let (stop, measuring, pages) = (Arc::clone(&stop), Arc::clone(&measuring), Arc::clone(&pages));
        let render = workers.render.to_string();
        callers.spawn(async move {
            let mut turn = 0_usize;
            while !stop.load(Ordering::SeqCst) {
                let url = format!("http://site.test/{count}-{caller}-{turn}");
                let answer = client.call("images", &[("url", &url), ("render", &render)], &account).await;
                assert!(answer.status.is_success(), "{answer:?}");
                pages.fetch_add(usize::from(measuring.load(Ordering::SeqCst)), Ordering::SeqCst);
                turn += 1;
            }
        });
    }
    // The first pages are read without waiting jobs.
    tokio::time::sleep(workers.latency * 2).await;
    let from = Instant::now();
    measuring.store(true, Ordering::SeqCst);
    tokio::time::sleep_until((from + workers.measured).into()).await;
    measuring.store(false, Ordering::SeqCst);
    stop.store(true, Ordering::SeqCst);
    while callers.join_next().await.transpose().unwrap().is_some() {}
    pages.load(Ordering::SeqCst)
}
