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
    /// What sets the element apart from others like it, as its author named it.
    pub(super) traits: Vec<String>,
    /// The element is written once for each item of a list.
    pub(super) each: Option<Box<Each>>,
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
    /// Classes that depend on which item it is.
    Switch(Box<Switch>),
}

/// Classes of which an item has the ones or the others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Switch {
    /// What every item has.
    pub(super) fixed: String,
    /// Which items have the first ones.
    pub(super) test: Test,
    /// What these have.
    pub(super) then: String,
    /// What the others have.
    pub(super) otherwise: String,
    /// The variable that says which item it is.
    pub(super) index: String,
}

/// Something that is so of some items of a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Test {
    /// It is the first.
    First,
    /// It is the last of the list that this expression gives.
    Last(String),
    /// It is the first, the third, the fifth.
    Odd,
    /// It has a field, by its expression.
    Flag(String),
}

impl Switch {
    /// The expression that is true where there is something to say, what is said then, and what else.
    pub(super) fn branches(&self) -> (String, &str, &str) {
        match self.then.is_empty() {
            true => (self.test.negated(&self.index), &self.otherwise, &self.then),
            false => (self.test.expression(&self.index), &self.then, &self.otherwise),
        }
    }
}

impl Test {
    /// Whether it is asked by the place of an item.
    pub(super) fn is_of_place(&self) -> bool {
        !matches!(self, Self::Flag(_))
    }

    fn expression(&self, index: &str) -> String {
        match self {
            Self::First => format!("{index} === 0"),
            Self::Last(list) => format!("{index} === {list}.length - 1"),
            Self::Odd => format!("{index} % 2 === 0"),
            Self::Flag(field) => field.clone(),
        }
    }

    fn negated(&self, index: &str) -> String {
        match self {
            Self::First => format!("{index} > 0"),
            Self::Last(list) => format!("{index} < {list}.length - 1"),
            Self::Odd => format!("{index} % 2 === 1"),
            Self::Flag(field) => format!("!{field}"),
        }
    }
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
    /// Something in the item depends on its place.
    pub(super) asks_place: bool,
    /// The variable that says which item it is: [`Each::INDEX`], with a number in loops inside of others.
    pub(super) index: String,
}

impl Each {
    /// The key of items that nothing of their own tells apart.
    pub(super) const INDEX: &'static str = "index";

    /// Whether the place of an item is asked for.
    pub(super) fn needs_index(&self) -> bool {
        self.key == Self::INDEX || self.asks_place || self.is_spaced
    }

    /// What tells items apart, with the variables of this loop.
    pub(super) fn key(&self) -> &str {
        if self.key == Self::INDEX { &self.index } else { &self.key }
    }
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
            traits: element.traits.clone(),
            each: None,
            when: None,
        }
    }

    /// Gives loops inside of others, `around` of which ask for places, variables of their own.
    pub(super) fn number_places(&mut self, around: usize, index: &str) {
        let own = if around == 0 { Each::INDEX.to_owned() } else { format!("{}{}", Each::INDEX, around + 1) };
        let asks = self.each.as_ref().is_some_and(|each| each.needs_index());
        if let Some(each) = &mut self.each {
            each.index.clone_from(&own);
        }
        let (around, index) = if asks { (around + 1, own.as_str()) } else { (around, index) };
        for attribute in &mut self.attributes {
            if let Value::Switch(switch) = &mut attribute.value {
                index.clone_into(&mut switch.index);
            }
        }
        self.tags_mut().for_each(|child| child.number_places(around, index));
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&Value> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &attribute.value)
    }

    /// Elements among the children.
    pub(super) fn tags(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(Node::tag)
    }

    /// The same, to be changed.
    pub(super) fn tags_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        self.children.iter_mut().filter_map(|child| match child {
            Node::Tag(tag) => Some(tag),
            Node::Text(_) | Node::Slot(_) => None,
        })
    }

    /// An HTML element that has neither content nor an end tag.
    pub(super) fn is_void(&self) -> bool {
        const VOID: &[&str] =
            &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];
        self.namespace == Namespace::Html && VOID.contains(&self.name.as_str())
    }
}
