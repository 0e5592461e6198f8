//! Classifies the hosts of font files.

use limner_page::site::registrable_domain;
use limner_types::result::FontSource;
use url::Url;

/// Hosts of Google Fonts (the last one served it until 2013).
const GOOGLE: &[&str] = &["fonts.gstatic.com", "fonts.googleapis.com", "themes.googleusercontent.com"];
/// Domains of Adobe Fonts.
const ADOBE: &[&str] = &["typekit.net", "typekit.com", "edgefonts.net", "fonts.adobe.com"];

/// The registrable domain of a page.
pub struct PageSite(Option<String>);

impl PageSite {
    /// Returns the site of a page's URL.
    pub fn from_url(page: &str) -> Self {
        Self(Url::parse(page).ok().as_ref().and_then(registrable_domain))
    }

    /// Returns the source class of a file's URL; `None` is a face with only local names.
    pub fn classify(&self, file: Option<&str>) -> FontSource {
        let Some(file) = file else { return FontSource::Local };
        if file.starts_with("data:") {
            return FontSource::Data;
        }
        let Ok(url) = Url::parse(file) else { return FontSource::Cdn };
        let host = url.host_str().unwrap_or_default();
        let is_below = |domain: &str| host.strip_suffix(domain).is_some_and(|s| s.is_empty() || s.ends_with('.'));
        if self.0.is_some() && registrable_domain(&url) == self.0 {
            FontSource::SelfHosted
        } else if GOOGLE.contains(&host) {
            FontSource::Google
        } else if ADOBE.iter().any(|domain| is_below(domain)) {
            FontSource::Adobe
        } else {
            FontSource::Cdn
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FontSource::{Adobe, Cdn, Data, Google, Local, SelfHosted};

    #[test]
    fn font_files_are_classified_by_host() {
        for (page, file, source) in [
            ("https://www.a.test/", Some("https://www.a.test/f.woff2"), SelfHosted),
            ("https://www.a.co.uk/", Some("https://static.a.co.uk/f.woff2"), SelfHosted),
            ("https://www.a.co.uk/", Some("https://b.co.uk/f.woff2"), Cdn),
            ("http://127.0.0.1/", Some("http://127.0.0.1:8080/f.woff2"), SelfHosted),
            ("https://a.github.io/", Some("https://b.github.io/f.woff2"), Cdn),
            ("https://a.test/", Some("https://fonts.gstatic.com/s/x.woff2"), Google),
            ("https://fonts.gstatic.com/", Some("https://fonts.gstatic.com/s/x.woff2"), SelfHosted),
            ("https://a.test/", Some("https://use.typekit.net/af/x/l"), Adobe),
            ("https://a.test/", Some("https://nottypekit.net/x"), Cdn),
            ("https://a.test/", Some("https://fonts.bunny.net/x.woff2"), Cdn),
            ("https://a.test/", Some("https://cdn.jsdelivr.net/x.woff2"), Cdn),
            ("https://a.test/", Some("data:font/woff2;base64,AA"), Data),
            ("https://a.test/", None, Local),
        ] {
            assert_eq!(PageSite::from_url(page).classify(file), source, "{page} {file:?}");
        }
    }
}
