//! Data read from a page is untrusted when it is shown.

use crate::support::{ConsoleFixture, Page};
use http::StatusCode;
use limner_testkit::CannedResponse;
use serde_json::{Value, json};

/// Texts that would run code if they were not escaped.
const PAYLOADS: [&str; 12] = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'><svg onload=alert(1)>",
    "</textarea><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "{{constructor.constructor('alert(1)')()}}",
    "<iframe srcdoc=\"<script>alert(1)</script>\">",
    "--><script>alert(1)</script><!--",
    "\u{202e}<b onmouseover=alert(1)>",
];

const OPERATIONS: [&str; 9] = ["code", "brand", "extract", "images", "svg", "videos", "audio", "lottie", "fonts"];

/// Returns a result with that text in every field.
fn result(text: &str) -> Value {
    let list = |fields: &[&str]| {
        let item: serde_json::Map<String, Value> =
            fields.iter().map(|name| ((*name).to_owned(), json!(text))).collect();
        json!([item])
    };
    let group = json!({ text: { "count": 1, "variables": [text] } });
    let mut result = json!({
        "url": text, "hint": text, "screenshot": text,
        "code": text, "css": text, "theme": text, "selector": text, "framework": "html", "autoDetected": true,
        "tokens": { text: text }, "summary": { "styledCoverage": text },
        "sections": list(&["selector", "label", "elements", "preview"]),
        "title": text, "siteName": text, "description": text, "logo": text, "ogImage": text,
        "colors": { "primary": text, "accent": text, "background": text, "text": text, text: { "count": 1 } },
        "colorNames": { "primary": text },
        "palette": [{ "hex": text, "name": text, "count": 1 }, { "hex": "#ffffff", "name": text, "count": text }],
        "fonts": if text.len().is_multiple_of(2) { json!({ "primary": text }) } else { list(&["family", "weight", "style", "url", "source", "format"]) },
        "typography": { "h1": { "fontFamily": text, "fontSize": text } },
        "logos": list(&["url", "source", "alt"]),
        "socials": list(&["platform", "url", "handle"]),
        "colorSchemes": [text],
        "images": list(&["url", "source", "alt", "descriptor"]),
        "svgs": [{ "type": "inline", "code": text, "title": text }, { "type": "file", "url": text, "source": text }],
        "videos": list(&["url", "source", "poster", "provider", "title", "type"]),
        "audio": list(&["url", "source", "title", "duration", "type"]),
        "lottie": [{ "url": text, "name": text, "width": text, "animation": { "nm": text } }],
        "count": 1, "usage": { "creditsSpent": 1 },
    });
    result["preview"] = json!(text);
    result["defaultName"] = json!(text);
    for field in
        ["fontSizes", "fontFamilies", "fontWeights", "letterSpacings", "spacing", "easings", "boxShadows", "gradients"]
    {
        result[field] = group.clone();
    }
    result
}

/// Checks that a page has no tag and no attribute that came from a payload, and that only colours are filled in.
fn assert_inert(page: &Page, payload: &str, what: &str) {
    assert_eq!(page.active_parts(), [""; 0], "{what}: {payload}");
    assert!(!page.has("img[src=x], b, svg svg"), "{what}: {payload}: {}", page.text);
    for fill in page.attributes("[fill]", "fill") {
        assert!(fill.starts_with('#') && fill.len() <= 9, "{what}: fill {fill}");
    }
}

#[tokio::test]
async fn results_are_escaped() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let token = browser.token().await;
    let origin = fixture.url.clone();
    // The account's rate limit for the playground is smaller than the corpus.
    for (index, payload) in PAYLOADS.iter().enumerate() {
        let body = result(payload).to_string();
        fixture.store.query("DELETE FROM console.attempt", &[]).await.unwrap();
        for operation in OPERATIONS {
            let reply = CannedResponse::json(body.clone());
            fixture.gateway.on(&format!("/v1/{operation}"), reply);
            let fields = [("operation", operation), ("url", *payload), ("selector", *payload), ("form_token", &token)];
            let page = browser.post_raw("/playground", &fields, &[("origin", &origin)]).await;
            assert_eq!(page.status, StatusCode::OK, "{index} {operation}");
            assert_inert(&page, payload, operation);
        }
        let fault = json!({ "error": true, "statusMessage": payload, "data": { "code": payload,
            "sections": [{ "selector": payload, "label": payload }] } });
        fixture.gateway.on("/v1/code", CannedResponse::json(fault.to_string()).status(404));
        let fields = [("operation", "code"), ("url", "x"), ("form_token", token.as_str())];
        let page = browser.post_raw("/playground", &fields, &[("origin", &origin)]).await;
        assert_inert(&page, payload, "a fault");
        fixture.gateway.on("/v1/extract", CannedResponse::css(payload.as_bytes().to_vec()));
        let fields = [("operation", "extract"), ("url", "x"), ("format", "css"), ("form_token", &token)];
        let page = browser.post_raw("/playground", &fields, &[("origin", &origin)]).await;
        assert_inert(&page, payload, "a file");
    }
}

#[tokio::test]
async fn preview_has_no_scripts_and_no_origin() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let page =
        browser.post("/playground/preview", &[("document", "<!doctype html><script>alert(1)</script><p>x</p>")]).await;
    assert_eq!(page.status, StatusCode::OK);
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("sandbox; default-src 'none';") && !policy.contains("script-src"), "{policy}");
    assert!(policy.contains("form-action 'none'") && policy.contains("frame-ancestors 'self'"), "{policy}");
    assert_eq!(page.texts("p"), ["x"]);
    let player = browser.get("/playground/player").await;
    let policy = player.header("content-security-policy");
    assert!(policy.starts_with("sandbox allow-scripts;") && !policy.contains("unsafe"), "{policy}");
}
