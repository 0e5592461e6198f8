//! Readiness probes with a few bytes of each server's own protocol: faster than a client library.

use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const RESPONSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Probes PostgreSQL, which requests authentication only once it accepts queries; before that it refuses.
pub(crate) async fn postgres(address: SocketAddr) -> bool {
    let mut startup = Vec::from(196_608_u32.to_be_bytes());
    startup.extend_from_slice(b"user\0limner\0database\0postgres\0\0");
    let mut message = Vec::from((startup.len() as u32 + 4).to_be_bytes());
    message.extend_from_slice(&startup);
    answer(address, &message, |said| !said.is_empty()).await.is_some_and(|said| said.first() == Some(&b'R'))
}

/// Probes Redis with `PING`.
pub(crate) async fn redis(address: SocketAddr, password: &str) -> bool {
    let message = format!("AUTH {password}\r\nPING\r\n");
    answer(address, message.as_bytes(), |said| contains(said, b"+PONG\r\n") || contains(said, b"-"))
        .await
        .is_some_and(|said| contains(&said, b"+PONG\r\n"))
}

/// Sends a command to Redis and returns its reply.
pub(crate) async fn redis_command(address: SocketAddr, password: &str, command: &str) -> Option<String> {
    let message = format!("AUTH {password}\r\n{command}\r\nQUIT\r\n");
    let said = answer(address, message.as_bytes(), |_| false).await?;
    Some(String::from_utf8_lossy(&said).into_owned())
}

/// Probes a NATS server that may reject this client: it greets first.
pub(crate) async fn nats_greets(address: SocketAddr) -> bool {
    answer(address, b"", |said| contains(said, b"INFO ")).await.is_some()
}

/// Probes NATS with a request to JetStream's API.
pub(crate) async fn nats(address: SocketAddr, password: &str) -> bool {
    let connect = format!(r#"{{"verbose":false,"user":"limner","pass":"{password}"}}"#);
    let message = format!("CONNECT {connect}\r\nSUB answer 1\r\nPUB $JS.API.INFO answer 0\r\n\r\n");
    let is_complete = |said: &[u8]| contains(said, b"MSG answer") || contains(said, b"-ERR");
    answer(address, message.as_bytes(), is_complete).await.is_some_and(|said| contains(&said, b"MSG answer"))
}

/// Probes an HTTP server; any response counts.
pub(crate) async fn http(address: SocketAddr) -> bool {
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    answer(address, request.as_bytes(), |said| contains(said, b"\r\n\r\n"))
        .await
        .is_some_and(|said| said.starts_with(b"HTTP/1.1 "))
}

/// Returns the server's response until it is complete, or until the connection ends.
async fn answer(address: SocketAddr, message: &[u8], is_complete: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
    let exchange = async {
        let mut connection = TcpStream::connect(address).await.ok()?;
        connection.write_all(message).await.ok()?;
        let mut said = Vec::new();
        while !is_complete(&said) {
            if connection.read_buf(&mut said).await.ok()? == 0 {
                break;
            }
        }
        Some(said)
    };
    tokio::time::timeout(RESPONSE_TIMEOUT, exchange).await.ok()?
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
