//! Tree traversal. Each node that an iterator over children or descendants visits is a step of the document's work
//! budget; once that is spent, descendants end early. Depth is limited, so ancestors are not counted.

use super::{Document, Element, MAX_BASE_BYTES, NodeId, NodeKind};
use url::Url;

impl Document {
    /// Returns the document node.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns the parent; that of a shadow root is its host, that of template contents the `template`.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].parent
    }

    /// Returns the first child (shadow roots and template contents are not children).
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].first_child
    }

    /// Returns the last child.
    pub fn last_child(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].last_child
    }

    /// Returns the next sibling.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].next_sibling
    }

    /// Returns the previous sibling.
    pub fn previous_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].previous_sibling
    }

    /// Returns the children in order.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |child| {
            self.work.spend(1);
            self.next_sibling(*child)
        })
    }

    /// Returns the child elements in order.
    pub fn child_elements(&self, node: NodeId) -> impl Iterator<Item = (NodeId, &Element)> {
        self.children(node).filter_map(|child| Some((child, self.element(child)?)))
    }

    /// Returns parent, grandparent, … up to the document.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(node), |ancestor| self.parent(*ancestor))
    }

    /// Returns true if `node` is `ancestor` or one of its descendants.
    pub fn is_inclusive_descendant(&self, node: NodeId, ancestor: NodeId) -> bool {
        node >= ancestor && node.0 < self.nodes[ancestor.index()].end
    }

    /// Returns the last id of the subtree of `node`, plus one.
    pub fn subtree_end(&self, node: NodeId) -> usize {
        self.nodes[node.index()].end as usize
    }

    /// Returns every descendant of `node` that is part of the page, in document order: shadow trees included, template
    /// contents left out.
    pub fn descendants(&self, node: NodeId) -> Descendants<'_> {
        Descendants { document: self, next: node.0 + 1, end: self.nodes[node.index()].end, skip_shadow: false }
    }

    /// Like [`Document::descendants`] without shadow trees: the nodes that selectors of the outer tree can match.
    pub fn light_descendants(&self, node: NodeId) -> Descendants<'_> {
        Descendants { skip_shadow: true, ..self.descendants(node) }
    }

    /// Returns every element of the page in document order, shadow trees included.
    pub fn elements(&self) -> impl Iterator<Item = (NodeId, &Element)> {
        self.descendants(self.root()).filter_map(|node| Some((node, self.element(node)?)))
    }

    /// Returns every HTML element of that name.
    pub fn elements_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (NodeId, &'a Element)> {
        self.elements().filter(move |(_, element)| element.is_html(name))
    }

    /// Returns the shadow root of a host.
    pub fn shadow_root(&self, host: NodeId) -> Option<NodeId> {
        let next = NodeId(host.0 + 1);
        let is_root = self.is_inclusive_descendant(next, host)
            && matches!(self.nodes.get(next.index())?.kind, NodeKind::ShadowRoot);
        is_root.then_some(next)
    }

    /// Returns the `html` element.
    pub fn document_element(&self) -> Option<NodeId> {
        self.child_elements(self.root()).next().map(|(node, _)| node)
    }

    /// Returns the `body` (or `frameset`) element.
    pub fn body(&self) -> Option<NodeId> {
        let html = self.document_element()?;
        self.child_elements(html).find(|(_, e)| e.is_html("body") || e.is_html("frameset")).map(|(node, _)| node)
    }

    /// Returns the `head` element.
    pub fn head(&self) -> Option<NodeId> {
        let html = self.document_element()?;
        self.child_elements(html).find(|(_, e)| e.is_html("head")).map(|(node, _)| node)
    }

    /// Returns all character data inside, concatenated without changes.
    pub fn text_content(&self, node: NodeId) -> String {
        if let Some(text) = self.text(node) {
            return text.to_owned();
        }
        self.light_descendants(node).filter_map(|n| self.text(n)).collect()
    }

    /// Returns the base URL: the first `base href` that parses and is no longer than [`MAX_BASE_BYTES`], else the
    /// document's URL.
    pub fn base_url(&self, document_url: &Url) -> Url {
        let declared = self.elements_named("base").find_map(|(_, base)| base.attr("href"));
        let joined = declared.and_then(|href| document_url.join(href.trim()).ok());
        let is_usable =
            |url: &Url| !matches!(url.scheme(), "data" | "javascript") && url.as_str().len() <= MAX_BASE_BYTES;
        joined.filter(is_usable).unwrap_or_else(|| document_url.clone())
    }

    /// Returns all `style` and `link[rel~=stylesheet]` elements in document order, which `Stylesheet::element` is an index
    /// into.
    pub fn sheet_elements(&self) -> Vec<NodeId> {
        let is_sheet = |element: &Element| {
            let styles = element.name() == "style" && (element.in_html() || element.in_svg());
            styles || (element.is_html("link") && element.attr_has_token("rel", "stylesheet"))
        };
        self.elements().filter(|(_, element)| is_sheet(element)).map(|(node, _)| node).collect()
    }

    /// Returns the markup inside each `noscript`, which is hidden with scripting enabled, parsed as a separate
    /// document. They share the work budget.
    pub fn noscript_contents(&self) -> Vec<(NodeId, Document)> {
        let markup = |(node, _)| Some((node, self.text_content(node))).filter(|(_, text)| text.contains('<'));
        self.elements_named("noscript")
            .filter_map(markup)
            .map(|(node, text)| (node, Self::parse_fragment_within(&text, &self.work)))
            .collect()
    }
}

/// Iterator of [`Document::descendants`].
#[derive(Debug, Clone)]
pub struct Descendants<'a> {
    document: &'a Document,
    next: u32,
    end: u32,
    skip_shadow: bool,
}

impl Iterator for Descendants<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        while self.next < self.end {
            let node = NodeId(self.next);
            let entry = &self.document.nodes[node.index()];
            match entry.kind {
                NodeKind::TemplateContents => self.next = entry.end,
                NodeKind::ShadowRoot if self.skip_shadow => self.next = entry.end,
                _ => {
                    self.next += 1;
                    return self.document.work.spend(1).then_some(node);
                }
            }
        }
        None
    }
}
