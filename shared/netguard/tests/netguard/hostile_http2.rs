//! HTTP/2 servers that mean harm: each ends with an error, in time, and leaves no connection open.

use crate::authority::Authority;
use crate::support::*;
use limner_netguard::{Client, EgressOptions, EgressPolicy, Exceeded, FetchError, Phase, Timeouts};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};
use tokio_rustls::server::TlsStream;

const DATA: u8 = 0x0;
const HEADERS: u8 = 0x1;
const PRIORITY: u8 = 0x2;
const RST_STREAM: u8 = 0x3;
const SETTINGS: u8 = 0x4;
const PUSH_PROMISE: u8 = 0x5;
const PING: u8 = 0x6;
const GOAWAY: u8 = 0x7;
const WINDOW_UPDATE: u8 = 0x8;
const CONTINUATION: u8 = 0x9;
const UNKNOWN: u8 = 0xfa;

const END_HEADERS: u8 = 0x4;
const PADDED: u8 = 0x8;

/// `:status: 200` as HPACK's static table has it.
const STATUS_200: &[u8] = &[0x88];
const PREFACE_BYTES: usize = 24;
/// The client's first request.
const STREAM: u32 = 1;

/// Limits of a test's fetch: no fetch ends later, and nothing of it lasts longer.
const SLOWEST: Duration = Duration::from_secs(10);
/// Bytes that the client may read of a server that sends only overhead, with what the sockets buffer.
const MAX_FLOOD_BYTES: u64 = 32 << 20;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// An attack: what is sent in place of settings, what is sent at once behind the request, and what follows for ever.
#[derive(Default)]
struct Attack {
    settings: Vec<u8>,
    response: Vec<u8>,
    repeated: Vec<u8>,
    /// Pause before each repetition.
    pause: Duration,
}

impl Attack {
    fn responding(response: impl Into<Vec<u8>>) -> Self {
        Self { settings: frame(SETTINGS, 0, 0, &[]), response: response.into(), ..Self::default() }
    }

    fn flooding(response: impl Into<Vec<u8>>, repeated: &[u8]) -> Self {
        // Many at once: the server is not to be slower than the client.
        Self { repeated: repeated.repeat((64 << 10) / repeated.len()), ..Self::responding(response) }
    }

    fn trickling(response: impl Into<Vec<u8>>, repeated: Vec<u8>) -> Self {
        Self { repeated, pause: Duration::from_millis(100), ..Self::responding(response) }
    }
}

fn head(fields: &[u8]) -> Vec<u8> {
    frame(HEADERS, END_HEADERS, STREAM, &[STATUS_200, fields].concat())
}

/// A header block whose 40 KB name 4,000 bytes 40,000 times.
fn header_bomb() -> Vec<u8> {
    let name = b"x-bomb";
    let mut block = vec![0x88, 0x40, u8::try_from(name.len()).unwrap()];
    block.extend_from_slice(name);
    // 4,000 as HPACK writes an integer of seven bits.
    block.extend_from_slice(&[0x7f, 0xa1, 0x1e]);
    block.extend(std::iter::repeat_n(b'a', 4_000));
    block.extend(std::iter::repeat_n(0xbe, 40_000));
    let mut parts = block.chunks(16_000);
    let mut frames = frame(HEADERS, 0, STREAM, parts.next().unwrap());
    for part in parts {
        frames.extend(frame(CONTINUATION, 0, STREAM, part));
    }
    frames.extend(frame(CONTINUATION, END_HEADERS, STREAM, &[]));
    frames
}

/// Returns every attack by name.
fn attacks() -> Vec<(&'static str, Attack)> {
    let ok = || head(&[]);
    let literal = [&[0x00, 0x01, b'x', 0x7f, 0x81, 0x7c][..], &[b'v'; 16_000]].concat();
    let informational = frame(HEADERS, END_HEADERS, STREAM, &[0x08, 0x03, b'1', b'0', b'3']);
    let setting = |id: u16, value: u32| frame(SETTINGS, 0, 0, &[&id.to_be_bytes()[..], &value.to_be_bytes()].concat());
    vec![
        ("silence", Attack::responding([])),
        ("pings", Attack::flooding([], &frame(PING, 0, 0, &[0; 8]))),
        ("pings behind a head", Attack::flooding(ok(), &frame(PING, 0, 0, &[0; 8]))),
        ("answers to no ping", Attack::flooding([], &frame(PING, 1, 0, &[0; 8]))),
        ("settings", Attack::flooding([], &frame(SETTINGS, 0, 0, &[]))),
        ("settings that change", Attack::flooding([], &[setting(4, 1), setting(4, 70_000)].concat())),
        ("priorities", Attack::flooding([], &frame(PRIORITY, 0, STREAM, &[0, 0, 0, 3, 1]))),
        ("unknown frames", Attack::flooding([], &frame(UNKNOWN, 0, 0, &[0; 1_000]))),
        ("windows beyond their limit", Attack::flooding([], &frame(WINDOW_UPDATE, 0, 0, &[0x7f, 0xff, 0xff, 0xff]))),
        ("small windows", Attack::flooding([], &frame(WINDOW_UPDATE, 0, STREAM, &[0, 0, 0, 1]))),
        ("informational heads", Attack::flooding([], &informational)),
        (
            "continuations",
            Attack::flooding(frame(HEADERS, 0, STREAM, STATUS_200), &frame(CONTINUATION, 0, STREAM, &literal)),
        ),
        (
            "empty continuations",
            Attack::flooding(frame(HEADERS, 0, STREAM, STATUS_200), &frame(CONTINUATION, 0, STREAM, &[])),
        ),
        ("one head that grows large", Attack::responding(header_bomb())),
        (
            "a head in pieces",
            Attack::trickling(frame(HEADERS, 0, STREAM, STATUS_200), frame(CONTINUATION, 0, STREAM, &[])),
        ),
        ("empty data", Attack::flooding(ok(), &frame(DATA, 0, STREAM, &[]))),
        ("padding", Attack::flooding(ok(), &frame(DATA, PADDED, STREAM, &[vec![255], vec![0; 255]].concat()))),
        ("a body in bytes", Attack::trickling(ok(), frame(DATA, 0, STREAM, b"x"))),
        ("a body that never begins", Attack::responding(ok())),
        ("data before the head", Attack::responding(frame(DATA, 0, STREAM, b"body"))),
        ("data of no request", Attack::flooding(ok(), &frame(DATA, 0, 99, &[0; 1_000]))),
        ("more data than the window", Attack::flooding(ok(), &frame(DATA, 0, STREAM + 2, &[0; 16_000]))),
        (
            "more data than announced",
            Attack::responding([head(&[0x0f, 0x0d, 0x01, b'1']), frame(DATA, 1, STREAM, b"two")].concat()),
        ),
        ("promises", Attack::flooding([], &frame(PUSH_PROMISE, END_HEADERS, STREAM, &[0, 0, 0, 2, 0x82, 0x84, 0x87]))),
        ("refused", Attack::responding(frame(RST_STREAM, 0, STREAM, &[0, 0, 0, 7]))),
        ("resets", Attack::flooding([], &frame(RST_STREAM, 0, STREAM, &[0, 0, 0, 8]))),
        ("going away", Attack::responding(frame(GOAWAY, 0, 0, &[0; 8]))),
        ("going away for ever", Attack::flooding([], &frame(GOAWAY, 0, 0, &[0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]))),
        ("a frame beyond the limit", Attack::responding(frame(DATA, 0, STREAM, &vec![0; 1 << 20]))),
        ("a head of no meaning", Attack::responding(frame(HEADERS, END_HEADERS, STREAM, &[0xff; 64]))),
        (
            "a head without a status",
            Attack::responding(frame(HEADERS, END_HEADERS, STREAM, &[0x00, 0x01, b'a', 0x01, b'b'])),
        ),
        (
            "HTTP/1",
            Attack { settings: b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".to_vec(), ..Attack::default() },
        ),
        ("no stream allowed", Attack { settings: setting(3, 0), ..Attack::default() }),
        ("frames of no size", Attack { settings: setting(5, 0), ..Attack::default() }),
        ("a table of four gigabytes", Attack { settings: setting(1, u32::MAX), ..Attack::default() }),
        ("a window of no size", Attack { settings: setting(4, 0), ..Attack::default() }),
    ]
}

/// Counts of a hostile server.
struct Counts {
    sent: AtomicU64,
    open: Semaphore,
}

const MAX_CONNECTIONS: u32 = 1_000;

async fn attack(stream: TlsStream<TcpStream>, attack: &Attack, counts: &Counts) -> io::Result<()> {
    let _open = counts.open.acquire().await.unwrap();
    let (mut reader, mut writer) = tokio::io::split(stream);
    reader.read_exact(&mut [0; PREFACE_BYTES]).await?;
    writer.write_all(&attack.settings).await?;
    writer.flush().await?;
    let mut closed = std::pin::pin!(drain(&mut reader));
    tokio::select! {
        _ = &mut closed => return Ok(()),
        outcome = send(&mut writer, attack, counts) => outcome?,
    }
    // The attack is over; the client decides how long the connection lasts.
    closed.await
}

async fn send(writer: &mut WriteHalf<TlsStream<TcpStream>>, attack: &Attack, counts: &Counts) -> io::Result<()> {
    // The request is there in most cases by now; an attack on a stream that is not open yet is one as well.
    tokio::time::sleep(Duration::from_millis(20)).await;
    writer.write_all(&attack.response).await?;
    writer.flush().await?;
    while !attack.repeated.is_empty() {
        tokio::time::sleep(attack.pause).await;
        writer.write_all(&attack.repeated).await?;
        writer.flush().await?;
        counts.sent.fetch_add(attack.repeated.len() as u64, Ordering::Relaxed);
    }
    Ok(())
}

/// Reads until the client closes.
async fn drain(reader: &mut ReadHalf<TlsStream<TcpStream>>) -> io::Result<()> {
    let mut space = [0; 4096];
    while reader.read(&mut space).await? > 0 {}
    Ok(())
}

/// A server that attacks each of its connections.
struct HostileServer {
    server: Server,
    counts: Arc<Counts>,
}

impl HostileServer {
    async fn start(kind: Attack, authority: &Authority) -> Self {
        let counts = Arc::new(Counts { sent: AtomicU64::new(0), open: Semaphore::new(MAX_CONNECTIONS as usize) });
        let (kind, acceptor) = (Arc::new(kind), authority.acceptor(&["site.test"], &["h2"]));
        let handler_counts = counts.clone();
        let server = Server::start(move |stream, _| {
            let (acceptor, kind, counts) = (acceptor.clone(), kind.clone(), handler_counts.clone());
            async move { attack(acceptor.accept(stream).await?, &kind, &counts).await }
        });
        Self { server: server.await, counts }
    }

    /// Returns a client that knows the server.
    fn client(&self, authority: &Authority, timeouts: Timeouts, idle_connection_ttl: Duration) -> Client {
        let policy = EgressPolicy { hosts: [("site.test".to_owned(), self.server.address)].into(), ..loopback() };
        client(EgressOptions {
            policy,
            timeouts,
            extra_ca_pem: Some(authority.pem()),
            idle_connection_ttl,
            resolver: Some(Arc::new(Names::default())),
            ..Default::default()
        })
    }

    /// Fails unless the client closes its connections, and soon.
    async fn assert_closed(&self, name: &str) {
        let closed = timeout(SLOWEST, self.counts.open.acquire_many(MAX_CONNECTIONS)).await;
        drop(closed.unwrap_or_else(|_| panic!("{name}: still open")).unwrap());
        let sent = self.counts.sent.load(Ordering::Relaxed);
        assert!(sent <= MAX_FLOOD_BYTES * self.server.connections() as u64, "{name}: {sent} bytes were read");
    }
}

#[tokio::test]
async fn hostile_http2_servers_end_in_time_and_leave_no_connection() {
    let authority = Authority::new();
    let fetches = attacks().into_iter().map(|(name, kind)| attacked(name, kind, &authority));
    futures::future::join_all(fetches).await;
}

async fn attacked(name: &str, kind: Attack, authority: &Authority) {
    let hostile = HostileServer::start(kind, authority).await;
    let short = Duration::from_secs(1);
    let timeouts = Timeouts { first_byte: short, idle: short, total: 2 * short, ..Timeouts::default() };
    let client = hostile.client(authority, timeouts, short);
    let started = Instant::now();
    let outcome = get(&client, "https://site.test/").await;
    assert!(started.elapsed() < SLOWEST, "{name}: {:?}", started.elapsed());
    let error = outcome.map(|response| response.body).expect_err(name);
    let is_expected = match &error {
        FetchError::Unreachable(_) | FetchError::Protocol(_) | FetchError::TooLarge(Exceeded::Headers) => true,
        FetchError::Timeout(phase) => matches!(phase, Phase::FirstByte | Phase::Idle | Phase::Total),
        _ => false,
    };
    assert!(is_expected, "{name}: {error}");
    assert!(hostile.server.connections() <= 3, "{name}: {} connections", hostile.server.connections());
    hostile.assert_closed(name).await;
}

/// With time limits that are never reached, so that only the limit of overhead ends these.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_on_which_only_overhead_arrives_are_closed() {
    let authority = Authority::new();
    let ping = frame(PING, 1, 0, &[0; 8]);
    let whole = [head(&[]), frame(DATA, 1, STREAM, b"whole")].concat();
    for (name, response) in [("before the head", vec![]), ("behind the head", head(&[])), ("behind the end", whole)] {
        let hostile = HostileServer::start(Attack::flooding(response, &ping), &authority).await;
        let long = Duration::from_secs(60);
        let timeouts = Timeouts { first_byte: long, idle: long, total: long, ..Timeouts::default() };
        let client = hostile.client(&authority, timeouts, long);
        let outcome = get(&client, "https://site.test/").await;
        match outcome {
            Ok(response) => assert_eq!((name, &response.body[..]), ("behind the end", &b"whole"[..])),
            Err(error) => assert!(error.to_string().contains("without any of a response"), "{name}: {error}"),
        }
        hostile.assert_closed(name).await;
    }
}
