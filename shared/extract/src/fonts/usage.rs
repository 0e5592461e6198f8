//! Which faces the page sets text in, by what its rules declare.
//!
//! A rule counts when an element matches it (pseudo-elements by their element) under a condition that a screen can
//! meet. Its stack is walked as a browser would: a face counts when it has characters of the page's text that no family
//! before it has. Families the page does not define are taken to be missing from the visitor's machine.

use super::sheet::{Collected, Face};
use super::stack::{self, Entry};
use crate::PageView;
use limner_page::{Document, NodeId};
use limner_style::selector::Matcher;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Elements tested against selectors, all rules together.
const MOST_TESTS: usize = 30_000_000;
/// Distinct characters of text looked at.
const MOST_CHARACTERS: usize = 30_000;

/// For each face, whether it is used.
pub(super) fn used_faces(view: &PageView<'_>, collected: &Collected) -> Vec<bool> {
    let mut usage = Usage::new(view, collected);
    usage.rules();
    usage.attributes();
    usage.used
}

struct Usage<'a> {
    view: &'a PageView<'a>,
    collected: &'a Collected,
    by_family: HashMap<String, Vec<usize>>,
    /// Characters set anywhere in the page.
    text: Vec<u32>,
    used: Vec<bool>,
    seen: HashSet<String>,
    tests_left: usize,
    elements: usize,
}

impl<'a> Usage<'a> {
    fn new(view: &'a PageView<'a>, collected: &'a Collected) -> Self {
        let mut by_family: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, face) in collected.faces.iter().enumerate().filter(|(_, face)| face.applies) {
            by_family.entry(face.family.to_lowercase()).or_default().push(index);
        }
        Self {
            view,
            collected,
            by_family,
            text: characters(&view.document, &collected.generated),
            used: vec![false; collected.faces.len()],
            seen: HashSet::new(),
            tests_left: MOST_TESTS,
            elements: view.document.elements().count().max(1),
        }
    }

    fn rules(&mut self) {
        let mut matches: HashMap<&str, bool> = HashMap::new();
        for declaration in &self.collected.declarations {
            // Nothing to find out: each value once per selector that matches, and none that names no face.
            let stacks = stack::stacks(&declaration.value, declaration.is_shorthand, &self.collected.custom);
            if !stacks.iter().any(|stack| self.would_change(stack)) {
                continue;
            }
            let selector = &*declaration.selector;
            let matched = match matches.get(selector) {
                Some(matched) => *matched,
                None => {
                    let matched = self.matches(selector);
                    matches.insert(selector, matched);
                    matched
                }
            };
            if matched {
                stacks.iter().for_each(|stack| self.set(stack));
            }
        }
    }

    /// `style`, `face` and, in SVG, `font-family` attributes.
    fn attributes(&mut self) {
        let document = &self.view.document;
        for (_, element) in document.elements() {
            if let Some(face) = element.attr("face").filter(|_| element.is_html("font")) {
                self.value(face, false);
            }
            if let Some(family) = element.attr("font-family").filter(|_| element.in_svg()) {
                self.value(family, false);
            }
            if let Some(style) = element.attr("style").filter(|style| mentions_font(style)) {
                for declaration in style.split(';') {
                    let Some((name, value)) = declaration.split_once(':') else { continue };
                    let value = value.split('!').next().unwrap_or_default();
                    match name.trim().to_ascii_lowercase().as_str() {
                        "font-family" => self.value(value, false),
                        "font" => self.value(value, true),
                        _ => {}
                    }
                }
            }
        }
    }

    fn value(&mut self, value: &str, is_shorthand: bool) {
        if self.seen.insert(format!("{is_shorthand}{value}")) {
            let stacks = stack::stacks(value, is_shorthand, &self.collected.custom);
            stacks.iter().for_each(|stack| self.set(stack));
        }
    }

    /// Whether the stack names a family with a face that is not known to be used.
    fn would_change(&self, stack: &[Entry]) -> bool {
        stack.iter().any(|entry| match entry {
            Entry::Family(name) => self.by_family.get(name).is_some_and(|faces| faces.iter().any(|f| !self.used[*f])),
            Entry::Generic => false,
        })
    }

    /// Marks the faces that text in this stack is set in.
    fn set(&mut self, stack: &[Entry]) {
        let mut missing: Option<Vec<u32>> = None;
        for entry in stack {
            let Entry::Family(name) = entry else { return };
            let Some(faces) = self.by_family.get(name) else { continue };
            let text = missing.as_deref().unwrap_or(&self.text);
            let mut covered = false;
            for &index in faces {
                let face = &self.collected.faces[index];
                if has_any(face, text) {
                    self.used[index] = true;
                    // A name on the visitor's machine may lead nowhere.
                    covered |= face.unicode_range.is_none() && face.urls().next().is_some();
                }
            }
            if covered {
                return;
            }
            let rest = text.iter().filter(|c| !faces.iter().any(|f| has(&self.collected.faces[*f], **c)));
            missing = Some(rest.copied().collect());
            if missing.as_ref().is_some_and(Vec::is_empty) {
                return;
            }
        }
    }

    fn matches(&mut self, selector: &str) -> bool {
        // Past the budget a rule is taken at its word.
        if self.tests_left < self.elements {
            return true;
        }
        self.tests_left -= self.elements;
        let Ok(matcher) = Matcher::parse(&without_pseudo_elements(selector)) else { return false };
        matcher.select_first(&self.view.document).is_some()
    }
}

fn mentions_font(style: &str) -> bool {
    style.as_bytes().windows(4).any(|window| window.eq_ignore_ascii_case(b"font"))
}

/// Whether the face is there for that character.
fn has(face: &Face, character: u32) -> bool {
    face.unicode_range.as_ref().is_none_or(|ranges| ranges.iter().any(|r| (r.start..=r.end).contains(&character)))
}

/// Whether the face is there for one of these (sorted) characters.
fn has_any(face: &Face, text: &[u32]) -> bool {
    let Some(ranges) = &face.unicode_range else { return !text.is_empty() };
    ranges.iter().any(|range| {
        let first = text.partition_point(|character| *character < range.start);
        text.get(first).is_some_and(|character| *character <= range.end)
    })
}

/// The distinct characters of the page's text, sorted.
fn characters(document: &Document, generated: &BTreeSet<u32>) -> Vec<u32> {
    let mut found = generated.clone();
    let shown = |node: NodeId| {
        let parent = document.parent(node).and_then(|parent| document.element(parent));
        parent.is_some_and(|parent| {
            !matches!(parent.name(), "script" | "style" | "noscript" | "title" | "template" | "iframe" | "noembed")
        })
    };
    for node in document.descendants(document.root()) {
        if found.len() > MOST_CHARACTERS {
            break;
        }
        if let Some(text) = document.text(node).filter(|_| shown(node)) {
            found.extend(text.chars().filter(|c| !c.is_control()).map(u32::from));
        } else if let Some(element) = document.element(node) {
            let said = ["value", "placeholder", "alt"].iter().filter_map(|name| element.attr(name));
            found.extend(said.flat_map(str::chars).filter(|c| !c.is_control()).map(u32::from));
        }
    }
    let is_blank = |c: &u32| char::from_u32(*c).is_some_and(char::is_whitespace);
    // White space between blocks is no text.
    if found.iter().all(is_blank) {
        return Vec::new();
    }
    found.into_iter().collect()
}

/// The selector of the elements whose pseudo-elements are meant: `a::before` becomes `a`.
fn without_pseudo_elements(selector: &str) -> String {
    const ONE_COLON: &[&str] = &["before", "after", "first-line", "first-letter"];
    let mut kept = String::with_capacity(selector.len());
    let mut rest = selector;
    while let Some(at) = rest.find(':') {
        kept.push_str(&rest[..at]);
        let colons = if rest[at..].starts_with("::") { 2 } else { 1 };
        let after = &rest[at + colons..];
        let end = after.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(after.len());
        let is_pseudo_element = colons == 2 || ONE_COLON.iter().any(|name| after[..end].eq_ignore_ascii_case(name));
        if !is_pseudo_element {
            kept.push_str(&rest[at..at + colons + end]);
            rest = &after[end..];
            continue;
        }
        if kept.trim_end().is_empty() || kept.ends_with([' ', ',', '>', '+', '~', '(']) {
            kept.push('*');
        }
        rest = match after[end..].strip_prefix('(') {
            Some(arguments) => arguments.split_once(')').map_or("", |(_, tail)| tail),
            None => &after[end..],
        };
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pseudo_elements_stand_for_their_elements() {
        for (selector, expected) in [
            ("a::before", "a"),
            ("a:before, b:hover::after", "a, b:hover"),
            ("::selection", "*"),
            ("ul > ::marker", "ul > *"),
            ("x::part(a b) y", "x y"),
            ("a:not(.b)", "a:not(.b)"),
            ("a", "a"),
            ("", ""),
        ] {
            assert_eq!(without_pseudo_elements(selector), expected, "{selector}");
        }
    }
}
