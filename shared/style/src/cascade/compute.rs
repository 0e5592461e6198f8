//! Converts specified values to computed values, serialized as Chromium does.

use super::computed_style::ComputedStyle;
use super::gradient::gradient;
use super::{background_layers, list_values, transform};
use crate::color::{self, Color, ColorContext};
use crate::computed::Display;
use crate::environment::Environment;
use crate::property::Longhand;
use crate::value::component::{Component, serialize};
use crate::value::math::{self, Kind, Quantity};
use crate::value::number::format_number;
use crate::value::syntax::Grammar;
use crate::value::types::Type;
use crate::value::{Lengths, parse_components};
use foldhash::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};
use url::Url;

/// The styles and lengths that values are computed against.
pub(crate) struct ComputeContext<'c> {
    pub(crate) style: &'c ComputedStyle,
    pub(crate) parent: &'c ComputedStyle,
    pub(crate) lengths: Lengths,
    base: Option<&'c str>,
}

impl<'c> ComputeContext<'c> {
    pub(crate) fn new(
        style: &'c ComputedStyle,
        parent: &'c ComputedStyle,
        environment: &Environment,
        base: Option<&'c str>,
    ) -> Self {
        Self { style, parent, lengths: style.lengths(environment), base }
    }

    pub(crate) fn color(&self, component: &Component) -> Option<Color> {
        let context =
            ColorContext { current: Some(self.style.color), scheme: self.style.scheme, lengths: &self.lengths };
        color::parse_component(component, &context)
    }

    pub(crate) fn quantity(&self, component: &Component) -> Option<Quantity> {
        math::quantity(component, &self.lengths)
    }

    /// Returns the pixels of a length, zero included.
    pub(crate) fn px(&self, component: &Component) -> Option<f64> {
        let found = self.quantity(component).filter(|q| !q.opaque)?;
        (found.kind == Kind::Length || (found.kind == Kind::Number && found.value == 0.0)).then_some(found.value)
    }

    fn absolute(&self, address: &str) -> String {
        let joined = self.base.and_then(|base| Url::parse(base).ok()?.join(address).ok());
        joined.map_or_else(|| address.to_owned(), String::from)
    }
}

/// Properties of a longhand's grammar that its computed values depend on.
#[derive(Clone, Copy)]
struct GrammarTraits {
    zero_is_length: bool,
    takes_color: bool,
    keeps_case: bool,
    /// True if the grammar has no negative numbers: a calculation with a negative result gives zero.
    is_positive: bool,
}

static TRAITS: LazyLock<HashMap<Longhand, GrammarTraits>> = LazyLock::new(|| {
    let traits = |longhand: &Longhand| {
        let grammar = longhand.grammar();
        let length = contains_type(grammar, &[Type::Length, Type::LengthPercentage]);
        let number = contains_type(grammar, &[Type::Number, Type::Integer]);
        let zero_is_length = length && !number;
        let takes_color = contains_type(grammar, &[Type::Color, Type::Image, Type::Filter]);
        let keeps_case = contains_type(grammar, &[Type::Ident, Type::Any, Type::LineNames]);
        let is_positive = takes_positive(grammar, true) && !takes_positive(grammar, false);
        (*longhand, GrammarTraits { zero_is_length, takes_color, keeps_case, is_positive })
    };
    Longhand::ALL.iter().map(traits).collect()
});

fn contains_type(grammar: &Grammar, types: &[Type]) -> bool {
    any_type(grammar, &|of, _| types.contains(&of))
}

/// Returns true if the grammar has numbers that must not be negative (`wanted`), or that may be.
fn takes_positive(grammar: &Grammar, wanted: bool) -> bool {
    const NUMBERS: [Type; 5] = [Type::Length, Type::LengthPercentage, Type::Percentage, Type::Number, Type::Integer];
    any_type(grammar, &|of, positive| positive == wanted && NUMBERS.contains(&of))
}

fn any_type(grammar: &Grammar, test: &dyn Fn(Type, bool) -> bool) -> bool {
    match grammar {
        Grammar::Type { of, positive } => test(*of, *positive),
        Grammar::Sequence(list) | Grammar::AllInAnyOrder(list) | Grammar::OneOrMore(list) | Grammar::One(list) => {
            list.iter().any(|item| any_type(item, test))
        }
        Grammar::Repeat { of, .. } => any_type(of, test),
        _ => false,
    }
}

static INITIAL: LazyLock<Vec<OnceLock<Arc<str>>>> =
    LazyLock::new(|| Longhand::ALL.iter().map(|_| OnceLock::new()).collect());

/// Returns the computed initial value. Colours that follow `color` are `currentcolor`.
pub(crate) fn initial(longhand: Longhand) -> Arc<str> {
    INITIAL[longhand as usize].get_or_init(|| initial_value(longhand).into()).clone()
}

/// Like [`initial`], borrowed.
pub(crate) fn initial_text(longhand: Longhand) -> &'static str {
    INITIAL[longhand as usize].get_or_init(|| initial_value(longhand).into())
}

fn initial_value(longhand: Longhand) -> String {
    match longhand {
        Longhand::Color => "rgb(0, 0, 0)".into(),
        Longhand::FontSize => "16px".into(),
        Longhand::FontWeight => "400".into(),
        Longhand::BorderTopWidth
        | Longhand::BorderRightWidth
        | Longhand::BorderBottomWidth
        | Longhand::BorderLeftWidth => "0px".into(),
        Longhand::OutlineWidth | Longhand::ColumnRuleWidth => "3px".into(),
        Longhand::MinWidth | Longhand::MinHeight => "0px".into(),
        Longhand::CaretColor => "currentcolor".into(),
        Longhand::OffsetRotate => "auto 0deg".into(),
        Longhand::JustifyItems => "normal".into(),
        _ => {
            let text = longhand.initial();
            match color::parse(text, color::Scheme::Light).filter(|_| !text.eq_ignore_ascii_case("currentcolor")) {
                Some(color) if TRAITS[&longhand].takes_color => color.to_string(),
                _ => text.to_owned(),
            }
        }
    }
}

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
        | Longhand::OutlineWidth
        | Longhand::ColumnRuleWidth => line_width(value, context)?,
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
        Longhand::Transform => {
            transform::transform(value, context).unwrap_or_else(|| serialize(&generic(value, context, false, false)))
        }
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
        Longhand::Cursor => serialize(&generic(value, context, false, false)).replace("-webkit-", ""),
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
            let computed = generic(value, context, traits.zero_is_length, takes_color);
            let computed = if traits.keeps_case { computed } else { lowered(computed) };
            let computed = if traits.is_positive { clamp_to_zero(computed) } else { computed };
            serialize(&computed)
        }
    };
    Some(text.into())
}

pub(super) fn is_keyword(value: &[Component], keyword: &str) -> bool {
    matches!(value, [only] if only.is_ident(keyword))
}

fn lowered(components: Vec<Component>) -> Vec<Component> {
    let lower = |component| match component {
        Component::Ident(name) => Component::Ident(name.to_ascii_lowercase().into()),
        other => other,
    };
    components.into_iter().map(lower).collect()
}

/// Computes lengths in px, colours as `rgb()`, and mathematical functions.
pub(crate) fn generic(
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
            _ => Component::function(name, generic(arguments, context, false, false)),
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
    let gradient = if name.ends_with("gradient") { gradient(name, arguments, context) } else { None };
    Component::function(name, gradient.unwrap_or_else(|| generic(arguments, context, false, colors)))
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
        _ => return serialize(&generic(value, context, false, false)),
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
        None => serialize(&generic(value, context, false, false)),
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
        "-webkit-match-parent" => match (inherited, context.parent.rtl) {
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
        _ => serialize(&generic(value, context, true, false)),
    }
}

/// Computes a radius; two equal radii are written once.
fn radius(value: &[Component], context: &ComputeContext<'_>) -> String {
    let computed = generic(value, context, true, false);
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
    let generic = [
        "serif",
        "sans-serif",
        "monospace",
        "cursive",
        "fantasy",
        "system-ui",
        "math",
        "ui-monospace",
        "ui-serif",
        "ui-sans-serif",
        "ui-rounded",
    ];
    generic.iter().any(|known| known.eq_ignore_ascii_case(name))
}
