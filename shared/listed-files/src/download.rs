//! Downloads listed files within limits of number, size and time.

use crate::file_names::FileNames;
use crate::list::{ListedFile, directory};
use bytes::Bytes;
use futures::stream::{self, Stream, StreamExt};
use http::header::{CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT};
use limner_netguard::{Client, FetchRequest, FetchResponse};
use limner_page::data_url::DataUrl;
use limner_types::Operation;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::Instant;
use url::Url;

/// Limits of the downloads for one result.
#[derive(Debug, Clone, Copy)]
pub struct DownloadLimits {
    /// Maximum number of files.
    pub files: usize,
    /// Maximum size of a file, in bytes.
    pub file_bytes: usize,
    /// Maximum size of all files, in bytes. The files that follow the first one beyond it are left out.
    pub total_bytes: usize,
    /// Maximum time for all files.
    pub time: Duration,
    /// Number of files that are downloaded at once.
    pub concurrency: usize,
}

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

/// A file that was downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadedFile {
    /// Path of its own, below the operation's directory: `images/a-lamp.png`.
    pub path: String,
    /// Its content.
    pub bytes: Bytes,
}

/// Downloads the files of a result, in their order, and returns each with its content or the reason why there is none.
pub fn download(
    client: Client,
    agent: HeaderValue,
    limits: DownloadLimits,
    operation: Operation,
    files: Vec<ListedFile>,
) -> impl Stream<Item = (ListedFile, Result<DownloadedFile, String>)> {
    let deadline = Instant::now() + limits.time;
    let reader = Arc::new(FileReader { client, agent, max_bytes: limits.file_bytes, deadline });
    let is_full = Arc::new(AtomicBool::new(false));
    let (was_full, mut names, mut total) = (Arc::clone(&is_full), FileNames::default(), 0);
    let read = move |(number, file): (usize, ListedFile)| {
        let (reader, is_full) = (Arc::clone(&reader), Arc::clone(&is_full));
        async move {
            let content = if number >= limits.files {
                Err(format!("only {} files are downloaded", limits.files))
            } else if is_full.load(Ordering::Relaxed) {
                Err(TOO_LARGE_TOGETHER.to_owned())
            } else {
                reader.read(&file).await
            };
            (file, content)
        }
    };
    let place = move |(file, content): (ListedFile, Result<Content, String>)| {
        let content = content.and_then(|content| {
            if was_full.load(Ordering::Relaxed) || total + content.bytes.len() > limits.total_bytes {
                was_full.store(true, Ordering::Relaxed);
                return Err(TOO_LARGE_TOGETHER.to_owned());
            }
            total += content.bytes.len();
            let path = format!("{}/{}", directory(operation), content.name(&file, &mut names));
            Ok(DownloadedFile { path, bytes: content.bytes })
        });
        (file, content)
    };
    stream::iter(files.into_iter().enumerate()).map(read).buffered(limits.concurrency).map(place)
}

const TOO_LARGE_TOGETHER: &str = "the files are too large together";

/// Reads files within their limits.
struct FileReader {
    client: Client,
    agent: HeaderValue,
    max_bytes: usize,
    deadline: Instant,
}

impl FileReader {
    async fn read(&self, file: &ListedFile) -> Result<Content, String> {
        if let Some(code) = &file.code {
            return Ok(Content { bytes: code.clone().into(), extension: "svg".to_owned() });
        }
        let url = Url::parse(&file.url).map_err(|fault| fault.to_string())?;
        if url.scheme() == "data" {
            let data = DataUrl::parse_with_fragment(&url).ok_or("its data cannot be decoded")?;
            return Ok(Content { extension: extension(&data.media_type.essence, ""), bytes: data.bytes.into() });
        }
        let mut request = FetchRequest::new(url, self.deadline);
        request.caps.max_bytes = self.max_bytes;
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
    bytes: Bytes,
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
    use limner_netguard::{EgressOptions, EgressPolicy};
    use limner_testkit::{CannedResponse, OriginServer};
    use serde_json::{Value, json};

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

    const LIMITS: DownloadLimits = DownloadLimits {
        files: 10,
        file_bytes: 1_000,
        total_bytes: 10_000,
        time: Duration::from_secs(20),
        concurrency: 2,
    };

    /// Returns the outcome for files of 100 bytes at these paths, each as its path or the reason.
    async fn outcome(limits: DownloadLimits, paths: &[&str]) -> Vec<String> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let site = OriginServer::start().await;
        for path in ["/a.png", "/b.png", "/c.png", "/d.png"] {
            site.on(path, CannedResponse::new("image/png", "x".repeat(100)));
        }
        site.on("/large.png", CannedResponse::new("image/png", "x".repeat(1_001)));
        site.on("/slow.png", CannedResponse::new("image/png", "x").after(Duration::from_secs(5)));
        let policy = EgressPolicy {
            allow: vec!["127.0.0.1/32".parse().unwrap()],
            hosts: [("site.test".to_owned(), site.address())].into(),
            ..EgressPolicy::default()
        };
        let client = Client::new(EgressOptions { policy, ..EgressOptions::default() }).unwrap();
        let images: Vec<Value> = paths.iter().map(|path| json!({ "url": format!("http://site.test{path}") })).collect();
        let files = crate::list(Operation::Images, &json!({ "images": images }));
        let agent = HeaderValue::from_static("test");
        let found = download(client, agent, limits, Operation::Images, files);
        found.map(|(_, file)| file.map_or_else(|reason| reason, |file| file.path)).collect().await
    }

    #[tokio::test]
    async fn downloads_end_at_each_limit() {
        let all = ["/a.png", "/b.png", "/c.png", "/d.png"];
        let named = ["images/a.png", "images/b.png", "images/c.png", "images/d.png"];
        assert_eq!(outcome(LIMITS, &all).await, named);
        let few = DownloadLimits { files: 2, ..LIMITS };
        let reason = "only 2 files are downloaded";
        assert_eq!(outcome(few, &all).await, ["images/a.png", "images/b.png", reason, reason]);
        // What follows a file that does not fit is left out, although it would fit.
        let small = DownloadLimits { total_bytes: 250, ..LIMITS };
        let expected = ["images/a.png", "images/b.png", TOO_LARGE_TOGETHER, TOO_LARGE_TOGETHER];
        assert_eq!(outcome(small, &all).await, expected);
        let [large, after] = &outcome(LIMITS, &["/large.png", "/a.png"]).await[..] else { panic!("two") };
        assert!(large.contains("large") && after == "images/a.png", "{large}, {after}");
        let short = DownloadLimits { time: Duration::from_millis(300), concurrency: 1, ..LIMITS };
        let [slow, after] = &outcome(short, &["/slow.png", "/a.png"]).await[..] else { panic!("two") };
        assert!(!slow.starts_with("images/") && !after.starts_with("images/"), "{slow}, {after}");
    }
}
