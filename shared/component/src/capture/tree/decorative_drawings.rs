//! Hides drawings without a name from assistive technology (<https://www.w3.org/TR/svg-aam-1.0/#include_elements>).
//!
//! Before → after: `<svg focusable="false" role="img">` → `<svg aria-hidden="true">`.

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
        let is_outermost = element.tag == "svg";
        drop_repetitions(&mut tree.elements[at]);
        let parent = tree.origins[at].parent;
        match parent.filter(|parent| tree.elements[parent.0].namespace == Namespace::Svg) {
            Some(parent) => says[parent.0] |= says[at],
            None if !says[at] && is_outermost => hide(&mut tree.elements[at]),
            None => {}
        }
    }
}

/// Removes what a hidden drawing says of itself again, and an attribute that only Internet Explorer reads.
fn drop_repetitions(element: &mut Element) {
    let is_hidden = element.attribute("aria-hidden") == Some("true");
    element.attributes.retain(|own| match own.name.as_str() {
        "focusable" => false,
        "role" => !(is_hidden && matches!(own.value.as_str(), "img" | "presentation" | "none" | "graphics-symbol")),
        _ => true,
    });
}

fn speaks(element: &Element) -> bool {
    SAYING.contains(&&*element.tag) || element.attributes.iter().any(|attribute| DECIDED.contains(&&*attribute.name))
}

fn hide(element: &mut Element) {
    element.attributes.push(Attribute { name: "aria-hidden".to_owned(), value: "true".to_owned() });
}
