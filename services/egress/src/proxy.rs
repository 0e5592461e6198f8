//! One browser connection: authentication, dispatch and response.

use crate::Config;
use crate::forward::Upstream;
use crate::metered::MeteredStream;
use crate::pages::{Page, Pages};
use bytes::Bytes;
use http::header::{CONTENT_TYPE, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION};
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use limner_netguard::{Client, Credentials, FIRST_ADDRESS, FetchError};
use std::io;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

pub(crate) type Answer = Response<BoxBody<Bytes, io::Error>>;

/// Header with the reason of a response by the proxy itself; removed from responses of sites.
pub(crate) const OWN_ANSWER: HeaderName = HeaderName::from_static("x-limner-egress");

/// Maximum size of the head of a request or response.
pub(crate) const MAX_HEAD_BYTES: usize = 256 * 1024;

/// State shared by all connections.
pub(crate) struct Proxy {
    pub(crate) config: Config,
    pub(crate) client: Client,
    pub(crate) pages: Pages,
    pub(crate) tunnels: TaskTracker,
}

/// A browser's connection.
struct Link {
    proxy: Arc<Proxy>,
    /// The connection to the most recently requested site, kept for the next request: requests are sequential.
    upstream: Mutex<Option<Upstream>>,
}

impl Proxy {
    /// Serves a connection until it ends or `shutdown`.
    pub(crate) async fn serve(self: Arc<Self>, stream: TcpStream, shutdown: CancellationToken) {
        let link = Arc::new(Link { proxy: Arc::clone(&self), upstream: Mutex::default() });
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

    fn admit(&self, request: &Request<Incoming>) -> Result<Arc<Page>, Refused> {
        let header = request.headers().get(PROXY_AUTHORIZATION).and_then(|value| value.to_str().ok());
        let credentials = header.and_then(Credentials::from_basic);
        let Some(pass) = credentials.and_then(|given| self.config.passes.verify(&given, SystemTime::now())) else {
            return Err(Refused::NO_PASS);
        };
        self.pages.account(pass).ok_or(Refused::CROWDED)
    }
}

impl Link {
    async fn answer(&self, request: Request<Incoming>) -> Answer {
        let kind = match (request.method(), request.uri().scheme_str()) {
            (&Method::CONNECT, _) => "tunnel",
            (_, Some(_)) => "forward",
            (_, None) => "report",
        };
        let outcome = match self.proxy.admit(&request) {
            Err(refused) => Err(refused),
            Ok(page) if kind == "report" => report(&request, &page),
            Ok(_) if request.uri() == FIRST_ADDRESS => Ok(Response::new(empty())),
            Ok(page) => self.go_out(request, page).await,
        };
        let word = outcome.as_ref().map_or_else(|refused| refused.why, |_| "passed");
        metrics::counter!("limner_egress_requests_total", "kind" => kind, "outcome" => word).increment(1);
        outcome.unwrap_or_else(Refused::into_answer)
    }

    async fn go_out(&self, request: Request<Incoming>, page: Arc<Page>) -> Result<Answer, Refused> {
        if page.is_over() || !page.take_request() {
            return Err(Refused::USED_UP);
        }
        let open = page.open(self.proxy.config.max_connections_per_page).ok_or(Refused::TOO_MANY_CONNECTIONS)?;
        if request.method() != Method::CONNECT {
            return self.proxy.forward(&self.upstream, request, page, open).await;
        }
        let authority = request.uri().authority().ok_or(Refused::BAD_REQUEST)?;
        let port = authority.port_u16().unwrap_or(443);
        let host = authority.host().to_owned();
        let site = tokio::select! {
            site = self.proxy.connect(&host, port, &page) => site?,
            () = page.ended() => return Err(Refused::USED_UP),
        };
        let upgrade = hyper::upgrade::on(request);
        let tunnel = async move {
            let Ok(browser) = upgrade.await else { return };
            let mut browser = MeteredStream::new(TokioIo::new(browser), Arc::clone(&page), open);
            let mut site = site;
            tokio::select! {
                _ = tokio::io::copy_bidirectional(&mut browser, &mut site) => {}
                () = page.ended() => {}
            }
        };
        self.proxy.tunnels.spawn(tunnel.in_current_span());
        Ok(Response::new(empty()))
    }
}

impl Proxy {
    /// Connects to a checked address of a site.
    pub(crate) async fn connect(&self, host: &str, port: u16, page: &Page) -> Result<TcpStream, Refused> {
        let outcome = self.client.connect(host, port, Instant::now() + self.config.connect).await;
        outcome.map_err(|fault| {
            page.note(&format!("{host}:{port}"), &fault);
            Refused::of(&fault)
        })
    }
}

/// An error response by the proxy itself: a status, and a label for logs and metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refused {
    status: StatusCode,
    why: &'static str,
}

impl Refused {
    const NO_PASS: Self = Self::new(StatusCode::PROXY_AUTHENTICATION_REQUIRED, "no_pass");
    const CROWDED: Self = Self::new(StatusCode::SERVICE_UNAVAILABLE, "crowded");
    const TOO_MANY_CONNECTIONS: Self = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_connections");
    pub(crate) const USED_UP: Self = Self::new(StatusCode::FORBIDDEN, "used_up");
    pub(crate) const BAD_REQUEST: Self = Self::new(StatusCode::BAD_REQUEST, "bad_request");
    pub(crate) const INTERRUPTED: Self = Self::new(StatusCode::BAD_GATEWAY, "interrupted");

    const fn new(status: StatusCode, why: &'static str) -> Self {
        Self { status, why }
    }

    /// Returns the error for a site that cannot be reached. The reason is recorded in the page's account, which pages
    /// cannot read.
    pub(crate) fn of(fault: &FetchError) -> Self {
        match fault {
            FetchError::Timeout(_) => Self::new(StatusCode::GATEWAY_TIMEOUT, "timeout"),
            _ => Self::new(StatusCode::BAD_GATEWAY, "unreachable"),
        }
    }

    fn into_answer(self) -> Answer {
        let mut answer = Response::new(empty());
        *answer.status_mut() = self.status;
        answer.headers_mut().insert(OWN_ANSWER, HeaderValue::from_static(self.why));
        if self == Self::NO_PASS {
            answer.headers_mut().insert(PROXY_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"limner\""));
        }
        answer
    }
}

/// Handles `GET` (returns the page's usage) and `DELETE` (also ends the page).
fn report(request: &Request<Incoming>, page: &Page) -> Result<Answer, Refused> {
    match *request.method() {
        Method::GET => {}
        Method::DELETE => page.close(),
        _ => return Err(Refused::BAD_REQUEST),
    }
    let body = serde_json::to_vec(&page.report()).unwrap_or_default();
    let mut answer = Response::new(whole(body.into()));
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(answer)
}

fn empty() -> BoxBody<Bytes, io::Error> {
    whole(Bytes::new())
}

fn whole(bytes: Bytes) -> BoxBody<Bytes, io::Error> {
    Full::new(bytes).map_err(|never| match never {}).boxed()
}
