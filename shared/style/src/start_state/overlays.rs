//! Loading screens and page transitions: overlays that cover the viewport until the page is ready. Popups of Tilda: records
//! of the page that its script moves into a dialog.

use super::library_marks::words;
use crate::cascade::ComputedStyle;
use crate::color;
use crate::color::Scheme;
use crate::computed::Position;
use crate::index::StyleIndex;
use crate::property::Longhand;
use crate::{Environment, Styles};
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use std::collections::BTreeSet;

/// Words in names of loading screens.
const WORDS: &[&str] = &[
    "curtain",
    "loader",
    "loading",
    "loadingscreen",
    "loadscreen",
    "pageloader",
    "preload",
    "preloader",
    "spinner",
    "splash",
];

/// Two words that mean the same as one of [`WORDS`].
const PAIRS: &[(&str, &str)] =
    &[("page", "transition"), ("transition", "overlay"), ("intro", "overlay"), ("pre", "loader")];

/// Maximum depth of an overlay below the body, and maximum number of elements that are looked at.
const MAX_DEPTH: usize = 5;
const MAX_ELEMENTS: usize = 400;

/// Maximum number of characters of an overlay without a name: a brand's name, a percentage.
const MAX_LETTERS: usize = 40;

/// Returns the overlays that a script removes once the page is loaded.
pub(super) fn find(index: &StyleIndex<'_>, styles: &mut Styles<'_>) -> Vec<NodeId> {
    let document = index.document();
    let Some(body) = document.body() else { return Vec::new() };
    let depth = |node: NodeId| document.ancestors(node).take_while(|around| *around != body).count();
    let near = document.light_descendants(body).filter(|node| depth(*node) < MAX_DEPTH).take(MAX_ELEMENTS);
    let mut found: Vec<NodeId> = Vec::new();
    for node in near {
        let Some(element) = document.element(node).filter(|element| element.in_html()) else { continue };
        if found.last().is_some_and(|overlay| document.is_inclusive_descendant(node, *overlay)) {
            continue;
        }
        let is_named = is_named(element);
        let Some(style) = styles.get(node) else { continue };
        if covers_viewport(&style, styles.environment(), is_named)
            && shows_little(document, node, if is_named { 4 * MAX_LETTERS } else { MAX_LETTERS })
            && (is_named || is_opaque_layer(document, node, &style))
        {
            found.push(node);
        }
    }
    found.extend(records_of_popups(document));
    found
}

/// Attribute with the IDs of the records that a dialog of Tilda shows.
const POPUP_RECORDS: &str = "data-popup-rec-ids";

/// Returns the records that a dialog shows.
fn records_of_popups(document: &Document) -> Vec<NodeId> {
    let lists = document.elements().filter_map(|(_, element)| element.attr(POPUP_RECORDS));
    let ids: BTreeSet<String> = lists.flat_map(|list| list.split(',')).map(|id| format!("rec{}", id.trim())).collect();
    if ids.is_empty() {
        return Vec::new();
    }
    let is_shown = |element: &Element| element.id().is_some_and(|id| ids.contains(&**id));
    document.elements().filter(|(_, element)| is_shown(element)).map(|(node, _)| node).collect()
}

/// Returns true if an element is named a loading screen and shows little.
pub(super) fn is_loading(document: &Document, node: NodeId, element: &Element) -> bool {
    is_named(element) && shows_little(document, node, MAX_LETTERS)
}

fn is_named(element: &Element) -> bool {
    let names = element.classes().iter().map(|class| &**class).chain(element.id().map(|id| &**id));
    names.map(words).any(|words| {
        words.iter().any(|word| WORDS.contains(&word.as_str()))
            || words.windows(2).any(|pair| PAIRS.contains(&(pair[0].as_str(), pair[1].as_str())))
    })
}

/// Returns true if a box covers the whole viewport at all times: fixed, or absolute with a name that says so.
fn covers_viewport(style: &ComputedStyle, environment: &Environment, is_named: bool) -> bool {
    let is_placed = match style.position() {
        Position::Fixed => true,
        Position::Absolute => is_named,
        _ => false,
    };
    let pixels = |longhand| style.get(longhand).strip_suffix("px").and_then(|number| number.parse::<f64>().ok());
    let spans = |size, from, to, viewport: f64| {
        let is_full = style.get(size) == "100%" || pixels(size).is_some_and(|px| px >= 0.95 * viewport);
        is_full || (pixels(from) == Some(0.0) && pixels(to) == Some(0.0) && style.get(size) == "auto")
    };
    is_placed
        && !style.is_hidden()
        && style.is_visible()
        && style.get(Longhand::Opacity).parse::<f64>().is_ok_and(|opacity| opacity > 0.5)
        && spans(Longhand::Width, Longhand::Left, Longhand::Right, environment.width)
        && spans(Longhand::Height, Longhand::Top, Longhand::Bottom, environment.height)
}

/// Returns true if a part has no more than a logo and a few words.
fn shows_little(document: &Document, node: NodeId, most: usize) -> bool {
    let mut letters = 0;
    for inner in document.light_descendants(node) {
        let Some(element) = document.element(inner) else {
            let is_read = document
                .parent(inner)
                .and_then(|parent| document.element(parent))
                .is_some_and(|parent| !matches!(parent.name(), "style" | "script" | "title" | "noscript"));
            let text = document.text(inner).filter(|_| is_read).unwrap_or_default();
            letters += text.chars().filter(|letter| !letter.is_whitespace()).count();
            continue;
        };
        let is_content =
            matches!(element.name(), "a" | "button" | "form" | "input" | "nav" | "section" | "video" | "iframe");
        if is_content || letters > most {
            return false;
        }
    }
    letters <= most
}

/// Returns true if a layer without a name hides everything below it.
fn is_opaque_layer(document: &Document, node: NodeId, style: &ComputedStyle) -> bool {
    let has_picture = document
        .light_descendants(node)
        .any(|inner| document.element(inner).is_some_and(|own| matches!(own.name(), "img" | "canvas" | "picture")));
    let is_opaque =
        color::parse(style.get(Longhand::BackgroundColor), Scheme::Light).is_some_and(|shade| shade.alpha() >= 0.95);
    let is_on_top = style.get(Longhand::ZIndex).parse::<i32>().is_ok_and(|level| level >= 10);
    !has_picture && is_opaque && is_on_top && style.get(Longhand::Transform) == "none"
}
