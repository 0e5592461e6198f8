//! Provides a parsed page to the operations: the document, its base URL and common queries.

use crate::ExtractError;
use crate::inner_documents::{self, InnerDocument};
use crate::size_budget::{MAX_RESULT_BYTES, SizeBudget};
use limner_page::{Document, DocumentBase, NodeId, PageSnapshot, Stylesheet, WorkBudget};
use limner_style::Environment;
use limner_style::layout::{Boxes, Layout, NoLayout};
use limner_types::result::ResultHeader;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use url::Url;

/// The hint about a screenshot of a page that is higher than the limit.
const CUT_SCREENSHOT: &str =
    "The screenshot shows the upper part of the page: the page is higher than the limit for screenshots.";

/// The hint about a page whose boxes the layout engine could not compute.
const NO_LAYOUT: &str = "The layout of this page could not be computed, because the page is too large or hides everything until its scripts run. Its markup and style sheets were read without positions and sizes, so the result may be less exact.";

/// Maximum number of environments whose boxes are kept.
const MAX_LAYOUTS_KEPT: usize = 4;

/// A snapshot with its parsed document.
#[derive(Debug)]
pub struct PageView<'a> {
    /// The snapshot.
    pub page: &'a PageSnapshot,
    /// The parsed document.
    pub document: Document,
    /// The URL of the document.
    pub url: Url,
    /// The base URL of relative URLs in the document.
    pub base: DocumentBase,
    /// Maximum size of a result, in bytes.
    pub result_bytes: usize,
    /// True if hints may advise `render=true`.
    pub render_available: bool,
    layout: &'a dyn Layout,
    lacks_layout: Cell<bool>,
    /// The boxes in the last environments; a page is laid out in few.
    laid_out: RefCell<Vec<(Environment, Boxes)>>,
    inner_documents: OnceCell<Vec<InnerDocument>>,
}

impl<'a> PageView<'a> {
    /// Parses the document, without layout. If the snapshot's URL is invalid, the base is
    /// `about:blank`.
    pub fn new(page: &'a PageSnapshot) -> Self {
        Self::with_layout(page, &NoLayout)
    }

    /// Parses the document, with boxes from `layout`.
    pub fn with_layout(page: &'a PageSnapshot, layout: &'a dyn Layout) -> Self {
        Self::within(page, layout, &WorkBudget::default())
    }

    /// Parses the document within a work budget, which the view and the documents in it then share.
    pub fn within(page: &'a PageSnapshot, layout: &'a dyn Layout, budget: &WorkBudget) -> Self {
        let document = Document::parse_within(&page.html, budget);
        let blank = || Url::parse("about:blank").unwrap_or_else(|_| unreachable!("a constant that parses"));
        let url = Url::parse(&page.url).unwrap_or_else(|_| blank());
        let base = DocumentBase::new(document.base_url(&url), &page.encoding);
        Self {
            page,
            document,
            url,
            base,
            result_bytes: MAX_RESULT_BYTES,
            render_available: true,
            layout,
            lacks_layout: Cell::new(false),
            laid_out: RefCell::new(Vec::new()),
            inner_documents: OnceCell::new(),
        }
    }

    /// Returns the boxes of the page in an environment; `None` if they could not be computed, in this environment or in
    /// an earlier one. The result's `hint` then says so. The boxes of the last few environments are kept.
    pub fn boxes(&self, environment: &Environment) -> Option<Boxes> {
        if self.lacks_layout.get() {
            return None;
        }
        if let Some((_, known)) = self.laid_out.borrow().iter().find(|(known, _)| known == environment) {
            return Some(known.clone());
        }
        let boxes = self.layout.boxes(self.page, environment);
        self.lacks_layout.set(boxes.is_none() && self.layout.has_engine());
        let mut laid_out = self.laid_out.borrow_mut();
        if laid_out.len() >= MAX_LAYOUTS_KEPT {
            laid_out.remove(0);
        }
        laid_out.extend(boxes.iter().map(|boxes| (environment.clone(), boxes.clone())));
        boxes
    }

    /// Checks that the page's work budget is not exhausted.
    ///
    /// # Errors
    /// Returns [`ExtractError::TooCostly`] if it is.
    pub fn check_budget(&self) -> Result<(), ExtractError> {
        if self.document.work_budget().is_exhausted() { Err(ExtractError::TooCostly) } else { Ok(()) }
    }

    /// Returns the size budget for the lists of a result.
    pub fn size_budget(&self) -> SizeBudget {
        SizeBudget::with_limit(self.result_bytes)
    }

    /// Resolves a URL in the document; `None` if it is empty or invalid.
    pub fn resolve(&self, reference: &str) -> Option<Url> {
        let reference = reference.trim();
        if reference.is_empty() { None } else { self.base.join(reference).ok() }
    }

    /// Returns the members that every JSON result starts with. `truncated` is set by the operation. An operation that
    /// uses [`PageView::boxes`] calls this last.
    pub fn common(&self) -> ResultHeader {
        let degraded = self.page.degradation.map(|degradation| degradation.hint(self.render_available));
        let cut = self.page.screenshot.as_ref().filter(|_| self.page.screenshot_cut).map(|_| CUT_SCREENSHOT);
        let unplaced = self.lacks_layout.get().then_some(NO_LAYOUT);
        let hints: Vec<&str> = degraded.into_iter().chain(cut).chain(unplaced).collect();
        let hint = (!hints.is_empty()).then(|| hints.join(" "));
        ResultHeader { url: self.page.url.clone(), hint, screenshot: self.page.screenshot.clone(), truncated: None }
    }

    /// Returns the documents inside of elements that belong to what a visitor sees, in the order of
    /// those elements.
    pub fn inner_documents(&self) -> &[InnerDocument] {
        self.inner_documents.get_or_init(|| inner_documents::collect(self))
    }

    /// Returns the stylesheets of the page by their owner element. One without an element belongs
    /// to the owner of the previous one; those before any element belong to the root.
    pub fn sheets_by_element(&self) -> HashMap<NodeId, Vec<&'a Stylesheet>> {
        let elements = self.document.sheet_elements();
        let mut by_element: HashMap<NodeId, Vec<&'a Stylesheet>> = HashMap::new();
        let mut current = self.document.root();
        for sheet in &self.page.sheets {
            let own = sheet.element.and_then(|number| elements.get(number as usize));
            current = own.copied().unwrap_or(current);
            by_element.entry(current).or_default().push(sheet);
        }
        by_element
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine that counts the pages it lays out.
    #[derive(Debug, Default)]
    struct CountingEngine(Cell<usize>);

    impl Layout for CountingEngine {
        fn boxes(&self, _: &PageSnapshot, _: &Environment) -> Option<Boxes> {
            self.0.set(self.0.get() + 1);
            Some(Boxes::default())
        }
    }

    #[test]
    fn boxes_of_the_last_environments_are_kept() {
        let (page, engine) = (PageSnapshot::default(), CountingEngine::default());
        let view = PageView::with_layout(&page, &engine);
        let lay_out = |width: usize| {
            view.boxes(&Environment { width: width as f64, ..Environment::default() });
            engine.0.get()
        };
        let counts: Vec<usize> = (0..=MAX_LAYOUTS_KEPT).flat_map(|width| [lay_out(width), lay_out(width)]).collect();
        assert_eq!(counts, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!([lay_out(MAX_LAYOUTS_KEPT), lay_out(1), lay_out(0), lay_out(1)], [5, 5, 6, 7], "the oldest goes");
    }
}
