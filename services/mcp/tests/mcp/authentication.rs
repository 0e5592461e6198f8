//! Authentication: tokens, hosts and origins.

use crate::support::{McpFixture, TOKEN, message};
use http::StatusCode;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[tokio::test]
async fn requests_without_a_valid_token_are_told_where_to_sign_in() {
    let fixture = McpFixture::start().await;
    fixture.tokens.grant("narrow", &fixture.account_id, &["other"]);
    let ask = message("tools/list", &json!({}));
    let table = [
        ("", 401, ""),
        ("Basic abc", 401, ""),
        ("Bearer nonsense", 401, "invalid_token"),
        ("Bearer a b", 401, "invalid_token"),
        ("Bearer narrow", 403, "insufficient_scope"),
    ];
    for (authorization, status, error) in table {
        let answer = fixture.post(&ask, &[("authorization", authorization)]).await;
        assert_eq!(answer.status.as_u16(), status, "{authorization}: {}", answer.text);
        let challenge = answer.header("www-authenticate");
        let metadata = format!("resource_metadata=\"{}/.well-known/oauth-protected-resource/mcp\"", fixture.base());
        assert!(challenge.starts_with("Bearer ") && challenge.contains(&metadata), "{challenge}");
        assert_eq!(challenge.contains("error="), !error.is_empty(), "{challenge}");
        assert!(challenge.contains(error), "{challenge}");
    }
    let got = fixture.get("/mcp").await;
    assert_eq!(got.status, StatusCode::UNAUTHORIZED);
    assert_eq!(fixture.post(&ask, &[]).await.status, StatusCode::OK);
    let asked = fixture.tokens.asked.lock().unwrap().clone();
    assert!(asked.iter().all(|resource| *resource == fixture.url), "tokens are for this server: {asked:?}");
}

#[tokio::test]
async fn metadata_names_the_console() {
    let fixture = McpFixture::start().await;
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        let answer = fixture.get(path).await;
        let document: Value = serde_json::from_str(&answer.text).unwrap();
        assert_eq!(document["resource"], fixture.url);
        assert_eq!(document["authorization_servers"], json!(["https://console.example.com"]));
        assert_eq!(document["scopes_supported"], json!(["extract"]));
        assert_eq!(answer.header("access-control-allow-origin"), "*");
    }
}

#[tokio::test]
async fn revoked_token_soon_stops_working() {
    let fixture = McpFixture::start().await;
    let ask = message("tools/list", &json!({}));
    assert_eq!(fixture.post(&ask, &[]).await.status, StatusCode::OK);
    fixture.tokens.revoke(TOKEN);
    let until = Instant::now() + Duration::from_secs(30);
    while fixture.post(&ask, &[]).await.status != StatusCode::UNAUTHORIZED {
        assert!(Instant::now() < until, "the token still works");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_rejected() {
    let fixture = McpFixture::start().await;
    let ask = message("tools/list", &json!({}));
    let own = fixture.base().to_owned();
    let authority = own.trim_start_matches("http://").to_owned();
    let table = [
        (vec![("host", "evil.example.com")], 403),
        (vec![("host", authority.as_str()), ("origin", "https://evil.example.com")], 403),
        (vec![("origin", "null")], 403),
        (vec![("origin", "http://127.0.0.1:1")], 403),
        (vec![("origin", "https://app.example.com.evil.com")], 403),
        (vec![("origin", own.as_str())], 200),
        (vec![("origin", "https://app.example.com")], 200),
        (vec![], 200),
    ];
    for (headers, status) in table {
        let answer = fixture.post(&ask, &headers).await;
        assert_eq!(answer.status.as_u16(), status, "{headers:?}: {}", answer.text);
    }
    // Content types that a form or a script can send to another origin without a preflight.
    for content_type in ["text/plain", "application/x-www-form-urlencoded", ""] {
        let answer = fixture.post(&ask, &[("content-type", content_type)]).await;
        assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{content_type}");
    }
}
