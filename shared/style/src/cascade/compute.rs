//! Converts specified values to computed values, serialized as Chromium does.

use super::component_values::{clamp, compute_components, is_keyword};
use super::compute_context::ComputeContext;
use super::initial_values::TRAITS;
use super::{background_layers, list_values, transform};
use crate::color::{self};
use crate::computed::Display;
use crate::property::{Longhand, is_generic_family, is_ui_family};
use crate::value::component::{Component, serialize};
use crate::value::math::Kind;
use crate::value::number::format_number;
use std::sync::Arc;

/// Returns the computed value; `None` if it depends on layout.
pub(crate) fn compute(longhand: Longhand, value: &[Component], context: &ComputeContext<'_>) -> Option<Arc<str>> {
    let text = match longhand {
        Longhand::FontWeight => font_weight(value, context)?,
        Longhand::FontStretch => font_stretch(value, context),
        Longhand::LetterSpacing if is_keyword(value, "normal") => "normal".into(),
        Longhand::LetterSpacing if value.first().and_then(|spacing| context.px(spacing)) == Some(0.0) => {
            "normal".into()
        }
        Longhand::WordSpacing if is_keyword(value, "normal") => "0px".into(),
        Longhand::BorderTopWidth
        | Longhand::BorderRightWidth
        | Longhand::BorderBottomWidth
        | Longhand::BorderLeftWidth
        | Longhand::OutlineWidth => line_width(value, context)?,
        Longhand::ColumnRuleWidth | Longhand::RowRuleWidth if value.len() == 1 => line_width(value, context)?,
        Longhand::CaretColor if is_keyword(value, "auto") => context.style.color.to_string(),
        Longhand::OutlineColor if is_keyword(value, "-webkit-focus-ring-color") => {
            color::focus_ring(context.style.scheme).to_string()
        }
        Longhand::BoxShadow | Longhand::TextShadow => {
            list_values::shadows(value, context, longhand == Longhand::BoxShadow)?
        }
        Longhand::Opacity
        | Longhand::FillOpacity
        | Longhand::StrokeOpacity
        | Longhand::StopOpacity
        | Longhand::FloodOpacity
        | Longhand::ShapeImageThreshold => opacity(value, context)?,
        Longhand::ZIndex | Longhand::Order => integer(value, context),
        Longhand::Display => Display::compute(value).unwrap_or_default().as_str().into(),
        Longhand::TextAlign => text_align(value, context),
        // With percentages of the box the functions stay.
        Longhand::Transform => transform::transform(value, context)
            .unwrap_or_else(|| serialize(&compute_components(value, context, false, false))),
        Longhand::Filter | Longhand::BackdropFilter => list_values::filters(value, context),
        Longhand::AspectRatio => aspect_ratio(value, context),
        Longhand::BackgroundPositionX | Longhand::BackgroundPositionY => background_layers::position(value, context),
        Longhand::MaskPosition | Longhand::ObjectPosition | Longhand::PerspectiveOrigin | Longhand::TransformOrigin => {
            background_layers::positions(value, context)
        }
        Longhand::BackgroundSize | Longhand::MaskSize => background_layers::sizes(value, context),
        Longhand::BackgroundRepeat | Longhand::MaskRepeat => background_layers::repeats(value),
        Longhand::BackgroundClip | Longhand::BackgroundOrigin | Longhand::MaskClip | Longhand::MaskOrigin => {
            background_layers::boxes(value)
        }
        Longhand::TransitionTimingFunction | Longhand::AnimationTimingFunction => list_values::easings(value, context),
        Longhand::Cursor => serialize(&compute_components(value, context, false, false)).replace("-webkit-", ""),
        Longhand::GridAutoFlow => grid_auto_flow(value),
        Longhand::StrokeWidth
        | Longhand::StrokeDashoffset
        | Longhand::Cx
        | Longhand::Cy
        | Longhand::R
        | Longhand::X
        | Longhand::Y => svg_length(value, context),
        Longhand::TextDecorationLine => list_values::decoration_lines(value),
        Longhand::JustifyItems if is_keyword(value, "legacy") => "normal".into(),
        Longhand::BorderTopLeftRadius
        | Longhand::BorderTopRightRadius
        | Longhand::BorderBottomRightRadius
        | Longhand::BorderBottomLeftRadius => radius(value, context),
        Longhand::Width
        | Longhand::Height
        | Longhand::MinWidth
        | Longhand::MinHeight
        | Longhand::MaxWidth
        | Longhand::MaxHeight
            if value.first().and_then(Component::as_ident).is_some() =>
        {
            size_keyword(value)
        }
        Longhand::Zoom => zoom(value, context),
        Longhand::FontFamily => font_family(value),
        // Color 4, section 6.2: an inherited `currentcolor` resolves to the colour of the inheriting element.
        _ if longhand.is_inherited() && is_keyword(value, "currentcolor") => "currentcolor".into(),
        _ => {
            let traits = TRAITS[&longhand];
            let takes_color = traits.takes_color || matches!(longhand, Longhand::Fill | Longhand::Stroke);
            let computed = compute_components(value, context, traits.zero_is_length, takes_color);
            let computed = if traits.keeps_case { computed } else { lowered(computed) };
            let computed = if traits.is_positive { clamp_to_zero(computed) } else { computed };
            serialize(&computed)
        }
    };
    Some(text.into())
}

fn lowered(components: Vec<Component>) -> Vec<Component> {
    let lower = |component| match component {
        Component::Ident(name) => Component::Ident(name.to_ascii_lowercase().into()),
        other => other,
    };
    components.into_iter().map(lower).collect()
}

fn font_weight(value: &[Component], context: &ComputeContext<'_>) -> Option<String> {
    let inherited: f64 = context.parent.get(Longhand::FontWeight).parse().unwrap_or(400.0);
    let weight = match value.first()? {
        Component::Ident(keyword) => match &*keyword.to_ascii_lowercase() {
            "normal" => 400.0,
            "bold" => 700.0,
            "bolder" if inherited < 350.0 => 400.0,
            "bolder" if inherited < 550.0 => 700.0,
            "bolder" => inherited.max(900.0),
            "lighter" if inherited < 100.0 => inherited,
            "lighter" if inherited < 550.0 => 100.0,
            "lighter" if inherited < 750.0 => 400.0,
            "lighter" => 700.0,
            _ => return None,
        },
        number => context.quantity(number)?.value.clamp(1.0, 1000.0),
    };
    Some(format_number(weight))
}

fn font_stretch(value: &[Component], context: &ComputeContext<'_>) -> String {
    let keyword = value.first().and_then(Component::as_ident).map(str::to_ascii_lowercase);
    let percentage = match keyword.as_deref() {
        Some("ultra-condensed") => "50%",
        Some("extra-condensed") => "62.5%",
        Some("condensed") => "75%",
        Some("semi-condensed") => "87.5%",
        Some("normal") => "100%",
        Some("semi-expanded") => "112.5%",
        Some("expanded") => "125%",
        Some("extra-expanded") => "150%",
        Some("ultra-expanded") => "200%",
        _ => return serialize(&compute_components(value, context, false, false)),
    };
    percentage.into()
}

/// Rounds border widths to whole device pixels, at least one.
fn line_width(value: &[Component], context: &ComputeContext<'_>) -> Option<String> {
    let component = value.first()?;
    let px = match component.as_ident().map(str::to_ascii_lowercase).as_deref() {
        Some("thin") => 1.0,
        Some("medium") => 3.0,
        Some("thick") => 5.0,
        Some(_) => return None,
        None => context.px(component)?,
    };
    let snapped = if px > 0.0 && px < 1.0 { 1.0 } else { px.floor() };
    Some(format!("{}px", format_number(clamp(snapped))))
}

fn opacity(value: &[Component], context: &ComputeContext<'_>) -> Option<String> {
    let found = context.quantity(value.first()?)?;
    let number = if found.kind == Kind::Percentage { found.percent / 100.0 } else { found.value };
    Some(format_number(number.clamp(0.0, 1.0)))
}

/// Computes integers, which keep all their digits, unlike other numbers.
fn integer(value: &[Component], context: &ComputeContext<'_>) -> String {
    match value.first().and_then(|component| context.quantity(component)) {
        // Conversion saturates, as Chromium's does.
        Some(found) => ((found.value + 0.5).floor() as i32).to_string(),
        None => serialize(&compute_components(value, context, false, false)),
    }
}

/// Maps prefixed keywords to the ones of Sizing 3 and 4 that replace them.
fn size_keyword(value: &[Component]) -> String {
    let keyword = serialize(value).to_ascii_lowercase();
    match keyword.strip_prefix("-webkit-") {
        Some("fill-available") => "stretch".to_owned(),
        Some(newer) => newer.to_owned(),
        None => keyword,
    }
}

fn zoom(value: &[Component], context: &ComputeContext<'_>) -> String {
    let found = value.first().and_then(|component| context.quantity(component));
    match found {
        Some(found) if found.kind == Kind::Percentage => format_number(found.percent / 100.0),
        Some(found) => format_number(found.value),
        None => "1".into(),
    }
}

fn text_align(value: &[Component], context: &ComputeContext<'_>) -> String {
    let inherited = context.parent.get(Longhand::TextAlign);
    let keyword = value.first().and_then(Component::as_ident).unwrap_or("start").to_ascii_lowercase();
    match keyword.as_str() {
        "-webkit-match-parent" => match (inherited, context.parent.flow.rtl) {
            ("start", false) | ("end", true) => "left".into(),
            ("start", true) | ("end", false) => "right".into(),
            _ => inherited.to_owned(),
        },
        // Header cells are centred unless their parent is aligned otherwise.
        "-internal-center" if inherited == "start" => "center".into(),
        "-internal-center" => inherited.to_owned(),
        _ => keyword,
    }
}

fn aspect_ratio(value: &[Component], context: &ComputeContext<'_>) -> String {
    let auto = value.iter().any(|component| component.is_ident("auto"));
    let numbers: Vec<f64> = value.iter().filter_map(|component| context.quantity(component)).map(|q| q.value).collect();
    let ratio = match numbers.as_slice() {
        [] => return "auto".into(),
        [width] => format!("{} / 1", format_number(*width)),
        [width, height, ..] => format!("{} / {}", format_number(*width), format_number(*height)),
    };
    if auto { format!("auto {ratio}") } else { ratio }
}

fn grid_auto_flow(value: &[Component]) -> String {
    let has = |keyword: &str| value.iter().any(|component| component.is_ident(keyword));
    match (has("column"), has("dense")) {
        (false, false) => "row",
        (true, false) => "column",
        (false, true) => "dense",
        (true, true) => "column dense",
    }
    .to_owned()
}

/// Raises negative results of calculations to zero; plain negative values are invalid and were dropped before.
fn clamp_to_zero(mut computed: Vec<Component>) -> Vec<Component> {
    for component in &mut computed {
        match component {
            Component::Number { value, .. } | Component::Percentage(value) | Component::Dimension { value, .. } => {
                *value = value.max(0.0);
            }
            _ => {}
        }
    }
    computed
}

/// Computes an SVG length, which may lack a unit.
fn svg_length(value: &[Component], context: &ComputeContext<'_>) -> String {
    match value.first().and_then(|component| context.quantity(component)) {
        Some(found) if found.kind == Kind::Number => format!("{}px", format_number(found.value)),
        _ => serialize(&compute_components(value, context, true, false)),
    }
}

/// Computes a radius; two equal radii are written once.
fn radius(value: &[Component], context: &ComputeContext<'_>) -> String {
    let computed = compute_components(value, context, true, false);
    match computed.as_slice() {
        [a, b] if a == b => serialize(&computed[..1]),
        _ => serialize(&computed),
    }
}

/// Computes a list of families: names keep their case, and strings are quoted only if they are no identifiers.
pub(super) fn font_family(value: &[Component]) -> String {
    let shown = |part: &[Component]| match part {
        [Component::Ident(name)] if is_generic(name) => name.to_ascii_lowercase(),
        [Component::String(name)] if is_plain_name(name) => name.to_string(),
        [Component::Ident(_), _, ..] => {
            let words: Vec<&str> = part.iter().filter_map(Component::as_ident).collect();
            serialize(&[Component::String(words.join(" ").into())])
        }
        part => serialize(part),
    };
    crate::value::component::split_commas(value).into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn is_plain_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(plain) && !is_generic(name)
}

fn is_generic(name: &str) -> bool {
    is_generic_family(name) || is_ui_family(name)
}
