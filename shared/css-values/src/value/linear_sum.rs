//! Evaluates `calc()` to a linear combination of units (CSS Values 4, section 10.10); the author's
//! units are kept.

use super::Component;

/// Maximum nesting of expressions.
const MAX_DEPTH: usize = 16;
/// Maximum number of different units in a sum.
const MAX_UNITS: usize = 8;

/// One amount per unit, in order of appearance; numbers have the empty unit, percentages `%`.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearSum(pub Vec<(Box<str>, f64)>);

impl LinearSum {
    /// Evaluates a `calc()`; `None` for other functions and for products of units.
    pub fn from_calc(name: &str, arguments: &[Component]) -> Option<Self> {
        is_calc(name).then(|| sum(arguments, 0))?
    }

    fn term(unit: &str, value: f64) -> Self {
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

    /// Returns the number, if the sum consists of a unitless number only.
    fn number(&self) -> Option<f64> {
        match self.0.as_slice() {
            [(unit, value)] if unit.is_empty() => Some(*value),
            _ => None,
        }
    }

    fn scaled(mut self, factor: f64) -> Self {
        self.0.iter_mut().for_each(|(_, value)| *value *= factor);
        self
    }
}

fn is_calc(name: &str) -> bool {
    matches!(name, "calc" | "-webkit-calc")
}

/// Evaluates terms separated by `+` and `-`. The tokenizer gives `1px -2px` no operator, so that is
/// no sum.
fn sum(components: &[Component], depth: usize) -> Option<LinearSum> {
    let mut total: Option<LinearSum> = None;
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

/// Evaluates factors separated by `*` and `/`, of which at most one has a unit.
fn product(components: &[Component], depth: usize) -> Option<LinearSum> {
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

fn operand(component: &Component, depth: usize) -> Option<LinearSum> {
    match component {
        Component::Number { value, .. } => Some(LinearSum::term("", *value)),
        Component::Percentage(value) => Some(LinearSum::term("%", *value)),
        Component::Dimension { value, unit } => Some(LinearSum::term(unit, *value)),
        Component::Block('(', inner) if depth < MAX_DEPTH => sum(inner, depth + 1),
        Component::Function { name, arguments } if is_calc(name) && depth < MAX_DEPTH => sum(arguments, depth + 1),
        Component::Function { name, arguments } if depth < MAX_DEPTH => extremum(name, arguments, depth + 1),
        _ => None,
    }
}

/// Evaluates `min()` and `max()` of amounts in one unit. Percentages may be of a negative length, which would swap the
/// two.
fn extremum(name: &str, arguments: &[Component], depth: usize) -> Option<LinearSum> {
    let choose = match name {
        "min" => f64::min,
        "max" => f64::max,
        _ => return None,
    };
    let mut amounts = arguments.split(|component| *component == Component::Comma).map(|argument| {
        let LinearSum(amounts) = sum(argument, depth)?;
        <[_; 1]>::try_from(amounts).ok().map(|[amount]| amount)
    });
    let (unit, first) = amounts.next()?.filter(|(unit, _)| &**unit != "%")?;
    amounts
        .try_fold(first, |best, amount| amount.filter(|(own, _)| *own == unit).map(|(_, value)| choose(best, value)))
        .map(|value| LinearSum::term(&unit, value))
}
