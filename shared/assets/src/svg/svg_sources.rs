//! Holds the documents that SVG references may refer to: the page, contents of `noscript`, external
//! sprites.

use crate::image_references::key;
use limner_page::charset::decode_html;
use limner_page::media_type::MediaType;
use limner_page::{Document, NodeId, PageSnapshot, Resource};
use limner_page_view::PageView;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Elements that a `use` refers to.
pub(super) type UsedElements = HashSet<SourceNode>;

/// A document with its base URL.
pub(super) struct SvgSource<'a> {
    pub document: Cow<'a, Document>,
    /// The document's URL without fragment; empty if it has none.
    url: String,
    base: Option<Url>,
    ids: OnceCell<HashMap<String, NodeId>>,
}

impl<'a> SvgSource<'a> {
    fn new(document: Cow<'a, Document>, url: String, base: Option<Url>) -> Self {
        Self { document, url, base, ids: OnceCell::new() }
    }

    /// Returns the first element with this ID, as browsers do.
    fn element_by_id(&self, id: &str) -> Option<NodeId> {
        let index = || {
            let mut ids = HashMap::new();
            for (node, element) in self.document.elements() {
                if let Some(id) = element.id() {
                    ids.entry(id.to_string()).or_insert(node);
                }
            }
            ids
        };
        self.ids.get_or_init(index).get(id).copied()
    }

    pub(super) fn root_svg(&self) -> Option<NodeId> {
        self.document.elements().find(|(_, element)| element.is_svg("svg")).map(|(node, _)| node)
    }
}

/// A node of one of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SourceNode {
    /// The number of the document.
    pub source: usize,
    /// The node in it.
    pub node: NodeId,
}

/// The target of a URL in markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UrlTarget {
    /// An ID in the same document.
    Fragment(String),
    /// An absolute URL.
    Elsewhere(String),
    /// An unresolvable URL.
    Unknown,
}

/// The documents of a page, by number.
pub struct SvgSources<'a> {
    sources: Vec<SvgSource<'a>>,
    sprites: HashMap<String, usize>,
}

impl<'a> SvgSources<'a> {
    /// Creates the documents of a page. The page is number 0, followed by its inner documents.
    pub fn from_page(view: &'a PageView<'_>) -> Self {
        let url = key(&view.url).to_owned();
        let source =
            |document, url: String, base: &Url| SvgSource::new(Cow::Borrowed(document), url, Some(base.clone()));
        let inner = view.inner_documents().iter().map(|inner| {
            let url = if inner.is_noscript { url.clone() } else { String::new() };
            source(&inner.document, url, &inner.base)
        });
        let sources = std::iter::once(source(&view.document, url.clone(), &view.base)).chain(inner).collect();
        let mut library = Self { sources, sprites: HashMap::new() };
        library.add_sprites(view.page);
        library
    }

    /// Creates the document of a standalone file.
    pub(super) fn from_file(markup: &str, url: Option<&Url>) -> Self {
        let own = url.map(|url| key(url).to_owned()).unwrap_or_default();
        let document = Cow::Owned(Document::parse(markup));
        Self { sources: vec![SvgSource::new(document, own, url.cloned())], sprites: HashMap::new() }
    }

    /// Parses the sprites that were fetched, including those referenced by sprites.
    fn add_sprites(&mut self, page: &PageSnapshot) {
        let mut next = 0;
        while next < self.sources.len() {
            for url in self.external_uses(next) {
                let Some(resource) = page.resources.get(&url).filter(|resource| is_usable(resource)) else { continue };
                if !self.sprites.contains_key(&url) {
                    let base = Url::parse(&resource.url).ok();
                    let budget = self.sources[0].document.work_budget();
                    let document = Cow::Owned(Document::parse_within(&markup(resource), budget));
                    self.sprites.insert(url.clone(), self.sources.len());
                    self.sources.push(SvgSource::new(document, url, base));
                }
            }
            next += 1;
        }
    }

    /// Returns the files that the `use` elements of a document refer to, without duplicates.
    fn external_uses(&self, source: usize) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let document = &self.sources[source].document;
        for (_, element) in document.elements().filter(|(_, element)| element.is_svg("use")) {
            if let UrlTarget::Elsewhere(address) = self.target(source, element.href().unwrap_or_default()) {
                let file = address.split('#').next().unwrap_or_default().to_owned();
                let is_http = file.starts_with("http:") || file.starts_with("https:");
                if is_http && !seen.contains(&file) {
                    document.work_budget().reserve_bytes(2 * file.len());
                    seen.insert(file.clone());
                    found.push(file);
                }
            }
        }
        found
    }

    /// Returns the referenced sprites that are not among the resources yet.
    pub fn missing_sprites(&self, page: &PageSnapshot) -> Vec<String> {
        let mut seen = HashSet::new();
        let all = (0..self.sources.len()).flat_map(|source| self.external_uses(source));
        all.filter(|url| !page.resources.contains_key(url) && seen.insert(url.clone())).collect()
    }

    /// Returns a document.
    pub fn document(&self, source: usize) -> &Document {
        &self.sources[source].document
    }

    pub(super) fn source(&self, index: usize) -> &SvgSource<'a> {
        &self.sources[index]
    }

    /// Resolves a URL in a document.
    pub(super) fn target(&self, source: usize, address: &str) -> UrlTarget {
        let address = address.trim();
        if let Some(fragment) = address.strip_prefix('#') {
            return UrlTarget::Fragment(fragment.to_owned());
        }
        let source = &self.sources[source];
        let absolute = match &source.base {
            Some(base) => base.join(address).ok(),
            None => Url::parse(address).ok(),
        };
        match absolute {
            None => UrlTarget::Unknown,
            Some(url) if key(&url) == source.url && url.fragment().is_some() => {
                UrlTarget::Fragment(url.fragment().unwrap_or_default().to_owned())
            }
            Some(url) => UrlTarget::Elsewhere(url.to_string()),
        }
    }

    /// Returns the element with an ID, as seen from a document. Contents of `noscript` belong to
    /// the page.
    pub(super) fn element_by_id(&self, source: usize, id: &str) -> Option<SourceNode> {
        let part = |source: usize, id: &str| Some(SourceNode { source, node: self.sources[source].element_by_id(id)? });
        let same_page = self.sources[source].url == self.sources[0].url;
        let find = |id: &str| part(source, id).or_else(|| part(0, id).filter(|_| same_page));
        find(id).or_else(|| find(&percent_decode_str(id).decode_utf8().ok()?))
    }

    /// Returns the element that a `use` refers to.
    pub fn resolve_use(&self, source: usize, address: &str) -> Option<SourceNode> {
        match self.target(source, address) {
            UrlTarget::Fragment(id) => self.element_by_id(source, &id),
            UrlTarget::Elsewhere(address) => {
                let (file, id) = address.split_once('#').unwrap_or((&address, ""));
                let sprite = *self.sprites.get(file)?;
                if id.is_empty() {
                    return Some(SourceNode { source: sprite, node: self.sources[sprite].root_svg()? });
                }
                self.element_by_id(sprite, id)
            }
            UrlTarget::Unknown => None,
        }
    }

    /// Returns all elements that a `use` of the page refers to.
    pub(super) fn use_targets(&self) -> HashSet<SourceNode> {
        let mut used = HashSet::new();
        for (index, source) in self.sources.iter().enumerate() {
            for (_, element) in source.document.elements().filter(|(_, element)| element.is_svg("use")) {
                used.extend(element.href().and_then(|href| self.resolve_use(index, href)));
            }
        }
        used
    }
}

fn is_usable(resource: &Resource) -> bool {
    (200..300).contains(&resource.status) && !resource.body.is_empty()
}

/// Decodes the text of an SVG file.
fn markup(resource: &Resource) -> String {
    let media_type = MediaType { essence: "image/svg+xml".to_owned(), charset: None };
    decode_html(&resource.body, &media_type, None).text
}
