//! Colours: in hex, and in their own space where hex is less exact.

use super::Spelling;
use limner_style::color::{Color, Scheme, Space, color_from_component};
use limner_style::value::{Component, format_decimal};
use std::cell::Cell;

/// Returns `#rrggbb`, or `#rrggbbaa`, and the colour in its own space; `None` for other components and for colours that
/// depend on another (`currentcolor`).
pub(super) fn spelling(component: &Component, scheme: Scheme) -> Option<Spelling> {
    let color = color(component, scheme)?;
    Some(Spelling { key: color.to_hex(), css: is_beyond_hex(&color).then(|| exact(&color)) })
}

fn color(component: &Component, scheme: Scheme) -> Option<Color> {
    if !may_be_color(component) {
        return None;
    }
    color_from_component(component, scheme, None)
}

/// Returns true for components that may be a colour; numbers, strings and lengths are not.
fn may_be_color(component: &Component) -> bool {
    matches!(component, Component::Ident(_) | Component::Hash(_) | Component::Function { .. })
}

/// Returns true if hex does not express a colour: one of a space other than sRGB, or an opacity between two bytes.
fn is_beyond_hex(color: &Color) -> bool {
    !is_like_srgb(color) || has_fine_opacity(color)
}

fn is_like_srgb(color: &Color) -> bool {
    matches!(color.space(), Space::Legacy | Space::Srgb | Space::Hsl | Space::Hwb)
}

fn has_fine_opacity(color: &Color) -> bool {
    let byte = color.alpha() * 255.0;
    (byte - byte.round()).abs() > 1e-3
}

/// Returns a colour in its own space, with its opacity as authored: in a list, commas separate the items only.
fn exact(color: &Color) -> String {
    if !is_like_srgb(color) {
        return color.to_string();
    }
    let ([r, g, b], alpha) = color.to_rgba();
    format!("rgb({r} {g} {b} / {})", format_decimal(alpha))
}

/// Writes the colours of a longer value.
pub(super) struct ColorWriter {
    scheme: Scheme,
    /// True if colours keep their space.
    is_exact: bool,
    /// True if colours mix with others, which they do differently in another space, even in one as large as sRGB.
    mixes: bool,
    /// True if a colour was written that hex does not express.
    is_rounded: Cell<bool>,
}

impl ColorWriter {
    /// Returns the spelling of a value that `write` writes.
    pub(super) fn spelling(scheme: Scheme, mixes: bool, write: impl Fn(&Self) -> Option<String>) -> Option<Spelling> {
        let mut writer = Self { scheme, is_exact: false, mixes, is_rounded: Cell::new(false) };
        let key = write(&writer)?;
        if !writer.is_rounded.get() {
            return Some(Spelling::from(key));
        }
        writer.is_exact = true;
        Some(Spelling { key, css: write(&writer) })
    }

    /// Returns a colour's text; `None` for other components.
    pub(super) fn text(&self, component: &Component) -> Option<String> {
        let color = color(component, self.scheme)?;
        let has_own_space = if self.mixes { color.space() != Space::Legacy } else { !is_like_srgb(&color) };
        if has_own_space && self.is_exact {
            return Some(color.to_string());
        }
        let has_own_space = has_own_space || has_fine_opacity(&color);
        if has_own_space && self.is_exact {
            return Some(exact(&color));
        }
        self.is_rounded.set(self.is_rounded.get() || has_own_space);
        Some(color.to_hex())
    }
}

/// Visits every colour in a value and in its functions.
pub(super) fn visit_colors(component: &Component, scheme: Scheme, visit: &mut dyn FnMut(Spelling, &Component)) {
    if let Some(found) = spelling(component, scheme) {
        return visit(found, component);
    }
    if let Some((_, arguments)) = component.as_function() {
        arguments.iter().for_each(|argument| visit_colors(argument, scheme, visit));
    }
}

/// Returns true if a value itself differs between light and dark.
pub(super) fn depends_on_scheme(value: &[Component]) -> bool {
    value.iter().any(|component| match component.as_function() {
        Some((name, arguments)) => name == "light-dark" || depends_on_scheme(arguments),
        None => false,
    })
}
