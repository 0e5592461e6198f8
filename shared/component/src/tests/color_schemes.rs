//! Tests themes: dark variants that are included in a light component, and components captured in
//! the dark theme.

use super::{ask_for, ask_of, attributes, page_of};
use limner_page::PageSnapshot;
use limner_types::{Framework, Theme};
use serde_json::Value;

fn page(css: &str, head: &str, body: &str) -> PageSnapshot {
    let html = format!(
        "<!doctype html><html><head>{head}</head><body><main><section class=h><h1>Words on a ground</h1>{body}<p>More \
         of them, so that there is something to read.</p></section></main></body></html>"
    );
    page_of(html, css)
}

fn code(css: &str, head: &str, theme: Theme) -> Value {
    ask_of(&page(css, head, ""), Some(".h"), theme).unwrap()
}

fn css_of(result: &Value) -> &str {
    result["css"].as_str().unwrap()
}

const META: &str = "<meta name=color-scheme content='light dark'>";

#[test]
fn light_dark_is_resolved_for_the_theme() {
    let own = ":root{--bg:light-dark(#fffffe,#0b0c0d)} body{background:var(--bg);color:light-dark(#111112,#e1e2e3)}";
    for (css, head) in [(format!(":root{{color-scheme:light dark}}{own}"), ""), (own.to_owned(), META)] {
        let light = code(&css, head, Theme::Light);
        let (base, dark) = css_of(&light).split_once("@media (prefers-color-scheme: dark)").unwrap();
        assert!(base.contains("#fffffe") && !base.contains("color-scheme"), "nothing is drawn in its colours: {base}");
        assert!(dark.contains("#0b0c0d") && dark.contains("#e1e2e3"), "{dark}");

        let dark = code(&css, head, Theme::Dark);
        assert_eq!(dark["theme"], "dark");
        let text = css_of(&dark);
        assert!(text.contains("#0b0c0d") && text.contains("#e1e2e3") && text.contains("color-scheme: dark"), "{text}");
        assert!(!text.contains("light-dark") && !text.contains("prefers-color-scheme"), "{text}");
    }
}

#[test]
fn dark_pages_with_a_light_selector_or_preference_have_both_themes() {
    for light_rules in [
        "@media (prefers-color-scheme:light){body{background:#fff;color:#111}}",
        ".light body{background:#fff;color:#111}",
    ] {
        let css = format!("body{{background:#0b0c0d;color:#eee}} {light_rules}");
        let light = code(&css, "", Theme::Light);
        assert_eq!(light["theme"], "light", "{light_rules}");
        let (_, dark) = css_of(&light).split_once("prefers-color-scheme: dark").expect(light_rules);
        assert!(dark.contains("#0b0c0d"), "{dark}");
        let dark = code(&css, "", Theme::Dark);
        assert_eq!((&dark["theme"], &dark["hint"]), (&"dark".into(), &Value::Null), "{light_rules}");
    }
}

#[test]
fn picture_sources_for_dark_are_used_in_dark_components() {
    let picture = "<picture><source media='(prefers-color-scheme: dark)' srcset=dark.png><source \
                   media='(prefers-color-scheme: light)' srcset=bright.png><img src=light.png alt=''></picture>";
    let page = page("@media (prefers-color-scheme:dark){body{background:#000}}", "", picture);
    let markup = |theme| ask_of(&page, Some(".h"), theme).unwrap()["code"].as_str().unwrap().to_owned();
    let dark = markup(Theme::Dark);
    assert_eq!(attributes(&dark, "source", "media").last().map(String::as_str), Some("not all"), "{dark}");
    assert!(!dark.contains("prefers-color-scheme"), "{dark}");
    let light = markup(Theme::Light);
    assert_eq!(attributes(&light, "source", "media")[0], "(prefers-color-scheme: dark)", "{light}");
}

#[test]
fn dark_utilities_come_with_the_variant_of_the_pages_theme_selector() {
    for (rule, line) in [
        (".dark .h{background:#123456}", Some("@custom-variant dark (&:where(.dark, .dark *));")),
        (".theme-dark .h{background:#123456}", Some("@custom-variant dark (&:where(.theme-dark, .theme-dark *));")),
        (
            "[data-theme=dark] .h{background:#123456}",
            Some("@custom-variant dark (&:where([data-theme=\"dark\"], [data-theme=\"dark\"] *));"),
        ),
        ("@media (prefers-color-scheme:dark){.h{background:#123456}}", None),
    ] {
        let variant = "dark:bg-[#123456]";
        let page = page(rule, "", "");
        let result = ask_for(&page, Some(".h"), Theme::Light, Framework::Tailwind).unwrap();
        let code = result["code"].as_str().unwrap();
        assert!(code.contains(&format!("{variant}\"")) || code.contains(&format!("{variant} ")), "{rule}: {code}");
        assert_eq!(line.is_none(), result["hint"].is_null(), "{rule}: {}", result["hint"]);
        assert!(result["hint"].as_str().unwrap_or_default().contains(line.unwrap_or_default()), "{}", result["hint"]);
        let html = ask_for(&page, Some(".h"), Theme::Light, Framework::Html).unwrap();
        assert!(html["hint"].is_null(), "the stylesheet itself names the selector: {}", html["hint"]);
        let dark = ask_for(&page, Some(".h"), Theme::Dark, Framework::Tailwind).unwrap();
        let code = dark["code"].as_str().unwrap();
        assert!(code.contains("bg-[#123456]") && !code.contains("dark:"), "{rule}: {code}");
    }
}

#[test]
fn dark_states_are_included() {
    let link = "<p>To <a class=b href=/x>go</a></p>";
    let rules = ".b{color:#1abb9c;background:#eee} .b:hover{background:#ddd} .dark .b{color:#fff;background:#222} \
                 .dark .b:hover{background:#333} .dark .b:focus{color:#fed} .dark .h:has(.b:active) p{color:#abc}";
    let light = ask_of(&page(rules, "", link), Some(".h"), Theme::Light).unwrap();
    let css = css_of(&light);
    let block = |selector: &str| {
        let found = css.split("\n\n").find(|block| block.trim_start().starts_with(selector));
        found.unwrap_or_else(|| panic!("{selector} in {css}")).to_owned()
    };
    let own = |state: &str| block(&format!(":where(.dark) .hero-link{state} {{"));
    assert!(block(".hero-link:hover {").contains("#ddd"), "{css}");
    assert!(own(":hover").contains("#333") && !own(":hover").contains("#222"), "{css}");
    assert!(own(":focus").contains("#fed"), "{css}");
    assert!(css.lines().any(|line| line.contains(":where(.dark)") && line.contains(":has(")), "{css}");
}

#[test]
fn unrelated_dark_rules_change_no_state() {
    let link = "<p>To <a href=/x>go</a></p>";
    let rules = "a{color:#1abb9c;text-decoration:none} a:hover{text-decoration:underline} \
                 :focus-visible{outline:2px solid #1abb9c}";
    let dark = "[data-theme=dark] ::-webkit-scrollbar-thumb{background:#fff} [data-theme=dark] a b{top:0} \
                [data-theme=dark]{--x:1} [data-theme=dark] body{background:#111;color:#eee}";
    let light = ask_of(&page(&format!("{dark} {rules}"), "", link), Some(".h"), Theme::Light).unwrap();
    let css = css_of(&light);
    let of_states: Vec<&str> = css.lines().filter(|line| line.contains("dark") && line.contains("link:")).collect();
    assert!(css.contains("background-color: #111") && of_states.is_empty(), "{of_states:?} {css}");
}

#[test]
fn preferences_without_effect_are_ignored() {
    // As component libraries write it: the preference applies if the root has no theme selector.
    let css = ":root{--g:#fff;--t:#111} @media (prefers-color-scheme:dark){:root:not([data-theme]){--g:#111;--t:#eee}} \
               [data-theme=dark]{--g:#111;--t:#eee} body{background:var(--g);color:var(--t)}";
    let own = |root: &str| {
        let html =
            format!("<!doctype html><html {root}><body><section class=h><h1>Words</h1><p>More words</p></section>");
        let result = super::ask_of(&super::page_of(html, css), Some(".h"), Theme::Light).unwrap();
        css_of(&result).to_owned()
    };
    let by_preference = own("");
    assert!(
        by_preference.contains("prefers-color-scheme: dark") && !by_preference.contains("data-theme"),
        "{by_preference}"
    );
    let by_mark = own("data-theme=''");
    assert!(by_mark.contains("[data-theme=\"dark\"]"), "{by_mark}");
}

#[test]
fn dark_rules_may_depend_on_the_width() {
    for (query, expected) in
        [("max-width:600px", "@media (max-width: 600px)"), ("min-width:700px", "@media (min-width: 700px)")]
    {
        let css = format!("p{{color:#111}} .dark p{{color:#eee}} @media({query}){{.dark p{{color:#0f0}}}}");
        let own = code(&css, "", Theme::Light);
        let css = css_of(&own);
        let (_, rest) = css.split_once(expected).unwrap_or_else(|| panic!("no {expected} in {css}"));
        let (at_width, _) = rest.split_once("\n}\n").unwrap();
        assert!(at_width.contains(":where(.dark) .hero-text {\n    color: #0f0;"), "{css}");
        assert!(!at_width.contains("#eee") && css.contains("#eee") && css.matches("#0f0").count() == 1, "{css}");
    }
}

#[test]
fn themes_also_enabled_by_a_control_are_included() {
    let own = ":root{--bg:#fffffe} :root:has(input[value=dark]:checked),[data-theme=dark]{--bg:#0b0c0d} \
               body{background:var(--bg)}";
    let light = code(own, "", Theme::Light);
    let (base, dark) = css_of(&light).split_once("[data-theme=\"dark\"]").unwrap();
    assert!(base.contains("#fffffe") && dark.contains("#0b0c0d"), "{base} {dark}");
    let dark = code(own, "", Theme::Dark);
    assert!(css_of(&dark).contains("#0b0c0d") && !css_of(&dark).contains("#fffffe"), "{dark}");
}

#[test]
fn themes_beside_light_and_dark_are_the_pages_appearance() {
    const RULES: &str = ":root,[data-theme=light]{color-scheme:light;--bg:#fffffe} [data-theme=dark]{color-scheme:dark;--bg:#000001} \
                         [data-theme=sepia]{--bg:#ffeeaa} [data-theme=dracula]{color-scheme:dark;--bg:#282a36} \
                         body{background:var(--bg)} @media(prefers-color-scheme:dark){:root:not([data-theme]){--bg:#000002}}";
    let base = |served: &str| {
        let html = format!(
            "<!doctype html><html {served}><body><main><section class=h><h1>Words on a ground</h1><p>More of them</p>\
             </section></main></body></html>"
        );
        let result = ask_of(&page_of(html, RULES), Some(".h"), Theme::Light).unwrap();
        let css = css_of(&result).to_owned();
        assert!(
            !css.contains("prefers-color-scheme") || served.is_empty(),
            "the attribute overrides the preference: {css}"
        );
        css.split_once("\n\n").unwrap().0.to_owned()
    };
    assert!(base("data-theme=sepia").contains("#fea"));
    assert!(base("data-theme=dracula").contains("#282a36"));
    assert!(!base("data-theme=sepia").contains("#000001"));
    // One without a rule, and one with a light counterpart.
    assert!(base("data-theme=auto").contains("#fffffe"));
    assert!(base("data-theme=dark").contains("#fffffe"));
}

#[test]
fn dark_theme_beside_further_themes_is_found() {
    let rules =
        "body{background:#fffffe} .dark body{background:#000001} [data-theme=light]{--a:1} [data-theme=blue]{--a:2}";
    let html = "<!doctype html><html class=dark data-theme=blue><body><main><section class=h><h1>Words on a ground</h1>\
                <p>More of them</p></section></main></body></html>";
    let result = ask_of(&page_of(html.to_owned(), rules), Some(".h"), Theme::Light).unwrap();
    let (base, dark) = css_of(&result).split_once(":where(.dark)").unwrap();
    assert!(!base.contains("#000001") && dark.contains("#000001"), "{base} {dark}");
}
