//! The console of a whole fleet: from a sign-up to successful calls, and a walk-through in a real browser.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authorization;
mod browser_walkthrough;
mod browsing;
mod connect;
mod sign_up_actor;

use crate::sign_up_actor::Person;
use http::Method;
use limner_testkit::CannedResponse;
use limner_tests::{Fleet, FleetOptions};

/// Starts a fleet with its console and its MCP server on separate ports; returns their URLs.
async fn fleet(browser: bool) -> (Fleet, String, String) {
    let [port, mcp] = [(); 2].map(|()| limner_local_servers::free_port().unwrap());
    let extra_config = format!("[console]\nlisten = \"127.0.0.1:{port}\"\n[mcp]\nlisten = \"127.0.0.1:{mcp}\"\n");
    let fleet = Fleet::start_with(FleetOptions { extra_config, browser, ..FleetOptions::default() }).await;
    // The gateway, which the fleet waits for, responds before they do.
    for port in [port, mcp] {
        let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            assert!(std::time::Instant::now() < until, "nobody listens on {port}: {}", fleet.log());
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    (fleet, format!("http://127.0.0.1:{port}"), format!("http://127.0.0.1:{mcp}/mcp"))
}

#[tokio::test]
async fn a_key_from_the_console_works_until_it_is_revoked() {
    let (fleet, url, _) = fleet(false).await;
    fleet.site.on("/", CannedResponse::html("<title>x</title><img src=/a.png>"));
    let mut person = Person::new(&url);
    let key = person.sign_up("jane@example.org", &fleet.folder().join("data/mail")).await;
    let authorization = format!("Bearer {key}");
    let call = async || {
        let query = [("url", "http://site.test/")];
        fleet.send(Method::GET, "/images", &query, &[("authorization", &authorization)]).await
    };
    assert_eq!(call().await.usage()["creditsSpent"], 1);
    let played = person.post("/playground", &[("operation", "images"), ("url", "http://site.test/")]).await;
    assert!(played.contains("0 credits") && played.contains("/a.png"), "a repeat is free: {played}");

    let keys = person.get("/keys").await;
    let id = crate::sign_up_actor::attribute(&keys, "input[name=key_id]", "value");
    person.post("/keys/revoke", &[("key_id", &id)]).await;
    let mut answer = call().await;
    for _ in 0..500 {
        if answer.status == 401 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        answer = call().await;
    }
    answer.assert_error(401, "invalid_api_key");
}
