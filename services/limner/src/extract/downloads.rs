//! Downloads the files that a result lists: through the same guard as pages, and within limits of number, size and time.

use crate::progress::ProgressBarLine;
use crate::views::count_with_noun;
use crate::{demo, output, service_configs};
use futures::StreamExt;
use limner_listed_files::{DownloadLimits, ListedFile};
use limner_runtime::Settings;
use limner_types::Operation;
use reqwest::header::HeaderValue;
use serde_json::{Map, Value};
use std::path::Path;
use std::pin::pin;
use std::time::Duration;
use url::Url;

const LIMITS: DownloadLimits = DownloadLimits {
    files: 500,
    file_bytes: 50_000_000,
    total_bytes: 500_000_000,
    time: Duration::from_secs(300),
    concurrency: 6,
};
/// Maximum number of failures that are reported one by one.
const MAX_REPORTED: usize = 5;

/// The outcome of the downloads.
#[derive(Debug, Default)]
pub(super) struct Downloads {
    directory: &'static str,
    written: usize,
    failures: Vec<(String, String)>,
}

impl Downloads {
    /// Reports the outcome on standard error.
    pub(super) fn report(&self, dir: &Path) {
        if self.written > 0 {
            let files = count_with_noun(self.written, "file", "files");
            output::complain(&format!("Written to {}: {files}", dir.join(self.directory).display()));
        }
        for (url, reason) in self.failures.iter().take(MAX_REPORTED) {
            output::complain(&format!("Not downloaded: {url}: {reason}"));
        }
        if self.failures.len() > MAX_REPORTED {
            output::complain(&format!("Not downloaded: {} more", self.failures.len() - MAX_REPORTED));
        }
    }
}

/// Downloads files into the operation's directory below `dir`, and writes a list of which URL is which file.
pub(super) async fn download(
    settings: &Settings,
    dir: &Path,
    operation: Operation,
    files: Vec<ListedFile>,
) -> anyhow::Result<Downloads> {
    let directory = limner_listed_files::directory(operation);
    let mut outcome = Downloads { directory, ..Downloads::default() };
    if files.is_empty() {
        return Ok(outcome);
    }
    let count = files.len().min(LIMITS.files) as u64;
    let urls: Vec<Url> = files.iter().filter_map(|file| Url::parse(&file.url).ok()).collect();
    let policy = demo::policy_for(settings, &urls.iter().collect::<Vec<_>>()).await?;
    let client = service_configs::egress(settings, policy)?;
    let agent = HeaderValue::from_str(&service_configs::user_agent(settings))?;
    let mut bar = ProgressBarLine::start(count, "files");
    let mut list = Map::new();
    let mut downloads = pin!(limner_listed_files::download(client, agent, LIMITS, operation, files));
    while let Some((file, content)) = downloads.next().await {
        bar.advance();
        match content {
            Ok(content) => {
                output::write_file(&dir.join(&content.path), &content.bytes)?;
                if file.code.is_none() {
                    list.insert(file.url, Value::from(content.path));
                }
                outcome.written += 1;
            }
            Err(reason) => outcome.failures.push((file.url, reason)),
        }
    }
    if !list.is_empty() {
        let path = dir.join(format!("{directory}.files.json"));
        output::write_file(&path, format!("{:#}\n", Value::Object(list)).as_bytes())?;
    }
    Ok(outcome)
}
