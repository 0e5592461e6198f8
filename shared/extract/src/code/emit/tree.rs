//! What an emitter writes: elements with their final attributes, loops and conditions included. It lies between the
//! component model and the [printer](super::print), so that collapsing repetition is not tied to one framework's syntax.

use crate::code::model::{Child, Component, ElementId, Namespace};

/// An element as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tag {
    /// The local name.
    pub(super) name: String,
    /// Which vocabulary the name is from.
    pub(super) namespace: Namespace,
    /// In the order they are written; `class` is one of them.
    pub(super) attributes: Vec<TagAttribute>,
    /// What is inside.
    pub(super) children: Vec<Node>,
    /// White space may be added between children and at both ends.
    pub(super) free_space: bool,
    /// White space may be added at both ends, if not between all children.
    pub(super) free_ends: bool,
    /// White space may be added before and after the element.
    pub(super) breaks_lines: bool,
    /// Texts inside keep every space and line break.
    pub(super) preserves_space: bool,
    /// A word for what the element is.
    pub(super) word: String,
    /// The element is written once for each item of a list.
    pub(super) each: Option<Each>,
    /// The element is written only when this expression is set.
    pub(super) when: Option<String>,
}

/// An attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct TagAttribute {
    /// Under its HTML name.
    pub(super) name: String,
    /// Nothing in it is escaped.
    pub(super) value: Value,
}

/// What an attribute or a text says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Value {
    /// Always this.
    Fixed(String),
    /// What an expression of the framework gives: `plan.title`.
    Field(String),
    /// Classes that every item has, then what an expression gives.
    FixedAndField(String, String),
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Each {
    /// The expression that gives the list: `plans`, `plan.features`.
    pub(super) list: String,
    /// The name of one item: `plan`.
    pub(super) item: String,
    /// The expression that tells items apart: `plan.title`, or [`Each::INDEX`].
    pub(super) key: String,
    /// A space that shows stands between items.
    pub(super) is_spaced: bool,
}

impl Each {
    /// The key of items that nothing of their own tells apart.
    pub(super) const INDEX: &'static str = "index";
}

/// What is inside an element.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// An element.
    Tag(Tag),
    /// Text.
    Text(Value),
    /// Markup that an expression gives (an icon that is different in each item).
    Slot(String),
}

impl Node {
    /// The element, when it is one.
    pub(super) fn tag(&self) -> Option<&Tag> {
        match self {
            Self::Tag(tag) => Some(tag),
            Self::Text(_) | Self::Slot(_) => None,
        }
    }

    /// A space between what stands in lines, and nothing else.
    pub(super) fn is_space(&self) -> bool {
        matches!(self, Self::Text(Value::Fixed(text)) if text == " ")
    }
}

impl Tag {
    /// The tree of a component, with the classes of each element (by its place in [`Component::elements`]).
    pub(super) fn of(component: &Component, classes: &[String]) -> Self {
        let mut root = Self::build(component, ElementId(0), classes);
        if let Some(lang) = &component.lang
            && root.attribute("lang").is_none()
        {
            root.attributes.push(TagAttribute { name: "lang".into(), value: Value::Fixed(lang.clone()) });
        }
        root
    }

    fn build(component: &Component, id: ElementId, classes: &[String]) -> Self {
        let element = &component.elements[id.0];
        let class = classes.get(id.0).filter(|class| !class.is_empty());
        let mut attributes: Vec<_> = class
            .into_iter()
            .map(|class| TagAttribute { name: "class".into(), value: Value::Fixed(class.clone()) })
            .collect();
        attributes.extend(element.attributes.iter().map(|attribute| TagAttribute {
            name: attribute.name.clone(),
            value: Value::Fixed(attribute.value.clone()),
        }));
        let children = element
            .children
            .iter()
            .map(|child| match child {
                Child::Element(child) => Node::Tag(Self::build(component, *child, classes)),
                Child::Text(text) => Node::Text(Value::Fixed(text.clone())),
            })
            .collect();
        Self {
            name: element.tag.clone(),
            namespace: element.namespace,
            attributes,
            children,
            free_space: element.free_space,
            free_ends: element.free_ends,
            breaks_lines: element.breaks_lines,
            preserves_space: element.preserves_space,
            word: element.word.clone(),
            each: None,
            when: None,
        }
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&Value> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &attribute.value)
    }

    /// Elements among the children.
    pub(super) fn tags(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(Node::tag)
    }

    /// An HTML element that has neither content nor an end tag.
    pub(super) fn is_void(&self) -> bool {
        const VOID: &[&str] =
            &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];
        self.namespace == Namespace::Html && VOID.contains(&self.name.as_str())
    }
}
