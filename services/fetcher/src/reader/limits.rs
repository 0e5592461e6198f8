//! How much of a page is read.

use limner_worker::side::SideLimits;
use std::time::Duration;

/// Limits of one read, and how the reader introduces itself.
#[derive(Debug, Clone)]
pub struct ReaderLimits {
    /// The `User-Agent`; see [`user_agent`].
    pub user_agent: String,
    /// Largest document in bytes after decompression.
    pub html_bytes: usize,
    /// Most bytes of all sheets of a page together, as UTF-8.
    pub css_bytes: usize,
    /// Most sheets that are fetched for a page, imported ones included.
    pub stylesheets: usize,
    /// Most redirects of one address, `meta refresh` included.
    pub redirects: usize,
    /// Longest a read may take.
    pub static_read: Duration,
    /// What is kept of that to answer with: a sheet that is slower is given up.
    pub answer_reserve: Duration,
    /// Fetches for one page at once.
    pub parallel: usize,
    /// How much an operation reads beyond page and sheets.
    pub side: SideLimits,
}

/// The browser that a plain read is most like.
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
            answer_reserve: Duration::from_millis(500),
            parallel: 8,
            side: SideLimits::default(),
        }
    }
}

/// A `User-Agent` in the form crawlers agreed on: it reads like a browser, so that pages answer as they do to visitors,
/// and names Limner with the address, if there is one, where operators of sites learn what it is. `chrome` is the
/// browser's major version.
pub fn user_agent(information_url: Option<&str>, chrome: &str) -> String {
    let information = information_url.map(|url| format!("; +{url}")).unwrap_or_default();
    format!(
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Limner/{}{information}) Chrome/{chrome}.0.0.0 Safari/537.36",
        env!("CARGO_PKG_VERSION")
    )
}
