//! Pages that are hostile, empty or broken.

use super::{brand, brand_of};
use limner_page::PageSnapshot;
use limner_test_pages::page;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn empty_page_has_null_values() {
    let result = brand_of(&PageSnapshot { url: "https://page.example/".to_owned(), ..PageSnapshot::default() });
    for field in ["title", "description", "siteName", "themeColor", "logo", "ogImage"] {
        assert_eq!(result[field], json!(null), "{field}");
    }
    assert_eq!(result["colors"]["primary"], json!(null));
    assert_eq!((&result["socials"], &result["logos"]), (&json!([]), &json!([])));
    assert!(result["confidence"].as_f64().unwrap() < 0.2);
}

#[test]
fn pages_hidden_until_scripts_run_are_read() {
    let html = "<style>.slides section{visibility:hidden}a{color:#0e7490}</style><div class=slides><section><h1>Many words in here to read</h1>\
        <p>And more of them, with <a href=/x>a link of many words that stands here</a></p></section></div>";
    let result = brand(html);
    assert_eq!(result["colors"]["primary"], "#0e7490");
    assert_eq!((&result["colors"]["text"], &result["colors"]["background"]), (&json!("#000000"), &json!("#ffffff")));
}

#[test]
fn deep_wide_and_long_pages_finish_in_time() {
    let deep = "<div style='background:#0f06'>".repeat(5_000) + "x";
    let wide = "<a class='btn' style='background:#123456;position:absolute;top:0;left:0;right:0;height:9999999px' href='https://github.com/a'>x</a>".repeat(20_000);
    let variables: String = (0..20_000).map(|n| format!("--brand-{n}:#{n:06x};")).collect();
    let long_words = "a-B_".repeat(200_000);
    for html in [
        deep,
        wide,
        format!("<style>:root{{{variables}}}</style><p>x"),
        format!("<p class='{long_words}' id='{long_words}' aria-label='{long_words}'>x"),
        "<svg class=logo><use href='#a'/><g id=a><use href='#a'/></g></svg>".repeat(2_000),
    ] {
        let started = std::time::Instant::now();
        brand_of(&page(&html));
        // Two runs, in a debug build, on a busy machine.
        assert!(started.elapsed().as_secs() < 60, "{}", &html[..60]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_pages_do_not_panic_the_brand(
        html in "(<(a|img|svg|link|meta|div|header|style|p) (href|src|class|style|rel|content|name|width)=['\"][ -~]{0,24}['\"]>[ -~]{0,12}){0,12}",
        css in "[ -~]{0,80}",
    ) {
        brand_of(&page(&format!("<style>{css}</style>{html}")));
    }
}
