//! `limner mcp --stdio`: the tools for agents over standard input and output.

use super::{limner, site};
use limner_testkit::{CannedResponse, OriginServer};
use limner_types::ApiKey;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use tempfile::TempDir;

/// Returns a folder with a configuration that sets nothing.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("limner.toml"), "").unwrap();
    folder
}

fn key() -> ApiKey {
    ApiKey::from_secret([7; 32])
}

/// A client of `limner mcp --stdio`: one line of JSON per message.
struct Tools {
    child: std::process::Child,
    answers: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Tools {
    /// Starts the tools that extract in their own process.
    fn start(folder: &TempDir) -> Self {
        Self::start_with(folder, &[], Stdio::inherit())
    }

    /// Starts the tools that call the gateway at `url`.
    fn start_hosted(folder: &TempDir, url: &str, log: Stdio) -> Self {
        Self::start_with(folder, &[("LIMNER_API_KEY", key().expose()), ("LIMNER_URL", url)], log)
    }

    fn start_with(folder: &TempDir, variables: &[(&str, &str)], log: Stdio) -> Self {
        let config = folder.path().join("limner.toml");
        let mut command = limner(&["mcp", "--stdio", "--config", config.to_str().unwrap()]);
        command.envs(variables.iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut tools = Self { child, answers };
        let client = json!({ "name": "test", "version": "1" });
        let opened = tools
            .ask("initialize", &json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client }));
        assert_eq!(
            (&opened["protocolVersion"], &opened["serverInfo"]["name"]),
            (&"2025-11-25".into(), &"limner".into())
        );
        tools.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        tools
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }));
        loop {
            let line = self.answers.next().expect("an answer").unwrap();
            let mut message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == 7 {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].take();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// Closes the client's side, upon which the process ends.
    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_over_standard_input_and_output_need_no_servers() {
    let (site, folder) = site().await;
    tokio::task::block_in_place(|| {
        let mut tools = Tools::start(&folder);
        let listed = tools.ask("tools/list", &json!({}));
        let names: Vec<&str> =
            listed["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
        assert_eq!(names, ["extract_design_tokens", "extract_brand", "extract_code", "extract_svgs", "extract_assets"]);

        let page = "http://site.test/shop/";
        let svgs = tools.call("extract_svgs", &json!({ "url": page }));
        assert_eq!((&svgs["structuredContent"]["count"], &svgs["isError"]), (&1.into(), &false.into()), "{svgs}");
        assert!(svgs["content"][0]["text"].as_str().unwrap().contains("<svg"), "{svgs}");
        let assets = tools.call("extract_assets", &json!({ "url": page, "kinds": ["images", "fonts"] }));
        assert_eq!(assets["structuredContent"]["counts"]["fonts"], 0, "{assets}");
        assert!(assets["content"][0]["text"].as_str().unwrap().contains("http://site.test/shop/a.png"), "{assets}");
        let css = tools.call("extract_design_tokens", &json!({ "url": page, "format": "css" }));
        assert!(css["structuredContent"]["text"].as_str().unwrap().contains(":root"), "{css}");

        let wrong = tools.call("extract_brand", &json!({ "url": page, "fields": ["colour"] }));
        assert_eq!(wrong["isError"], true);
        assert!(wrong["content"][0]["text"].as_str().unwrap().contains("Valid values: title"), "{wrong}");
        let nowhere = tools.call("extract_brand", &json!({ "url": "http://no-such-host.invalid/" }));
        assert!(nowhere["content"][0]["text"].as_str().unwrap().starts_with("target_unreachable"), "{nowhere}");

        let reads = site.count("/shop/");
        let again = tools.call("extract_svgs", &json!({ "url": page }));
        assert_eq!((&again["structuredContent"], site.count("/shop/")), (&svgs["structuredContent"], reads));
        let listed = tools.ask("resources/list", &json!({}));
        let uri = &listed["resources"][0]["uri"];
        let read = tools.ask("resources/read", &json!({ "uri": uri }));
        assert!(read["contents"][0]["text"].as_str().unwrap().contains("\"svgs\""), "{read}");
        let prompt = tools.ask("prompts/get", &json!({ "name": "recreate_section", "arguments": { "url": "a.test" } }));
        assert!(prompt["messages"][0]["content"]["text"].as_str().unwrap().contains("extract_code"), "{prompt}");
        tools.end();
    });
}

#[test]
fn message_that_is_no_json_is_answered() {
    let folder = folder();
    let mut tools = Tools::start(&folder);
    writeln!(tools.child.stdin.as_mut().unwrap(), "{{not json").unwrap();
    let answer: Value = serde_json::from_str(&tools.answers.next().unwrap().unwrap()).unwrap();
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&(-32700).into(), &Value::Null), "{answer}");
    assert!(tools.ask("tools/list", &json!({}))["tools"].is_array(), "the connection stays open");
    tools.end();
}

#[test]
fn tools_name_prices_only_if_there_are_any() {
    let folder = folder();
    let mut tools = Tools::start(&folder);
    let listed = tools.ask("tools/list", &json!({})).to_string();
    assert!(!listed.contains("Costs") && !listed.contains("24 hours"), "{listed}");
    tools.end();
    let mut tools = Tools::start_hosted(&folder, "http://127.0.0.1:9", Stdio::inherit());
    let listed = tools.ask("tools/list", &json!({})).to_string();
    assert!(listed.contains("Costs 25 credits") && !listed.contains("24 hours"), "{listed}");
    tools.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_url_of_a_gateway_is_named() {
    let other = OriginServer::start().await;
    other.on("/v1/brand", CannedResponse::html("<p>Welcome to nginx"));
    let folder = folder();
    let others_url = format!("http://{}", other.address());
    tokio::task::block_in_place(|| {
        for (url, says) in [("http://127.0.0.1:9", "cannot be reached"), (&others_url, "is it a Limner?")] {
            let log = std::fs::File::create(folder.path().join("log")).unwrap();
            let mut tools = Tools::start_hosted(&folder, url, log.into());
            let failed = tools.call("extract_brand", &json!({ "url": "a.test" }));
            let said = failed["content"][0]["text"].as_str().unwrap();
            assert!(said.contains(url) && said.contains(says) && said.contains("Check LIMNER_URL."), "{said}");
            assert_eq!(failed["isError"], true);
            tools.end();
            let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
            assert!(log.contains(says) && log.contains("Check LIMNER_URL."), "{log}");
        }
    });
    let output =
        limner(&["mcp", "--stdio"]).envs([("LIMNER_API_KEY", key().expose()), ("LIMNER_URL", "limner")]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(64));
    assert!(super::text(&output.stderr).contains("`limner` is not an address"), "{}", super::text(&output.stderr));
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_with_a_key_call_the_gateway() {
    let gateway = OriginServer::start().await;
    let folder = folder();
    let usage = json!({ "creditsSpent": 15, "remaining": 285, "cached": false });
    gateway.on(
        "/v1/brand",
        CannedResponse::json(json!({ "url": "https://a.test/", "title": "A", "usage": usage }).to_string()),
    );
    tokio::task::block_in_place(|| {
        let url = format!("http://{}/v1", gateway.address());
        let mut tools = Tools::start_hosted(&folder, &url, Stdio::inherit());
        let brand = tools.call("extract_brand", &json!({ "url": "a.test", "render": true }));
        assert_eq!(brand["structuredContent"]["title"], "A", "{brand}");
        assert!(
            brand["content"][0]["text"].as_str().unwrap().ends_with("15 credits spent; 285 left this month."),
            "{brand}"
        );
        tools.end();
    });
    let seen = gateway.requests();
    let of_call = seen.iter().find(|request| request.path == "/v1/brand").unwrap();
    assert_eq!(of_call.header("authorization"), format!("Bearer {}", key().expose()));
    // Whether there is a gateway is asked without the key.
    assert!(seen.iter().all(|request| request.path == "/v1/brand" || request.header("authorization").is_empty()));
}
