//! What the fetcher role is told.

use crate::reader::ReaderLimits;

/// Configuration of the role.
#[derive(Debug, Clone)]
pub struct Config {
    /// Pages that are read at once.
    pub concurrency: usize,
    /// Jobs in hand at once, those included that wait for their host or an extractor.
    pub jobs_in_hand: usize,
    /// Pages of one host that are read at once.
    pub per_host: usize,
    /// Jobs that may wait for one host; further ones go back to the queue for a moment.
    pub waiting_per_host: usize,
    /// Addresses of extractors, such as `http://127.0.0.1:50051`.
    pub extractors: Vec<String>,
    /// Whether a browser can take over what a plain read can't do.
    pub render_available: bool,
    /// Limits of one read.
    pub limits: ReaderLimits,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            concurrency: 32,
            jobs_in_hand: 128,
            per_host: 6,
            waiting_per_host: 24,
            extractors: Vec::new(),
            render_available: false,
            limits: ReaderLimits::default(),
        }
    }
}
