//! HTTP/2 peers that do not read their responses.

use crate::server::{IN_TIME, MIN_RATE, Server, TIMEOUT};
use limner_testkit::http2::{ACK, DATA, Frame, GOAWAY, Http2Peer, PING, frame, get, window};
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;

/// A window that never blocks.
const WIDE: u32 = 1 << 30;

#[tokio::test]
async fn stream_read_too_slowly_is_reset_and_others_continue() {
    // A window that never opens, one that ends within the first chunk, one that ends before the last byte.
    for (granted, path) in
        [(0, "/large"), (1, "/large"), (70_000, "/large"), (0, "/small"), (1, "/small"), (99, "/small")]
    {
        let server = Server::start().await;
        let mut peer = Http2Peer::connect(server.address, granted).await.unwrap();
        peer.send(&window(0, WIDE)).await.unwrap();
        let started = Instant::now();
        for stream in [1, 3, 5] {
            peer.send(&get(stream, path)).await.unwrap();
        }
        peer.send(&window(3, WIDE)).await.unwrap();
        let mut ends = Vec::new();
        while ends.len() < 3 {
            let end = peer
                .next_frame_matching("end of a stream", |frame| {
                    [1, 3, 5].iter().any(|id| frame.ends_stream(*id) || frame.resets(*id))
                })
                .await;
            ends.push((end.stream, end.ends_stream(end.stream)));
        }
        ends.sort_unstable();
        assert_eq!(ends, [(1, false), (3, true), (5, false)], "{path} with a window of {granted}");
        assert!(started.elapsed() >= TIMEOUT, "{path} with a window of {granted}");
        server.assert_bodies_are_freed().await;
        peer.send(&frame(PING, 0, 0, b"stillup?")).await.unwrap();
        peer.next_frame_matching("pong", |frame| frame.kind == PING && frame.flags & ACK != 0).await;
    }
}

#[tokio::test]
async fn stream_below_the_minimum_rate_is_reset_and_a_slow_one_is_not() {
    for (rate, is_reset) in [(MIN_RATE / 8, true), (MIN_RATE * 4, false)] {
        let server = Server::start().await;
        let mut peer = Http2Peer::connect(server.address, 0).await.unwrap();
        peer.send(&window(0, WIDE)).await.unwrap();
        peer.send(&get(1, "/large")).await.unwrap();
        let Http2Peer { mut reader, mut writer } = peer;
        let reset = async { while !reader.frame().await.unwrap().resets(1) {} };
        let granting = async {
            let mut ticks = tokio::time::interval(Duration::from_millis(50));
            let until = Instant::now() + TIMEOUT * 6;
            while Instant::now() < until {
                ticks.tick().await;
                writer.write_all(&window(1, rate / 20)).await.unwrap();
            }
        };
        let was_reset = tokio::select! {
            () = reset => true,
            () = granting => false,
        };
        assert_eq!(was_reset, is_reset, "{rate} bytes a second");
    }
}

#[tokio::test]
async fn peer_that_reads_nothing_at_all_loses_its_connection() {
    let server = Server::start().await;
    let mut peer = Http2Peer::connect(server.address, WIDE).await.unwrap();
    peer.send(&window(0, WIDE)).await.unwrap();
    peer.send(&get(1, "/large")).await.unwrap();
    // Once the body exists, only the clock frees it.
    let there = async {
        while server.bodies.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(IN_TIME, there).await.unwrap();
    server.assert_bodies_are_freed().await;
}

#[tokio::test]
async fn response_arrives_completely_however_its_window_opens() {
    let server = Server::start().await;
    for grant in [1, 7, 50, 99, 100, 1_000] {
        let mut peer = Http2Peer::connect(server.address, 0).await.unwrap();
        peer.send(&get(1, "/small")).await.unwrap();
        let mut taken = 0;
        let reading = async {
            loop {
                peer.send(&window(1, grant)).await.unwrap();
                let data = |frame: &Frame| frame.kind == DATA && frame.stream == 1;
                let frame = peer.next_frame_matching("data", data).await;
                taken += frame.payload.len();
                if frame.ends_stream(1) {
                    return;
                }
            }
        };
        tokio::time::timeout(IN_TIME, reading).await.unwrap();
        assert_eq!(taken, 100, "{grant} bytes at a time");
    }
}

#[tokio::test]
async fn idle_connection_is_ended_although_its_peer_answers_pings() {
    let server = Server::start().await;
    let mut peer = Http2Peer::connect(server.address, WIDE).await.unwrap();
    let started = Instant::now();
    peer.send(&get(1, "/late")).await.unwrap();
    let mut answered = None;
    let ending = async {
        while let Some(frame) = peer.frame().await {
            if frame.ends_stream(1) {
                answered = Some(started.elapsed());
            }
            if frame.kind == GOAWAY {
                assert!(answered.is_some(), "a connection with a request in progress is not idle");
            }
        }
    };
    tokio::time::timeout(IN_TIME, ending).await.expect("an idle connection stays open");
    assert!(answered.unwrap() >= TIMEOUT * 4);
}
