//! The walk-through in Chromium: `walk.mjs` with a fleet that has its own browser, and a page with content for every
//! operation.

use crate::browsing::{Browsing, open_folder};
use crate::fleet;
use crate::sign_up_actor::Person;
use limner_local_servers::chromium_path;
use limner_testkit::CannedResponse;
use limner_tests::Fleet;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// Serves a page with content for every operation, and texts that would run code if they were not escaped.
fn add_site(fleet: &Fleet) {
    let animation = json!({ "v": "5.7.0", "fr": 30, "ip": 0, "op": 60, "w": 120, "h": 120, "nm": "Pulse", "layers": [{
        "ty": 4, "nm": "<img src=x onerror=hacked=1>", "ip": 0, "op": 60, "st": 0,
        "ks": { "o": { "k": 100 }, "r": { "k": 0 }, "p": { "k": [60, 60, 0] }, "a": { "k": [0, 0, 0] }, "s": { "k": [100, 100, 100] } },
        "shapes": [{ "ty": "el", "p": { "k": [0, 0] }, "s": { "k": [80, 80] } },
            { "ty": "fl", "c": { "k": [0.66, 0.19, 0.1, 1] }, "o": { "k": 100 } }] }] });
    let site = &fleet.site;
    site.on("/", CannedResponse::html(include_str!("site.html")));
    site.on("/main.css", CannedResponse::css(include_str!("site.css")));
    site.on("/pulse.json", CannedResponse::json(animation.to_string()));
    site.on(
        "/mark.svg",
        CannedResponse::svg(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'><circle cx='5' cy='5' r='5'/></svg>",
        ),
    );
}

/// Mail is readable by its owner only, which is not the user of the walk-through.
fn share(mail: &Path) {
    let _ = std::fs::set_permissions(mail, std::fs::Permissions::from_mode(0o755));
    for entry in std::fs::read_dir(mail).into_iter().flatten().flatten() {
        let _ = std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(0o644));
    }
}

/// Approves orders as the operator.
fn approve(fleet: &Fleet) {
    let orders = fleet.admin(&["order", "list"]);
    let open = orders["orders"].as_array().unwrap().iter().filter(|order| order["state"] == "open");
    for id in open.map(|order| order["id"].as_str().unwrap()) {
        fleet.admin(&["order", "approve", id]);
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes: two people, two screens, nine operations each, every page with axe-core"]
async fn console_flows_work_in_a_browser() {
    let (fleet, url, _) = fleet(true).await;
    add_site(&fleet);
    let folder = open_folder();
    let pictures = folder.path().join("pictures");
    let mail = fleet.folder().join("data/mail");
    std::fs::create_dir_all(&mail).unwrap();
    for shared in [fleet.folder(), &fleet.folder().join("data")] {
        std::fs::set_permissions(shared, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let told: Value = json!({
        "url": url, "api": fleet.base_url.trim_end_matches("/v1"), "mail": mail, "pictures": pictures,
        "chromium": chromium_path().unwrap(), "site": "http://site.test/",
    });
    let mut walk = Browsing::start("walk.mjs", &told.to_string(), folder);
    let watching = tokio::spawn({
        let mail = mail.clone();
        async move {
            loop {
                share(&mail);
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        }
    });
    let ended = tokio::task::block_in_place(|| {
        walk.read_until_exit(|line| {
            println!("{line}");
            if line.starts_with("approve ") {
                approve(&fleet);
            }
        })
    });
    watching.abort();
    // `LIMNER_PICTURES=docs/console` stores the screenshots for the documentation.
    if let Some(to) = std::env::var_os("LIMNER_PICTURES") {
        // Tests run in their package's directory, people in the repository's root.
        let to = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(to);
        for entry in std::fs::read_dir(&pictures).unwrap().map(Result::unwrap) {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
    ended.unwrap_or_else(|said| panic!("{said}\n{}", fleet.log()));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes: fifteen pages with Lighthouse, on two screens"]
async fn main_pages_score_high_in_lighthouse() {
    let (fleet, url, _) = fleet(false).await;
    let mut person = Person::new(&url);
    let (email, password) = ("jane@example.org", "four unrelated wooden words");
    person.sign_up_with(email, password, &fleet.folder().join("data/mail")).await;
    let folder = open_folder();
    let told = json!({
        "url": url, "email": email, "password": password, "profile": folder.path().join("profile"),
        "chromium": chromium_path().unwrap(),
    });
    let mut looking = Browsing::start("lighthouse.mjs", &told.to_string(), folder);
    let said = tokio::task::block_in_place(|| looking.read_until_exit(|line| println!("{line}")));
    said.unwrap_or_else(|said| panic!("{said}\n{}", fleet.log()));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement: what else runs on the machine counts"]
async fn pages_answer_within_20_ms() {
    const ROUNDS: usize = 101;
    let (fleet, url, _) = fleet(false).await;
    let mut person = Person::new(&url);
    let key = person.sign_up("jane@example.org", &fleet.folder().join("data/mail")).await;
    fleet.site.on("/", CannedResponse::html("<title>x</title><img src=/a.png>"));
    let authorization = format!("Bearer {key}");
    for _ in 0..10 {
        let query = [("url", "http://site.test/")];
        fleet.send(http::Method::GET, "/images", &query, &[("authorization", &authorization)]).await;
    }
    let mut slow = Vec::new();
    for path in [
        "/",
        "/keys",
        "/usage",
        "/billing",
        "/connections",
        "/playground",
        "/account",
        "/docs",
        "/docs/reference",
        "/docs/reference/code",
        "/docs/guides/agents",
        "/pricing",
        "/status",
    ] {
        let mut times = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            let begin = Instant::now();
            let page = person.get(path).await;
            times.push(begin.elapsed());
            assert!(page.contains("</html>"), "{path}: {page}");
        }
        times.sort();
        let (p50, p99) = (times[ROUNDS / 2], times[ROUNDS - 2]);
        println!("{path}: p50 {p50:.1?}, p99 {p99:.1?}");
        if p50 > Duration::from_millis(20) {
            slow.push(format!("{path}: {p50:?}"));
        }
    }
    assert!(slow.is_empty(), "{slow:?}");
}
