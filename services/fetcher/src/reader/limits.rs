//! Limits on reading a page.

use limner_page_worker::subresources::SubresourceLimits;
use std::time::Duration;

/// Limits of one read, and the reader's `User-Agent`.
#[derive(Debug, Clone)]
pub struct ReaderLimits {
    /// The `User-Agent`; see [`user_agent`].
    pub user_agent: String,
    /// Maximum size of the document in bytes, after decompression.
    pub html_bytes: usize,
    /// Maximum total size of a page's stylesheets in bytes, as UTF-8.
    pub css_bytes: usize,
    /// Maximum number of stylesheets fetched for a page, including imported ones.
    pub stylesheets: usize,
    /// Maximum number of redirects of a URL, including `meta refresh`.
    pub redirects: usize,
    /// Maximum duration of a read.
    pub static_read: Duration,
    /// The part of `static_read` that is reserved for the response: a stylesheet that is still loading then is
    /// abandoned.
    pub response_reserve: Duration,
    /// Maximum number of concurrent fetches for one page.
    pub parallel: usize,
    /// Limits of the subresources that an operation reads.
    pub subresources: SubresourceLimits,
}

/// Version of Chrome that a static read is most similar to.
pub const CHROME: &str = "138";

impl Default for ReaderLimits {
    fn default() -> Self {
        Self {
            user_agent: user_agent(None, CHROME),
            html_bytes: 10_000_000,
            css_bytes: 20_000_000,
            stylesheets: 100,
            redirects: 10,
            static_read: Duration::from_secs(15),
            response_reserve: Duration::from_millis(500),
            parallel: 8,
            subresources: SubresourceLimits::default(),
        }
    }
}

/// Returns a `User-Agent` in the form that crawlers use: browser-like, so that sites respond as they do to visitors,
/// and naming Limner, with a URL that informs site operators if there is one. `chrome` is the browser's major version.
pub fn user_agent(information_url: Option<&str>, chrome: &str) -> String {
    let information = information_url.map(|url| format!("; +{url}")).unwrap_or_default();
    format!(
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Limner/{}{information}) Chrome/{chrome}.0.0.0 Safari/537.36",
        env!("CARGO_PKG_VERSION")
    )
}
