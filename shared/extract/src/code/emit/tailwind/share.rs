//! Long lists of elements that look the same: what contains them says it once (`[&_a]:underline`), instead of each of
//! them.

use super::Styles;
use crate::code::model::{Child, Component, ElementId, Namespace};
use std::collections::BTreeMap;

/// Fewer elements say for themselves what they look like.
const MIN_ALIKE: usize = 8;

/// Bytes of classes that have to be saved.
const MIN_SAVED: usize = 400;

/// Moves the classes that all elements of a kind have in a part of a component to the innermost element around them.
pub(super) fn share(component: &Component, styles: &mut Styles) {
    let ends = ends(component);
    let mut by_tag: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, element) in component.elements.iter().enumerate().skip(1) {
        if element.namespace == Namespace::Html {
            by_tag.entry(&element.tag).or_default().push(at);
        }
    }
    for (tag, all) in by_tag {
        // An element, and those of the kind inside of it.
        let mut parts = vec![(0, all.as_slice())];
        while let Some((around, inside)) = parts.pop() {
            if inside.len() < MIN_ALIKE {
                continue;
            }
            let contained = |child: usize| {
                let start = inside.partition_point(|at| *at <= child);
                let end = inside.partition_point(|at| *at < ends[child]);
                &inside[start..end]
            };
            let children: Vec<(usize, &[usize])> = children(component, around)
                .map(|child| (child, contained(child)))
                .filter(|(_, inside)| !inside.is_empty())
                .collect();
            let is_further_in = matches!(children.as_slice(), [(_, all)] if all.len() == inside.len());
            if is_further_in || !styles.move_out(around, tag, inside) {
                parts.extend(children);
            }
        }
    }
}

fn children(component: &Component, at: usize) -> impl Iterator<Item = usize> {
    component.elements[at].children.iter().filter_map(|child| match child {
        Child::Element(ElementId(at)) => Some(*at),
        Child::Text(_) => None,
    })
}

/// By element: the first one that is not inside of it.
fn ends(component: &Component) -> Vec<usize> {
    let mut ends: Vec<usize> = (1..=component.elements.len()).collect();
    for at in (0..ends.len()).rev() {
        let last = children(component, at).map(|child| ends[child]).max();
        ends[at] = last.unwrap_or(ends[at]);
    }
    ends
}

impl Styles {
    /// Moves the classes of elements to one around them, if they have the same and it is worth it.
    fn move_out(&mut self, around: usize, tag: &str, inside: &[usize]) -> bool {
        let [first, rest @ ..] = inside else { return false };
        let own = self.classes[*first].clone();
        // Whom others follow is told by its marker.
        let is_marker = |class: &str| ["group", "peer"].iter().any(|marker| class.split('/').next() == Some(*marker));
        if own.is_empty() || own.split(' ').any(is_marker) || rest.iter().any(|at| self.classes[*at] != own) {
            return false;
        }
        let moved: Vec<String> = own.split(' ').map(|class| format!("[&_{tag}]:{class}")).collect();
        let moved = moved.join(" ");
        if (own.len() * inside.len()).saturating_sub(moved.len()) < MIN_SAVED {
            return false;
        }
        let counts = self.counts[*first];
        for at in inside {
            self.classes[*at].clear();
            self.counts[*at] = (0, 0);
        }
        let classes = &mut self.classes[around];
        if !classes.is_empty() {
            classes.push(' ');
        }
        classes.push_str(&moved);
        self.counts[around].0 += counts.0;
        self.counts[around].1 += counts.1;
        true
    }
}
