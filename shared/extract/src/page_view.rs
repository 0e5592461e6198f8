//! A page parsed for reading: the document, its base address and what operations keep asking for.

use limner_page::{Degradation, Document, PageSnapshot};
use limner_types::result::Common;
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

    /// What every JSON result starts with. `truncated` speaks of the result and is the operation's to set.
    pub fn common(&self) -> Common {
        let hint = self.page.degradation.map(Degradation::hint).map(str::to_owned);
        Common { url: self.page.url.clone(), hint, screenshot: self.page.screenshot.clone(), truncated: None }
    }
}
