//! Computes component values, whatever property they belong to.

use super::compute_context::ComputeContext;
use super::gradient::gradient;
use crate::value::component::Component;
use crate::value::math::{self, Kind, Quantity};
use crate::value::parse_components;

/// Computes one component.
pub(super) fn compute_quantity(component: &Component, context: &ComputeContext<'_>) -> Component {
    context.quantity(component).filter(|q| !q.opaque).map_or_else(|| component.clone(), from_quantity)
}

/// Computes lengths in px, colours as `rgb()`, and mathematical functions.
pub(crate) fn compute_components(
    value: &[Component],
    context: &ComputeContext<'_>,
    zero_is_length: bool,
    colors: bool,
) -> Vec<Component> {
    value.iter().map(|component| compute_component(component, context, zero_is_length, colors)).collect()
}

fn compute_component(
    component: &Component,
    context: &ComputeContext<'_>,
    zero_is_length: bool,
    colors: bool,
) -> Component {
    match component {
        Component::Number { value, .. } if zero_is_length && *value == 0.0 => Component::px(0.0),
        Component::Number { .. } | Component::Percentage(_) | Component::String(_) => component.clone(),
        Component::Dimension { .. } => context.quantity(component).map_or_else(|| component.clone(), from_quantity),
        Component::Url(address) => Component::Url(context.absolute(address).into()),
        Component::Ident(_) | Component::Hash(_) if colors => match context.color(component) {
            // Raw text in an identifier would be escaped; a function without arguments is not.
            Some(color) => raw(&color.to_string()),
            None => component.clone(),
        },
        Component::Function { name, arguments } => function(component, name, arguments, context, colors),
        other => other.clone(),
    }
}

fn function(
    component: &Component,
    name: &str,
    arguments: &[Component],
    context: &ComputeContext<'_>,
    colors: bool,
) -> Component {
    if math::is_math(name) {
        return match context.quantity(component) {
            Some(found) if !found.opaque => from_quantity(found),
            _ => Component::function(name, compute_components(arguments, context, false, false)),
        };
    }
    if colors && let Some(color) = context.color(component) {
        return raw(&color.to_string());
    }
    if name == "url"
        && let [Component::String(address), ..] = arguments
    {
        return Component::Url(context.absolute(address).into());
    }
    if name.ends_with("image-set") {
        // A string is the URL of an image (CSS Images 4, "image-set()").
        let set = arguments.iter().map(|inner| match inner {
            Component::String(address) => Component::Url(context.absolute(address).into()),
            other => compute_component(other, context, false, colors),
        });
        return Component::function(name, set.collect());
    }
    let gradient = if name.ends_with("gradient") { gradient(name, arguments, context) } else { None };
    Component::function(name, gradient.unwrap_or_else(|| compute_components(arguments, context, false, colors)))
}

/// Parses text that is already serialized into a component.
pub(super) fn raw(text: &str) -> Component {
    parse_components(text).and_then(|mut list| list.pop()).unwrap_or(Component::Delim('?'))
}

pub(super) fn from_quantity(found: Quantity) -> Component {
    let dimension = |value: f64, unit: &str| Component::Dimension { value, unit: unit.into() };
    match found.kind {
        Kind::Number => Component::number(found.value),
        Kind::Length => Component::px(clamp(found.value)),
        Kind::Percentage => Component::Percentage(found.percent),
        Kind::LengthPercentage if found.percent == 0.0 => Component::px(clamp(found.value)),
        Kind::LengthPercentage if found.value == 0.0 => Component::Percentage(found.percent),
        Kind::LengthPercentage => {
            let sign = if found.value < 0.0 { '-' } else { '+' };
            Component::function(
                "calc",
                vec![Component::Percentage(found.percent), Component::Delim(sign), Component::px(found.value.abs())],
            )
        }
        Kind::Angle => dimension(found.value, "deg"),
        Kind::Time => dimension(found.value, "s"),
        Kind::Resolution => dimension(found.value, "dppx"),
        Kind::Flex => dimension(found.value, "fr"),
    }
}

/// Clamps to Chromium's longest length.
pub(super) fn clamp(px: f64) -> f64 {
    math::clamp_calculation(px).clamp(-33_554_432.0, 33_554_432.0)
}

/// Returns true if the value is a single keyword.
pub(super) fn is_keyword(value: &[Component], keyword: &str) -> bool {
    matches!(value, [only] if only.is_ident(keyword))
}
