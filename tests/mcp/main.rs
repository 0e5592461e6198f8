//! The MCP server of a whole fleet, called by the protocol's official clients.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cancelling;
mod conformance;
mod fixtures;
mod overhead;

use limner_proto::v1;
use limner_proto::v1::grant_service_client::GrantServiceClient;
use limner_testkit::CannedResponse;
use limner_tests::{Account, Fleet, FleetOptions};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const PAGE: &str = r#"<!doctype html><html lang=en><title>Lamps</title><meta name=description content="Lamps for every room">
    <style>:root{--ink:#123456}body{color:var(--ink);font:16px/1.5 Georgia,serif;margin:8px}h1{font-size:48px}</style>
    <header><svg viewBox="0 0 2 2"><title>Dot</title><path d="M0 0h1v1z"/></svg></header>
    <main><section id=hero><h1>Every lamp we make</h1><p>All the words that a hero needs to be one, and more.</p>
    <img src=/lamp.png alt="A lamp"><a href=/buy>Buy one</a></section></main>"#;

/// A fleet with an MCP server, and a user who has authorized a client.
pub(crate) struct Signed {
    pub(crate) fleet: Fleet,
    pub(crate) account: Account,
    pub(crate) url: String,
    pub(crate) token: String,
    pub(crate) metering: String,
    pub(crate) console: String,
}

impl Signed {
    pub(crate) async fn start() -> Self {
        let [port, metering, console] = [(); 3].map(|()| limner_local_servers::free_port().unwrap());
        let extra_config = format!(
            "[mcp]\nlisten = \"127.0.0.1:{port}\"\n[metering]\nlisten = \"127.0.0.1:{metering}\"\n\
             [console]\nlisten = \"127.0.0.1:{console}\"\n"
        );
        let fleet = Fleet::start_with(FleetOptions { extra_config, ..FleetOptions::default() }).await;
        fleet.site.on("/", CannedResponse::html(PAGE));
        fleet.site.on("/slow", CannedResponse::html(PAGE).after(Duration::from_millis(2_500)));
        let account = fleet.roomy_account();
        let url = format!("http://127.0.0.1:{port}/mcp");
        wait_until_it_answers(&url).await;
        let [metering, console] = [metering, console].map(|port| format!("http://127.0.0.1:{port}"));
        let token = token(&metering, &account.id, &url).await;
        Self { fleet, account, url, token, metering, console }
    }

    fn to_json(&self) -> Value {
        json!({ "url": self.url, "token": self.token, "page": "http://site.test/", "results": self.fleet.folder() })
    }

    /// Runs a client; returns its last output, as JSON.
    fn run(&self, command: &mut Command) -> Value {
        let output = run(command);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{out}\n{err}\n{}", self.fleet.log());
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}\n{err}"))
    }
}

/// Waits until the server responds: its port opens a moment after the gateway's.
pub(crate) async fn wait_until_it_answers(url: &str) {
    for _ in 0..1_200 {
        if reqwest::get(url).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{url} does not answer");
}

pub(crate) fn run(command: &mut Command) -> std::process::Output {
    tokio::task::block_in_place(|| command.stdin(Stdio::null()).output().unwrap())
}

fn hash(text: &str) -> Vec<u8> {
    Sha256::digest(text).to_vec()
}

/// Issues a token like the authorization server: creates a grant and exchanges its code.
pub(crate) async fn token(metering: &str, account_id: &str, resource: &str) -> String {
    let mut grants = GrantServiceClient::connect(metering.to_owned()).await.unwrap();
    let code = format!("code of {account_id} for {resource}");
    let (client_id, challenge) = ("https://client.example/id.json".to_owned(), "x".repeat(43));
    let granted = v1::CreateGrantRequest {
        account_id: account_id.to_owned(),
        client_id: client_id.clone(),
        client_name: "Conformance".to_owned(),
        scopes: vec!["extract".to_owned()],
        resource: resource.to_owned(),
        redirect_uri: "http://127.0.0.1/callback".to_owned(),
        code_challenge: challenge.clone(),
        code_sha256: hash(&code),
        code_life_seconds: 60,
    };
    grants.create_grant(granted).await.unwrap();
    let token = format!("token-of-{account_id}-for-{resource}");
    let tokens = v1::NewTokens {
        access_sha256: hash(&token),
        access_life_seconds: 3_600,
        refresh_sha256: hash(&format!("refresh of {token}")),
        refresh_life_seconds: 86_400,
    };
    let exchange = v1::ExchangeCodeRequest {
        code_sha256: hash(&code),
        client_id,
        redirect_uri: None,
        code_challenge: challenge,
        resource: None,
        tokens: Some(tokens),
    };
    let issued = grants.exchange_code(exchange).await.unwrap().into_inner();
    assert_eq!(issued.outcome(), v1::TokenOutcome::Issued);
    token
}

pub(crate) fn fixture_path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("mcp").join(name);
    assert!(path.exists(), "{} is missing: run `make setup`", path.display());
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn official_clients_do_everything_and_the_history_shows_them() {
    let signed = Signed::start().await;
    let told = signed.to_json().to_string();
    fixture_path("node_modules/@modelcontextprotocol/client");
    let spoken = signed.run(Command::new("node").arg(fixture_path("client.mjs")).arg(&told));
    assert_eq!(spoken, json!({ "legacy": "2025-11-25", "latest": "2026-07-28" }), "TypeScript");

    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/mcp/bin/python");
    assert!(python.exists(), "the Python client is missing: run `make setup`");
    let spoken = signed.run(Command::new(python).arg(fixture_path("client.py")).arg(&told));
    assert_eq!(spoken, json!({ "legacy": "2025-11-25", "latest": "2026-07-28" }), "Python");

    let inspector = fixture_path("node_modules/@modelcontextprotocol/inspector-cli/build");
    let inspect = |more: &[&str]| {
        let mut command = Command::new("node");
        // It looks for its own package in the current directory.
        command.current_dir(&inspector).args(["cli.js", "--cli", &signed.url, "--transport", "http"]);
        command.args(more).args(["--header", &format!("Authorization: Bearer {}", signed.token)]);
        signed.run(&mut command)
    };
    assert_eq!(inspect(&["--method", "tools/list"])["tools"].as_array().unwrap().len(), 5);
    let call = ["--method", "tools/call", "--tool-name", "extract_brand", "--tool-arg", "url=http://site.test/"];
    assert_eq!(inspect(&call)["structuredContent"]["title"], "Lamps");

    // Metered on the account, under the client's name.
    let request = v1::ListCallsRequest { account_id: signed.account.id.clone(), limit: 100, ..Default::default() };
    let mut accounts =
        v1::account_service_client::AccountServiceClient::connect(signed.metering.clone()).await.unwrap();
    let calls = accounts.list_calls(request).await.unwrap().into_inner().calls;
    assert!(calls.len() > 5, "{calls:?}");
    for call in &calls {
        assert_eq!((call.key_purpose(), call.key_name.as_str()), (v1::KeyPurpose::Mcp, "MCP · Conformance"));
    }
    let spent: u64 = calls.iter().filter_map(|call| call.entry.as_ref()).map(|entry| entry.credits).sum();
    assert!(spent >= 15 + 10 + 25 + 1 + 11, "{spent} credits: {calls:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ended_grant_is_soon_rejected() {
    let signed = Signed::start().await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let ask = async || {
        let request = http.post(&signed.url).bearer_auth(&signed.token).header("content-type", "application/json");
        let request = request.header("accept", "application/json, text/event-stream");
        request.body(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).send().await.unwrap().status().as_u16()
    };
    assert_eq!(ask().await, 200);
    let mut grants = GrantServiceClient::connect(signed.metering.clone()).await.unwrap();
    let revoked = v1::RevokeGrantsRequest { account_id: signed.account.id.clone() };
    assert_eq!(grants.revoke_grants(revoked).await.unwrap().into_inner().grants.len(), 1);
    let mut status = ask().await;
    for _ in 0..600 {
        if status == 401 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        status = ask().await;
    }
    assert_eq!(status, 401);
}
