//! Lists the files that an operation needs beyond the page and its stylesheets.
//!
//! Fetchers and renderers load them before an extractor gets the page. They depend on this crate instead of
//! `limner-extract`: a change to the writers of components does not rebuild them. There is no I/O and no clock.
//!
//! ```
//! use limner_page::{PageSnapshot, WorkBudget};
//! use limner_types::Operation;
//!
//! let page = PageSnapshot {
//!     url: "https://example.com/".to_owned(),
//!     html: "<!doctype html><svg><use href='icons.svg#lamp'/></svg>".to_owned(),
//!     ..PageSnapshot::default()
//! };
//! let files = limner_subresources::required_subresources(Operation::Svg, &page, &WorkBudget::default()).unwrap();
//! assert_eq!(files, ["https://example.com/icons.svg"]);
//! ```

use limner_assets::{audio, fonts, images, lottie, svg, videos};
use limner_page::{PageSnapshot, WorkBudget};
use limner_page_view::{ExtractError, PageView};
use limner_style::Environment;
use limner_style::image_source::ImageSelector;
use limner_style::layout::NoLayout;
use limner_types::Operation;
use std::collections::HashSet;

/// Lists the URLs of the subresources that a snapshot lacks. The argument is the snapshot, so that pages without
/// subresources need not be parsed.
type List = fn(&PageSnapshot, &WorkBudget) -> Vec<String>;

/// Returns the function that lists an operation's subresources.
fn implementation(operation: Operation) -> List {
    match operation {
        Operation::Code => limner_component::required_subresources,
        Operation::Brand => limner_brand::required_subresources,
        Operation::Images => images::required_subresources,
        Operation::Svg => svg::required_subresources,
        Operation::Videos => videos::required_subresources,
        Operation::Audio => audio::required_subresources,
        Operation::Lottie => lottie::required_subresources,
        Operation::Extract => limner_tokens::required_subresources,
        Operation::Fonts => fonts::required_subresources,
    }
}

/// Returns absolute URLs, without fragment, of the subresources that this operation needs next, the
/// most important first. Call it again after adding them to [`PageSnapshot::resources`], until it
/// returns nothing new. A URL that could not be fetched is returned again; the caller must request
/// each URL only once.
///
/// # Errors
/// Returns [`ExtractError::TooCostly`] if the budget is spent.
pub fn required_subresources(
    operation: Operation,
    page: &PageSnapshot,
    budget: &WorkBudget,
) -> Result<Vec<String>, ExtractError> {
    let found = implementation(operation)(page, budget);
    if budget.is_exhausted() { Err(ExtractError::TooCostly) } else { Ok(found) }
}

/// Returns absolute URLs of the images whose first bytes this operation needs, the most important
/// first: it lays the page out, and those bytes contain their size.
///
/// # Errors
/// Returns [`ExtractError::TooCostly`] if the budget is spent.
pub fn required_images(
    operation: Operation,
    page: &PageSnapshot,
    budget: &WorkBudget,
) -> Result<Vec<String>, ExtractError> {
    let lays_out = matches!(operation, Operation::Code | Operation::Brand);
    if !lays_out || !page.html.contains("<img") {
        return Ok(Vec::new());
    }
    let view = PageView::within(page, &NoLayout, budget);
    let desktop = Environment::default();
    let phone = Environment { width: 390.0, height: 844.0, ..Environment::default() };
    // All images of a `picture` may select the URL of one `source`, which is then resolved once.
    let mut selectors = [&desktop, &phone].map(|screen| (ImageSelector::new(&view.document, screen), HashSet::new()));
    let mut wanted: Vec<String> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for node in limner_page::references::images_without_size(&view.document) {
        for (selector, resolved) in &mut selectors {
            let shown = selector.select(node).filter(|shown| resolved.insert(shown.element));
            let Some(mut url) = shown.and_then(|picture| view.base.join(picture.url).ok()) else { continue };
            url.set_fragment(None);
            let is_file = matches!(url.scheme(), "http" | "https");
            if is_file && !page.resources.contains_key(url.as_str()) && !seen.contains(url.as_str()) {
                budget.reserve_bytes(2 * url.as_str().len());
                seen.insert(url.as_str().to_owned());
                wanted.push(url.into());
            }
        }
        if budget.is_exhausted() {
            return Err(ExtractError::TooCostly);
        }
    }
    view.check_budget().map(|()| wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_page::work_budget::MAX_STEPS;
    use limner_types::WireEnum;

    #[test]
    fn required_files_are_found_within_the_budget_of_their_page() {
        let html = "<picture><source media='(min-width:9999px)' srcset=a><img src=x></picture><svg><use href=s.svg#a /></svg>\
                    <noscript><link rel=stylesheet href=n.css></noscript><lottie-player src=l.json></lottie-player>\
                    <link rel=alternate type=application/rss+xml href=feed><link rel=manifest href=m><frame src=f>";
        let page = limner_test_pages::page(html);
        type Needs = fn(Operation, &PageSnapshot, &WorkBudget) -> Result<Vec<String>, ExtractError>;
        let lists: [(Needs, usize); 2] = [(required_subresources, 6), (required_images, 2)];
        for (list, most) in lists {
            let mut have_needs = 0;
            for operation in Operation::ALL {
                let budget = WorkBudget::default();
                let found = list(*operation, &page, &budget).unwrap();
                let took = MAX_STEPS - budget.steps();
                have_needs += usize::from(!found.is_empty());
                // What is listed was read, and reading is counted.
                assert!(found.is_empty() || took > 0, "{operation}");
                if took == 0 {
                    continue;
                }
                let cancelled = WorkBudget::default();
                cancelled.cancel();
                for spent in [WorkBudget::with_steps(took / 2), cancelled] {
                    assert_eq!(list(*operation, &page, &spent), Err(ExtractError::TooCostly), "{operation}");
                }
            }
            assert_eq!(have_needs, most);
        }
    }
}
