//! The content of the landing page: results for the demo page, which a test of the API's contract records.

use super::results::{BrandView, CodeView, MediaSources, TokensView};
use crate::assets;
use limner_types::CodeLanguage;
use serde_json::{Map, Value};
use std::sync::LazyLock;

const RESULTS: &str = include_str!("../../landing/results.json");
/// The fields of the brand that the excerpt shows.
const EXCERPT: [&str; 4] = ["colors", "colorNames", "fonts", "confidence"];

/// Three results for one page.
pub(crate) struct DemoResults {
    /// The page.
    pub(crate) url: String,
    /// A part of the brand as JSON.
    pub(crate) excerpt: String,
    pub(crate) brand: BrandView,
    pub(crate) tokens: TokensView,
    pub(crate) code: CodeView,
}

/// The recorded results.
pub(crate) static DEMO_RESULTS: LazyLock<DemoResults> =
    LazyLock::new(|| DemoResults::new(&serde_json::from_str(RESULTS).unwrap_or_default()));

impl DemoResults {
    fn new(results: &Value) -> Self {
        let (brand, sources) = (&results["brand"], MediaSources::default());
        let fields = EXCERPT.iter().map(|field| ((*field).to_owned(), brand[*field].clone()));
        let url = brand["url"].as_str().unwrap_or_default().to_owned();
        let mut code = CodeView::new(&results["code"], CodeLanguage::Js, &sources);
        // A frame without an origin is another site: its images are requested without our cookies.
        code.preview = assets::with_demo_files(&code.preview, &url).replace("<img ", "<img crossorigin=\"anonymous\" ");
        Self {
            excerpt: serde_json::to_string_pretty(&fields.collect::<Map<_, _>>()).unwrap_or_default(),
            brand: BrandView::new(brand, &sources),
            tokens: TokensView::new(&results["tokens"]),
            code,
            url,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_results_are_complete() {
        let landing = &*DEMO_RESULTS;
        assert!(landing.excerpt.contains("\"primary\": \"#"), "{}", landing.excerpt);
        assert!(landing.brand.roles.len() > 2 && landing.tokens.groups.len() > 4);
        assert!(!landing.code.code.is_empty() && landing.code.preview.contains("/assets/"), "{}", landing.code.preview);
        for folder in ["images", "fonts", "media"] {
            let left = format!("{}{folder}/", landing.url);
            assert!(!landing.code.preview.contains(&left), "no browser loads these: {}", landing.code.preview);
        }
    }
}
