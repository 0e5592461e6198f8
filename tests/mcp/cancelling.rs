//! Clients that cancel calls: nothing is charged, and other callers are unaffected.

use crate::Signed;
use limner_proto::v1;
use limner_testkit::CannedResponse;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinHandle;

const LEGACY: &str = "2025-11-25";
const LATEST: &str = "2026-07-28";
/// Long enough to cancel meanwhile on any machine.
const SLOW: Duration = Duration::from_secs(6);

/// A client's requests, with ids from the test.
struct Requests<'a> {
    signed: &'a Signed,
    http: reqwest::Client,
    session: String,
}

impl<'a> Requests<'a> {
    async fn start(signed: &'a Signed) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut requests = Self { signed, http, session: String::new() };
        let client =
            json!({ "protocolVersion": LEGACY, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let opened = requests.post(&message(0, "initialize", client), LEGACY).send().await.unwrap();
        requests.session = opened.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        requests
    }

    fn post(&self, message: &Value, version: &str) -> reqwest::RequestBuilder {
        let request = self.http.post(&self.signed.url).bearer_auth(&self.signed.token).body(message.to_string());
        let request = request.header("content-type", "application/json").header("mcp-protocol-version", version);
        let request = request.header("accept", "application/json, text/event-stream");
        match version {
            LATEST => request.header("mcp-method", "tools/call").header("mcp-name", "extract_svgs"),
            _ => request.header("mcp-session-id", &self.session),
        }
    }

    /// Starts a tool call.
    fn call(&self, id: u32, version: &str, page: &str) -> JoinHandle<Value> {
        let mut params = json!({ "name": "extract_svgs", "arguments": { "url": page } });
        if version == LATEST {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": LATEST,
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let request = self.post(&message(id, "tools/call", params), version);
        tokio::spawn(async move { request.send().await.unwrap().json().await.unwrap() })
    }

    async fn cancel(&self, id: u32) {
        let gone = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        assert_eq!(self.post(&gone, LEGACY).send().await.unwrap().status(), 202);
    }

    /// Returns outcome and credits of the account's calls for a page, latest first.
    async fn history(&self, page: &str) -> Vec<(String, u64)> {
        let accounts = v1::account_service_client::AccountServiceClient::connect(self.signed.metering.clone()).await;
        let account_id = self.signed.account.id.clone();
        let request = v1::ListCallsRequest { account_id, limit: 100, ..Default::default() };
        let calls = accounts.unwrap().list_calls(request).await.unwrap().into_inner().calls;
        let entries = calls.into_iter().filter_map(|call| call.entry).filter(|entry| entry.url == page);
        entries.map(|entry| (entry.outcome, entry.credits)).collect()
    }

    async fn wait_until_given_up(&self, page: &str) {
        for _ in 0..600 {
            if self.history(page).await == [("cancelled".to_owned(), 0)] {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{:?}\n{}", self.history(page).await, self.signed.fleet.log());
    }

    /// Returns this month's credits according to `GET /v1/usage`.
    async fn spent_credits(&self) -> u64 {
        let usage = self.signed.fleet.call("usage", &[], &self.signed.account).await;
        usage.json["usage"]["creditsThisMonth"].as_u64().unwrap()
    }
}

fn message(id: u32, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_releases_the_hold_and_leaves_no_free_result() {
    let signed = Signed::start().await;
    let requests = Requests::start(&signed).await;
    for (id, version) in [(1, LEGACY), (2, LATEST)] {
        let (path, page) = (format!("/{version}"), format!("http://site.test/{version}"));
        signed.fleet.site.on(&path, CannedResponse::html(crate::PAGE).after(SLOW));
        let spent = requests.spent_credits().await;
        let call = requests.call(id, version, &page);
        signed.fleet.site.wait_for(&path, 1).await;
        match version {
            LEGACY => requests.cancel(id).await,
            // This revision's way to cancel.
            _ => call.abort(),
        }
        requests.wait_until_given_up(&page).await;
        assert_eq!(requests.spent_credits().await, spent);
        // A repeated call is charged like any call, whether the page has been read by then or not.
        let again = requests.call(id + 10, LEGACY, &page).await.unwrap();
        let usage = &again["result"]["structuredContent"]["usage"];
        assert_eq!((&usage["creditsSpent"], &usage["cached"]), (&json!(1), &json!(false)), "{again}");
        assert_eq!(requests.spent_credits().await, spent + 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_caller_of_a_cancelled_call_is_served_and_charged() {
    let signed = Signed::start().await;
    let requests = Requests::start(&signed).await;
    let other = signed.fleet.roomy_account();
    let page = "http://site.test/shared";
    signed.fleet.site.on("/shared", CannedResponse::html(crate::PAGE).after(SLOW));
    let call = requests.call(1, LEGACY, page);
    signed.fleet.site.wait_for("/shared", 1).await;
    let waits = async { signed.fleet.call("svg", &[("url", page)], &other).await };
    let cancels = async {
        requests.cancel(1).await;
        requests.wait_until_given_up(page).await;
    };
    let (answer, ()) = tokio::join!(waits, cancels);
    assert_eq!(answer.usage()["creditsSpent"], 1, "{answer:?}");
    assert_eq!(
        (requests.spent_credits().await, signed.fleet.site.count("/shared")),
        (0, 1),
        "read once, paid by the remaining caller"
    );
    // The client that cancelled is told so, and gets no data of the page.
    let told = call.await.unwrap();
    assert_eq!(told["result"]["isError"], true, "{told}");
    assert!(!told.to_string().contains("<path"), "{told}");
}
