//! Where a redirect leads. Whether one may go there is checked by whoever goes.

use crate::error::FetchError;
use http::header::{AUTHORIZATION, COOKIE, LOCATION, PROXY_AUTHORIZATION};
use http::{HeaderMap, StatusCode};
use url::Url;

/// The same address may be answered differently the second time (a load balancer, a cache being warmed); a third
/// visit is a circle.
const MAX_VISITS: usize = 2;

/// The addresses visited so far.
#[derive(Debug)]
pub(crate) struct Trail {
    visited: Vec<Url>,
    current: Url,
    max_redirects: usize,
}

impl Trail {
    pub(crate) fn new(start: Url, max_redirects: usize) -> Self {
        Self { visited: Vec::new(), current: start, max_redirects }
    }

    pub(crate) fn current(&self) -> &Url {
        &self.current
    }

    pub(crate) fn hops(&self) -> usize {
        self.visited.len()
    }

    /// Goes on to `next`.
    pub(crate) fn follow(&mut self, next: Url) -> Result<(), FetchError> {
        self.visited.push(std::mem::replace(&mut self.current, next));
        let is_circle = self.visited.iter().filter(|seen| same_page(seen, &self.current)).count() >= MAX_VISITS;
        if is_circle || self.visited.len() > self.max_redirects {
            return Err(FetchError::TooManyRedirects(self.visited.len() - 1));
        }
        Ok(())
    }

    /// The final address, and those on the way to it.
    pub(crate) fn finish(self) -> (Url, Vec<Url>) {
        (self.current, self.visited)
    }
}

fn same_page(a: &Url, b: &Url) -> bool {
    a[..url::Position::AfterQuery] == b[..url::Position::AfterQuery]
}

/// The address that a response redirects to, or `None` when it is an answer.
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
    let text = in_ascii(location.as_bytes());
    let mut next = from.join(&text).map_err(|cause| FetchError::Protocol(format!("redirect: {cause}")))?;
    if next.fragment().is_none() {
        next.set_fragment(from.fragment());
    }
    Ok(Some(next))
}

/// `Location` may hold anything; what is no UTF-8 is escaped byte by byte, as browsers do.
fn in_ascii(location: &[u8]) -> String {
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

/// What was meant for one origin is not told to another.
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
