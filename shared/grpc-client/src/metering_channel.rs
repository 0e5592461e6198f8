//! The channel to metering, in place of one connection that all calls of a process would share.

use crate::endpoints::{Endpoint, EndpointSet, InvalidEndpoint};
use crate::never_connected;
use futures::future::BoxFuture;
use http::HeaderValue;
use http::header::AUTHORIZATION;
use http_body_util::{BodyExt, Full};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tonic::Status;
use tonic::body::Body;
use tower::{Service, ServiceExt};

/// A channel that spreads calls over all addresses of metering's name, and presents a token. Cheap to clone.
///
/// A call that reached no process goes to the next one. Any other failure is the caller's: only it knows whether the
/// call may be repeated.
#[derive(Clone)]
pub struct MeteringChannel {
    endpoints: Arc<EndpointSet>,
    authorization: Option<HeaderValue>,
    time_limit: Duration,
}

/// Number of times that all processes are asked before a call fails: once more after the name is resolved again.
const ROUNDS: usize = 2;

impl MeteringChannel {
    /// Creates a channel for a URL such as `http://metering:50052`. The name is resolved and connections are opened on
    /// first use. `time_limit` is that of each call, up to the head of its response.
    ///
    /// # Errors
    /// The URL cannot be that of a gRPC service.
    pub fn new(url: &str, token: Option<&str>, time_limit: Duration) -> Result<Self, InvalidEndpoint> {
        Self::for_urls(&[url.to_owned()], token, time_limit)
    }

    fn for_urls(urls: &[String], token: Option<&str>, time_limit: Duration) -> Result<Self, InvalidEndpoint> {
        let authorization = token.and_then(|token| HeaderValue::from_bytes(format!("Bearer {token}").as_bytes()).ok());
        let authorization = authorization.map(|mut value| {
            value.set_sensitive(true);
            value
        });
        Ok(Self { endpoints: Arc::new(EndpointSet::new(urls)?), authorization, time_limit })
    }

    async fn send(self, request: http::Request<Body>) -> Result<http::Response<Body>, Status> {
        let (mut parts, body) = request.into_parts();
        if let Some(authorization) = &self.authorization {
            parts.headers.insert(AUTHORIZATION, authorization.clone());
        }
        // Requests to metering are single small messages.
        let body = body.collect().await?.to_bytes();
        let mut last = Status::unavailable("the name of metering leads nowhere");
        for round in 0..ROUNDS {
            if round > 0 {
                self.endpoints.resolve().await;
            }
            for endpoint in self.endpoints.round_robin().await {
                let request = http::Request::from_parts(parts.clone(), Body::new(Full::new(body.clone())));
                match ask(&endpoint, request).await {
                    Err(status) if never_connected(&status) => {
                        endpoint.mark_unhealthy();
                        last = status;
                    }
                    answer => return answer,
                }
            }
        }
        Err(last)
    }
}

async fn ask(endpoint: &Endpoint, request: http::Request<Body>) -> Result<http::Response<Body>, Status> {
    endpoint.channel().oneshot(request).await.map_err(|cause| Status::from_error(cause.into()))
}

impl Service<http::Request<Body>> for MeteringChannel {
    type Response = http::Response<Body>;
    type Error = Status;
    type Future = BoxFuture<'static, Result<Self::Response, Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let (channel, limit) = (self.clone(), self.time_limit);
        Box::pin(async move {
            let late = |_| Err(Status::deadline_exceeded("metering did not answer in time"));
            tokio::time::timeout(limit, channel.send(request)).await.unwrap_or_else(late)
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::net::SocketAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::net::TcpListener;
    use tokio::sync::oneshot;
    use tokio_stream::wrappers::TcpListenerStream;
    use tonic::Code;
    use tonic::transport::Server;
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;

    /// A server that counts its calls and requires a token.
    struct Counting {
        url: String,
        calls: Arc<AtomicUsize>,
        stop: oneshot::Sender<()>,
    }

    impl Counting {
        async fn start(address: &str) -> Self {
            let listener = TcpListener::bind(address).await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            let (calls, (stop, stopped)) = (Arc::new(AtomicUsize::new(0)), oneshot::channel::<()>());
            let counted = Arc::clone(&calls);
            let count = move |request: tonic::Request<()>| {
                counted.fetch_add(1, Ordering::Relaxed);
                let is_allowed = request.metadata().get("authorization").is_some_and(|value| value == "Bearer token");
                if is_allowed { Ok(request) } else { Err(Status::unauthenticated("a token is needed")) }
            };
            let (_, health) = tonic_health::server::health_reporter();
            let service = tonic::service::interceptor::InterceptedService::new(health, count);
            let server = Server::builder()
                .add_service(service)
                .serve_with_incoming_shutdown(TcpListenerStream::new(listener), async { drop(stopped.await) });
            tokio::spawn(server);
            Self { url, calls, stop }
        }

        fn calls(&self) -> usize {
            self.calls.swap(0, Ordering::Relaxed)
        }
    }

    fn channel(urls: &[&str], token: Option<&str>) -> MeteringChannel {
        let urls: Vec<String> = urls.iter().map(|url| (*url).to_owned()).collect();
        MeteringChannel::for_urls(&urls, token, Duration::from_secs(5)).unwrap()
    }

    async fn check(channel: &MeteringChannel) -> Result<(), Status> {
        HealthClient::new(channel.clone()).check(HealthCheckRequest::default()).await.map(drop)
    }

    #[tokio::test]
    async fn calls_are_spread_over_all_processes() {
        let servers = [
            Counting::start("127.0.0.1:0").await,
            Counting::start("127.0.0.1:0").await,
            Counting::start("127.0.0.1:0").await,
        ];
        let channel = channel(&servers.each_ref().map(|server| server.url.as_str()), Some("token"));
        for _ in 0..30 {
            check(&channel).await.unwrap();
        }
        assert_eq!(servers.each_ref().map(Counting::calls), [10, 10, 10]);
    }

    #[tokio::test]
    async fn no_call_fails_while_a_process_is_gone_and_a_new_one_gets_its_share() {
        let (first, second) = (Counting::start("127.0.0.1:0").await, Counting::start("127.0.0.1:0").await);
        let address: SocketAddr = second.url.trim_start_matches("http://").parse().unwrap();
        let channel = channel(&[&first.url, &second.url], Some("token"));
        second.stop.send(()).unwrap();
        while tokio::net::TcpStream::connect(address).await.is_ok() {
            tokio::task::yield_now().await;
        }
        for _ in 0..10 {
            check(&channel).await.unwrap();
        }
        assert_eq!(first.calls(), 10);
        let back = Counting::start(&address.to_string()).await;
        let started = tokio::time::Instant::now();
        while back.calls() == 0 {
            assert!(started.elapsed() < Duration::from_secs(10), "a process that is back gets no calls");
            check(&channel).await.unwrap();
        }
    }

    #[tokio::test]
    async fn refusals_are_not_repeated_elsewhere() {
        let (first, second) = (Counting::start("127.0.0.1:0").await, Counting::start("127.0.0.1:0").await);
        let channel = channel(&[&first.url, &second.url], Some("another token"));
        let refused = check(&channel).await.unwrap_err();
        assert_eq!((refused.code(), first.calls() + second.calls()), (Code::Unauthenticated, 1));
    }

    #[tokio::test]
    async fn unreachable_servers_are_unavailable_within_the_time_limit() {
        let channel = channel(&["http://127.0.0.1:1"], None);
        assert_eq!(check(&channel).await.unwrap_err().code(), Code::Unavailable);
        // A network that swallows packets (TEST-NET-1).
        let silent = MeteringChannel::new("http://192.0.2.1:1", None, Duration::from_millis(300)).unwrap();
        let started = std::time::Instant::now();
        let failed = check(&silent).await.unwrap_err();
        assert!([Code::DeadlineExceeded, Code::Unavailable].contains(&failed.code()), "{failed:?}");
        assert!(started.elapsed() < Duration::from_secs(2));
    }
}
