//! Matches URLs against patterns, and builds URLs from templates with the captures.
//!
//! A pattern is `host/path?query`; the host `*` is any host. In a path, a segment is literal text, `{name}`, both
//! (`{id}-{player}.html`), `*` for any segment, or a final `**` for any rest. A query lists the
//! required pairs (`v={id}`); `{name?}` is optional. A path segment `key=value` counts as a query
//! pair too (Bandcamp). `{host}` captures the host, `{address}` the whole URL.
//!
//! In a template, `{name}` inserts a capture, `{name%}` inserts it percent-encoded, and `[…]` is
//! omitted unless all its captures exist.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

/// Maximum length of a capture, in bytes; no provider has longer IDs.
const MAX_CAPTURE_BYTES: usize = 600;

/// Captures may come from decoded queries, so characters that could end a path or query are
/// encoded.
const UNSAFE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'%')
    .remove(b'/')
    .remove(b':')
    .remove(b'@');

/// The host of a pattern that any host matches.
pub(super) const ANY_HOST: &str = "*";

/// The captures of a match.
#[derive(Debug, Default)]
pub(super) struct Captures(Vec<(String, String)>);

impl Captures {
    /// Creates captures that consist of an ID.
    pub(super) fn from_id(id: &str) -> Self {
        Self(vec![("id".to_owned(), id.to_owned())])
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    fn set(&mut self, name: &str, value: &str) -> bool {
        let usable = !value.is_empty() && value.len() <= MAX_CAPTURE_BYTES;
        if usable {
            self.0.push((name.to_owned(), value.to_owned()));
        }
        usable
    }
}

/// Matches a URL against a pattern.
pub(super) fn captures(pattern: &str, host: &str, url: &Url) -> Option<Captures> {
    let (pattern_host, rest) = pattern.split_once('/')?;
    let belongs = pattern_host == ANY_HOST
        || host == pattern_host
        || host.strip_suffix(pattern_host).is_some_and(|subdomain| subdomain.ends_with('.'));
    if !belongs {
        return None;
    }
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut captures = Captures::default();
    captures.set("host", host);
    captures.0.push(("address".to_owned(), url.to_string()));
    (match_path(path, url.path(), &mut captures) && match_query(query, url, &mut captures)).then_some(captures)
}

fn match_path(pattern: &str, path: &str, captures: &mut Captures) -> bool {
    let given: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let wanted: Vec<&str> = pattern.split('/').filter(|segment| !segment.is_empty()).collect();
    let open_ended = wanted.last() == Some(&"**");
    let fixed = if open_ended { &wanted[..wanted.len() - 1] } else { &wanted[..] };
    let fits = if open_ended { given.len() >= fixed.len() } else { given.len() == fixed.len() };
    fits && fixed.iter().zip(&given).all(|(wanted, given)| match_segment(wanted, given, captures))
}

fn match_segment(wanted: &str, given: &str, captures: &mut Captures) -> bool {
    if wanted == "*" {
        return true;
    }
    let Some((before, rest)) = wanted.split_once('{') else { return wanted.eq_ignore_ascii_case(given) };
    let Some(given) = given.strip_prefix(before) else { return false };
    let Some((name, after)) = rest.split_once('}') else { return false };
    // A capture ends at the next literal.
    let literal = after.split('{').next().unwrap_or_default();
    if literal.is_empty() {
        return captures.set(name, given);
    }
    match given.find(literal) {
        Some(end) => captures.set(name, &given[..end]) && match_segment(after, &given[end..], captures),
        None => false,
    }
}

fn match_query(pattern: &str, url: &Url, captures: &mut Captures) -> bool {
    let value_of = |key: &str| {
        let in_query = url.query_pairs().find(|(own, _)| own == key).map(|(_, value)| value.into_owned());
        let in_path = || url.path().split('/').filter_map(|s| s.split_once('=')).find(|(own, _)| *own == key);
        in_query.or_else(|| in_path().map(|(_, value)| value.to_owned()))
    };
    pattern.split('&').filter(|pair| !pair.is_empty()).all(|pair| {
        let Some((key, wanted)) = pair.split_once('=') else { return false };
        let (wanted, optional) = match wanted.strip_suffix("?}") {
            Some(name) => (format!("{name}}}"), true),
            None => (wanted.to_owned(), false),
        };
        value_of(key).is_some_and(|value| match_segment(&wanted, value.trim(), captures)) || optional
    })
}

/// Fills a template; `None` if a required capture is missing.
pub(super) fn fill(template: &str, captures: &Captures) -> Option<String> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '[']) {
        filled.push_str(&rest[..at]);
        if rest[at..].starts_with('[') {
            let (optional, after) = rest[at + 1..].split_once(']')?;
            filled.push_str(&fill(optional, captures).unwrap_or_default());
            rest = after;
        } else {
            let (name, after) = rest[at + 1..].split_once('}')?;
            match name.strip_suffix('%') {
                Some(name) => filled.extend(utf8_percent_encode(captures.get(name)?, NON_ALPHANUMERIC)),
                None if name == "url" => filled.push_str(web_address(captures.get(name)?)?.as_str()),
                None if name == "address" => filled.push_str(captures.get(name)?),
                None => filled.extend(utf8_percent_encode(captures.get(name)?, UNSAFE)),
            }
            rest = after;
        }
    }
    filled.push_str(rest);
    Some(filled)
}

/// Parses a URL that is a parameter of another URL.
fn web_address(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}
