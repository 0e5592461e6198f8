//! Limits shrink-to-fit boxes with compressible images to their containers.
//!
//! The shrink-to-fit width is `min(max-content, max(min-content, available))` (CSS 2, section 10.3.5). An image whose
//! maximum width is a percentage has a min-content contribution of 0 (Sizing 3, section 5.2.2), so a box around it is at
//! most as wide as its container. The engine takes the natural width of a block-level image instead.

use limner_page::dom::FlatTree;
use limner_page::{Document, NodeId};
use limner_style::computed::{BoxSizing, Display};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Styles};

/// Maximum number of boxes around an image, inside the shrink-to-fit box.
const MAX_DEPTH: usize = 5;
/// Maximum number of elements that are searched for an image inside one shrink-to-fit box.
const MAX_SEARCHED: usize = 24;

/// The document with its styles.
pub(crate) struct StyledTree<'t, 's> {
    pub(crate) document: &'t Document,
    pub(crate) flat: &'t FlatTree,
    pub(crate) styles: &'t mut Styles<'s>,
}

impl StyledTree<'_, '_> {
    /// Returns the declaration that limits a shrink-to-fit box to its container; `None` for other boxes, for boxes with
    /// a maximum width of their own, and for those without compressible images.
    pub(crate) fn container_limit(&mut self, node: NodeId, style: &ComputedStyle) -> Option<String> {
        let is_auto = matches!(style.get(Longhand::Width), "auto" | "fit-content");
        if !is_auto || style.get(Longhand::MaxWidth) != "none" || !self.shrinks_to_fit(node, style) {
            return None;
        }
        let mut searched = 0;
        if !self.contains_compressible_image(node, MAX_DEPTH, &mut searched) {
            return None;
        }
        let mut beside = vec![Longhand::MarginLeft, Longhand::MarginRight];
        if style.box_sizing() == BoxSizing::ContentBox {
            beside.extend([Longhand::PaddingLeft, Longhand::PaddingRight]);
            beside.extend([Longhand::BorderLeftWidth, Longhand::BorderRightWidth]);
        }
        if style.is_absolutely_positioned() {
            beside.extend([Longhand::Left, Longhand::Right]);
        }
        let lengths = beside.into_iter().map(|longhand| style.get(longhand));
        let terms = lengths.filter(|length| !matches!(*length, "auto" | "0px")).map(|length| format!(" - {length}"));
        Some(format!("max-width:calc(100%{});", terms.collect::<String>()))
    }

    fn shrinks_to_fit(&mut self, node: NodeId, style: &ComputedStyle) -> bool {
        let is_inline_level =
            matches!(style.display(), Display::InlineBlock | Display::InlineFlex | Display::InlineGrid);
        if is_inline_level || style.is_floating() || style.get(Longhand::Width) == "fit-content" {
            return true;
        }
        if style.is_absolutely_positioned() {
            return style.get(Longhand::Left) == "auto" || style.get(Longhand::Right) == "auto";
        }
        let Some(container) = self.flat.parent(self.document, node).and_then(|parent| self.styles.get(parent)) else {
            return false;
        };
        let is_stretched = |own: Longhand, default: Longhand| {
            let alignment = match style.get(own) {
                "auto" => container.get(default),
                alignment => alignment,
            };
            matches!(alignment, "normal" | "stretch" | "legacy")
        };
        if container.display().is_flex_container() {
            return !container.flex_direction().is_row() && !is_stretched(Longhand::AlignSelf, Longhand::AlignItems);
        }
        container.display().is_flex_or_grid_container() && !is_stretched(Longhand::JustifySelf, Longhand::JustifyItems)
    }

    fn contains_compressible_image(&mut self, node: NodeId, depth: usize, searched: &mut usize) -> bool {
        let children = self.flat.children(self.document, node);
        children.into_iter().any(|child| {
            let Some(element) = self.document.element(child) else { return false };
            *searched += 1;
            if *searched > MAX_SEARCHED {
                return false;
            }
            let Some(style) = self.styles.get(child) else { return false };
            if style.display() == Display::None || style.is_absolutely_positioned() {
                return false;
            }
            let is_image = element.is_html("img") || element.is_html("video") || element.is_svg("svg");
            if is_image {
                return style.get(Longhand::MaxWidth).contains('%');
            }
            let is_open = matches!(style.get(Longhand::Width), "auto" | "fit-content")
                || style.get(Longhand::Width).contains('%');
            depth > 1 && is_open && self.contains_compressible_image(child, depth - 1, searched)
        })
    }
}
