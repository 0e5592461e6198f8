//! Finds what several sections of a page share, and makes it a component: elements of the same names, classes and nesting,
//! whose texts, addresses and alternative texts may differ. These become its properties.
//!
//! `<a class="btn" href="/a">Buy</a>` in one section and `<a class="btn" href="/b">Try</a>` in another →
//! `<Button href="/a" label="Buy" />` and `<Button href="/b" label="Try" />`.

use crate::module::{Part, is_reference, reference};
use limner_component_model::ir::{Node, OutputAttribute, OutputElement, Value};
use limner_component_model::model::Namespace;
use limner_types::request::component_name;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

/// Maximum number of shared components.
const MAX_COMPONENTS: usize = 12;
/// Maximum number of shapes that are considered, the largest first. Each of them costs a walk over the page.
const MAX_SHAPES: usize = 64;
/// Maximum number of properties: a component with more of them is harder to read than what it stands for.
const MAX_PROPS: usize = 6;
/// Minimum number of characters of markup that are worth a file.
const MIN_MARKUP: usize = 60;
/// Minimum number of elements of a part that is neither a heading nor a button.
const MIN_ELEMENTS: usize = 3;

/// Attributes that may differ.
const VARYING: &[&str] = &["href", "src", "srcset", "alt", "title", "aria-label", "datetime"];

/// Elements that are nothing without their parents.
#[rustfmt::skip]
const DEPENDENT: &[&str] = &[
    "area", "caption", "col", "colgroup", "dd", "dt", "figcaption", "legend", "li", "optgroup", "option", "picture", "pre", "source",
    "summary", "tbody", "td", "textarea", "tfoot", "th", "thead", "tr", "track",
];

/// A component that several parts of a page use.
pub(super) struct SharedComponent {
    pub(super) name: String,
    pub(super) template: OutputElement,
    /// The names of its properties, which are texts.
    pub(super) props: Vec<String>,
}

/// A place in a shape where instances may differ: a text, or the attribute of an element, by its place in document order.
type Slot = (usize, Option<&'static str>);

/// Replaces what several parts share by references. Names avoid those that are `reserved`; `adapt` returns a name as the
/// framework wants it.
pub(super) fn extract(
    parts: &mut [Part],
    reserved: &BTreeSet<String>,
    adapt: &dyn Fn(&str) -> String,
) -> Vec<SharedComponent> {
    let mut taken = reserved.clone();
    let mut found = Vec::new();
    for shape in shared_shapes(parts).into_iter().take(MAX_SHAPES) {
        if found.len() >= MAX_COMPONENTS {
            break;
        }
        let instances = instances(parts, shape);
        let are_apart = instances.iter().any(|(part, _)| *part != instances[0].0);
        if !are_apart {
            continue;
        }
        let Some((props, template)) = template(&instances) else { continue };
        let name = unique_name(&template, &taken, adapt);
        taken.insert(name.clone());
        let component = Replacement { shape, first: &instances[0].1, name: &name, props: &props };
        for part in parts.iter_mut() {
            component.replace_in(&mut part.root);
        }
        let props = props.into_iter().map(|(_, name)| name).collect();
        found.push(SharedComponent { name, template, props });
    }
    found
}

/// Returns the shapes that two parts have, the largest first; in their order on the page if they are as large.
fn shared_shapes(parts: &[Part]) -> Vec<u64> {
    struct Seen {
        part: usize,
        is_shared: bool,
        size: usize,
        order: usize,
    }
    let mut seen: HashMap<u64, Seen> = HashMap::new();
    for (part, own) in parts.iter().enumerate() {
        shapes(&own.root, &mut |tag, shape, size| {
            if !is_component(tag, size) {
                return;
            }
            let order = seen.len();
            let known = seen.entry(shape).or_insert(Seen { part, is_shared: false, size: size.markup, order });
            known.is_shared |= known.part != part;
        });
    }
    let mut shared: Vec<(u64, Seen)> = seen.into_iter().filter(|(_, seen)| seen.is_shared).collect();
    shared.sort_by_key(|(_, seen)| (std::cmp::Reverse(seen.size), seen.order));
    shared.into_iter().map(|(shape, _)| shape).collect()
}

/// The size of an element with its contents.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    elements: usize,
    /// Characters of names, attributes that are the same everywhere, and fixed markup.
    markup: usize,
    texts: usize,
}

/// Visits all elements of a tree with their shapes and sizes, from the inside out.
fn shapes(tag: &OutputElement, visit: &mut impl FnMut(&OutputElement, u64, Size)) -> (u64, Size) {
    let mut inside = Vec::new();
    for child in tag.tags() {
        inside.push(shapes(child, visit));
    }
    let (shape, size) = shape(tag, &inside);
    visit(tag, shape, size);
    (shape, size)
}

/// Returns the shape and the size of an element, given those of its child elements.
fn shape(tag: &OutputElement, inside: &[(u64, Size)]) -> (u64, Size) {
    let mut hasher = DefaultHasher::new();
    let mut size = Size { elements: 1, markup: 2 * tag.name.len() + 5, texts: 0 };
    (&tag.name, tag.namespace, tag.is_block_level, tag.preserves_whitespace).hash(&mut hasher);
    for attribute in &tag.attributes {
        attribute.name.hash(&mut hasher);
        size.markup += attribute.name.len() + 4;
        if !VARYING.contains(&attribute.name.as_str()) {
            attribute.value.hash(&mut hasher);
            size.markup += match &attribute.value {
                Value::Fixed(text) => text.len(),
                Value::Field(_) | Value::FixedAndField(..) | Value::Conditional(_) => 0,
            };
        }
    }
    let mut inside = inside.iter();
    for child in &tag.children {
        match child {
            Node::Tag(_) => {
                let Some((shape, own)) = inside.next() else { continue };
                shape.hash(&mut hasher);
                size.elements += own.elements;
                size.markup += own.markup;
                size.texts += own.texts;
            }
            Node::Text(_) if child.is_space() => " ".hash(&mut hasher),
            Node::Text(_) | Node::Slot(_) => {
                "text".hash(&mut hasher);
                size.texts += 1;
            }
        }
    }
    (hasher.finish(), size)
}

/// Returns true for headings, buttons, and blocks of several elements.
fn is_component(tag: &OutputElement, size: Size) -> bool {
    if tag.namespace != Namespace::Html || is_reference(tag) || DEPENDENT.contains(&tag.name.as_str()) {
        return false;
    }
    let is_button = matches!(tag.name.as_str(), "a" | "button") && has_padding(tag);
    let is_heading = matches!(tag.name.as_str(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6") && size.elements == 1;
    let is_block = tag.is_block_level && size.elements >= MIN_ELEMENTS;
    size.markup >= MIN_MARKUP && size.texts > 0 && (is_button || is_heading || is_block)
}

fn has_padding(tag: &OutputElement) -> bool {
    let Some(Value::Fixed(classes)) = tag.attribute("class") else { return false };
    classes.split_ascii_whitespace().any(|class| ["p-", "px-", "py-"].iter().any(|padding| class.starts_with(padding)))
}

/// Returns the outermost elements of a shape, with their parts.
fn instances(parts: &[Part], shape: u64) -> Vec<(usize, OutputElement)> {
    let mut found: Vec<(usize, OutputElement)> = Vec::new();
    for (part, own) in parts.iter().enumerate() {
        shapes(&own.root, &mut |tag, own, _| {
            if own == shape && found.first().is_none_or(|(_, first)| is_same_shape(first, tag)) {
                found.push((part, tag.clone()));
            }
        });
    }
    found
}

/// Returns true if two elements differ only where instances may.
fn is_same_shape(a: &OutputElement, b: &OutputElement) -> bool {
    let attributes = || a.attributes.iter().zip(&b.attributes);
    let agree = |(a, b): (&OutputAttribute, &OutputAttribute)| {
        a.name == b.name && (a.value == b.value || VARYING.contains(&a.name.as_str()))
    };
    let nodes = |(a, b): (&Node, &Node)| match (a, b) {
        (Node::Tag(a), Node::Tag(b)) => is_same_shape(a, b),
        (Node::Text(Value::Fixed(_)), Node::Text(Value::Fixed(_))) => a.is_space() == b.is_space(),
        _ => false,
    };
    let is_alike = |a: &OutputElement| {
        (
            a.namespace,
            a.is_block_level,
            a.preserves_whitespace,
            a.whitespace_insignificant,
            a.edge_whitespace_insignificant,
            a.attributes.len(),
            a.children.len(),
        )
    };
    a.name == b.name
        && is_alike(a) == is_alike(b)
        && attributes().all(agree)
        && a.children.iter().zip(&b.children).all(nodes)
}

/// Visits the places of an element and its contents where instances may differ.
fn visit_slots(tag: &mut OutputElement, at: &mut usize, visit: &mut impl FnMut(Slot, &str, &mut Value)) {
    let name = tag.name.clone();
    for attribute in &mut tag.attributes {
        if let Some(varying) = VARYING.iter().find(|varying| **varying == attribute.name) {
            visit((*at, Some(varying)), &name, &mut attribute.value);
        }
        *at += 1;
    }
    for child in &mut tag.children {
        let is_space = child.is_space();
        match child {
            Node::Tag(child) => visit_slots(child, at, visit),
            Node::Text(text) if !is_space => visit((*at, None), &name, text),
            Node::Text(_) | Node::Slot(_) => {}
        }
        *at += 1;
    }
}

/// Returns the properties of a shape, each with its place, and the element with expressions in those places; `None` if there
/// are too many.
fn template(instances: &[(usize, OutputElement)]) -> Option<(Vec<(Slot, String)>, OutputElement)> {
    let mut values: HashMap<Slot, (String, bool)> = HashMap::new();
    for (_, instance) in instances {
        visit_slots(&mut instance.clone(), &mut 0, &mut |slot, _, value| {
            let Value::Fixed(text) = value else { return };
            let known = values.entry(slot).or_insert_with(|| (text.clone(), false));
            known.1 |= known.0 != *text;
        });
    }
    let (mut props, mut names) = (Vec::new(), BTreeSet::new());
    let mut template = instances.first()?.1.clone();
    let mut is_unclear = false;
    visit_slots(&mut template, &mut 0, &mut |slot, tag, value| {
        if values.get(&slot).is_none_or(|(_, varies)| !varies) {
            return;
        }
        let name = prop_name(slot.1, tag);
        // Two texts of one kind have no names that tell them apart.
        is_unclear |= !names.insert(name);
        props.push((slot, name.to_owned()));
        *value = Value::Field(name.to_owned());
    });
    (!is_unclear && props.len() <= MAX_PROPS).then_some((props, template))
}

/// Returns the name of a property for an attribute or a text of an element.
fn prop_name(attribute: Option<&str>, tag: &str) -> &'static str {
    match (attribute, tag) {
        (Some("href"), _) => "href",
        (Some("src"), _) => "src",
        (Some("srcset"), _) => "srcSet",
        (Some("alt"), _) => "alt",
        (Some("aria-label"), _) => "ariaLabel",
        (Some("datetime"), _) => "date",
        (Some(_), _) => "tooltip",
        (None, "h1" | "h2" | "h3" | "h4" | "h5" | "h6") => "title",
        (None, "a" | "button") => "label",
        (None, "p") => "description",
        (None, "blockquote" | "q") => "quote",
        (None, "time") => "time",
        (None, "cite") => "author",
        (None, _) => "text",
    }
}

/// The replacement of the elements of a shape by references to a component.
struct Replacement<'r> {
    shape: u64,
    first: &'r OutputElement,
    name: &'r str,
    props: &'r [(Slot, String)],
}

impl Replacement<'_> {
    /// Replaces the elements in a tree, and returns its shape as it was before. No element contains another of its shape.
    fn replace_in(&self, tag: &mut OutputElement) -> (u64, Size) {
        let mut inside = Vec::new();
        for child in tag.tags_mut() {
            inside.push(self.replace_in(child));
        }
        let (shape, size) = shape(tag, &inside);
        if shape == self.shape && is_same_shape(self.first, tag) {
            let mut attributes = Vec::new();
            visit_slots(tag, &mut 0, &mut |slot, _, value| {
                if let Some((_, name)) = self.props.iter().find(|(own, _)| *own == slot) {
                    attributes.push(OutputAttribute { name: name.clone(), value: value.clone() });
                }
            });
            *tag = OutputElement { attributes, ..reference(self.name, tag) };
        }
        (shape, size)
    }
}

/// Returns a name for a shared component, after what it is.
fn unique_name(template: &OutputElement, taken: &BTreeSet<String>, adapt: &dyn Fn(&str) -> String) -> String {
    let kind = match template.name.as_str() {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "Heading",
        "a" | "button" => "Button",
        "article" => "Card",
        _ => "Block",
    };
    let own = match template.semantic_name.as_str() {
        "" | "div" | "section" | "wrapper" | "container" | "inner" | "item" | "a" | "btn" | "button" | "link" => None,
        word if word == template.name => None,
        word => component_name(word).ok(),
    };
    let own = own.filter(|_| kind != "Heading" && kind != "Button");
    let first = adapt(&own.unwrap_or_else(|| kind.to_owned()));
    let numbered = (2..).map(|number| format!("{first}{number}"));
    std::iter::once(first.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default()
}
