//! Cancellation by clients of every protocol revision.

use crate::protocol::modern;
use crate::support::{McpFixture, message};
use limner_testkit::CannedResponse;
use serde_json::{Value, json};

const LEGACY: &str = "2025-11-25";

fn brand(page: &str) -> Value {
    json!({ "name": "extract_brand", "arguments": { "url": page } })
}

/// Returns the names of the calls that were cancelled at the gateway.
fn given_up(fixture: &McpFixture) -> Vec<String> {
    let requests = fixture.gateway.requests();
    let given_up = requests.iter().filter_map(|request| {
        assert!(request.header("authorization").starts_with("Bearer lm_"), "{request:?}");
        request.path.strip_prefix("/internal/calls/").filter(|_| request.method == "DELETE")
    });
    given_up.map(str::to_owned).collect()
}

async fn wait_until_given_up(fixture: &McpFixture) -> Vec<String> {
    for _ in 0..600 {
        match given_up(fixture) {
            none if none.is_empty() => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            some => return some,
        }
    }
    panic!("nothing was cancelled");
}

fn name_of_call(fixture: &McpFixture) -> String {
    let requests = fixture.gateway.requests();
    let request = requests.iter().find(|request| request.path == "/v1/brand").unwrap();
    let name = request.header("limner-cancellation-id");
    assert_eq!(request.header("limner-call"), name, "gateways of the previous release know this header");
    name.to_owned()
}

#[tokio::test]
async fn client_with_a_session_cancels_by_request_id() {
    let fixture = McpFixture::start().await;
    fixture.gateway.on("/v1/brand", CannedResponse::silent());
    let client =
        json!({ "protocolVersion": LEGACY, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let session = fixture.post(&message("initialize", &client), &[]).await.header("mcp-session-id").to_owned();
    let headers = [("mcp-protocol-version", LEGACY), ("mcp-session-id", session.as_str())];
    let waiting = tokio::spawn(fixture.request(&message("tools/call", &brand("a.test")), &headers).send());
    fixture.gateway.wait_for("/v1/brand", 1).await;

    let cancel =
        |id: Value| json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    // Another session uses the same request ids.
    let other = [("mcp-protocol-version", LEGACY), ("mcp-session-id", "another")];
    assert_eq!(fixture.post(&cancel(json!(1)), &other).await.status, 202);
    assert_eq!(fixture.post(&cancel(json!(2)), &headers).await.status, 202);
    // Without a session requests cannot be distinguished, and without a token a request is rejected.
    assert_eq!(fixture.post(&cancel(json!(1)), &[("mcp-protocol-version", LEGACY)]).await.status, 202);
    let stranger = [("authorization", "Bearer nonsense"), headers[0], headers[1]];
    assert_eq!(fixture.post(&cancel(json!(1)), &stranger).await.status, 401);
    let name = name_of_call(&fixture);
    let others = given_up(&fixture);
    assert!(others.len() == 2 && !others.contains(&name), "{others:?}");

    assert_eq!(fixture.post(&cancel(json!(1)), &headers).await.status, 202);
    assert_eq!(given_up(&fixture).last(), Some(&name));
    waiting.abort();
}

#[tokio::test]
async fn client_of_the_latest_revision_closes_the_stream() {
    let fixture = McpFixture::start().await;
    fixture.gateway.on("/v1/brand", CannedResponse::silent());
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "extract_brand")];
    let call = message("tools/call", &modern(&brand("a.test")));
    let waiting = tokio::spawn(fixture.request(&call, &headers).send());
    fixture.gateway.wait_for("/v1/brand", 1).await;
    waiting.abort();
    assert_eq!(wait_until_given_up(&fixture).await, [name_of_call(&fixture)]);
}

#[tokio::test]
async fn connection_that_breaks_is_no_cancellation_before_that_revision() {
    let fixture = McpFixture::start().await;
    fixture.gateway.on("/v1/brand", CannedResponse::silent());
    let headers = [("mcp-protocol-version", LEGACY), ("mcp-session-id", "s")];
    let call = message("tools/call", &brand("a.test"));
    let waiting = tokio::spawn(fixture.request(&call, &headers).send());
    fixture.gateway.wait_for("/v1/brand", 1).await;
    waiting.abort();
    let _ = waiting.await;
    // The server keeps working, and the next calls are answered.
    fixture.gateway.on("/v1/brand", CannedResponse::json(r#"{"url":"https://a.test/"}"#));
    for _ in 0..5 {
        assert_eq!(fixture.call("extract_brand", &json!({ "url": "a.test" })).await["isError"], false);
    }
    assert!(given_up(&fixture).is_empty());
}
