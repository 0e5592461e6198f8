//! Accepts connections: limits their total number and the number per address, and stops at shutdown.

use ipnet::IpNet;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// Delay after a failed `accept`. Most likely file descriptors ran out, and other connections have to end first.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Maximum number of concurrent connections per address. An IPv6 address counts with its /64, the smallest network that
/// a subscriber gets.
#[derive(Debug, Clone)]
pub struct AddressLimit {
    /// Maximum number of connections.
    pub max_connections: usize,
    /// Networks of proxies, which forward connections of many clients: not limited.
    pub exempt: Vec<IpNet>,
}

/// A listening socket with a connection limit.
#[derive(Debug)]
pub struct LimitedListener {
    listener: TcpListener,
    permits: Arc<Semaphore>,
    per_address: Option<(AddressLimit, Arc<ConnectionCounts>)>,
}

/// An accepted connection.
#[derive(Debug)]
pub struct AcceptedConnection {
    /// The connection, with TCP_NODELAY.
    pub stream: TcpStream,
    /// The peer's address.
    pub peer: SocketAddr,
    /// The permit, released on drop.
    pub permit: ConnectionPermit,
}

/// A permit for one connection.
#[derive(Debug)]
pub struct ConnectionPermit {
    _permit: OwnedSemaphorePermit,
    _of_address: Option<AddressPermit>,
}

impl LimitedListener {
    /// Accepts at most `max_connections` concurrent connections; others wait in the socket's queue.
    pub fn new(listener: TcpListener, max_connections: usize) -> Self {
        Self { listener, permits: Arc::new(Semaphore::new(max_connections)), per_address: None }
    }

    /// Immediately closes connections of addresses that have too many.
    #[must_use]
    pub fn with_address_limit(self, limit: AddressLimit) -> Self {
        Self { per_address: Some((limit, Arc::default())), ..self }
    }

    /// Returns the next connection; `None` at shutdown.
    pub async fn next(&self, shutdown: &CancellationToken) -> Option<AcceptedConnection> {
        let next = async {
            let permit = Arc::clone(&self.permits).acquire_owned().await.ok()?;
            loop {
                match self.listener.accept().await {
                    Ok((stream, peer)) => {
                        let Ok(of_address) = self.acquire_permit(peer.ip()) else {
                            metrics::counter!("limner_http_refused_connections_total").increment(1);
                            continue;
                        };
                        let _ = stream.set_nodelay(true);
                        let place = ConnectionPermit { _permit: permit, _of_address: of_address };
                        return Some(AcceptedConnection { stream, peer, permit: place });
                    }
                    Err(cause) => {
                        tracing::warn!(error = %cause, "cannot accept a connection");
                        tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                    }
                }
            }
        };
        tokio::select! {
            biased;
            () = shutdown.cancelled() => None,
            connection = next => connection,
        }
    }

    /// Returns the permit for another connection of an address, if addresses are limited.
    fn acquire_permit(&self, address: IpAddr) -> Result<Option<AddressPermit>, TooMany> {
        let Some((limit, addresses)) = &self.per_address else { return Ok(None) };
        let address = address.to_canonical();
        if limit.exempt.iter().any(|network| network.contains(&address)) {
            return Ok(None);
        }
        addresses.acquire(subscriber(address), limit.max_connections).map(Some)
    }
}

/// The address has reached its limit.
struct TooMany;

/// The number of connections of each address.
#[derive(Debug, Default)]
struct ConnectionCounts {
    counts: Mutex<HashMap<IpAddr, usize>>,
}

impl ConnectionCounts {
    fn acquire(self: &Arc<Self>, address: IpAddr, most: usize) -> Result<AddressPermit, TooMany> {
        let mut counts = self.counts();
        let count = counts.entry(address).or_default();
        if *count >= most {
            return Err(TooMany);
        }
        *count += 1;
        Ok(AddressPermit { counts: Arc::clone(self), address })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct AddressPermit {
    counts: Arc<ConnectionCounts>,
    address: IpAddr,
}

impl Drop for AddressPermit {
    fn drop(&mut self) {
        let mut counts = self.counts.counts();
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// Returns the address that represents a subscriber in limits: for IPv6 the first of its /64.
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    #[tokio::test]
    async fn one_permit_admits_one_connection_at_a_time() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (entrance, shutdown) = (LimitedListener::new(listener, 1), CancellationToken::new());
        let (_first, _second) = tokio::join!(TcpStream::connect(address), TcpStream::connect(address));
        let arrival = entrance.next(&shutdown).await.unwrap();
        let soon = Duration::from_millis(50);
        assert!(tokio::time::timeout(soon, entrance.next(&shutdown)).await.is_err(), "the permit is in use");
        drop(arrival);
        assert!(entrance.next(&shutdown).await.is_some());
        shutdown.cancel();
        assert!(entrance.next(&shutdown).await.is_none());
    }

    #[tokio::test]
    async fn address_over_its_limit_is_refused_and_others_are_not() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let limit = AddressLimit { max_connections: 2, exempt: vec!["127.0.0.3/32".parse().unwrap()] };
        let entrance = LimitedListener::new(listener, 100).with_address_limit(limit);
        let shutdown = CancellationToken::new();
        let connect = async |from: [u8; 4]| {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::from((from, 0))).unwrap();
            socket.connect(address).await.unwrap()
        };
        let (own, others, proxy) = ([127, 0, 0, 1], [127, 0, 0, 2], [127, 0, 0, 3]);
        let mut clients = Vec::new();
        let mut arrivals = Vec::new();
        for from in [own, own, others, proxy, proxy, proxy] {
            clients.push(connect(from).await);
            arrivals.push(entrance.next(&shutdown).await.unwrap());
        }
        let mut refused = connect(own).await;
        clients.push(connect(others).await);
        arrivals.push(entrance.next(&shutdown).await.unwrap());
        assert_eq!(arrivals.last().unwrap().peer.ip(), IpAddr::from(others));
        assert_eq!(refused.read(&mut [0]).await.unwrap(), 0, "it is closed");
        arrivals.remove(0);
        clients.push(connect(own).await);
        assert_eq!(
            entrance.next(&shutdown).await.unwrap().peer.ip(),
            IpAddr::from(own),
            "there is a free permit again"
        );
    }

    #[test]
    fn ipv6_address_counts_with_its_network() {
        for (address, counted) in [
            ("192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ] {
            assert_eq!(subscriber(address.parse().unwrap()), counted.parse::<IpAddr>().unwrap(), "{address}");
        }
    }
}
