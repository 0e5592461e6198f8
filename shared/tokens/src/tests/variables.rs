//! Tokens of stylesheets whose values are built from custom properties of several rules.

use super::{file, result};
use limner_test_pages::page;
use serde_json::{Value, json};

fn found(css: &str, body: &str) -> Value {
    result(&page(&format!("<style>{css}</style>{body}")))
}

fn keys(found: &Value, group: &str) -> Vec<String> {
    let mut keys: Vec<String> = found[group].as_object().unwrap().keys().cloned().collect();
    keys.sort();
    keys
}

/// Utility classes that build lists from custom properties, with the values that every element begins with.
const UTILITIES: &str = "*,::before{--tw-ring:0 0 #0000;--tw-shadow:0 0 #0000;--tw-place: ;--tw-alpha:1}
    .raised{--tw-shadow:0 1px 3px 0 rgb(0 0 0/.1);box-shadow:var(--tw-ring),var(--tw-shadow)}
    .outlined{--tw-ring:0 0 0 3px rgb(59 130 246/.5);box-shadow:var(--tw-ring),var(--tw-shadow,0 0 #0000)}
    .held:focus{--tw-ring:0 0 0 2px tan;box-shadow:var(--tw-ring),var(--tw-shadow)}
    .fade{background-image:linear-gradient(to right,var(--tw-stops))}
    .from-a{--tw-from:#6366f1 var(--tw-place);--tw-to:rgb(99 102 241/0) var(--tw-place);--tw-stops:var(--tw-from),var(--tw-to)}
    .from-b{--tw-from:#14b8a6 var(--tw-place);--tw-to:rgb(20 184 166/0) var(--tw-place);--tw-stops:var(--tw-from),var(--tw-to)}
    .to-a{--tw-to:#ec4899 var(--tw-place)}
    .paper{--tw-alpha:1;background-color:rgb(255 250 240/var(--tw-alpha,1))}
    .thin{--tw-alpha:.5}";

/// Returns the rules of the utility classes in a body: such stylesheets contain what their page uses.
fn utilities(body: &str) -> String {
    let is_used = |line: &&str| {
        let class = line.trim_start().strip_prefix('.').and_then(|rest| rest.split([':', '{']).next());
        class.is_none_or(|class| body.contains(class))
    };
    UTILITIES.lines().filter(is_used).collect()
}

#[test]
fn composed_values_are_those_of_elements() {
    for (body, group, expected) in [
        ("<p class=raised>a<p class=outlined>b", "boxShadows", vec!["0 0 0 3px #3b82f680", "0 1px 3px 0 #0000001a"]),
        ("<p class='raised outlined'>a", "boxShadows", vec!["0 0 0 3px #3b82f680, 0 1px 3px 0 #0000001a"]),
        // What an ancestor sets does not reach an element that begins anew.
        (
            "<div class=outlined><p class=raised>a</div>",
            "boxShadows",
            vec!["0 0 0 3px #3b82f680", "0 1px 3px 0 #0000001a"],
        ),
        (
            "<p class='raised held'>a",
            "boxShadows",
            vec!["0 0 0 2px #d2b48c, 0 1px 3px 0 #0000001a", "0 1px 3px 0 #0000001a"],
        ),
        ("<p class='fade from-a to-a'>a", "gradients", vec!["linear-gradient(to right, #6366f1, #ec4899)"]),
        (
            "<p class='fade from-a to-a'>a<p class='fade from-b'>b",
            "gradients",
            vec!["linear-gradient(to right, #14b8a6, #14b8a600)", "linear-gradient(to right, #6366f1, #ec4899)"],
        ),
        (
            "<p class=raised style='--tw-ring:0 0 0 1px red'>a",
            "boxShadows",
            vec!["0 0 0 1px #ff0000, 0 1px 3px 0 #0000001a"],
        ),
    ] {
        assert_eq!(keys(&found(&utilities(body), body), group), expected, "{body}");
    }
    let body = "<p class='paper thin'>a";
    let thin = found(&utilities(body), body);
    assert!(thin["colors"].get("#fffaf080").is_some(), "{}", thin["colors"]);
}

/// Values that depend on the environment are those of every usual one.
#[test]
fn composed_values_follow_media_queries() {
    let css = ".card{--pad:1rem;padding:calc(var(--pad)*2)}@media (min-width:800px){.card{--pad:3rem}}
               @media (min-width:1800px){.wide{gap:calc(var(--pad)*3)}}";
    let spacing = keys(&found(css, "<p class='card wide'>a"), "spacing");
    assert_eq!(spacing, ["2rem", "6rem", "9rem"]);
}

/// Values that a preference for dark changes on one element change together.
#[test]
fn composed_values_differ_in_the_dark_theme() {
    let css = "*{--tw-ring:0 0 #0000;--tw-tint:#0000001a}.box{--tw-shadow:0 1px 3px var(--tw-tint);box-shadow:var(--tw-ring),var(--tw-shadow)}
        @media (prefers-color-scheme:dark){.edge{--tw-ring:0 0 0 1px #ffffff1a}.deep{--tw-tint:#00000066}.red{--tw-tint:#ff000066}}";
    let found = found(css, "<p class='box edge deep'>a");
    assert_eq!(keys(&found, "boxShadows"), ["0 0 0 1px #ffffff1a, 0 1px 3px 0 #00000066", "0 1px 3px 0 #0000001a"]);
    assert_eq!(found["boxShadows"]["0 0 0 1px #ffffff1a, 0 1px 3px 0 #00000066"]["themes"], json!(["dark"]));
}

/// Registered custom properties that do not inherit start with their initial value.
#[test]
fn registrations_decide_about_inheritance() {
    let a = "@property --tw-a{syntax:'*';inherits:false;initial-value:0 0 #0000}@property --tw-tint{syntax:'*';inherits:false}
        .a{--tw-a:0 1px 2px var(--tw-tint,#0000000d);box-shadow:var(--tw-b,0 0 #0000),var(--tw-a)}.tinted{--tw-tint:#ff000080}";
    let b = ".b{--tw-b:0 0 0 1px navy;box-shadow:var(--tw-b),var(--tw-a)}";
    assert_eq!(keys(&found(a, "<p class=a>a"), "boxShadows"), ["0 1px 2px 0 #0000000d"]);
    let both = found(&[a, b].concat(), "<div class='a tinted'><p class=b>a</div>");
    assert_eq!(keys(&both, "boxShadows"), ["0 0 0 1px #000080", "0 1px 2px 0 #ff000080"]);
}

#[test]
fn css_wide_keywords_are_no_values_of_custom_properties() {
    for (css, expected) in [
        ("*{--tint:initial}p{box-shadow:0 0 1px var(--tint,red)}", "0 0 1px 0 #ff0000"),
        ("p{--tint:initial;box-shadow:0 0 1px var(--tint,red)}", "0 0 1px 0 #ff0000"),
        (":root{--tint:blue}p{--tint:inherit;box-shadow:0 0 1px var(--tint,red)}", "0 0 1px 0 #0000ff"),
        (":root{--tint:blue}p{--tint:unset;box-shadow:0 0 1px var(--tint,red)}", "0 0 1px 0 #0000ff"),
        (":root{--tint:blue}.no{--tint:revert-layer;box-shadow:0 0 1px var(--tint,red)}", "0 0 1px 0 #0000ff"),
        // Rules that never apply define nothing.
        ("@supports (display:nonsense){*{--tint:lime}}p{box-shadow:0 0 1px var(--tint,red)}", "0 0 1px 0 #ff0000"),
        ("@supports not (display:grid){:root{--tint:lime}}p{box-shadow:0 0 1px var(--tint,red)}", "0 0 1px 0 #ff0000"),
        (
            "@layer base{@supports (not (color:red)){*{--tint:initial}}}p{--tint:tan;box-shadow:0 0 1px var(--tint)}",
            "0 0 1px 0 #d2b48c",
        ),
        ("@starting-style{p{--tint:lime}}p{box-shadow:0 0 1px var(--tint,red)}", "0 0 1px 0 #ff0000"),
    ] {
        for body in ["<p>a", "<b>a"] {
            assert_eq!(keys(&found(css, body), "boxShadows"), [expected], "{css} {body}");
        }
    }
}

#[test]
fn internal_variables_of_utilities_name_no_token() {
    let body = "<p class='raised outlined fade from-a to-a paper'>a";
    let json = found(UTILITIES, body).to_string();
    assert!(!json.contains(r#""--tw-"#), "{json}");
    for format in ["css", "tailwind", "dtcg"] {
        let text = file(format, UTILITIES);
        assert!(!text.contains("--tw-") && !text.contains("-tw-") && !text.contains("\"tw-"), "{text}");
    }
}

/// An empty custom property contributes nothing to a value.
#[test]
fn empty_variables_are_no_evidence() {
    let css = "*{--inset:var(--none,/**/ /**/)}p{box-shadow:var(--inset) 0 0 0 3px #2563eb}";
    let found = found(css, "<p>a");
    assert_eq!(found["boxShadows"]["0 0 0 3px #2563eb"]["variables"], Value::Null);
    assert_eq!(found["colors"]["#2563eb"]["variables"], Value::Null);
}

const CHANNELS: &str = ":root{--primary:222.2 47.4% 11.2%;--ring-rgb:13,110,253;--line:214.3 31.8% 91.4%}
    .dark{--primary:210 40% 98%;--line:217.2 32.6% 17.5%}
    b{background-color:hsl(var(--primary))}b:hover{background-color:hsl(var(--primary) / .9)}
    i{--alpha:1;color:rgba(var(--ring-rgb),var(--alpha))}u{border-color:hsl(var(--line))}";

#[test]
fn colors_built_from_channels_have_names_and_dark_values() {
    let found = found(CHANNELS, "<b>a</b><i>b</i><u>c</u>");
    for (key, variables, themes) in [
        ("#0f172a", json!(["--primary"]), json!(["light"])),
        ("#f8fafc", json!(["--primary"]), json!(["dark"])),
        ("#f8fafce6", json!(["--primary"]), json!(["dark"])),
        ("#1e293b", json!(["--line"]), json!(["dark"])),
    ] {
        let entry = &found["colors"][key];
        assert_eq!((&entry["variables"], &entry["themes"]), (&variables, &themes), "{key}: {}", found["colors"]);
    }
    // The author's variable keeps its meaning: it is no colour.
    let css = file("css", CHANNELS);
    assert!(css.contains("  --color-primary: #0f172a;") && css.contains("  --color-ring: #0d6efd;"), "{css}");
    assert!(!css.contains("  --primary:") && css.contains(".dark {\n  --color-"), "{css}");
    assert!(css.contains("  --color-primary: #f8fafc;"), "{css}");
    let theme = file("tailwind", CHANNELS);
    assert!(theme.contains("  --color-primary: #0f172a;") && theme.contains("  --color-primary: #f8fafc;"), "{theme}");
    let dtcg: Value = serde_json::from_str(&file("dtcg", CHANNELS)).unwrap();
    assert_eq!(dtcg.pointer("/dark/color/primary/$value/hex"), Some(&json!("#f8fafc")));
    assert_eq!(dtcg.pointer("/color/primary/$extensions/dev.limner/variable"), Some(&json!("--primary")));
}

#[test]
fn names_of_channels_make_way_for_colors() {
    // The variable with the whole colour has the name.
    let both = ":root{--brand:#0d6efd;--brand-rgb:13,110,253}a{color:var(--brand)}b{color:rgb(var(--brand-rgb))}";
    let css = file("css", both);
    assert!(css.contains("  --brand: #0d6efd;") && !css.contains("color-brand"), "{css}");
    // A name that the author uses for channels is not used for the colour.
    let taken = ":root{--color-ink:15 23 42}a{color:rgb(var(--color-ink))}";
    assert!(file("css", taken).contains("  --color-ink-2: #0f172a;"), "{}", file("css", taken));
    assert!(file("tailwind", taken).contains("  --color-ink: #0f172a;"));
}

/// In the other theme, what the body or a theme's class defines makes way for the theme's definition.
#[test]
fn variables_of_themes_below_the_root_are_resolved() {
    for (css, body) in [
        ("body{--bg:#fff}body.dark{--bg:#111}p{background:var(--bg)}", "<p>a"),
        (".light{--bg:#fff}.dark{--bg:#111}p{background:var(--bg)}", "<div class=light><p>a</div>"),
        (".box{--bg:#fff;background:var(--bg)}.dark .box{--bg:#111}", "<p class=box>a"),
    ] {
        let found = found(css, body);
        assert_eq!(keys(&found, "colors"), ["#111111", "#ffffff"], "{css}");
        assert_eq!(found["colors"]["#111111"]["themes"], json!(["dark"]), "{css}");
    }
}
