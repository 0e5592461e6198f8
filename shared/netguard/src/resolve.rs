//! Name resolution. Addresses are not checked here, but by the caller.

use crate::error::EgressError;
use futures::future::BoxFuture;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

/// Resolves names.
pub trait Resolver: fmt::Debug + Send + Sync + 'static {
    /// Returns all addresses of `name`, an absolute name in ASCII without its trailing dot.
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// Time limit for one name server, so that a second one can be queried within the phase's limit.
const NAME_SERVER_TIMEOUT: Duration = Duration::from_secs(2);

/// Resolves with this machine's configuration: its hosts file and its name servers, but without its search list, since
/// names on a page are absolute.
#[derive(Clone)]
pub struct SystemResolver(TokioResolver);

impl SystemResolver {
    /// Reads the system's configuration. Without one, the name server of this machine is used, like in the C library.
    ///
    /// # Errors
    /// The configuration is invalid.
    pub fn new() -> Result<Self, EgressError> {
        let provider = TokioRuntimeProvider::default;
        let mut builder = TokioResolver::builder(provider()).unwrap_or_else(|cause| {
            tracing::warn!(error = %cause, "no resolver configuration: asking the name server of this machine");
            let itself = NameServerConfig::udp_and_tcp(IpAddr::V4(Ipv4Addr::LOCALHOST));
            TokioResolver::builder_with_config(ResolverConfig::from_name_servers(vec![itself]), provider())
        });
        let options = builder.options_mut();
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        options.use_hosts_file = ResolveHosts::Always;
        options.timeout = options.timeout.min(NAME_SERVER_TIMEOUT);
        builder.build().map(Self).map_err(|cause| EgressError::Resolver(cause.to_string()))
    }
}

impl fmt::Debug for SystemResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SystemResolver")
    }
}

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let absolute = format!("{name}.");
            let answers = self.0.lookup_ip(absolute).await.map_err(io::Error::other)?;
            Ok(answers.iter().collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn hosts_file_is_read() {
        let resolver = SystemResolver::new().unwrap();
        let answers = resolver.resolve("localhost").await.unwrap();
        assert!(!answers.is_empty() && answers.iter().all(IpAddr::is_loopback), "{answers:?}");
    }

    #[tokio::test]
    async fn invalid_name_is_an_error() {
        assert!(SystemResolver::new().unwrap().resolve("a..b").await.is_err());
    }
}
