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
async fn key_from_the_console_works_until_it_is_revoked() {
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

#[tokio::test]
async fn reference_describes_every_response() {
    let (fleet, url, _) = fleet(false).await;
    let document = fleet.send(Method::GET, "/openapi.json", &[], &[]).await.json;
    let mut person = Person::new(&url);
    for (path, item) in document["paths"].as_object().unwrap() {
        let page = person.get(&format!("/docs/reference{}", path.trim_end_matches(".json"))).await;
        let page = scraper::Html::parse_document(&page);
        let texts = |selector: &str| {
            let selector = scraper::Selector::parse(selector).unwrap();
            page.select(&selector).map(|element| element.text().collect::<String>()).collect::<Vec<_>>()
        };
        let headings = texts("h2");
        for heading in ["Request", "Response", "Errors"] {
            assert!(headings.contains(&heading.to_owned()), "{path}: {headings:?}");
        }
        let visible = texts("article p, article td").concat();
        assert!(!visible.contains('`') && !visible.contains("](#"), "{path} has Markdown left in its text");
        let ids: Vec<&str> =
            page.root_element().descendent_elements().filter_map(|element| element.attr("id")).collect();
        let distinct: std::collections::HashSet<&&str> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len(), "{path}: {ids:?}");
        for link in page.root_element().descendent_elements().filter_map(|element| element.attr("href")) {
            let target = link.strip_prefix('#');
            assert!(target.is_none_or(|target| ids.contains(&target)), "{path}: {link} leads nowhere");
        }
        let name = item["get"]["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].as_str();
        let Some(name) = name.and_then(|name| name.rsplit('/').next()) else { continue };
        let mut schemas = vec![&document["components"]["schemas"][name]];
        schemas.extend(
            schemas[0]["anyOf"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|part| document.pointer(&part["$ref"].as_str().unwrap()[1..]).unwrap()),
        );
        let fields = texts("td:first-child");
        for field in
            schemas.iter().filter_map(|schema| schema["properties"].as_object()).flatten().map(|(name, _)| name)
        {
            assert!(fields.contains(field), "{path}: {field} is not described");
        }
        assert!(headings.contains(&"Example".to_owned()), "{path}: {headings:?}");
    }
}
