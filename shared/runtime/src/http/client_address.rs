//! The address of a client behind a proxy.

use http::HeaderMap;
use std::net::{IpAddr, SocketAddr};

/// Returns the last address in a header set by a trusted proxy: the address that the proxy itself saw.
pub fn forwarded_address(headers: &HeaderMap, name: &str) -> Option<IpAddr> {
    let last = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    parse(last.rsplit(',').next()?)
}

/// Parses an address as proxies write it: some add the port.
fn parse(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bracketed = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let address = bracketed.unwrap_or(text).parse().ok();
    address.or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn last_address_of_the_last_header_is_used() {
        for (values, address) in [
            (&["6.6.6.6, 203.0.113.9"][..], Some("203.0.113.9")),
            (&["203.0.113.9", "2001:db8::1"], Some("2001:db8::1")),
            (&["203.0.113.9", "unknown"], None),
            (&["203.0.113.9:80"], Some("203.0.113.9")),
            (&["[2001:db8::1]:80"], Some("2001:db8::1")),
            (&["[2001:db8::1]"], Some("2001:db8::1")),
            (&[], None),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append("x-forwarded-for", HeaderValue::from_static(value));
            }
            let expected = address.map(|address| address.parse().unwrap());
            assert_eq!(forwarded_address(&headers, "x-forwarded-for"), expected, "{values:?}");
        }
    }
}
