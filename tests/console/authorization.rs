//! Runs the protocol's official conformance suite against the console's authorization server.

use crate::fleet;
use crate::sign_up_actor::{Person, attribute};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The suite's process.
struct Suite(Child);

impl Suite {
    fn start(told: &Value) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("mcp");
        assert!(folder.join("node_modules/conformance-next").exists(), "npm packages are missing: run `make setup`");
        let mut command = Command::new("node");
        command.arg(folder.join("authorization.mjs")).arg(told.to_string()).stdout(Stdio::piped());
        Self(command.spawn().unwrap())
    }
}

impl Drop for Suite {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Registers a public client at the console dynamically.
async fn register(http: &reqwest::Client, console: &str, redirect: &str) -> String {
    let client = json!({
        "client_name": "Conformance", "redirect_uris": [redirect], "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code"], "response_types": ["code"],
    });
    let request = http.post(format!("{console}/oauth/register")).header("content-type", "application/json");
    let answer = request.body(client.to_string()).send().await.unwrap().text().await.unwrap();
    let registered: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer}"));
    registered["client_id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn authorization_scenarios_of_the_official_suite_pass() {
    let (fleet, url, mcp) = fleet(false).await;
    let mut person = Person::new(&url);
    person.sign_up("jane@example.org", &fleet.folder().join("data/mail")).await;
    let port = limner_local_servers::free_port().unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let client = register(&http, &url, &format!("http://127.0.0.1:{port}/callback")).await;

    let mut suite = Suite::start(&json!({ "issuer": url, "client": client, "resource": mcp, "port": port }));
    let mut lines = BufReader::new(suite.0.stdout.take().unwrap()).lines();
    let mut next = || tokio::task::block_in_place(|| lines.next()).map(Result::unwrap);
    let mut said = String::new();
    let path = loop {
        let line = next().unwrap_or_else(|| panic!("the suite has ended: {said}"));
        said.push_str(&line);
        said.push('\n');
        match line.strip_prefix(&url) {
            Some(path) if path.starts_with("/oauth/authorize?") => break path.to_owned(),
            _ => {}
        }
    };
    let page = person.get(&path).await;
    let request = attribute(&page, "input[name=request]", "value");
    person.post("/oauth/authorize", &[("request", &request), ("decision", "allow")]).await;
    assert!(http.get(&person.location).send().await.unwrap().status().is_success(), "{}", person.location);
    while let Some(line) = next() {
        said.push_str(&line);
        said.push('\n');
    }
    let ended = tokio::task::block_in_place(|| suite.0.wait().unwrap());
    assert!(ended.success(), "{said}\n{}", fleet.log());
    for scenario in ["authorization-server-metadata-endpoint", "authorization-code-grant"] {
        assert!(said.contains(scenario), "{scenario} ran: {said}");
    }
    assert!(!said.contains("SKIPPED") && !said.contains("WARNING"), "{said}");
}
