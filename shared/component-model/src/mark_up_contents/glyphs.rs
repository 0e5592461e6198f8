//! Hides the glyphs of icon fonts from assistive technology: their code points have no meaning.
//!
//! Before → after: `<i class="fa fa-star"></i>` → `<i class="fa fa-star" aria-hidden="true"></i>`.

use crate::model::{Attribute, Child, Component, Element, Namespace};

/// Attributes with which an author has decided what assistive technology gets of an element.
const DECIDED: [&str; 6] = ["aria-describedby", "aria-hidden", "aria-label", "aria-labelledby", "role", "tabindex"];

/// Hides the glyphs of a component.
pub(super) fn hide_glyphs(component: &mut Component) {
    for element in component.elements.iter_mut().skip(1).filter(|element| is_glyph(element)) {
        element.attributes.push(Attribute { name: "aria-hidden".to_owned(), value: "true".to_owned() });
    }
}

/// Returns true for an element that only shows a glyph: an `i` without contents but a generated box, or code points for private
/// use.
fn is_glyph(element: &Element) -> bool {
    let is_private =
        |c: char| matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}');
    let mut has_code_point = false;
    let is_only = element.children.iter().all(|child| match child {
        Child::Element(_) => false,
        Child::Text(text) => {
            has_code_point |= text.contains(is_private);
            text.chars().all(|c| c.is_whitespace() || is_private(c))
        }
    });
    let has_box = || element.rules.iter().any(|rule| rule.pseudo.is_some());
    element.namespace == Namespace::Html
        && is_only
        && matches!(element.tag.as_str(), "b" | "em" | "i" | "small" | "span")
        && (has_code_point || element.tag == "i" && has_box())
        && !element.attributes.iter().any(|own| DECIDED.contains(&own.name.as_str()))
}
