//! Sixteen hostile calls at once: others are answered, memory comes back, and the fleet stops when it is told to.
#![allow(clippy::print_stdout, reason = "a measurement prints its figures")]

use super::pages::PAGES;
use super::{CALL, FleetMemory, Target, ask_quietly, assert_known, is_verdict};
use futures::future::join_all;
use std::time::{Duration, Instant};

/// Calls of the hostile account at once.
const HOSTILE: usize = 16;
/// Memory that allocators keep.
const KEPT_BYTES: u64 = 100 << 20;

/// Waits until extraction takes no more memory than before, in no more processes, nor does the process of the roles.
async fn wait_for_memory(root: u32, before: FleetMemory) {
    let started = Instant::now();
    let mut peak = before.roles;
    loop {
        let now = FleetMemory::of(root);
        peak = peak.max(now.roles);
        // A slot that has laid out a page has a process for that.
        let has_ended = now.processes <= before.processes + 2;
        if has_ended && now.extraction <= before.extraction + KEPT_BYTES && now.roles <= before.roles + KEPT_BYTES {
            println!("{before:?}, then {now:?} after {:?}; peak of the roles: {} MB", started.elapsed(), peak >> 20);
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{now:?}; before: {before:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Requests a shutdown in the midst of an attack, and checks that it is not cut off.
async fn assert_stops(target: Target) {
    let Target { mut fleet, attack, .. } = target;
    let client = limner_tests::Client::clone(&fleet);
    let account = client.roomy_account();
    let running: Vec<_> = (0..HOSTILE)
        .map(|turn| {
            let (operation, query) = attack.call(turn % PAGES.len(), &format!("last{turn}"));
            let (client, account) = (client.clone(), account.clone());
            tokio::spawn(async move {
                let query: Vec<(&str, &str)> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
                // Calls that arrive too late have no response.
                let _ = client.try_call(operation, &query, &account.key).await;
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let started = Instant::now();
    let ended = tokio::task::spawn_blocking(move || (fleet.process().terminate(), fleet.log())).await.unwrap();
    println!("ended {:?} after SIGTERM", started.elapsed());
    let (status, log) = ended;
    assert!(status.success(), "{status}: {log}");
    assert!(!log.contains("was cut off"), "{log}");
    assert_eq!(log.matches("panicked").count(), 0, "{log}");
    join_all(running).await;
}

#[tokio::test]
async fn sixteen_hostile_pages_are_answered_beside_a_quiet_caller_and_shutdown_ends_them() {
    let mut target = Target::start("500ms", false).await;
    let (hostile, quiet) = (target.fleet.roomy_account(), target.fleet.roomy_account());
    serve_quiet_pages(&target);
    let root = target.root();
    ask_quietly(&target.fleet, &quiet, "warm", 2, Duration::ZERO).await;
    let before = FleetMemory::of(root);
    let calls = (0..HOSTILE).map(|turn| target.attack_with(turn % PAGES.len(), &hostile, &[]));
    let mut attack = Box::pin(join_all(calls));
    let quiet_calls = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        target.assert_ready().await;
        ask_quietly(&target.fleet, &quiet, "beside", QUIET_AT_ONCE, Duration::ZERO).await;
    };
    tokio::select! {
        _ = &mut attack => panic!("the attack was over before the quiet calls"),
        () = quiet_calls => {}
    }
    let answers = attack.await;
    for (turn, (answer, _)) in answers.iter().enumerate() {
        assert_known(turn % PAGES.len(), answer);
    }
    let refused = answers.iter().filter(|(answer, _)| answer.status.as_u16() == 422).count();
    assert!(refused > 2, "pages beyond their processor time: {refused}");
    target.assert_ready().await;
    wait_for_memory(root, before).await;
    // The verdict on a page is known.
    let extractions = target.extractions().await;
    for (turn, (answer, name)) in answers.iter().enumerate().filter(|(_, (answer, _))| is_verdict(answer)) {
        let again = target.repeat(turn % PAGES.len(), name, &hostile, &[]).await;
        assert_eq!((again.status, again.code()), (answer.status, answer.code()));
    }
    assert_eq!(target.extractions().await, extractions, "no page is read again");
    assert_stops(target).await;
}

/// Calls of the quiet account while sixteen of the other are under way.
const QUIET_AT_ONCE: usize = 4;

fn serve_quiet_pages(target: &Target) {
    // Routes come before what is served otherwise.
    for name in ["warm", "before", "beside"] {
        for turn in 0..QUIET {
            let page = limner_testkit::CannedResponse::html("<h1>A page</h1><img src=/a.png>");
            target.fleet.site.on(&format!("/{name}-{turn}"), page);
        }
    }
}

/// Calls of the quiet account.
const QUIET: usize = 150;

#[tokio::test]
#[ignore = "takes minutes of all processors: make soak"]
async fn quiet_caller_hardly_notices_sixteen_hostile_calls_of_another() {
    let mut target = Target::start("8s", false).await;
    let (hostile, quiet) = (target.fleet.roomy_account(), target.fleet.roomy_account());
    serve_quiet_pages(&target);
    let root = target.root();
    let pause = Duration::from_millis(150);
    let alone = ask_quietly(&target.fleet, &quiet, "before", QUIET, pause).await;
    let level = FleetMemory::of(root);
    let attack = join_all((0..HOSTILE).map(|_| target.attack_for_ever(&hostile)));
    let beside = async {
        // Until its calls are wherever they get to.
        tokio::time::sleep(Duration::from_secs(2)).await;
        let waits = ask_quietly(&target.fleet, &quiet, "beside", QUIET, pause).await;
        target.assert_ready().await;
        waits
    };
    let beside = tokio::select! {
        _ = attack => unreachable!("it goes on for ever"),
        waits = beside => waits,
    };
    println!("alone: {}; beside {HOSTILE} hostile calls: {}", shown(&alone), shown(&beside));
    assert!(percentile(&beside, 99) < Duration::from_secs(2), "{beside:?}");
    wait_for_memory(root, level).await;
    let started = Instant::now();
    assert_stops(target).await;
    assert!(started.elapsed() < CALL + Duration::from_secs(10), "{:?}", started.elapsed());
}

fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted[(sorted.len() * percent).div_ceil(100) - 1]
}

fn shown(sorted: &[Duration]) -> String {
    format!("p50 {:?}, p99 {:?}", percentile(sorted, 50), percentile(sorted, 99))
}
