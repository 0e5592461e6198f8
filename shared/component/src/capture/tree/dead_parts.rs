//! Leaves out elements that do nothing: sources that cannot be chosen, and data of scripts in fields that nobody sees.
//!
//! Before → after: `<video src="a.mp4"><source type="video/mp4"></video>` → `<video src="a.mp4">`.

use super::{Builder, attributes};
use limner_assets::svg::svg_sources::SourceNode;
use limner_component_model::model::{ElementId, Namespace};
use limner_page::{NodeId, dom};
use limner_style::computed::Display;

/// Maximum number of elements around a field that decide if it is shown.
const MAX_FIELD_DEPTH: usize = 16;

impl Builder<'_> {
    /// Returns true for an element that does nothing: a source that cannot be chosen, and data of a form builder in a field that
    /// nobody sees.
    pub(super) fn is_dead(&mut self, part: SourceNode, element: &dom::Element, parent: Option<ElementId>) -> bool {
        if element.is_html("textarea") {
            return part.source == 0 && self.is_hidden_data(part.node);
        }
        if !element.is_html("source") {
            return false;
        }
        let attributes = attributes::retained_attributes(element, Namespace::Html, &self.urls, false);
        let value = |name: &str| attributes.iter().find(|own| own.name == name).map(|own| own.value.clone());
        let (source, set) = (value("src"), value("srcset"));
        let Some(parent) = parent.filter(|_| source.is_some() || set.is_some()) else { return true };
        let around = &self.tree.elements[parent.0];
        let is_ignored = around.tag != "picture" && around.attribute("src").is_some();
        // The same files under the same condition: the first one is chosen, whatever the type says.
        let choice = (parent, [source, set, value("media")]);
        is_ignored || !self.sources.insert(choice)
    }

    /// Returns true for a field with structured data that is never shown, outside of a form.
    fn is_hidden_data(&mut self, field: NodeId) -> bool {
        let document = self.library.document(0);
        let text = document.text_content(field);
        let text = text.trim();
        let is_data =
            [('{', '}'), ('[', ']')].iter().any(|(open, close)| text.starts_with(*open) && text.ends_with(*close));
        let around: Vec<NodeId> = document.ancestors(field).take(MAX_FIELD_DEPTH).collect();
        let is_in_form = around.iter().any(|node| document.element(*node).is_some_and(|own| own.is_html("form")));
        if !is_data || is_in_form {
            return false;
        }
        let styles = self.styles();
        let mut chain = std::iter::once(field).chain(around);
        chain.any(|node| styles.get(node).is_some_and(|style| style.display() == Display::None))
    }
}
