//! Tests slots of shadow trees.

use super::{ask_for, texts};
use limner_page::{Document, PageSnapshot, SheetOwner, Stylesheet};
use limner_types::{Framework, Theme};
use serde_json::Value;

fn card(tree: &str, inside: &str, framework: Framework) -> Value {
    let html = format!(
        "<!doctype html><html><body><section class=h><h1>Words on a page</h1><x-card><template shadowrootmode=open>{tree}\
         </template>{inside}</x-card></section></body></html>"
    );
    let document = Document::parse(&html);
    let sheets = document.sheet_elements().into_iter().zip(0..).map(|(node, at)| Stylesheet {
        owner: SheetOwner::Style,
        element: Some(at),
        text: Some(document.text_content(node)),
        ..Stylesheet::default()
    });
    let sheets = sheets.collect();
    let page = PageSnapshot { url: "https://a.test/".into(), html, sheets, ..PageSnapshot::default() };
    ask_for(&page, Some(".h"), Theme::Light, framework).unwrap()
}

#[test]
fn styled_slots_are_elements() {
    let tree = "<style>slot{display:block;padding:7px} slot[name=a]{display:inline-flex;gap:3px} slot[name=t]{color:#123456} \
                b slot{border-top:5px solid}</style>\
                <slot name=a></slot><p><slot name=t></slot></p><b><slot>Fallback <i>text</i></slot></b>";
    let inside = "<em slot=a>A</em><u slot=a>B</u><s slot=t>C</s>";
    let result = card(tree, inside, Framework::Html);
    let (code, css) = (result["code"].as_str().unwrap(), result["css"].as_str().unwrap());
    for (selector, text) in
        [("x-card > span", "AB"), ("x-card > p > span", "C"), ("x-card > b > div", "Fallback text"), ("slot", "")]
    {
        let found = texts(code, selector).concat();
        let found: Vec<&str> = found.lines().map(str::trim).collect();
        assert_eq!(found.concat(), text, "{selector} in {code}");
    }
    for part in ["padding: 7px", "inline-flex", "#123456", "border-top: 5px solid"] {
        assert!(css.contains(part), "{part} in {css}");
    }
    let tailwind = card(tree, inside, Framework::Tailwind)["code"].as_str().unwrap().to_owned();
    assert!(tailwind.contains("inline-flex") && tailwind.contains("border-t-5"), "{tailwind}");
}

#[test]
fn text_in_a_slot_inherits_from_it() {
    let tree = "<style>slot{color:#123456}</style><p><slot></slot></p>";
    let result = card(tree, "Text", Framework::Html);
    assert_eq!(texts(result["code"].as_str().unwrap(), "p > span"), ["Text"], "{result}");
    assert!(result["css"].as_str().unwrap().contains("color: #123456"), "{result}");
}

#[test]
fn slots_outside_of_shadow_trees_are_replaced_by_their_contents() {
    let code = card("<div><slot></slot></div>", "<i>Text</i>", Framework::Html)["code"].as_str().unwrap().to_owned();
    assert_eq!(texts(&code, "x-card > div > i"), ["Text"], "{code}");
}
