//! Responses of a site.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use std::time::Duration;

/// A response of a [`super::OriginServer`].
#[derive(Debug, Clone)]
pub struct CannedResponse {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) delay: Duration,
    pub(super) body: Body,
}

/// The behaviour of the body.
#[derive(Debug, Clone)]
pub(super) enum Body {
    /// Sent completely.
    Whole(Bytes),
    /// The same chunk repeatedly, without end.
    Endless { piece: Bytes, every: Duration },
    /// The first bytes, then nothing on the open connection.
    Stalled(Bytes),
    /// The first bytes, then the connection breaks.
    Broken(Bytes),
    /// Not even headers are sent.
    Silent,
}

impl CannedResponse {
    /// Returns a 200 with a body of a media type.
    pub fn new(content_type: &str, body: impl Into<Bytes>) -> Self {
        Self::with_body(content_type, Body::Whole(body.into()))
    }

    fn with_body(content_type: &str, body: Body) -> Self {
        let reply = Self { status: StatusCode::OK, headers: HeaderMap::new(), delay: Duration::ZERO, body };
        if content_type.is_empty() { reply } else { reply.header("content-type", content_type) }
    }

    /// Returns an HTML page in UTF-8.
    pub fn html(markup: impl Into<Bytes>) -> Self {
        Self::new("text/html; charset=utf-8", markup)
    }

    /// Returns a stylesheet.
    pub fn css(sheet: impl Into<Bytes>) -> Self {
        Self::new("text/css; charset=utf-8", sheet)
    }

    /// Returns an SVG file.
    pub fn svg(markup: impl Into<Bytes>) -> Self {
        Self::new("image/svg+xml", markup)
    }

    /// Returns JSON.
    pub fn json(text: impl Into<Bytes>) -> Self {
        Self::new("application/json", text)
    }

    /// Returns a redirect with status 302.
    pub fn redirect(location: &str) -> Self {
        Self::new("", "").status(302).header("location", location)
    }

    /// Returns an endless body: `piece` repeated as fast as it is read.
    pub fn endless(content_type: &str, piece: impl Into<Bytes>) -> Self {
        Self::with_body(content_type, Body::Endless { piece: piece.into(), every: Duration::ZERO })
    }

    /// Returns an endless body: `piece` repeated, with a pause between.
    pub fn trickle(content_type: &str, piece: impl Into<Bytes>, every: Duration) -> Self {
        Self::with_body(content_type, Body::Endless { piece: piece.into(), every })
    }

    /// Returns headers and the first bytes, then nothing more while the connection stays open.
    pub fn stalled(content_type: &str, first: impl Into<Bytes>) -> Self {
        Self::with_body(content_type, Body::Stalled(first.into()))
    }

    /// Returns headers and the first bytes, then breaks the connection.
    pub fn broken(content_type: &str, first: impl Into<Bytes>) -> Self {
        Self::with_body(content_type, Body::Broken(first.into()))
    }

    /// Returns no response: the request is read and the connection stays open.
    pub fn silent() -> Self {
        Self::with_body("", Body::Silent)
    }

    /// Sets the status.
    ///
    /// # Panics
    /// Panics if the status is invalid.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = StatusCode::from_u16(status).expect("a status");
        self
    }

    /// Adds a header; `content-type` replaces the existing one.
    ///
    /// # Panics
    /// Panics if the header is invalid.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let name: HeaderName = name.parse().expect("a header name");
        let value = HeaderValue::from_bytes(value.as_bytes()).expect("a header value");
        if name == header::CONTENT_TYPE {
            self.headers.insert(name, value);
        } else {
            self.headers.append(name, value);
        }
        self
    }

    /// Delays the response.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}
