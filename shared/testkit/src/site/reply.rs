//! What a site answers.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use std::time::Duration;

/// An answer of a [`super::FakeSite`].
#[derive(Debug, Clone)]
pub struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) delay: Duration,
    pub(super) body: Body,
}

/// How the body behaves.
#[derive(Debug, Clone)]
pub(super) enum Body {
    /// Sent whole.
    Whole(Bytes),
    /// The same piece again and again, without end.
    Endless { piece: Bytes, every: Duration },
    /// The first bytes, then nothing, with the connection open.
    Stalled(Bytes),
    /// The first bytes, then the connection breaks.
    Broken(Bytes),
    /// Not even headers.
    Silent,
}

impl Reply {
    /// 200 with a body of a media type.
    pub fn new(content_type: &str, body: impl Into<Bytes>) -> Self {
        Self::with_body(content_type, Body::Whole(body.into()))
    }

    fn with_body(content_type: &str, body: Body) -> Self {
        let reply = Self { status: StatusCode::OK, headers: HeaderMap::new(), delay: Duration::ZERO, body };
        if content_type.is_empty() { reply } else { reply.header("content-type", content_type) }
    }

    /// An HTML page in UTF-8.
    pub fn html(markup: impl Into<Bytes>) -> Self {
        Self::new("text/html; charset=utf-8", markup)
    }

    /// A style sheet.
    pub fn css(sheet: impl Into<Bytes>) -> Self {
        Self::new("text/css; charset=utf-8", sheet)
    }

    /// An SVG file.
    pub fn svg(markup: impl Into<Bytes>) -> Self {
        Self::new("image/svg+xml", markup)
    }

    /// JSON.
    pub fn json(text: impl Into<Bytes>) -> Self {
        Self::new("application/json", text)
    }

    /// A redirect, status 302.
    pub fn redirect(location: &str) -> Self {
        Self::new("", "").status(302).header("location", location)
    }

    /// A body that never ends: `piece` again and again, as fast as it is read.
    pub fn endless(content_type: &str, piece: impl Into<Bytes>) -> Self {
        Self::with_body(content_type, Body::Endless { piece: piece.into(), every: Duration::ZERO })
    }

    /// A body that never ends: `piece` again and again, with a pause between.
    pub fn trickle(content_type: &str, piece: impl Into<Bytes>, every: Duration) -> Self {
        Self::with_body(content_type, Body::Endless { piece: piece.into(), every })
    }

    /// Headers and the first bytes, then nothing more while the connection stays open.
    pub fn stalled(content_type: &str, first: impl Into<Bytes>) -> Self {
        Self::with_body(content_type, Body::Stalled(first.into()))
    }

    /// Headers and the first bytes, then the connection breaks.
    pub fn broken(content_type: &str, first: impl Into<Bytes>) -> Self {
        Self::with_body(content_type, Body::Broken(first.into()))
    }

    /// No answer at all: the request is read and the connection stays open.
    pub fn silent() -> Self {
        Self::with_body("", Body::Silent)
    }

    /// Another status.
    ///
    /// # Panics
    /// When it is not one.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = StatusCode::from_u16(status).expect("a status");
        self
    }

    /// One more header; `content-type` replaces the one there is.
    ///
    /// # Panics
    /// When it can't be sent.
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

    /// Waits before answering.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}
