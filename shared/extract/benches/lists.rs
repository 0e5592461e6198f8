//! The list operations in MB/s of HTML and CSS, on a page made of what real pages are made of.
//!
//! The goals are 50 MB/s for each, parsing included, and an answer within 20 ms. The last lines say how each stands to them.

#![expect(clippy::print_stdout, reason = "a benchmark's figures are its output")]

mod page;

use criterion::{Criterion, Throughput};
use limner_page::PageSnapshot;
use page::requests;
use std::hint::black_box;
use std::time::{Duration, Instant};

fn speed(criterion: &mut Criterion, page: &PageSnapshot, bytes: usize) {
    let mut group = criterion.benchmark_group("lists");
    group.throughput(Throughput::Bytes(bytes as u64));
    for (operation, request) in requests(page) {
        group.bench_function(operation.to_string(), |bencher| {
            bencher.iter(|| limner_extract::extract(black_box(page), &request));
        });
    }
    group.finish();
}

const RUNS: usize = 31;
const MIN_SPEED: f64 = 50.0;
const MAX_TIME: Duration = Duration::from_millis(20);

/// The middle of some calls' times.
fn median(mut call: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let started = Instant::now();
            call();
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[RUNS / 2]
}

fn report(page: &PageSnapshot, bytes: usize) {
    println!("one page of {bytes} bytes of HTML and CSS");
    for (operation, request) in requests(page) {
        let call = || drop(black_box(limner_extract::extract(black_box(page), &request)));
        let time = median(call);
        let speed = bytes as f64 / 1e6 / time.as_secs_f64();
        println!(
            "{operation}: {speed:.0} MB/s (goal: at least {MIN_SPEED}: {}); p50 {time:?} (goal: at most {MAX_TIME:?}: {})",
            verdict(speed >= MIN_SPEED),
            verdict(time <= MAX_TIME),
        );
    }
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "missed" }
}

fn main() {
    let page = page::page();
    let bytes = page::bytes(&page);
    let mut criterion = Criterion::default().configure_from_args();
    speed(&mut criterion, &page, bytes);
    // `cargo nextest` runs benches too, once, to see that they work.
    if std::env::args().any(|argument| argument == "--bench") {
        report(&page, bytes);
    }
}
