//! Gradients with colours in hex, in the one of their spellings that says no more than it has to.

use super::{calc, color};
use limner_style::color::Scheme;
use limner_style::value::{Component, serialize, split_commas};

/// Visits every gradient in a value, those in `image-set()` and `cross-fade()` included.
pub(super) fn each<'c>(value: &'c [Component], visit: &mut dyn FnMut(&'c Component)) {
    for component in value {
        let Some((name, arguments)) = component.as_function() else { continue };
        if is_gradient(name) {
            visit(component);
        } else {
            each(arguments, visit);
        }
    }
}

fn is_gradient(name: &str) -> bool {
    name.ends_with("-gradient")
}

/// `linear-gradient(90deg, #ff0000 0%, #0000ff00 50%)`: what is so by default is left out, and every stop has one position
/// (Images 4, section 3).
pub(super) fn normal(gradient: &Component, scheme: Scheme) -> Option<String> {
    let (name, arguments) = gradient.as_function()?;
    let zero = if name.contains("conic") { "deg" } else { "px" };
    let parts = split_commas(arguments).into_iter();
    let mut parts: Vec<Vec<Component>> =
        parts.map(|components| components.iter().map(|one| part(one, scheme, zero)).collect()).collect();
    if let Some(first) = parts.first_mut() {
        leave_defaults_out(name, first);
        if first.is_empty() {
            parts.remove(0);
        }
    }
    let stops: Vec<Vec<Component>> = parts.into_iter().flat_map(one_position_each).collect();
    let function = Component::Function { name: name.into(), arguments: stops.join(&Component::Comma) };
    Some(serialize(std::slice::from_ref(&function)))
}

/// Leaves out of what stands before the first stop what a gradient does anyway.
fn leave_defaults_out(name: &str, line: &mut Vec<Component>) {
    match name.strip_prefix("repeating-").unwrap_or(name) {
        "linear-gradient" => {
            let end = before_space(line);
            if let [to, sides @ ..] = &mut line[..end]
                && to.is_ident("to")
            {
                across_first(sides);
            }
            let goes_down = match &line[..end] {
                [to, bottom] => to.is_ident("to") && bottom.is_ident("bottom"),
                [Component::Dimension { value, unit }] => {
                    (*value == 180.0 && &**unit == "deg") || (*value == 0.5 && &**unit == "turn")
                }
                _ => false,
            };
            if goes_down {
                line.drain(..end);
            }
        }
        "radial-gradient" => {
            settle_position(line);
            let end = line.iter().position(|one| one.is_ident("at")).unwrap_or(line.len());
            let has_size = line[..end].iter().any(|one| one.as_ident().is_none() && !matches!(one, Component::Hash(_)));
            line.retain(|one| {
                let is_default = one.is_ident("ellipse") || one.is_ident("farthest-corner");
                !is_default && (!has_size || !one.is_ident("circle"))
            });
        }
        "conic-gradient" => {
            settle_position(line);
            let is_zero = |one: &Component| matches!(one, Component::Dimension { value: 0.0, .. });
            if matches!(line.as_slice(), [from, angle, ..] if from.is_ident("from") && is_zero(angle)) {
                line.drain(..2);
            }
        }
        _ => {}
    }
}

fn is_one_of(component: Option<&Component>, keywords: [&str; 2]) -> bool {
    component.is_some_and(|one| keywords.iter().any(|keyword| one.is_ident(keyword)))
}

/// Where the colour space begins (`in oklch`), or the end.
fn before_space(line: &[Component]) -> usize {
    line.iter().position(|one| one.is_ident("in")).unwrap_or(line.len())
}

const ACROSS: [&str; 2] = ["left", "right"];
const DOWN: [&str; 2] = ["top", "bottom"];

/// `left` and `right` before `top` and `bottom`.
fn across_first(sides: &mut [Component]) {
    let is_down_first = is_one_of(sides.first(), DOWN);
    match sides {
        [first, second] if is_down_first || is_one_of(Some(&*second), ACROSS) => std::mem::swap(first, second),
        [_, _, _, _] if is_down_first => sides.rotate_left(2),
        _ => {}
    }
}

/// The position after `at` says both axes, or is left out where it is the center.
fn settle_position(line: &mut Vec<Component>) {
    let Some(at) = line.iter().position(|one| one.is_ident("at")) else { return };
    let end = at + before_space(&line[at..]);
    let mut position = line[at + 1..end].to_vec();
    if position.len() == 1 {
        let down = usize::from(!is_one_of(position.first(), DOWN));
        position.insert(down, Component::Ident("center".into()));
    }
    across_first(&mut position);
    let is_center = |one: &Component| one.is_ident("center") || matches!(one, Component::Percentage(50.0));
    let start = if position.iter().all(is_center) { at } else { at + 1 };
    let kept = if start == at { Vec::new() } else { position };
    line.splice(start..end, kept);
}

/// A stop with two positions is two stops.
fn one_position_each(stop: Vec<Component>) -> Vec<Vec<Component>> {
    match stop.as_slice() {
        [color, first, second] if matches!(color, Component::Hash(_)) || color.is_ident("currentcolor") => {
            vec![vec![color.clone(), first.clone()], vec![color.clone(), second.clone()]]
        }
        _ => vec![stop],
    }
}

fn part(component: &Component, scheme: Scheme, zero: &str) -> Component {
    if let Some(hex) = color::hex(component, scheme) {
        return Component::Hash(hex.trim_start_matches('#').into());
    }
    match component {
        Component::Number { value, .. } if *value == 0.0 => Component::Dimension { value: 0.0, unit: zero.into() },
        Component::Ident(name) => Component::Ident(name.to_ascii_lowercase().into()),
        Component::Function { name, arguments } => match calc_of(component) {
            Some(function) => function,
            None => {
                let arguments = arguments.iter().map(|argument| part(argument, scheme, zero)).collect();
                Component::Function { name: name.clone(), arguments }
            }
        },
        other => other.clone(),
    }
}

/// A mathematical function in its one spelling.
fn calc_of(component: &Component) -> Option<Component> {
    component.as_function().filter(|(name, _)| *name == "calc")?;
    limner_style::value::parse_components(&calc::normal(component)?)?.pop()
}
