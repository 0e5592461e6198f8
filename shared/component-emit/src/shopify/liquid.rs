//! Writes Liquid: the section's settings are Liquid, but no text of the page is.

use limner_component_model::html_syntax;
use limner_component_model::html_syntax::{Html, attribute_text, escape_text};
use limner_component_model::ir::{Loop, OutputElement, Value};
use limner_component_model::printer::TargetSyntax;

/// The syntax of HTML with fields as Liquid output; Liquid in other texts is escaped.
pub(super) struct Liquid;

impl TargetSyntax for Liquid {
    fn start(&self, tag: &OutputElement, self_closing: bool) -> String {
        html_syntax::start(tag, self_closing, |name, value| match value {
            Value::Fixed(value) => Some(without_liquid(&attribute_text(name, value))),
            Value::Field(liquid) => Some(liquid.clone()),
            Value::FixedAndField(..) | Value::Conditional(_) => None,
        })
    }

    fn is_self_closing(&self, tag: &OutputElement) -> bool {
        Html.is_self_closing(tag)
    }

    fn text(&self, text: &str) -> String {
        without_liquid(&escape_text(text))
    }

    fn verbatim(&self, text: &str) -> String {
        self.text(text)
    }

    fn field(&self, expression: &str) -> String {
        expression.to_owned()
    }

    fn slot(&self, _expression: &str) -> String {
        String::new()
    }

    fn loop_wrapper(&self, each: &Loop) -> Option<(String, String)> {
        let space = if each.is_space_separated { "{% unless forloop.first %} {% endunless %}" } else { "" };
        Some((format!("{{% for block in {} %}}{space}", each.list), "{% endfor %}".to_owned()))
    }

    fn condition_wrapper(&self, expression: &str) -> Option<(String, String)> {
        Some((format!("{{% if {expression} %}}"), "{% endif %}".to_owned()))
    }
}

pub(super) fn without_liquid(markup: &str) -> String {
    markup.replace('{', "&#123;")
}

/// Escapes Liquid in a stylesheet. There, `{{` and `{%` occur only in strings and URLs.
pub(super) fn without_liquid_in_css(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut chars = css.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek().copied()) {
            ('\\', Some('{')) => {
                chars.next();
                out.push_str("\\7b ");
            }
            ('\\', Some(escaped)) => {
                chars.next();
                out.extend([c, escaped]);
            }
            ('{', Some('{' | '%')) => out.push_str("\\7b "),
            // The second of two braces.
            ('{', _) if out.ends_with("\\7b ") => out.push_str("\\7b "),
            _ => out.push(c),
        }
    }
    out
}

pub(super) fn without_liquid_in_json(json: &str) -> String {
    json.replace("{{", "\\u007b\\u007b").replace("{%", "\\u007b%")
}
