//! Decorations with an entrance: shapes without content that a framework's output hides and moves in the `style` attribute.

use crate::color::{self, Scheme};
use crate::index::StyleIndex;
use crate::property::Longhand;
use crate::{ComputedStyle, Styles};
use limner_page::NodeId;

/// Maximum number of elements of a shape that are looked at.
const MAX_INSIDE: usize = 12;

/// Returns true if an element, or what is in it, paints colours or gradients. Pictures may be slides, which wait for their
/// turn.
pub(super) fn is_shape(index: &StyleIndex<'_>, styles: &mut Styles<'_>, node: NodeId) -> bool {
    let document = index.document();
    let inside = std::iter::once(node).chain(document.light_descendants(node));
    let inside = inside.filter(|inner| document.element(*inner).is_some()).take(MAX_INSIDE);
    let mut has_color = false;
    for inner in inside {
        let Some(style) = styles.get(inner) else { continue };
        if style.get(Longhand::BackgroundImage).contains("url(") {
            return false;
        }
        has_color = has_color || paints(&style);
    }
    has_color
}

fn paints(style: &ComputedStyle) -> bool {
    style.get(Longhand::BackgroundImage).contains("gradient(")
        || color::parse(style.get(Longhand::BackgroundColor), Scheme::Light).is_some_and(|shade| shade.alpha() > 0.0)
}
