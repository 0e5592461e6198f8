//! Connects to a host: checks the policy, resolves once, checks every address, connects to a checked one.

use crate::error::{FetchError, Phase, Unreachable};
use crate::options::Timeouts;
use crate::policy::{EgressPolicy, Route};
use crate::resolve::Resolver;
use crate::telemetry;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::Host;

/// Delay after which the next address is tried concurrently (RFC 8305).
const HEAD_START: Duration = Duration::from_millis(250);

/// Maximum number of addresses of one host that are tried; all of them are checked.
const MAX_ATTEMPTS: usize = 8;

#[derive(Debug)]
pub(crate) struct Dialer {
    pub(crate) policy: EgressPolicy,
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) timeouts: Timeouts,
}

impl Dialer {
    /// Connects to `host`, a name or a literal address in any notation of the URL standard.
    pub(crate) async fn dial(&self, host: &str, port: u16) -> Result<TcpStream, FetchError> {
        let outcome = self.dial_unrecorded(host, port).await;
        telemetry::connection(&outcome);
        outcome
    }

    async fn dial_unrecorded(&self, host: &str, port: u16) -> Result<TcpStream, FetchError> {
        let host = Host::parse(host).map_err(|cause| Unreachable::Resolve(format!("`{host}`: {cause}")))?;
        let sockets = match self.policy.route(host, port)? {
            Route::Socket(socket) => vec![socket],
            Route::Name(name, port) => self.resolve_checked(&name, port).await?,
        };
        let connecting = timeout(self.timeouts.connect, connect_first(sockets));
        let stream = connecting.await.map_err(|_| FetchError::Timeout(Phase::Connect))??;
        stream.set_nodelay(true).map_err(|cause| Unreachable::Connect(cause.to_string()))?;
        Ok(stream)
    }

    /// Returns the addresses of `name`, all of which must be allowed: a single forbidden one rejects the whole answer,
    /// since a name with both public and private addresses is an attack.
    async fn resolve_checked(&self, name: &str, port: u16) -> Result<Vec<SocketAddr>, FetchError> {
        let resolving = timeout(self.timeouts.resolve, self.resolver.resolve(name));
        let answers = resolving
            .await
            .map_err(|_| FetchError::Timeout(Phase::Resolve))?
            .map_err(|cause| Unreachable::Resolve(format!("`{name}`: {cause}")))?;
        if answers.is_empty() {
            return Err(Unreachable::Resolve(format!("`{name}` has no address")).into());
        }
        answers.iter().try_for_each(|ip| self.policy.check_address(*ip))?;
        Ok(interleave_families(answers).into_iter().take(MAX_ATTEMPTS).map(|ip| SocketAddr::new(ip, port)).collect())
    }
}

/// Alternates IPv6 and IPv4, so that a broken address family costs only one delay.
fn interleave_families(answers: Vec<IpAddr>) -> Vec<IpAddr> {
    let (v6, v4): (Vec<_>, Vec<_>) = answers.into_iter().partition(IpAddr::is_ipv6);
    let longest = v6.len().max(v4.len());
    (0..longest).flat_map(|i| [v6.get(i).copied(), v4.get(i).copied()]).flatten().collect()
}

/// Tries the sockets in order, each with a head start on the next; the first connection wins.
async fn connect_first(sockets: Vec<SocketAddr>) -> Result<TcpStream, FetchError> {
    let mut waiting = sockets.into_iter().peekable();
    let mut attempts = FuturesUnordered::new();
    let mut last_failure = io::Error::other("no address to connect to");
    loop {
        if let Some(socket) = waiting.next() {
            attempts.push(TcpStream::connect(socket));
        }
        let others_wait = waiting.peek().is_some();
        tokio::select! {
            finished = attempts.next() => match finished {
                Some(Ok(stream)) => return Ok(stream),
                Some(Err(cause)) => last_failure = cause,
                None => return Err(Unreachable::Connect(last_failure.to_string()).into()),
            },
            () = tokio::time::sleep(HEAD_START), if others_wait => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_families_alternate() {
        let given = ["1.1.1.1", "1.1.1.2", "1.1.1.3", "2606::1"].map(|ip| ip.parse().unwrap());
        let turns: Vec<String> = interleave_families(given.to_vec()).iter().map(IpAddr::to_string).collect();
        assert_eq!(turns, ["2606::1", "1.1.1.1", "1.1.1.2", "1.1.1.3"]);
    }
}
