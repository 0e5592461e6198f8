//! Simplifies `calc()`: `calc(0.25rem * 4)` → `1rem`. Also detects identity transforms.

use limner_css_values::property::expand;
use limner_css_values::value::LinearSum;
use limner_css_values::value::{Component, parse_components, serialize_authored};

/// Arithmetic for absolute lengths in different units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemArithmetic {
    /// Keep `calc(1rem + 1px)`: the size of a `rem` may change.
    Symbolic,
    /// Convert it to `17px`.
    Numeric,
}

/// Simplifies every `calc()` in the value that is linear in its units: to one dimension if a single
/// unit remains, else to a sum with one term per unit. `None` if the result is no simpler or
/// invalid for the property: the result of `calc()` is rounded and clamped, a plain value is not.
pub fn simplified(property: &str, value: &str, arithmetic: RemArithmetic) -> Option<String> {
    if !value.to_ascii_lowercase().contains("calc(") {
        return None;
    }
    let components = parse_components(value)?;
    let simple = simplify_all(&components, arithmetic);
    let changes = simple != components;
    changes.then(|| serialize_authored(&simple)).filter(|text| expand(property, text).is_some())
}

fn simplify_all(components: &[Component], arithmetic: RemArithmetic) -> Vec<Component> {
    components.iter().map(|component| simplify(component, arithmetic)).collect()
}

fn simplify(component: &Component, arithmetic: RemArithmetic) -> Component {
    match component {
        Component::Function { name, arguments } => {
            let total = LinearSum::from_calc(name, arguments).and_then(|sum| to_component(sum, arithmetic));
            total.unwrap_or_else(|| {
                let arguments = simplify_all(arguments, arithmetic);
                multiple(name, &arguments).unwrap_or_else(|| Component::Function { name: name.clone(), arguments })
            })
        }
        Component::Block(open, inner) => Component::Block(*open, simplify_all(inner, arithmetic)),
        other => other.clone(),
    }
}

/// Merges nested factors: `calc(2 * calc(3 * f()))` → `calc(6 * f())`.
fn multiple(name: &str, arguments: &[Component]) -> Option<Component> {
    let (factor, inner) = product(name, arguments)?;
    let Component::Function { name, arguments } = inner else { return None };
    let (other, inner) = product(name, arguments)?;
    let arguments = vec![quantity(factor * other, ""), Component::Delim('*'), inner.clone()];
    Some(Component::Function { name: "calc".into(), arguments })
}

/// Returns the factor and the operand of a `calc()` that is a product.
fn product<'c>(name: &str, arguments: &'c [Component]) -> Option<(f64, &'c Component)> {
    match arguments {
        [Component::Number { value, .. }, Component::Delim('*'), inner]
        | [inner, Component::Delim('*'), Component::Number { value, .. }] => {
            (name == "calc").then_some((*value, inner))
        }
        _ => None,
    }
}

/// Converts `rem` to pixels if the sum has both.
fn convert_rem(mut sum: LinearSum) -> LinearSum {
    let has = |unit: &str| sum.0.iter().any(|(own, _)| &**own == unit);
    if has("px") && has("rem") {
        let is_length = |unit: &str| matches!(unit, "px" | "rem");
        let px = |(unit, amount): &(Box<str>, f64)| if &**unit == "rem" { amount * 16.0 } else { *amount };
        let total = sum.0.iter().filter(|(unit, _)| is_length(unit)).map(px).sum();
        sum.0.retain(|(unit, _)| !is_length(unit));
        sum.0.push(("px".into(), total));
    }
    sum
}

/// Removes zero terms. If all are zero, a percentage is kept, since its base may be unknown.
fn drop_zero_terms(mut sum: LinearSum) -> LinearSum {
    let is_nothing = |amount: f64| amount.abs() <= 1e-9;
    if sum.0.iter().all(|(_, amount)| is_nothing(*amount)) {
        sum.0.sort_by_key(|(unit, _)| &**unit != "%");
        sum.0.truncate(1);
    } else {
        sum.0.retain(|(_, amount)| !is_nothing(*amount));
    }
    sum
}

fn to_component(sum: LinearSum, arithmetic: RemArithmetic) -> Option<Component> {
    let LinearSum(amounts) = drop_zero_terms(if arithmetic == RemArithmetic::Numeric { convert_rem(sum) } else { sum });
    if amounts.iter().any(|(_, amount)| !amount.is_finite()) {
        return None;
    }
    let (first, rest) = amounts.split_first()?;
    if rest.is_empty() {
        return Some(quantity(first.1, &first.0));
    }
    let (amount, first_divisor) = fraction(first.1, &first.0);
    let start = quantity(amount, &first.0);
    let mut arguments = vec![start];
    arguments.extend(first_divisor.into_iter().flatten());
    for (unit, amount) in rest {
        arguments.push(Component::Delim(if *amount < 0.0 { '-' } else { '+' }));
        let (amount, divisor) = fraction(amount.abs(), unit);
        arguments.push(quantity(amount, unit));
        arguments.extend(divisor.into_iter().flatten());
    }
    Some(Component::Function { name: "calc".into(), arguments })
}

/// Returns a quantity as a quotient if its decimals do not end: 33.333333% → 100% / 3.
fn fraction(amount: f64, unit: &str) -> (f64, Option<[Component; 2]>) {
    const DIVISORS: [f64; 4] = [3.0, 6.0, 7.0, 9.0];
    let ends = |amount: f64| ((amount * 1e4).round() - amount * 1e4).abs() < 1e-6;
    let divisor = DIVISORS.into_iter().find(|divisor| ends(amount * divisor));
    match divisor.filter(|_| !unit.is_empty() && !ends(amount)) {
        Some(value) => (amount * value, Some([Component::Delim('/'), Component::Number { value, integer: true }])),
        None => (amount, None),
    }
}

/// Returns a quantity. Numbers are rounded to single precision, as in browsers: a line height is a
/// multiple of the font size. Pixels are rounded to thousandths: browsers lay out in 64ths.
fn quantity(amount: f64, unit: &str) -> Component {
    let most = f64::from(f32::MAX);
    match unit {
        "" => {
            let value = (amount.clamp(-most, most) as f32).to_string().parse().unwrap_or(amount);
            Component::Number { value, integer: value.fract() == 0.0 }
        }
        "%" => Component::Percentage(rounded(amount)),
        "px" if amount.abs() >= 0.1 => Component::Dimension { value: (amount * 1e3).round() / 1e3, unit: unit.into() },
        unit => Component::Dimension { value: rounded(amount), unit: unit.into() },
    }
}

/// Rounds to six decimals, or to seven significant digits for small numbers.
fn rounded(amount: f64) -> f64 {
    if amount == 0.0 {
        return 0.0;
    }
    let magnitude = (amount.abs().log10().floor() as i32).clamp(-9, 0);
    let power = 10_f64.powi(6 - magnitude);
    (amount * power).round() / power
}

/// Returns true if a transform function is the identity.
pub fn changes_nothing(function: &Component) -> bool {
    let Component::Function { name, arguments } = function else { return false };
    let all = |wanted: f64| {
        arguments.iter().all(|argument| match argument {
            Component::Number { value, .. } | Component::Dimension { value, .. } => *value == wanted,
            Component::Percentage(value) => *value == wanted * if wanted == 0.0 { 1.0 } else { 100.0 },
            Component::Comma => true,
            _ => false,
        })
    };
    match &**name {
        "translate" | "translatex" | "translatey" | "rotate" | "rotatex" | "rotatey" | "rotatez" | "skewx"
        | "skewy" | "skew" => all(0.0),
        "scale" | "scalex" | "scaley" => all(1.0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simple(property: &str, value: &str, arithmetic: RemArithmetic) -> String {
        simplified(property, value, arithmetic).unwrap_or_else(|| value.to_owned())
    }

    #[test]
    fn linear_calculations_are_done() {
        let cases = [
            ("width", "calc(0.25rem * 14)", "3.5rem"),
            ("width", "calc(calc(0.5rem * 2) * 0.5)", "0.5rem"),
            ("width", "calc(1rem + 1px)", "calc(1rem + 1px)"),
            ("width", "calc(100% - (2 * 16px))", "calc(100% - 32px)"),
            ("width", "calc(100% - calc(2*1rem) - 1rem)", "calc(100% - 3rem)"),
            ("width", "calc(-1 * (100% - 1rem))", "calc(-100% + 1rem)"),
            ("width", "calc(100% / 3)", "33.333333%"),
            ("width", "calc((100% - 32px) / 2)", "calc(50% - 16px)"),
            ("width", "calc((100% - 2rem) / 3)", "calc(100% / 3 - 2rem / 3)"),
            ("width", "calc(33.3333% - 1rem)", "calc(33.3333% - 1rem)"),
            ("width", "calc(100% - 0px)", "100%"),
            ("width", "calc(1px - 1px)", "0px"),
            ("flex-basis", "calc(0px + 0%)", "0%"),
            ("width", "calc(1rem / 30)", "0.03333333rem"),
            ("margin-top", "calc(1rem * -1)", "-1rem"),
            ("z-index", "calc(10 * -1)", "-10"),
            ("line-height", "calc(1.75 / 1.125)", "1.5555556"),
            ("translate", "calc(calc(1 / 2 * 100%) * -1) 0", "-50% 0"),
            ("border-top-left-radius", "calc(8px * 1)", "8px"),
            ("box-shadow", "0 0 0 calc(1px + 0px) red", "0 0 0 1px red"),
            ("width", "max(calc(2 * 1rem), 5vw)", "max(2rem, 5vw)"),
            ("width", "calc(3 * calc(10px + 1vw))", "calc(30px + 3vw)"),
            ("font-size", "calc(42px * 1.19048)", "50px"),
            ("line-height", "calc(1 + 0.3 / max(1, 1.25))", "1.24"),
            ("width", "calc(min(1px, 2px) + 1px)", "2px"),
            ("width", "calc(max(1rem, 2rem, .5rem) * 2)", "4rem"),
            ("width", "calc(calc(2 * 1px) * pow(2, 2))", "calc(2px * pow(2, 2))"),
            ("width", "calc(.5 * calc(min(1em, 1vw) * calc(3 * 1)))", "calc(1.5 * min(1em, 1vw))"),
            ("width", "calc(2 * min(calc(1em * 3), 1vw))", "calc(2 * min(3em, 1vw))"),
            (
                "color",
                "color-mix(in srgb, #6b7280 calc(1*100%), transparent)",
                "color-mix(in srgb, #6b7280 100%, transparent)",
            ),
            ("transform", "rotate(calc(45deg * -1))", "rotate(-45deg)"),
        ];
        for (property, value, expected) in cases {
            assert_eq!(simple(property, value, RemArithmetic::Symbolic), expected, "{value}");
        }
        assert_eq!(simple("width", "calc(100% - 1rem + 1px)", RemArithmetic::Numeric), "calc(100% - 15px)");
    }

    #[test]
    fn expressions_that_would_change_meaning_are_kept() {
        for (property, value) in [
            ("width", "calc(0px - 5px)"),
            ("padding-top", "calc(1rem * -1)"),
            ("z-index", "calc(5 / 2)"),
            ("width", "calc(1px / 0)"),
            ("width", "calc(infinity * 1px)"),
            ("width", "calc(min(1px, 2rem) + 1px)"),
            ("left", "calc(min(10%, 20%) + 1px)"),
            ("width", "calc(min() + 1px)"),
            ("width", "min(1px, 2px)"),
            ("rotate", "calc(var(--angle) * 2)"),
        ] {
            assert_eq!(simplified(property, value, RemArithmetic::Symbolic), None, "{value}");
        }
        let deep = format!("calc({}", "(".repeat(10_000));
        assert_eq!(simplified("width", &deep, RemArithmetic::Symbolic), None);
    }
}
