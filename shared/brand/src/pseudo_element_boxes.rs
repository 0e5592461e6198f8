//! Boxes of `::before` and `::after` that paint something: backgrounds of a page or section, overlays on images, the
//! fill of a button. Layout engines return no boxes for them; if they are out of flow, their insets give the position.

use super::background_layers::{BackgroundLayer, BackgroundReader};
use super::color::Rgba;
use limner_page::{Document, NodeId};
use limner_style::computed::Position;
use limner_style::layout::{Boxes, Rect};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement;
use limner_style::{ComputedStyle, StyleIndex, Styles};
use std::collections::HashMap;

/// Maximum number of such boxes of one page.
const MAX_BOXES: usize = 2_000;
/// Minimum share of an element that a box fills to count as the element's background.
const FILLS: f32 = 0.8;
/// The first screen.
const SCREEN: Rect = Rect { x: 0.0, y: 0.0, width: 1_440.0, height: 900.0 };

/// A box of a pseudo-element.
#[derive(Debug)]
pub(super) struct PseudoBox {
    pub(super) area: Rect,
    /// True if it is fixed behind a page that scrolls.
    pub(super) is_fixed_background: bool,
    /// True for `::after`, which comes after the contents of its element.
    pub(super) is_last: bool,
    pub(super) color: Option<Rgba>,
    pub(super) layers: Vec<BackgroundLayer>,
    /// Stacking levels by which it is raised above its element.
    pub(super) raise: i32,
}

impl PseudoBox {
    /// Returns true if it fills an element with that box like a background.
    pub(super) fn fills(&self, element: Rect) -> bool {
        let overlap = |start: f32, length: f32, other: f32, other_length: f32| {
            ((start + length).min(other + other_length) - start.max(other)).max(0.0)
        };
        let width = overlap(self.area.x, self.area.width, element.x, element.width);
        let height = overlap(self.area.y, self.area.height, element.y, element.height);
        width * height >= element.area() * FILLS
    }
}

/// Finds the boxes.
pub(super) struct PseudoBoxFinder<'a> {
    document: &'a Document,
    index: &'a StyleIndex<'a>,
    boxes: &'a Boxes,
    /// By rule list, true if it sets `content` for `::before` and `::after`.
    has_content: HashMap<u32, [bool; 2]>,
    boxes_left: usize,
}

impl<'a> PseudoBoxFinder<'a> {
    pub(super) fn new(document: &'a Document, index: &'a StyleIndex<'a>, boxes: &'a Boxes) -> Self {
        Self { document, index, boxes, has_content: HashMap::new(), boxes_left: MAX_BOXES }
    }

    /// Returns the boxes of an element; `opacity` is the product of its and its ancestors' opacity.
    pub(super) fn find_boxes(
        &mut self,
        node: NodeId,
        opacity: f64,
        styles: &mut Styles<'_>,
        backdrops: &mut BackgroundReader,
    ) -> Vec<PseudoBox> {
        let has_content = self.has_content(node);
        let pseudos = [PseudoElement::Before, PseudoElement::After];
        let mut found = Vec::new();
        for (pseudo, _) in pseudos.into_iter().zip(has_content).filter(|(_, has_content)| *has_content) {
            let Some(style) = styles.pseudo(node, pseudo).filter(|_| self.boxes_left > 0) else { continue };
            let Some(mut generated) = self.find_box(node, &style, opacity, styles, backdrops) else { continue };
            generated.is_last = pseudo == PseudoElement::After;
            self.boxes_left -= 1;
            found.push(generated);
        }
        found
    }

    fn has_content(&mut self, node: NodeId) -> [bool; 2] {
        let index = self.index;
        *self.has_content.entry(index.rule_list_id(node)).or_insert_with(|| {
            [PseudoElement::Before, PseudoElement::After].map(|pseudo| {
                let blocks = index.declarations(node, Some(pseudo));
                blocks.iter().flat_map(|block| block.declarations()).any(|declared| declared.name == "content")
            })
        })
    }

    fn find_box(
        &self,
        node: NodeId,
        style: &ComputedStyle,
        opacity: f64,
        styles: &mut Styles<'_>,
        backdrops: &mut BackgroundReader,
    ) -> Option<PseudoBox> {
        if !style.is_absolutely_positioned()
            || style.is_hidden()
            || !style.is_visible()
            || is_transformed_or_clipped(style)
        {
            return None;
        }
        let opacity = opacity * style.get(Longhand::Opacity).parse().unwrap_or(1.0);
        if opacity < 0.05 {
            return None;
        }
        let is_fixed = style.position() == Position::Fixed;
        let around = self.containing_block(node, is_fixed, styles);
        let (x, width) = inset_axis(style, [Longhand::Left, Longhand::Right, Longhand::Width], around.x, around.width)?;
        let (y, height) =
            inset_axis(style, [Longhand::Top, Longhand::Bottom, Longhand::Height], around.y, around.height)?;
        let area = Rect { x, y, width, height };
        let color = Rgba::parse(style.get(Longhand::BackgroundColor)).and_then(|shade| shade.with_opacity(opacity));
        let layers = backdrops.layers(style, area).into_iter().filter_map(|layer| layer.with_opacity(opacity));
        let layers: Vec<BackgroundLayer> = layers.collect();
        let is_below = style.get(Longhand::ZIndex).starts_with('-');
        if (color.is_none() && layers.is_empty()) || (is_below && self.is_occluded(node, styles)) {
            return None;
        }
        let covers_screen = width >= SCREEN.width && height >= SCREEN.height;
        let is_behind_page = is_fixed && is_below && covers_screen;
        let raise = super::stacking_level::raise(style);
        Some(PseudoBox { area, is_fixed_background: is_behind_page, is_last: false, color, layers, raise })
    }

    /// Returns the containing block: the box of the nearest positioned element.
    fn containing_block(&self, node: NodeId, is_fixed: bool, styles: &mut Styles<'_>) -> Rect {
        let mut around = std::iter::once(node).chain(self.document.ancestors(node));
        let holder = around.find(|node| {
            styles.get(*node).is_some_and(|style| match is_fixed {
                true => style.is_containing_block_for_fixed(),
                false => style.is_containing_block_for_absolute(),
            })
        });
        holder.and_then(|node| self.boxes.get(node)).unwrap_or(SCREEN)
    }

    /// Returns true if content below the contents of an element is covered by an ancestor's background: one of the
    /// element and its ancestors has a background before one establishes a stacking context.
    fn is_occluded(&self, node: NodeId, styles: &mut Styles<'_>) -> bool {
        for node in std::iter::once(node).chain(self.document.ancestors(node)) {
            let Some(element) = self.document.element(node) else { continue };
            let Some(style) = styles.get(node).filter(|_| !is_root(element.name())) else { return false };
            let parent = self.document.parent(node).and_then(|parent| styles.get(parent));
            if style.establishes_stacking_context(parent.as_deref()) {
                return false;
            }
            if Rgba::parse(style.get(Longhand::BackgroundColor)).is_some_and(|shade| shade.rgba[3] > 200) {
                return true;
            }
        }
        false
    }
}

/// Returns true for root and body, which paint the canvas, below all other boxes.
fn is_root(name: &str) -> bool {
    matches!(name, "html" | "body")
}

/// Returns true if a box is moved, scaled or clipped, so that insets do not give its position: content that slides in
/// on hover is elsewhere until then. Slanted edges are ignored.
fn is_transformed_or_clipped(style: &ComputedStyle) -> bool {
    use Longhand as L;
    let transform = style.get(L::Transform);
    let is_harmless = ["none", "skew", "translateZ("].iter().any(|start| transform.starts_with(start));
    let cut = [L::Translate, L::Scale, L::Rotate, L::ClipPath, L::MaskImage];
    !is_harmless
        || cut.into_iter().any(|longhand| style.get(longhand) != "none")
        || style.get(L::MixBlendMode) != "normal"
}

/// Returns start and length in one direction, from the two insets and the size; `None` if the contents decide.
fn inset_axis(style: &ComputedStyle, [start, end, size]: [Longhand; 3], origin: f32, whole: f32) -> Option<(f32, f32)> {
    let length = |longhand: Longhand| -> Option<f32> {
        let value = style.get(longhand);
        let share = || Some(value.strip_suffix('%')?.parse::<f32>().ok()? / 100.0 * whole);
        value.strip_suffix("px").and_then(|px| px.parse().ok()).or_else(share)
    };
    let (start, end) = (length(start), length(end));
    let size = length(size).or_else(|| Some(whole - start? - end?))?;
    let offset = start.or_else(|| Some(whole - end? - size)).unwrap_or(0.0);
    Some((origin + offset, size.max(0.0)))
}
