//! Ultimate Addons for WPBakery: an element after a row names the row's background, and attributes of headings name the
//! sizes of their texts. A script gives both what they name.

use super::{StartEvidence, StartState, lazy_backgrounds};
use crate::index::StyleIndex;
use crate::sheet::DeclarationInterner;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};

/// Classes of the elements that name the background of the row before them.
const BACKGROUNDS: &[&str] = &["upb_bg_img", "upb_color"];

/// Maximum number of elements between a row and its background.
const MAX_BETWEEN: usize = 3;

/// Attributes with the sizes of texts by width, and with the selector of the texts.
const SIZES: &str = "data-responsive-json-new";
const TARGET: &str = "data-ultimate-target";

/// Maximum number of elements with sizes, and of elements in one that are looked at.
const MAX_SIZED: usize = 200;
const MAX_INSIDE: usize = 12;

/// Returns the states in which rows and headings end.
pub(super) fn find(index: &StyleIndex<'_>, interner: &mut DeclarationInterner) -> Vec<StartState> {
    let document = index.document();
    let mut found = Vec::new();
    let mut sized = 0;
    for (node, element) in document.elements().filter(|(_, element)| element.in_html()) {
        if BACKGROUNDS.iter().any(|class| element.attr_has_token("class", class)) {
            let end = background(element).zip(row_before(document, node));
            let state =
                |(end, row): (String, _)| StartState::with_added(row, StartEvidence::LazyBackground, &end, interner);
            found.extend(end.map(state));
        } else if let Some((sizes, selector)) = element.attr(SIZES).zip(element.attr(TARGET))
            && sized < MAX_SIZED
        {
            sized += 1;
            let end = text_size(sizes);
            let texts = texts(document, node, element, selector).into_iter().filter(|_| !end.is_empty());
            found.extend(texts.map(|text| StartState::with_added(text, StartEvidence::ScriptSize, &end, interner)));
        }
    }
    found
}

/// Returns the row before an element: `.vc_row`, followed by what clears it.
fn row_before(document: &Document, node: NodeId) -> Option<NodeId> {
    let before = std::iter::successors(document.previous_sibling(node), |node| document.previous_sibling(*node));
    let mut elements = before.take(4 * MAX_BETWEEN).filter_map(|node| Some((node, document.element(node)?)));
    elements.find(|(_, element)| element.attr_has_token("class", "vc_row")).map(|(row, _)| row)
}

fn background(element: &Element) -> Option<String> {
    let word = |name: &str| element.attr(name).map(str::trim).filter(|value| !value.is_empty() && !value.contains(';'));
    if let Some(image) = word("data-ultimate-bg").and_then(lazy_backgrounds::image) {
        let size = word("data-bg-img-size").unwrap_or("cover");
        let repeat = word("data-bg-img-repeat").unwrap_or("no-repeat");
        let position = word("data-bg-img-position").unwrap_or("center");
        return Some(format!(
            "background-image: {image}; background-size: {size}; background-repeat: {repeat}; background-position: {position}"
        ));
    }
    word("data-bg-color").map(|color| format!("background-color: {color}"))
}

/// Returns the declarations for the widest viewports: `{"font-size":"desktop:30px;","line-height":""}`.
fn text_size(sizes: &str) -> String {
    let of = |property: &str| {
        let value = sizes.split_once(&format!("\"{property}\":\""))?.1.split('"').next()?;
        let size = value.split(';').find_map(|part| part.trim().strip_prefix("desktop:"))?.trim();
        let is_size = !size.is_empty() && size.chars().all(|letter| letter.is_alphanumeric() || letter == '.');
        is_size.then(|| format!("{property}: {size}"))
    };
    [of("font-size"), of("line-height")].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Returns the elements that the last part of a selector means: the element itself, or those in it.
fn texts(document: &Document, node: NodeId, element: &Element, selector: &str) -> Vec<NodeId> {
    let last = selector.split_whitespace().next_back().unwrap_or_default();
    let class = last.rsplit_once('.').map(|(_, class)| class);
    let is_meant = |own: &Element| match class {
        Some(class) => own.attr_has_token("class", class),
        None => own.is_html(last),
    };
    if is_meant(element) {
        return vec![node];
    }
    let inside = document.light_descendants(node).take(MAX_INSIDE);
    inside.filter(|inner| document.element(*inner).is_some_and(is_meant)).collect()
}
