//! Writes HTML: the output of `tailwind`, and part of the output of `html`, `elementor` and
//! `shopify`.

use super::ir::{Loop, OutputElement, Value};
use super::printer::{TargetSyntax, print};
use crate::model::Namespace;

/// Writes HTML.
pub fn html(root: &OutputElement) -> String {
    print(&Html, root, 0)
}

/// The syntax of HTML.
pub struct Html;

impl TargetSyntax for Html {
    fn start(&self, tag: &OutputElement, self_closing: bool) -> String {
        start(tag, self_closing, |name, value| match value {
            Value::Fixed(value) => Some(attribute_text(name, value)),
            Value::Field(_) | Value::FixedAndField(..) | Value::Conditional(_) => None,
        })
    }

    fn is_self_closing(&self, tag: &OutputElement) -> bool {
        tag.is_void() || tag.namespace != Namespace::Html
    }

    fn text(&self, text: &str) -> String {
        escape_text(text)
    }

    fn verbatim(&self, text: &str) -> String {
        escape_text(text)
    }

    fn field(&self, _expression: &str) -> String {
        String::new()
    }

    fn slot(&self, _expression: &str) -> String {
        String::new()
    }

    fn loop_wrapper(&self, _each: &Loop) -> Option<(String, String)> {
        None
    }

    fn condition_wrapper(&self, _expression: &str) -> Option<(String, String)> {
        None
    }
}

/// Writes a start tag. `text` returns the escaped value of an attribute, or `None` to omit the
/// attribute.
pub fn start(tag: &OutputElement, self_closing: bool, text: impl Fn(&str, &Value) -> Option<String>) -> String {
    let mut out = format!("<{}", tag.name);
    for attribute in &tag.attributes {
        let Some(text) = text(&attribute.name, &attribute.value) else { continue };
        out.push(' ');
        out.push_str(&attribute.name);
        if !text.is_empty() || needs_value(&attribute.name) {
            out.push_str("=\"");
            out.push_str(&text);
            out.push('"');
        }
    }
    out.push_str(if self_closing && tag.namespace != Namespace::Html { " />" } else { ">" });
    if starts_with_line_break(tag) {
        out.push('\n');
    }
    out
}

/// Returns the escaped value of an attribute in double quotes.
pub fn attribute_text(name: &str, value: &str) -> String {
    if name == "class" { escape_class(value) } else { escape_attribute(value) }
}

/// Returns true for attributes whose empty value differs from their mere presence.
pub fn needs_value(name: &str) -> bool {
    matches!(name, "alt" | "value" | "href" | "src" | "d" | "points" | "placeholder" | "content" | "lang")
}

/// Returns true if an element starts with a line break that must be written twice, since the parser
/// drops the first one.
pub fn starts_with_line_break(tag: &OutputElement) -> bool {
    matches!(tag.name.as_str(), "pre" | "textarea" | "listing")
        && matches!(tag.children.first(), Some(super::ir::Node::Text(Value::Fixed(text))) if text.starts_with('\n'))
}

/// Escapes text between tags.
pub fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            c => out.push(c),
        }
    }
    out
}

/// Escapes text in double quotes.
pub fn escape_attribute(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            c => out.push(c),
        }
    }
    out
}

/// Escapes classes in double quotes. Tailwind scans the source, so characters of variants and URLs
/// stay unescaped wherever the parser reads them literally.
pub fn escape_class(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for (at, c) in value.char_indices() {
        match c {
            '"' => out.push_str("&quot;"),
            '&' if starts_reference(&value[at + 1..]) => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

/// Returns true if an ampersand before `rest` would begin a character reference.
fn starts_reference(rest: &str) -> bool {
    let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '#');
    name.len() < rest.len() && name.starts_with(';')
}
