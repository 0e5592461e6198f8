//! The baseline: the section's elements in the document that the component is pasted into, with no style but that
//! document's.

use super::tree::{self, SectionTree};
use limner_component_model::model::{Baseline, ElementId};
use limner_page::{Document, NodeId, PageSnapshot, SheetOwner, Stylesheet};
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{ComputedStyle, Environment, StyleIndex, Styles};
use std::sync::Arc;

/// The part of Tailwind v4's preflight that styles elements (tailwindcss 4, `preflight.css`).
pub(crate) const PREFLIGHT: &str = include_str!("preflight.css");

/// Returns the stylesheet that the baseline has in addition to the browser's.
pub(super) fn baseline_sheet(baseline: Baseline) -> Option<Stylesheet> {
    let preflight =
        || Stylesheet { owner: SheetOwner::Adopted, text: Some(PREFLIGHT.to_owned()), ..Stylesheet::default() };
    (baseline == Baseline::Preflight).then(preflight)
}

/// Builds the baseline page. Each element has the class `e` followed by its index.
pub(super) fn baseline_page(tree: &SectionTree, baseline: Baseline) -> PageSnapshot {
    PageSnapshot {
        html: tree::markup(&tree.elements),
        sheets: baseline_sheet(baseline).into_iter().collect(),
        ..PageSnapshot::default()
    }
}

/// The elements of the baseline page, and its rules.
pub(super) struct BaselineDocument<'b> {
    index: &'b StyleIndex<'b>,
    /// By element of the section; `None` for an element that the parser dropped.
    nodes: Vec<Option<NodeId>>,
    body: Option<NodeId>,
}

impl<'b> BaselineDocument<'b> {
    /// Finds the elements of a section in the baseline page.
    pub(super) fn new(index: &'b StyleIndex<'b>, tree: &SectionTree) -> Self {
        let document = index.document();
        Self { index, nodes: nodes_by_element(document, tree.elements.len()), body: document.body() }
    }

    /// Returns the styles in an environment.
    pub(super) fn styles(&self, environment: &Environment) -> Styles<'b> {
        self.index.styles(environment)
    }

    /// Returns the style of the unstyled element, or of its pseudo-element, below `parent`; `None` stands for the body.
    pub(super) fn style(
        &self,
        styles: &mut Styles<'b>,
        (element, pseudo): (ElementId, Option<Pseudo>),
        parent: Option<Arc<ComputedStyle>>,
    ) -> Arc<ComputedStyle> {
        let parent = parent.or_else(|| self.body.and_then(|body| styles.get(body)));
        // The parser may have dropped the element: then the body stands in for it.
        let node = self.nodes[element.0].or(self.body).unwrap_or_else(|| self.index.document().root());
        styles.computed_with_parent(node, pseudo, parent.as_ref())
    }
}

/// Returns the nodes of the baseline document by the index in their class.
fn nodes_by_element(document: &Document, count: usize) -> Vec<Option<NodeId>> {
    let mut nodes = vec![None; count];
    for (node, element) in document.elements() {
        let number = element.classes().first().and_then(|class| class.strip_prefix('e')?.parse::<usize>().ok());
        if let Some(slot) = number.and_then(|number| nodes.get_mut(number)) {
            *slot = slot.or(Some(node));
        }
    }
    nodes
}
