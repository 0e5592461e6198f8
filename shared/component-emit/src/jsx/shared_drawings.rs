//! Writes a large drawing once that a component shows several times, as for two widths.
//!
//! `<svg>…</svg> … <svg>…</svg>` → `const logo = (<svg>…</svg>);` and `{logo} … {logo}`.

use super::Jsx;
use crate::loops::LoopData;
use limner_component_model::ir::{Node, OutputElement, Value};
use limner_component_model::printer::{print, print_inline};
use std::collections::{HashMap, HashSet};

/// Minimum number of characters of a drawing that is worth a constant.
const MIN_LENGTH: usize = 600;

/// Maximum width and height of an icon.
const ICON: f64 = 64.0;

/// Replaces equal drawings by constants, and returns the declarations of these.
pub(super) fn hoist(root: &mut OutputElement, lists: &LoopData, reserved: &[&str]) -> String {
    let mut counts: HashMap<String, usize> = HashMap::new();
    count(root, &mut counts);
    counts.retain(|_, count| *count > 1);
    if counts.is_empty() {
        return String::new();
    }
    let mut taken: HashSet<String> = reserved.iter().map(|name| (*name).to_owned()).collect();
    taken.extend(lists.lists.iter().map(|list| list.name.clone()));
    reserve_items(root, &mut taken);
    let mut constants = Constants { counts, taken, names: HashMap::new(), code: String::new() };
    constants.replace(root);
    constants.code
}

struct Constants {
    /// Markup of the drawings that are written several times.
    counts: HashMap<String, usize>,
    taken: HashSet<String>,
    /// By markup.
    names: HashMap<String, String>,
    code: String,
}

impl Constants {
    fn replace(&mut self, tag: &mut OutputElement) {
        let around = (tag.semantic_name.clone(), leads_home(tag));
        for child in &mut tag.children {
            let Node::Tag(own) = child else { continue };
            if own.name != "svg" {
                self.replace(own);
                continue;
            }
            let markup = print_inline(&Jsx, own);
            if is_fixed(own) && self.counts.contains_key(&markup) {
                *child = Node::Slot(self.constant(markup, own, &around));
            }
        }
    }

    /// Returns the name of a drawing's constant, which is declared if it is new.
    fn constant(&mut self, markup: String, drawing: &OutputElement, around: &(String, bool)) -> String {
        if let Some(name) = self.names.get(&markup) {
            return name.clone();
        }
        let word = word(drawing, around);
        let numbered = (2..).map(|number| format!("{word}{number}"));
        let free = std::iter::once(word.to_owned()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = free.unwrap_or_default();
        self.taken.insert(name.clone());
        self.code.push_str(&format!("const {name} = (\n{});\n\n", print(&Jsx, drawing, 1)));
        self.names.insert(markup, name.clone());
        name
    }
}

/// Returns what a drawing is: what its author or its place says, or else by its size.
fn word(drawing: &OutputElement, (around, leads_home): &(String, bool)) -> &'static str {
    const WORDS: &[&str] = &["logo", "arrow", "map"];
    let says = |word: &&&str| drawing.semantic_name.contains(**word) || around.contains(**word);
    if let Some(word) = WORDS.iter().find(says) {
        return word;
    }
    let is_small = drawing.attribute("viewBox").is_some_and(|value| {
        let Value::Fixed(box_) = value else { return false };
        box_.split_ascii_whitespace().skip(2).all(|side| side.parse::<f64>().is_ok_and(|side| side <= ICON))
    });
    match (leads_home, is_small) {
        (true, _) => "logo",
        (false, true) => "icon",
        (false, false) => "illustration",
    }
}

/// Returns true for a link to the start of a site.
fn leads_home(tag: &OutputElement) -> bool {
    let Some(Value::Fixed(address)) = tag.attribute("href") else { return false };
    let path =
        address.split_once("://").map_or(address.as_str(), |(_, rest)| rest.find('/').map_or("", |at| &rest[at..]));
    tag.name == "a" && matches!(path, "" | "/" | "#")
}

/// Counts the drawings by their markup. Those inside of others do not count.
fn count(tag: &OutputElement, counts: &mut HashMap<String, usize>) {
    for child in tag.tags() {
        if child.name != "svg" {
            count(child, counts);
        } else if is_fixed(child) {
            let markup = print_inline(&Jsx, child);
            if markup.len() >= MIN_LENGTH {
                *counts.entry(markup).or_default() += 1;
            }
        }
    }
}

/// Returns true if nothing in an element depends on the item of a loop.
fn is_fixed(tag: &OutputElement) -> bool {
    let is_text = |value: &Value| matches!(value, Value::Fixed(_));
    tag.repeat.is_none()
        && tag.condition.is_none()
        && tag.attributes.iter().all(|attribute| is_text(&attribute.value))
        && tag.children.iter().all(|child| match child {
            Node::Tag(child) => is_fixed(child),
            Node::Text(text) => is_text(text),
            Node::Slot(_) => false,
        })
}

fn reserve_items(tag: &OutputElement, taken: &mut HashSet<String>) {
    taken.extend(tag.repeat.as_ref().map(|each| each.item.clone()));
    tag.tags().for_each(|child| reserve_items(child, taken));
}

#[cfg(test)]
mod tests {
    use super::hoist;
    use crate::loops::LoopData;
    use limner_component_model::ir::{Node, OutputAttribute, OutputElement, Value};

    fn element(name: &str, attribute: (&str, &str), children: Vec<Node>) -> OutputElement {
        let (key, value) = attribute;
        let attributes = vec![OutputAttribute { name: key.to_owned(), value: Value::Fixed(value.to_owned()) }];
        OutputElement { name: name.to_owned(), attributes, children, ..OutputElement::default() }
    }

    #[test]
    fn large_drawings_are_written_once() {
        let drawing = |length: usize| element("svg", ("d", &"9".repeat(length)), Vec::new());
        let link =
            |length: usize| Node::Tag(element("a", ("href", "https://a.test/"), vec![Node::Tag(drawing(length))]));
        for (lengths, expected) in [([800, 800], 1), ([20, 20], 0), ([800, 801], 0)] {
            let mut root = element("div", ("id", "a"), lengths.map(link).into());
            let code = hoist(&mut root, &LoopData::default(), &[]);
            assert_eq!(code.matches("const logo = (").count(), expected, "{code}");
            assert_eq!(format!("{root:?}").matches("Slot(\"logo\")").count(), 2 * expected);
        }
    }
}
