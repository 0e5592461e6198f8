//! Mathematical functions (Values 4, section 10).

use super::component::Component;
use super::units::{Lengths, to_degrees, to_dppx, to_seconds};

/// The type of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number without unit.
    Number,
    /// A length.
    Length,
    /// A percentage.
    Percentage,
    /// A length plus a percentage, which only layout can add.
    LengthPercentage,
    /// An angle.
    Angle,
    /// A time.
    Time,
    /// A resolution.
    Resolution,
    /// A share of free space (`fr`).
    Flex,
}

/// A number with its type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    /// The type.
    pub kind: Kind,
    /// In px, degrees, seconds, dppx or as plain number; the length term for [`Kind::LengthPercentage`].
    pub value: f64,
    /// The percentage term.
    pub percent: f64,
    /// True if the value depends on layout (`min(50%, 10px)`).
    pub opaque: bool,
}

impl Quantity {
    fn new(kind: Kind, value: f64) -> Self {
        Self { kind, value, percent: 0.0, opaque: false }
    }

    fn percentage(value: f64) -> Self {
        Self { kind: Kind::Percentage, value: 0.0, percent: value, opaque: false }
    }

    /// Returns the percentage of a quantity that is one, else the value.
    fn magnitude(self) -> f64 {
        if self.kind == Kind::Percentage { self.percent } else { self.value }
    }

    fn with_magnitude(self, magnitude: f64) -> Self {
        match self.kind {
            Kind::Percentage => Self::percentage(magnitude),
            kind => Self::new(kind, magnitude),
        }
    }

    fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, percent: self.percent * factor, ..self }
    }
}

/// Returns true if a function of that name is a mathematical one.
pub fn is_math(name: &str) -> bool {
    matches!(
        name,
        "calc"
            | "-webkit-calc"
            | "min"
            | "max"
            | "clamp"
            | "round"
            | "mod"
            | "rem"
            | "sin"
            | "cos"
            | "tan"
            | "asin"
            | "acos"
            | "atan"
            | "atan2"
            | "pow"
            | "sqrt"
            | "hypot"
            | "log"
            | "exp"
            | "abs"
            | "sign"
            | "progress"
    )
}

/// Evaluates a component: a number with or without unit, or a mathematical function. `None` if it is neither or the
/// types don't fit.
pub fn quantity(component: &Component, lengths: &Lengths) -> Option<Quantity> {
    let found = term(component, lengths)?;
    Some(Quantity { value: clamp_calculation(found.value), percent: clamp_calculation(found.percent), ..found })
}

/// Clamps the result of a calculation to finite numbers (Values 4, section 10.9.1); intermediate results may be
/// infinite or NaN.
pub fn clamp_calculation(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) }
}

fn term(component: &Component, lengths: &Lengths) -> Option<Quantity> {
    match component {
        Component::Number { value, .. } => Some(Quantity::new(Kind::Number, *value)),
        Component::Percentage(value) => Some(Quantity::percentage(*value)),
        Component::Dimension { value, unit } => dimension(*value, unit, lengths),
        Component::Function { name, arguments } if is_math(name) => function(name, arguments, lengths),
        _ => None,
    }
}

fn dimension(value: f64, unit: &str, lengths: &Lengths) -> Option<Quantity> {
    if let Some(px) = lengths.to_px(value, unit) {
        return Some(Quantity::new(Kind::Length, px));
    }
    let angle = to_degrees(value, unit).map(|v| Quantity::new(Kind::Angle, v));
    let time = || to_seconds(value, unit).map(|v| Quantity::new(Kind::Time, v));
    let resolution = || to_dppx(value, unit).map(|v| Quantity::new(Kind::Resolution, v));
    let flex = || (unit == "fr").then(|| Quantity::new(Kind::Flex, value));
    angle.or_else(time).or_else(resolution).or_else(flex)
}

fn function(name: &str, arguments: &[Component], lengths: &Lengths) -> Option<Quantity> {
    if name == "round" {
        return round(arguments, lengths);
    }
    if name == "clamp" {
        return clamp(arguments, lengths);
    }
    let values: Vec<Quantity> =
        super::component::split_commas(arguments).iter().map(|part| sum(part, lengths)).collect::<Option<_>>()?;
    let first = *values.first()?;
    let single = || (values.len() == 1).then_some(first);
    let number = |value: f64| Some(Quantity::new(Kind::Number, value));
    match name {
        "calc" | "-webkit-calc" => single(),
        "min" => fold(&values, f64::min),
        "max" => fold(&values, f64::max),
        "mod" => pair(&values, |a, b| a - b * (a / b).floor()),
        "rem" => pair(&values, |a, b| a % b),
        "abs" => single().filter(|q| !q.opaque).map(|q| q.with_magnitude(q.magnitude().abs())),
        "sign" => single().and_then(|q| number(if q.magnitude() == 0.0 { 0.0 } else { q.magnitude().signum() })),
        "sin" | "cos" | "tan" => trigonometric(name, single()?),
        "asin" | "acos" | "atan" => inverse(name, single()?),
        "atan2" => {
            let [y, x] = values.as_slice() else { return None };
            (y.kind == x.kind).then(|| Quantity::new(Kind::Angle, y.magnitude().atan2(x.magnitude()).to_degrees()))
        }
        "pow" => {
            let [base, exponent] = values.as_slice() else { return None };
            let numbers = base.kind == Kind::Number && exponent.kind == Kind::Number;
            numbers.then(|| Quantity::new(Kind::Number, base.value.powf(exponent.value)))
        }
        "sqrt" => single().filter(|q| q.kind == Kind::Number).and_then(|q| number(q.value.sqrt())),
        "exp" => single().filter(|q| q.kind == Kind::Number).and_then(|q| number(q.value.exp())),
        "log" => match values.as_slice() {
            [value] => number(value.value.ln()),
            [value, base] => number(value.value.log(base.value)),
            _ => None,
        },
        "progress" => progress(&values),
        "hypot" => {
            let same = values.iter().all(|q| q.kind == first.kind && !q.opaque);
            same.then(|| first.with_magnitude(values.iter().map(|q| q.magnitude().powi(2)).sum::<f64>().sqrt()))
        }
        _ => None,
    }
}

/// Returns how far a value is on the way from one to another, from 0 to 1 (Values 5, section 8).
fn progress(values: &[Quantity]) -> Option<Quantity> {
    let [value, start, end] = values else { return None };
    let is_alike = |other: &Quantity| other.kind == value.kind && !other.opaque;
    if value.kind == Kind::LengthPercentage || !values.iter().all(is_alike) {
        return None;
    }
    let (value, start, end) = (value.magnitude(), start.magnitude(), end.magnitude());
    let share = if start == end { f64::from(u8::from(value > start)) } else { (value - start) / (end - start) };
    Some(Quantity::new(Kind::Number, share.clamp(0.0, 1.0)))
}

fn trigonometric(name: &str, angle: Quantity) -> Option<Quantity> {
    let radians = match angle.kind {
        Kind::Number => angle.value,
        Kind::Angle => angle.value.to_radians(),
        _ => return None,
    };
    let value = match name {
        "sin" => radians.sin(),
        "cos" => radians.cos(),
        _ => radians.tan(),
    };
    Some(Quantity::new(Kind::Number, value))
}

fn inverse(name: &str, value: Quantity) -> Option<Quantity> {
    if value.kind != Kind::Number {
        return None;
    }
    let radians = match name {
        "asin" => value.value.asin(),
        "acos" => value.value.acos(),
        _ => value.value.atan(),
    };
    Some(Quantity::new(Kind::Angle, radians.to_degrees()))
}

/// Returns the common kind of two operands of `+`, `min()` and the like.
fn common_kind(a: Kind, b: Kind) -> Option<Kind> {
    use Kind::{Length, LengthPercentage, Percentage};
    match (a, b) {
        (a, b) if a == b => Some(a),
        (Length | LengthPercentage | Percentage, Length | LengthPercentage | Percentage) => Some(LengthPercentage),
        _ => None,
    }
}

fn fold(values: &[Quantity], choose: fn(f64, f64) -> f64) -> Option<Quantity> {
    let mut values = values.iter().copied();
    let first = values.next()?;
    values.try_fold(first, |a, b| {
        let kind = common_kind(a.kind, b.kind)?;
        if kind == Kind::LengthPercentage || a.opaque || b.opaque {
            return Some(Quantity { kind, opaque: true, ..a });
        }
        let (one, other) = (a.magnitude(), b.magnitude());
        // NaN makes every result NaN (Values 4, section 10.9).
        let chosen = if one.is_nan() || other.is_nan() { f64::NAN } else { choose(one, other) };
        Some(a.with_magnitude(chosen))
    })
}

fn pair(values: &[Quantity], operate: fn(f64, f64) -> f64) -> Option<Quantity> {
    let [a, b] = values else { return None };
    let kind = common_kind(a.kind, b.kind)?;
    if kind == Kind::LengthPercentage || a.opaque || b.opaque {
        return Some(Quantity { kind, opaque: true, ..*a });
    }
    Some(a.with_magnitude(operate(a.magnitude(), b.magnitude())))
}

fn clamp(arguments: &[Component], lengths: &Lengths) -> Option<Quantity> {
    let parts = super::component::split_commas(arguments);
    let [low, middle, high] = parts.as_slice() else { return None };
    let bound = |part: &[Component]| match part {
        [only] if only.is_ident("none") => Some(None),
        part => sum(part, lengths).map(Some),
    };
    let (low, middle, high) = (bound(low)?, sum(middle, lengths)?, bound(high)?);
    let upper = high.map_or(Some(middle), |high| fold(&[middle, high], f64::min))?;
    low.map_or(Some(upper), |low| fold(&[upper, low], f64::max))
}

fn round(arguments: &[Component], lengths: &Lengths) -> Option<Quantity> {
    let parts = super::component::split_commas(arguments);
    let (strategy, rest) = match parts.first()? {
        [Component::Ident(name)] if matches!(&*name.to_ascii_lowercase(), "nearest" | "up" | "down" | "to-zero") => {
            (name.to_ascii_lowercase(), &parts[1..])
        }
        _ => ("nearest".to_owned(), &parts[..]),
    };
    let value = sum(rest.first()?, lengths)?;
    let step = match rest {
        [_] => Quantity::new(Kind::Number, 1.0),
        [_, step] => sum(step, lengths)?,
        _ => return None,
    };
    let operate: fn(f64, f64) -> f64 = match strategy.as_str() {
        "up" => |a, b| (a / b).ceil() * b,
        "down" => |a, b| (a / b).floor() * b,
        "to-zero" => |a, b| (a / b).trunc() * b,
        _ => |a, b| (a / b + 0.5).floor() * b,
    };
    pair(&[value, step], operate)
}

/// Evaluates a calculation: terms joined by `+` and `-`.
pub(crate) fn sum(components: &[Component], lengths: &Lengths) -> Option<Quantity> {
    let mut total: Option<Quantity> = None;
    let mut start = 0;
    let mut sign = 1.0;
    for index in 0..=components.len() {
        let next_sign = match components.get(index) {
            Some(Component::Delim('+')) if index > start => Some(1.0),
            Some(Component::Delim('-')) if index > start => Some(-1.0),
            Some(_) => continue,
            None => None,
        };
        let term = product(&components[start..index], lengths)?.scaled(sign);
        total = Some(match total {
            None => term,
            Some(total) => add(total, term)?,
        });
        start = index + 1;
        sign = next_sign.unwrap_or(1.0);
    }
    total
}

fn add(a: Quantity, b: Quantity) -> Option<Quantity> {
    let kind = common_kind(a.kind, b.kind)?;
    Some(Quantity { kind, value: a.value + b.value, percent: a.percent + b.percent, opaque: a.opaque || b.opaque })
}

fn product(components: &[Component], lengths: &Lengths) -> Option<Quantity> {
    let (first, mut rest) = components.split_first()?;
    let mut total = operand(first, lengths)?;
    while let [operator, component, after @ ..] = rest {
        let factor = operand(component, lengths)?;
        total = match operator {
            Component::Delim('*') if factor.kind == Kind::Number => total.scaled(factor.value),
            Component::Delim('*') if total.kind == Kind::Number => factor.scaled(total.value),
            Component::Slash if factor.kind == Kind::Number => total.scaled(1.0 / factor.value),
            // Typed division: the units cancel out.
            Component::Slash if factor.kind == total.kind && !total.opaque && !factor.opaque => {
                Quantity::new(Kind::Number, total.magnitude() / factor.magnitude())
            }
            _ => return None,
        };
        rest = after;
    }
    rest.is_empty().then_some(total)
}

fn operand(component: &Component, lengths: &Lengths) -> Option<Quantity> {
    match component {
        Component::Block('(', inner) => sum(inner, lengths),
        Component::Ident(name) => constant(name),
        other => term(other, lengths),
    }
}

fn constant(name: &str) -> Option<Quantity> {
    let value = match &*name.to_ascii_lowercase() {
        "e" => std::f64::consts::E,
        "pi" => std::f64::consts::PI,
        "infinity" => f64::INFINITY,
        "-infinity" => f64::NEG_INFINITY,
        "nan" => f64::NAN,
        _ => return None,
    };
    Some(Quantity::new(Kind::Number, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::parse_components;

    fn evaluate(text: &str) -> Option<(Kind, f64, f64)> {
        let components = parse_components(text).unwrap();
        let lengths = Lengths { font_size: 20.0, ..Lengths::initial(1000.0, 500.0) };
        quantity(components.first()?, &lengths).filter(|q| !q.opaque).map(|q| (q.kind, q.value, q.percent))
    }

    #[test]
    fn values_4_section_10_mathematical_expressions() {
        for (text, kind, value, percent) in [
            ("calc(1px + 2px)", Kind::Length, 3.0, 0.0),
            ("calc(1em * 2 - 4px)", Kind::Length, 36.0, 0.0),
            ("calc(100% - 10px)", Kind::LengthPercentage, -10.0, 100.0),
            ("min(10px, 1em)", Kind::Length, 10.0, 0.0),
            ("max(10px, 1em, 5vw)", Kind::Length, 50.0, 0.0),
            ("clamp(1rem, 2vw, 3rem)", Kind::Length, 20.0, 0.0),
            ("clamp(none, 200px, 3rem)", Kind::Length, 48.0, 0.0),
            ("calc((1px + 2px) * 3)", Kind::Length, 9.0, 0.0),
            ("calc(10px / 4px)", Kind::Number, 2.5, 0.0),
            ("calc(2 * 3 + 1)", Kind::Number, 7.0, 0.0),
            ("round(down, 17px, 5px)", Kind::Length, 15.0, 0.0),
            ("round(17.5px, 5px)", Kind::Length, 20.0, 0.0),
            ("mod(-7px, 5px)", Kind::Length, 3.0, 0.0),
            ("sin(90deg)", Kind::Number, 1.0, 0.0),
            ("pow(2, 10)", Kind::Number, 1024.0, 0.0),
            ("hypot(3px, 4px)", Kind::Length, 5.0, 0.0),
            ("calc(50% + 25%)", Kind::Percentage, 0.0, 75.0),
            ("progress(30px, 20px, 60px)", Kind::Number, 0.25, 0.0),
            ("progress(90px, 20px, 60px)", Kind::Number, 1.0, 0.0),
            ("abs(-3px)", Kind::Length, 3.0, 0.0),
            ("sign(-3px)", Kind::Number, -1.0, 0.0),
            ("calc(1turn / 4)", Kind::Angle, 90.0, 0.0),
            ("calc(-1 * 5px)", Kind::Length, -5.0, 0.0),
        ] {
            let (k, v, p) = evaluate(text).unwrap_or_else(|| panic!("{text}"));
            assert!(k == kind && (v - value).abs() < 1e-6 && (p - percent).abs() < 1e-6, "{text}: {k:?} {v} {p}");
        }
        for invalid in
            ["calc(1px + 1)", "calc(1px * 1px)", "calc()", "calc(1px +)", "min()", "clamp(1px, 2px)", "calc(1px 2px)"]
        {
            assert_eq!(evaluate(invalid), None, "{invalid}");
        }
        assert_eq!(evaluate("min(50%, 10px)"), None);
    }
}
