//! Hoists utilities of many equal elements to a common ancestor, which declares them once
//! (`[&_a]:underline`).

use super::Styles;
use limner_component_model::model::Component;
use limner_component_model::shared_selectors::{ElementGroup, StyleAssignments, StyleAtom, find_element_groups};
use std::collections::HashMap;

/// Minimum number of bytes of classes to be saved.
const MIN_SAVED: usize = 400;

/// Moves the classes that all elements of a group have in common to the ancestor that contains
/// them. Returns true if any moved.
pub(super) fn share(component: &Component, styles: &mut Styles) -> bool {
    let looks = style_assignments(styles);
    let bytes = |words: &[usize]| words.iter().map(|word| looks.atoms[*word].text.len() + 1).sum::<usize>();
    let groups = find_element_groups(component, &looks, &|group| {
        let prefixes = group.common.len() * prefix(group).len();
        let saved = (bytes(&group.common) * group.members.len()).checked_sub(bytes(&group.common) + prefixes)?;
        (saved >= MIN_SAVED).then_some(saved)
    });
    for group in &groups {
        styles.remove_common(group, &looks);
    }
    for group in &groups {
        styles.give(group, &looks);
    }
    !groups.is_empty()
}

/// Collects the utilities of all elements. `group` and `peer` markers are left out: each element
/// keeps its own.
fn style_assignments(styles: &Styles) -> StyleAssignments {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut bits: HashMap<&str, u32> = HashMap::new();
    let mut looks = StyleAssignments::default();
    for classes in &styles.classes {
        let mut own = Vec::new();
        for class in classes.split(' ') {
            let Some(facet) = styles.utilities.get(class) else { continue };
            let word = *known.entry(class).or_insert_with(|| {
                let mut touches = 0;
                for group in facet.properties.iter().map(|name| group(name)) {
                    // Once all bits are used, further property groups share the last one.
                    let next = u32::try_from(bits.len()).unwrap_or(u32::MAX).min(u128::BITS - 1);
                    touches |= 1 << *bits.entry(group).or_insert(next);
                }
                looks.atoms.push(StyleAtom { text: class.to_owned(), touches });
                looks.atoms.len() - 1
            });
            own.push(word);
        }
        looks.by_element.push(own);
    }
    looks
}

/// Returns the group of a property. Properties that may affect each other share their first word or
/// are listed here.
fn group(property: &str) -> &str {
    match property.split('-').find(|word| !word.is_empty()).unwrap_or(property) {
        "top" | "right" | "bottom" | "left" | "inset" => "inset",
        "line" | "font" => "font",
        "gap" | "row" | "column" | "columns" | "grid" | "place" | "align" | "justify" | "flex" => "flow",
        "translate" | "scale" | "rotate" | "transform" => "transform",
        first => first,
    }
}

fn prefix(group: &ElementGroup<'_>) -> String {
    format!("[&{}]:", group.selector("").replacen(' ', "_", 1))
}

impl Styles {
    /// Removes the common classes of a group from its members.
    fn remove_common(&mut self, group: &ElementGroup<'_>, looks: &StyleAssignments) {
        let common = looks.texts(&group.common);
        for at in &group.members {
            let left: Vec<&str> = self.classes[*at].split(' ').filter(|class| !common.contains(class)).collect();
            self.classes[*at] = left.join(" ");
        }
        let fewer = group.members.len() - 1;
        for facet in common.iter().filter_map(|class| self.utilities.get(*class)) {
            *(if facet.is_named { &mut self.counts.0 } else { &mut self.counts.1 }) -= fewer;
        }
    }

    /// Adds the common classes of a group, with a variant, to the ancestor that contains them.
    fn give(&mut self, group: &ElementGroup<'_>, looks: &StyleAssignments) {
        let prefix = prefix(group);
        let around = &mut self.classes[group.ancestor.0];
        for class in looks.texts(&group.common) {
            if !around.is_empty() {
                around.push(' ');
            }
            around.push_str(&prefix);
            around.push_str(class);
        }
    }
}
