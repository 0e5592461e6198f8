//! The URLs that images, media and fonts of a result are loaded from.

use super::link;

/// Maps URLs of a result to URLs that a browser may load.
#[derive(Debug, Clone, Default)]
pub(crate) struct MediaSources {
    /// Host of the demo site. No browser resolves it, so its files are served under [`Self::DEMO_PATH`].
    pub(crate) demo_host: Option<String>,
}

impl MediaSources {
    /// Path of the demo site's files on the console.
    pub(crate) const DEMO_PATH: &str = "/demo/";

    /// Returns the URL of a file that a player, a font face or an image may load: https, or the demo site's.
    pub(crate) fn media(&self, address: &str) -> Option<String> {
        let url = link(address)?;
        self.demo_file(&url).or(Some(url).filter(|url| url.starts_with("https://")))
    }

    /// Returns the URL of an image: as [`Self::media`], or a `data:` URL of an image.
    pub(crate) fn picture(&self, address: &str) -> Option<String> {
        const INLINE: [&str; 6] = [
            "data:image/png",
            "data:image/jpeg",
            "data:image/gif",
            "data:image/webp",
            "data:image/avif",
            "data:image/svg+xml",
        ];
        let is_inline = INLINE.iter().any(|start| address.starts_with(start));
        if is_inline { Some(address.to_owned()) } else { self.media(address) }
    }

    fn demo_file(&self, url: &str) -> Option<String> {
        let host = self.demo_host.as_ref()?;
        let path = url.strip_prefix("http://")?.strip_prefix(host.as_str())?.strip_prefix('/')?;
        Some(format!("{}{path}", Self::DEMO_PATH))
    }

    /// Returns a document with the URLs of the demo site's files replaced.
    pub(crate) fn in_document(&self, document: &str) -> String {
        match &self.demo_host {
            Some(host) => document.replace(&format!("http://{host}/"), Self::DEMO_PATH),
            None => document.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_demo_site_are_loaded_from_the_console() {
        let sources = MediaSources { demo_host: Some("demo.limner.test".to_owned()) };
        let shown = |url: &str| sources.picture(url);
        assert_eq!(shown("http://demo.limner.test/images/a.png").unwrap(), "/demo/images/a.png");
        assert_eq!(shown("https://a.example/a.png").unwrap(), "https://a.example/a.png");
        for other in ["http://demo.limner.test.example/a.png", "http://a.example/demo.limner.test/a.png"] {
            assert_eq!(shown(other), None, "{other}");
        }
        assert_eq!(MediaSources::default().picture("http://demo.limner.test/images/a.png"), None);
        assert_eq!(sources.in_document("<img src=\"http://demo.limner.test/a.png\">"), "<img src=\"/demo/a.png\">");
    }
}
