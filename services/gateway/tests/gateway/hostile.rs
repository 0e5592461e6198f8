//! Callers that send many requests and read no responses.

use crate::support::{Answer, JobScript, Running, start_with};
use limner_runtime::AddressLimit;
use limner_runtime::http::Pace;
use limner_testkit::http2::{HEADERS, Http2Peer, get, get_as};
use limner_types::{ApiKey, ErrorCode};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;

const TIMEOUT: Duration = Duration::from_secs(3);
const STREAMS: usize = 60;
const MEGABYTE: usize = 1_000_000;

async fn impatient() -> (Running, ApiKey) {
    let pace = Pace { timeout: TIMEOUT, min_rate: 100_000 };
    start_with(|config| config.peers.pace = pace, |_| {}).await
}

fn large_result(megabytes: usize) -> JobScript {
    JobScript::Json(format!(r#"{{"text":"{}"}}"#, "x".repeat(megabytes * MEGABYTE)))
}

fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1_024
}

/// Sends the same request on many streams and reads nothing. Returns the memory used, once all are reset.
async fn take_nothing(gateway: &Running, request: impl Fn(u32) -> Vec<u8>) -> usize {
    let before = resident_bytes();
    let mut peer = Http2Peer::connect(gateway.address, 0).await.unwrap();
    for n in 0..STREAMS {
        peer.send(&request(2 * n as u32 + 1)).await.unwrap();
    }
    for _ in 0..STREAMS {
        peer.next_frame_matching("head", |frame| frame.kind == HEADERS).await;
    }
    let held = resident_bytes().saturating_sub(before);
    for _ in 0..STREAMS {
        peer.next_frame_matching("reset", |frame| frame.resets(frame.stream) && frame.stream != 0).await;
    }
    held
}

#[tokio::test]
async fn hits_on_streams_without_window_share_their_result_and_are_reset() {
    const PATH: &str = "/v1/images?url=large.example";
    let (gateway, key) = impatient().await;
    gateway.world.fleet.does(large_result(4));
    gateway.get(&key, PATH).await.assert_ok("MISS");
    gateway.get(&key, PATH).await.assert_ok("HIT");
    let authorization = format!("Bearer {}", key.expose());
    let held = take_nothing(&gateway, |stream| get_as(stream, PATH, &authorization)).await;
    assert!(held < 20 * MEGABYTE, "{held} bytes");
}

#[tokio::test]
async fn screenshots_on_streams_without_window_are_not_read_and_are_reset() {
    let (gateway, _) = impatient().await;
    let name = gateway.world.screenshots.put(vec![7; 21 * MEGABYTE].into()).await.unwrap();
    let path = format!("/screenshots/{name}");
    let held = take_nothing(&gateway, |stream| get(stream, &path)).await;
    assert!(held < 40 * MEGABYTE, "{held} bytes");
    let answer = gateway.client.get(gateway.url(&path)).send().await.unwrap();
    assert_eq!(answer.content_length(), Some(21 * MEGABYTE as u64));
    assert!(answer.bytes().await.unwrap().iter().all(|byte| *byte == 7));
}

#[tokio::test]
async fn unread_responses_give_way_to_waiting_callers() {
    let (gateway, key) = start_with(
        |config| {
            config.peers.pace = Pace { timeout: TIMEOUT * 8, min_rate: 100_000 };
            (config.response_bytes, config.result_memory_bytes) = (10 * MEGABYTE, 1_024);
        },
        |_| {},
    )
    .await;
    for page in ["a", "b"] {
        gateway.world.fleet.does(large_result(8));
        gateway.get(&key, &format!("/v1/images?url={page}.example")).await.assert_ok("MISS");
    }
    let mut slow = tokio::net::TcpStream::connect(gateway.address).await.unwrap();
    let request = format!(
        "GET /v1/images?url=a.example HTTP/1.1\r\nhost: a.test\r\nauthorization: Bearer {}\r\n\r\n",
        key.expose()
    );
    slow.write_all(request.as_bytes()).await.unwrap();
    // The head has arrived, so the result uses its memory.
    slow.readable().await.unwrap();
    let started = Instant::now();
    gateway.get(&key, "/v1/images?url=b.example").await.assert_ok("HIT");
    assert!(started.elapsed() < TIMEOUT * 3, "{:?}", started.elapsed());
}

#[tokio::test]
async fn screenshots_per_address_are_limited() {
    const MAX_SCREENSHOTS: u32 = 5;
    let exempt = || AddressLimit { max_connections: 100, exempt: vec!["127.0.0.0/8".parse().unwrap()] };
    for (header, is_behind_proxy) in [(None, false), (None, true), (Some("x-real-ip"), true)] {
        let (gateway, _) = start_with(
            |config| {
                config.screenshots_per_minute = MAX_SCREENSHOTS;
                config.client_address_header = header.map(str::to_owned);
                config.peers.per_address_limit = is_behind_proxy.then(exempt);
            },
            |_| {},
        )
        .await;
        let name = gateway.world.screenshots.put(b"png".as_slice().into()).await.unwrap();
        let ask = async |from: &str| {
            let url = gateway.url(&format!("/screenshots/{name}"));
            Answer::send(gateway.client.get(url).header("x-real-ip", from)).await
        };
        for _ in 0..MAX_SCREENSHOTS {
            assert_eq!(ask("203.0.113.1").await.status, 200);
        }
        let one_more = ask("203.0.113.1").await;
        if is_behind_proxy && header.is_none() {
            assert_eq!(one_more.status, 200, "the client address is unknown");
            continue;
        }
        one_more.assert_error(429, ErrorCode::RateLimited);
        assert_eq!(one_more.header("retry-after"), "60");
        let others = ask("203.0.113.2").await.status;
        assert_eq!(others, if header.is_some() { 200 } else { 429 }, "without a proxy the header is not trusted");
    }
}
