//! Reads the document: fetches, follows redirects, sniffs, decodes and classifies it.

use super::Reader;
use super::request_headers::{RequestKind, for_request};
use crate::error::ReadError;
use encoding_rs::Encoding;
use http::HeaderMap;
use http::header::{CONTENT_TYPE, REFRESH};
use limner_netguard::{Caps, EarlyEnd, FetchRequest, FetchResponse, Overflow};
use limner_page::charset::decode_html;
use limner_page::dom::{Document, QuirksMode};
use limner_page::media_type::MediaType;
use limner_page::page_health::{self, NotAPage, PageHealth, ResponseInfo};
use limner_page::references::{StylesheetReference, meta_refresh, refresh, stylesheets_with_scripting_disabled};
use limner_page::{DocumentBase, PageSnapshot, TargetUrl, WorkBudget, xhtml};
use limner_page_worker::{PageError, is_access_denied, read_within};
use tokio::time::Instant;
use url::Url;

/// A document that is a page.
#[derive(Debug)]
pub(super) struct FetchedPage {
    pub(super) url: Url,
    /// Base URL for relative URLs.
    pub(super) base: DocumentBase,
    pub(super) status: u16,
    pub(super) content_type: String,
    pub(super) html: String,
    pub(super) encoding: &'static Encoding,
    pub(super) quirks: bool,
    pub(super) stylesheets: Vec<StylesheetReference>,
    pub(super) health: PageHealth,
    pub(super) truncated: bool,
    /// True if the response ended before the markup did.
    pub(super) interrupted: bool,
}

pub(super) enum ReadStep {
    Page(Box<FetchedPage>),
    /// The URL is itself a video or audio.
    Media(Box<PageSnapshot>),
}

impl Reader {
    /// Reads the document, following HTTP and `meta refresh` redirects.
    pub(super) async fn document(&self, target: &TargetUrl, deadline: Instant) -> Result<ReadStep, ReadError> {
        let mut url = target.url().clone();
        let mut redirects = 0;
        loop {
            let fetched = self.fetch_document(url, redirects, deadline).await?;
            redirects += fetched.redirects.len();
            let media_type = media_type(&fetched.headers);
            if fetched.status.is_success() && media_type.is_media() {
                return Ok(ReadStep::Media(Box::new(media(target, &fetched, media_type))));
            }
            let requested = target.url().clone();
            let judge = move |budget: &WorkBudget| classify_response(&requested, &fetched, &media_type, budget);
            match read_within(deadline, judge).await?? {
                PageVerdict::Page(page) => return Ok(ReadStep::Page(page)),
                PageVerdict::Redirect(next, page) if redirects >= self.limits.redirects => {
                    tracing::debug!(url.full = %next, "no redirects left for this refresh");
                    return Ok(ReadStep::Page(page));
                }
                PageVerdict::Redirect(next, _) => (url, redirects) = (next, redirects + 1),
            }
        }
    }

    async fn fetch_document(&self, url: Url, redirects: usize, deadline: Instant) -> Result<FetchResponse, ReadError> {
        if Instant::now() >= deadline {
            return Err(ReadError::OutOfTime);
        }
        let headers = for_request(&self.limits.user_agent, RequestKind::Document, &url);
        let caps = Caps {
            max_bytes: self.limits.html_bytes,
            max_redirects: self.limits.redirects.saturating_sub(redirects),
            // A body that is too large for a page may still be a video.
            overflow: Overflow::Truncate,
            // Browsers show what arrived.
            early_end: EarlyEnd::Keep,
        };
        let fetched = self.client.get(FetchRequest { url, headers, caps, deadline }).await?;
        let too_large = fetched.truncated && fetched.body.len() >= self.limits.html_bytes;
        if too_large && !media_type(&fetched.headers).is_media() {
            return Err(PageError::TooLarge(self.limits.html_bytes).into());
        }
        Ok(fetched)
    }
}

/// Returns the last valid `Content-Type`. A value may be a list, and text behind the type that is no parameter is
/// ignored, as in browsers.
pub(super) fn media_type(headers: &HeaderMap) -> MediaType {
    let values = headers.get_all(CONTENT_TYPE).iter().filter_map(|value| value.to_str().ok());
    let mut types = values.flat_map(|value| {
        let whole = MediaType::parse(value);
        let is_valid = !whole.essence.is_empty();
        let parts = value.split(',').map(lenient_media_type).filter(move |_| !is_valid);
        std::iter::once(whole).chain(parts).collect::<Vec<MediaType>>()
    });
    types.rfind(|parsed| !parsed.essence.is_empty()).unwrap_or_default()
}

/// Parses a type up to the first space, bracket or semicolon.
fn lenient_media_type(value: &str) -> MediaType {
    let parsed = MediaType::parse(value);
    if !parsed.essence.is_empty() {
        return parsed;
    }
    let end = value.trim().find([' ', '\t', ';', '(']).unwrap_or(value.trim().len());
    MediaType::parse(&value.trim()[..end])
}

fn media(target: &TargetUrl, fetched: &FetchResponse, media_type: MediaType) -> PageSnapshot {
    let url = without_fragment(&fetched.url).to_string();
    PageSnapshot {
        requested_url: target.as_str().to_owned(),
        status: fetched.status.as_u16(),
        content_type: media_type.essence,
        url,
        ..PageSnapshot::default()
    }
}

enum PageVerdict {
    Page(Box<FetchedPage>),
    /// The page redirects.
    Redirect(Url, Box<FetchedPage>),
}

fn classify_response(
    requested: &Url,
    fetched: &FetchResponse,
    media_type: &MediaType,
    budget: &WorkBudget,
) -> Result<PageVerdict, ReadError> {
    let status = fetched.status.as_u16();
    if is_access_denied(status) {
        return Err(PageError::Status(status).into());
    }
    // A redirect without address is shown as a page.
    let may_be_page = fetched.status.is_success() || fetched.status.is_redirection();
    if may_be_page && !is_html(media_type, &fetched.body) {
        // The body is not HTML although the header says so: leave the media type out of the error, it would mislead.
        let kind = if media_type.is_html() { String::new() } else { media_type.essence.clone() };
        return Err(PageError::NotHtml(kind).into());
    }
    let url = without_fragment(&fetched.url);
    let decoded = decode_html(&fetched.body, media_type, url.host_str());
    let is_cut = fetched.truncated && !is_complete(&decoded.text);
    let html = if media_type.is_xml() { xhtml::to_html(&decoded.text) } else { decoded.text };
    let document = Document::parse_within(&html, budget);
    let headers = plain_headers(&fetched.headers);
    let response = ResponseInfo { status, requested, url: &url, headers: &headers, html: &html };
    let health = page_health::assess(&response, &document);
    let base = DocumentBase::new(document.base_url(&url), decoded.encoding.name());
    let in_header = fetched.headers.get(REFRESH).and_then(|value| value.to_str().ok());
    let next = in_header
        .and_then(|content| refresh(content, &url, &DocumentBase::from(url.clone())))
        .or_else(|| meta_refresh(&document, &url, &base));
    check(health, status, next.is_some())?;
    let unnamed = is_unknown_type(media_type);
    let page = Box::new(FetchedPage {
        stylesheets: stylesheets_with_scripting_disabled(&document, &base),
        quirks: document.quirks_mode() == QuirksMode::Quirks,
        truncated: is_cut || document.truncated(),
        interrupted: is_cut,
        url,
        base,
        status,
        content_type: if unnamed { "text/html".to_owned() } else { media_type.essence.clone() },
        encoding: decoded.encoding,
        html,
        health,
    });
    Ok(match next {
        Some(next) => PageVerdict::Redirect(next, page),
        None => PageVerdict::Page(page),
    })
}

/// Checks for challenges first, which may have any status; then the status, then the page itself.
fn check(health: PageHealth, status: u16, moves_on: bool) -> Result<(), ReadError> {
    match health {
        PageHealth::Refused(refusal @ NotAPage::Challenge(_)) => Err(PageError::Refused { refusal, status }.into()),
        // A redirect without address is shown as a page.
        _ if !(200..400).contains(&status) => Err(PageError::Status(status).into()),
        PageHealth::Refused(NotAPage::Empty) if moves_on => Ok(()),
        PageHealth::Refused(refusal) => Err(PageError::Refused { refusal, status }.into()),
        PageHealth::Sound | PageHealth::ClientRendered => Ok(()),
    }
}

pub(super) fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}

fn plain_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let readable = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    };
    headers.iter().filter_map(readable).collect()
}

/// Returns true if browsers would show the body as a page: by its media type, or by its first bytes if there is none.
/// Binary files declared as pages are not pages.
fn is_html(media_type: &MediaType, body: &[u8]) -> bool {
    if BINARY.iter().any(|signature| body.starts_with(signature)) {
        return false;
    }
    if is_unknown_type(media_type) {
        return body.is_empty() || starts_like_html(body);
    }
    let start = &body[..body.len().min(2_048)];
    media_type.is_html() || (media_type.is_xml() && contains(start, b"http://www.w3.org/1999/xhtml"))
}

/// Returns true for a type that makes browsers look at the bytes (MIME Sniffing §7).
fn is_unknown_type(media_type: &MediaType) -> bool {
    matches!(media_type.essence.as_str(), "" | "unknown/unknown" | "application/unknown" | "*/*")
}

/// Returns true if markup came to its end, so that nothing is missing although the response ended early.
fn is_complete(html: &str) -> bool {
    let end = html.trim_end();
    let tail = &end[end.ceil_char_boundary(end.len().saturating_sub(MAX_TAIL_BYTES))..];
    let tail = tail.to_ascii_lowercase();
    tail.contains("</html>") || tail.contains("</body>")
}

/// Maximum number of bytes that may follow the last end tag of a complete document: scripts of servers and comments.
const MAX_TAIL_BYTES: usize = 2_048;

/// Magic numbers of binary files (MIME Sniffing §6): PDF, PNG, GIF, JPEG, ZIP, gzip, RAR, Ogg, Matroska, WOFF, WOFF 2.
const BINARY: &[&[u8]] = &[
    b"%PDF-",
    b"\x89PNG\r\n\x1a\n",
    b"GIF87a",
    b"GIF89a",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b\x08",
    b"Rar!\x1a\x07",
    b"OggS\0",
    b"\x1a\x45\xdf\xa3",
    b"wOFF",
    b"wOF2",
];

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

/// The HTML part of MIME Sniffing's "identify an unknown media type".
fn starts_like_html(body: &[u8]) -> bool {
    const TAGS: &[&[u8]] = &[
        b"<!doctype html",
        b"<html",
        b"<head",
        b"<script",
        b"<iframe",
        b"<h1",
        b"<div",
        b"<font",
        b"<table",
        b"<a",
        b"<style",
        b"<title",
        b"<b",
        b"<body",
        b"<br",
        b"<p",
        b"<meta",
        b"<link",
    ];
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    let opens = |tag: &&[u8]| {
        let (start, next) = (body.get(..tag.len()), body.get(tag.len()));
        start.is_some_and(|start| start.eq_ignore_ascii_case(tag))
            && matches!(next, Some(b' ' | b'>' | b'\n' | b'\t' | b'\r'))
    };
    body.starts_with(b"<!--") || TAGS.iter().any(opens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_types_are_read_as_browsers_do() {
        for (header, essence) in [
            ("text/html; charset=utf-8", "text/html"),
            ("text/html, text/html", "text/html"),
            ("text/plain, text/html;charset=utf-8", "text/html"),
            ("text/html charset=utf-8", "text/html"),
            ("text/html (comment)", "text/html"),
            ("*/*", "*/*"),
            ("html", ""),
            ("", ""),
        ] {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, header.parse().unwrap())]);
            assert_eq!(media_type(&headers).essence, essence, "{header}");
        }
    }

    #[test]
    fn pages_are_recognised_by_type_or_by_their_first_bytes() {
        for (header, body, expected) in [
            ("text/html", "", true),
            ("TEXT/HTML; charset=x", "%PDF", true),
            ("text/html", "%PDF-1.7", false),
            ("text/html", "PK\u{3}\u{4}", false),
            ("text/html", "GIF89a\u{1}", false),
            ("text/html", "GIF animations are old", true),
            ("application/xhtml+xml", "", true),
            ("", "  <!DOCTYPE html>", true),
            ("", "\u{feff}<HTML>", true),
            ("", "<!-- x", true),
            ("", "<abbr>", false),
            ("", "%PDF-1.7", false),
            ("", "{\"a\":1}", false),
            ("", "", true),
            ("text/plain", "<html>", false),
            ("application/json", "{}", false),
            ("application/pdf", "<html>", false),
            ("application/xml", "<html xmlns='http://www.w3.org/1999/xhtml'>", true),
            ("application/xml", "<rss/>", false),
            ("application/vnd.wap.xhtml+xml", "<html xmlns='http://www.w3.org/1999/xhtml'>", true),
            ("application/rss+xml", "<rss/>", false),
            ("*/*", "<!DOCTYPE html>", true),
            ("application/unknown", "<html>", true),
            ("unknown/unknown", "{}", false),
            ("application/octet-stream", "<html>", false),
        ] {
            assert_eq!(is_html(&MediaType::parse(header), body.as_bytes()), expected, "{header} {body}");
        }
    }
}
