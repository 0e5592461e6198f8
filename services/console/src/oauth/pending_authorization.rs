//! The pending authorization request of a visitor who has to sign in first. It is stored in a cookie of the browser
//! that sent it, so that neither a URL nor a form nor a mail decides where a sign-in leads.

use super::AUTHORIZE;
use crate::cookies::{cookie, set_cookie};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderMap;

const LANDING_COOKIE: &str = "__Host-limner_landing";
/// Lifetime of the cookie: that of a link in a mail.
const SECONDS: u64 = 30 * 60;
/// Maximum length of the request; browsers limit cookies to 4,096 bytes.
const MAX_QUERY_BYTES: usize = 2_900;

/// Returns the path of the authorization request that continues after the sign-in.
pub(crate) fn pending_path(headers: &HeaderMap) -> Option<String> {
    let query = URL_SAFE_NO_PAD.decode(cookie(headers, LANDING_COOKIE)?).ok()?;
    let query = String::from_utf8(query).ok()?;
    // The value may have been changed by others, and ends up in a header and an attribute.
    query.bytes().all(|byte| byte.is_ascii_graphic()).then(|| format!("{AUTHORIZE}?{query}"))
}

/// Stores a request until its sender has signed in. Returns false if it is too large.
pub(crate) fn store(response: &mut Response, query: &str) -> bool {
    let fits = query.len() <= MAX_QUERY_BYTES;
    if fits {
        set_cookie(response, LANDING_COOKIE, &URL_SAFE_NO_PAD.encode(query), SECONDS);
    }
    fits
}

/// Deletes the cookie.
pub(crate) fn clear(response: &mut Response) {
    set_cookie(response, LANDING_COOKIE, "", 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{HeaderValue, header};

    #[test]
    fn pending_request_leads_to_the_authorization_endpoint_only() {
        let landing = |value: &str| {
            let mut headers = HeaderMap::new();
            let line = format!("{LANDING_COOKIE}={value}");
            headers.insert(header::COOKIE, HeaderValue::from_str(&line).unwrap());
            pending_path(&headers)
        };
        let of = |text: &str| URL_SAFE_NO_PAD.encode(text);
        assert_eq!(landing(&of("client_id=a&state=b")).as_deref(), Some("/oauth/authorize?client_id=a&state=b"));
        assert_eq!(landing(&of("//evil.example")).as_deref(), Some("/oauth/authorize?//evil.example"));
        for bad in ["%%", &of("a b"), &of("a\r\nb"), &of("é")] {
            assert_eq!(landing(bad), None, "{bad}");
        }
    }
}
