//! Extracts the facts about one inline SVG.

use super::page_paint::PagePaint;
use super::serialize::write;
use super::svg_sources::{SourceNode, SvgSources, UsedElements};
use limner_page::dom::Element;
use limner_page::{Document, NodeId};

/// An SVG as reported by `/svg`.
pub(super) struct InlineSvg {
    pub(super) code: String,
    pub(super) width: Option<String>,
    pub(super) height: Option<String>,
    pub(super) view_box: Option<String>,
    pub(super) title: Option<String>,
}

/// Serializes an `svg` element; `None` if its markup is longer than `max_bytes`.
pub(super) fn serialize_inline(library: &SvgSources<'_>, part: SourceNode, max_bytes: usize) -> Option<InlineSvg> {
    let written = write(library, part, max_bytes, None)?;
    let title = title(library, part);
    Some(InlineSvg {
        code: written.code,
        width: written.width,
        height: written.height,
        view_box: written.view_box,
        title,
    })
}

/// Serializes an `svg` element of the page with its paint; `None` if that is the markup without it, `plain`, or if it is
/// longer than `max_bytes`.
pub(super) fn serialize_painted(
    library: &SvgSources<'_>,
    part: SourceNode,
    (paint, plain): (&PagePaint<'_, '_, '_>, &str),
    max_bytes: usize,
) -> Option<String> {
    let declarations = |node: NodeId, element: &Element| paint.declarations(node, element);
    let written = write(library, part, max_bytes, Some(&declarations))?;
    (written.code != plain).then_some(written.code)
}

/// Returns the accessible name: its `title`, its label, or the title of its only graphic.
fn title(library: &SvgSources<'_>, part: SourceNode) -> Option<String> {
    let document: &Document = &library.source(part.source).document;
    let element = document.element(part.node)?;
    let label = || normalized_text(element.attr("aria-label")?);
    let labelled_by = || {
        let ids = element.attr("aria-labelledby")?.split_ascii_whitespace();
        let texts = ids.filter_map(|id| library.element_by_id(part.source, id));
        let texts: Vec<String> =
            texts.map(|part| library.source(part.source).document.text_content(part.node)).collect();
        normalized_text(&texts.join(" "))
    };
    let shown = || {
        let mut uses = document.child_elements(part.node).filter(|(_, child)| child.is_svg("use"));
        let (_, only) = uses.next().filter(|_| uses.next().is_none())?;
        let shown = library.resolve_use(part.source, only.href()?)?;
        title_element_text(&library.source(shown.source).document, shown.node)
    };
    title_element_text(document, part.node).or_else(label).or_else(labelled_by).or_else(shown)
}

fn title_element_text(document: &Document, node: NodeId) -> Option<String> {
    let (title, _) = document.child_elements(node).find(|(_, child)| child.is_svg("title"))?;
    normalized_text(&document.text_content(title))
}

fn normalized_text(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns true if an inline SVG should be listed. One without graphics (a container filled by
/// scripts, a collection of gradients) is not; neither is a sprite all of whose parts are used on
/// the page, since they are listed with their uses.
pub(super) fn should_list(library: &SvgSources<'_>, part: SourceNode, used: &UsedElements) -> bool {
    let document: &Document = &library.source(part.source).document;
    let end = document.subtree_end(part.node);
    let mut end_of_store = 0;
    let mut holds_graphics = false;
    let mut has_parts = false;
    let mut has_unused_part = false;
    for node in document.descendants(part.node).filter(|node| node.index() < end) {
        let Some(element) = document.element(node).filter(|element| element.in_svg()) else { continue };
        let is_stored = node.index() < end_of_store;
        if is_graphic(element) {
            holds_graphics = true;
            if !is_stored {
                return true;
            }
        }
        if is_referenced_part(document, node, element) {
            has_parts = true;
            has_unused_part |= !used.contains(&SourceNode { node, ..part });
        }
        if !is_stored && is_definition_container(element) {
            end_of_store = document.subtree_end(node);
        }
    }
    holds_graphics && (has_unused_part || !has_parts)
}

/// Returns true if presentation attributes make every graphic of an SVG transparent:
/// `<rect width="800" height="600" fill-opacity="0"/>`.
pub(super) fn is_blank(library: &SvgSources<'_>, part: SourceNode) -> bool {
    let document: &Document = &library.source(part.source).document;
    let end = document.subtree_end(part.node);
    let elements = document.descendants(part.node).take_while(|node| node.index() < end);
    let mut painted = elements.filter_map(|node| document.element(node));
    painted.all(|element| element.name() != "style" && (!is_graphic(element) || is_transparent(element)))
}

/// Returns true if the attributes of a shape say that it paints nothing, whatever its ancestors say.
fn is_transparent(element: &Element) -> bool {
    let is_zero = |name: &str| {
        let number = element.attr(name).map(|value| value.trim().trim_end_matches('%').parse::<f64>());
        number.is_some_and(|number| number == Ok(0.0))
    };
    let is_none = |name: &str| element.attr(name).is_some_and(|value| matches!(value.trim(), "none" | "transparent"));
    let is_shape =
        matches!(element.name(), "path" | "rect" | "circle" | "ellipse" | "polygon" | "polyline" | "line" | "text");
    let has_rules = ["style", "class", "id"].iter().any(|name| element.attr(name).is_some());
    let paints = || {
        let fills = !is_none("fill") && !is_zero("fill-opacity");
        let strokes = element.attr("stroke").is_some() && !is_none("stroke") && !is_zero("stroke-opacity");
        fills || strokes
    };
    is_shape && !has_rules && (is_zero("opacity") || !paints())
}

fn is_graphic(element: &Element) -> bool {
    matches!(
        element.name(),
        "path"
            | "rect"
            | "circle"
            | "ellipse"
            | "polygon"
            | "polyline"
            | "line"
            | "text"
            | "use"
            | "image"
            | "foreignObject"
    )
}

/// Returns true for elements whose contents are rendered only by reference.
fn is_definition_container(element: &Element) -> bool {
    matches!(element.name(), "defs" | "symbol" | "clipPath" | "mask" | "pattern" | "marker")
}

/// Returns true for targets of `use`: a symbol, or a graphic in `defs`.
fn is_referenced_part(document: &Document, node: NodeId, element: &Element) -> bool {
    let in_defs = || {
        let parent = document.parent(node).and_then(|parent| document.element(parent));
        parent.is_some_and(|parent| parent.is_svg("defs"))
    };
    let is_drawing = || is_graphic(element) || matches!(element.name(), "g" | "svg");
    element.id().is_some() && (element.name() == "symbol" || (is_drawing() && in_defs()))
}
