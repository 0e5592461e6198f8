//! One browser connection: authentication, dispatch and response.

use crate::Config;
use crate::forward::Upstream;
use crate::metered_io::MeteredStream;
use crate::page_budgets::{PageAccount, PageBudgets};
use bytes::Bytes;
use http::header::{CONTENT_TYPE, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION};
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use limner_netguard::{ACTIVATION_URL, Client, Credentials, FetchError};
use std::io;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

pub(crate) type ProxyResponse = Response<BoxBody<Bytes, io::Error>>;

/// Header with the reason of a response by the proxy itself; removed from responses of sites.
pub(crate) const PROXY_RESPONSE: HeaderName = HeaderName::from_static("x-limner-egress");

/// Maximum size of the head of a request or response.
pub(crate) const MAX_HEAD_BYTES: usize = 256 * 1024;

/// State shared by all connections.
pub(crate) struct Proxy {
    pub(crate) config: Config,
    pub(crate) client: Client,
    pub(crate) pages: PageBudgets,
    pub(crate) tunnels: TaskTracker,
}

/// A browser's connection.
struct BrowserConnection {
    proxy: Arc<Proxy>,
    /// The connection to the most recently requested site, kept for the next request: requests are sequential.
    upstream: Mutex<Option<Upstream>>,
}

impl Proxy {
    /// Serves a connection until it ends or `shutdown`.
    pub(crate) async fn serve(self: Arc<Self>, stream: TcpStream, shutdown: CancellationToken) {
        let link = Arc::new(BrowserConnection { proxy: Arc::clone(&self), upstream: Mutex::default() });
        let service = service_fn(move |request| {
            let link = Arc::clone(&link);
            async move { Ok::<_, std::convert::Infallible>(link.answer(request).await) }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.config.idle)
            .preserve_header_case(true)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let mut connection = std::pin::pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = shutdown.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(cause) = ended {
            tracing::debug!(error = %cause, "browser connection ended early");
        }
    }

    fn admit(&self, request: &Request<Incoming>) -> Result<Arc<PageAccount>, ProxyError> {
        let header = request.headers().get(PROXY_AUTHORIZATION).and_then(|value| value.to_str().ok());
        let credentials = header.and_then(Credentials::from_basic);
        let Some(pass) = credentials.and_then(|given| self.config.passes.verify(&given, SystemTime::now())) else {
            return Err(ProxyError::NO_TOKEN);
        };
        self.pages.account(pass).ok_or(ProxyError::CROWDED)
    }
}

impl BrowserConnection {
    async fn answer(&self, request: Request<Incoming>) -> ProxyResponse {
        let kind = match (request.method(), request.uri().scheme_str()) {
            (&Method::CONNECT, _) => "tunnel",
            (_, Some(_)) => "forward",
            (_, None) => "report",
        };
        let outcome = match self.proxy.admit(&request) {
            Err(refused) => Err(refused),
            Ok(page) if kind == "report" => report(&request, &page),
            Ok(_) if request.uri() == ACTIVATION_URL => Ok(Response::new(empty())),
            Ok(page) => self.forward(request, page).await,
        };
        let word = outcome.as_ref().map_or_else(|refused| refused.why, |_| "passed");
        metrics::counter!("limner_egress_requests_total", "kind" => kind, "outcome" => word).increment(1);
        outcome.unwrap_or_else(ProxyError::into_answer)
    }

    async fn forward(&self, request: Request<Incoming>, page: Arc<PageAccount>) -> Result<ProxyResponse, ProxyError> {
        if page.is_closed() || !page.count_request() {
            return Err(ProxyError::BUDGET_EXHAUSTED);
        }
        let open = page.open(self.proxy.config.max_connections_per_page).ok_or(ProxyError::TOO_MANY_CONNECTIONS)?;
        if request.method() != Method::CONNECT {
            return self.proxy.forward(&self.upstream, request, page, open).await;
        }
        let authority = request.uri().authority().ok_or(ProxyError::BAD_REQUEST)?;
        let port = authority.port_u16().unwrap_or(443);
        let host = authority.host().to_owned();
        let site = tokio::select! {
            site = self.proxy.connect(&host, port, &page) => site?,
            () = page.wait_until_ended() => return Err(ProxyError::BUDGET_EXHAUSTED),
        };
        let upgrade = hyper::upgrade::on(request);
        let tunnel = async move {
            let Ok(browser) = upgrade.await else { return };
            let mut browser = MeteredStream::new(TokioIo::new(browser), Arc::clone(&page), open);
            let mut site = site;
            tokio::select! {
                _ = tokio::io::copy_bidirectional(&mut browser, &mut site) => {}
                () = page.wait_until_ended() => {}
            }
        };
        self.proxy.tunnels.spawn(tunnel.in_current_span());
        Ok(Response::new(empty()))
    }
}

impl Proxy {
    /// Connects to a checked address of a site.
    pub(crate) async fn connect(&self, host: &str, port: u16, page: &PageAccount) -> Result<TcpStream, ProxyError> {
        let outcome = self.client.connect(host, port, Instant::now() + self.config.connect).await;
        outcome.map_err(|fault| {
            page.record_failure(&format!("{host}:{port}"), &fault);
            ProxyError::from_fetch_error(&fault)
        })
    }
}

/// An error response by the proxy itself: a status, and a label for logs and metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProxyError {
    status: StatusCode,
    why: &'static str,
}

impl ProxyError {
    const NO_TOKEN: Self = Self::new(StatusCode::PROXY_AUTHENTICATION_REQUIRED, "no_pass");
    const CROWDED: Self = Self::new(StatusCode::SERVICE_UNAVAILABLE, "crowded");
    const TOO_MANY_CONNECTIONS: Self = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_connections");
    pub(crate) const BUDGET_EXHAUSTED: Self = Self::new(StatusCode::FORBIDDEN, "used_up");
    pub(crate) const BAD_REQUEST: Self = Self::new(StatusCode::BAD_REQUEST, "bad_request");
    pub(crate) const INTERRUPTED: Self = Self::new(StatusCode::BAD_GATEWAY, "interrupted");

    const fn new(status: StatusCode, why: &'static str) -> Self {
        Self { status, why }
    }

    /// Returns the error for a site that cannot be reached. The reason is recorded in the page's account, which pages
    /// cannot read.
    pub(crate) fn from_fetch_error(fault: &FetchError) -> Self {
        match fault {
            FetchError::Timeout(_) => Self::new(StatusCode::GATEWAY_TIMEOUT, "timeout"),
            _ => Self::new(StatusCode::BAD_GATEWAY, "unreachable"),
        }
    }

    fn into_answer(self) -> ProxyResponse {
        let mut answer = Response::new(empty());
        *answer.status_mut() = self.status;
        answer.headers_mut().insert(PROXY_RESPONSE, HeaderValue::from_static(self.why));
        if self == Self::NO_TOKEN {
            answer.headers_mut().insert(PROXY_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"limner\""));
        }
        answer
    }
}

/// Handles `GET` (returns the page's usage) and `DELETE` (also ends the page).
fn report(request: &Request<Incoming>, page: &PageAccount) -> Result<ProxyResponse, ProxyError> {
    match *request.method() {
        Method::GET => {}
        Method::DELETE => page.close(),
        _ => return Err(ProxyError::BAD_REQUEST),
    }
    let body = serde_json::to_vec(&page.report()).unwrap_or_default();
    let mut answer = Response::new(full_body(body.into()));
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(answer)
}

fn empty() -> BoxBody<Bytes, io::Error> {
    full_body(Bytes::new())
}

fn full_body(bytes: Bytes) -> BoxBody<Bytes, io::Error> {
    Full::new(bytes).map_err(|never| match never {}).boxed()
}
