//! Slider Revolution: its sheet hides the slides and leaves the slider without a height; its script takes the height from
//! the calls of `setREVStartSize` in the page, and shows the first slide.

use super::revolution_layers::Place;
use super::stretched_rows::WIDE;
use super::{StartEvidence, StartState, overlays, revolution_layers};
use crate::index::StyleIndex;
use crate::property::Longhand;
use crate::sheet::DeclarationInterner;
use crate::{Environment, Styles};
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use std::collections::BTreeMap;

/// The call that names a slider and its heights.
const CALL: &str = "setREVStartSize(";

/// Maximum number of calls, and length of one in characters.
const MAX_CALLS: usize = 16;
const MAX_CALL: usize = 1_000;

/// Maximum number of parts of the first slide that are looked at.
const MAX_PARTS: usize = 64;

/// End of the ID of the element around a slider.
const WRAPPER: &str = "_wrapper";

/// Class of a slider that opens as a dialog.
const DIALOG: &str = "rs-modal";

/// Class that the script adds to a slider.
const STARTED: &str = "revslider-initialised";

/// Declarations with which the parts of a slider end.
const SLIDER_END: &str = "display: block; visibility: visible";
const SLIDE_END: &str = "visibility: visible; width: 100%; height: 100%";
const BACKGROUND_END: &str =
    "position: absolute; inset: 0; width: 100%; max-width: none; height: 100%; object-fit: cover";

/// The size of a slider: of the canvas on which its layers are placed, at each of its widths, the widest first.
pub(super) struct Grid {
    /// A CSS height.
    css_height: String,
    widths: Vec<f64>,
    heights: Vec<f64>,
    pub(super) is_fullscreen: bool,
    /// It is as wide as the window, whatever is around it.
    is_wide: bool,
}

impl Grid {
    /// Returns the width of the widest and of the narrowest canvas.
    pub(super) fn widths(&self) -> (f64, f64) {
        let of = |width: Option<&f64>| width.copied().unwrap_or(DEFAULT_WIDTH);
        (of(self.widths.first()), of(self.widths.last()))
    }

    /// Returns the height of the widest canvas.
    pub(super) fn height(&self) -> Option<f64> {
        self.heights.first().copied()
    }
}

/// Width of the canvas of a slider that names none.
const DEFAULT_WIDTH: f64 = 1_240.0;

/// Returns the states in which the sliders of a page end.
pub(super) fn find(index: &StyleIndex<'_>, interner: &mut DeclarationInterner) -> Vec<StartState> {
    let document = index.document();
    let grids = grids(document);
    if grids.is_empty() {
        return Vec::new();
    }
    let mut ends: Vec<(NodeId, String)> = Vec::new();
    let mut styles = index.styles(&Environment::default());
    let slider = |(node, element): (NodeId, &'_ Element)| {
        let id = element.id().filter(|_| element.in_html())?;
        Some((node, grids.get(id.strip_suffix(WRAPPER).unwrap_or(id))?))
    };
    for (node, grid) in document.elements().filter_map(slider).take(2 * MAX_CALLS) {
        let Some(element) = document.element(node) else { continue };
        if element.attr_has_token("class", DIALOG) || has_started(document, node, element) {
            continue;
        }
        let is_outermost = element.id().is_some_and(|id| id.ends_with(WRAPPER));
        let wide = if is_outermost && grid.is_wide { format!("; {WIDE}") } else { String::new() };
        ends.push((node, format!("{SLIDER_END}; height: {}{wide}", grid.css_height)));
        ends.extend(ends_around(document, node, &mut styles));
        let is_track = |child: &Element| child.is_html("rs-slides") || child.is_html("ul");
        let tracks = document.child_elements(node).filter(|(_, child)| is_track(child));
        for (track, _) in tracks {
            ends.push((track, SLIDE_END.to_owned()));
            ends.extend(ends_of_slides(document, track, grid));
        }
    }
    ends.into_iter().map(|(node, end)| StartState::with_added(node, StartEvidence::Slider, &end, interner)).collect()
}

/// Returns true for a slider, or the element around it, in the state that its script gave it.
fn has_started(document: &Document, node: NodeId, element: &Element) -> bool {
    let has = |own: &Element| own.attr_has_token("class", STARTED);
    has(element) || document.child_elements(node).any(|(_, child)| has(child))
}

/// Returns the ends of what a theme hides until the slider is ready, the element around it, and removes then, the
/// preloader before that.
fn ends_around(document: &Document, slider: NodeId, styles: &mut Styles<'_>) -> Vec<(NodeId, String)> {
    let Some(around) = document.parent(slider) else { return Vec::new() };
    let is_hidden = styles.get(around).is_some_and(|style| style.get(Longhand::Opacity) == "0");
    if !is_hidden {
        return Vec::new();
    }
    let near = document.parent(around).into_iter().flat_map(|outer| document.child_elements(outer));
    let before = near.take_while(|(node, _)| *node != around).last();
    let removed = before
        .filter(|(node, element)| overlays::is_loading(document, *node, element))
        .map(|(node, _)| (node, "display: none".to_owned()));
    std::iter::once((around, "opacity: 1; height: auto".to_owned())).chain(removed).collect()
}

/// Returns the ends of the slides: the first is shown with its parts, the others wait.
fn ends_of_slides(document: &Document, track: NodeId, grid: &Grid) -> Vec<(NodeId, String)> {
    let is_slide = |child: &Element| child.is_html("rs-slide") || child.is_html("li");
    let mut slides = document.child_elements(track).filter(|(_, child)| is_slide(child));
    let Some((first, _)) = slides.next() else { return Vec::new() };
    let mut ends = vec![(first, SLIDE_END.to_owned())];
    ends.extend(slides.map(|(slide, _)| (slide, "display: none".to_owned())));
    for node in document.light_descendants(first).take(MAX_PARTS) {
        let Some(element) = document.element(node) else { continue };
        if element.attr_has_token("class", "rev-slidebg") {
            ends.push((node, BACKGROUND_END.to_owned()));
        } else if ["rs-layer", "rs-group"].iter().any(|name| element.is_html(name))
            || ["rs-layer", "tp-caption"].iter().any(|class| element.attr_has_token("class", class))
        {
            let around = document.parent(node).and_then(|around| document.element(around));
            let within = |name: &str| around.is_some_and(|around| around.is_html(name));
            let place = match () {
                () if within("rs-column") => Place::Column,
                () if within("rs-group") => Place::Group,
                () => Place::Slider,
            };
            ends.push((node, revolution_layers::end(element, grid, place)));
        } else if let Some(end) = revolution_layers::end_of_container(element, grid) {
            ends.push((node, end));
        } else if element.is_html("img") && is_in_image_layer(document, node) {
            ends.push((node, "width: 100%; height: 100%".to_owned()));
        }
    }
    ends
}

/// Returns true for the picture of a layer that shows nothing else.
fn is_in_image_layer(document: &Document, node: NodeId) -> bool {
    let around = document.parent(node).and_then(|around| document.element(around));
    around.is_some_and(|around| around.attr_has_token("data-type", "image") && around.attr("data-dim").is_some())
}

/// Returns the sizes that the page's scripts name, by the slider's ID.
fn grids(document: &Document) -> BTreeMap<String, Grid> {
    let scripts = document.elements_named("script").map(|(node, _)| node);
    let texts = scripts.flat_map(|node| document.children(node)).filter_map(|child| document.text(child));
    let calls = texts.flat_map(|text| text.split(CALL).skip(1)).take(MAX_CALLS);
    calls.filter_map(grid).collect()
}

/// Returns a slider's ID and size, given the text after the start of a call.
fn grid(call: &str) -> Option<(String, Grid)> {
    let call: String = call.chars().take_while(|letter| *letter != '}').take(MAX_CALL).collect();
    let call: String = call.chars().filter(|letter| !letter.is_whitespace() && !matches!(letter, '\\')).collect();
    let call = call.replace('"', "'");
    let id = value(&call, "c")?;
    // Before version 6 it was `jQuery("#id")`.
    let id = id.strip_prefix('\'').or_else(|| id.split_once("('#").map(|(_, id)| id))?.split('\'').next()?;
    let is_layout = |name: &str| {
        let keys = ["layout", "l", "sliderLayout"];
        keys.into_iter().any(|key| {
            value(&call, key).is_some_and(|own| own.strip_prefix('\'').is_some_and(|own| own.starts_with(name)))
        })
    };
    let is_fullscreen = is_layout("fullscreen'");
    let is_wide = is_fullscreen || is_layout("fullwidth'");
    let list = |keys: &[&str]| keys.iter().find_map(|key| numbers(&call, key)).unwrap_or_default();
    let widths = list(&["gw", "gridwidth"]);
    let heights = list(&["gh", "gridheight"]);
    let css_height = if is_fullscreen {
        "100vh".to_owned()
    } else {
        let heights = list(&["el", "gh", "gridheight"]);
        let (full, narrow, width) = (*heights.first()?, *heights.last()?, *widths.last()?);
        // Between its grids, and below the narrowest, a slider shrinks with the viewport.
        let share = (narrow / width * 1_000.0).round() / 10.0;
        format!("min({full}px, {share}vw)")
    };
    Some((id.to_owned(), Grid { css_height, widths, heights, is_fullscreen, is_wide }))
}

/// Returns what follows a key in the text of an object without white space.
fn value<'t>(object: &'t str, key: &str) -> Option<&'t str> {
    ["{", ","].iter().find_map(|before| object.split_once(&format!("{before}{key}:"))).map(|(_, after)| after)
}

/// Returns the positive numbers of a list, or a single one.
fn numbers(object: &str, key: &str) -> Option<Vec<f64>> {
    let text = value(object, key)?;
    let list = match text.strip_prefix('[') {
        Some(list) => list.split(']').next()?,
        None => text.split([',', '}']).next()?,
    };
    let number = |item: &str| item.trim_matches('\'').parse().ok().filter(|number| (1.0..=10_000.0).contains(number));
    let found: Vec<f64> = list.split(',').filter_map(number).collect();
    (!found.is_empty()).then_some(found)
}
