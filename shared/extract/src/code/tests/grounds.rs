//! What is behind a section, and whether it reads light or dark by that.

use super::ask_of;
use limner_page::{PageSnapshot, Sheet, SheetOwner};
use limner_types::Theme;
use serde_json::Value;

fn code(css: &str, head: &str, theme: Theme) -> Value {
    let html = format!(
        "<!doctype html><html><head>{head}</head><body><main><section class=h><h1>Words on a ground</h1><p>More of \
         them, so that there is something to read.</p></section></main></body></html>"
    );
    let sheet = Sheet { owner: SheetOwner::Adopted, text: Some(css.into()), ..Sheet::default() };
    let page = PageSnapshot { url: "https://a.test/".into(), html, sheets: vec![sheet], ..PageSnapshot::default() };
    ask_of(&page, Some(".h"), theme).unwrap()
}

#[test]
fn colours_without_blue_are_colours() {
    for (color, theme) in
        [("#000", "dark"), ("#ff6600", "light"), ("red", "light"), ("#ffff00", "light"), ("#004000", "dark")]
    {
        let result = code(&format!("body{{background:{color};color:#888}}"), "", Theme::Light);
        assert_eq!(result["theme"], theme, "{color}");
        let css = result["css"].as_str().unwrap();
        assert!(css.contains("background"), "{color} is behind the section: {css}");
    }
    let css = "body{background:#fff} @media (prefers-color-scheme:dark){body{background:#000;color:#fff}}";
    let dark = code(css, "", Theme::Dark);
    assert_eq!(dark["theme"], "dark");
    assert!(dark["css"].as_str().unwrap().contains("background"), "{dark}");
}

#[test]
fn a_width_that_makes_up_for_a_margin_keeps_it() {
    for (css, kept) in [
        (".h{margin-left:-.6em;width:calc(100% + .6em)}", true),
        (".h{margin:-8px 0 0 -1rem;width:calc(1rem + 100%)}", true),
        (".h{margin-left:-5%;width:110%}", true),
        (".h{margin-left:-1rem;width:calc(100% - 1rem)}", false),
        (".h{margin-left:-1rem}", false),
        (".h{margin-left:-1rem;width:50%}", false),
    ] {
        let result = code(css, "", Theme::Light);
        let written = result["css"].as_str().unwrap();
        assert_eq!(written.contains("margin-left: -"), kept, "{css}: {written}");
        assert!(!written.contains("margin-top: -"), "{css}: {written}");
    }
}

#[test]
fn translucent_grounds_and_gradients_are_seen_on_what_is_behind_them() {
    for (css, theme, written) in [
        ("body{background:#fff} .h{background:rgba(0,0,0,.05)}", "light", None),
        (".h{background:#0001}", "light", None),
        ("body{background:#111;color:#fff} .h{background:rgba(255,255,255,.1)}", "dark", Some("#292929")),
        ("body{background:#fff} .h{background:linear-gradient(#000,#222);color:#fff}", "dark", None),
        ("body{background:linear-gradient(#000,#222);color:#fff}", "dark", Some("#111111")),
        ("body{background:#111} main{background:rgba(255,255,255,.1)} .h{color:#fff}", "dark", Some("#292929")),
    ] {
        let result = code(css, "", Theme::Light);
        assert_eq!(result["theme"], theme, "{css}");
        let own = result["css"].as_str().unwrap();
        assert!(written.is_none_or(|color| own.contains(color)), "{css}: {own}");
    }
}

#[test]
fn the_scheme_in_metadata_is_a_declared_theme() {
    let meta = |content: &str| format!("<meta name=color-scheme content='{content}'>");
    for (head, css, theme) in
        [(meta("dark"), "", "dark"), (meta("light"), "", "light"), (meta("dark"), "body{background:#fff}", "light")]
    {
        assert_eq!(code(css, &head, Theme::Light)["theme"], theme, "{head} {css}");
    }
    assert!(code("", "", Theme::Light)["theme"].is_null(), "nothing says anything");
    assert!(code("", &meta("dark"), Theme::Dark)["hint"].is_null(), "the page declares a dark theme");
}

#[test]
fn texts_beyond_what_a_result_may_be_are_cut() {
    let body: String = format!("<p>{}</p>", "x".repeat(1_000)).repeat(4_000);
    let page =
        PageSnapshot { url: "https://a.test/".into(), html: format!("<main>{body}</main>"), ..PageSnapshot::default() };
    let result = ask_of(&page, Some("main"), Theme::Light).unwrap();
    assert_eq!(result["summary"]["truncated"], true);
    assert!(result["code"].as_str().unwrap().len() < 4 << 20);
}
