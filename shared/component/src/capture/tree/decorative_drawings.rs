//! Hides drawings without a name from assistive technology (<https://www.w3.org/TR/svg-aam-1.0/#include_elements>).

use super::SectionTree;
use limner_component_model::model::{Attribute, Element, Namespace};

/// Attributes with which an author has decided what assistive technology gets of a drawing.
const DECIDED: [&str; 6] = ["aria-describedby", "aria-hidden", "aria-label", "aria-labelledby", "role", "tabindex"];
/// Elements that give a drawing a name, or that a visitor uses.
const SAYING: [&str; 6] = ["a", "desc", "foreignObject", "image", "text", "title"];

/// Adds `aria-hidden` to each drawing that says nothing: an icon beside a text, or the only content of a link that has no
/// name anyway.
pub(super) fn hide_decorative_drawings(tree: &mut SectionTree) {
    let mut says = vec![false; tree.elements.len()];
    for at in (0..tree.elements.len()).rev() {
        let element = &tree.elements[at];
        if element.namespace != Namespace::Svg {
            continue;
        }
        says[at] |= speaks(element);
        let parent = tree.origins[at].parent;
        match parent.filter(|parent| tree.elements[parent.0].namespace == Namespace::Svg) {
            Some(parent) => says[parent.0] |= says[at],
            None if !says[at] && element.tag == "svg" => hide(&mut tree.elements[at]),
            None => {}
        }
    }
}

fn speaks(element: &Element) -> bool {
    SAYING.contains(&&*element.tag) || element.attributes.iter().any(|attribute| DECIDED.contains(&&*attribute.name))
}

fn hide(element: &mut Element) {
    element.attributes.push(Attribute { name: "aria-hidden".to_owned(), value: "true".to_owned() });
}
