//! HTTP/2 peers that load the server with cheap frames.

use crate::server::{IN_TIME, MAX_HEAD_BYTES, Server, limits};
use limner_testkit::http2::{
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, Http2Peer, PING, PRIORITY, RST_STREAM, SETTINGS, frame,
    get, head, window,
};
use tokio::io::AsyncWriteExt;

const CANCEL: [u8; 4] = [0, 0, 0, 8];
const UNKNOWN: u8 = 0xbe;

/// Returns the frames of a flood, by number.
type Flood = fn(u32) -> Vec<u8>;

/// Returns the id of the nth request's stream.
fn nth(n: u32) -> u32 {
    2 * n + 1
}

#[tokio::test]
async fn floods_of_frames_end_the_connection() {
    const MOST: u32 = 20_000;
    let floods: [(&str, &[u8], Flood); 11] = [
        ("ping", b"", |_| frame(PING, 0, 0, b"12345678")),
        ("ping acks", b"", |_| frame(PING, ACK, 0, b"12345678")),
        ("settings", b"", |_| frame(SETTINGS, 0, 0, &[])),
        ("priority", b"", |n| frame(PRIORITY, 0, nth(n), &[0, 0, 0, 0, 1])),
        ("unknown frames", b"", |_| frame(UNKNOWN, 0, 0, b"")),
        ("window of the connection", b"", |_| window(0, 1)),
        ("rapid reset", b"", |n| [get(nth(n), "/late"), frame(RST_STREAM, 0, nth(n), &CANCEL)].concat()),
        ("reset of nothing", b"", |_| frame(RST_STREAM, 0, 1, &CANCEL)),
        ("requests that are faulty", b"", |n| frame(HEADERS, END_HEADERS | END_STREAM, nth(n), &[0x82])),
        ("continuation", b"begun", |_| frame(CONTINUATION, 0, 1, &[])),
        ("empty data", b"body", |_| frame(DATA, 0, 1, &[])),
    ];
    let mut limits = limits();
    // Idle timeout larger than the test, so that it is not what ends the connection.
    limits.header_timeout = IN_TIME * 4;
    let server = Server::start_with(limits).await;
    for (name, begins, flood) in floods {
        let Http2Peer { reader, mut writer } = Http2Peer::connect(server.address, 1 << 20).await.unwrap();
        match begins {
            b"begun" => writer.write_all(&frame(HEADERS, END_STREAM, 1, &head("GET", "/"))).await.unwrap(),
            b"body" => writer.write_all(&frame(HEADERS, END_HEADERS, 1, &head("POST", "/length"))).await.unwrap(),
            _ => {}
        }
        let ended = tokio::spawn(reader.end());
        let flooding = async {
            for n in 0..MOST {
                if writer.write_all(&flood(n)).await.is_err() {
                    return;
                }
            }
            ended.await.unwrap();
        };
        let is_over = tokio::time::timeout(IN_TIME, flooding).await.is_ok();
        assert!(is_over, "{name}: the connection stays open after {MOST}");
        server.assert_serves().await;
    }
}

#[tokio::test]
async fn downloading_peer_may_update_windows_often() {
    let server = Server::start().await;
    let mut peer = Http2Peer::connect(server.address, 64 * 1_024).await.unwrap();
    for stream in [1, 3, 5] {
        peer.send(&get(stream, "/large")).await.unwrap();
        loop {
            let frame = peer.next_frame_matching("data", |frame| frame.stream == stream).await;
            if frame.ends_stream(stream) {
                break;
            }
            // Like the most eager client: every 4 KiB, for the stream and the connection.
            for part in frame.payload.chunks(4_096).filter(|_| frame.kind == DATA) {
                let bytes = u32::try_from(part.len()).unwrap();
                peer.send(&[window(stream, bytes), window(0, bytes)].concat()).await.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn heads_beyond_the_limit_are_refused() {
    let server = Server::start().await;
    let field = |n: usize| {
        let mut field = vec![0x00, 4];
        field.extend_from_slice(format!("x{n:03}").as_bytes());
        field.extend_from_slice(&[0x7f, 0x81, 0x07]); // 1,024 bytes
        field.resize(field.len() + 1_024, b'v');
        field
    };
    let mut peer = Http2Peer::connect(server.address, 1 << 20).await.unwrap();
    let mut sent = frame(HEADERS, END_STREAM, 1, &head("GET", "/"));
    for n in 0..100 {
        let flags = if n == 99 { END_HEADERS } else { 0 };
        sent.extend_from_slice(&frame(CONTINUATION, flags, 1, &field(n)));
    }
    let _ = peer.writer.write_all(&sent).await;
    let end = tokio::time::timeout(IN_TIME, async {
        while let Some(frame) = peer.frame().await {
            // `:status 431` needs a decoder: it suffices that the response is not a 200 with a body.
            assert_ne!(frame.kind, DATA);
            if frame.ends_stream(1) || frame.resets(1) {
                return;
            }
        }
    });
    end.await.expect("a head that is too large gets no response");
    server.assert_serves().await;
}

#[tokio::test]
async fn http1_heads_beyond_the_limit_are_refused() {
    let server = Server::start().await;
    let get = |target: &str, fields: &str| format!("GET {target} HTTP/1.1\r\nhost: a.test\r\n{fields}");
    let long = "y".repeat(4 * MAX_HEAD_BYTES);
    for (name, head) in [
        ("a long field", get("/", &format!("x: {long}\r\n\r\n"))),
        ("a long name", get("/", &format!("{long}: x\r\n\r\n"))),
        ("many fields", get("/", &format!("{}\r\n", "x: y\r\n".repeat(200)))),
        ("fields without end", get("/", &"x: y\r\n".repeat(MAX_HEAD_BYTES))),
        ("a long target", get(&format!("/?{long}"), "\r\n")),
        ("a long method", format!("{long} / HTTP/1.1\r\nhost: a.test\r\n\r\n")),
        ("a field without end", get("/", &format!("x: {long}"))),
        ("a target without end", format!("GET /{long}")),
    ] {
        let answers = server.exchange(head.as_bytes()).await;
        let is_refused = answers.is_empty() || answers.starts_with("HTTP/1.1 4");
        assert!(is_refused && !answers.contains("done"), "{name}: {answers}");
    }
    server.assert_serves().await;
}
