//! What the background images of a box paint, layer by layer (Backgrounds 3).

use super::gradients::{self, Coat};
use super::shade::Shade;
use limner_style::ComputedStyle;
use limner_style::layout::Rect;
use limner_style::property::Longhand;
use limner_style::value::{Component, parse_components, split_commas};

/// Layers of one box looked at.
const MOST_LAYERS: usize = 16;
/// What covers less of its box than this is an ornament on what is below.
const LEAST_COVER: f64 = 0.02;

/// One layer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layer {
    /// Where it paints: the whole box, or the tile that does not repeat.
    pub(super) area: Rect,
    pub(super) fill: Fill,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fill {
    /// A picture that covers the area.
    Picture,
    /// The colours of a gradient with their shares of the area, transparent ones included.
    Coats(Vec<Coat>),
}

impl Layer {
    /// The share of a box that is this layer's, 0 to 1.
    pub(super) fn part_of(&self, whole: Rect) -> f64 {
        f64::from(self.area.area() / whole.area().max(1.0)).min(1.0)
    }

    /// The same in something that is that opaque; `None` when hardly anything of it shows.
    pub(super) fn faded(mut self, opacity: f64) -> Option<Self> {
        match &mut self.fill {
            Fill::Picture if opacity < 0.4 => return None,
            Fill::Picture => {}
            Fill::Coats(coats) => {
                coats.iter_mut().for_each(|(shade, _)| *shade = shade.faded(opacity).unwrap_or_else(Shade::nothing));
            }
        }
        Some(self)
    }

    /// The share of a box on which something of this layer can be seen.
    pub(super) fn shown(&self, whole: Rect) -> f64 {
        let Fill::Coats(coats) = &self.fill else { return self.part_of(whole) };
        self.part_of(whole) * coats.iter().filter(|(shade, _)| shade.rgba[3] > 0).map(|(_, share)| share).sum::<f64>()
    }
}

/// The layers of a box, the lowest first. Small or repeated pictures are ornaments on the colour below.
pub(super) fn layers(style: &ComputedStyle, area: Rect) -> Vec<Layer> {
    let image = style.get(Longhand::BackgroundImage);
    if image == "none" || crate::text::clips_text(style) {
        return Vec::new();
    }
    let list = |longhand: Longhand| parse_components(style.get(longhand)).unwrap_or_default();
    let images = parse_components(image).unwrap_or_default();
    let (sizes, repeats) = (list(Longhand::BackgroundSize), list(Longhand::BackgroundRepeat));
    let (xs, ys) = (list(Longhand::BackgroundPositionX), list(Longhand::BackgroundPositionY));
    let (sizes, repeats) = (split_commas(&sizes), split_commas(&repeats));
    let (xs, ys) = (split_commas(&xs), split_commas(&ys));
    let mut found = Vec::new();
    for (number, image) in split_commas(&images).into_iter().enumerate().take(MOST_LAYERS) {
        let Some(image) = image.first() else { continue };
        let size = nth(&sizes, number);
        if covers(image, size) {
            found.push(Layer { area, fill: Fill::Picture });
            continue;
        }
        let (width, height) = (f64::from(area.width), f64::from(area.height));
        let tile = (extent(size.first(), width), extent(size.get(1), height));
        let Some(coats) = gradients::coats(image, tile.0, tile.1) else { continue };
        let (across, down) = repetition(nth(&repeats, number));
        let (x, width) = span(across, tile.0, width, nth(&xs, number));
        let (y, height) = span(down, tile.1, height, nth(&ys, number));
        let [x, y, width, height] = [x, y, width, height].map(|length| length as f32);
        let layer = Layer { area: Rect { x: area.x + x, y: area.y + y, width, height }, fill: Fill::Coats(coats) };
        if layer.shown(layer.area) >= LEAST_COVER {
            found.push(layer);
        }
    }
    found.reverse();
    found
}

/// The values of a layer: lists that are too short begin again.
fn nth<'c>(list: &[&'c [Component]], number: usize) -> &'c [Component] {
    list.get(number % list.len().max(1)).copied().unwrap_or_default()
}

/// Whether a picture lies under all of the box.
fn covers(image: &Component, size: &[Component]) -> bool {
    let is_picture = match image {
        Component::Url(_) => true,
        Component::Function { name, .. } => matches!(&**name, "url" | "image-set" | "-webkit-image-set"),
        _ => false,
    };
    let is_full = |part: &Component| match part {
        Component::Percentage(percent) => *percent >= 100.0,
        other => other.is_ident("cover") || other.is_ident("contain"),
    };
    is_picture && size.iter().any(is_full)
}

/// The extent of a tile; a gradient has no size of its own.
fn extent(size: Option<&Component>, whole: f64) -> f64 {
    size.and_then(|size| gradients::length(size, whole)).unwrap_or(whole)
}

/// Whether tiles repeat across and down.
fn repetition(words: &[Component]) -> (bool, bool) {
    let repeats = |word: &Component| !word.is_ident("no-repeat");
    match words {
        [one] if one.is_ident("repeat-x") => (true, false),
        [one] if one.is_ident("repeat-y") => (false, true),
        [one] => (repeats(one), repeats(one)),
        [across, down, ..] => (repeats(across), repeats(down)),
        [] => (true, true),
    }
}

/// Where tiles paint in one direction: start and length.
fn span(repeats: bool, tile: f64, whole: f64, position: &[Component]) -> (f64, f64) {
    if repeats {
        return (0.0, whole);
    }
    let spare = whole - tile;
    let start = match position.first() {
        // An offset from the end: `calc(100% - 10px)`.
        Some(Component::Function { arguments, .. }) => match arguments.as_slice() {
            [Component::Percentage(percent), Component::Delim(sign), offset] => {
                let offset = gradients::length(offset, 0.0).unwrap_or(0.0);
                percent / 100.0 * spare + if *sign == '-' { -offset } else { offset }
            }
            _ => 0.0,
        },
        other => other.and_then(|position| gradients::length(position, spare)).unwrap_or(0.0),
    };
    let end = (start + tile).min(whole);
    (start.max(0.0), (end - start.max(0.0)).max(0.0))
}
