//! Defines the output tree of the emitters: elements with their final attributes, loops and
//! conditions. It lies between the component model and the [printer](super::print), so that loop
//! detection is independent of a framework's syntax.

use crate::code::model::{Child, Component, ElementId, Namespace};

/// An output element.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tag {
    /// The local name.
    pub(super) name: String,
    /// The namespace of the name.
    pub(super) namespace: Namespace,
    /// In output order, including `class`.
    pub(super) attributes: Vec<TagAttribute>,
    /// Child nodes.
    pub(super) children: Vec<Node>,
    /// White space between children and at both ends is insignificant.
    pub(super) free_space: bool,
    /// White space at both ends is insignificant, but not between all children.
    pub(super) free_ends: bool,
    /// The element is block-level: white space before and after it is insignificant.
    pub(super) breaks_lines: bool,
    /// Texts inside preserve spaces and line breaks.
    pub(super) preserves_space: bool,
    /// The semantic name of the element.
    pub(super) word: String,
    /// The author's modifiers that distinguish the element from similar ones.
    pub(super) traits: Vec<String>,
    /// The element is repeated for each item of a list.
    pub(super) each: Option<Box<Each>>,
    /// The element is rendered only if this expression is set.
    pub(super) when: Option<String>,
}

/// An attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct TagAttribute {
    /// The HTML name.
    pub(super) name: String,
    /// Unescaped.
    pub(super) value: Value,
}

/// The value of an attribute or a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Value {
    /// A constant.
    Fixed(String),
    /// An expression of the framework: `plan.title`.
    Field(String),
    /// Classes common to all items, followed by an expression.
    FixedAndField(String, String),
    /// Classes that depend on a condition on the item.
    Switch(Box<Switch>),
}

/// Conditional classes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Switch {
    /// Classes of all items.
    pub(super) fixed: String,
    /// The condition.
    pub(super) test: Test,
    /// Classes of items that satisfy it.
    pub(super) then: String,
    /// Classes of the other items.
    pub(super) otherwise: String,
    /// The index variable.
    pub(super) index: String,
}

/// A condition on the items of a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Test {
    /// The first item.
    First,
    /// The last item of the list in this expression.
    Last(String),
    /// Odd positions, counted from 1.
    Odd,
    /// Items with a field, given as an expression.
    Flag(String),
}

impl Switch {
    /// Returns an expression that is true if there are classes, those classes, and the classes if
    /// it is false.
    pub(super) fn branches(&self) -> (String, &str, &str) {
        match self.then.is_empty() {
            true => (self.test.negated(&self.index), &self.otherwise, &self.then),
            false => (self.test.expression(&self.index), &self.then, &self.otherwise),
        }
    }
}

impl Test {
    /// Returns true if the condition depends on the position of an item.
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
    /// The expression of the list: `plans`, `plan.features`.
    pub(super) list: String,
    /// The loop variable: `plan`.
    pub(super) item: String,
    /// The expression of a unique key for each item: `plan.title`, or [`Each::INDEX`].
    pub(super) key: String,
    /// A significant space separates the items.
    pub(super) is_spaced: bool,
    /// Something in the item depends on its position.
    pub(super) asks_place: bool,
    /// The index variable: [`Each::INDEX`], with a number in nested loops.
    pub(super) index: String,
}

impl Each {
    /// The key of items without a unique field.
    pub(super) const INDEX: &'static str = "index";

    /// Returns true if the loop needs its index variable.
    pub(super) fn needs_index(&self) -> bool {
        self.key == Self::INDEX || self.asks_place || self.is_spaced
    }

    /// Returns the key expression, with the variables of this loop.
    pub(super) fn key(&self) -> &str {
        if self.key == Self::INDEX { &self.index } else { &self.key }
    }
}

/// A child node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// An element.
    Tag(Tag),
    /// A text.
    Text(Value),
    /// Markup of an expression (an icon that differs between items).
    Slot(String),
}

impl Node {
    /// Returns the element, if it is one.
    pub(super) fn tag(&self) -> Option<&Tag> {
        match self {
            Self::Tag(tag) => Some(tag),
            Self::Text(_) | Self::Slot(_) => None,
        }
    }

    /// Returns true for a text that is a single space.
    pub(super) fn is_space(&self) -> bool {
        matches!(self, Self::Text(Value::Fixed(text)) if text == " ")
    }
}

impl Tag {
    /// Builds the tree of a component. `classes` is indexed like [`Component::elements`].
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

    /// Names the index variables of loops; `around` is the number of enclosing loops that use
    /// theirs.
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

    /// Returns the value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&Value> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &attribute.value)
    }

    /// Returns the child elements.
    pub(super) fn tags(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(Node::tag)
    }

    /// Returns the child elements, mutable.
    pub(super) fn tags_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        self.children.iter_mut().filter_map(|child| match child {
            Node::Tag(tag) => Some(tag),
            Node::Text(_) | Node::Slot(_) => None,
        })
    }

    /// Returns true for an HTML element without content and end tag.
    pub(super) fn is_void(&self) -> bool {
        const VOID: &[&str] =
            &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];
        self.namespace == Namespace::Html && VOID.contains(&self.name.as_str())
    }
}
