//! The archive of a result: the files that it contains, and those that it lists, which are downloaded through netguard.
//!
//! `images.zip` of a page with one image and one that is gone has `images.json`, `images/a-lamp.png` and
//! `not-downloaded.txt`. Limits keep an archive, which is built in memory, far below the memory of the process; the
//! command line takes more.

use crate::config::Config;
use crate::error::ConsoleError;
use futures::StreamExt;
use http::HeaderValue;
use limner_listed_files::{DownloadLimits, ListedFile};
use limner_types::Operation;
use serde_json::Value;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Limits of the downloads for one archive.
const LIMITS: DownloadLimits = DownloadLimits {
    files: 100,
    file_bytes: 8_000_000,
    total_bytes: 24_000_000,
    time: Duration::from_secs(20),
    concurrency: 4,
};
/// Number of archives that are built at once by a process.
const MAX_ARCHIVES: usize = 2;
const FAILURES: &str = "not-downloaded.txt";

/// Downloads what results list.
pub(crate) struct Downloader {
    http: limner_netguard::Client,
    agent: HeaderValue,
    permits: Semaphore,
}

impl Downloader {
    pub(crate) fn new(config: &Config) -> Result<Self, ConsoleError> {
        let invalid = |cause: &dyn std::fmt::Display| ConsoleError::Config(format!("the way to listed files: {cause}"));
        let http = limner_netguard::Client::new(config.egress.clone()).map_err(|cause| invalid(&cause))?;
        let agent = HeaderValue::from_str(&config.user_agent).map_err(|cause| invalid(&cause))?;
        Ok(Self { http, agent, permits: Semaphore::new(MAX_ARCHIVES) })
    }

    /// Returns names and contents of the files that a result lists, and a list of those that could not be downloaded.
    pub(crate) async fn listed(&self, operation: Operation, result: &Value) -> Vec<(String, Vec<u8>)> {
        let files = listed_files(operation, result);
        if files.is_empty() {
            return Vec::new();
        }
        let (mut found, mut failures) = (Vec::new(), Vec::new());
        match tokio::time::timeout(LIMITS.time, self.permits.acquire()).await {
            Ok(Ok(_permit)) => {
                let (http, agent) = (self.http.clone(), self.agent.clone());
                let mut downloads = pin!(limner_listed_files::download(http, agent, LIMITS, operation, files));
                while let Some((file, content)) = downloads.next().await {
                    match content {
                        Ok(content) => found.push((content.path, content.bytes.to_vec())),
                        Err(reason) => failures.push((file.url, reason)),
                    }
                }
            }
            _ => {
                let busy = "too many archives were requested at once; try again";
                failures.extend(files.into_iter().map(|file| (file.url, busy.to_owned())));
            }
        }
        if !failures.is_empty() {
            let lines: Vec<String> =
                failures.iter().map(|(url, reason)| format!("{}: {reason}\n", shown(url))).collect();
            found.push((FAILURES.to_owned(), lines.concat().into_bytes()));
        }
        found
    }
}

/// Returns the limits for people.
pub(crate) fn limits() -> String {
    let megabytes = |bytes: usize| bytes / 1_000_000;
    let DownloadLimits { files, file_bytes, total_bytes, .. } = LIMITS;
    format!("up to {files}, of {} MB each and {} MB together", megabytes(file_bytes), megabytes(total_bytes))
}

/// Returns true if a result lists files.
pub(crate) fn lists_files(operation: Operation, result: &Value) -> bool {
    !listed_files(operation, result).is_empty()
}

/// Returns the files that a result lists. The markup that it contains is a file of its own.
fn listed_files(operation: Operation, result: &Value) -> Vec<ListedFile> {
    let mut files = limner_listed_files::list(operation, result);
    files.retain(|file| file.code.is_none());
    files
}

/// Shortens the URL of inline data.
fn shown(url: &str) -> String {
    const MAX_CHARS: usize = 200;
    let mut shown: String = url.chars().take(MAX_CHARS).collect();
    if shown.len() < url.len() {
        shown.push('…');
    }
    shown
}
