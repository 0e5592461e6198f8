use super::*;
use limner_page::WorkBudget;

fn names(document: &Document, selector: &str) -> Vec<String> {
    let found = select(document, selector);
    let id = |node: &NodeId| document.element(*node).and_then(|e| e.attr("id")).unwrap_or("?").to_owned();
    found.iter().map(id).collect()
}

#[test]
fn selectors_4_section_3_9_invalid_selectors() {
    for valid in [
        "*",
        "a",
        "a > b",
        "#x.y[z]",
        "a, b",
        ":is(a, b)",
        ":is()",
        ":is(!!)",
        ":where(.a .b)",
        "a:not(.b, #c)",
        ":has(> a)",
        "li:nth-child(2n + 1 of .a)",
        "::before",
        "a::after",
        "[a=b i]",
        "[*|a]",
        ":hover",
        ":host(.x)",
        "::slotted(a)",
        "::part(x)",
        "::-webkit-scrollbar-thumb:hover",
        "a::-webkit-scrollbar-track-piece:vertical:window-inactive",
        "::highlight(x)",
        ":lang(de, 'en-*')",
        "a:focus-visible",
        "|a",
        "*|a",
        ".\\31 0",
        "a  ~  b + c",
        ":popover-open",
        "::placeholder",
        ":root",
        ":state(x)",
    ] {
        assert!(is_valid(valid), "{valid}");
    }
    for invalid in [
        "",
        " ",
        ",",
        "a,",
        "> a",
        "a >",
        "a >> b",
        "..a",
        "#",
        "#1",
        ":unknown",
        ":-moz-focusring",
        "::unknown",
        ":not()",
        ":has()",
        ":has(:unknown)",
        "a::before b",
        "a{}",
        "svg|a",
        "a;b",
        ":nth-child(x)",
        "::-moz-selection",
        ")",
        ":has(:has(a))",
        "a b)",
        ":nth-child(2n+)",
        "a\u{0}|b",
    ] {
        assert!(!is_valid(invalid), "{invalid}");
    }
}

#[test]
fn selectors_4_nested_ten_thousand_deep_is_no_selector() {
    for name in [":is(", ":not(", ":where(", ":has(", "::slotted(", ":nth-child(1 of "] {
        let deep = format!("{}a{}", name.repeat(10_000), ")".repeat(10_000));
        assert!(!is_valid(&deep), "{name}");
        assert!(!is_valid(&name.repeat(10_000)), "{name}");
    }
    assert!(is_valid(&format!("{}a{}", ":is(".repeat(40), ")".repeat(40))));
}

#[test]
fn selectors_4_match_the_expected_elements() {
    let document = Document::parse(
        "<!doctype html><html lang=en-GB id=html><body id=body><div id=a class='x y'><p id=b title=Hello>t</p><p id=c></p></div>\
         <form id=f><input id=i required><input id=j type=checkbox checked><button id=k disabled>x</button></form>\
         <a id=l href=/>l</a><a id=m>m</a><custom-el id=n></custom-el><template><p id=hidden></p></template>",
    );
    for (selector, expected) in [
        ("p", "b c"),
        ("div > p", "b c"),
        ("p + p", "c"),
        ("#a p:first-child", "b"),
        ("p:empty", "c"),
        (".x.y", "a"),
        ("[title^=hel i]", "b"),
        ("div:has(p:empty)", "a"),
        (":is(#b, #c):not(:empty)", "b"),
        (":link", "l"),
        ("p:lang(en)", "b c"),
        ("p:lang('*-GB')", "b c"),
        ("p:lang(de)", ""),
        (":checked", "j"),
        ("input:required:invalid", "i"),
        (":disabled", "k"),
        (":root", "html"),
        ("body :not(:defined)", "n"),
        ("a:hover", ""),
        ("p::before", ""),
        ("p:nth-last-child(1)", "c"),
        ("& > body", "body"),
    ] {
        assert_eq!(names(&document, selector).join(" "), expected, "{selector}");
    }
}

#[test]
fn slow_selector_exhausts_the_work_budget() {
    let budget = WorkBudget::with_steps(1_000_000);
    let document = Document::parse(&"<div>".repeat(390)).with_budget(&budget);
    let slow = (0..30).fold("x".to_owned(), |inner, _| format!(":is({inner} *, y) *"));
    assert!(is_valid(&slow));
    assert_eq!(select(&document, &slow), []);
    assert!(budget.is_exhausted());
}

#[test]
fn distant_sibling_matches_within_the_work_budget() {
    let html = format!("<i id=first></i>{}<b id=last></b>", "<i></i>".repeat(300_000));
    let (found, far) = ("#first ~ b", Document::parse(&html));
    assert_eq!(names(&far, found), ["last"]);
    assert!(!far.work_budget().is_exhausted());
    let budget = WorkBudget::with_steps(100_000);
    assert_eq!(select(&far.with_budget(&budget), found), []);
    assert!(budget.is_exhausted());
}
