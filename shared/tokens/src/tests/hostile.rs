//! Stylesheets made to break or to exhaust the extraction.

use super::*;
use proptest::prelude::*;
use std::fmt::Write;

#[test]
fn multiplying_variables_are_cut() {
    let mut css = String::from(":root{--v0:1px 1px 1px 1px 1px 1px 1px 1px 1px 1px;");
    for n in 1..64 {
        let _ = write!(css, "--v{n}:var(--v{0}) var(--v{0}) var(--v{0}) var(--v{0});", n - 1);
    }
    css.push_str("}a{margin:4px}");
    for n in 0..5_000 {
        let _ = write!(css, ".c{n}{{--own{n}:var(--v{});margin:var(--own{n});color:var(--v63,red)}}", n % 64);
    }
    let found = tokens(&css);
    assert_eq!(found["spacing"]["4px"]["count"], 1);
}

#[test]
fn million_declarations_are_counted_in_time() {
    let mut css = String::with_capacity(16 << 20);
    for n in 0..100_000_u32 {
        let _ = write!(
            css,
            "a{{opacity:.5;margin:{}px;color:red;width:1px;opacity:.5;opacity:.5;top:0;left:0;right:0;z-index:1}}",
            n % 500
        );
    }
    let found = tokens(&css);
    assert!(found["opacities"]["0.5"]["count"].as_u64() > Some(99_000));
    assert_eq!(found["truncated"], Value::Null);
}

#[test]
fn hundred_thousand_values_are_listed_in_time() {
    let mut css = String::new();
    for n in 0..35_000_u32 {
        let _ = write!(css, "a{{color:#{:06x};margin:{n}px;z-index:{n}}}", n * 450);
    }
    let found = tokens(&css);
    assert_eq!(found["truncated"], true);
    let size = serde_json::to_vec(&found).unwrap().len();
    assert!(size < limner_page_view::size_budget::MAX_RESULT_BYTES, "{size}");
}

#[test]
fn single_rule_with_a_hundred_thousand_declarations_is_read_in_time() {
    let css = format!("a{{{}color:red}}", "margin:1px;color:var(--x,blue);--y:1;".repeat(33_000));
    let found = tokens(&css);
    assert_eq!(counts(&found, "spacing"), [("1px".to_owned(), 1)]);
    assert_eq!(counts(&found, "colors"), [("#ff0000".to_owned(), 1)]);
}

#[test]
fn nesting_beyond_the_cap_does_not_overflow() {
    for css in [
        format!("a{{color:red}}{}b{{color:blue}}", "@media all{".repeat(10_000)),
        format!("a{{color:red}}{}color:blue", "a{".repeat(10_000)),
        format!("a{{color:red}}b{{width:{}1px", "calc(".repeat(10_000)),
        format!("a{{color:red}}b{{margin:{}1px", "var(--a,".repeat(10_000)),
        format!("a{{color:red}}{}b{{color:blue}}", ":is(".repeat(10_000)),
        format!("a{{color:red}}b{{background:{}red", "linear-gradient(".repeat(10_000)),
        format!("a{{color:red}}b{{color:{}red", "color-mix(in srgb,".repeat(10_000)),
        format!("a{{color:red}}b{{color:{}red", "light-dark(".repeat(10_000)),
    ] {
        let found = tokens(&css);
        assert_eq!(found["colors"]["#ff0000"]["properties"], json!(["color"]), "{}", &css[..60]);
    }
}

#[test]
fn non_finite_numbers_are_written_safely() {
    for css in [
        "a{margin:calc(NaN * 1px) calc(infinity * 1px) calc(-infinity * 1rem) calc(1px / 0)}",
        "a{margin:1e999px;padding:-1e999px;opacity:1e400;z-index:99999999999999999999;line-height:calc(1/0)}",
        "a{transition:all 1e999s cubic-bezier(1e999,0,1,1),all calc(infinity * 1s) steps(99999999999)}",
        "a{background:linear-gradient(1e999deg,red 1e999%,blue calc(NaN*1%));border-radius:1e38px/calc(1e38px*1e38)}",
        "a{color:rgb(calc(NaN) 1e999 -1e999/calc(infinity));fill:oklch(1e999 1e999 1e999);stroke:hsl(calc(infinity*1deg) 1% 1%)}",
        "a{box-shadow:1e999px calc(NaN*1px) 1e999px red;text-shadow:calc(infinity*1px) 0 red;animation-timing-function:linear(1e999,0 1e999%,1)}",
    ] {
        for format in ["json", "css", "tailwind", "dtcg", "dtcg-resolver", "design-md"] {
            let text = file(format, css);
            assert!(!text.contains("NaN") || text.contains("nan") || !format.starts_with("dtcg"), "{css}: {text}");
            if matches!(format, "json" | "dtcg" | "dtcg-resolver") {
                assert!(serde_json::from_str::<Value>(&text).is_ok(), "{css}: {text}");
            }
        }
    }
}

#[test]
fn non_text_bytes_do_not_break_files() {
    for css in [
        "a{color:red;font-family:'\0',\"\\0\",'\\d800','\u{fffd}'}b{--\0:red;color:var(--\0)}",
        "a{color:red}b{font-family:'unclosed\n}c{margin:1px",
        "a{color:red}b{font-family:\"unclosed",
        "a{color:red}/* unclosed",
        "a{color:red}b{background:url(unclosed",
        "a{color:red}@media (min-width:1px){b{color:blue",
        "a{color:red}b{--x:{[(",
        "a{color:red}\u{feff}b{--\u{202e}x:1px;margin:var(--\u{202e}x)}",
    ] {
        let found = tokens(css);
        assert!(found["colors"]["#ff0000"]["count"].as_u64() >= Some(1), "{css:?}");
        let sheet = file("css", css);
        let opened = sheet.matches('{').count();
        assert_eq!(opened, sheet.matches('}').count(), "{css:?}: {sheet}");
    }
}

/// Pieces that make interesting stylesheets when they are joined.
const PIECES: &[&str] = &[
    ":root{",
    "a{",
    ".dark{",
    "}",
    "@media (min-width:",
    "@media (prefers-color-scheme:dark){",
    "@container (",
    "){",
    "--a:",
    "--b:",
    "color:",
    "margin:",
    "font:",
    "box-shadow:",
    "background:",
    "transition:",
    "border:",
    "var(--a",
    "var(--b,",
    "linear-gradient(",
    "calc(",
    "rgb(",
    "light-dark(",
    "color-mix(in oklch,",
    "cubic-bezier(",
    "steps(",
    ")",
    ",",
    ";",
    " ",
    "/",
    "red",
    "#fff",
    "1px",
    "1.5rem",
    "50%",
    "0",
    "-1e9",
    ".2s",
    "inherit",
    "none",
    "serif",
    "'x",
    "\"y\"",
    "\\",
    "!important",
    "@property --a{",
    "syntax:'*';",
    "inherits:true;",
    "initial-value:",
    "<!--",
    "/*",
    "*/",
    "\0",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_stylesheet_does_not_panic(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..80)) {
        let css = pieces.concat();
        for format in ["json", "css", "tailwind", "dtcg", "dtcg-resolver", "design-md"] {
            file(format, &css);
        }
    }

    #[test]
    fn random_text_does_not_panic(css in "\\PC{0,200}") {
        file("json", &css);
    }
}
