//! CSRF protection: checks the request's origin, and a form token that only our pages contain.
//!
//! The token is bound to the visitor's cookie. It is masked differently on every page, so that the size of a compressed
//! page reveals nothing about it.

use crate::error::HttpError;
use crate::token;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, header};

const NONCE_BYTES: usize = 16;

/// Returns a form token for a visitor with that secret.
pub(crate) fn form_token(secret: &str) -> String {
    let nonce: [u8; NONCE_BYTES] = rand::random();
    let mut bytes = nonce.to_vec();
    bytes.extend(seal(secret, &nonce));
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns true if the token belongs to a visitor with that secret.
pub(crate) fn is_own_token(secret: &str, given: &str) -> bool {
    let Ok(bytes) = URL_SAFE_NO_PAD.decode(given) else { return false };
    let Some((nonce, sealed)) = bytes.split_at_checked(NONCE_BYTES) else { return false };
    token::equal(&seal(secret, nonce), sealed)
}

fn seal(secret: &str, nonce: &[u8]) -> [u8; 32] {
    token::sha256_of(&[b"form", secret.as_bytes(), nonce])
}

/// Checks the origin that a form was sent from.
///
/// # Errors
/// The origin is not this host.
pub(crate) fn check_origin(headers: &HeaderMap, own_origin: &str) -> Result<(), HttpError> {
    let text = |name| headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok());
    let Some(origin) = text(header::ORIGIN) else {
        return match text(header::HeaderName::from_static("sec-fetch-site")) {
            Some("same-origin") => Ok(()),
            _ => Err(HttpError::CsrfRejected("neither an origin nor fetch metadata")),
        };
    };
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    let is_own = origin == own_origin || (authority.is_some() && authority == text(header::HOST));
    if is_own { Ok(()) } else { Err(HttpError::CsrfRejected("another origin")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_token_is_valid_for_its_visitor_only() {
        let (one, other) = (form_token("secret"), form_token("secret"));
        assert_ne!(one, other, "every page has a different token");
        assert!(is_own_token("secret", &one) && is_own_token("secret", &other));
        for (secret, given) in
            [("other", one.as_str()), ("secret", ""), ("secret", "AAAA"), ("secret", "%%"), ("", &one)]
        {
            assert!(!is_own_token(secret, given), "{given}");
        }
        let mut bytes = URL_SAFE_NO_PAD.decode(&one).unwrap();
        bytes[20] ^= 1;
        assert!(!is_own_token("secret", &URL_SAFE_NO_PAD.encode(bytes)));
    }

    #[test]
    fn form_from_another_origin_is_rejected() {
        let table: &[(&[(&str, &str)], bool)] = &[
            (&[("origin", "https://console.example.com")], true),
            (&[("origin", "http://localhost:8090"), ("host", "localhost:8090")], true),
            (&[("sec-fetch-site", "same-origin")], true),
            (&[], false),
            (&[("origin", "null"), ("host", "console.example.com")], false),
            (&[("origin", "https://evil.example"), ("host", "console.example.com")], false),
            (&[("origin", "https://evil.example"), ("sec-fetch-site", "same-origin")], false),
            (&[("origin", "https://console.example.com.evil.example")], false),
            (&[("sec-fetch-site", "same-site")], false),
            (&[("sec-fetch-site", "none")], false),
        ];
        for (headers, is_own) in table {
            let map: HeaderMap = headers
                .iter()
                .map(|(name, value)| (name.parse::<header::HeaderName>().unwrap(), value.parse().unwrap()))
                .collect();
            assert_eq!(check_origin(&map, "https://console.example.com").is_ok(), *is_own, "{headers:?}");
        }
    }
}
