//! Where things are on the page, in the two windows that places are measured in: the narrowest, and a desktop's.

use super::resolve::Resolver;
use limner_style::layout::Boxes;
use std::cell::OnceCell;

/// From this width on a window is one of a desktop.
const DESKTOP: f64 = 768.0;

/// The layouts of the page, each made once when it is first asked for. `None` within: the page is not laid out.
#[derive(Default)]
pub(super) struct Windows {
    narrow: OnceCell<Option<Boxes>>,
    desktop: OnceCell<Option<Boxes>>,
}

impl Resolver<'_> {
    /// Where things are in the window that stands for that of a cell.
    pub(super) fn boxes(&self, cell: usize) -> Option<&Boxes> {
        let is_wide = self.grid.environment(cell).width >= DESKTOP;
        let Windows { narrow, desktop } = &self.windows;
        let (known, cell) = if is_wide { (desktop, self.grid.desktop()) } else { (narrow, 0) };
        known.get_or_init(|| self.view.layout.boxes(self.view.page, &self.grid.environment(cell))).as_ref()
    }
}
