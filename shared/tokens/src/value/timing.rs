//! Durations and timing functions (Easing 2).

use super::calc;
use limner_style::value::{Component, format_decimal, serialize_plain, split_commas};

/// Returns a duration in milliseconds.
pub(crate) fn duration(part: &[Component]) -> Option<String> {
    match part {
        [Component::Dimension { value, unit }] => {
            let milliseconds = match &**unit {
                "s" => value * 1000.0,
                "ms" => *value,
                _ => return None,
            };
            Some(format!("{}ms", format_decimal(milliseconds)))
        }
        [function @ Component::Function { .. }] => match calc::single(function) {
            Some(time) => duration(&[time]),
            None => calc::canonicalize(function),
        },
        _ => None,
    }
}

/// Returns a keyword, or a function without its defaults.
pub(crate) fn easing(part: &[Component]) -> Option<String> {
    match part {
        [Component::Ident(name)] => Some(name.to_ascii_lowercase()),
        [Component::Function { name, arguments }] => match &**name {
            "steps" => Some(steps(arguments)),
            "linear" => linear(arguments),
            _ => Some(serialize_plain(part)),
        },
        _ => None,
    }
}

fn steps(arguments: &[Component]) -> String {
    let parts = split_commas(arguments);
    let count = parts.first().map_or_else(String::new, |count| serialize_plain(count));
    let position = parts.get(1).and_then(|part| part.first()).and_then(Component::as_ident);
    match position.map(str::to_ascii_lowercase).as_deref() {
        None | Some("end" | "jump-end") => format!("steps({count})"),
        Some(position) => format!("steps({count}, {position})"),
    }
}

/// Writes every point with its position in per cent (Easing 2, section 2.2.1): `linear(0 0%, 0.5 30%, 1 100%)`.
fn linear(arguments: &[Component]) -> Option<String> {
    let mut points: Vec<(f64, Option<f64>)> = Vec::new();
    for part in split_commas(arguments) {
        let mut number = None;
        let mut places = Vec::new();
        for component in part {
            match component {
                Component::Number { value, .. } => number = Some(*value),
                Component::Percentage(value) => places.push(*value),
                _ => return Some(format!("linear({})", serialize_plain(arguments))),
            }
        }
        let number = number?;
        match places.as_slice() {
            [] => points.push((number, None)),
            places => points.extend(places.iter().map(|place| (number, Some(*place)))),
        }
    }
    let given: Vec<Option<f64>> = points.iter().map(|(_, place)| *place).collect();
    let places = distribute_stops(&given, 100.0);
    let shown = points.iter().zip(places);
    let shown: Vec<String> =
        shown.map(|((number, _), place)| format!("{} {}%", format_decimal(*number), format_decimal(place))).collect();
    Some(format!("linear({})", shown.join(", ")))
}

/// Fills in positions along a line from 0 to `end`, for stops and points: positions never decrease, and missing ones
/// are spread evenly between their neighbours.
pub(crate) fn distribute_stops(given: &[Option<f64>], end: f64) -> Vec<f64> {
    let mut places = given.to_vec();
    if let Some(first) = places.first_mut() {
        *first = first.or(Some(0.0));
    }
    if let Some(last) = places.last_mut() {
        *last = last.or(Some(end));
    }
    let mut largest = f64::MIN;
    for place in places.iter_mut().flatten() {
        largest = largest.max(*place);
        *place = largest;
    }
    let mut known = 0;
    for index in 1..places.len() {
        let Some(end) = places[index] else { continue };
        let start = places[known].unwrap_or_default();
        let gap = (index - known) as f64;
        for (step, place) in places[known + 1..index].iter_mut().enumerate() {
            *place = Some(start + (end - start) * (step + 1) as f64 / gap);
        }
        known = index;
    }
    places.into_iter().map(Option::unwrap_or_default).collect()
}
