//! Request headers: those of a browser without any that could identify a person. No cookies.

use http::header::{
    ACCEPT, ACCEPT_LANGUAGE, HeaderMap, HeaderName, HeaderValue, REFERER, UPGRADE_INSECURE_REQUESTS, USER_AGENT,
};
use url::{Position, Url};

/// The kind of request.
#[derive(Debug, Clone, Copy)]
pub(super) enum RequestKind<'a> {
    Document,
    /// A stylesheet of the page at this URL.
    Stylesheet(&'a Url),
    /// Any other subresource of the page at this URL.
    Other(&'a Url),
}

const DOCUMENT: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8";

pub(super) fn for_request(user_agent: &str, wanted: RequestKind<'_>, url: &Url) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Ok(name) = HeaderValue::from_str(user_agent) {
        headers.insert(USER_AGENT, name);
    }
    headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static("en-US,en;q=0.9"));
    let (accept, destination, mode, page) = match wanted {
        RequestKind::Document => (DOCUMENT, "document", "navigate", None),
        RequestKind::Stylesheet(page) => ("text/css,*/*;q=0.1", "style", "no-cors", Some(page)),
        RequestKind::Other(page) => ("*/*", "empty", "no-cors", Some(page)),
    };
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    headers.insert(HeaderName::from_static("sec-fetch-dest"), HeaderValue::from_static(destination));
    headers.insert(HeaderName::from_static("sec-fetch-mode"), HeaderValue::from_static(mode));
    let site = page.map_or("none", |page| site_relation(page, url));
    headers.insert(HeaderName::from_static("sec-fetch-site"), HeaderValue::from_static(site));
    match page {
        None => {
            headers.insert(UPGRADE_INSECURE_REQUESTS, HeaderValue::from_static("1"));
        }
        Some(page) => {
            if let Some(referrer) = referrer(page, url).and_then(|text| HeaderValue::from_str(&text).ok()) {
                headers.insert(REFERER, referrer);
            }
        }
    }
    headers
}

fn site_relation(page: &Url, url: &Url) -> &'static str {
    if page.origin() == url.origin() { "same-origin" } else { "cross-site" }
}

/// Returns the referrer under browsers' default policy, `strict-origin-when-cross-origin`.
fn referrer(page: &Url, url: &Url) -> Option<String> {
    if page.scheme() == "https" && url.scheme() != "https" {
        return None;
    }
    let whole = page.origin() == url.origin();
    Some(if whole {
        page[..Position::AfterQuery].to_owned()
    } else {
        format!("{}/", page.origin().ascii_serialization())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referrers_follow_the_default_policy() {
        for (page, url, expected) in [
            ("https://a.test/p?q#f", "https://a.test/s.css", Some("https://a.test/p?q")),
            ("https://a.test/p", "https://b.test/s.css", Some("https://a.test/")),
            ("https://a.test/p", "http://a.test/s.css", None),
            ("http://a.test/p", "https://a.test/s.css", Some("http://a.test/")),
            ("http://a.test:8080/p", "http://a.test/s.css", Some("http://a.test:8080/")),
        ] {
            let found = referrer(&Url::parse(page).unwrap(), &Url::parse(url).unwrap());
            assert_eq!(found.as_deref(), expected, "{page} -> {url}");
        }
    }

    #[test]
    fn requests_carry_no_identity() {
        let page = Url::parse("https://a.test/").unwrap();
        for wanted in [RequestKind::Document, RequestKind::Stylesheet(&page), RequestKind::Other(&page)] {
            let headers = for_request("Limner", wanted, &page);
            assert_eq!(headers[USER_AGENT], "Limner");
            assert!(!headers.contains_key("cookie") && !headers.contains_key("authorization"));
        }
    }
}
