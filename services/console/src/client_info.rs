//! The client of a request: its address, the network that rate limits count by, its user agent.

use axum::extract::ConnectInfo;
use http::header::USER_AGENT;
use http::request::Parts;
use limner_runtime::http::forwarded_address;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

const MAX_USER_AGENT_LEN: usize = 200;

/// The client of a request, as sessions and the audit log store it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClientInfo {
    pub(crate) address: ClientAddress,
    pub(crate) user_agent: String,
}

impl ClientInfo {
    /// Returns the client; its address is the last one that a trusted proxy added to `header`, or the connection's.
    pub(crate) fn from_request(parts: &Parts, header: Option<&str>) -> Self {
        let user_agent = parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        Self {
            address: ClientAddress::from_request(parts, header),
            user_agent: user_agent.chars().take(MAX_USER_AGENT_LEN).collect(),
        }
    }
}

/// The client address of a request; IPv4-mapped addresses are converted to IPv4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientAddress(Option<IpAddr>);

impl ClientAddress {
    fn from_request(parts: &Parts, header: Option<&str>) -> Self {
        let connection = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let forwarded = header.and_then(|name| forwarded_address(&parts.headers, name));
        Self(forwarded.or(connection).map(|ip| ip.to_canonical()))
    }

    /// Returns the network that the client's attempts are counted under: the IPv4 address itself, or the /64 of an IPv6
    /// address, the smallest network that a subscriber gets.
    pub(crate) fn network(self) -> String {
        match self.0 {
            Some(IpAddr::V6(ip)) => {
                let [a, b, c, d, ..] = ip.segments();
                format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |ip| ip.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(peer: &str, header: Option<&str>, forwarded: Option<&str>) -> ClientAddress {
        let request = http::Request::builder();
        let request = forwarded.into_iter().fold(request, |request, value| request.header("x-forwarded-for", value));
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        parts.extensions.insert(ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 1)));
        ClientAddress::from_request(&parts, header)
    }

    #[test]
    fn address_comes_from_a_trusted_header_alone() {
        let header = Some("x-forwarded-for");
        for (header, forwarded, expected) in [
            (None, Some("6.6.6.6, 203.0.113.9"), "10.0.0.1"),
            (header, Some("6.6.6.6, 203.0.113.9"), "203.0.113.9"),
            (header, Some("203.0.113.9:4711"), "203.0.113.9"),
            (header, Some("::ffff:203.0.113.9"), "203.0.113.9"),
            (header, Some("2001:db8::1"), "2001:db8::1"),
            (header, Some("[2001:db8::1]"), "2001:db8::1"),
            (header, Some("[2001:db8::1]:4711"), "2001:db8::1"),
            (header, Some("unknown"), "10.0.0.1"),
            (header, None, "10.0.0.1"),
            (Some("x-real-ip"), Some("203.0.113.9"), "10.0.0.1"),
        ] {
            assert_eq!(address("10.0.0.1", header, forwarded).to_string(), expected, "{header:?} {forwarded:?}");
        }
        assert_eq!(address("::ffff:10.0.0.1", None, None).to_string(), "10.0.0.1");
    }

    #[test]
    fn network_of_an_address_is_the_subscribers_prefix() {
        for (peer, network) in [
            ("203.0.113.9", "203.0.113.9"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
            ("::1", "::/64"),
        ] {
            assert_eq!(address(peer, None, None).network(), network, "{peer}");
        }
    }
}
