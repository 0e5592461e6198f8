//! Slow servers: each phase has its own time limit, and none can be extended for ever.

use crate::support::*;
use futures::future::BoxFuture;
use limner_netguard::{
    Client, EgressOptions, Exceeded, FetchError, FetchRequest, Phase, Resolver, Timeouts, Unreachable,
};
use limner_types::ErrorCode;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, timeout};

const SHORT: Duration = Duration::from_millis(150);

/// Returns the phase in which a fetch timed out. It has to end long before the default limits.
async fn given_up(client: &Client, address: &str) -> Phase {
    let started = Instant::now();
    let error = get(client, address).await.unwrap_err();
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    match error {
        FetchError::Timeout(phase) => phase,
        other => panic!("{other}"),
    }
}

#[derive(Debug)]
struct NeverAnswers;

impl Resolver for NeverAnswers {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(futures::future::pending())
    }
}

#[tokio::test]
async fn silent_resolver_times_out() {
    let timeouts = Timeouts { resolve: SHORT, ..Timeouts::default() };
    let client = client(EgressOptions { timeouts, resolver: Some(Arc::new(NeverAnswers)), ..Default::default() });
    assert_eq!(given_up(&client, "http://slow.example/").await, Phase::Resolve);
    let error = get(&client, "http://slow.example/").await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::TargetUnreachable);
}

#[tokio::test]
async fn host_that_drops_connection_attempts() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    // Nobody accepts: once the queue is full, the kernel leaves further attempts pending.
    let mut queued = Vec::new();
    while let Ok(stream) = timeout(SHORT, TcpStream::connect(address)).await {
        queued.push(stream.unwrap());
    }
    let client = hurried(|clocks| clocks.connect = SHORT);
    assert_eq!(given_up(&client, &format!("http://{LOOPBACK}:{}/", address.port())).await, Phase::Connect);
    let error = client.connect(LOOPBACK, address.port(), test_deadline()).await.unwrap_err();
    assert_eq!(error, FetchError::Timeout(Phase::Connect));
    assert_eq!(error.code(), ErrorCode::TargetTimeout);
}

#[tokio::test]
async fn refused_connection_is_unreachable() {
    let server = Server::responding("").await;
    let address = server.url("/");
    drop(server);
    tokio::task::yield_now().await;
    let error = get(&client_with(loopback()), &address).await.unwrap_err();
    assert!(matches!(error, FetchError::Unreachable(Unreachable::Connect(_))), "{error}");
}

#[tokio::test]
async fn silent_tls_server_times_out() {
    let server = Server::start(|_stream, _| async move {
        let _held_open = _stream;
        futures::future::pending().await
    })
    .await;
    let client = hurried(|clocks| clocks.tls = SHORT);
    assert_eq!(given_up(&client, &format!("https://{LOOPBACK}:{}/", server.port())).await, Phase::Tls);
}

#[tokio::test]
async fn server_that_accepts_and_stays_silent_times_out() {
    let server = Server::start(|mut stream, _| async move {
        read_head(&mut stream).await?;
        futures::future::pending().await
    })
    .await;
    let client = hurried(|clocks| clocks.first_byte = SHORT);
    assert_eq!(given_up(&client, &server.url("/")).await, Phase::FirstByte);
}

#[tokio::test]
async fn head_that_trickles_in_is_cut_off() {
    let client = hurried(|clocks| clocks.first_byte = SHORT);
    for (start, piece) in [
        ("HTTP/1.1 200 OK\r\n", "X-Slow: 1\r\n"),
        ("HTTP/1.1 200 OK\r\nX-Slow: ", "x"),
        ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"),
    ] {
        let server = Server::repeating(start, piece, Duration::from_millis(10)).await;
        assert_eq!(given_up(&client, &server.url("/")).await, Phase::FirstByte, "{start:?} {piece:?}");
    }
}

#[tokio::test]
async fn flood_of_interim_responses_is_cut_off() {
    let client = hurried(|clocks| clocks.first_byte = SHORT);
    let server = Server::repeating("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(500), Duration::ZERO).await;
    assert_eq!(given_up(&client, &server.url("/")).await, Phase::FirstByte);
}

#[tokio::test]
async fn silent_connection_is_not_reused() {
    let server = Server::start(|mut stream, number| async move {
        use tokio::io::AsyncWriteExt;
        read_head(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await?;
        if number == 0 {
            read_head(&mut stream).await?;
            futures::future::pending::<()>().await;
        }
        Ok(())
    })
    .await;
    let client = hurried(|clocks| clocks.first_byte = SHORT);
    get(&client, &server.url("/")).await.unwrap();
    tokio::task::yield_now().await;
    assert_eq!(given_up(&client, &server.url("/")).await, Phase::FirstByte);
    get(&client, &server.url("/")).await.unwrap();
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn body_that_falls_silent() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";
    let server = Server::repeating(head, "start", Duration::from_secs(30)).await;
    let client = hurried(|clocks| clocks.idle = SHORT);
    assert_eq!(given_up(&client, &server.url("/")).await, Phase::Idle);
}

#[tokio::test]
async fn body_that_trickles_for_ever_is_cut_off() {
    let server = Server::repeating("HTTP/1.0 200 OK\r\n\r\n", "x", Duration::from_millis(10)).await;
    let client = hurried(|clocks| {
        clocks.idle = Duration::from_secs(2);
        clocks.total = Duration::from_millis(400);
    });
    assert_eq!(given_up(&client, &server.url("/")).await, Phase::Total);
}

#[tokio::test]
async fn deadline_of_a_fetch_is_kept_across_redirects() {
    let server = Server::start(|mut stream, number| async move {
        use tokio::io::AsyncWriteExt;
        read_head(&mut stream).await?;
        tokio::time::sleep(Duration::from_millis(60)).await;
        stream.write_all(redirect(302, &format!("/{number}")).as_bytes()).await
    })
    .await;
    let request = FetchRequest::new(url(&server.url("/")), Instant::now() + Duration::from_millis(300));
    let error = client_with(loopback()).get(request).await.unwrap_err();
    assert_eq!(error, FetchError::Timeout(Phase::Total));
    assert!(server.connections() >= 2, "it redirected before the deadline");
}

#[tokio::test]
async fn past_deadline_sends_no_request() {
    let server = Server::responding(ok("late")).await;
    let past = Instant::now().checked_sub(Duration::from_millis(1)).unwrap_or_else(Instant::now);
    let error = client_with(loopback()).get(FetchRequest::new(url(&server.url("/")), past)).await.unwrap_err();
    assert_eq!(error, FetchError::Timeout(Phase::Total));
}

#[tokio::test]
async fn heads_that_are_too_large() {
    let one_long = format!("HTTP/1.1 200 OK\r\nX-Long: {}\r\nContent-Length: 0\r\n\r\n", "x".repeat(1_000_000));
    let many = format!("HTTP/1.1 200 OK\r\n{}Content-Length: 0\r\n\r\n", "X-Many: 1\r\n".repeat(1_000));
    let mostly =
        format!("HTTP/1.1 200 OK\r\n{}Content-Length: 0\r\n\r\n", format!("X: {}\r\n", "x".repeat(900)).repeat(160));
    for head in [one_long, many, mostly] {
        let server = Server::responding(head).await;
        let error = get(&client_with(loopback()), &server.url("/")).await.unwrap_err();
        assert_eq!(error, FetchError::TooLarge(Exceeded::Headers));
    }
}

#[tokio::test]
async fn head_that_never_ends_is_cut_off() {
    let server = Server::repeating("HTTP/1.1 200 OK\r\nX-Endless: ", vec![b'x'; 16 * 1024], Duration::ZERO).await;
    let error = get(&client_with(loopback()), &server.url("/")).await.unwrap_err();
    assert_eq!(error, FetchError::TooLarge(Exceeded::Headers));
}

#[tokio::test]
async fn large_but_allowed_head_is_accepted() {
    let head = format!("HTTP/1.1 200 OK\r\nX-Long: {}\r\nContent-Length: 2\r\n\r\nok", "x".repeat(60_000));
    let server = Server::responding(head).await;
    assert_eq!(&get(&client_with(loopback()), &server.url("/")).await.unwrap().body[..], b"ok");
}
