//! Tests that the design tokens of a component are those it uses.

use super::{ask_for, ask_of};
use limner_page::PageSnapshot;
use limner_types::{Framework, Operation, Theme};
use serde_json::{Value, json};

fn page(css: &str, body: &str) -> PageSnapshot {
    limner_test_pages::page(&format!("<style>{css}</style>{body}"))
}

const SECTION: &str = "<section class=g><h1>Title here</h1><p>Copy</p></section>";

fn tokens(css: &str, body: &str, selector: &str, theme: Theme) -> Value {
    ask_of(&page(css, body), Some(selector), theme).unwrap()["tokens"].clone()
}

fn keys(tokens: &Value, group: &str) -> Vec<String> {
    tokens[group].as_object().unwrap().keys().cloned().collect()
}

fn sorted(tokens: &Value, group: &str) -> Vec<String> {
    let mut keys = keys(tokens, group);
    keys.sort();
    keys
}

#[test]
fn tokens_are_those_of_the_theme_that_forms_the_component() {
    let css = "body{font-family:Inter}.g{color:#111111;padding:4px}@media (prefers-color-scheme:dark){.g{color:#fedcba}}\
               @media (min-width:600px){.g{padding:8px}}";
    let light = tokens(css, SECTION, ".g", Theme::Light);
    assert_eq!(sorted(&light, "colors"), ["#111111", "#fedcba"]);
    assert_eq!(light["colors"]["#fedcba"]["themes"], json!(["dark"]));
    assert!(light["colors"]["#111111"]["themes"].is_null());
    let dark = tokens(css, SECTION, ".g", Theme::Dark);
    assert_eq!(keys(&dark, "colors"), ["#fedcba"]);
    for found in [&light, &dark] {
        assert_eq!(keys(found, "spacing"), ["4px", "8px"]);
        assert_eq!(keys(found, "fontFamilies"), ["Inter"]);
        assert_eq!(found["breakpoints"]["600px"]["query"], "(min-width: 600px)");
        assert_eq!(found["spacing"]["8px"]["selectors"], json!([".g"]));
    }
}

#[test]
fn every_value_of_the_component_is_a_token_and_no_other() {
    for (css, body, selector, theme, group, expected) in [
        // Overridden declarations are not counted.
        (".g{color:#111} section.g{color:#222}", SECTION, ".g", Theme::Light, "colors", &["#222222"][..]),
        (".g{color:#111!important} section.g{color:#222}", SECTION, ".g", Theme::Light, "colors", &["#111111"]),
        (
            "@layer a,b;@layer b{.g{color:#111}}@layer a{.g{color:#222}}",
            SECTION,
            ".g",
            Theme::Light,
            "colors",
            &["#111111"],
        ),
        (
            "@layer a,b;@layer b{.g{color:#111!important}}@layer a{.g{color:#222!important}}",
            SECTION,
            ".g",
            Theme::Light,
            "colors",
            &["#222222"],
        ),
        (
            "@media (min-width:1px){.g{color:#222}} h1{color:#333}",
            SECTION,
            ".g",
            Theme::Light,
            "colors",
            &["#222222", "#333333"],
        ),
        (
            "@media print{.g{color:#111}} @supports (display:nope){.g{color:#222}}",
            SECTION,
            ".g",
            Theme::Light,
            "colors",
            &[],
        ),
        // Neither contained in the section nor inherited by it.
        ("b{color:#111} .g p{color:#222}", SECTION, ".g", Theme::Light, "colors", &["#222222"]),
        ("body{color:#111} .g{color:#222}", SECTION, ".g", Theme::Light, "colors", &["#222222"]),
        ("body{color:#111} .g{color:inherit}", SECTION, ".g", Theme::Light, "colors", &["#111111"]),
        (
            "body{color:#111} @media (min-width:600px){.g{color:#222}}",
            SECTION,
            ".g",
            Theme::Light,
            "colors",
            &["#111111", "#222222"],
        ),
        ("body{color:#111;padding:9px}", SECTION, "h1", Theme::Light, "colors", &["#111111"]),
        ("body{color:#111;padding:9px}", SECTION, "h1", Theme::Light, "spacing", &[]),
        ("body{line-height:1.7;letter-spacing:1px}", SECTION, "h1", Theme::Light, "lineHeights", &["1.7"]),
        ("body{font-size:19px;font-weight:300}", SECTION, "h1", Theme::Light, "fontSizes", &[]),
        ("body{font-weight:300}", SECTION, "p", Theme::Light, "fontWeights", &["300"]),
        // States and pseudo-elements of the section.
        (".g h1:hover{color:#111} b:hover{color:#222}", SECTION, ".g", Theme::Light, "colors", &["#111111"]),
        (".g::before{content:'';color:#111} p::after{color:#222}", SECTION, ".g", Theme::Light, "colors", &["#111111"]),
        // The background behind it.
        ("body{background:#123456}", SECTION, ".g", Theme::Light, "colors", &["#123456"]),
        ("body{background:#123456} .g{background:#654321}", SECTION, ".g", Theme::Light, "colors", &["#654321"]),
        (
            "body{background:#fff} @media (prefers-color-scheme:dark){body{background:#000}}",
            SECTION,
            ".g",
            Theme::Light,
            "colors",
            &["#000000"],
        ),
        (
            "body{background:#fff} @media (prefers-color-scheme:dark){body{background:#000}}",
            SECTION,
            ".g",
            Theme::Dark,
            "colors",
            &["#000000"],
        ),
        // Theme selectors on the root.
        (".g{color:#111} .dark .g{color:#eee}", SECTION, ".g", Theme::Light, "colors", &["#111111", "#eeeeee"]),
        (".g{color:#111} .dark .g{color:#eee}", SECTION, ".g", Theme::Dark, "colors", &["#eeeeee"]),
        // Custom properties as inherited there.
        (":root{--c:#111} .g{--c:#222} p{color:var(--c)}", SECTION, ".g", Theme::Light, "colors", &["#222222"]),
        (":root{--c:#111} .g{color:var(--c)} .other{--c:#222}", SECTION, ".g", Theme::Light, "colors", &["#111111"]),
        (
            ":root{--c:#111} .dark{--c:#eee} .g{color:var(--c)}",
            SECTION,
            ".g",
            Theme::Light,
            "colors",
            &["#111111", "#eeeeee"],
        ),
        (":root{--c:#111} .dark{--c:#eee} .g{color:var(--c)}", SECTION, ".g", Theme::Dark, "colors", &["#eeeeee"]),
        (":root{--c:#111} body{color:var(--c)}", SECTION, "h1", Theme::Light, "colors", &["#111111"]),
        (
            ":root{--s:4px} @media (min-width:600px){:root{--s:8px}} .g{padding:var(--s)}",
            SECTION,
            ".g",
            Theme::Light,
            "spacing",
            &["4px", "8px"],
        ),
        (
            ":root{--s:4px} @media (min-width:600px){:root{--s:8px}} .g{padding:var(--s)}",
            SECTION,
            ".g",
            Theme::Light,
            "breakpoints",
            &["600px"],
        ),
        (
            ":root{--s:4px} @media (min-width:600px){:root{--t:8px}} .g{padding:var(--s)}",
            SECTION,
            ".g",
            Theme::Light,
            "breakpoints",
            &[],
        ),
        (
            "@media (min-width:700px){b{padding:1px}} @media (min-width:600px){.g{display:flex}}",
            SECTION,
            ".g",
            Theme::Light,
            "breakpoints",
            &["600px"],
        ),
        (
            ":root{color-scheme:light dark} .g{color:light-dark(#111,#eee)}",
            SECTION,
            ".g",
            Theme::Light,
            "colors",
            &["#111111", "#eeeeee"],
        ),
        (
            ":root{color-scheme:light dark} .g{color:light-dark(#111,#eee)}",
            SECTION,
            ".g",
            Theme::Dark,
            "colors",
            &["#eeeeee"],
        ),
        (".g{color:light-dark(#111,#eee)}", SECTION, ".g", Theme::Light, "colors", &["#111111"]),
        // Declarations without effect.
        (".g{gap:99px;padding:1px}", SECTION, ".g", Theme::Light, "spacing", &["1px"]),
        // One line of a stylesheet has several rules.
        (".g{padding:1px}.g{margin:2px}", SECTION, ".g", Theme::Light, "spacing", &["1px", "2px"]),
        (
            "",
            "<section class=g style='color:#111'>Lead<p style='color:#222'>Copy</p></section>",
            ".g",
            Theme::Light,
            "colors",
            &["#111111", "#222222"],
        ),
        (
            "",
            "<section class=g style='color:#111'><p style='color:#222'>Copy</p></section>",
            ".g",
            Theme::Light,
            "colors",
            &["#222222"],
        ),
        (
            ".g{padding-inline-start:3px}",
            "<section class=g dir=rtl><p>Copy</p></section>",
            ".g",
            Theme::Light,
            "spacing",
            &["3px"],
        ),
    ] {
        assert_eq!(sorted(&tokens(css, body, selector, theme), group), expected, "{css} {selector} {theme:?}");
    }
}

#[test]
fn tokens_equal_those_of_the_page() {
    let css = ":root{--brand:#C00;--accent:var(--brand)} .g{color:var(--accent);margin:4px 8px} .g p{border:1px solid #cc0000}";
    let found = tokens(css, SECTION, ".g", Theme::Light);
    let of_page = limner_test_pages::result(
        limner_tokens::extract,
        &page(css, SECTION),
        &limner_test_pages::request(Operation::Extract),
    );
    for group in ["colors", "spacing", "borderWidths"] {
        // The elements of a section are not counted.
        let mut of_page = of_page[group].clone();
        for usage in of_page.as_object_mut().unwrap().values_mut() {
            assert!(usage.as_object_mut().unwrap().remove("used").is_some(), "{usage}");
        }
        assert_eq!(found[group], of_page, "{group}");
    }
    assert_eq!(found["colors"]["#cc0000"]["variables"], json!(["--accent", "--brand"]));
    let themed = ":root{--c:#111111;--d:#222222} .dark{--c:#eeeeee} .g{color:var(--c);border:1px solid var(--d)}";
    let light = tokens(themed, SECTION, ".g", Theme::Light);
    for (color, themes) in [("#111111", json!(["light"])), ("#eeeeee", json!(["dark"])), ("#222222", Value::Null)] {
        assert_eq!(light["colors"][color]["themes"], themes, "{color}");
    }
    let dark = tokens(themed, SECTION, ".g", Theme::Dark);
    assert_eq!(sorted(&dark, "colors"), ["#222222", "#eeeeee"]);
    assert_eq!(dark["colors"]["#eeeeee"]["themes"], json!(["dark"]));
    assert!(dark["colors"]["#222222"]["themes"].is_null());
}

#[test]
fn tokens_are_the_same_in_every_framework() {
    let css =
        "body{font:16px/1.6 Inter;color:#333} .g{margin:0;padding:4px} h1{margin:0;font-size:2rem} p:hover{color:#06c}";
    let of = |framework| ask_for(&page(css, SECTION), Some(".g"), Theme::Light, framework).unwrap()["tokens"].clone();
    let html = of(Framework::Html);
    for framework in [Framework::Tailwind, Framework::Jsx, Framework::Vue, Framework::Elementor, Framework::Shopify] {
        assert_eq!(of(framework), html, "{framework:?}");
    }
}
