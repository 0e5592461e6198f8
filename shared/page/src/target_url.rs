//! Target URLs: validation and the normal form that the cache key uses.

use limner_types::InvalidParameter;
use url::{Host, Url};

/// Maximum length of a URL in bytes.
pub const MAX_URL_BYTES: usize = 2_048;

/// A checked http(s) URL: scheme present, host lower-cased and IDNA-encoded, default port and fragment dropped, query
/// unchanged. `netguard` decides whether the URL may be *reached*.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TargetUrl(Url);

impl TargetUrl {
    /// Parses a URL as a caller typed it; `https://` is assumed if the scheme is missing.
    ///
    /// # Errors
    /// Unparsable, over `max_bytes`, a scheme other than http and https, userinfo, or no host.
    pub fn parse(given: &str, max_bytes: usize) -> Result<Self, InvalidParameter> {
        let given = given.trim();
        if given.len() > max_bytes {
            return Err(invalid_url(format!("The address is longer than {max_bytes} bytes.")));
        }
        if given.chars().any(|c| c.is_control() || c == '\\') {
            return Err(invalid_url("The address contains control characters or backslashes."));
        }
        let with_scheme = match explicit_scheme(given) {
            Some(scheme) if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") => {
                if !given[scheme.len() + 1..].starts_with("//") {
                    return Err(unparsable());
                }
                given.to_owned()
            }
            Some(scheme) => {
                return Err(invalid_url(format!(
                    "The scheme `{}` is not supported. Valid schemes: http, https.",
                    excerpt(scheme)
                )));
            }
            None => format!("https://{}", given.strip_prefix("//").unwrap_or(given)),
        };
        // The URL Standard skips further slashes: it would take the first segment of a path for the host.
        if with_scheme.split_once("://").is_some_and(|(_, rest)| rest.starts_with('/')) {
            return Err(unparsable());
        }
        let mut url = Url::parse(&with_scheme).map_err(|cause| {
            invalid_url(format!(
                "The address could not be parsed ({cause}). Give one such as `https://example.com/page`."
            ))
        })?;
        if !url.username().is_empty() || url.password().is_some() || authority_has_userinfo(&with_scheme) {
            return Err(invalid_url(
                "The address must not contain a user name or password: only public pages are read.",
            ));
        }
        match url.host() {
            Some(Host::Domain(domain)) if domain.trim_matches('.').is_empty() => {
                return Err(invalid_url("The address has no host."));
            }
            None => return Err(invalid_url("The address has no host.")),
            Some(_) => {}
        }
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// Returns the normal form.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the parsed form.
    pub fn url(&self) -> &Url {
        &self.0
    }
}

impl std::fmt::Display for TargetUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

fn invalid_url(message: impl Into<String>) -> InvalidParameter {
    InvalidParameter::new("url", message)
}

/// Returns the error for an address that is none.
fn unparsable() -> InvalidParameter {
    invalid_url("The address could not be parsed. Give one such as `https://example.com/page`.")
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Returns the scheme, unless the text before the colon is a host with a port (`example.com:8080/x`).
fn explicit_scheme(given: &str) -> Option<&str> {
    let (before, after) = given.split_once(':')?;
    let is_scheme = before.starts_with(|c: char| c.is_ascii_alphabetic())
        && before.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let port: &str = after.split(['/', '?', '#']).next().unwrap_or("");
    let is_port = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    let is_host_and_port = is_port && !after.starts_with("//");
    (is_scheme && !is_host_and_port).then_some(before)
}

/// Returns true if the authority has userinfo, even an empty one (`https://@host/`).
fn authority_has_userinfo(with_scheme: &str) -> bool {
    let authority = with_scheme.split_once("//").map_or("", |(_, rest)| rest);
    authority.split(['/', '?', '#']).next().is_some_and(|a| a.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_urls_are_normalized() {
        for (given, normal) in [
            ("example.com", "https://example.com/"),
            ("EXAMPLE.com:443/A?b=C#d", "https://example.com/A?b=C"),
            ("http://example.com:80", "http://example.com/"),
            ("example.com:8080/x", "https://example.com:8080/x"),
            ("//example.com/x", "https://example.com/x"),
            ("bücher.example", "https://xn--bcher-kva.example/"),
            ("https://example.com/a?u=https://b.com", "https://example.com/a?u=https://b.com"),
            (" https://example.com ", "https://example.com/"),
        ] {
            assert_eq!(TargetUrl::parse(given, MAX_URL_BYTES).unwrap().as_str(), normal, "{given}");
        }
    }

    #[test]
    fn invalid_target_urls_are_refused() {
        let long = format!("https://example.com/{}", "a".repeat(MAX_URL_BYTES));
        for given in [
            "ftp://example.com",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "mailto:a@b.c",
            "https://user:pw@example.com",
            "user@example.com",
            "https://@example.com/",
            "https://",
            "http:/example.com",
            "https:example.com",
            "https:///example.com",
            "///example.com",
            "/example.com",
            "/page.html",
            "/",
            "https://exa mple.com",
            "https://example.com\\@evil.com",
            "https://exam\nple.com",
            "https://example.com:99999",
            "https://[::1",
            "https://.",
            "?",
            long.as_str(),
        ] {
            assert!(TargetUrl::parse(given, MAX_URL_BYTES).is_err(), "{given}");
        }
    }
}
