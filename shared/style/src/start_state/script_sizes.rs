//! Sizes that a script sets at once: heights of the window for classes and attributes of templates, videos that fill
//! their column, and contents as high as their slide.

use super::{StartEvidence, StartState};
use crate::Styles;
use crate::index::StyleIndex;
use crate::property::Longhand;
use crate::sheet::DeclarationInterner;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};

/// Classes of the templates of Colorlib and FreeHTML5, whose script sets the height of the window.
const HEIGHTS: &[(&str, &str)] = &[
    ("js-fullheight", "height: 100vh"),
    ("js-min-fullheight", "min-height: 100vh"),
    ("js-halfheight", "height: 50vh"),
];

/// The attribute of UIkit for the height of the window, less an offset that only a layout knows.
const HEIGHT: [&str; 2] = ["uk-height-viewport", "data-uk-height-viewport"];

/// The element of Salient's sliders whose attribute has their height in pixels.
const NECTAR_SLIDER: &str = "nectar-slider-wrap";
const NECTAR_HEIGHT: &str = "data-height";

/// The attribute of Squarespace's pictures with the point that stays in view, and the class of the boxes that they fill.
const FOCAL_POINT: &str = "data-image-focal-point";
const FILLED: &str = "content-fill";

/// Classes of the elements in which FitVids makes videos as wide as their column.
const FITTED: &[&str] = &["et_main_video_container", "et_pb_video_box", "fitvids", "nectar-fitvids"];

/// The slides of Divi's sliders, and what of them is in their middle.
const SLIDE: &str = "et_pb_slide";
const SLIDE_CONTENT: &str = "et_pb_container";

/// Maximum number of elements between a video and that element.
const MAX_AROUND: usize = 3;

/// Returns the elements whose size a script sets.
pub(super) fn find(
    index: &StyleIndex<'_>,
    styles: &mut Styles<'_>,
    interner: &mut DeclarationInterner,
) -> Vec<StartState> {
    let document = index.document();
    let mut ends: Vec<(NodeId, String)> = Vec::new();
    for (node, element) in document.elements().filter(|(_, element)| element.in_html()) {
        let is_placed =
            |styles: &mut Styles<'_>| styles.get(node).is_some_and(|style| style.is_absolutely_positioned());
        let end = height(element)
            .or_else(|| height_of_nectar_slider(document, node, element))
            .or_else(|| filling(document, node, element))
            .or_else(|| slide_content(document, styles, node, element))
            .or_else(|| fitted(document, node, element).filter(|_| !is_placed(styles)));
        ends.extend(end.map(|end| (node, end)));
    }
    ends.into_iter()
        .map(|(node, end)| StartState::with_added(node, StartEvidence::ScriptSize, &end, interner))
        .collect()
}

fn height(element: &Element) -> Option<String> {
    let by_class = HEIGHTS.iter().find(|(class, _)| element.attr_has_token("class", class)).map(|(_, end)| *end);
    let is_plain = |settings: &str| !settings.contains("offset") && !settings.contains("expand");
    let by_attribute = || HEIGHT.iter().find_map(|name| element.attr(name)).filter(|own| is_plain(own));
    by_class.or_else(|| by_attribute().map(|_| "min-height: 100vh")).map(str::to_owned)
}

fn height_of_nectar_slider(document: &Document, node: NodeId, element: &Element) -> Option<String> {
    let height = element.attr(NECTAR_HEIGHT).and_then(|height| height.parse::<u32>().ok())?;
    let around = document.parent(node).and_then(|around| document.element(around))?;
    let says = |name: &str| around.attr(name) == Some("true");
    if !around.attr_has_token("class", NECTAR_SLIDER) || says("data-flexible-height") {
        return None;
    }
    Some(if says("data-fullscreen") { "height: 100vh".to_owned() } else { format!("height: {height}px") })
}

/// Returns the end of the content of one of Divi's slides: a table as high as the slide, in whose middle its cell is.
fn slide_content(document: &Document, styles: &mut Styles<'_>, node: NodeId, element: &Element) -> Option<String> {
    let slide = document.parent(node).filter(|_| element.attr_has_token("class", SLIDE_CONTENT))?;
    document.element(slide).filter(|own| own.attr_has_token("class", SLIDE))?;
    let style = styles.get(slide)?;
    let is_higher = !matches!(style.get(Longhand::MinHeight), "0px" | "auto");
    Some(if is_higher { "height: 100%; min-height: inherit" } else { "height: 100%" }.to_owned())
}

/// Returns the end of a picture that fills its box around a focal point: `0.5,0.25`.
fn filling(document: &Document, node: NodeId, element: &Element) -> Option<String> {
    let is_placed = element.attr("style").is_some_and(|style| style.contains("left:"));
    let (x, y) = element.attr(FOCAL_POINT).filter(|_| element.is_html("img") && !is_placed)?.split_once(',')?;
    let around = document.parent(node).and_then(|around| document.element(around))?;
    let share = |at: &str| at.trim().parse::<f64>().ok().filter(|at| (0.0..=1.0).contains(at)).map(|at| 100.0 * at);
    let (x, y) = share(x).zip(share(y)).filter(|_| around.attr_has_token("class", FILLED))?;
    Some(format!("width: 100%; height: 100%; max-width: none; object-fit: cover; object-position: {x}% {y}%"))
}

/// Returns the end of a video frame that is made as wide as its column.
fn fitted(document: &Document, node: NodeId, element: &Element) -> Option<String> {
    if !element.is_html("iframe") {
        return None;
    }
    let number = |name| element.attr(name).and_then(|value| value.parse::<u32>().ok()).filter(|value| *value > 0);
    let (width, height) = (number("width")?, number("height")?);
    let mut around = document.ancestors(node).take(MAX_AROUND).filter_map(|around| document.element(around));
    around
        .any(|around| FITTED.iter().any(|class| around.attr_has_token("class", class)))
        .then(|| format!("display: block; width: 100%; height: auto; aspect-ratio: {width} / {height}"))
}
