//! A thousand visits, one in ten to a hostile page, while browsers and pages are killed.

use crate::hostile::{Expected, check_outcome, hostile_pages, hurried, page};
use crate::support::{Kit, descendants, eventually};
use futures::StreamExt;
use limner_renderer::VisitError;
use limner_types::ErrorCode;
use std::sync::atomic::{AtomicUsize, Ordering};

const VISITS: usize = 1_000;
/// Environment variable with another number of visits.
const FEWER: &str = "LIMNER_SOAK_VISITS";
const CONCURRENCY: usize = 4;
/// Number of visits after which a browser or its pages are attacked.
const HARMED_AFTER: usize = 50;
/// Expected errors of a hostile page.
const DOCUMENTED: [ErrorCode; 3] =
    [ErrorCode::TargetTimeout, ErrorCode::UnprocessableContent, ErrorCode::RenderUnavailable];
/// Expected errors of a good page whose process is killed or hangs.
const HARMED: [ErrorCode; 2] = [ErrorCode::UnprocessableContent, ErrorCode::TargetTimeout];
/// Tolerated variation of this process's memory.
const SLACK: u64 = 64 << 20;

/// Returns the resident memory of this process.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// Kills a browser, kills its pages, crashes them, or lets them hang, in turn.
fn harm(kit: &Kit, turn: usize) {
    match turn % 4 {
        0 => kit.kill_browser(),
        1 => kit.kill_page_processes(),
        2 => kit.signal_page_processes("-SEGV"),
        _ => kit.signal_page_processes("-STOP"),
    }
}

#[tokio::test]
#[ignore = "takes ten minutes: make soak"]
async fn thousand_visits_leave_nothing_behind() {
    let total = std::env::var(FEWER).map_or(VISITS, |number| number.parse().unwrap());
    let kit = hurried().await;
    let hostile = hostile_pages(&kit.site);
    kit.site.fallback(|request| page(&format!("<p>This is {}.</p>", request.path)));
    let harmed = AtomicUsize::new(0);
    let mut early = 0;
    let visits = futures::stream::iter(0..total).map(|n| Box::pin(visit(&kit, &hostile, n, &harmed)));
    let mut visits = visits.buffer_unordered(CONCURRENCY).enumerate();
    while let Some((done, ())) = visits.next().await {
        if (done + 1).is_multiple_of(HARMED_AFTER) {
            harm(&kit, done / HARMED_AFTER);
        }
        if done == total / 5 {
            early = resident();
        }
    }
    drop(visits);
    let harmed = harmed.into_inner();
    assert!(harmed <= total / HARMED_AFTER * CONCURRENCY, "{harmed} visits ended with a killed process");
    assert!(resident() < early + SLACK, "{} bytes after {early} bytes", resident());
    assert_eq!(kit.browsers.open_pages().await, Some(0), "every context is closed");
    eventually(async || kit.profiles_in_use() == 1, "profiles of dead browsers are removed").await;
    assert_eq!(kit.browser_processes().len(), 1, "one browser is left: {:#?}", kit.processes());
    let is_stopped = |stat: &String| stat.contains(") T ");
    let Kit { browsers, profiles, .. } = kit;
    let stopped = async || !descendants(profiles.path()).iter().any(is_stopped);
    eventually(stopped, "pages that hung are ended with their contexts").await;
    drop(browsers);
    let folder = profiles.path().join("profiles");
    eventually(async || std::fs::read_dir(&folder).unwrap().next().is_none(), "no profile is left").await;
    eventually(async || descendants(profiles.path()).is_empty(), "no process is left").await;
}

/// One visit to a hostile or a good page; its outcome must be the right result or an expected error.
async fn visit(kit: &Kit, hostile: &[(&'static str, Expected)], n: usize, harmed: &AtomicUsize) {
    let bad = (n % 10 == 9).then(|| &hostile[n / 10 % hostile.len()]);
    let path = bad.map_or_else(|| format!("/good/{n}"), |(path, _)| (*path).to_owned());
    match (kit.visit(&path).await, bad) {
        // Crashed by this test, or by the page itself.
        (Err(VisitError::Crashed), Some(_)) => {}
        // A page that is visited again because this test killed its browser has less than its time.
        (Err(VisitError::Waited), _) => {
            harmed.fetch_add(1, Ordering::Relaxed);
        }
        (Err(fault), None) if HARMED.contains(&fault.code()) => {
            harmed.fetch_add(1, Ordering::Relaxed);
        }
        // Four at once while processes are killed: which of the expected errors occurs depends on the timing.
        (Err(fault), Some((path, _))) => assert!(DOCUMENTED.contains(&fault.code()), "{path}: {fault}"),
        (outcome, Some((path, expected))) => check_outcome(path, expected, outcome),
        (outcome, None) => assert!(outcome.unwrap().html.contains(&format!("This is {path}.")), "{path}"),
    }
}
