//! Child processes that crash, hang or send garbage. The real child is tested with the binary that contains it.

use crate::page;
use limner_layout::{LayoutUnavailable, ProcessLayout, ProcessLayoutConfig};
use limner_style::Environment;
use limner_style::layout::Layout;
use limner_subprocess::{CallFault, Launch};
use std::time::{Duration, Instant};

fn shell(script: &str, limit: Duration) -> ProcessLayout {
    let launch = Launch::new("/bin/sh", ["-c", script]);
    let config = ProcessLayoutConfig::new(launch);
    ProcessLayout::new(ProcessLayoutConfig { children: 1, processor_time: limit, idle: limit, ..config })
}

/// A child's answer without boxes.
const NONE: &str = r"printf '\001\000\000\000\000'";

#[test]
fn failing_child_only_affects_its_page() {
    let page = page("<p>x");
    for script in [
        "exit 1",
        "kill -9 $$",
        "kill -SEGV $$",
        "cat",
        "printf '\\377\\377\\377\\377'",
        "printf '\\004\\000\\000\\000x'",
        "",
    ] {
        let layout = shell(script, Duration::from_secs(20));
        for _ in 0..3 {
            assert_eq!(layout.boxes(&page, &Environment::default()), None, "{script}");
        }
    }
}

#[test]
fn hanging_child_is_killed_at_its_limit() {
    let limit = Duration::from_millis(300);
    for script in ["sleep 600", "while :; do :; done", "printf '\\004'; sleep 600"] {
        let layout = shell(script, limit);
        let started = Instant::now();
        assert_eq!(layout.boxes(&page("<p>x"), &Environment::default()), None, "{script}");
        assert!(started.elapsed() < Duration::from_secs(20), "{script}: {:?}", started.elapsed());
    }
}

#[test]
fn missing_program_is_reported() {
    let launch = Launch::new("/nowhere/limner", [""; 0]);
    let layout = ProcessLayout::new(ProcessLayoutConfig::new(launch));
    assert_eq!(layout.boxes(&page("<p>x"), &Environment::default()), None);
    let fault = layout.layout_with_budget(&page("<p>x"), &Environment::default(), Duration::MAX).unwrap_err();
    assert!(matches!(fault, LayoutUnavailable::Start(_)), "{fault}");
}

#[test]
fn faults_of_the_page_and_of_the_machine_are_distinguished() {
    let limit = Duration::from_millis(300);
    for (script, of_the_page) in
        [("while :; do :; done", true), ("kill -ABRT $$", true), ("kill -9 $$", false), ("sleep 600", false)]
    {
        let answer = shell(script, limit).layout_with_budget(&page("<p>x"), &Environment::default(), Duration::MAX);
        match answer {
            Ok(laid_out) => assert!(of_the_page && laid_out.boxes.is_none(), "{script}"),
            Err(LayoutUnavailable::ChildLost(CallFault::Killed | CallFault::Idle)) => assert!(!of_the_page, "{script}"),
            Err(other) => panic!("{script}: {other}"),
        }
    }
}

#[test]
fn child_environment_has_no_secrets() {
    // Answers "no boxes" only if the environment contains nothing but the variables that fontconfig reads.
    let script = format!("env | grep -qE '^(PATH|CARGO|LIMNER)' && exit 1; [ \"$PWD\" = / ] && {NONE}; sleep 600");
    let layout = shell(&script, Duration::from_secs(5));
    let started = Instant::now();
    assert_eq!(layout.boxes(&page("<p>x"), &Environment::default()), None);
    assert!(started.elapsed() < Duration::from_secs(5), "the child found an unexpected environment");
}

#[test]
fn callers_beyond_the_children_wait_their_turn() {
    // Answers each page; the next one must wait for the only child.
    let script = format!("while head -c 1 >/dev/null; do sleep 0.1; {NONE}; exit; done");
    let layout = shell(&script, Duration::from_secs(30));
    let page = page("<p>x");
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..4).map(|_| scope.spawn(|| layout.boxes(&page, &Environment::default()))).collect();
        assert!(calls.into_iter().all(|call| call.join().unwrap().is_none()));
    });
}
