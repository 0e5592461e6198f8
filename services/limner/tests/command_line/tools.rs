//! `limner mcp --stdio`: the tools for agents over standard input and output.

use super::{limner, site};
use limner_testkit::{CannedResponse, OriginServer};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

/// A client of `limner mcp --stdio`: one line of JSON per message.
struct Tools {
    child: std::process::Child,
    answers: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Tools {
    fn start(folder: &Path, variables: &[(&str, &str)]) -> Self {
        let config = folder.join("limner.toml");
        let mut command = limner(&["mcp", "--stdio", "--config", config.to_str().unwrap()]);
        command.envs(variables.iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
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
        let mut tools = Tools::start(folder.path(), &[]);
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

#[tokio::test(flavor = "multi_thread")]
async fn tools_with_a_key_call_the_gateway() {
    let gateway = OriginServer::start().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("limner.toml"), "").unwrap();
    let usage = json!({ "creditsSpent": 15, "remaining": 285, "cached": false });
    gateway.on(
        "/v1/brand",
        CannedResponse::json(json!({ "url": "https://a.test/", "title": "A", "usage": usage }).to_string()),
    );
    let key = limner_types::ApiKey::from_secret([7; 32]);
    tokio::task::block_in_place(|| {
        let url = format!("http://{}/v1", gateway.address());
        let mut tools = Tools::start(folder.path(), &[("LIMNER_API_KEY", key.expose()), ("LIMNER_URL", &url)]);
        let brand = tools.call("extract_brand", &json!({ "url": "a.test", "render": true }));
        assert_eq!(brand["structuredContent"]["title"], "A", "{brand}");
        assert!(
            brand["content"][0]["text"].as_str().unwrap().ends_with("15 credits spent; 285 left this month."),
            "{brand}"
        );
        tools.end();
    });
    let seen = gateway.requests();
    assert_eq!(seen[0].header("authorization"), format!("Bearer {}", key.expose()));
}
