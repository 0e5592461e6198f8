//! What somebody came for before signing in. It waits in a cookie of the browser that asked: nothing in an address, a
//! form or a mail decides where a sign-in leads.

use super::AUTHORIZE;
use crate::visitor::{cookie, set_cookie};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderMap;

const LANDING_COOKIE: &str = "__Host-limner_landing";
/// As long as a link of a mail works.
const SECONDS: u64 = 30 * 60;
/// Browsers keep cookies of 4,096 bytes.
const LONGEST_QUERY: usize = 2_900;

/// The authorization request that goes on after a sign-in, as a path of ours.
pub(crate) fn landing_of(headers: &HeaderMap) -> Option<String> {
    let query = URL_SAFE_NO_PAD.decode(cookie(headers, LANDING_COOKIE)?).ok()?;
    let query = String::from_utf8(query).ok()?;
    // Whatever else somebody put there: a header and an attribute hold it.
    query.bytes().all(|byte| byte.is_ascii_graphic()).then(|| format!("{AUTHORIZE}?{query}"))
}

/// Keeps a request until its sender has signed in; whether it is small enough.
pub(crate) fn keep(response: &mut Response, query: &str) -> bool {
    let fits = query.len() <= LONGEST_QUERY;
    if fits {
        set_cookie(response, LANDING_COOKIE, &URL_SAFE_NO_PAD.encode(query), SECONDS);
    }
    fits
}

/// Forgets it.
pub(crate) fn forget(response: &mut Response) {
    set_cookie(response, LANDING_COOKIE, "", 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{HeaderValue, header};

    #[test]
    fn it_leads_to_one_place_alone() {
        let landing = |value: &str| {
            let mut headers = HeaderMap::new();
            let line = format!("{LANDING_COOKIE}={value}");
            headers.insert(header::COOKIE, HeaderValue::from_str(&line).unwrap());
            landing_of(&headers)
        };
        let of = |text: &str| URL_SAFE_NO_PAD.encode(text);
        assert_eq!(landing(&of("client_id=a&state=b")).as_deref(), Some("/oauth/authorize?client_id=a&state=b"));
        assert_eq!(landing(&of("//evil.example")).as_deref(), Some("/oauth/authorize?//evil.example"));
        for bad in ["%%", &of("a b"), &of("a\r\nb"), &of("é")] {
            assert_eq!(landing(bad), None, "{bad}");
        }
    }
}
