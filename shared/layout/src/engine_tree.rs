//! Builds the engine's tree: the document's flat tree as `div`s with its computed styles.

use crate::anonymous_table_boxes;
use crate::anonymous_table_boxes::{BoxChild, TablePart};
use crate::baselines;
use crate::collapsed_borders::CollapsedBorders;
use crate::engine_stylesheet::ClassTable;
use crate::form_controls;
use crate::form_controls::ControlContent;
use crate::generated_content;
use crate::icon_font_widths;
use crate::inline_runs;
use crate::inline_runs::{ChildPositions, makes_no_line};
use crate::line_breaking;
use crate::measure::Measurements;
use crate::multicol_tree;
use crate::multicol_tree::ColumnRun;
use crate::natural_size::{ImageSizes, NaturalSize};
use crate::replaced::{automatic_min_width, replaced};
use crate::shrink_to_fit::StyledTree;
use anonymous_boxes::extract_captions;
use blitz_dom::{Attribute, DocumentMutator, LocalName, QualName, ns};
use blitz_traits::node_id::NodeId as EngineNode;
use limner_page::dom::{Element, NodeKind, QuirksMode};
use limner_page::{Document, NodeId};
use limner_style::computed::{Direction, Display, WhiteSpaceCollapse};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement;
use limner_style::{ComputedStyle, Styles};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

mod anonymous_boxes;

/// Number of boxes from which on a page is not laid out.
pub(crate) const MAX_BOXES: usize = 200_000;
/// Maximum column span of a cell (HTML, "forming a table").
const MAX_COLUMN_SPAN: u32 = 1_000;
/// Maximum number of columns and rows of a table that spanning cells may take together: the engine counts in 16 bits,
/// so further cells span one of each.
const MAX_SPANNED: u32 = 20_000;

/// Maximum number of blocks between a control and the flex item that contains it.
const MAX_BLOCKS: usize = 4;

/// The boxes of the engine for each element.
#[derive(Debug, Default)]
pub(crate) struct NodeMapping {
    /// In document order.
    pub(crate) elements: Vec<(NodeId, EngineNode)>,
    /// Tables inside of the wrapper boxes that they share with their captions.
    pub(crate) captioned: Vec<(NodeId, EngineNode)>,
    /// Rows and row groups, for which the engine has no boxes, innermost first.
    pub(crate) rows: Vec<EngineNode>,
    /// Boxes that hold column content, and boxes that are not broken between columns.
    pub(crate) in_columns: HashMap<EngineNode, ColumnRun>,
    pub(crate) unbreakable: HashSet<EngineNode>,
    /// Inline blocks that are aligned by the baseline of their last line.
    pub(crate) inline_blocks: Vec<(NodeId, EngineNode)>,
    /// Boxes whose baseline the engine may lose.
    pub(crate) forgotten: HashMap<EngineNode, NodeId>,
}

pub(crate) struct Builder<'b, 'd, 'i> {
    document: &'d Document,
    styles: &'b mut Styles<'i>,
    flat: &'b limner_page::dom::FlatTree,
    images: ImageSizes<'d>,
    rules: ClassTable<'b>,
    mutator: DocumentMutator<'b>,
    mapping: NodeMapping,
    columns: Measurements,
    collapsed: CollapsedBorders,
    boxes: usize,
    spanned: u32,
    /// True if there are floats that no formatting context contains yet.
    floats: bool,
}

/// The result of building a tree.
pub(crate) struct BuiltTree {
    pub(crate) mapping: NodeMapping,
    pub(crate) columns: Measurements,
}

/// The contents of a box.
pub(crate) struct BoxContent {
    pub(crate) name: &'static str,
    pub(crate) attributes: Vec<(&'static str, String)>,
    /// Declarations besides the computed ones.
    pub(crate) extra: String,
    children: Vec<BoxChild>,
}

impl<'b, 'd, 'i> Builder<'b, 'd, 'i> {
    pub(crate) fn new(
        document: &'d Document,
        styles: &'b mut Styles<'i>,
        flat: &'b limner_page::dom::FlatTree,
        images: ImageSizes<'d>,
        rules: ClassTable<'b>,
        columns: Measurements,
        mutator: DocumentMutator<'b>,
    ) -> Self {
        let mapping = NodeMapping::default();
        let collapsed = CollapsedBorders::default();
        Self {
            document,
            styles,
            flat,
            images,
            rules,
            mutator,
            mapping,
            columns,
            collapsed,
            boxes: 0,
            spanned: 0,
            floats: false,
        }
    }

    /// Builds the tree below `root`, which becomes the engine's root element. `None` if nothing is rendered, or more than
    /// [`MAX_BOXES`] boxes are: the boxes of a part of a page mislead.
    pub(crate) fn build(mut self, document_node: EngineNode) -> Option<BuiltTree> {
        let root = self.document.document_element()?;
        let built = self.element(root, None)?;
        if self.boxes >= MAX_BOXES {
            return None;
        }
        let sheet_class = self.rules.class("display:none");
        let (rules, mut mutator) = (self.rules, self.mutator);
        let text = mutator.create_text_node(&rules.into_sheet());
        let attributes = vec![attribute("class", format!("r{sheet_class}"))];
        let style = mutator.create_element(html_name("style"), attributes);
        mutator.append_children(style, &[text]);
        mutator.append_children(built.node, &[style]);
        mutator.append_children(document_node, &[built.node]);
        self.mapping.elements.sort_unstable_by_key(|(node, _)| *node);
        Some(BuiltTree { mapping: self.mapping, columns: self.columns })
    }

    /// Builds the box of an element with its descendants; `None` if it has none.
    fn element(&mut self, node: NodeId, parent: Option<Display>) -> Option<BoxChild> {
        let document = self.document;
        let element = document.element(node)?;
        let style = self.styles.get(node)?;
        let display = style.display();
        // With scripting enabled `noscript` is not rendered, whatever its `display`; its contents are text.
        if display == Display::None || element.is_html("noscript") || self.boxes >= MAX_BOXES {
            return None;
        }
        self.boxes += 1;
        let beside = self.columns.float_adjustments(node, &style);
        let outer = std::mem::take(&mut self.floats);
        let around = self.flat.parent(document, node).and_then(|parent| self.styles.get(parent));
        let contains = style.establishes_block_formatting_context(around.as_deref());
        let mut body = self.body(node, element, &style, parent, contains);
        body.extra.push_str(beside);
        if body.name == "div" {
            let mut tree = StyledTree { document, flat: self.flat, styles: self.styles };
            body.extra.push_str(&tree.container_limit(node, &style).unwrap_or_default());
        }
        if contains && self.floats {
            // The engine loses the lower padding below floats.
            body.children.push(self.anonymous("display:block;clear:both", &[]));
        }
        self.floats = outer || (self.floats && !contains) || style.is_floating();
        if document.quirks_mode() == QuirksMode::Quirks && (parent.is_none() || Some(node) == document.body()) {
            fill_viewport(&mut body, &style, self.styles.environment().height);
        }
        if parent.is_none() && style.is_absolutely_positioned() {
            // The engine has no containing block for it.
            body.extra.push_str("position:static;");
        }
        let captions = if display == Display::Table { extract_captions(&mut body.children) } else { Vec::new() };
        if !captions.is_empty() {
            let width = if style.get(Longhand::Width) == "auto" { "auto" } else { "100%;box-sizing:border-box" };
            let inner = format!("margin:0;float:none;position:static;width:{width};min-width:0;max-width:none;");
            body.extra.insert_str(0, &inner);
        }
        // The engine gives a box that only contains empty inline boxes no size, whatever its declarations.
        let is_plain = body.name == "div" && body.extra.is_empty();
        let makes_no_line = display == Display::Inline && is_plain && makes_no_line(&body.children);
        let is_flat = is_plain && body.children.is_empty() && inline_runs::has_zero_height(&style);
        if display == Display::Inline && is_plain {
            // The engine makes an inline box with blocks inside a block.
            body.extra.push_str(inline_runs::without_upright_margins(&style));
        }
        if inline_runs::has_unbounded_cross_size(&style, parent) {
            body.extra.push_str("flex-wrap:nowrap;");
        }
        let is_div = body.name == "div" && !form_controls::shrinks_to_fit(element);
        let is_whole = body.name != "div" || multicol_tree::is_unbreakable(element, &style);
        let apart = self.columns.measure_separately(node);
        let spans = if apart.is_some() { std::mem::take(&mut body.attributes) } else { Vec::new() };
        body.extra.push_str(apart.unwrap_or_default());
        body.extra.push_str(&self.columns.line_declarations(node, &style));
        let mut built = self.make(&style, body);
        if !captions.is_empty() {
            self.mapping.captioned.push((node, built));
            built = self.captioned(built, &style, &captions);
        }
        if is_whole {
            self.mapping.unbreakable.insert(built);
        }
        let part = match part_of_style(&style) {
            TablePart::Other if makes_no_line => TablePart::Space,
            TablePart::Other if style.get(Longhand::ColumnSpan) == "all" => TablePart::Spanner,
            part => part,
        };
        self.record(node, built, &style, part, is_div);
        let node = if apart.is_some() {
            self.stand_in_cell(built, spans)
        } else if is_flat {
            self.with_line_strut(built)
        } else {
            built
        };
        Some(BoxChild { node, part })
    }

    /// Records the box of an element, by which its position is read back. `is_div`: the engine lays out its contents.
    fn record(&mut self, node: NodeId, built: EngineNode, style: &Arc<ComputedStyle>, part: TablePart, is_div: bool) {
        self.mapping.elements.push((node, built));
        if matches!(part, TablePart::Row | TablePart::Group) {
            self.mapping.rows.push(built);
        }
        if style.display() == Display::InlineBlock && is_div && baselines::aligns_by_last_line(style) {
            self.mapping.inline_blocks.push((node, built));
        }
        if baselines::loses_baseline(self.document, self.styles, node, style) {
            self.mapping.forgotten.insert(built, node);
        }
    }

    fn make(&mut self, style: &Arc<ComputedStyle>, body: BoxContent) -> EngineNode {
        let mut classes = self.rules.classes(style).to_string();
        if !body.extra.is_empty() {
            let extra = self.rules.overriding(&body.extra);
            classes.push_str(&format!(" r{extra}"));
        }
        let mut attributes = vec![attribute("class", classes)];
        attributes.extend(body.attributes.into_iter().map(|(name, value)| attribute(name, value)));
        let built = self.mutator.create_element(html_name(body.name), attributes);
        self.mutator.append_children(built, &anonymous_table_boxes::nodes(&body.children));
        built
    }

    fn body(
        &mut self,
        node: NodeId,
        element: &Element,
        style: &Arc<ComputedStyle>,
        parent: Option<Display>,
        contains: bool,
    ) -> BoxContent {
        let document = self.document;
        let display = style.display();
        let mut body = BoxContent { name: "div", attributes: Vec::new(), extra: String::new(), children: Vec::new() };
        if display == Display::Contents {
            body.children = self.children(node, element, style, parent.unwrap_or(display), false);
            return body;
        }
        if let Some(natural) = self.images.natural_size(document, node, element) {
            self.add_replaced(&mut body, natural, (node, element), style, parent);
            return body;
        }
        if element.is_html("br") {
            body.name = "br";
            return body;
        }
        let parent_is_flow = !parent.is_some_and(Display::is_flex_or_grid_container);
        // The legend of a fieldset is not an item of it.
        if form_controls::shrinks_to_fit(element)
            && (parent_is_flow || (element.is_html("legend") && self.is_in_fieldset(node)))
            && style.get(Longhand::Width) == "auto"
            && !style.is_absolutely_positioned()
        {
            body.extra.push_str("width:fit-content;");
        }
        if let Some(mut inside) = form_controls::control_content(document, node, element, style, self.rules.fonts()) {
            if style.get(Longhand::Width).contains('%') {
                if !parent_is_flow && style.get(Longhand::MinWidth) == "auto" {
                    // Sizing 3, section 5.2.2: its automatic minimum is compressed.
                    body.extra.push_str("min-width:0;");
                } else if self.is_in_sized_item(node) {
                    inside = inside.compressed();
                }
            }
            self.control(&mut body, inside);
            return body;
        }
        self.add_table_declarations(&mut body, (node, element), style);
        let is_button = form_controls::is_button(element) && !self.has_text(node);
        if !is_button && element.is_html("fieldset") && display == Display::Block {
            // Margins of its children don't collapse through it.
            body.extra.push_str("display:flow-root;");
        }
        body.children = self.children(node, element, style, display, contains);
        if is_button {
            // Without a line of text it is aligned by the lower edge of its contents.
            let nothing = self.mutator.create_text_node("\u{200b}");
            if !display.is_flex_or_grid_container() {
                body.children.push(self.anonymous("display:block;font-size:0;line-height:0", &[nothing]));
            }
            return body;
        }
        if self.columns.multicol().plan_of(node).is_some() {
            self.wrap_in_columns(node, &mut body.children);
        }
        if let Some(widths) = self.columns.column_widths(node).map(<[f32]>::to_vec) {
            self.set_column_widths(&mut body.children, &widths);
        }
        body
    }

    /// Adds the size of a replaced element, or the text that stands for it.
    fn add_replaced(
        &mut self,
        body: &mut BoxContent,
        natural: NaturalSize,
        (node, element): (NodeId, &Element),
        style: &Arc<ComputedStyle>,
        parent: Option<Display>,
    ) {
        if natural == NaturalSize::Broken && style.display() == Display::Inline {
            body.extra.push_str("display:inline-block;");
        }
        if let (NaturalSize::Broken, Some(text)) = (natural, element.attr("alt").filter(|text| !text.is_empty())) {
            // HTML, section 15.4.3: the alternative text replaces the image.
            body.children.push(self.text(text, style));
            return;
        }
        let is_item_of_row = self.is_item_of_row(node, parent);
        let least = if is_item_of_row { automatic_min_width(natural, style) } else { None };
        // An item of a column would be stretched without its width.
        let is_compressible = is_item_of_row || !parent.is_some_and(Display::is_flex_container);
        replaced(body, natural, style, is_compressible);
        body.extra.push_str(&least.unwrap_or_default());
    }

    /// Adds what tables, their cells and multi-column containers determine of a box.
    fn add_table_declarations(
        &mut self,
        body: &mut BoxContent,
        (node, element): (NodeId, &Element),
        style: &Arc<ComputedStyle>,
    ) {
        let display = style.display();
        if display == Display::TableCell {
            self.spans(body, element);
            if self.takes_remaining_width(node, style) {
                body.extra.push_str("width:auto;");
            }
        }
        if display.is_table() {
            self.collapsed.table(self.document, self.flat, self.styles, node, style);
            let extra = self.columns.table_declarations(self.document, self.flat, self.styles, node, style);
            body.extra.push_str(&extra.unwrap_or_default());
        }
        body.extra.push_str(&self.collapsed.declarations(node, style).unwrap_or_default());
        body.extra.push_str(self.columns.cell_declarations(node).unwrap_or_default());
        if let Some(height) = self.columns.skipped_height(node, style) {
            body.extra.push_str(&format!("box-sizing:content-box;height:{height}px;"));
        }
    }

    /// Returns true if an element is an item of a flex container with rows.
    fn is_item_of_row(&mut self, node: NodeId, parent: Option<Display>) -> bool {
        let style = self.flat.parent(self.document, node).and_then(|parent| self.styles.get(parent));
        parent.is_some_and(Display::is_flex_container) && style.is_some_and(|style| style.flex_direction().is_row())
    }

    /// Returns true if only blocks are between an element and a flex item with a definite flex basis: then the
    /// element's max-content width is not needed, only its min-content width.
    fn is_in_sized_item(&mut self, node: NodeId) -> bool {
        let document = self.document;
        let mut item = None;
        for around in document.ancestors(node).take(MAX_BLOCKS) {
            let Some(style) = self.styles.get(around) else { return false };
            match style.display() {
                Display::Block => item = Some(style),
                Display::Flex => {
                    let basis = item.as_ref().map_or("auto", |item| item.get(Longhand::FlexBasis));
                    return basis.ends_with('%') || basis.ends_with("px");
                }
                _ => return false,
            }
        }
        false
    }

    /// Returns true if an element contains text other than white space.
    fn has_text(&self, node: NodeId) -> bool {
        self.document
            .descendants(node)
            .any(|inner| self.document.text(inner).is_some_and(|text| !text.trim().is_empty()))
    }

    fn control(&mut self, body: &mut BoxContent, inside: ControlContent) {
        match inside {
            ControlContent::Scrolled(width, height) => {
                // A scroll container is aligned by its lower margin edge.
                let area = format!("display:block;width:{width}px;height:{height}px");
                body.children.push(self.anonymous(&area, &[]));
                body.extra.push_str("font-size:0;line-height:0;overflow:hidden;");
            }
            ControlContent::Area(width, height) => {
                // Its lower edge is aligned, whatever its margin and overflow.
                let area = format!("display:inline-block;width:{width}px;height:{height}px");
                body.children.push(self.anonymous(&area, &[]));
                body.extra.push_str("font-size:0;line-height:0;overflow:visible;");
            }
            ControlContent::Text { text, beside, above } => {
                // A control that clips is still aligned by its text.
                body.extra.push_str("overflow:visible;");
                if beside > 0.0 || above > 0.0 {
                    let room = format!("display:inline-block;width:{beside}px;height:0;margin-top:0");
                    body.children.push(self.anonymous(&room, &[]));
                    if above > 0.0 {
                        // The control grows by the space that the engine counts as padding.
                        let room = format!("display:block;height:{above}px");
                        body.children.push(self.anonymous(&room, &[]));
                    }
                }
                // An empty line is as high as one with text.
                let text = if text.is_empty() { "\u{200b}" } else { &text };
                let text = self.mutator.create_text_node(text);
                body.children.insert(0, BoxChild { node: text, part: TablePart::Other });
                if above > 0.0 || beside > 0.0 {
                    body.extra.push_str("white-space-collapse:preserve;text-wrap-mode:nowrap;");
                }
            }
        }
    }

    /// Builds the boxes inside of an element; `contains`: it contains its floats.
    fn children(
        &mut self,
        node: NodeId,
        element: &Element,
        style: &Arc<ComputedStyle>,
        display: Display,
        contains: bool,
    ) -> Vec<BoxChild> {
        let mut children = Vec::new();
        let edges = if display == Display::Inline { inline_edges(style) } else { (0.0, 0.0) };
        self.edge_spacer(edges.0, &mut children);
        if self.columns.is_text_below_floats(node) {
            children.push(self.anonymous("display:block;clear:both", &[]));
        }
        if let Some(marker) = generated_content::inside_marker(style) {
            let marker = self.mutator.create_text_node(marker);
            children.push(BoxChild { node: marker, part: TablePart::Other });
        }
        let mut places = ChildPositions::default();
        self.pseudo(node, element, PseudoElement::Before, display, &mut children, &mut places);
        for child in self.rendered_children(node, element) {
            match self.document.kind(child) {
                NodeKind::Text(text) => {
                    let at = children.len();
                    self.inline_text(text, style, &mut children);
                    if children.get(at).is_some_and(|child| child.part == TablePart::Space) {
                        places.add_space(at);
                    }
                }
                NodeKind::Element(_) => {
                    let Some(built) = self.element(child, Some(display)) else { continue };
                    if let Some(style) = self.styles.get(child) {
                        places.add(children.len(), &style);
                    }
                    children.push(built);
                }
                _ => {}
            }
        }
        self.pseudo(node, element, PseudoElement::After, display, &mut children, &mut places);
        if edges != (0.0, 0.0) && makes_no_line(&children[usize::from(edges.0 > 0.0)..]) && self.is_only_child(node) {
            // The edges of an inline box alone generate a line.
            children.push(self.line_strut());
        }
        self.edge_spacer(edges.1, &mut children);
        if display.is_block_container() {
            children = self.wrap_inline_runs(&places, &children, style, contains);
        }
        if element.is_html("details") {
            self.complete_details(node, element, &mut children);
        }
        if display == Display::Contents {
            return children;
        }
        if generated_content::has_outside_marker(style) && makes_no_line(&children) {
            // The outside marker generates a line.
            children.push(self.line_strut());
        }
        let children = anonymous_table_boxes::complete(display, children, self);
        if display != Display::Inline && makes_no_line(&children) { Vec::new() } else { children }
    }

    /// Adds the default summary to a `details` without one, and keeps margins inside closed contents (HTML, section
    /// 15.5.5).
    fn complete_details(&mut self, node: NodeId, element: &Element, children: &mut Vec<BoxChild>) {
        let has_summary = self.document.child_elements(node).any(|(_, child)| child.is_html("summary"));
        if !has_summary {
            let text = self.mutator.create_text_node("Details");
            let summary = self.anonymous("display:block", &[text]);
            children.insert(0, summary);
        }
        if element.attr("open").is_none() {
            children.push(self.anonymous("display:flow-root", &[]));
        }
    }

    /// Returns the children that are rendered: a closed `details` only shows its summary.
    fn rendered_children(&self, node: NodeId, element: &Element) -> Vec<NodeId> {
        let children = self.flat.children(self.document, node);
        if !element.is_html("details") || element.attr("open").is_some() {
            return children;
        }
        let summary = |child: &NodeId| self.document.element(*child).is_some_and(|element| element.is_html("summary"));
        children.into_iter().find(summary).into_iter().collect()
    }

    fn text(&mut self, text: &str, style: &ComputedStyle) -> BoxChild {
        let collapses = style.white_space_collapse() == WhiteSpaceCollapse::Collapse;
        let is_space = collapses && text.bytes().all(|byte| byte.is_ascii_whitespace());
        let part = if is_space { TablePart::Space } else { TablePart::Other };
        BoxChild { node: self.mutator.create_text_node(&line_breaking::with_browser_line_breaks(text)), part }
    }

    /// Adds text, or empty boxes for icons, since icon fonts are not fetched.
    fn inline_text(&mut self, text: &str, style: &ComputedStyle, children: &mut Vec<BoxChild>) {
        let mut by_ligature = || self.rules.difference(style).is_some_and(|difference| difference.is_icons);
        let em = if generated_content::are_icons(text) {
            icon_font_widths::width(style.get(Longhand::FontFamily), text)
        } else if generated_content::is_icon_name(text) && by_ligature() {
            1.0
        } else {
            children.push(self.text(text, style));
            return;
        };
        let width = style.font_size() * em;
        children.push(self.anonymous(&format!("display:inline-block;width:{width}px"), &[]));
        children.push(self.line_strut());
    }

    fn pseudo(
        &mut self,
        node: NodeId,
        element: &Element,
        pseudo: PseudoElement,
        parent: Display,
        children: &mut Vec<BoxChild>,
        places: &mut ChildPositions,
    ) {
        let Some(style) = self.styles.pseudo(node, pseudo) else { return };
        let display = style.display();
        if display == Display::None || parent == Display::None || self.boxes >= MAX_BOXES {
            return;
        }
        self.boxes += 1;
        let mut inner = Vec::new();
        let edges = if display == Display::Inline { inline_edges(&style) } else { (0.0, 0.0) };
        self.edge_spacer(edges.0, &mut inner);
        let text = generated_content::content(style.get(Longhand::Content), element);
        if !text.is_empty() {
            self.inline_text(&text, &style, &mut inner);
        }
        self.edge_spacer(edges.1, &mut inner);
        let is_flat = inner.is_empty() && inline_runs::has_zero_height(&style);
        let inner = anonymous_table_boxes::complete(display, inner, self);
        let body = BoxContent { name: "div", attributes: Vec::new(), extra: String::new(), children: inner };
        let built = self.make(&style, body);
        let node = if is_flat { self.with_line_strut(built) } else { built };
        places.add(children.len(), &style);
        children.push(BoxChild { node, part: part_of_style(&style) });
    }
}

/// Makes `html` and `body` at least as high as the viewport (Quirks Mode, section 3.6).
fn fill_viewport(body: &mut BoxContent, style: &ComputedStyle, viewport: f64) {
    if style.get(Longhand::Height) != "auto" {
        return;
    }
    let px = |longhand| style.get(longhand).strip_suffix("px").and_then(|number| number.parse::<f64>().ok());
    let margins = px(Longhand::MarginTop).unwrap_or(0.0) + px(Longhand::MarginBottom).unwrap_or(0.0);
    body.extra.push_str(&format!("box-sizing:border-box;min-height:{}px;", (viewport - margins).max(0.0)));
}

fn part_of_style(style: &ComputedStyle) -> TablePart {
    if style.is_absolutely_positioned() { TablePart::Aside } else { TablePart::from_display(style.display()) }
}

/// Returns the width of margin, border and padding at the start and at the end of an inline box.
fn inline_edges(style: &ComputedStyle) -> (f32, f32) {
    let px = |longhand| style.get(longhand).strip_suffix("px").and_then(|number| number.parse::<f32>().ok());
    let sum = |longhands: [Longhand; 3]| longhands.into_iter().filter_map(px).sum::<f32>();
    let left = sum([Longhand::MarginLeft, Longhand::BorderLeftWidth, Longhand::PaddingLeft]);
    let right = sum([Longhand::MarginRight, Longhand::BorderRightWidth, Longhand::PaddingRight]);
    if style.direction() == Direction::Rtl { (right, left) } else { (left, right) }
}

fn html_name(local: &str) -> QualName {
    QualName::new(None, ns!(html), LocalName::from(local))
}

fn attribute(name: &str, value: String) -> Attribute {
    Attribute { name: QualName::new(None, ns!(), LocalName::from(name)), value }
}
