//! What the renderer role is told.

use limner_netguard::{Allowance, PassKey};
use limner_worker::side::SideLimits;
use std::path::PathBuf;
use std::time::Duration;

/// Configuration of the browsers and their visits.
#[derive(Debug, Clone)]
pub struct BrowserConfig {
    /// The browser's program: Chromium or Chrome.
    pub chromium: PathBuf,
    /// Where profiles are made, one folder for each browser process; made when missing.
    pub profiles: PathBuf,
    /// Where the egress proxy is, as `host:port`.
    pub proxy: String,
    /// The key for the passes that let pages out.
    pub passes: PassKey,
    /// How visits introduce themselves. `{chrome}` stands for the browser's major version.
    pub user_agent: String,
    /// Authorities that are trusted beside those the browser knows, as PEM.
    pub extra_ca_pem: Option<String>,
    /// Flags for the browser beyond the usual ones.
    pub extra_flags: Vec<String>,
    /// What a browser process may come to before another takes its place.
    pub recycle: Recycle,
    /// Limits of one visit.
    pub limits: VisitLimits,
}

/// When a browser process is replaced: whatever comes first.
#[derive(Debug, Clone)]
pub struct Recycle {
    /// Pages it has shown.
    pub pages: usize,
    /// Its age.
    pub age: Duration,
    /// Bytes of memory that are its own, all its processes together.
    pub memory: u64,
}

/// Limits of one visit.
#[derive(Debug, Clone)]
pub struct VisitLimits {
    /// Longest a visit may take, screenshot included.
    pub visit: Duration,
    /// What of that is kept for reading the page once it is settled.
    pub reading: Duration,
    /// How long a page may go on changing once it is loaded.
    pub settle: Duration,
    /// For how long nothing must happen before a page counts as settled.
    pub quiet: Duration,
    /// Largest document in bytes, as it stands in the end.
    pub html_bytes: usize,
    /// Most bytes of all sheets of a page together.
    pub css_bytes: usize,
    /// Most sheets of a page, imported ones included.
    pub stylesheets: usize,
    /// Most redirects on the way to the page.
    pub redirects: usize,
    /// Most bytes and requests of a page on the network.
    pub allowance: Allowance,
    /// How much an operation reads beyond page and sheets.
    pub side: SideLimits,
    /// Greatest height of a screenshot in pixels.
    pub screenshot_height: u32,
}

impl Default for Recycle {
    fn default() -> Self {
        Self { pages: 500, age: Duration::from_secs(1_800), memory: 2 << 30 }
    }
}

impl Default for VisitLimits {
    fn default() -> Self {
        Self {
            visit: Duration::from_secs(30),
            reading: Duration::from_secs(6),
            settle: Duration::from_secs(8),
            quiet: Duration::from_millis(400),
            html_bytes: 10_000_000,
            css_bytes: 20_000_000,
            stylesheets: 100,
            redirects: 10,
            allowance: Allowance { bytes: 80_000_000, requests: 2_000 },
            side: SideLimits::default(),
            screenshot_height: 20_000,
        }
    }
}

/// Configuration of the role.
#[derive(Debug, Clone)]
pub struct Config {
    /// Its browsers.
    pub browser: BrowserConfig,
    /// Pages in browsers at once.
    pub concurrency: usize,
    /// Processors there are for them: no more pages are taken while these are busy.
    pub processors: usize,
    /// Memory that must be left on this machine before another page is taken.
    pub spare_memory: u64,
    /// Addresses of extractors, such as `http://127.0.0.1:50051`.
    pub extractors: Vec<String>,
    /// How callers reach screenshots: this and a name.
    pub screenshots_url: String,
}
