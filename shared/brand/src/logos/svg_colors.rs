//! Computes the colours of an SVG, each with its share of the painted area: a dot counts less than the word beside it.

use crate::color::Rgba;
use crate::rendered_page::RenderedPage;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kurbo::{BezPath, Rect, Shape as _};
use limner_page::dom::Element;
use limner_page::{Document, NodeId, PageSnapshot, SheetOwner, Stylesheet};
use limner_page_view::PageView;
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Environment, StyleIndex, Styles};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

/// Maximum number of bytes of a file.
const MAX_FILE_BYTES: usize = 512 * 1024;
/// Maximum number of shapes of one SVG.
const MAX_SHAPES: usize = 2_000;
/// Maximum length of a path that is measured, in bytes.
const MAX_PATH_BYTES: usize = 128 * 1024;
/// Maximum number of stops of one gradient.
const MAX_STOPS: usize = 16;

/// Colours of an SVG, each with its share of the painted area; the shares add up to 1.
pub(crate) type ColorShares = Vec<(Rgba, f64)>;

/// Returns the colours of an inline SVG as painted on the page.
pub(super) fn svg_color_shares(page: &RenderedPage<'_>, root: NodeId) -> ColorShares {
    let mut styles = page.index.styles(&Environment::default());
    SvgDocument::new(&page.view.document, root).svg_color_shares(&mut styles, root)
}

/// Returns the colours of an SVG file that was fetched.
pub(crate) fn file_color_shares(view: &PageView<'_>, url: &str) -> ColorShares {
    let Some(resource) = view.page.resources.get(url).filter(|resource| (200..300).contains(&resource.status)) else {
        return Vec::new();
    };
    markup_inks(view, url, &String::from_utf8_lossy(&resource.body[..resource.body.len().min(MAX_FILE_BYTES)]))
}

/// Returns the colours of an SVG in a `data:` URL in Base64.
pub(super) fn data_url_color_shares(view: &PageView<'_>, url: &str) -> ColorShares {
    let encoded = url.strip_prefix("data:image/svg+xml;base64,").filter(|encoded| encoded.len() <= MAX_FILE_BYTES);
    let markup = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
    markup.map_or_else(Vec::new, |markup| markup_inks(view, &view.page.url, &String::from_utf8_lossy(&markup)))
}

fn markup_inks(view: &PageView<'_>, url: &str, text: &str) -> ColorShares {
    let document = Document::parse(text).with_budget(view.document.work_budget());
    let sheets = document.sheet_elements().into_iter().enumerate().map(|(number, node)| Stylesheet {
        owner: SheetOwner::Style,
        element: u32::try_from(number).ok(),
        base_url: url.to_owned(),
        text: Some(document.text_content(node)),
        ..Stylesheet::default()
    });
    let file = PageSnapshot { url: url.to_owned(), sheets: sheets.collect(), ..PageSnapshot::default() };
    let Some((root, _)) = document.elements().find(|(_, element)| element.is_svg("svg")) else { return Vec::new() };
    let index = StyleIndex::new(&file, &document);
    let mut styles = index.styles(&Environment::default());
    SvgDocument::new(&document, root).svg_color_shares(&mut styles, root)
}

struct SvgDocument<'a> {
    document: &'a Document,
    /// Width and height in user units.
    view: (f64, f64),
    /// The first element of each id, once one was asked for.
    targets: OnceCell<HashMap<&'a str, NodeId>>,
}

/// A painted shape.
struct PaintedShape {
    node: NodeId,
    /// The `use` element that references it, from which the shape inherits.
    used_by: Option<NodeId>,
}

impl<'a> SvgDocument<'a> {
    fn new(document: &'a Document, root: NodeId) -> Self {
        Self { document, view: view_box(document, root), targets: OnceCell::new() }
    }

    fn svg_color_shares(&self, styles: &mut Styles<'_>, root: NodeId) -> ColorShares {
        let mut amounts: BTreeMap<[u8; 4], f64> = BTreeMap::new();
        for painted in self.painted(root) {
            for (shades, amount) in self.fill_and_stroke_colors(styles, &painted) {
                let part = amount / shades.len().max(1) as f64;
                for shade in shades.iter().filter(|shade| shade.rgba[3] > 127) {
                    *amounts.entry(shade.opaque().rgba).or_default() += part;
                }
            }
        }
        let total: f64 = amounts.values().sum();
        amounts.retain(|_, amount| *amount > 0.0);
        amounts.into_iter().map(|(rgba, amount)| (Rgba::new(rgba), amount / total.max(f64::MIN_POSITIVE))).collect()
    }

    /// Returns the painted shapes below an element, without those in clip paths, masks or definitions.
    fn painted(&self, root: NodeId) -> Vec<PaintedShape> {
        let mut found = Vec::new();
        for (node, element) in self.shapes_in(root) {
            let target = element.is_svg("use").then(|| self.target(element.href()?)).flatten();
            match target {
                Some(target) => found
                    .extend(self.shapes_in(target).map(|(shape, _)| PaintedShape { node: shape, used_by: Some(node) })),
                None => found.push(PaintedShape { node, used_by: None }),
            }
            if found.len() >= MAX_SHAPES {
                break;
            }
        }
        found.truncate(MAX_SHAPES);
        found
    }

    fn shapes_in(&self, root: NodeId) -> impl Iterator<Item = (NodeId, &Element)> {
        let mut hidden_until = 0;
        let elements = self.document.descendants(root).filter_map(|node| Some((node, self.document.element(node)?)));
        let shown = elements.filter(move |(node, element)| {
            if node.index() >= hidden_until && *node != root && is_definition(element) {
                hidden_until = self.document.subtree_end(*node);
            }
            node.index() >= hidden_until
        });
        shown.filter(|(_, element)| is_shape(element)).take(MAX_SHAPES)
    }

    /// Returns the element that `#name` refers to.
    fn target(&self, reference: &str) -> Option<NodeId> {
        let name = reference.trim().strip_prefix('#').filter(|name| !name.is_empty())?;
        let targets = self.targets.get_or_init(|| {
            let mut targets = HashMap::new();
            for (node, element) in self.document.elements() {
                if let Some(id) = element.id() {
                    targets.entry(&**id).or_insert(node);
                }
            }
            targets
        });
        targets.get(name).copied()
    }

    /// Returns the fill and stroke colours of a shape with their areas.
    fn fill_and_stroke_colors(&self, styles: &mut Styles<'_>, painted: &PaintedShape) -> Vec<(Vec<Rgba>, f64)> {
        let user = painted.used_by.and_then(|node| styles.get(node));
        let Some(style) = styles.get(painted.node) else { return Vec::new() };
        let Some(element) = self.document.element(painted.node) else { return Vec::new() };
        let extent = self.extent(element, painted.node, &style);
        let width = style.get(Longhand::StrokeWidth).trim_end_matches("px").parse().unwrap_or(1.0_f64);
        let view = self.view.0 * self.view.1;
        let colors_of = |styles: &mut Styles<'_>, longhand: Longhand, amount: f64| {
            let own = style.get(longhand);
            let value = match &user {
                Some(user) if own == INITIAL_FILL || own == "none" => user.get(longhand),
                _ => own,
            };
            let color = user.as_ref().unwrap_or(&style);
            (self.shades(styles, value, color), amount.clamp(0.0, view))
        };
        vec![
            colors_of(styles, Longhand::Fill, extent.area),
            colors_of(styles, Longhand::Stroke, extent.length * width.clamp(0.0, 1_000.0)),
        ]
    }

    /// Returns the colours of a paint: one, or those of a gradient.
    fn shades(&self, styles: &mut Styles<'_>, value: &str, style: &ComputedStyle) -> Vec<Rgba> {
        match value {
            "currentcolor" => vec![Rgba::from_color(&style.color())],
            value => match value.strip_prefix("url(") {
                Some(address) => self.stops(styles, address.split(')').next().unwrap_or_default()),
                None => Rgba::parse(value).into_iter().collect(),
            },
        }
    }

    fn stops(&self, styles: &mut Styles<'_>, address: &str) -> Vec<Rgba> {
        let Some((_, name)) = address.trim_matches(['"', '\'']).rsplit_once('#') else { return Vec::new() };
        let Some(gradient) = self.target(&format!("#{name}")) else { return Vec::new() };
        let stops_of = |node: NodeId| {
            let children = self.document.child_elements(node);
            children.filter(|(_, child)| child.is_svg("stop")).map(|(stop, _)| stop).take(MAX_STOPS)
        };
        let mut stops: Vec<NodeId> = stops_of(gradient).collect();
        if stops.is_empty() {
            // Gradients can refer to each other's stops.
            let lender = self.document.element(gradient).and_then(Element::href).and_then(|href| self.target(href));
            stops = lender.into_iter().flat_map(stops_of).collect();
        }
        let color = |stop: NodeId| {
            let style = styles.get(stop)?;
            match style.get(Longhand::StopColor) {
                "currentcolor" => Some(Rgba::from_color(&style.color())),
                value => Rgba::parse(value),
            }
        };
        stops.into_iter().filter_map(color).collect()
    }

    /// Returns the size of a shape; transforms are ignored.
    fn extent(&self, element: &Element, node: NodeId, style: &ComputedStyle) -> BoundingBox {
        let number = |name: &str, whole: f64| element.attr(name).and_then(|value| length(value, whole)).unwrap_or(0.0);
        let (width, height) = self.view;
        match element.name() {
            "rect" => BoundingBox::from_box(number("width", width), number("height", height)),
            "circle" => BoundingBox::from_ellipse(number("r", width), number("r", width)),
            "ellipse" => BoundingBox::from_ellipse(number("rx", width), number("ry", height)),
            "line" => {
                let (x, y) = (number("x2", width) - number("x1", width), number("y2", height) - number("y1", height));
                BoundingBox { area: 0.0, length: x.hypot(y) }
            }
            "polygon" | "polyline" => {
                element.attr("points").map(|points| path(&format!("M{points}Z"))).unwrap_or_default()
            }
            "path" => element.attr("d").map(path).unwrap_or_default(),
            "text" | "tspan" => {
                let texts = self.document.children(node).filter_map(|child| self.document.text(child));
                let characters: usize = texts.map(|text| text.trim().chars().count()).sum();
                let size = style.font_size();
                BoundingBox { area: characters.min(400) as f64 * size * size * INK_COVERAGE_OF_TEXT, length: 0.0 }
            }
            _ => BoundingBox::default(),
        }
    }
}

/// The initial value of `fill`.
const INITIAL_FILL: &str = "rgb(0, 0, 0)";
/// Painted share of a glyph's square em.
const INK_COVERAGE_OF_TEXT: f64 = 0.15;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct BoundingBox {
    /// In square user units.
    area: f64,
    /// Length of the outline, in user units.
    length: f64,
}

impl BoundingBox {
    fn from_box(width: f64, height: f64) -> Self {
        Self { area: width * height, length: 2.0 * (width + height) }
    }

    fn from_ellipse(rx: f64, ry: f64) -> Self {
        let pi = std::f64::consts::PI;
        Self { area: pi * rx * ry, length: pi * (rx + ry) }
    }
}

/// Returns the extent of path data: the enclosed area, and the outline of its bounding box.
fn path(data: &str) -> BoundingBox {
    if data.len() > MAX_PATH_BYTES || has_extreme_numbers(data) {
        return BoundingBox::default();
    }
    let Ok(path) = BezPath::from_svg(data) else { return BoundingBox::default() };
    let Rect { x0, y0, x1, y1 } = path.control_box();
    let around = BoundingBox::from_box(x1 - x0, y1 - y0);
    if !around.area.is_finite() {
        return BoundingBox::default();
    }
    let is_closed = data.contains(['z', 'Z']);
    // An open path is filled as well; the enclosed area is estimated as half of its bounding box.
    let area = if is_closed { path.area().abs().min(around.area) } else { around.area / 2.0 };
    BoundingBox { area: if area.is_finite() { area } else { 0.0 }, ..around }
}

/// Returns true for numbers that no real SVG needs and that would split an arc into countless segments.
fn has_extreme_numbers(data: &str) -> bool {
    let mut digits = 0;
    let mut is_fraction = false;
    let mut after_exponent = false;
    for byte in data.bytes() {
        if after_exponent && byte != b'-' {
            return true;
        }
        after_exponent = matches!(byte, b'e' | b'E');
        match byte {
            b'0'..=b'9' => digits += 1,
            b'.' => (digits, is_fraction) = (0, true),
            _ => (digits, is_fraction) = (0, false),
        }
        if digits > 6 && !is_fraction {
            return true;
        }
    }
    false
}

/// Returns a number in pixels; percentages are of `whole`.
fn length(value: &str, whole: f64) -> Option<f64> {
    let value = value.trim();
    let number = match value.strip_suffix('%') {
        Some(share) => share.parse::<f64>().ok()? / 100.0 * whole,
        None => value.trim_end_matches("px").parse().ok()?,
    };
    (number.is_finite() && (0.0..1e6).contains(&number.abs())).then_some(number)
}

/// Returns width and height of the SVG in user units.
fn view_box(document: &Document, root: NodeId) -> (f64, f64) {
    let default = (300.0, 150.0);
    let Some(element) = document.element(root) else { return default };
    let parts: Vec<f64> = element
        .attr("viewBox")
        .map(|value| value.split([' ', ',']).filter_map(|part| length(part, 0.0)).collect())
        .unwrap_or_default();
    let size = match parts[..] {
        [_, _, width, height] => Some((width, height)),
        _ => element
            .attr("width")
            .and_then(|w| length(w, 300.0))
            .zip(element.attr("height").and_then(|h| length(h, 150.0))),
    };
    size.filter(|(width, height)| *width > 0.0 && *height > 0.0).unwrap_or(default)
}

fn is_definition(element: &Element) -> bool {
    matches!(element.name(), "defs" | "clipPath" | "mask" | "marker" | "filter" | "pattern" | "symbol")
}

fn is_shape(element: &Element) -> bool {
    matches!(
        element.name(),
        "path" | "rect" | "circle" | "ellipse" | "polygon" | "polyline" | "line" | "text" | "tspan" | "use"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_test_pages::add_resource;

    fn inks_of(svg: &str) -> Vec<(String, f64)> {
        let mut page = PageSnapshot::default();
        let url = "https://page.example/logo.svg";
        add_resource(&mut page, url, "image/svg+xml", svg);
        let mut svg_color_shares = file_color_shares(&PageView::new(&page), url);
        svg_color_shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        svg_color_shares.into_iter().map(|(shade, share)| (shade.hex(), (share * 100.0).round() / 100.0)).collect()
    }

    #[test]
    fn colors_count_by_painted_area() {
        for (name, markup, expected) in [
            (
                "a dot beside a word",
                "<path fill='#c2410c' d='M0 0h60v30H0z'/><circle fill='#0891b2' r='9' cx='80' cy='15'/>",
                vec![("#c2410c", 0.88), ("#0891b2", 0.12)],
            ),
            (
                "a hole is no ink",
                "<path fill='#c2410c' d='M0 0h40v40H0z M10 10v20h20V10z'/><rect fill='#0891b2' width='20' height='15'/>",
                vec![("#c2410c", 0.8), ("#0891b2", 0.2)],
            ),
            (
                "clips and masks are not painted",
                "<clipPath id='c'><path d='M0 0h99v99H0z'/></clipPath><defs><rect width='90' height='90' fill='red'/></defs>\
                 <rect fill='#0891b2' width='50%' height='10' clip-path='url(#c)'/>",
                vec![("#0891b2", 1.0)],
            ),
            (
                "gradients are their stops",
                "<defs><linearGradient id='a'><stop stop-color='#f00'/><stop stop-color='#00f'/></linearGradient>\
                 <linearGradient id='b' href='#a'/></defs><rect width='9' height='9' fill='url(#b)'/>",
                vec![("#0000ff", 0.5), ("#ff0000", 0.5)],
            ),
            (
                "what is used takes the paint of its use",
                "<symbol id='s'><path d='M0 0h10v10H0z'/></symbol><use href='#s' fill='#be123c'/>",
                vec![("#be123c", 1.0)],
            ),
            (
                "strokes by their width",
                "<rect fill='none' stroke='#be123c' stroke-width='2' width='10' height='10'/><rect fill='#0f766e' width='10' height='2'/>",
                vec![("#be123c", 0.8), ("#0f766e", 0.2)],
            ),
            ("text", "<text font-size='20' fill='#0f766e'>Acme</text>", vec![("#0f766e", 1.0)]),
        ] {
            let svg = format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>{markup}</svg>");
            let found = inks_of(&svg);
            let found: Vec<(&str, f64)> = found.iter().map(|(hex, share)| (hex.as_str(), *share)).collect();
            assert_eq!(found, expected, "{name}");
        }
    }

    #[test]
    fn hostile_svgs_are_measured_in_time() {
        for markup in [
            "<path d='M0 0A1e300 1e300 0 0 1 1 1z'/>".to_owned(),
            format!("<path d='{}'/>", "M0 0A9999999999 9999999999 0 0 1 1 1".repeat(2_000)),
            format!("<g id='a'>{}</g>", "<use href='#a'/>".repeat(3_000)),
            format!("<text font-size='1e30'>{}</text>", "x".repeat(100_000)),
            "<path d='M,,z'/><rect width='NaN' height='-5%'/><polygon points='x'/>".to_owned(),
        ] {
            for (_, share) in inks_of(&format!("<svg viewBox='0 0 NaN inf'>{markup}</svg>")) {
                assert!((0.0..=1.0).contains(&share), "{}", &markup[..30]);
            }
        }
    }
}
