//! Reads design values from longhands, in canonical spelling.
//!
//! Equal values have equal keys: colours are hex, absent shadow lengths are written out, times are in milliseconds. The
//! author's units stay: a token does not fix the number of pixels in `1.5rem`.

mod calc;
mod color;
mod font;
mod gradient;
mod length;
mod shadow;
mod timing;

pub(crate) use length::length;
pub(crate) use timing::spread_evenly;

use limner_style::color::Scheme;
use limner_style::property::Longhand;
use limner_style::value::{Component, serialize_authored, split_commas};
use limner_types::Theme;
use limner_types::result::TokenKind;

/// Maximum length of a key: longer values are data, not design.
const MAX_KEY_BYTES: usize = 8 * 1024;

/// A design value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DesignValue {
    pub(crate) kind: TokenKind,
    /// The value in its canonical spelling.
    pub(crate) key: String,
    /// Text as written.
    pub(crate) original: String,
    /// True for a colour in a shadow or gradient.
    pub(crate) is_part: bool,
    /// The theme it is for, if the value itself has one (`light-dark()`).
    pub(crate) theme: Option<Theme>,
}

impl DesignValue {
    /// Removes invisible layers of a shadow, as empty variables leave them, unless all layers are invisible.
    pub(crate) fn without_invisible_layers(&mut self) {
        if matches!(self.kind, TokenKind::BoxShadows | TokenKind::TextShadows) {
            self.key = shadow::visible_layers(&self.key);
        }
    }
}

/// The way in which the values of a longhand are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Color,
    Image {
        /// True if its colours are visible; those of a mask are not.
        paints: bool,
    },
    Shadow(TokenKind),
    FontSize,
    FontFamily,
    FontWeight,
    LineHeight,
    Length(TokenKind),
    Radius,
    LineWidth,
    Opacity,
    Integer,
    Durations,
    Easings,
}

fn reading(longhand: Longhand) -> Option<Reading> {
    use Longhand as L;
    Some(match longhand {
        L::Color
        | L::BackgroundColor
        | L::BorderTopColor
        | L::BorderRightColor
        | L::BorderBottomColor
        | L::BorderLeftColor
        | L::OutlineColor
        | L::TextDecorationColor
        | L::TextEmphasisColor
        | L::ColumnRuleColor
        | L::CaretColor
        | L::AccentColor
        | L::ScrollbarColor
        | L::Fill
        | L::Stroke
        | L::StopColor
        | L::FloodColor
        | L::LightingColor
        | L::WebkitTextFillColor
        | L::WebkitTextStrokeColor => Reading::Color,
        L::BackgroundImage | L::BorderImageSource | L::ListStyleImage | L::Content => Reading::Image { paints: true },
        L::MaskImage => Reading::Image { paints: false },
        L::BoxShadow => Reading::Shadow(TokenKind::BoxShadows),
        L::TextShadow => Reading::Shadow(TokenKind::TextShadows),
        L::FontSize => Reading::FontSize,
        L::FontFamily => Reading::FontFamily,
        L::FontWeight => Reading::FontWeight,
        L::LineHeight => Reading::LineHeight,
        L::LetterSpacing => Reading::Length(TokenKind::LetterSpacings),
        L::MarginTop
        | L::MarginRight
        | L::MarginBottom
        | L::MarginLeft
        | L::PaddingTop
        | L::PaddingRight
        | L::PaddingBottom
        | L::PaddingLeft
        | L::RowGap
        | L::ColumnGap => Reading::Length(TokenKind::Spacing),
        L::BorderTopLeftRadius | L::BorderTopRightRadius | L::BorderBottomRightRadius | L::BorderBottomLeftRadius => {
            Reading::Radius
        }
        L::BorderTopWidth | L::BorderRightWidth | L::BorderBottomWidth | L::BorderLeftWidth => Reading::LineWidth,
        L::Opacity => Reading::Opacity,
        L::ZIndex => Reading::Integer,
        L::TransitionDuration | L::AnimationDuration => Reading::Durations,
        L::TransitionTimingFunction | L::AnimationTimingFunction => Reading::Easings,
        _ => return None,
    })
}

/// Returns true if a longhand can contain design values.
pub(crate) fn is_read(longhand: Longhand) -> bool {
    reading(longhand).is_some()
}

/// Returns true if equal values of two longhands contain the same design values.
pub(crate) fn are_read_alike(one: Longhand, other: Longhand) -> bool {
    reading(one) == reading(other)
}

/// Returns the longhands that can contain design values.
pub(crate) fn all_read() -> Vec<Longhand> {
    Longhand::ALL.iter().copied().filter(|longhand| is_read(*longhand)).collect()
}

/// Returns the design values in a longhand's value. `light-dark()` gives those of both themes.
pub(crate) fn values(longhand: Longhand, value: &[Component]) -> Vec<DesignValue> {
    let Some(reading) = reading(longhand) else { return Vec::new() };
    if !color::follows_scheme(value) {
        return read(reading, value, Scheme::Light);
    }
    let of = |scheme, theme| {
        let found = read(reading, value, scheme).into_iter();
        found.map(move |value| DesignValue { theme: Some(theme), ..value })
    };
    let mut all: Vec<DesignValue> = of(Scheme::Light, Theme::Light).chain(of(Scheme::Dark, Theme::Dark)).collect();
    // Values that are equal in both themes belong to neither.
    let same: Vec<bool> = all.iter().map(|a| all.iter().any(|b| b.key == a.key && b.theme != a.theme)).collect();
    for (value, same) in all.iter_mut().zip(same) {
        value.theme = value.theme.filter(|_| !same);
    }
    all.dedup_by(|a, b| a == b);
    all
}

fn read(reading: Reading, value: &[Component], scheme: Scheme) -> Vec<DesignValue> {
    let mut found = Vec::new();
    let mut add = |kind, key: Option<String>, written: &[Component]| {
        if let Some(key) = key.filter(|key| key.len() <= MAX_KEY_BYTES) {
            let is_part = kind == TokenKind::Colors && reading != Reading::Color;
            found.push(DesignValue { kind, key, original: serialize_authored(written), is_part, theme: None });
        }
    };
    let one = |read: fn(&Component) -> Option<String>| match value {
        [only] => read(only),
        _ => None,
    };
    match reading {
        Reading::Color => {
            for component in value {
                add(TokenKind::Colors, color::hex(component, scheme), std::slice::from_ref(component));
            }
        }
        Reading::Image { paints } => {
            gradient::each(value, &mut |gradient| {
                add(TokenKind::Gradients, gradient::normal(gradient, scheme), std::slice::from_ref(gradient));
                if paints {
                    color::each_in(gradient, scheme, &mut |hex, written| {
                        add(TokenKind::Colors, Some(hex), std::slice::from_ref(written));
                    });
                }
            });
        }
        Reading::Shadow(kind) => {
            add(kind, shadow::normal(value, scheme, kind == TokenKind::BoxShadows), value);
            for component in value {
                add(TokenKind::Colors, color::hex(component, scheme), std::slice::from_ref(component));
            }
        }
        Reading::FontSize => add(TokenKind::FontSizes, one(font::size), value),
        Reading::FontFamily => add(TokenKind::FontFamilies, font::families(value), value),
        Reading::FontWeight => add(TokenKind::FontWeights, one(font::weight), value),
        Reading::LineHeight => add(TokenKind::LineHeights, one(length::length_or_number), value),
        Reading::Length(kind) => add(kind, one(length), value),
        Reading::Radius => {
            for component in value {
                add(TokenKind::BorderRadiuses, length::radius(component), std::slice::from_ref(component));
            }
        }
        Reading::LineWidth => add(TokenKind::BorderWidths, one(length::line_width), value),
        Reading::Opacity => add(TokenKind::Opacities, one(length::opacity), value),
        Reading::Integer => add(TokenKind::ZIndexes, one(length::integer), value),
        Reading::Durations => {
            for part in split_commas(value) {
                add(TokenKind::Durations, timing::duration(part), part);
            }
        }
        Reading::Easings => {
            for part in split_commas(value) {
                add(TokenKind::Easings, timing::easing(part), part);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
