//! Images in an `object` or `embed`. These elements can run code, so they are replaced by an `img`, which renders the
//! same image.

use crate::capture::attributes::UrlResolver;
use limner_component_model::model::Attribute;
use limner_page::dom::{Element, NodeKind};
use limner_page::{Document, NodeId};
use limner_page_view::omitted_elements::embedded_image_url;

/// Returns the attributes of the `img` that replaces the element, in addition to those that it keeps. The fallback
/// content becomes the alternative text.
pub(in crate::capture) fn attributes(
    document: &Document,
    node: NodeId,
    element: &Element,
    addresses: &UrlResolver<'_>,
) -> Vec<Attribute> {
    let src = embedded_image_url(element).and_then(|address| addresses.absolute(address, true));
    let attribute = |name: &str, value: String| Attribute { name: name.to_owned(), value };
    let alt = attribute("alt", inner_text(document, node));
    src.map(|src| attribute("src", src)).into_iter().chain([alt]).collect()
}

/// Returns the text inside of an element, including the alternative text of images.
fn inner_text(document: &Document, node: NodeId) -> String {
    let mut words: Vec<&str> = Vec::new();
    for inner in document.descendants(node) {
        let is_code = |element: &Element| matches!(element.name(), "script" | "style" | "noscript");
        match document.kind(inner) {
            NodeKind::Text(text) => {
                let parent = document.parent(inner).and_then(|parent| document.element(parent));
                words.extend(text.split_whitespace().filter(|_| !parent.is_some_and(is_code)));
            }
            NodeKind::Element(element) if element.is_html("img") => {
                words.extend(element.attr("alt").unwrap_or_default().split_whitespace());
            }
            _ => {}
        }
    }
    words.join(" ")
}
