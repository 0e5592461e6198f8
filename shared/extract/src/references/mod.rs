//! Every image a page refers to, in document order: what `/images` lists and `/svg` picks its files from.
//!
//! Only reads what the page declares; never guesses addresses that nothing refers to (such as `/favicon.ico`).

mod element;
pub(crate) mod lazy;
mod link;
mod manifest;
mod meta;
pub(crate) mod srcset;

use crate::PageView;
use crate::css::{CssReader, CssReference, Role};
use limner_page::dom::Element;
use limner_page::{Document, NodeId, PageSnapshot, Sheet, SheetOwner};
use limner_types::result::ImageSource;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Bytes that the references of a page may take together. An element says the same of each of its addresses, and
/// every address may begin with the same long base, so that a small page could have any number of them.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// What refers to an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Origin {
    /// One of the origins `/images` lists by this word.
    Image(ImageSource),
    /// `object data`.
    Object,
    /// `embed src`.
    Embed,
    /// `iframe src`.
    Iframe,
    /// SVG `use` of another file.
    Use,
    /// A property that takes an element of an SVG file, such as `filter`.
    SvgElement,
}

/// A reference to an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// Absolute, with its fragment.
    pub(crate) url: Url,
    pub(crate) origin: Origin,
    /// The element of the page's own document it stands at; `None` in sheets and in `noscript`.
    pub(crate) element: Option<NodeId>,
    /// Where it stands in the page: the place in document order of its element, that of its sheet, or its `noscript`.
    pub(crate) at: usize,
    pub(crate) alt: Option<String>,
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    pub(crate) descriptor: Option<String>,
    pub(crate) media: Option<String>,
    pub(crate) media_type: Option<String>,
    /// An icon of the application, rather than a screenshot or the icon of a shortcut.
    pub(crate) is_app_icon: bool,
}

impl Reference {
    fn new(url: Url, origin: Origin) -> Self {
        Self {
            url,
            origin,
            element: None,
            at: 0,
            alt: None,
            width: None,
            height: None,
            descriptor: None,
            media: None,
            media_type: None,
            is_app_icon: false,
        }
    }

    /// The bytes that it takes.
    fn bytes(&self) -> usize {
        let texts = [&self.alt, &self.descriptor, &self.media, &self.media_type];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        size_of::<Self>() + self.url.as_str().len() + texts
    }
}

/// The references of a page.
pub(crate) struct References {
    /// In document order.
    pub(crate) list: Vec<Reference>,
    /// There were too many.
    pub(crate) is_cut: bool,
}

/// Every reference of the page in document order. Sheets stand where the element does that brings them in.
pub(crate) fn collect(view: &PageView<'_>) -> References {
    let mut collector = Collector::new(view);
    collector.page();
    References { is_cut: collector.is_full(), list: collector.found }
}

/// The same without what the page's sheets refer to, which is much quicker.
pub(crate) fn collect_markup(view: &PageView<'_>) -> Vec<Reference> {
    let mut collector = Collector { sheets: HashMap::new(), ..Collector::new(view) };
    collector.page();
    collector.found
}

struct Collector<'a> {
    view: &'a PageView<'a>,
    css: CssReader<'a>,
    sheets: HashMap<NodeId, Vec<&'a Sheet>>,
    found: Vec<Reference>,
    /// How many more bytes references may take.
    left: usize,
    /// The element that is being read.
    at: usize,
    manifest_seen: bool,
    /// External sheets of `noscript` that were read.
    noscript_sheets: HashSet<String>,
    /// Texts of the page's sheets that no element of its document brings in.
    unplaced_sheets: HashSet<&'a str>,
    /// The last `og:image` and `twitter:image`, which the properties after them describe.
    described: [Option<usize>; 2],
}

/// Where an element stands.
struct Place<'a> {
    document: &'a Document,
    node: NodeId,
    element: &'a Element,
    /// Whether `document` is the page's own.
    in_page: bool,
}

impl<'a> Collector<'a> {
    fn new(view: &'a PageView<'a>) -> Self {
        let css = CssReader::new(view.page);
        let unplaced = view.page.sheets.iter().filter(|sheet| sheet.element.is_none());
        Self {
            view,
            css,
            sheets: view.sheets_by_element(),
            found: Vec::new(),
            left: MAX_BYTES,
            at: 0,
            manifest_seen: false,
            noscript_sheets: HashSet::new(),
            unplaced_sheets: unplaced.filter_map(|sheet| sheet.text.as_deref()).collect(),
            described: [None; 2],
        }
    }

    fn page(&mut self) {
        let view = self.view;
        let document = &view.document;
        let mut noscripts = view.noscripts().iter().peekable();
        self.sheets_at(document.root());
        for (node, element) in document.elements() {
            self.at = node.index();
            self.element(&Place { document, node, element, in_page: true });
            self.sheets_at(node);
            if let Some((_, contents)) = noscripts.next_if(|(at, _)| *at == node) {
                self.noscript(contents);
            }
        }
    }

    fn noscript(&mut self, document: &'a Document) {
        for (node, element) in document.elements() {
            self.element(&Place { document, node, element, in_page: false });
            if let Some(sheet) = self.noscript_sheet(document, node, element) {
                let references = self.css.sheet(&sheet);
                self.css_references(references, None);
            }
        }
    }

    /// The sheet that an element inside `noscript` brings in, unless it is one of the page's; a file is read once, whoever
    /// names it.
    fn noscript_sheet(&mut self, document: &Document, node: NodeId, element: &Element) -> Option<Sheet> {
        let media = element.attr("media").unwrap_or_default().to_owned();
        if element.is_html("style") {
            let text = document.text_content(node);
            if self.unplaced_sheets.contains(text.as_str()) {
                return None;
            }
            let base_url = self.view.base.to_string();
            return Some(Sheet { owner: SheetOwner::Style, base_url, media, text: Some(text), ..Sheet::default() });
        }
        let url = sheet_link(self.view, element)?;
        if !self.noscript_sheets.insert(key(&url).to_owned()) {
            return None;
        }
        let resource =
            self.view.page.resources.get(key(&url)).filter(|resource| (200..300).contains(&resource.status))?;
        let text = String::from_utf8_lossy(&resource.body).into_owned();
        let base_url = resource.url.clone();
        Some(Sheet { owner: SheetOwner::Link, base_url, media, text: Some(text), ..Sheet::default() })
    }

    fn sheets_at(&mut self, node: NodeId) {
        for sheet in self.sheets.remove(&node).unwrap_or_default() {
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
                Role::Image => Origin::Image(ImageSource::Css),
                Role::Custom if is_other_media(&reference.url) => continue,
                Role::Custom => Origin::Image(ImageSource::Css),
                Role::SvgElement => Origin::SvgElement,
            };
            let CssReference { url, descriptor, media_type, media, .. } = reference;
            let media = media.map(|media| media.to_string());
            self.add(Reference { element, descriptor, media_type, media, ..Reference::new(url, origin) });
        }
    }

    fn add(&mut self, reference: Reference) {
        let usable = match reference.url.scheme() {
            "http" | "https" => !self.is_page_itself(&reference.url),
            "data" => true,
            _ => false,
        };
        if !usable {
            return;
        }
        match self.left.checked_sub(reference.bytes()) {
            Some(left) => {
                self.left = left;
                self.found.push(Reference { at: self.at, ..reference });
            }
            None => self.left = 0,
        }
    }

    /// Returns true once a reference did not fit: no further one is kept, or needs to be made.
    fn is_full(&self) -> bool {
        self.left == 0
    }

    /// An address that leads back to the page (an empty `src`, a bare fragment) is no image.
    fn is_page_itself(&self, url: &Url) -> bool {
        let without_fragment = |url: &Url| url.as_str().split('#').next().map(str::len);
        let own = &self.view.url;
        let length = without_fragment(url);
        length == without_fragment(own)
            && url.as_str().get(..length.unwrap_or(0)) == own.as_str().get(..length.unwrap_or(0))
    }

    /// The absolute form of an address in markup.
    fn resolve(&self, address: &str) -> Option<Url> {
        self.view.resolve(address)
    }
}

/// Addresses of sheets that only `noscript` refers to and that are not yet among the resources.
pub(crate) fn wanted_noscript_sheets(view: &PageView<'_>) -> Vec<String> {
    let mut wanted = Vec::new();
    for (_, document) in view.noscripts() {
        for url in document.elements().filter_map(|(_, element)| sheet_link(view, element)) {
            let known = view.page.resources.contains_key(key(&url)) || has_sheet(view.page, &url);
            if matches!(url.scheme(), "http" | "https") && !known {
                wanted.push(key(&url).to_owned());
            }
        }
    }
    wanted
}

fn has_sheet(page: &PageSnapshot, url: &Url) -> bool {
    page.sheets.iter().any(|sheet| sheet.href.as_deref() == Some(url.as_str()))
}

/// Where a `link rel=stylesheet` leads.
fn sheet_link(view: &PageView<'_>, element: &Element) -> Option<Url> {
    let is_sheet = element.is_html("link") && element.attr_has_token("rel", "stylesheet");
    view.resolve(element.attr("href").filter(|_| is_sheet)?)
}

/// The address resources are kept by: without fragment.
pub(crate) fn key(url: &Url) -> &str {
    url.as_str().split('#').next().unwrap_or_default()
}

/// The lower-case extension of the last path segment.
pub(crate) fn extension(url: &Url) -> Option<String> {
    if url.cannot_be_a_base() {
        return None;
    }
    let (_, file) = url.path().rsplit_once('/')?;
    let (_, extension) = file.rsplit_once('.')?;
    Some(extension.to_ascii_lowercase())
}

/// The media type of a `data:` address, lower case; empty when it gives none.
pub(crate) fn data_media_type(url: &Url) -> Option<String> {
    let head = url.as_str().strip_prefix("data:")?;
    let head = head.split([',', ';']).next().unwrap_or_default();
    Some(head.trim().to_ascii_lowercase())
}

/// Whether the name or `data:` type says image.
fn says_image(url: &Url) -> bool {
    const EXTENSIONS: &[&str] = &[
        "png", "apng", "jpg", "jpeg", "jpe", "jfif", "pjpeg", "gif", "webp", "avif", "svg", "svgz", "bmp", "ico",
        "cur", "tif", "tiff", "heic", "heif", "jxl",
    ];
    match data_media_type(url) {
        Some(media_type) => media_type.starts_with("image/"),
        None => extension(url).is_some_and(|extension| EXTENSIONS.contains(&extension.as_str())),
    }
}

/// Whether the name or `data:` type says something other than an image.
fn is_other_media(url: &Url) -> bool {
    const EXTENSIONS: &[&str] = &[
        "woff", "woff2", "ttf", "otf", "eot", "css", "js", "mjs", "json", "html", "mp4", "webm", "ogv", "mov", "mp3",
        "ogg", "wav", "m4a", "lottie",
    ];
    match data_media_type(url) {
        Some(media_type) => !media_type.starts_with("image/"),
        None => extension(url).is_some_and(|extension| EXTENSIONS.contains(&extension.as_str())),
    }
}

#[cfg(test)]
mod tests;
