//! `color-mix()` (Color 5, section 2).

use super::parse::{ColorContext, parse_component};
use super::{Color, Space};
use crate::value::component::{Component, split_commas};
use crate::value::math::{self, Kind};

/// The direction around the hue circle.
#[derive(Clone, Copy, PartialEq)]
enum HueMethod {
    Shorter,
    Longer,
    Increasing,
    Decreasing,
}

pub(super) fn color_mix(arguments: &[Component], context: &ColorContext<'_>) -> Option<Color> {
    let parts = split_commas(arguments);
    let (space, method, parts) = match parts.as_slice() {
        [[keyword, method @ ..], colors @ ..] if keyword.is_ident("in") => {
            let (space, method) = interpolation(method)?;
            (space, method, colors.to_vec())
        }
        colors => (Space::Oklab, HueMethod::Shorter, colors.to_vec()),
    };
    let [first, second] = parts.as_slice() else { return None };
    let (first, first_share) = color_and_share(first, context)?;
    let (second, second_share) = color_and_share(second, context)?;
    let (p1, p2) = match (first_share, second_share) {
        (None, None) => (50.0, 50.0),
        (Some(p), None) => (p, 100.0 - p),
        (None, Some(p)) => (100.0 - p, p),
        (Some(a), Some(b)) => (a, b),
    };
    let total = p1 + p2;
    if total <= 0.0 {
        return None;
    }
    let mixed = interpolate(first, second, p2 / total, space, method);
    let faded = Color { alpha: mixed.alpha * (total / 100.0).min(1.0), ..mixed };
    Some(match space {
        Space::Hsl | Space::Hwb => faded.to_space(Space::Srgb),
        _ => faded,
    })
}

fn interpolation(words: &[Component]) -> Option<(Space, HueMethod)> {
    let (space, rest) = words.split_first()?;
    let space = Space::from_name(space.as_ident()?)?;
    let method = match rest {
        [] => HueMethod::Shorter,
        [method, hue] if hue.is_ident("hue") && space.hue().is_some() => {
            match &*method.as_ident()?.to_ascii_lowercase() {
                "shorter" => HueMethod::Shorter,
                "longer" => HueMethod::Longer,
                "increasing" => HueMethod::Increasing,
                "decreasing" => HueMethod::Decreasing,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some((space, method))
}

fn color_and_share(part: &[Component], context: &ColorContext<'_>) -> Option<(Color, Option<f64>)> {
    let share = |component: &Component| {
        let quantity = math::quantity(component, context.lengths).filter(|q| q.kind == Kind::Percentage)?;
        (0.0..=100.0).contains(&quantity.percent).then_some(quantity.percent)
    };
    match part {
        [color] => Some((parse_component(color, context)?, None)),
        [a, b] => match parse_component(a, context) {
            Some(color) => Some((color, Some(share(b)?))),
            None => Some((parse_component(b, context)?, Some(share(a)?))),
        },
        _ => None,
    }
}

/// Interpolates (Color 4, section 12): missing components take the other colour's value, all but the hue are
/// premultiplied.
fn interpolate(first: Color, second: Color, t: f64, space: Space, method: HueMethod) -> Color {
    let (mut a, mut b) = (carry_missing_components(first, space), carry_missing_components(second, space));
    for index in 0..3 {
        match (a.components[index].is_nan(), b.components[index].is_nan()) {
            (true, false) => a.components[index] = b.components[index],
            (false, true) => b.components[index] = a.components[index],
            _ => {}
        }
    }
    match (a.alpha.is_nan(), b.alpha.is_nan()) {
        (true, false) => a.alpha = b.alpha,
        (false, true) => b.alpha = a.alpha,
        _ => {}
    }
    // Tenths have no exact binary number: 10 % of an opaque colour must be 0.1, since a value slightly below would
    // round to the next darker byte.
    let alpha = ((a.alpha + (b.alpha - a.alpha) * t) * 1e12).round() / 1e12;
    let mut components = [0.0; 3];
    for (index, component) in components.iter_mut().enumerate() {
        let (x, y) = (a.components[index], b.components[index]);
        *component = if space.hue() == Some(index) {
            let (x, y) = fix_hues(x, y, method);
            (x + (y - x) * t).rem_euclid(360.0)
        } else if alpha == 0.0 || alpha.is_nan() {
            x + (y - x) * t
        } else {
            (x * a.alpha * (1.0 - t) + y * b.alpha * t) / alpha
        };
    }
    Color { space, components, alpha }
}

/// Converts a colour to the space of interpolation; components missing before stay missing if they are analogous.
fn carry_missing_components(color: Color, space: Space) -> Color {
    let mut converted = color.to_space(space);
    if let (Some(from), Some(to)) = (color.space.hue(), space.hue())
        && color.components[from].is_nan()
    {
        converted.components[to] = f64::NAN;
    }
    converted
}

fn fix_hues(a: f64, b: f64, method: HueMethod) -> (f64, f64) {
    let delta = b - a;
    match method {
        HueMethod::Shorter if delta > 180.0 => (a + 360.0, b),
        HueMethod::Shorter if delta < -180.0 => (a, b + 360.0),
        HueMethod::Longer if delta > 0.0 && delta < 180.0 => (a + 360.0, b),
        HueMethod::Longer if delta > -180.0 && delta <= 0.0 => (a, b + 360.0),
        HueMethod::Increasing if delta < 0.0 => (a, b + 360.0),
        HueMethod::Decreasing if delta > 0.0 => (a + 360.0, b),
        _ => (a, b),
    }
}
