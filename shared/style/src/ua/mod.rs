//! The user agent's stylesheets (HTML, section 15, with Chromium's values) and presentational hints.

mod presentational_hints;

pub(crate) use presentational_hints::{hints, link_color};

use limner_page::dom::QuirksMode;

const HTML: &str = include_str!("html.css");
const QUIRKS: &str = include_str!("quirks.css");

/// Returns the stylesheets for a document's mode.
pub(crate) fn sheets(mode: QuirksMode) -> impl Iterator<Item = &'static str> {
    let quirks = (mode == QuirksMode::Quirks).then_some(QUIRKS);
    std::iter::once(HTML).chain(quirks)
}

#[cfg(test)]
mod tests;
