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
pub(crate) use timing::{distribute_stops, duration, easing};

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
    pub kind: TokenKind,
    /// The value in its canonical spelling.
    pub key: String,
    /// Text as written.
    pub original: String,
    /// The value in its own colour spaces, if the key is less exact.
    pub css: Option<String>,
    /// True for a colour in a shadow or gradient.
    pub is_part: bool,
    /// The theme it is for, if the value itself has one (`light-dark()`).
    pub theme: Option<Theme>,
}

impl DesignValue {
    /// Removes invisible layers of a shadow, as empty variables leave them, unless all layers are invisible.
    pub(crate) fn remove_invisible_layers(&mut self) {
        if matches!(self.kind, TokenKind::BoxShadows | TokenKind::TextShadows)
            && let Some(visible) = shadow::visible_layers(&self.key, self.kind == TokenKind::BoxShadows)
        {
            self.key = shadow::layers_at(&self.key, &visible);
            let css = self.css.as_ref().map(|css| shadow::layers_at(css, &visible));
            self.css = css.filter(|css| *css != self.key);
        }
    }
}

/// The canonical spelling of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spelling {
    key: String,
    /// The value in its own colour spaces, if the key is less exact.
    css: Option<String>,
}

impl From<String> for Spelling {
    fn from(key: String) -> Self {
        Self { key, css: None }
    }
}

/// The way in which the values of a longhand are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LonghandReader {
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

fn reading(longhand: Longhand) -> Option<LonghandReader> {
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
        | L::WebkitTextStrokeColor => LonghandReader::Color,
        L::BackgroundImage | L::BorderImageSource | L::ListStyleImage | L::Content => {
            LonghandReader::Image { paints: true }
        }
        L::MaskImage => LonghandReader::Image { paints: false },
        L::BoxShadow => LonghandReader::Shadow(TokenKind::BoxShadows),
        L::TextShadow => LonghandReader::Shadow(TokenKind::TextShadows),
        L::FontSize => LonghandReader::FontSize,
        L::FontFamily => LonghandReader::FontFamily,
        L::FontWeight => LonghandReader::FontWeight,
        L::LineHeight => LonghandReader::LineHeight,
        L::LetterSpacing => LonghandReader::Length(TokenKind::LetterSpacings),
        L::MarginTop
        | L::MarginRight
        | L::MarginBottom
        | L::MarginLeft
        | L::PaddingTop
        | L::PaddingRight
        | L::PaddingBottom
        | L::PaddingLeft
        | L::RowGap
        | L::ColumnGap => LonghandReader::Length(TokenKind::Spacing),
        L::BorderTopLeftRadius | L::BorderTopRightRadius | L::BorderBottomRightRadius | L::BorderBottomLeftRadius => {
            LonghandReader::Radius
        }
        L::BorderTopWidth | L::BorderRightWidth | L::BorderBottomWidth | L::BorderLeftWidth => {
            LonghandReader::LineWidth
        }
        L::Opacity => LonghandReader::Opacity,
        L::ZIndex => LonghandReader::Integer,
        L::TransitionDuration | L::AnimationDuration => LonghandReader::Durations,
        L::TransitionTimingFunction | L::AnimationTimingFunction => LonghandReader::Easings,
        _ => return None,
    })
}

/// Returns true if a longhand can contain design values.
pub fn holds_design_values(longhand: Longhand) -> bool {
    reading(longhand).is_some()
}

/// Returns true if equal values of two longhands contain the same design values.
pub(crate) fn hold_same_values(one: Longhand, other: Longhand) -> bool {
    reading(one) == reading(other)
}

/// Returns the longhands that can contain design values.
pub(crate) fn design_value_longhands() -> Vec<Longhand> {
    Longhand::ALL.iter().copied().filter(|longhand| holds_design_values(*longhand)).collect()
}

/// Returns the design values in a longhand's value. `light-dark()` gives those of both themes.
pub(crate) fn values(longhand: Longhand, value: &[Component]) -> Vec<DesignValue> {
    let Some(reading) = reading(longhand) else { return Vec::new() };
    if !color::depends_on_scheme(value) {
        return parse(reading, value, Scheme::Light);
    }
    let of = |scheme, theme| {
        let found = parse(reading, value, scheme).into_iter();
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

fn parse(reading: LonghandReader, value: &[Component], scheme: Scheme) -> Vec<DesignValue> {
    let mut found = Vec::new();
    let mut add = |kind, spelling: Option<Spelling>, written: &[Component]| {
        if let Some(Spelling { key, css }) = spelling.filter(|own| own.key.len() <= MAX_KEY_BYTES) {
            let is_part = kind == TokenKind::Colors && reading != LonghandReader::Color;
            let css = css.filter(|css| *css != key && css.len() <= MAX_KEY_BYTES);
            found.push(DesignValue { kind, key, original: serialize_authored(written), css, is_part, theme: None });
        }
    };
    let one = |read: fn(&Component) -> Option<String>| match value {
        [only] => read(only).map(Spelling::from),
        _ => None,
    };
    match reading {
        LonghandReader::Color => {
            for component in value {
                add(TokenKind::Colors, color::spelling(component, scheme), std::slice::from_ref(component));
            }
        }
        LonghandReader::Image { paints } => {
            gradient::visit(value, &mut |gradient| {
                add(TokenKind::Gradients, gradient::spelling(gradient, scheme), std::slice::from_ref(gradient));
                if paints {
                    color::visit_colors(gradient, scheme, &mut |spelling, written| {
                        add(TokenKind::Colors, Some(spelling), std::slice::from_ref(written));
                    });
                }
            });
        }
        LonghandReader::Shadow(kind) => {
            add(kind, shadow::spelling(value, scheme, kind == TokenKind::BoxShadows), value);
            for component in value {
                add(TokenKind::Colors, color::spelling(component, scheme), std::slice::from_ref(component));
            }
        }
        LonghandReader::FontSize => add(TokenKind::FontSizes, one(font::size), value),
        LonghandReader::FontFamily => add(TokenKind::FontFamilies, font::families(value).map(Spelling::from), value),
        LonghandReader::FontWeight => add(TokenKind::FontWeights, one(font::weight), value),
        LonghandReader::LineHeight => add(TokenKind::LineHeights, one(length::length_or_number), value),
        LonghandReader::Length(kind) => add(kind, one(length), value),
        LonghandReader::Radius => {
            for component in value {
                let radius = length::radius(component).map(Spelling::from);
                add(TokenKind::BorderRadiuses, radius, std::slice::from_ref(component));
            }
        }
        LonghandReader::LineWidth => add(TokenKind::BorderWidths, one(length::line_width), value),
        LonghandReader::Opacity => add(TokenKind::Opacities, one(length::opacity), value),
        LonghandReader::Integer => add(TokenKind::ZIndexes, one(length::integer), value),
        LonghandReader::Durations => {
            for part in split_commas(value) {
                add(TokenKind::Durations, timing::duration(part).map(Spelling::from), part);
            }
        }
        LonghandReader::Easings => {
            for part in split_commas(value) {
                add(TokenKind::Easings, timing::easing(part).map(Spelling::from), part);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
