//! Reads the background images of a box, layer by layer (Backgrounds 3).

use super::color::Rgba;
use super::gradient_coverage;
use super::gradient_coverage::ColorShare;
use limner_style::ComputedStyle;
use limner_style::layout::Rect;
use limner_style::property::Longhand;
use limner_style::value::{Component, parse_components, split_commas};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of layers of one box.
const MAX_LAYERS: usize = 16;
/// Maximum number of gradients of one page that are sampled; further ones are skipped.
const MAX_SAMPLED_GRADIENTS: usize = 8_192;
/// Maximum number of characters in values read for one page, without the URLs of images.
const MAX_CHARACTERS_READ: usize = 4_000_000;
/// Maximum length of values that are cached.
const MAX_CACHED_CHARACTERS: usize = 65_536;
/// Minimum share of its box that a layer covers; less is an ornament on the layer below.
const MIN_COVER: f64 = 0.02;

/// A background layer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BackgroundLayer {
    /// The painted area: the whole box, or the tile if it does not repeat.
    pub(super) area: Rect,
    pub(super) fill: LayerFill,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum LayerFill {
    /// An image that covers the area.
    Image,
    /// The colours of a gradient with their shares of the area, transparent ones included.
    Colors(Arc<[ColorShare]>),
}

impl BackgroundLayer {
    /// Returns the share of a box that this layer's area has, 0 to 1.
    pub(super) fn area_share(&self, whole: Rect) -> f64 {
        f64::from(self.area.area() / whole.area().max(1.0)).min(1.0)
    }

    /// Multiplies the opacity; returns `None` if the result is almost invisible.
    pub(super) fn with_opacity(mut self, opacity: f64) -> Option<Self> {
        match &mut self.fill {
            LayerFill::Image if opacity < 0.4 => return None,
            LayerFill::Image => {}
            LayerFill::Colors(color_shares) => {
                let faded = |shade: Rgba| shade.with_opacity(opacity).unwrap_or_else(Rgba::transparent);
                *color_shares = color_shares.iter().map(|(shade, share)| (faded(*shade), *share)).collect();
            }
        }
        Some(self)
    }

    /// Returns the share of a box on which this layer is visible.
    pub(super) fn visible_share(&self, whole: Rect) -> f64 {
        let LayerFill::Colors(color_shares) = &self.fill else { return self.area_share(whole) };
        self.area_share(whole)
            * color_shares.iter().filter(|(shade, _)| shade.rgba[3] > 0).map(|(_, share)| share).sum::<f64>()
    }
}

/// Reads the layers of the boxes of one page. Boxes with equal values and size are read once, and the number of reads
/// for a page is limited, so that thousands of boxes with many gradients cost little more than one.
pub(super) struct BackgroundReader {
    /// The layers of a box at the origin, by values and size.
    cache: HashMap<String, Arc<[BackgroundLayer]>>,
    samples_left: usize,
    characters_left: usize,
}

impl BackgroundReader {
    pub(super) fn new() -> Self {
        Self { cache: HashMap::new(), samples_left: MAX_SAMPLED_GRADIENTS, characters_left: MAX_CHARACTERS_READ }
    }

    /// Returns the layers of a box, the lowest first. Small or repeated images count as ornaments and are left out.
    pub(super) fn layers(&mut self, style: &ComputedStyle, area: Rect) -> Vec<BackgroundLayer> {
        let image = style.get(Longhand::BackgroundImage);
        if image == "none" || style.clips_background_to_text() {
            return Vec::new();
        }
        let has_gradient = image.to_ascii_lowercase().contains("gradient(");
        let lists = LISTS.map(|longhand| style.get(longhand));
        let length = lists.iter().map(|list| list.len()).sum::<usize>() + if has_gradient { image.len() } else { 0 };
        if !has_gradient || length > MAX_CACHED_CHARACTERS {
            return translate_layers(&self.read_layers(image, lists, length, area), area);
        }
        let key = format!("{image}\0{}\0{:x} {:x}", lists.join("\0"), area.width.to_bits(), area.height.to_bits());
        if let Some(known) = self.cache.get(&key) {
            return translate_layers(known, area);
        }
        let found: Arc<[BackgroundLayer]> = self.read_layers(image, lists, length, area).into();
        let placed = translate_layers(&found, area);
        // After the limit is reached reading is free, and the result is incomplete: don't cache it.
        if self.characters_left > 0 {
            self.cache.insert(key, found);
        }
        placed
    }

    /// Reads the layers of a box of that size at the origin; none after the page's limit.
    fn read_layers(&mut self, image: &str, lists: [&str; 4], length: usize, area: Rect) -> Vec<BackgroundLayer> {
        self.characters_left = self.characters_left.saturating_sub(length);
        if self.characters_left == 0 {
            return Vec::new();
        }
        let images = parse_components(image).unwrap_or_default();
        let lists = lists.map(|list| parse_components(list).unwrap_or_default());
        let [sizes, repeats, xs, ys] = [0, 1, 2, 3].map(|list| split_commas(&lists[list]));
        let layers = split_commas(&images).into_iter().enumerate().take(MAX_LAYERS);
        let mut found: Vec<BackgroundLayer> = layers
            .filter_map(|(number, image)| {
                let place = (nth(&repeats, number), nth(&xs, number), nth(&ys, number));
                self.layer(image.first()?, nth(&sizes, number), place, area)
            })
            .collect();
        found.reverse();
        found
    }

    fn layer(
        &mut self,
        image: &Component,
        size: &[Component],
        (repeats, x, y): (&[Component], &[Component], &[Component]),
        area: Rect,
    ) -> Option<BackgroundLayer> {
        if covers(image, size) {
            return Some(BackgroundLayer { area: Rect { x: 0.0, y: 0.0, ..area }, fill: LayerFill::Image });
        }
        if self.samples_left == 0 {
            return None;
        }
        let (width, height) = (f64::from(area.width), f64::from(area.height));
        let tile = (extent(size.first(), width), extent(size.get(1), height));
        let color_shares = gradient_coverage::color_shares(image, tile.0, tile.1)?;
        self.samples_left -= 1;
        let (across, down) = repetition(repeats);
        let (x, width) = span(across, tile.0, width, x);
        let (y, height) = span(down, tile.1, height, y);
        let [x, y, width, height] = [x, y, width, height].map(|length| length as f32);
        let layer =
            BackgroundLayer { area: Rect { x, y, width, height }, fill: LayerFill::Colors(color_shares.into()) };
        (layer.visible_share(layer.area) >= MIN_COVER).then_some(layer)
    }
}

/// The properties that position layers.
const LISTS: [Longhand; 4] = [
    Longhand::BackgroundSize,
    Longhand::BackgroundRepeat,
    Longhand::BackgroundPositionX,
    Longhand::BackgroundPositionY,
];

/// Moves the layers of a box at the origin to the box's position.
fn translate_layers(layers: &[BackgroundLayer], area: Rect) -> Vec<BackgroundLayer> {
    let placed = |layer: &BackgroundLayer| {
        let own = layer.area;
        BackgroundLayer { area: Rect { x: area.x + own.x, y: area.y + own.y, ..own }, fill: layer.fill.clone() }
    };
    layers.iter().map(placed).collect()
}

/// Returns the value of a layer; lists that are too short repeat.
fn nth<'c>(list: &[&'c [Component]], number: usize) -> &'c [Component] {
    list.get(number % list.len().max(1)).copied().unwrap_or_default()
}

/// Returns true if an image covers the whole box.
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

/// Returns the size of a tile; a gradient has no natural size.
fn extent(size: Option<&Component>, whole: f64) -> f64 {
    size.and_then(|size| gradient_coverage::length(size, whole)).unwrap_or(whole)
}

/// Returns true for the directions in which tiles repeat: across and down.
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

/// Returns the extent of tiles in one direction: start and length.
fn span(repeats: bool, tile: f64, whole: f64, position: &[Component]) -> (f64, f64) {
    if repeats {
        return (0.0, whole);
    }
    let spare = whole - tile;
    let start = match position.first() {
        // An offset from the end: `calc(100% - 10px)`.
        Some(Component::Function { arguments, .. }) => match arguments.as_slice() {
            [Component::Percentage(percent), Component::Delim(sign), offset] => {
                let offset = gradient_coverage::length(offset, 0.0).unwrap_or(0.0);
                percent / 100.0 * spare + if *sign == '-' { -offset } else { offset }
            }
            _ => 0.0,
        },
        other => other.and_then(|position| gradient_coverage::length(position, spare)).unwrap_or(0.0),
    };
    let end = (start + tile).min(whole);
    (start.max(0.0), (end - start.max(0.0)).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_page_view::PageView;
    use limner_style::{Environment, StyleIndex};
    use limner_test_pages::page;

    /// Returns the state after reading the layers of all links of a page, with sizes from `size`.
    fn read_link_backgrounds(html: &str, size: impl Fn(usize) -> (f32, f32)) -> (BackgroundReader, Vec<usize>) {
        let page = page(html);
        let view = PageView::new(&page);
        let index = StyleIndex::new(view.page, &view.document);
        let mut styles = index.styles(&Environment::default());
        let links = view.document.elements().filter(|(_, element)| element.is_html("a"));
        let mut backdrops = BackgroundReader::new();
        let mut counts = Vec::new();
        for (number, (node, _)) in links.enumerate() {
            let (width, height) = size(number);
            let area = Rect { x: 3.0, y: number as f32, width, height };
            let layers = backdrops.layers(&styles.get(node).unwrap(), area);
            assert!(layers.iter().all(|layer| layer.area == area));
            counts.push(layers.len());
        }
        (backdrops, counts)
    }

    #[test]
    fn boxes_with_equal_values_and_size_are_read_once() {
        let html = format!(
            "<style>a{{background:linear-gradient(red,#00f),linear-gradient(red,#0f0)}}</style>{}",
            "<a>x</a>".repeat(500)
        );
        let (backdrops, counts) = read_link_backgrounds(&html, |number| (100.0, [20.0, 40.0][number % 2]));
        assert_eq!(MAX_SAMPLED_GRADIENTS - backdrops.samples_left, 4);
        assert!(counts.iter().all(|count| *count == 2));
    }

    #[test]
    fn gradients_are_sampled_up_to_the_limit() {
        let gradients = vec!["linear-gradient(red,#00f)"; MAX_LAYERS].join(",");
        let html = format!("<style>a{{background:{gradients}}}</style>{}", "<a>x</a>".repeat(1_000));
        let (backdrops, counts) = read_link_backgrounds(&html, |number| (100.0 + number as f32, 20.0));
        assert_eq!(backdrops.samples_left, 0);
        let whole = MAX_SAMPLED_GRADIENTS / MAX_LAYERS;
        assert!(
            counts[..whole].iter().all(|count| *count == MAX_LAYERS) && counts[whole..].iter().all(|count| *count == 0)
        );
    }

    #[test]
    fn values_are_read_up_to_the_limit() {
        let stops = vec!["red"; 2_000].join(",");
        let html = format!("<style>a{{background:linear-gradient({stops})}}</style>{}", "<a>x</a>".repeat(300));
        let (backdrops, counts) = read_link_backgrounds(&html, |number| (100.0 + number as f32, 20.0));
        assert_eq!(backdrops.characters_left, 0);
        assert!(counts[0] == 1 && counts[299] == 0);
    }
}
