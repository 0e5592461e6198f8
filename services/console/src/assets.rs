//! Static files of the pages, at URLs that contain a hash of their content.

use crate::error::HttpError;
use crate::security_headers::PageKind;
use crate::token;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use http::{HeaderMap, HeaderValue, header};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A static file.
struct File {
    name: &'static str,
    content_type: &'static str,
    body: &'static [u8],
}

macro_rules! files {
    ($folder:literal: $($name:literal $content_type:literal),+ $(,)?) => {
        &[$(File { name: $name, content_type: $content_type, body: include_bytes!(concat!($folder, $name)) }),+]
    };
}

static FILES: &[File] = files!["../assets/":
    "console.css" "text/css; charset=utf-8",
    "console.js" "text/javascript; charset=utf-8",
    "highlight.min.js" "text/javascript; charset=utf-8",
    "player.css" "text/css; charset=utf-8",
    "player.js" "text/javascript; charset=utf-8",
    "lottie_light.min.js" "text/javascript; charset=utf-8",
    "icon.svg" "image/svg+xml",
];

/// Files of the demo page that the component on the landing page has, by their folder.
static DEMO_FILES: [(&str, &[File]); 2] = [
    (
        "images",
        files!["../../limner/demo/images/":
            "evening-600.png" "image/png",
            "evening-1200.png" "image/png",
            "night-600.png" "image/png",
            "night-1200.png" "image/png",
        ],
    ),
    ("fonts", files!["../../limner/demo/fonts/": "nordlys-folded.woff2" "font/woff2"]),
];

fn files() -> impl Iterator<Item = &'static File> {
    FILES.iter().chain(DEMO_FILES.iter().flat_map(|(_, files)| *files))
}

/// URLs by file name.
static URLS: LazyLock<BTreeMap<&'static str, String>> = LazyLock::new(|| {
    let address = |file: &File| {
        let hash = HEXLOWER.encode(&token::sha256_of(&[file.body])[..8]);
        (file.name, format!("/assets/{hash}/{}", file.name))
    };
    files().map(address).collect()
});

/// Returns the URL of a file; an unknown name gives a URL that does not exist.
pub(crate) fn address(name: &str) -> String {
    URLS.get(name).cloned().unwrap_or_default()
}

/// Returns a document with the URLs of the demo page's files replaced.
pub(crate) fn with_demo_files(document: &str, demo_url: &str) -> String {
    let mut document = document.to_owned();
    for (folder, files) in &DEMO_FILES {
        for file in *files {
            document = document.replace(&format!("{demo_url}{folder}/{}", file.name), &address(file.name));
        }
    }
    document
}

/// `GET /assets/{hash}/{name}`
pub(crate) async fn serve(Path((hash, name)): Path<(String, String)>) -> Result<Response, HttpError> {
    let path = format!("/assets/{hash}/{name}");
    let is_asked = |file: &&'static File| URLS.get(file.name).is_some_and(|address| *address == path);
    let file = files().find(is_asked).ok_or(HttpError::NotFound)?;
    Ok(respond(file, "public, max-age=31536000, immutable"))
}

/// `GET /favicon.ico`: browsers request it by that name.
pub(crate) async fn icon() -> Result<Response, HttpError> {
    let file = FILES.iter().find(|file| file.name == "icon.svg").ok_or(HttpError::NotFound)?;
    Ok(respond(file, "public, max-age=86400"))
}

fn respond(file: &'static File, caching: &'static str) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    // Frames without an origin load fonts.
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let mut response = (headers, file.body).into_response();
    response.extensions_mut().insert(PageKind::Asset);
    response
}
