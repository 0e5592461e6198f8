//! A page with its files, put together as the fetcher does it.

use limner_page::charset::decode_html;
use limner_page::media_type::MediaType;
use limner_page::page_health::{self, ResponseInfo};
use limner_page::references::{
    StylesheetReference, StylesheetSource, imports, meta_refresh, refresh, stylesheets_with_scripting_disabled,
};
use limner_page::snapshot::ImportedSheet;
use limner_page::{Document, DocumentBase, PageSnapshot, Resource, SheetOwner, Stylesheet, WorkBudget};
use limner_types::Operation;
use std::collections::{BTreeMap, HashSet};
use url::Url;

/// URL of the page.
pub const PAGE_URL: &str = "https://site.test/";
/// Limits of the fetcher: the largest document, the most bytes of sheets, the most sheets, and the rounds, number and bytes
/// of other files.
const HTML_BYTES: usize = 10_000_000;
const CSS_BYTES: usize = 20_000_000;
const SHEETS: usize = 100;
const ROUNDS: usize = 3;
const RESOURCES: usize = 40;
/// The most images that are measured.
const PICTURES: usize = 32;
const RESOURCE_BYTES: usize = 10 << 20;
/// The most that servers may send as headers.
const HEADER_BYTES: usize = 64 << 10;

/// A page of a stranger.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The document.
    pub html: String,
    /// Sheets and other files, by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Headers of the document, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The section that is requested of `/code`; without it, `/code` chooses.
    pub selector: Option<&'static str>,
}

impl Page {
    /// A page with the body, below a header and a hero section as pages have them.
    pub fn of_body(body: &str) -> Self {
        Self::of_parts("", body)
    }

    /// The same with the style sheet.
    pub fn styled(css: &str, body: &str) -> Self {
        Self::of_parts(&format!("<style>{css}</style>"), body)
    }

    /// The same with what is in its head.
    pub fn of_parts(head: &str, body: &str) -> Self {
        let html = format!(
            "<!doctype html><html><head><title>A page</title><meta name=viewport content='width=device-width'>{head}</head>\
             <body><header><nav><a href=/>Home</a></nav></header><main><section class=hero><h1>Hello brave world</h1>\
             <p class=x>Some text that is long enough to be a page for a visitor.</p><a class=btn href=/go>Start now</a>\
             </section>{body}</main></body></html>"
        );
        Self { html, ..Self::default() }
    }

    /// The same with a file.
    #[must_use]
    pub fn with_file(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), bytes.into());
        self
    }

    /// The same with `/code` asked for that selector.
    #[must_use]
    pub fn selecting(mut self, selector: &'static str) -> Self {
        self.selector = Some(selector);
        self
    }

    /// Bytes of the document and its files.
    pub fn bytes(&self) -> usize {
        let headers: usize = self.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        self.html.len() + headers + self.files.values().map(Vec::len).sum::<usize>()
    }

    /// Returns true if the fetcher would not read all of it.
    pub fn is_past_limits(&self) -> bool {
        let is_sheet = |path: &&String| path.ends_with(".css");
        let (sheets, others): (Vec<_>, Vec<_>) = self.files.iter().partition(|(path, _)| is_sheet(path));
        let css: usize = sheets.iter().map(|(_, bytes)| bytes.len()).sum();
        let headers: usize = self.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        self.html.len() > HTML_BYTES
            || css > CSS_BYTES
            || sheets.len() > SHEETS
            || others.len() > RESOURCES
            || others.iter().any(|(_, bytes)| bytes.len() > RESOURCE_BYTES)
            || headers > HEADER_BYTES
    }

    /// Reads the document and its sheets, with everything that the fetcher asks about them.
    pub fn snapshot(&self) -> PageSnapshot {
        self.snapshot_within(&WorkBudget::default())
    }

    /// The same within a budget of work.
    pub fn snapshot_within(&self, budget: &WorkBudget) -> PageSnapshot {
        let header =
            |wanted: &str| self.headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
        let media_type = MediaType::parse(header("content-type").unwrap_or("text/html"));
        let url = address("");
        let decoded = decode_html(self.html.as_bytes(), &media_type, url.host_str());
        let document = Document::parse_within(&decoded.text, budget);
        let response =
            ResponseInfo { status: 200, requested: &url, url: &url, headers: &self.headers, html: &decoded.text };
        std::hint::black_box(page_health::assess(&response, &document));
        let base = DocumentBase::from(document.base_url(&url));
        let sent_on = header("refresh").and_then(|content| refresh(content, &url, &url.clone().into()));
        std::hint::black_box(sent_on.or_else(|| meta_refresh(&document, &url, &base)));
        let references = stylesheets_with_scripting_disabled(&document, &base);
        let mut imported = BTreeMap::new();
        let sheets = references.into_iter().map(|reference| self.sheet(reference, &base, &mut imported)).collect();
        PageSnapshot {
            requested_url: url.to_string(),
            url: url.into(),
            status: 200,
            content_type: "text/html".to_owned(),
            html: decoded.text,
            sheets,
            imports: imported,
            ..PageSnapshot::default()
        }
    }

    fn sheet(
        &self,
        reference: StylesheetReference,
        base: &Url,
        imported: &mut BTreeMap<String, ImportedSheet>,
    ) -> Stylesheet {
        let StylesheetReference { element, source, media, alternate, .. } = reference;
        let common = Stylesheet { element, media, alternate, base_url: base.to_string(), ..Stylesheet::default() };
        match source {
            StylesheetSource::Inline(text) => {
                self.import(&text, base, imported);
                Stylesheet { owner: SheetOwner::Style, text: Some(text), ..common }
            }
            StylesheetSource::External(url) | StylesheetSource::Unread(url) => {
                let text = self.text(&url);
                self.import(text.as_deref().unwrap_or_default(), &url, imported);
                Stylesheet { text, href: Some(url.to_string()), base_url: url.into(), ..common }
            }
        }
    }

    /// Adds the sheets that a sheet imports, and those that they import.
    fn import(&self, css: &str, base: &Url, imported: &mut BTreeMap<String, ImportedSheet>) {
        let mut to_visit = imports(css, base);
        while let Some(url) = to_visit.pop() {
            if imported.contains_key(url.as_str()) {
                continue;
            }
            let Some(text) = self.text(&url) else { continue };
            to_visit.extend(imports(&text, &url));
            imported.insert(url.to_string(), ImportedSheet { base_url: url.into(), text });
        }
    }

    fn text(&self, url: &Url) -> Option<String> {
        let bytes = self.files.get(url.path().trim_start_matches('/'))?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Adds the files that the operation reads beyond the page and its sheets, as long as it names others, and the images
    /// that its layout measures. Within the budget of the page.
    pub fn complete(&self, page: &mut PageSnapshot, operation: Operation, budget: &WorkBudget) {
        let mut asked: HashSet<String> = HashSet::new();
        for _ in 0..ROUNDS {
            let Ok(mut wanted) = limner_extract::required_subresources(operation, page, budget) else { return };
            wanted.retain(|url| asked.len() < RESOURCES && asked.insert(url.clone()));
            if wanted.is_empty() {
                break;
            }
            self.add(page, wanted);
        }
        let Ok(mut pictures) = limner_extract::required_images(operation, page, budget) else { return };
        pictures.truncate(PICTURES);
        self.add(page, pictures);
    }

    fn add(&self, page: &mut PageSnapshot, wanted: Vec<String>) {
        for url in wanted {
            let resource = Url::parse(&url).ok().and_then(|url| self.resource(&url));
            page.resources.insert(url, resource.unwrap_or_default());
        }
    }

    fn resource(&self, url: &Url) -> Option<Resource> {
        let body = self.files.get(url.path().trim_start_matches('/'))?.clone();
        Some(Resource { url: url.to_string(), status: 200, body, ..Resource::default() })
    }
}

/// The address of a file of the page.
fn address(path: &str) -> Url {
    let joined = Url::parse(PAGE_URL).and_then(|base| base.join(path));
    joined.unwrap_or_else(|fault| unreachable!("{path}: {fault}"))
}
