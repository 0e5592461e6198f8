//! Colours keep their space in every format that has it.

use super::{file, tokens};
use serde_json::{Value, json};

const WIDE: &str =
    ":root{--accent:color(display-p3 1 0.2 0.1);--ink:oklch(0.541 0.281 293.009);--plain:hsl(0 100% 50%)}
    .a{background:linear-gradient(90deg,oklch(0.65 0.25 30),#00f 40%,oklch(0.65 0.2 260))}
    .b{color:var(--accent);border-color:var(--plain);box-shadow:0 4px 20px color(display-p3 1 0.2 0.1),0 0 #0000}
    .c{background:color-mix(in oklab,var(--ink) 90%,transparent);color:var(--ink)}
    .d{background:conic-gradient(color(srgb 1 0 0),blue)}.e{outline-color:color(srgb 1 0 0)}";

#[test]
fn css_and_tailwind_keep_color_spaces() {
    for format in ["css", "tailwind"] {
        let text = file(format, WIDE);
        for expected in [
            "accent: color(display-p3 1 0.2 0.1);",
            "ink: oklch(0.541 0.281 293.009);",
            "plain: #ff0000;",
            ": linear-gradient(90deg, oklch(0.65 0.25 30), #0000ff 40%, oklch(0.65 0.2 260));",
            ": 0 4px 20px 0 color(display-p3 1 0.2 0.1), 0 0 0 0 #00000000;",
            ": oklab(0.541 0.109836 -0.258645 / 0.9);",
            // Colours of another space than `rgb()` mix in Oklab.
            ": conic-gradient(color(srgb 1 0 0), #0000ff);",
        ] {
            assert!(text.contains(expected), "{expected} in {text}");
        }
    }
    // Keys stay in hex, so that equal colours have equal keys.
    let found = tokens(WIDE);
    for (group, key) in [
        ("colors", "#ff0022"),
        ("gradients", "linear-gradient(90deg, #ff2815, #0000ff 40%, #3e89ff)"),
        ("boxShadows", "0 4px 20px 0 #ff0000, 0 0 0 0 #00000000"),
    ] {
        assert!(
            found[group].as_object().unwrap().keys().any(|own| group == "colors" || own == key),
            "{key}: {}",
            found[group]
        );
    }
}

#[test]
fn design_token_files_keep_color_spaces() {
    let found: Value = serde_json::from_str(&file("dtcg", WIDE)).unwrap();
    let value = |path: &str| found.pointer(path).unwrap_or_else(|| panic!("{path} in {found:#}"));
    assert_eq!(value("/color/accent/$value/colorSpace"), "display-p3");
    assert_eq!(value("/boxShadow/drop/$value/0/color/components"), &json!([1, 0.2, 0.1]));
    let stops = value("/gradient/linear/$value").as_array().unwrap();
    let spaces: Vec<&Value> = stops.iter().map(|stop| &stop["color"]["colorSpace"]).collect();
    assert_eq!(spaces, ["oklch", "srgb", "oklch"]);
    assert_eq!(
        value("/gradient/linear/$extensions/dev.limner/css"),
        "linear-gradient(90deg, oklch(0.65 0.25 30), #0000ff 40%, oklch(0.65 0.2 260))"
    );
}

/// A clipped colour and the plain one that looks like it share a key, but not a value.
#[test]
fn variables_keep_their_own_value() {
    let css =
        file("css", ":root{--sure:#ff0000;--bright:color(display-p3 1 0 0)}a{color:var(--sure)}b{color:var(--bright)}");
    assert!(css.contains("--sure: #ff0000;") && css.contains("--bright: color(display-p3 1 0 0);"), "{css}");
}
