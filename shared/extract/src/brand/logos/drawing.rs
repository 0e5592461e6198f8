//! Inline SVGs as logos: their markup as it looks on the page, and the inks that drawings are made of.

use crate::brand::shade::Shade;
use crate::brand::survey::Survey;
use crate::svg;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use limner_page::dom::{Element, escape_identifier};
use limner_page::{Document, NodeId, PageSnapshot, Sheet, SheetOwner};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Environment, Evidence, StyleIndex, Styles};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Longest markup of a logo.
const MOST_BYTES: usize = 128 * 1024;
/// Bytes of a file that are looked at for its inks.
const MOST_FILE_BYTES: usize = 512 * 1024;
/// Shapes of one drawing looked at.
const MOST_SHAPES: usize = 2_000;

/// A logo that is markup of the page.
pub(super) struct Inline {
    pub(super) code: String,
    pub(super) data_url: String,
    pub(super) title: Option<String>,
}

/// An `svg` element as a drawing of its own, in the colours the page gives it.
pub(super) fn inline(survey: &Survey<'_>, node: NodeId) -> Option<Inline> {
    let drawing = svg::markup_of(survey.view, node, MOST_BYTES)?;
    let code = painted(survey, node, &drawing.code);
    let data_url = format!("data:image/svg+xml;base64,{}", STANDARD.encode(&code));
    Some(Inline { code, data_url, title: drawing.title })
}

/// The markup with what the page's sheets paint it in: `color`, `fill` and `stroke` of the root as attributes, those of
/// shapes as rules.
fn painted(survey: &Survey<'_>, root: NodeId, code: &str) -> String {
    let environment = Environment::default();
    let mut styles = survey.index.styles(&environment);
    let (Some(element), Some(style)) = (survey.view.document.element(root), styles.get(root)) else {
        return code.to_owned();
    };
    let mut attributes = String::new();
    if code.contains("currentColor") || code.contains("currentcolor") {
        push(&mut attributes, element, "color", &Shade::of(&style.color()).hex());
    }
    for (name, longhand, initial) in [("fill", Longhand::Fill, "rgb(0, 0, 0)"), ("stroke", Longhand::Stroke, "none")] {
        let value = style.get(longhand);
        if value != initial && value != "currentcolor" && element.attr(name).is_none() {
            push(&mut attributes, element, name, &plain(value));
        }
    }
    let mut rules = BTreeSet::new();
    for (node, shape) in shapes(&survey.view.document, root) {
        let Some(style) = styles.get(node) else { continue };
        rules.extend(rule(survey, shape, &style));
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

/// Colours as hex, which every reader of SVG knows.
fn plain(value: &str) -> String {
    Shade::parse(value).map_or_else(|| value.to_owned(), Shade::hex)
}

/// What a sheet of the page says about the paint of a shape, as a rule by its name and classes.
fn rule(survey: &Survey<'_>, shape: &Element, style: &ComputedStyle) -> Option<String> {
    let mut declarations = String::new();
    for (name, longhand) in [("fill", Longhand::Fill), ("stroke", Longhand::Stroke)] {
        let by_sheet =
            matches!(style.evidence(survey.index, longhand), Some(Evidence::Rule { sheet, .. }) if sheet > 0);
        let value = style.get(longhand);
        // Gradients and patterns are told by reference, which the markup has itself.
        let is_paint = matches!(value, "none" | "currentcolor") || Shade::parse(value).is_some();
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
    elements.filter(|(_, element)| is_shape(element)).take(MOST_SHAPES)
}

fn is_shape(element: &Element) -> bool {
    matches!(
        element.name(),
        "path" | "rect" | "circle" | "ellipse" | "polygon" | "polyline" | "line" | "text" | "tspan" | "stop" | "use"
    )
}

/// Colours of a drawing, each with its share of the shapes.
pub(in crate::brand) type Inks = Vec<(Shade, f64)>;

/// The inks of an inline drawing, as the page paints it.
pub(super) fn inks(survey: &Survey<'_>, root: NodeId) -> Inks {
    let mut styles = survey.index.styles(&Environment::default());
    inks_of(&survey.view.document, &mut styles, root)
}

/// The inks of a drawing in a file that was fetched.
pub(in crate::brand) fn file_inks(page: &PageSnapshot, url: &str) -> Inks {
    let Some(resource) = page.resources.get(url).filter(|resource| (200..300).contains(&resource.status)) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&resource.body[..resource.body.len().min(MOST_FILE_BYTES)]);
    let document = Document::parse(&text);
    let sheets = document.sheet_elements().into_iter().enumerate().map(|(number, node)| Sheet {
        owner: SheetOwner::Style,
        element: u32::try_from(number).ok(),
        base_url: url.to_owned(),
        text: Some(document.text_content(node)),
        ..Sheet::default()
    });
    let file = PageSnapshot { url: url.to_owned(), sheets: sheets.collect(), ..PageSnapshot::default() };
    let Some((root, _)) = document.elements().find(|(_, element)| element.is_svg("svg")) else { return Vec::new() };
    let index = StyleIndex::new(&file, &document);
    let mut styles = index.styles(&Environment::default());
    inks_of(&document, &mut styles, root)
}

fn inks_of(document: &Document, styles: &mut Styles<'_>, root: NodeId) -> Inks {
    let mut amounts = BTreeMap::new();
    for (node, shape) in shapes(document, root) {
        let Some(style) = styles.get(node) else { continue };
        let longhands: &[Longhand] =
            if shape.name() == "stop" { &[Longhand::StopColor] } else { &[Longhand::Fill, Longhand::Stroke] };
        for longhand in longhands {
            let shade = match style.get(*longhand) {
                "currentcolor" => Some(Shade::of(&style.color())),
                value => Shade::parse(value),
            };
            if let Some(shade) = shade.filter(|shade| shade.rgba[3] > 127) {
                *amounts.entry(shade.solid().rgba).or_insert(0.0) += complexity(shape);
            }
        }
    }
    let total: f64 = amounts.values().sum();
    amounts.into_iter().map(|(rgba, amount)| (Shade::new(rgba), amount / total.max(f64::MIN_POSITIVE))).collect()
}

/// How much a shape draws: a long path says more than a dot.
fn complexity(shape: &Element) -> f64 {
    shape.attr("d").map_or(1.0, |path| (path.len() as f64 / 100.0).clamp(0.2, 10.0))
}
