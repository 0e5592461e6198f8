//! The page in a dark scheme: for visitors who prefer dark, with the class or attribute of its dark theme on the root.

use super::rendered_page::RenderedPage;
use limner_page::Document;
use limner_page_view::PageView;
use limner_style::color::Scheme;
use limner_style::property::Longhand;
use limner_style::{Environment, StyleIndex};
use limner_tokens::theme_detection;
use limner_types::Theme;

/// Returns the document with the marks of its dark theme, if that hangs on any.
pub(super) fn document(index: &StyleIndex<'_>) -> Option<Document> {
    limner_tokens::find_dark_document(index)
}

/// Returns the index of the document in dark.
pub(super) fn index<'d>(view: &PageView<'_>, document: Option<&'d Document>) -> Option<StyleIndex<'d>> {
    document.map(|document| StyleIndex::new(view.page, document).with_start_states_ended())
}

/// Returns the page in dark with the boxes that it has in light; `None` if it declares nothing for dark.
pub(super) fn render<'a>(page: &RenderedPage<'a>, index: Option<&'a StyleIndex<'a>>) -> Option<RenderedPage<'a>> {
    if index.is_none() && !declares_dark(page) {
        return None;
    }
    let environment = Environment { scheme: Scheme::Dark, ..Environment::default() };
    Some(RenderedPage::in_environment(page.view, index.unwrap_or(page.index), environment, Some(page.boxes.clone())))
}

/// Returns true if rules, `color-scheme` or metadata of a page are for dark.
fn declares_dark(page: &RenderedPage<'_>) -> bool {
    let root = page.view.document.document_element();
    let style = root.and_then(|root| page.index.styles(&page.environment).get(root));
    page.index.supported_schemes().dark
        || style.is_some_and(|style| style.get(Longhand::ColorScheme).contains("dark"))
        || page.index.rules().any(|rule| theme_detection::rule_theme(page.index, &rule) == Some(Theme::Dark))
}
