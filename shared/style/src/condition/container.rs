//! Container queries (Conditional 5): container names and conditions.

use super::expression::{ConditionExpression, Feature, parse};
use crate::value::component::{Component, serialize};
use crate::value::math::quantity;
use crate::value::{Lengths, parse_components};

/// A container query.
#[derive(Debug, Clone)]
pub(crate) struct ContainerQuery {
    pub(crate) name: Option<Box<str>>,
    /// `None`: any container of that name matches.
    condition: Option<ConditionExpression<SizeQuery>>,
    /// True if the size is queried, so that only size containers are considered.
    pub(crate) asks_size: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum SizeQuery {
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
        let asks_size = condition.as_ref().is_some_and(queries_size);
        Some(Self { name, condition, asks_size })
    }

    /// Visits every size feature; the flag is true if it is negated.
    pub(super) fn visit_size_features(&self, visit: &mut dyn FnMut(&Feature, bool)) {
        let Some(condition) = &self.condition else { return };
        super::requirements::visit_features(condition, false, &mut |question, negated| {
            if let SizeQuery::Size(feature) = question {
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

fn queries_size(expression: &ConditionExpression<SizeQuery>) -> bool {
    match expression {
        ConditionExpression::Feature(SizeQuery::Size(_)) => true,
        ConditionExpression::Not(inner) => queries_size(inner),
        ConditionExpression::And(list) | ConditionExpression::Or(list) => list.iter().any(queries_size),
        _ => false,
    }
}

fn leaf(component: &Component) -> Option<ConditionExpression<SizeQuery>> {
    match component {
        Component::Block('(', words) => {
            if let Some(nested) = parse(words, true, &leaf) {
                return Some(nested);
            }
            Some(
                Feature::parse(words)
                    .map_or(ConditionExpression::Unknown, |f| ConditionExpression::Feature(SizeQuery::Size(f))),
            )
        }
        Component::Function { name, arguments } if &**name == "style" => Some(style(arguments)),
        Component::Function { .. } => Some(ConditionExpression::Unknown),
        _ => None,
    }
}

fn style(words: &[Component]) -> ConditionExpression<SizeQuery> {
    let question = match words {
        [Component::Ident(name)] => SizeQuery::Style { name: name.clone(), value: None },
        [Component::Ident(name), Component::Delim(':'), value @ ..] => {
            SizeQuery::Style { name: name.clone(), value: Some(serialize(value).into()) }
        }
        _ => return parse(words, true, &style_leaf).unwrap_or(ConditionExpression::Unknown),
    };
    ConditionExpression::Feature(question)
}

fn style_leaf(component: &Component) -> Option<ConditionExpression<SizeQuery>> {
    match component {
        Component::Block('(', words) => Some(style(words)),
        _ => None,
    }
}

fn answer(question: &SizeQuery, container: &dyn Container, lengths: &Lengths) -> Option<bool> {
    match question {
        SizeQuery::Size(feature) => {
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
        SizeQuery::Style { name, value } => {
            let own = container.custom(name);
            let Some(wanted) = value else { return Some(own.is_some()) };
            let normal = |text: &str| parse_components(text).map(|components| serialize(&components));
            Some(own.and_then(|own| normal(&own)).is_some_and(|own| own == **wanted))
        }
    }
}
