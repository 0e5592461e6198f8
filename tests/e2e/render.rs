//! Calls with a browser: requested, or as a fallback.

use limner_testkit::CannedResponse;
use limner_tests::{Account, Answer, Fleet, FleetOptions};
use serde_json::{Value, json};
use std::time::Duration;

/// A page that is empty without its script.
const APP: &str = "<!DOCTYPE html><title>App</title><div id=root></div><script src=/app.js></script>";
const SCRIPT: &str = "document.getElementById('root').innerHTML = \
    '<h1>Lamps</h1><p>Every lamp we make, in one place.</p><img src=/made-by-script.png>';";

async fn fleet() -> (Fleet, Account) {
    let fleet = Fleet::start_with(FleetOptions { browser: true, ..FleetOptions::default() }).await;
    let account = fleet.roomy_account();
    fleet.site.on("/app", CannedResponse::html(APP));
    fleet.site.on("/app.js", CannedResponse::new("text/javascript", SCRIPT));
    (fleet, account)
}

fn images(answer: &Answer) -> Vec<&str> {
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    answer.json["images"].as_array().unwrap().iter().filter_map(|image| image["url"].as_str()).collect()
}

const MADE: &str = "http://site.test/made-by-script.png";

#[tokio::test]
async fn render_runs_scripts_costs_five_more_and_is_cached_separately() {
    let (fleet, account) = fleet().await;
    let page = [("url", "http://site.test/app"), ("render", "true")];
    let first = fleet.call("images", &page, &account).await;
    assert_eq!((images(&first), first.header("x-cache")), (vec![MADE], "MISS"));
    assert_eq!((&first.usage()["creditsSpent"], first.usage().get("autoRender")), (&json!(6), None));
    assert_eq!(first.json.get("hint"), None, "{first:?}");
    let again = fleet.call("images", &page, &account).await;
    assert_eq!((images(&again), again.header("x-cache")), (vec![MADE], "HIT"));
    assert_eq!(again.usage()["creditsSpent"], 0);
    // Another operation on the page a moment later does not visit it again.
    let visits = fleet.site.count("/app");
    let svg = fleet.call("svg", &page, &account).await;
    assert_eq!(svg.usage()["creditsSpent"], 6);
    assert_eq!(fleet.site.count("/app"), visits);
}

#[tokio::test]
async fn page_that_takes_too_long_to_read_is_not_visited_again() {
    let extra_config = "[extractor]\nprocessor_time = \"200ms\"\n".to_owned();
    let fleet = Fleet::start_with(FleetOptions { browser: true, extra_config, ..FleetOptions::default() }).await;
    let account = fleet.account("free", &[]);
    let large = format!("<style>p{{display:grid}}</style>{}", "<section><h2>x</h2><p>y</section>".repeat(10_000));
    fleet.site.on("/large", CannedResponse::html(large));
    for _ in 0..2 {
        let answer = fleet.call("code", &[("url", "http://site.test/large"), ("render", "true")], &account).await;
        answer.assert_error(422, "unprocessable_content");
        assert!(answer.message().contains("too long to read"), "{answer:?}");
        assert_eq!(fleet.site.count("/large"), 1);
    }
}

#[tokio::test]
async fn script_shell_is_read_in_a_browser_for_free_and_cached_as_the_static_call() {
    let (fleet, account) = fleet().await;
    let first = fleet.call("images", &[("url", "http://site.test/app")], &account).await;
    assert_eq!((images(&first), first.header("x-cache")), (vec![MADE], "MISS"));
    assert_eq!((&first.usage()["creditsSpent"], &first.usage()["autoRender"]), (&json!(1), &json!(true)));
    let again = fleet.call("images", &[("url", "http://site.test/app")], &account).await;
    assert_eq!((images(&again), again.header("x-cache")), (vec![MADE], "HIT"));
    assert_eq!((&again.usage()["creditsSpent"], &again.usage()["autoRender"]), (&json!(0), &json!(true)));

    // A page with static content is never sent to the browser.
    fleet.site.on("/plain", CannedResponse::html("<title>t</title><p>Some text to read here.</p><img src=a.png>"));
    let plain = fleet.call("images", &[("url", "http://site.test/plain")], &account).await;
    assert_eq!(plain.usage().get("autoRender"), None);
    assert_eq!(fleet.site.count("/plain"), 1);
}

#[tokio::test]
async fn site_that_refuses_the_static_read_gets_a_browser_read() {
    let (fleet, account) = fleet().await;
    let page = CannedResponse::html("<title>t</title><p>For browsers only, with a picture.</p><img src=/b.png>");
    fleet.site.on_request("/choosy", move |request| {
        let is_browser = !request.header("sec-ch-ua").is_empty()
            || request.header("user-agent").contains("Chrome/1")
                && !request.header("user-agent").contains("Chrome/138");
        if is_browser { page.clone() } else { CannedResponse::html("<h1>No</h1>").status(403) }
    });
    let let_in = fleet.call("images", &[("url", "http://site.test/choosy")], &account).await;
    assert_eq!(images(&let_in), ["http://site.test/b.png"]);
    assert_eq!(let_in.usage()["autoRender"], true);

    fleet.site.on("/closed", CannedResponse::html("<h1>No</h1>").status(403));
    let before = fleet.call("images", &[("url", "http://site.test/choosy")], &account).await;
    let refused = fleet.call("images", &[("url", "http://site.test/closed")], &account).await;
    refused.assert_error(422, "target_blocked");
    assert!(fleet.site.count("/closed") >= 2, "asked both ways");
    let after = fleet.call("images", &[("url", "http://site.test/choosy")], &account).await;
    assert_eq!(before.usage()["creditsThisMonth"], after.usage()["creditsThisMonth"], "a refusal costs nothing");
}

#[tokio::test]
async fn screenshots_are_public_images_and_part_of_the_cached_result() {
    let (fleet, account) = fleet().await;
    fleet.site.on(
        "/",
        CannedResponse::html("<style>body { margin: 0; height: 2000px; background: rgb(9, 99, 199) }</style><p>Blue."),
    );
    let page = |extent| [("url", "http://site.test/"), ("render", "true"), ("screenshot", extent)];
    let viewport = fleet.call("images", &page("true"), &account).await;
    assert_eq!(viewport.usage()["creditsSpent"], 6, "no extra credits");
    let full = fleet.call("images", &page("full"), &account).await;
    for (answer, height) in [(&viewport, 900), (&full, 2000)] {
        let address = answer.json["screenshot"].as_str().unwrap();
        let root = fleet.base_url.strip_suffix("/v1").unwrap();
        assert!(address.starts_with(&format!("{root}/screenshots/")) && address.len() > root.len() + 40, "{address}");
        let picture = reqwest::get(address).await.unwrap();
        assert_eq!(picture.headers()["content-type"], "image/png");
        assert!(picture.headers()["cache-control"].to_str().unwrap().starts_with("public, max-age=604"));
        let png = picture.bytes().await.unwrap();
        let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!((size(16), size(20)), (1440, height));
    }
    let again = fleet.call("images", &page("true"), &account).await;
    assert_eq!((again.header("x-cache"), &again.json["screenshot"]), ("HIT", &viewport.json["screenshot"]));
    let narrowed = fleet.call("images", &[&page("true")[..], &[("fields", "count")]].concat(), &account).await;
    assert!(narrowed.json["screenshot"].is_string() && narrowed.json.get("images").is_none(), "{narrowed:?}");
}

#[tokio::test]
async fn fleet_without_a_browser_refuses_render_and_hints_at_shells() {
    let fleet = Fleet::start().await;
    let account = fleet.roomy_account();
    fleet.site.on("/app", CannedResponse::html(APP));
    let refused = fleet.call("images", &[("url", "http://site.test/app"), ("render", "true")], &account).await;
    refused.assert_error(503, "render_unavailable");
    assert!(refused.number("retry-after") > 0);
    let thin = fleet.call("images", &[("url", "http://site.test/app")], &account).await;
    let hint = thin.json["hint"].as_str().unwrap();
    assert!(hint.contains("no browser") && !hint.contains("render=true"), "{hint}");
    assert_eq!(thin.usage().get("autoRender").map(Value::is_null), None);
}

/// Fetchers and renderers count the pages of a site together, and a renderer returns a job to the queue whose site is busy.
#[tokio::test]
async fn pages_of_a_site_that_is_overloaded_are_read_one_after_the_other() {
    let extra_config = "[limits]\nper_site = 2\n".to_owned();
    let fleet = Fleet::start_with(FleetOptions { browser: true, extra_config, ..FleetOptions::default() }).await;
    let account = fleet.roomy_account();
    fleet.site.on("/full", CannedResponse::html("<h1>Full</h1>").status(503));
    let full = fleet.call("images", &[("url", "http://site.test/full"), ("render", "true")], &account).await;
    assert_eq!(full.status.as_u16(), 422, "{full:?}");
    // One place is left of two. A read takes longer than a renderer waits for it.
    let pause = Duration::from_millis(1_500);
    let pages = ["/a", "/b", "/c"];
    for page in pages {
        fleet.site.on(page, CannedResponse::html("<title>t</title><p>Text that every visitor sees.").after(pause));
    }
    let call = async |page: &str, render: &str| {
        let url = format!("http://site.test{page}");
        fleet.call("images", &[("url", &url), ("render", render)], &account).await
    };
    let (a, b, c) = futures::join!(call("/a", "true"), call("/b", "true"), call("/c", "false"));
    for answer in [&a, &b, &c] {
        assert_eq!((answer.status.as_u16(), answer.header("x-cache")), (200, "MISS"), "{answer:?}");
    }
    let requests = fleet.site.requests();
    let mut arrivals: Vec<_> =
        requests.iter().filter(|one| pages.contains(&one.path.as_str())).map(|request| request.at).collect();
    arrivals.sort();
    assert_eq!(arrivals.len(), 3);
    assert!(arrivals.windows(2).all(|pair| pair[1] - pair[0] >= pause), "one at a time: {arrivals:?}");
    let metrics =
        reqwest::get(format!("http://{}/metrics", fleet.admin_address())).await.unwrap().text().await.unwrap();
    let returned = |line: &str| line.starts_with("limner_renderer_visits_total") && line.contains("internal_error");
    assert!(metrics.lines().any(returned), "no job was returned to the queue: {metrics}");
}
