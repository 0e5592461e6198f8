//! The protocol's official conformance suite.

use crate::fixtures::Fixtures;
use crate::{Signed, fixture_path, run, token};
use limner_mcp::{Config, McpServer, Sessions};
use serde_json::{Value, json};
use std::process::Command;
use tokio_util::sync::CancellationToken;

/// The latest version of the suite, for revisions up to 2025-11-25.
const RELEASED: Suite = Suite { package: "@modelcontextprotocol/conformance", more: &[] };
/// The pre-release of the next one, for revision 2026-07-28.
const NEXT: Suite = Suite { package: "conformance-next", more: &["--spec-version", "2026-07-28"] };

struct Suite {
    package: &'static str,
    more: &'static [&'static str],
}

impl Suite {
    /// Runs every scenario for servers. Those in the file `expected` must fail, all others must pass.
    fn run(&self, signed: &Signed, url: &str, token: &str, expected: Option<&str>) -> String {
        fixture_path(&format!("node_modules/{}", self.package));
        let mut told: Value = json!({ "url": url, "token": token, "suite": self.package, "more": self.more });
        told["expected"] = json!(expected);
        told["results"] = json!(signed.fleet.folder());
        let mut command = Command::new("node");
        command.arg(fixture_path("conformance.mjs")).arg(told.to_string());
        let output = run(&mut command);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{out}\n{err}\n{}", signed.fleet.log());
        out.into_owned()
    }
}

/// The server as in a fleet: the scenarios that need no tools, resources and prompts of the suite.
#[tokio::test(flavor = "multi_thread")]
async fn official_conformance_suite_passes() {
    let signed = Signed::start().await;
    let out = RELEASED.run(&signed, &signed.url, &signed.token, Some("conformance.yml"));
    assert!(out.contains("tools-list") && out.contains("dns-rebinding-protection"), "the suite ran: {out}");
}

/// The same server, sign-in and fleet, with the suite's fixtures besides the tools.
async fn with_fixtures(signed: &Signed, sessions: Sessions, held_against: impl FnOnce(&str, &str)) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = Config {
        listen: listener.local_addr().unwrap(),
        console_url: signed.console.clone(),
        gateway_url: signed.fleet.base_url.trim_end_matches("/v1").to_owned(),
        metering_url: signed.metering.clone(),
        ..Config::default()
    };
    let server = McpServer::with_handler_layer(listener, config, Fixtures::new, sessions).unwrap();
    let (url, stop) = (server.url(), CancellationToken::new());
    let running = tokio::spawn(server.run(stop.clone()));
    let token = token(&signed.metering, &signed.account.id, &url).await;
    held_against(&url, &token);
    stop.cancel();
    running.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn conformance_suite_with_its_fixtures_passes() {
    let signed = Signed::start().await;
    let whole = |url: &str, token: &str| {
        let out = RELEASED.run(&signed, url, token, None);
        for scenario in
            ["tools-call-sampling", "elicitation-sep1330-enums", "server-sse-polling", "resources-subscribe"]
        {
            assert!(out.contains(scenario), "{scenario} ran: {out}");
        }
    };
    with_fixtures(&signed, Sessions::InProcess, whole).await;
}

/// Without sessions, as in a fleet.
#[tokio::test(flavor = "multi_thread")]
async fn next_suites_scenarios_for_the_latest_revision_pass() {
    let signed = Signed::start().await;
    let latest = |url: &str, token: &str| {
        let out = NEXT.run(&signed, url, token, Some("conformance-next.yml"));
        for scenario in ["server-stateless", "http-header-validation", "caching"] {
            assert!(out.contains(scenario), "{scenario} ran: {out}");
        }
    };
    with_fixtures(&signed, Sessions::None, latest).await;
}
