//! Hostile pages, and browsers that die: every visit ends with a result or an error, and leaves nothing behind.

use crate::support::{Kit, TIMEOUT, descendants, eventually};
use futures::future::join_all;
use limner_page::PageSnapshot;
use limner_renderer::{VisitError, VisitLimits};
use limner_testkit::{CannedResponse, OriginServer};
use limner_types::ErrorCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Returns a kit with short visits, so that hangs end within the test.
pub(crate) async fn hurried() -> Kit {
    Kit::start_with(|config| {
        config.limits.visit = Duration::from_secs(14);
        config.limits.reading = Duration::from_secs(7);
        config.limits.stable_within = Duration::from_secs(2);
        config.extra_flags.push("--js-flags=--max-old-space-size=96".to_owned());
    })
    .await
}

/// The expected outcome of a page: content to be found in it, or an error.
pub(crate) enum Expected {
    Holds(&'static str),
    Fails(&'static [ErrorCode]),
    /// Depending on the browser's build the page survives or crashes; both affect only this page.
    HoldsOrCrashes(&'static str),
}

use Expected::{Fails, Holds, HoldsOrCrashes};

pub(crate) fn page(body: &str) -> CannedResponse {
    CannedResponse::html(format!("<!DOCTYPE html><title>t</title><p>Text that every visitor sees.</p>{body}"))
}

/// Serves the hostile pages on a site, and returns the expected outcome of each.
pub(crate) fn hostile_pages(site: &OriginServer) -> Vec<(&'static str, Expected)> {
    site.on("/loop", page("<script>while (true) {}</script>"));
    site.on(
        "/loops",
        page("<script>setInterval(() => { const end = Date.now() + 300; while (Date.now() < end); }, 1)</script>"),
    );
    site.on("/alerts", page("<script>while (true) { alert(1); confirm(2); prompt(3); }</script>"));
    site.on("/leave", page("<script>onbeforeunload = e => { e.preventDefault(); while (true) {} }</script>"));
    site.on(
        "/popups",
        page(
            "<a id=a href=/loop target=_blank>a</a><script>for (let i = 0; i < 1000; i++) { open('/loop'); a.click(); }\
             document.body.append('opened')</script>",
        ),
    );
    site.on("/huge", page("<script>for (let i = 0; i < 50; i++) document.body.append('x'.repeat(1 << 20))</script>"));
    site.on("/deep", page("<script>let e = document.body; for (let i = 0; i < 20000; i++) e = e.appendChild(document.createElement('b'))</script>"));
    site.on(
        "/memory",
        page(
            "<script>const all = []; while (true) all.push(new Array(1e5).fill({}).map(() => ({ a: [1.5] })))</script>",
        ),
    );
    site.on("/reload", page("<script>setTimeout(() => location.reload(), 50)</script>"));
    site.on("/silent", CannedResponse::silent());
    site.on(
        "/stalled",
        CannedResponse::stalled("text/html", "<!DOCTYPE html><title>t</title><p>The first words of a page."),
    );
    site.on("/endless", CannedResponse::endless("text/html", "<p>more and more and more of it</p>".repeat(400)));
    site.on("/tampered", page("<script>Element.prototype.getHTML = () => 'forged'; Array.from = () => ['forged']; JSON.stringify = () => 'forged'; document.querySelectorAll = null; MutationObserver = null</script>"));
    site.on("/requests", page("<script>for (let i = 0; i < 5000; i++) fetch('/nothing?' + i).catch(() => 0)</script>"));
    site.on("/worker", page("<script>new Worker(URL.createObjectURL(new Blob(['while (true) {}'])))</script>"));
    vec![
        ("/loop", Holds("every visitor")),
        ("/loops", Holds("every visitor")),
        ("/alerts", Holds("every visitor")),
        ("/leave", Holds("every visitor")),
        ("/popups", Holds("opened")),
        ("/huge", Fails(&[ErrorCode::UnprocessableContent])),
        ("/deep", HoldsOrCrashes("every visitor")),
        ("/memory", Fails(&[ErrorCode::UnprocessableContent])),
        ("/reload", Holds("every visitor")),
        ("/silent", Fails(&[ErrorCode::TargetTimeout])),
        ("/stalled", Holds("first words")),
        ("/endless", Fails(&[ErrorCode::UnprocessableContent, ErrorCode::TargetTimeout])),
        ("/tampered", Holds("every visitor")),
        ("/requests", Holds("every visitor")),
        ("/worker", Holds("every visitor")),
    ]
}

/// Checks the outcome of a visit.
pub(crate) fn check_outcome(path: &str, expected: &Expected, outcome: Result<PageSnapshot, VisitError>) {
    match (expected, outcome) {
        (Holds(text) | HoldsOrCrashes(text), Ok(page)) => {
            assert!(page.html.contains(text), "{path}: {}", page.html.chars().take(200).collect::<String>());
        }
        (Fails(codes), Err(fault)) => assert!(codes.contains(&fault.code()), "{path}: {fault}"),
        (HoldsOrCrashes(_), Err(fault)) => assert_eq!(fault, VisitError::Crashed, "{path}"),
        (_, outcome) => panic!("{path}: {outcome:?}"),
    }
}

#[tokio::test]
#[ignore = "how a page of 20,000 nested elements and a page out of memory end depends on what else the machine does: make soak"]
async fn hostile_pages_affect_only_themselves() {
    let kit = hurried().await;
    let table = hostile_pages(&kit.site);
    // A few at a time, like a worker.
    for some in table.chunks(4) {
        join_all(some.iter().map(async |(path, expected)| {
            let started = Instant::now();
            let outcome = kit.visit(path).await;
            assert!(started.elapsed() < TIMEOUT, "{path}: every visit ends");
            check_outcome(path, expected, outcome);
        }))
        .await;
    }
    kit.site.on("/good", page(""));
    assert!(kit.visit("/good").await.is_ok());
    assert_eq!(kit.browsers.open_pages().await, Some(0), "every context is closed");
}

#[tokio::test]
async fn browser_that_is_killed_is_replaced_and_its_pages_are_visited_again() {
    let kit = Kit::start().await;
    kit.site.on("/", page("<img src=/slow.png>"));
    kit.site.on("/slow.png", CannedResponse::new("image/png", "").after(Duration::from_secs(1)));
    let killing = async {
        kit.site.wait_for("/slow.png", 1).await;
        kit.kill_browser();
    };
    let (page, ()) = tokio::join!(kit.visit("/"), killing);
    assert!(page.unwrap().html.contains("every visitor"));
    eventually(async || kit.profiles_in_use() == 1, "the profile of the dead browser is removed").await;
    assert_eq!(kit.browsers.open_pages().await, Some(0));
}

#[tokio::test]
#[ignore = "silence is noticed after a quarter of a minute: make soak"]
async fn browser_that_is_frozen_is_ended_and_its_pages_are_visited_again() {
    let kit = Kit::start().await;
    kit.site.on("/", page("<img src=/slow.png>"));
    kit.site.on("/slow.png", CannedResponse::new("image/png", "").after(Duration::from_secs(1)));
    let freezing = async {
        kit.site.wait_for("/slow.png", 1).await;
        let frozen = kit.browser_processes();
        kit.freeze_browser();
        frozen
    };
    let (page, frozen) = tokio::join!(kit.visit("/"), freezing);
    assert!(page.unwrap().html.contains("every visitor"));
    eventually(async || kit.profiles_in_use() == 1, "the profile of the frozen browser is removed").await;
    assert!(frozen.iter().all(|pid| !kit.browser_processes().contains(pid)));
}

#[tokio::test]
async fn page_whose_process_dies_has_crashed() {
    let kit = Kit::start().await;
    kit.site.on("/", page("<img src=/slow.png>"));
    kit.site.on("/slow.png", CannedResponse::silent());
    let killing = async {
        kit.site.wait_for("/slow.png", 1).await;
        kit.kill_page_processes();
    };
    let (visited, ()) = tokio::join!(kit.visit("/"), killing);
    assert_eq!(visited.unwrap_err(), VisitError::Crashed);
    kit.site.on("/", page(""));
    assert!(kit.visit("/").await.is_ok(), "the browser survives");
}

#[tokio::test]
async fn page_that_occupies_several_processors_is_ended_and_others_are_not() {
    // Little processor time in a long visit: it is used up even where others use most of the machine.
    let kit = Kit::start_with(|config| {
        config.limits.processor_time = Duration::from_secs(2);
        config.limits.visit = 2 * TIMEOUT;
        config.limits.stable_within = 2 * TIMEOUT;
    })
    .await;
    // Workers begin only while their page's own thread is free. The text that grows prolongs the visit.
    let workers = "const work = URL.createObjectURL(new Blob(['while (true) {}']));\
                   for (let i = 0; i < 16; i++) new Worker(work); setInterval(() => document.body.append('x'), 50)";
    kit.site.on("/workers", page(&format!("<script>{workers}</script>")));
    kit.site.on("/", page("<img src=/slow.png>"));
    kit.site.on("/slow.png", CannedResponse::new("image/png", "").after(Duration::from_secs(4)));
    let (hostile, quiet) = tokio::join!(kit.visit("/workers"), kit.visit("/"));
    assert_eq!(hostile.unwrap_err(), VisitError::Crashed);
    assert!(quiet.unwrap().html.contains("every visitor"), "its own process goes on");
    assert_eq!(kit.count_of("limner_renderer_costly_pages_total"), 1);
}

#[test]
fn shutting_down_the_runtime_during_a_visit_ends_the_browser() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let kit = runtime.block_on(async {
        let kit = Arc::new(Kit::start().await);
        kit.site.on("/", CannedResponse::silent());
        let visitor = Arc::clone(&kit);
        tokio::spawn(async move { visitor.visit("/").await });
        kit.site.wait_for("/", 1).await;
        kit
    });
    drop(runtime);
    let kit = Arc::into_inner(kit).expect("the visit was dropped");
    let Kit { browsers, profiles, .. } = kit;
    drop(browsers);
    assert_eq!(descendants(profiles.path()), Vec::<String>::new());
}

#[tokio::test]
async fn browser_is_replaced_in_time_and_leaves_nothing_behind() {
    let kit = Kit::start_with(|config| config.recycle.pages = 2).await;
    kit.site.on("/", page(""));
    let first = {
        kit.visit("/").await.unwrap();
        kit.browser_processes()
    };
    kit.visit("/").await.unwrap();
    eventually(async || kit.browser_processes() != first && kit.profiles_in_use() == 1, "another browser").await;
    assert!(kit.visit("/").await.is_ok());
    let Kit { browsers, profiles, .. } = kit;
    drop(browsers);
    let folder = profiles.path().join("profiles");
    eventually(async || std::fs::read_dir(&folder).unwrap().next().is_none(), "no profile is left").await;
}

#[tokio::test]
async fn document_that_is_too_large_is_rejected_while_it_arrives() {
    let kit = Kit::start_with(|config| config.limits.html_bytes = 100_000).await;
    // It never ends, so that only its size can end the visit before its time does.
    kit.site.on("/", CannedResponse::endless("text/html", "<p>and so on"));
    let fault = kit.visit("/").await.unwrap_err();
    assert_eq!(fault.code(), ErrorCode::UnprocessableContent, "{fault}");
    assert!(fault.message().contains("too large"), "{}", fault.message());
}

#[tokio::test]
async fn target_that_had_less_than_its_time_is_not_at_fault() {
    let (visit, opening) = (Duration::from_secs(8), Duration::from_secs(6));
    let limits = VisitLimits { visit, opening, ..VisitLimits::default() };
    let kit = Kit::start_with(|config| config.limits = limits).await;
    kit.site.on("/", page("every visitor"));
    kit.site.on("/silent", CannedResponse::silent());
    kit.visit("/").await.unwrap();
    let late = kit.visit_late("/silent", Duration::from_secs(1)).await.unwrap_err();
    assert_eq!((&late, late.code()), (&VisitError::Waited, ErrorCode::InternalError));
    assert!(late.to_failure().retry_after_seconds.is_some());
    assert_eq!(kit.visit("/silent").await.unwrap_err().code(), ErrorCode::TargetTimeout);
}
