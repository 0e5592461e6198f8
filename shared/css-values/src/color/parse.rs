//! Parses colours from component values.

use super::{Color, Scheme, functions, named, system};
use crate::value::{Component, Lengths, parse_components};

/// The context of colours that are not absolute.
#[derive(Debug, Clone, Copy)]
pub struct ColorContext<'a> {
    /// `currentcolor`; if `None`, values that depend on it are no colours.
    pub current: Option<Color>,
    /// The scheme of system colours and `light-dark()`.
    pub scheme: Scheme,
    /// The lengths that relative units in calculations refer to.
    pub lengths: &'a Lengths,
}

/// Parses a colour. System colours and `light-dark()` follow `scheme`, and `currentcolor` is black. `None` if the text
/// is no colour.
pub fn parse(text: &str, scheme: Scheme) -> Option<Color> {
    let lengths = Lengths::initial(0.0, 0.0);
    let context = ColorContext { current: Some(Color::BLACK), scheme, lengths: &lengths };
    match parse_components(text)?.as_slice() {
        [component] => parse_component(component, &context),
        _ => None,
    }
}

/// Parses a colour from a component. System colours and `light-dark()` follow `scheme`. Without `current`, values that
/// depend on `currentcolor` are no colours.
pub fn color_from_component(component: &Component, scheme: Scheme, current: Option<Color>) -> Option<Color> {
    let lengths = Lengths::initial(0.0, 0.0);
    parse_component(component, &ColorContext { current, scheme, lengths: &lengths })
}

/// Returns true if a component is a valid colour.
pub fn is_color(component: &Component) -> bool {
    let lengths = Lengths::initial(0.0, 0.0);
    let context = ColorContext { current: Some(Color::BLACK), scheme: Scheme::Light, lengths: &lengths };
    parse_component(component, &context).is_some()
}

/// Parses a colour from a component.
pub fn parse_component(component: &Component, context: &ColorContext<'_>) -> Option<Color> {
    match component {
        Component::Ident(name) => keyword(&name.to_ascii_lowercase(), context),
        Component::Hash(digits) => hexadecimal(digits),
        Component::Function { name, arguments } => functions::function(name, arguments, context),
        _ => None,
    }
}

fn keyword(name: &str, context: &ColorContext<'_>) -> Option<Color> {
    match name {
        "transparent" => Some(Color::TRANSPARENT),
        "currentcolor" => context.current,
        _ => {
            let [r, g, b] = match named::named_rgb(name) {
                Some(rgb) => rgb,
                None => return system::system(name, context.scheme),
            };
            Some(Color::from_rgb(r, g, b))
        }
    }
}

/// `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`
pub(super) fn hexadecimal(digits: &str) -> Option<Color> {
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let short = |at: usize| u8::from_str_radix(&digits[at..=at], 16).ok().map(|v| v * 17);
    let long = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    let (rgb, alpha) = match digits.len() {
        3 => ([short(0)?, short(1)?, short(2)?], 255),
        4 => ([short(0)?, short(1)?, short(2)?], short(3)?),
        6 => ([long(0)?, long(2)?, long(4)?], 255),
        8 => ([long(0)?, long(2)?, long(4)?], long(6)?),
        _ => return None,
    };
    let color = Color::from_rgb(rgb[0], rgb[1], rgb[2]);
    Some(Color { alpha: f64::from(alpha) / 255.0, ..color })
}

/// Maximum number of colours in one value.
const MAX_COLORS: usize = 16;

/// Returns the colours in a computed value such as a gradient, in order. Computed colours are functions without nesting.
pub fn functions_in(value: &str) -> impl Iterator<Item = &str> {
    const FUNCTIONS: [&str; 7] = ["rgb(", "rgba(", "color(", "oklab(", "oklch(", "lab(", "lch("];
    let mut rest = value;
    let next = move || {
        let start = FUNCTIONS.iter().filter_map(|name| rest.find(name)).min()?;
        let end = start + rest[start..].find(')')? + 1;
        let found = &rest[start..end];
        rest = &rest[end..];
        Some(found)
    };
    std::iter::from_fn(next).take(MAX_COLORS)
}
