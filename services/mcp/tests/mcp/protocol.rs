//! Protocol revisions, lists, long calls and errors.

use crate::support::{McpFixture, message};
use http::StatusCode;
use limner_testkit::CannedResponse;
use serde_json::{Value, json};
use std::time::Duration;

/// Returns the parameters of a request of revision 2026-07-28.
pub(crate) fn modern(params: &Value) -> Value {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}

#[tokio::test]
async fn clients_of_every_revision_are_served_without_sessions() {
    let fixture = McpFixture::start().await;
    for version in ["2025-11-25", "2025-06-18"] {
        let client =
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let opened = fixture.post(&message("initialize", &client), &[]).await;
        assert_eq!(opened.result()["protocolVersion"], version);
        assert!(!opened.header("mcp-session-id").is_empty());
        let notified = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(fixture.post(&notified, &[("mcp-protocol-version", version)]).await.status, StatusCode::ACCEPTED);
        // Sessions are not stored: a process that never saw the session serves it.
        let headers = [("mcp-protocol-version", version), ("mcp-session-id", "of-another-process")];
        let listed = fixture.post(&message("tools/list", &json!({})), &headers).await;
        let tools = listed.result();
        assert_eq!(tools["tools"].as_array().unwrap().len(), 5, "{tools}");
        assert!(tools.get("resultType").is_none() && listed.header("content-type").starts_with("application/json"));
    }
    let versions = [("mcp-protocol-version", "2026-07-28")];
    let method = |name: &'static str| [versions[0], ("mcp-method", name)];
    let discovered = fixture.post(&message("server/discover", &modern(&json!({}))), &method("server/discover")).await;
    let supported = discovered.result()["supportedVersions"].clone();
    assert!(supported.as_array().unwrap().contains(&"2026-07-28".into()), "{supported}");
    let listed = fixture.post(&message("tools/list", &modern(&json!({}))), &method("tools/list")).await.result();
    assert_eq!((listed["tools"].as_array().unwrap().len(), &listed["resultType"]), (5, &"complete".into()));
    let unknown = fixture.post(&message("tools/list", &json!({})), &[("mcp-protocol-version", "1999-01-01")]).await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn body_that_is_no_json_is_a_parse_error() {
    let fixture = McpFixture::start().await;
    for body in ["{not json", "", "{} {}"] {
        let response = fixture.request(&json!({}), &[]).body(body).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(response.headers()["content-type"], "application/json", "{body}");
        let error: Value = response.json().await.unwrap();
        assert_eq!((&error["error"]["code"], &error["id"]), (&json!(-32700), &Value::Null), "{error}");
    }
}

#[tokio::test]
async fn unknown_names_are_protocol_errors() {
    let fixture = McpFixture::start().await;
    for (method, params, says) in [
        ("tools/call", json!({ "name": "extract_soul", "arguments": {} }), "extract_soul"),
        ("prompts/get", json!({ "name": "nonsense", "arguments": { "url": "a" } }), "nonsense"),
        ("resources/read", json!({ "uri": "file:///etc/passwd" }), "no such resource"),
        ("resources/read", json!({ "uri": "limner://results/brand?until=1&url=a.com" }), "no longer kept"),
        ("paint", json!({}), "paint"),
    ] {
        let answer = fixture.ask(method, &params).await;
        let fault = answer.messages().pop().unwrap();
        assert!(fault["error"]["message"].as_str().unwrap().contains(says), "{method}: {fault}");
    }
    let broken = fixture.post(&json!("no message"), &[]).await;
    assert!(broken.status.is_client_error(), "{}", broken.text);
    let huge = message("tools/call", &json!({ "name": "x".repeat(400_000) }));
    assert_eq!(fixture.post(&huge, &[]).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(fixture.gateway.requests().is_empty());
}

#[tokio::test]
async fn long_read_sends_requested_progress() {
    let fixture = McpFixture::start().await;
    let body = r#"{"url":"https://a.test/","title":"A","usage":{"creditsSpent":15}}"#;
    fixture.gateway.on("/v1/brand", CannedResponse::json(body).after(Duration::from_millis(2_500)));
    let arguments =
        json!({ "name": "extract_brand", "arguments": { "url": "a.test" }, "_meta": { "progressToken": "p1" } });
    let answer = fixture.ask("tools/call", &arguments).await;
    assert!(answer.header("content-type").starts_with("text/event-stream"), "{:?}", answer.headers);
    let messages = answer.messages();
    let progress: Vec<f64> = messages
        .iter()
        .filter(|message| message["method"] == "notifications/progress" && message["params"]["progressToken"] == "p1")
        .map(|message| message["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(!progress.is_empty() && progress.windows(2).all(|pair| pair[0] < pair[1]), "{messages:?}");
    assert_eq!(answer.result()["structuredContent"]["title"], "A");
}
