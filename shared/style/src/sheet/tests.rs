use crate::property::Longhand;
use crate::{Environment, StyleIndex, SubstringSet};
use limner_page::snapshot::ImportedSheet;
use limner_page::{Document, PageSnapshot, Stylesheet};
use proptest::prelude::*;

fn with_css(css: &str) -> PageSnapshot {
    let sheet = Stylesheet { base_url: "https://a.test/css/".into(), text: Some(css.into()), ..Stylesheet::default() };
    PageSnapshot { html: "<!doctype html><p class=a>x<b>y".into(), sheets: vec![sheet], ..PageSnapshot::default() }
}

/// Computes a page and returns the first paragraph's colour.
fn first_paragraph_color(page: &PageSnapshot) -> String {
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(page, &document);
    let mut styles = index.styles(&Environment::default());
    let (node, _) = document.elements_named("p").next().unwrap();
    index.declarations(node, None);
    styles.get(node).unwrap().color().to_string()
}

#[test]
fn small_sheet_after_a_large_one_takes_little_room() {
    // The user agent's sheets are read last.
    let page = with_css(&"p{color:red}".repeat(20_000));
    let document = Document::parse(&page.html);
    let index = StyleIndex::for_root_only(&page, &document, &[Longhand::Color], &SubstringSet::new(&[]));
    let (rules, declarations) = (&index.sheets.rules, &index.sheets.declarations);
    assert!(rules.len() > 20_000 && declarations.len() > 20_000);
    assert!(rules.capacity() < 25_000 && declarations.capacity() < 25_000);
}

#[test]
fn cascade_5_section_2_imports() {
    let imported = |text: &str| ImportedSheet { base_url: "https://a.test/css/i.css".into(), text: text.into() };
    for (css, text, expected) in [
        ("@import 'i.css';", "p{color:red}", "rgb(255, 0, 0)"),
        ("@import url(i.css); p{color:blue}", "p{color:red}", "rgb(0, 0, 255)"),
        ("@import url(\"i.css\") layer(x); p{color:blue}", "#x, p{color:red}", "rgb(0, 0, 255)"),
        ("@import 'i.css' print;", "p{color:red}", "rgb(0, 0, 0)"),
        ("@import 'i.css' layer supports(display: grid) screen;", "p{color:red}", "rgb(255, 0, 0)"),
        ("@import 'i.css' supports(display: foo);", "p{color:red}", "rgb(0, 0, 0)"),
        ("p{order:1} @import 'i.css';", "p{color:red}", "rgb(0, 0, 0)"),
        ("@layer a; @import 'i.css';", "p{color:red}", "rgb(255, 0, 0)"),
        ("@import 'i.css';", "@import 'i.css'; p{color:red}", "rgb(255, 0, 0)"),
    ] {
        let mut page = with_css(css);
        page.imports.insert("https://a.test/css/i.css".into(), imported(text));
        assert_eq!(first_paragraph_color(&page), expected, "{css}");
    }
}

#[test]
fn cssom_1_section_6_2_self_import_is_loaded_once() {
    let mut page = with_css("@import 'a.css';");
    for (name, text) in [("a", "@import 'b.css'; p{color:red}"), ("b", "@import 'a.css'; @import 'b.css'; p{order:1}")]
    {
        let base_url = format!("https://a.test/css/{name}.css");
        page.imports.insert(base_url.clone(), ImportedSheet { base_url, text: text.into() });
    }
    page.imports.insert("https://a.test/a.css".into(), page.imports["https://a.test/css/a.css"].clone());
    let document = Document::parse(&page.html);
    let rules = StyleIndex::new(&page, &document).rules().count();
    assert_eq!(rules, 2);
}

#[test]
fn at_rules_are_kept_as_data() {
    let page = with_css(
        "@media print{@font-face{font-family:x;src:url(x)}} @keyframes k{from{color:red}to{color:blue}} @property --x{syntax:'*';inherits:true}",
    );
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let kept: Vec<(&str, &str)> = index.at_rules().iter().map(|rule| (&*rule.name, &*rule.prelude)).collect();
    assert_eq!(kept, [("font-face", ""), ("keyframes", "k"), ("property", "--x")]);
    assert_eq!(index.condition_text(index.at_rules()[0].condition), ["@media print"]);
}

#[test]
fn declarations_have_condition_selector_and_line() {
    let page = with_css("p{color:red}\n@media (width > 1px){.a:hover{color:blue;width:foo}}");
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let (node, _) = document.elements_named("p").next().unwrap();
    let blocks = index.declarations(node, None);
    let last = blocks.last().unwrap();
    assert_eq!(last.selector.as_deref(), Some(".a:hover"));
    assert_eq!(index.condition_text(last.condition), ["@media (width > 1px)"]);
    assert!(!last.matches_under_states(crate::selector::StateSet::NONE));
    assert!(last.matches_under_states(crate::selector::State::Hover.into()));
    let declarations: Vec<_> = last.declarations().map(|d| (d.name, d.value, d.line)).collect();
    assert_eq!(declarations, [("color", "blue", 2)]);
}

#[test]
fn hostile_stylesheets_parse_in_seconds() {
    let deep = |open: &str, count: usize| open.repeat(count);
    let sheets = [
        deep("@media all{", 10_000),
        deep("p{", 10_000),
        deep("a{&:is(", 10_000),
        format!("p{{color:{}red}}", deep("calc(", 10_000)),
        format!("p{{width:{}}}", deep("((", 10_000)),
        format!("p{{--x:{}}}", deep("{[(", 10_000)),
        format!("{}{{color:red}}", deep(":not(", 10_000)),
        format!("@supports {}", deep("(", 10_000)),
        format!("@media {}{{p{{color:red}}}}", deep("not (", 10_000)),
        deep("p{color:red;", 3_000),
        deep("p,", 50_000),
        deep("@layer a{", 10_000),
        deep("@scope (p){", 10_000),
        "\0\u{fffd}p{color:\0red}".into(),
        "p{color:red;".into(),
        "p{width:calc(1px * infinity);order:calc(NaN);margin:calc(-infinity * 1em)}".into(),
        format!("@import 'x'{};", deep("supports(", 5_000)),
        format!("p{{background:{}}}", "url(x),".repeat(20_000)),
        format!("p{{font:{}}}", "a ".repeat(20_000)),
        format!("@property --x{{syntax:'{}';inherits:true;initial-value:a}}", deep("[a|", 5_000)),
    ];
    for sheet in sheets {
        let start = std::time::Instant::now();
        first_paragraph_color(&with_css(&sheet));
        assert!(start.elapsed().as_secs() < 10, "{}", &sheet[..sheet.len().min(60)]);
    }
}

#[test]
fn million_declarations_are_cut_at_the_limit() {
    let css = "p{color:red;margin:1px 2px}".repeat(550_000);
    assert_eq!(first_paragraph_color(&with_css(&css)), "rgb(255, 0, 0)");
}

const PIECES: &[&str] = &[
    "p",
    ".a",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ":",
    ";",
    ",",
    " ",
    "@media",
    "@layer",
    "@import",
    "@scope",
    "@property",
    "var(",
    "--x",
    "calc(",
    "1px",
    "50%",
    "red",
    "!important",
    "\"",
    "'",
    "/*",
    "*/",
    "\\",
    ":is(",
    ":has(",
    "::before",
    "&",
    ">",
    "@container",
    "style(",
    "color",
    "margin",
    "background",
    "url(",
    "env(",
    "rgb(",
    "from",
    "<",
    ">=",
    "#",
    "grid-area",
    "/",
    "\0",
    "é",
    "\u{1F600}",
    "font",
    "inherit",
    "revert-layer",
    "@supports",
    "not",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_stylesheet_does_not_panic(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..120), raw in ".{0,80}") {
        let css: String = pieces.concat();
        first_paragraph_color(&with_css(&css));
        first_paragraph_color(&with_css(&raw));
        first_paragraph_color(&with_css(&format!("p{{{css}}}")));
    }

    #[test]
    fn random_value_does_not_panic(property in prop::sample::select(crate::property::Longhand::ALL), value in prop::collection::vec(prop::sample::select(PIECES), 0..20)) {
        let value: String = value.concat();
        let page = PageSnapshot {
            html: format!("<p style=\"{}:{}\">", property.name(), value.replace('"', "'")),
            ..PageSnapshot::default()
        };
        first_paragraph_color(&page);
        crate::color::parse(&value, crate::color::Scheme::Dark);
        crate::selector::is_valid(&value);
    }
}

#[test]
fn alternate_stylesheets_are_listed_for_the_root_and_never_apply() {
    let sheet = |css: &str, alternate| Stylesheet { text: Some(css.into()), alternate, ..Stylesheet::default() };
    let page = PageSnapshot {
        html: "<!doctype html><p>x".into(),
        sheets: vec![sheet("html{--a:1}", false), sheet("html{--a:2}p{color:red}", true)],
        ..PageSnapshot::default()
    };
    let document = Document::parse(&page.html);
    let root = document.document_element().unwrap();
    for (index, rules) in [
        (StyleIndex::new(&page, &document), 1),
        (StyleIndex::for_root_only(&page, &document, &[Longhand::Color], &SubstringSet::new(&[])), 3),
    ] {
        assert_eq!(index.rules().count(), rules);
        let style = index.styles(&crate::Environment::default()).get(root).unwrap();
        assert_eq!(style.custom_property("--a"), Some("1"));
    }
}

#[test]
fn distinct_values_beyond_the_limit_are_dropped_and_reported() {
    let many: String = (0..150_000).map(|n| format!("a{{z-index:{n}}}")).collect();
    for (last, is_dropped) in [("a{z-index:7}", false), ("a{z-index:150000}", true), ("a{--x:150000}", false)] {
        let page = with_css(&format!("{many}{last}"));
        let document = Document::parse(&page.html);
        let marks = SubstringSet::new(&[]);
        let index = StyleIndex::for_root_only(&page, &document, &[Longhand::ZIndex], &marks);
        assert_eq!(index.rules().count(), if is_dropped { 150_000 } else { 150_001 }, "{last}");
        assert_eq!(index.truncated(), is_dropped, "{last}");
    }
}

/// A way of reading a stylesheet.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Whole,
    Outlined,
    /// With a filter for `order` and `color`.
    Filtered,
}

/// Describes everything that a stylesheet declares, by rule; unless `of_all`, only declarations of the filtered
/// properties.
fn describe(css: &str, way: Way, of_all: bool) -> String {
    use super::parse::SheetParser;
    use super::{ConditionId, Declaration, DeclarationInterner, Filter, LayerId, Origin, Sheets};
    let document = Document::parse("<!doctype html>");
    let marks = SubstringSet::new(&["dark"]);
    let filter = Filter::for_declarations(&[Longhand::Order, Longhand::Color], &marks);
    let mut interner = DeclarationInterner::new(document.quirks_mode());
    let mut sheets = Sheets::default();
    sheets.infos.push(super::SheetInfo { href: None, base_url: "https://a.test/".into(), snapshot_index: None });
    let mut parser = SheetParser {
        sheets: &mut sheets,
        interner: &mut interner,
        imports: &|_, _| Some(("https://a.test/i.css", "i{order:1}")),
        origin: Origin::Author,
        tree: document.root(),
        owner_parent: None,
        sheet: 0,
        importers: Vec::new(),
        filter: (way == Way::Filtered).then_some(&filter),
    };
    if way == Way::Whole {
        parser.parse_whole(css, ConditionId::default(), LayerId::NONE);
    } else {
        parser.parse(css, ConditionId::default(), LayerId::NONE);
    }
    let mut said = String::new();
    for rule in &sheets.rules {
        let declarations = &sheets.declarations[rule.declarations.start as usize..rule.declarations.end as usize];
        let selectors: Vec<String> = rule.selectors.texts().collect();
        let place = (rule.condition, rule.layer, rule.scope, rule.sheet, rule.line);
        let counts = |one: &&Declaration| of_all || filter.concerns(&one.name);
        let written = declarations.iter().filter(counts);
        let written: Vec<_> =
            written.map(|one| (&one.name, &one.value, one.important, one.line, &one.effect)).collect();
        if of_all || !written.is_empty() {
            said += &format!("{selectors:?} {place:?} {written:?}\n");
        }
    }
    let Sheets { conditions, layers, scopes, at_rules, selectors, dropped_rules, truncated, .. } = &sheets;
    said += &format!("{conditions:?} {:?} {scopes:?} {at_rules:?} {truncated}", layers.ranks());
    if of_all { said + &format!("{selectors} {dropped_rules}") } else { said }
}

fn is_said_alike(css: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(describe(css, Way::Outlined, true), describe(css, Way::Whole, true), "{}", css);
    prop_assert_eq!(describe(css, Way::Filtered, false), describe(css, Way::Whole, false), "filtered: {}", css);
    Ok(())
}

#[test]
fn css_syntax_outline_equals_the_parser() {
    for css in [
        "a{color:red}@import 'x';",
        "@import 'x';@import url(y);a{color:red}",
        "@namespace url(x);@namespace y url(z);a{color:red}y|b{color:red}",
        "@layer a,b;@layer b{c{d:e;order:1}}@layer{c{order:2}}@layer a,b{c{order:3}}",
        "@media print{@media (min-width:1px){a{order:1}}@font-face{font-family:x}b{order:2}}c{order:3}",
        "@container x (width>1px){a{order:1}}@container !{b{order:2}}@supports (x:y){c{order:3}}",
        "@media print{}a{\n&:hover{order:1}\norder:2}\n\nb{order:3}",
        "@keyframes x{from{order:1}}\n@property --x{syntax:'*';inherits:true}",
        "a{order:1};b{order:2}c,{order:3}d!{order:4}e{order:5}",
        "a{order:1;;;color:red;bad;order:2}b{color:;order:3}c{order:4!important;order:5!x;order:6}",
        "a{order:1/**/;order/**/:2;/**/order:3}",
        "a{background:url(x y);order:1}b{--x:url(x y);order:2}",
        "a{*zoom:1;_x:y;order:1}b{@apply x;order:2}c{$x:y;order:3}d{#x;order:4}e{1px:2;order:5}",
        "a{--x:;--y: ;--z:{};--a:b!important}",
        "@charset 'utf-8';a{order:1}",
        "--> a{order:1}-->b{order:2}",
        "\\--:{}a{order:1}-\\-:b{}\\2d -:{}",
        "@media{a{order:1}}@media ,{b{order:2}}",
        "@scope (a) to (b){c{order:1}:scope{order:2}}",
        "@;a{order:1}b{order:2}",
        "@media print{@1;a{order:1}b{order:2}}c{order:3}",
        "a{--x:b\\!important}",
        "@layer x{a{}} b{zoom:1} @import 'y';",
        "--x:y{} b{zoom:1} @import 'y';",
        "--> @layer x{} b{zoom:1} @import 'y';",
        "@import 'x';a{zoom:1}b{zoom:1;order:1}.dark{zoom:1}@import 'y';",
    ] {
        is_said_alike(css).unwrap();
    }
}

/// Joins the pieces of a stylesheet and closes every block that is open, judging by braces.
fn closed(pieces: &[&str]) -> String {
    let mut css = pieces.concat();
    let open = css.matches('{').count().saturating_sub(css.matches('}').count());
    css.push_str(&"}".repeat(open));
    css
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn css_syntax_random_outline_equals_the_parser(
        pieces in proptest::collection::vec(
            prop::sample::select(vec![
                "a", "b", ".c", "{", "}", "{", "}", ";", ":", "order", "color", "red", "1", " ", "\n", "\r\n", "!important",
                "!", "(", ")", "[", "]", "'", "\"", "\\", "\\9 ", "/*", "*/", "url(", "URL(x)", "@media print", "@layer x",
                "@font-face", "@import 'x'", "@supports (order:1)", "@x", "--", "--x", "-", "_", "*", "#", "&", ",", ">",
                "<!--", "-->", "\u{e4}", "\0", "\\75 rl(", "order:1", "order:2;", "a{order:3}", "color:red", "{}", "|", "@", "@1", "\\!important", "zoom:1",
            ]),
            0..24,
        )
    ) {
        is_said_alike(&closed(&pieces))?;
    }

    #[test]
    fn css_syntax_random_outline_of_rules_equals_the_parser(
        pieces in proptest::collection::vec(
            prop::sample::select(vec![
                "a{order:1}", ".b,c{color:red;order:2}", "d{", "}", "order:3", ";", " ", "\n", "/*x*/", "@media print{", "@layer x{",
                "&:hover{order:4}", "e:hover{order:5}", "--x:y", "--z:{}", "order : 6 !important ;", "@y z;", "@font-face{a:b}",
                "color:url(x)", "color:url( x )", "x\\9", "order:\\31", "f;", "*g:h", "i{}", "j(k;l)", "'m'", "order:", "#n", ",", "o{zoom:1}",
                ".dark{zoom:1}", "@import 'x';", "@;", "--x:y{}", "-->", "p{order:7!important;zoom:2}",
            ]),
            0..16,
        )
    ) {
        is_said_alike(&closed(&pieces))?;
    }
}
