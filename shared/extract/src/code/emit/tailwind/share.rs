//! Long lists of elements that look the same: what contains them says it once (`[&_a]:underline`), instead of each of
//! them.

use super::Styles;
use crate::code::emit::crowds::{Crowd, Looks, Word, crowds};
use crate::code::model::Component;
use std::collections::HashMap;

/// Bytes of classes that have to be saved.
const MIN_SAVED: usize = 400;

/// Moves the classes that all elements of a kind have in a part of a component to the element around them. Whether there
/// are any.
pub(super) fn share(component: &Component, styles: &mut Styles) -> bool {
    let looks = looks(styles);
    let bytes = |words: &[usize]| words.iter().map(|word| looks.words[*word].text.len() + 1).sum::<usize>();
    let crowds = crowds(component, &looks, &|crowd| {
        let prefixes = crowd.common.len() * prefix(crowd).len();
        let saved = (bytes(&crowd.common) * crowd.members.len()).checked_sub(bytes(&crowd.common) + prefixes)?;
        (saved >= MIN_SAVED).then_some(saved)
    });
    for crowd in &crowds {
        styles.take(crowd, &looks);
    }
    for crowd in &crowds {
        styles.give(crowd, &looks);
    }
    !crowds.is_empty()
}

/// The classes of all elements. Markers of whom others follow are none of them: each has its own.
fn looks(styles: &Styles) -> Looks {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut bits: HashMap<&str, u32> = HashMap::new();
    let mut looks = Looks::default();
    for classes in &styles.classes {
        let mut own = Vec::new();
        for class in classes.split(' ') {
            let Some(facet) = styles.utilities.get(class) else { continue };
            let word = *known.entry(class).or_insert_with(|| {
                let mut touches = 0;
                for group in facet.properties.iter().map(|name| group(name)) {
                    // More groups than bits share the last one.
                    let next = u32::try_from(bits.len()).unwrap_or(u32::MAX).min(u128::BITS - 1);
                    touches |= 1 << *bits.entry(group).or_insert(next);
                }
                looks.words.push(Word { text: class.to_owned(), touches });
                looks.words.len() - 1
            });
            own.push(word);
        }
        looks.of.push(own);
    }
    looks
}

/// Properties that may be about the same have the same first word, or stand here together.
fn group(property: &str) -> &str {
    match property.split('-').find(|word| !word.is_empty()).unwrap_or(property) {
        "top" | "right" | "bottom" | "left" | "inset" => "inset",
        "line" | "font" => "font",
        "gap" | "row" | "column" | "columns" | "grid" | "place" | "align" | "justify" | "flex" => "flow",
        "translate" | "scale" | "rotate" | "transform" => "transform",
        first => first,
    }
}

fn prefix(crowd: &Crowd<'_>) -> String {
    format!("[&{}]:", crowd.selector("").replacen(' ', "_", 1))
}

impl Styles {
    /// Takes what the members of a crowd have in common from them.
    fn take(&mut self, crowd: &Crowd<'_>, looks: &Looks) {
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

    /// Gives it to what is around them.
    fn give(&mut self, crowd: &Crowd<'_>, looks: &Looks) {
        let prefix = prefix(crowd);
        let around = &mut self.classes[crowd.around.0];
        for class in looks.texts(&crowd.common) {
            if !around.is_empty() {
                around.push(' ');
            }
            around.push_str(&prefix);
            around.push_str(class);
        }
    }
}
