//! Tests copies that a server renders for breakpoints.

use super::{ask_of, page_of, texts};
use limner_types::Theme;

const CSS: &str = "h1{font-size:50px} .ssr-variant{display:contents} \
    @media (min-width:1200px){.not-wide{display:none!important}} \
    @media (min-width:810px) and (max-width:1199px){.not-middle{display:none!important}} \
    @media (max-width:809px){.not-narrow{display:none!important}} \
    .a h1{font-size:72px;color:#f00} .b h1{font-size:56px;color:#f00} .c h1{font-size:40px;color:#00f}";

/// Returns the texts of the headings, and the style sheet, of a section with a copy for each breakpoint.
fn headings(copies: [&str; 3], css: &str) -> (Vec<String>, String) {
    let [wide, middle, narrow] = copies;
    let html = format!(
        "<!doctype html><body><section class=top><div class='ssr-variant not-middle not-narrow a'>{wide}</div>\
         <!--x--><div class='ssr-variant not-wide not-narrow b'>{middle}</div>\
         <div class='ssr-variant not-wide not-middle c'>{narrow}</div><p>Every day at nine, with a crew of three.</p></section>"
    );
    let result = ask_of(&page_of(html, css), Some(".top"), Theme::Light).unwrap();
    (texts(result["code"].as_str().unwrap(), "h1, h2"), result["css"].as_str().unwrap().to_owned())
}

#[test]
fn copies_for_breakpoints_are_one_element() {
    let (found, css) = headings(["<h1>Trips</h1>", " <h1 id=x>Trips</h1>", "<h1 class=y>Trips</h1>"], CSS);
    assert_eq!(found, ["Trips"]);
    assert!(!css.contains("display: none"), "{css}");
    for value in ["font-size: 72px", "font-size: 56px", "font-size: 40px", "color: #00f", "color: #f00"] {
        assert!(css.contains(value), "{value} in {css}");
    }
}

#[test]
fn copies_that_differ_or_are_shown_at_once_stay_apart() {
    let (found, css) = headings(["<h1>Trips</h1>", "<h1>Trips</h1>", "<h1>Tours</h1>"], CSS);
    assert_eq!(found, ["Trips", "Trips", "Tours"]);
    assert!(css.contains("display: none"), "{css}");
    let (nested, _) = headings(["<h1>Trips</h1><i>a</i>", "<h1>Trips<i>a</i></h1>", "<h1>Trips</h1><i>a</i>"], CSS);
    assert_eq!(nested.len(), 3);
    let (all, _) = headings(["<h1>Trips</h1>"; 3], "h1{font-size:50px}");
    assert_eq!(all.len(), 3);
}
