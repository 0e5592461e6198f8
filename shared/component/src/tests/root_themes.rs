//! Tests the reported theme of a component on pages whose root declares one.

use super::{ask_for, ask_of, page_of};
use limner_page::PageSnapshot;
use limner_types::{Framework, Theme};
use serde_json::Value;

fn page(root: &str, body: &str, css: &str) -> PageSnapshot {
    let html = format!(
        "<!doctype html><html {root}><head></head><body {body}><section class=h><h1>Title</h1><p>Copy of \
         it</p></section></body></html>"
    );
    page_of(html, css)
}

fn code(root: &str, body: &str, css: &str, theme: Theme) -> Value {
    ask_of(&page(root, body, css), Some(".h"), theme).unwrap()
}

const BLACK: &str = "body{background:#000;color:#fff}";
const WHITE: &str = "body{background:#fff;color:#000}";
const BOTH: &str = "body{background:#fff} .dark body{background:#000}";

#[test]
fn declared_theme_of_the_root_is_the_theme_while_it_holds() {
    for (root, css, light, dark) in [
        // No rule depends on the theme selector.
        ("data-theme=dark", "", "dark", "dark"),
        ("class=dark", "", "dark", "dark"),
        ("data-bs-theme=dark", "", "dark", "dark"),
        ("data-theme=light", "", "light", "light"),
        ("class=light", "", "light", "light"),
        ("data-theme=light", BLACK, "light", "light"),
        ("data-theme=dark", WHITE, "dark", "dark"),
        ("style='color-scheme:light'", BLACK, "light", "light"),
        ("style='color-scheme:only dark'", WHITE, "dark", "dark"),
        ("data-theme=dark", ".h{background:#fff}", "dark", "dark"),
        // The requested theme removes or adds the theme selector.
        ("class=dark", "html.dark body{background:#000;color:#fff}", "light", "dark"),
        ("class=dark", BOTH, "light", "dark"),
        ("class=light", BOTH, "light", "dark"),
        ("", BOTH, "light", "dark"),
        ("class=dark", ".light .h{color:#111} .dark .h{color:#eee}", "light", "dark"),
        // In either theme the page is painted dark.
        ("", "body{background:#000} .dark .h{color:#eee}", "dark", "dark"),
        // Contradicting theme selectors declare nothing.
        ("class='dark theme-light'", WHITE, "light", "light"),
        // The visitor's preference overrides a theme selector without rules.
        (
            "data-theme=light",
            "body{background:#fff} @media (prefers-color-scheme:dark){body{background:#000}}",
            "light",
            "dark",
        ),
        // Without a theme selector, painted backgrounds decide.
        ("", BLACK, "dark", "dark"),
        ("style='color-scheme:light dark'", BLACK, "dark", "dark"),
    ] {
        for (asked, expected) in [(Theme::Light, light), (Theme::Dark, dark)] {
            assert_eq!(code(root, "", css, asked)["theme"], expected, "<html {root}> {css} {asked:?}");
        }
    }
    assert!(code("", "", "", Theme::Dark)["theme"].is_null(), "no theme is declared");
    assert_eq!(
        code("", "class=dark", "", Theme::Light)["theme"],
        "dark",
        "without a painted background, the body's theme selector"
    );
    assert_eq!(code("", "class=dark", WHITE, Theme::Light)["theme"], "light", "the body is not the root");
}

#[test]
fn themes_are_known_by_the_scheme_that_their_rules_declare() {
    let scheme = "[data-md-color-scheme=slate]{--bg:#1e2129;color-scheme:dark}";
    let named = "[data-md-color-scheme=slate]{--bg:#1e2129}";
    let default = "[data-md-color-scheme=default]{--bg:#fffffe;color-scheme:light}";
    for (body, css) in [
        ("data-md-color-scheme=default", format!("{default} {scheme} body{{background:var(--bg)}}")),
        ("data-md-color-scheme=default", format!("{default} {named} body{{background:var(--bg)}}")),
        ("data-md-color-scheme=slate", format!("{default} {scheme} body{{background:var(--bg)}}")),
        ("data-skin=day1", "[data-skin=day1]{--bg:#fffffe} [data-skin=inky]{--bg:#1e2129;color-scheme:dark} body{background:var(--bg)}".into()),
        ("class=inky", "body{background:#fffffe} .inky{background:#1e2129;color-scheme:dark}".into()),
    ] {
        let dark = code("", body, &css, Theme::Dark);
        assert_eq!((&dark["theme"], &dark["hint"]), (&"dark".into(), &Value::Null), "{css}");
        assert!(dark["css"].as_str().unwrap().contains("#1e2129"), "{css}: {dark}");
        let light = ask_for(&page("", body, &css), Some(".h"), Theme::Light, Framework::Html).unwrap();
        assert_eq!(light["theme"], "light", "{css}");
        assert!(light["css"].as_str().unwrap().contains("#1e2129"), "the dark theme is included: {light}");
    }
    // The light variant of another skin is not the light theme of this one.
    let skins = ".skin-blue .h{background:#3c8dbc} .skin-red-light .h{background:#f9fafc}";
    let css = code("", "class=skin-blue", skins, Theme::Light)["css"].to_string();
    assert!(css.contains("#3c8dbc") && !css.contains("#f9fafc"), "{css}");
    // The `color-scheme` of an element is not that of the page.
    let card = code("", "", ".card{color-scheme:dark;background:#000} body{background:#fff}", Theme::Dark);
    assert_eq!(card["theme"], "light");
    assert!(card["hint"].as_str().unwrap().contains("no dark theme"));
}
