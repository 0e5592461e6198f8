//! Ten minutes of hits and misses at a steady rate: every call is answered, and no role grows.
#![allow(clippy::print_stdout, reason = "a measurement prints its figures")]

use super::PAGE;
use limner_testkit::CannedResponse;
use limner_tests::{Client, Cluster};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Ten times the rates of the other tests with load.
const HITS_PER_SECOND: f64 = 200.0;
const MISSES_PER_SECOND: f64 = 50.0;
const DURATION: Duration = Duration::from_secs(10 * 60);
/// Time until caches and pools have their size.
const WARM_UP: Duration = Duration::from_secs(3 * 60);
const SAMPLE: Duration = Duration::from_secs(10);
/// Growth after the warm-up that is still flat: a tenth, and what an allocator keeps.
const GROWTH: f64 = 1.1;
const SLACK_KIB: f64 = 24.0 * 1024.0;

/// Returns the resident memory of a process in KiB.
fn resident_kib(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[derive(Default)]
struct Tally {
    calls: usize,
    failures: BTreeMap<String, usize>,
    times: Vec<Duration>,
}

/// Calls at a rate, however long the answers take.
async fn call_at(client: Client, key: String, per_second: f64, is_hit: bool) -> Tally {
    let mut running = JoinSet::new();
    let mut ticks = tokio::time::interval(Duration::from_secs_f64(1.0 / per_second));
    let began = Instant::now();
    let mut tally = Tally::default();
    let mut turn = 0_usize;
    let add = |tally: &mut Tally, (outcome, took): (String, Duration)| {
        tally.calls += 1;
        tally.times.push(took);
        if outcome != "200" {
            *tally.failures.entry(outcome).or_default() += 1;
        }
    };
    while began.elapsed() < DURATION {
        ticks.tick().await;
        let url = if is_hit { "http://site.test/known".to_owned() } else { format!("http://site.test/miss-{turn}") };
        let (client, key) = (client.clone(), key.clone());
        running.spawn(async move {
            let asked = Instant::now();
            let outcome = match client.try_call("images", &[("url", &url)], &key).await {
                Ok(answer) if answer.status.is_success() => "200".to_owned(),
                Ok(answer) => format!("{} {}", answer.status.as_u16(), answer.code()),
                Err(cause) => cause.to_string(),
            };
            (outcome, asked.elapsed())
        });
        turn += 1;
        while let Some(ended) = running.try_join_next() {
            add(&mut tally, ended.unwrap());
        }
    }
    while let Some(ended) = running.join_next().await {
        add(&mut tally, ended.unwrap());
    }
    tally.times.sort_unstable();
    tally
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes ten minutes: make soak"]
async fn memory_is_flat_for_ten_minutes() {
    let cluster = Cluster::start_with(2, "[limits]\nper_site = 10_000\n[fetcher]\nper_host = 64\n").await;
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    let account = cluster.roomy_account();
    cluster.call("images", &[("url", "http://site.test/known")], &account).await.usage();
    let mut roles = vec![
        ("gateway", cluster.gateway.id()),
        ("metering", cluster.metering.id()),
        ("extractor", cluster.extractor.id()),
    ];
    roles.extend(cluster.fetchers.iter().map(|fetcher| ("fetcher", fetcher.id())));
    let began = Instant::now();
    let call = |rate, is_hit| tokio::spawn(call_at(Client::clone(&cluster), account.key.clone(), rate, is_hit));
    let (hits, misses) = (call(HITS_PER_SECOND, true), call(MISSES_PER_SECOND, false));
    let mut warm = BTreeMap::new();
    let mut last = BTreeMap::new();
    while began.elapsed() < DURATION {
        tokio::time::sleep(SAMPLE).await;
        for (role, process) in &roles {
            let now = resident_kib(*process);
            let kept = if began.elapsed() < WARM_UP { &mut warm } else { &mut last };
            // The most of the warm-up, and the least of the last minute.
            let is_last_minute = began.elapsed() + Duration::from_secs(60) > DURATION;
            let known = kept.entry((*role, *process)).or_insert(now);
            *known = if is_last_minute {
                known.min(now)
            } else if began.elapsed() < WARM_UP {
                known.max(now)
            } else {
                now
            };
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    for (what, tally) in [("hits", hits.await.unwrap()), ("misses", misses.await.unwrap())] {
        let p99 = tally.times[tally.times.len() * 99 / 100];
        println!("{what}: {:.0}/s, p99 {p99:?}, failures {:?}", tally.calls as f64 / seconds, tally.failures);
        assert!(tally.failures.is_empty(), "{:?}", tally.failures);
    }
    for ((role, process), before) in &warm {
        let after = last[&(*role, *process)];
        println!("{role}: {:.0} MiB warm, {:.0} MiB at the end", before / 1024.0, after / 1024.0);
        assert!(after <= before * GROWTH + SLACK_KIB, "{role} grows: {before} KiB, then {after} KiB");
    }
    cluster.admin(&["ledger", "check"]);
}
