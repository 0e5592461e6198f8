//! A peer that sends raw bytes, for responses that no HTTP library would send, and that counts connections.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::{AbortHandle, JoinSet};

/// A listener that counts connections, sends the same bytes to each and closes it. Stops on drop.
pub struct RawServer {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    accepting: AbortHandle,
}

impl RawServer {
    /// Starts a listener that sends `answer` once a client has sent something.
    ///
    /// # Panics
    /// Panics if there is no free port.
    pub async fn start(answer: impl Into<Vec<u8>>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free loopback port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let connections = Arc::new(AtomicUsize::new(0));
        let accepting = tokio::spawn(accept(listener, answer.into(), connections.clone())).abort_handle();
        Self { address, connections, accepting }
    }

    /// Returns the listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the number of connections, including silent ones.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for RawServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, answer: Vec<u8>, connections: Arc<AtomicUsize>) {
    let mut open = JoinSet::new();
    loop {
        let Ok((mut stream, _)) = listener.accept().await else { continue };
        connections.fetch_add(1, Ordering::SeqCst);
        let answer = answer.clone();
        open.spawn(async move {
            let mut said = [0_u8; 4_096];
            if stream.read(&mut said).await.is_ok_and(|read| read > 0) {
                // Clients that disconnect are part of many tests.
                let _ = stream.write_all(&answer).await;
                let _ = stream.shutdown().await;
            }
        });
        while open.try_join_next().is_some() {}
    }
}
