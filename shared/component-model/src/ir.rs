//! Defines the output tree of the emitters: elements with their final attributes, loops and
//! conditions. It lies between the component model and the [printer](super::printer), so that loop
//! detection is independent of a framework's syntax.

use crate::model::{Child, Component, ElementId, Namespace};
use limner_page::dom::categories::is_void;

/// An output element.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OutputElement {
    /// The local name.
    pub name: String,
    /// The namespace of the name.
    pub namespace: Namespace,
    /// In output order, including `class`.
    pub attributes: Vec<OutputAttribute>,
    /// Child nodes.
    pub children: Vec<Node>,
    /// White space between children and at both ends is insignificant.
    pub whitespace_insignificant: bool,
    /// White space at both ends is insignificant, but not between all children.
    pub edge_whitespace_insignificant: bool,
    /// The element is block-level: white space before and after it is insignificant.
    pub is_block_level: bool,
    /// Texts inside preserve spaces and line breaks.
    pub preserves_whitespace: bool,
    /// The semantic name of the element.
    pub semantic_name: String,
    /// The author's modifiers that distinguish the element from similar ones.
    pub modifiers: Vec<String>,
    /// The element is repeated for each item of a list.
    pub repeat: Option<Box<Loop>>,
    /// The element is rendered only if this expression is set.
    pub condition: Option<String>,
}

/// An attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OutputAttribute {
    /// The HTML name.
    pub name: String,
    /// Unescaped.
    pub value: Value,
}

/// The value of an attribute or a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// A constant.
    Fixed(String),
    /// An expression of the framework: `plan.title`.
    Field(String),
    /// Classes common to all items, followed by an expression.
    FixedAndField(String, String),
    /// Classes that depend on a condition on the item.
    Conditional(Box<ConditionalClasses>),
}

/// Conditional classes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ConditionalClasses {
    /// Classes of all items.
    pub fixed: String,
    /// The condition.
    pub condition: ItemCondition,
    /// Classes of items that satisfy it.
    pub if_true: String,
    /// Classes of the other items.
    pub if_false: String,
    /// The index variable.
    pub index: String,
}

/// A condition on the items of a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ItemCondition {
    /// The first item.
    First,
    /// The last item of the list in this expression.
    Last(String),
    /// Odd positions, counted from 1.
    Odd,
    /// Items with a field, given as an expression.
    Flag(String),
}

impl ConditionalClasses {
    /// Returns an expression that is true if there are classes, those classes, and the classes if
    /// it is false.
    pub fn branches(&self) -> (String, &str, &str) {
        match self.if_true.is_empty() {
            true => (self.condition.negated(&self.index), &self.if_false, &self.if_true),
            false => (self.condition.expression(&self.index), &self.if_true, &self.if_false),
        }
    }
}

impl ItemCondition {
    /// Returns true if the condition depends on the position of an item.
    pub fn depends_on_position(&self) -> bool {
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
pub struct Loop {
    /// The expression of the list: `plans`, `plan.features`.
    pub list: String,
    /// The loop variable: `plan`.
    pub item: String,
    /// The expression of a unique key for each item: `plan.title`, or [`Loop::INDEX`].
    pub key: String,
    /// A significant space separates the items.
    pub is_space_separated: bool,
    /// Something in the item depends on its position.
    pub uses_index: bool,
    /// The index variable: [`Loop::INDEX`], with a number in nested loops.
    pub index: String,
}

impl Loop {
    /// The key of items without a unique field.
    pub const INDEX: &'static str = "index";

    /// Returns true if the loop needs its index variable.
    pub fn needs_index(&self) -> bool {
        self.key == Self::INDEX || self.uses_index || self.is_space_separated
    }

    /// Returns the key expression, with the variables of this loop.
    pub fn key(&self) -> &str {
        if self.key == Self::INDEX { &self.index } else { &self.key }
    }
}

/// A child node.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// An element.
    Tag(OutputElement),
    /// A text.
    Text(Value),
    /// Markup of an expression (an icon that differs between items).
    Slot(String),
}

impl Node {
    /// Returns the element, if it is one.
    pub fn tag(&self) -> Option<&OutputElement> {
        match self {
            Self::Tag(tag) => Some(tag),
            Self::Text(_) | Self::Slot(_) => None,
        }
    }

    /// Returns true for a text that is a single space.
    pub fn is_space(&self) -> bool {
        matches!(self, Self::Text(Value::Fixed(text)) if text == " ")
    }
}

impl OutputElement {
    /// Builds the tree of a component. `classes` is indexed like [`Component::elements`].
    pub fn from_component(component: &Component, classes: &[String]) -> Self {
        let mut root = Self::build(component, ElementId(0), classes);
        if let Some(lang) = &component.lang
            && root.attribute("lang").is_none()
        {
            root.attributes.push(OutputAttribute { name: "lang".into(), value: Value::Fixed(lang.clone()) });
        }
        root
    }

    fn build(component: &Component, id: ElementId, classes: &[String]) -> Self {
        let element = &component.elements[id.0];
        let class = classes.get(id.0).filter(|class| !class.is_empty());
        let mut attributes: Vec<_> = class
            .into_iter()
            .map(|class| OutputAttribute { name: "class".into(), value: Value::Fixed(class.clone()) })
            .collect();
        attributes.extend(element.attributes.iter().map(|attribute| OutputAttribute {
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
            whitespace_insignificant: element.whitespace_insignificant,
            edge_whitespace_insignificant: element.edge_whitespace_insignificant,
            is_block_level: element.is_block_level,
            preserves_whitespace: element.preserves_whitespace,
            semantic_name: element.semantic_name.clone(),
            modifiers: element.modifiers.clone(),
            repeat: None,
            condition: None,
        }
    }

    /// Names the index variables of loops; `around` is the number of enclosing loops that use
    /// theirs.
    pub fn name_index_variables(&mut self, around: usize, index: &str) {
        let own = if around == 0 { Loop::INDEX.to_owned() } else { format!("{}{}", Loop::INDEX, around + 1) };
        let asks = self.repeat.as_ref().is_some_and(|each| each.needs_index());
        if let Some(each) = &mut self.repeat {
            each.index.clone_from(&own);
        }
        let (around, index) = if asks { (around + 1, own.as_str()) } else { (around, index) };
        for attribute in &mut self.attributes {
            if let Value::Conditional(switch) = &mut attribute.value {
                index.clone_into(&mut switch.index);
            }
        }
        self.tags_mut().for_each(|child| child.name_index_variables(around, index));
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &attribute.value)
    }

    /// Returns the child elements.
    pub fn tags(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(Node::tag)
    }

    /// Returns the child elements, mutable.
    pub fn tags_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        self.children.iter_mut().filter_map(|child| match child {
            Node::Tag(tag) => Some(tag),
            Node::Text(_) | Node::Slot(_) => None,
        })
    }

    /// Returns true for an HTML element without content and end tag.
    pub fn is_void(&self) -> bool {
        self.namespace == Namespace::Html && is_void(&self.name)
    }
}
