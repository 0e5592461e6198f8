//! What may be reached: the rules, without any I/O.

use crate::address::{embedded_v4, special_range};
use crate::{names, ports};
use ipnet::IpNet;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use url::{Host, Url};

/// What may be reached. The default is the public Internet and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EgressPolicy {
    /// Ranges outside the public Internet that names may lead to all the same. An address that is written as one stays
    /// forbidden there: it would open whatever listens on this machine to anybody who can count.
    pub allow: Vec<IpNet>,
    /// Names that lead to one socket, whatever the scheme and port of the address. The socket must be in `allow`.
    pub hosts: BTreeMap<String, SocketAddr>,
    /// Names of sites that this process serves itself: each leads to exactly one socket, and opens nothing beside it.
    /// Set by code, never by configuration; in lower case, without a trailing dot.
    pub own_sites: BTreeMap<String, SocketAddr>,
}

/// Why an address may not be reached. `Display` is for the operator, [`Forbidden::message`] for whoever typed the
/// address themselves; a caller who is waiting for a fetch sees neither (see [`crate::FetchError::message`]).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// Neither http nor https.
    #[error("the scheme `{0}` is neither http nor https")]
    Scheme(String),
    /// A user name or password in the address.
    #[error("the address carries a user name or password")]
    Credentials,
    /// No host, or one that no name server can be asked for.
    #[error("`{0}` is no host name")]
    Host(String),
    /// A name that only this machine or its network knows.
    #[error("the name `{0}` is local")]
    LocalName(String),
    /// A port on which browsers refuse to speak HTTP.
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
        /// Where it would lead.
        socket: SocketAddr,
    },
}

impl Forbidden {
    /// What to tell the person who gave the address.
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

/// How a host is reached, once the policy has had its say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    /// A checked socket.
    Socket(SocketAddr),
    /// A name whose answers are still to be checked.
    Name(String, u16),
}

impl EgressPolicy {
    /// Whether `url` may be asked for, as far as can be said without asking the DNS: scheme, userinfo, literal addresses
    /// in every notation the URL standard knows, local names and ports.
    ///
    /// # Errors
    /// The first rule it breaks.
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

    /// Whether a name may lead to `ip`.
    ///
    /// A range in `allow` that covers tunnels or translators (NAT64, 6to4, mapped addresses) opens only those of their
    /// addresses whose embedded IPv4 address is itself public or allowed.
    ///
    /// # Errors
    /// The special-purpose range that `ip` belongs to.
    pub fn check_address(&self, ip: IpAddr) -> Result<(), Forbidden> {
        let Some(range) = special_range(ip) else {
            return Ok(());
        };
        if !self.allow.iter().any(|net| net.contains(&ip)) {
            return Err(Forbidden::Address { ip, range });
        }
        match ip {
            // `::` and `::1` are in the IPv4-compatible range but carry nothing.
            IpAddr::V6(v6) if !v6.is_loopback() && !v6.is_unspecified() => {
                embedded_v4(v6).try_for_each(|v4| self.check_address(v4.into()))
            }
            _ => Ok(()),
        }
    }

    /// What an operator got wrong: overrides that could never be used. Empty when all is well.
    pub fn faults(&self) -> Vec<String> {
        let unusable = self.hosts.iter().filter_map(|(name, socket)| {
            if names::normal(name).is_none() {
                return Some(format!("`{name}` is no host name"));
            }
            (!self.allows(socket.ip())).then(|| format!("`{name}` leads to {socket}, which no allowed range contains"))
        });
        unusable.collect()
    }

    /// How `host` is reached. Names still have to be resolved and their answers checked.
    pub(crate) fn route<S: AsRef<str>>(&self, host: Host<S>, port: u16) -> Result<Route, Forbidden> {
        let shown = host.to_string();
        let name = names::without_root(&shown);
        if let Some(socket) = self.own_sites.get(name) {
            return Ok(Route::Socket(*socket));
        }
        if let Some(socket) = self.overridden(name) {
            return self.checked_override(name, socket);
        }
        if ports::is_blocked_port(port) {
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
        if !names::is_resolvable(name) {
            return Err(Forbidden::Host(name.to_owned()));
        }
        if names::is_local(name) {
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

    /// An override must be named by `allow` even when its socket is public: it is a hole made on purpose.
    fn allows(&self, ip: IpAddr) -> bool {
        self.allow.iter().any(|net| net.contains(&ip)) && self.check_address(ip).is_ok()
    }

    fn overridden(&self, name: &str) -> Option<SocketAddr> {
        if let Some(socket) = self.hosts.get(name) {
            return Some(*socket);
        }
        // Operators write names as they like: `Site.Test.` is `site.test`.
        self.hosts.iter().find(|(key, _)| names::normal(key).as_deref() == Some(name)).map(|(_, socket)| *socket)
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
