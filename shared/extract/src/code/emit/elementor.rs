//! `elementor`: a template file that Elementor imports, with the component as one styled HTML block.

use super::html;
use crate::code::model::{Component, Emitted};
use limner_types::naming::{STAND_IN, title};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// The version of the template format, unchanged since sections became containers.
const VERSION: &str = "0.4";

/// Writes a component.
pub(super) fn emit(component: &Component) -> Emitted {
    let html = block(component);
    let template = json!({
        "content": [container(&html, &nameless(component, &html))],
        "page_settings": [],
        "version": VERSION,
        "title": title(&component.name),
        "type": "section",
    });
    let code = serde_json::to_string_pretty(&template).unwrap_or_default();
    Emitted { code, ..Emitted::default() }
}

/// The one HTML block.
fn block(component: &Component) -> String {
    let (markup, css) = html::markup_and_sheet(component);
    format!("<style>\n{}</style>\n\n{}", without_shortcodes_in_css(&css), without_shortcodes(&markup))
}

/// The block as it is whatever the component is called: a kept result takes another name when it is served, and what was
/// made from the former one would stay.
fn nameless<'h>(component: &Component, html: &'h str) -> Cow<'h, str> {
    if component.name == STAND_IN {
        return Cow::Borrowed(html);
    }
    Cow::Owned(block(&Component { name: STAND_IN.to_owned(), ..component.clone() }))
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
    let digest = Sha256::new().chain_update(kind).chain_update(content).finalize();
    digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect::<String>()[..7].to_owned()
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
            ("a { content: '\\'[x]'; b: [y]; }", "a { content: '\\'\\5b x]'; b: [ y]; }"),
        ];
        for (css, expected) in cases {
            assert_eq!(without_shortcodes_in_css(css), expected);
        }
    }
}
