//! LayerSlider: its sheet hides the slider and its slides, and its script gives it the size that the `style` attribute
//! declares, shows the first slide and places its layers.

use super::stretched_rows::WIDE;
use super::{StartEvidence, StartState};
use crate::index::StyleIndex;
use crate::sheet::DeclarationInterner;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use std::collections::BTreeMap;

/// Classes of sliders, with and without WordPress.
const SLIDERS: &[&str] = &["ls-wp-container", "ls-container"];

/// Maximum number of sliders, and of parts of a first slide that are looked at.
const MAX_SLIDERS: usize = 16;
const MAX_PARTS: usize = 64;

/// The call that starts a slider, and the maximum length of its options.
const CALL: &str = ".layerSlider(";
const MAX_OPTIONS: usize = 1_000;

const BACKGROUND_END: &str = "position: absolute !important; inset: 0; width: 100% !important; max-width: none; \
                              height: 100% !important; object-fit: cover; visibility: visible";

/// The width that a script gives a slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// As wide as its column, in proportion.
    Column,
    /// As wide as the window, in the height of its style.
    Window,
    /// As wide and high as the window.
    Screen,
}

/// Returns the states in which the sliders of a page end.
pub(super) fn find(index: &StyleIndex<'_>, interner: &mut DeclarationInterner) -> Vec<StartState> {
    let document = index.document();
    let is_slider = |element: &Element| SLIDERS.iter().any(|class| element.attr_has_token("class", class));
    let mut sliders = document.elements().filter(|(_, element)| is_slider(element)).take(MAX_SLIDERS).peekable();
    if sliders.peek().is_none() {
        return Vec::new();
    }
    let extents = extents(document);
    let ends: Vec<(NodeId, String)> =
        sliders.flat_map(|(node, element)| ends(document, node, element, &extents)).collect();
    ends.into_iter().map(|(node, end)| StartState::with_added(node, StartEvidence::Slider, &end, interner)).collect()
}

fn ends(
    document: &Document,
    slider: NodeId,
    element: &Element,
    extents: &BTreeMap<String, Extent>,
) -> Vec<(NodeId, String)> {
    let style = element.attr("style").unwrap_or_default();
    let (width, height) = (pixels(style, "width"), pixels(style, "height"));
    let extent = element.id().and_then(|id| extents.get(&**id)).copied().unwrap_or(Extent::Column);
    let size = match (extent, width, height) {
        (Extent::Screen, ..) => format!("{WIDE}; height: 100vh"),
        (Extent::Window, width, Some(height)) => {
            let share = width.map_or(String::new(), |width| format!(", {}vw", height / width * 100.0));
            format!("{WIDE}; height: min({height}px{share})")
        }
        (_, Some(width), Some(height)) => format!("height: auto; aspect-ratio: {width} / {height}"),
        _ => String::new(),
    };
    let mut found = vec![(slider, format!("visibility: visible; overflow: hidden; {size}"))];
    let mut slides = document.child_elements(slider).filter(|(_, child)| is_slide(child));
    let Some((first, _)) = slides.next() else { return found };
    found.push((first, "visibility: visible !important; width: 100%; height: 100%".to_owned()));
    found.extend(slides.map(|(slide, _)| (slide, "display: none !important".to_owned())));
    for node in document.light_descendants(first).take(MAX_PARTS) {
        let Some(part) = document.element(node) else { continue };
        if part.attr_has_token("class", "ls-bg") {
            found.push((node, BACKGROUND_END.to_owned()));
        } else if ["ls-l", "ls-layer"].iter().any(|class| part.attr_has_token("class", class)) {
            found.push((node, layer_end(part.attr("style").unwrap_or_default(), width, height)));
        }
    }
    found
}

/// Slides are children with `ls-slide`, before version 5 with `ls-layer`.
fn is_slide(element: &Element) -> bool {
    element.attr_has_token("class", "ls-slide") || element.attr_has_token("class", "ls-layer")
}

/// Returns the end of a layer, whose place counts from the middle of the slider: pixels from the canvas, which has the
/// slider's declared size, and percentages to the layer's own middle.
fn layer_end(style: &str, width: Option<f64>, height: Option<f64>) -> String {
    let place = |side: &str, size: Option<f64>| match (value(style, side), size) {
        (Some(own), Some(size)) if own.ends_with("px") => {
            let own: f64 = own.trim_end_matches("px").parse().unwrap_or_default();
            (format!("calc(50% + {}px)", own - size / 2.0), "0")
        }
        (Some(own), _) if own.ends_with('%') && own != "0%" => (own.to_owned(), "-50%"),
        _ => ("0px".to_owned(), "0"),
    };
    let ((left, x), (top, y)) = (place("left", width), place("top", height));
    format!("visibility: visible; opacity: 1; left: {left}; top: {top}; transform: translate({x}, {y})")
}

/// Returns the extents of the sliders that the page's scripts start, by ID.
fn extents(document: &Document) -> BTreeMap<String, Extent> {
    let scripts = document.elements_named("script").map(|(node, _)| node);
    let texts = scripts.flat_map(|node| document.children(node)).filter_map(|child| document.text(child));
    let mut found = BTreeMap::new();
    for text in texts.filter(|text| text.contains(CALL)) {
        let parts: Vec<&str> = text.split(CALL).take(MAX_SLIDERS + 1).collect();
        for pair in parts.windows(2) {
            // `jQuery("#id").layerSlider({type: 'fullwidth', …})`
            let id = pair[0].rsplit_once('#').and_then(|(_, id)| id.split(['"', '\'']).next());
            let options: String = pair[1].chars().take(MAX_OPTIONS).filter(|c| !c.is_whitespace()).collect();
            let options = options.split('}').next().unwrap_or_default().replace('"', "'");
            let says = |option: &str| options.contains(option);
            let extent = if says("type:'fullsize'") {
                Extent::Screen
            } else if says("type:'fullwidth'") || says("responsiveUnder:") && !says("type:") {
                Extent::Window
            } else {
                Extent::Column
            };
            found.extend(id.map(|id| (id.to_owned(), extent)));
        }
    }
    found
}

/// Returns a value of a `style` attribute.
fn value<'s>(style: &'s str, property: &str) -> Option<&'s str> {
    let declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    declarations.filter(|(name, _)| name.trim() == property).map(|(_, value)| value.trim()).next_back()
}

fn pixels(style: &str, property: &str) -> Option<f64> {
    let number = value(style, property)?.strip_suffix("px")?.parse().ok()?;
    (1.0..=10_000.0).contains(&number).then_some(number)
}
