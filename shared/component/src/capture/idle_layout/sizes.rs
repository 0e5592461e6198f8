//! Sizes that boxes have without declaring them: full widths of blocks and of stretched items, shares of heights that are no
//! lengths, limits that are never reached, and margins, growth and shrinking where no room is left or missing.

use super::View;
use super::box_facts::{LayoutFacts, Placement, is_constant, is_flow_display, is_part, is_share, px};
use crate::capture::flow::has_own_size;
use limner_component_model::model::ElementId;
use limner_style::ComputedStyle;
use limner_style::computed::{BoxSizing, Display, FlexWrap};
use limner_style::property::Longhand as L;

/// Elements that shrink to their contents, or have margins or sizes by default.
const SPECIAL: &[&str] = &["blockquote", "dd", "fieldset", "figure", "hr", "legend", "table"];
/// Values of a height that follow from the contents.
const INTRINSIC: [&str; 3] = ["fit-content", "max-content", "min-content"];

/// Returns true unless a size or margin is one that an element has by default in another way than plain boxes.
pub(super) fn is_sized_as_plain_box(facts: &LayoutFacts<'_, '_>, at: usize, longhand: L) -> bool {
    let element = &facts.context.tree.elements[at];
    let is_size = super::SIZES.contains(&longhand) && !matches!(longhand, L::FlexGrow | L::FlexShrink);
    !(is_size && (has_own_size(element) || SPECIAL.contains(&element.tag.as_str())))
}

/// Returns true if a size, margin or flexibility has no effect.
pub(super) fn is_idle_size(view: &View<'_, '_, '_>, at: usize, longhand: L) -> bool {
    let facts = view.boxes[at];
    let around = view.parent(at).map(|parent| view.boxes[parent]);
    let is_share_of_nothing = || {
        let value = view.style(at).get(longhand);
        is_share(value) && around.is_some_and(|around| around.is_indefinite)
    };
    match longhand {
        L::Width => is_idle_width(view, at),
        L::Height if view.is(at, L::Height, &INTRINSIC) => {
            let is_in_place = matches!(facts.placement, Placement::Flow | Placement::Column)
                || (matches!(facts.placement, Placement::Row | Placement::Grid) && !facts.may_stretch)
                || (facts.placement == Placement::Absolute
                    && (view.is(at, L::Top, &["auto"]) || view.is(at, L::Bottom, &["auto"])));
            is_in_place && view.is(at, L::AspectRatio, &["auto"]) && is_box(view, at)
        }
        L::Height if facts.placement == Placement::Absolute => {
            const SIDES: [L; 4] = [L::Top, L::Bottom, L::MarginTop, L::MarginBottom];
            view.is(at, L::Height, &["100%"])
                && SIDES.iter().all(|side| view.is(at, *side, &["0px", "0%"]))
                && has_outer_height(view, at)
                && is_box(view, at)
        }
        L::Height | L::MinHeight | L::MaxHeight => {
            matches!(facts.placement, Placement::Flow | Placement::Column) && is_share_of_nothing() && is_box(view, at)
        }
        L::MaxWidth => is_unreached_width(view, at),
        L::MarginLeft | L::MarginRight if at == 0 => {
            let is_declared = |name: &str, value: &str| view.facts.declared(0, name).all(|own| own == value);
            facts.placement == Placement::Flow
                && is_declared(longhand.name(), "auto")
                && is_declared("width", "100%")
                && view.facts.declared(0, "max-width").next().is_none()
                && has_outer_size(view, at)
        }
        L::MarginLeft | L::MarginRight => {
            facts.placement == Placement::Flow
                && view.is(at, longhand, &["auto"])
                && is_flow_display(view.style(at).display())
                && (view.is(at, L::Width, &["auto"]) || (view.is(at, L::Width, &["100%"]) && has_outer_size(view, at)))
                && (view.is(at, L::MaxWidth, &["none"]) || is_unreached_width(view, at))
        }
        L::FlexGrow | L::FlexShrink => is_idle_flexibility(view, at, longhand),
        _ => false,
    }
}

/// Returns true for a full width that the box has without it.
fn is_idle_width(view: &View<'_, '_, '_>, at: usize) -> bool {
    let facts = view.boxes[at];
    let is_plain = if at == 0 {
        view.facts.declared(0, "width").all(|value| value == "100%")
    } else {
        view.is(at, L::Width, &["100%"])
    };
    let margins = [L::MarginLeft, L::MarginRight];
    let has_no_margins = || {
        let is_none = |margin: &L| match at {
            0 => view.facts.declared(0, margin.name()).all(|value| matches!(value, "0" | "0px")),
            _ => view.is(at, *margin, &["0px"]),
        };
        margins.iter().all(is_none)
    };
    if !is_plain || !view.is(at, L::AspectRatio, &["auto"]) {
        return false;
    }
    match facts.placement {
        Placement::Flow => {
            // Beside floats, such a box is narrower than its containing block.
            let around = view.parent(at).map(|parent| view.style(parent));
            let is_apart = !view.facts.has_floats || !keeps_floats_out(view.style(at), around);
            let is_centered = match at {
                0 => {
                    let is_free = |margin: &L| {
                        view.facts.declared(0, margin.name()).all(|value| matches!(value, "0" | "0px" | "auto"))
                    };
                    view.facts.declared(0, "max-width").next().is_none() && margins.iter().all(is_free)
                }
                _ => margins.iter().all(|margin| view.is(at, *margin, &["0px", "auto"])),
            };
            is_flow_display(view.style(at).display())
                && is_apart
                && (has_no_margins() || is_centered)
                && has_outer_size(view, at)
        }
        Placement::Column | Placement::Grid => {
            has_no_margins() && has_outer_size(view, at) && is_stretched_inline(view, at)
        }
        Placement::Row => {
            let has_basis = !view.is(at, L::FlexBasis, &["auto", "content"]);
            has_basis && !view.is(at, L::MinWidth, &["auto"])
        }
        Placement::Absolute => {
            let is_zero = |side: L| view.is(at, side, &["0px", "0%"]);
            is_zero(L::Left) && is_zero(L::Right) && has_no_margins() && has_outer_size(view, at) && is_box(view, at)
        }
        Placement::Other => false,
    }
}

/// Returns true for a box that floats do not intrude into.
fn keeps_floats_out(style: &ComputedStyle, around: Option<&ComputedStyle>) -> bool {
    !style.display().is_block_container() || style.establishes_block_formatting_context(around)
}

/// Returns true for an item that is stretched to the width of its column.
fn is_stretched_inline(view: &View<'_, '_, '_>, at: usize) -> bool {
    let Some(parent) = view.parent(at) else { return false };
    let around = view.style(parent);
    let is_column = view.boxes[at].placement == Placement::Column;
    let is_left_out = |at: usize, longhand: L| view.idle.contains(ElementId(at), longhand);
    let wraps = around.flex_wrap() != FlexWrap::Nowrap && !is_left_out(parent, L::FlexWrap);
    if view.facts.is_fixed(parent) || (is_column && wraps) {
        return false;
    }
    let [of_items, of_item] = if is_column { [L::AlignItems, L::AlignSelf] } else { [L::JustifyItems, L::JustifySelf] };
    let own = view.style(at).get(of_item);
    let own = if is_left_out(at, of_item) { "auto" } else { own };
    let given = if is_left_out(parent, of_items) { "normal" } else { around.get(of_items) };
    matches!(if own == "auto" { given } else { own }, "normal" | "stretch" | "legacy")
}

/// Returns true if no content and no viewport makes the box as wide as its maximum.
fn is_unreached_width(view: &View<'_, '_, '_>, at: usize) -> bool {
    let style = view.style(at);
    let Some(parent) = view.parent(at) else { return false };
    let is_clear = [L::MarginLeft, L::MarginRight].iter().all(|margin| !style.get(*margin).starts_with('-'));
    let width = style.get(L::Width);
    let fills = match view.boxes[at].placement {
        Placement::Flow => is_flow_display(view.style(at).display()) && (width == "auto" || is_part(width)),
        Placement::Column => {
            is_part(width) || (width == "auto" && has_no_auto_margins(view, at) && is_stretched_inline(view, at))
        }
        _ => false,
    };
    let is_constant = view.facts.declared(at, "max-width").all(is_constant);
    let is_beyond = is_constant && px(style.get(L::MaxWidth)).is_some_and(|limit| limit >= view.boxes[parent].widest);
    let is_whole = view.is(at, L::MaxWidth, &["100%"]) && (width == "auto" || has_outer_size(view, at));
    fills && is_clear && (is_beyond || is_whole || view.is(at, L::MaxWidth, &["none"]))
}

fn has_no_auto_margins(view: &View<'_, '_, '_>, at: usize) -> bool {
    [L::MarginLeft, L::MarginRight].iter().all(|margin| !view.is(at, *margin, &["auto"]))
}

/// Returns true if there is no room for an item to grow into, or none is missing.
fn is_idle_flexibility(view: &View<'_, '_, '_>, at: usize, longhand: L) -> bool {
    let Some(parent) = view.parent(at).filter(|parent| !view.facts.is_fixed(*parent)) else { return false };
    let (around, container) = (view.boxes[parent], view.style(parent));
    let is_part_of = |longhand: L| is_part(view.style(at).get(longhand));
    let has_no_margins = || [L::MarginLeft, L::MarginRight].iter().all(|margin| view.is(at, *margin, &["0px"]));
    match (view.boxes[at].placement, longhand) {
        (Placement::Column, L::FlexGrow) => around.fits_contents,
        (Placement::Column, L::FlexShrink) => around.holds_contents,
        (Placement::Row, L::FlexShrink) => {
            let is_auto = view.is(at, L::FlexBasis, &["auto"]);
            let is_bounded = if is_auto { is_part_of(L::Width) } else { is_part_of(L::FlexBasis) };
            let fits = around.items <= 1 || container.flex_wrap() == FlexWrap::Wrap;
            is_bounded && fits && has_no_margins() && has_outer_size(view, at)
        }
        (Placement::Row, L::FlexGrow) => {
            let is_auto = view.is(at, L::FlexBasis, &["auto"]);
            let is_full = view.is(at, if is_auto { L::Width } else { L::FlexBasis }, &["100%"]);
            is_full && around.items <= 1 && has_no_margins() && has_outer_size(view, at)
        }
        _ => false,
    }
}

/// Returns true if a percentage of a width is one of the whole box, or the box has no edges beside its contents.
pub(super) fn has_outer_size(view: &View<'_, '_, '_>, at: usize) -> bool {
    const EDGES: [L; 4] = [L::PaddingLeft, L::PaddingRight, L::BorderLeftWidth, L::BorderRightWidth];
    view.style(at).box_sizing() == BoxSizing::BorderBox || EDGES.iter().all(|edge| view.is(at, *edge, &["0px"]))
}

/// Returns true if a percentage of a height is one of the whole box.
fn has_outer_height(view: &View<'_, '_, '_>, at: usize) -> bool {
    const EDGES: [L; 4] = [L::PaddingTop, L::PaddingBottom, L::BorderTopWidth, L::BorderBottomWidth];
    view.style(at).box_sizing() == BoxSizing::BorderBox || EDGES.iter().all(|edge| view.is(at, *edge, &["0px"]))
}

/// Returns true for a box whose height is that of its contents by itself.
fn is_box(view: &View<'_, '_, '_>, at: usize) -> bool {
    let display = view.style(at).display();
    (display.is_block_container() && display != Display::TableCell) || display.is_flex_or_grid_container()
}
