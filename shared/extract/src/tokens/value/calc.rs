//! `calc()` added up as far as units allow (Values 4, section 10.10), the author's units kept.

use limner_style::value::{Component, format_plain, serialize_plain};

/// Deepest nesting that is added up.
const MAX_DEPTH: usize = 16;
/// Most different units in a sum.
const MAX_UNITS: usize = 8;

/// A sum of one amount for each unit; numbers have the empty unit, percentages `%`.
#[derive(Debug, Clone, PartialEq)]
struct Sum(Vec<(Box<str>, f64)>);

impl Sum {
    fn one(unit: &str, value: f64) -> Self {
        Self(vec![(unit.into(), value)])
    }

    fn add(&mut self, other: &Self, sign: f64) -> Option<()> {
        for (unit, value) in &other.0 {
            match self.0.iter_mut().find(|(known, _)| known == unit) {
                Some((_, own)) => *own += sign * value,
                None => self.0.push((unit.clone(), sign * value)),
            }
        }
        (self.0.len() <= MAX_UNITS).then_some(())
    }

    /// The number, when that is all there is.
    fn number(&self) -> Option<f64> {
        match self.0.as_slice() {
            [(unit, value)] if unit.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// Without the units of which there is nothing, when there are several.
    fn without_nothing(mut self) -> Self {
        if self.0.len() > 1 {
            self.0.retain(|(_, value)| *value != 0.0);
        }
        self
    }

    fn scaled(mut self, factor: f64) -> Self {
        self.0.iter_mut().for_each(|(_, value)| *value *= factor);
        self
    }
}

/// What a mathematical function is: as `read` has it where one quantity is left of it (`calc(0.25rem * 4)` is `1rem`),
/// else in its one spelling.
pub(super) fn read(component: &Component, read: fn(&Component) -> Option<String>) -> Option<String> {
    match single(component) {
        Some(quantity) => read(&quantity),
        None => normal(component),
    }
}

/// The one quantity that a sum comes to.
pub(super) fn single(component: &Component) -> Option<Component> {
    let (name, arguments) = component.as_function()?;
    let total = sum(arguments, 0).filter(|_| matches!(name, "calc" | "-webkit-calc"))?.without_nothing();
    match total.0.as_slice() {
        [(_, value)] if !value.is_finite() => None,
        [(unit, value)] => Some(match &**unit {
            "" => Component::Number { value: *value, integer: value.fract() == 0.0 },
            "%" => Component::Percentage(*value),
            unit => Component::Dimension { value: *value, unit: unit.into() },
        }),
        _ => None,
    }
}

/// A mathematical function in its one spelling: `calc(1rem + 100%)` is `calc(100% + 1rem)`. What can't be added up stays
/// as it is.
pub(super) fn normal(component: &Component) -> Option<String> {
    let (name, arguments) = component.as_function()?;
    let text = match name {
        "calc" | "-webkit-calc" => match sum(arguments, 0) {
            Some(total) => format!("calc({})", written(total)?),
            None => format!("calc({})", spaced(arguments)),
        },
        _ => spaced(std::slice::from_ref(component)),
    };
    Some(text)
}

fn written(mut total: Sum) -> Option<String> {
    if total.0.iter().any(|(_, value)| !value.is_finite()) {
        return None;
    }
    total = total.without_nothing();
    // Percentages first, as browsers write sums; then by unit.
    total.0.sort_by(|(a, _), (b, _)| (&**a != "%", a).cmp(&(&**b != "%", b)));
    let mut text = String::new();
    for (index, (unit, value)) in total.0.iter().enumerate() {
        let shown = if index == 0 { *value } else { value.abs() };
        if index > 0 {
            text.push_str(if *value < 0.0 { " - " } else { " + " });
        }
        text.push_str(&format_plain(shown));
        text.push_str(unit);
    }
    Some(if text.is_empty() { "0px".to_owned() } else { text })
}

fn sum(components: &[Component], depth: usize) -> Option<Sum> {
    let mut total: Option<Sum> = None;
    let (mut start, mut sign) = (0, 1.0);
    for index in 0..=components.len() {
        let next_sign = match components.get(index) {
            Some(Component::Delim('+')) if index > start => 1.0,
            Some(Component::Delim('-')) if index > start => -1.0,
            Some(_) => continue,
            None => 1.0,
        };
        let term = product(&components[start..index], depth)?;
        match &mut total {
            None => total = Some(term.scaled(sign)),
            Some(total) => total.add(&term, sign)?,
        }
        (start, sign) = (index + 1, next_sign);
    }
    total
}

fn product(components: &[Component], depth: usize) -> Option<Sum> {
    let (first, mut rest) = components.split_first()?;
    let mut total = operand(first, depth)?;
    while let [operator, component, after @ ..] = rest {
        let factor = operand(component, depth)?;
        total = match (operator, factor.number(), total.number()) {
            (Component::Delim('*'), Some(factor), _) => total.scaled(factor),
            (Component::Delim('*'), None, Some(number)) => factor.scaled(number),
            (Component::Slash, Some(factor), _) if factor != 0.0 => total.scaled(1.0 / factor),
            _ => return None,
        };
        rest = after;
    }
    rest.is_empty().then_some(total)
}

fn operand(component: &Component, depth: usize) -> Option<Sum> {
    match component {
        Component::Number { value, .. } => Some(Sum::one("", *value)),
        Component::Percentage(value) => Some(Sum::one("%", *value)),
        Component::Dimension { value, unit } => Some(Sum::one(unit, *value)),
        Component::Block('(', inner) if depth < MAX_DEPTH => sum(inner, depth + 1),
        Component::Function { name, arguments } if matches!(&**name, "calc" | "-webkit-calc") && depth < MAX_DEPTH => {
            sum(arguments, depth + 1)
        }
        _ => None,
    }
}

/// As serialised: operators have white space around them.
fn spaced(components: &[Component]) -> String {
    serialize_plain(components).replace("( ", "(").to_ascii_lowercase()
}
