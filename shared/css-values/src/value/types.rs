//! Basic data types of single component values.

use super::Lengths;
use super::component::Component;
use super::gradient::is_gradient;
use super::math::{self, Kind};
use super::transform;
use crate::color;

/// A basic type in a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// `<length>`
    Length,
    /// `<length-percentage>`
    LengthPercentage,
    /// `<percentage>`
    Percentage,
    /// `<number>`
    Number,
    /// `<integer>`
    Integer,
    /// `<angle>`
    Angle,
    /// `<time>`
    Time,
    /// `<resolution>`
    Resolution,
    /// `<flex>`
    Flex,
    /// `<color>`
    Color,
    /// `<image>`
    Image,
    /// `<url>`
    Url,
    /// `<string>`
    String,
    /// `<custom-ident>`
    Ident,
    /// `<easing-function>`
    Easing,
    /// `<transform-function>`
    Transform,
    /// `<filter-function>`
    Filter,
    /// `<basic-shape>`
    BasicShape,
    /// `<counter>`
    Counter,
    /// A function that sizes accept, such as `fit-content()`.
    SizingFunction,
    /// A function of anchor positioning, such as `anchor()`.
    AnchorFunction,
    /// A function that grid tracks accept, such as `minmax()`.
    TrackFunction,
    /// `<line-names>`
    LineNames,
    /// Any component.
    Any,
}

impl Type {
    /// Returns the type of that name in a grammar.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "length" => Self::Length,
            "length-percentage" => Self::LengthPercentage,
            "percentage" => Self::Percentage,
            "number" => Self::Number,
            "integer" => Self::Integer,
            "angle" => Self::Angle,
            "time" => Self::Time,
            "resolution" => Self::Resolution,
            "flex" => Self::Flex,
            "color" => Self::Color,
            "image" => Self::Image,
            "url" => Self::Url,
            "string" => Self::String,
            "ident" | "custom-ident" => Self::Ident,
            "easing" => Self::Easing,
            "transform" | "transform-function" => Self::Transform,
            "filter" => Self::Filter,
            "basic-shape" => Self::BasicShape,
            "counter" => Self::Counter,
            "sizing-function" => Self::SizingFunction,
            "anchor-function" => Self::AnchorFunction,
            "track-function" => Self::TrackFunction,
            "line-names" => Self::LineNames,
            "any" => Self::Any,
            _ => return None,
        })
    }

    /// Returns true if a component has the type; `positive` rejects plain negative numbers.
    pub fn matches(self, component: &Component, positive: bool) -> bool {
        match self {
            Self::Any => *component != Component::Comma,
            Self::Color => color::is_color(component),
            Self::String => matches!(component, Component::String(_)),
            Self::Url => is_url(component),
            Self::Ident => is_custom_ident(component),
            Self::Image => is_image(component),
            Self::Easing => is_easing(component),
            Self::Transform => transform::is_transform_function(component),
            Self::Filter => is_function_of(component, FILTERS),
            Self::BasicShape => is_function_of(component, SHAPES) || is_whole_shape(component),
            Self::Counter => is_function_of(component, &["counter", "counters", "attr"]),
            Self::SizingFunction => is_function_of(component, &["fit-content", "calc-size", "anchor-size"]),
            Self::AnchorFunction => is_function_of(component, &["anchor", "anchor-size"]),
            Self::TrackFunction => is_function_of(component, &["minmax", "fit-content", "repeat"]),
            Self::LineNames => matches!(component, Component::Block('[', _)),
            numeric => numeric.matches_number(component, positive),
        }
    }

    fn matches_number(self, component: &Component, positive: bool) -> bool {
        // Only the kind matters here, not the lengths of relative units.
        let lengths = Lengths::initial(1000.0, 1000.0);
        let Some(quantity) = math::quantity(component, &lengths) else { return false };
        let is_math = component.as_function().is_some();
        let zero = matches!(component, Component::Number { value, .. } if *value == 0.0);
        let fits = match self {
            Self::Length => quantity.kind == Kind::Length || zero,
            Self::LengthPercentage => {
                matches!(quantity.kind, Kind::Length | Kind::Percentage | Kind::LengthPercentage) || zero
            }
            Self::Percentage => quantity.kind == Kind::Percentage,
            Self::Number => quantity.kind == Kind::Number,
            Self::Integer => {
                quantity.kind == Kind::Number
                    && (is_math || matches!(component, Component::Number { integer: true, .. }))
            }
            Self::Angle => quantity.kind == Kind::Angle || zero,
            Self::Time => quantity.kind == Kind::Time,
            Self::Resolution => quantity.kind == Kind::Resolution,
            Self::Flex => quantity.kind == Kind::Flex,
            _ => false,
        };
        fits && (!positive || is_math || (quantity.value >= 0.0 && quantity.percent >= 0.0))
    }
}

const FILTERS: &[&str] = &[
    "blur",
    "brightness",
    "contrast",
    "drop-shadow",
    "grayscale",
    "hue-rotate",
    "invert",
    "opacity",
    "saturate",
    "sepia",
];

const SHAPES: &[&str] = &["circle", "ellipse", "inset", "path", "polygon", "rect", "xywh", "shape"];

const IMAGES: &[&str] = &[
    "-webkit-cross-fade",
    "-webkit-gradient",
    "-webkit-image-set",
    "-webkit-linear-gradient",
    "-webkit-radial-gradient",
    "-webkit-repeating-linear-gradient",
    "-webkit-repeating-radial-gradient",
    "conic-gradient",
    "cross-fade",
    "element",
    "image",
    "image-set",
    "linear-gradient",
    "paint",
    "radial-gradient",
    "repeating-conic-gradient",
    "repeating-linear-gradient",
    "repeating-radial-gradient",
];

fn is_function_of(component: &Component, names: &[&str]) -> bool {
    component.as_function().is_some_and(|(name, arguments)| names.contains(&name) && !arguments.is_empty())
        || component.as_function().is_some_and(|(name, _)| FILTERS.contains(&name) && names.contains(&name))
}

/// Returns true for a shape that is as large as its box: `circle()` (CSS Shapes 1, 3.1).
fn is_whole_shape(component: &Component) -> bool {
    component.as_function().is_some_and(|(name, arguments)| {
        arguments.is_empty() && ["circle", "ellipse"].iter().any(|shape| name.eq_ignore_ascii_case(shape))
    })
}

fn is_url(component: &Component) -> bool {
    match component {
        Component::Url(_) => true,
        Component::Function { name, arguments } => {
            matches!(&**name, "url" | "src") && matches!(arguments.first(), Some(Component::String(_)))
        }
        _ => false,
    }
}

fn is_image(component: &Component) -> bool {
    if is_url(component) {
        return true;
    }
    let Some((name, arguments)) = component.as_function() else { return false };
    if !IMAGES.contains(&name) || arguments.is_empty() {
        return false;
    }
    !name.ends_with("gradient") || is_gradient(name, arguments)
}

fn is_easing(component: &Component) -> bool {
    match component {
        Component::Ident(name) => matches!(
            &*name.to_ascii_lowercase(),
            "ease" | "linear" | "ease-in" | "ease-out" | "ease-in-out" | "step-start" | "step-end"
        ),
        Component::Function { name, arguments } => match &**name {
            "cubic-bezier" => {
                let parts = super::component::split_commas(arguments);
                parts.len() == 4 && parts.iter().all(|p| p.len() == 1 && Type::Number.matches(&p[0], false))
            }
            "steps" => arguments.first().is_some_and(|count| Type::Integer.matches(count, true)),
            "linear" => !arguments.is_empty(),
            _ => false,
        },
        _ => false,
    }
}

fn is_custom_ident(component: &Component) -> bool {
    let Some(name) = component.as_ident() else { return false };
    let reserved = ["initial", "inherit", "unset", "revert", "revert-layer", "default"];
    !reserved.iter().any(|keyword| keyword.eq_ignore_ascii_case(name))
}
