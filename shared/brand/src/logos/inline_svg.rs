//! Inline SVG logos: serializes their markup with the page's colours.

use crate::color::Rgba;
use crate::rendered_page::RenderedPage;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use limner_assets::svg;
use limner_page::dom::{Element, escape_identifier};
use limner_page::{Document, NodeId};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Environment, ValueSource};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Maximum length of a logo's markup.
const MAX_MARKUP_BYTES: usize = 128 * 1024;
/// Maximum number of shapes of one SVG.
const MAX_SHAPES: usize = 2_000;

/// A logo from inline markup.
pub(super) struct InlineLogo {
    pub(super) code: String,
    pub(super) data_url: String,
    pub(super) title: Option<String>,
}

/// Returns an `svg` element as a standalone SVG in the page's colours.
pub(super) fn inline(page: &RenderedPage<'_>, node: NodeId) -> Option<InlineLogo> {
    let drawing = svg::markup_of(page.view, node, MAX_MARKUP_BYTES)?;
    let code = painted(page, node, &drawing.code);
    let data_url = format!("data:image/svg+xml;base64,{}", STANDARD.encode(&code));
    Some(InlineLogo { code, data_url, title: drawing.title })
}

/// Adds the paint from the page's stylesheets to the markup: `color`, `fill` and `stroke` of the root as attributes,
/// those of shapes as rules.
fn painted(page: &RenderedPage<'_>, root: NodeId, code: &str) -> String {
    let environment = Environment::default();
    let mut styles = page.index.styles(&environment);
    let (Some(element), Some(style)) = (page.view.document.element(root), styles.get(root)) else {
        return code.to_owned();
    };
    let mut attributes = String::new();
    if code.contains("currentColor") || code.contains("currentcolor") {
        push(&mut attributes, element, "color", &Rgba::from_color(&style.color()).hex());
    }
    for (name, longhand, initial) in [("fill", Longhand::Fill, "rgb(0, 0, 0)"), ("stroke", Longhand::Stroke, "none")] {
        let value = style.get(longhand);
        if value != initial && value != "currentcolor" && element.attr(name).is_none() {
            push(&mut attributes, element, name, &plain(value));
        }
    }
    let mut rules = BTreeSet::new();
    for (node, shape) in shapes(&page.view.document, root) {
        let Some(style) = styles.get(node) else { continue };
        rules.extend(rule(page, shape, &style));
    }
    let style: String = rules.into_iter().collect();
    let style = if style.is_empty() { style } else { format!("<style>{style}</style>") };
    let Some(rest) = code.strip_prefix("<svg") else { return code.to_owned() };
    let Some(end) = rest.find('>').filter(|end| !rest[..*end].ends_with('/')) else { return code.to_owned() };
    format!("<svg{attributes}{}>{style}{}", &rest[..end], &rest[end + 1..])
}

fn push(attributes: &mut String, element: &Element, name: &str, value: &str) {
    let is_safe = !value.contains(['"', '<', '&']);
    if element.attr(name).is_none() && is_safe {
        let _ = write!(attributes, " {name}=\"{value}\"");
    }
}

/// Converts colours to hex, which every SVG reader supports.
fn plain(value: &str) -> String {
    Rgba::parse(value).map_or_else(|| value.to_owned(), Rgba::hex)
}

/// Returns the paint that the page's stylesheets give a shape, as a rule by its name and classes.
fn rule(page: &RenderedPage<'_>, shape: &Element, style: &ComputedStyle) -> Option<String> {
    let mut declarations = String::new();
    for (name, longhand) in [("fill", Longhand::Fill), ("stroke", Longhand::Stroke)] {
        let by_sheet =
            matches!(style.evidence(page.index, longhand), Some(ValueSource::Rule { sheet, .. }) if sheet > 0);
        let value = style.get(longhand);
        // Gradients and patterns are references, which the markup contains itself.
        let is_paint = matches!(value, "none" | "currentcolor") || Rgba::parse(value).is_some();
        if by_sheet && is_paint {
            let _ = write!(declarations, "{name}:{};", plain(value));
        }
    }
    if declarations.is_empty() {
        return None;
    }
    let classes: String = shape.classes().iter().map(|class| format!(".{}", escape_identifier(class))).collect();
    Some(format!("{}{classes}{{{declarations}}}", shape.name()))
}

fn shapes(document: &Document, root: NodeId) -> impl Iterator<Item = (NodeId, &Element)> {
    let elements = document.descendants(root).filter_map(|node| Some((node, document.element(node)?)));
    elements.filter(|(_, element)| is_shape(element)).take(MAX_SHAPES)
}

fn is_shape(element: &Element) -> bool {
    matches!(
        element.name(),
        "path" | "rect" | "circle" | "ellipse" | "polygon" | "polyline" | "line" | "text" | "tspan" | "stop" | "use"
    )
}
