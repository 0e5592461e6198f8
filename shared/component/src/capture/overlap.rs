//! Predicates of boxes that may overlap others.

use limner_component_model::calc_simplify::changes_nothing;
use limner_style::ComputedStyle;
use limner_style::computed::Position;
use limner_style::property::Longhand as L;
use limner_style::value::parse_components;

/// Properties that move a box, or what is painted of it.
pub(super) const MOVES: [L; 4] = [L::Transform, L::Translate, L::Rotate, L::Scale];
pub(super) const INSETS: [L; 4] = [L::Top, L::Right, L::Bottom, L::Left];

/// Returns true if a negative margin may pull a box over another.
pub(super) fn is_pulled(style: &ComputedStyle) -> bool {
    let is_negative = |longhand: L| style.get(longhand).starts_with('-');
    [L::MarginTop, L::MarginBottom].into_iter().any(is_negative)
        || (style.display().is_inline_level() && [L::MarginLeft, L::MarginRight].into_iter().any(is_negative))
}

/// Returns true if a box may be painted over one that comes after it.
pub(super) fn overlaps(style: &ComputedStyle) -> bool {
    let is_moved = !MOVES.iter().all(|longhand| is_identity(style.get(*longhand)));
    let is_placed = match style.position() {
        Position::Static => false,
        Position::Relative => INSETS.iter().any(|side| !matches!(style.get(*side), "auto" | "0px" | "0%")),
        _ => !is_point(style),
    };
    is_moved || is_placed || style.is_floating()
}

/// Returns true for a transform, translation, scale or rotation without effect.
pub(super) fn is_identity(value: &str) -> bool {
    value == "none"
        || value.split(' ').all(|length| matches!(length, "0px" | "0%"))
        || parse_components(value).is_some_and(|functions| functions.iter().all(changes_nothing))
}

/// Returns true for the box of a text that only screen readers get.
pub(super) fn is_point(style: &ComputedStyle) -> bool {
    style.get(L::Width) == "1px" && style.get(L::Height) == "1px"
}

/// Returns true for a grid item that may share cells with others: one with a row and a column of its own
/// (<https://drafts.csswg.org/css-grid-2/#auto-placement-algo>).
pub(super) fn is_placed_in_grid(style: &ComputedStyle) -> bool {
    let is_definite = |side: &L| style.get(*side) != "auto" && !style.get(*side).starts_with("span");
    [L::GridRowStart, L::GridColumnStart].iter().all(is_definite)
}
