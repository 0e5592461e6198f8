//! Colour functions: absolute, relative, `color-mix()`, `light-dark()` and `contrast-color()`.

use super::parse::{ColorContext, parse_component};
use super::{Color, Scheme, Space, color_mix};
use crate::value::component::{Component, split_commas};
use crate::value::math::{self, Kind};

pub(super) fn function(name: &str, arguments: &[Component], context: &ColorContext<'_>) -> Option<Color> {
    match name {
        "rgb" | "rgba" => channels(Space::Legacy, arguments, context),
        "hsl" | "hsla" => channels(Space::Hsl, arguments, context),
        "hwb" => channels(Space::Hwb, arguments, context),
        "lab" => channels(Space::Lab, arguments, context),
        "lch" => channels(Space::Lch, arguments, context),
        "oklab" => channels(Space::Oklab, arguments, context),
        "oklch" => channels(Space::Oklch, arguments, context),
        "color" => predefined(arguments, context),
        "color-mix" => color_mix::color_mix(arguments, context),
        "light-dark" => light_dark(arguments, context),
        "contrast-color" => contrast(arguments, context),
        _ => None,
    }
}

fn light_dark(arguments: &[Component], context: &ColorContext<'_>) -> Option<Color> {
    let parts = split_commas(arguments);
    let [[light], [dark]] = parts.as_slice() else { return None };
    let (light, dark) = (parse_component(light, context)?, parse_component(dark, context)?);
    Some(if context.scheme == Scheme::Light { light } else { dark })
}

/// Evaluates `contrast-color()` (Color 5): white or black, whichever has more contrast.
fn contrast(arguments: &[Component], context: &ColorContext<'_>) -> Option<Color> {
    let [color] = arguments else { return None };
    let [_, luminance, _] = parse_component(color, context)?.to_space(Space::XyzD65).components();
    let (white, black) = (1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05);
    Some(if white >= black { Color::from_rgb(255, 255, 255) } else { Color::BLACK })
}

/// Returns the origin colour of a relative colour, and the arguments after it.
fn origin<'c>(arguments: &'c [Component], context: &ColorContext<'_>) -> Option<(Option<Color>, &'c [Component])> {
    match arguments {
        [from, color, rest @ ..] if from.is_ident("from") => Some((Some(parse_component(color, context)?), rest)),
        rest => Some((None, rest)),
    }
}

fn predefined(arguments: &[Component], context: &ColorContext<'_>) -> Option<Color> {
    let (origin, rest) = origin(arguments, context)?;
    let (name, rest) = rest.split_first()?;
    let space = Space::from_name(name.as_ident()?).filter(|space| space.is_predefined())?;
    let (values, alpha) = modern(rest)?;
    build(space, &values, alpha, origin, context)
}

fn channels(space: Space, arguments: &[Component], context: &ColorContext<'_>) -> Option<Color> {
    let (origin, rest) = origin(arguments, context)?;
    if origin.is_none() && rest.contains(&Component::Comma) {
        let legacy = matches!(space, Space::Legacy | Space::Hsl);
        let parts = split_commas(rest);
        let values: Vec<&Component> =
            parts.iter().map(|part| (part.len() == 1).then(|| &part[0])).collect::<Option<_>>()?;
        let (colors, alpha) = match values.as_slice() {
            [a, b, c] => ([*a, *b, *c], None),
            [a, b, c, alpha] => ([*a, *b, *c], Some(*alpha)),
            _ => return None,
        };
        if !legacy || values.iter().any(|value| value.is_ident("none")) || !legacy_types(space, colors) {
            return None;
        }
        return build(space, &colors, alpha, None, context);
    }
    let (values, alpha) = modern(rest)?;
    build(space, &values, alpha, origin, context)
}

/// Returns true if the types fit the comma syntax: percentages for all or no components in `rgb()`, and percentages
/// after the hue in `hsl()`.
fn legacy_types(space: Space, [a, b, c]: [&Component; 3]) -> bool {
    let is_percentage = |component: &Component| matches!(component, Component::Percentage(_));
    let is_math = |component: &Component| component.as_function().is_some();
    if space == Space::Hsl {
        return [b, c].into_iter().all(|v| is_percentage(v) || is_math(v));
    }
    let plain: Vec<bool> = [a, b, c].into_iter().filter(|v| !is_math(v)).map(is_percentage).collect();
    plain.windows(2).all(|pair| pair[0] == pair[1])
}

/// Splits the modern syntax: three components and, after a slash, opacity.
fn modern(values: &[Component]) -> Option<([&Component; 3], Option<&Component>)> {
    match values {
        [a, b, c] => Some(([a, b, c], None)),
        [a, b, c, Component::Slash, alpha] => Some(([a, b, c], Some(alpha))),
        _ => None,
    }
}

fn build(
    space: Space,
    values: &[&Component; 3],
    alpha: Option<&Component>,
    origin: Option<Color>,
    context: &ColorContext<'_>,
) -> Option<Color> {
    let origin = origin.map(|origin| origin.to_space(space));
    let reader = ComponentReader { space, origin, context };
    let mut components = [0.0; 3];
    for (index, value) in values.iter().enumerate() {
        components[index] = reader.component(index, value)?;
    }
    let alpha = match (alpha, origin) {
        (Some(alpha), _) => reader.alpha(alpha)?,
        (None, Some(origin)) => origin.alpha,
        (None, None) => 1.0,
    };
    Some(finish(space, components, alpha, origin.is_some()))
}

/// Clamps components as the space requires; notations of sRGB become sRGB.
fn finish(space: Space, components: [f64; 3], alpha: f64, relative: bool) -> Color {
    let plain = |v: f64| if v.is_nan() { 0.0 } else { v };
    let [a, b, c] = components;
    match space {
        Space::Legacy if relative => Color::new(Space::Srgb, components.map(|v| v / 255.0), alpha),
        Space::Legacy => Color::new(space, components.map(|v| plain(v).clamp(0.0, 255.0).round()), plain(alpha)),
        Space::Hsl | Space::Hwb => {
            let parts =
                if space == Space::Hsl { [plain(a), plain(b).max(0.0), plain(c)] } else { components.map(plain) };
            let color = Color::new(space, parts, alpha);
            if relative {
                return color.to_space(Space::Srgb);
            }
            let rgb = color.to_space(Space::Legacy).components.map(|v| v.clamp(0.0, 255.0).round());
            Color::new(Space::Legacy, rgb, plain(alpha))
        }
        Space::Lab => Color::new(space, [a.clamp(0.0, 100.0), b, c], alpha),
        Space::Oklab => Color::new(space, [a.clamp(0.0, 1.0), b, c], alpha),
        Space::Lch => Color::new(space, [a.clamp(0.0, 100.0), b.clamp(0.0, f64::MAX), c.rem_euclid(360.0)], alpha),
        Space::Oklch => Color::new(space, [a.clamp(0.0, 1.0), b.clamp(0.0, f64::MAX), c.rem_euclid(360.0)], alpha),
        other => Color::new(other, components, alpha),
    }
}

/// Reads components of one function.
struct ComponentReader<'a> {
    space: Space,
    origin: Option<Color>,
    context: &'a ColorContext<'a>,
}

/// Returns the names of a space's components in relative colours.
fn keywords(space: Space) -> [&'static str; 3] {
    match space {
        Space::Hsl => ["h", "s", "l"],
        Space::Hwb => ["h", "w", "b"],
        Space::Lab | Space::Oklab => ["l", "a", "b"],
        Space::Lch | Space::Oklch => ["l", "c", "h"],
        Space::XyzD50 | Space::XyzD65 => ["x", "y", "z"],
        _ => ["r", "g", "b"],
    }
}

/// Returns the value of 100 % for a component.
fn hundred_percent(space: Space, index: usize) -> f64 {
    match (space, index) {
        (Space::Legacy, _) => 255.0,
        (Space::Hsl | Space::Hwb, _) => 100.0,
        (Space::Lab | Space::Lch, 0) => 100.0,
        (Space::Lab, _) => 125.0,
        (Space::Lch, 1) => 150.0,
        (Space::Oklab | Space::Oklch, 1..=2) => 0.4,
        _ => 1.0,
    }
}

impl ComponentReader<'_> {
    fn component(&self, index: usize, value: &Component) -> Option<f64> {
        if value.is_ident("none") {
            return Some(f64::NAN);
        }
        let is_hue = self.space.hue() == Some(index);
        let value = self.substituted(value)?;
        let quantity = math::quantity(&value, self.context.lengths)?;
        match quantity.kind {
            Kind::Number => Some(quantity.value),
            Kind::Angle if is_hue => Some(quantity.value),
            Kind::Percentage if !is_hue => Some(quantity.percent / 100.0 * hundred_percent(self.space, index)),
            _ => None,
        }
    }

    fn alpha(&self, value: &Component) -> Option<f64> {
        if value.is_ident("none") {
            return Some(f64::NAN);
        }
        let value = self.substituted(value)?;
        let quantity = math::quantity(&value, self.context.lengths)?;
        match quantity.kind {
            Kind::Number => Some(quantity.value),
            Kind::Percentage => Some(quantity.percent / 100.0),
            _ => None,
        }
    }

    /// Replaces the names of components with the origin's values.
    fn substituted(&self, value: &Component) -> Option<Component> {
        let Some(origin) = self.origin else { return Some(value.clone()) };
        Some(match value {
            Component::Ident(name) => {
                let name = name.to_ascii_lowercase();
                let index = keywords(self.space).iter().position(|known| *known == name);
                let number = match index {
                    Some(index) => origin.components[index],
                    None if name == "alpha" => origin.alpha,
                    None => return Some(value.clone()),
                };
                Component::number(if number.is_nan() { 0.0 } else { number })
            }
            Component::Function { name, arguments } => {
                let arguments = arguments.iter().map(|a| self.substituted(a)).collect::<Option<_>>()?;
                Component::Function { name: name.clone(), arguments }
            }
            Component::Block(open, inner) => {
                Component::Block(*open, inner.iter().map(|a| self.substituted(a)).collect::<Option<_>>()?)
            }
            other => other.clone(),
        })
    }
}
