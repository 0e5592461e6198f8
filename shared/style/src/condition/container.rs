//! Container queries (Conditional 5): container names and conditions.

use super::query::{Expression, Feature, parse};
use crate::value::component::{Component, serialize};
use crate::value::math::quantity;
use crate::value::{Lengths, parse_components};

/// A container query.
#[derive(Debug, Clone)]
pub(crate) struct ContainerQuery {
    pub(crate) name: Option<Box<str>>,
    /// `None`: any container of that name matches.
    condition: Option<Expression<Question>>,
    /// True if the size is queried, so that only size containers are considered.
    pub(crate) asks_size: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Question {
    Size(Feature),
    /// `style(--name: value)`
    Style {
        name: Box<str>,
        value: Option<Box<str>>,
    },
}

/// An ancestor that can be queried.
pub(crate) trait Container {
    /// Returns the content width in CSS pixels, if it is known without layout.
    fn width(&self) -> Option<f64>;
    /// Returns a custom property's value.
    fn custom(&self, name: &str) -> Option<String>;
}

impl ContainerQuery {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let words = parse_components(text)?;
        let (name, rest) = match words.as_slice() {
            [Component::Ident(name), rest @ ..] if !name.eq_ignore_ascii_case("not") => (Some(name.clone()), rest),
            rest => (None, rest),
        };
        let condition = if rest.is_empty() { None } else { Some(parse(rest, true, &leaf)?) };
        let asks_size = condition.as_ref().is_some_and(asks_size);
        Some(Self { name, condition, asks_size })
    }

    /// Visits every size feature; the flag is true if it is negated.
    pub(super) fn each_size(&self, visit: &mut dyn FnMut(&Feature, bool)) {
        let Some(condition) = &self.condition else { return };
        super::facts::each(condition, false, &mut |question, negated| {
            if let Question::Size(feature) = question {
                visit(feature, negated);
            }
        });
    }

    /// Returns true if the condition holds for the container.
    pub(crate) fn matches(&self, container: &dyn Container, lengths: &Lengths) -> bool {
        let Some(condition) = &self.condition else { return true };
        condition.evaluate(&|question| answer(question, container, lengths)) == Some(true)
    }
}

fn asks_size(expression: &Expression<Question>) -> bool {
    match expression {
        Expression::Feature(Question::Size(_)) => true,
        Expression::Not(inner) => asks_size(inner),
        Expression::And(list) | Expression::Or(list) => list.iter().any(asks_size),
        _ => false,
    }
}

fn leaf(component: &Component) -> Option<Expression<Question>> {
    match component {
        Component::Block('(', words) => {
            if let Some(nested) = parse(words, true, &leaf) {
                return Some(nested);
            }
            Some(Feature::parse(words).map_or(Expression::Unknown, |f| Expression::Feature(Question::Size(f))))
        }
        Component::Function { name, arguments } if &**name == "style" => Some(style(arguments)),
        Component::Function { .. } => Some(Expression::Unknown),
        _ => None,
    }
}

fn style(words: &[Component]) -> Expression<Question> {
    let question = match words {
        [Component::Ident(name)] => Question::Style { name: name.clone(), value: None },
        [Component::Ident(name), Component::Delim(':'), value @ ..] => {
            Question::Style { name: name.clone(), value: Some(serialize(value).into()) }
        }
        _ => return parse(words, true, &style_leaf).unwrap_or(Expression::Unknown),
    };
    Expression::Feature(question)
}

fn style_leaf(component: &Component) -> Option<Expression<Question>> {
    match component {
        Component::Block('(', words) => Some(style(words)),
        _ => None,
    }
}

fn answer(question: &Question, container: &dyn Container, lengths: &Lengths) -> Option<bool> {
    match question {
        Question::Size(feature) => {
            let own = match &*feature.name {
                "width" | "inline-size" => container.width()?,
                "orientation" | "height" | "block-size" | "aspect-ratio" => return None,
                _ => return None,
            };
            if feature.bounds.is_empty() {
                return Some(own > 0.0);
            }
            let mut all = true;
            for (comparison, value) in &feature.bounds {
                let [value] = value.as_slice() else { return None };
                all &= comparison.holds(own, quantity(value, lengths)?.value);
            }
            Some(all)
        }
        Question::Style { name, value } => {
            let own = container.custom(name);
            let Some(wanted) = value else { return Some(own.is_some()) };
            let normal = |text: &str| parse_components(text).map(|components| serialize(&components));
            Some(own.and_then(|own| normal(&own)).is_some_and(|own| own == **wanted))
        }
    }
}
