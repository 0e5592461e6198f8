//! Finds status pills: short labels with a background or border of their own (`Approved`, `Beta`). Their colours tell the
//! state of a thing.

use super::page_regions::RegionFlags;
use super::rendered_page::{RenderedPage, VisibleElement};
use limner_page::dom::Element;
use limner_style::property::Longhand;

/// Size of a pill in CSS pixels.
const HEIGHTS: std::ops::RangeInclusive<f32> = 10.0..=36.0;
const WIDTHS: std::ops::RangeInclusive<f32> = 12.0..=240.0;
/// Minimum padding on both sides.
const MIN_PADDING: f64 = 3.0;
/// Maximum number of ancestors among which the background behind it is looked for.
const MAX_ANCESTORS: usize = 64;
/// Maximum number of letters in it.
const MAX_LETTERS: usize = 32;
/// Maximum number of nodes in it.
const MAX_NODES: usize = 12;

/// Returns true if an element is a pill.
pub(super) fn is_pill(page: &RenderedPage<'_>, seen: &VisibleElement, element: &Element) -> bool {
    let is_apart = seen.flags.has_any(RegionFlags::LINK.union(RegionFlags::SVG).union(RegionFlags::NOT_SITE));
    let has_size = HEIGHTS.contains(&seen.area.height) && WIDTHS.contains(&seen.area.width);
    !is_apart
        && has_size
        && is_label(element)
        && is_padded(seen)
        && is_decorated(page, seen)
        && has_short_text(page, seen)
}

/// Returns true for elements that nobody presses and that are no part of a table or list.
fn is_label(element: &Element) -> bool {
    let is_pressed =
        element.attr("role").is_some_and(|role| matches!(role.trim(), "button" | "link" | "tab" | "switch"));
    let is_other = matches!(
        element.name(),
        "html"
            | "body"
            | "a"
            | "button"
            | "input"
            | "select"
            | "textarea"
            | "summary"
            | "label"
            | "option"
            | "img"
            | "td"
            | "th"
            | "tr"
            | "ul"
            | "ol"
            | "nav"
            | "code"
            | "kbd"
            | "h1"
            | "h2"
    );
    element.in_html() && !is_pressed && !is_other
}

fn pixels(seen: &VisibleElement, longhand: Longhand) -> f64 {
    seen.style.get(longhand).trim_end_matches("px").parse().unwrap_or(0.0)
}

fn is_padded(seen: &VisibleElement) -> bool {
    [Longhand::PaddingLeft, Longhand::PaddingRight].iter().all(|side| pixels(seen, *side) >= MIN_PADDING)
}

fn is_decorated(page: &RenderedPage<'_>, seen: &VisibleElement) -> bool {
    let document = &page.view.document;
    let around = document.ancestors(seen.node).take(MAX_ANCESTORS).find_map(|node| {
        page.visible_element(node)?.color(Longhand::BackgroundColor).filter(|shade| shade.rgba[3] > 200)
    });
    let around = around.unwrap_or(page.background);
    let fill = seen.color(Longhand::BackgroundColor);
    let is_filled = fill.is_some_and(|shade| shade.composite_over(around).distance(around) > 0.015);
    let has_border = |width, style| pixels(seen, width) > 0.0 && !matches!(seen.style.get(style), "none" | "hidden");
    let is_outlined = has_border(Longhand::BorderTopWidth, Longhand::BorderTopStyle)
        && has_border(Longhand::BorderLeftWidth, Longhand::BorderLeftStyle);
    is_filled || is_outlined
}

fn has_short_text(page: &RenderedPage<'_>, seen: &VisibleElement) -> bool {
    let document = &page.view.document;
    let inner: Vec<_> = document.descendants(seen.node).take(MAX_NODES + 1).collect();
    let texts = inner.iter().filter_map(|node| document.text(*node));
    let letters: usize = texts.map(|text| text.chars().filter(|letter| !letter.is_whitespace()).count()).sum();
    inner.len() <= MAX_NODES && (1..=MAX_LETTERS).contains(&letters)
}
