//! Finds the variables that a value comes from.

use super::{NameId, ResolvedValue, SubstitutionStep};
use std::rc::Rc;

/// Returns the variables that each value comes from.
pub(super) fn variable_origins(
    found: &[ResolvedValue],
    trace: &[(&SubstitutionStep, &str)],
    taken: &[SubstitutionStep],
) -> Vec<Rc<[NameId]>> {
    let names: Vec<Rc<[NameId]>> = found.iter().map(|value| origin_names(value, trace)).collect();
    if names.iter().any(|names| !names.is_empty()) {
        return names;
    }
    // A computed value does not contain the texts of its variables any more. Empty ones contribute nothing.
    let all: Rc<[NameId]> = taken.iter().filter(|taken| !taken.is_empty()).map(|taken| taken.id).collect();
    vec![all; found.len()]
}

/// Returns the variables that one value comes from: those whose text contains the value, or is a part of it.
fn origin_names(value: &ResolvedValue, trace: &[(&SubstitutionStep, &str)]) -> Rc<[NameId]> {
    let related = |text: &str| {
        *text == *value.original || contains_token(text, &value.original) || contains_token(&value.original, text)
    };
    trace.iter().filter(|(_, text)| related(text.trim())).map(|(taken, _)| taken.id).collect()
}

/// Returns true if a text contains another that is not part of a word: `11px` does not contain `1px`.
fn contains_token(text: &str, part: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '#' | '-' | '%' | '_');
    !part.is_empty()
        && part.len() <= text.len()
        && text.match_indices(part).any(|(at, found)| {
            let (before, after) = (&text[..at], &text[at + found.len()..]);
            !before.ends_with(goes_on) && !after.starts_with(goes_on)
        })
}
