//! Gradients (Images 4, and the prefixed ones of Compatibility): validation, and the order of a position's keywords.

use super::component::{Component, split_commas};
use super::types::Type;
use crate::color;

/// Returns true if these are valid arguments of a gradient function.
pub(super) fn is_gradient(name: &str, arguments: &[Component]) -> bool {
    let parts = split_commas(arguments);
    if parts.iter().any(|part| part.is_empty()) {
        return false;
    }
    let Some(kind) = name.strip_prefix("-webkit-") else { return is_standard(name, &parts) };
    match kind {
        "gradient" => is_first_webkit(&parts),
        _ if kind.contains("linear") => {
            let line = usize::from(!is_stop(parts[0]));
            (line == 0 || is_prefixed_side(parts[0])) && are_stops(&parts[line..], 2)
        }
        _ => {
            let lines = parts.iter().take(2).take_while(|part| !is_stop(part)).count();
            are_stops(&parts[lines..], 2)
        }
    }
}

/// Sorts the horizontal part of a position or of a corner before the vertical one: `top left` becomes `left top`.
pub fn sort_horizontal_first(position: &mut [Component]) {
    let is_one_of =
        |component: &Component, keywords: [&str; 2]| keywords.iter().any(|keyword| component.is_ident(keyword));
    let is_vertical_first = position.first().is_some_and(|first| is_one_of(first, ["top", "bottom"]));
    match position {
        [first, second] if is_vertical_first || is_one_of(second, ["left", "right"]) => std::mem::swap(first, second),
        [_, _, _, _] if is_vertical_first => position.rotate_left(2),
        _ => {}
    }
}

fn is_standard(name: &str, parts: &[&[Component]]) -> bool {
    let line = usize::from(!is_stop(parts[0]));
    let stops = &parts[line..];
    let are_valid = if name.contains("conic") { !stops.is_empty() } else { are_stops(stops, 1) };
    are_valid && (line == 0 || is_gradient_line(name, parts[0]))
}

fn is_stop(part: &[Component]) -> bool {
    part.iter().any(color::is_color)
}

/// Returns true for colour stops, and single numbers as hints, each between two stops.
fn are_stops(parts: &[&[Component]], least: usize) -> bool {
    let is_hint = |part: &[Component]| part.len() == 1 && Type::LengthPercentage.matches(&part[0], false);
    let stands_between = |at: usize| {
        let neighbours = [at.checked_sub(1), at.checked_add(1)];
        neighbours.into_iter().all(|next| next.and_then(|next| parts.get(next)).is_some_and(|part| is_stop(part)))
    };
    let is_valid = |(at, part): (usize, &&[Component])| is_stop(part) || is_hint(part) && stands_between(at);
    parts.len() >= least && parts.iter().enumerate().all(is_valid)
}

/// Returns true if the part may precede the colour stops: geometry and interpolation space.
fn is_gradient_line(name: &str, part: &[Component]) -> bool {
    let Some(first) = part.first() else { return false };
    if first.is_ident("in") {
        return true;
    }
    if name.contains("linear") {
        return first.is_ident("to") || Type::Angle.matches(first, false);
    }
    if name.contains("conic") {
        return first.is_ident("from") || first.is_ident("at");
    }
    is_radial_line(part)
}

fn is_radial_line(part: &[Component]) -> bool {
    const WORDS: [&str; 7] =
        ["circle", "ellipse", "in", "closest-side", "closest-corner", "farthest-side", "farthest-corner"];
    let at = part.iter().position(|component| component.is_ident("at"));
    let (shape, position) = part.split_at(at.unwrap_or(part.len()));
    // The interpolation space may also come last.
    let position = position.split(|component| component.is_ident("in")).next().unwrap_or_default();
    let names = |word: &str| shape.iter().any(|component| component.is_ident(word));
    let sizes: Vec<&Component> = shape.iter().filter(|component| component.as_ident().is_none()).collect();
    let fits = match sizes.as_slice() {
        [] => true,
        [radius] => Type::Length.matches(radius, true) && !names("ellipse"),
        [x, y] => [x, y].iter().all(|size| Type::LengthPercentage.matches(size, true)) && !names("circle"),
        _ => false,
    };
    fits && (at.is_some() || !sizes.is_empty() || WORDS.iter().any(|word| names(word)))
        && matches!(position.len(), 0 | 2 | 3 | 5)
}

/// Returns true for the start of a prefixed linear gradient: a side, a corner, or an angle.
fn is_prefixed_side(part: &[Component]) -> bool {
    let is_side =
        |component: &Component| ["top", "bottom", "left", "right"].iter().any(|side| component.is_ident(side));
    match part {
        [only] => is_side(only) || Type::Angle.matches(only, false),
        [first, second] => is_side(first) && is_side(second),
        _ => false,
    }
}

/// `linear, left top, left bottom, from(red), to(blue)`
fn is_first_webkit(parts: &[&[Component]]) -> bool {
    let is_number = |part: &[Component]| matches!(part, [only] if Type::Number.matches(only, true));
    let stops = match parts {
        [[kind], from, to, stops @ ..] if kind.is_ident("linear") && is_position(from) && is_position(to) => stops,
        [[kind], from, inner, to, outer, stops @ ..]
            if kind.is_ident("radial")
                && is_position(from)
                && is_number(inner)
                && is_position(to)
                && is_number(outer) =>
        {
            stops
        }
        _ => return false,
    };
    let is_stop = |part: &&[Component]| {
        let function = if let [only] = part { only.as_function() } else { None };
        function.is_some_and(|(name, arguments)| {
            matches!(name, "from" | "to" | "color-stop") && arguments.iter().any(color::is_color)
        })
    };
    stops.iter().all(is_stop)
}

fn is_position(part: &[Component]) -> bool {
    let is_axis = |component: &Component, keywords: [&str; 3]| {
        keywords.iter().any(|keyword| component.is_ident(keyword))
            || Type::Number.matches(component, false)
            || Type::Percentage.matches(component, false)
    };
    matches!(part, [x, y] if is_axis(x, ["left", "center", "right"]) && is_axis(y, ["top", "center", "bottom"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{parse_components, serialize};

    #[test]
    fn position_with_vertical_part_first_is_sorted() {
        for (position, expected) in [
            ("top left", "left top"),
            ("left top", "left top"),
            ("center right", "right center"),
            ("bottom center", "center bottom"),
            ("bottom 1px left 2px", "left 2px bottom 1px"),
            ("left 2px bottom 1px", "left 2px bottom 1px"),
            ("10% 20%", "10% 20%"),
            ("top", "top"),
        ] {
            let mut components = parse_components(position).unwrap();
            sort_horizontal_first(&mut components);
            assert_eq!(serialize(&components), expected, "{position}");
        }
    }
}
