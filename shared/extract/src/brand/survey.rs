//! The rendered page: its visible elements with style, position and text, and the paint grid.

use super::backdrop::{Backdrops, Fill, Layer};
use super::canvas::{Canvas, Paint};
use super::estimate;
use super::generated::{Finder, Generated};
use super::region::{Marks, Regions};
use super::shade::{Shade, WHITE};
use crate::PageView;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::color::Scheme;
use limner_style::layout::{Boxes, Rect};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Environment, Evidence, StyleIndex, Styles};
use std::sync::Arc;

/// A visible element.
pub(super) struct Seen {
    pub(super) node: NodeId,
    pub(super) style: Arc<ComputedStyle>,
    pub(super) marks: Marks,
    pub(super) area: Rect,
    /// Number of characters in its text nodes, without white space.
    pub(super) characters: usize,
    /// Boxes of `::before` and `::after` that paint something.
    pub(super) generated: Vec<Generated>,
    /// Background images, the lowest first, without the element's opacity.
    pub(super) layers: Vec<Layer>,
    opacity: f64,
    /// Stacking level: descendants of a raised element are raised with it.
    level: i32,
}

impl Seen {
    /// Returns a colour of the style, with the element's opacity; `None` if it is invisible.
    pub(super) fn color(&self, longhand: Longhand) -> Option<Shade> {
        let shade = match self.style.get(longhand) {
            "currentcolor" => Shade::of(&self.style.color()),
            value => Shade::parse(value)?,
        };
        self.faded(shade)
    }

    /// Returns the text colour.
    pub(super) fn text_color(&self) -> Option<Shade> {
        let fill = self.style.get(Longhand::WebkitTextFillColor);
        let own = (fill != "currentcolor").then(|| Shade::parse(fill)).flatten();
        self.faded(own.unwrap_or_else(|| Shade::of(&self.style.color())))
    }

    fn faded(&self, shade: Shade) -> Option<Shade> {
        shade.faded(self.opacity)
    }

    /// Returns the boxes of `::before` and `::after` that fill the whole element.
    pub(super) fn fillings(&self) -> impl Iterator<Item = &Generated> {
        self.generated.iter().filter(|generated| generated.fills(self.area))
    }

    /// Returns the most likely position of its text.
    pub(super) fn text_point(&self) -> (f32, f32) {
        let line = (self.style.font_size() * 0.6) as f32;
        (self.area.x + (self.area.width / 2.0).min(24.0), self.area.y + (self.area.height / 2.0).min(line.max(8.0)))
    }

    /// Returns true if the page sets the value, as opposed to the browser.
    pub(super) fn is_authored(&self, index: &StyleIndex<'_>, longhand: Longhand) -> bool {
        !matches!(self.style.evidence(index, longhand), None | Some(Evidence::Rule { sheet: 0, .. }))
    }
}

pub(super) struct Survey<'a> {
    pub(super) view: &'a PageView<'a>,
    pub(super) index: &'a StyleIndex<'a>,
    pub(super) regions: Regions,
    /// Visible elements in document order.
    pub(super) seen: Vec<Seen>,
    pub(super) canvas: Canvas,
    /// The page's background colour.
    pub(super) ground: Shade,
    /// True if the page declares its background.
    pub(super) declares_ground: bool,
    pub(super) boxes: Boxes,
    /// True if boxes were laid out, false if they were estimated.
    pub(super) is_laid_out: bool,
}

impl<'a> Survey<'a> {
    pub(super) fn of(view: &'a PageView<'a>, index: &'a StyleIndex<'a>) -> Self {
        let environment = Environment::default();
        let mut styles = index.styles(&environment);
        let laid_out = view.layout.boxes(view.page, &environment);
        let is_laid_out = laid_out.is_some();
        let boxes = laid_out.unwrap_or_else(|| estimate::boxes(&view.document, &mut styles));
        let regions = Regions::of(view, &boxes);
        let visible = |shows_hidden| Visible { view, index, boxes: &boxes, regions: &regions, shows_hidden };
        let mut backdrops = Backdrops::new();
        let mut seen = visible(false).elements(&mut styles, &mut backdrops);
        if waits_for_scripts(&view.document, &seen) {
            seen = visible(true).elements(&mut styles, &mut backdrops);
        }
        let page = Rect { x: 0.0, y: 0.0, width: 1_440.0, height: height(&seen) };
        let declared = ground(&view.document, &mut styles, page, &mut backdrops);
        let ground = declared.unwrap_or_else(|| default_ground(&view.document, &mut styles));
        let mut canvas = Canvas::new(page.height, ground);
        paint(&view.document, &seen, &mut canvas, &mut backdrops);
        let declares_ground = declared.is_some();
        Self { view, index, regions, seen, canvas, ground, declares_ground, boxes, is_laid_out }
    }

    /// Returns the visible element of a node.
    pub(super) fn seen_at(&self, node: NodeId) -> Option<&Seen> {
        self.seen.binary_search_by_key(&node, |seen| seen.node).ok().map(|at| &self.seen[at])
    }

    /// Returns the opaque colour behind the text of an element.
    pub(super) fn ground_of(&self, seen: &Seen) -> Option<Shade> {
        let (x, y) = seen.text_point();
        self.canvas.at(x, y)?.main_shade()
    }
}

/// Boxes smaller than this in both directions are invisible: text for screen readers, tracking pixels.
const SPECK: f32 = 2.0;

/// Minimum text of a page for which hidden text is significant, in characters.
const SOME_TEXT: usize = 60;

/// Returns true if nearly all text is hidden: slides, transitions and the like, which scripts bring into view.
fn waits_for_scripts(document: &Document, seen: &[Seen]) -> bool {
    let shown: usize = seen.iter().map(|seen| seen.characters).sum();
    let Some(body) = document.body() else { return false };
    let is_inert = |node: NodeId| document.element(node).is_some_and(is_never_shown);
    let texts = document.descendants(body).filter(|node| document.text(*node).is_some());
    let readable = texts.filter(|text| !document.parent(*text).is_some_and(is_inert));
    let all: usize = readable.map(|node| letters(document.text(node).unwrap_or_default())).sum();
    all >= SOME_TEXT && shown * 20 < all
}

fn is_never_shown(element: &Element) -> bool {
    matches!(
        element.name(),
        "head" | "script" | "style" | "noscript" | "template" | "title" | "meta" | "link" | "textarea"
    )
}

/// Decides which elements count as visible.
struct Visible<'a> {
    view: &'a PageView<'a>,
    index: &'a StyleIndex<'a>,
    boxes: &'a Boxes,
    regions: &'a Regions,
    /// Treats hidden elements as visible; they have no area then.
    shows_hidden: bool,
}

impl Visible<'_> {
    fn elements(&self, styles: &mut Styles<'_>, backdrops: &mut Backdrops) -> Vec<Seen> {
        let document = &self.view.document;
        let mut inherited: Vec<(f64, i32)> = vec![(1.0, 0); document.len()];
        let mut seen = Vec::new();
        let mut finder = Finder::new(document, self.index, self.boxes);
        for (node, element) in document.elements().filter(|(_, element)| !is_never_shown(element)) {
            let Some(style) = styles.get(node).filter(|style| self.shows_hidden || !style.is_hidden()) else {
                continue;
            };
            let (opacity, level) = document.parent(node).map_or((1.0, 0), |parent| inherited[parent.index()]);
            let own: f64 = if self.shows_hidden { 1.0 } else { style.get(Longhand::Opacity).parse().unwrap_or(1.0) };
            let (opacity, level) = (opacity * own, level + raise(&style));
            inherited[node.index()] = (opacity, level);
            let is_invisible = opacity < 0.05 || style.get(Longhand::Visibility) != "visible";
            if is_invisible && !self.shows_hidden {
                continue;
            }
            let Some(area) = self.area(node, element) else { continue };
            let characters = own_characters(document, node, element);
            let generated = if self.shows_hidden { Vec::new() } else { finder.of(node, opacity, styles, backdrops) };
            let layers = backdrops.layers(&style, area);
            let marks = self.regions.get(node);
            seen.push(Seen { node, style, marks, area, characters, generated, layers, opacity, level });
        }
        seen
    }

    fn area(&self, node: NodeId, element: &Element) -> Option<Rect> {
        let document = &self.view.document;
        let in_drawing = element.in_svg() && !element.is_svg("svg");
        // Shapes have no separate boxes.
        let of_drawing =
            || document.ancestors(node).find_map(|ancestor| self.boxes.get(ancestor)).filter(|_| in_drawing);
        let area = self.boxes.get(node).or_else(of_drawing).filter(|area| is_on_page(*area));
        area.or_else(|| self.shows_hidden.then_some(Rect { x: 0.0, y: 0.0, width: 0.0, height: 0.0 }))
    }
}

fn is_on_page(area: Rect) -> bool {
    let has_size = area.width > SPECK || area.height > SPECK;
    has_size && area.x < 1_440.0 && area.x + area.width > 0.0 && area.y + area.height > 0.0
}

/// Returns the levels by which the element's `z-index` raises it.
pub(super) fn raise(style: &ComputedStyle) -> i32 {
    let index: i32 = style.get(Longhand::ZIndex).parse().unwrap_or(0);
    let is_positioned = style.get(Longhand::Position) != "static";
    if is_positioned { 1 + index.signum() } else { 0 }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|letter| !letter.is_whitespace()).count()
}

fn own_characters(document: &Document, node: NodeId, element: &Element) -> usize {
    let texts = document.children(node).filter_map(|child| document.text(child));
    let kind = || element.attr("type").unwrap_or_default().to_ascii_lowercase();
    let is_button = element.is_html("input") && matches!(kind().as_str(), "submit" | "button" | "reset");
    let label = element.attr("value").filter(|_| is_button);
    texts.chain(label).map(letters).sum()
}

/// Minimum share of a gradient colour that may be the background.
const SHARE_OF_GROUND: f64 = 0.1;

/// Returns the page's background as its root or body declares it (Backgrounds 3, section 2.11.2).
fn ground(document: &Document, styles: &mut Styles<'_>, page: Rect, backdrops: &mut Backdrops) -> Option<Shade> {
    let roots = [document.document_element(), document.body()];
    let white = Shade::opaque(WHITE);
    roots.into_iter().flatten().find_map(|node| {
        let style = styles.get(node)?;
        let color = Shade::parse(style.get(Longhand::BackgroundColor)).filter(|shade| shade.rgba[3] > 0);
        let of_gradient = || {
            let layers = backdrops.layers(&style, page);
            let layer = layers.iter().find(|layer| layer.shown(page) >= 0.5)?;
            let Fill::Coats(coats) = &layer.fill else { return None };
            let shows = |(shade, share): &&(Shade, f64)| shade.rgba[3] > 0 && *share >= SHARE_OF_GROUND;
            coats.iter().find(shows).map(|(shade, _)| *shade)
        };
        color.or_else(of_gradient).map(|shade| shade.over(white))
    })
}

/// Returns the browser's canvas colour for a page without a background.
fn default_ground(document: &Document, styles: &mut Styles<'_>) -> Shade {
    let style = document.document_element().and_then(|root| styles.get(root));
    let is_dark = style.is_some_and(|style| style.scheme() == Scheme::Dark);
    Shade::opaque(if is_dark { [18, 18, 18] } else { WHITE })
}

fn height(seen: &[Seen]) -> f32 {
    let in_page = seen.iter().filter(|seen| seen.style.get(Longhand::Position) != "fixed");
    in_page.map(|seen| seen.area.y + seen.area.height).fold(900.0, f32::max)
}

/// A paint operation with its position in painting order.
struct Painting<'a> {
    /// Stacking level; within a level, index in the document; at one index, true for operations after the element's.
    order: (i32, usize, bool),
    seen: &'a Seen,
    generated: Option<&'a Generated>,
}

/// Returns all operations in painting order.
fn paintings<'a>(document: &Document, seen: &'a [Seen]) -> Vec<Painting<'a>> {
    let mut order = Vec::with_capacity(seen.len());
    for seen in seen {
        let own = seen.node.index();
        order.push(Painting { order: (seen.level, own, false), seen, generated: None });
        for generated in &seen.generated {
            let last = || document.descendants(seen.node).last().map_or(own, |last| last.index());
            let number = if generated.is_last { last() } else { own };
            let order_of = (seen.level + generated.raise, number, true);
            order.push(Painting { order: order_of, seen, generated: Some(generated) });
        }
    }
    order.sort_by_key(|painting| painting.order);
    order
}

fn paint(document: &Document, seen: &[Seen], canvas: &mut Canvas, backdrops: &mut Backdrops) {
    let canvas_source = ground_source(document, seen);
    let root = document.document_element().and_then(|root| seen.iter().find(|seen| seen.node == root));
    for Painting { seen: element, generated, .. } in paintings(document, seen) {
        if let Some(generated) = generated {
            paint_generated(generated, canvas);
            continue;
        }
        // The background colour is painted already; its images cover the whole page.
        if canvas_source == Some(element.node) {
            let whole = canvas.whole();
            let area = if is_confined(&element.style) { root.map_or(whole, |root| root.area) } else { whole };
            paint_layers(backdrops.layers(&element.style, area), canvas);
            continue;
        }
        if let Some(color) = element.color(Longhand::BackgroundColor) {
            canvas.fill(element.area, Paint::Solid(color));
        }
        if is_replaced(document, element) {
            canvas.fill(element.area, Paint::Picture);
        } else {
            let layers = element.layers.iter().cloned();
            paint_layers(layers.filter_map(|layer| layer.faded(element.opacity)).collect(), canvas);
        }
    }
    for element in seen.iter().filter(|element| element.characters > 0) {
        let Some(color) = element.text_color() else { continue };
        let (x, y) = element.text_point();
        canvas.note_text(x, y, color.brightness(), element.characters);
    }
}

/// Returns the element that provides the canvas background: the root, or the body if the root has none.
fn ground_source(document: &Document, seen: &[Seen]) -> Option<NodeId> {
    let paints = |node: &NodeId| {
        let style = seen.iter().find(|seen| seen.node == *node).map(|seen| &seen.style);
        style.is_some_and(|style| {
            let color = Shade::parse(style.get(Longhand::BackgroundColor));
            color.is_some_and(|shade| shade.rgba[3] > 0) || style.get(Longhand::BackgroundImage) != "none"
        })
    };
    [document.document_element(), document.body()].into_iter().flatten().find(paints)
}

/// Returns true if a background image does not spread beyond its positioning area.
fn is_confined(style: &ComputedStyle) -> bool {
    style.get(Longhand::BackgroundRepeat).contains("no-repeat")
        && !style.get(Longhand::BackgroundAttachment).contains("fixed")
}

fn paint_layers(layers: Vec<Layer>, canvas: &mut Canvas) {
    for layer in layers {
        match layer.fill {
            Fill::Picture => canvas.fill(layer.area, Paint::Picture),
            Fill::Coats(coats) => canvas.fill(layer.area, Paint::Gradient(coats.to_vec())),
        }
    }
}

fn paint_generated(generated: &Generated, canvas: &mut Canvas) {
    let area = if generated.is_behind_page { canvas.whole() } else { generated.area };
    if let Some(color) = generated.color {
        canvas.fill(area, Paint::Solid(color));
    }
    let mut layers = generated.layers.clone();
    for layer in layers.iter_mut().filter(|layer| layer.area == generated.area) {
        layer.area = area;
    }
    paint_layers(layers, canvas);
}

/// Returns true for replaced content other than boxes and text.
fn is_replaced(document: &Document, seen: &Seen) -> bool {
    let name = document.element(seen.node).map(Element::name).unwrap_or_default();
    matches!(name, "img" | "video" | "canvas" | "iframe" | "object" | "embed" | "image")
}
