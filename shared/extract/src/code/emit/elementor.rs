//! `elementor`: a template file that Elementor imports, with the component as one styled HTML block.

use super::classes::Classes;
use super::tree::Tag;
use super::{html, markup, scope, sheet};
use crate::code::model::{Component, Emitted};
use limner_types::naming::{STAND_IN, title};
use serde_json::{Value, json};

/// The version of the template format, unchanged since sections became containers.
const VERSION: &str = "0.4";

/// Writes a component.
pub(super) fn emit(component: &Component) -> Emitted {
    let content = nameless(component);
    let template = json!({
        "content": [container(&block(component, &id("block", &content)), &content)],
        "page_settings": [],
        "version": VERSION,
        "title": title(&component.name),
        "type": "section",
    });
    let code = serde_json::to_string_pretty(&template).unwrap_or_default();
    Emitted { code, ..Emitted::default() }
}

/// The one HTML block: the component in an element that its rules are about. An id is stronger than what kits and Elementor
/// itself say of elements inside of a class.
fn block(component: &Component, id: &str) -> String {
    let component = scope::apart(component);
    let classes = Classes::of(&component);
    let around = format!("#block-{id}");
    let css = without_shortcodes_in_css(&sheet::write_in(&format!("{around} "), &component, &classes));
    let markup = without_shortcodes(&markup::html(&Tag::of(&component, &classes.names)));
    format!("<style>\n{}\n{css}</style>\n\n<div id=\"block-{id}\">\n{markup}</div>\n", scope::reset(&around))
}

/// What ids are made from: the component whatever it is called. A kept result takes another name when it is served, and
/// what was made from the former one would stay.
fn nameless(component: &Component) -> String {
    let (markup, css) = if component.name == STAND_IN {
        html::markup_and_sheet(component)
    } else {
        html::markup_and_sheet(&Component { name: STAND_IN.to_owned(), ..component.clone() })
    };
    css + &markup
}

/// A container as wide as the page and without paddings, so that the component has the room it had. `content` is what ids
/// are made from.
fn container(html: &str, content: &str) -> Value {
    let none = json!({ "unit": "px", "top": "0", "right": "0", "bottom": "0", "left": "0", "isLinked": true });
    json!({
        "id": id("container", content),
        "elType": "container",
        "isInner": false,
        "settings": { "content_width": "full", "padding": none, "flex_gap": { "unit": "px", "size": 0, "column": "0", "row": "0" } },
        "elements": [{
            "id": id("widget", content),
            "elType": "widget",
            "widgetType": "html",
            "isInner": false,
            "settings": { "html": html },
            "elements": [],
        }],
    })
}

/// Seven hexadecimal digits, as Elementor makes them up; the same for the same component.
fn id(kind: &str, content: &str) -> String {
    scope::digest(&format!("{kind}{content}"))
}

/// WordPress runs `[shortcodes]` wherever they stand.
fn without_shortcodes(markup: &str) -> String {
    markup.replace('[', "&#91;")
}

/// In a sheet, brackets stand in strings, around line names of grids and in selectors. A shortcode begins right after one.
fn without_shortcodes_in_css(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let (mut quote, mut escaped) = (None, false);
    for c in css.chars() {
        if quote.is_some() && c == '[' && !escaped {
            out.push_str("\\5b ");
            continue;
        }
        if quote.is_none() && c == '[' && escaped {
            // In a name; the sign that escapes it is there already.
            out.push_str("5b ");
            escaped = false;
            continue;
        }
        // Names of lines follow a space or a comma, attributes of selectors what has them.
        let begins_name = || out.ends_with(" [") || out.ends_with(",[");
        if c.is_ascii_alphabetic() && quote.is_none() && begins_name() {
            out.push(' ');
        }
        quote = match (quote, c) {
            (None, '"' | '\'') if !escaped => Some(c),
            (Some(open), c) if c == open && !escaped => None,
            (quote, _) => quote,
        };
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{without_shortcodes, without_shortcodes_in_css};

    #[test]
    fn no_shortcode_is_left() {
        assert_eq!(without_shortcodes("<a title=\"[gallery]\">[x]"), "<a title=\"&#91;gallery]\">&#91;x]");
        let cases = [
            ("a { content: \"[gallery]\"; }", "a { content: \"\\5b gallery]\"; }"),
            ("a { grid-template-columns: [gallery] 1fr; }", "a { grid-template-columns: [ gallery] 1fr; }"),
            ("a[href]:not([open]) { b: c; }", "a[href]:not([open]) { b: c; }"),
            ("a { counter-reset: \\[gallery\\] 4; }", "a { counter-reset: \\5b gallery\\] 4; }"),
            ("a { content: '\\'[x]'; b: [y]; }", "a { content: '\\'\\5b x]'; b: [ y]; }"),
        ];
        for (css, expected) in cases {
            assert_eq!(without_shortcodes_in_css(css), expected);
        }
    }
}
