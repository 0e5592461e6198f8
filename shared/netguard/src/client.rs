//! The HTTP client: one connection pool, bounded fetches, redirects followed and checked hop by hop.

use crate::body::{self, WireStats};
use crate::connector::{ConnectionState, Connector, tls_config};
use crate::dialer::Dialer;
use crate::error::{EgressError, Exceeded, FetchError, Phase, Unreachable, causes, with_causes};
use crate::options::{Caps, EgressOptions};
use crate::policy::EgressPolicy;
use crate::redirect::{self, RedirectChain};
use crate::request::{FetchRequest, PostRequest};
use crate::resolve::{Resolver, SystemResolver};
use crate::response::FetchResponse;
use crate::telemetry;
use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, EXPECT, HOST, TE, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::client::legacy::connect::{CaptureConnection, capture_connection};
use hyper_util::client::legacy::{self, Client as HttpClient};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout_at};
use tracing::Instrument;
use url::{Position, Url};

/// Supported content codings, for `Accept-Encoding`.
const CODINGS: HeaderValue = HeaderValue::from_static("gzip, deflate, br, zstd");

/// Headers of the connection or of the body's encoding, which the client sets itself.
const MANAGED_HEADERS: [HeaderName; 8] =
    [ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, TE, TRANSFER_ENCODING, UPGRADE];

/// Minimum buffer size of the HTTP/1 parser.
const MIN_HEAD_BUFFER: usize = 8 * 1024;

/// Interval of HTTP/2 pings to a server with requests in progress.
const PING_INTERVAL: Duration = Duration::from_secs(5);

/// Connects to everything that the policy allows. Clones share one connection pool.
#[derive(Debug, Clone)]
pub struct Client(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    http: HttpClient<Connector, Full<Bytes>>,
    dialer: Arc<Dialer>,
    max_headers: usize,
    max_header_bytes: usize,
}

impl Client {
    /// Returns a client with a new pool.
    ///
    /// # Errors
    /// The additional CA certificates or the system's resolver configuration are invalid.
    pub fn new(options: EgressOptions) -> Result<Self, EgressError> {
        report_config_errors(&options.policy);
        let resolver: Arc<dyn Resolver> = match options.resolver {
            Some(resolver) => resolver,
            None => Arc::new(SystemResolver::new()?),
        };
        let dialer = Arc::new(Dialer { policy: options.policy, resolver, timeouts: options.timeouts });
        let connector = Connector::new(dialer.clone(), tls_config(options.extra_ca_pem.as_deref())?);
        let http = HttpClient::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .timer(TokioTimer::new())
            .pool_idle_timeout(options.idle_connection_ttl)
            .pool_max_idle_per_host(options.idle_connections_per_host)
            .http1_max_headers(options.max_headers)
            .http1_max_buf_size(options.max_header_bytes.max(MIN_HEAD_BUFFER))
            // Browsers tolerate these, so pages with them must be readable.
            .http1_ignore_invalid_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http2_keep_alive_interval(PING_INTERVAL)
            .http2_keep_alive_timeout(PING_INTERVAL)
            .http2_max_header_list_size(u32::try_from(options.max_header_bytes).unwrap_or(u32::MAX))
            .build(connector);
        let (max_headers, max_header_bytes) = (options.max_headers, options.max_header_bytes);
        Ok(Self(Arc::new(Inner { http, dialer, max_headers, max_header_bytes })))
    }

    /// Returns the policy of this client.
    pub fn policy(&self) -> &EgressPolicy {
        &self.0.dialer.policy
    }

    /// Sends a GET request within the limits and before the deadline. A response with any status is a success.
    ///
    /// # Errors
    /// Forbidden, unreachable, too slow, too large, too many redirects, or not HTTP.
    pub async fn get(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        let started = Instant::now();
        let deadline = request.deadline.min(started + self.0.dialer.timeouts.total);
        let span = telemetry::span(&request.url);
        let wire = Arc::new(WireStats::default());
        let following = self.0.follow(request, &wire).instrument(span.clone());
        let outcome = timeout_at(deadline, following).await.unwrap_or(Err(FetchError::Timeout(Phase::Total)));
        telemetry::finished(&span, &outcome, wire.bytes(), started.elapsed());
        outcome
    }

    /// Sends a POST request within the limits and before the deadline. A response with any status is a success.
    ///
    /// # Errors
    /// Forbidden, unreachable, too slow, too large, or not HTTP.
    pub async fn post(&self, request: PostRequest) -> Result<FetchResponse, FetchError> {
        let started = Instant::now();
        let deadline = request.deadline.min(started + self.0.dialer.timeouts.total);
        let span = telemetry::span(&request.url);
        let wire = Arc::new(WireStats::default());
        let sending = self.0.send(request, &wire).instrument(span.clone());
        let outcome = timeout_at(deadline, sending).await.unwrap_or(Err(FetchError::Timeout(Phase::Total)));
        telemetry::finished(&span, &outcome, wire.bytes(), started.elapsed());
        outcome
    }

    /// Opens a TCP connection to a checked address of `host`, for proxies.
    ///
    /// # Errors
    /// Forbidden, unreachable or too slow.
    pub async fn connect(&self, host: &str, port: u16, deadline: Instant) -> Result<TcpStream, FetchError> {
        let span = tracing::info_span!("netguard.connect", "server.address" = host, "server.port" = port);
        let dialing = self.0.dialer.dial(host, port).instrument(span.clone());
        let outcome = timeout_at(deadline, dialing).await.unwrap_or(Err(FetchError::Timeout(Phase::Connect)));
        telemetry::log_failure(&span, &outcome);
        outcome
    }
}

impl Inner {
    async fn follow(&self, request: FetchRequest, wire: &Arc<WireStats>) -> Result<FetchResponse, FetchError> {
        let FetchRequest { url, mut headers, caps, .. } = request;
        MANAGED_HEADERS.iter().for_each(|name| drop(headers.remove(name)));
        headers.insert(ACCEPT_ENCODING, CODINGS);
        let mut trail = RedirectChain::new(url, caps.max_redirects);
        loop {
            self.dialer.policy.check_url(trail.current())?;
            let response = self.exchange(trail.current(), &headers).await?;
            let Some(next) = redirect::target(trail.current(), response.status(), response.headers())? else {
                return self.read_response(trail, response, caps, wire).await;
            };
            redirect::drop_secrets(&mut headers, trail.current(), &next);
            trail.follow(next)?;
            tracing::debug!(fetch.redirects = trail.hops(), "redirected");
        }
    }

    async fn send(&self, request: PostRequest, wire: &Arc<WireStats>) -> Result<FetchResponse, FetchError> {
        let PostRequest { url, mut headers, body, caps, .. } = request;
        MANAGED_HEADERS.iter().for_each(|name| drop(headers.remove(name)));
        headers.insert(ACCEPT_ENCODING, CODINGS);
        self.dialer.policy.check_url(&url)?;
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri(&url)?;
        *request.headers_mut() = headers;
        let response = self.attempt(request).await.map_err(|(error, _)| error)?;
        self.check_head(response.headers())?;
        self.read_response(RedirectChain::new(url, 0), response, caps, wire).await
    }

    async fn read_response(
        &self,
        trail: RedirectChain,
        response: Response<Incoming>,
        caps: Caps,
        wire: &Arc<WireStats>,
    ) -> Result<FetchResponse, FetchError> {
        let (head, body) = response.into_parts();
        let taken = body::read(body, &head, caps, self.dialer.timeouts.idle, wire.clone()).await?;
        let mut headers = head.headers;
        for name in [CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING] {
            headers.remove(name);
        }
        let (url, redirects) = trail.finish();
        let (body, truncated) = (taken.bytes, taken.truncated);
        Ok(FetchResponse { url, status: head.status, headers, body, truncated, redirects, wire_bytes: wire.bytes() })
    }

    /// Sends one request and receives the head of its response.
    async fn exchange(&self, url: &Url, headers: &HeaderMap) -> Result<Response<Incoming>, FetchError> {
        let mut request = Request::new(Full::default());
        *request.uri_mut() = uri(url)?;
        *request.headers_mut() = headers.clone();
        let response = match self.attempt(request.clone()).await {
            Err((_, ConnectionOrigin::Reused)) => self.attempt(request).await,
            outcome => outcome,
        };
        let response = response.map_err(|(error, _)| error)?;
        self.check_head(response.headers())?;
        if let Some(connection) = response.extensions().get::<ConnectionState>() {
            connection.record_head();
        }
        Ok(response)
    }

    async fn attempt(
        &self,
        mut request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, (FetchError, ConnectionOrigin)> {
        let captured = capture_connection(&mut request);
        let mut connected = captured.clone();
        let too_slow = async {
            // Connecting has its own time limits; this one starts when the request is sent.
            connected.wait_for_connection_metadata().await;
            sleep(self.dialer.timeouts.first_byte).await;
        };
        let outcome = tokio::select! {
            outcome = self.http.request(request) => outcome.map_err(Some),
            () = too_slow => Err(None),
        };
        outcome.map_err(|cause| match cause {
            Some(cause) if is_break(&cause) && is_reused(&captured) => {
                (request_failure(&cause), ConnectionOrigin::Reused)
            }
            Some(cause) => (request_failure(&cause), ConnectionOrigin::Anew),
            None => {
                poison(&captured);
                (FetchError::Timeout(Phase::FirstByte), ConnectionOrigin::Anew)
            }
        })
    }

    /// Checks the size of the headers. HTTP/1 limits it while parsing, HTTP/2 by a setting that servers may ignore:
    /// this check covers both.
    fn check_head(&self, headers: &HeaderMap) -> Result<(), FetchError> {
        let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum();
        if headers.len() > self.max_headers || bytes > self.max_header_bytes {
            return Err(FetchError::TooLarge(Exceeded::Headers));
        }
        Ok(())
    }
}

fn uri(url: &Url) -> Result<Uri, FetchError> {
    let uri = Uri::try_from(&url[..Position::AfterQuery]);
    uri.map_err(|cause| Unreachable::Resolve(format!("no request can be made for it: {cause}")).into())
}

/// The origin of a failed attempt's connection. The server may have closed a pooled connection just as it was reused,
/// which does not count against the target: such an attempt is repeated once.
enum ConnectionOrigin {
    Reused,
    Anew,
}

fn is_reused(captured: &CaptureConnection) -> bool {
    let mut extras = http::Extensions::new();
    if let Some(connected) = captured.connection_metadata().as_ref() {
        connected.get_extras(&mut extras);
    }
    extras.get::<ConnectionState>().is_some_and(ConnectionState::has_answered)
}

/// Removes a silent connection from the pool, where it would delay the next request as well (with HTTP/2, many).
fn poison(captured: &CaptureConnection) {
    if let Some(connected) = captured.connection_metadata().as_ref() {
        connected.poison();
    }
}

fn hyper_cause(error: &legacy::Error) -> Option<&hyper::Error> {
    causes(error).find_map(|cause| cause.downcast_ref::<hyper::Error>())
}

fn is_break(error: &legacy::Error) -> bool {
    hyper_cause(error).is_some_and(|cause| !cause.is_parse() && !cause.is_user())
}

fn request_failure(error: &legacy::Error) -> FetchError {
    if let Some(ours) = causes(error).find_map(|cause| cause.downcast_ref::<FetchError>()) {
        return ours.clone();
    }
    hyper_cause(error).map_or_else(|| Unreachable::Interrupted(with_causes(error)).into(), FetchError::from)
}

/// Reports overrides that can never be used, because they are a configuration error.
fn report_config_errors(policy: &EgressPolicy) {
    for fault in policy.config_errors() {
        tracing::error!(egress.fault = %fault, "invalid host override");
    }
}
