//! References in values to the element itself: its attributes, its custom properties in conditions, its place among its
//! siblings (Values 5, sections 7 to 9).

use super::custom_functions::CustomFunctions;
use super::substitution::References;
use crate::condition::Evaluated;
use crate::condition::expression::{Comparison, ConditionExpression, Feature, parse};
use crate::condition::media::{MediaQueryList, media_of_function};
use crate::condition::supports::supports;
use crate::environment::Environment;
use crate::value::Lengths;
use crate::value::component::{Component, parse_components, serialize};
use crate::value::math::quantity;
use crate::value::syntax::Grammar;
use limner_page::WorkBudget;
use limner_page::dom::{Element, QuirksMode};
use std::cell::RefCell;
use std::sync::Arc;

/// An element, and all else that values of it refer to.
#[derive(Clone, Copy)]
pub(crate) struct ElementValues<'e> {
    pub(super) environment: &'e Environment,
    pub(super) element: Option<&'e Element>,
    pub(super) functions: &'e CustomFunctions,
    pub(super) holds: &'e [Evaluated],
    pub(super) budget: &'e WorkBudget,
    pub(super) mode: QuirksMode,
}

/// The type of the value that `attr()` makes of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AttributeType {
    /// None is written: a string.
    Unspecified,
    String,
    /// A number with this unit; the unit of a plain number is empty.
    Number(Box<str>),
    /// `type(<length> | auto)`
    Syntax(Box<str>),
}

impl AttributeType {
    /// Parses what follows the name. `None` if it is invalid.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let lower = text.to_ascii_lowercase();
        if let Some(syntax) = lower.strip_prefix("type(").and_then(|rest| rest.strip_suffix(')')) {
            return Some(Self::Syntax(syntax.trim().into()));
        }
        Some(match lower.as_str() {
            "" => Self::Unspecified,
            "raw-string" | "string" => Self::String,
            "number" => Self::Number("".into()),
            "%" => Self::Number("%".into()),
            unit if unit.bytes().all(|byte| byte.is_ascii_alphabetic()) => Self::Number(unit.into()),
            _ => return None,
        })
    }

    /// Returns the value of an attribute that is not there.
    pub(super) fn missing_value(&self) -> Option<Arc<str>> {
        (*self == Self::Unspecified).then(|| Arc::from("\"\""))
    }

    /// Returns the value of an attribute; `None` if it does not have this type.
    fn value(&self, attribute: &str) -> Option<Arc<str>> {
        match self {
            Self::Unspecified | Self::String => Some(serialize(&[Component::String(attribute.into())]).into()),
            Self::Number(unit) => {
                let number = attribute.trim();
                number.parse::<f64>().ok().filter(|value| value.is_finite()).map(|_| format!("{number}{unit}").into())
            }
            Self::Syntax(syntax) if &**syntax == "*" => Some(attribute.trim().into()),
            Self::Syntax(syntax) => {
                let components = parse_components(attribute)?;
                Grammar::parse(syntax)?.matches(&components).then(|| attribute.trim().into())
            }
        }
    }
}

impl ElementValues<'_> {
    /// Returns the value that `attr()` has.
    pub(super) fn attribute(&self, name: &str, of: &AttributeType) -> Option<Arc<str>> {
        of.value(self.element?.attr(&name.to_ascii_lowercase())?)
    }
}

/// A test in the condition of `if()`.
enum ValueTest {
    Media(MediaQueryList),
    Supports(String),
    /// `style(--name)`, `style(--name: value)`
    Style(Box<str>, Option<String>),
    /// `style(--name > 3)`
    StyleRange(Feature),
}

/// Returns true if a condition of `if()` holds. An unknown one does not.
pub(super) fn condition_holds(condition: &str, references: &mut dyn References) -> bool {
    let Some(words) = parse_components(condition) else { return false };
    let Some(expression) = parse(&words, true, &leaf) else { return false };
    let references = RefCell::new(references);
    expression.evaluate(&|test| test_holds(test, &mut **references.borrow_mut())) == Some(true)
}

fn leaf(component: &Component) -> Option<ConditionExpression<ValueTest>> {
    let Component::Function { name, arguments } = component else {
        let Component::Block('(', words) = component else { return None };
        return parse(words, true, &leaf);
    };
    let test = match &**name {
        "media" => ValueTest::Media(MediaQueryList::parse(&media_of_function(arguments))),
        "supports" => ValueTest::Supports(serialize(arguments)),
        "style" => match arguments.as_slice() {
            [Component::Ident(name)] => ValueTest::Style(name.clone(), None),
            [Component::Ident(name), Component::Delim(':'), value @ ..] => {
                ValueTest::Style(name.clone(), Some(serialize(value)))
            }
            range => match Feature::parse(range).filter(|feature| !feature.bounds.is_empty()) {
                Some(feature) => ValueTest::StyleRange(feature),
                None => return parse(range, true, &style_leaf),
            },
        },
        _ => return Some(ConditionExpression::Unknown),
    };
    Some(ConditionExpression::Feature(test))
}

/// Reads the tests of `style((--a: 1) and (--b: 2))`.
fn style_leaf(component: &Component) -> Option<ConditionExpression<ValueTest>> {
    let Component::Block('(', words) = component else { return None };
    leaf(&Component::function("style", words.clone()))
}

fn test_holds(test: &ValueTest, references: &mut dyn References) -> Option<bool> {
    match test {
        ValueTest::Media(list) => Some(list.matches(references.element()?.environment)),
        ValueTest::Supports(condition) => {
            let mode = references.element()?.mode;
            Some(supports(condition, mode) || supports(&format!("({condition})"), mode))
        }
        ValueTest::Style(name, value) => {
            let own = references.variable(name);
            let Some(wanted) = value else { return Some(own.is_some()) };
            let own = own.and_then(|own| parse_components(&own)).map(|own| serialize(&own));
            Some(own.as_ref() == Some(wanted))
        }
        ValueTest::StyleRange(feature) => {
            let environment = references.element()?.environment;
            let lengths = Lengths::initial(environment.width, environment.height);
            let number = |value: &[Component]| match value {
                [value] => quantity(value, &lengths).map(|found| found.value),
                _ => None,
            };
            let own = parse_components(&references.variable(&feature.name)?)?;
            let own = number(&own)?;
            let holds =
                |(comparison, value): &(Comparison, Vec<Component>)| Some(comparison.holds(own, number(value)?));
            feature.bounds.iter().map(holds).try_fold(true, |all, holds| Some(all && holds?))
        }
    }
}

/// Replaces `sibling-index()` and `sibling-count()` by numbers. Parsing caps the nesting, so the recursion is bounded.
pub(super) fn with_counts(component: &Component, index: u64, count: u64) -> Component {
    let all = |list: &[Component]| list.iter().map(|own| with_counts(own, index, count)).collect::<Vec<_>>();
    match component {
        Component::Function { name, arguments } => match &**name {
            "sibling-index" if arguments.is_empty() => Component::number(index as f64),
            "sibling-count" if arguments.is_empty() => Component::number(count as f64),
            name => Component::function(name, all(arguments)),
        },
        Component::Block(open, inner) => Component::Block(*open, all(inner)),
        other => other.clone(),
    }
}
