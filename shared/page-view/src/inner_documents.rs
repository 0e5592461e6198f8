//! Collects the documents inside of a page that a visitor sees as parts of it: contents of
//! `noscript`, `srcdoc` of frames, and the frames of a frameset.

use crate::PageView;
use limner_page::charset::decode_html;
use limner_page::dom::Element;
use limner_page::media_type::MediaType;
use limner_page::{Document, DocumentBase, NodeId, xhtml};
use limner_style::SubstringSet;
use std::collections::HashSet;
use url::Url;

/// Maximum depth of documents in documents.
const MAX_DEPTH: usize = 3;
/// Maximum number of frames of framesets.
const MAX_FRAMES: usize = 8;

/// A document inside of an element of the page.
#[derive(Debug)]
pub struct InnerDocument {
    /// The element of the page that holds it, which determines its position.
    pub owner: NodeId,
    /// The document.
    pub document: Document,
    /// The base of its URLs.
    pub base: DocumentBase,
    /// True for the contents of a `noscript`, whose elements are those of the page.
    pub is_noscript: bool,
}

/// Returns the inner documents in the order of their owners.
pub(crate) fn collect(view: &PageView<'_>) -> Vec<InnerDocument> {
    let mut collector = InnerCollector { view, found: Vec::new(), frames: HashSet::new() };
    collector.document(&view.document, &view.base, None, MAX_DEPTH);
    collector.found
}

/// Returns the URLs of frames of the page, or of its frames, that are not among the resources yet.
pub fn missing_frames(view: &PageView<'_>) -> Vec<String> {
    if !has_frame_elements(&view.page.html) {
        return Vec::new();
    }
    let inside = view.inner_documents().iter().map(|inner| (&inner.document, &inner.base));
    let documents = std::iter::once((&view.document, &view.base)).chain(inside);
    let urls = documents
        .flat_map(|(document, base)| document.elements().map(move |(_, element)| (element, base)))
        .filter_map(|(element, base)| if element.is_html("frame") { frame_url(element, base) } else { None });
    let mut missing: Vec<String> = Vec::new();
    for url in urls.take(MAX_FRAMES) {
        let url = key(&url).to_owned();
        if url != view.page.url && !view.page.resources.contains_key(&url) && !missing.contains(&url) {
            missing.push(url);
        }
    }
    missing
}

/// Returns true if markup has `frame` elements, which only framesets may.
pub fn has_frame_elements(html: &str) -> bool {
    const NEEDLES: SubstringSet = SubstringSet::new(&["<frame", "<FRAME", "<Frame"]);
    NEEDLES.is_match(html)
}

fn frame_url(frame: &Element, base: &DocumentBase) -> Option<Url> {
    let source = frame.attr("src").map(str::trim).filter(|source| !source.is_empty())?;
    base.join(source).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// Returns the URL without fragment, which is the key of resources.
pub fn key(url: &Url) -> &str {
    url.as_str().split('#').next().unwrap_or_default()
}

struct InnerCollector<'a> {
    view: &'a PageView<'a>,
    found: Vec<InnerDocument>,
    /// URLs of the frames so far.
    frames: HashSet<String>,
}

impl InnerCollector<'_> {
    fn document(&mut self, document: &Document, base: &DocumentBase, owner: Option<NodeId>, depth: usize) {
        if depth == 0 {
            return;
        }
        for (node, element) in document.elements() {
            let inner = match element.name() {
                "noscript" if element.in_html() => noscript(document, node, base),
                "iframe" => srcdoc(document, element, base),
                "frame" => self.frame(element, base),
                _ => None,
            };
            let Some((document, base, is_noscript)) = inner else { continue };
            let owner = owner.unwrap_or(node);
            let position = self.found.len();
            self.document(&document, &base, Some(owner), depth - 1);
            self.found.insert(position, InnerDocument { owner, document, base, is_noscript });
        }
    }

    fn frame(&mut self, frame: &Element, base: &DocumentBase) -> Option<(Document, DocumentBase, bool)> {
        let url = frame_url(frame, base)?;
        let address = key(&url).to_owned();
        if address == self.view.page.url || self.frames.len() >= MAX_FRAMES || !self.frames.insert(address.clone()) {
            return None;
        }
        let resource = self.view.page.resources.get(&address).filter(|found| (200..300).contains(&found.status))?;
        let media_type = MediaType { essence: resource.content_type.clone(), charset: resource.charset.clone() };
        if !media_type.is_html() {
            return None;
        }
        let decoded = decode_html(&resource.body, &media_type, url.host_str());
        let is_xml = media_type.is_xml();
        let html = if is_xml { xhtml::to_html(&decoded.text) } else { decoded.text };
        let document = Document::parse_within(&html, self.view.document.work_budget());
        let base = document.base_url(&Url::parse(&resource.url).unwrap_or(url));
        Some((document, DocumentBase::new(base, decoded.encoding.name()), false))
    }
}

/// Parses the markup inside a `noscript`, which is hidden with scripting enabled.
fn noscript(document: &Document, node: NodeId, base: &DocumentBase) -> Option<(Document, DocumentBase, bool)> {
    let text = document.text_content(node);
    let budget = document.work_budget();
    // Each of them keeps the base of the page.
    if !text.contains('<') || !budget.reserve_bytes(base.as_str().len()) {
        return None;
    }
    Some((Document::parse_fragment_within(&text, budget), base.clone(), true))
}

/// Parses the `srcdoc` of a frame: a document with the base URL of the page (HTML, "fallback base
/// URL"), in UTF-8.
fn srcdoc(document: &Document, frame: &Element, base: &DocumentBase) -> Option<(Document, DocumentBase, bool)> {
    let markup = frame.attr("srcdoc").filter(|markup| markup.contains('<'))?;
    let document = Document::parse_within(markup, document.work_budget());
    let base = document.base_url(base);
    if !document.work_budget().reserve_bytes(base.as_str().len()) {
        return None;
    }
    Some((document, DocumentBase::from(base), false))
}
