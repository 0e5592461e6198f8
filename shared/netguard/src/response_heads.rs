//! Repairs the heads of HTTP/1 responses that browsers accept and `hyper` rejects.
//!
//! [`ResponseHeads`] wraps a connection. Behind each request the next bytes read are the head of a response: it is read
//! whole and passed on as browsers understand it. Bodies pass through unchanged.

use bytes::{Buf, Bytes, BytesMut};
use hyper::rt::{Read, ReadBuf, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection};
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Maximum size of a head that is repaired; larger ones are passed on as they are.
const MAX_HEAD_BYTES: usize = 256 * 1024;
/// Number of bytes read at once.
const STEP: usize = 8 * 1024;

/// A client's connection whose response heads are repaired.
#[derive(Debug)]
pub struct ResponseHeads<S> {
    stream: S,
    state: State,
    /// Bytes of a head that is not complete.
    head: BytesMut,
    /// The search for the end of the head.
    search: HeadSearch,
    /// Bytes that are passed on next.
    ready: Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The next bytes are a head.
    Head,
    /// The next bytes are a body.
    Body,
    /// The connection is not HTTP/1.
    Other,
}

impl<S> ResponseHeads<S> {
    /// Wraps a connection that speaks HTTP/1.
    pub fn new(stream: S) -> Self {
        Self { stream, state: State::Head, head: BytesMut::new(), search: HeadSearch::default(), ready: Bytes::new() }
    }

    /// Takes in bytes of a head.
    fn take_in(&mut self, bytes: &[u8]) {
        self.head.extend_from_slice(bytes);
        if !may_be_head(&self.head) {
            return self.give_up();
        }
        match self.search.head_length(&self.head) {
            Some(length) => {
                self.search = HeadSearch::default();
                let head = self.head.split_to(length);
                let mut passed_on = repair(&head);
                // An informational response is followed by the head of another one.
                let is_informational = status(&passed_on).is_some_and(|status| (100..200).contains(&status));
                self.state = if is_informational { State::Head } else { State::Body };
                if !is_informational {
                    passed_on.extend_from_slice(&self.head.split());
                }
                self.ready = passed_on.into();
            }
            None if self.head.len() > MAX_HEAD_BYTES => self.give_up(),
            None => {}
        }
    }

    /// Passes on what was read of a head, unchanged.
    fn give_up(&mut self) {
        self.ready = self.head.split().freeze();
        self.search = HeadSearch::default();
        self.state = State::Body;
    }
}

impl<S: Connection> ResponseHeads<S> {
    /// Wraps a connection, which negotiates its protocol.
    pub(crate) fn negotiated(stream: S) -> Self {
        let is_http2 = stream.connected().is_negotiated_h2();
        let mut heads = Self::new(stream);
        if is_http2 {
            heads.state = State::Other;
        }
        heads
    }
}

impl<S: Connection> Connection for ResponseHeads<S> {
    fn connected(&self) -> Connected {
        self.stream.connected()
    }
}

impl<S: Read + Unpin> Read for ResponseHeads<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, mut buf: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            if !this.ready.is_empty() {
                let count = this.ready.len().min(buf.remaining());
                buf.put_slice(&this.ready[..count]);
                this.ready.advance(count);
                return Poll::Ready(Ok(()));
            }
            if this.state != State::Head {
                return Pin::new(&mut this.stream).poll_read(cx, buf);
            }
            // The head of a response that follows an informational one may be here already.
            if !this.head.is_empty() && this.search.head_length(&this.head).is_some() {
                this.take_in(&[]);
                continue;
            }
            let mut space = [0; STEP];
            let mut read = ReadBuf::new(&mut space);
            ready!(Pin::new(&mut this.stream).poll_read(cx, read.unfilled()))?;
            if read.filled().is_empty() {
                if this.head.is_empty() {
                    return Poll::Ready(Ok(()));
                }
                this.give_up();
                continue;
            }
            this.take_in(read.filled());
        }
    }
}

impl<S: Write + Unpin> ResponseHeads<S> {
    /// Expects a head behind a request.
    fn written(&mut self, outcome: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if self.state == State::Body && matches!(outcome, Poll::Ready(Ok(count)) if count > 0) {
            self.state = State::Head;
        }
        outcome
    }
}

impl<S: Write + Unpin> Write for ResponseHeads<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.stream).poll_write(cx, buf);
        this.written(outcome)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.stream).poll_write_vectored(cx, bufs);
        this.written(outcome)
    }
}

/// Returns true if bytes may be the beginning of a head. Chromium accepts any case, and nothing before it.
fn may_be_head(bytes: &[u8]) -> bool {
    let name = &bytes[..bytes.len().min(4)];
    name.eq_ignore_ascii_case(&b"HTTP"[..name.len()])
}

/// A search for the end of a head that arrives in parts: no byte is looked at twice.
#[derive(Debug, Default)]
struct HeadSearch {
    /// Start of the last line.
    line_start: usize,
    /// Number of bytes in which there is no further line break.
    searched: usize,
}

impl HeadSearch {
    /// Returns the length of a complete head with its empty line. `bytes`: those of the last call, and more.
    fn head_length(&mut self, bytes: &[u8]) -> Option<usize> {
        while let Some(length) = bytes[self.searched..].iter().position(|byte| *byte == b'\n') {
            let end = self.searched + length;
            if self.line_start > 0 && matches!(&bytes[self.line_start..end], b"" | b"\r") {
                return Some(end + 1);
            }
            (self.line_start, self.searched) = (end + 1, end + 1);
        }
        self.searched = bytes.len();
        None
    }
}

fn status(head: &[u8]) -> Option<u16> {
    std::str::from_utf8(head.get(9..12)?).ok()?.parse().ok()
}

/// Returns a head as Chromium understands it: a status line in any case and with parts missing, a `Content-Length` that
/// is no number (which counts as none), and `Transfer-Encoding` in HTTP/1.0 (which has none).
fn repair(head: &[u8]) -> BytesMut {
    let status_end = head.iter().position(|byte| *byte == b'\n').map_or(head.len(), |end| end + 1);
    let (status_line, headers) = head.split_at(status_end);
    let mut repaired = BytesMut::with_capacity(head.len() + 16);
    let status_line = normalized_status_line(status_line);
    repaired.extend_from_slice(&status_line);
    let is_version_1_0 = status_line.starts_with(b"HTTP/1.0");
    let mut is_dropped = false;
    for line in headers.split_inclusive(|byte| *byte == b'\n') {
        let is_continuation = line.starts_with(b" ") || line.starts_with(b"\t");
        is_dropped = if is_continuation { is_dropped } else { is_ignored(line, is_version_1_0) };
        if !is_dropped {
            repaired.extend_from_slice(line);
        }
    }
    repaired
}

/// Returns true for a header that browsers ignore.
fn is_ignored(line: &[u8], is_version_1_0: bool) -> bool {
    let Some(colon) = line.iter().position(|byte| *byte == b':') else { return false };
    let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let is_length = name.eq_ignore_ascii_case(b"content-length");
    let is_coding = name.eq_ignore_ascii_case(b"transfer-encoding");
    (is_length && !value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).all(is_number))
        || (is_coding && is_version_1_0)
}

/// Returns a status line that begins with the version and three digits. One that lacks the version is HTTP/1.0, one
/// that lacks the status is 200.
fn normalized_status_line(line: &[u8]) -> Vec<u8> {
    let text = line.trim_ascii_end();
    let rest = text.get(4..).unwrap_or_default();
    let (version, rest) = match rest.strip_prefix(b"/") {
        Some(rest) => rest.split_at(rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())),
        None => (&b""[..], rest),
    };
    let version = match version {
        [b'1', b'.', minor] if *minor > b'0' => "1.1",
        b"" | b"1" | b"1.0" => "1.0",
        // Another protocol.
        _ => return line.to_vec(),
    };
    let rest = rest.trim_ascii_start();
    let (digits, reason) = rest.split_at(rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len()));
    let status = if digits.len() == 3 { digits } else { b"200" };
    [b"HTTP/", version.as_bytes(), b" ", status, b" ", reason.trim_ascii(), b"\r\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_repaired_as_browsers_understand_them() {
        for (head, expected) in [
            ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"),
            ("http/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"),
            ("HTTP/1.1 404\r\n\r\n", "HTTP/1.1 404 \r\n\r\n"),
            ("HTTP/1.1  301  Moved\n\n", "HTTP/1.1 301 Moved\r\n\n"),
            ("HTTP/1.1 200OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"),
            ("HTTP 200 OK\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n"),
            ("HTTP/1.2 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"),
            ("HTTP/9.9 200 OK\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n"),
            ("HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5O\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\ncontent-length : -1\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\nContent-Length:\r\n folded\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n"),
            ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n"),
        ] {
            assert_eq!(String::from_utf8_lossy(&repair(head.as_bytes())), expected, "{head:?}");
            let response = format!("{head}body");
            let mut search = HeadSearch::default();
            // The head arrives byte by byte.
            let found = (0..=response.len()).find_map(|end| search.head_length(&response.as_bytes()[..end]));
            assert_eq!(found, Some(head.len()), "{head:?}");
            assert_eq!(HeadSearch::default().head_length(response.as_bytes()), Some(head.len()), "{head:?}");
        }
        assert_eq!(HeadSearch::default().head_length(b"HTTP/1.1 200 OK\r\nA: b\r\n"), None);
        assert!(may_be_head(b"ht") && !may_be_head(b"\nHTTP/1.1") && !may_be_head(b"junkHTTP"));
    }
}
