//! Gives a placeholder the file of the image that a script puts in its place. Pages name it in a copy for visitors
//! without scripts:
//!
//! `<img src="data:…"><noscript><img src="photo.jpg"></noscript>` → `<img src="photo.jpg">`

use crate::capture::attributes::{UrlResolver, retained_attributes};
use limner_component_model::model::{Attribute, Namespace};
use limner_page::dom::{Element, NodeKind};
use limner_page::{Document, NodeId};
use limner_page_view::omitted_elements::is_tracker;

/// The attributes that name the files of an image.
const FILES: [&str; 3] = ["src", "srcset", "sizes"];

/// Replaces the files of an image without one of its own by those of the only image in the `noscript` after it.
pub(super) fn add_noscript_sources(
    document: &Document,
    node: NodeId,
    element: &Element,
    addresses: &UrlResolver<'_>,
    attributes: &mut Vec<Attribute>,
) {
    let shows = |own: &Attribute| matches!(own.name.as_str(), "src" | "srcset") && !own.value.starts_with("data:");
    if !element.is_html("img") || attributes.iter().any(shows) {
        return;
    }
    let Some(copy) = following_noscript(document, node).map(|text| Document::parse_fragment(&text)) else { return };
    let images: Vec<&Element> = copy.elements_named("img").map(|(_, image)| image).take(2).collect();
    let [image] = images.as_slice() else { return };
    if is_tracker(image) {
        return;
    }
    let mut files = retained_attributes(image, Namespace::Html, addresses, false);
    files.retain(|file| FILES.contains(&file.name.as_str()));
    if files.iter().any(shows) {
        attributes.retain(|own| !FILES.contains(&own.name.as_str()));
        attributes.extend(files);
    }
}

/// Returns the markup of a `noscript` that follows a node directly.
fn following_noscript(document: &Document, node: NodeId) -> Option<String> {
    let is_space = |at: NodeId| matches!(document.kind(at), NodeKind::Text(text) if text.trim_ascii().is_empty());
    let next = document.next_sibling(node)?;
    let next = if is_space(next) { document.next_sibling(next)? } else { next };
    let is_noscript = document.element(next).is_some_and(|element| element.is_html("noscript"));
    is_noscript.then(|| document.text_content(next)).filter(|text| text.contains("<img"))
}
