//! What a visitor sees of the page: its visible elements with style, place and text, and the painted canvas.

use super::canvas::{Canvas, Paint};
use super::estimate;
use super::region::{Marks, Regions};
use super::shade::{Shade, WHITE, colors_in};
use crate::PageView;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::color::Scheme;
use limner_style::layout::{Boxes, Rect};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Environment, Evidence, StyleIndex, Styles};
use std::sync::Arc;

/// An element that is shown.
pub(super) struct Seen {
    pub(super) node: NodeId,
    pub(super) style: Arc<ComputedStyle>,
    pub(super) marks: Marks,
    pub(super) area: Rect,
    /// Characters of its own text, without whitespace.
    pub(super) characters: usize,
    opacity: f64,
    /// Stacking level: children of something raised are raised with it.
    level: i32,
}

impl Seen {
    /// A colour of the style, with the opacity of the element; `None` when nothing of it shows.
    pub(super) fn color(&self, longhand: Longhand) -> Option<Shade> {
        let shade = match self.style.get(longhand) {
            "currentcolor" => Shade::of(&self.style.color()),
            value => Shade::parse(value)?,
        };
        self.faded(shade)
    }

    /// The text colour.
    pub(super) fn text_color(&self) -> Option<Shade> {
        let fill = self.style.get(Longhand::WebkitTextFillColor);
        let own = (fill != "currentcolor").then(|| Shade::parse(fill)).flatten();
        self.faded(own.unwrap_or_else(|| Shade::of(&self.style.color())))
    }

    fn faded(&self, mut shade: Shade) -> Option<Shade> {
        shade.rgba[3] = (f64::from(shade.rgba[3]) * self.opacity).round() as u8;
        (shade.rgba[3] > 12).then_some(shade)
    }

    /// Where its text most likely stands.
    pub(super) fn text_point(&self) -> (f32, f32) {
        let line = (self.style.font_size() * 0.6) as f32;
        (self.area.x + (self.area.width / 2.0).min(24.0), self.area.y + (self.area.height / 2.0).min(line.max(8.0)))
    }

    /// Whether the page itself says so, rather than the browser.
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
    /// The colour of the page's ground.
    pub(super) ground: Shade,
    /// Whether the page declares its ground.
    pub(super) declares_ground: bool,
    pub(super) boxes: Boxes,
    /// Whether boxes were laid out rather than estimated.
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
        let seen = Visible { view, boxes: &boxes, regions: &regions, shows_hidden: false }.elements(&mut styles);
        let seen = if waits_for_scripts(&view.document, &seen) {
            Visible { view, boxes: &boxes, regions: &regions, shows_hidden: true }.elements(&mut styles)
        } else {
            seen
        };
        let declared = ground(&view.document, &mut styles);
        let ground = declared.unwrap_or_else(|| default_ground(&view.document, &mut styles));
        let mut canvas = Canvas::new(height(&seen), ground);
        paint(&view.document, &seen, &mut canvas);
        let declares_ground = declared.is_some();
        Self { view, index, regions, seen, canvas, ground, declares_ground, boxes, is_laid_out }
    }

    /// The visible element of a node.
    pub(super) fn seen_at(&self, node: NodeId) -> Option<&Seen> {
        self.seen.binary_search_by_key(&node, |seen| seen.node).ok().map(|at| &self.seen[at])
    }

    /// The opaque colour under the text of an element.
    pub(super) fn ground_of(&self, seen: &Seen) -> Option<Shade> {
        let (x, y) = seen.text_point();
        match self.canvas.at(x, y)? {
            Paint::Solid(shade) => Some(*shade),
            Paint::Gradient(stops) => stops.first().copied(),
            Paint::Picture => None,
        }
    }
}

/// Boxes smaller than this in both directions show nothing: text for screen readers, tracking pixels.
const SPECK: f32 = 2.0;

/// Text that a page must have before its absence from view means anything, in characters.
const SOME_TEXT: usize = 60;

/// Whether nearly all text is hidden: slides, transitions and the like, which scripts bring into view.
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

/// Which elements count as visible.
struct Visible<'a> {
    view: &'a PageView<'a>,
    boxes: &'a Boxes,
    regions: &'a Regions,
    /// Takes what is hidden for shown; it has no area then.
    shows_hidden: bool,
}

impl Visible<'_> {
    fn elements(&self, styles: &mut Styles<'_>) -> Vec<Seen> {
        let document = &self.view.document;
        let mut inherited: Vec<(f64, i32)> = vec![(1.0, 0); document.len()];
        let mut seen = Vec::new();
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
            seen.push(Seen { node, style, marks: self.regions.get(node), area, characters, opacity, level });
        }
        seen
    }

    fn area(&self, node: NodeId, element: &Element) -> Option<Rect> {
        let document = &self.view.document;
        let in_drawing = element.in_svg() && !element.is_svg("svg");
        // Shapes have no boxes of their own.
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

/// How far the element's own `z-index` raises it.
fn raise(style: &ComputedStyle) -> i32 {
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

/// The page's ground as its root or body declares it (Backgrounds 3, section 2.11.2).
fn ground(document: &Document, styles: &mut Styles<'_>) -> Option<Shade> {
    let roots = [document.document_element(), document.body()];
    let white = Shade::opaque(WHITE);
    roots.into_iter().flatten().find_map(|node| {
        let style = styles.get(node)?;
        let color = Shade::parse(style.get(Longhand::BackgroundColor)).filter(|shade| shade.rgba[3] > 0);
        let image = style.get(Longhand::BackgroundImage);
        let gradient = || colors_in(image).first().map(|stop| stop.over(white));
        color.map(|shade| shade.over(white)).or_else(gradient)
    })
}

/// What browsers paint below a page that declares nothing.
fn default_ground(document: &Document, styles: &mut Styles<'_>) -> Shade {
    let style = document.document_element().and_then(|root| styles.get(root));
    let is_dark = style.is_some_and(|style| style.scheme() == Scheme::Dark);
    Shade::opaque(if is_dark { [18, 18, 18] } else { WHITE })
}

fn height(seen: &[Seen]) -> f32 {
    let in_page = seen.iter().filter(|seen| seen.style.get(Longhand::Position) != "fixed");
    in_page.map(|seen| seen.area.y + seen.area.height).fold(900.0, f32::max)
}

fn paint(document: &Document, seen: &[Seen], canvas: &mut Canvas) {
    let canvas_source = ground_source(document, seen);
    let mut order: Vec<&Seen> = seen.iter().collect();
    order.sort_by_key(|seen| seen.level);
    for element in order {
        // The ground is painted already.
        let is_ground = canvas_source == Some(element.node);
        if let Some(color) = element.color(Longhand::BackgroundColor).filter(|_| !is_ground) {
            canvas.fill(element.area, Paint::Solid(color));
        }
        if let Some(picture) = picture(document, element) {
            canvas.fill(element.area, picture);
        }
    }
    for element in seen.iter().filter(|element| element.characters > 0) {
        let Some(color) = element.text_color() else { continue };
        let (x, y) = element.text_point();
        canvas.note_text(x, y, color.brightness(), element.characters);
    }
}

/// The element whose background became the canvas: the root, unless it has none.
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

/// What a background image or replaced element puts into its box.
fn picture(document: &Document, seen: &Seen) -> Option<Paint> {
    let element = document.element(seen.node)?;
    if matches!(element.name(), "img" | "video" | "canvas" | "iframe" | "object" | "embed" | "picture" | "image") {
        return (element.name() != "picture").then_some(Paint::Picture);
    }
    let image = seen.style.get(Longhand::BackgroundImage);
    if image == "none" || crate::text::clips_text(&seen.style) {
        return None;
    }
    if image.contains("url(") {
        // Small or repeated pictures are ornaments on the colour below.
        let covers =
            ["cover", "100%", "contain"].iter().any(|size| seen.style.get(Longhand::BackgroundSize).contains(size));
        return covers.then_some(Paint::Picture);
    }
    let stops: Vec<Shade> = colors_in(image).into_iter().filter(|stop| stop.rgba[3] > 127).map(Shade::solid).collect();
    (!stops.is_empty()).then_some(Paint::Gradient(stops))
}
