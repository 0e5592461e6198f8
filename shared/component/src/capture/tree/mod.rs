//! Builds the section tree: a normalized copy of the section's DOM, without styles.
//!
//! Scripts, stylesheets, templates, comments, tracking pixels and plug-ins are left out. Shadow trees are flattened,
//! and `use` elements are replaced by the content that they reference. The functions are iterative, because pages nest
//! deeply.

mod breakpoint_copies;
mod buttons;
mod dead_parts;
mod decorative_drawings;
mod eager_images;
pub(crate) mod embedded_images;
mod group_names;
mod headings;
mod headlines;
mod hidden_attribute;
mod landmarks;
pub(super) mod language;
mod noscript_images;
pub(super) mod presentation_attributes;
mod script_states;
pub(super) mod svg_defs;
pub(super) mod tag_names;

use self::breakpoint_copies::BreakpointCopies;
use self::svg_defs::SvgDefs;
use super::attributes::{self, UrlResolver};
use super::environments::{EnvId, EnvironmentMatrix};
use super::request::CaptureRequest;
use limner_assets::svg::svg_sources::{SourceNode, SvgSources};
use limner_component_model::html_syntax::{escape_attribute, escape_text};
use limner_component_model::model::{Attribute, Baseline, Child, Element, ElementId, Namespace};
use limner_page::dom::NodeKind;
use limner_page::dom::categories::is_void;
use limner_page::{Document, NodeId, dom};
use limner_page_view::PageView;
use limner_page_view::omitted_elements::{self, is_embedded_image};
use limner_sections::semantic_names::{modifiers, semantic_name};
use limner_style::property::Longhand;
use limner_style::{Environment, Origin, Styles};
use std::collections::HashSet;

/// Maximum number of elements of a component.
pub(crate) const MAX_ELEMENTS: usize = 20_000;
/// Maximum number of bytes of text and attributes of a component: in every target syntax it stays below the maximum
/// size of a result.
const MAX_TEXT_BYTES: usize = 3 << 20;
/// Maximum nesting of `use` elements that are replaced.
const MAX_USES: u8 = 16;

/// The origin of an element of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ElementOrigin {
    /// The index of the document: 0 is the page's.
    pub(super) source: usize,
    pub(super) node: NodeId,
    pub(super) parent: Option<ElementId>,
    /// True for an element that a `use` renders at another place than its own.
    pub(super) is_copy: bool,
}

/// The elements of a component in document order, without rules, and their origins.
pub(super) struct SectionTree {
    pub(super) elements: Vec<Element>,
    pub(super) origins: Vec<ElementOrigin>,
    pub(super) truncated: bool,
    /// The invisible `svg` for the definitions that are elsewhere on the page.
    pub(super) definitions: Option<ElementId>,
    copies: BreakpointCopies,
}

impl SectionTree {
    /// Returns the element's node, if it is in the page's document.
    pub(super) fn node(&self, element: ElementId) -> Option<NodeId> {
        let origin = self.origins[element.0];
        (origin.source == 0).then_some(origin.node)
    }

    /// Returns the node whose styles an element has in an environment.
    pub(super) fn styled_node(&self, element: ElementId, env: EnvId) -> NodeId {
        let ElementOrigin { source, node, .. } = self.origins[element.0];
        if source == 0 { self.copies.shown_node(node, env) } else { node }
    }
}

/// A node that remains to be added.
struct TreeItem {
    part: SourceNode,
    parent: Option<ElementId>,
    /// Number of nested `use` elements through which the node is rendered.
    uses: u8,
}

/// Builds a section tree.
pub(super) struct Builder<'b> {
    pub(super) library: &'b SvgSources<'b>,
    urls: UrlResolver<'b>,
    pub(super) referenced: HashSet<String>,
    /// Ids that elements of the section lose, because a copied definition has them.
    pub(super) eclipsed: HashSet<String>,
    pub(super) definitions: SvgDefs<'b>,
    work: Vec<TreeItem>,
    /// The sources so far, by element around them: `src`, `srcset`, `media`.
    sources: HashSet<(ElementId, [Option<String>; 3])>,
    /// Number of bytes of text and attributes so far.
    bytes: usize,
    /// Styles on the page, once they are needed.
    styles: Option<Styles<'b>>,
    pub(super) tree: SectionTree,
}

/// Builds the tree of a section.
pub(super) fn build(
    view: &PageView<'_>,
    library: &SvgSources<'_>,
    request: &CaptureRequest<'_>,
    environments: &EnvironmentMatrix,
) -> SectionTree {
    let path = required_table_ancestors(&view.document, request.section);
    let copies = BreakpointCopies::find(&view.document, request, environments);
    let mut tree = copy_section(view, library, request, copies, &path);
    if language::is_right_to_left(&view.document, request.section) {
        language::write_right_to_left(&mut tree.elements[0]);
    }
    landmarks::name_landmarks(&mut tree, request.role, request.kept.is_empty());
    script_states::remove_script_states(&mut tree);
    headlines::mark_headlines(&mut tree, request);
    headings::correct_levels(&mut tree, request.kept.is_empty());
    group_names::correct_group_names(&mut tree);
    decorative_drawings::hide_decorative_drawings(&mut tree);
    eager_images::load_first_image(&mut tree, request);
    if request.baseline == Baseline::Preflight {
        buttons::name_buttons(&mut tree, request);
        hidden_attribute::remove_hidden_attributes(&mut tree, request, environments);
    }
    tree
}

/// Copies a section. `path` are the ancestors that it needs, from the outermost (a cell needs its row and table).
fn copy_section(
    view: &PageView<'_>,
    library: &SvgSources<'_>,
    request: &CaptureRequest<'_>,
    copies: BreakpointCopies,
    path: &[NodeId],
) -> SectionTree {
    let (document, root, index) = (&view.document, request.section, request.index);
    let (ids, referenced) = mentioned_ids(document, root);
    let addresses = UrlResolver { base: &view.base, ids: &ids };
    let tree = SectionTree { elements: Vec::new(), origins: Vec::new(), truncated: false, definitions: None, copies };
    let eclipsed = eclipsed_ids(library, root, &ids);
    let definitions = SvgDefs::new(index, ids.difference(&eclipsed).cloned().collect());
    let (work, sources, bytes, styles) = (Vec::new(), HashSet::new(), 0, None);
    let mut builder =
        Builder { library, urls: addresses, referenced, eclipsed, definitions, work, sources, bytes, styles, tree };
    let mut parent = None;
    for node in path {
        parent = builder.element(SourceNode { source: 0, node: *node }, parent, 0);
    }
    builder.work.push(TreeItem { part: SourceNode { source: 0, node: root }, parent, uses: 0 });
    builder.process_work_list();
    builder.define();
    builder.tree
}

/// Returns the ancestors that a part of a table needs to be parsed, from the outermost; none for other sections.
fn required_table_ancestors(document: &Document, section: NodeId) -> Vec<NodeId> {
    let is_part = |node: NodeId| {
        document.element(node).is_some_and(|element| {
            element.in_html()
                && matches!(
                    element.name(),
                    "caption" | "col" | "colgroup" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr"
                )
        })
    };
    let mut path = Vec::new();
    let mut at = section;
    while is_part(at) {
        let Some(parent) = document.parent(at).filter(|parent| document.element(*parent).is_some()) else { break };
        path.push(parent);
        at = parent;
    }
    path.reverse();
    path
}

/// Returns the ids of a section that an earlier drawing on the page has: references are to the first element of an id.
fn eclipsed_ids(library: &SvgSources<'_>, root: NodeId, ids: &HashSet<String>) -> HashSet<String> {
    let document = library.document(0);
    let is_eclipsed = |id: &&String| {
        library.resolve_use(0, &format!("#{id}")).is_some_and(|first| {
            let is_drawing = || document.element(first.node).is_some_and(dom::Element::in_svg);
            first.source == 0 && !document.is_inclusive_descendant(first.node, root) && is_drawing()
        })
    };
    ids.iter().filter(is_eclipsed).cloned().collect()
}

/// Returns the ids inside a section, and the ids that elements inside of it refer to.
fn mentioned_ids(document: &Document, root: NodeId) -> (HashSet<String>, HashSet<String>) {
    let (mut ids, mut referenced) = (HashSet::new(), HashSet::new());
    for node in std::iter::once(root).chain(document.descendants(root)) {
        let Some(element) = document.element(node) else { continue };
        ids.extend(element.id().map(ToString::to_string));
        attributes::referenced_ids(element, &mut referenced);
    }
    (ids, referenced)
}

impl<'b> Builder<'b> {
    /// Adds all nodes on the work list, and their descendants.
    pub(super) fn process_work_list(&mut self) {
        while let Some(TreeItem { part, parent, uses }) = self.work.pop() {
            let document = self.library.document(part.source);
            match document.kind(part.node) {
                NodeKind::Text(text) => self.text(text, parent),
                NodeKind::Element(_) => {
                    if self.tree.elements.len() >= MAX_ELEMENTS || self.bytes > MAX_TEXT_BYTES {
                        self.tree.truncated = true;
                        continue;
                    }
                    self.visit(part, parent, uses);
                }
                _ => {}
            }
        }
    }

    /// Adds a text to its parent.
    fn text(&mut self, text: &str, parent: Option<ElementId>) {
        let Some(parent) = parent else { return };
        self.bytes += text.len();
        if self.bytes > MAX_TEXT_BYTES {
            self.tree.truncated = true;
            return;
        }
        let children = &mut self.tree.elements[parent.0].children;
        match children.last_mut() {
            // A node between two texts was left out.
            Some(Child::Text(before)) => before.push_str(text),
            _ => children.push(Child::Text(text.to_owned())),
        }
    }

    /// Adds an element, and puts its children on the work list.
    fn visit(&mut self, part: SourceNode, parent: Option<ElementId>, uses: u8) {
        let document = self.library.document(part.source);
        let Some(element) = document.element(part.node) else { return };
        let is_redundant = part.source == 0 && self.tree.copies.is_redundant(part.node);
        if (is_omitted(element) || is_redundant) && parent.is_some() {
            return;
        }
        if element.is_html("slot") {
            return self.slot(part, parent, uses);
        }
        if element.is_svg("use") {
            return self.expand_use(part, element, parent, uses);
        }
        if parent.is_some() && (is_template(document, part.node, element) || self.is_dead(part, element, parent)) {
            return;
        }
        if let Some(id) = self.element(part, parent, uses) {
            if element.is_svg("title") || element.is_svg("desc") {
                // `title` and `desc` get text only: no target syntax allows elements in them.
                return self.text(&document.text_content(part.node), Some(id));
            }
            if is_embedded_image(element) {
                return;
            }
            let children = match document.shadow_root(part.node) {
                Some(root) => document.children(root).collect(),
                None => visible_children(document, part.node, element),
            };
            self.push_children(part.source, children, Some(id), uses);
        }
    }

    /// Puts children on the work list, so that the first one is next.
    pub(super) fn push_children(&mut self, source: usize, children: Vec<NodeId>, parent: Option<ElementId>, uses: u8) {
        let work = children.into_iter().rev().map(|node| TreeItem { part: SourceNode { source, node }, parent, uses });
        self.work.extend(work);
    }

    /// Adds the nodes that are assigned to a slot, or else its own children: in an element in its place if rules style
    /// the slot, which then may have a box and passes on inherited values.
    fn slot(&mut self, part: SourceNode, parent: Option<ElementId>, uses: u8) {
        let document = self.library.document(part.source);
        let tag = if part.source == 0 { self.slot_tag_name(part.node, parent) } else { None };
        let parent = match document.element(part.node).zip(tag) {
            Some((slot, tag)) => {
                let attributes = attributes::retained_attributes(slot, Namespace::Html, &self.urls, false);
                let name = semantic_name(slot);
                Some(self.add(part, parent, uses, tag, Namespace::Html, attributes, name))
            }
            None => parent,
        };
        let root = document.ancestors(part.node).find(|node| matches!(document.kind(*node), NodeKind::ShadowRoot));
        let host = root.and_then(|root| document.parent(root));
        let name = document.element(part.node).and_then(|slot| slot.attr("name")).unwrap_or_default();
        let is_assigned = |node: &NodeId| match document.kind(*node) {
            NodeKind::Element(element) => element.attr("slot").unwrap_or_default() == name,
            NodeKind::Text(_) => name.is_empty(),
            _ => false,
        };
        let assigned: Vec<NodeId> =
            host.map(|host| document.children(host).filter(is_assigned).collect()).unwrap_or_default();
        let shown = if assigned.is_empty() { document.children(part.node).collect() } else { assigned };
        self.push_children(part.source, shown, parent, uses);
    }

    /// Returns the name of the element that takes the place of a slot; `None` if the slot has no style of its own.
    fn slot_tag_name(&mut self, slot: NodeId, parent: Option<ElementId>) -> Option<&'static str> {
        let index = self.definitions.index();
        let is_styled = index.declarations(slot, None).iter().any(|block| block.origin == Origin::Author)
            || !index.styled_pseudo_elements(slot).is_empty();
        if !is_styled {
            return None;
        }
        let is_inline = self.styles().get(slot).is_none_or(|style| style.display().is_inline_level());
        let around = std::iter::successors(parent, |id| self.tree.origins[id.0].parent);
        let mut tags = around.map(|id| self.tree.elements[id.0].tag.as_str());
        // Parsers end a paragraph before a `div`.
        Some(if is_inline || tags.any(|tag| tag == "p") { "span" } else { "div" })
    }

    /// Returns the styles on the page in an ordinary environment.
    pub(super) fn styles(&mut self) -> &mut Styles<'b> {
        let index = self.definitions.index();
        self.styles.get_or_insert_with(|| index.styles(&Environment::default()))
    }

    /// Adds an element to its parent.
    fn element(&mut self, part: SourceNode, parent: Option<ElementId>, uses: u8) -> Option<ElementId> {
        let element = self.library.document(part.source).element(part.node)?;
        let namespace = namespace_of(element);
        let keeps_id = element.id().filter(|id| !self.eclipsed.contains(&***id)).is_some_and(|id| {
            self.referenced.contains(&**id) || (namespace == Namespace::Svg && is_paint_server(element.name()))
        });
        let mut tag = tag_names::component_tag_name(element.name(), namespace)?;
        let mut attributes = attributes::retained_attributes(element, namespace, &self.urls, keeps_id);
        if is_embedded_image(element) {
            let document = self.library.document(part.source);
            tag = "img";
            attributes.retain(|own| !matches!(own.name.as_str(), "alt" | "src"));
            attributes.extend(embedded_images::attributes(document, part.node, element, &self.urls));
        }
        let document = self.library.document(part.source);
        noscript_images::add_noscript_sources(document, part.node, element, &self.urls, &mut attributes);
        self.definitions.record_references(part, &attributes, namespace);
        let id = self.add(part, parent, uses, tag, namespace, attributes, semantic_name(element));
        self.tree.elements[id.0].modifiers = modifiers(element);
        Some(id)
    }

    #[expect(clippy::too_many_arguments, reason = "every argument becomes a part of the element")]
    pub(super) fn add(
        &mut self,
        part: SourceNode,
        parent: Option<ElementId>,
        uses: u8,
        tag: &str,
        namespace: Namespace,
        attributes: Vec<Attribute>,
        word: String,
    ) -> ElementId {
        let id = ElementId(self.tree.elements.len());
        self.bytes += attributes.iter().map(|attribute| attribute.value.len()).sum::<usize>();
        self.tree.elements.push(Element {
            tag: tag.to_owned(),
            namespace,
            attributes,
            children: Vec::new(),
            rules: Vec::new(),
            semantic_name: word,
            modifiers: Vec::new(),
            whitespace_insignificant: false,
            edge_whitespace_insignificant: false,
            is_block_level: false,
            preserves_whitespace: false,
        });
        self.tree.origins.push(ElementOrigin { source: part.source, node: part.node, parent, is_copy: uses > 0 });
        if let Some(parent) = parent {
            self.tree.elements[parent.0].children.push(Child::Element(id));
        }
        id
    }

    /// Returns true if an `svg` is only the frame of the symbol that the `use` in it shows, whose coordinates it can have itself.
    fn is_frame(&mut self, part: SourceNode, element: &dom::Element, shown: SourceNode, parent: ElementId) -> bool {
        /// Properties that drawings inherit.
        const PAINTS: [Longhand; 5] =
            [Longhand::Color, Longhand::Fill, Longhand::Stroke, Longhand::StrokeWidth, Longhand::Opacity];
        let document = self.library.document(part.source);
        let own = &self.tree.elements[parent.0];
        let origin = self.tree.origins[parent.0];
        let is_plain = |element: &dom::Element, known: &[&str]| {
            element.attributes().iter().all(|own| known.contains(&&*own.name.local))
        };
        let is_only = document.children(origin.node).all(|node| match document.kind(node) {
            NodeKind::Element(element) => node == part.node || element.is_svg("symbol"),
            NodeKind::Text(text) => text.trim().is_empty(),
            _ => true,
        });
        let target = self.library.document(shown.source).element(shown.node);
        let has_coordinates = |target: &dom::Element| {
            target.is_svg("symbol")
                && target.attr("viewBox").is_some_and(|value| value.starts_with("0 0 "))
                && is_plain(target, &["id", "viewBox", "xmlns", "class"])
        };
        let is_simple = part.source == 0
            && origin.source == 0
            && own.tag == "svg"
            && own.children.iter().all(|child| matches!(child, Child::Text(text) if text.trim().is_empty()))
            && !own.attributes.iter().any(|own| matches!(own.name.as_str(), "viewBox" | "preserveAspectRatio"))
            && document.parent(part.node) == Some(origin.node)
            && is_only
            && is_plain(element, &["href", "class"])
            && target.is_some_and(has_coordinates);
        if !is_simple {
            return false;
        }
        let styles = [part.node, origin.node].map(|node| self.styles().get(node));
        let [Some(inside), Some(around)] = styles else { return false };
        PAINTS.iter().all(|paint| *paint == Longhand::Opacity || inside.get(*paint) == around.get(*paint))
            && inside.get(Longhand::Opacity) == "1"
    }

    /// Replaces a `use` by the content that it references: in a nested `svg` for a symbol, else in a group (SVG 2, "The
    /// use element"). `/svg` has its own: `use_elements.rs` of the crate `assets`, which writes markup instead of a tree.
    fn expand_use(&mut self, part: SourceNode, element: &dom::Element, parent: Option<ElementId>, uses: u8) {
        let Some(shown) = self.library.resolve_use(part.source, element.href().unwrap_or_default()) else { return };
        let document = self.library.document(shown.source);
        let Some(target) = document.element(shown.node).filter(|target| target.in_svg()) else { return };
        let is_cycle = part.source == shown.source && document.is_inclusive_descendant(part.node, shown.node);
        if uses >= MAX_USES || is_cycle {
            return;
        }
        if let Some(drawing) = parent.filter(|parent| self.is_frame(part, element, shown, *parent)) {
            let coordinates = target.attr("viewBox").unwrap_or_default().to_owned();
            let attribute = Attribute { name: "viewBox".to_owned(), value: coordinates };
            self.tree.elements[drawing.0].attributes.push(attribute);
            let children = document.children(shown.node).collect();
            return self.push_children(shown.source, children, parent, uses + 1);
        }
        let is_viewport = matches!(target.name(), "symbol" | "svg");
        let own = attributes::retained_attributes(element, Namespace::Svg, &self.urls, false);
        let theirs = attributes::retained_attributes(target, Namespace::Svg, &self.urls, false);
        let attributes = if is_viewport { viewport(own, theirs) } else { group(own) };
        let tag = if is_viewport { "svg" } else { "g" };
        let id = self.add(part, parent, uses, tag, Namespace::Svg, attributes, "icon".to_owned());
        let children = if is_viewport { document.children(shown.node).collect() } else { vec![shown.node] };
        self.push_children(shown.source, children, Some(id), uses + 1);
    }
}

/// Returns true for a `symbol` that only `use` elements render, which are written as what they show.
fn is_template(document: &Document, node: NodeId, element: &dom::Element) -> bool {
    let is_source = |node: NodeId| document.element(node).is_some_and(|own| is_paint_server(own.name()));
    element.is_svg("symbol") && !document.descendants(node).any(is_source)
}

/// Attributes that have a meaning for `use` itself.
const USE_GEOMETRY: &[&str] = &["x", "y", "width", "height", "href", "xlink:href"];

/// Returns the attributes of the `svg` that replaces a `use` of a symbol.
fn viewport(own: Vec<Attribute>, theirs: Vec<Attribute>) -> Vec<Attribute> {
    let mut attributes: Vec<Attribute> = own.into_iter().filter(|a| !a.name.ends_with("href")).collect();
    for attribute in theirs {
        let known = attributes.iter().any(|other| other.name == attribute.name);
        if !known && !matches!(attribute.name.as_str(), "refX" | "refY" | "id") {
            attributes.push(attribute);
        }
    }
    attributes
}

/// Returns the attributes of the group that replaces a `use` of any other element.
fn group(own: Vec<Attribute>) -> Vec<Attribute> {
    let value = |name: &str| own.iter().find(|a| a.name == name).map(|a| a.value.clone()).filter(|v| v != "0");
    let (x, y, transform) = (value("x"), value("y"), value("transform"));
    let offset = (x.is_some() || y.is_some()).then(|| {
        let (x, y) = (x.unwrap_or_else(|| "0".into()), y.unwrap_or_else(|| "0".into()));
        format!("translate({x} {y})")
    });
    let transforms: Vec<String> = transform.into_iter().chain(offset).collect();
    let kept = own.into_iter().filter(|a| !USE_GEOMETRY.contains(&a.name.as_str()) && a.name != "transform");
    let moved = (!transforms.is_empty()).then(|| Attribute { name: "transform".into(), value: transforms.join(" ") });
    kept.chain(moved).collect()
}

fn namespace_of(element: &dom::Element) -> Namespace {
    if element.in_svg() {
        Namespace::Svg
    } else if element.in_html() {
        Namespace::Html
    } else {
        Namespace::MathMl
    }
}

/// Returns true for SVG elements that are rendered by reference only.
pub(super) fn is_paint_server(name: &str) -> bool {
    matches!(
        name,
        "linearGradient" | "radialGradient" | "pattern" | "clipPath" | "mask" | "filter" | "marker" | "symbol"
    )
}

/// Returns true for elements that render nothing by themselves, run something, or track the visitor.
pub(crate) fn is_omitted(element: &dom::Element) -> bool {
    if !element.in_html() {
        let animates_address = matches!(element.name(), "animate" | "set" | "animateTransform" | "animateMotion")
            && element.attr("attributeName").is_some_and(|name| {
                let name = name.trim().to_ascii_lowercase();
                name.ends_with("href") || name.starts_with("on")
            });
        return animates_address || tag_names::component_tag_name(element.name(), namespace_of(element)).is_none();
    }
    omitted_elements::is_omitted(element)
}

fn visible_children(document: &Document, node: NodeId, element: &dom::Element) -> Vec<NodeId> {
    // A browser that supports the element never renders its fallback content.
    if element.is_html("iframe") {
        return Vec::new();
    }
    let is_media = element.is_html("video") || element.is_html("audio");
    let is_part = |child: &NodeId| {
        let part = document.element(*child);
        !is_media || part.is_some_and(|part| part.is_html("source") || part.is_html("track"))
    };
    document.children(node).filter(is_part).collect()
}

/// Serializes the tree as HTML. Each element has the class `e` followed by its index.
pub(super) fn markup(elements: &[Element]) -> String {
    enum BuildStep {
        Open(ElementId),
        Text(String),
        Close(String),
    }
    let mut out = String::from("<!doctype html><html><head></head><body>");
    let mut steps = vec![BuildStep::Open(ElementId(0))];
    while let Some(step) = steps.pop() {
        match step {
            BuildStep::Text(text) => out.push_str(&escape_text(&text)),
            BuildStep::Close(tag) => {
                out.push_str("</");
                out.push_str(&tag);
                out.push('>');
            }
            BuildStep::Open(ElementId(at)) => {
                let Some(element) = elements.get(at) else { continue };
                out.push_str(&format!("<{} class=e{at}", element.tag));
                for attribute in &element.attributes {
                    out.push_str(&format!(" {}=\"{}\"", attribute.name, escape_attribute(&attribute.value)));
                }
                let is_void = element.namespace == Namespace::Html && is_void(&element.tag);
                out.push('>');
                if is_void {
                    continue;
                }
                if matches!(element.tag.as_str(), "pre" | "textarea" | "listing") {
                    out.push('\n');
                }
                steps.push(BuildStep::Close(element.tag.clone()));
                let children = element.children.iter().rev().map(|child| match child {
                    Child::Element(child) => BuildStep::Open(*child),
                    Child::Text(text) => BuildStep::Text(text.clone()),
                });
                steps.extend(children);
            }
        }
    }
    out
}
