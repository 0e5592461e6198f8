//! A page parsed for reading: the document, its base address and what operations keep asking for.

use limner_page::{Document, PageSnapshot};
use url::Url;

/// A snapshot with its document parsed.
#[derive(Debug)]
pub struct PageView<'a> {
    /// The snapshot.
    pub page: &'a PageSnapshot,
    /// Its document.
    pub document: Document,
    /// What relative addresses in the document resolve against.
    pub base: Url,
}

impl<'a> PageView<'a> {
    /// Parses the document. A snapshot whose address does not parse gets `about:blank` as its base.
    pub fn new(page: &'a PageSnapshot) -> Self {
        let document = Document::parse(&page.html);
        let blank = || Url::parse("about:blank").unwrap_or_else(|_| unreachable!("a constant that parses"));
        let own = Url::parse(&page.url).unwrap_or_else(|_| blank());
        let base = document.base_url(&own);
        Self { page, document, base }
    }

    /// The absolute form of an address in the document, if it has one.
    pub fn resolve(&self, reference: &str) -> Option<Url> {
        let reference = reference.trim();
        if reference.is_empty() { None } else { self.base.join(reference).ok() }
    }
}
