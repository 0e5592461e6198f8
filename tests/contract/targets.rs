//! Failures of the target, and the errors for the caller.

use limner_testkit::CannedResponse;
use limner_tests::{Fleet, FleetOptions};

#[tokio::test]
async fn failures_of_the_target_have_their_codes_and_cost_nothing() {
    let fast = "[limits]\nstatic_read = \"2s\"\n";
    let fleet = Fleet::start_with(FleetOptions { extra_config: fast.to_owned(), ..FleetOptions::default() }).await;
    let account = fleet.account("free", &[]);
    let site = &fleet.site;
    let page = "<title>x</title><p>A page with some text to read, long enough to be one.</p>";
    for status in [401, 403, 429, 451] {
        site.on(&format!("/{status}"), CannedResponse::html(page).status(status));
    }
    for status in [400, 404, 410, 500, 502, 503] {
        site.on(&format!("/{status}"), CannedResponse::html(page).status(status));
    }
    site.on("/challenge", CannedResponse::html("<title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1></script>"));
    site.on("/empty", CannedResponse::html(""));
    site.on("/pdf", CannedResponse::new("application/pdf", "%PDF-1.7"));
    site.on("/silent", CannedResponse::silent());
    site.on("/inside", CannedResponse::redirect("http://10.0.0.1/"));
    site.on("/loop", CannedResponse::redirect("http://site.test/loop"));
    let table = [
        ("/401", "target_blocked"),
        ("/403", "target_blocked"),
        ("/429", "target_blocked"),
        ("/451", "target_blocked"),
        ("/400", "target_error"),
        ("/404", "target_error"),
        ("/410", "target_error"),
        ("/500", "target_error"),
        ("/502", "target_error"),
        ("/503", "target_error"),
        ("/challenge", "target_blocked"),
        ("/empty", "target_blocked"),
        ("/pdf", "unprocessable_content"),
        ("/silent", "target_timeout"),
        ("/inside", "target_unreachable"),
        ("/loop", "target_error"),
    ];
    for (path, code) in table {
        let answer = fleet.call("images", &[("url", &format!("http://site.test{path}"))], &account).await;
        answer.assert_error(422, code);
        for secret in ["127.0.0.1", "10.0.0.1", "panicked", "os error"] {
            assert!(!answer.text.contains(secret), "{path} reveals {secret}: {}", answer.text);
        }
    }
    let unknown = fleet.call("images", &[("url", "http://no-such-host.invalid/")], &account).await;
    unknown.assert_error(422, "target_unreachable");
    let forbidden = fleet.call("images", &[("url", "http://site.test/inside")], &account).await;
    assert_eq!(unknown.message(), forbidden.message(), "a forbidden redirect reads the same as an unknown host");
    site.on("/ok", CannedResponse::html(format!("{page}<img src=a.png>")));
    let answer = fleet.call("images", &[("url", "http://site.test/ok")], &account).await;
    assert_eq!(answer.usage()["creditsThisMonth"], 1, "failures cost nothing and hold nothing");
}

#[tokio::test]
async fn redirects_are_followed_and_the_resolved_address_is_reported() {
    let fleet = Fleet::start().await;
    let account = fleet.roomy_account();
    fleet
        .site
        .on("/old", CannedResponse::redirect("/new/"))
        .on("/new/", CannedResponse::html("<title>t</title><p>Moved here, with text.</p><img src=a.png>"));
    let answer = fleet.call("images", &[("url", "http://site.test/old")], &account).await;
    assert_eq!(answer.usage()["cached"], false);
    assert_eq!(
        (&answer.json["url"], &answer.json["images"][0]["url"]),
        (&"http://site.test/new/".into(), &"http://site.test/new/a.png".into())
    );
}

#[tokio::test]
async fn missing_browser_is_reported_at_once() {
    let fleet = Fleet::start().await;
    let account = fleet.account("free", &[]);
    let answer = fleet.call("images", &[("url", "http://site.test/"), ("render", "true")], &account).await;
    answer.assert_error(503, "render_unavailable");
    assert!(answer.number("retry-after") > 0);
    assert_eq!(fleet.site.requests().len(), 0);
}
