//! Selectors: of a call, of a rule, and matched against a document.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::input::choice_and_text;
use limner_fuzz::page::{PAGE_URL, answer, page, page_with_sheet};
use limner_page::dom::NodeKind;
use limner_page::{Document, NodeId};
use limner_style::selector::{Matcher, is_valid, select};
use limner_types::{Operation, request};

const HTML: &str = "<!doctype html><html class=dark lang=en><body><main id=m class='a b'><p id=p class=c title='x y' data-k=v>T<b>b</b></p><p lang=de>T</p>\
    <form><input type=text required placeholder=p><input type=checkbox checked><select><option selected>o</select></form><a href=/a class=a>A</a><x-y><span slot=s>s</span></x-y>\
    <ul><li>1<li class=c>2<li>3</ul><details open><summary>s</summary></details><svg><g class=a><path/></g></svg></main>";

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, selector)) = choice_and_text(data) else { return Corpus::Reject };
    match choice % 4 {
        0 => {
            let document = Document::parse(HTML);
            let selected = select(&document, &selector);
            match Matcher::parse(&selector) {
                Ok(matcher) => {
                    let matching: Vec<_> = document
                        .elements()
                        .map(|(node, _)| node)
                        .filter(|node| matcher.matches(&document, *node))
                        .collect();
                    assert_eq!(selected, matching);
                }
                Err(_) => assert!(selected.is_empty() && !is_valid(&selector)),
            }
        }
        1 => {
            let pairs = [("url", PAGE_URL), ("selector", &selector), ("framework", "html")];
            let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
            if let Ok(parsed) = request::parse(Operation::Code, &pairs) {
                answer(&page(HTML), &parsed.request);
            }
        }
        2 => {
            let css =
                format!("{selector}{{color:red;--x:1px}}{selector}:hover{{color:blue}}.dark {selector}{{color:#fff}}");
            answer(&page_with_sheet(HTML, &css), &limner_fuzz::page::chosen_call_of_style(choice / 4));
        }
        _ => {
            // Here the text is a page.
            let document = Document::parse(&selector);
            document.elements().for_each(|(node, _)| check_unique_selector(&document, node));
        }
    }
    Corpus::Keep
});

/// Asserts that the selector of an element selects it, and nothing else in the tree of the document. Shadow trees have no
/// element as their root that a path could begin at, and selectors of the document do not reach into them.
fn check_unique_selector(document: &Document, node: NodeId) {
    let unique = document.unique_selector(node);
    let matcher = Matcher::parse(&unique).expect("a unique selector is valid");
    assert!(matcher.matches(document, node), "{unique} does not match its element");
    let is_in_shadow = document.ancestors(node).any(|ancestor| matches!(document.kind(ancestor), NodeKind::ShadowRoot));
    if !is_in_shadow {
        assert_eq!(select(document, &unique), [node], "{unique}");
    }
}
