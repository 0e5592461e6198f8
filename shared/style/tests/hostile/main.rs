//! Pages made to break the engine or to exhaust it, through its public interface: whatever they contain, the rest of
//! the page keeps its values, and nothing panics, hangs or grows without bound.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

mod documents;
mod selectors;
mod sheets;
mod start_states;
mod values;

use limner_page::{Document, PageSnapshot, Stylesheet};
use limner_style::color::Scheme;
use limner_style::property::Longhand;
use limner_style::selector::State;
use limner_style::{Environment, StyleIndex};

/// Builds a page with one stylesheet.
fn page(html: &str, css: &str) -> PageSnapshot {
    let sheet = Stylesheet { text: Some(css.into()), base_url: "https://a.test/".into(), ..Stylesheet::default() };
    PageSnapshot { html: html.into(), sheets: vec![sheet], ..PageSnapshot::default() }
}

/// The environments that are tested.
fn environments() -> [Environment; 4] {
    let default = Environment::default();
    [
        Environment { scheme: Scheme::Dark, ..default.clone() },
        Environment { width: 390.0, height: 844.0, ..default.clone() },
        Environment { states: std::iter::once(State::Hover).collect(), ..default.clone() },
        default,
    ]
}

/// Returns the computed colour and width of the page's `p`.
fn paragraph(html: &str, css: &str) -> [String; 2] {
    let page = page(&format!("{html}<p>x"), css);
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let (paragraph, _) = document.elements_named("p").last().unwrap();
    let mut styles = index.styles(&Environment::default());
    let style = styles.get(paragraph).unwrap();
    [Longhand::Color, Longhand::Width].map(|longhand| style.get(longhand).to_string())
}

/// Styles every element in every environment; returns the length of the longest value in bytes.
fn longest_value(page: &PageSnapshot) -> usize {
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(page, &document);
    let mut longest = 0;
    for environment in environments() {
        let mut styles = index.styles(&environment);
        for (node, _) in document.elements() {
            // The contents of templates have no style.
            let Some(style) = styles.get(node) else { continue };
            let lengths = limner_style::inspect::PROPERTIES.iter().map(|longhand| style.get(*longhand).len());
            longest = longest.max(lengths.max().unwrap_or(0));
        }
    }
    longest
}
