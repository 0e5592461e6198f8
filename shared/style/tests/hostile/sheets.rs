//! Stylesheets that are deep, large, truncated or not CSS.

use super::{environments, longest_value, page, paragraph};
use limner_page::snapshot::ImportedSheet;
use limner_page::{Document, PageSnapshot};
use limner_style::property::Longhand;
use limner_style::{Environment, StyleIndex};
use proptest::prelude::*;
use std::fmt::Write;

/// At-rules and rules that contain others.
const BLOCKS: &[&str] = &[
    "@media all{",
    "@media (min-width:1px){",
    "@supports (color:red){",
    "@supports not (color:no){",
    "@layer{",
    "@layer a.b{",
    "@container (width>0){",
    "@scope (html){",
    "@starting-style{",
    "@unknown{",
    "@font-face{",
    "@keyframes a{",
    "p{",
    "p{&{",
    "p{:is(&,a){@media all{",
    "{",
    "a{--x:{",
    "a{color:{",
];

#[test]
fn blocks_nested_ten_thousand_deep_do_not_overflow() {
    for block in BLOCKS {
        let opened = block.matches('{').count() * 10_000;
        for end in ["", "p{color:red}", "color:red;", "}"] {
            let css = format!("p{{color:blue}}{}{end}", block.repeat(10_000));
            assert_eq!(paragraph("", &css)[0], "rgb(0, 0, 255)", "{block} {end}");
        }
        let css = format!("{}{}p{{color:blue}}", block.repeat(10_000), "}".repeat(opened));
        assert_eq!(paragraph("", &css)[0], "rgb(0, 0, 255)", "{block}, closed");
    }
}

#[test]
fn conditions_nested_ten_thousand_deep_do_not_overflow() {
    let deep = |open: &str, inner: &str| format!("{}{inner}{}", open.repeat(10_000), ")".repeat(10_000));
    for prelude in [
        format!("@media {}", deep("(", "color")),
        format!("@media {}", deep("not (", "color")),
        format!("@media (min-width:{})", deep("calc(", "1px")),
        format!("@supports {}", deep("(", "color:red")),
        format!("@supports {}", deep("not (", "color:red")),
        format!("@supports selector({})", deep(":is(", "a")),
        format!("@container {}", deep("(", "width>0")),
        format!("@container style({})", deep("(", "--a:b")),
        format!("@scope ({})", deep(":is(", "html")),
        format!("@layer {}", "a.".repeat(10_000)),
        format!("@import {}", deep("layer(", "a")),
    ] {
        let css = format!("{prelude}{{p{{width:1px}}}} p{{color:blue}}");
        assert_eq!(paragraph("", &css)[0], "rgb(0, 0, 255)", "{}", &prelude[..30]);
    }
}

#[test]
fn declarations_beyond_the_limit_are_not_read() {
    let mut css = "p{color:blue}".to_owned();
    for n in 0..100_100_u32 {
        let _ =
            write!(css, "p{{top:{}px;left:0;a:b;--x:1;width:1px;--y:var(--x);x:y;opacity:1;order:1;z-index:0}}", n % 9);
    }
    let page = page("<p>x", &css);
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    assert!(index.truncated());
    let (node, _) = document.elements_named("p").next().unwrap();
    let mut styles = index.styles(&Environment::default());
    let style = styles.get(node).unwrap();
    assert_eq!(
        (style.value("color").as_deref(), style.value("width").as_deref()),
        (Some("rgb(0, 0, 255)"), Some("1px"))
    );
}

#[test]
fn rules_layers_scopes_and_registrations_beyond_their_limits_are_dropped() {
    let many = |piece: &dyn Fn(usize) -> String, n: usize| (0..n).map(piece).collect::<String>();
    let elements = "<i>".repeat(300) + &"</i>".repeat(300) + &"<b></b>".repeat(2_000);
    for (name, css) in [
        ("rules", many(&|n| format!(".a{n}{{top:{n}px}}"), 320_000)),
        ("layers", many(&|n| format!("@layer l{n}{{.b{n}{{top:{n}px}}}}"), 20_000)),
        ("scopes", many(&|n| format!("@scope (i){{:scope b{{top:{n}px}}}}"), 300)),
        ("registrations", many(&|n| format!("@property --p{n}{{syntax:'*';inherits:false;initial-value:{n}}}"), 5_000)),
        ("own variables", many(&|n| format!("b{{--p{n}:{n}}}"), 2_000)),
        (
            "keyframes",
            many(&|n| format!("@keyframes k{n}{{to{{top:{n}px}}}}.b{n}{{animation:k{n} 1s forwards}}"), 20_000),
        ),
        ("conditions", many(&|n| format!("@media (min-width:{n}px){{b{{top:{n}px}}}}"), 3_000)),
        (
            "containers",
            "i{container-type:inline-size}".to_owned()
                + &many(&|n| format!("@container (width>{n}px){{b{{top:{n}px}}}}"), 1_000),
        ),
        ("namespaces", many(&|n| format!("@namespace n{n} 'https://a.test/{n}';"), 20_000) + "n7|b{top:0}"),
    ] {
        assert_eq!(paragraph(&elements, &format!("p{{color:blue}}{css}"))[0], "rgb(0, 0, 255)", "{name}");
    }
}

#[test]
fn sheets_that_import_each_other_are_read_once() {
    let sheet =
        |address: &str, text: &str| (address.to_owned(), ImportedSheet { base_url: address.into(), text: text.into() });
    let imports = [
        sheet("https://a.test/a.css", "@import 'b.css';@import 'b.css' layer(x);@import 'a.css';p{color:blue}"),
        sheet("https://a.test/b.css", "@import 'a.css';@import 'b.css' supports(color:red) (width>0);p{color:red}"),
    ];
    let page = PageSnapshot { imports: imports.into(), ..page("<p>x", "@import 'a.css';@import 'b.css';") };
    assert!(longest_value(&page) < 10_000);
}

#[test]
fn sheets_imported_again_and_again_are_cut_at_a_limit() {
    let address = |n: usize| format!("https://a.test/{n}.css");
    let sheet = |n: usize, text: String| (address(n), ImportedSheet { base_url: address(n), text });
    let next = |n: usize| format!("@import '{}.css';", n + 1).repeat(12);
    let explosion: Vec<_> = (0..8).map(|n| sheet(n, next(n))).collect();
    let large = vec![sheet(0, format!("/*{}*/", "x".repeat(3_000_000)))];
    let missing = Vec::new();
    for (imports, css, sheets) in [
        (explosion, "@import '0.css';".to_owned(), 50..1_003),
        (large, "@import '0.css';".repeat(900), 5..9),
        (missing, "@import 'none.css' layer(a) supports(color:red) (width>0);".repeat(2_000), 2..3),
    ] {
        let page = PageSnapshot { imports: imports.into_iter().collect(), ..page("<p>x", &format!("{css}p{{top:0}}")) };
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        assert!(index.truncated(), "{css}");
        assert!(sheets.contains(&index.sheets().len()), "{} sheets", index.sheets().len());
        assert_eq!(index.rules().count(), 1, "{css}");
    }
}

#[test]
fn unclosed_blocks_end_with_the_stylesheet() {
    for css in [
        "p{color:blue",
        "p{color:blue;",
        "p{color:rgb(0 0 255",
        "p{color:rgb(0,0,255",
        "p{color:light-dark(blue, red",
        "p{color:var(--no,blue",
        "p{color:blue;background:url(",
        "p{color:blue;background:url('x",
        "p{color:blue;font-family:'x\ny';",
        "p{color:blue/*",
        "/**/p{color:blue}/*/",
        "p{color:blue}<!--",
        "<!--p{color:blue}-->",
        "p{color:blue}@media (",
        "p{color:blue}@media print{p{color:red!important;color",
        "p{color:blue}@import url(",
        "p{color:blue}@property --x{syntax:'*",
        "p{color:blue}[a='",
        "p{color:blue}a\\",
        "p{color:blue;--x:{[(",
        "@media all{@supports (color:red){@layer{p{color:blue",
        "@media all{p{&{&:is(p{color:red",
    ] {
        let expected = if css.ends_with("color:red") { "rgb(0, 0, 0)" } else { "rgb(0, 0, 255)" };
        assert_eq!(paragraph("", css)[0], expected, "{css}");
    }
}

#[test]
fn characters_that_are_no_text_do_not_panic() {
    for (css, color) in [
        ("p{color:blue}\0", "rgb(0, 0, 255)"),
        ("\0p{color:blue}", "rgb(0, 0, 0)"),
        ("p{--\0:blue;color:var(--\0)}", "rgb(0, 0, 255)"),
        ("p{--\0:blue;color:var(--\u{fffd})}", "rgb(0, 0, 255)"),
        ("p{--\\d800:blue;color:var(--\u{fffd})}", "rgb(0, 0, 255)"),
        ("p{--\\110000:blue;color:var(--\u{fffd})}", "rgb(0, 0, 255)"),
        ("p{--\\0:blue;color:var(--\\dfff)}", "rgb(0, 0, 255)"),
        ("p{col\\6fr:blue}", "rgb(0, 0, 255)"),
        ("p{color:\u{202e}blue}", "rgb(0, 0, 0)"),
        ("p\u{a0}{color:blue}", "rgb(0, 0, 0)"),
        ("p\u{c}{color:blue}\r", "rgb(0, 0, 255)"),
        ("p{color:bl\0ue;color:blue}", "rgb(0, 0, 255)"),
    ] {
        assert_eq!(paragraph("", css)[0], color, "{css:?}");
    }
}

/// Pieces that make interesting stylesheets when they are joined.
const PIECES: &[&str] = &[
    "a",
    "b",
    "*",
    ".x",
    "#i",
    "[k]",
    ":root",
    ":hover",
    "::before",
    "::marker",
    ":is(",
    ":not(",
    ":has(",
    ":nth-child(2n of ",
    ":host(",
    "&",
    ">",
    "~",
    "+",
    "|",
    "||",
    ",",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ":",
    "!important",
    "@media ",
    "@media (width<500px){",
    "@media (prefers-color-scheme:dark){",
    "@supports (",
    "@container c (",
    "@layer x,y;",
    "@layer x{",
    "@scope (a) to (b){",
    "@starting-style{",
    "@property --v{syntax:'<length>';inherits:true;initial-value:1px}",
    "@keyframes k{from{",
    "@import 'x' layer;",
    "@namespace n 'u';",
    "color:",
    "font:",
    "margin:",
    "background:",
    "grid:",
    "border-radius:",
    "animation:k 1s both;",
    "all:",
    "--v:",
    "--w:",
    "var(--v",
    "var(--w,",
    "calc(",
    "min(",
    "rgb(from red r g b",
    "color-mix(in oklab,red,",
    "light-dark(",
    "attr(k px",
    "env(x,",
    "1px",
    "-1e9em",
    "50%",
    "1fr",
    "0",
    "NaN",
    "infinity",
    "red",
    "currentcolor",
    "inherit",
    "revert-layer",
    "'s",
    "\"",
    "url(",
    "/*",
    "*/",
    "<!--",
    "-->",
    "\\",
    "\\0 ",
    "\0",
    "\u{feff}",
    "é",
    "\n",
    " ",
    "/",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_stylesheets_have_bounded_values(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..120)) {
        let html = "<a id=i k=3 class=x style='--v:2px'><b>x</b></a><b></b>";
        prop_assert!(longest_value(&page(html, &pieces.concat())) < 100_000);
    }

    #[test]
    fn arbitrary_stylesheets_have_bounded_values(css in "[\\x00-\\x7fé\u{feff}\u{fffd}]{0,300}") {
        prop_assert!(longest_value(&page("<a><b>x", &css)) < 100_000);
    }

    /// Rules that set none of the requested properties are left out before they are parsed.
    #[test]
    fn few_properties_have_the_values_they_have_among_all(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..120)) {
        for css in [pieces.concat(), format!("a{{}}{}}} b{{display:inline-block}}i{{color:red}}", pieces.concat())] {
            let page = page("<a id=i k=3 class=x style='--v:2px'><b>x</b></a><b></b>", &css);
            let document = Document::parse(&page.html);
            let wanted = [Longhand::Display, Longhand::Content, Longhand::FontFamily, Longhand::MarginLeft];
            let (all, some) = (StyleIndex::new(&page, &document), StyleIndex::for_properties(&page, &document, &wanted));
            let environment = Environment::default();
            let (mut of_all, mut of_some) = (all.styles(&environment), some.styles(&environment));
            for (node, _) in document.elements() {
                let (all, some) = (of_all.get(node).unwrap(), of_some.get(node).unwrap());
                for longhand in wanted {
                    // Lengths follow the font size, which was not requested.
                    if !css.contains("em") {
                        prop_assert_eq!(all.get(longhand), some.get(longhand), "{:?} with {}", longhand, &css);
                    }
                }
            }
        }
    }

    /// Whatever a closed block contains, the rule after it is parsed as if it stood alone.
    #[test]
    fn blocks_do_not_leak(inner in "[a-z0-9:;,.#@&>~+*! -]{0,120}") {
        let css = format!("x{{{inner}}}p{{color:blue!important}}");
        prop_assert_eq!(&paragraph("", &css)[0], "rgb(0, 0, 255)");
    }
}

#[test]
fn one_page_is_styled_alike_in_any_order_of_environments() {
    let page = page(
        "<p>x",
        "p{color:blue}@media (width<500px){p{color:red}}p:hover{color:lime}@media (prefers-color-scheme:dark){p{color:#fff}}",
    );
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let (node, _) = document.elements_named("p").next().unwrap();
    let color = |environment: &Environment| index.styles(environment).get(node).unwrap().value("color");
    let forwards: Vec<_> = environments().iter().map(color).collect();
    let mut backwards: Vec<_> = environments().iter().rev().map(color).collect();
    backwards.reverse();
    assert_eq!(forwards, backwards);
    assert_eq!(forwards[0].as_deref(), Some("rgb(255, 255, 255)"));
}
