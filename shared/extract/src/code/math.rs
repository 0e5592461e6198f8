//! `calc()` without what needs no calculating: `calc(0.25rem * 4)` is `1rem`.

use super::value::plain;
use limner_style::value::{Component, parse_components};

/// The value, shorter when it is one `calc()` that is linear in its units: one length when there is one unit, else the
/// sum of what is in each. Other values are as they were.
pub(super) fn simplify(value: &str) -> String {
    let trimmed = value.trim();
    let is_calc = trimmed.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("calc("));
    if !is_calc {
        return trimmed.to_owned();
    }
    let simple = match parse_components(trimmed).as_deref() {
        Some([Component::Function { name, arguments }]) if &**name == "calc" => sum(arguments).and_then(Sum::write),
        _ => None,
    };
    simple.unwrap_or_else(|| trimmed.to_owned())
}

/// Amounts of each unit, in order of appearance.
struct Sum(Vec<(String, f64)>);

impl Sum {
    fn one(amount: f64, unit: &str) -> Self {
        Self(vec![(unit.to_owned(), amount)])
    }

    fn add(&mut self, other: Self, sign: f64) {
        for (unit, amount) in other.0 {
            match self.0.iter_mut().find(|(own, _)| *own == unit) {
                Some((_, own)) => *own += sign * amount,
                None => self.0.push((unit, sign * amount)),
            }
        }
    }

    fn scale(mut self, factor: f64) -> Self {
        self.0.iter_mut().for_each(|(_, amount)| *amount *= factor);
        self
    }

    fn as_number(&self) -> Option<f64> {
        match self.0.as_slice() {
            [(unit, amount)] if unit.is_empty() => Some(*amount),
            _ => None,
        }
    }

    fn write(mut self) -> Option<String> {
        let has = |unit: &str| self.0.iter().any(|(own, _)| own == unit);
        if has("px") && has("rem") {
            let (lengths, rest): (Vec<_>, Vec<_>) =
                self.0.into_iter().partition(|(unit, _)| unit == "px" || unit == "rem");
            let px = lengths.iter().map(|(unit, amount)| if unit == "rem" { amount * 16.0 } else { *amount }).sum();
            self.0 = rest;
            self.0.push(("px".to_owned(), px));
        }
        if self.0.iter().any(|(_, amount)| !amount.is_finite()) {
            return None;
        }
        if self.0.len() > 1 {
            self.0.retain(|(_, amount)| amount.abs() > 1e-9);
        }
        match self.0.as_slice() {
            [] => Some("0px".to_owned()),
            // Browsers have numbers in single precision, and lines are as many times as high as the font.
            [(unit, amount)] if unit.is_empty() => {
                let most = f64::from(f32::MAX);
                Some((amount.clamp(-most, most) as f32).to_string())
            }
            [(unit, amount)] => Some(format!("{}{unit}", plain(*amount))),
            [(unit, amount), rest @ ..] => {
                let mut out = format!("calc({}{unit}", plain(*amount));
                for (unit, amount) in rest {
                    let sign = if *amount < 0.0 { '-' } else { '+' };
                    out.push_str(&format!(" {sign} {}{unit}", plain(amount.abs())));
                }
                Some(out + ")")
            }
        }
    }
}

/// Terms with `+` and `-` between them. The tokenizer gives `1px -2px` no operator: that is no sum.
fn sum(components: &[Component]) -> Option<Sum> {
    let mut total: Option<Sum> = None;
    let mut sign = 1.0;
    let mut start = 0;
    for (at, component) in components.iter().enumerate() {
        let next = match component {
            Component::Delim('+') => 1.0,
            Component::Delim('-') => -1.0,
            _ => continue,
        };
        total = Some(plus(total, product(&components[start..at])?, sign));
        (sign, start) = (next, at + 1);
    }
    Some(plus(total, product(&components[start..])?, sign))
}

fn plus(total: Option<Sum>, term: Sum, sign: f64) -> Sum {
    match total {
        None => term.scale(sign),
        Some(mut total) => {
            total.add(term, sign);
            total
        }
    }
}

/// Factors with `*` and `/` between them, all but one of them plain numbers.
fn product(components: &[Component]) -> Option<Sum> {
    let (first, rest) = components.split_first()?;
    let mut result = operand(first)?;
    for pair in rest.chunks(2) {
        let [operator, right] = pair else { return None };
        let right = operand(right)?;
        result = match (operator, result.as_number(), right.as_number()) {
            (Component::Delim('*'), _, Some(factor)) => result.scale(factor),
            (Component::Delim('*'), Some(factor), None) => right.scale(factor),
            (Component::Slash, _, Some(divisor)) if divisor != 0.0 => result.scale(1.0 / divisor),
            _ => return None,
        };
    }
    Some(result)
}

fn operand(component: &Component) -> Option<Sum> {
    match component {
        Component::Number { value, .. } => Some(Sum::one(*value, "")),
        Component::Percentage(value) => Some(Sum::one(*value, "%")),
        Component::Dimension { value, unit } => Some(Sum::one(*value, unit)),
        Component::Block('(', inner) => sum(inner),
        Component::Function { name, arguments } if &**name == "calc" => sum(arguments),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::simplify;

    #[test]
    fn linear_calculations_are_done() {
        let cases = [
            ("calc(0.25rem * 4)", "1rem"),
            ("calc(1rem + 1px)", "17px"),
            ("calc(100% - (2 * 16px))", "calc(100% - 32px)"),
            ("calc(100% - calc(2*1rem) - 1rem)", "calc(100% - 3rem)"),
            ("calc(-1 * (100% - 1rem))", "calc(-100% + 1rem)"),
            ("calc(100% / 3)", "33.33333%"),
            ("calc((100% - 32px) / 2)", "calc(50% - 16px)"),
            ("calc(1.75 / 1.125)", "1.5555556"),
            ("calc(100% - 0px)", "100%"),
            ("calc(1px - 1px)", "0px"),
            ("calc(1rem * -1)", "-1rem"),
            ("calc(1px * 1px)", "calc(1px * 1px)"),
            ("calc(1px / 0)", "calc(1px / 0)"),
            ("calc(min(1px, 2px) + 1px)", "calc(min(1px, 2px) + 1px)"),
            ("calc(infinity * 1px)", "calc(infinity * 1px)"),
            ("min(1px, 2px)", "min(1px, 2px)"),
            ("calc(1px) 2px", "calc(1px) 2px"),
            (" 1px ", "1px"),
        ];
        for (value, expected) in cases {
            assert_eq!(simplify(value), expected, "{value}");
        }
    }

    #[test]
    fn deep_nesting_ends() {
        let deep = format!("calc({}", "(".repeat(10_000));
        assert_eq!(simplify(&deep), deep);
    }
}
