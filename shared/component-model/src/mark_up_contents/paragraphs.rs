//! Marks up sentences as paragraphs, and empty headings and paragraphs as the boxes that they are: under preflight a `p` and a
//! heading look like a `div`.
//!
//! Before → after: `<div class="mt-4">We plan, build and repair gardens.</div>` → `<p class="mt-4">…</p>`.

use crate::model::{Baseline, Child, Component, Element, ElementId, Namespace};
use std::collections::{HashMap, HashSet, hash_map::DefaultHasher};
use std::hash::{Hash, Hasher};

/// Minimum number of words of a sentence.
const MIN_WORDS: usize = 4;
/// Elements that a paragraph may be in.
#[rustfmt::skip]
const AROUND: &[&str] =
    &["article", "aside", "blockquote", "dd", "div", "figcaption", "figure", "footer", "form", "header", "li", "main", "nav", "section", "td"];

/// Marks up the sentences of a component.
pub(super) fn mark_paragraphs(component: &mut Component) {
    if component.baseline != Baseline::Preflight {
        return;
    }
    const TEXTS: &[&str] = &["h1", "h2", "h3", "h4", "h5", "h6", "p"];
    let is_text = |element: &&mut Element| TEXTS.contains(&element.tag.as_str());
    for element in component.elements.iter_mut().filter(is_text) {
        let is_named = element.attributes.iter().any(|own| own.name != "id");
        if element.children.is_empty() && !is_named && element.rules.iter().all(|rule| rule.pseudo.is_none()) {
            "div".clone_into(&mut element.tag);
        }
    }
    let found = sentences(component);
    for at in found {
        "p".clone_into(&mut component.elements[at].tag);
    }
}

/// Returns the boxes that contain sentences. Boxes that look alike are alike: all of them, or none.
fn sentences(component: &Component) -> Vec<usize> {
    let mut is_text = vec![false; component.elements.len()];
    let (mut words, mut found) = (vec![0; component.elements.len()], Vec::new());
    let mut kinds: HashMap<u64, bool> = HashMap::new();
    let mut repeated: HashSet<u64> = HashSet::new();
    for (at, element) in component.elements.iter().enumerate().rev() {
        let children = || element.children.iter();
        words[at] = children()
            .map(|child| match child {
                Child::Text(text) => text.split_whitespace().count(),
                Child::Element(child) => words[child.0],
            })
            .sum::<usize>();
        is_text[at] = children().all(|child| match child {
            Child::Text(_) => true,
            Child::Element(ElementId(child)) => is_text[*child] && component.elements[*child].may_be_in_paragraph(),
        });
        let mut seen: HashSet<u64> = HashSet::new();
        for child in children().filter_map(|child| match child {
            Child::Element(child) => Some(&component.elements[child.0]),
            Child::Text(_) => None,
        }) {
            if !seen.insert(kind(child)) {
                repeated.insert(kind(child));
            }
            if child.tag == "div" && !AROUND.contains(&element.tag.as_str()) {
                repeated.insert(kind(child));
            }
        }
        if element.tag != "div" || at == 0 {
            continue;
        }
        let says = children().any(|child| matches!(child, Child::Text(text) if !text.trim().is_empty()));
        // What has a role or the focus is no paragraph.
        let is_known = |name: &str| matches!(name, "dir" | "id" | "lang");
        let is_plain = element.namespace == Namespace::Html && element.attributes.iter().all(|own| is_known(&own.name));
        let may_be = is_plain && says && is_text[at];
        let is_sentence = kinds.entry(kind(element)).or_insert(false);
        *is_sentence |= may_be && words[at] >= MIN_WORDS;
        if may_be {
            found.push(at);
        } else {
            repeated.insert(kind(element));
        }
    }
    let is_one = |at: &usize| {
        let kind = kind(&component.elements[*at]);
        kinds.get(&kind) == Some(&true) && !repeated.contains(&kind)
    };
    found.into_iter().filter(is_one).collect()
}

/// Returns a number that elements of one kind share: of their name and rules.
fn kind(element: &Element) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&element.tag, &element.semantic_name, &element.rules).hash(&mut hasher);
    hasher.finish()
}
