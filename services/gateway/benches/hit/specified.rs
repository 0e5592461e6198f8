//! The bare handler, and the same handler with the parts that the API specifies, one after the other. Each part is
//! written as plainly as possible, with the library that the gateway uses for it.

use crate::gateway;
use crate::load::{LoadTarget, load};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use fred::clients::Pool;
use fred::interfaces::{ClientLike, KeysInterface};
use fred::types::config::Config as RedisConfig;
use futures::stream;
use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS,
};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue};
use limner_cache::{AccountHit, Cache, CachedResult, Lookup, LookupReply, ResultHit, ResultVersion};
use limner_types::{AccountState, Usage};
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use uuid::Uuid;

/// A part of a hit; a handler has all parts up to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// A `GET` in Redis, and the response.
    Bare,
    /// The headers of a result, with constant values.
    Headers,
    /// A time-ordered id as a header.
    RequestId,
    /// The key's digest, its account, and the parsed parameters, from this process's memory.
    Key,
    /// The rate window, the account's version and the result's version in one script, instead of `GET`. The result is
    /// in this process's memory.
    Window,
    /// The `usage` object as the body's last member.
    Usage,
    /// A record of the call, sent in batches.
    History,
    /// A counter and a histogram.
    Metrics,
}

impl Part {
    pub(crate) const ALL: [Self; 8] = [
        Self::Bare,
        Self::Headers,
        Self::RequestId,
        Self::Key,
        Self::Window,
        Self::Usage,
        Self::History,
        Self::Metrics,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare axum and fred",
            Self::Headers => "headers",
            Self::RequestId => "request id",
            Self::Key => "key, account and parameters",
            Self::Window => "rate window and versions, in a script",
            Self::Usage => "usage object",
            Self::History => "record in the history",
            Self::Metrics => "metrics",
        }
    }
}

/// A call in the history.
struct Record {
    account: Arc<AccountState>,
    id: [u8; 30],
    at: SystemTime,
    duration: Duration,
}

struct Handler {
    part: Part,
    redis: Pool,
    cache: Cache,
    /// Accounts by the digest of a known request.
    requests: moka::future::Cache<[u8; 32], Arc<AccountState>>,
    accounts: moka::future::Cache<String, Arc<AccountState>>,
    results: moka::future::Cache<String, (ResultVersion, Bytes)>,
    history: mpsc::Sender<Record>,
}

const KEY: &str = "bare";

/// Starts a handler with all parts up to `part`.
pub(crate) async fn start(redis: &str, part: Part) -> LoadTarget {
    let pool = Pool::new(RedisConfig::from_url(redis).unwrap(), None, None, None, gateway::REDIS_CONNECTIONS).unwrap();
    pool.init().await.unwrap();
    let _: () = pool.set(KEY, gateway::result(), None, None, false).await.unwrap();
    let cache = gateway::connect(redis).await;
    let kept = CachedResult::compress(gateway::result().as_bytes(), "application/json", false, 0).unwrap();
    cache.put_result(KEY, &kept).await.unwrap();
    cache.put_account(&gateway::account()).await.unwrap();
    let (history, records) = mpsc::channel(20_000);
    tokio::spawn(send_records(records));
    let handler = Handler {
        part,
        redis: pool,
        cache,
        requests: moka::future::Cache::new(1_000),
        accounts: moka::future::Cache::new(1_000),
        results: moka::future::Cache::new(1_000),
        history,
    };
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = match part {
        Part::Bare => Router::new().route("/v1/images", get(bare)).with_state(handler.redis),
        _ => Router::new().route("/v1/images", get(respond)).with_state(Arc::new(handler)),
    };
    tokio::spawn(async move { axum::serve(listener, router).await });
    let authorization = if part == Part::Bare { String::new() } else { gateway::authorization() };
    let target = LoadTarget { address, path: gateway::PATH.to_owned(), authorization };
    load(&target, 1, &Mutex::default()).await;
    target
}

async fn bare(State(pool): State<Pool>) -> Response {
    let body: Bytes = pool.get(KEY).await.unwrap();
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

async fn respond(State(handler): State<Arc<Handler>>, request: Request) -> Response {
    let head = request.into_parts().0;
    let (started, has) = (Instant::now(), |part| handler.part >= part);
    let id = if has(Part::RequestId) { request_id() } else { [b'0'; 30] };
    let account = match has(Part::Key) {
        true => handler.account(&head).await,
        false => None,
    };
    let mut headers = HeaderMap::with_capacity(20);
    write_headers(&mut headers, &id);
    let body = match has(Part::Window) {
        true => handler.checked_result(account.as_ref().unwrap(), &mut headers).await,
        false => handler.redis.get(KEY).await.unwrap(),
    };
    let mut response = Response::new(match (&account, has(Part::Usage)) {
        (Some(account), true) => with_usage(&body, account),
        _ => Body::from(body),
    });
    *response.headers_mut() = headers;
    if let (Some(account), true) = (account, has(Part::History)) {
        let record = Record { account, id, at: SystemTime::now(), duration: started.elapsed() };
        drop(handler.history.try_send(record));
    }
    if has(Part::Metrics) {
        metrics::counter!("bench_requests_total", "route" => "/v1/images", "code" => "ok", "cache" => "HIT")
            .increment(1);
        metrics::histogram!("bench_request_duration_seconds", "route" => "/v1/images", "cache" => "HIT")
            .record(started.elapsed().as_secs_f64());
    }
    response
}

impl Handler {
    /// Returns the account of a request by the digest of its key and parameters. The first request stands for the
    /// parsing and for the look-up in the ledger.
    async fn account(&self, request: &Parts) -> Option<Arc<AccountState>> {
        let hash = Sha256::new_with_prefix(request.headers.get(AUTHORIZATION)?.as_bytes());
        let digest: [u8; 32] = hash.chain_update(request.uri.query()?).finalize().into();
        let known = self.requests.get_with(digest, async { Arc::new(gateway::account()) }).await;
        let id = known.account_id.clone();
        Some(self.accounts.get_with(id, async { known }).await)
    }

    /// Counts the request in the rate window, and returns the current result.
    async fn checked_result(&self, account: &AccountState, headers: &mut HeaderMap) -> Bytes {
        let cached = self.results.get(KEY).await;
        let lookup = Lookup {
            account_id: &account.account_id,
            result_key: Some(KEY),
            cached: cached.as_ref().map(|(version, _)| version.clone()),
            cached_account_version: Some(account.version),
            window_limit: account.requests_per_minute,
        };
        let LookupReply { window, result, account: found } = self.cache.lookup(lookup).await.unwrap();
        assert!(window.allowed && found == Some(AccountHit::Unchanged));
        headers.insert("x-ratelimit-limit", window.limit.into());
        headers.insert("x-ratelimit-remaining", window.remaining.into());
        headers.insert("x-ratelimit-reset", window.reset_seconds.into());
        match (result, cached) {
            (Some(ResultHit::Unchanged), Some((_, body))) => body,
            (Some(ResultHit::Sent(result, version)), _) => {
                let body = Bytes::from(result.decompress(1 << 20).unwrap());
                self.results.insert(KEY.to_owned(), (version, body.clone())).await;
                body
            }
            _ => unreachable!("the result is in Redis"),
        }
    }
}

fn request_id() -> [u8; 30] {
    let number = Uuid::now_v7().as_u128();
    let mut id = *b"req_00000000000000000000000000";
    for (place, digit) in id[4..].iter_mut().rev().enumerate() {
        *digit = b"0123456789abcdefghjkmnpqrstvwxyz"[((number >> (place * 5)) & 31) as usize];
    }
    id
}

fn write_headers(headers: &mut HeaderMap, id: &[u8]) {
    let constant = |name, value| (HeaderName::from_static(name), HeaderValue::from_static(value));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox"),
    );
    headers.insert("x-request-id", HeaderValue::from_bytes(id).unwrap());
    headers.extend([
        constant("x-cache", "HIT"),
        constant("x-quota-limit", "1000000"),
        constant("x-quota-remaining", "1000000"),
        constant("x-ratelimit-limit", "4294967295"),
        constant("x-ratelimit-remaining", "4294967295"),
        constant("x-ratelimit-reset", "60"),
    ]);
}

const EXPOSED: &str = "x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-quota-limit, x-quota-remaining, \
    x-cache, x-request-id, x-pack-credits, x-ignored-params, retry-after, www-authenticate";

fn with_usage(result: &Bytes, account: &AccountState) -> Body {
    let usage = Usage {
        credits_this_month: account.spent_this_month,
        monthly_limit: account.monthly_limit,
        remaining: account.remaining(),
        credits_spent: 0,
        cached: true,
        overage_credits: None,
        pack_credits: None,
        auto_render: None,
    };
    let last = format!(",\"usage\":{}}}", serde_json::to_string(&usage).unwrap());
    let parts = [result.slice(..result.len() - 1), Bytes::from(last)];
    Body::from_stream(stream::iter(parts.map(Ok::<_, Infallible>)))
}

/// Takes batches of records, as the sender of the history does.
async fn send_records(mut records: mpsc::Receiver<Record>) {
    let mut batch = Vec::with_capacity(500);
    while records.recv_many(&mut batch, 500).await > 0 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let bytes: usize = batch.drain(..).map(|record: Record| record.size()).sum();
        std::hint::black_box(bytes);
    }
}

impl Record {
    fn size(&self) -> usize {
        let at = self.at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        self.account.account_id.len() + self.id.len() + usize::from(at > self.duration)
    }
}
