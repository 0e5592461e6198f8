//! Renames keyframes whose name needs escaping, because Tailwind's classes cannot contain it.
//!
//! Before → after: `animation-name: in\:left` → `animation-name: animation-in-left`.
//!
//! Changes the keyframes and the rules that name them. It stands after `declare-keyframe-variables`, the last pass that
//! looks animations up by the page's names.

use crate::capture::at_rules::identifiers;
use crate::capture::passes::{Draft, PassContext};
use limner_component_model::model::Component;
use limner_page::dom::escape_identifier;
use std::collections::{BTreeMap, BTreeSet};

/// Renames keyframes whose name needs escaping, because Tailwind's classes cannot contain it.
pub(crate) fn rename_keyframes(_: &PassContext<'_, '_>, draft: &mut Draft) {
    let Component { keyframes, elements, .. } = &mut draft.component;
    let mut names: BTreeSet<String> = keyframes.iter().map(|own| own.name.clone()).collect();
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    for own in keyframes.iter_mut().filter(|own| own.name.contains('\\')) {
        let name = plain_name(&own.name, &names, renamed.len());
        names.insert(name.clone());
        renamed.insert(std::mem::replace(&mut own.name, name.clone()), name);
    }
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

/// Returns a name that needs no escaping. `count` is the number of keyframes renamed so far.
fn plain_name(escaped: &str, taken: &BTreeSet<String>, count: usize) -> String {
    let plain: String =
        identifiers(escaped).concat().chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let name = format!("animation-{}", plain.trim_matches('-'));
    let numbered = (count + 1..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(name)
}
