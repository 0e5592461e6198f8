//! Configuration of the fetcher role.

use crate::reader::ReaderLimits;
use std::time::Duration;

/// Configuration of the role.
#[derive(Debug, Clone)]
pub struct Config {
    /// Maximum number of pages read concurrently.
    pub concurrency: usize,
    /// Maximum number of jobs in progress, including those that wait for their host or an extractor.
    pub jobs_in_hand: usize,
    /// Maximum number of pages of one host read concurrently.
    pub per_host: usize,
    /// Maximum number of pages of one site that the whole fleet reads concurrently; 0: no limit.
    pub per_site: usize,
    /// Maximum number of jobs that wait for one host; further ones are returned to the queue for a moment.
    pub waiting_per_host: usize,
    /// URLs of extractors, such as `http://127.0.0.1:50051`.
    pub extractors: Vec<String>,
    /// True if a renderer can take over jobs that a static read cannot do.
    pub render_available: bool,
    /// Time before a job's deadline by which its read must have begun: a job that waits longer fails then.
    pub start_reserve: Duration,
    /// Limits of one read.
    pub limits: ReaderLimits,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            concurrency: 32,
            jobs_in_hand: 128,
            per_host: 6,
            per_site: 24,
            waiting_per_host: 24,
            extractors: Vec::new(),
            render_available: false,
            start_reserve: Duration::ZERO,
            limits: ReaderLimits::default(),
        }
    }
}
