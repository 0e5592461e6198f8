//! Parses values of declarations into numbers, to find them on a scale.

pub(super) use limner_component_model::css::split_list::{split_commas, split_spaces};

/// Splits a dimension into its number and unit. A percentage has the unit `%`, a plain number an
/// empty one.
pub(super) fn dimension(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text
        .char_indices()
        .find(|&(at, c)| !(c.is_ascii_digit() || c == '.' || (at == 0 && matches!(c, '-' | '+'))))
        .map_or(text.len(), |(at, _)| at);
    let (number, unit) = text.split_at(end);
    if !unit.bytes().all(|b| b.is_ascii_alphabetic() || b == b'%') {
        return None;
    }
    number.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| (number, unit))
}

/// Parses a number without unit.
pub(super) fn number(text: &str) -> Option<f64> {
    dimension(text).filter(|(_, unit)| unit.is_empty()).map(|(number, _)| number)
}

/// Parses an integer.
pub(super) fn integer(text: &str) -> Option<i64> {
    text.trim().parse().ok()
}

/// Returns an absolute length in CSS pixels (1 rem is 16 px); zero needs no unit.
pub(super) fn px(text: &str) -> Option<f64> {
    match dimension(text)? {
        (number, "px") => Some(number),
        (number, "rem") => Some(number * 16.0),
        (0.0, "" | "em" | "ex" | "ch" | "lh" | "vw" | "vh" | "dvh" | "svh" | "lvh" | "vmin" | "vmax" | "pt") => {
            Some(0.0)
        }
        _ => None,
    }
}

/// Parses a percentage.
pub(super) fn percent(text: &str) -> Option<f64> {
    dimension(text).filter(|(_, unit)| *unit == "%").map(|(number, _)| number)
}

/// Returns a time in milliseconds.
pub(super) fn milliseconds(text: &str) -> Option<f64> {
    match dimension(text)? {
        (number, "ms") => Some(number),
        (number, "s") => Some(number * 1000.0),
        _ => None,
    }
}

/// Returns an angle in degrees.
pub(super) fn degrees(text: &str) -> Option<f64> {
    match dimension(text)? {
        (number, "deg") => Some(number),
        (number, "turn") => Some(number * 360.0),
        (0.0, "") => Some(0.0),
        _ => None,
    }
}

/// Formats a number with at most five decimals and no trailing zeros.
pub(super) fn plain(number: f64) -> String {
    let rounded = (number * 1e5).round() / 1e5;
    if rounded == 0.0 { "0".to_owned() } else { format!("{rounded}") }
}

/// Returns true if a computed number is an integer, within 1e-6.
pub(super) fn is_integer(number: f64) -> bool {
    (number - number.round()).abs() < 1e-6
}

/// Returns the name and the arguments of a value that is a single function.
pub(super) fn function(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let open = text.find('(')?;
    let name = &text[..open];
    let inside = text[open + 1..].strip_suffix(')')?;
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    // `a(1) b(2)` also ends with a bracket.
    (is_name && closes_at_end(inside)).then_some((name, inside))
}

/// Returns true if Tailwind itself infers that a value is a length, where it could also be a
/// colour.
pub(super) fn is_recognizable_length(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || function(value).is_some_and(|(name, _)| matches!(name, "calc" | "min" | "max" | "clamp"))
}

/// Returns the operand of a negation in bracket spelling: `max(1px,1em)` for
/// `calc(max(1px,1em)*-1)`.
pub(super) fn negated(value: &str) -> Option<&str> {
    let inner = value.strip_prefix("calc(")?.strip_suffix("*-1)")?;
    let is_one = function(inner).is_some()
        || inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).is_some_and(closes_at_end);
    is_one.then_some(inner)
}

/// Returns true if all values list the same functions; `none` is ignored.
pub(super) fn have_same_functions<'v>(values: impl Iterator<Item = &'v String>) -> bool {
    let names = |value: &'v String| {
        split_spaces(value).into_iter().map(|part| function(part).map(|(name, _)| name)).collect::<Option<Vec<_>>>()
    };
    let mut lists = values.filter(|value| *value != "none").map(names);
    let first = lists.next();
    first.is_none_or(|first| first.is_some() && lists.all(|list| list == first))
}

fn closes_at_end(inside: &str) -> bool {
    let mut depth = 0_i32;
    inside.chars().all(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth >= 0
    })
}
/// Returns the name of a custom property, if a value is a reference to one and nothing else.
pub(super) fn variable_name(value: &str) -> Option<&str> {
    let name = value.strip_prefix("var(")?.strip_suffix(')')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (name.starts_with("--") && name.chars().all(is_name)).then_some(name)
}
