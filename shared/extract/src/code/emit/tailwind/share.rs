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
    let tree = Tree::of(component);
    let mut by_tag: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, element) in component.elements.iter().enumerate().skip(1) {
        if is_plain(&element.tag) {
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
            let children = tree.split(around, inside);
            let is_further_in = matches!(children.as_slice(), [(_, all)] if all.len() == inside.len());
            let are_html = || inside.iter().all(|at| component.elements[*at].namespace == Namespace::Html);
            if is_further_in || !are_html() || !styles.move_out(around, tag, inside) {
                parts.extend(children);
            }
        }
    }
}

/// Whether a name is a selector as it stands.
fn is_plain(tag: &str) -> bool {
    tag.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Where elements are, by their number.
struct Tree {
    children: Vec<Vec<usize>>,
    /// The first element after an element that is not inside of it.
    ends: Vec<usize>,
}

impl Tree {
    fn of(component: &Component) -> Self {
        let elements = |children: &[Child]| {
            let element = |child: &Child| match child {
                Child::Element(ElementId(at)) => Some(*at),
                Child::Text(_) => None,
            };
            children.iter().filter_map(element).collect()
        };
        let children: Vec<Vec<usize>> = component.elements.iter().map(|element| elements(&element.children)).collect();
        let mut ends: Vec<usize> = (1..=children.len()).collect();
        for at in (0..ends.len()).rev() {
            ends[at] = children[at].last().map_or(ends[at], |last| ends[*last]);
        }
        Self { children, ends }
    }

    /// Elements inside of another, in order, by the child that they are inside of; without the children themselves.
    fn split<'i>(&self, around: usize, mut inside: &'i [usize]) -> Vec<(usize, &'i [usize])> {
        let children = &self.children[around];
        let mut parts = Vec::new();
        while let Some(first) = inside.first() {
            let Some(child) = children.partition_point(|child| child <= first).checked_sub(1) else { break };
            let child = children[child];
            let (part, rest) = inside.split_at(inside.partition_point(|at| *at < self.ends[child]));
            if part.is_empty() {
                break;
            }
            parts.push((child, part.strip_prefix(&[child]).unwrap_or(part)));
            inside = rest;
        }
        parts
    }
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
