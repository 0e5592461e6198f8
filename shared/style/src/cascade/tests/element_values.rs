//! Tests values that depend on the element: conditions, attributes, places among siblings, custom functions. The expected
//! values are Chromium's.

use super::{page, value, value_in};
use crate::{Environment, QueriedFeatures, StyleIndex};
use limner_page::Document;

fn check(html: &str, table: &[(&str, &str, &str)]) {
    for (css, property, expected) in table {
        assert_eq!(value(css, html, property), *expected, "{css}");
    }
}

#[test]
fn values_5_section_7_conditions() {
    check(
        "<div><p id=x>",
        &[
            ("p{width:if(media(width > 800px): 40px; else: 10px)}", "width", "40px"),
            ("p{width:if(media(print): 40px; else: 10px)}", "width", "10px"),
            ("p{width:if(media((width > 1px) and (height > 1px)): 4px)}", "width", "4px"),
            ("p{--s:a;width:if(style(--s: a): 1px; else: 2px)}", "width", "1px"),
            ("p{width:if(style(--s): 1px; not style(--s): 2px)}", "width", "2px"),
            ("p{--n:5;width:if(style(--n > 3): 1px; else: 2px)}", "width", "1px"),
            ("p{--n:5;width:if(style((--n: 5) and (--n < 3)): 1px; else: 2px)}", "width", "2px"),
            ("p{width:if(supports(display: grid) and media(screen): 1px)}", "width", "1px"),
            ("p{width:if(supports(display: nope): 1px; supports(selector(p)): 3px)}", "width", "3px"),
            ("p{width:3px;width:if(style(--s): 1px)}", "width", "auto"),
            ("p{width:if(style(--s): var(--none); else: calc(1px + var(--v, 2px)))}", "width", "3px"),
            ("div{--w:if(media(width > 1px): 7px)} p{width:var(--w)}", "width", "7px"),
            ("p{margin:if(media(width > 1px): 1px 2px; else: 0)}", "margin-right", "2px"),
            ("p{width:if(media(width > 1px) 1px)}", "width", "auto"),
        ],
    );
    let narrow = Environment { width: 390.0, ..Environment::default() };
    assert_eq!(value_in("p{width:if(media(width>800px):4px;else:9px)}", "<p id=x>", "width", &narrow), "9px");
}

#[test]
fn values_5_section_8_attributes() {
    check(
        "<p id=x data-w=12 data-l='3em' data-c=tomato data-t='a \"b\"' data-n=' 7 '>",
        &[
            ("p{width:attr(data-w px)}", "width", "12px"),
            ("p{width:attr(DATA-W px)}", "width", "12px"),
            ("p{width:attr(data-l type(<length>))}", "width", "48px"),
            ("p{width:attr(data-c type(<length>), 5px)}", "width", "5px"),
            ("p{width:attr(data-none px, 6px)}", "width", "6px"),
            ("p{width:attr(data-none px)}", "width", "auto"),
            ("p{color:attr(data-c type(<color>))}", "color", "rgb(255, 99, 71)"),
            ("p{width:calc(attr(data-n type(<number>)) * 2px)}", "width", "14px"),
            ("p{--w:attr(data-w px);width:calc(var(--w) + 1px)}", "width", "13px"),
            ("p{content:attr(data-none, \"f\")}", "content", "\"f\""),
        ],
    );
}

#[test]
fn values_5_section_9_places_among_siblings() {
    check(
        "<div><i></i>text<p id=x><b></b></p><i></i></div>",
        &[
            ("p{width:calc(10px * sibling-index())}", "width", "20px"),
            ("p{width:calc(10px * sibling-count())}", "width", "30px"),
            ("p{z-index:sibling-index()}", "z-index", "2"),
            ("p{z-index:SIBLING-INDEX()}", "z-index", "2"),
            ("p{--i:sibling-index();z-index:var(--i)}", "z-index", "2"),
            ("div{--i:sibling-index()} p{z-index:var(--i)}", "z-index", "2"),
            ("p{margin:0 calc(1px * sibling-index())}", "margin-left", "2px"),
            ("p{width:calc(1px * sibling-index(2))}", "width", "auto"),
        ],
    );
}

/// Elements with the same rules have different styles.
#[test]
fn siblings_with_the_same_rules_do_not_share_styles() {
    let page = page("li{width:calc(10px * sibling-index())} li::before{content:attr(data-x, '-')}", "<ul><li><li><li>");
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let mut styles = index.styles(&Environment::default());
    let items = document.elements().filter(|(_, element)| element.is_html("li"));
    let widths: Vec<_> = items.map(|(node, _)| styles.get(node).unwrap().value("width").unwrap()).collect();
    assert_eq!(widths, ["10px", "20px", "30px"]);
}

#[test]
fn mixins_1_section_2_custom_functions() {
    const FUNCTIONS: &str = "@function --double(--x <length>: 4px) returns <length> { result: calc(var(--x) * 2); }
         @function --wide(--min, --max: 60px) { --r: var(--min); result: var(--r);
           @media (width > 700px) { result: var(--max); } @supports (a: b) { result: 1px; } }
         @function --outer(--y) { result: calc(--double(var(--y)) + var(--given, 0px)); }
         @function --endless() { result: --endless(); }
         @media print { @function --double() { result: 99px; } }";
    for (css, expected) in [
        ("p{width:--double(10px)}", "20px"),
        ("p{width:--double()}", "8px"),
        ("p{width:--double(1px, 2px)}", "auto"),
        ("p{width:--wide(3px)}", "60px"),
        ("p{width:--wide(3px, 5px)}", "5px"),
        ("p{--given:1px;width:--outer(2px)}", "5px"),
        ("p{width:--endless()}", "auto"),
        ("p{width:--none()}", "auto"),
        ("p{--w:--double(2px);width:var(--w)}", "4px"),
    ] {
        assert_eq!(value(&format!("{FUNCTIONS} {css}"), "<p id=x>", "width"), expected, "{css}");
    }
    let narrow = Environment { width: 390.0, ..Environment::default() };
    assert_eq!(value_in(&format!("{FUNCTIONS} p{{width:--wide(3px)}}"), "<p id=x>", "width", &narrow), "3px");
}

/// Functions that double the value at each level end by the budget and the limits, not by exhausting memory.
#[test]
fn functions_that_grow_are_invalid() {
    let levels = (0..12).map(|level| format!("@function --f{level}(){{result:--f{0}() --f{0}()}}", level + 1));
    let css: String = levels.chain(["@function --f12(){result:1px} p{width:--f0()}".to_owned()]).collect();
    assert_eq!(value(&css, "<p id=x>", "width"), "auto");
}

#[test]
fn conditions_in_values_are_queried() {
    for (css, expected) in [
        ("p{width:if(media(width > 800px): 40px; else: 10px)}", 801),
        ("p{width:calc(1px + if(media(min-width: 700px): 40px; else: 10px))}", 700),
        ("@function --f(){result:1px;@media (width >= 500px){result:2px}} p{width:--f()}", 500),
    ] {
        let page = page(css, "<p id=x>");
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        let (node, _) = document.elements().find(|(_, element)| element.is_html("p")).unwrap();
        let mut questions = QueriedFeatures::default();
        index.add_queried_features(node, &mut questions);
        assert_eq!(questions.widths.into_iter().collect::<Vec<_>>(), [expected], "{css}");
    }
}
