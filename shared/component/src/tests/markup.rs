//! Tests markup that says what its contents are: headings, paragraphs, buttons, names of links.

use super::{component, component_for};
use limner_types::Framework;

fn tailwind(body: &str, css: &str) -> String {
    component_for(body, css, Framework::Tailwind)["code"].as_str().unwrap().to_owned()
}

/// Returns the names of headings and paragraphs, in document order.
fn outline(body: &str) -> String {
    let code = component(body, "")["code"].as_str().unwrap().to_owned();
    let tags = code.split('<').map(|tag| tag.chars().take_while(char::is_ascii_alphanumeric).collect::<String>());
    tags.filter(|tag| tag == "p" || (tag.len() == 2 && tag.starts_with('h'))).collect::<Vec<_>>().join(" ")
}

#[test]
fn headings_leave_out_no_level() {
    for (body, expected) in [
        ("<h2>A</h2>x<h4>B</h4>x<h4>C</h4>x", "h2 h3 h3"),
        ("<h1>A</h1>x<h3>B</h3>x<h6>C</h6>x", "h1 h2 h3"),
        ("<h4>A</h4>x<h4>B</h4>x", "h4 h4"),
        ("<h3>Line</h3><h2>A</h2>x<h4>B</h4>x", "p h2 h3"),
        ("<div><h3>Line</h3></div><div><h2>A</h2></div>x", "p h2"),
        ("<h3>A</h3>x<h3>Last</h3><h2>B</h2>x", "h3 h3 h2"),
        ("<h1>A</h1>x<div><h1>B</h1>x</div>", "h1 h2"),
        ("<div><h1>A</h1></div>x<div><h1>B</h1></div>x", "h1 h1"),
    ] {
        assert_eq!(outline(body), expected, "{body}");
    }
}

#[test]
fn boxes_with_the_role_of_a_button_are_buttons() {
    let code = tailwind("<h2>A</h2><div class=b role=button tabindex=0><span>Next</span></div>", ".b{display:flex}");
    assert!(code.contains("type=\"button\"") && !code.contains("role=") && !code.contains("tabindex"), "{code}");
    let code = tailwind("<h2>A</h2><div class=b role=button tabindex=0><div>Next</div></div>", ".b{display:flex}");
    assert!(code.contains("role=\"button\""), "a button contains no blocks: {code}");
}

#[test]
fn root_with_a_heading_is_a_section() {
    let code = |html: &str| {
        let page = super::page_of(format!("<body><div id=s>{html}</div>"), "");
        let result = super::ask_for(&page, Some("#s"), limner_types::Theme::Light, Framework::Html).unwrap();
        result["code"].as_str().unwrap().to_owned()
    };
    assert!(code("<h2>A</h2><p>B</p>").starts_with("<section"));
}

#[test]
fn symbols_in_use_are_written_as_what_they_show() {
    let icon =
        "<svg width=24 height=24><symbol id=i viewBox='0 0 24 24'><path d='M0 0h9v9z'/></symbol><use href='#i'/></svg>";
    let code = tailwind(&format!("<h2>A</h2>{icon}"), "");
    assert_eq!(code.matches("<path").count(), 1, "{code}");
    assert_eq!(code.matches("<svg").count(), 1, "{code}");
    assert!(code.contains("viewBox=\"0 0 24 24\"") && !code.contains("symbol"), "{code}");
}
