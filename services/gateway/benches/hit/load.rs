//! The load: requests one after the other on each of some connections.

use futures::future::join_all;
use http::Request;
use http::header::{AUTHORIZATION, HOST};
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

const CONNECTIONS: usize = 32;

/// The target of a load.
#[derive(Clone)]
pub(crate) struct LoadTarget {
    pub(crate) address: SocketAddr,
    pub(crate) path: String,
    pub(crate) authorization: String,
}

/// Sends `requests`, sequentially on each connection, and records their latencies.
pub(crate) async fn load(target: &LoadTarget, requests: u64, latencies: &Mutex<Vec<Duration>>) -> Duration {
    let connections = join_all((0..CONNECTIONS).map(|_| connect(target.address))).await;
    let left = AtomicU64::new(requests);
    let started = Instant::now();
    let all = join_all(connections.into_iter().map(|connection| drive(connection, target, &left))).await;
    let took = started.elapsed();
    latencies.lock().unwrap().extend(all.into_iter().flatten());
    took
}

async fn connect(address: SocketAddr) -> SendRequest<Empty<bytes::Bytes>> {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    sender
}

async fn drive(
    mut connection: SendRequest<Empty<bytes::Bytes>>,
    target: &LoadTarget,
    left: &AtomicU64,
) -> Vec<Duration> {
    let mut latencies = Vec::new();
    while left.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
        let request = Request::get(&target.path)
            .header(HOST, "bench")
            .header(AUTHORIZATION, &target.authorization)
            .body(Empty::new())
            .unwrap();
        connection.ready().await.unwrap();
        let started = Instant::now();
        let response = connection.send_request(request).await.unwrap();
        assert_eq!(response.status(), 200);
        response.into_body().collect().await.unwrap();
        latencies.push(started.elapsed());
    }
    latencies
}
