//! Peers that do not send announced bodies, or do not read their responses, in every phase of an exchange.

use crate::server::{IN_TIME, LARGE, MIN_RATE, Server, TIMEOUT, read_to_end};
use limner_testkit::http2::{DATA, END_HEADERS, HEADERS, Http2Peer, frame, head};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

#[tokio::test]
async fn client_that_stops_in_any_phase_loses_its_connection() {
    let server = Server::start().await;
    for (said, status) in [
        (&b""[..], None),
        (b"P", None),
        (b"PRI * HTTP/2.0\r\n", None),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", None),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00", None),
        (b"GET", None),
        (b"GET / HTTP/1.1\r\n", None),
        (b"GET / HTTP/1.1\r\nhost: a.test\r\nx: ", None),
        (b"GET / HTTP/1.1\r\nhost: a.test\r\n\r\n", Some("200")),
        (b"GET / HTTP/1.1\r\nhost: a.test\r\n\r\nGET / HT", Some("200")),
        (b"POST /length HTTP/1.1\r\nhost: a.test\r\ncontent-length: 9\r\n\r\n", Some("408")),
        (b"POST /length HTTP/1.1\r\nhost: a.test\r\ncontent-length: 9\r\n\r\n12345678", Some("408")),
        (b"POST /length HTTP/1.1\r\nhost: a.test\r\ntransfer-encoding: chunked\r\n\r\n", Some("408")),
        (b"POST /length HTTP/1.1\r\nhost: a.test\r\ntransfer-encoding: chunked\r\n\r\n5\r\n123", Some("408")),
        (b"POST /length HTTP/1.1\r\nhost: a.test\r\ntransfer-encoding: chunked\r\n\r\n3\r\n123\r\n0\r\n", Some("408")),
        (b"POST / HTTP/1.1\r\nhost: a.test\r\ncontent-length: 9\r\n\r\n", Some("405")),
    ] {
        let started = Instant::now();
        let answer = server.exchange(said).await;
        let shown = String::from_utf8_lossy(said);
        match status {
            Some(status) => assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{shown:?}: {answer}"),
            None => assert!(!answer.contains(" 200 "), "{shown:?}: {answer}"),
        }
        assert!(status == Some("405") || started.elapsed() >= TIMEOUT, "{shown:?}");
    }
    server.assert_serves().await;
}

#[tokio::test]
async fn body_below_the_minimum_rate_is_refused_and_a_slow_one_is_read() {
    let server = Server::start().await;
    for (rate, answer) in [(MIN_RATE / 8, "408"), (MIN_RATE * 4, "200")] {
        let part = vec![b'x'; rate as usize / 20];
        let parts = 40;
        let mut stream = server.connect().await;
        let length = part.len() * parts;
        let head =
            format!("POST /length HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut ticks = tokio::time::interval(Duration::from_millis(50));
        for _ in 0..parts {
            ticks.tick().await;
            if stream.write_all(&part).await.is_err() {
                break;
            }
        }
        let answered = read_to_end(&mut stream).await;
        // A client that is cut off while it sends may see a reset before the response.
        assert!(answered.contains(answer) || answer == "408" && answered.is_empty(), "{rate}: {answered}");
    }
}

#[tokio::test]
async fn missing_http2_body_is_answered_and_the_connection_continues() {
    let server = Server::start().await;
    let mut peer = Http2Peer::connect(server.address, 1 << 20).await.unwrap();
    peer.send(&frame(HEADERS, END_HEADERS, 1, &head("POST", "/length"))).await.unwrap();
    peer.send(&frame(DATA, 0, 1, b"some")).await.unwrap();
    let started = Instant::now();
    peer.next_frame_matching("answer", |frame| frame.kind == HEADERS && frame.stream == 1).await;
    assert!(started.elapsed() >= TIMEOUT);
    peer.send(&limner_testkit::http2::get(3, "/")).await.unwrap();
    peer.next_frame_matching("answer", |frame| frame.ends_stream(3)).await;
}

#[tokio::test]
async fn http1_client_that_reads_too_slowly_is_cut_off() {
    for rate in [0, MIN_RATE / 8] {
        let server = Server::start().await;
        let mut stream = server.connect().await;
        stream.write_all(b"GET /large HTTP/1.1\r\nhost: a.test\r\n\r\n").await.unwrap();
        let mut buffer = vec![0; rate as usize / 20];
        let mut ticks = tokio::time::interval(Duration::from_millis(50));
        let mut taken = 0;
        let taking = async {
            if rate == 0 {
                return std::future::pending().await;
            }
            loop {
                ticks.tick().await;
                match stream.read(&mut buffer).await {
                    Ok(read @ 1..) => taken += read,
                    _ => return,
                }
            }
        };
        tokio::select! {
            () = taking => {}
            () = server_frees(&server) => {}
        }
        assert!(taken < LARGE, "{rate}");
    }
}

/// Waits until a large body was in memory, and has been freed.
async fn server_frees(server: &Server) {
    let there = async {
        while server.bodies.load(std::sync::atomic::Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(IN_TIME, there).await.unwrap();
    server.assert_bodies_are_freed().await;
}
