//! The egress policy: rules without any I/O.

use crate::address::{embedded_v4, special_range};
use crate::{bad_ports, hostnames};
use ipnet::IpNet;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use url::{Host, Url};

/// The egress policy. By default it allows only the public Internet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EgressPolicy {
    /// Ranges outside the public Internet that names may resolve to. A literal address in them stays forbidden: it
    /// would expose every local service to anybody who enumerates addresses.
    pub allow: Vec<IpNet>,
    /// Names that resolve to one socket, whatever the scheme and port of the URL. The socket must be in `allow`.
    pub hosts: BTreeMap<String, SocketAddr>,
    /// Names of sites that this process serves itself: each resolves to exactly one socket and allows no other. Set by
    /// code, never by configuration; in lower case, without a trailing dot.
    pub own_sites: BTreeMap<String, SocketAddr>,
}

/// The reason why a URL is forbidden. `Display` is for the operator, [`Forbidden::message`] for the person who entered
/// the URL; a caller waiting for a fetch sees neither (see [`crate::FetchError::message`]).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// The scheme is neither http nor https.
    #[error("the scheme `{0}` is neither http nor https")]
    Scheme(String),
    /// The URL contains a user name or password.
    #[error("the address carries a user name or password")]
    Credentials,
    /// There is no host, or its name cannot be resolved by any server.
    #[error("`{0}` is no host name")]
    Host(String),
    /// A name that is only known to this machine or its network.
    #[error("the name `{0}` is local")]
    LocalName(String),
    /// A port that browsers block for HTTP.
    #[error("port {0} is blocked")]
    Port(u16),
    /// An address outside the public Internet.
    #[error("{ip} is not public ({range})")]
    Address {
        /// The address.
        ip: IpAddr,
        /// The special-purpose range it is in.
        range: &'static str,
    },
    /// A configured host override whose socket is not allowed.
    #[error("`{name}` is set to lead to {socket}, which no allowed range contains")]
    Override {
        /// The overridden name.
        name: String,
        /// The configured socket.
        socket: SocketAddr,
    },
}

impl Forbidden {
    /// Returns the message for the person who entered the URL.
    pub fn message(&self) -> String {
        match self {
            Self::Scheme(_) => "The scheme is not supported. Valid schemes: http, https.".to_owned(),
            Self::Credentials => {
                "The address must not contain a user name or password: only public pages are read.".to_owned()
            }
            Self::Host(_) => {
                "The address has no valid host name. Give one such as `https://example.com/page`.".to_owned()
            }
            Self::Port(port) => format!("Port {port} is not one that web pages are served on. Use another port."),
            Self::LocalName(_) | Self::Address { .. } | Self::Override { .. } => {
                "The address is not on the public Internet. Give the address of a public page.".to_owned()
            }
        }
    }
}

/// The route to a host that the policy has checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    /// A checked socket.
    Socket(SocketAddr),
    /// A name whose addresses have to be checked.
    Name(String, u16),
}

impl EgressPolicy {
    /// Checks `url` without the DNS: scheme, userinfo, literal addresses in every notation of the URL standard, local
    /// names and ports.
    ///
    /// # Errors
    /// The first violated rule.
    pub fn check_url(&self, url: &Url) -> Result<(), Forbidden> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Forbidden::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Forbidden::Credentials);
        }
        let host = url.host().ok_or_else(|| Forbidden::Host(String::new()))?;
        self.route(host, url.port_or_known_default().unwrap_or_default()).map(drop)
    }

    /// Checks that a name may resolve to `ip`.
    ///
    /// A range in `allow` that covers tunnels or translators (NAT64, 6to4, mapped addresses) only allows addresses
    /// whose embedded IPv4 address is itself public or allowed.
    ///
    /// # Errors
    /// The special-purpose range of `ip`.
    pub fn check_address(&self, ip: IpAddr) -> Result<(), Forbidden> {
        let Some(range) = special_range(ip) else {
            return Ok(());
        };
        if !self.allow.iter().any(|net| net.contains(&ip)) {
            return Err(Forbidden::Address { ip, range });
        }
        match ip {
            // `::` and `::1` are in the IPv4-compatible range but embed no address.
            IpAddr::V6(v6) if !v6.is_loopback() && !v6.is_unspecified() => {
                embedded_v4(v6).try_for_each(|v4| self.check_address(v4.into()))
            }
            _ => Ok(()),
        }
    }

    /// Returns configuration errors: overrides that can never be used.
    pub fn config_errors(&self) -> Vec<String> {
        let unusable = self.hosts.iter().filter_map(|(name, socket)| {
            if hostnames::normal(name).is_none() {
                return Some(format!("`{name}` is no host name"));
            }
            (!self.allows(socket.ip())).then(|| format!("`{name}` leads to {socket}, which no allowed range contains"))
        });
        unusable.collect()
    }

    /// Returns the route to `host`. Names still have to be resolved and their addresses checked.
    pub(crate) fn route<S: AsRef<str>>(&self, host: Host<S>, port: u16) -> Result<Route, Forbidden> {
        let shown = host.to_string();
        let name = hostnames::without_root(&shown);
        if let Some(socket) = self.own_sites.get(name) {
            return Ok(Route::Socket(*socket));
        }
        if let Some(socket) = self.overridden(name) {
            return self.checked_override(name, socket);
        }
        if bad_ports::is_blocked_port(port) {
            return Err(Forbidden::Port(port));
        }
        let literal = match host {
            Host::Ipv4(v4) => Some(IpAddr::V4(v4)),
            Host::Ipv6(v6) => Some(IpAddr::V6(v6)),
            Host::Domain(_) => None,
        };
        if let Some(ip) = literal {
            if let Some(range) = special_range(ip) {
                return Err(Forbidden::Address { ip, range });
            }
            return Ok(Route::Socket(SocketAddr::new(ip, port)));
        }
        if !hostnames::is_resolvable(name) {
            return Err(Forbidden::Host(name.to_owned()));
        }
        if hostnames::is_local(name) {
            return Err(Forbidden::LocalName(name.to_owned()));
        }
        Ok(Route::Name(name.to_owned(), port))
    }

    fn checked_override(&self, name: &str, socket: SocketAddr) -> Result<Route, Forbidden> {
        if !self.allows(socket.ip()) {
            return Err(Forbidden::Override { name: name.to_owned(), socket });
        }
        Ok(Route::Socket(socket))
    }

    /// Returns true if `allow` contains `ip`. An override requires this even for a public socket, because it is a
    /// deliberate exception.
    fn allows(&self, ip: IpAddr) -> bool {
        self.allow.iter().any(|net| net.contains(&ip)) && self.check_address(ip).is_ok()
    }

    fn overridden(&self, name: &str) -> Option<SocketAddr> {
        if let Some(socket) = self.hosts.get(name) {
            return Some(*socket);
        }
        // Operators may write `Site.Test.` for `site.test`.
        self.hosts.iter().find(|(key, _)| hostnames::normal(key).as_deref() == Some(name)).map(|(_, socket)| *socket)
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
