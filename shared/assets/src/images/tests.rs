use super::*;
use crate::test_support::{add_resource, page, result};
use limner_types::Operation;
use proptest::prelude::*;
use serde_json::{Value, json};

fn images(html: &str) -> Value {
    result(Operation::Images, &page(html))["images"].clone()
}

#[test]
fn references_to_one_url_are_merged() {
    let url = "https://page.example/a.png";
    for (html, expected) in [
        ("<img src=/a.png><img src='/a.png#x'>", json!([{"url": url, "source": "img"}])),
        (
            "<link rel=icon href=/a.png sizes=9x8><img src=/a.png alt=''><p style='background:url(/a.png)'>",
            json!([{"url": url, "source": "img", "sources": ["img", "css", "favicon"], "alt": "", "width": 9, "height": 8}]),
        ),
        ("<img src=/a.png alt=''><img src=/a.png alt=Words>", json!([{"url": url, "source": "img", "alt": "Words"}])),
        (
            "<picture><source media=print srcset='/a.png 2x'><img src=/a.png></picture>",
            json!([{"url": url, "source": "img", "sources": ["img", "picture"], "descriptor": "2x"}]),
        ),
        (
            "<style>@media print{a{background:url(/a.png)}}</style><p style='background:url(/a.png)'>",
            json!([{"url": url, "source": "css"}]),
        ),
    ] {
        assert_eq!(images(html), expected, "{html}");
    }
}

#[test]
fn data_urls_keep_fragments_and_oversized_ones_are_left_out() {
    let html = "<img src=\"data:image/svg+xml,<svg fill='#f00'/>\">";
    assert_eq!(images(html)[0]["url"], "data:image/svg+xml,<svg fill='#f00'/%3E", "as browsers write it");
    assert_eq!(images("<link rel=icon href='data:,'><link rel=icon href='data:image/png;base64,'>"), json!([]));
    let giant = format!("<img src=a.png><img src='data:image/png;base64,{}'>", "A".repeat(MAX_DATA_URL_BYTES));
    let result = result(Operation::Images, &page(&giant));
    assert_eq!((result["count"].as_u64(), result["truncated"].as_bool()), (Some(1), Some(true)));
}

#[test]
fn references_beyond_the_size_limit_are_left_out() {
    let (long, count) = ("x".repeat(40_000), 2_500);
    let (base, more) = (format!("<base href='/{}/'>", &long[..4_000]), 8 * count);
    let pages = [
        format!("<img alt='{long}' srcset='{}'>", "a.png, ".repeat(count)),
        format!("<picture><source media='{long}' srcset='{}'><img></picture>", "a.png, ".repeat(count)),
        format!("<link rel=icon type='{long}' imagesrcset='{}'>", "a.png, ".repeat(count)),
        base.clone() + &"<img src=a.png>".repeat(more),
        format!("{base}<p style='--x:{}'>", "url(a.png)".repeat(more)),
        format!("<style>@media ({}){{p{{--x:{}}}}}</style>", &long[..4_000], "url(a.png)".repeat(more)),
    ];
    for html in pages {
        let beginning: String = html.chars().take(24).collect();
        let result = result(Operation::Images, &page(&html));
        assert_eq!((result["count"].as_u64(), result["truncated"].as_bool()), (Some(1), Some(true)), "{beginning}");
    }
}

#[test]
fn shop_page_has_the_recorded_images() {
    let mut page = page(include_str!("../../tests/pages/shop.html"));
    let manifest = r#"{"icons":[{"src":"icon-512.png","sizes":"512x512","type":"image/png","purpose":"any"}]}"#;
    add_resource(&mut page, "https://page.example/app/manifest.json", "application/json", manifest);
    insta::assert_json_snapshot!(result(Operation::Images, &page));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_markup_never_panics(html in "(?s)(<(img|source|link|meta|picture|noscript|svg|style|base)[ =\"'a-z/:.,0-9>]{0,40}|srcset=|url\\(|image-set\\(|.){0,40}") {
        let page = page(&html);
        let _ = crate::test_support::required_subresources(Operation::Images, &page);
        result(Operation::Images, &page);
    }

    #[test]
    fn arbitrary_css_never_panics(css in "(?s)([{}();:,@'\"!\\\\/*]|url\\(|image-set\\(|background|--x|@media|@import|a|1x|#|.){0,60}") {
        let page = page(&format!("<p style=\"{css}\"><style>{css}</style>"));
        result(Operation::Images, &page);
    }
}
