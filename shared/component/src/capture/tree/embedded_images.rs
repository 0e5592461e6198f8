//! Images in an `object` or `embed`. These elements can run code, so they are replaced by an `img`, which renders the
//! same image.

use crate::capture::attributes::UrlResolver;
use limner_component_model::model::Attribute;
use limner_page::dom::{Element, NodeKind};
use limner_page::{Document, NodeId};

/// Returns true for an `object` or `embed` that renders an image, by its type or file name.
pub(crate) fn is_picture(element: &Element) -> bool {
    address(element).is_some()
}

/// Returns the attributes of the `img` that replaces the element, in addition to those that it keeps. The fallback
/// content becomes the alternative text.
pub(in crate::capture) fn attributes(
    document: &Document,
    node: NodeId,
    element: &Element,
    addresses: &UrlResolver<'_>,
) -> Vec<Attribute> {
    let src = address(element).and_then(|address| addresses.absolute(address, true));
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

/// Returns the URL of the image that an `object` or `embed` renders.
fn address(element: &Element) -> Option<&str> {
    const FILES: [&str; 8] = ["avif", "gif", "ico", "jpeg", "jpg", "png", "svg", "webp"];
    let address = match element.name() {
        "object" if element.in_html() => element.attr("data"),
        "embed" if element.in_html() => element.attr("src"),
        _ => None,
    };
    let address = address.map(str::trim).filter(|address| !address.is_empty() && !address.starts_with('#'))?;
    let kind = element.attr("type").unwrap_or_default().trim().to_ascii_lowercase();
    let path = address.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let by_name =
        || path.rsplit_once('.').is_some_and(|(_, end)| FILES.contains(&end)) || path.starts_with("data:image/");
    let shows = if kind.is_empty() { by_name() } else { kind.starts_with("image/") };
    shows.then_some(address)
}
