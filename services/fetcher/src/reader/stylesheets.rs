//! Loads stylesheets and their imports, in parallel, each URL once.

use super::Reader;
use super::document::{FetchedPage, media_type, without_fragment};
use super::integrity;
use super::request_headers::{RequestKind, for_request};
use encoding_rs::Encoding;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use limner_netguard::{Caps, FetchError, FetchRequest, FetchResponse, Overflow, Unreachable};
use limner_page::charset::decode_css;
use limner_page::data_url::DataUrl;
use limner_page::media_type::MediaType;
use limner_page::references::{Integrity, StylesheetReference, StylesheetSource, imports};
use limner_page::snapshot::ImportedSheet;
use limner_page::{SheetOwner, Stylesheet};
use limner_page_worker::is_access_denied;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use tokio::sync::Mutex;
use tokio::time::Instant;
use url::Url;

/// The stylesheets of a page that could be loaded.
#[derive(Debug, Default)]
pub(super) struct LoadedStylesheets {
    pub(super) stylesheets: Vec<Stylesheet>,
    pub(super) imports: BTreeMap<String, ImportedSheet>,
    /// True if a limit was exceeded.
    pub(super) truncated: bool,
    /// True if a stylesheet is missing that a browser would have loaded.
    pub(super) missing: bool,
}

/// A loaded stylesheet.
#[derive(Debug, Clone)]
struct FetchedSheet {
    /// Its URL after redirects.
    url: Url,
    text: String,
    encoding: &'static Encoding,
    truncated: bool,
    /// The URLs that it imports, as written in its rules.
    imports: Vec<Url>,
    /// Integrity metadata of links that the file does not match.
    integrity_mismatches: HashSet<Integrity>,
}

/// The integrity requirements of the links to one URL.
#[derive(Debug, Default)]
struct IntegrityRequirements<'a> {
    integrities: HashSet<&'a Integrity>,
    /// True if a link has no requirement.
    anything_goes: bool,
}

/// Collects the requirements of a page's links, by URL.
fn integrity_requirements(page: &FetchedPage) -> HashMap<Url, IntegrityRequirements<'_>> {
    let mut all: HashMap<Url, IntegrityRequirements<'_>> = HashMap::new();
    for reference in &page.stylesheets {
        let StylesheetSource::External(url) = &reference.source else { continue };
        let asked = all.entry(without_fragment(url)).or_default();
        asked.integrities.extend(&reference.integrity);
        asked.anything_goes |= reference.integrity.is_none();
    }
    all.retain(|_, asked| !asked.integrities.is_empty());
    all
}

/// The reason why a stylesheet is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MissingReason {
    /// Browsers would not load it either: not found, not a stylesheet, an unknown host.
    MissingForBrowsers,
    /// Browsers might load it.
    MissingForUs,
}

/// A stylesheet to load.
#[derive(Debug)]
struct SheetRequest {
    url: Url,
    /// The encoding of the referring document or stylesheet.
    environment: &'static Encoding,
    /// True if the stylesheet applies to the page; a missing alternate stylesheet is no loss.
    applies: bool,
}

/// Stylesheets up to this size are read in parallel; larger ones one after the other, so that a page cannot make us
/// hold a multiple of its limit in memory.
const MAX_PARALLEL_STYLESHEET_BYTES: usize = 2_000_000;

pub(super) struct StylesheetLoader<'a> {
    reader: &'a Reader,
    page: &'a FetchedPage,
    deadline: Instant,
    waiting: VecDeque<SheetRequest>,
    /// Every requested URL with its stylesheet; `None` while it is loading.
    requested: HashMap<Url, Option<FetchedSheet>>,
    bytes_left: usize,
    /// URLs imported by the page's own `style` elements.
    imported_inline: Vec<Url>,
    styles: LoadedStylesheets,
}

impl<'a> StylesheetLoader<'a> {
    pub(super) fn new(reader: &'a Reader, page: &'a FetchedPage, deadline: Instant) -> Self {
        Self {
            reader,
            page,
            deadline,
            waiting: VecDeque::new(),
            requested: HashMap::new(),
            bytes_left: reader.limits.css_bytes,
            imported_inline: Vec::new(),
            styles: LoadedStylesheets::default(),
        }
    }

    pub(super) async fn load(mut self) -> LoadedStylesheets {
        let page = self.page;
        // Stylesheets that apply come first, in case time or a limit runs out.
        let (applied, alternates): (Vec<_>, Vec<_>) = page.stylesheets.iter().partition(|sheet| !sheet.alternate);
        for reference in applied.into_iter().chain(alternates) {
            self.request_stylesheet(reference);
        }
        self.fetch_all().await;
        self.styles.stylesheets = page.stylesheets.iter().map(|reference| self.sheet(reference)).collect();
        self.collect_imports();
        self.styles
    }

    fn request_stylesheet(&mut self, reference: &StylesheetReference) {
        match &reference.source {
            StylesheetSource::External(url) => {
                let environment = reference.encoding.unwrap_or(self.page.encoding);
                self.enqueue(url.clone(), environment, !reference.alternate);
            }
            StylesheetSource::Inline(text) => {
                self.bytes_left = self.bytes_left.saturating_sub(text.len());
                let imported = imports(text, &self.page.base);
                self.request_imports(&imported, self.page.encoding, !reference.alternate);
                self.imported_inline.extend(imported);
            }
            StylesheetSource::Unread(_) => {}
        }
    }

    fn request_imports(&mut self, imported: &[Url], environment: &'static Encoding, applies: bool) {
        for url in imported {
            self.enqueue(url.clone(), environment, applies);
        }
    }

    /// Queues a URL unless it is known already, which also ends import cycles.
    fn enqueue(&mut self, url: Url, environment: &'static Encoding, applies: bool) {
        let url = without_fragment(&url);
        if self.requested.contains_key(&url) {
            return;
        }
        if self.requested.len() >= self.reader.limits.stylesheets {
            self.styles.truncated = true;
            return;
        }
        self.requested.insert(url.clone(), None);
        self.waiting.push_back(SheetRequest { url, environment, applies });
    }

    async fn fetch_all(&mut self) {
        let (reader, page, deadline) = (self.reader, self.page, self.deadline);
        let (large, asked) = (Mutex::new(()), integrity_requirements(page));
        let mut under_way = FuturesUnordered::new();
        loop {
            while under_way.len() < reader.limits.parallel {
                let Some(request) = self.waiting.pop_front() else { break };
                let fetch =
                    SheetFetch { reader, page, deadline, large: &large, integrity: &asked, max_bytes: self.bytes_left };
                under_way.push(async move { (fetch.load(&request).await, request) });
            }
            let Some((outcome, request)) = under_way.next().await else { return };
            match outcome {
                Ok(loaded) => self.store(request, loaded),
                Err(absent) => self.styles.missing |= request.applies && absent == MissingReason::MissingForUs,
            }
        }
    }

    /// Stores a stylesheet, truncated to the remaining budget.
    fn store(&mut self, request: SheetRequest, mut loaded: FetchedSheet) {
        if loaded.text.len() > self.bytes_left {
            loaded.text.truncate(loaded.text.floor_char_boundary(self.bytes_left));
            loaded.truncated = true;
        }
        self.bytes_left -= loaded.text.len();
        self.styles.truncated |= loaded.truncated;
        loaded.imports = imports(&loaded.text, &loaded.url);
        self.request_imports(&loaded.imports, loaded.encoding, request.applies);
        self.requested.insert(request.url, Some(loaded));
    }

    fn loaded(&self, url: &Url) -> Option<&FetchedSheet> {
        self.requested.get(&without_fragment(url))?.as_ref()
    }

    /// Returns the stylesheet of a link, unless it does not match the link's integrity metadata.
    fn for_link(&self, reference: &StylesheetReference, url: &Url) -> Option<&FetchedSheet> {
        let loaded = self.loaded(url)?;
        let is_refused = reference.integrity.as_ref().is_some_and(|asked| loaded.integrity_mismatches.contains(asked));
        (!is_refused).then_some(loaded)
    }

    fn sheet(&self, reference: &StylesheetReference) -> Stylesheet {
        let common = Stylesheet {
            element: reference.element,
            media: reference.media.clone(),
            alternate: reference.alternate,
            ..Stylesheet::default()
        };
        match &reference.source {
            StylesheetSource::Inline(text) => Stylesheet {
                owner: SheetOwner::Style,
                base_url: self.page.base.to_string(),
                text: Some(text.clone()),
                ..common
            },
            StylesheetSource::External(url) | StylesheetSource::Unread(url) => {
                let loaded = self.for_link(reference, url);
                Stylesheet {
                    owner: SheetOwner::Link,
                    href: Some(url.to_string()),
                    base_url: loaded.map_or(url, |loaded| &loaded.url).to_string(),
                    text: loaded.map(|loaded| loaded.text.clone()),
                    ..common
                }
            }
        }
    }

    /// Walks from the top-level stylesheets through their rules, so that each URL is stored as its rule writes it.
    fn collect_imports(&mut self) {
        let top_level = self.page.stylesheets.iter().filter_map(|reference| match &reference.source {
            StylesheetSource::External(url) => self.for_link(reference, url),
            StylesheetSource::Inline(_) | StylesheetSource::Unread(_) => None,
        });
        let mut to_visit: Vec<&Url> = top_level.flat_map(|loaded| &loaded.imports).collect();
        to_visit.extend(&self.imported_inline);
        let mut found: BTreeMap<String, ImportedSheet> = BTreeMap::new();
        while let Some(url) = to_visit.pop() {
            let Some(loaded) = self.loaded(url) else { continue };
            if found.contains_key(url.as_str()) {
                continue;
            }
            let sheet = ImportedSheet { base_url: loaded.url.to_string(), text: loaded.text.clone() };
            found.insert(url.to_string(), sheet);
            to_visit.extend(&loaded.imports);
        }
        self.styles.imports = found;
    }
}

/// A stylesheet being fetched.
#[derive(Clone, Copy)]
struct SheetFetch<'a> {
    reader: &'a Reader,
    page: &'a FetchedPage,
    deadline: Instant,
    large: &'a Mutex<()>,
    integrity: &'a HashMap<Url, IntegrityRequirements<'a>>,
    /// The size budget when the fetch started.
    max_bytes: usize,
}

impl SheetFetch<'_> {
    async fn load(self, request: &SheetRequest) -> Result<FetchedSheet, MissingReason> {
        if request.url.scheme() == "data" {
            return self.inline(request);
        }
        let small = MAX_PARALLEL_STYLESHEET_BYTES.min(self.max_bytes);
        let mut fetched = self.get(&request.url, small).await?;
        if fetched.truncated && fetched.body.len() >= small && small < self.max_bytes {
            drop(fetched);
            let _one_at_a_time = self.large.lock().await;
            fetched = self.get(&request.url, self.max_bytes).await?;
        }
        self.accept(&fetched, request)
    }

    async fn get(self, url: &Url, max_bytes: usize) -> Result<FetchResponse, MissingReason> {
        let limits = &self.reader.limits;
        let headers = for_request(&limits.user_agent, RequestKind::Stylesheet(&self.page.url), url);
        let caps = Caps { max_bytes, max_redirects: limits.redirects, overflow: Overflow::Truncate, ..Caps::default() };
        let get = FetchRequest { url: url.clone(), headers, caps, deadline: self.deadline };
        self.reader.client.get(get).await.map_err(|cause| {
            tracing::debug!(url.full = %url, error = %cause, "cannot load a stylesheet");
            match cause {
                FetchError::Forbidden(_) | FetchError::Unreachable(Unreachable::Resolve(_)) => {
                    MissingReason::MissingForBrowsers
                }
                _ => MissingReason::MissingForUs,
            }
        })
    }

    fn accept(self, fetched: &FetchResponse, request: &SheetRequest) -> Result<FetchedSheet, MissingReason> {
        let status = fetched.status.as_u16();
        if !fetched.status.is_success() {
            let for_us = is_access_denied(status) || status >= 500;
            return Err(if for_us { MissingReason::MissingForUs } else { MissingReason::MissingForBrowsers });
        }
        let url = without_fragment(&fetched.url);
        let media_type = media_type(&fetched.headers);
        if !self.is_sheet(&media_type, &url) {
            return Err(MissingReason::MissingForBrowsers);
        }
        let is_foreign = fetched.url.origin() != self.page.url.origin();
        let integrity_mismatches = self.integrity_mismatches(request, &fetched.body, is_foreign, fetched.truncated)?;
        let decoded = decode_css(&fetched.body, &media_type, request.environment);
        Ok(FetchedSheet {
            url,
            text: decoded.text,
            encoding: decoded.encoding,
            truncated: fetched.truncated,
            imports: Vec::new(),
            integrity_mismatches,
        })
    }

    /// Returns the integrity metadata that the file does not match; or an error if no link accepts the file, which then
    /// is not available to an `@import` of the same URL either. Browsers do not check a cross-origin file without CORS,
    /// and a truncated file cannot be checked.
    fn integrity_mismatches(
        self,
        request: &SheetRequest,
        body: &[u8],
        is_foreign: bool,
        is_cut: bool,
    ) -> Result<HashSet<Integrity>, MissingReason> {
        let Some(asked) = self.integrity.get(&request.url) else { return Ok(HashSet::new()) };
        let file = integrity::FileDigests::new(body);
        let is_refused = |asked: &Integrity| match file.matches(&asked.metadata) {
            Some(fits) => (!fits && !is_cut) || (is_foreign && !asked.with_cors),
            None => false,
        };
        let integrity_mismatches: HashSet<Integrity> =
            asked.integrities.iter().filter(|asked| is_refused(asked)).map(|asked| (*asked).clone()).collect();
        if !asked.anything_goes && integrity_mismatches.len() == asked.integrities.len() {
            tracing::debug!(url.full = %request.url, "stylesheet does not match its `integrity` metadata");
            return Err(MissingReason::MissingForBrowsers);
        }
        Ok(integrity_mismatches)
    }

    /// Returns true if browsers accept the media type: in quirks mode any type from the same origin, otherwise only
    /// CSS.
    fn is_sheet(self, media_type: &MediaType, url: &Url) -> bool {
        let named = media_type.essence.is_empty() || media_type.essence == "text/css";
        named || (self.page.quirks && url.origin() == self.page.url.origin())
    }

    fn inline(self, request: &SheetRequest) -> Result<FetchedSheet, MissingReason> {
        let data = DataUrl::parse(&request.url).filter(|data| matches!(data.media_type.essence.as_str(), "text/css"));
        let data = data.ok_or(MissingReason::MissingForBrowsers)?;
        let integrity_mismatches = self.integrity_mismatches(request, &data.bytes, false, false)?;
        let decoded = decode_css(&data.bytes, &data.media_type, request.environment);
        Ok(FetchedSheet {
            url: request.url.clone(),
            text: decoded.text,
            encoding: decoded.encoding,
            truncated: false,
            imports: Vec::new(),
            integrity_mismatches,
        })
    }
}
