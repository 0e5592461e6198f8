//! A client's connection. If hyper rejects a request before it is parsed (with a bare status), this stream replaces the
//! response by one with the API's error body.

use crate::error::CallError;
use crate::request_id::RequestId;
use crate::response::REQUEST_ID;
use limner_types::ErrorCode;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

pub(crate) struct ClientStream<S> {
    inner: S,
    /// The unwritten part of a response that replaces hyper's.
    replacement: Vec<u8>,
}

impl<S: AsyncWrite + Unpin> ClientStream<S> {
    pub(crate) fn new(inner: S) -> Self {
        Self { inner, replacement: Vec::new() }
    }

    /// Writes the rest of a replacement.
    fn poll_replacement(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.replacement.is_empty() {
            let written = {
                let Self { inner, replacement } = &mut *self;
                ready!(Pin::new(inner).poll_write(cx, replacement))?
            };
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.replacement.drain(..written);
        }
        Poll::Ready(Ok(()))
    }
}

/// Returns the replacement of a response by hyper itself. `bytes` are one if their head has only status, length, date
/// and connection; none of our own responses looks like that.
fn hyper_error_replacement(bytes: &[u8]) -> Option<Vec<u8>> {
    let head = std::str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.")?.get(2..5)?;
    let bare = |line: &str| {
        let name = line.split(':').next().unwrap_or_default();
        ["content-length", "connection", "date"].iter().any(|bare| name.eq_ignore_ascii_case(bare))
    };
    let has_no_body = head.to_ascii_lowercase().contains("content-length: 0");
    if !lines.all(bare) || !has_no_body {
        return None;
    }
    let message = match status {
        "400" => "The request is not valid HTTP. Send a GET with the parameters in the query.",
        "414" => "The request's path and query are too long. Shorten them.",
        "431" => "The request's headers are too large. Send fewer.",
        _ => return None,
    };
    let id = RequestId::new();
    let body = serde_json::to_string(&CallError::new(ErrorCode::InvalidRequest, message).body(id.as_str())).ok()?;
    let answer = format!(
        "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncache-control: no-store\r\nx-content-type-options: \
         nosniff\r\n{REQUEST_ID}: {}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        id.as_str(),
        body.len()
    );
    Some(answer.into_bytes())
}

/// Maximum length of the head of such a response.
const BARE_RESPONSE_HEAD_BYTES: usize = 200;

impl<S: AsyncRead + Unpin> AsyncRead for ClientStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ClientStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_replacement(cx))?;
        if bytes.len() <= BARE_RESPONSE_HEAD_BYTES
            && bytes.starts_with(b"HTTP/1.")
            && let Some(replacement) = hyper_error_replacement(bytes)
        {
            self.replacement = replacement;
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [only] = slices {
            return self.poll_write(cx, only);
        }
        ready!(self.poll_replacement(cx))?;
        Pin::new(&mut self.inner).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_replacement(cx))?;
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_replacement(cx))?;
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hypers_own_error_responses_are_replaced() {
        for (head, replaced) in [
            (
                "HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n",
                true,
            ),
            ("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n", true),
            ("HTTP/1.1 414 URI Too Long\r\ncontent-length: 0\r\n\r\n", true),
            ("HTTP/1.1 400 Bad Request\r\nx-request-id: req_1\r\ncontent-length: 0\r\n\r\n", false),
            ("HTTP/1.1 400 Bad Request\r\ncontent-length: 9\r\n\r\n", false),
            ("HTTP/1.1 204 No Content\r\ndate: x\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", false),
            ("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\nmore", false),
        ] {
            assert_eq!(hyper_error_replacement(head.as_bytes()).is_some(), replaced, "{head}");
        }
    }
}
