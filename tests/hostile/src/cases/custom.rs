//! Custom properties: chains, multiplication, fallbacks, what inherits them.

use super::{FONTS, STYLES};
use crate::case::{Case, nested, repeated};
use crate::page::Page;

/// Rules that are repeated, with what is repeated in the body.
const REPEATED: &[(&str, &str, &str)] = &[
    ("declared", ":root{--p{i}:{i}px}", ""),
    ("declared-same", ":root{--p:{i}px}", ""),
    ("used", ":root{--p{i}:{i}px}.c{i}{margin:var(--p{i})}", "<i class=c{i}>x</i>"),
    ("chain", ":root{--p{i}:var(--p{next})}", ""),
    ("chain-with-fallbacks", ":root{--p{i}:var(--p{next},{i}px)}", ""),
    ("chain-used", ":root{--p{i}:var(--p{next})}.c{i}{margin:var(--p{i})}", "<i class=c{i}>x</i>"),
    ("pairs", ":root{--p{i}:var(--p{next}) var(--p{next})}.hero{font-family:var(--p0)}", ""),
    ("pairs-used", ":root{--p{i}:var(--p{next}) var(--p{next})}.c{i}{font-family:var(--p{i})}", "<i class=c{i}>x</i>"),
    ("by-media", "@media(min-width:{i}px){:root{--v:{i}em}}", "<i style='margin:var(--v)'>x</i>"),
    (
        "by-media-distinct",
        "@media(min-width:{i}px){:root{--v{i}:{i}em}}.c{i}{margin:var(--v{i})}",
        "<i class=c{i}>x</i>",
    ),
    ("by-theme", ".dark{--v{i}:{i}em}.c{i}{margin:var(--v{i})}", "<i class=c{i}>x</i>"),
    (
        "registered",
        "@property --p{i}{syntax:'<length>';inherits:true;initial-value:{i}px}.c{i}{width:var(--p{i})}",
        "<i class=c{i}>x</i>",
    ),
    (
        "registered-not-inherited",
        "@property --p{i}{syntax:'<length>';inherits:false;initial-value:{i}px}.c{i}{--p{i}:2em;width:var(--p{i})}",
        "<i class=c{i}>x</i>",
    ),
    ("of-elements", ".c{i}{--a:{i}px;--b:var(--a);margin:var(--b)}", "<i class=c{i}>x</i>"),
    ("absent", ".c{i}{color:var(--nope{i});margin:var(--nope{i},{i}px)}", "<i class=c{i}>x</i>"),
    ("in-calc", ":root{--p{i}:calc(var(--p{next},1px) + 1px)}.hero{width:var(--p0)}", ""),
    ("scopes", ".s{i}{--v:{i}px}.hero{margin:var(--v)}", ""),
];

/// Values in each other.
const NESTED: &[(&str, &str, &str)] = &[
    ("fallbacks", "var(--nope{i},{inner})", "red"),
    ("fallbacks-present", "var(--x,{inner})", "red"),
    ("fallbacks-of-two", "var(--nope) var(--nope,{inner})", "red"),
    ("calc", "calc(var(--one)*{inner})", "1px"),
    ("env", "env(safe-area-inset-top,var(--nope,{inner}))", "1px"),
    ("attr", "attr(data-x,var(--nope,{inner}))", "1px"),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (place, rule, element) in REPEATED {
        // Widths below that of a phone make no intervals, and there is a limit to intervals.
        let from = if place.starts_with("by-media") { 400 } else { 200 };
        cases.push(Case::new(format!("custom/{place}"), STYLES, from, |size| {
            Page::styled(&repeated(rule, size), &format!("<section class=target>{}</section>", repeated(element, size)))
        }));
        // The section that is emitted is the one that uses them.
        if !element.is_empty() {
            cases.push(Case::new(format!("custom/selected-{place}"), STYLES, 50, |size| {
                let body = format!("<section class=target>{}</section>", repeated(element, size));
                Page::styled(&repeated(rule, size), &body).selecting(".target")
            }));
        }
    }
    for (place, value, core) in NESTED {
        cases.push(Case::new(format!("custom/nested-{place}"), STYLES, 6, |size| {
            let value = nested(value, core, size);
            Page::styled(
                &format!(":root{{--x:1px;--one:1;--y:{value}}}.hero{{color:{value};margin:{value};width:var(--y)}}"),
                "",
            )
        }));
    }
    cases.extend([
        Case::new("custom/inherited-wide", STYLES, 50, |size| {
            let css = format!(":root{{{}}}", repeated("--p{i}:{i}px;", 200));
            Page::styled(&css, &repeated("<i style='--q:{i};margin:var(--p{i})'>x</i>", size))
        }),
        Case::new("custom/inherited-deep", STYLES, 20, |size| {
            let css = repeated(".k{i}{--q{i}:{i}px;margin:var(--q0)}", size);
            Page::styled(&css, &nested("<div class=k{i}>{inner}</div>", "<i>x</i>", size))
        }),
        Case::new("custom/inherited-deep-and-wide", STYLES, 50, |size| {
            let css = repeated(".k{i}{--q{i}:{i}px}", 100);
            Page::styled(&css, &nested("<div class=k{i}>{inner}</div>", &"<i style='--z:1'>x</i>".repeat(size), 100))
        }),
        Case::new("custom/large-value-in-elements", STYLES, 10, |size| {
            let css = format!(":root{{--a:{}}}", "aaaa,".repeat(2_000));
            Page::styled(&css, &repeated("<i style='--k:{i};--b:var(--k) var(--a);font-family:var(--b)'>x</i>", size))
        }),
        Case::new("custom/large-value-in-rules", STYLES, 10, |size| {
            let css = format!(":root{{--a:{}}}", "aaaa,".repeat(2_000));
            let rules = repeated(".c{i}{--b:k{i} var(--a);font-family:var(--b);transition:var(--b)}", size);
            Page::styled(&format!("{css}{rules}"), &repeated("<i class=c{i}>x</i>", size))
        }),
        Case::new("custom/large-shadows", STYLES, 10, |size| {
            let css = format!(":root{{--a:1px 1px red{}}}", ",1px 1px red".repeat(500));
            Page::styled(&css, &repeated("<i style='--k:{i}px;box-shadow:var(--k) 1px blue,var(--a)'>x</i>", size))
        }),
        Case::new("custom/long-value", &[STYLES[0], STYLES[1], STYLES[2], FONTS], 200, |size| {
            Page::styled(
                &format!(":root{{--a:{}}}.hero{{font-family:var(--a);margin:var(--a)}}", "1px ".repeat(size)),
                "",
            )
        }),
        Case::new("custom/many-in-one-value", STYLES, 100, |size| {
            let declared = repeated("--p{i}:{i}px;", size);
            let used = repeated("var(--p{i}) ", size);
            Page::styled(&format!(":root{{{declared}}}.hero{{margin:{used};font-family:{used}}}"), "")
        }),
        Case::new("custom/doubling", STYLES, 12, |size| {
            let chain = repeated("--p{i}:var(--p{next}) var(--p{next});", size);
            let last = format!("--p{size}:aaaaaaaaaaaaaaaaaaaa;");
            Page::styled(&format!(":root{{{chain}{last}}}.hero{{font-family:var(--p0)}}"), "")
        }),
        Case::new("custom/ring", STYLES, 100, |size| {
            let chain = repeated("--p{i}:var(--p{next});", size);
            Page::styled(&format!(":root{{{chain}--p{size}:var(--p0)}}.hero{{margin:var(--p0)}}"), "")
        }),
        Case::new("custom/cross-references", STYLES, 50, |size| {
            let chain = repeated("--v{i}:var(--v{next},{i}px);", size);
            let rules: String = (0..size)
                .map(|i| format!(".c{i}{{margin:var(--v{i});padding:calc(var(--v{i}) + var(--v{}))}}", (i * 7) % size))
                .collect();
            let media = repeated("@media(min-width:{i}0px){:root{--v{i}:{i}em}}", size);
            let body = format!("<section class=target>{}</section>", repeated("<p class=c{i}>text {i}</p>", size));
            Page::styled(&format!(":root{{{chain}}}{rules}{media}"), &body).selecting(".target")
        }),
    ]);
    cases
}
