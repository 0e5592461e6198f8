//! Lengths, percentages and numbers.

use super::calc;
use limner_style::value::{Component, format_plain};

/// A length or percentage in the author's unit; every zero is `0`.
pub(crate) fn length(component: &Component) -> Option<String> {
    match component {
        Component::Number { value, .. } if *value == 0.0 => Some("0".to_owned()),
        Component::Dimension { value, unit } => Some(with_unit(*value, unit)),
        Component::Percentage(value) => Some(with_unit(*value, "%")),
        Component::Function { name, .. } if is_math(name) => calc::read(component, length),
        _ => None,
    }
}

fn with_unit(value: f64, unit: &str) -> String {
    let number = format_plain(value);
    if number == "0" { number } else { format!("{number}{unit}") }
}

/// As [`length`], or a number.
pub(super) fn length_or_number(component: &Component) -> Option<String> {
    match component {
        Component::Number { value, .. } => Some(format_plain(*value)),
        Component::Function { name, .. } if is_math(name) => calc::read(component, length_or_number),
        other => length(other),
    }
}

/// A corner's radius. One without end is what authors write as 9999 pixels: half a circle.
pub(super) fn radius(component: &Component) -> Option<String> {
    let radius = length(component)?;
    let is_endless = radius.contains("infinity") && !radius.contains('-');
    Some(if is_endless { "9999px".to_owned() } else { radius })
}

/// An integer, every digit of it.
pub(super) fn integer(component: &Component) -> Option<String> {
    match component {
        Component::Number { value, .. } => Some(format!("{value:.0}")),
        other => calc::read(other, integer),
    }
}

/// A border's width. `medium` is what a border has when nothing is said.
pub(super) fn line_width(component: &Component) -> Option<String> {
    match component {
        Component::Ident(name) => {
            let name = name.to_ascii_lowercase();
            matches!(name.as_str(), "thin" | "thick").then_some(name)
        }
        other => length(other),
    }
}

/// A number; percentages are numbers too. None is less than 0 or more than 1 (Color 4, section 3.2).
pub(super) fn opacity(component: &Component) -> Option<String> {
    let number = match component {
        Component::Number { value, .. } => *value,
        Component::Percentage(value) => *value / 100.0,
        other => return calc::read(other, opacity),
    };
    Some(format_plain(number.clamp(0.0, 1.0)))
}

fn is_math(name: &str) -> bool {
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
            | "abs"
            | "sign"
            | "hypot"
            | "pow"
            | "sqrt"
            | "exp"
            | "log"
    )
}
