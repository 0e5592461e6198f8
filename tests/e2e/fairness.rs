//! One account brings slow pages, sixteen at a time; what another one notices of it.
#![allow(clippy::print_stdout, reason = "a measurement prints its figures")]

use limner_testkit::CannedResponse;
use limner_tests::{Account, Fleet, FleetOptions};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Calls of the hostile account at once.
const HOSTILE: usize = 16;
/// Calls of the quiet account, one after the other.
const QUIET: usize = 150;
const PAUSE: Duration = Duration::from_millis(150);

#[tokio::test]
#[ignore = "takes a minute of all processors: make soak"]
async fn quiet_account_hardly_notices_slow_pages_of_another() {
    let extra_config = "[extractor]\nconcurrency = 2\n".to_owned();
    let options = FleetOptions { extra_config, hosts: vec!["slow.test".to_owned()], ..FleetOptions::default() };
    let fleet = Fleet::start_with(options).await;
    let slow = format!("<style>p{{display:grid}}</style>{}", "<section><h2>x</h2><p>y</section>".repeat(60_000));
    fleet.site.fallback(move |request| match request.path.contains("slow") {
        true => CannedResponse::html(slow.clone()),
        false => CannedResponse::html("<h1>A page</h1><img src=/a.png>"),
    });
    let (hostile, quiet) = (fleet.roomy_account(), fleet.roomy_account());
    let before = ask_quietly(&fleet, &quiet, "before").await;
    let turn = AtomicUsize::new(0);
    let attack = futures::future::join_all((0..HOSTILE).map(|_| call_for_ever(&fleet, &hostile, &turn)));
    let under_attack = async {
        // Until its calls are wherever they get to.
        tokio::time::sleep(Duration::from_secs(2)).await;
        ask_quietly(&fleet, &quiet, "under-attack").await
    };
    let under_attack = tokio::select! {
        _ = attack => unreachable!("it goes on for ever"),
        waits = under_attack => waits,
    };
    println!("alone: {}; beside {HOSTILE} slow calls: {}", shown(&before), shown(&under_attack));
    println!("slow calls that were answered meanwhile: {}", turn.load(Ordering::Relaxed).saturating_sub(HOSTILE));
    assert!(percentile(&under_attack, 99) < Duration::from_secs(2), "{under_attack:?}");
}

async fn ask_quietly(fleet: &Fleet, account: &Account, name: &str) -> Vec<Duration> {
    let mut waits = Vec::new();
    for turn in 0..QUIET {
        let url = format!("http://site.test/{name}-{turn}");
        let started = Instant::now();
        let answer = fleet.call("images", &[("url", &url)], account).await;
        waits.push(started.elapsed());
        assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
        tokio::time::sleep(PAUSE).await;
    }
    waits.sort_unstable();
    waits
}

/// Each call is answered within its deadline, whatever the answer.
async fn call_for_ever(fleet: &Fleet, account: &Account, turn: &AtomicUsize) {
    loop {
        let url = format!("http://slow.test/slow-{}", turn.fetch_add(1, Ordering::Relaxed));
        let started = Instant::now();
        let answer = fleet.call("code", &[("url", &url)], account).await;
        assert!(started.elapsed() < Duration::from_secs(46), "{answer:?}");
        println!("slow: {} after {:?}", answer.status, started.elapsed());
    }
}

fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted[(sorted.len() * percent).div_ceil(100) - 1]
}

fn shown(sorted: &[Duration]) -> String {
    format!("p50 {:?}, p99 {:?}", percentile(sorted, 50), percentile(sorted, 99))
}
