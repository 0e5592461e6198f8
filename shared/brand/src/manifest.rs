//! Reads name and theme colour from the web app manifest.

use super::color::Rgba;
use super::metadata::tidy;
use limner_assets::image_references::key;
use limner_page_view::PageView;
use serde_json::Value;

#[derive(Debug, Default)]
pub(super) struct Manifest {
    pub(super) name: Option<String>,
    pub(super) theme_color: Option<Rgba>,
}

/// Names that generators write until somebody changes them.
const GENERATED_NAMES: &[&str] =
    &["App", "Create React App Sample", "My App", "MyApp", "React App", "Vite App", "gatsby-starter-default"];

impl Manifest {
    /// Reads the page's manifest; the result is empty if it was not fetched or is invalid.
    pub(super) fn from_page(view: &PageView<'_>) -> Self {
        Self::try_from_page(view).unwrap_or_default()
    }

    fn try_from_page(view: &PageView<'_>) -> Option<Self> {
        let url = limner_page::references::manifest(&view.document, &view.base)?;
        let resource = view.page.resources.get(key(&url)).filter(|resource| (200..300).contains(&resource.status))?;
        let body = resource.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&resource.body);
        let manifest: Value = serde_json::from_slice(body).ok()?;
        let text = |name: &str| manifest.get(name).and_then(Value::as_str);
        // Generators leave the name empty.
        let name = ["name", "short_name"].into_iter().find_map(|member| tidy(text(member)?));
        let name = name.filter(|name| !GENERATED_NAMES.contains(&name.as_str()));
        Some(Self { name, theme_color: text("theme_color").and_then(Rgba::parse) })
    }
}
