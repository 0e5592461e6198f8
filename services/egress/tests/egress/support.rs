//! A proxy with a site behind it, and the browser's side of the connection.

use bytes::Bytes;
use http::header::PROXY_AUTHORIZATION;
use http::{HeaderValue, Method, Request, Uri};
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use limner_egress::{Config, Egress};
use limner_netguard::{
    Client, Credentials, EgressBudget, EgressOptions, EgressPolicy, EgressToken, EgressTokenKey, PageReport, Resolver,
};
use limner_testkit::OriginServer;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

pub(crate) const ROOMY: EgressBudget = EgressBudget { bytes: 10_000_000, requests: 1_000 };

/// A resolver: `inside.test` has a private address, `both.test` a public one as well; other names do not exist.
#[derive(Debug)]
struct Names;

impl Resolver for Names {
    fn resolve<'a>(
        &'a self,
        name: &'a str,
    ) -> std::pin::Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>> {
        let inside = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
        let answer = match name {
            LOOPBACK => Ok(vec![Ipv4Addr::LOCALHOST.into()]),
            "inside.test" => Ok(vec![inside]),
            "both.test" => Ok(vec![IpAddr::V4(Ipv4Addr::new(93, 184, 215, 14)), inside]),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        Box::pin(async move { answer })
    }
}

/// A name for 127.0.0.1: literal addresses stay forbidden.
const LOOPBACK: &str = "loopback.test";

/// Returns host name and port of a listener on loopback.
pub(crate) fn host_and_port(address: SocketAddr) -> String {
    format!("{LOOPBACK}:{}", address.port())
}

pub(crate) struct Kit {
    pub(crate) site: OriginServer,
    proxy: SocketAddr,
    key: EgressTokenKey,
    stop: CancellationToken,
}

impl Kit {
    /// Starts a proxy that may reach 127.0.0.1 besides public addresses; `site.test` is the site.
    pub(crate) async fn start() -> Self {
        let site = OriginServer::start().await;
        let policy = EgressPolicy {
            allow: vec!["127.0.0.1/32".parse().unwrap()],
            hosts: [("site.test".to_owned(), site.address())].into(),
            ..EgressPolicy::default()
        };
        let options = EgressOptions { policy, resolver: Some(Arc::new(Names)), ..EgressOptions::default() };
        let key = EgressTokenKey::new("a secret of this test");
        let config = Config::new((Ipv4Addr::LOCALHOST, 0).into(), key.clone());
        let egress = Egress::bind(config, Client::new(options).unwrap()).await.unwrap();
        let (proxy, stop) = (egress.local_addr(), CancellationToken::new());
        tokio::spawn(egress.run(stop.clone()));
        Self { site, proxy, key, stop }
    }

    pub(crate) fn page(&self, name: &str) -> Page {
        self.page_with(name, ROOMY)
    }

    pub(crate) fn page_with(&self, name: &str, allowance: EgressBudget) -> Page {
        let pass = EgressToken::lasting(name, allowance, Duration::from_secs(60));
        Page { proxy: self.proxy, authorization: self.key.sign(&pass).to_basic() }
    }

    pub(crate) fn pass_of(key: &EgressTokenKey) -> Credentials {
        key.sign(&EgressToken::lasting("p", ROOMY, Duration::from_secs(60)))
    }

    /// Sends a raw request; returns status and head of the response.
    pub(crate) async fn raw(&self, first_line: &str, authorization: Option<&str>) -> (u16, String) {
        let mut stream = TcpStream::connect(self.proxy).await.unwrap();
        let authorization = authorization.map(|value| format!("Proxy-Authorization: {value}\r\n")).unwrap_or_default();
        let request = format!("{first_line}\r\nHost: x\r\nConnection: close\r\n{authorization}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }
}

impl Drop for Kit {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// A page's browser.
pub(crate) struct Page {
    proxy: SocketAddr,
    authorization: String,
}

impl Page {
    async fn link(&self) -> http1::SendRequest<Empty<Bytes>> {
        let stream = TcpStream::connect(self.proxy).await.unwrap();
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection.with_upgrades());
        sender
    }

    fn request(&self, method: Method, target: &str) -> Request<Empty<Bytes>> {
        let mut request = Request::new(Empty::new());
        *request.method_mut() = method;
        *request.uri_mut() = target.parse::<Uri>().unwrap();
        request.headers_mut().insert(PROXY_AUTHORIZATION, self.authorization.parse().unwrap());
        request
    }

    /// Sends a request that no client library would write, with the page's token after its first line, and returns
    /// everything that comes back.
    pub(crate) async fn exchange(&self, request: &str) -> String {
        let (first_line, rest) = request.split_once("\r\n").unwrap();
        let request = format!("{first_line}\r\nproxy-authorization: {}\r\n{rest}", self.authorization);
        let mut stream = TcpStream::connect(self.proxy).await.unwrap();
        // The proxy may close before it has read everything.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answers = Vec::new();
        // It may also wait for the rest of a body.
        let _ = tokio::time::timeout(Duration::from_secs(1), stream.read_to_end(&mut answers)).await;
        String::from_utf8_lossy(&answers).into_owned()
    }

    /// Returns status, headers, and the received part of the body.
    pub(crate) async fn get(&self, url: &str) -> (u16, String, String) {
        let mut link = self.link().await;
        let response = link.send_request(self.request(Method::GET, url)).await.unwrap();
        let (status, headers) = (response.status().as_u16(), plain(response.headers()));
        let mut body = response.into_body();
        let mut bytes = Vec::new();
        while let Some(Ok(frame)) = body.frame().await {
            bytes.extend_from_slice(frame.data_ref().unwrap());
        }
        (status, headers, String::from_utf8(bytes).unwrap())
    }

    /// Returns status, the received part of the body, and true if the body ended in order. A response that breaks off
    /// with its head has the status 0.
    pub(crate) async fn get_with(&self, url: &str, headers: &[(&'static str, &'static str)]) -> (u16, String, bool) {
        let mut request = self.request(Method::GET, url);
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_static(value));
        }
        let Ok(response) = self.link().await.send_request(request).await else { return (0, String::new(), false) };
        let status = response.status().as_u16();
        let mut body = response.into_body();
        let mut bytes = Vec::new();
        loop {
            match body.frame().await {
                Some(Ok(frame)) => bytes.extend_from_slice(frame.data_ref().unwrap()),
                end => return (status, String::from_utf8(bytes).unwrap(), end.is_none()),
            }
        }
    }

    pub(crate) async fn get_over_one_connection(&self, urls: &[&str]) -> Vec<String> {
        let mut link = self.link().await;
        let mut bodies = Vec::new();
        for url in urls {
            link.ready().await.unwrap();
            let response = link.send_request(self.request(Method::GET, url)).await.unwrap();
            let bytes = response.into_body().collect().await.unwrap().to_bytes();
            bodies.push(String::from_utf8(bytes.to_vec()).unwrap());
        }
        bodies
    }

    /// Returns status and headers of the response to `CONNECT`.
    pub(crate) async fn connect(&self, authority: &str) -> (u16, String) {
        let response = self.link().await.send_request(self.request(Method::CONNECT, authority)).await.unwrap();
        (response.status().as_u16(), plain(response.headers()))
    }

    pub(crate) async fn tunnel(&self, authority: &str) -> TokioIo<Upgraded> {
        let response = self.link().await.send_request(self.request(Method::CONNECT, authority)).await.unwrap();
        assert_eq!(response.status(), 200);
        TokioIo::new(hyper::upgrade::on(response).await.unwrap())
    }

    pub(crate) async fn report(&self) -> PageReport {
        self.ask(Method::GET).await
    }

    pub(crate) async fn close(&self) -> PageReport {
        self.ask(Method::DELETE).await
    }

    async fn ask(&self, method: Method) -> PageReport {
        let response = self.link().await.send_request(self.request(method, "/")).await.unwrap();
        serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap()
    }
}

fn plain(headers: &http::HeaderMap) -> String {
    let known = headers.iter().filter(|(name, _)| *name != http::header::DATE);
    known.map(|(name, value)| format!("{name}: {}\n", value.to_str().unwrap())).collect()
}

/// A listener on 127.0.0.2 that must not be reached.
pub(crate) struct Canary {
    pub(crate) port: u16,
    connections: Arc<AtomicUsize>,
}

impl Canary {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.2", 0)).await.unwrap();
        let (port, connections) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
        let count = Arc::clone(&connections);
        tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { port, connections }
    }

    pub(crate) fn connection_count(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Starts an echo server.
pub(crate) async fn echo() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut read, mut write) = stream.split();
                let _ = tokio::io::copy(&mut read, &mut write).await;
            });
        }
    });
    address
}

/// Starts a server that sends `answer` to the first request of each connection, and nothing to others.
pub(crate) async fn answers_once(answer: String) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let answer = answer.clone();
            tokio::spawn(async move {
                let mut said = [0; 4_096];
                if stream.read(&mut said).await.is_ok() && stream.write_all(answer.as_bytes()).await.is_ok() {
                    while stream.read(&mut said).await.is_ok_and(|read| read > 0) {}
                }
            });
        }
    });
    address
}
