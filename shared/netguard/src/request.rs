//! Outward requests, with their limits and deadlines.

use crate::options::Caps;
use bytes::Bytes;
use http::HeaderMap;
use tokio::time::Instant;
use url::Url;

/// A GET request.
#[derive(Debug, Clone)]
pub struct FetchRequest {
    /// The URL.
    pub url: Url,
    /// Request headers: the caller's `User-Agent`, `Accept` and so on. Headers of the connection (`Host`,
    /// `Accept-Encoding`, …) are set by the client, even if given here.
    pub headers: HeaderMap,
    /// Limits of the response.
    pub caps: Caps,
    /// Deadline, including redirects.
    pub deadline: Instant,
}

impl FetchRequest {
    /// Returns a request for `url` without headers and with the default limits.
    pub fn new(url: Url, deadline: impl Into<Instant>) -> Self {
        Self { url, headers: HeaderMap::new(), caps: Caps::default(), deadline: deadline.into() }
    }
}

/// A POST request. It is never sent twice, so redirects are not followed and broken connections are not retried.
#[derive(Debug, Clone)]
pub struct PostRequest {
    /// The URL.
    pub url: Url,
    /// Request headers as in [`FetchRequest`], including the body's type.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// Limits of the response.
    pub caps: Caps,
    /// Deadline.
    pub deadline: Instant,
}
