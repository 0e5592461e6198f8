//! Collects all image references of a page, in document order: `/images` lists them, and `/svg`
//! selects files from them.
//!
//! Only declared references count; conventional URLs to which nothing refers (such as
//! `/favicon.ico`) are not guessed.

mod element;
pub mod lazy;
mod link;
mod manifest;
mod meta;
pub mod srcset;

use crate::css_urls::{CssReader, CssReference, UrlUse};
use crate::media::format;
use limner_page::data_url::declared_media_type;
use limner_page::dom::Element;
use limner_page::{Document, DocumentBase, NodeId, SheetOwner, Stylesheet};
use limner_page_view::PageView;
use limner_page_view::inner_documents::InnerDocument;
pub use limner_page_view::inner_documents::key;
use limner_types::result::ImageSource;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Maximum size of all references of a page, in bytes. Each URL of an element carries the element's
/// description, and each URL may begin with the same long base, so a small page could otherwise
/// produce an unlimited amount.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The kind of reference to an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImageOrigin {
    /// A source that `/images` lists under this name.
    Image(ImageSource),
    /// `object data`.
    Object,
    /// `embed src`.
    Embed,
    /// `iframe src`.
    Iframe,
    /// `use` of an element in another SVG file.
    Use,
    /// A property that takes an element of an SVG file, such as `filter`.
    SvgElement,
}

/// A reference to an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageReference {
    /// The absolute URL with its fragment.
    pub url: Url,
    /// The kind of reference.
    pub origin: ImageOrigin,
    /// The element of the page's own document; `None` for stylesheets and `noscript`.
    pub element: Option<NodeId>,
    /// The position in document order: of the element, of the stylesheet's element, or of the
    /// `noscript`.
    pub position: usize,
    /// The alternative text.
    pub alt: Option<String>,
    /// The declared width in pixels.
    pub width: Option<u32>,
    /// The declared height in pixels.
    pub height: Option<u32>,
    /// The descriptor of a `srcset` candidate.
    pub descriptor: Option<String>,
    /// The media query under which the image is used.
    pub media: Option<String>,
    /// The declared media type.
    pub media_type: Option<String>,
    /// True for an icon of the application, as opposed to a screenshot or a shortcut icon.
    pub is_app_icon: bool,
}

impl ImageReference {
    fn new(url: Url, origin: ImageOrigin) -> Self {
        Self {
            url,
            origin,
            element: None,
            position: 0,
            alt: None,
            width: None,
            height: None,
            descriptor: None,
            media: None,
            media_type: None,
            is_app_icon: false,
        }
    }

    /// Returns the size of the reference, in bytes.
    fn bytes(&self) -> usize {
        let texts = [&self.alt, &self.descriptor, &self.media, &self.media_type];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        size_of::<Self>() + self.url.as_str().len() + texts
    }
}

/// The references of a page.
pub struct References {
    /// In document order.
    pub list: Vec<ImageReference>,
    /// True if the limit was exceeded.
    pub is_cut: bool,
}

/// Collects all references of the page in document order. Those of a stylesheet have the position
/// of its element.
pub fn collect(view: &PageView<'_>) -> References {
    let mut collector = ReferenceCollector::new(view);
    collector.page();
    References { is_cut: collector.is_full(), list: collector.references }
}

/// Collects the references without those in stylesheets, which is much faster.
pub fn collect_markup(view: &PageView<'_>) -> Vec<ImageReference> {
    let mut collector = ReferenceCollector { stylesheets: HashMap::new(), ..ReferenceCollector::new(view) };
    collector.page();
    collector.references
}

struct ReferenceCollector<'a> {
    view: &'a PageView<'a>,
    css: CssReader<'a>,
    /// The base of the document that is read: the page or an inner document.
    base: &'a DocumentBase,
    stylesheets: HashMap<NodeId, Vec<&'a Stylesheet>>,
    references: Vec<ImageReference>,
    /// Remaining number of bytes for references.
    bytes_left: usize,
    /// The position of the current element.
    position: usize,
    has_manifest: bool,
    /// External stylesheets of inner documents that have been read.
    inner_stylesheets: HashSet<String>,
    /// Texts of the page's stylesheets that have no owner element.
    unowned_stylesheets: HashSet<&'a str>,
    /// The last `og:image` and `twitter:image`, to which the following properties apply.
    described: [Option<usize>; 2],
}

/// An element in its context.
struct ReferenceElement<'a> {
    document: &'a Document,
    node: NodeId,
    element: &'a Element,
    /// True if `document` is the page's own.
    in_page: bool,
}

impl<'a> ReferenceCollector<'a> {
    fn new(view: &'a PageView<'a>) -> Self {
        let css = CssReader::new(view.page);
        let unplaced = view.page.sheets.iter().filter(|sheet| sheet.element.is_none());
        Self {
            view,
            css,
            base: &view.base,
            stylesheets: view.sheets_by_element(),
            references: Vec::new(),
            bytes_left: MAX_BYTES,
            position: 0,
            has_manifest: false,
            inner_stylesheets: HashSet::new(),
            unowned_stylesheets: unplaced.filter_map(|sheet| sheet.text.as_deref()).collect(),
            described: [None; 2],
        }
    }

    fn page(&mut self) {
        let view = self.view;
        let document = &view.document;
        let mut inner_documents = view.inner_documents().iter().peekable();
        self.collect_stylesheets(document.root());
        for (node, element) in document.elements() {
            self.position = node.index();
            self.element(&ReferenceElement { document, node, element, in_page: true });
            self.collect_stylesheets(node);
            while let Some(inner) = inner_documents.next_if(|inner| inner.owner == node) {
                self.inner_document(inner);
            }
        }
    }

    fn inner_document(&mut self, inner: &'a InnerDocument) {
        let document = &inner.document;
        self.base = &inner.base;
        for (node, element) in document.elements() {
            self.element(&ReferenceElement { document, node, element, in_page: false });
            if let Some(sheet) = self.inner_sheet(document, node, element) {
                let references = self.css.sheet(&sheet);
                self.css_references(references, None);
            }
        }
        self.base = &self.view.base;
    }

    /// Returns the stylesheet of an element of an inner document, unless it is one of the page's.
    /// Each file is read once.
    fn inner_sheet(&mut self, document: &Document, node: NodeId, element: &Element) -> Option<Stylesheet> {
        let media = element.attr("media").unwrap_or_default().to_owned();
        if element.is_html("style") {
            let text = document.text_content(node);
            if self.unowned_stylesheets.contains(text.as_str()) {
                return None;
            }
            let base_url = self.base.to_string();
            return Some(Stylesheet {
                owner: SheetOwner::Style,
                base_url,
                media,
                text: Some(text),
                ..Stylesheet::default()
            });
        }
        let url = sheet_link(self.base, element)?;
        if !self.inner_stylesheets.insert(key(&url).to_owned()) {
            return None;
        }
        let resource =
            self.view.page.resources.get(key(&url)).filter(|resource| (200..300).contains(&resource.status))?;
        let text = String::from_utf8_lossy(&resource.body).into_owned();
        let base_url = resource.url.clone();
        Some(Stylesheet { owner: SheetOwner::Link, base_url, media, text: Some(text), ..Stylesheet::default() })
    }

    fn collect_stylesheets(&mut self, node: NodeId) {
        for sheet in self.stylesheets.remove(&node).unwrap_or_default() {
            let references = self.css.sheet(sheet);
            self.css_references(references, None);
        }
    }

    fn css_references(&mut self, references: impl IntoIterator<Item = CssReference>, element: Option<NodeId>) {
        for reference in references {
            if self.is_full() {
                return;
            }
            let origin = match reference.role {
                UrlUse::Image => ImageOrigin::Image(ImageSource::Css),
                UrlUse::Custom if is_other_media(&reference.url) => continue,
                UrlUse::Custom => ImageOrigin::Image(ImageSource::Css),
                UrlUse::SvgElement => ImageOrigin::SvgElement,
            };
            let CssReference { url, descriptor, media_type, media, .. } = reference;
            let media = media.map(|media| media.to_string());
            self.add(ImageReference { element, descriptor, media_type, media, ..ImageReference::new(url, origin) });
        }
    }

    fn add(&mut self, reference: ImageReference) {
        let usable = match reference.url.scheme() {
            "http" | "https" => !self.is_page_url(&reference.url),
            "data" => true,
            _ => false,
        };
        if !usable {
            return;
        }
        match self.bytes_left.checked_sub(reference.bytes()) {
            Some(left) => {
                self.bytes_left = left;
                self.references.push(ImageReference { position: self.position, ..reference });
            }
            None => self.bytes_left = 0,
        }
    }

    /// Returns true after a reference exceeded the budget; no further reference is kept.
    fn is_full(&self) -> bool {
        self.bytes_left == 0
    }

    /// Returns true if a URL refers to the page itself or to its base URL (an empty `src`, a bare
    /// fragment) and so to no image.
    fn is_page_url(&self, url: &Url) -> bool {
        [&self.view.url, &**self.base].into_iter().any(|own| key(own) == key(url))
    }

    /// Resolves a URL in markup.
    fn resolve(&self, address: &str) -> Option<Url> {
        let address = address.trim();
        if address.is_empty() { None } else { self.base.join(address).ok() }
    }
}

/// Returns URLs of stylesheets that only inner documents refer to and that are not among the
/// resources yet.
pub(crate) fn missing_inner_stylesheets(view: &PageView<'_>) -> Vec<String> {
    let mut known: HashSet<&str> = view.page.sheets.iter().filter_map(|sheet| sheet.href.as_deref()).collect();
    known.extend(view.page.resources.keys().map(String::as_str));
    let mut wanted = Vec::new();
    for inner in view.inner_documents() {
        for url in inner.document.elements().filter_map(|(_, element)| sheet_link(&inner.base, element)) {
            let is_known = known.contains(key(&url)) || known.contains(url.as_str());
            if matches!(url.scheme(), "http" | "https")
                && !is_known
                && view.document.work_budget().reserve_bytes(url.as_str().len())
            {
                wanted.push(key(&url).to_owned());
            }
        }
    }
    wanted
}

/// Returns the URL of a `link rel=stylesheet`.
fn sheet_link(base: &DocumentBase, element: &Element) -> Option<Url> {
    let is_sheet = element.is_html("link") && element.attr_has_token("rel", "stylesheet");
    let href = element.attr("href").map(str::trim).filter(|href| is_sheet && !href.is_empty())?;
    base.join(href).ok()
}

/// Returns the extension of the last path segment, in lower case.
pub fn extension(url: &Url) -> Option<String> {
    if url.cannot_be_a_base() { None } else { format::extension(url).map(str::to_ascii_lowercase) }
}

/// Returns true if the file name or the `data:` type is that of an image.
fn is_image_url(url: &Url) -> bool {
    const EXTENSIONS: &[&str] = &[
        "png", "apng", "jpg", "jpeg", "jpe", "jfif", "pjpeg", "gif", "webp", "avif", "svg", "svgz", "bmp", "ico",
        "cur", "tif", "tiff", "heic", "heif", "jxl",
    ];
    match declared_media_type(url) {
        Some(media_type) => media_type.starts_with("image/"),
        None => extension(url).is_some_and(|extension| EXTENSIONS.contains(&extension.as_str())),
    }
}

/// Returns true if the file name or the `data:` type is that of another kind of file.
fn is_other_media(url: &Url) -> bool {
    const EXTENSIONS: &[&str] = &[
        "woff", "woff2", "ttf", "otf", "eot", "css", "js", "mjs", "json", "html", "mp4", "webm", "ogv", "mov", "mp3",
        "ogg", "wav", "m4a", "lottie",
    ];
    match declared_media_type(url) {
        Some(media_type) => !media_type.starts_with("image/"),
        None => extension(url).is_some_and(|extension| EXTENSIONS.contains(&extension.as_str())),
    }
}

#[cfg(test)]
mod tests;
