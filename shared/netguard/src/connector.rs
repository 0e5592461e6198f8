//! Opens the HTTP client's connections: a checked TCP connection, then TLS for https.

use crate::dialer::Dialer;
use crate::error::{EgressError, FetchError, Phase, Unreachable};
use crate::response_heads::ResponseHeads;
use futures::future::{BoxFuture, Ready, ready};
use http::Uri;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_rustls::{DefaultServerNameResolver, HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_util::io::InspectReader;
use tower::Service;

/// Opens checked connections for the HTTP client.
#[derive(Clone)]
pub(crate) struct Connector {
    dialer: Arc<Dialer>,
    tls: Arc<ClientConfig>,
}

impl Connector {
    pub(crate) fn new(dialer: Arc<Dialer>, tls: ClientConfig) -> Self {
        Self { dialer, tls: Arc::new(tls) }
    }

    async fn open(self, target: Uri) -> Result<ResponseHeads<MaybeHttpsStream<CheckedStream>>, FetchError> {
        let host = target.host().unwrap_or_default();
        let default_port = if target.scheme_str() == Some("https") { 443 } else { 80 };
        let tcp = self.dialer.dial(host, target.port_u16().unwrap_or(default_port)).await?;

        // The connection exists already, so that TLS has its own time limit.
        let opened = OneShotConnector(Some(CheckedStream::new(tcp)));
        let mut https = HttpsConnector::new(opened, self.tls, false, Arc::new(DefaultServerNameResolver::default()));
        let opened = timeout(self.dialer.timeouts.tls, https.call(target))
            .await
            .map_err(|_| FetchError::Timeout(Phase::Tls))?
            .map_err(|cause| Unreachable::Tls(cause.to_string()))?;
        Ok(ResponseHeads::negotiated(opened))
    }
}

impl Service<Uri> for Connector {
    type Response = ResponseHeads<MaybeHttpsStream<CheckedStream>>;
    type Error = FetchError;
    type Future = BoxFuture<'static, Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        Box::pin(self.clone().open(target))
    }
}

/// Returns a single connection that is already open.
struct OneShotConnector(Option<CheckedStream>);

impl Service<Uri> for OneShotConnector {
    type Response = CheckedStream;
    type Error = io::Error;
    type Future = Ready<Result<CheckedStream, io::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), io::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        ready(self.0.take().ok_or_else(|| io::Error::other("the connection was handed over before")))
    }
}

/// Maximum number of bytes that a server may send without a response's head or a part of its body among them. HTTP/2
/// never ends a flood of pings, settings or padding by itself. Its window lets a server be 5 MiB ahead of the reader.
const MAX_OVERHEAD_BYTES: usize = 16 << 20;

/// The state of a connection, shared with those who send requests over it.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConnectionState(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    has_answered: AtomicBool,
    overhead_bytes: AtomicUsize,
}

impl ConnectionState {
    /// Records the head of a response.
    pub(crate) fn record_head(&self) {
        self.0.has_answered.store(true, Ordering::Relaxed);
        self.record_progress();
    }

    /// Records a part of a response.
    pub(crate) fn record_progress(&self) {
        self.0.overhead_bytes.store(0, Ordering::Relaxed);
    }

    /// Returns true if the connection has answered before: only then may its failure be caused by its reuse.
    pub(crate) fn has_answered(&self) -> bool {
        self.0.has_answered.load(Ordering::Relaxed)
    }

    fn record_received(&self, bytes: &[u8]) {
        self.0.overhead_bytes.fetch_add(bytes.len(), Ordering::Relaxed);
    }

    fn is_flooded(&self) -> bool {
        self.0.overhead_bytes.load(Ordering::Relaxed) > MAX_OVERHEAD_BYTES
    }
}

type CountedStream = InspectReader<TcpStream, Box<dyn FnMut(&[u8]) + Send>>;

/// A TCP connection to a checked address, which ends if the server sends nothing but overhead.
pub(crate) struct CheckedStream {
    tcp: TokioIo<CountedStream>,
    state: ConnectionState,
}

impl CheckedStream {
    fn new(tcp: TcpStream) -> Self {
        let state = ConnectionState::default();
        let counted = state.clone();
        let count: Box<dyn FnMut(&[u8]) + Send> = Box::new(move |bytes| counted.record_received(bytes));
        Self { tcp: TokioIo::new(InspectReader::new(tcp, count)), state }
    }

    fn tcp(self: Pin<&mut Self>) -> Pin<&mut TokioIo<CountedStream>> {
        Pin::new(&mut self.get_mut().tcp)
    }
}

impl Connection for CheckedStream {
    fn connected(&self) -> Connected {
        Connected::new().extra(self.state.clone())
    }
}

impl Read for CheckedStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        if self.state.is_flooded() {
            let text = format!("more than {MAX_OVERHEAD_BYTES} bytes without any of a response");
            return Poll::Ready(Err(io::Error::other(text)));
        }
        self.tcp().poll_read(cx, buf)
    }
}

impl Write for CheckedStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.tcp().poll_write(cx, buf)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.tcp().poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.tcp().poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.tcp().poll_write_vectored(cx, bufs)
    }
}

/// Returns a TLS configuration like a browser's: the public CAs, HTTP/2 if offered.
pub(crate) fn tls_config(extra_ca_pem: Option<&[u8]>) -> Result<ClientConfig, EgressError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(pem) = extra_ca_pem {
        add_extra_authorities(&mut roots, pem)?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn add_extra_authorities(roots: &mut RootCertStore, pem: &[u8]) -> Result<(), EgressError> {
    let before = roots.len();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|cause| EgressError::ExtraCa(cause.to_string()))?;
        roots.add(certificate).map_err(|cause| EgressError::ExtraCa(cause.to_string()))?;
    }
    if roots.len() == before {
        return Err(EgressError::ExtraCa("no certificate found".to_owned()));
    }
    Ok(())
}
