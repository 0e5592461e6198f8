//! The rendered page: its visible elements with style, position and text, and the paint grid.

use super::background_layers::{BackgroundLayer, BackgroundReader, LayerFill};
use super::box_estimation;
use super::color::{Rgba, WHITE};
use super::consent_banners;
use super::page_regions::{RegionFlags, RegionMap};
use super::paint_grid::{CellPaint, PaintGrid};
use super::pseudo_element_boxes::{PseudoBox, PseudoBoxFinder};
use super::stacking_level::raise;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_page_view::PageView;
use limner_style::color::Scheme;
use limner_style::computed::{Overflow, Position};
use limner_style::layout::{Boxes, Rect};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Environment, StyleIndex, Styles, ValueSource};
use std::sync::Arc;

/// A visible element.
pub(super) struct VisibleElement {
    pub(super) node: NodeId,
    pub(super) style: Arc<ComputedStyle>,
    pub(super) flags: RegionFlags,
    pub(super) area: Rect,
    /// Number of characters in its text nodes, without white space.
    pub(super) characters: usize,
    /// Boxes of `::before` and `::after` that paint something.
    pub(super) generated: Vec<PseudoBox>,
    /// Background images, the lowest first, without the element's opacity.
    pub(super) layers: Vec<BackgroundLayer>,
    opacity: f64,
    /// Stacking level: descendants of a raised element are raised with it.
    level: i32,
}

impl VisibleElement {
    /// Returns a colour of the style, with the element's opacity; `None` if it is invisible.
    pub(super) fn color(&self, longhand: Longhand) -> Option<Rgba> {
        let shade = match self.style.get(longhand) {
            "currentcolor" => Rgba::from_color(&self.style.color()),
            value => Rgba::parse(value)?,
        };
        self.effective_color(shade)
    }

    /// Returns the text colour.
    pub(super) fn text_color(&self) -> Option<Rgba> {
        self.effective_color(text_color_of(&self.style))
    }

    /// Like [`Self::color`], in another style of the element.
    pub(super) fn color_in(&self, style: &ComputedStyle, longhand: Longhand) -> Option<Rgba> {
        let shade = match style.get(longhand) {
            "currentcolor" => Rgba::from_color(&style.color()),
            value => Rgba::parse(value)?,
        };
        shade.with_opacity(self.opacity_in(style))
    }

    /// Like [`Self::text_color`], in another style of the element.
    pub(super) fn text_color_in(&self, style: &ComputedStyle) -> Option<Rgba> {
        text_color_of(style).with_opacity(self.opacity_in(style))
    }

    /// Returns the opacity that the element has with another style.
    fn opacity_in(&self, style: &ComputedStyle) -> f64 {
        let of = |style: &ComputedStyle| style.get(Longhand::Opacity).parse().unwrap_or(1.0_f64);
        let own = of(&self.style);
        if own > 0.0 { (self.opacity * of(style) / own).min(1.0) } else { of(style) }
    }

    fn effective_color(&self, shade: Rgba) -> Option<Rgba> {
        shade.with_opacity(self.opacity)
    }

    /// Returns the boxes of `::before` and `::after` that fill the whole element.
    pub(super) fn fillings(&self) -> impl Iterator<Item = &PseudoBox> {
        self.generated.iter().filter(|generated| generated.fills(self.area))
    }

    /// Returns the most likely position of its text.
    pub(super) fn text_anchor(&self) -> (f32, f32) {
        let line = (self.style.font_size() * 0.6) as f32;
        (self.area.x + (self.area.width / 2.0).min(24.0), self.area.y + (self.area.height / 2.0).min(line.max(8.0)))
    }

    /// Returns true if the page sets the value, as opposed to the browser.
    pub(super) fn is_authored(&self, index: &StyleIndex<'_>, longhand: Longhand) -> bool {
        !matches!(self.style.evidence(index, longhand), None | Some(ValueSource::Rule { sheet: 0, .. }))
    }
}

/// Returns the colour that a style gives text.
fn text_color_of(style: &ComputedStyle) -> Rgba {
    let fill = style.get(Longhand::WebkitTextFillColor);
    let own = (fill != "currentcolor").then(|| Rgba::parse(fill)).flatten();
    own.unwrap_or_else(|| Rgba::from_color(&style.color()))
}

pub(super) struct RenderedPage<'a> {
    pub(super) view: &'a PageView<'a>,
    pub(super) index: &'a StyleIndex<'a>,
    pub(super) environment: Environment,
    pub(super) regions: RegionMap,
    /// Visible elements in document order.
    pub(super) elements: Vec<VisibleElement>,
    pub(super) canvas: PaintGrid,
    /// The page's background colour.
    pub(super) background: Rgba,
    /// True if the page declares its background.
    pub(super) declares_background: bool,
    pub(super) boxes: Boxes,
    /// True if boxes were laid out, false if they were estimated.
    pub(super) is_laid_out: bool,
}

impl<'a> RenderedPage<'a> {
    pub(super) fn new(view: &'a PageView<'a>, index: &'a StyleIndex<'a>) -> Self {
        Self::in_environment(view, index, Environment::default(), None)
    }

    /// Renders the page in an environment; with `boxes`, those are its boxes.
    pub(super) fn in_environment(
        view: &'a PageView<'a>,
        index: &'a StyleIndex<'a>,
        environment: Environment,
        boxes: Option<Boxes>,
    ) -> Self {
        let mut styles = index.styles(&environment);
        let laid_out = boxes.or_else(|| view.boxes(&environment));
        let is_laid_out = laid_out.is_some();
        let boxes = laid_out.unwrap_or_else(|| box_estimation::boxes(&view.document, &mut styles));
        let banners = consent_banners::consent_banners(&view.document, &mut styles);
        let regions = RegionMap::from_page(view, &boxes, &banners);
        let visible = |shows_hidden| VisibilityFilter { view, index, boxes: &boxes, regions: &regions, shows_hidden };
        let mut backdrops = BackgroundReader::new();
        let mut elements = visible(false).elements(&mut styles, &mut backdrops);
        if hides_text_until_scripts(&view.document, &elements) {
            elements = visible(true).elements(&mut styles, &mut backdrops);
        }
        let page = Rect { x: 0.0, y: 0.0, width: 1_440.0, height: height(&elements) };
        let declared = page_background(&view.document, &mut styles, page, &mut backdrops);
        let background = declared.unwrap_or_else(|| default_background(&view.document, &mut styles));
        let mut canvas = PaintGrid::new(page.height, background);
        paint(&view.document, &elements, &mut canvas, &mut backdrops);
        let declares_background = declared.is_some();
        Self {
            view,
            index,
            environment,
            regions,
            elements,
            canvas,
            background,
            declares_background,
            boxes,
            is_laid_out,
        }
    }

    /// Returns the visible element of a node.
    pub(super) fn visible_element(&self, node: NodeId) -> Option<&VisibleElement> {
        self.elements.binary_search_by_key(&node, |seen| seen.node).ok().map(|at| &self.elements[at])
    }

    /// Returns the opaque colour behind the text of an element.
    pub(super) fn background_under(&self, seen: &VisibleElement) -> Option<Rgba> {
        let (x, y) = seen.text_anchor();
        self.canvas.paint_at(x, y)?.dominant_color()
    }
}

/// Boxes smaller than this in both directions are invisible: text for screen readers, tracking pixels.
const MIN_VISIBLE_SIZE: f32 = 2.0;

/// Minimum text of a page for which hidden text is significant, in characters.
const MIN_HIDDEN_TEXT: usize = 60;

/// Returns true if nearly all text is hidden: slides, transitions and the like, which scripts bring into view.
fn hides_text_until_scripts(document: &Document, seen: &[VisibleElement]) -> bool {
    let shown: usize = seen.iter().map(|seen| seen.characters).sum();
    let Some(body) = document.body() else { return false };
    let is_inert = |node: NodeId| document.element(node).is_some_and(is_never_rendered);
    let texts = document.descendants(body).filter(|node| document.text(*node).is_some());
    let readable = texts.filter(|text| !document.parent(*text).is_some_and(is_inert));
    let all: usize = readable.map(|node| letters(document.text(node).unwrap_or_default())).sum();
    all >= MIN_HIDDEN_TEXT && shown * 20 < all
}

fn is_never_rendered(element: &Element) -> bool {
    matches!(
        element.name(),
        "head" | "script" | "style" | "noscript" | "template" | "title" | "meta" | "link" | "textarea"
    )
}

/// Decides which elements count as visible.
struct VisibilityFilter<'a> {
    view: &'a PageView<'a>,
    index: &'a StyleIndex<'a>,
    boxes: &'a Boxes,
    regions: &'a RegionMap,
    /// Treats hidden elements as visible; they have no area then.
    shows_hidden: bool,
}

impl VisibilityFilter<'_> {
    fn elements(&self, styles: &mut Styles<'_>, backdrops: &mut BackgroundReader) -> Vec<VisibleElement> {
        let document = &self.view.document;
        let mut inherited: Vec<(f64, i32)> = vec![(1.0, 0); document.len()];
        let mut seen = Vec::new();
        let mut finder = PseudoBoxFinder::new(document, self.index, self.boxes);
        for (node, element) in document.elements().filter(|(_, element)| !is_never_rendered(element)) {
            let Some(style) = styles.get(node).filter(|style| self.shows_hidden || !style.is_hidden()) else {
                continue;
            };
            let (opacity, level) = document.parent(node).map_or((1.0, 0), |parent| inherited[parent.index()]);
            let own: f64 = if self.shows_hidden { 1.0 } else { style.get(Longhand::Opacity).parse().unwrap_or(1.0) };
            let (opacity, level) = (opacity * own, level + raise(&style));
            inherited[node.index()] = (opacity, level);
            let is_invisible = opacity < 0.05 || !style.is_visible();
            if is_invisible && !self.shows_hidden {
                continue;
            }
            let Some(area) = self.area(node, element) else { continue };
            let shows_text = self.shows_hidden || !hides_text(&style);
            let characters = if shows_text { own_text_length(document, node, element) } else { 0 };
            let generated =
                if self.shows_hidden { Vec::new() } else { finder.find_boxes(node, opacity, styles, backdrops) };
            let layers = backdrops.layers(&style, area);
            let marks = self.regions.get(node);
            seen.push(VisibleElement {
                node,
                style,
                flags: marks,
                area,
                characters,
                generated,
                layers,
                opacity,
                level,
            });
        }
        seen
    }

    fn area(&self, node: NodeId, element: &Element) -> Option<Rect> {
        let document = &self.view.document;
        let in_drawing = element.in_svg() && !element.is_svg("svg");
        // Shapes have no separate boxes.
        let of_drawing =
            || document.ancestors(node).find_map(|ancestor| self.boxes.get(ancestor)).filter(|_| in_drawing);
        let area = self.boxes.get(node).or_else(of_drawing).filter(|area| is_visible_area(*area));
        area.or_else(|| self.shows_hidden.then_some(Rect { x: 0.0, y: 0.0, width: 0.0, height: 0.0 }))
    }
}

fn is_visible_area(area: Rect) -> bool {
    let has_size = area.width > MIN_VISIBLE_SIZE || area.height > MIN_VISIBLE_SIZE;
    has_size && area.x < 1_440.0 && area.x + area.width > 0.0 && area.y + area.height > 0.0
}

/// Returns true if an element's text is out of sight, as where its background is shown in its place: it is indented out
/// of the box, or has no size.
fn hides_text(style: &ComputedStyle) -> bool {
    /// Indents of more pixels leave any box.
    const MIN_HIDING_INDENT: f64 = 500.0;
    let indent = style.get(Longhand::TextIndent);
    let pixels = indent.strip_suffix("px").and_then(|pixels| pixels.parse::<f64>().ok());
    let clips = style.overflow_x() != Overflow::Visible;
    let is_beside = || {
        indent.strip_suffix('%').and_then(|share| share.parse::<f64>().ok()).is_some_and(|share| share.abs() >= 100.0)
    };
    style.font_size() < 1.0
        || pixels.is_some_and(|pixels| pixels < -MIN_HIDING_INDENT || (pixels > MIN_HIDING_INDENT && clips))
        || (clips && is_beside())
}

fn letters(text: &str) -> usize {
    text.chars().filter(|letter| !letter.is_whitespace()).count()
}

fn own_text_length(document: &Document, node: NodeId, element: &Element) -> usize {
    let texts = document.children(node).filter_map(|child| document.text(child));
    let kind = || element.attr("type").unwrap_or_default().to_ascii_lowercase();
    let is_button = element.is_html("input") && matches!(kind().as_str(), "submit" | "button" | "reset");
    let label = element.attr("value").filter(|_| is_button);
    texts.chain(label).map(letters).sum()
}

/// Minimum share of a gradient colour that may be the background.
const MIN_BACKGROUND_SHARE: f64 = 0.1;

/// Returns the page's background as its root or body declares it (Backgrounds 3, section 2.11.2).
fn page_background(
    document: &Document,
    styles: &mut Styles<'_>,
    page: Rect,
    backdrops: &mut BackgroundReader,
) -> Option<Rgba> {
    let roots = [document.document_element(), document.body()];
    let white = Rgba::from_rgb(WHITE);
    roots.into_iter().flatten().find_map(|node| {
        let style = styles.get(node)?;
        let color = Rgba::parse(style.get(Longhand::BackgroundColor)).filter(|shade| shade.rgba[3] > 0);
        let of_gradient = || {
            let layers = backdrops.layers(&style, page);
            let layer = layers.iter().find(|layer| layer.visible_share(page) >= 0.5)?;
            let LayerFill::Colors(color_shares) = &layer.fill else { return None };
            let shows = |(shade, share): &&(Rgba, f64)| shade.rgba[3] > 0 && *share >= MIN_BACKGROUND_SHARE;
            color_shares.iter().find(shows).map(|(shade, _)| *shade)
        };
        color.or_else(of_gradient).map(|shade| shade.composite_over(white))
    })
}

/// Returns the browser's canvas colour for a page without a background.
fn default_background(document: &Document, styles: &mut Styles<'_>) -> Rgba {
    let style = document.document_element().and_then(|root| styles.get(root));
    let is_dark = style.is_some_and(|style| style.scheme() == Scheme::Dark);
    Rgba::from_rgb(if is_dark { [18, 18, 18] } else { WHITE })
}

fn height(seen: &[VisibleElement]) -> f32 {
    let in_page = seen.iter().filter(|seen| seen.style.position() != Position::Fixed);
    in_page.map(|seen| seen.area.y + seen.area.height).fold(900.0, f32::max)
}

/// A paint operation with its position in painting order.
struct PaintOp<'a> {
    /// Stacking level; within a level, index in the document; at one index, true for operations after the element's.
    order: (i32, usize, bool),
    element: &'a VisibleElement,
    generated: Option<&'a PseudoBox>,
}

/// Returns all operations in painting order.
fn paintings<'a>(document: &Document, seen: &'a [VisibleElement]) -> Vec<PaintOp<'a>> {
    let mut order = Vec::with_capacity(seen.len());
    for seen in seen {
        let own = seen.node.index();
        order.push(PaintOp { order: (seen.level, own, false), element: seen, generated: None });
        for generated in &seen.generated {
            let last = || document.descendants(seen.node).last().map_or(own, |last| last.index());
            let number = if generated.is_last { last() } else { own };
            let order_of = (seen.level + generated.raise, number, true);
            order.push(PaintOp { order: order_of, element: seen, generated: Some(generated) });
        }
    }
    order.sort_by_key(|painting| painting.order);
    order
}

fn paint(document: &Document, seen: &[VisibleElement], canvas: &mut PaintGrid, backdrops: &mut BackgroundReader) {
    let canvas_source = canvas_background_source(document, seen);
    let root = document.document_element().and_then(|root| seen.iter().find(|seen| seen.node == root));
    for PaintOp { element, generated, .. } in paintings(document, seen) {
        if let Some(generated) = generated {
            paint_pseudo_element(generated, canvas);
            continue;
        }
        // The background colour is painted already; its images cover the whole page.
        if canvas_source == Some(element.node) {
            let whole = canvas.all_cells();
            let area = if stays_in_box(&element.style) { root.map_or(whole, |root| root.area) } else { whole };
            paint_layers(backdrops.layers(&element.style, area), canvas);
            continue;
        }
        if let Some(color) = element.color(Longhand::BackgroundColor) {
            canvas.fill(element.area, CellPaint::Solid(color));
        }
        if is_replaced(document, element) {
            canvas.fill_image(element.area);
        } else {
            let layers = element.layers.iter().cloned();
            paint_layers(layers.filter_map(|layer| layer.with_opacity(element.opacity)).collect(), canvas);
        }
    }
    for element in seen.iter().filter(|element| element.characters > 0) {
        let Some(color) = element.text_color() else { continue };
        let (x, y) = element.text_anchor();
        canvas.record_text_brightness(x, y, color.brightness(), element.characters);
    }
}

/// Returns the element that provides the canvas background: the root, or the body if the root has none.
fn canvas_background_source(document: &Document, seen: &[VisibleElement]) -> Option<NodeId> {
    let paints = |node: &NodeId| {
        let style = seen.iter().find(|seen| seen.node == *node).map(|seen| &seen.style);
        style.is_some_and(|style| {
            let color = Rgba::parse(style.get(Longhand::BackgroundColor));
            color.is_some_and(|shade| shade.rgba[3] > 0) || style.get(Longhand::BackgroundImage) != "none"
        })
    };
    [document.document_element(), document.body()].into_iter().flatten().find(paints)
}

/// Returns true if a background image does not spread beyond its positioning area.
fn stays_in_box(style: &ComputedStyle) -> bool {
    style.get(Longhand::BackgroundRepeat).contains("no-repeat")
        && !style.get(Longhand::BackgroundAttachment).contains("fixed")
}

fn paint_layers(layers: Vec<BackgroundLayer>, canvas: &mut PaintGrid) {
    for layer in layers {
        match layer.fill {
            LayerFill::Image => canvas.fill_image(layer.area),
            LayerFill::Colors(color_shares) => canvas.fill(layer.area, CellPaint::Gradient(color_shares.to_vec())),
        }
    }
}

fn paint_pseudo_element(generated: &PseudoBox, canvas: &mut PaintGrid) {
    let area = if generated.is_fixed_background { canvas.all_cells() } else { generated.area };
    if let Some(color) = generated.color {
        canvas.fill(area, CellPaint::Solid(color));
    }
    let mut layers = generated.layers.clone();
    for layer in layers.iter_mut().filter(|layer| layer.area == generated.area) {
        layer.area = area;
    }
    paint_layers(layers, canvas);
}

/// Returns true for replaced content other than boxes and text.
fn is_replaced(document: &Document, seen: &VisibleElement) -> bool {
    let is_one = |element: &Element| element.is_svg("image") || (element.in_html() && element.is_replaced());
    document.element(seen.node).is_some_and(is_one)
}
