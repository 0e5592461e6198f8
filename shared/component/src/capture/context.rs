//! The section and its styles on the page. What is worked out about the section is worked out from these.

use super::environments::{EnvId, EnvMap, EnvironmentMatrix};
use super::reference_layouts::ReferenceLayouts;
use super::request::CaptureRequest;
use super::tree::SectionTree;
use limner_page::NodeId;
use limner_page_view::PageView;
use limner_style::ComputedStyle;
use limner_style::layout::Boxes;
use std::sync::Arc;

/// A section on its page. It is complete once all elements have their styles, and never changes after that.
pub(super) struct SectionContext<'r> {
    pub(super) view: &'r PageView<'r>,
    pub(super) request: &'r CaptureRequest<'r>,
    pub(super) tree: &'r SectionTree,
    pub(super) environments: &'r EnvironmentMatrix,
    /// Styles on the page, by element; filled in document order.
    pub(super) computed: Vec<EnvMap<Arc<ComputedStyle>>>,
    layouts: ReferenceLayouts,
}

impl<'r> SectionContext<'r> {
    /// Returns the context of a section whose elements have no styles yet.
    pub(super) fn new(
        view: &'r PageView<'r>,
        request: &'r CaptureRequest<'r>,
        tree: &'r SectionTree,
        environments: &'r EnvironmentMatrix,
    ) -> Self {
        let computed = Vec::with_capacity(tree.elements.len());
        Self { view, request, tree, environments, computed, layouts: ReferenceLayouts::default() }
    }

    /// Returns the style of any element of the page in one environment.
    pub(super) fn computed_style(&self, node: NodeId, env: EnvId) -> Option<Arc<ComputedStyle>> {
        self.environments.page_styles(self.request, env).get(node)
    }

    /// Returns the boxes in the viewport that represents an environment.
    pub(super) fn boxes(&self, env: EnvId) -> Option<&Boxes> {
        self.layouts.boxes(self.view, self.environments, env)
    }
}
