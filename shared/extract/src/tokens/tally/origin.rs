//! Which variables a value comes from.

use super::{Found, NameId, Taken};
use std::rc::Rc;

/// The variables that each value comes from.
pub(super) fn variables_of(found: &[Found], trace: &[(&Taken, &str)], taken: &[Taken]) -> Vec<Rc<[NameId]>> {
    let names: Vec<Rc<[NameId]>> = found.iter().map(|value| names_of(value, trace)).collect();
    if names.iter().any(|names| !names.is_empty()) {
        return names;
    }
    // What was computed from variables does not show them any more.
    let all: Rc<[NameId]> = taken.iter().map(|taken| taken.id).collect();
    vec![all; found.len()]
}

/// The variables that one value comes from: those whose text holds the value, or is a part of it.
fn names_of(value: &Found, trace: &[(&Taken, &str)]) -> Rc<[NameId]> {
    let related = |text: &str| *text == *value.original || holds(text, &value.original) || holds(&value.original, text);
    trace.iter().filter(|(_, text)| related(text.trim())).map(|(taken, _)| taken.id).collect()
}

/// Whether a text has another in it that is not a piece of a word: `11px` does not hold `1px`.
fn holds(text: &str, part: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '#' | '-' | '%' | '_');
    !part.is_empty()
        && part.len() <= text.len()
        && text.match_indices(part).any(|(at, found)| {
            let (before, after) = (&text[..at], &text[at + found.len()..]);
            !before.ends_with(goes_on) && !after.starts_with(goes_on)
        })
}
