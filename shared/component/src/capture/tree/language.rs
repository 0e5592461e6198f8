//! The language and the direction of the text, which the section's root inherits from its ancestors' attributes.

use limner_component_model::model::{Attribute, Element, Namespace};
use limner_page::{Document, NodeId};

/// Returns the language that the section inherits from an ancestor; `None` if the section's own element declares one.
pub(crate) fn language(document: &Document, section: NodeId) -> Option<String> {
    let own = document.element(section).and_then(|element| element.attr("lang"));
    if own.is_some() {
        return None;
    }
    let mut inherited = document.ancestors(section).filter_map(|node| document.element(node)?.attr("lang"));
    inherited.next().map(str::trim).filter(|lang| !lang.is_empty()).map(str::to_owned)
}

/// Returns true if the section inherits `dir="rtl"` from an ancestor's attribute.
pub(crate) fn is_right_to_left(document: &Document, section: NodeId) -> bool {
    let dir = |node| document.element(node)?.attr("dir");
    dir(section).is_none()
        && document.ancestors(section).find_map(dir).is_some_and(|dir| dir.trim().eq_ignore_ascii_case("rtl"))
}

/// Sets `dir="rtl"` on a root that is a block. Browsers apply the attribute to more than the property `direction`: to
/// form fields and `:dir()`, too. The attribute also isolates the text from its surroundings, which blocks do in any
/// case.
pub(crate) fn write_right_to_left(root: &mut Element) {
    const BLOCKS: [&str; 16] = [
        "div",
        "section",
        "header",
        "footer",
        "main",
        "nav",
        "article",
        "aside",
        "ul",
        "ol",
        "dl",
        "form",
        "figure",
        "p",
        "blockquote",
        "table",
    ];
    if root.namespace == Namespace::Html && BLOCKS.contains(&root.tag.as_str()) {
        root.attributes.push(Attribute { name: "dir".to_owned(), value: "rtl".to_owned() });
    }
}
