//! Finds off-canvas drawers: sections that are positioned outside of a narrow viewport until they are opened. There
//! they keep their position, as on the page, and are opened in the same way: by a state, or by a class of the page that
//! takes the component over.

use super::diff::value_reader::px;
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;
use limner_style::value::{Component, parse_components};

/// Returns true if a section with this style is wholly to the left or to the right of a viewport of that width.
pub(super) fn is_off_canvas(style: &ComputedStyle, viewport: f64) -> bool {
    if !style.is_absolutely_positioned() {
        return false;
    }
    let (px_moved, share_moved) = horizontal_translation(style);
    let width = px(style, L::Width);
    // If the width is unknown: any width up to the viewport's.
    let for_each_width = |is_out: &dyn Fn(f64) -> bool| match width {
        Some(width) => is_out(width),
        None => is_out(0.0) && is_out(viewport),
    };
    match (offset(style, L::Left, viewport), offset(style, L::Right, viewport)) {
        (Some(left), _) => {
            let begins = |width: f64| left + px_moved + share_moved * width;
            for_each_width(&|width| begins(width) + width <= 0.0) || for_each_width(&|width| begins(width) >= viewport)
        }
        (None, Some(right)) => {
            let ends = |width: f64| viewport - right + px_moved + share_moved * width;
            for_each_width(&|width| ends(width) <= 0.0) || for_each_width(&|width| ends(width) - width >= viewport)
        }
        (None, None) => false,
    }
}

fn offset(style: &ComputedStyle, side: L, viewport: f64) -> Option<f64> {
    let share = || Some(viewport * style.get(side).strip_suffix('%')?.parse::<f64>().ok()? / 100.0);
    px(style, side).or_else(share)
}

/// Returns the distance by which transforms move a box to the right: in pixels, and as a fraction of its width.
fn horizontal_translation(style: &ComputedStyle) -> (f64, f64) {
    let functions = parse_components(style.get(L::Transform)).unwrap_or_default();
    let along = functions.iter().filter_map(|function| match function.as_function()? {
        ("translate" | "translatex" | "translate3d", arguments) => arguments.first().map(length),
        _ => None,
    });
    let own = parse_components(style.get(L::Translate)).unwrap_or_default();
    let all = along.chain(own.first().map(length));
    all.fold((0.0, 0.0), |(px, share), (more, more_share)| (px + more, share + more_share))
}

/// Returns a length in pixels, and as a fraction of the width.
fn length(component: &Component) -> (f64, f64) {
    match component {
        Component::Dimension { value, .. } => (*value, 0.0),
        Component::Percentage(percent) => (0.0, percent / 100.0),
        _ => (0.0, 0.0),
    }
}
