//! Writes `elementor`: an Elementor template file with the component as one styled HTML block.

use super::theme_isolation;
use limner_component_model::css::class_names::ClassAssignment;
use limner_component_model::css::stylesheet;
use limner_component_model::ir::OutputElement;
use limner_component_model::model::{Component, Emitted};
use limner_component_model::page::EmittedPage;
use limner_component_model::{html, html_syntax};
use limner_types::component_name::{PLACEHOLDER_NAME, title};
use serde_json::{Value, json};

/// The version of the template format, unchanged since containers replaced sections.
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

/// Writes a page: a template with a container for each of its sections.
pub(super) fn emit_page(page: &Component, sections: &[Component]) -> EmittedPage {
    let containers = sections.iter().enumerate().map(|(at, section)| {
        // Equal sections have IDs of their own.
        let content = format!("{at} {}", nameless(section));
        container(&block(section, &id("block", &content)), &content)
    });
    let template = json!({
        "content": containers.collect::<Vec<_>>(),
        "page_settings": [],
        "version": VERSION,
        "title": title(&page.name),
        "type": "page",
    });
    let code = serde_json::to_string_pretty(&template).unwrap_or_default();
    EmittedPage { page: Emitted { code, ..Emitted::default() }, files: Vec::new() }
}

/// Returns the HTML block: the component in an element to which its rules are scoped. The ID
/// selector overrides rules of kits and of Elementor, which are scoped by class.
fn block(component: &Component, id: &str) -> String {
    let component = theme_isolation::isolate(component);
    let classes = ClassAssignment::for_each_element(&component);
    let around = format!("#block-{id}");
    let css = without_shortcodes_in_css(&stylesheet::write_in(&format!("{around} "), &component, &classes));
    let markup = without_shortcodes(&html_syntax::html(&OutputElement::from_component(&component, &classes.names)));
    format!(
        "<style>\n{}\n{css}</style>\n\n<div id=\"block-{id}\">\n{markup}</div>\n",
        theme_isolation::reset_rules(&around)
    )
}

/// Returns the content from which IDs are derived, independent of the component's name: a cached
/// result may be served under another name, and IDs derived from the name would not change with it.
fn nameless(component: &Component) -> String {
    let (markup, css) = if component.name == PLACEHOLDER_NAME {
        html::markup_and_sheet(component)
    } else {
        html::markup_and_sheet(&Component { name: PLACEHOLDER_NAME.to_owned(), ..component.clone() })
    };
    css + &markup
}

/// Returns a full-width container without paddings, so that the component has the same room as on
/// its page. IDs are derived from `content`.
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

/// Returns an ID of seven hexadecimal digits, the format of Elementor; equal components get equal
/// IDs.
fn id(kind: &str, content: &str) -> String {
    theme_isolation::digest(&format!("{kind}{content}"))
}

/// Escapes brackets, since WordPress expands `[shortcodes]` anywhere.
fn without_shortcodes(markup: &str) -> String {
    markup.replace('[', "&#91;")
}

/// Escapes brackets in a stylesheet: they occur in strings, around grid line names and in attribute
/// selectors. A shortcode begins directly after a bracket.
fn without_shortcodes_in_css(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let (mut quote, mut escaped) = (None, false);
    for c in css.chars() {
        if quote.is_some() && c == '[' && !escaped {
            out.push_str("\\5b ");
            continue;
        }
        if quote.is_none() && c == '[' && escaped {
            // In a name; its escaping backslash is already written.
            out.push_str("5b ");
            escaped = false;
            continue;
        }
        // A grid line name follows a space or a comma, an attribute selector follows its element.
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
    fn shortcodes_are_escaped() {
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
