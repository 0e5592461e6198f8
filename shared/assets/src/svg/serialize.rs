//! Serializes one SVG element as self-contained, well-formed XML.
//!
//! Scripts, event handlers and script URLs are left out, as are names that are invalid in XML and
//! metadata of editors. `use` elements are expanded, and referenced elements of the document are
//! copied into `defs`.

use super::svg_sources::{SourceNode, SvgSources, UrlTarget};
use super::urls::{rewrite_urls, runs_script};
use super::xml::{is_name, push_attribute, push_text};
use limner_page::NodeId;
use limner_page::dom::categories::serializes_as_void;
use limner_page::dom::{Attribute, Element, NodeKind};
use std::collections::{HashSet, VecDeque};

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";
const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XHTML: &str = "http://www.w3.org/1999/xhtml";
const MATHML: &str = "http://www.w3.org/1998/Math/MathML";

/// The serialized element and its size attributes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SerializeOptions {
    pub(super) code: String,
    pub(super) width: Option<String>,
    pub(super) height: Option<String>,
    pub(super) view_box: Option<String>,
}

/// Returns the declarations that give an element of the page its paint.
pub(super) type Paint<'p> = &'p (dyn Fn(NodeId, &Element) -> String + 'p);

/// Serializes the `svg` element `root`, with the paint that the page gives it, if any; `None` if the result is longer
/// than `max_bytes`.
pub(super) fn write(
    library: &SvgSources<'_>,
    root: SourceNode,
    max_bytes: usize,
    paint: Option<Paint<'_>>,
) -> Option<SerializeOptions> {
    let mut writer = SvgWriter::new(library, max_bytes, paint);
    writer.root(root);
    writer.definitions();
    (!writer.exceeds_limit).then(|| writer.finish(root))
}

/// An item that remains to be written.
pub(super) enum SerializeItem {
    Node { part: SourceNode, parent: MarkupNamespace, link: Option<usize> },
    Raw(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkupNamespace {
    Svg,
    Html,
    MathMl,
}

impl MarkupNamespace {
    fn from_element(element: &Element) -> Option<Self> {
        match &**element.namespace() {
            SVG => Some(Self::Svg),
            XHTML => Some(Self::Html),
            MATHML => Some(Self::MathMl),
            _ => None,
        }
    }

    fn uri(self) -> &'static str {
        match self {
            Self::Svg => SVG,
            Self::Html => XHTML,
            Self::MathMl => MATHML,
        }
    }
}

/// A `use` that is being expanded, and the enclosing one.
pub(super) struct UseChain {
    pub(super) shown: SourceNode,
    pub(super) outer: Option<usize>,
    pub(super) depth: usize,
}

pub(super) struct SvgWriter<'l, 'a> {
    pub(super) library: &'l SvgSources<'a>,
    paint: Option<Paint<'l>>,
    pub(super) out: String,
    pub(super) work: Vec<SerializeItem>,
    pub(super) links: Vec<UseChain>,
    root_attributes: String,
    body: String,
    definitions: String,
    ids: HashSet<String>,
    pending_ids: VecDeque<(usize, String)>,
    uses_xlink: bool,
    max_bytes: usize,
    exceeds_limit: bool,
    /// The `viewBox` and `preserveAspectRatio` that the root takes over from its only symbol.
    pub(super) lent: Vec<(&'static str, String)>,
}

impl<'l, 'a> SvgWriter<'l, 'a> {
    fn new(library: &'l SvgSources<'a>, max_bytes: usize, paint: Option<Paint<'l>>) -> Self {
        Self {
            library,
            paint,
            out: String::new(),
            work: Vec::new(),
            links: Vec::new(),
            root_attributes: String::new(),
            body: String::new(),
            definitions: String::new(),
            ids: HashSet::new(),
            pending_ids: VecDeque::new(),
            uses_xlink: false,
            max_bytes,
            exceeds_limit: false,
            lent: Vec::new(),
        }
    }

    pub(super) fn element(&self, part: SourceNode) -> Option<&'l Element> {
        self.library.source(part.source).document.element(part.node)
    }

    pub(super) fn bytes_written(&self) -> usize {
        self.body.len() + self.definitions.len() + self.out.len()
    }

    fn root(&mut self, root: SourceNode) {
        let Some(element) = self.element(root) else { return };
        self.attributes(root, element, &[]);
        self.root_attributes = std::mem::take(&mut self.out);
        match self.sole_symbol(root, element) {
            Some(single) => self.write_symbol_contents(&single),
            None => self.children(root, MarkupNamespace::Svg, None),
        }
        self.write_pending();
    }

    /// Writes all queued items.
    pub(super) fn write_pending(&mut self) {
        while let Some(work) = self.work.pop() {
            if self.bytes_written() > self.max_bytes {
                self.exceeds_limit = true;
                return;
            }
            match work {
                SerializeItem::Raw(markup) => self.out.push_str(&markup),
                SerializeItem::Node { part, parent, link } => self.node(part, parent, link),
            }
        }
    }

    /// Queues the children of an element, in order.
    pub(super) fn children(&mut self, part: SourceNode, parent: MarkupNamespace, link: Option<usize>) {
        let document = &self.library.source(part.source).document;
        let start = self.work.len();
        let child = |node| SerializeItem::Node { part: SourceNode { node, ..part }, parent, link };
        self.work.extend(document.children(part.node).map(child));
        self.work[start..].reverse();
    }

    fn node(&mut self, part: SourceNode, parent: MarkupNamespace, link: Option<usize>) {
        match self.library.source(part.source).document.kind(part.node) {
            NodeKind::Text(text) => push_text(&mut self.out, text),
            NodeKind::Element(element) => match MarkupNamespace::from_element(element) {
                Some(MarkupNamespace::Svg) => self.svg_element(part, element, parent, link),
                Some(MarkupNamespace::Html) => self.html_element(part, element, parent, link),
                Some(MarkupNamespace::MathMl) if is_name(element.name()) => {
                    self.start_tag(part, element, MarkupNamespace::MathMl, parent, &[]);
                    self.finish_element(part, element.name(), MarkupNamespace::MathMl, link, false);
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn svg_element(&mut self, part: SourceNode, element: &'l Element, parent: MarkupNamespace, link: Option<usize>) {
        let name = element.name();
        let is_active = matches!(name, "script" | "handler" | "listener") || animates_script(element);
        // Elements with a prefix are metadata of editors and are not rendered.
        if is_active || name == "metadata" || !is_name(name) {
            return;
        }
        if name == "use" && self.expand(part, element, parent, link) {
            return;
        }
        self.start_tag(part, element, MarkupNamespace::Svg, parent, &[]);
        if name == "style" {
            self.style_contents(part);
            return;
        }
        self.finish_element(part, name, MarkupNamespace::Svg, link, false);
    }

    fn html_element(&mut self, part: SourceNode, element: &'l Element, parent: MarkupNamespace, link: Option<usize>) {
        let name = element.name();
        if is_active_html(name) {
            return;
        }
        if !is_name(name) {
            // An unknown element renders its contents.
            self.children(part, parent, link);
            return;
        }
        self.start_tag(part, element, MarkupNamespace::Html, parent, &[]);
        self.finish_element(part, name, MarkupNamespace::Html, link, serializes_as_void(name));
    }

    /// Writes `<name` with attributes, leaving the tag open.
    pub(super) fn start_tag(
        &mut self,
        part: SourceNode,
        element: &Element,
        namespace: MarkupNamespace,
        parent: MarkupNamespace,
        without: &[&str],
    ) {
        self.out.push('<');
        self.out.push_str(element.name());
        if namespace != parent {
            push_attribute(&mut self.out, "xmlns", namespace.uri());
        }
        self.attributes(part, element, without);
    }

    /// Closes the start tag and queues contents and end tag. HTML elements that are not void keep
    /// their end tag, so that an HTML parser builds the same tree.
    pub(super) fn finish_element(
        &mut self,
        part: SourceNode,
        name: &str,
        namespace: MarkupNamespace,
        link: Option<usize>,
        void: bool,
    ) {
        let is_empty = self.library.source(part.source).document.first_child(part.node).is_none();
        if void || (is_empty && namespace != MarkupNamespace::Html) {
            self.out.push_str("/>");
            return;
        }
        self.out.push('>');
        self.work.push(SerializeItem::Raw(format!("</{name}>")));
        self.children(part, namespace, link);
    }

    fn style_contents(&mut self, part: SourceNode) {
        let css = self.library.source(part.source).document.text_content(part.node);
        self.out.push('>');
        let css = self.rewrite_css(part.source, &css);
        push_text(&mut self.out, &css);
        self.out.push_str("</style>");
    }

    /// Writes the safe and well-formed attributes except those in `without`, and the paint of the page.
    pub(super) fn attributes(&mut self, part: SourceNode, element: &Element, without: &[&str]) {
        let source = part.source;
        let paint = self.paint.filter(|_| source == 0 && element.in_svg());
        let mut painted = paint.map(|paint| paint(part.node, element)).unwrap_or_default();
        for attribute in element.attributes() {
            let Some(name) = attribute_name(attribute).filter(|name| !without.contains(&name.as_str())) else {
                continue;
            };
            if name == "id" && !self.ids.insert(attribute.value.to_string()) {
                continue;
            }
            if let Some(mut value) = self.attribute_value(source, element, &name, &attribute.value) {
                self.uses_xlink |= name.starts_with("xlink:");
                if name == "style" && !painted.is_empty() {
                    let declared = value.trim().trim_end_matches(';');
                    value = format!("{declared};{}", self.rewrite_css(source, &std::mem::take(&mut painted)));
                }
                push_attribute(&mut self.out, &name, &value);
            }
        }
        if !painted.is_empty() {
            let value = self.rewrite_css(source, &painted);
            push_attribute(&mut self.out, "style", &value);
        }
    }

    fn attribute_value(&mut self, source: usize, element: &Element, name: &str, value: &str) -> Option<String> {
        if is_address(element, name) {
            return self.address(source, element, value);
        }
        if runs_script(value) || matches!(name, "srcdoc" | "ping") {
            return None;
        }
        if value.contains('(') { Some(self.rewrite_css(source, value)) } else { Some(value.to_owned()) }
    }

    fn address(&mut self, source: usize, element: &Element, value: &str) -> Option<String> {
        if runs_script(value) {
            return None;
        }
        match self.library.target(source, value) {
            UrlTarget::Fragment(id) => {
                let written = format!("#{id}");
                if element.name() != "a" {
                    self.pending_ids.push_back((source, id));
                }
                Some(written)
            }
            // The other document would not be sanitized; browsers do not render it either.
            UrlTarget::Elsewhere(absolute) if element.name() == "use" && absolute.starts_with("data:") => None,
            UrlTarget::Elsewhere(absolute) => Some(absolute),
            UrlTarget::Unknown => Some(value.trim().to_owned()),
        }
    }

    /// Makes URLs in CSS absolute and records references to elements.
    fn rewrite_css(&mut self, source: usize, css: &str) -> String {
        let library = self.library;
        let wanted = &mut self.pending_ids;
        rewrite_urls(css, |address| {
            if runs_script(address) {
                return Some(String::new());
            }
            match library.target(source, address) {
                UrlTarget::Fragment(id) => {
                    let written = (!address.starts_with('#')).then(|| format!("#{id}"));
                    wanted.push_back((source, id));
                    written
                }
                UrlTarget::Elsewhere(absolute) if !absolute.starts_with("data:") => Some(absolute),
                UrlTarget::Elsewhere(_) | UrlTarget::Unknown => None,
            }
        })
    }

    /// Writes the referenced elements that the markup does not contain.
    fn definitions(&mut self) {
        self.body = std::mem::take(&mut self.out);
        while let Some((source, id)) = self.pending_ids.pop_front() {
            if self.exceeds_limit || self.ids.contains(&id) {
                continue;
            }
            let Some(part) = self.library.element_by_id(source, &id) else { continue };
            let is_svg = self.element(part).is_some_and(Element::in_svg);
            if is_svg {
                self.work.push(SerializeItem::Node { part, parent: MarkupNamespace::Svg, link: None });
                self.write_pending();
                let written = std::mem::take(&mut self.out);
                self.definitions.push_str(&written);
                // Each ID is tried once.
                self.ids.insert(id);
            }
        }
        self.exceeds_limit |= self.bytes_written() > self.max_bytes;
    }

    fn finish(self, root: SourceNode) -> SerializeOptions {
        let element = self.element(root);
        let own = |name: &str| element.and_then(|element| element.attr(name)).map(str::to_owned);
        let lent = |name: &str| self.lent.iter().find(|(lent, _)| *lent == name).map(|(_, value)| value.clone());
        let (width, height) = (own("width"), own("height"));
        let view_box = own("viewBox").or_else(|| lent("viewBox"));
        let mut code = String::with_capacity(self.bytes_written() + self.root_attributes.len() + 128);
        code.push_str("<svg");
        push_attribute(&mut code, "xmlns", SVG);
        if self.uses_xlink {
            push_attribute(&mut code, "xmlns:xlink", XLINK);
        }
        code.push_str(&self.root_attributes);
        for (name, value) in &self.lent {
            push_attribute(&mut code, name, value);
        }
        if self.body.is_empty() && self.definitions.is_empty() {
            code.push_str("/>");
            return SerializeOptions { code, width, height, view_box };
        }
        code.push('>');
        if !self.definitions.is_empty() {
            code.push_str("<defs>");
            code.push_str(&self.definitions);
            code.push_str("</defs>");
        }
        code.push_str(&self.body);
        code.push_str("</svg>");
        SerializeOptions { code, width, height, view_box }
    }
}

/// Returns the name to write; `None` drops the attribute.
fn attribute_name(attribute: &Attribute) -> Option<String> {
    let local: &str = &attribute.name.local;
    match &*attribute.name.ns {
        "" => {
            let is_handler = local.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("on"));
            (is_name(local) && !is_handler && local != "xmlns").then(|| local.to_owned())
        }
        XLINK if is_name(local) => Some(format!("xlink:{local}")),
        XML if is_name(local) && local != "base" => Some(format!("xml:{local}")),
        _ => None,
    }
}

/// Returns true for attributes that contain a URL.
fn is_address(element: &Element, name: &str) -> bool {
    match name {
        "href" | "xlink:href" | "src" => true,
        "action" | "formaction" | "poster" | "background" | "cite" | "data" => element.in_html(),
        _ => false,
    }
}

/// Returns true for an animation that would set a script URL or an event handler on its target.
fn animates_script(element: &Element) -> bool {
    let is_animation = matches!(element.name(), "animate" | "set" | "animateTransform" | "animateMotion");
    let attribute = element.attr("attributeName").unwrap_or_default().trim().to_ascii_lowercase();
    let is_handler = attribute.starts_with("on");
    let is_address = matches!(attribute.as_str(), "href" | "xlink:href");
    let sets_script = || {
        let values = ["to", "from", "by", "values"].iter().filter_map(|name| element.attr(name));
        values.flat_map(|values| values.split(';')).any(runs_script)
    };
    is_animation && (is_handler || (is_address && sets_script()))
}

/// Returns true for HTML elements that run, embed or redirect, and for elements without rendering.
fn is_active_html(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "iframe"
            | "frame"
            | "frameset"
            | "object"
            | "embed"
            | "applet"
            | "base"
            | "link"
            | "meta"
            | "noscript"
            | "template"
    )
}
