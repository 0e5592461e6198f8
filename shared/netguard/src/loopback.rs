//! URLs that lead to the same machine.

use url::{Host, Url};

/// Returns true if the host of a URL is a loopback address or `localhost`: what it serves stays on the machine (RFC 8252,
/// section 7.3).
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_hosts_are_recognized() {
        for (url, expected) in [
            ("http://127.0.0.1:8080/", true),
            ("http://127.1/", true),
            ("http://[::1]/", true),
            ("http://LOCALHOST/", true),
            ("http://0.0.0.0/", false),
            ("http://localhost.example.org/", false),
            ("http://a.localhost/", false),
            ("http://10.0.0.1/", false),
            ("com.example.app:/callback", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }
}
