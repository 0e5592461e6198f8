//! Computed gradients as Chromium writes them (Images 4, and the prefixed ones of Compatibility).

use super::component_values::{compute_components, compute_quantity};
use super::compute_context::ComputeContext;
use super::position::point;
use crate::value::component::{Component, split_commas};
use crate::value::gradient::sort_horizontal_first;
use crate::value::math::Kind;

/// Computes a gradient's arguments; returns `None` for other functions.
pub(super) fn gradient(name: &str, arguments: &[Component], context: &ComputeContext<'_>) -> Option<Vec<Component>> {
    let parts = split_commas(arguments);
    if name == "-webkit-gradient" {
        return Some(join_with_commas(first_webkit(&parts, context)));
    }
    let (prefix, kind) = match name.strip_prefix("-webkit-") {
        Some(kind) => (true, kind),
        None => (false, name),
    };
    let kind = kind.strip_prefix("repeating-").unwrap_or(kind).strip_suffix("-gradient")?;
    let (line, stops) = split_line(&parts, context);
    let first_zero = if kind == "conic" { degrees(0.0) } else { Component::px(0.0) };
    let stops: Vec<Vec<Component>> =
        stops.iter().flat_map(|stop| positioned(compute_components(stop, context, false, true), &first_zero)).collect();
    let mut written = match (prefix, kind) {
        (false, "linear") => vec![linear(line.first().copied().unwrap_or_default(), &stops, context)],
        (false, "radial") => vec![radial(line.first().copied().unwrap_or_default(), &stops, context)],
        (false, "conic") => vec![conic(line.first().copied().unwrap_or_default(), &stops, context)],
        (true, "linear") => vec![prefixed_side(line.first().copied().unwrap_or_default(), context)],
        (true, "radial") => prefixed_radial(line, context),
        _ => return None,
    };
    written.retain(|part| !part.is_empty());
    Some(join_with_commas(written.into_iter().chain(stops)))
}

/// Splits the arguments into the part before the first colour and the stops.
fn split_line<'p, 'c>(
    parts: &'p [&'c [Component]],
    context: &ComputeContext<'_>,
) -> (&'p [&'c [Component]], &'p [&'c [Component]]) {
    let is_stop = |part: &&[Component]| part.iter().any(|component| context.color(component).is_some());
    parts.split_at(parts.iter().position(is_stop).unwrap_or(parts.len()))
}

fn join_with_commas(parts: impl IntoIterator<Item = Vec<Component>>) -> Vec<Component> {
    let mut all = Vec::new();
    for part in parts {
        if !all.is_empty() {
            all.push(Component::Comma);
        }
        all.extend(part);
    }
    all
}

fn degrees(value: f64) -> Component {
    Component::Dimension { value, unit: "deg".into() }
}

fn is_zero(component: &Component) -> bool {
    matches!(component, Component::Number { value: 0.0, .. })
}

/// Returns one stop for each position; a zero gets the unit of the others.
fn positioned(mut stop: Vec<Component>, zero: &Component) -> Vec<Vec<Component>> {
    for position in stop.iter_mut().filter(|component| is_zero(component)) {
        *position = zero.clone();
    }
    let is_position =
        |component: &Component| matches!(component, Component::Dimension { .. } | Component::Percentage(_));
    match stop.as_slice() {
        [color, first, second] => vec![vec![color.clone(), first.clone()], vec![color.clone(), second.clone()]],
        [position, color] if is_position(position) => vec![vec![color.clone(), position.clone()]],
        _ => vec![stop],
    }
}

/// Splits a gradient line into its geometry and the `in` clause, which is omitted if it names the default colour space.
fn split_space(line: &[Component], stops: &[Vec<Component>]) -> (Vec<Component>, Vec<Component>) {
    let Some(start) = line.iter().position(|component| component.is_ident("in")) else {
        return (line.to_vec(), Vec::new());
    };
    let ends = |component: &Component| !matches!(component, Component::Ident(_)) || is_geometry(component);
    let length = line[start + 1..].iter().position(ends).unwrap_or(line.len() - start - 1);
    let space = &line[start..=start + length];
    let rest: Vec<Component> = line[..start].iter().chain(&line[start + length + 1..]).cloned().collect();
    let is_legacy = |stop: &&Vec<Component>| {
        stop.iter().filter_map(Component::as_function).all(|(name, _)| matches!(name, "rgb" | "rgba" | "calc"))
    };
    let usual = if stops.iter().all(|stop| is_legacy(&stop)) { "srgb" } else { "oklab" };
    let is_usual = matches!(space, [_, only] if only.is_ident(usual));
    (rest, if is_usual { Vec::new() } else { space.to_vec() })
}

/// Returns true if a keyword is part of the geometry, as opposed to the interpolation.
fn is_geometry(component: &Component) -> bool {
    ["to", "from", "at", "circle", "ellipse"].iter().any(|word| component.is_ident(word)) || is_extent(component)
}

fn is_extent(component: &Component) -> bool {
    const EXTENTS: [&str; 6] =
        ["closest-side", "closest-corner", "farthest-side", "farthest-corner", "contain", "cover"];
    EXTENTS.iter().any(|word| component.is_ident(word))
}

fn linear(line: &[Component], stops: &[Vec<Component>], context: &ComputeContext<'_>) -> Vec<Component> {
    let (direction, space) = split_space(line, stops);
    let mut written = match direction.as_slice() {
        [to, side] if to.is_ident("to") && side.is_ident("bottom") => Vec::new(),
        [to, sides @ ..] if to.is_ident("to") => std::iter::once(to.clone()).chain(horizontal_first(sides)).collect(),
        other => angle(other, context).filter(|found| *found != degrees(180.0)).into_iter().collect(),
    };
    written.extend(space);
    written
}

fn angle(value: &[Component], context: &ComputeContext<'_>) -> Option<Component> {
    let first = value.first()?;
    Some(if is_zero(first) { degrees(0.0) } else { compute_quantity(first, context) })
}

fn horizontal_first(sides: &[Component]) -> Vec<Component> {
    let mut sides = sides.to_vec();
    sort_horizontal_first(&mut sides);
    sides
}

fn radial(line: &[Component], stops: &[Vec<Component>], context: &ComputeContext<'_>) -> Vec<Component> {
    let (line, space) = split_space(line, stops);
    let (shape, position) = split_position(&line, context);
    let sizes: Vec<Component> = shape.iter().filter(|component| component.as_ident().is_none()).cloned().collect();
    let mut written = Vec::new();
    if sizes.is_empty() {
        let said = |component: &&Component| component.is_ident("circle");
        written.extend(shape.iter().find(said).cloned());
        let extent = shape.iter().find(|component| is_extent(component) && !component.is_ident("farthest-corner"));
        written.extend(extent.cloned());
    }
    written.extend(compute_components(&sizes, context, true, false));
    written.extend(position);
    written.extend(space);
    written
}

fn conic(line: &[Component], stops: &[Vec<Component>], context: &ComputeContext<'_>) -> Vec<Component> {
    let (line, space) = split_space(line, stops);
    let (from, position) = split_position(&line, context);
    let start = angle(from.get(1..).unwrap_or_default(), context).filter(|start| *start != degrees(0.0));
    let mut written: Vec<Component> = start.into_iter().flat_map(|start| [Component::ident("from"), start]).collect();
    written.extend(position);
    written.extend(space);
    written
}

/// Splits a line at `at`; the position is omitted if it is the centre.
fn split_position<'l>(line: &'l [Component], context: &ComputeContext<'_>) -> (&'l [Component], Vec<Component>) {
    let Some(at) = line.iter().position(|component| component.is_ident("at")) else { return (line, Vec::new()) };
    let position = point(&line[at + 1..], context);
    let is_center = position.iter().all(|axis| matches!(axis, Component::Percentage(50.0)));
    let written = if is_center { Vec::new() } else { std::iter::once(line[at].clone()).chain(position).collect() };
    (&line[..at], written)
}

/// Returns the starting side or angle of a prefixed linear gradient.
fn prefixed_side(line: &[Component], context: &ComputeContext<'_>) -> Vec<Component> {
    match line {
        [] => vec![Component::ident("top")],
        [first, ..] if first.as_ident().is_some() => horizontal_first(line),
        other => angle(other, context).into_iter().collect(),
    }
}

fn prefixed_radial(line: &[&[Component]], context: &ComputeContext<'_>) -> Vec<Vec<Component>> {
    let is_shape = |part: &[Component]| {
        part.iter()
            .any(|component| is_extent(component) || component.is_ident("circle") || component.is_ident("ellipse"))
    };
    let (position, shape) = match line {
        [] => (None, None),
        [only] if is_shape(only) => (None, Some(*only)),
        [only] => (Some(*only), None),
        [first, second, ..] => (Some(*first), Some(*second)),
    };
    let position = position.map_or_else(|| vec![Component::ident("center")], |at| point(at, context));
    let shape = shape.map(|shape| match shape.iter().any(|component| component.as_ident().is_none()) {
        true => compute_components(shape, context, true, false),
        false => {
            let shown = |found: Option<&Component>, usual| found.cloned().unwrap_or_else(|| Component::ident(usual));
            let outline = shape.iter().find(|component| !is_extent(component));
            let extent = shape.iter().find(|component| is_extent(component));
            vec![shown(outline, "ellipse"), shown(extent, "cover")]
        }
    });
    std::iter::once(position).chain(shape).collect()
}

/// Computes the arguments of `-webkit-gradient()`, with two points and stops as functions.
fn first_webkit(parts: &[&[Component]], context: &ComputeContext<'_>) -> Vec<Vec<Component>> {
    parts.iter().map(|part| first_webkit_part(part, context)).collect()
}

fn first_webkit_part(part: &[Component], context: &ComputeContext<'_>) -> Vec<Component> {
    let share = |keyword: &Component| match keyword.as_ident().map(str::to_ascii_lowercase).as_deref() {
        Some("left" | "top") => Component::Percentage(0.0),
        Some("center") => Component::Percentage(50.0),
        Some("right" | "bottom") => Component::Percentage(100.0),
        _ => keyword.clone(),
    };
    match part {
        [Component::Function { name, arguments }] if &**name == "color-stop" => {
            let (at, color) = match split_commas(arguments).as_slice() {
                [at, color] => {
                    (at.first().and_then(|at| context.quantity(at)), compute_components(color, context, false, true))
                }
                _ => return part.to_vec(),
            };
            let at = at.map_or(0.0, |at| if at.kind == Kind::Percentage { at.percent / 100.0 } else { at.value });
            vec![stop_at(at, color)]
        }
        [x, y] => vec![share(x), share(y)],
        other => compute_components(other, context, false, true),
    }
}

/// Writes a stop: `from()` at the start, `to()` at the end.
fn stop_at(at: f64, color: Vec<Component>) -> Component {
    if at == 0.0 {
        return Component::function("from", color);
    }
    if at == 1.0 {
        return Component::function("to", color);
    }
    Component::function("color-stop", [vec![Component::number(at), Component::Comma], color].concat())
}
