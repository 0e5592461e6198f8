//! Properties of all pages.

use crate::support::{ConsoleFixture, PASSWORD};
use http::StatusCode;
use limner_console::{FleetRole, WatchedRole};
use limner_testkit::{CannedResponse, OriginServer};
use scraper::{ElementRef, Html, Selector};

const PUBLIC: [&str; 22] = [
    "/",
    "/sign-up",
    "/sign-in",
    "/pricing",
    "/status",
    "/docs",
    "/docs/reference",
    "/docs/errors",
    "/docs/changelog",
    "/docs/guides/start",
    "/docs/guides/credits",
    "/docs/guides/components",
    "/docs/guides/tokens",
    "/docs/guides/errors",
    "/docs/guides/limits",
    "/docs/guides/rendering",
    "/docs/guides/brand",
    "/docs/guides/assets",
    "/docs/guides/cli",
    "/docs/guides/packages",
    "/nowhere",
    "/enter?link=none",
];
const SIGNED_IN_PAGES: [&str; 7] =
    ["/keys", "/usage", "/billing", "/account", "/connections", "/playground", "/usage/req_none"];
/// Pages that make a call of the playground.
const RESULTS: [&str; 2] = ["/playground/result?url=x", "/playground/download/result.zip?url=x"];

#[tokio::test]
async fn every_page_has_a_strict_policy_and_nothing_inline() {
    let fixture = ConsoleFixture::start().await;
    let (mut member, _) = fixture.member("jane@example.org").await;
    let mut anybody = fixture.browser();
    let mut pages = Vec::new();
    for path in PUBLIC {
        pages.push((path, anybody.get(path).await));
    }
    for path in PUBLIC.into_iter().chain(SIGNED_IN_PAGES) {
        pages.push((path, member.get(path).await));
    }
    for (path, page) in pages {
        let policy = page.header("content-security-policy").to_owned();
        for part in
            ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]
        {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            if page.status != StatusCode::SEE_OTHER {
                assert_eq!(page.header(name), value, "{path}: {name}");
            }
        }
        assert!(!page.has("style, [style]"), "{path} has inline styles");
        assert_eq!(page.active_parts(), [""; 0], "{path}");
    }
}

#[tokio::test]
async fn account_pages_require_a_sign_in() {
    let fixture = ConsoleFixture::start().await;
    let mut anybody = fixture.browser();
    for path in
        SIGNED_IN_PAGES.into_iter().chain(RESULTS).chain(["/usage.csv", "/billing/billed.csv", "/billing/billed.json"])
    {
        assert_eq!(anybody.get(path).await.location(), "/sign-in", "{path}");
    }
    for path in [
        "/keys",
        "/keys/revoke",
        "/billing/plan",
        "/billing/pack",
        "/billing/withdraw",
        "/billing/overage",
        "/account/password",
        "/account/export",
        "/account/close",
        "/playground",
        "/playground/preview",
    ] {
        let page = anybody.post(path, &all_fields()).await;
        assert_eq!(page.location(), "/sign-in", "{path}: {}", page.text);
    }
}

fn all_fields() -> Vec<(&'static str, &'static str)> {
    ["name", "key_id", "plan", "interval", "pack", "order", "state", "new", "email", "url", "document"]
        .map(|name| (name, "x"))
        .into()
}

#[tokio::test]
async fn forms_of_other_sites_are_rejected() {
    let fixture = ConsoleFixture::start().await;
    let (mut jane, _) = fixture.member("jane@example.org").await;
    let (mut eve, _) = fixture.member("eve@example.org").await;
    let (own, others) = (jane.token().await, eve.token().await);
    let origin = fixture.url.clone();
    let table: [(&str, &[(&str, &str)]); 6] = [
        (&own, &[("origin", "https://evil.example")]),
        (&own, &[("origin", "null")]),
        (&own, &[]),
        (&own, &[("sec-fetch-site", "cross-site")]),
        (&others, &[("origin", &origin)]),
        ("", &[("origin", &origin)]),
    ];
    for (token, headers) in table {
        let page = jane.post_raw("/keys", &[("name", "forged"), ("form_token", token)], headers).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{headers:?}");
    }
    let missing = jane.post_raw("/keys", &[("name", "forged")], &[("origin", &origin)]).await;
    assert_eq!(missing.status, StatusCode::BAD_REQUEST);
    assert!(!jane.get("/keys").await.text.contains("forged"));
    // Login CSRF: nobody is signed in to an account that somebody else chose.
    let mut victim = fixture.browser();
    let fields = [("email", "eve@example.org"), ("password", PASSWORD), ("form_token", others.as_str())];
    let forged = victim.post_raw("/sign-in", &fields, &[("origin", "https://evil.example")]).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn status_page_is_public() {
    let fixture = ConsoleFixture::start().await;
    wait_for_probes(&fixture, 3).await;
    const SQL: &str = "INSERT INTO console.probe SELECT c, date_trunc('minute', now()) - n * interval '1 minute', \
                         c <> 'api' OR n > 0, 3 FROM unnest(ARRAY['api','accounts','console']) c, generate_series(0, 90) n \
                       ON CONFLICT (component, minute) DO UPDATE SET is_up = excluded.is_up";
    fixture.store.client().await.unwrap().batch_execute(SQL).await.unwrap();
    let page = fixture.browser().get("/status").await;
    assert!(page.says("Some components are down") && page.says("Accounts and credits"), "{}", page.text);
    assert!(!page.says("MCP server"), "a role that nobody watches");
    fixture.store.client().await.unwrap().batch_execute("UPDATE console.probe SET is_up = true").await.unwrap();
    assert!(fixture.browser().get("/status").await.says("All systems operational"));
}

#[tokio::test]
async fn status_page_shows_the_roles_behind_the_gateway() {
    let fleet = OriginServer::start().await;
    let pod = OriginServer::start().await;
    let all =
        r#"{"ready":false,"draining":false,"components":{"fetcher":true,"mcp":true,"extractor":false,"startup":true}}"#;
    fleet.on("/readyz", CannedResponse::json(all).status(503));
    let browserless = r#"{"ready":false,"draining":false,"components":{"renderer":true,"browser":false}}"#;
    pod.on("/readyz", CannedResponse::json(browserless).status(503));
    let url = |server: &OriginServer| format!("http://{}/", server.address());
    let watched = [
        (FleetRole::Fetcher, url(&fleet)),
        (FleetRole::Renderer, url(&pod)),
        (FleetRole::Extractor, url(&fleet)),
        // Nothing listens there.
        (FleetRole::Mcp, "http://127.0.0.1:9".to_owned()),
    ];
    let watched = watched.map(|(role, admin_url)| WatchedRole { role, admin_url });
    let fixture = ConsoleFixture::start_with(|config| config.watched = watched.to_vec()).await;
    wait_for_probes(&fixture, 7).await;
    // Metering may just have started.
    let sql = "UPDATE console.probe SET is_up = true WHERE component = 'accounts'";
    fixture.store.client().await.unwrap().batch_execute(sql).await.unwrap();
    let page = fixture.browser().get("/status").await;
    let document = Html::parse_document(&page.text);
    let text = |element: ElementRef<'_>| element.text().collect::<String>();
    let states: Vec<String> = document.select(&Selector::parse("section.health h2").unwrap()).map(text).collect();
    let expected = [
        "API Operational",
        "Page reads Operational",
        "Browser reads and screenshots Down",
        "Extraction Down",
        "MCP server Down",
        "Accounts and credits Operational",
        "Console Operational",
    ];
    assert_eq!(states, expected);
}

async fn wait_for_probes(fixture: &ConsoleFixture, count: usize) {
    while fixture.store.query("SELECT FROM console.probe", &[]).await.unwrap().len() < count {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
