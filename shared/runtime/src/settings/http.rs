//! `[http]`: limits on the peers of every HTTP server.

use super::layered_reader::LayeredReader;
use super::values::{ByteSize, Setting};
use crate::AddressLimit;
use crate::http::{Pace, PeerLimits};
use ipnet::IpNet;
use std::time::Duration;

/// Default networks of proxies: this machine and private networks.
const DEFAULT_PROXIES: &str = "127.0.0.0/8,10.0.0.0/8,100.64.0.0/10,169.254.0.0/16,172.16.0.0/12,192.168.0.0/16,\
                             ::1/128,fc00::/7,fe80::/10";

/// `[http]`
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Time limit without any transferred byte of a body.
    pub body_timeout: Duration,
    /// Bytes per second below which that time runs out.
    pub min_rate: ByteSize,
    /// Maximum number of connections of one address to one server.
    pub connections_per_address: usize,
    /// Networks of proxies, which the connection limit does not apply to.
    pub trusted_proxies: Vec<IpNet>,
}

impl HttpSettings {
    pub(super) fn read(from: &mut LayeredReader) -> Self {
        let usual = Pace::default();
        Self {
            body_timeout: from.value(
                "http.body_patience",
                usual.timeout,
                "how long a client may send none of a body, or take none of an answer",
            ),
            min_rate: from.value(
                "http.least_rate",
                ByteSize(usual.min_rate as usize),
                "bytes a second; clients that are slower for long use up that time",
            ),
            connections_per_address: from.value(
                "http.connections_per_address",
                256,
                "connections of one address (IPv6: of one /64) at one server; proxies have any number",
            ),
            trusted_proxies: from.value(
                "http.trusted_proxies",
                Vec::from_text(DEFAULT_PROXIES).expect("the default is valid, which a test checks"),
                "networks of proxies, whose connections are those of many clients",
            ),
        }
    }

    /// Returns the limits for servers.
    pub fn peers(&self) -> PeerLimits {
        PeerLimits {
            pace: Pace { timeout: self.body_timeout, min_rate: u32::try_from(self.min_rate.0).unwrap_or(u32::MAX) },
            per_address_limit: Some(AddressLimit {
                max_connections: self.connections_per_address,
                exempt: self.trusted_proxies.clone(),
            }),
        }
    }
}
