//! The processor time that one hostile call costs the fleet: all its processes, browser and servers included.
#![allow(clippy::print_stdout, reason = "a measurement prints its figures")]

use super::pages::PAGES;
use super::{Target, is_verdict};
use limner_testkit::CannedResponse;
use limner_tests::{Account, Answer, ProcessorMeter};
use std::time::Duration;

/// Most that a static call may cost.
const STATIC: Duration = Duration::from_secs(10);
/// Most that a call with a browser may cost.
const RENDERED: Duration = Duration::from_secs(40);

/// Returns the processor time that a call takes, and its answer.
async fn cost<T>(meter: &ProcessorMeter, call: impl Future<Output = T>) -> (Duration, T) {
    let before = meter.used();
    let answer = call.await;
    // What the fleet still does for it.
    tokio::time::sleep(Duration::from_millis(500)).await;
    (meter.used().saturating_sub(before), answer)
}

fn print(name: &str, cost: Duration, answer: &Answer) {
    println!("{name:40} {:6.2} s  {} {}", cost.as_secs_f64(), answer.status.as_u16(), answer.code());
}

/// Calls every page once and once more. Returns the lines of the calls that cost too much.
async fn costly_pages(target: &mut Target, account: &Account, query: &[(&str, &str)], most: Duration) -> Vec<String> {
    let meter = ProcessorMeter::start(target.root());
    let mut costly = Vec::new();
    for (number, page) in PAGES.iter().enumerate() {
        let (used, (answer, name)) = cost(&meter, target.attack_with(number, account, query)).await;
        print(page.case, used, &answer);
        if used > most {
            costly.push(format!("{}: {used:?}", page.case));
        }
        let extractions = target.extractions().await;
        let again = target.repeat(number, &name, account, query).await;
        assert_eq!((again.status, again.code()), (answer.status, answer.code()), "{}", page.case);
        if is_verdict(&answer) {
            assert_eq!(target.extractions().await, extractions, "{} is read again", page.case);
        }
    }
    costly
}

#[tokio::test]
#[ignore = "takes minutes of a processor: make soak"]
async fn static_hostile_call_costs_at_most_ten_seconds_of_processor_time() {
    let mut target = Target::start("8s", false).await;
    let account = target.fleet.roomy_account();
    let costly = costly_pages(&mut target, &account, &[], STATIC).await;
    assert!(costly.is_empty(), "{costly:#?}");
}

/// Scripts that never end, alone and on many threads. Workers begin only while their page's own thread is free.
const SCRIPTS: &[(&str, &str)] = &[
    ("loop", "while (true) {}"),
    ("timers", "setInterval(() => { const end = Date.now() + 300; while (Date.now() < end); }, 1)"),
    (
        "workers",
        "const work = URL.createObjectURL(new Blob(['while (true) {}'])); \
         for (let i = 0; i < 32; i++) new Worker(work); setTimeout(() => { while (true) {} }, 1000)",
    ),
    (
        "elements",
        "setInterval(() => { for (let i = 0; i < 1000; i++) document.body.append('x', document.createElement('p')) }, 1)",
    ),
    (
        "frames",
        "const f = () => { document.body.style.width = Math.random() * 900 + 'px'; requestAnimationFrame(f) }; f()",
    ),
    (
        "pictures",
        "const c = document.body.appendChild(document.createElement('canvas')); c.width = c.height = 4000; \
         const d = c.getContext('2d'); \
         const f = () => { d.filter = 'blur(40px)'; d.fillRect(0, 0, 4000, 4000); requestAnimationFrame(f) }; f()",
    ),
    (
        "requests",
        "setInterval(() => { for (let i = 0; i < 100; i++) fetch('/nothing?' + Math.random()).catch(() => 0) }, 1)",
    ),
    ("memory", "const all = []; while (true) all.push(new Array(1e5).fill({}).map(() => ({ a: [1.5] })))"),
    ("messages", "onmessage = () => { postMessage(0, '*'); postMessage(0, '*') }; postMessage(0, '*')"),
    ("logs", "setInterval(() => { for (let i = 0; i < 1000; i++) console.log('x'.repeat(1000)) }, 1)"),
    ("navigations", "setInterval(() => history.pushState(0, '', '?' + Math.random()), 0)"),
];

#[tokio::test]
#[ignore = "takes minutes of all processors: make soak"]
async fn rendered_hostile_call_costs_at_most_forty_seconds_of_processor_time() {
    let mut target = Target::start("8s", true).await;
    let account = target.fleet.roomy_account();
    let meter = ProcessorMeter::start(target.root());
    let mut costly = Vec::new();
    for (name, script) in SCRIPTS {
        let page =
            format!("<!doctype html><title>t</title><p>Text that every visitor sees.</p><script>{script}</script>");
        target.fleet.site.on(&format!("/{name}"), CannedResponse::html(page));
        let url = format!("http://hostile.test/{name}");
        let query = [("url", url.as_str()), ("render", "true")];
        let (used, answer) = cost(&meter, target.fleet.call("images", &query, &account)).await;
        print(name, used, &answer);
        if used > RENDERED {
            costly.push(format!("{name}: {used:?}"));
        }
    }
    drop(meter);
    costly.extend(costly_pages(&mut target, &account, &[("render", "true")], RENDERED).await);
    assert!(costly.is_empty(), "{costly:#?}");
}
