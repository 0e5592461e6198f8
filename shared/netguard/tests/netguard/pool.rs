//! The connection pool: connections are reused, and one that the server closed meanwhile is replaced.

use crate::support::*;
use limner_netguard::{FetchError, Unreachable};
use tokio::io::AsyncWriteExt;

const KEEP_ALIVE_RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nkept";

#[tokio::test]
async fn connections_are_reused() {
    let server = Server::start(|mut stream, _| async move {
        loop {
            read_head(&mut stream).await?;
            stream.write_all(KEEP_ALIVE_RESPONSE).await?;
        }
    })
    .await;
    let client = client_with(loopback());
    for _ in 0..5 {
        get(&client.clone(), &server.url("/")).await.unwrap();
        // The connection returns to the pool in a task of its own.
        tokio::task::yield_now().await;
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn closed_pooled_connection_is_replaced() {
    let server = Server::start(|mut stream, number| async move {
        read_head(&mut stream).await?;
        stream.write_all(KEEP_ALIVE_RESPONSE).await?;
        if number == 0 {
            // Receives the second request, and closes the connection without a response.
            read_head(&mut stream).await?;
        }
        Ok(())
    })
    .await;
    let client = client_with(loopback());
    for _ in 0..2 {
        assert_eq!(&get(&client, &server.url("/")).await.unwrap().body[..], b"kept");
        tokio::task::yield_now().await;
    }
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn new_connection_that_closes_is_an_error() {
    let server = Server::start(|mut stream, _| async move { read_head(&mut stream).await.map(drop) }).await;
    let error = get(&client_with(loopback()), &server.url("/")).await.unwrap_err();
    assert!(matches!(error, FetchError::Unreachable(Unreachable::Interrupted(_))), "{error}");
    assert_eq!(server.connections(), 1, "asked once");
}
