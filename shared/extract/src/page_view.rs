//! A page parsed for reading: the document, its base address and what operations keep asking for.

use crate::ExtractError;
use crate::result_size::{MAX_RESULT_BYTES, Room};
use limner_page::{Degradation, Document, NodeId, PageSnapshot, Sheet};
use limner_style::layout::{Layout, NoLayout};
use limner_types::result::Common;
use std::cell::OnceCell;
use std::collections::HashMap;
use url::Url;

/// A snapshot with its document parsed.
#[derive(Debug)]
pub struct PageView<'a> {
    /// The snapshot.
    pub page: &'a PageSnapshot,
    /// Its document.
    pub document: Document,
    /// The document's own address.
    pub url: Url,
    /// What relative addresses in the document resolve against.
    pub base: Url,
    /// Who lays the page out.
    pub layout: &'a dyn Layout,
    /// Largest result in bytes.
    pub result_bytes: usize,
    noscripts: OnceCell<Vec<(NodeId, Document)>>,
}

impl<'a> PageView<'a> {
    /// Parses the document, without boxes. A snapshot whose address does not parse gets `about:blank` as its base.
    pub fn new(page: &'a PageSnapshot) -> Self {
        Self::with_layout(page, &NoLayout)
    }

    /// The same, with boxes from `layout`.
    pub fn with_layout(page: &'a PageSnapshot, layout: &'a dyn Layout) -> Self {
        let document = Document::parse(&page.html);
        let blank = || Url::parse("about:blank").unwrap_or_else(|_| unreachable!("a constant that parses"));
        let url = Url::parse(&page.url).unwrap_or_else(|_| blank());
        let base = document.base_url(&url);
        Self { page, document, url, base, layout, result_bytes: MAX_RESULT_BYTES, noscripts: OnceCell::new() }
    }

    /// Checks that the page's budget of work is not spent.
    ///
    /// # Errors
    /// It is.
    pub(crate) fn check_budget(&self) -> Result<(), ExtractError> {
        if self.document.work().is_spent() { Err(ExtractError::TooCostly) } else { Ok(()) }
    }

    /// The room there is for the lists of a result.
    pub(crate) fn room(&self) -> Room {
        Room::in_result_of(self.result_bytes)
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

    /// Each `noscript` with its contents as a document of their own, in document order.
    pub(crate) fn noscripts(&self) -> &[(NodeId, Document)] {
        self.noscripts.get_or_init(|| self.document.noscript_contents())
    }

    /// The sheets of the page by the element that brought them in. A sheet without element stands with the one before
    /// it; those before any element come under the root.
    pub(crate) fn sheets_by_element(&self) -> HashMap<NodeId, Vec<&'a Sheet>> {
        let elements = self.document.sheet_elements();
        let mut by_element: HashMap<NodeId, Vec<&'a Sheet>> = HashMap::new();
        let mut current = self.document.root();
        for sheet in &self.page.sheets {
            let own = sheet.element.and_then(|number| elements.get(number as usize));
            current = own.copied().unwrap_or(current);
            by_element.entry(current).or_default().push(sheet);
        }
        by_element
    }
}
