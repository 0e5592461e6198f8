//! Anonymous boxes for multi-column layout: each is laid out as one long column.

use crate::anonymous_table_boxes::{BoxChild, TablePart};
use crate::multicol::{Fragments, Multicol};
use limner_page::NodeId;
use limner_page::dom::Element;
use limner_style::ComputedStyle;
use limner_style::property::Longhand;

/// Controls, which are never broken between columns, nor are replaced elements.
const CONTROLS: &[&str] = &["input", "select", "textarea"];

/// The content between two spanning elements.
#[derive(Debug)]
pub(crate) struct ColumnRun {
    pub(crate) container: NodeId,
    pub(crate) index: usize,
    pub(crate) fragments: Option<Fragments>,
}

/// A run of children, with its known columns and the declarations of its anonymous box.
type ColumnContentRun = ((Option<ColumnRun>, String), Vec<BoxChild>);

/// Splits the children of a container into runs of column content and spanning elements.
pub(crate) fn runs(multicol: &Multicol, container: NodeId, children: Vec<BoxChild>) -> Vec<ColumnContentRun> {
    let Some(width) = multicol.plan_of(container).map(|plan| plan.width) else { return Vec::new() };
    let mut runs = Vec::new();
    let mut run = Vec::new();
    let mut index = 0;
    for child in children.into_iter().map(Some).chain([None]) {
        if let Some(child) = child.filter(|child| child.part != TablePart::Spanner) {
            run.push(child);
            continue;
        }
        let inner = std::mem::take(&mut run);
        if inner.iter().any(|child| child.part != TablePart::Space) {
            let fragments = multicol.fragments(container, index).cloned();
            let height = fragments.as_ref().map(|fragments| format!(";height:{}px", fragments.height));
            let declarations = format!("display:flow-root;width:{width}px{}", height.unwrap_or_default());
            runs.push(((Some(ColumnRun { container, index, fragments }), declarations), inner));
            index += 1;
        }
        if let Some(spanner) = child {
            runs.push(((None, String::new()), vec![BoxChild { part: TablePart::Other, ..spanner }]));
        }
    }
    runs
}

/// Returns true if a box is never broken between columns (Fragmentation 3, section 4.1).
pub(crate) fn is_unbreakable(element: &Element, style: &ComputedStyle) -> bool {
    style.get(Longhand::BreakInside) != "auto"
        || style.overflow_y().scrolls()
        || style.display().is_atomic_inline()
        || style.is_floating()
        || element.is_replaced()
        || (element.in_html() && CONTROLS.contains(&element.name()))
}
