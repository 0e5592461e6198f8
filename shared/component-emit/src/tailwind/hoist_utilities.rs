//! Hoists utilities of many equal elements to a common ancestor, which declares them once
//! (`[&_a]:underline`).

use super::Styles;
use limner_component_model::model::Component;
use limner_component_model::shared_selectors::{ElementGroup, StyleAssignments, StyleAtom, crowds};
use std::collections::HashMap;

/// Minimum number of bytes of classes to be saved.
const MIN_SAVED: usize = 400;

/// Moves the classes that all elements of a group have in common to the ancestor that contains
/// them. Returns true if any moved.
pub(super) fn share(component: &Component, styles: &mut Styles) -> bool {
    let looks = style_assignments(styles);
    let bytes = |words: &[usize]| words.iter().map(|word| looks.atoms[*word].text.len() + 1).sum::<usize>();
    let crowds = crowds(component, &looks, &|crowd| {
        let prefixes = crowd.common.len() * prefix(crowd).len();
        let saved = (bytes(&crowd.common) * crowd.members.len()).checked_sub(bytes(&crowd.common) + prefixes)?;
        (saved >= MIN_SAVED).then_some(saved)
    });
    for crowd in &crowds {
        styles.remove_common(crowd, &looks);
    }
    for crowd in &crowds {
        styles.give(crowd, &looks);
    }
    !crowds.is_empty()
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

fn prefix(crowd: &ElementGroup<'_>) -> String {
    format!("[&{}]:", crowd.selector("").replacen(' ', "_", 1))
}

impl Styles {
    /// Removes the common classes of a group from its members.
    fn remove_common(&mut self, crowd: &ElementGroup<'_>, looks: &StyleAssignments) {
        let common = looks.texts(&crowd.common);
        for at in &crowd.members {
            let left: Vec<&str> = self.classes[*at].split(' ').filter(|class| !common.contains(class)).collect();
            self.classes[*at] = left.join(" ");
        }
        let fewer = crowd.members.len() - 1;
        for facet in common.iter().filter_map(|class| self.utilities.get(*class)) {
            *(if facet.is_named { &mut self.counts.0 } else { &mut self.counts.1 }) -= fewer;
        }
    }

    /// Adds the common classes of a group, with a variant, to the ancestor that contains them.
    fn give(&mut self, crowd: &ElementGroup<'_>, looks: &StyleAssignments) {
        let prefix = prefix(crowd);
        let around = &mut self.classes[crowd.ancestor.0];
        for class in looks.texts(&crowd.common) {
            if !around.is_empty() {
                around.push(' ');
            }
            around.push_str(&prefix);
            around.push_str(class);
        }
    }
}
