//! Downloads the files that a result lists: through the same guard as pages, and within limits of number, size and time.

use super::file_names::FileNames;
use super::listed_files::{self, ListedFile};
use crate::progress::ProgressBarLine;
use crate::views::count_with_noun;
use crate::{demo, output, service_configs};
use futures::StreamExt;
use limner_netguard::{Client, FetchRequest, FetchResponse};
use limner_page::data_url::DataUrl;
use limner_runtime::Settings;
use limner_types::Operation;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT};
use serde_json::{Map, Value};
use std::path::Path;
use std::time::Duration;
use tokio::time::Instant;
use url::{ParseError, Url};

/// Maximum number of files.
const MAX_FILES: usize = 500;
/// Maximum size of a file.
const MAX_FILE_BYTES: usize = 50_000_000;
/// Maximum size of all files.
const MAX_TOTAL_BYTES: usize = 500_000_000;
/// Maximum time for all files.
const MAX_TIME: Duration = Duration::from_secs(300);
/// Number of files that are downloaded at once.
const CONCURRENCY: usize = 6;
/// Maximum number of failures that are reported one by one.
const MAX_REPORTED: usize = 5;

/// Media types and the extensions of their files. Others keep the extension in their URL if it is one of these.
const EXTENSIONS: &[(&str, &str)] = &[
    ("image/png", "png"),
    ("image/apng", "apng"),
    ("image/jpeg", "jpg"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
    ("image/avif", "avif"),
    ("image/svg+xml", "svg"),
    ("image/x-icon", "ico"),
    ("image/vnd.microsoft.icon", "ico"),
    ("image/bmp", "bmp"),
    ("font/woff2", "woff2"),
    ("font/woff", "woff"),
    ("font/ttf", "ttf"),
    ("font/otf", "otf"),
    ("font/collection", "ttc"),
    ("video/mp4", "mp4"),
    ("video/webm", "webm"),
    ("video/ogg", "ogv"),
    ("video/quicktime", "mov"),
    ("audio/mpeg", "mp3"),
    ("audio/mp4", "m4a"),
    ("audio/aac", "aac"),
    ("audio/ogg", "ogg"),
    ("audio/wav", "wav"),
    ("audio/flac", "flac"),
    ("application/json", "json"),
    ("application/vnd.ms-fontobject", "eot"),
    ("application/zip+dotlottie", "lottie"),
];

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
    mut files: Vec<ListedFile>,
) -> anyhow::Result<Downloads> {
    let directory = listed_files::directory(operation);
    let mut outcome = Downloads { directory, ..Downloads::default() };
    if files.is_empty() {
        return Ok(outcome);
    }
    for file in files.drain(MAX_FILES.min(files.len())..) {
        outcome.failures.push((file.url, format!("only {MAX_FILES} files are downloaded")));
    }
    let count = files.len() as u64;
    let files: Vec<(ListedFile, Result<Url, ParseError>)> =
        files.into_iter().map(|file| (Url::parse(&file.url), file)).map(|(url, file)| (file, url)).collect();
    let urls: Vec<&Url> = files.iter().filter_map(|(_, url)| url.as_ref().ok()).collect();
    let policy = demo::policy_for(settings, &urls).await?;
    let client = service_configs::egress(settings, policy)?;
    let agent = HeaderValue::from_str(&service_configs::user_agent(settings))?;
    let reader = FileReader { client, agent, deadline: Instant::now() + MAX_TIME };
    let mut bar = ProgressBarLine::start(count, "files");
    let read = |(file, url): (ListedFile, _)| async { (reader.read(&file, url).await, file) };
    let mut reads = futures::stream::iter(files).map(read).buffered(CONCURRENCY);
    let (mut names, mut total, mut list) = (FileNames::default(), 0, Map::new());
    while let Some((content, file)) = reads.next().await {
        bar.advance();
        let content = content.and_then(|content| {
            total += content.bytes.len();
            let is_within = total <= MAX_TOTAL_BYTES;
            is_within.then_some(content).ok_or_else(|| "the files are too large together".to_owned())
        });
        match content {
            Ok(content) => {
                let name = format!("{directory}/{}", content.name(&file, &mut names));
                output::write_file(&dir.join(&name), &content.bytes)?;
                if file.code.is_none() {
                    list.insert(file.url, Value::from(name));
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

/// Reads files within their limits.
struct FileReader {
    client: Client,
    agent: HeaderValue,
    deadline: Instant,
}

impl FileReader {
    async fn read(&self, file: &ListedFile, url: Result<Url, ParseError>) -> Result<Content, String> {
        if let Some(code) = &file.code {
            return Ok(Content { bytes: code.clone().into(), extension: "svg".to_owned() });
        }
        let url = url.map_err(|fault| fault.to_string())?;
        if url.scheme() == "data" {
            let data = DataUrl::parse_with_fragment(&url).ok_or("its data cannot be decoded")?;
            return Ok(Content { extension: extension(&data.media_type.essence, ""), bytes: data.bytes.into() });
        }
        let mut request = FetchRequest::new(url, self.deadline);
        request.caps.max_bytes = MAX_FILE_BYTES;
        request.headers = HeaderMap::from_iter([(USER_AGENT, self.agent.clone())]);
        let response = self.client.get(request).await.map_err(|fault| fault.message())?;
        if !response.status.is_success() {
            return Err(format!("the site answered {}", response.status.as_u16()));
        }
        Content::new(response)
    }
}

/// A file that was read.
struct Content {
    bytes: bytes::Bytes,
    extension: String,
}

impl Content {
    fn new(response: FetchResponse) -> Result<Self, String> {
        let media_type = response.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if media_type == "text/html" {
            return Err("the site answered with a page".to_owned());
        }
        Ok(Self { extension: extension(&media_type, response.url.path()), bytes: response.body })
    }

    /// Returns the first of a file's names that is free, or its first one with a number.
    fn name(&self, file: &ListedFile, taken: &mut FileNames) -> String {
        let free = file.names.iter().find(|name| taken.is_free(name, &self.extension));
        let stem = free.or(file.names.first()).map_or("file", String::as_str);
        taken.unique(stem, &self.extension)
    }
}

/// Returns the extension of a media type, otherwise that of the path, if it is one that media have.
fn extension(media_type: &str, path: &str) -> String {
    let by_type = EXTENSIONS.iter().find(|(known, _)| *known == media_type).map(|(_, extension)| *extension);
    let in_path = path.rsplit('/').next().and_then(|file| file.rsplit_once('.')).map(|(_, extension)| extension);
    let by_path = EXTENSIONS
        .iter()
        .map(|(_, extension)| *extension)
        .find(|extension| in_path.is_some_and(|given| given.eq_ignore_ascii_case(extension)));
    by_type.or(by_path).unwrap_or("bin").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_those_of_media_types() {
        for (media_type, path, expected) in [
            ("image/png", "/a.jpg", "png"),
            ("application/octet-stream", "/a/b.WOFF2", "woff2"),
            ("", "/a.mp4", "mp4"),
            ("text/plain", "/run.sh", "bin"),
            ("application/x-msdownload", "/a.exe", "bin"),
            ("image/svg+xml", "/a", "svg"),
        ] {
            assert_eq!(extension(media_type, path), expected, "{media_type} {path}");
        }
    }
}
