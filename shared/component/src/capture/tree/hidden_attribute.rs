//! Removes the `hidden` attribute from elements that the page renders all the same. On the page its rules override the
//! browser's rule for `hidden`; preflight's rule would override all rules of a component.

use super::SectionTree;
use crate::capture::environments::EnvironmentMatrix;
use crate::capture::request::CaptureRequest;
use limner_component_model::model::{Attribute, ElementId};
use limner_page::NodeId;
use limner_style::computed::Display;

/// Removes the attribute from elements that are rendered in some environment, or may be in some state. Rules then
/// declare where they are hidden.
pub(crate) fn remove_hidden_attributes(
    tree: &mut SectionTree,
    request: &CaptureRequest<'_>,
    environments: &EnvironmentMatrix,
) {
    let is_hidden = |own: &Attribute| own.name == "hidden" && !own.value.eq_ignore_ascii_case("until-found");
    let hidden: Vec<(usize, NodeId)> = (0..tree.elements.len())
        .filter(|at| tree.elements[*at].attributes.iter().any(is_hidden))
        .filter_map(|at| Some((at, tree.node(ElementId(at))?)))
        .collect();
    if hidden.is_empty() {
        return;
    }
    let mut page_styles = environments.map(|env| environments.page_styles(request, env));
    for (at, node) in hidden {
        let mut styles = page_styles.iter_mut().filter_map(|styles| styles.get(node));
        let is_displayed = styles.any(|style| style.display() != Display::None);
        if is_displayed || !request.index.state_blocks(node).is_empty() {
            tree.elements[at].attributes.retain(|own| !is_hidden(own));
        }
    }
}
