//! The section and its styles on the page. What is worked out about the section is worked out from these.

use super::environments::{EnvId, EnvMap, EnvironmentMatrix};
use super::request::CaptureRequest;
use super::tree::SectionTree;
use limner_page::NodeId;
use limner_page_view::PageView;
use limner_style::ComputedStyle;
use limner_style::layout::Boxes;
use std::sync::Arc;

/// Minimum width of a desktop's viewport in pixels.
const DESKTOP: f64 = 768.0;

/// A section on its page. It is complete once all elements have their styles, and never changes after that.
pub(super) struct SectionContext<'r> {
    pub(super) view: &'r PageView<'r>,
    pub(super) request: &'r CaptureRequest<'r>,
    pub(super) tree: &'r SectionTree,
    pub(super) environments: &'r EnvironmentMatrix,
    /// Styles on the page, by element; filled in document order.
    pub(super) computed: Vec<EnvMap<Arc<ComputedStyle>>>,
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
        Self { view, request, tree, environments, computed }
    }

    /// Returns the style of any element of the page in one environment.
    pub(super) fn computed_style(&self, node: NodeId, env: EnvId) -> Option<Arc<ComputedStyle>> {
        self.environments.page_styles(self.request, env).get(node)
    }

    /// Returns the boxes in the viewport that represents an environment: the narrowest one, or a desktop's.
    pub(super) fn boxes(&self, env: EnvId) -> Option<Boxes> {
        let is_wide = self.environments.environment(env).width >= DESKTOP;
        let viewport = if is_wide { self.environments.desktop() } else { EnvId::default() };
        self.view.boxes(&self.environments.environment(viewport))
    }
}
