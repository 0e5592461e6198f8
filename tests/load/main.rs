//! Compares a miss through the whole fleet with the same extraction in process, page by page in one run.
//!
//! `make bench` runs it on the release build. It ends after a fixed number of pages.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench reports on standard output and fails by panicking"
)]

use limner_fetcher::{ReadPurpose, Reader, ReaderLimits};
use limner_netguard::{Client, EgressOptions, EgressPolicy};
use limner_page::TargetUrl;
use limner_testkit::CannedResponse;
use limner_tests::{Account, Fleet};
use limner_types::Operation;
use limner_types::request::parse;
use std::time::{Duration, Instant};

const PAGES: usize = 300;
const WARM_UP: usize = 30;
/// Latency that the fleet may add to the median call.
const ALLOWED: Duration = Duration::from_millis(10);

fn main() {
    // `cargo test --benches` passes --test: there is nothing to check then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    tokio::runtime::Runtime::new().unwrap().block_on(compare());
}

async fn compare() {
    let fleet = Fleet::start().await;
    let items: String =
        (0..20).map(|n| format!("<p>Some text of paragraph {n}.</p><img src=/i{n}.png alt=i>")).collect();
    let page =
        format!("<!doctype html><title>Small</title><link rel=stylesheet href=/s.css><h1>A small page</h1>{items}");
    fleet.site.fallback(move |_| CannedResponse::html(page.clone()));
    fleet.site.on("/s.css", CannedResponse::css("body{background:url(b.png)} h1{color:#123}"));
    let account = fleet.roomy_account();
    let reader = reader(&fleet);
    let (mut through_fleet, mut in_process) = (Vec::new(), Vec::new());
    for turn in 0..WARM_UP + PAGES {
        let url = format!("http://site.test/page-{turn}");
        let called = call(&fleet, &account, &url).await;
        let extracted = extract(&reader, &format!("{url}-in-process")).await;
        if turn >= WARM_UP {
            through_fleet.push(called);
            in_process.push(extracted);
        }
    }
    report(through_fleet, in_process);
}

fn reader(fleet: &Fleet) -> Reader {
    let policy = EgressPolicy {
        allow: vec!["127.0.0.0/8".parse().unwrap()],
        hosts: [("site.test".to_owned(), fleet.site.address())].into(),
        ..EgressPolicy::default()
    };
    let client = Client::new(EgressOptions { policy, ..EgressOptions::default() }).unwrap();
    Reader::new(client, ReaderLimits::default())
}

async fn call(fleet: &Fleet, account: &Account, url: &str) -> Duration {
    let started = Instant::now();
    let answer = fleet.call("images", &[("url", url)], account).await;
    let took = started.elapsed();
    assert_eq!(answer.usage()["creditsSpent"], 1, "a miss");
    took
}

async fn extract(reader: &Reader, url: &str) -> Duration {
    let request = parse(Operation::Images, &[("url".to_owned(), url.to_owned())]).unwrap().request;
    let started = Instant::now();
    let target = TargetUrl::parse(url, 2_048).unwrap();
    let deadline = Instant::now() + Duration::from_secs(15);
    let page = reader.read(&target, ReadPurpose::Of(Operation::Images), deadline).await.unwrap();
    let extraction = limner_extract::extract(&page, &request).unwrap();
    let took = started.elapsed();
    assert!(!extraction.body.is_empty());
    took
}

fn report(mut through_fleet: Vec<Duration>, mut in_process: Vec<Duration>) {
    let (fleet, own) = (quantile(&mut through_fleet, 0.5), quantile(&mut in_process, 0.5));
    println!("a miss on a small loopback page, {PAGES} pages, one after the other");
    println!("  through the fleet  p50 {fleet:?}  p99 {:?}", quantile(&mut through_fleet, 0.99));
    println!("  in process         p50 {own:?}  p99 {:?}", quantile(&mut in_process, 0.99));
    println!(
        "  the fleet adds     p50 {:?} (at most {ALLOWED:?}); ratio {:.2}",
        fleet.saturating_sub(own),
        fleet.as_secs_f64() / own.as_secs_f64()
    );
}

fn quantile(durations: &mut [Duration], share: f64) -> Duration {
    durations.sort();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a small index"
    )]
    let index = ((durations.len() - 1) as f64 * share).round() as usize;
    durations[index]
}
