//! Feature queries (Conditional 3 to 5), answered as Chromium does.

use super::expression::{ConditionExpression, parse};
use crate::property;
use crate::selector::{Namespaces, SelectorParser};
use crate::value::component::{Component, serialize};
use crate::value::parse_components;
use cssparser::Parser;
use limner_page::dom::QuirksMode;
use selectors::parser::{ParseRelative, SelectorList};

/// Returns true if a condition holds on a page in this mode; an invalid condition does not.
pub(crate) fn supports(text: &str, mode: QuirksMode) -> bool {
    let Some(words) = parse_components(text) else { return false };
    let expression = parse(&words, true, &|component| leaf(component, mode));
    expression.and_then(|expression| expression.evaluate(&|answer: &bool| Some(*answer))).unwrap_or(false)
}

fn leaf(component: &Component, mode: QuirksMode) -> Option<ConditionExpression<bool>> {
    match component {
        Component::Block('(', words) => {
            if let [Component::Ident(name), Component::Delim(':'), value @ ..] = words.as_slice() {
                return Some(ConditionExpression::Feature(declaration(name, value, mode)));
            }
            Some(parse(words, true, &|inner| leaf(inner, mode)).unwrap_or(ConditionExpression::Feature(false)))
        }
        Component::Function { name, arguments } => Some(ConditionExpression::Feature(function(name, arguments))),
        _ => None,
    }
}

/// Returns true if a declaration is valid.
fn declaration(name: &str, value: &[Component], mode: QuirksMode) -> bool {
    if name.starts_with("--") {
        return true;
    }
    let value = match value {
        [value @ .., Component::Delim('!'), important] if important.is_ident("important") => value,
        value => value,
    };
    property::is_valid(&name.to_ascii_lowercase(), &serialize(value), mode)
}

fn function(name: &str, arguments: &[Component]) -> bool {
    match name {
        "selector" => selector(&serialize(arguments)),
        "font-tech" => matches!(
            arguments,
            [Component::Ident(tech)] if matches!(
                &*tech.to_ascii_lowercase(),
                "features-opentype" | "features-aat" | "color-colrv0" | "color-colrv1" | "color-sbix" | "color-cbdt"
                    | "variations" | "palettes"
            )
        ),
        "font-format" => matches!(
            arguments,
            [Component::Ident(format)] if matches!(
                &*format.to_ascii_lowercase(),
                "opentype" | "truetype" | "woff" | "woff2" | "collection"
            )
        ),
        "at-rule" => true,
        _ => false,
    }
}

/// Returns true if a selector is valid. Serialized component values have spaces between all of them, which matters in
/// selectors: `a:hover` became `a : hover`. Spaces around delimiters that can't be combinators are removed again.
fn selector(text: &str) -> bool {
    let text = text.replace(" : ", ":").replace(": ", ":").replace(" :", ":").replace(". ", ".").replace(" (", "(");
    let namespaces = Namespaces::default();
    let mut parser = Parser::new(&text);
    let parsed = parser
        .parse_entirely(|input| SelectorList::parse(&SelectorParser::strict(&namespaces), input, ParseRelative::No));
    parsed.is_ok()
}
