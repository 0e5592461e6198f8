//! Anonymous boxes: tables with their captions, columns and cells, columns of text, lines.

use super::{BoxContent, Builder, MAX_COLUMN_SPAN, MAX_SPANNED, attribute, html_name};
use crate::anonymous_table_boxes;
use crate::anonymous_table_boxes::{AnonymousBoxBuilder, BoxChild, TablePart};
use crate::inline_runs::ChildPositions;
use crate::multicol_tree;
use blitz_traits::node_id::NodeId as EngineNode;
use limner_page::NodeId;
use limner_page::dom::Element;
use limner_style::ComputedStyle;
use limner_style::computed::TableLayout;
use limner_style::property::Longhand;
use std::sync::Arc;

/// Maximum number of other cells in a row that are checked.
const MAX_COLUMNS: usize = 100;

impl Builder<'_, '_, '_> {
    /// Wraps a box so that its line exists even if the box has no height.
    pub(super) fn with_line_strut(&mut self, flat: EngineNode) -> EngineNode {
        let strut = self.line_strut().node;
        self.anonymous("display:inline", &[flat, strut]).node
    }

    /// Builds a strut: a line as high as one with text.
    pub(super) fn line_strut(&mut self) -> BoxChild {
        let nothing = self.mutator.create_text_node("\u{200b}");
        self.anonymous("display:inline;letter-spacing:0", &[nothing])
    }

    /// Adds an empty box of the width of margin, border and padding, which the engine ignores on inline boxes.
    pub(super) fn edge_spacer(&mut self, width: f32, children: &mut Vec<BoxChild>) {
        if width > 0.0 {
            children.push(self.anonymous(&format!("display:inline-block;width:{width}px"), &[]));
        }
    }

    pub(super) fn anonymous(&mut self, declarations: &str, inner: &[EngineNode]) -> BoxChild {
        let class = self.rules.class(declarations);
        let built = self.mutator.create_element(html_name("div"), vec![attribute("class", format!("r{class}"))]);
        self.mutator.append_children(built, inner);
        BoxChild { node: built, part: TablePart::Other }
    }

    /// Builds the wrapper box of a table with captions (CSS 2, section 17.4), which the engine lacks.
    pub(super) fn captioned(
        &mut self,
        table: EngineNode,
        style: &Arc<ComputedStyle>,
        captions: &[EngineNode],
    ) -> EngineNode {
        // Captions are as wide as the table, and don't widen it.
        let captions = self.anonymous("display:block;width:0;min-width:100%", captions);
        let table = BoxChild { node: table, part: TablePart::Other };
        let below = style.get(Longhand::CaptionSide) == "bottom";
        let children = if below { vec![table, captions] } else { vec![captions, table] };
        let mut extra = "display:block;height:auto;min-height:0;border:0 none;padding:0;".to_owned();
        if style.get(Longhand::Width) == "auto" {
            extra.push_str("width:fit-content;");
        }
        self.make(style, BoxContent { name: "div", attributes: Vec::new(), extra, children })
    }

    /// Wraps the content between spanning elements in boxes as wide as a column, and as high if the height is known.
    pub(super) fn wrap_in_columns(&mut self, container: NodeId, children: &mut Vec<BoxChild>) {
        let all = std::mem::take(children);
        for (known, run) in multicol_tree::runs(self.columns.multicol(), container, all) {
            let (Some(known), declarations) = known else {
                children.extend(run);
                continue;
            };
            let wrapper = self.anonymous(&declarations, &anonymous_table_boxes::nodes(&run));
            self.mapping.in_columns.insert(wrapper.node, known);
            children.push(wrapper);
        }
    }

    /// Replaces a table's columns with columns of these widths.
    pub(super) fn set_column_widths(&mut self, children: &mut Vec<BoxChild>, widths: &[f32]) {
        children.retain(|child| child.part != TablePart::Column);
        let columns = widths.iter().map(|width| {
            // The engine treats zero as no width.
            let column = self.anonymous(&format!("display:table-column;width:{}px", width.max(0.01)), &[]);
            BoxChild { part: TablePart::Column, ..column }
        });
        let columns: Vec<BoxChild> = columns.collect();
        children.splice(0..0, columns);
    }

    /// Builds a placeholder for a cell in several columns that is measured separately.
    pub(super) fn stand_in_cell(&mut self, cell: EngineNode, attributes: Vec<(&'static str, String)>) -> EngineNode {
        let standing = self.anonymous("display:table-cell", &[cell]).node;
        for (name, value) in attributes {
            self.mutator.set_attribute(standing, attribute(name, String::new()).name, &value);
        }
        standing
    }

    pub(super) fn is_in_fieldset(&self, node: NodeId) -> bool {
        let parent = self.document.parent(node).and_then(|parent| self.document.element(parent));
        parent.is_some_and(|parent| parent.is_html("fieldset"))
    }

    /// Returns true if an element has no siblings but white space.
    pub(super) fn is_only_child(&self, node: NodeId) -> bool {
        let document = self.document;
        document.parent(node).is_some_and(|parent| {
            document.children(parent).filter(|child| *child != node).all(|child| match document.text(child) {
                Some(text) => text.trim().is_empty(),
                None => document.element(child).is_none(),
            })
        })
    }

    /// Returns true for a cell of width 100 % in a table of fixed layout whose other cells have widths: it gets the
    /// remaining width.
    pub(super) fn takes_remaining_width(&mut self, cell: NodeId, style: &ComputedStyle) -> bool {
        if style.get(Longhand::Width) != "100%" {
            return false;
        }
        let document = self.document;
        let mut styles_around = document.ancestors(cell).filter_map(|around| self.styles.get(around));
        let table = styles_around.find(|style| style.display().is_table());
        table.is_some_and(|table| table.table_layout() == TableLayout::Fixed && table.get(Longhand::Width) != "auto")
            && document.parent(cell).is_some_and(|row| {
                let mut others = document.child_elements(row).filter(|(other, _)| *other != cell).peekable();
                let mut has_width = |other| self.styles.get(other).is_some_and(|style| has_width(&style));
                others.peek().is_some()
                    && others.by_ref().take(MAX_COLUMNS).all(|(other, _)| has_width(other))
                    && others.next().is_none()
            })
    }

    /// Builds the children of a block container with lines and blocks; `contains`: it contains its floats.
    pub(super) fn wrap_inline_runs(
        &mut self,
        places: &ChildPositions,
        children: &[BoxChild],
        style: &ComputedStyle,
        contains: bool,
    ) -> Vec<BoxChild> {
        let mut all = Vec::with_capacity(children.len());
        for mut run in places.runs(children) {
            if run.begins_with_atomic && style.get(Longhand::TextWrapMode) == "nowrap" {
                // Only text tells the engine that a line is not wrapped.
                run.children.insert(0, self.line_strut());
            }
            let is_plain = !run.children.iter().any(|child| child.part.is_internal());
            let is_broken = style.get(Longhand::TextWrapMode) != "nowrap";
            if run.has_late_float && is_plain && is_broken && places.can_wrap_runs(contains) {
                // The static position of boxes before the line is that of the line.
                let aside = run.children.iter().take_while(|child| child.part == TablePart::Aside).count();
                all.extend(run.children.drain(..aside));
                // Next to blocks, and with the box that clears floats, the engine breaks the line at a float.
                all.push(self.anonymous("display:block", &anonymous_table_boxes::nodes(&run.children)));
            } else {
                all.extend(run.children);
            }
            all.extend(run.block);
        }
        all
    }

    /// Sets the spans of a cell, limited to the engine's range.
    pub(super) fn spans(&mut self, body: &mut BoxContent, element: &Element) {
        for (name, most) in [("colspan", MAX_COLUMN_SPAN), ("rowspan", MAX_SPANNED)] {
            let given = element.attr(name).and_then(|text| text.trim().parse::<u32>().ok()).unwrap_or(1);
            let span = given.clamp(1, most);
            if span > 1 && self.spanned + span <= MAX_SPANNED {
                self.spanned += span;
                body.attributes.push((name, span.to_string()));
            }
        }
    }
}

fn has_width(style: &ComputedStyle) -> bool {
    style.get(Longhand::Width).ends_with("px")
}

pub(super) fn extract_captions(children: &mut Vec<BoxChild>) -> Vec<EngineNode> {
    let captions = anonymous_table_boxes::nodes(
        &children.iter().copied().filter(|child| child.part == TablePart::Caption).collect::<Vec<_>>(),
    );
    children.retain(|child| child.part != TablePart::Caption);
    captions
}

impl AnonymousBoxBuilder for Builder<'_, '_, '_> {
    fn wrap(&mut self, display: &'static str, children: &[EngineNode]) -> EngineNode {
        let built = self.anonymous(&format!("display:{display}"), children).node;
        if display == "table-row" {
            self.mapping.rows.push(built);
        }
        built
    }
}
