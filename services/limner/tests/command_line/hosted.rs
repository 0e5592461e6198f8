//! `--api`: a Limner that runs elsewhere.

use super::{limner, text};
use limner_testkit::{CannedResponse, OriginServer};
use serde_json::{Value, json};
use std::process::Output;

async fn run(args: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = limner(args);
    command.envs(variables.iter().copied());
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn key() -> String {
    limner_types::ApiKey::from_secret([7; 32]).expose().to_owned()
}

#[tokio::test]
async fn hosted_limner_answers_the_same_commands() {
    let api = OriginServer::start().await;
    let result = json!({ "url": "https://a.test/", "images": [{ "url": "https://a.test/a.png", "source": "img" }], "count": 1,
        "usage": { "creditsSpent": 1, "remaining": 9 } });
    api.on("/v1/images", CannedResponse::json(result.to_string()));
    api.on("/v1/extract", CannedResponse::css(":root {}"));
    let error = json!({ "error": true, "statusCode": 429, "statusMessage": "Wait a minute.",
        "data": { "code": "rate_limited", "requestId": "req_1" } });
    api.on("/v1/fonts", CannedResponse::json(error.to_string()).status(429));
    api.on("/v1/svg", CannedResponse::html("<p>Welcome to nginx").status(502));
    let (base, key) = (api.url(""), key());

    let args =
        ["extract", "images", "a.test", "--json", "--fields", "count", "--render", "--api", &base, "--key", &key];
    let output = run(&args, &[]).await;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown, json!({ "url": "https://a.test/", "count": 1 }), "no usage, and the fields that were asked for");
    let request = &api.requests()[0];
    assert_eq!(request.header("authorization"), format!("Bearer {key}"));
    assert_eq!(request.query, "render=true&url=a.test");

    let with_v1 = format!("{base}/v1/");
    let variables = [("LIMNER_URL", with_v1.as_str()), ("LIMNER_API_KEY", key.as_str())];
    let output = run(&["extract", "tokens", "a.test", "--format", "css"], &variables).await;
    assert_eq!(text(&output.stdout), ":root {}\n", "{}", text(&output.stderr));
    let output = run(&["extract", "fonts", "a.test"], &variables).await;
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(serde_json::from_slice::<Value>(&output.stderr).unwrap(), error, "the API's own error");
    let output = run(&["extract", "svg", "a.test"], &variables).await;
    assert!(text(&output.stderr).contains("answered 502"), "{}", text(&output.stderr));
    let gone = [("LIMNER_API_URL", "http://127.0.0.1:9"), ("LIMNER_API_KEY", key.as_str())];
    let output = run(&["extract", "svg", "a.test"], &gone).await;
    let body: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert!(body["statusMessage"].as_str().unwrap().contains("http://127.0.0.1:9 cannot be reached"), "{body}");

    // A key in the environment alone does not make a call to anywhere.
    let before = api.requests().len();
    let output = run(&["extract", "images", "http://no-such-host.invalid/"], &[("LIMNER_API_KEY", &key)]).await;
    assert!(text(&output.stderr).contains("target_unreachable"), "{}", text(&output.stderr));
    assert_eq!(api.requests().len(), before);
}

#[tokio::test]
async fn hosted_limner_is_charged_once_for_a_component() {
    let api = OriginServer::start().await;
    let result = json!({ "url": "https://a.test/", "code": "export default function Hero() {}", "css": null, "defaultName": "Hero",
        "assets": {}, "selector": "main", "framework": "jsx", "sections": [], "summary": {},
        "screenshot": "https://other.test/screenshots/shot_1.png" });
    api.on("/v1/code", CannedResponse::json(result.to_string()));
    api.on("/screenshots/shot_1.png", CannedResponse::new("image/png", "png"));
    let folder = tempfile::tempdir().unwrap();
    let (base, key, out) = (api.url(""), key(), folder.path().join("out"));
    let args = [
        "extract",
        "code",
        "a.test",
        "--framework",
        "jsx",
        "--api",
        &base,
        "--key",
        &key,
        "--out",
        out.to_str().unwrap(),
    ];
    let output = run(&args, &[]).await;
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(api.count("/v1/code"), 1);
    assert!(out.join("Hero.jsx").is_file() && !out.join("index.html").exists());
    assert_eq!(std::fs::read(out.join("screenshot.png")).unwrap(), b"png", "from the API's own address");
}
