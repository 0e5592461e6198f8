//! The response to an outward request.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use url::Url;

/// A response, with any status.
#[derive(Debug, Clone)]
pub struct FetchResponse {
    /// The final URL; it inherits the fragment of the URL that redirected to it.
    pub url: Url,
    /// Its status.
    pub status: StatusCode,
    /// Its headers, without those about the body's encoding (`Content-Encoding`, `Content-Length`).
    pub headers: HeaderMap,
    /// Its body, decompressed.
    pub body: Bytes,
    /// True if the body was, or should have been, longer.
    pub truncated: bool,
    /// The URLs that redirected here, first to last.
    pub redirects: Vec<Url>,
    /// Size of the body on the wire.
    pub wire_bytes: u64,
}
