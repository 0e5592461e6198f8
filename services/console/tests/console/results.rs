//! Results of the playground: their addresses, downloads, sections and pictures.

use crate::support::{ConsoleFixture, Page};
use axum::Router;
use axum::routing::get;
use http::{StatusCode, header};
use limner_console::DemoSite;
use limner_testkit::{CannedResponse, OriginServer};
use serde_json::{Value, json};

fn code() -> Value {
    json!({
        "url": "https://example.org/", "code": "<b>", "css": ".a{}", "framework": "jsx", "defaultName": "Hero",
        "preview": "<!doctype html><p>Shown</p>", "selector": "#top", "autoDetected": true, "tokens": {},
        "sections": [
            { "selector": "#top", "label": "Top", "elements": 3, "preview": "Words" },
            { "selector": "#plans", "label": "Plans", "elements": 9, "preview": "Prices" },
        ],
        "usage": { "creditsSpent": 25 },
    })
}

#[tokio::test]
async fn results_have_an_address_that_never_costs_anything() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    fixture.gateway.on("/v1/code", CannedResponse::json(code().to_string()));
    let fields = [("operation", "code"), ("url", "example.org"), ("framework", "jsx"), ("fresh", "on")];
    let page = browser.post("/playground", &fields).await;
    assert!(fixture.gateway.requests().last().unwrap().header("cache-control").is_empty(), "the call itself may cost");
    let address = page.attribute("a[data-address]", "href");
    assert_eq!(address, "/playground/result?operation=code&url=example.org&framework=jsx");
    let again = browser.get(&address).await;
    assert_eq!(again.texts("#code"), ["<b>"]);
    let asked = fixture.gateway.requests().pop().unwrap();
    assert_eq!(asked.header("cache-control"), "only-if-cached");
    assert!(!asked.query.contains("fresh"), "{}", asked.query);

    fixture.gateway.on("/v1/code", CannedResponse::json(json!({ "error": true }).to_string()).status(404));
    let gone = browser.get(&address).await;
    assert_eq!(gone.texts("#result h2"), ["This result is no longer stored"]);
    assert!(gone.says("for 25 credits") && !gone.has("[data-address]"), "{}", gone.text);
    assert_eq!(gone.attribute("input[name=url]", "value"), "example.org", "the form is filled in");
}

#[tokio::test]
async fn every_file_of_a_result_can_be_downloaded() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    fixture.gateway.on("/v1/code", CannedResponse::json(code().to_string()));
    let page =
        browser.post("/playground", &[("operation", "code"), ("url", "example.org"), ("framework", "jsx")]).await;
    let [json, zip] = &page.attributes("a[download]", "href")[..] else { panic!("two downloads: {}", page.text) };
    let file = browser.get(json).await;
    assert_eq!(serde_json::from_str::<Value>(&file.text).unwrap(), code());
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"code.json\"");
    let archive = browser.get(zip).await;
    assert_eq!(archive.header("content-type"), "application/zip");
    for name in ["code.json", "Hero.jsx", "Hero.css", "preview.html"] {
        assert!(archive.text.contains(name), "{name}");
    }
    assert_eq!(
        page.attributes("button[data-save]", "data-name"),
        ["preview.html", "Hero.jsx", "Hero.css", "tokens.json"]
    );
    assert_eq!(fixture.gateway.requests().pop().unwrap().header("cache-control"), "only-if-cached");
    fixture.gateway.on("/v1/extract", CannedResponse::json("{\"color\":{}}"));
    let fields = [("operation", "extract"), ("url", "example.org"), ("format", "dtcg")];
    let page = browser.post("/playground", &fields).await;
    assert_eq!(page.attributes("button[data-save]", "data-name"), ["design.tokens.json"], "as on the command line");
    let file = browser.get(&page.attribute("a[download]", "href")).await;
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"design.tokens.json\"");
    assert_eq!(browser.get(&json.replace("result.json", "result.html")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn archive_has_the_files_that_a_result_lists() {
    let site = OriginServer::start().await;
    site.on("/a.png", CannedResponse::new("image/png", "PNG of a lamp"));
    let address = site.address();
    let fixture = ConsoleFixture::start_with(|config| {
        config.egress.policy.allow = vec!["127.0.0.1/32".parse().unwrap()];
        config.egress.policy.hosts = [("a.test".to_owned(), address)].into();
        config.user_agent = "Limner/test".to_owned();
    })
    .await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let images = json!({ "url": "http://a.test/", "images": [
        { "url": "http://a.test/a.png", "source": "img", "alt": "A lamp" },
        { "url": "http://a.test/gone.png", "source": "img" },
        { "url": "http://10.0.0.1/private.png", "source": "img" },
    ], "count": 3, "usage": { "creditsSpent": 1 } });
    fixture.gateway.on("/v1/images", CannedResponse::json(images.to_string()));
    let page = browser.post("/playground", &[("operation", "images"), ("url", "a.test")]).await;
    assert!(page.says("up to 100, of 8 MB each and 24 MB together"), "{}", page.text);
    assert!(page.says("limner extract images URL --out DIR"), "{}", page.text);
    let [_, zip] = &page.attributes("a[download]", "href")[..] else { panic!("two downloads: {}", page.text) };
    let archive = browser.get(zip).await;
    assert_eq!(archive.header("content-type"), "application/zip");
    assert_eq!(archive.header("content-disposition"), "attachment; filename=\"images.zip\"");
    for part in ["images.json", "images/a-lamp.png", "PNG of a lamp", "not-downloaded.txt"] {
        assert!(archive.text.contains(part), "{part}: {}", archive.text);
    }
    assert!(archive.text.contains("http://a.test/gone.png: the site answered 404\n"), "{}", archive.text);
    assert!(archive.text.contains("http://10.0.0.1/private.png: "), "{}", archive.text);
    assert_eq!(site.requests().pop().unwrap().header("user-agent"), "Limner/test");
    assert_eq!(
        fixture.gateway.requests().pop().unwrap().header("cache-control"),
        "only-if-cached",
        "nothing is charged"
    );
    // Another account cannot be slowed down, and no site be flooded, by one that asks again and again.
    let mut last = StatusCode::OK;
    for _ in 0..20 {
        last = browser.get(zip).await.status;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn result_without_files_has_no_archive() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let images = json!({ "url": "https://a.test/", "images": [], "count": 0, "usage": { "creditsSpent": 1 } });
    fixture.gateway.on("/v1/images", CannedResponse::json(images.to_string()));
    let page = browser.post("/playground", &[("operation", "images"), ("url", "a.test")]).await;
    let [json] = &page.attributes("a[download]", "href")[..] else { panic!("one download: {}", page.text) };
    assert!(json.contains("result.json"), "{json}");
    assert!(!page.says("--out DIR"), "{}", page.text);
}

#[tokio::test]
async fn sections_are_chosen_by_a_click_and_every_framework_has_a_preview() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    fixture.gateway.on("/v1/code", CannedResponse::json(code().to_string()));
    let fields = [("operation", "code"), ("url", "example.org"), ("framework", "jsx"), ("section", "hero")];
    let page = browser.post("/playground", &fields).await;
    assert!(page.says("Section #top (found as hero)"), "{}", page.text);
    assert_eq!(page.attribute("form[data-section] input[name=selector]", "value"), "#plans");
    assert_eq!(page.attribute("form[data-section] input[name=framework]", "value"), "jsx");
    assert!(page.texts("form[data-section] button").concat().contains("25 credits"), "it says what it costs");
    assert!(fixture.gateway.requests().pop().unwrap().query.contains("preview=true"));
    let document = page.texts("textarea[name=document]").concat();
    let preview = browser.post("/playground/preview", &[("document", &document)]).await;
    assert_eq!(preview.texts("p"), ["Shown"]);

    let fault = json!({ "error": true, "statusMessage": "No.", "data": { "code": "not_found",
        "sections": [{ "selector": "#plans", "label": "Plans" }] } });
    fixture.gateway.on("/v1/code", CannedResponse::json(fault.to_string()).status(404));
    let page = browser.post("/playground", &fields).await;
    assert_eq!(page.attribute("form[data-section] input[name=selector]", "value"), "#plans");
}

#[tokio::test]
async fn tokens_have_pictures() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let one = |value: &str| json!({ value: { "count": 1, "used": 2, "variables": ["--name"] } });
    let tokens = json!({
        "url": "https://example.org/", "colors": one("#5b3df51f"), "fontSizes": one("1.25rem"), "spacing": one("8px"),
        "borderRadiuses": one("4px"), "boxShadows": one("0 1px 2px #000000"), "easings": one("ease-out"),
        "gradients": one("linear-gradient(#ffffff, #000000)"), "colorSchemes": ["light"],
        "usage": { "creditsSpent": 10 },
    });
    fixture.gateway.on("/v1/extract", CannedResponse::json(tokens.to_string()));
    let page: Page = browser.post("/playground", &[("operation", "extract"), ("url", "example.org")]).await;
    assert_eq!(page.attribute(".mark text", "font-size"), "20");
    assert!(page.has(".mark rect.shape") && page.has(".mark path.curve"), "{}", page.text);
    let styled = page.attributes("[data-style-value]", "data-property");
    assert_eq!(styled, ["boxShadow", "backgroundImage"]);
    let notes = page.texts(".swatches li").concat();
    assert!(notes.contains("on white: white text") && notes.contains("on black: white text"), "{notes}");
    assert!(notes.contains("2 elements · 1 declaration"), "{notes}");
}

#[tokio::test]
async fn brand_is_shown_with_its_schemes_contrast_and_components() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let color = |hex: &str| json!({ "hex": hex, "name": "A name", "count": 2 });
    let brand = json!({
        "url": "https://example.org/", "siteName": "Example", "colors": { "primary": "#d9622b" }, "palette": [color("#d9622b")],
        "themes": {
            "light": { "colors": { "primary": "#d9622b" }, "palette": [color("#d9622b")] },
            "dark": { "colors": { "primary": "#ff9a5c" }, "palette": [color("#1d243b")] },
        },
        "fonts": { "primary": "Inter", "families": [{ "family": "Inter", "roles": ["primary"], "origin": "self-hosted",
            "weights": ["400", "700"], "files": ["https://example.org/inter.woff2", "javascript:alert(1)"] }] },
        "contrastReport": { "failures": 1, "total": 2, "onImages": 3, "pairs": [
            { "text": "#ffffff", "background": "#ffb787", "ratio": 1.69, "size": "normal", "aa": false, "aaa": false,
              "state": "hover", "theme": "dark", "elements": 1, "characters": 11, "selector": "a.buy" }] },
        "components": { "button": [{ "count": 1, "selector": "a.buy",
            "style": { "background-color": "#d9622b", "color": "#ffffff" },
            "states": { "hover": { "background-color": "#b54a18" } } }], "input": [], "card": [], "badge": [] },
        "usage": { "creditsSpent": 15 },
    });
    fixture.gateway.on("/v1/brand", CannedResponse::json(brand.to_string()));
    let page = browser.post("/playground", &[("operation", "brand"), ("url", "example.org")]).await;
    assert!(fixture.gateway.requests().pop().unwrap().query.contains("scope=all"), "everything costs the same");
    let palette = page.texts(".swatches li").concat();
    assert!(palette.contains("2 elements") && !palette.contains("declaration"), "{palette}");
    for text in [
        "Colours in the dark scheme",
        "#ff9a5c",
        "primary · self-hosted · 400, 700",
        "1 of 2 pairs of text and background fail WCAG AA. 3 elements with text on an image are not rated.",
        "1.69",
        "a.buy",
        "Buttons",
        ".button:hover",
    ] {
        assert!(page.says(text), "{text}: {}", page.text);
    }
    assert!(!page.says("Colours in the light scheme"), "it is the one above");
    assert_eq!(page.attributes("a[href*='inter']", "href"), ["https://example.org/inter.woff2"]);
    assert_eq!(page.attributes("button[data-save]", "data-name"), ["components.css"]);
    assert_eq!(page.active_parts(), Vec::<String>::new());
    // The address leads to this call and to no other.
    let address = page.attribute("a[data-address]", "href");
    assert!(address.ends_with("&brand_scope=all"), "{address}");
    browser.get(&address).await;
    let asked = fixture.gateway.requests().pop().unwrap();
    assert!(asked.query.contains("scope=all") && asked.header("cache-control") == "only-if-cached", "{}", asked.query);

    let narrow = [("operation", "brand"), ("url", "example.org"), ("brand_scope", "brand")];
    let page = browser.post("/playground", &narrow).await;
    assert!(fixture.gateway.requests().pop().unwrap().query.contains("scope=brand"));
    assert!(page.attribute("a[data-address]", "href").ends_with("&brand_scope=brand"));
}

#[tokio::test]
async fn code_is_asked_for_in_typescript() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    fixture.gateway.on("/v1/code", CannedResponse::json(code().to_string()));
    let fields = [("operation", "code"), ("url", "example.org"), ("framework", "jsx"), ("language", "ts")];
    let page = browser.post("/playground", &fields).await;
    assert!(fixture.gateway.requests().pop().unwrap().query.contains("language=ts"));
    assert!(page.attributes("button[data-save]", "data-name").contains(&"Hero.tsx".to_owned()), "{}", page.text);
    assert_eq!(page.attribute("form[data-section] input[name=language]", "value"), "ts");
    let zip = page.attribute("a[download][href*=zip]", "href");
    assert!(browser.get(&zip).await.text.contains("Hero.tsx"), "{zip}");
}

#[tokio::test]
async fn files_of_the_demo_site_are_served_to_browsers() {
    const IMAGE: [(header::HeaderName, &str); 1] = [(header::CONTENT_TYPE, "image/png")];
    let files = Router::new()
        .route("/images/a.png", get(|| async { (IMAGE, "a picture") }))
        .route("/", get(|| async { axum::response::Html("<script>a page</script>") }));
    let demo = DemoSite { host: "demo.limner.test".to_owned(), files };
    let fixture = ConsoleFixture::start_with(|config| config.demo = Some(demo)).await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let images = json!({ "url": "http://demo.limner.test/", "usage": { "creditsSpent": 1 }, "count": 2, "images": [
        { "url": "http://demo.limner.test/images/a.png", "source": "img" }, { "url": "http://a.test/b.png", "source": "img" }] });
    fixture.gateway.on("/v1/images", CannedResponse::json(images.to_string()));
    let page = browser.post("/playground", &[("operation", "images"), ("url", "demo.limner.test")]).await;
    assert_eq!(page.attributes(".pictures img", "src"), ["/demo/images/a.png"]);
    assert_eq!(
        page.attribute(".pictures a", "href"),
        "http://demo.limner.test/images/a.png",
        "its own address is shown"
    );
    assert!(page.header("content-security-policy").contains("img-src 'self'"));
    let image = browser.get("/demo/images/a.png").await;
    assert_eq!((image.text.as_str(), image.header("content-type")), ("a picture", "image/png"));
    assert_eq!(image.header("access-control-allow-origin"), "*", "for fonts of a preview");
    assert!(image.header("content-security-policy").starts_with("default-src 'none'"));
    for path in ["/demo/", "/demo/missing.png"] {
        assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}
