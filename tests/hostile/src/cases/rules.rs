//! Style sheets: at-rules, nesting, declarations, imports.

use super::{BRAND, FONTS, IMAGES, READ, STYLES, SVG, TOKENS};
use crate::case::{Case, comma_repeated, nested, repeated};
use crate::page::Page;
use crate::subject::CODE;

/// Rules that are repeated.
const REPEATED: &[(&str, &str)] = &[
    ("media", "@media (min-width:{i}px) and (max-width:9999px){h1{color:#{i}}}"),
    ("media-same", "@media (min-width:1px){h1{margin:{i}px}}"),
    ("media-themes", "@media (prefers-color-scheme:dark) and (min-width:{i}px){h1{color:#{i}}}"),
    ("media-empty", "@media (min-width:{i}px){}"),
    ("media-types", "@media x{i}{h1{color:red}}"),
    ("supports", "@supports (width:{i}px){h1{margin:{i}px}}"),
    ("supports-selectors", "@supports selector(.c{i}){h1{margin:{i}px}}"),
    ("layers", "@layer a{i}.b{i}.c{i}{h1{color:red}}"),
    ("layers-same", "@layer a{h1{margin:{i}px}}"),
    ("layers-anonymous", "@layer{h1{margin:{i}px}}"),
    ("layer-statements", "@layer a{i},b{i};"),
    ("layers-of-one", "@layer a.b{i}{h1{margin:{i}px}}"),
    ("containers", "@container c{i} (min-width:{i}px){h1{color:#{i}}}"),
    ("containers-same", "@container (min-width:{i}px){h1{margin:{i}px}}"),
    ("containers-styles", "@container style(--a:{i}){h1{margin:{i}px}}"),
    ("container-names", ".hero{container:c{i}/inline-size}"),
    ("scopes", "@scope (.hero) to (.c{i}){:scope h1,p{margin:{i}px}}"),
    ("scopes-same", "@scope (.hero){p{margin:{i}px}}"),
    ("scopes-of-all", "@scope (*) to (*){p{margin:{i}px}}"),
    ("starting-styles", "@starting-style{h1{margin:{i}px}}"),
    ("keyframes", "@keyframes k{i}{from{color:red}to{margin:{i}px}}.hero{animation:k{i} 1s}"),
    ("keyframes-same", "@keyframes k{from{color:red}to{margin:{i}px}}"),
    ("faces", "@font-face{font-family:F{i};src:url(/f{i}.woff2)}"),
    ("faces-same", "@font-face{font-family:F;src:url(/f{i}.woff2);unicode-range:U+{i}}"),
    ("faces-of-weights", "@font-face{font-family:F;font-weight:{i};src:url(/f{i}.woff2)}body{font-family:F}"),
    ("font-features", "@font-feature-values F{i}{@styleset{a{i}:{i}}}"),
    ("palettes", "@font-palette-values --p{i}{font-family:F;base-palette:{i}}"),
    ("registrations", "@property --p{i}{syntax:'<length>|<color>';inherits:true;initial-value:{i}px}"),
    ("registrations-same", "@property --p{syntax:'<length>';inherits:true;initial-value:{i}px}"),
    ("counter-styles", "@counter-style s{i}{system:cyclic;symbols:'{i}';suffix:' '}"),
    ("counter-styles-extended", "@counter-style s{i}{system:extends s{next};suffix:' '}ol{list-style:s{i}}"),
    ("pages", "@page :first{margin:{i}px}"),
    ("namespaces", "@namespace n{i} url(http://n{i});"),
    ("charsets", "@charset 'utf-8';"),
    ("unknown", "@unknown-{i} x{y{z}}"),
    ("views", "@view-transition{navigation:auto}"),
    ("functions", "@function --f{i}(){result:{i}px}"),
    ("positions", "@position-try --p{i}{top:{i}px}"),
    ("rules", ".c{i}{color:#{i};margin:{i}px;font-family:F{i};transition:all {i}ms}"),
    ("rules-same", ".hero{margin:{i}px}"),
    ("rules-important", ".hero{margin:{i}px!important}"),
    ("rules-empty", ".c{i}{}"),
    ("rules-broken", ".c{i}{color:;;:red;x}}"),
    ("rules-unclosed", ".c{i}{color:red;"),
    ("rules-nested", ".hero{h1{margin:{i}px}&:hover{color:red}}"),
    ("braces", "}{"),
    ("brackets", "[("),
    ("strings-unclosed", "a{content:'{i}\n}"),
    ("comments", "/* {i} */"),
    ("comments-unclosed", "/*/"),
    ("html-comments", "<!-- -->"),
    ("backslashes", "\\{i}"),
    ("semicolons", ";"),
    ("grids", ".c{i}{display:grid;grid-template-areas:'a{i} b' 'c d'}"),
    ("pictures", ".c{i}{background:url(/i{i}.png)}"),
    ("gradients", ".c{i}{background:linear-gradient(#{i},red {i}px)}"),
    ("themes", ":root[data-theme=t{i}]{--a:{i}px;color:#{i}}"),
];

/// Rules that hold others.
const NESTED: &[(&str, &str)] = &[
    ("media", "@media (min-width:{i}px){{inner}}"),
    ("media-conditions", "@media not all and (min-width:1px){{inner}}"),
    ("supports", "@supports (display:grid){{inner}}"),
    ("layers", "@layer a{i}{{inner}}"),
    ("layers-anonymous", "@layer{{inner}}"),
    ("containers", "@container (min-width:1px){{inner}}"),
    ("scopes", "@scope (main){{inner}}"),
    ("scopes-ended", "@scope (main) to (.x){{inner}}"),
    ("starting-styles", "@starting-style{{inner}}"),
    ("rules", ".hero,section{{inner}}"),
    ("rules-parent", "& &,& > &{{inner}}"),
    ("rules-parents", ".a &,.b &{{inner}}"),
    ("rules-is", ":is(&,& .b,:not(&)){{inner}}"),
    ("rules-list", ".a{i},.b{i},.c{i}{{inner}}"),
    ("rules-hover", "&:hover,&:focus{{inner}}"),
    ("mixed", "@media all{.hero{@layer a{@supports (a:b){{inner}}}}}"),
    ("keyframes", "@keyframes a{{inner}}"),
    ("unknown", "@unknown{{inner}}"),
    ("blocks", "a{b:{{inner}}}"),
];

/// Conditions in each other.
const CONDITIONS: &[(&str, &str, &str, &str)] = &[
    ("media-not", "@media {condition}{h1{color:red}}", "(not {inner})", "(min-width:1px)"),
    ("media-and", "@media {condition}{h1{color:red}}", "({inner} and (min-width:2px))", "(min-width:1px)"),
    ("media-or", "@media {condition}{h1{color:red}}", "({inner} or (not (min-width:2px)))", "(min-width:1px)"),
    ("media-parentheses", "@media {condition}{h1{color:red}}", "({inner})", "(min-width:1px)"),
    ("supports-not", "@supports {condition}{h1{color:red}}", "(not {inner})", "(display:grid)"),
    ("supports-and", "@supports {condition}{h1{color:red}}", "({inner} and (color:red))", "(display:grid)"),
    ("container-not", "@container {condition}{h1{color:red}}", "(not {inner})", "(min-width:1px)"),
    ("container-style", "@container {condition}{h1{color:red}}", "({inner} and style(--a:b))", "(min-width:1px)"),
    ("import", "@import url(a.css) supports({condition});", "(not {inner})", "(display:grid)"),
];

/// Parts that are repeated in one rule.
const PARTS: &[(&str, &str, &str, &str)] = &[
    ("media-list", "@media ", "(min-width:{i}px),", "all{h1{color:red}}"),
    ("media-and", "@media all", " and (min-width:{i}px)", "{h1{color:red}}"),
    ("media-or", "@media (width)", " or (min-width:{i}px)", "{h1{color:red}}"),
    ("media-range", "@media ", "({i}px<width<{i}00px),", "all{h1{color:red}}"),
    ("supports-and", "@supports (color:red)", " and (width:{i}px)", "{h1{color:red}}"),
    ("supports-or", "@supports (color:red)", " or (width:{i}px)", "{h1{color:red}}"),
    ("container-and", "@container (width>0)", " and (min-width:{i}px)", "{h1{color:red}}"),
    ("layer-statement", "@layer a", ",b{i}", ";"),
    ("layer-name", "@layer a", ".b{i}", "{h1{color:red}}"),
    ("scope-list", "@scope (main", ",.c{i}", "){h1{color:red}}"),
    ("keyframes-steps", "@keyframes k{", "{i}%{margin:{i}px}", "}.hero{animation:k 1s}"),
    ("keyframes-selectors", "@keyframes k{0%", ",{i}%", "{margin:1px}}.hero{animation:k 1s}"),
    ("declarations", ".hero{", "margin:{i}px;", "}"),
    ("declarations-distinct", ".hero{", "--a{i}:{i}px;", "}"),
    ("declarations-unknown", ".hero{", "x{i}:y;", "}"),
    ("declarations-shorthands", ".hero{", "font:{i}px a;background:red;border:{i}px solid;", "}"),
    ("declarations-nested", ".hero{", "color:red;b{margin:{i}px}", "}"),
    ("face-sources", "@font-face{font-family:F;src:url(a.woff2)", ",url(/f{i}.woff2) format('woff2')", "}"),
    (
        "face-ranges",
        "@font-face{font-family:F;src:url(a.woff2);unicode-range:U+0",
        ",U+{i}-9999",
        "}body{font-family:F}",
    ),
    ("face-descriptors", "@font-face{font-family:F;", "font-weight:{i};", "src:url(a.woff2)}"),
    ("syntaxes", "@property --a{syntax:'<length>", "|<color>|a{i}", "';inherits:true;initial-value:1px}:root{--a:red}"),
    ("symbols", "@counter-style s{symbols:", "'{i}' ", "}ol{list-style:s}"),
];

pub(super) fn cases() -> Vec<Case> {
    let subjects = &[CODE, BRAND, TOKENS, FONTS];
    let mut cases = Vec::new();
    for (place, rule) in REPEATED {
        // Widths below that of a phone make no intervals, and there is a limit to intervals.
        let from = if place.starts_with("media") { 400 } else { 200 };
        cases.push(Case::new(format!("rules/{place}"), subjects, from, |size| Page::styled(&repeated(rule, size), "")));
    }
    for (place, rule) in NESTED {
        cases.push(Case::new(format!("rules/nested-{place}"), subjects, 6, |size| {
            Page::styled(
                &format!("main{{{}}}", nested(rule, "color:red;h1{color:blue}", size)),
                "<p class=a><b class=b>x</b></p>",
            )
        }));
    }
    for (place, rule, condition, core) in CONDITIONS {
        cases.push(Case::new(format!("rules/condition-{place}"), subjects, 6, |size| {
            Page::styled(&rule.replace("{condition}", &nested(condition, core, size)), "")
        }));
    }
    for (place, start, part, end) in PARTS {
        cases.push(Case::new(format!("rules/one-of-{place}"), subjects, 200, move |size| {
            Page::styled(&format!("{start}{}{end}", repeated(part, size)), "<ol><li>x</ol>")
        }));
    }
    cases.extend(sheets());
    cases.extend([
        Case::new("rules/scopes-nested-elements", STYLES, 40, |size| {
            let body = nested("<div class=a>{inner}</div>", &"<i>x</i>".repeat(50), 50);
            Page::styled(&repeated("@scope (.a) to (.b){i{margin:{i}px}}", size), &body)
        }),
        Case::new("rules/containers-nested-elements", STYLES, 40, |size| {
            let body = nested("<div class=a>{inner}</div>", &"<i>x</i>".repeat(50), 50);
            let css = ".a{container-type:inline-size}";
            Page::styled(&format!("{css}{}", repeated("@container (min-width:{i}px){i{margin:{i}px}}", size)), &body)
        }),
    ]);
    cases
}

/// Several sheets.
fn sheets() -> Vec<Case> {
    let subjects = &[READ, CODE, BRAND, TOKENS, FONTS, SVG, IMAGES];
    let linked = "<link rel=stylesheet href=a.css>";
    vec![
        Case::new("rules/style-elements", subjects, 200, |size| {
            Page::of_parts(&repeated("<style>.c{i}{color:red}</style>", size), "")
        }),
        Case::new("rules/style-elements-in-body", subjects, 200, |size| {
            Page::of_body(&repeated("<style>.c{i}{color:red}</style><i class=c{i}>x</i>", size))
        }),
        Case::new("rules/links", subjects, 200, |size| {
            Page::of_parts(&repeated("<link rel=stylesheet href=a{i}.css>", size), "")
        }),
        Case::new("rules/links-same", subjects, 20, move |size| {
            Page::of_parts(&linked.repeat(size), "").with_file("a.css", repeated(".c{i}{color:red}", 20))
        }),
        Case::new("rules/imports-absent", subjects, 200, |size| {
            Page::styled(&repeated("@import url(b{i}.css);", size), "")
        }),
        Case::new("rules/imports-same", subjects, 200, |size| {
            Page::styled(&"@import url(a.css);".repeat(size), "").with_file("a.css", ".hero{color:red}")
        }),
        Case::new("rules/imports-with-conditions", subjects, 400, |size| {
            let css = repeated("@import url(a.css) layer(l{i}) supports(display:grid) (min-width:{i}px);", size);
            Page::styled(&css, "").with_file("a.css", ".hero{color:red}")
        }),
        Case::new("rules/imports-chain", subjects, 5, move |size| {
            let page = Page::of_parts("<link rel=stylesheet href=s0.css>", "");
            (0..size).fold(page, |page, number| {
                page.with_file(
                    &format!("s{number}.css"),
                    format!("@import url(s{}.css);.c{number}{{color:red}}", number + 1),
                )
            })
        }),
        Case::new("rules/imports-circle", subjects, 20, move |size| {
            let page = Page::of_parts(linked, "").with_file("a.css", repeated("@import url(b{i}.css);", size));
            (0..size.min(90)).fold(page, |page, number| {
                page.with_file(&format!("b{number}.css"), format!("@import url(a.css);.c{number}{{color:red}}"))
            })
        }),
        Case::new("rules/imports-tree", subjects, 1, move |size| {
            let page = Page::of_parts("<link rel=stylesheet href=s0.css>", "");
            let page = (0..8).fold(page, |page, depth| {
                page.with_file(&format!("s{depth}.css"), format!("@import url(s{}.css);", depth + 1).repeat(size))
            });
            page.with_file("s8.css", "/* */")
        }),
        Case::new("rules/imports-tree-deep", subjects, 2, move |size| {
            let page = Page::of_parts("<link rel=stylesheet href=s0.css>", "");
            let page = (0..size).fold(page, |page, depth| {
                page.with_file(&format!("s{depth}.css"), format!("@import url(s{}.css);", depth + 1).repeat(3))
            });
            page.with_file(&format!("s{size}.css"), "/* */")
        }),
        Case::new("rules/imports-of-data", subjects, 20, move |size| {
            Page::styled(&nested("@import url('data:text/css,{inner}');", ".c{color:red}", size), "")
        }),
        Case::new("rules/media-attributes", subjects, 400, |size| {
            Page::of_parts(&repeated("<style media='(min-width:{i}px)'>h1{margin:{i}px}</style>", size), "")
        }),
        Case::new("rules/alternate-sets", subjects, 200, |size| {
            Page::of_parts(&repeated("<style title=t{i}>h1{margin:{i}px}</style>", size), "")
        }),
        Case::new("rules/media-attribute-long", subjects, 200, |size| {
            Page::of_parts(
                &format!("<style media='{}'>h1{{margin:1px}}</style>", comma_repeated("(min-width:{i}px)", size)),
                "",
            )
        }),
    ]
}
