//! `used`: the elements of the page that have a value; `scope=page`; custom properties that nothing refers to.

use super::{file, result};
use limner_test_pages::{PAGE_URL, page};
use limner_types::{Operation, request};
use serde_json::{Value, json};

fn found(css: &str, body: &str) -> Value {
    result(&page(&format!("<!doctype html><html><head><style>{css}</style></head><body>{body}</body></html>")))
}

/// Returns the result with `scope=page`.
fn of_page(css: &str, body: &str) -> Value {
    let pairs = [("url", PAGE_URL), ("scope", "page")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let request = request::parse(Operation::Extract, &pairs).unwrap().request;
    let page = page(&format!("<!doctype html><html><head><style>{css}</style></head><body>{body}</body></html>"));
    limner_test_pages::result(crate::extract, &page, &request)
}

fn sorted_keys(group: &Value) -> Vec<&str> {
    let mut keys = keys(group);
    keys.sort_unstable();
    keys
}

fn keys(group: &Value) -> Vec<&str> {
    group.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn elements_with_the_computed_value_are_counted() {
    for (css, body, group, value, used) in [
        ("p{color:red}", "<p>a<p>b", "colors", "#ff0000", 2),
        (".x{color:red}", "<p>a", "colors", "#ff0000", 0),
        // Inherited by the child; the root and the body have another colour.
        ("p{color:red}", "<p>a<b>b</b>", "colors", "#ff0000", 2),
        ("html{color:red}", "<p>a", "colors", "#ff0000", 3),
        ("p{background:red}", "<p>a<b>b</b>", "colors", "#ff0000", 1),
        ("p{background:red}b{background:inherit}", "<p>a<b>b</b>", "colors", "#ff0000", 2),
        ("p{color:red}b{color:initial}", "<p>a<b>b</b>", "colors", "#ff0000", 1),
        // The cascade decides.
        ("p{color:red}p.x{color:blue}", "<p class=x>a<p>b", "colors", "#ff0000", 1),
        ("p{color:red!important}p.x{color:blue}", "<p class=x>a", "colors", "#0000ff", 0),
        ("p{color:red}", "<p style='color:blue'>a", "colors", "#ff0000", 0),
        ("p{color:red}", "<p style='color:blue'>a", "colors", "#0000ff", 1),
        ("p{margin:4px}p{margin-left:8px}", "<p>a", "spacing", "4px", 1),
        // The user agent's sheet has a say: headings do not inherit a weight.
        ("body{font-weight:400}", "<h1>a</h1><p>b", "fontWeights", "400", 2),
        ("h2{font-weight:700}", "<h1>a</h1><h3>b</h3>", "fontWeights", "700", 2),
        // On a phone, and in dark.
        ("p{color:red}@media(max-width:500px){p{color:blue}}", "<p>a", "colors", "#0000ff", 1),
        ("p{color:red}@media(max-width:500px){p{color:blue}}", "<p>a", "colors", "#ff0000", 1),
        ("p{color:red}@media(prefers-color-scheme:dark){p{color:blue}}", "<p>a", "colors", "#0000ff", 1),
        ("p{color:red}@media(min-width:3000px){p{color:blue}}", "<p>a", "colors", "#0000ff", 0),
        ("p{color:light-dark(red,blue)}", "<p>a", "colors", "#0000ff", 1),
        // States are not those at rest.
        ("p{color:red}p:hover{color:blue}", "<p>a", "colors", "#0000ff", 0),
        // Generated content counts as its element.
        ("p::before{content:'a';color:red}", "<p>a<p>b", "colors", "#ff0000", 2),
        ("p::before{color:red}", "<p>a", "colors", "#ff0000", 0),
        // Values of custom properties are those on the element.
        (":root{--c:red}p{color:var(--c)}", "<p>a", "colors", "#ff0000", 1),
        (":root{--c:red}p{color:var(--c)}.x{--c:blue}", "<p>a<p class=x>b", "colors", "#0000ff", 1),
        (":root{--c:red}p{color:var(--c)}.x{--c:blue}", "<p>a<div class=x><p>b<p>c</div>", "colors", "#0000ff", 2),
        (":root{--c:red}.dark{--c:blue}p{color:var(--c)}", "<p>a", "colors", "#0000ff", 1),
        // Rules for elements in a theme that hangs on the root.
        ("p{color:red}.dark p{color:blue}", "<p>a<p>b", "colors", "#0000ff", 2),
        ("p{color:red}.dark p{color:blue}", "<p>a<p>b", "colors", "#ff0000", 2),
        ("p{color:red}[data-theme=dark] .x{color:blue}", "<p class=x>a<p>b", "colors", "#0000ff", 1),
        ("p{color:red!important}.dark p{color:blue}", "<p>a", "colors", "#0000ff", 0),
        (".dark{color:blue}", "<p>a", "colors", "#0000ff", 3),
        ("p{color:red}:root:not(.dark) p{color:tan}.dark i{top:0}", "<p>a", "colors", "#ff0000", 1),
        ("p{color:red}:root:not(.dark) p{color:tan}.dark i{color:lime}", "<p>a", "colors", "#ff0000", 1),
        // A part of the page is called dark.
        ("p{color:red}.dark p{color:blue}", "<div class=dark><p>a</div><p>b", "colors", "#0000ff", 1),
        // Colours in shadows count as well.
        ("p{box-shadow:0 0 1px red}", "<p>a", "colors", "#ff0000", 1),
    ] {
        let found = found(css, body);
        assert_eq!(found[group][value]["used"], json!(used), "{css} {body}: {}", found[group]);
    }
}

#[test]
fn scope_page_leaves_out_what_no_element_has() {
    let css = "p{color:red;margin:4px}.modal{color:blue;box-shadow:0 0 9px tan}
               @media(min-width:700px){p{margin:8px}}@media(min-width:900px){.modal{margin:12px}}";
    let (sheet, page) = (found(css, "<p>a"), of_page(css, "<p>a"));
    assert_eq!(keys(&sheet["colors"]), ["#0000ff", "#d2b48c", "#ff0000"]);
    assert_eq!(keys(&page["colors"]), ["#ff0000"]);
    assert_eq!(keys(&page["spacing"]), ["4px", "8px"]);
    assert_eq!((keys(&page["boxShadows"]).len(), keys(&sheet["boxShadows"]).len()), (0, 1));
    assert_eq!(keys(&sheet["breakpoints"]), ["700px", "900px"]);
    assert_eq!(keys(&page["breakpoints"]), ["700px"]);
    // What is left is as in the other scope.
    assert_eq!(page["colors"]["#ff0000"], sheet["colors"]["#ff0000"]);
}

#[test]
fn root_tokens_are_listed_although_nothing_refers_to_them() {
    let css = ":root{--brand:#ffc800;--space-1:4px;--space-2:8px;--radius:6px;--ease-out:cubic-bezier(0,0,.2,1);--speed:.2s;
        --font-sans:Inter,sans-serif;--text-lg:1.25rem;--fw-bold:700;--shadow-card:0 1px 2px #0003;--fade:linear-gradient(red,blue);
        --z-modal:50;--leading-tight:1.2;--header-height:64px;--columns:12;--on:1;--icon:url(a.png);--tw-ring:red;--link:var(--brand)}
        .card{--card-bg:tan} p{padding:8px}";
    let found = of_page(css, "<p>a");
    for (group, expected) in [
        ("colors", json!({"#ffc800": ["--brand", "--link"], "#0000ff": null, "#ff0000": null})),
        ("spacing", json!({"4px": ["--space-1"], "8px": ["--space-2"]})),
        ("borderRadiuses", json!({"6px": ["--radius"]})),
        ("easings", json!({"cubic-bezier(0, 0, 0.2, 1)": ["--ease-out"]})),
        ("durations", json!({"200ms": ["--speed"]})),
        ("fontFamilies", json!({"Inter, sans-serif": ["--font-sans"]})),
        ("fontSizes", json!({"1.25rem": ["--text-lg"]})),
        ("fontWeights", json!({"700": ["--fw-bold"]})),
        ("boxShadows", json!({"0 1px 2px 0 #00000033": ["--shadow-card"]})),
        ("gradients", json!({"linear-gradient(#ff0000, #0000ff)": ["--fade"]})),
        ("zIndexes", json!({"50": ["--z-modal"]})),
        ("lineHeights", json!({"1.2": ["--leading-tight"]})),
    ] {
        let variables = |value: &str| found[group].get(value).map_or(&Value::Null, |usage| &usage["variables"]);
        for (value, names) in expected.as_object().unwrap() {
            assert_eq!(variables(value), names, "{group} {value}: {}", found[group]);
        }
    }
    assert_eq!(found["colors"]["#ffc800"]["count"], 0);
    let text = found.to_string();
    for absent in ["64px", "--tw-ring", "--card-bg", "d2b48c", "\"12\""] {
        assert!(!text.contains(absent), "{absent}: {text}");
    }
}

#[test]
fn custom_properties_of_body_are_root_tokens() {
    let css = ".kit-9{--e-global-color-primary:#bada55;--e-global-color-accent:#123456;--size:64px}
        .kit-8{--e-global-color-primary:#111111;--e-global-color-accent:#222222}
        .unused{color:var(--e-global-color-accent)} .card{--card-bg:tan} p{padding:8px}";
    // The parser adds the attributes of a second tag to the element.
    let body = "<body class=kit-9><p>a";
    let page = of_page(css, body);
    for found in [&page, &found(css, body)] {
        let variables = |hex: &str| found["colors"].get(hex).map(|usage| usage["variables"].clone());
        assert_eq!(variables("#bada55"), Some(json!(["--e-global-color-primary"])), "{found}");
        assert_eq!(variables("#123456"), Some(json!(["--e-global-color-accent"])), "{found}");
        assert!(!found.to_string().contains("--card-bg"), "{found}");
    }
    assert_eq!(keys(&page["colors"]), ["#123456", "#bada55"]);
    // The kit of another page is no variant of a rule that refers to this page's.
    assert_eq!(sorted_keys(&found(css, body)["colors"]), ["#123456", "#bada55"]);
}

/// Elements inherit from `body` what both set.
#[test]
fn custom_properties_of_body_precede_those_of_the_root() {
    let css = ":root{--c:red;--d:red}body{--c:blue;--d:inherit}p{color:var(--c);background:var(--d)}";
    let page = of_page(css, "<p>a");
    assert_eq!(page["colors"]["#0000ff"]["variables"], json!(["--c"]), "{page}");
    assert_eq!(page["colors"]["#ff0000"]["variables"], json!(["--d"]), "{page}");
    let text = file("css", css);
    assert!(text.contains("--c: #0000ff;") && text.contains("--d: #ff0000;"), "{text}");
}

#[test]
fn custom_properties_of_body_have_themes() {
    let css = "body{--ink:#111111} .unused{color:var(--ink)}
        @media(prefers-color-scheme:dark){body{--ink:#eeeeee} .card{--ink:#aaaaaa}}";
    let sheet = found(css, "<p>a");
    assert_eq!(sorted_keys(&sheet["colors"]), ["#111111", "#eeeeee"], "{sheet}");
    assert_eq!(sheet["colors"]["#eeeeee"]["themes"], json!(["dark"]), "{sheet}");
    let own = found("body{--x:8px} .card{--x:16px;padding:var(--x)}", "<p>a");
    assert_eq!(sorted_keys(&own["spacing"]), ["16px", "8px"], "{own}");
}

#[test]
fn theme_of_unread_root_tokens_is_labelled() {
    let css = ":root{--bg:#fff}@media(prefers-color-scheme:dark){:root{--bg:#111}}";
    let found = found(css, "<p>a");
    assert_eq!(keys(&found["colors"]), ["#111111", "#ffffff"]);
    assert_eq!(found["colors"]["#111111"]["themes"], json!(["dark"]));
    assert_eq!(found["colors"]["#ffffff"]["themes"], json!(["light"]));
}

#[test]
fn values_are_given_by_theme() {
    let css = ":root{--bg:#fff;--fg:#111}.dark{--bg:#111;--fg:#fff}body{background:var(--bg);color:var(--fg)}
               .card{background:#eee;margin:4px}.dark .card{background:#222}";
    let body = "<div class=card>a</div><div class=card>b</div>";
    let all = found(css, body);
    assert_eq!(
        all["themes"],
        json!({
            "light": { "colors": {
                "#111111": { "used": 3, "variables": ["--fg"] },
                "#eeeeee": { "used": 2 },
                "#ffffff": { "used": 1, "variables": ["--bg"] },
            } },
            "dark": { "colors": {
                "#111111": { "used": 1, "variables": ["--bg"] },
                "#222222": { "used": 2 },
                "#ffffff": { "used": 3, "variables": ["--fg"] },
            } },
        })
    );
    assert_eq!(found("p{color:red}", "<p>a").get("themes"), None);
    // What no element has is not among the values of the page.
    let css = "p{color:red}.modal{color:blue}.dark .modal{color:tan}";
    assert_eq!(of_page(css, "<p>a")["themes"], json!({ "light": {}, "dark": {} }));
}

#[test]
fn defaults_of_a_platform_belong_to_the_page_if_elements_have_them() {
    let css = ":root{--wp--preset--color--vivid-red:#cf2e2e;--wp--preset--color--pale-pink:#f78da7;
        --wp--preset--color--primary:#bada55}
        .has-vivid-red-color{color:var(--wp--preset--color--vivid-red)!important}
        .has-pale-pink-color{color:var(--wp--preset--color--pale-pink)!important}";
    let body = "<p class=has-pale-pink-color>a";
    assert_eq!(sorted_keys(&of_page(css, body)["colors"]), ["#bada55", "#f78da7"]);
    assert_eq!(sorted_keys(&found(css, body)["colors"]), ["#bada55", "#cf2e2e", "#f78da7"]);
}
