//! Lengths, percentages and numbers.

use super::calc;
use limner_style::value::{Component, format_decimal};

/// Returns a length or percentage in the author's unit; every zero is `0`.
pub(crate) fn length(component: &Component) -> Option<String> {
    match component {
        Component::Number { value, .. } if *value == 0.0 => Some("0".to_owned()),
        Component::Dimension { value, unit } => Some(with_unit(*value, unit)),
        Component::Percentage(value) => Some(with_unit(*value, "%")),
        Component::Function { name, .. } if is_math(name) => calc::parse(component, length),
        _ => None,
    }
}

fn with_unit(value: f64, unit: &str) -> String {
    let number = format_decimal(value);
    if number == "0" { number } else { format!("{number}{unit}") }
}

/// Like [`length`], for numbers as well.
pub(super) fn length_or_number(component: &Component) -> Option<String> {
    match component {
        Component::Number { value, .. } => Some(format_decimal(*value)),
        Component::Function { name, .. } if is_math(name) => calc::parse(component, length_or_number),
        other => length(other),
    }
}

/// Returns a corner radius. An infinite one becomes 9999 pixels, as authors write it: half a circle.
pub(crate) fn radius(component: &Component) -> Option<String> {
    let radius = length(component)?;
    let is_endless = radius.contains("infinity") && !radius.contains('-');
    Some(if is_endless { "9999px".to_owned() } else { radius })
}

/// Returns an integer with all its digits.
pub(super) fn integer(component: &Component) -> Option<String> {
    match component {
        Component::Number { value, .. } => Some(format!("{value:.0}")),
        other => calc::parse(other, integer),
    }
}

/// Returns a border's width; `None` for `medium`, the initial value.
pub(super) fn line_width(component: &Component) -> Option<String> {
    match component {
        Component::Ident(name) => {
            let name = name.to_ascii_lowercase();
            matches!(name.as_str(), "thin" | "thick").then_some(name)
        }
        other => length(other),
    }
}

/// Returns an opacity; percentages become numbers, clamped to 0 and 1 (Color 4, section 3.2).
pub(crate) fn opacity(component: &Component) -> Option<String> {
    let number = match component {
        Component::Number { value, .. } => *value,
        Component::Percentage(value) => *value / 100.0,
        other => return calc::parse(other, opacity),
    };
    Some(format_decimal(number.clamp(0.0, 1.0)))
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
