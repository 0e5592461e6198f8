//! The boxes of the page in the two viewports in which positions are measured: the narrowest, and a desktop's.

use super::diff::rule_resolver::RuleResolver;
use super::environments::EnvId;
use limner_style::layout::Boxes;
use std::cell::OnceCell;

/// Minimum width of a desktop's viewport in pixels.
const DESKTOP: f64 = 768.0;

/// The layouts of the page, each computed on first use. `None` if the page has no layout.
#[derive(Default)]
pub(super) struct ReferenceLayouts {
    narrow: OnceCell<Option<Boxes>>,
    desktop: OnceCell<Option<Boxes>>,
}

impl RuleResolver<'_> {
    /// Returns the boxes in the viewport that represents an environment.
    pub(super) fn boxes(&self, env: EnvId) -> Option<&Boxes> {
        let is_wide = self.grid.environment(env).width >= DESKTOP;
        let ReferenceLayouts { narrow, desktop } = &self.reference_layouts;
        let (known, env) = if is_wide { (desktop, self.grid.desktop()) } else { (narrow, EnvId::default()) };
        known.get_or_init(|| self.view.layout.boxes(self.view.page, &self.grid.environment(env))).as_ref()
    }
}
