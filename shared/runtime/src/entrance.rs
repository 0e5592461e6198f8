//! Taking connections: no more at once than there are places for, and none after the end has begun.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// Out of file descriptors, most likely: others have to end first.
const PAUSE: Duration = Duration::from_millis(50);

/// A listening socket with so many places.
#[derive(Debug)]
pub struct Entrance {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

/// Somebody who came in.
#[derive(Debug)]
pub struct Arrival {
    /// The connection; small writes are sent at once.
    pub stream: TcpStream,
    /// From where.
    pub peer: SocketAddr,
    /// Free again when this is dropped.
    pub place: OwnedSemaphorePermit,
}

impl Entrance {
    /// Takes at most `places` connections at once; others wait in the socket's queue.
    pub fn new(listener: TcpListener, places: usize) -> Self {
        Self { listener, places: Arc::new(Semaphore::new(places)) }
    }

    /// The next connection; `None` when it is time to end.
    pub async fn next(&self, shutdown: &CancellationToken) -> Option<Arrival> {
        let next = async {
            let place = Arc::clone(&self.places).acquire_owned().await.ok()?;
            loop {
                match self.listener.accept().await {
                    Ok((stream, peer)) => {
                        let _ = stream.set_nodelay(true);
                        return Some(Arrival { stream, peer, place });
                    }
                    Err(cause) => {
                        tracing::warn!(error = %cause, "a connection could not be accepted");
                        tokio::time::sleep(PAUSE).await;
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_place_is_for_one_at_a_time() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (entrance, shutdown) = (Entrance::new(listener, 1), CancellationToken::new());
        let (_first, _second) = tokio::join!(TcpStream::connect(address), TcpStream::connect(address));
        let arrival = entrance.next(&shutdown).await.unwrap();
        let soon = Duration::from_millis(50);
        assert!(tokio::time::timeout(soon, entrance.next(&shutdown)).await.is_err(), "the place is taken");
        drop(arrival);
        assert!(entrance.next(&shutdown).await.is_some());
        shutdown.cancel();
        assert!(entrance.next(&shutdown).await.is_none());
    }
}
