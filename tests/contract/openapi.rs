//! The examples of the OpenAPI document are responses of the API. `LIMNER_EXAMPLES=write` records them anew.

use limner_testkit::CannedResponse;
use limner_tests::{Account, Answer, Fleet, FleetOptions};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

const DEMO: &str = "http://demo.limner.test/";
const DARK_DEMO: &str = "http://demo.limner.test/stjerne";

/// The recorded responses, and those that differ.
#[derive(Default)]
struct Recording {
    stale: Vec<String>,
}

impl Recording {
    fn check(&mut self, file: &str, text: &str) {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../services/gateway/src/openapi/examples"));
        self.check_at(folder.join(file), text);
    }

    fn check_at(&mut self, path: PathBuf, text: &str) {
        let recorded = std::fs::read_to_string(&path).unwrap_or_default();
        if recorded == text {
            return;
        }
        match std::env::var_os("LIMNER_EXAMPLES") {
            Some(_) => std::fs::write(path, text).unwrap(),
            None => self.stale.push(format!("{} is\n{recorded}\nand should be\n{text}", path.display())),
        }
    }

    fn check_json(&mut self, file: &str, value: &Value) {
        self.check(file, &(serde_json::to_string_pretty(value).unwrap() + "\n"));
    }

    fn finish(self) {
        assert!(
            self.stale.is_empty(),
            "Examples are stale; LIMNER_EXAMPLES=write records them anew:\n{}",
            self.stale.join("\n")
        );
    }
}

/// Shortens a response: lists to a few items, groups of values and of evidence to the first members, long texts at the
/// end of a line.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(shortened_text(text)),
        Value::Array(items) => {
            let count = match items.first() {
                Some(Value::Object(_)) => 2,
                Some(Value::String(_)) => 4,
                // The parts of a colour or a curve.
                _ => usize::MAX,
            };
            items.iter().take(count).map(shortened).collect()
        }
        Value::Object(members) => {
            let count = if is_group(members) { 3 } else { usize::MAX };
            let kept = members.iter().take(count).map(|(name, member)| (name.clone(), shortened(member)));
            Value::Object(kept.collect())
        }
        other => other.clone(),
    }
}

/// Returns true for objects whose members are alike: tokens by value or name, evidence by field.
fn is_group(members: &Map<String, Value>) -> bool {
    const MARKS: [&str; 3] = ["$value", "basis", "properties"];
    let is_entry = |member: &Value| MARKS.iter().any(|mark| member.get(mark).is_some()) || member["query"].is_string();
    !members.is_empty() && members.values().all(is_entry)
}

fn shortened_text(text: &str) -> String {
    const MAX_CHARS: usize = 900;
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    let start: String = text.chars().take(MAX_CHARS).collect();
    let kept = if text.starts_with("data:") {
        &start[..60]
    } else {
        start.rsplit_once('\n').map_or(&*start, |(kept, _)| kept)
    };
    format!("{kept}…")
}

/// Replaces what differs from one recording to the next.
fn settled(mut value: Value) -> Value {
    fn settle(value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(settle),
            Value::Object(members) => {
                for (name, member) in members.iter_mut() {
                    match name.as_str() {
                        "requestId" => *member = json!("req_01kd3v5w6x7y8z9a0b1c2d3e4f"),
                        "at" => *member = json!("2026-01-31T12:00:00Z"),
                        "durationMs" => *member = json!(840),
                        "keyId" => *member = json!("key_01kd3v5w6x7y8z9a0b1c2d3e4f"),
                        "periodStart" => *member = json!("2026-01-01"),
                        _ => settle(member),
                    }
                }
            }
            _ => {}
        }
    }
    settle(&mut value);
    value
}

fn body(answer: &Answer) -> Value {
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    settled(shortened(&answer.json))
}

/// Returns the value with the number before ` seconds` replaced, and the time after `resets at `.
fn without_times(mut body: Value) -> Value {
    let message = body["statusMessage"].as_str().unwrap();
    let mut words: Vec<&str> = message.split(' ').collect();
    for index in 1..words.len() {
        if words[index].starts_with("seconds") {
            words[index - 1] = "12";
        }
        if words[index - 1] == "at" && words[index].starts_with("20") {
            words[index] = "2026-02-01T00:00:00Z.";
        }
    }
    body["statusMessage"] = words.join(" ").into();
    body
}

async fn fleet() -> Fleet {
    let fast = "[limits]\nstatic_read = \"2s\"\n";
    let fleet = Fleet::start_with(FleetOptions { extra_config: fast.to_owned(), ..FleetOptions::default() }).await;
    fleet
        .site
        .on("/refused", CannedResponse::html("<title>No</title><p>Not for you.</p>").status(403))
        .on("/silent", CannedResponse::silent());
    fleet
}

/// Returns the parts of three results that the console's landing page shows.
fn landing_results(brand: &Value, tokens: &Value, code: &Value) -> Value {
    let of = |result: &Value, fields: &[&str]| -> Value {
        fields.iter().map(|field| ((*field).to_owned(), result[*field].clone())).collect::<Map<_, _>>().into()
    };
    const GROUPS: [&str; 7] =
        ["fontSizes", "lineHeights", "spacing", "borderRadiuses", "boxShadows", "gradients", "easings"];
    let first = |group: &&str| {
        let values = tokens[*group].as_object().into_iter().flatten().take(6);
        ((*group).to_owned(), values.map(|(value, usage)| (value.clone(), usage.clone())).collect::<Map<_, _>>().into())
    };
    let brand = of(brand, &["url", "siteName", "theme", "colors", "colorNames", "fonts", "confidence"]);
    let code = of(code, &["code", "css", "preview", "defaultName", "framework", "selector"]);
    json!({ "brand": brand, "tokens": GROUPS.iter().map(first).collect::<Map<_, _>>(), "code": code })
}

/// Nobody's first call of an operation is answered by an empty list.
#[tokio::test]
async fn every_operation_finds_something_on_the_demo_pages() {
    let fleet = fleet().await;
    let account = fleet.roomy_account();
    for operation in ["images", "svg", "videos", "audio", "lottie", "fonts"] {
        let found = fleet.call(operation, &[("url", DEMO)], &account).await.json;
        assert!(found["count"].as_u64().is_some_and(|count| count > 0), "{operation}: {found}");
    }
    for (url, theme) in [(DEMO, "light"), (DARK_DEMO, "dark")] {
        let brand = fleet.call("brand", &[("url", url)], &account).await.json;
        assert_eq!((&brand["theme"], brand["colors"]["primary"].is_string()), (&json!(theme), true), "{url}: {brand}");
        let tokens = fleet.call("extract", &[("url", url)], &account).await.json;
        assert!(tokens["colors"].as_object().is_some_and(|colors| colors.len() > 4), "{url}: {tokens}");
        assert!(tokens["colorSchemes"].as_array().is_some_and(|schemes| schemes.contains(&json!("dark"))), "{url}");
        let code = fleet.call("code", &[("url", url)], &account).await.json;
        assert!(code["sections"].as_array().is_some_and(|sections| sections.len() > 2), "{url}: {code}");
    }
}

#[tokio::test]
async fn examples_of_results_are_responses() {
    let fleet = fleet().await;
    let mut recording = Recording::default();
    // Each call has an account of its own, so that `usage` does not depend on the other calls.
    let call = async |operation: &str, url: &str, more: &[(&str, &str)]| {
        let query: Vec<(&str, &str)> = std::iter::once(("url", url)).chain(more.iter().copied()).collect();
        fleet.call(operation, &query, &fleet.account("free", &[])).await
    };
    for framework in ["tailwind", "html", "jsx", "vue", "elementor", "shopify"] {
        let answer = call("code", DEMO, &[("framework", framework)]).await;
        recording.check_json(&format!("code.{framework}.json"), &body(&answer));
    }
    for (format, file) in
        [("json", "extract.json"), ("dtcg", "extract.dtcg.json"), ("dtcg-resolver", "extract.dtcg-resolver.json")]
    {
        recording.check_json(file, &body(&call("extract", DEMO, &[("format", format)]).await));
    }
    for (format, file) in
        [("css", "extract.css"), ("tailwind", "extract.tailwind.css"), ("design-md", "extract.design.md")]
    {
        recording.check(file, &call("extract", DEMO, &[("format", format)]).await.text);
    }
    for operation in ["brand", "images", "svg", "videos", "audio", "lottie", "fonts"] {
        recording.check_json(&format!("{operation}.json"), &body(&call(operation, DEMO, &[]).await));
    }
    let (brand, tokens) = (call("brand", DEMO, &[]).await.json, call("extract", DEMO, &[("scope", "page")]).await.json);
    let code = call("code", DEMO, &[("section", "hero"), ("preview", "true")]).await.json;
    let landing = concat!(env!("CARGO_MANIFEST_DIR"), "/../services/console/landing/results.json");
    let shown = serde_json::to_string_pretty(&landing_results(&brand, &tokens, &code)).unwrap() + "\n";
    recording.check_at(landing.into(), &shown);
    let account = fleet.account("free", &[]);
    for operation in ["images", "brand"] {
        fleet.call(operation, &[("url", DEMO), ("fresh", "true")], &account).await.usage();
    }
    let authorization = format!("Bearer {}", account.key);
    let usage = async || fleet.send(http::Method::GET, "/usage", &[], &[("authorization", &authorization)]).await;
    // Calls that cost nothing are recorded after their response.
    let mut report = usage().await;
    while report.json["calls"].as_array().is_none_or(|calls| calls.len() < 2) {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        report = usage().await;
    }
    recording.check_json("usage.json", &body(&report));
    recording.finish();
}

#[tokio::test]
async fn examples_of_errors_are_responses() {
    let fleet = fleet().await;
    let mut errors = Map::new();
    let mut add = |answer: Answer| {
        let name = format!("{} {}", answer.status.as_u16(), answer.code());
        errors.insert(name, without_times(settled(answer.json)));
    };
    let account = fleet.roomy_account();
    add(fleet.call("images", &[("url", DEMO), ("render", "yes")], &account).await);
    add(fleet.send(http::Method::GET, "/images", &[("url", DEMO)], &[]).await);
    let suspended = fleet.account("developer", &[]);
    fleet.admin(&["account", "suspend", &suspended.id]);
    add(fleet.call("images", &[("url", DEMO)], &suspended).await);
    add(fleet.call("code", &[("url", DEMO), ("section", "pricing")], &account).await);
    add(fleet.send(http::Method::POST, "/images", &[], &[]).await);
    for url in [
        "http://site.test/refused",
        "http://site.test/silent",
        "http://demo.limner.test/missing",
        "http://no-such-host.invalid/",
        "http://demo.limner.test/favicon-32.png",
    ] {
        add(fleet.call("images", &[("url", url)], &account).await);
    }
    let business = |more: &[&str]| -> Account { fleet.account("business", more) };
    let hurried = business(&["--credits", "unlimited", "--rpm", "2"]);
    for _ in 0..2 {
        fleet.call("images", &[("url", DEMO)], &hurried).await.usage();
    }
    add(fleet.call("images", &[("url", DEMO)], &hurried).await);
    let poor = business(&["--credits", "10", "--rpm", "60", "--overage", "off"]);
    add(fleet.call("brand", &[("url", DEMO)], &poor).await);
    add(fleet.call("images", &[("url", DEMO), ("render", "true")], &account).await);

    assert_eq!(errors.len(), 13, "{:?}", errors.keys());
    let mut recording = Recording::default();
    recording.check_json("errors.json", &Value::Object(errors));
    recording.finish();
}
