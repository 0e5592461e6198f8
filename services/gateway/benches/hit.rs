//! Compares a cache hit with a bare axum handler that GETs the same bytes from the same Redis through fred and sends
//! them: same response, same load, same run, in alternation.
//!
//! The goal is 0.6 of its throughput and at most twice its p99; the last lines print both as ratios. `cargo test` only
//! checks that the benchmark still runs.

#![expect(clippy::print_stdout, reason = "a benchmark's figures are its output")]
#![expect(clippy::unwrap_used, reason = "a benchmark that can't go on fails")]

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use criterion::{Criterion, Throughput};
use fred::clients::Pool;
use fred::interfaces::{ClientLike, KeysInterface};
use fred::types::config::Config as RedisConfig;
use futures::future::{BoxFuture, join_all};
use futures::stream::{self, StreamExt};
use http::Request;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use limner_cache::{Cache, CacheConfig, CachedResult};
use limner_gateway::{
    Cancellations, Config, Dependencies, DispatchError, Dispatcher, Gateway, KeyOwner, Metering, MeteringError,
};
use limner_local_servers::Redis;
use limner_proto::v1;
use limner_types::{AccountState, ApiKey, Plan};
use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

const CONNECTIONS: usize = 32;
const REDIS_CONNECTIONS: usize = 4;
const IMAGES: usize = 60;

/// A metering service with one account without limits; a hit needs nothing else.
struct OneAccount(AccountState);

impl Metering for OneAccount {
    fn authenticate(&self, _: [u8; 32]) -> BoxFuture<'_, Result<Option<KeyOwner>, MeteringError>> {
        let account_id = self.0.account_id.clone();
        let owner = KeyOwner { account_id, key_id: "key".to_owned(), cancels: false, account: self.0.clone() };
        Box::pin(async { Ok(Some(owner)) })
    }
    fn account<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Option<AccountState>, MeteringError>> {
        Box::pin(async { Ok(Some(self.0.clone())) })
    }
    fn hold(&self, _: v1::HoldRequest) -> BoxFuture<'_, Result<v1::HoldResponse, MeteringError>> {
        let mut granted = v1::HoldResponse::default();
        granted.set_outcome(v1::HoldOutcome::Granted);
        Box::pin(async { Ok(granted) })
    }
    fn commit(&self, _: v1::CommitRequest) -> BoxFuture<'_, Result<v1::CommitResponse, MeteringError>> {
        Box::pin(async { Ok(v1::CommitResponse::default()) })
    }
    fn release(&self, _: v1::ReleaseRequest) -> BoxFuture<'_, Result<(), MeteringError>> {
        Box::pin(async { Ok(()) })
    }
    fn record_calls(&self, _: Vec<v1::RecordedCall>) -> BoxFuture<'_, Result<i64, MeteringError>> {
        Box::pin(async { Ok(self.0.period_start_unix) })
    }
    fn usage(&self, _: v1::GetUsageRequest) -> BoxFuture<'_, Result<v1::GetUsageResponse, MeteringError>> {
        Box::pin(async { Ok(v1::GetUsageResponse::default()) })
    }
}

/// Answers the first call with a result.
struct OneResult {
    cache: Cache,
}

impl Dispatcher for OneResult {
    fn dispatch(&self, job: v1::Job, _: tokio::time::Instant) -> BoxFuture<'_, Result<v1::JobReply, DispatchError>> {
        Box::pin(async move {
            let kept = CachedResult::compress(result().as_bytes(), "application/json", false, 0).unwrap();
            self.cache.put_result(&job.cache_key, &kept).await.unwrap();
            let CachedResult { body, content_type, .. } = kept;
            let extraction = v1::Extraction { body, content_type, ..v1::Extraction::default() };
            let outcome = Some(v1::job_reply::Outcome::Extraction(extraction));
            Ok(v1::JobReply { job_id: job.job_id, outcome, ..v1::JobReply::default() })
        })
    }
}

fn result() -> String {
    let mut images = String::new();
    for n in 0..IMAGES {
        let comma = if n == 0 { "" } else { "," };
        let _ = write!(
            images,
            r#"{comma}{{"url":"https://example.com/assets/images/picture-{n}-1280x720.webp","source":"img","alt":"Picture number {n}","width":1280,"height":720}}"#
        );
    }
    format!(r#"{{"url":"https://example.com/","images":[{images}],"count":{IMAGES}}}"#)
}

/// The target of a load.
#[derive(Clone)]
struct LoadTarget {
    address: SocketAddr,
    path: &'static str,
    authorization: String,
}

async fn start_gateway(redis: &Redis) -> LoadTarget {
    let config = CacheConfig { url: redis.url(), connections: REDIS_CONNECTIONS, ..CacheConfig::default() };
    let cache = Cache::connect(config).await.unwrap();
    let account = AccountState {
        account_id: "bench".to_owned(),
        plan: Plan::Business,
        suspended: false,
        requests_per_minute: u32::MAX,
        monthly_limit: Some(1_000_000),
        period_start_unix: 0,
        spent_this_month: 0,
        plan_spent: 0,
        overage_spent: 0,
        pack_balance: 0,
        overage_enabled: false,
        version: 1,
    };
    let fleet = Arc::new(OneResult { cache: cache.clone() });
    let backend = Dependencies {
        cache,
        metering: Arc::new(OneAccount(account)),
        dispatcher: fleet,
        has_browser: Arc::new(|| false),
        screenshots: None,
        invalidations: stream::pending().boxed(),
        cancellations: Cancellations::local_only(),
    };
    let config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
    let gateway = Gateway::bind(config, backend).await.unwrap();
    let target = LoadTarget {
        address: gateway.local_addr(),
        path: "/v1/images?url=example.com",
        authorization: format!("Bearer {}", ApiKey::from_secret([1; 32]).expose()),
    };
    tokio::spawn(gateway.run(CancellationToken::new()));
    load(&target, 1, &Mutex::default()).await;
    target
}

async fn start_bare(redis: &Redis) -> LoadTarget {
    let pool = Pool::new(RedisConfig::from_url(&redis.url()).unwrap(), None, None, None, REDIS_CONNECTIONS).unwrap();
    pool.init().await.unwrap();
    let _: () = pool.set("bare", result(), None, None, false).await.unwrap();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/", get(bare)).with_state(pool);
    tokio::spawn(async move { axum::serve(listener, router).await });
    LoadTarget { address, path: "/", authorization: String::new() }
}

async fn bare(State(pool): State<Pool>) -> Response {
    let body: bytes::Bytes = pool.get("bare").await.unwrap();
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

/// Sends `requests`, sequentially on each connection, and records their latencies.
async fn load(target: &LoadTarget, requests: u64, latencies: &Mutex<Vec<Duration>>) -> Duration {
    let connections = join_all((0..CONNECTIONS).map(|_| connect(target.address))).await;
    let left = AtomicU64::new(requests);
    let started = Instant::now();
    let all = join_all(connections.into_iter().map(|connection| drive(connection, target, &left))).await;
    let took = started.elapsed();
    latencies.lock().unwrap().extend(all.into_iter().flatten());
    took
}

async fn connect(address: SocketAddr) -> SendRequest<Empty<bytes::Bytes>> {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    sender
}

async fn drive(
    mut connection: SendRequest<Empty<bytes::Bytes>>,
    target: &LoadTarget,
    left: &AtomicU64,
) -> Vec<Duration> {
    let mut latencies = Vec::new();
    while left.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
        let request = Request::get(target.path)
            .header(HOST, "bench")
            .header(AUTHORIZATION, &target.authorization)
            .body(Empty::new())
            .unwrap();
        connection.ready().await.unwrap();
        let started = Instant::now();
        let response = connection.send_request(request).await.unwrap();
        assert_eq!(response.status(), 200);
        response.into_body().collect().await.unwrap();
        latencies.push(started.elapsed());
    }
    latencies
}

fn p99(latencies: &Mutex<Vec<Duration>>) -> Duration {
    let mut latencies = latencies.lock().unwrap();
    latencies.sort_unstable();
    latencies[latencies.len() * 99 / 100]
}

/// Number of requests in one turn of the comparison.
const TURN: u64 = 4_000;
const TURNS: usize = 8;

/// Loads both in alternation, so that other activity of the machine affects both.
async fn compare(bare: &LoadTarget, gateway: &LoadTarget) {
    let (bare_latencies, gateway_latencies) = (Mutex::default(), Mutex::default());
    let (mut bare_time, mut gateway_time) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..TURNS {
        bare_time += load(bare, TURN, &bare_latencies).await;
        gateway_time += load(gateway, TURN, &gateway_latencies).await;
    }
    let throughput = bare_time.as_secs_f64() / gateway_time.as_secs_f64();
    let (bare_p99, gateway_p99) = (p99(&bare_latencies), p99(&gateway_latencies));
    let ratio = gateway_p99.as_secs_f64() / bare_p99.as_secs_f64();
    println!("cache hit, throughput against a bare handler: {throughput:.2} (goal: at least 0.60)");
    println!("cache hit, p99 against a bare handler: {ratio:.2} (goal: at most 2.00; {gateway_p99:?} to {bare_p99:?})");
}

fn main() {
    let runtime = Runtime::new().unwrap();
    let (_redis, bare, gateway) = runtime.block_on(async {
        let redis = Redis::temporary().await.unwrap();
        let gateway = start_gateway(&redis).await;
        let bare = start_bare(&redis).await;
        (redis, bare, gateway)
    });
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("cache hit");
    group.throughput(Throughput::Elements(1)).sample_size(20);
    for (name, target) in [("bare axum and fred", &bare), ("gateway", &gateway)] {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|requests| runtime.block_on(load(target, requests, &Mutex::default())));
        });
    }
    group.finish();
    if std::env::args().any(|argument| argument == "--bench") {
        runtime.block_on(compare(&bare, &gateway));
    }
}
