//! Compares a cache hit with a bare axum handler that GETs the same bytes from the same Redis through fred and sends
//! them, and with that handler with everything that the API specifies for a hit: same result, same load, same run, in
//! alternation.
//!
//! The last lines print throughput and p99 as ratios. With Valgrind, a table says what each specified part costs, in
//! instructions, system calls and bytes; `LIMNER_COST=write` puts it into `docs/performance.md`. `hit count` prints the
//! table only. `cargo test` only checks that the benchmark still runs.

#![expect(clippy::print_stdout, reason = "a benchmark's figures are its output")]
#![expect(clippy::unwrap_used, reason = "a benchmark that can't go on fails")]

mod count;
mod gateway;
mod load;
mod specified;

use criterion::{Criterion, Throughput};
use limner_local_servers::Redis;
use load::{LoadTarget, load};
use specified::Part;
use std::sync::Mutex;
use std::time::Duration;
use tokio::runtime::Runtime;

fn p99(latencies: &Mutex<Vec<Duration>>) -> Duration {
    let mut latencies = latencies.lock().unwrap();
    latencies.sort_unstable();
    latencies[latencies.len() * 99 / 100]
}

/// Number of requests in one turn of the comparison.
const TURN: u64 = 4_000;
const TURNS: usize = 8;

/// Loads all in alternation, so that other activity of the machine affects all.
async fn compare(bare: &LoadTarget, specified: &LoadTarget, gateway: &LoadTarget) {
    let targets = [bare, specified, gateway];
    let latencies: [Mutex<Vec<Duration>>; 3] = Default::default();
    let mut times = [Duration::ZERO; 3];
    for _ in 0..TURNS {
        for ((target, latencies), time) in targets.into_iter().zip(&latencies).zip(&mut times) {
            *time += load(target, TURN, latencies).await;
        }
    }
    let [bare, specified, gateway] = times.map(|time| time.as_secs_f64());
    let [bare_p99, specified_p99, gateway_p99] = latencies.map(|latencies| p99(&latencies));
    for (other, took, longest) in
        [("a bare handler", bare, bare_p99), ("one with all that is specified", specified, specified_p99)]
    {
        let ratio = gateway_p99.as_secs_f64() / longest.as_secs_f64();
        println!("cache hit, throughput against {other}: {:.2}", took / gateway);
        println!("cache hit, p99 against {other}: {ratio:.2} ({gateway_p99:?} to {longest:?})");
    }
}

fn bench() {
    let runtime = Runtime::new().unwrap();
    let (_redis, bare, specified, gateway) = runtime.block_on(async {
        let redis = Redis::temporary().await.unwrap();
        let gateway = gateway::start(&redis.url()).await;
        let bare = specified::start(&redis.url(), Part::Bare).await;
        let specified = specified::start(&redis.url(), Part::Metrics).await;
        (redis, bare, specified, gateway)
    });
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("cache hit");
    group.throughput(Throughput::Elements(1)).sample_size(20);
    for (name, target) in [("bare axum and fred", &bare), ("all that is specified", &specified), ("gateway", &gateway)]
    {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|requests| runtime.block_on(load(target, requests, &Mutex::default())));
        });
    }
    group.finish();
    if std::env::args().any(|argument| argument == "--bench") {
        runtime.block_on(compare(&bare, &specified, &gateway));
        count::print();
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let single = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve", name, redis] => single().block_on(count::serve(name, redis)),
        ["drive", address, authorization, requests] => {
            single().block_on(count::drive(address, authorization, requests));
        }
        ["count", ..] => count::print(),
        _ => bench(),
    }
}
