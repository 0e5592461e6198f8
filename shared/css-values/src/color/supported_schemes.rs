//! The colour schemes that a page supports as a whole (HTML §4.2.5.1, `color-scheme`).

use super::Scheme;
use limner_page::Document;

/// The schemes in `<meta name="color-scheme">`, which apply wherever the property `color-scheme` is `normal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SupportedSchemes {
    /// `light` is among them.
    pub light: bool,
    /// `dark` is among them.
    pub dark: bool,
}

impl SupportedSchemes {
    /// Returns the schemes of the first element that names any.
    pub fn from_document(document: &Document) -> Self {
        let named = document.elements_named("meta").find_map(|(_, meta)| {
            let is_scheme = meta.attr("name").is_some_and(|name| name.trim().eq_ignore_ascii_case("color-scheme"));
            let words = meta.attr("content").filter(|_| is_scheme)?;
            let has = |scheme: &str| words.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(scheme));
            Some(Self { light: has("light"), dark: has("dark") }).filter(|schemes| schemes.light || schemes.dark)
        });
        named.unwrap_or_default()
    }

    /// Returns the used scheme for a visitor who prefers `preferred` (CSS Color Adjust 1 §2.2).
    pub fn used_scheme(self, preferred: Scheme) -> Scheme {
        match (self.light, self.dark) {
            (true, true) => preferred,
            (false, true) => Scheme::Dark,
            _ => Scheme::Light,
        }
    }
}
