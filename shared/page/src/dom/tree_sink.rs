//! Builds the arena from html5ever's tree operations.

use super::{Attribute, Document, Element, MAX_ATTRIBUTES, MAX_ELEMENTS, Node, NodeId, NodeKind};
use crate::work_budget::WorkBudget;
use html5ever::tendril::StrTendril;
use markup5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use markup5ever::{ExpandedName, LocalName, QualName, ns};
use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Minimum length of values that are shared between the copies that misnested formatting elements make.
const SHARED_VALUE: usize = 64;

/// A node while the tree is being built.
pub(super) type Handle = usize;

const DOCUMENT: Handle = 0;

enum BuildKind {
    Document,
    Doctype,
    Text(StrTendril),
    Comment(StrTendril),
    Element {
        name: QualName,
        attributes: Vec<html5ever::Attribute>,
        annotation_xml_integration: bool,
    },
    ShadowRoot,
    TemplateContents,
    /// Already numbered.
    Numbered,
}

struct BuildNode {
    kind: BuildKind,
    parent: Option<Handle>,
    previous: Option<Handle>,
    next: Option<Handle>,
    first: Option<Handle>,
    last: Option<Handle>,
    /// Template contents or declarative shadow root.
    attached: Option<Handle>,
}

impl BuildNode {
    fn new(kind: BuildKind) -> Self {
        Self { kind, parent: None, previous: None, next: None, first: None, last: None, attached: None }
    }
}

pub(super) struct ArenaSink {
    nodes: RefCell<Vec<BuildNode>>,
    quirks: Cell<QuirksMode>,
    elements: Cell<usize>,
}

impl ArenaSink {
    /// Creates a sink for a document with about this number of nodes.
    pub(super) fn with_capacity(nodes: usize) -> Self {
        let nodes = RefCell::new(Vec::with_capacity(nodes.min(MAX_ELEMENTS)));
        let sink = Self { nodes, quirks: Cell::new(QuirksMode::NoQuirks), elements: Cell::new(0) };
        sink.push(BuildKind::Document);
        sink
    }

    pub(super) fn elements(&self) -> usize {
        self.elements.get()
    }

    fn push(&self, kind: BuildKind) -> Handle {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(BuildNode::new(kind));
        nodes.len() - 1
    }

    /// Inserts a detached node under `parent`, before `before` or at the end.
    fn insert(&self, parent: Handle, node: Handle, before: Option<Handle>) {
        let mut nodes = self.nodes.borrow_mut();
        let previous = match before {
            Some(sibling) => nodes[sibling].previous,
            None => nodes[parent].last,
        };
        let entry = &mut nodes[node];
        entry.parent = Some(parent);
        entry.previous = previous;
        entry.next = before;
        match previous {
            Some(sibling) => nodes[sibling].next = Some(node),
            None => nodes[parent].first = Some(node),
        }
        match before {
            Some(sibling) => nodes[sibling].previous = Some(node),
            None => nodes[parent].last = Some(node),
        }
    }

    fn detach(&self, node: Handle) {
        let mut nodes = self.nodes.borrow_mut();
        let entry = &mut nodes[node];
        let (parent, previous, next) = (entry.parent.take(), entry.previous.take(), entry.next.take());
        let Some(parent) = parent else { return };
        match previous {
            Some(sibling) => nodes[sibling].next = next,
            None => nodes[parent].first = next,
        }
        match next {
            Some(sibling) => nodes[sibling].previous = previous,
            None => nodes[parent].last = previous,
        }
    }

    /// Inserts text under `parent`; appends it to the text node before that position if there is one.
    fn insert_text(&self, parent: Handle, text: StrTendril, before: Option<Handle>) {
        let neighbour = {
            let nodes = self.nodes.borrow();
            match before {
                Some(sibling) => nodes[sibling].previous,
                None => nodes[parent].last,
            }
        };
        if let Some(neighbour) = neighbour
            && let BuildKind::Text(existing) = &mut self.nodes.borrow_mut()[neighbour].kind
        {
            existing.push_tendril(&text);
            return;
        }
        let node = self.push(BuildKind::Text(text));
        self.insert(parent, node, before);
    }

    fn insert_child(&self, parent: Handle, child: NodeOrText<Handle>, before: Option<Handle>) {
        match child {
            NodeOrText::AppendText(text) => self.insert_text(parent, text, before),
            NodeOrText::AppendNode(node) => {
                self.detach(node);
                self.insert(parent, node, before);
            }
        }
    }

    pub(super) fn parent(&self, node: Handle) -> Option<Handle> {
        self.nodes.borrow()[node].parent
    }

    pub(super) fn first_child(&self, node: Handle) -> Option<Handle> {
        self.nodes.borrow()[node].first
    }

    pub(super) fn next_sibling(&self, node: Handle) -> Option<Handle> {
        self.nodes.borrow()[node].next
    }

    /// Returns the text of a comment.
    pub(super) fn comment(&self, node: Handle) -> Option<String> {
        match &self.nodes.borrow()[node].kind {
            BuildKind::Comment(text) => Some(text.to_string()),
            _ => None,
        }
    }

    pub(super) fn remove(&self, node: Handle) {
        self.detach(node);
    }

    /// Moves a node to the place before `sibling`.
    pub(super) fn move_before(&self, node: Handle, sibling: Handle) {
        self.detach(node);
        if let Some(parent) = self.parent(sibling) {
            self.insert(parent, node, Some(sibling));
        }
    }

    /// Calls `visit` with each element that has an id: the element, its name and id, and true if it is `hidden`
    /// or its `style` leaves it without a box.
    pub(super) fn each_id(&self, mut visit: impl FnMut(Handle, &str, &str, bool)) {
        for (handle, node) in self.nodes.borrow().iter().enumerate() {
            let BuildKind::Element { name, attributes, .. } = &node.kind else { continue };
            let find = |wanted: &str| attributes.iter().find(|own| &*own.name.local == wanted);
            if let Some(id) = find("id").filter(|_| node.parent.is_some()) {
                let has_no_box = find("style").is_some_and(|style| style.value.contains("display:none"));
                visit(handle, &name.local, &id.value, has_no_box || find("hidden").is_some());
            }
        }
    }

    pub(super) fn finish_document(self, truncated: bool) -> Document {
        let nodes = self.nodes.into_inner();
        Document {
            nodes: PreorderNumbering::new(nodes).renumber(),
            quirks_mode: self.quirks.get(),
            truncated,
            work: WorkBudget::default(),
            selector_index: OnceLock::new(),
        }
    }
}

/// The name of an element, borrowed from the arena.
#[derive(Debug)]
pub(super) struct NameRef<'a>(Ref<'a, QualName>);

impl markup5ever::interface::ElemName for NameRef<'_> {
    fn ns(&self) -> &markup5ever::Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for ArenaSink {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'a> = NameRef<'a>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> NameRef<'a> {
        NameRef(Ref::map(self.nodes.borrow(), |nodes| match &nodes[*target].kind {
            BuildKind::Element { name, .. } => name,
            // html5ever only asks for names of elements.
            _ => unreachable!("the tree builder asked for the name of a node that is not an element"),
        }))
    }

    fn create_element(&self, name: QualName, attributes: Vec<html5ever::Attribute>, flags: ElementFlags) -> Handle {
        self.elements.set(self.elements.get() + 1);
        let annotation_xml_integration = flags.mathml_annotation_xml_integration_point;
        let element = self.push(BuildKind::Element { name, attributes, annotation_xml_integration });
        if flags.template {
            let contents = self.push(BuildKind::TemplateContents);
            self.nodes.borrow_mut()[element].attached = Some(contents);
        }
        element
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.push(BuildKind::Comment(text))
    }

    fn create_pi(&self, _: StrTendril, data: StrTendril) -> Handle {
        self.push(BuildKind::Comment(data))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert_child(*parent, child, None);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let parent = self.nodes.borrow()[*element].parent;
        match parent {
            Some(parent) => self.insert_child(parent, child, Some(*element)),
            None => self.insert_child(*previous, child, None),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {
        let doctype = self.push(BuildKind::Doctype);
        self.insert(DOCUMENT, doctype, None);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        self.nodes.borrow()[*target].attached.unwrap_or(*target)
    }

    fn same_node(&self, a: &Handle, b: &Handle) -> bool {
        a == b
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.nodes.borrow()[*sibling].parent;
        if let Some(parent) = parent {
            self.insert_child(parent, child, Some(*sibling));
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, added: Vec<html5ever::Attribute>) {
        if let BuildKind::Element { attributes, .. } = &mut self.nodes.borrow_mut()[*target].kind {
            for attribute in added {
                let has_room = attributes.len() < MAX_ATTRIBUTES;
                if has_room && !attributes.iter().any(|own| own.name == attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        loop {
            let Some(child) = self.nodes.borrow()[*node].first else { return };
            self.detach(child);
            self.insert(*new_parent, child, None);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        matches!(self.nodes.borrow()[*handle].kind, BuildKind::Element { annotation_xml_integration: true, .. })
    }

    fn attach_declarative_shadow(&self, host: &Handle, template: &Handle, _: &[html5ever::Attribute]) -> bool {
        let mut nodes = self.nodes.borrow_mut();
        let can_host = match &nodes[*host].kind {
            BuildKind::Element { name, .. } => is_valid_shadow_host(name.expanded()),
            _ => false,
        };
        if !can_host || nodes[*host].attached.is_some() {
            return false;
        }
        let root = nodes.len();
        nodes.push(BuildNode::new(BuildKind::ShadowRoot));
        nodes[*host].attached = Some(root);
        // Nodes that the parser inserts into the template go to the shadow root.
        nodes[*template].attached = Some(root);
        true
    }
}

/// Returns true for elements that `attachShadow` accepts (HTML, "valid shadow host name").
fn is_valid_shadow_host(name: ExpandedName<'_>) -> bool {
    const BUILT_IN: &[&str] = &[
        "article",
        "aside",
        "blockquote",
        "body",
        "div",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "main",
        "nav",
        "p",
        "section",
        "span",
    ];
    *name.ns == ns!(html) && (BUILT_IN.contains(&&**name.local) || name.local.contains('-'))
}

/// Assigns ids in pre-order and drops detached nodes.
struct PreorderNumbering {
    from: Vec<BuildNode>,
    to: Vec<Node>,
    shared: HashMap<(usize, usize), Arc<str>>,
}

/// A step of the numbering walk, which must not recurse.
enum Step {
    Enter { node: Handle, parent: Option<NodeId>, child: bool },
    Leave(NodeId),
}

impl PreorderNumbering {
    fn new(nodes: Vec<BuildNode>) -> Self {
        let to = Vec::with_capacity(nodes.len());
        Self { from: nodes, to, shared: HashMap::new() }
    }

    fn renumber(mut self) -> Vec<Node> {
        let mut work = vec![Step::Enter { node: DOCUMENT, parent: None, child: false }];
        while let Some(step) = work.pop() {
            match step {
                Step::Leave(node) => self.to[node.index()].end = id(self.to.len()).0,
                Step::Enter { node, parent, child } => {
                    let BuildNode { kind, last, attached, .. } = &mut self.from[node];
                    let (kind, last, attached) = (std::mem::replace(kind, BuildKind::Numbered), *last, *attached);
                    if matches!(kind, BuildKind::Numbered) {
                        continue;
                    }
                    let own = id(self.to.len());
                    work.push(Step::Leave(own));
                    let from_last = std::iter::successors(last, |child| self.from[*child].previous);
                    work.extend(from_last.map(|node| Step::Enter { node, parent: Some(own), child: true }));
                    if let Some(node) = attached {
                        work.push(Step::Enter { node, parent: Some(own), child: false });
                    }
                    self.add(kind, parent, child);
                }
            }
        }
        self.to
    }

    fn add(&mut self, kind: BuildKind, parent: Option<NodeId>, child: bool) {
        let own = id(self.to.len());
        let kind = match kind {
            BuildKind::Document => NodeKind::Document,
            BuildKind::Doctype => NodeKind::Doctype,
            BuildKind::Text(text) => NodeKind::Text(Arc::from(&*text)),
            BuildKind::Comment(text) => NodeKind::Comment(Arc::from(&*text)),
            BuildKind::ShadowRoot => NodeKind::ShadowRoot,
            BuildKind::TemplateContents => NodeKind::TemplateContents,
            BuildKind::Numbered => return,
            BuildKind::Element { name, attributes, .. } => {
                let attributes =
                    attributes.into_iter().map(|a| Attribute { value: self.share(&a.value), name: a.name });
                NodeKind::Element(Box::new(Element::new(name, attributes.collect())))
            }
        };
        let mut previous_sibling = None;
        if let Some(parent) = parent.filter(|_| child) {
            let siblings = &mut self.to[parent.index()];
            previous_sibling = siblings.last_child.replace(own);
            siblings.first_child.get_or_insert(own);
        }
        if let Some(previous) = previous_sibling {
            self.to[previous.index()].next_sibling = Some(own);
        }
        self.to.push(Node {
            kind,
            parent,
            first_child: None,
            last_child: None,
            previous_sibling,
            next_sibling: None,
            end: own.0 + 1,
        });
    }

    /// Shares the allocation of equal long attribute values: misnested formatting can make 100,000 copies of one.
    fn share(&mut self, value: &StrTendril) -> Arc<str> {
        if value.len() <= SHARED_VALUE {
            return Arc::from(&**value);
        }
        let key = (value.as_ptr() as usize, value.len());
        match self.shared.get(&key) {
            // The buffer of a dropped tendril may be used again, so an equal address does not imply an equal value.
            Some(shared) if **shared == **value => shared.clone(),
            _ => {
                let shared: Arc<str> = Arc::from(&**value);
                self.shared.insert(key, shared.clone());
                shared
            }
        }
    }
}

fn id(index: usize) -> NodeId {
    NodeId(u32::try_from(index).unwrap_or(u32::MAX))
}
