//! The computed values by which a face is selected (<https://drafts.csswg.org/css-fonts-4/#font-style-matching>).

use limner_style::ComputedStyle;
use limner_style::property::Longhand;

/// The computed values that select a face.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct FontQuery {
    /// The computed `font-family`.
    pub(super) families: String,
    /// The computed `font-weight`.
    pub(super) weight: String,
    /// The computed `font-style`.
    pub(super) style: String,
    /// The computed `font-stretch`.
    pub(super) stretch: String,
}

impl FontQuery {
    pub(super) fn from_style(style: &ComputedStyle) -> Self {
        let of = |longhand| style.get(longhand).to_owned();
        let (families, weight) = (of(Longhand::FontFamily), of(Longhand::FontWeight));
        Self { families, weight, style: of(Longhand::FontStyle), stretch: of(Longhand::FontStretch) }
    }
}
