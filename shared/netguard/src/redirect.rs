//! Redirect targets. The client checks whether a target may be reached.

use crate::error::FetchError;
use http::header::{AUTHORIZATION, COOKIE, LOCATION, PROXY_AUTHORIZATION};
use http::{HeaderMap, StatusCode};
use url::Url;

/// Maximum number of visits of one URL: its second response may differ (a load balancer, a cache being warmed); a third
/// visit is a loop.
const MAX_VISITS: usize = 2;

/// The URLs visited so far.
#[derive(Debug)]
pub(crate) struct RedirectChain {
    visited: Vec<Url>,
    current: Url,
    max_redirects: usize,
}

impl RedirectChain {
    pub(crate) fn new(start: Url, max_redirects: usize) -> Self {
        Self { visited: Vec::new(), current: start, max_redirects }
    }

    pub(crate) fn current(&self) -> &Url {
        &self.current
    }

    pub(crate) fn hops(&self) -> usize {
        self.visited.len()
    }

    /// Adds `next` to the chain.
    pub(crate) fn follow(&mut self, next: Url) -> Result<(), FetchError> {
        self.visited.push(std::mem::replace(&mut self.current, next));
        let is_circle = self.visited.iter().filter(|seen| is_same_page(seen, &self.current)).count() >= MAX_VISITS;
        if is_circle || self.visited.len() > self.max_redirects {
            return Err(FetchError::TooManyRedirects(self.visited.len() - 1));
        }
        Ok(())
    }

    /// Returns the final URL, and those that redirected to it.
    pub(crate) fn finish(self) -> (Url, Vec<Url>) {
        (self.current, self.visited)
    }
}

fn is_same_page(a: &Url, b: &Url) -> bool {
    a[..url::Position::AfterQuery] == b[..url::Position::AfterQuery]
}

/// Returns the URL that a response redirects to, or `None` if it is not a redirect.
pub(crate) fn target(from: &Url, status: StatusCode, headers: &HeaderMap) -> Result<Option<Url>, FetchError> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let mut locations = headers.get_all(LOCATION).iter();
    let Some(location) = locations.next() else {
        return Ok(None);
    };
    if locations.any(|other| other != location) {
        return Err(FetchError::Protocol("a redirect to several addresses".to_owned()));
    }
    let text = escape_non_utf8(location.as_bytes());
    // Browsers take an empty address for none and show the body.
    if text.trim().is_empty() {
        return Ok(None);
    }
    let mut next = from.join(&text).map_err(|cause| FetchError::Protocol(format!("redirect: {cause}")))?;
    if next.fragment().is_none() {
        next.set_fragment(from.fragment());
    }
    Ok(Some(next))
}

/// Percent-encodes the bytes of `Location` that are not ASCII, like browsers.
fn escape_non_utf8(location: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(location) {
        return text.to_owned();
    }
    let mut text = String::with_capacity(location.len() * 3);
    for &byte in location {
        match byte {
            0..=0x7f => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// Removes headers with credentials before a request to another origin.
pub(crate) fn drop_secrets(headers: &mut HeaderMap, from: &Url, to: &Url) {
    if from.origin() != to.origin() {
        for name in [AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION] {
            headers.remove(name);
        }
    }
}

#[cfg(test)]
#[path = "redirect_tests.rs"]
mod tests;
