use limner_page::PageSnapshot;
use limner_page_view::PageView;
use limner_test_pages::{PAGE_URL, page};
use limner_types::{Operation, request};
use serde_json::{Value, json};

fn tokens(css: &str) -> Value {
    result(&page(&format!("<style>{css}</style><p>Hello")))
}

/// Returns the result as JSON and checks that it is deterministic.
fn result(page: &PageSnapshot) -> Value {
    limner_test_pages::result(crate::extract, page, &limner_test_pages::request(Operation::Extract))
}

/// Returns the response body in another format.
fn file(format: &str, css: &str) -> String {
    let pairs = [("url", PAGE_URL), ("format", format)].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let request = request::parse(Operation::Extract, &pairs).unwrap().request;
    let page = page(&format!("<style>{css}</style><p>Hello"));
    let extraction = crate::extract(&PageView::new(&page), &request).unwrap();
    assert_eq!(
        extraction,
        crate::extract(&PageView::new(&page), &request).unwrap(),
        "the same input gives the same bytes"
    );
    String::from_utf8(extraction.body).unwrap()
}

/// Returns the values of a group with their counts, in order.
fn counts(found: &Value, group: &str) -> Vec<(String, u64)> {
    let group = found[group].as_object().unwrap();
    group.iter().map(|(value, usage)| (value.clone(), usage["count"].as_u64().unwrap())).collect()
}

fn expect(css: &str, group: &str, expected: &[(&str, u64)]) {
    let found = counts(&tokens(css), group);
    let found: Vec<(&str, u64)> = found.iter().map(|(value, count)| (value.as_str(), *count)).collect();
    assert_eq!(found, expected, "{css}");
}

#[test]
fn values_have_usage() {
    let found = tokens(
        ":root{--brand:#C00}
         a{color:var(--brand);margin:4px}
         b{border:1px solid #cc0000}
         @media (max-width:600px){a{color:red}}
         i{color:#C00;color:#cc0000 !important;color:blue}",
    );
    assert_eq!(
        found["colors"]["#cc0000"],
        json!({
            "count": 3,
            "used": 0,
            "properties": ["border-bottom-color", "border-left-color", "border-right-color", "border-top-color", "color"],
            "variables": ["--brand"],
            "selectors": ["a", "b", "i"],
            "original": "#C00",
        })
    );
    assert_eq!(found["colorSchemes"], json!(["light"]));
}

#[test]
fn original_is_given_if_it_differs_from_the_key() {
    for (css, group, key, original) in [
        ("a{z-index:2147483647}", "zIndexes", "2147483647", Value::Null),
        ("a{margin:1000000px}", "spacing", "1000000px", Value::Null),
        ("a{margin:16777217px}", "spacing", "16777217px", Value::Null),
        ("a{margin:13.333333px}", "spacing", "13.3333px", "13.333333px".into()),
        ("a{opacity:2}", "opacities", "1", "2".into()),
        ("a{opacity:-1}", "opacities", "0", "-1".into()),
        ("a{opacity:40%}", "opacities", "0.4", "40%".into()),
        // The first notation of a rule, whichever of its declarations wins over others.
        ("a{color:#F00;background:red}", "colors", "#ff0000", "#F00".into()),
        ("a{color:#F00;background:red!important}", "colors", "#ff0000", "#F00".into()),
        (":root{--far:1000000px} a{margin:var(--far)}", "spacing", "1000000px", Value::Null),
        ("@media (max-width:1000000px){a{top:0}}", "breakpoints", "1000000px", Value::Null),
        ("@media (max-width:70000em){a{top:0}}", "breakpoints", "1120000px", "70000em".into()),
    ] {
        let found = tokens(css);
        assert!(found[group][key].is_object(), "{css}: {}", found[group]);
        assert_eq!(found[group][key]["original"], original, "{css}");
    }
    let found = tokens("@media (max-width:1000000px){a{top:0}} a{margin:var(--far)} :root{--far:1000000px}");
    assert_eq!(found["breakpoints"]["1000000px"]["query"], "(max-width: 1000000px)");
    assert_eq!(found["spacing"]["1000000px"]["variables"], json!(["--far"]));
    let file: Value = serde_json::from_str(&file("dtcg", "a{padding:99999999px}")).unwrap();
    let text = file.to_string();
    assert!(text.contains(r#""value":99999999"#) && text.contains(r#""unrepresented":[]"#), "{text}");
}

#[test]
fn values_name_the_variables_they_come_from() {
    for (css, group, value, variables) in [
        (":root{--s:8px} a{padding:var(--s) 16px}", "spacing", "16px", json!(null)),
        (":root{--s:8px} a{padding:var(--s) 16px}", "spacing", "8px", json!(["--s"])),
        (":root{--s:1px} a{padding:var(--s) 11px}", "spacing", "11px", json!(null)),
        (":root{--x:#00f} a{border-color:var(--x) red}", "colors", "#ff0000", json!(null)),
        (
            ":root{--sh:0 1px 2px rgba(0,0,0,.1)} a{box-shadow:var(--sh)}",
            "boxShadows",
            "0 1px 2px 0 #0000001a",
            json!(["--sh"]),
        ),
        (
            ":root{--r:1;--g:2;--b:3} a{color:rgb(var(--r) var(--g) var(--b))}",
            "colors",
            "#010203",
            json!(["--b", "--g", "--r"]),
        ),
        (":root{--e:cubic-bezier(.1,.2,.3,1)} a{transition:color 1s var(--e)}", "durations", "1000ms", json!(null)),
    ] {
        let found = tokens(css);
        let entry = &found[group][value];
        assert!(entry.is_object(), "{css}: {found}");
        assert_eq!(entry["variables"], variables, "{css}");
    }
}

#[test]
fn declarations_count_once_for_each_value() {
    for (css, group, expected) in [
        ("a{margin:4px}b{margin:4px 8px}", "spacing", vec![("4px", 2), ("8px", 1)]),
        ("a{margin-left:1px;margin:2px}", "spacing", vec![("2px", 1)]),
        ("a{margin:2px;margin-left:1px;margin-top:2px}", "spacing", vec![("2px", 2), ("1px", 1)]),
        ("a{margin:2px!important;margin:1px}", "spacing", vec![("2px", 1)]),
        ("a{border-radius:4px}b{border:2px solid red}", "borderRadiuses", vec![("4px", 1)]),
        ("a{border-radius:4px}b{border:2px solid red;color:red}", "colors", vec![("#ff0000", 2)]),
        ("a{transition:color .2s,opacity .2s ease-in}", "durations", vec![("200ms", 1)]),
        (
            "a{padding-left:2px;-webkit-padding-start:3px;padding-inline-start:4px}",
            "spacing",
            vec![("2px", 1), ("4px", 1)],
        ),
        ("a{color:#fff;color:nonsense}", "colors", vec![("#ffffff", 1)]),
        ("a{color:#fff;-moz-box-shadow:0 0 red;*color:red}", "colors", vec![("#ffffff", 1)]),
        ("a{-webkit-box-shadow:0 0 1px red;box-shadow:0 0 1px red}", "boxShadows", vec![("0 0 1px 0 #ff0000", 1)]),
        ("a,b,c{opacity:.5}", "opacities", vec![("0.5", 1)]),
        ("@supports (display:nonsense){a{opacity:.5}}", "opacities", vec![("0.5", 1)]),
        ("@media print{a{opacity:.5}}@keyframes x{to{opacity:.2}}", "opacities", vec![]),
        ("a{b{opacity:.5}opacity:.4}", "opacities", vec![("0.4", 1), ("0.5", 1)]),
        ("a{z-index:auto;opacity:inherit}", "opacities", vec![]),
        ("b{opacity:1}a{opacity:.9}a{opacity:1}c{opacity:.2}", "opacities", vec![("1", 2), ("0.2", 1), ("0.9", 1)]),
        // Values that shorthands imply.
        ("a{background:url(x.png)}b{background:transparent}", "colors", vec![("#00000000", 1)]),
        ("a{border:none}b{border:solid red}", "borderWidths", vec![]),
        // Colours in shadows and gradients do not increase the count of others.
        ("a{color:red;box-shadow:0 0 red,0 0 blue,1px 0 blue}", "colors", vec![("#0000ff", 1), ("#ff0000", 1)]),
    ] {
        expect(css, group, &expected);
    }
}

#[test]
fn style_attributes_count_too() {
    let found = result(&page("<p style='margin:3px'>a<p style='margin:3px'>b"));
    assert_eq!(
        found["spacing"]["3px"],
        json!({ "count": 2, "used": 2, "properties": ["margin-bottom", "margin-left", "margin-right", "margin-top"] })
    );
}

#[test]
fn custom_properties_are_resolved_at_their_use() {
    for (css, group, expected) in [
        (":root{--a:var(--b);--b:4px}a{margin:var(--a)}", "spacing", vec![("4px", 1)]),
        ("a{margin:var(--none,4px)}", "spacing", vec![("4px", 1)]),
        ("a{margin:var(--none)}", "spacing", vec![]),
        (":root{--a:var(--b);--b:var(--a)}a{margin:var(--a,4px)}", "spacing", vec![("4px", 1)]),
        (
            "@property --a{syntax:'<length>';inherits:true;initial-value:4px}a{margin:var(--a)}",
            "spacing",
            vec![("4px", 1)],
        ),
        (":root{--s:.25rem}a{padding-top:calc(var(--s)*4)}", "spacing", vec![("1rem", 1)]),
        (":root{--rgb:255,0,0}a{color:rgba(var(--rgb),.5)}", "colors", vec![("#ff000080", 1)]),
        ("body{--a:red}a{color:var(--a)}", "colors", vec![("#ff0000", 1)]),
        // The rule's value comes before the page's, which is listed once.
        (
            ":root{--a:red}a{--a:blue;color:var(--a)}b{--a:blue;color:var(--a)}",
            "colors",
            vec![("#0000ff", 2), ("#ff0000", 1)],
        ),
        // Variants of a component are listed; they do not count a declaration twice.
        (
            ".b{--c:red;color:var(--c);border-color:var(--c)}.b-x{--c:blue}.b-y{--c:red}",
            "colors",
            vec![("#0000ff", 2), ("#ff0000", 2)],
        ),
        (".b{border:var(--w,1px) solid var(--c)}.b-x{--c:red}.b-y{--c:blue}", "borderWidths", vec![("1px", 1)]),
        // Combinations of variables are not generated.
        (".b{--c:1,2,3;--o:1;color:rgba(var(--c),var(--o))}.o{--o:.5}", "colors", vec![("#010203", 1)]),
        // A custom property is computed where it is declared.
        (
            ":root{--c:red;--s:0 0 1px var(--c)}a{--c:blue;box-shadow:var(--s)}",
            "boxShadows",
            vec![("0 0 1px 0 #ff0000", 1)],
        ),
        // Layers that variables leave empty are invisible.
        (
            ":root{--ring:0 0 #0000}a{--own:0 1px 2px red;box-shadow:var(--ring),var(--own)}",
            "boxShadows",
            vec![("0 1px 2px 0 #ff0000", 1)],
        ),
        // A layer that is neither moved nor blurred nor spread lies under the box.
        (
            "a{--offset:0 0 0 0px #fff;box-shadow:var(--offset),inset 0 0 0 0 red,0 0 0 2px red,0 0 #0000}",
            "boxShadows",
            vec![("0 0 0 2px #ff0000", 1)],
        ),
        ("a{--r:0 0 #0000;box-shadow:0 0 0 0 red,var(--r)}", "boxShadows", vec![("0 0 0 0 #ff0000", 1)]),
        ("a{--r:0 0 0 red;text-shadow:var(--r),1px 0 red}", "textShadows", vec![("0 0 0 #ff0000, 1px 0 0 #ff0000", 1)]),
    ] {
        expect(css, group, &expected);
    }
}

#[test]
fn variables_are_evidence_of_the_part_they_provide() {
    let found = tokens(":root{--w:2px;--c:red;--d:var(--c)}a{border:var(--w) solid var(--d)}b{color:var(--c)}");
    assert_eq!(found["borderWidths"]["2px"]["variables"], json!(["--w"]));
    assert_eq!(found["colors"]["#ff0000"]["variables"], json!(["--c", "--d"]));
}

#[test]
fn themes_are_labelled() {
    let themes = |css: &str, color: &str| tokens(css)["colors"][color]["themes"].clone();
    let (light, dark) = (json!(["light"]), json!(["dark"]));
    for (css, color, expected) in [
        ("a{color:red}", "#ff0000", Value::Null),
        ("@media (prefers-color-scheme:dark){a{color:red}}", "#ff0000", dark.clone()),
        ("@media (prefers-color-scheme:dark){a{color:red}}b{color:red}", "#ff0000", Value::Null),
        (".dark a{color:red}", "#ff0000", dark.clone()),
        ("[data-theme=dark] a{color:red}", "#ff0000", dark.clone()),
        (".btn.dark{color:red}", "#ff0000", Value::Null),
        ("a{color:light-dark(red,blue)}", "#ff0000", light.clone()),
        ("a{color:light-dark(red,blue)}", "#0000ff", dark.clone()),
        (
            ":root{--c:red}@media (prefers-color-scheme:dark){:root{--c:blue}}a{color:var(--c)}",
            "#ff0000",
            light.clone(),
        ),
        (":root{--c:red}@media (prefers-color-scheme:dark){:root{--c:blue}}a{color:var(--c)}", "#0000ff", dark.clone()),
        (":root{--c:red}.dark{--c:blue}a{color:var(--c)}", "#0000ff", dark.clone()),
        ("[data-theme=light]{--c:red}[data-theme=dark]{--c:blue}a{color:var(--c)}", "#ff0000", light.clone()),
        (":root{--c:blue}:root.light{--c:red}a{color:var(--c)}", "#0000ff", dark.clone()),
        (":root{--c:blue}:root.light{--c:red}a{color:var(--c)}", "#ff0000", light),
        // Parts of a shorthand that are equal in both themes belong to neither.
        (":root{--c:red}.dark{--c:blue}a{box-shadow:0 0 1px var(--c), 0 0 2px tan}", "#d2b48c", Value::Null),
    ] {
        assert_eq!(themes(css, color), expected, "{css} {color}");
    }
}

#[test]
fn color_schemes_of_a_page_are_listed() {
    let schemes = |html: &str| result(&page(html))["colorSchemes"].clone();
    let (light, both) = (json!(["light"]), json!(["light", "dark"]));
    for (html, expected) in [
        ("<p>a", &light),
        ("<style>.btn-dark{color:red}</style>", &light),
        ("<style>@media (prefers-color-scheme:light){a{color:red}}</style>", &light),
        ("<style>@media (prefers-color-scheme:dark){a{color:red}}</style>", &both),
        ("<style media='(prefers-color-scheme:dark)'>a{color:red}</style>", &both),
        ("<style>@media (prefers-color-scheme:dark){}</style>", &light),
        ("<style>a{color:light-dark(red,blue)}</style>", &both),
        ("<style>:root{color-scheme:light dark}</style>", &both),
        ("<style>.dark a{color:red}</style>", &both),
        // Rules for dark count whatever they declare.
        ("<style>b{top:0}.dark img{filter:invert(1)}</style>", &both),
        ("<style>b{top:0}:root:not(.light) img{display:none}</style>", &both),
        ("<style>b{top:0}@media (prefers-color-scheme:dark){b{top:0}img{display:none}}</style>", &both),
        ("<style media='(prefers-color-scheme:dark)'>b{top:0}img{display:none}</style>", &both),
        ("<meta name=color-scheme content='light dark'>", &both),
        ("<style>[data-md-color-scheme=slate]{--hue:232}a{color:red}</style>", &both),
        ("<style>[data-theme=dracula]{color-scheme:dark;--base:#282a36}a{color:red}</style>", &both),
        ("<style>[data-theme=ocean]{--base:#282a36}[data-icon=slate]{color:red}</style>", &light),
        // The block library's rules for an editor with a dark theme; a theme of its own sets the class itself.
        ("<style>.is-dark-theme .wp-block-image figcaption{color:#fff}</style>", &light),
        ("<style>.is-dark-theme{--ground:#111}a{color:red}</style>", &both),
    ] {
        assert_eq!(schemes(html), *expected, "{html}");
    }
}

#[test]
fn scroll_bar_parts_and_color_mix_opacities_are_read() {
    let found = tokens(
        "p::-webkit-scrollbar-track-piece:horizontal{background:rgba(0,0,0,.1)}::-webkit-scrollbar-button{color:#123456}
         a{color:color-mix(in oklab, #e7000b 10%, transparent)}",
    );
    for color in ["#0000001a", "#123456", "#e7000b1a"] {
        assert!(found["colors"].get(color).is_some(), "{color}: {}", found["colors"]);
    }
}

#[test]
fn breakpoints_come_from_media_and_container_queries() {
    let found = tokens(
        "@media (min-width:48em){a{color:red}}@media (min-width:48em){b{color:red}}@media screen and (max-width:768px){a{color:red}}
         @container (width > 400px){a{color:red}}@media (min-width:48em) and (max-width:1024px){a{color:red}}",
    );
    assert_eq!(
        found["breakpoints"],
        json!({
            "768px": {
                "count": 3, "rules": 4, "type": "min", "query": "(min-width: 48em)",
                "queries": ["(min-width: 48em)", "(max-width: 768px)"], "original": "48em",
            },
            "1024px": { "count": 1, "rules": 1, "type": "max", "query": "(max-width: 1024px)" },
            "400px": { "count": 1, "rules": 1, "type": "min", "query": "@container (width > 400px)" },
        })
    );
}

#[test]
fn breakpoint_query_matches_its_bound() {
    let found = tokens("@media (max-width:600px){a{color:red}}@media (min-width:600px){b{color:red}}");
    let width = &found["breakpoints"]["600px"];
    assert_eq!((&width["type"], &width["query"]), (&json!("min"), &json!("(min-width: 600px)")));
}

const SITE: &str = ":root{--brand:#0d6efd;--bg:#fff;--space:8px;--shadow:0 1px 2px rgba(0,0,0,.1)}
    @media (prefers-color-scheme:dark){:root{--bg:#111}}
    [data-theme=dark]{--bg:#111}
    body{background:var(--bg);color:oklch(63.7% 0.237 25.331);font:1rem/1.5 Inter,serif;padding:var(--space) 2em}
    a{color:var(--brand);transition:color .2s ease-in-out;box-shadow:var(--shadow)}
    b{background:linear-gradient(90deg,red,#00f 50%,#fff 10px),conic-gradient(red,#00f8);border-radius:4px 50%}
    @media (min-width:48em){b{letter-spacing:-.5px;font-weight:600;opacity:.075}}";

#[test]
fn css_file_declares_custom_properties() {
    let expected = r#"/* Design tokens of https://page.example/dir/index.html */
:root {
  /* Colours */
  --bg: #ffffff;
  --color-red-500: oklch(0.637 0.237 25.331);
  --brand: #0d6efd;

  /* Font sizes */
  --font-size-1rem: 1rem;

  /* Font families */
  --font-family-inter: Inter, serif;

  /* Font weights */
  --font-weight-normal: 400;

  /* Line heights */
  --line-height-1_5: 1.5;

  /* Spacing */
  --space: 8px;
  --spacing-2em: 2em;

  /* Shadows */
  --shadow: 0 1px 2px 0 rgb(0 0 0 / 0.1);

  /* Breakpoints */
  --breakpoint-768px: 768px;

  /* ---- The rest of the stylesheets: no element of the page has these values ---- */

  /* Colours */
  --color-red-500-2: #ff0000;
  --color-blue-800: #0000ff;
  --color-black-a10: rgb(0 0 0 / 0.1);
  --color-blue-800-a53: #0000ff88;

  /* Font weights */
  --font-weight-semibold: 600;

  /* Letter spacing */
  --letter-spacing-neg-0_5px: -0.5px;

  /* Corner radii */
  --radius-4px: 4px;
  --radius-50pct: 50%;

  /* Opacities */
  --opacity-7_5: 0.075;

  /* Gradients */
  --gradient-conic: conic-gradient(#ff0000, #0000ff88);
  --gradient-linear: linear-gradient(90deg, #ff0000, #0000ff 50%, #ffffff 10px);

  /* Durations */
  --duration-200ms: 200ms;

  /* Easings */
  --easing-ease-in-out: ease-in-out;
}

@media (prefers-color-scheme: dark) {
  :root {
    --bg: #111111;
  }
}

[data-theme="dark"] {
  --bg: #111111;
}
"#;
    assert_eq!(file("css", SITE), expected);
}

#[test]
fn container_widths_are_not_breakpoints_of_a_theme() {
    let theme =
        file("tailwind", "@container card (width > 400px){a{color:red}} @container (max-width:300px){a{top:0}}");
    assert!(theme.contains("--container-400px: 400px;") && !theme.contains("breakpoint"), "{theme}");
    let theme = file("tailwind", "@container (min-width:400px){a{color:red}} @media (min-width:48em){a{top:0}}");
    assert!(theme.contains("--breakpoint-768px: 768px;\n  --container-400px: 400px;"), "{theme}");
}

#[test]
fn tailwind_file_declares_a_theme() {
    let expected = r#"/* Design tokens of https://page.example/dir/index.html */
@import "tailwindcss";

@theme {
  /* Colours */
  --color-bg: #ffffff;
  --color-red-500: oklch(0.637 0.237 25.331);
  --color-brand: #0d6efd;

  /* Font sizes */
  --text-1rem: 1rem;

  /* Font families */
  --font-inter: Inter, serif;

  /* Font weights */
  --font-weight-normal: 400;

  /* Line heights */
  --leading-1_5: 1.5;

  /* Spacing */
  --spacing-base: 8px;
  --spacing-2em: 2em;

  /* Shadows */
  --shadow-base: 0 1px 2px 0 rgb(0 0 0 / 0.1);

  /* Breakpoints */
  --breakpoint-*: initial;
  --breakpoint-768px: 768px;

  /* ---- The rest of the stylesheets: no element of the page has these values ---- */

  /* Colours */
  --color-red-500-2: #ff0000;
  --color-blue-800: #0000ff;
  --color-black-a10: rgb(0 0 0 / 0.1);
  --color-blue-800-a53: #0000ff88;

  /* Font weights */
  --font-weight-semibold: 600;

  /* Letter spacing */
  --tracking-neg-0_5px: -0.5px;

  /* Corner radii */
  --radius-4px: 4px;
  --radius-50pct: 50%;

  /* Opacities */
  --opacity-7_5: 0.075;

  /* Gradients */
  --background-image-gradient-conic: conic-gradient(#ff0000, #0000ff88);
  --background-image-gradient-linear: linear-gradient(90deg, #ff0000, #0000ff 50%, #ffffff 10px);

  /* Durations */
  --transition-duration-200ms: 200ms;

  /* Easings */
  --ease-in-out: ease-in-out;
}

@media (prefers-color-scheme: dark) {
  :root {
    --color-bg: #111111;
  }
}

[data-theme="dark"] {
  --color-bg: #111111;
}
"#;
    assert_eq!(file("tailwind", SITE), expected);
}

#[test]
fn dark_scope_becomes_a_custom_variant() {
    let theme = file("tailwind", ":root{--c:red}.dark{--c:blue}a{color:var(--c)}");
    assert!(theme.contains("@custom-variant dark (&:where(.dark, .dark *));\n"), "{theme}");
    assert!(theme.ends_with("\n.dark {\n  --color-c: #0000ff;\n}\n"), "{theme}");
}

#[test]
fn design_tokens_file_has_the_specified_form() {
    let found: Value = serde_json::from_str(&file("dtcg", SITE)).unwrap();
    let value = |path: &str| found.pointer(path).unwrap_or_else(|| panic!("{path} in {found:#}"));
    for (path, expected) in [
        ("/$schema", json!("https://www.designtokens.org/schemas/2025.10/format.json")),
        (
            "/color/brand",
            json!({
                "$type": "color",
                "$value": { "colorSpace": "srgb", "components": [0.05098, 0.431373, 0.992157], "hex": "#0d6efd" },
                "$extensions": { "dev.limner": { "variable": "--brand", "count": 1, "used": 0, "properties": ["color"] } },
            }),
        ),
        (
            "/color/red-500/$value",
            json!({ "colorSpace": "oklch", "components": [0.637, 0.237, 25.331], "hex": "#fb2c36" }),
        ),
        ("/color/black-a10/$value/alpha", json!(0.1)),
        ("/dark/color/bg/$value/hex", json!("#111111")),
        ("/fontSize/1rem/$value", json!({ "value": 1, "unit": "rem" })),
        ("/fontFamily/inter/$value", json!(["Inter", "serif"])),
        (
            "/lineHeight/1_5",
            json!({ "$type": "number", "$value": 1.5, "$extensions": { "dev.limner": { "count": 1, "used": 2, "properties": ["line-height"] } } }),
        ),
        ("/boxShadow/base/$value/blur", json!({ "value": 2, "unit": "px" })),
        ("/gradient/conic/$value/1/position", json!(1)),
        ("/gradient/conic/$extensions/dev.limner/css", json!("conic-gradient(#ff0000, #0000ff88)")),
        ("/duration/200ms/$value", json!({ "value": 200, "unit": "ms" })),
        ("/easing/ease-in-out/$value", json!([0.42, 0, 0.58, 1])),
        ("/breakpoint/768px/$value", json!({ "value": 768, "unit": "px" })),
    ] {
        assert_eq!(*value(path), expected, "{path}");
    }
    let left_out: Vec<&str> = value("/$extensions/dev.limner/unrepresented")
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["value"].as_str().unwrap())
        .collect();
    assert_eq!(left_out, ["2em", "50%", "linear-gradient(90deg, #ff0000, #0000ff 50%, #ffffff 10px)"]);
}

mod color_spaces;
mod element_usage;
mod files;
mod hostile;
mod variables;
