//! Cookies.

use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};

/// Name of the session cookie.
pub(crate) const SESSION_COOKIE: &str = "__Host-limner_session";
/// Name of the device cookie.
pub(crate) const DEVICE_COOKIE: &str = "__Host-limner_device";

/// Sets a cookie that only this host gets (over TLS, or on this machine) and no script can read.
pub(crate) fn set_cookie(response: &mut Response, name: &str, value: &str, seconds: u64) {
    let cookie = format!("{name}={value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={seconds}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

/// Returns the value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(given, value)| *given == name && !value.is_empty()).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookie_is_found_in_any_header_line() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; __Host-limner_session=abc"));
        headers.append(header::COOKIE, HeaderValue::from_static("b=; c=d=e"));
        for (name, value) in
            [("a", Some("1")), (SESSION_COOKIE, Some("abc")), ("b", None), ("c", Some("d=e")), ("x", None)]
        {
            assert_eq!(cookie(&headers, name), value, "{name}");
        }
    }
}
