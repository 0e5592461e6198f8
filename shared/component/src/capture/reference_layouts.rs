//! The boxes of the page in the two viewports in which positions are measured: the narrowest, and a desktop's.

use super::environments::{EnvId, EnvironmentMatrix};
use limner_page_view::PageView;
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

impl ReferenceLayouts {
    /// Returns the boxes in the viewport that represents an environment.
    pub(super) fn boxes(&self, view: &PageView<'_>, environments: &EnvironmentMatrix, env: EnvId) -> Option<&Boxes> {
        let is_wide = environments.environment(env).width >= DESKTOP;
        let (known, env) =
            if is_wide { (&self.desktop, environments.desktop()) } else { (&self.narrow, EnvId::default()) };
        known.get_or_init(|| view.boxes(&environments.environment(env))).as_ref()
    }
}
