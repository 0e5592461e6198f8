//! Resource servers that tokens are issued for (RFC 8707).

use crate::config::ProtectedResource;
use url::Url;

/// Returns the resource server that a client names. Identifiers are compared as parsed URLs, ignoring a trailing slash.
pub(super) fn find_resource<'a>(known: &'a [ProtectedResource], given: &str) -> Option<&'a ProtectedResource> {
    let normal = |text: &str| {
        let url = Url::parse(text).ok().filter(|url| url.fragment().is_none())?;
        Some(url.as_str().trim_end_matches('/').to_owned())
    };
    let given = normal(given)?;
    known.iter().find(|resource| normal(&resource.uri).as_deref() == Some(&given))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_compared_as_urls() {
        let of = |uri: &str| ProtectedResource { uri: uri.to_owned(), name: String::new() };
        let known = [of("https://mcp.example.com/mcp"), of("https://mcp.example.com")];
        for (given, found) in [
            ("https://mcp.example.com/mcp", Some(0)),
            ("HTTPS://MCP.example.com:443/mcp/", Some(0)),
            ("https://mcp.example.com/", Some(1)),
            ("https://mcp.example.com", Some(1)),
            ("https://mcp.example.com/MCP", None),
            ("https://mcp.example.com/mcp/x", None),
            ("https://mcp.example.com/mcp?a", None),
            ("https://mcp.example.com/mcp#a", None),
            ("http://mcp.example.com/mcp", None),
            ("https://mcp.example.com.evil.example/mcp", None),
            ("https://mcp.example.com@evil.example/mcp", None),
            ("mcp", None),
            ("", None),
        ] {
            assert_eq!(find_resource(&known, given), found.map(|at: usize| &known[at]), "{given}");
        }
    }
}
