//! Tool calls: account, results and errors.

use crate::support::{McpFixture, TOKEN, result_text};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use limner_testkit::CannedResponse;
use limner_types::{ApiKey, ErrorBody, ErrorCode};
use serde_json::{Value, json};

fn usage(spent: u32) -> Value {
    json!({ "creditsThisMonth": 40, "monthlyLimit": 300, "remaining": 260, "creditsSpent": spent, "cached": false })
}

/// Returns the key of the latest call at the gateway.
fn key(fixture: &McpFixture) -> String {
    let seen = fixture.gateway.requests();
    seen.last().unwrap().header("authorization").strip_prefix("Bearer ").unwrap().to_owned()
}

#[tokio::test]
async fn calls_are_made_for_the_account_and_marked_as_mcp() {
    let fixture = McpFixture::start().await;
    fixture
        .gateway
        .on("/v1/brand", CannedResponse::json(json!({ "url": "https://a.test/", "usage": usage(15) }).to_string()));
    for _ in 0..2 {
        fixture.call("extract_brand", &json!({ "url": "a.test", "fields": ["colors"] })).await;
    }
    let seen = fixture.gateway.requests();
    assert_eq!(seen.len(), 2);
    assert!(!seen[0].header("authorization").contains(TOKEN), "the token is not passed on");
    let first = key(&fixture);
    let hash = limner_metering::api_key::sha256(&ApiKey::parse(&first).unwrap());
    let owner = fixture.ledger.authenticate(hash).await.unwrap();
    assert_eq!(owner.state.account_id, fixture.account_id);
    let keys = fixture.ledger.api_key_infos(&fixture.account_id).await.unwrap();
    assert_eq!(keys.len(), 1, "one key for all calls of a client");
    assert_eq!(keys[0].record.name, "MCP · Claude Code");
    assert_eq!(keys[0].purpose, limner_metering::KeyPurpose::Mcp);

    // A key that was revoked meanwhile is replaced without the client noticing.
    fixture.ledger.revoke_key(&first).await.unwrap();
    let refused = ErrorBody::new(ErrorCode::InvalidApiKey, "Revoked.", None);
    fixture.gateway.on_request("/v1/brand", move |request| match request.header("authorization").ends_with(&first) {
        true => CannedResponse::json(serde_json::to_string(&refused).unwrap()).status(401),
        false => CannedResponse::json(r#"{"url":"https://a.test/","title":"again"}"#),
    });
    let again = fixture.call("extract_brand", &json!({ "url": "a.test" })).await;
    assert_eq!(again["structuredContent"]["title"], "again", "{again}");
}

#[tokio::test]
async fn results_come_as_structure_and_as_text() {
    let fixture = McpFixture::start().await;
    let images: Vec<Value> =
        (0..150).map(|n| json!({ "url": format!("https://a.test/{n}.png"), "source": "img" })).collect();
    let body = json!({ "url": "https://a.test/", "images": images, "count": 150, "hint": "Try it.", "truncated": true, "usage": usage(1) });
    fixture.gateway.on("/v1/images", CannedResponse::json(body.to_string()));
    let fonts = json!({ "url": "https://a.test/", "fonts": [], "families": [], "count": 0, "hint": "No fonts.", "usage": usage(5) });
    fixture.gateway.on("/v1/fonts", CannedResponse::json(fonts.to_string()));
    let refused = ErrorBody::new(ErrorCode::TargetTimeout, "Too slow.", Some("req_7".to_owned()));
    fixture.gateway.on("/v1/videos", CannedResponse::json(serde_json::to_string(&refused).unwrap()).status(422));

    let arguments = |page: u32| json!({ "url": "a.test", "kinds": ["images", "fonts", "videos"], "page": page });
    let first = fixture.call("extract_assets", &arguments(1)).await;
    let structured = &first["structuredContent"];
    assert_eq!(structured["page"], json!({ "number": 1, "of": 2, "next": 2 }));
    assert_eq!(structured["counts"], json!({ "images": 150, "fonts": 0 }));
    assert_eq!(structured["images"].as_array().unwrap().len(), 100);
    assert_eq!(structured["usage"]["creditsSpent"], 6);
    assert!(
        structured["failed"]["videos"].as_str().unwrap().contains("target_timeout: Too slow. Next: "),
        "{structured}"
    );
    for part in [
        "https://a.test/99.png (source img)",
        "Page 1 of 2",
        "Hint: Try it. No fonts.",
        "Truncated: ",
        "6 credits spent; 260 left",
    ] {
        assert!(result_text(&first).contains(part), "{part}: {}", result_text(&first));
    }
    let second = fixture.call("extract_assets", &arguments(2)).await;
    assert_eq!(second["structuredContent"]["images"][49]["url"], "https://a.test/149.png");
    let third = fixture.call("extract_assets", &arguments(3)).await;
    assert!(third["isError"] == true && result_text(&third).contains("has 2"), "{third}");
    let nothing = fixture.call("extract_assets", &json!({ "url": "a.test", "kinds": ["videos"] })).await;
    assert!(nothing["isError"] == true && result_text(&nothing).contains("req_7"), "{nothing}");
}

#[tokio::test]
async fn token_files_come_as_they_are() {
    let fixture = McpFixture::start().await;
    let design =
        "---\nversion: alpha\nname: a.test\ncolors:\n  brand: \"#d9622b\"\n---\n\n# Colours\n\n- brand: a button\n";
    for (format, content_type, text) in [
        ("design-md", "text/markdown; charset=utf-8", design),
        ("tailwind", "text/css; charset=utf-8", "@theme {\n  --color-brand: #d9622b;\n}\n"),
        ("dtcg-resolver", "application/json", r#"{"version":"2025.10","sets":{}}"#),
    ] {
        fixture.gateway.on("/v1/extract", CannedResponse::new(content_type, text));
        let found = fixture.call("extract_design_tokens", &json!({ "url": "a.test", "format": format })).await;
        let query = fixture.gateway.requests().pop().unwrap().query.clone();
        assert!(query.contains(&format!("format={format}")), "{query}");
        assert_eq!(found["content"][0]["text"], text, "{found}");
        assert_eq!(found["structuredContent"]["text"], text, "{found}");
        assert_eq!(found["structuredContent"]["format"], format, "{found}");
    }
}

#[tokio::test]
async fn screenshots_are_shown_when_a_model_can_take_them() {
    let fixture = McpFixture::start().await;
    let named = |name: &str| json!({ "url": "https://a.test/", "screenshot": format!("https://api.example.com/screenshots/{name}") });
    let png = |height: u32| {
        [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &1_440_u32.to_be_bytes(), &height.to_be_bytes(), b"..."].concat()
    };
    fixture.gateway.on("/screenshots/low.png", CannedResponse::new("image/png", png(900)));
    fixture.gateway.on("/screenshots/tall.png", CannedResponse::new("image/png", png(20_000)));
    let asked = json!({ "url": "a.test", "screenshot": "full" });
    fixture.gateway.on("/v1/brand", CannedResponse::json(named("low.png").to_string()));
    let shown = fixture.call("extract_brand", &asked).await;
    let picture = &shown["content"][1];
    assert_eq!((&picture["type"], &picture["mimeType"]), (&"image".into(), &"image/png".into()), "{shown}");
    assert_eq!(STANDARD.decode(picture["data"].as_str().unwrap()).unwrap(), png(900));
    assert!(fixture.gateway.requests()[0].query.contains("render=true&screenshot=full"));
    for missing in ["tall.png", "gone.png"] {
        fixture.gateway.on("/v1/brand", CannedResponse::json(named(missing).to_string()));
        let named = fixture.call("extract_brand", &asked).await;
        assert!(named["content"][1]["text"].as_str().unwrap().contains(missing), "{named}");
    }
}

#[tokio::test]
async fn failures_tell_a_model_what_to_do() {
    let fixture = McpFixture::start().await;
    for (code, says) in [
        (ErrorCode::RateLimited, "wait 7 seconds"),
        (ErrorCode::QuotaExceeded, "tell the person"),
        (ErrorCode::RenderUnavailable, "without `render`"),
        (ErrorCode::NotFound, "one of the selectors"),
    ] {
        let body = ErrorBody::new(code, "What happened.", Some("req_1".to_owned()));
        let reply = CannedResponse::json(serde_json::to_string(&body).unwrap())
            .status(code.status())
            .header("retry-after", "7");
        fixture.gateway.on("/v1/code", reply);
        let failed = fixture.call("extract_code", &json!({ "url": "a.test", "render": true })).await;
        assert!(failed["isError"] == true && failed.get("structuredContent").is_none(), "{failed}");
        assert!(result_text(&failed).contains(says) && result_text(&failed).contains("req_1"), "{failed}");
    }
    fixture.gateway.on("/v1/code", CannedResponse::html("<h1>Bad gateway</h1>").status(502));
    let failed = fixture.call("extract_code", &json!({ "url": "a.test" })).await;
    assert!(result_text(&failed).starts_with("internal_error") && !result_text(&failed).contains("502"), "{failed}");
    let calls = fixture.gateway.requests().len();
    let wrong = fixture.call("extract_code", &json!({ "url": "a.test", "sections": "hero" })).await;
    assert!(
        wrong["isError"] == true && result_text(&wrong).contains("framework, language, section, selector"),
        "{wrong}"
    );
    assert_eq!(fixture.gateway.requests().len(), calls, "the gateway was not called");
}

const NOT_CACHED: &str = r#"{"error":true,"statusCode":404,"statusMessage":"Not kept.","data":{"code":"not_found"}}"#;

#[tokio::test]
async fn further_pages_are_free_or_unavailable() {
    let fixture = McpFixture::start().await;
    fixture.gateway.on("/v1/svg", CannedResponse::json(NOT_CACHED).status(404));
    let gone = fixture.call("extract_svgs", &json!({ "url": "a.test", "fresh": true, "page": 2 })).await;
    assert!(gone["isError"] == true && result_text(&gone).contains("no page 2"), "{gone}");
    let request = &fixture.gateway.requests()[0];
    assert!(!request.query.contains("fresh") && request.header("cache-control") == "only-if-cached");
    fixture.call("extract_svgs", &json!({ "url": "a.test", "fresh": true })).await;
    let request = &fixture.gateway.requests()[1];
    assert!(request.query.contains("fresh=true") && request.header("cache-control").is_empty());
}

#[tokio::test]
async fn recent_results_are_resources_of_their_account() {
    let fixture = McpFixture::start().await;
    let other = limner_metering::NewAccount::new("joe@example.org", limner_types::Plan::Free);
    let other = fixture.ledger.create_account(&other).await.unwrap().state.account_id;
    fixture.tokens.grant("token-of-joe", &other, &["extract"]);
    fixture.gateway.on("/v1/svg", CannedResponse::json(r#"{"url":"https://a.test/","svgs":[],"count":0}"#));
    fixture.call("extract_svgs", &json!({ "url": "a.test", "fresh": true })).await;
    let listed = fixture.ask("resources/list", &json!({})).await.result();
    assert_eq!(listed["resources"][0]["name"], "svg of a.test");
    let read = fixture.ask("resources/read", &json!({ "uri": listed["resources"][0]["uri"] })).await.result();
    assert_eq!(read["contents"][0]["mimeType"], "application/json");
    let request = &fixture.gateway.requests()[1];
    assert!(!request.query.contains("fresh") && request.header("cache-control") == "only-if-cached", "reading is free");
    fixture.gateway.on("/v1/svg", CannedResponse::json(NOT_CACHED).status(404));
    let gone = fixture.ask("resources/read", &json!({ "uri": listed["resources"][0]["uri"] })).await;
    assert!(gone.text.contains("no longer kept"), "{}", gone.text);
    let list = crate::support::message("resources/list", &json!({}));
    let theirs = fixture.post(&list, &[("authorization", "Bearer token-of-joe")]).await.result();
    assert_eq!(theirs["resources"], json!([]));
}
