//! List values: shadows, filters, easing functions, decoration lines.

use super::component_values::{compute_components, is_keyword};
use super::compute_context::ComputeContext;
use crate::value::component::{Component, serialize, split_commas};
use crate::value::math::Kind;
use crate::value::number::format_number;

/// `rgb(0, 0, 0) 0px 1px 2px 0px inset`
pub(super) fn shadows(value: &[Component], context: &ComputeContext<'_>, spread: bool) -> Option<String> {
    if is_keyword(value, "none") {
        return Some("none".into());
    }
    let layers = split_commas(value).into_iter().map(|layer| shadow(layer, context, spread));
    layers.collect::<Option<Vec<_>>>().map(|layers| layers.join(", "))
}

fn shadow(layer: &[Component], context: &ComputeContext<'_>, spread: bool) -> Option<String> {
    let color = layer.iter().find_map(|component| context.color(component)).unwrap_or(context.style.color);
    let mut lengths: Vec<f64> = layer.iter().filter_map(|component| context.px(component)).collect();
    let wanted = if spread { 4 } else { 3 };
    if lengths.len() < 2 || lengths.len() > wanted {
        return None;
    }
    lengths.resize(wanted, 0.0);
    let lengths: Vec<String> = lengths.into_iter().map(|px| format!("{}px", format_number(px))).collect();
    let inset = if layer.iter().any(|component| component.is_ident("inset")) { " inset" } else { "" };
    Some(format!("{color} {}{inset}", lengths.join(" ")))
}

pub(super) fn filters(value: &[Component], context: &ComputeContext<'_>) -> String {
    let shown = |component: &Component| match component.as_function() {
        Some((name, arguments)) => filter(name, arguments, context),
        None => serialize(&compute_components(std::slice::from_ref(component), context, false, false)),
    };
    value.iter().map(shown).collect::<Vec<_>>().join(" ")
}

fn filter(name: &str, arguments: &[Component], context: &ComputeContext<'_>) -> String {
    match name {
        "drop-shadow" => format!("drop-shadow({})", shadow(arguments, context, false).unwrap_or_default()),
        "blur" | "hue-rotate" => {
            let default = if name == "blur" { "0px" } else { "0deg" };
            let text = arguments
                .first()
                .map(|argument| serialize(&compute_components(std::slice::from_ref(argument), context, true, false)));
            format!("{name}({})", text.unwrap_or_else(|| default.into()))
        }
        "url" => {
            serialize(&compute_components(&[Component::function(name, arguments.to_vec())], context, false, false))
        }
        _ => {
            let found = arguments.first().and_then(|argument| context.quantity(argument));
            let amount = found.map_or(1.0, |q| if q.kind == Kind::Percentage { q.percent / 100.0 } else { q.value });
            let capped =
                if matches!(name, "grayscale" | "invert" | "opacity" | "sepia") { amount.min(1.0) } else { amount };
            format!("{name}({})", format_number(capped.max(0.0)))
        }
    }
}

pub(super) fn easings(value: &[Component], context: &ComputeContext<'_>) -> String {
    let one = |part: &[Component]| match part {
        [Component::Ident(name)] => match &*name.to_ascii_lowercase() {
            "step-start" => "steps(1, start)".to_owned(),
            "step-end" => "steps(1)".to_owned(),
            name => name.to_owned(),
        },
        [Component::Function { name, arguments }] if &**name == "steps" => steps(arguments),
        part => serialize(&compute_components(part, context, false, false)),
    };
    split_commas(value).into_iter().map(one).collect::<Vec<_>>().join(", ")
}

fn steps(arguments: &[Component]) -> String {
    let parts = split_commas(arguments);
    let count = parts.first().map_or_else(String::new, |count| serialize(count));
    let position =
        parts.get(1).and_then(|part| part.first()).and_then(Component::as_ident).map(str::to_ascii_lowercase);
    match position.as_deref() {
        None | Some("end" | "jump-end") => format!("steps({count})"),
        Some("start") => format!("steps({count}, start)"),
        Some(other) => format!("steps({count}, {other})"),
    }
}

pub(super) fn decoration_lines(value: &[Component]) -> String {
    let has = |keyword: &&&str| value.iter().any(|component| component.is_ident(keyword));
    let order = ["underline", "overline", "line-through", "blink"];
    let found: Vec<&str> = order.iter().filter(has).copied().collect();
    if found.is_empty() { serialize(value).to_ascii_lowercase() } else { found.join(" ") }
}

/// Returns an angle of a transform in degrees.
pub(super) fn degrees(component: &Component, context: &ComputeContext<'_>) -> Option<f64> {
    let found = context.quantity(component)?;
    let zero = found.kind == Kind::Number && found.value == 0.0;
    (found.kind == Kind::Angle || zero).then_some(found.value)
}
