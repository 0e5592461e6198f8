//! Visits the attributes and texts of output elements.

use limner_component_model::ir::{Node, OutputElement, Value};

/// Visits every attribute and text of a tree.
pub(super) fn for_each_value(tag: &mut OutputElement, visit: &mut impl FnMut(&mut Value)) {
    tag.attributes.iter_mut().for_each(|attribute| visit(&mut attribute.value));
    for child in &mut tag.children {
        match child {
            Node::Tag(child) => for_each_value(child, visit),
            Node::Text(text) => visit(text),
            Node::Slot(_) => {}
        }
    }
}
