//! Renames keyframes whose name needs escaping, because Tailwind's classes cannot contain it, and those that a tool numbered:
//! they are without the number, and equal ones are one.
//!
//! Before → after: `animation-name: in\:left` → `animation-name: animation-in-left`; `fade-4700aee9-8b1a` and `fade-deb0e39e-4163`
//! with the same frames → `fade`.
//!
//! Changes the keyframes and the rules that name them. It stands after `declare-keyframe-variables`, the last pass that
//! looks animations up by the page's names.

use crate::capture::at_rules::identifiers;
use crate::capture::passes::{Draft, PassContext};
use limner_component_model::model::{Component, Keyframes};
use limner_page::dom::escape_identifier;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Renames keyframes whose name needs escaping or is generated.
pub(crate) fn rename_keyframes(_: &PassContext<'_, '_>, draft: &mut Draft) {
    let Component { keyframes, elements, .. } = &mut draft.component;
    let mut names: BTreeSet<String> = keyframes.iter().map(|own| own.name.clone()).collect();
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    for own in keyframes.iter_mut().filter(|own| own.name.contains('\\')) {
        let name = plain_name(&own.name, &names, renamed.len());
        names.insert(name.clone());
        renamed.insert(std::mem::replace(&mut own.name, name.clone()), name);
    }
    merge_generated(keyframes, &mut names, &mut renamed);
    if renamed.is_empty() {
        return;
    }
    let rules = elements.iter_mut().flat_map(|element| &mut element.rules);
    for own in rules.flat_map(|rule| &mut rule.declarations).filter(|own| own.name == "animation-name") {
        let all = identifiers(&own.value).into_iter().map(|word| {
            let written = escape_identifier(&word);
            renamed.get(&written).cloned().unwrap_or(written)
        });
        own.value = all.collect::<Vec<_>>().join(", ");
    }
}

/// The frames of an animation under a name without what a tool added to it.
type NamedFrames = (String, Vec<(String, Vec<(String, String)>)>);

/// Gives keyframes with generated names the words in them, and leaves one of equal ones.
fn merge_generated(
    keyframes: &mut Vec<Keyframes>,
    names: &mut BTreeSet<String>,
    renamed: &mut BTreeMap<String, String>,
) {
    let mut known: HashMap<NamedFrames, String> = HashMap::new();
    keyframes.retain_mut(|own| {
        let Some(words) = without_generated_parts(&own.name) else { return true };
        if let Some(name) = known.get(&(words.clone(), own.frames.clone())) {
            renamed.insert(own.name.clone(), name.clone());
            return false;
        }
        let numbered = (known.len() + 2..).map(|number| format!("{words}-{number}"));
        let is_free = |name: &String| !names.contains(name);
        let Some(name) = std::iter::once(words.clone()).chain(numbered).find(is_free) else { return true };
        names.insert(name.clone());
        known.insert((words, own.frames.clone()), name.clone());
        renamed.insert(std::mem::replace(&mut own.name, name.clone()), name);
        true
    });
}

/// Returns the words of a name with the parts of a UUID or of another long number; `None` if it has none, or no words.
fn without_generated_parts(name: &str) -> Option<String> {
    let is_hex = |part: &&str| {
        matches!(part.len(), 4 | 8 | 12 | 16 | 32)
            && part.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'a'..=b'f'))
    };
    let has_digit = |part: &str| part.bytes().any(|c| c.is_ascii_digit());
    let is_long = |part: &&str| is_hex(part) && part.len() >= 8 && has_digit(part);
    let parts: Vec<&str> = name.split(['-', '_']).collect();
    let start = parts.iter().position(is_long)?;
    let end = start + parts[start..].iter().take_while(|part| is_hex(part)).count();
    let words: Vec<String> = parts[..start]
        .iter()
        .chain(&parts[end..])
        .filter(|part| !part.is_empty())
        .map(|part| part.to_ascii_lowercase())
        .collect();
    let name = words.join("-");
    (name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() > 2 && !name.contains('\\')).then_some(name)
}

/// Returns a name that needs no escaping. `count` is the number of keyframes renamed so far.
fn plain_name(escaped: &str, taken: &BTreeSet<String>, count: usize) -> String {
    let plain: String =
        identifiers(escaped).concat().chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let name = format!("animation-{}", plain.trim_matches('-'));
    let numbered = (count + 1..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(name)
}

#[cfg(test)]
mod tests;
