//! Servers, resolvers and clients for these tests.

use async_compression::tokio::write::{BrotliEncoder, DeflateEncoder, GzipEncoder, ZlibEncoder, ZstdEncoder};
use futures::future::BoxFuture;
use limner_netguard::{
    Client, EgressOptions, EgressPolicy, FetchError, FetchRequest, FetchResponse, Resolver, Timeouts,
};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use url::Url;

pub(crate) fn url(text: &str) -> Url {
    Url::parse(text).unwrap_or_else(|cause| panic!("{text}: {cause}"))
}

pub(crate) fn test_deadline() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

pub(crate) fn loopback() -> EgressPolicy {
    EgressPolicy { allow: vec!["127.0.0.0/8".parse().unwrap()], ..EgressPolicy::default() }
}

pub(crate) fn client_with(policy: EgressPolicy) -> Client {
    client(EgressOptions { policy, resolver: Some(Arc::new(Names::default())), ..EgressOptions::default() })
}

pub(crate) fn client(options: EgressOptions) -> Client {
    Client::new(options).unwrap()
}

/// Returns a client that may reach loopback, with one short time limit.
pub(crate) fn hurried(set: impl FnOnce(&mut Timeouts)) -> Client {
    let mut timeouts = Timeouts::default();
    set(&mut timeouts);
    client(EgressOptions {
        policy: loopback(),
        timeouts,
        resolver: Some(Arc::new(Names::default())),
        ..Default::default()
    })
}

pub(crate) async fn get(client: &Client, address: &str) -> Result<FetchResponse, FetchError> {
    client.get(FetchRequest::new(url(address), test_deadline())).await
}

/// A name for 127.0.0.1: literal addresses stay forbidden.
pub(crate) const LOOPBACK: &str = "loopback.example";

/// A resolver with fixed answers. [`LOOPBACK`] is always known; other names that are not in the table do not exist.
#[derive(Debug, Default)]
pub(crate) struct Names(pub(crate) HashMap<String, Vec<IpAddr>>);

impl Names {
    pub(crate) fn from_entries(entries: &[(&str, &[&str])]) -> Self {
        let parse = |ips: &[&str]| ips.iter().map(|ip| ip.parse().unwrap()).collect();
        Self(entries.iter().map(|(name, ips)| ((*name).to_owned(), parse(ips))).collect())
    }
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let loopback = (name == LOOPBACK).then(|| vec![Ipv4Addr::LOCALHOST.into()]);
        let answer = self.0.get(name).cloned().or(loopback).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound));
        Box::pin(async move { answer })
    }
}

/// A resolver that returns its answers in turn, then always the last one, and counts the queries.
#[derive(Debug)]
pub(crate) struct Rebinding {
    answers: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl Rebinding {
    pub(crate) fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |ips: &&[&str]| ips.iter().map(|ip| ip.parse().unwrap()).collect();
        Arc::new(Self { answers: answers.iter().map(parse).collect(), asked: AtomicUsize::new(0) })
    }

    pub(crate) fn lookup_count(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Resolver for Rebinding {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let turn = self.asked.fetch_add(1, Ordering::SeqCst).min(self.answers.len() - 1);
        Box::pin(async move { Ok(self.answers[turn].clone()) })
    }
}

/// A listener on every address of this machine that must not be connected to.
pub(crate) struct Canary {
    v4: TcpListener,
    v6: Option<TcpListener>,
    pub(crate) port: u16,
}

impl Canary {
    pub(crate) async fn start() -> Self {
        let v4 = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await.unwrap();
        let port = v4.local_addr().unwrap().port();
        let v6 = only_v6(port);
        Self { v4, v6, port }
    }

    /// Fails if there was a connection. The kernel delivers connections in order, so one made now comes first only if
    /// there was none before.
    pub(crate) async fn assert_untouched(&self) {
        assert_first_is_ours(&self.v4, (Ipv4Addr::LOCALHOST, self.port).into()).await;
        if let Some(v6) = &self.v6 {
            assert_first_is_ours(v6, (Ipv6Addr::LOCALHOST, self.port).into()).await;
        }
    }
}

fn only_v6(port: u16) -> Option<TcpListener> {
    let socket = tokio::net::TcpSocket::new_v6().ok()?;
    // Linux lets an IPv6 listener share the port only if it is bound to a specific address.
    socket.bind((Ipv6Addr::LOCALHOST, port).into()).ok()?;
    socket.listen(128).ok()
}

async fn assert_first_is_ours(listener: &TcpListener, address: SocketAddr) {
    let ours = TcpStream::connect(address).await.unwrap();
    let (_, first) = listener.accept().await.unwrap();
    assert_eq!(first, ours.local_addr().unwrap(), "the canary was connected to");
}

/// The heads of the requests that a server received.
pub(crate) type Log = Arc<Mutex<Vec<String>>>;

/// A server that handles each connection as the test defines.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start<F, Fut>(handle: F) -> Self
    where
        F: Fn(TcpStream, usize) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = io::Result<()>> + Send + 'static,
    {
        Self::start_at(IpAddr::V4(Ipv4Addr::LOCALHOST), 0, handle).await
    }

    /// Starts a server; `handle` gets each connection with its number, from 0.
    pub(crate) async fn start_at<F, Fut>(ip: IpAddr, port: u16, handle: F) -> Self
    where
        F: Fn(TcpStream, usize) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = io::Result<()>> + Send + 'static,
    {
        let listener = TcpListener::bind((ip, port)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = connections.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let number = counter.fetch_add(1, Ordering::SeqCst);
                // A client that disconnects early is not an error of the server.
                tokio::spawn(handle(stream, number));
            }
        });
        Self { address, connections, task }
    }

    /// Starts a server that answers every request with these bytes, then closes.
    pub(crate) async fn responding(response: impl Into<Vec<u8>>) -> Self {
        let response: Arc<[u8]> = response.into().into();
        Self::start(move |mut stream, _| {
            let response = response.clone();
            async move {
                read_head(&mut stream).await?;
                stream.write_all(&response).await?;
                stream.shutdown().await
            }
        })
        .await
    }

    /// Starts a server that sends `head`, then `piece` repeatedly, pausing `pause` before each.
    pub(crate) async fn repeating(head: &'static str, piece: impl Into<Vec<u8>>, pause: Duration) -> Self {
        let piece: Arc<[u8]> = piece.into().into();
        Self::start(move |mut stream, _| {
            let piece = piece.clone();
            async move {
                read_head(&mut stream).await?;
                stream.write_all(head.as_bytes()).await?;
                loop {
                    tokio::time::sleep(pause).await;
                    stream.write_all(&piece).await?;
                }
            }
        })
        .await
    }

    /// Starts a server that answers each path with the response of `route`, and logs the request heads.
    pub(crate) async fn routing<F>(route: F) -> (Self, Log)
    where
        F: Fn(&str) -> String + Send + Sync + 'static,
    {
        Self::routing_at("127.0.0.1", route).await
    }

    pub(crate) async fn routing_at<F>(ip: &str, route: F) -> (Self, Log)
    where
        F: Fn(&str) -> String + Send + Sync + 'static,
    {
        let log = Arc::new(Mutex::new(Vec::new()));
        let (route, requests) = (Arc::new(route), log.clone());
        let server = Self::start_at(ip.parse().unwrap(), 0, move |mut stream, _| {
            let (route, requests) = (route.clone(), requests.clone());
            async move {
                let head = read_head(&mut stream).await?;
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                requests.lock().unwrap().push(head);
                stream.write_all(route(&path).as_bytes()).await?;
                stream.shutdown().await
            }
        })
        .await;
        (server, log)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{LOOPBACK}:{}{path}", self.address.port())
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Reads a request to the end of its head.
pub(crate) async fn read_head(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// Returns a complete response.
pub(crate) fn response(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    [head.as_bytes(), body].concat()
}

pub(crate) fn ok(body: &str) -> String {
    String::from_utf8(response("200 OK", &[], body.as_bytes())).unwrap()
}

pub(crate) fn redirect(status: u16, location: &str) -> String {
    String::from_utf8(response(&format!("{status} Moved"), &[("Location", location)], b"moved")).unwrap()
}

/// Encodes `data` with one content coding; `deflate-raw` is the raw stream that some servers send as `deflate`.
pub(crate) async fn encoded(coding: &str, data: &[u8]) -> Vec<u8> {
    macro_rules! with {
        ($encoder:ident) => {{
            let mut encoder = $encoder::new(Vec::new());
            encoder.write_all(data).await.unwrap();
            encoder.shutdown().await.unwrap();
            encoder.into_inner()
        }};
    }
    match coding {
        "gzip" | "x-gzip" => with!(GzipEncoder),
        "br" => with!(BrotliEncoder),
        "zstd" => with!(ZstdEncoder),
        "deflate" => with!(ZlibEncoder),
        "deflate-raw" => with!(DeflateEncoder),
        other => panic!("no such coding: {other}"),
    }
}
