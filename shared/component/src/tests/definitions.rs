//! Tests SVG definitions elsewhere on the page that a section refers to.

use super::{ask_for, attributes, page_of, texts};
use limner_types::{Framework, Theme};
use serde_json::Value;

fn code(css: &str, definitions: &str, inside: &str, framework: Framework) -> Value {
    let html = format!(
        "<!doctype html><html><body><svg width=0 height=0 style='position:absolute'><defs>{definitions}</defs></svg><section class=h>\
         <h1>Words on a page</h1><p>More of them, so that there is something to read.</p>{inside}</section></body></html>"
    );
    let page = page_of(html, css);
    ask_for(&page, Some(".h"), Theme::Light, framework).unwrap()
}

const GRADIENT: &str = "<linearGradient id=base><stop offset=0 stop-color=red /></linearGradient>\
                        <linearGradient id=g href='#base'></linearGradient><filter id=blur><feGaussianBlur stdDeviation=2 />\
                        </filter><clipPath id=unused><rect width=5 height=5 /></clipPath>";

#[test]
fn definitions_are_copied_with_their_references() {
    for inside in [
        "<svg viewBox='0 0 9 9'><rect fill='url(#g)' width=9 height=9 /></svg>",
        "<svg viewBox='0 0 9 9'><rect style='fill:url(#g)' width=9 height=9 /></svg>",
        "<svg viewBox='0 0 9 9'><rect class=r width=9 height=9 /></svg>",
    ] {
        let result = code(".r{fill:url('#g')}", GRADIENT, inside, Framework::Html);
        let written = result["code"].as_str().unwrap();
        for (selector, count) in
            [("#g", 1), ("#base", 1), ("svg[width='0'][aria-hidden=true]", 1), ("#unused, #blur", 0)]
        {
            assert_eq!(texts(written, selector).len(), count, "{inside}: {selector} in {written}");
        }
        assert!(result["css"].as_str().unwrap().contains("position: absolute"), "{inside}: {result}");
    }
}

#[test]
fn definitions_used_by_states_and_html_elements_are_copied() {
    let css = "h1:hover{filter:url(#blur)}";
    for framework in [Framework::Html, Framework::Tailwind, Framework::Jsx] {
        let result = code(css, GRADIENT, "", framework);
        let written = result["code"].as_str().unwrap();
        assert!(written.contains("id=\"blur\"") && written.contains("feGaussianBlur"), "{written}");
    }
}

#[test]
fn inner_missing_and_large_definitions_are_not_copied() {
    let inside =
        "<svg><defs><linearGradient id=g></linearGradient></defs><rect fill='url(#g)' stroke='url(#none)' /></svg>";
    let result = code("", "", inside, Framework::Html);
    let written = result["code"].as_str().unwrap();
    assert_eq!((texts(written, "#g").len(), texts(written, "svg[width='0']").len()), (1, 0), "{written}");
    let many = "<circle r=1 />".repeat(500);
    let result = code("", &format!("<mask id=m>{many}</mask>"), "<svg><rect mask='url(#m)' /></svg>", Framework::Html);
    assert_eq!(texts(result["code"].as_str().unwrap(), "circle"), [""; 0], "{result}");
}

/// References are to the first element of an id, also where the section has one with the same id.
#[test]
fn first_definition_of_an_id_counts() {
    let inside = "<svg viewBox='0 0 9 9'><linearGradient id=g><stop offset='.75' /></linearGradient>\
                  <rect fill='url(#g)' width=9 height=9 /></svg>";
    let first = "<linearGradient id=g><stop offset='.25' /></linearGradient>";
    for (definitions, offset, count) in [(first, ".25", 2), ("", ".75", 1)] {
        let result = code("", definitions, inside, Framework::Html);
        let written = result["code"].as_str().unwrap();
        assert_eq!(texts(written, "linearGradient").len(), count, "{written}");
        assert_eq!(attributes(written, "#g > stop", "offset"), [offset], "{written}");
    }
}

/// Chromium resolves no reference to a definition in an element that has no boxes.
#[test]
fn definitions_in_hidden_drawings_are_not_copied() {
    let inside = "<div style='display:none'><svg><linearGradient id=h><stop stop-color=red /></linearGradient></svg></div>\
                  <svg viewBox='0 0 9 9'><rect fill='url(#k)' width=9 height=9 /></svg>";
    for hidden in ["style='display:none'", "display=none"] {
        let html = format!(
            "<!doctype html><html><body><svg {hidden}><linearGradient id=k><stop stop-color=red /></linearGradient></svg>\
             <section class=h><h1>Words on a page</h1><p>More of them, so that there is something to read.</p>{inside}\
             </section></body></html>"
        );
        let result = ask_for(&page_of(html, ""), Some(".h"), Theme::Light, Framework::Html).unwrap();
        let written = result["code"].as_str().unwrap();
        assert_eq!(texts(written, "#k, svg[width='0']").len(), 0, "{hidden}: {written}");
    }
}

#[test]
fn attributes_without_effect_are_dropped() {
    let body = "<h1>Ship it</h1><img src=a.png alt='' width='' height=9>\
                <svg version=1.1 x=0px y=0px viewBox='0 0 9 9' enable-background='new'><rect x=1 y=0 width=9 height=9 /></svg>";
    let result = super::component(body, "");
    let code = result["code"].as_str().unwrap();
    for absent in ["width=\"\"", "version", "enable-background", "x=\"0px\""] {
        assert!(!code.contains(absent), "{absent}: {code}");
    }
    for present in ["height=\"9\"", "viewBox", "y=\"0\""] {
        assert!(code.contains(present), "{present}: {code}");
    }
}

#[test]
fn drawings_without_a_name_are_hidden_from_assistive_technology() {
    for (drawing, expected) in [
        ("<svg><path d='M0 0h1v1z'/></svg>", 1),
        ("<svg><g><svg><path d='M0 0h1v1z'/></svg></g></svg>", 1),
        ("<svg><title>A cat</title><path d='M0 0h1v1z'/></svg>", 0),
        ("<svg><g><text>A cat</text></g></svg>", 0),
        ("<svg aria-label=Cat><path d='M0 0h1v1z'/></svg>", 0),
        ("<svg role=img><path d='M0 0h1v1z'/></svg>", 0),
        ("<svg><a href=/cat><path d='M0 0h1v1z'/></a></svg>", 0),
        ("<svg aria-hidden=true><path d='M0 0h1v1z'/></svg>", 1),
    ] {
        let result = code("", "", drawing, Framework::Html);
        let written = result["code"].as_str().unwrap();
        let hidden = texts(written, "svg[aria-hidden=true]").len();
        assert_eq!((hidden, written.matches("aria-hidden").count()), (expected, expected), "{drawing}: {written}");
    }
}
