use super::*;
use http::HeaderValue;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn leads_to(location: &[u8]) -> Result<Option<Url>, FetchError> {
    let headers = HeaderMap::from_iter([(LOCATION, HeaderValue::from_bytes(location).unwrap())]);
    target(&url("https://example.com/a/b?c=d#e"), StatusCode::FOUND, &headers)
}

#[test]
fn locations_are_parsed_like_in_browsers() {
    for (location, wanted) in [
        (&b"/x"[..], "https://example.com/x#e"),
        (b"x", "https://example.com/a/x#e"),
        (b"../x", "https://example.com/x#e"),
        (b"?q", "https://example.com/a/b?q#e"),
        (b"#f", "https://example.com/a/b?c=d#f"),
        (b"//other.example/x", "https://other.example/x#e"),
        (b"\\\\other.example\\x", "https://other.example/x#e"),
        (b"http://other.example/#g", "http://other.example/#g"),
        (b"  /x  ", "https://example.com/x#e"),
        (b"/a b", "https://example.com/a%20b#e"),
        ("/ü".as_bytes(), "https://example.com/%C3%BC#e"),
        (b"/\xfc", "https://example.com/%FC#e"),
        (b"gopher://x/", "gopher://x/#e"),
    ] {
        let shown = String::from_utf8_lossy(location);
        assert_eq!(leads_to(location).unwrap().unwrap().as_str(), wanted, "{shown}");
    }
    assert!(matches!(leads_to(b"https://"), Err(FetchError::Protocol(_))));
}

#[test]
fn statuses_without_redirect_have_no_target() {
    let headers = HeaderMap::from_iter([(LOCATION, HeaderValue::from_static("/x"))]);
    for status in [200, 201, 300, 304, 305, 306, 399, 404, 503] {
        let status = StatusCode::from_u16(status).unwrap();
        assert_eq!(target(&url("http://a.test/"), status, &headers).unwrap(), None, "{status}");
    }
    for status in [301, 302, 303, 307, 308] {
        let status = StatusCode::from_u16(status).unwrap();
        assert!(target(&url("http://a.test/"), status, &headers).unwrap().is_some(), "{status}");
        assert_eq!(target(&url("http://a.test/"), status, &HeaderMap::new()).unwrap(), None, "{status}");
    }
}

#[test]
fn several_locations_must_agree() {
    let mut headers = HeaderMap::new();
    headers.append(LOCATION, HeaderValue::from_static("/x"));
    headers.append(LOCATION, HeaderValue::from_static("/x"));
    assert!(target(&url("http://a.test/"), StatusCode::FOUND, &headers).unwrap().is_some());
    headers.append(LOCATION, HeaderValue::from_static("/y"));
    assert!(target(&url("http://a.test/"), StatusCode::FOUND, &headers).is_err());
}

#[test]
fn secrets_stay_with_their_origin() {
    let given = HeaderMap::from_iter([
        (AUTHORIZATION, HeaderValue::from_static("Bearer x")),
        (http::header::ACCEPT, HeaderValue::from_static("text/html")),
    ]);
    let after = |to: &str| {
        let mut headers = given.clone();
        drop_secrets(&mut headers, &url("https://a.test/"), &url(to));
        headers.len()
    };
    assert_eq!(after("https://a.test/other"), 2);
    assert_eq!(after("https://b.test/"), 1);
    assert_eq!(after("http://a.test/"), 1);
    assert_eq!(after("https://a.test:444/"), 1);
}

#[test]
fn third_visit_is_a_circle() {
    let mut trail = RedirectChain::new(url("http://a.test/#x"), 10);
    trail.follow(url("http://a.test/#y")).unwrap();
    assert_eq!(trail.follow(url("http://a.test/")), Err(FetchError::TooManyRedirects(1)));
}

/// Browsers show the body of a redirect without address.
#[test]
fn empty_location_is_none() {
    for empty in [&b""[..], b" \t"] {
        assert_eq!(leads_to(empty).unwrap(), None);
    }
}
