//! Implements the nine operations as pure functions of a page.
//!
//! The operations themselves are in crates by subject (components, brands, tokens, and the lists of files); this one chooses.
//!
//! [`extract`] takes a [`PageSnapshot`] and a [`OperationRequest`] and returns the bytes of the result.
//! There is no I/O, no clock and no randomness: equal inputs give equal bytes. [`required_subresources`] returns
//! the URLs that an operation needs beyond the page and its stylesheets; the caller fetches them.
//!
//! ```
//! use limner_page::PageSnapshot;
//! use limner_types::{Operation, request};
//!
//! let page = PageSnapshot {
//!     url: "https://example.com/".to_owned(),
//!     html: "<!doctype html><img src='lamp.png' alt='A lamp'>".to_owned(),
//!     ..PageSnapshot::default()
//! };
//! let query = [("url".to_owned(), "example.com".to_owned())];
//! let request = request::parse(Operation::Images, &query).unwrap().request;
//! let result = String::from_utf8(limner_extract::extract(&page, &request).unwrap().body).unwrap();
//! assert!(result.contains(r#""url":"https://example.com/lamp.png","source":"img""#), "{result}");
//! ```

pub use limner_component::PassOutput;
pub use limner_page_view::{ExtractError, Extraction, PageView};
pub use limner_subresources::{required_images, required_subresources};

use limner_assets::{audio, fonts, images, lottie, svg, videos};
use limner_page::media_type::MediaType;
use limner_page::work_budget::MAX_STEPS;
use limner_page::{PageSnapshot, WorkBudget};
use limner_page_view::size_budget::MAX_RESULT_BYTES;
use limner_style::layout::{Layout, NoLayout};
use limner_types::{CodeScope, Operation, OperationOptions, OperationRequest};

/// Extracts the result of an operation from the page.
type Extract = fn(&PageView<'_>, &OperationRequest) -> Result<Extraction, ExtractError>;

/// Returns the implementation of an operation, if it is part of this build.
fn implementation(operation: Operation) -> Option<Extract> {
    match operation {
        Operation::Code => Some(extract_component),
        Operation::Brand => Some(limner_brand::extract),
        Operation::Images => Some(images::extract),
        Operation::Svg => Some(svg::extract),
        Operation::Videos => Some(videos::extract),
        Operation::Audio => Some(audio::extract),
        Operation::Lottie => Some(lottie::extract),
        Operation::Extract => Some(limner_tokens::extract),
        Operation::Fonts => Some(fonts::extract),
    }
}

/// Implements `/code`: what captures components does not depend on what writes them.
fn extract_component(view: &PageView<'_>, request: &OperationRequest) -> Result<Extraction, ExtractError> {
    match &request.options {
        OperationOptions::Code(options) if options.scope == CodeScope::Page => {
            limner_component::extract_page(view, request, limner_component_emit::emit_page)
        }
        _ => limner_component::extract(view, request, limner_component_emit::emit),
    }
}

/// Returns true if this build implements the operation.
pub fn is_served(operation: Operation) -> bool {
    implementation(operation).is_some()
}

/// Extracts the requested result from the page.
///
/// # Errors
/// See [`ExtractError`].
pub fn extract(page: &PageSnapshot, request: &OperationRequest) -> Result<Extraction, ExtractError> {
    extract_with(page, request, &Options::default())
}

/// Settings of an extraction that are not part of the request.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The layout engine, for operations that use boxes: sections, painted colours, visibility.
    pub layout: &'a dyn Layout,
    /// Maximum size of a result, in bytes. Lists are truncated to fit, and the result says so.
    pub result_bytes: usize,
    /// Maximum number of steps for processing the page; see [`limner_page::work_budget`].
    pub steps: u64,
    /// True if a call with `render=true` is served: hints then advise it.
    pub render_available: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { layout: &NoLayout, result_bytes: MAX_RESULT_BYTES, steps: MAX_STEPS, render_available: true }
    }
}

/// Rejects files by media type: a video or audio file is accepted only by the operation that lists
/// such files, and an image by none, since images are extracted from pages that declare them.
fn check_kind(page: &PageSnapshot, operation: Operation) -> Result<(), ExtractError> {
    let MediaType { essence, .. } = MediaType::parse(&page.content_type);
    let (kind, subtype) = essence.split_once('/').unwrap_or_default();
    // Either container may hold audio or video; video playlists may have an audio type.
    let is_either = subtype.contains("ogg") || subtype.contains("mpegurl");
    let fits = match (kind, operation) {
        ("video", Operation::Videos) | ("audio", Operation::Audio) => true,
        ("video", Operation::Audio) | ("audio", Operation::Videos) => is_either,
        ("image" | "video" | "audio", _) => false,
        _ => true,
    };
    let message =
        || format!("The address leads to a file of the type {essence}, not to an HTML page. Give a page's address.");
    if fits { Ok(()) } else { Err(ExtractError::Unprocessable(message())) }
}

/// Like [`extract`], with options.
///
/// # Errors
/// See [`ExtractError`].
pub fn extract_with(
    page: &PageSnapshot,
    request: &OperationRequest,
    options: &Options<'_>,
) -> Result<Extraction, ExtractError> {
    extract_within(page, request, options, &WorkBudget::with_steps(options.steps))
}

/// Extracts within the remaining budget of the caller; [`Options::steps`] is ignored.
///
/// # Errors
/// See [`ExtractError`].
pub fn extract_within(
    page: &PageSnapshot,
    request: &OperationRequest,
    options: &Options<'_>,
    budget: &WorkBudget,
) -> Result<Extraction, ExtractError> {
    let extract = implementation(request.operation).ok_or(ExtractError::NotServed(request.operation))?;
    check_kind(page, request.operation)?;
    let mut view = PageView::within(page, options.layout, budget);
    view.result_bytes = options.result_bytes;
    view.render_available = options.render_available;
    let extraction = extract(&view, request);
    // After the budget ran out, the operation continued with incomplete data.
    view.check_budget().and(extraction)
}

/// Returns the component of a `/code` request after each of the passes that shorten it, for contributors.
///
/// # Errors
/// See [`ExtractError`].
pub fn trace_passes(
    page: &PageSnapshot,
    request: &OperationRequest,
    options: &Options<'_>,
) -> Result<Vec<PassOutput>, ExtractError> {
    let view = PageView::within(page, options.layout, &WorkBudget::with_steps(options.steps));
    let outputs = limner_component::trace_passes(&view, request, limner_component_emit::emit);
    view.check_budget().and(outputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_style::Environment;
    use limner_style::layout::{Boxes, Rect};
    use limner_types::{ErrorCode, WireEnum};
    use std::cell::{Cell, RefCell};

    fn request_with(operation: Operation, query: &[(&str, &str)]) -> OperationRequest {
        let url = ("url", limner_test_pages::PAGE_URL);
        let query: Vec<_> = [url].iter().chain(query).map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        limner_types::request::parse(operation, &query).unwrap().request
    }

    /// An engine that lays out a number of pages and breaks at all others.
    #[derive(Debug)]
    struct FailingEngine(Cell<usize>);

    impl Layout for FailingEngine {
        fn boxes(&self, page: &PageSnapshot, _: &Environment) -> Option<Boxes> {
            let left = self.0.get().checked_sub(1)?;
            self.0.set(left);
            let screen = Rect { x: 0.0, y: 0.0, width: 1_440.0, height: 900.0 };
            Some(Boxes::new(vec![Some(screen); limner_page::Document::parse(&page.html).len()]))
        }
    }

    #[test]
    fn hints_advise_a_browser_only_where_there_is_one() {
        use limner_page::Degradation::{ClientRendered, Interrupted, MissingFiles, MissingStyles, Truncated};
        let kinds = [ClientRendered, MissingStyles, MissingFiles, Truncated, Interrupted].map(Some);
        for degradation in kinds.into_iter().chain([None]) {
            for operation in Operation::ALL {
                let html = "<p>Words</p><script src=video-audio-lottie.js></script>";
                let page = PageSnapshot { degradation, ..limner_test_pages::page(html) };
                let request = request_with(*operation, &[]);
                let result = |render_available: bool| {
                    let options = Options { render_available, ..Options::default() };
                    let body = extract_with(&page, &request, &options).map(|extraction| extraction.body);
                    String::from_utf8(body.unwrap_or_default()).unwrap()
                };
                let (with, without) = (result(true), result(false));
                let advises = with.contains("render=true");
                let is_advised = matches!(degradation, Some(ClientRendered | MissingStyles));
                assert!(advises || !is_advised || with.is_empty(), "{operation} {degradation:?}: {with}");
                assert!(!without.contains("render=true"), "{operation} {degradation:?}: {without}");
                assert_eq!(with != without, advises, "{operation} {degradation:?}: nothing but the hint differs");
            }
        }
    }

    #[test]
    fn result_without_layout_says_so_in_every_operation_that_uses_it() {
        let html = "<style>@media(prefers-color-scheme:dark){body{background:#000}}main{position:sticky;top:1px}</style>\
                    <main><h1>A title</h1><p>Some words</p></main><footer>End</footer>";
        let page = limner_test_pages::page(html);
        let hint = |operation: Operation, query: &[(&str, &str)], layout: &dyn Layout| {
            let request = request_with(operation, query);
            let extraction = extract_with(&page, &request, &Options { layout, ..Options::default() }).unwrap();
            let result: serde_json::Value = serde_json::from_slice(&extraction.body).unwrap();
            result["hint"].as_str().is_some_and(|hint| hint.contains("layout of this page could not be computed"))
        };
        let calls: &[(Operation, &[(&str, &str)])] = &[
            (Operation::Brand, &[]),
            (Operation::Brand, &[("scope", "all")]),
            (Operation::Code, &[]),
            (Operation::Code, &[("scope", "page")]),
            (Operation::Code, &[("selector", "main")]),
        ];
        for (operation, query) in calls {
            assert!(hint(*operation, query, &FailingEngine(Cell::new(0))), "{operation} {query:?}");
            assert!(!hint(*operation, query, &FailingEngine(Cell::new(usize::MAX))), "{operation} {query:?}");
            assert!(!hint(*operation, query, &NoLayout), "{operation} {query:?}");
        }
        for operation in Operation::ALL {
            let uses = matches!(operation, Operation::Brand | Operation::Code);
            assert_eq!(hint(*operation, &[], &FailingEngine(Cell::new(0))), uses, "{operation}");
        }
    }

    /// A page that is laid out for its sections, and on a phone for a part that sticks there.
    const STICKY_ON_PHONES: &str = "<style>@media(max-width:600px){aside{position:sticky;top:1px}}</style>\
                                    <main><aside>Words</aside><h1>A title</h1></main>";

    /// An engine that records the environments in which it lays out.
    #[derive(Debug, Default)]
    struct RecordingEngine(RefCell<Vec<Environment>>);

    impl Layout for RecordingEngine {
        fn boxes(&self, page: &PageSnapshot, environment: &Environment) -> Option<Boxes> {
            self.0.borrow_mut().push(environment.clone());
            FailingEngine(Cell::new(1)).boxes(page, environment)
        }
    }

    #[test]
    fn page_is_laid_out_once_in_each_environment() {
        let page = limner_test_pages::page(STICKY_ON_PHONES);
        let request = request_with(Operation::Code, &[("selector", "main")]);
        let layout = RecordingEngine::default();
        extract_with(&page, &request, &Options { layout: &layout, ..Options::default() }).unwrap();
        let asked = layout.0.into_inner();
        let is_repeated = (0..asked.len()).any(|at| asked[..at].contains(&asked[at]));
        assert!(asked.len() == 2 && !is_repeated, "{asked:?}");
    }

    #[test]
    fn result_says_so_if_only_a_later_layout_fails() {
        let page = limner_test_pages::page(STICKY_ON_PHONES);
        let request = request_with(Operation::Code, &[("selector", "main")]);
        let layout = FailingEngine(Cell::new(1));
        let extraction = extract_with(&page, &request, &Options { layout: &layout, ..Options::default() }).unwrap();
        let result = String::from_utf8(extraction.body).unwrap();
        assert_eq!(layout.0.get(), 0, "the page is laid out for its sections");
        assert_eq!(result.matches("layout of this page could not be computed").count(), 1, "{result}");
    }

    /// The page is processed within the budget it needs, but not within half of it.
    #[test]
    fn page_that_costs_more_than_its_budget_is_unprocessable() {
        let rules: String = (0..100).map(|n| format!("[a],:not(b):hover{{color:#{n:06x};--v{n}:var(--v)}}")).collect();
        let html = format!("<style>{rules}</style><section><h1>A title</h1>{}</section>", "<i a>x</i>".repeat(100));
        let page = limner_test_pages::page(&html);
        for operation in [Operation::Code, Operation::Brand] {
            let request = limner_test_pages::request(operation);
            let read = |steps: u64| extract_with(&page, &request, &Options { steps, ..Options::default() });
            let answer = read(MAX_STEPS).unwrap();
            let enough = (0..40).map(|doublings| 1_000 << doublings).find(|steps| read(*steps).is_ok()).unwrap();
            assert!((50_000..200_000_000).contains(&enough), "{operation}: {enough}");
            assert_eq!(read(enough).unwrap(), answer, "{operation}");
            for steps in [0, 1_000, enough / 8, enough / 2] {
                let fault = read(steps).unwrap_err();
                assert_eq!((&fault, fault.code()), (&ExtractError::TooCostly, ErrorCode::UnprocessableContent));
            }
        }
    }

    #[test]
    fn files_are_read_by_the_operation_that_lists_them_alone() {
        for (content_type, fitting) in [
            ("image/png", &[][..]),
            ("image/svg+xml; charset=utf-8", &[]),
            ("video/mp4", &["videos"]),
            ("audio/mpeg", &["audio"]),
            ("video/ogg", &["videos", "audio"]),
            ("audio/x-mpegurl", &["videos", "audio"]),
        ] {
            let page = PageSnapshot { content_type: content_type.to_owned(), ..PageSnapshot::default() };
            for operation in Operation::ALL.iter().copied() {
                let checked = check_kind(&page, operation);
                assert_eq!(checked.is_ok(), fitting.contains(&operation.as_str()), "{operation} of {content_type}");
                let code = checked.map_or_else(|fault| fault.code(), |()| ErrorCode::UnprocessableContent);
                assert_eq!(code, ErrorCode::UnprocessableContent);
            }
        }
        for content_type in ["text/html", "application/xhtml+xml", ""] {
            let page = PageSnapshot { content_type: content_type.to_owned(), ..PageSnapshot::default() };
            assert!(Operation::ALL.iter().all(|operation| check_kind(&page, *operation).is_ok()), "{content_type}");
        }
    }
}
