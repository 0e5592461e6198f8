//! Finds images whose size is known only from the file.

use crate::dom::{Document, Element, NodeId};

/// Returns the `img` elements without width and height attributes, for which layout needs the file's natural size. In
/// document order.
pub fn images_without_size(document: &Document) -> Vec<NodeId> {
    let pictures = document.elements_named("img").filter(|(_, element)| !has_size_attributes(element));
    pictures.map(|(node, _)| node).collect()
}

fn has_size_attributes(element: &Element) -> bool {
    ["width", "height"].into_iter().all(|name| {
        let number = element.attr(name).and_then(|text| text.trim().trim_end_matches("px").parse::<f32>().ok());
        number.is_some_and(|number| number > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_without_both_size_attributes_are_found() {
        for (html, expected) in [
            ("<img src=a.png>", 1),
            ("<img src=a.png><img src='a.png#x'><img>", 3),
            ("<img src=a.png width=10>", 1),
            ("<img src=a.png width='100%' height=10>", 1),
            ("<img src=a.png width=10 height=10px>", 0),
            ("<picture><source srcset=a.png></picture>", 0),
        ] {
            assert_eq!(images_without_size(&Document::parse(html)).len(), expected, "{html}");
        }
    }
}
