//! Copies SVG definitions to which a section refers and that are elsewhere on its page: gradients, filters, clip paths,
//! masks, markers, and the definitions to which these refer. They are put into an invisible `svg`.

use super::{Builder, is_paint_server};
use crate::capture::attributes::fragments;
use limner_assets::svg::svg_sources::SourceNode;
use limner_component_model::model::{Attribute, Condition, Declaration, ElementId, Namespace, Rule};
use limner_page::NodeId;
use limner_page::dom::categories::is_void;
use limner_style::StyleIndex;
use std::borrow::Cow;
use std::collections::HashSet;

/// Maximum number of elements of all definitions.
const MAX_ELEMENTS: usize = 400;

/// Semantic name of the elements that contain the definitions.
const DEFINITIONS_NAME: &str = "definitions";

/// Document index of elements that are in no document.
const NO_SOURCE: usize = usize::MAX;

/// The ids of definitions to which a section refers.
pub(crate) struct SvgDefs<'b> {
    index: &'b StyleIndex<'b>,
    /// Ids in the section, and ids that were already requested.
    requested_ids: HashSet<String>,
    /// Definitions that remain to be added: the index of the document that refers to one, and its id.
    pending: Vec<(usize, String)>,
    /// Rule lists whose values have been scanned.
    read: HashSet<u32>,
    /// The `defs` element to which definitions are added.
    defs_element: Option<ElementId>,
}

impl<'b> SvgDefs<'b> {
    pub(crate) fn new(index: &'b StyleIndex<'b>, requested_ids: HashSet<String>) -> Self {
        Self { index, requested_ids, pending: Vec::new(), read: HashSet::new(), defs_element: None }
    }

    /// The rules of the page.
    pub(super) fn index(&self) -> &'b StyleIndex<'b> {
        self.index
    }

    /// Records the definitions to which an element refers, by its attributes and by the rules of the page.
    pub(crate) fn record_references(&mut self, part: SourceNode, attributes: &[Attribute], namespace: Namespace) {
        for Attribute { name, value } in attributes {
            let is_reference = namespace == Namespace::Svg && name.ends_with("href");
            let target = value.strip_prefix('#').filter(|_| is_reference);
            self.request(part.source, target.into_iter().chain(fragments(value)));
        }
        let has_rules = part.source == 0;
        let is_new = has_rules && self.read.insert(self.index.rule_list_id(part.node));
        if is_new || (has_rules && self.index.has_attribute_declarations(part.node)) {
            let index = self.index;
            self.request(0, index.possible_values(part.node).flat_map(fragments));
        }
    }

    /// Requests the definitions with these ids, each once.
    fn request<'v>(&mut self, source: usize, ids: impl Iterator<Item = &'v str>) {
        for id in ids {
            if self.requested_ids.insert(id.to_owned()) {
                self.pending.push((source, id.to_owned()));
            }
        }
    }
}

impl Builder<'_> {
    /// Adds the requested definitions, and those to which they refer.
    pub(crate) fn define(&mut self) {
        let mut room = MAX_ELEMENTS;
        self.eclipsed.clear();
        while let Some((source, id)) = self.definitions.pending.pop() {
            let Some(part) = self.library.resolve_use(source, &format!("#{id}")) else { continue };
            let document = self.library.document(part.source);
            let Some(element) = document.element(part.node).filter(|element| element.in_svg()) else { continue };
            if part.source == 0 && self.is_hidden(part.node) {
                continue;
            }
            let size = 1 + document.descendants(part.node).count();
            let Some(rest) = room.checked_sub(size).filter(|_| element.name() != "symbol") else { continue };
            let Some(holder) = self.holder() else { return };
            room = rest;
            if !is_paint_server(element.name()) {
                self.referenced.insert(id);
            }
            self.push_children(part.source, vec![part.node], Some(holder), 0);
            self.process_work_list();
        }
    }

    /// Returns true for a definition in an element without boxes: references to it are invalid.
    fn is_hidden(&mut self, node: NodeId) -> bool {
        self.styles().get(node).is_some_and(|style| style.is_hidden())
    }

    /// Returns the `defs` element for the definitions: in an `svg` of its own, unless the section is one. `None` if the
    /// root cannot contain an `svg`.
    fn holder(&mut self) -> Option<ElementId> {
        if self.definitions.defs_element.is_none() {
            let (root, origin) = self.tree.elements.first().zip(self.tree.origins.first())?;
            let nowhere = SourceNode { source: NO_SOURCE, node: origin.node };
            let drawing = if root.tag == "svg" { Some(ElementId(0)) } else { self.drawing(nowhere) };
            let defs =
                self.add(nowhere, Some(drawing?), 0, "defs", Namespace::Svg, Vec::new(), DEFINITIONS_NAME.to_owned());
            self.definitions.defs_element = Some(defs);
        }
        self.definitions.defs_element
    }

    /// Adds the invisible `svg` to the root. `None` if the root cannot contain one.
    fn drawing(&mut self, nowhere: SourceNode) -> Option<ElementId> {
        let root = self.tree.elements.first()?;
        let is_parted = matches!(
            root.tag.as_str(),
            "audio"
                | "colgroup"
                | "iframe"
                | "select"
                | "table"
                | "tbody"
                | "textarea"
                | "tfoot"
                | "thead"
                | "tr"
                | "video"
        );
        if root.namespace != Namespace::Html || is_parted || is_void(&root.tag) {
            return None;
        }
        let attribute = |name: &str, value: &str| Attribute { name: name.to_owned(), value: value.to_owned() };
        let attributes = vec![attribute("width", "0"), attribute("height", "0"), attribute("aria-hidden", "true")];
        let drawing =
            self.add(nowhere, Some(ElementId(0)), 0, "svg", Namespace::Svg, attributes, DEFINITIONS_NAME.to_owned());
        self.tree.definitions = Some(drawing);
        Some(drawing)
    }
}

/// Returns the rules of the `svg`: out of flow, so that it takes no room.
pub(crate) fn hidden_svg_rules() -> Vec<Rule> {
    let absolute = "absolute".to_owned();
    let declaration = Declaration { name: Cow::Borrowed("position"), computed: absolute.clone(), value: absolute };
    vec![Rule { condition: Condition::default(), state: None, pseudo: None, declarations: vec![declaration] }]
}
