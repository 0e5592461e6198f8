//! The capacity that ten hostile calls a minute of one free account leave to others.
#![allow(clippy::print_stdout, reason = "a measurement prints its figures")]

use super::Target;
use super::pages::PAGES;
use limner_testkit::CannedResponse;
use limner_tests::{Account, ProcessorMeter, process_tree};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Callers that keep the fleet busy, each with an account.
const OTHERS: usize = 6;
const ALONE: Duration = Duration::from_secs(30);
const ATTACKED: Duration = Duration::from_secs(60);
/// Ten a minute.
const PACE: Duration = Duration::from_secs(6);

/// Calls pages of the usual kind, one after the other, until `until`.
async fn work(target: &Target, account: &Account, caller: &str, until: Instant, done: &AtomicUsize) {
    let mut turn = 0;
    while Instant::now() < until {
        let url = format!("http://site.test/usual?{caller}-{turn}");
        let answer = target.fleet.call("code", &[("url", &url)], account).await;
        assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
        done.fetch_add(1, Ordering::Relaxed);
        turn += 1;
    }
}

/// Keeps the fleet busy, and returns the number of calls and the processor time that it used.
async fn measure(
    target: &Target,
    others: &[Account],
    name: &str,
    time: Duration,
    meter: &ProcessorMeter,
) -> (usize, Duration) {
    let (until, done, before) = (Instant::now() + time, AtomicUsize::new(0), meter.used());
    let calls = others.iter().enumerate().map(|(number, account)| {
        let (caller, done) = (format!("{name}{number}"), &done);
        async move { work(target, account, &caller, until, done).await }
    });
    futures::future::join_all(calls).await;
    (done.into_inner(), meter.used().saturating_sub(before))
}

fn usual_page() -> String {
    let cards = (0..60).map(|n| format!("<article class='card c{n}'><h3>Card {n}</h3><p>Words of it</p></article>"));
    let rules = (0..60).map(|n| format!(".c{n}{{color:#{n:03}}}.c{n}:hover{{opacity:.{n}}}"));
    format!(
        "<!doctype html><title>Usual</title><style>.card{{padding:1em;display:grid}}{}</style><main><section><h1>Usual</h1>{}",
        rules.collect::<String>(),
        cards.collect::<String>()
    )
}

/// Counted in processor time, so that it does not depend on what else the machine does: what the others' calls cost
/// without the attack, times the number of those that were answered beside it, of all that the fleet used meanwhile.
#[tokio::test]
#[ignore = "takes two minutes of all processors: make soak"]
async fn ten_hostile_calls_a_minute_leave_nine_tenths_of_the_capacity() {
    let mut target = Target::start("8s", false).await;
    target.fleet.site.on("/usual", CannedResponse::html(usual_page()));
    let root = target.root();
    let others: Vec<Account> = (0..OTHERS).map(|_| target.fleet.roomy_account()).collect();
    let hostile = target.fleet.account("free", &[]);
    let meter = ProcessorMeter::start(root);
    measure(&target, &others, "warm", Duration::from_secs(5), &meter).await;
    let (calls, used) = measure(&target, &others, "alone", ALONE, &meter).await;
    let each = used.as_secs_f64() / calls as f64;
    let attack = async {
        for turn in 0.. {
            tokio::time::sleep(if turn == 0 { Duration::ZERO } else { PACE }).await;
            let (operation, query) = target.attack.call(turn % PAGES.len(), &format!("capacity{turn}"));
            let (client, hostile) = (limner_tests::Client::clone(&target.fleet), hostile.clone());
            tokio::spawn(async move {
                let query: Vec<(&str, &str)> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
                let _ = client.try_call(operation, &query, &hostile.key).await;
            });
        }
    };
    let (beside, all) = tokio::select! {
        () = attack => unreachable!("it goes on for ever"),
        measured = measure(&target, &others, "beside", ATTACKED, &meter) => measured,
    };
    let low: Duration =
        process_tree(root).iter().filter(|process| process.niceness == 19).map(|p| p.processor_time).sum();
    let share = beside as f64 * each / all.as_secs_f64();
    println!(
        "a call of others costs {:.0} ms; {calls} in {ALONE:?} alone, {beside} in {ATTACKED:?} beside the attack",
        each * 1e3
    );
    println!(
        "of {all:?} of the fleet's processor time {share:.3} were for others ({low:?} still at the lowest priority)"
    );
    assert!(share >= 0.9, "{share}");
}
