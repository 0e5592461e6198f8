//! Finds parts that are hidden under all conditions and say nothing.
//!
//! Before → after: `<button>Send<span class="hidden"><svg>…</svg></span></button>` → `<button>Send</button>`.

use super::declared;
use limner_component_model::model::{Child, Component, Element, ElementId};

/// Elements that a script could show with something in them.
const CONTENTS: &[&str] =
    &["audio", "canvas", "form", "iframe", "img", "input", "object", "select", "textarea", "video"];

/// Returns, by element, true if it has no box in any environment and state, and neither words, pictures nor fields in it: the
/// spinner of a button.
pub(super) fn never_shown(component: &Component, is_referenced: &[bool]) -> Vec<bool> {
    let count = component.elements.len();
    let (mut says, mut found) = (vec![false; count], vec![false; count]);
    for at in (0..count).rev() {
        let element = &component.elements[at];
        let is_content = |child: &Child| match child {
            Child::Text(text) => !text.trim().is_empty(),
            Child::Element(ElementId(child)) => says[*child],
        };
        let is_setting = element.tag == "textarea" && is_data(element);
        says[at] = (!is_setting && element.children.iter().any(is_content))
            || has_generated_words(element)
            || (!is_setting && CONTENTS.contains(&element.tag.as_str()))
            || element.attribute("id").is_some()
            || is_referenced[at];
        found[at] = at > 0 && !says[at] && is_hidden(element);
    }
    found
}

pub(super) fn is_hidden(element: &Element) -> bool {
    let mut base = element.rules.iter().filter(|rule| rule.condition.is_empty() && rule.state.is_none());
    base.any(|rule| rule.pseudo.is_none() && rule.declarations.iter().any(|own| own.name == "display"))
        && declared(element, "display").all(|value| value == "none")
}

/// Returns true for a field that holds data for a script instead of words.
fn is_data(element: &Element) -> bool {
    let starts = |child: &Child| matches!(child, Child::Text(text) if text.trim_start().starts_with(['{', '[']));
    element.children.first().is_some_and(starts)
}

fn has_generated_words(element: &Element) -> bool {
    let mut declared = element.rules.iter().filter(|rule| rule.pseudo.is_some()).flat_map(|rule| &rule.declarations);
    declared.any(|own| own.name == "content" && has_letters(&own.value))
}

/// Returns true for a `content` with letters or digits, as opposed to the glyphs of icon fonts.
fn has_letters(content: &str) -> bool {
    let mut parts = content.split('\\');
    let first = parts.next().unwrap_or_default();
    let escaped = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    std::iter::once(first).chain(escaped).any(|part| part.chars().any(char::is_alphanumeric))
}
