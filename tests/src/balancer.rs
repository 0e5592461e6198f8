//! A load balancer in front of a role's processes, like a Kubernetes service: it forwards each new connection to a
//! ready one.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::AbortOnDropHandle;

/// A port that forwards to any of its members.
pub(crate) struct Balancer {
    address: SocketAddr,
    ready: Arc<Ready>,
    _serving: AbortOnDropHandle<()>,
}

#[derive(Default)]
struct Ready {
    members: Mutex<Vec<SocketAddr>>,
    turn: AtomicUsize,
}

impl Ready {
    /// Connects to a member; members that do not accept connections are skipped.
    async fn connect(&self) -> Option<TcpStream> {
        let members = self.members.lock().unwrap().clone();
        let first = self.turn.fetch_add(1, Ordering::Relaxed);
        for turn in 0..members.len() {
            if let Ok(connection) = TcpStream::connect(members[(first + turn) % members.len()]).await {
                let _ = connection.set_nodelay(true);
                return Some(connection);
            }
        }
        None
    }
}

impl Balancer {
    /// Starts a balancer without members.
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let ready = Arc::<Ready>::default();
        let members = Arc::clone(&ready);
        let serving = tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let members = Arc::clone(&members);
                tokio::spawn(async move {
                    let _ = client.set_nodelay(true);
                    if let Some(mut server) = members.connect().await {
                        // Either side may end the connection.
                        let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                    }
                });
            }
        });
        Self { address, ready, _serving: AbortOnDropHandle::new(serving) }
    }

    /// Returns the address for clients.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Adds a member.
    pub(crate) fn add(&self, member: SocketAddr) {
        self.ready.members.lock().unwrap().push(member);
    }

    /// Removes a member: it gets no new connections; existing ones continue.
    pub(crate) fn remove(&self, member: SocketAddr) {
        self.ready.members.lock().unwrap().retain(|one| *one != member);
    }
}
