//! Reads bodies chunk by chunk, with a time limit for each, and with size limits on the wire, between layers of
//! compression and after decompression.

use crate::connector::ConnectionState;
use crate::error::{Exceeded, FetchError, Phase, Unreachable, causes, with_causes};
use crate::options::{Caps, EarlyEnd, Overflow};
use async_compression::tokio::bufread::{BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder};
use async_compression::zstd::DParameter;
use bytes::{Bytes, BytesMut};
use futures::Stream;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING};
use http::response::Parts;
use http::{HeaderMap, Version};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader, ReadBuf};
use tokio_util::io::StreamReader;

/// Number of bytes that compression may add to a body instead of saving: headers, checksums, blocks that did not
/// compress.
const WIRE_SLACK: usize = 64 * 1024;

/// Maximum zstd window that RFC 9659 allows a server: 8 MiB.
const ZSTD_WINDOW_LOG: u32 = 23;

/// Maximum number of layers of compression.
const MAX_LAYERS: usize = 3;

/// Number of bytes decompressed before other tasks may run.
const STEP: usize = 64 * 1024;

/// The part of a body that was read.
#[derive(Debug)]
pub(crate) struct BodyRead {
    pub(crate) bytes: Bytes,
    pub(crate) truncated: bool,
}

/// Statistics of a body on the wire; outlives a read that is cut off by a deadline.
#[derive(Debug, Default)]
pub(crate) struct WireStats {
    bytes: AtomicU64,
    ended: AtomicBool,
}

impl WireStats {
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn add(&self, count: usize) -> u64 {
        let count = count as u64;
        self.bytes.fetch_add(count, Ordering::Relaxed) + count
    }

    /// Returns true if the body ended properly.
    fn is_complete(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

type BodySource = Pin<Box<dyn AsyncBufRead + Send>>;

/// Reads `body` within `caps`, decompressed according to its headers.
pub(crate) async fn read(
    body: Incoming,
    head: &Parts,
    caps: Caps,
    idle: Duration,
    wire: Arc<WireStats>,
) -> Result<BodyRead, FetchError> {
    let headers = &head.headers;
    let wire_cap = caps.max_bytes.saturating_add(WIRE_SLACK);
    if caps.overflow == Overflow::Fail && announced_length(headers).is_some_and(|length| length > wire_cap as u64) {
        return Err(FetchError::TooLarge(Exceeded::Wire(wire_cap)));
    }
    let connection = head.extensions.get::<ConnectionState>().cloned().unwrap_or_default();
    let pieces = pieces(body, is_close_delimited(head), wire_cap, idle, wire.clone(), connection);
    let mut source: BodySource = Box::pin(StreamReader::new(Box::pin(pieces)));
    let codings = codings(headers);
    if codings.len() > MAX_LAYERS {
        return Err(FetchError::Undecodable(format!("{} layers of compression", codings.len())));
    }
    let outermost = codings.len().saturating_sub(1);
    for (layer, coding) in codings.into_iter().rev().enumerate() {
        let decoded = decoder(coding, source).await?;
        source = if layer == outermost {
            Box::pin(BufReader::with_capacity(STEP, decoded))
        } else {
            Box::pin(BufReader::new(LimitedReader { inner: decoded, remaining: wire_cap, cap: wire_cap }))
        };
    }
    read_to_cap(source, caps, &wire).await
}

/// Streams the body's chunks, each awaited for at most `idle`, up to `cap` bytes.
fn pieces(
    body: Incoming,
    until_closed: bool,
    cap: usize,
    idle: Duration,
    wire: Arc<WireStats>,
    connection: ConnectionState,
) -> impl Stream<Item = io::Result<Bytes>> + Send {
    futures::stream::try_unfold((body, false), move |(mut body, is_full)| {
        let (wire, connection) = (wire.clone(), connection.clone());
        async move {
            if is_full {
                return Err(io::Error::other(FetchError::TooLarge(Exceeded::Wire(cap))));
            }
            loop {
                let frame = tokio::time::timeout(idle, body.frame())
                    .await
                    .map_err(|_| io::Error::other(FetchError::Timeout(Phase::Idle)))?;
                let frame = match frame {
                    Some(Ok(frame)) => frame,
                    Some(Err(cause)) if !(until_closed && is_missing_close_notify(&cause)) => {
                        return Err(io::Error::other(broken(&cause)));
                    }
                    _ => {
                        wire.ended.store(true, Ordering::Relaxed);
                        return Ok(None);
                    }
                };
                // Trailers are ignored.
                let Ok(mut piece) = frame.into_data() else {
                    continue;
                };
                // A chunk may be large: the part that fits counts, so that a body is truncated exactly at its cap.
                let over = usize::try_from(wire.add(piece.len()).saturating_sub(cap as u64)).unwrap_or(usize::MAX);
                piece.truncate(piece.len().saturating_sub(over));
                if !piece.is_empty() || over > 0 {
                    connection.record_progress();
                    return Ok(Some((piece, (body, over > 0))));
                }
            }
        }
    })
}

fn broken(cause: &hyper::Error) -> FetchError {
    Unreachable::Interrupted(with_causes(cause)).into()
}

/// Returns true if only the end of the connection ends the body, as in HTTP/1.0.
fn is_close_delimited(head: &Parts) -> bool {
    let has_length = head.headers.contains_key(CONTENT_LENGTH) || head.headers.contains_key(TRANSFER_ENCODING);
    head.version < Version::HTTP_2 && !has_length
}

/// Returns true for a TCP connection closed without a TLS close_notify, as by many servers. If the end of the
/// connection is the end of the body, browsers accept that.
fn is_missing_close_notify(error: &hyper::Error) -> bool {
    let io_error = causes(error).find_map(|cause| cause.downcast_ref::<io::Error>());
    io_error.is_some_and(|cause| cause.kind() == io::ErrorKind::UnexpectedEof)
}

fn announced_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentCoding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// Returns the content codings in the order they were applied. Unknown values are ignored like in browsers: servers
/// send `utf-8` or `none` here without a meaning.
fn codings(headers: &HeaderMap) -> Vec<ContentCoding> {
    let words = headers.get_all(CONTENT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    words.flat_map(|value| value.split(',')).filter_map(coding).collect()
}

fn coding(word: &str) -> Option<ContentCoding> {
    match word.trim().to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => Some(ContentCoding::Gzip),
        "deflate" => Some(ContentCoding::Deflate),
        "br" => Some(ContentCoding::Brotli),
        "zstd" => Some(ContentCoding::Zstd),
        _ => None,
    }
}

async fn decoder(coding: ContentCoding, mut source: BodySource) -> Result<Pin<Box<dyn AsyncRead + Send>>, FetchError> {
    Ok(match coding {
        ContentCoding::Gzip => Box::pin(GzipDecoder::new(source)),
        ContentCoding::Brotli => Box::pin(BrotliDecoder::new(source)),
        ContentCoding::Zstd => {
            Box::pin(ZstdDecoder::with_params(source, &[DParameter::window_log_max(ZSTD_WINDOW_LOG)]))
        }
        ContentCoding::Deflate => {
            let start = source.fill_buf().await.map_err(failure)?;
            if start.first().is_some_and(|&byte| is_zlib(byte)) {
                Box::pin(ZlibDecoder::new(source))
            } else {
                Box::pin(DeflateDecoder::new(source))
            }
        }
    })
}

/// Returns true if `first` is the start of a zlib stream. `deflate` means zlib, but some servers send a raw deflate
/// stream. Zlib's first byte is method 8 with a window of at most 32 KiB; a raw stream starts like that only with a
/// stored block whose padding is not zero.
fn is_zlib(first: u8) -> bool {
    first & 0x0f == 8 && first >> 4 <= 7
}

/// Reads to the end or the cap.
async fn read_to_cap(mut source: BodySource, caps: Caps, wire: &WireStats) -> Result<BodyRead, FetchError> {
    let mut taken = BytesMut::new();
    loop {
        tokio::task::coop::consume_budget().await;
        // One byte beyond the cap distinguishes a body that fits from one that does not.
        let room = (caps.max_bytes - taken.len()).saturating_add(1).min(STEP);
        taken.reserve(room);
        let read = (&mut source).take(room as u64).read_buf(&mut taken).await;
        match read {
            Ok(0) => return Ok(BodyRead { bytes: taken.freeze(), truncated: false }),
            Ok(_) if taken.len() > caps.max_bytes => return overflowing(taken, caps),
            Ok(_) => {}
            Err(cause) => return truncated_error(taken, failure(cause), caps, wire),
        }
    }
}

/// Returns the result for a body that could not be read to its end.
fn truncated_error(taken: BytesMut, failure: FetchError, caps: Caps, wire: &WireStats) -> Result<BodyRead, FetchError> {
    match failure {
        // Truncated compressed data: browsers show the decompressed part.
        FetchError::Undecodable(_) if wire.is_complete() => {
            Ok(BodyRead { bytes: taken.freeze(), truncated: wire.bytes() > 0 })
        }
        FetchError::TooLarge(_) if caps.overflow == Overflow::Truncate => {
            Ok(BodyRead { bytes: taken.freeze(), truncated: true })
        }
        FetchError::Unreachable(Unreachable::Interrupted(_))
            if caps.early_end == EarlyEnd::Keep && !taken.is_empty() =>
        {
            Ok(BodyRead { bytes: taken.freeze(), truncated: true })
        }
        other => Err(other),
    }
}

fn overflowing(mut taken: BytesMut, caps: Caps) -> Result<BodyRead, FetchError> {
    match caps.overflow {
        Overflow::Fail => Err(FetchError::TooLarge(Exceeded::Body(caps.max_bytes))),
        Overflow::Truncate => {
            taken.truncate(caps.max_bytes);
            Ok(BodyRead { bytes: taken.freeze(), truncated: true })
        }
    }
}

/// Extracts our own errors, which pass through the decoders inside an `io::Error`; any other error is the decoder's.
fn failure(cause: io::Error) -> FetchError {
    match cause.get_ref().and_then(|inner| inner.downcast_ref::<FetchError>()) {
        Some(ours) => ours.clone(),
        None => FetchError::Undecodable(cause.to_string()),
    }
}

/// Fails beyond a number of bytes: a small stream must not grow without bounds between two layers of compression.
struct LimitedReader {
    inner: Pin<Box<dyn AsyncRead + Send>>,
    remaining: usize,
    cap: usize,
}

impl AsyncRead for LimitedReader {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        std::task::ready!(self.inner.as_mut().poll_read(cx, buf))?;
        let read = buf.filled().len() - before;
        match self.remaining.checked_sub(read) {
            Some(left) => {
                self.remaining = left;
                Poll::Ready(Ok(()))
            }
            None => Poll::Ready(Err(io::Error::other(FetchError::TooLarge(Exceeded::Wire(self.cap))))),
        }
    }
}
