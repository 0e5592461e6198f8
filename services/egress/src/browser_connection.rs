//! One browser connection: authentication, dispatch and response.

use crate::forward::{Upstream, forward};
use crate::metered_io::MeteredStream;
use crate::page_budgets::PageAccount;
use crate::proxy::{MAX_HEAD_BYTES, Proxy, Site};
use crate::proxy_response::{ProxyError, ProxyResponse, empty, full_body};
use http::header::{CONTENT_TYPE, PROXY_AUTHORIZATION};
use http::{HeaderValue, Method, Request, Response};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use limner_netguard::{ACTIVATION_URL, Credentials};
use std::sync::Arc;
use std::time::SystemTime;
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

/// A browser's connection.
struct BrowserConnection {
    proxy: Arc<Proxy>,
    /// The connection to the most recently requested site, kept for the next request: requests are sequential.
    upstream: Mutex<Option<Upstream>>,
}

/// Serves a connection until it ends or `shutdown`.
pub(crate) async fn serve(proxy: Arc<Proxy>, stream: TcpStream, shutdown: CancellationToken) {
    let link = Arc::new(BrowserConnection { proxy: Arc::clone(&proxy), upstream: Mutex::default() });
    let service = service_fn(move |request| {
        let link = Arc::clone(&link);
        async move { Ok::<_, std::convert::Infallible>(link.answer(request).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(proxy.config.idle)
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

impl BrowserConnection {
    async fn answer(&self, request: Request<Incoming>) -> ProxyResponse {
        let kind = match (request.method(), request.uri().scheme_str()) {
            (&Method::CONNECT, _) => "tunnel",
            (_, Some(_)) => "forward",
            (_, None) => "report",
        };
        let outcome = match self.admit(&request) {
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
            return forward(&self.proxy, &self.upstream, request, page, open).await;
        }
        let authority = request.uri().authority().ok_or(ProxyError::BAD_REQUEST)?;
        let site = Site::new(authority.host(), authority.port_u16().unwrap_or(443));
        let stream = tokio::select! {
            stream = self.proxy.connect(&site, &page) => stream?,
            () = page.wait_until_ended() => return Err(ProxyError::BUDGET_EXHAUSTED),
        };
        page.forget_failure(&site.authority);
        let upgrade = hyper::upgrade::on(request);
        let tunnel = async move {
            let Ok(browser) = upgrade.await else { return };
            let mut browser = MeteredStream::new(TokioIo::new(browser), Arc::clone(&page), open);
            let mut site = stream;
            tokio::select! {
                _ = tokio::io::copy_bidirectional(&mut browser, &mut site) => {}
                () = page.wait_until_ended() => {}
            }
        };
        self.proxy.tunnels.spawn(tunnel.in_current_span());
        Ok(Response::new(empty()))
    }

    fn admit(&self, request: &Request<Incoming>) -> Result<Arc<PageAccount>, ProxyError> {
        let header = request.headers().get(PROXY_AUTHORIZATION).and_then(|value| value.to_str().ok());
        let credentials = header.and_then(Credentials::from_basic);
        let Some(pass) = credentials.and_then(|given| self.proxy.config.token_key.verify(&given, SystemTime::now()))
        else {
            return Err(ProxyError::NO_TOKEN);
        };
        self.proxy.pages.account(pass).ok_or(ProxyError::TOO_MANY_PAGES)
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
