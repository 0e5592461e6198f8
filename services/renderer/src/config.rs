//! Configuration of the renderer role. `limner` makes it from the settings (`docs/operations/settings.md`, "A renderer", has
//! their variables), in `services/limner/src/service_configs.rs`; `run_service.rs` there checks the required ones.

use limner_netguard::{EgressBudget, EgressTokenKey};
use limner_page_worker::subresources::SubresourceLimits;
use std::path::PathBuf;
use std::time::Duration;

/// Configuration of the browsers and their visits.
#[derive(Debug, Clone)]
pub struct BrowserConfig {
    /// Path of Chromium or Chrome.
    pub chromium: PathBuf,
    /// Directory for profiles, one subdirectory per browser process; created if missing.
    pub profiles: PathBuf,
    /// The egress proxy, as `host:port`.
    pub proxy: String,
    /// Key for signing the egress tokens of pages.
    pub token_key: EgressTokenKey,
    /// The `User-Agent` of visits. `{chrome}` stands for the browser's major version.
    pub user_agent: String,
    /// Additional CA certificates to trust, as PEM.
    pub extra_ca_pem: Option<String>,
    /// Additional flags for the browser.
    pub extra_flags: Vec<String>,
    /// Thresholds at which a browser process is replaced.
    pub recycle: Recycle,
    /// Limits of one visit.
    pub limits: VisitLimits,
}

/// Thresholds at which a browser process is replaced: the first that is reached counts.
#[derive(Debug, Clone)]
pub struct Recycle {
    /// Number of pages shown.
    pub pages: usize,
    /// Its age.
    pub age: Duration,
    /// Private memory of all its processes, in bytes.
    pub memory: u64,
}

/// Limits of one visit.
#[derive(Debug, Clone)]
pub struct VisitLimits {
    /// Maximum duration of a visit, including the screenshot.
    pub visit: Duration,
    /// Time that opening a page may take of `visit`: a target that has less time left than that is not at fault if it is
    /// late.
    pub opening: Duration,
    /// The part of `visit` that is reserved for reading the page once it is stable.
    pub reading: Duration,
    /// Maximum time to wait for a loaded page to become stable.
    pub stable_within: Duration,
    /// Time without changes after which a page counts as stable.
    pub quiet: Duration,
    /// Maximum processor time of a page's process and of what the browser does for it. Reached by a page with many workers,
    /// or with one thread that is busy for nearly all of a visit; what the browser still has to do for a killed page,
    /// such as a queue of console messages, comes on top.
    pub processor_time: Duration,
    /// Maximum number of events that the browser reports of a page; a page of 2,000 requests causes some 20,000.
    pub events: usize,
    /// Maximum size of the final document in bytes.
    pub html_bytes: usize,
    /// Maximum total size of a page's stylesheets in bytes.
    pub css_bytes: usize,
    /// Maximum number of stylesheets of a page, including imported ones.
    pub stylesheets: usize,
    /// Maximum number of redirects to the page.
    pub redirects: usize,
    /// Maximum bytes and requests of a page on the network.
    pub allowance: EgressBudget,
    /// Limits of the subresources that an operation reads.
    pub subresources: SubresourceLimits,
    /// Maximum height of a screenshot in pixels.
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
            opening: Duration::from_secs(2),
            reading: Duration::from_secs(6),
            stable_within: Duration::from_secs(8),
            quiet: Duration::from_millis(400),
            processor_time: Duration::from_secs(24),
            events: 100_000,
            html_bytes: 10_000_000,
            css_bytes: 20_000_000,
            stylesheets: 100,
            redirects: 10,
            allowance: EgressBudget { bytes: 80_000_000, requests: 2_000 },
            subresources: SubresourceLimits::default(),
            screenshot_height: 20_000,
        }
    }
}

/// Configuration of the role.
#[derive(Debug, Clone)]
pub struct Config {
    /// Its browsers.
    pub browser: BrowserConfig,
    /// Maximum number of concurrent pages.
    pub concurrency: usize,
    /// Number of processors for pages: no more pages are taken while these are busy.
    pub processors: usize,
    /// Memory that must be free on this machine before another page is taken.
    pub spare_memory: u64,
    /// URLs of extractors, such as `http://127.0.0.1:50051`.
    pub extractors: Vec<String>,
    /// Maximum number of pages of one site that the whole fleet reads concurrently; 0: no limit.
    pub per_site: usize,
    /// Time before a job's deadline by which its visit must have begun: a job that waits longer fails then.
    pub start_reserve: Duration,
    /// URL prefix of screenshots; a name is appended.
    pub screenshots_url: String,
}
