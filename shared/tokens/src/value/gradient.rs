//! Canonical gradients, in the shortest of equal spellings.

use super::color::ColorWriter;
use super::{Spelling, calc};
use limner_style::color::Scheme;
use limner_style::value::gradient::sort_horizontal_first;
use limner_style::value::{Component, serialize_plain, split_commas};

/// Visits every gradient in a value, including those in `image-set()` and `cross-fade()`.
pub(crate) fn visit<'c>(value: &'c [Component], visitor: &mut dyn FnMut(&'c Component)) {
    for component in value {
        let Some((name, arguments)) = component.as_function() else { continue };
        if is_gradient(name) {
            visitor(component);
        } else {
            visit(arguments, visitor);
        }
    }
}

fn is_gradient(name: &str) -> bool {
    name.ends_with("-gradient")
}

/// Returns the canonical form, `linear-gradient(90deg, #ff0000 0%, #0000ff00 50%)`: defaults are omitted, and every
/// stop has one position (Images 4, section 3).
pub(super) fn spelling(gradient: &Component, scheme: Scheme) -> Option<Spelling> {
    ColorWriter::spelling(scheme, true, |colors| canonical(gradient, colors))
}

fn canonical(gradient: &Component, colors: &ColorWriter) -> Option<String> {
    let (name, arguments) = gradient.as_function()?;
    let angles = name.contains("conic");
    let mut parts: Vec<Vec<Component>> = Vec::new();
    for components in split_commas(arguments) {
        // The position of a conic gradient is in lengths, all other values are angles.
        let at = components.iter().position(|one| one.is_ident("at")).unwrap_or(components.len());
        let zero = |place| if angles && place < at { "deg" } else { "px" };
        let parted = components.iter().enumerate();
        parts.push(parted.map(|(place, one)| with_unit(part(one, colors), zero(place))).collect());
    }
    if let Some(first) = parts.first_mut() {
        drop_defaults(name, first);
        if first.is_empty() {
            parts.remove(0);
        }
    }
    let stops: Vec<Vec<Component>> = parts.into_iter().flat_map(split_double_stops).collect();
    let function = Component::Function { name: name.into(), arguments: stops.join(&Component::Comma) };
    Some(serialize_plain(std::slice::from_ref(&function)))
}

/// Removes defaults from the gradient line; the colour space comes last.
fn drop_defaults(name: &str, line: &mut Vec<Component>) {
    let kind = name.strip_prefix("repeating-").unwrap_or(name);
    if !matches!(kind, "linear-gradient" | "radial-gradient" | "conic-gradient") {
        return;
    }
    let space = take_color_space(line);
    match kind {
        "linear-gradient" => {
            if let [to, sides @ ..] = line.as_mut_slice()
                && to.is_ident("to")
            {
                sort_horizontal_first(sides);
            }
            let goes_down = match line.as_slice() {
                [to, bottom] => to.is_ident("to") && bottom.is_ident("bottom"),
                [Component::Dimension { value, unit }] => {
                    (*value == 180.0 && &**unit == "deg") || (*value == 0.5 && &**unit == "turn")
                }
                _ => false,
            };
            if goes_down {
                line.clear();
            }
        }
        "radial-gradient" => {
            canonicalize_position(line);
            let end = line.iter().position(|one| one.is_ident("at")).unwrap_or(line.len());
            let has_size = line[..end].iter().any(|one| one.as_ident().is_none());
            line.retain(|one| {
                let is_default = one.is_ident("ellipse") || one.is_ident("farthest-corner");
                !is_default && (!has_size || !one.is_ident("circle"))
            });
        }
        _ => {
            canonicalize_position(line);
            let is_zero = |one: &Component| matches!(one, Component::Dimension { value: 0.0, .. });
            if matches!(line.as_slice(), [from, angle, ..] if from.is_ident("from") && is_zero(angle)) {
                line.drain(..2);
            }
        }
    }
    line.extend(space);
}

/// Removes `in oklch longer hue` from the gradient line and returns it.
fn take_color_space(line: &mut Vec<Component>) -> Vec<Component> {
    let Some(start) = line.iter().position(|one| one.is_ident("in")) else { return Vec::new() };
    let has_hue = line.get(start + 3).is_some_and(|one| one.is_ident("hue"));
    let end = (start + if has_hue { 4 } else { 2 }).min(line.len());
    line.drain(start..end).collect()
}

/// Completes the position after `at` to both axes, or removes it if it is the centre.
fn canonicalize_position(line: &mut Vec<Component>) {
    let Some(at) = line.iter().position(|one| one.is_ident("at")) else { return };
    let mut position = line.split_off(at + 1);
    if position.len() == 1 {
        let is_vertical = position[0].is_ident("top") || position[0].is_ident("bottom");
        position.insert(usize::from(!is_vertical), Component::Ident("center".into()));
    }
    sort_horizontal_first(&mut position);
    let is_center = |one: &Component| one.is_ident("center") || matches!(one, Component::Percentage(50.0));
    if position.iter().all(is_center) {
        line.truncate(at);
    } else {
        line.extend(position);
    }
}

/// Splits a stop with two positions into two stops.
fn split_double_stops(stop: Vec<Component>) -> Vec<Vec<Component>> {
    match stop.as_slice() {
        [color, first, second] if is_color(color) => {
            vec![vec![color.clone(), first.clone()], vec![color.clone(), second.clone()]]
        }
        _ => vec![stop],
    }
}

/// Returns true if a component is a colour, including one that depends on another.
fn is_color(component: &Component) -> bool {
    const FUNCTIONS: [&str; 12] =
        ["rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "light-dark"];
    matches!(component, Component::Hash(_))
        || component.is_ident("currentcolor")
        || component.as_function().is_some_and(|(name, _)| FUNCTIONS.contains(&name))
}

/// Gives a zero the unit of its neighbours.
fn with_unit(component: Component, unit: &str) -> Component {
    match component {
        Component::Number { value: 0.0, .. } => Component::Dimension { value: 0.0, unit: unit.into() },
        other => other,
    }
}

fn part(component: &Component, colors: &ColorWriter) -> Component {
    if let Some(text) = colors.text(component) {
        return match text.strip_prefix('#') {
            Some(digits) => Component::Hash(digits.into()),
            None => limner_style::value::parse_components(&text)
                .and_then(|mut parsed| parsed.pop())
                .unwrap_or_else(|| component.clone()),
        };
    }
    match component {
        Component::Ident(name) => Component::Ident(name.to_ascii_lowercase().into()),
        Component::Function { name, arguments } => match canonical_calc(component) {
            Some(function) => function,
            None => {
                let arguments = arguments.iter().map(|argument| part(argument, colors)).collect();
                Component::Function { name: name.clone(), arguments }
            }
        },
        other => other.clone(),
    }
}

/// Returns a mathematical function in its canonical spelling.
fn canonical_calc(component: &Component) -> Option<Component> {
    component.as_function().filter(|(name, _)| *name == "calc")?;
    let canonical = || limner_style::value::parse_components(&calc::canonicalize(component)?)?.pop();
    calc::single(component).or_else(canonical)
}
