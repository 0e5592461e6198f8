//! Margins that browsers ignore in quirks mode: those which the browser's own stylesheet gives to the first or last
//! element in a table cell, or to the first one in the body (HTML, "Margin collapsing quirks"). Their computed values
//! are nevertheless not 0. A component is pasted into standards-mode pages, where these margins apply, so it declares
//! `0px`. The same is done for lines that would wrap between images in a table cell.

use super::image_only_lines;
use crate::capture::context::SectionContext;
use crate::capture::environments::{EnvId, EnvMap};
use crate::capture::flow;
use crate::capture::root::formatting_context::Edge;
use limner_component_model::model::{Child, ElementId};
use limner_page::dom::QuirksMode;
use limner_style::computed::{Display, WhiteSpaceCollapse};
use limner_style::property::Longhand as L;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{ComputedStyle, Origin, SpecifiedValue, Styles};
use std::collections::BTreeSet;

/// An element and the margin that is ignored.
pub(crate) type QuirkMargin = (ElementId, L);

/// Returns these margins by environment.
pub(crate) fn find_quirk_margins(context: &SectionContext<'_>) -> EnvMap<BTreeSet<QuirkMargin>> {
    if context.view.document.quirks_mode() != QuirksMode::Quirks {
        return EnvMap::default();
    }
    context.environments.map(|env| ignored_margins_in(context, env))
}

/// Returns by environment the table cells that contain only images in one line, which never wraps in quirks mode
/// (Quirks Mode, "the table cell width calculation quirk").
pub(crate) fn unbreakable_cells(context: &SectionContext<'_>) -> EnvMap<BTreeSet<ElementId>> {
    if context.view.document.quirks_mode() != QuirksMode::Quirks {
        return EnvMap::default();
    }
    let elements = &context.tree.elements;
    let in_cell = |env: EnvId| {
        let is_picture = |child: &Child| {
            matches!(child, Child::Element(child) if elements[child.0].tag == "img"
                && context.computed[child.0][env].display() == Display::Inline)
        };
        let holds_line = |element: &ElementId| {
            let (style, children) = (&context.computed[element.0][env], &elements[element.0].children);
            style.display() == Display::TableCell
                && style.get(L::Width) == "auto"
                && children.len() > 1
                && children.iter().all(is_picture)
        };
        (0..elements.len()).map(ElementId).filter(holds_line).collect()
    };
    context.environments.map(in_cell)
}

/// Returns the ignored margins in one environment.
fn ignored_margins_in(context: &SectionContext<'_>, env: EnvId) -> BTreeSet<QuirkMargin> {
    let styles = context.environments.page_styles(context.request, env);
    let mut page = QuirkScan { context, env, styles, margins: BTreeSet::new() };
    for container in (0..context.tree.elements.len()).map(ElementId) {
        if page.style(container).display() == Display::TableCell {
            page.scan_edge(container, Edge::Top);
            page.scan_edge(container, Edge::Bottom);
        }
    }
    if context.view.document.body() == Some(context.tree.origins[0].node) {
        page.scan_edge(ElementId(0), Edge::Top);
    }
    page.margins
}

/// The search in one environment.
struct QuirkScan<'p, 'r> {
    context: &'p SectionContext<'r>,
    env: EnvId,
    styles: Styles<'p>,
    margins: BTreeSet<QuirkMargin>,
}

impl<'p> QuirkScan<'p, '_> {
    fn style(&self, element: ElementId) -> &'p ComputedStyle {
        &self.context.computed[element.0][self.env]
    }

    /// Finds the ignored margins at an edge of a container, from the outermost.
    fn scan_edge(&mut self, container: ElementId, edge: Edge) {
        let mut next = Some(container);
        while let Some(element) = next.filter(|element| !self.generates(*element, edge)) {
            next = self.scan_element_edge(element, edge);
        }
    }

    /// Examines the contents of an element at that edge. Returns the child at the edge if its own contents have to be
    /// examined next, because margins escape from it.
    fn scan_element_edge(&mut self, parent: ElementId, edge: Edge) -> Option<ElementId> {
        let children = &self.context.tree.elements[parent.0].children;
        let mut from_edge: Box<dyn Iterator<Item = &Child>> = match edge {
            Edge::Top => Box::new(children.iter()),
            Edge::Bottom => Box::new(children.iter().rev()),
        };
        from_edge.find_map(|child| match child {
            Child::Text(text) => (!text.trim_ascii().is_empty()).then_some(None),
            Child::Element(child) if self.is_transparent_to_margins(*child) => None,
            Child::Element(child) if self.margins_collapse_through(*child) => {
                self.record_margin(*child, Edge::Top);
                self.record_margin(*child, Edge::Bottom);
                None
            }
            Child::Element(child) => {
                self.record_margin(*child, edge);
                let style = self.style(*child);
                let is_open = edge.is_edge_open(style) && (edge == Edge::Top || style.get(L::Height) == "auto");
                Some(is_open.then_some(*child))
            }
        })?
    }

    fn record_margin(&mut self, element: ElementId, edge: Edge) {
        if self.is_user_agent_margin(element, edge) {
            self.margins.insert((element, edge.margin()));
        }
    }

    /// Returns true if an element is an empty block, whose own margins collapse.
    fn margins_collapse_through(&mut self, element: ElementId) -> bool {
        let style = self.style(element);
        let is_space = |child: &Child| matches!(child, Child::Text(text) if text.trim_ascii().is_empty());
        self.context.tree.elements[element.0].children.iter().all(is_space)
            && style.white_space_collapse() == WhiteSpaceCollapse::Collapse
            && Edge::Top.is_edge_open(style)
            && Edge::Bottom.is_edge_open(style)
            && style.get(L::Height) == "auto"
            && !self.generates(element, Edge::Top)
            && !self.generates(element, Edge::Bottom)
    }

    /// Returns true if an element does not affect the position of what follows it.
    fn is_transparent_to_margins(&self, element: ElementId) -> bool {
        let (own, style) = (&self.context.tree.elements[element.0], self.style(element));
        let is_empty = own.children.is_empty() && own.tag != "br" && !flow::has_own_size(own);
        image_only_lines::makes_no_box(own, style)
            || (is_empty && style.display() == Display::Inline && image_only_lines::is_empty_inline(style))
    }

    fn generates(&mut self, element: ElementId, edge: Edge) -> bool {
        let pseudo = if edge == Edge::Top { Pseudo::Before } else { Pseudo::After };
        flow::generates(self.context, (element, pseudo), self.env, &mut self.styles)
    }

    /// Returns true if a margin comes from the browser's stylesheet, and is one of those that are ignored at such an
    /// edge.
    fn is_user_agent_margin(&mut self, element: ElementId, edge: Edge) -> bool {
        const QUIRK_BOTH_MARGINS: [&str; 5] = ["p", "pre", "xmp", "listing", "plaintext"];
        const QUIRK_TOP_MARGIN: [&str; 12] =
            ["blockquote", "dir", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "menu", "ol", "ul"];
        let context = self.context;
        let tag = context.tree.elements[element.0].tag.as_str();
        if !QUIRK_BOTH_MARGINS.contains(&tag) && (edge == Edge::Bottom || !QUIRK_TOP_MARGIN.contains(&tag)) {
            return false;
        }
        let by_browser = |own: &SpecifiedValue| own.origin == Origin::UserAgent && own.value != "0";
        let specified = context
            .tree
            .node(element)
            .and_then(|node| self.styles.specified(node, None, &context.view.base, &|_| None));
        specified.is_some_and(|own| own.get(edge.margin()).is_some_and(by_browser))
    }
}
