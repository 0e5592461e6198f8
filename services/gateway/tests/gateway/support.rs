//! A gateway on a free port, with fakes of metering and the fleet and a real Redis.

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use limner_bus::Cancellation;
use limner_cache::{Cache, CacheConfig, CachedResult};
use limner_gateway::{
    Cancellations, Config, Dependencies, DispatchError, Dispatcher, Gateway, Invalidation, KeyOwner, Metering,
    MeteringError,
};
use limner_local_servers::shared_servers;
use limner_proto::v1;
use limner_screenshot_store::ScreenshotStore;
use limner_types::{AccountState, ApiKey, ErrorCode, Plan};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{Semaphore, broadcast, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Metering in memory: one ledger, with the rules that the gateway depends on.
#[derive(Default)]
pub(crate) struct FakeMetering {
    pub(crate) down: AtomicBool,
    /// Commits fail while this is set.
    pub(crate) commits_fail: AtomicBool,
    pub(crate) authentications: AtomicUsize,
    /// Number of calls, except those that record history.
    pub(crate) questions: AtomicUsize,
    ledger: Mutex<Ledger>,
    /// Account states are written through, as metering does.
    cache: Mutex<Option<Cache>>,
}

#[derive(Default)]
struct Ledger {
    accounts: HashMap<String, AccountState>,
    keys: HashMap<[u8; 32], (String, String)>,
    holds: HashMap<String, (String, u64)>,
    commits: HashMap<String, v1::CommitResponse>,
    released: Vec<v1::ReleaseRequest>,
    recorded: Vec<v1::RecordedCall>,
}

impl FakeMetering {
    pub(crate) fn account(&self, id: &str) -> AccountState {
        self.ledger.lock().unwrap().accounts[id].clone()
    }

    /// Changes an account and writes its state through, as metering does.
    pub(crate) async fn change(&self, id: &str, change: impl FnOnce(&mut AccountState)) {
        let account = {
            let mut ledger = self.ledger.lock().unwrap();
            let account = ledger.accounts.get_mut(id).unwrap();
            change(account);
            account.version += 1;
            account.clone()
        };
        self.write_through(&account).await;
    }

    async fn write_through(&self, account: &AccountState) {
        let cache = self.cache.lock().unwrap().clone();
        if let Some(cache) = cache {
            let _ = cache.put_account(account).await;
        }
    }

    pub(crate) fn commits(&self) -> usize {
        self.ledger.lock().unwrap().commits.len()
    }

    pub(crate) fn open_holds(&self) -> usize {
        self.ledger.lock().unwrap().holds.len()
    }

    pub(crate) fn released(&self) -> Vec<v1::ReleaseRequest> {
        self.ledger.lock().unwrap().released.clone()
    }

    pub(crate) fn recorded(&self) -> Vec<v1::RecordedCall> {
        self.ledger.lock().unwrap().recorded.clone()
    }

    pub(crate) fn revoke(&self, key: &ApiKey) {
        self.ledger.lock().unwrap().keys.remove(&sha256(key));
    }

    fn check_reachable(&self) -> Result<(), MeteringError> {
        self.questions.fetch_add(1, Ordering::SeqCst);
        match self.down.load(Ordering::SeqCst) {
            true => Err(MeteringError::Unavailable("down".to_owned())),
            false => Ok(()),
        }
    }
}

/// Returns the source that a call draws on.
fn source(account: &AccountState, credits: u64) -> v1::CreditSource {
    match account.remaining() {
        Some(left) if left < credits => v1::CreditSource::Pack,
        Some(_) => v1::CreditSource::Plan,
        None => v1::CreditSource::Unlimited,
    }
}

pub(crate) fn sha256(key: &ApiKey) -> [u8; 32] {
    Sha256::digest(key.expose().as_bytes()).into()
}

impl Metering for FakeMetering {
    fn authenticate(&self, key_sha256: [u8; 32]) -> BoxFuture<'_, Result<Option<KeyOwner>, MeteringError>> {
        Box::pin(async move {
            self.check_reachable()?;
            self.authentications.fetch_add(1, Ordering::SeqCst);
            let ledger = self.ledger.lock().unwrap();
            Ok(ledger.keys.get(&key_sha256).map(|(account_id, key_id)| KeyOwner {
                account_id: account_id.clone(),
                key_id: key_id.clone(),
                cancels: key_id.starts_with("mcp"),
                account: ledger.accounts[account_id].clone(),
            }))
        })
    }

    fn account<'a>(&'a self, account_id: &'a str) -> BoxFuture<'a, Result<Option<AccountState>, MeteringError>> {
        Box::pin(async move {
            self.check_reachable()?;
            Ok(self.ledger.lock().unwrap().accounts.get(account_id).cloned())
        })
    }

    fn hold(&self, request: v1::HoldRequest) -> BoxFuture<'_, Result<v1::HoldResponse, MeteringError>> {
        Box::pin(async move {
            self.check_reachable()?;
            let mut ledger = self.ledger.lock().unwrap();
            let account = ledger.accounts[&request.account_id].clone();
            let held: u64 = ledger.holds.values().filter(|(id, _)| *id == request.account_id).map(|(_, n)| n).sum();
            let credits = u64::from(request.credits);
            let left = account.remaining().map_or(u64::MAX, |left| left + account.pack_balance);
            let mut response = v1::HoldResponse { account: Some(account.clone().into()), ..Default::default() };
            if account.suspended {
                response.set_outcome(v1::HoldOutcome::Suspended);
            } else if left < held + credits {
                response.set_outcome(v1::HoldOutcome::QuotaExceeded);
                response.message = "The monthly quota is used up.".to_owned();
                response.retry_after_seconds = 1_234;
            } else {
                response.set_outcome(v1::HoldOutcome::Granted);
                response.set_source(source(&account, credits));
                ledger.holds.insert(request.request_id, (request.account_id, credits));
            }
            Ok(response)
        })
    }

    fn commit(&self, request: v1::CommitRequest) -> BoxFuture<'_, Result<v1::CommitResponse, MeteringError>> {
        Box::pin(async move {
            self.check_reachable()?;
            if self.commits_fail.load(Ordering::SeqCst) {
                return Err(MeteringError::Unavailable("no commits".to_owned()));
            }
            let (response, account) = {
                let mut ledger = self.ledger.lock().unwrap();
                if let Some(done) = ledger.commits.get(&request.request_id) {
                    return Ok(done.clone());
                }
                let Some((account_id, credits)) = ledger.holds.remove(&request.request_id) else {
                    return Err(MeteringError::Refused("no such hold".to_owned()));
                };
                let account = ledger.accounts.get_mut(&account_id).unwrap();
                let source = source(account, credits);
                match source {
                    v1::CreditSource::Pack => account.pack_balance -= credits,
                    _ => account.plan_spent += credits,
                }
                account.spent_this_month += credits;
                account.version += 1;
                let account = account.clone();
                let mut response = v1::CommitResponse {
                    account: Some(account.clone().into()),
                    credits_spent: credits,
                    ..Default::default()
                };
                response.set_source(source);
                ledger.commits.insert(request.request_id, response.clone());
                (response, account)
            };
            self.write_through(&account).await;
            Ok(response)
        })
    }

    fn release(&self, request: v1::ReleaseRequest) -> BoxFuture<'_, Result<(), MeteringError>> {
        Box::pin(async move {
            self.check_reachable()?;
            let mut ledger = self.ledger.lock().unwrap();
            ledger.holds.remove(&request.request_id);
            ledger.released.push(request);
            Ok(())
        })
    }

    fn record_calls(&self, calls: Vec<v1::RecordedCall>) -> BoxFuture<'_, Result<i64, MeteringError>> {
        Box::pin(async move {
            self.check_reachable()?;
            self.questions.fetch_sub(1, Ordering::SeqCst);
            self.ledger.lock().unwrap().recorded.extend(calls);
            Ok(this_month())
        })
    }

    fn usage(&self, request: v1::GetUsageRequest) -> BoxFuture<'_, Result<v1::GetUsageResponse, MeteringError>> {
        Box::pin(async move {
            self.check_reachable()?;
            if request.cursor.as_deref() == Some("foreign") {
                return Err(MeteringError::Refused("not one of ours".to_owned()));
            }
            let mut entry = v1::UsageEntry {
                request_id: "req_1".to_owned(),
                url: "https://a.com/".to_owned(),
                credits: 25,
                late: true,
                refunded: true,
                duration_ms: Some(1_250),
                key_id: "key_1".to_owned(),
                ..Default::default()
            };
            entry.set_source(v1::CreditSource::Overage);
            Ok(v1::GetUsageResponse {
                account: Some(self.account(&request.account_id).into()),
                entries: vec![entry; request.limit.min(2) as usize],
                next_cursor: request.cursor.map(|cursor| format!("after-{cursor}")),
                totals: Vec::new(),
            })
        })
    }
}

/// The fleet's outcome of a job.
#[derive(Clone)]
pub(crate) enum JobScript {
    Json(String),
    Text(&'static str, String),
    AutoRendered(String),
    Fails(v1::Failure),
    /// A worker's earlier, uncached result, because no better one arrived.
    Provisional(String),
    CannotBeQueued,
    NeverReplies,
    Panics,
}

/// The fleet in memory. Like the fetcher, it caches a result before it replies.
pub(crate) struct FakeFleet {
    /// No renderer is available while this is set.
    pub(crate) browserless: AtomicBool,
    cache: Mutex<Option<Cache>>,
    work: Mutex<JobScript>,
    jobs: Mutex<Vec<v1::Job>>,
    /// Jobs wait for a permit while the gate is shut.
    gate: Semaphore,
    arrived: mpsc::UnboundedSender<()>,
    arrivals: tokio::sync::Mutex<mpsc::UnboundedReceiver<()>>,
}

const OPEN: usize = 1_000_000;

impl FakeFleet {
    fn new() -> Self {
        let (arrived, arrivals) = mpsc::unbounded_channel();
        Self {
            browserless: AtomicBool::new(false),
            cache: Mutex::default(),
            work: Mutex::new(JobScript::Json(r#"{"url":"https://example.com/","images":[],"count":0}"#.to_owned())),
            jobs: Mutex::default(),
            gate: Semaphore::new(OPEN),
            arrived,
            arrivals: tokio::sync::Mutex::new(arrivals),
        }
    }

    pub(crate) fn does(&self, work: JobScript) {
        *self.work.lock().unwrap() = work;
    }

    pub(crate) fn jobs(&self) -> Vec<v1::Job> {
        self.jobs.lock().unwrap().clone()
    }

    pub(crate) fn shut(&self) {
        self.gate.forget_permits(OPEN);
    }

    pub(crate) fn open(&self) {
        self.gate.add_permits(OPEN);
    }

    /// Waits for one more job.
    pub(crate) async fn arrival(&self) {
        let next = async { self.arrivals.lock().await.recv().await };
        tokio::time::timeout(Duration::from_secs(10), next).await.expect("a job arrives");
    }
}

impl Dispatcher for FakeFleet {
    fn dispatch(&self, job: v1::Job, deadline: Instant) -> BoxFuture<'_, Result<v1::JobReply, DispatchError>> {
        Box::pin(async move {
            let work = self.work.lock().unwrap().clone();
            self.jobs.lock().unwrap().push(job.clone());
            let _ = self.arrived.send(());
            drop(self.gate.acquire().await);
            let unkept = matches!(work, JobScript::Provisional(_));
            let (content_type, body, auto_render) = match work {
                JobScript::Json(body) | JobScript::Provisional(body) => ("application/json", body, false),
                JobScript::Text(content_type, body) => (content_type, body, false),
                JobScript::AutoRendered(body) => ("application/json", body, true),
                JobScript::CannotBeQueued => return Err(DispatchError::NotQueued("10.0.0.1 refused".to_owned())),
                JobScript::NeverReplies => {
                    tokio::time::sleep_until(deadline).await;
                    return Err(DispatchError::NoReply("deadline".to_owned()));
                }
                JobScript::Panics => panic!("as asked"),
                JobScript::Fails(failure) => {
                    let outcome = Some(v1::job_reply::Outcome::Failure(failure));
                    return Ok(v1::JobReply { job_id: job.job_id, outcome, ..v1::JobReply::default() });
                }
            };
            let kept = CachedResult::compress(body.as_bytes(), content_type, auto_render, 1).unwrap();
            let cache = self.cache.lock().unwrap().clone();
            if let Some(cache) = cache.filter(|_| !unkept && !job.cache_key.is_empty()) {
                let _ = cache.put_result(&job.cache_key, &kept).await;
            }
            let (body, content_type) = (kept.body, content_type.to_owned());
            let extraction = v1::Extraction { body, content_type, auto_render, incomplete: false };
            let outcome = Some(v1::job_reply::Outcome::Extraction(extraction));
            Ok(v1::JobReply { job_id: job.job_id, outcome, worker_ms: 1, provisional: unkept, unkept })
        })
    }
}

/// The state shared by several gateways.
pub(crate) struct TestFleet {
    pub(crate) metering: Arc<FakeMetering>,
    pub(crate) fleet: Arc<FakeFleet>,
    cache_config: CacheConfig,
    cancelled: broadcast::Sender<Cancellation>,
    pub(crate) screenshots: ScreenshotStore,
    pub(crate) objects: tempfile::TempDir,
}

/// A running gateway.
pub(crate) struct Running {
    pub(crate) world: Arc<TestFleet>,
    pub(crate) address: SocketAddr,
    pub(crate) cache: Cache,
    pub(crate) client: reqwest::Client,
    pub(crate) shutdown: CancellationToken,
    pub(crate) ended: tokio::task::JoinHandle<()>,
    news: mpsc::UnboundedSender<Invalidation>,
}

impl TestFleet {
    pub(crate) async fn new() -> Arc<Self> {
        Self::with_redis(shared_servers::redis().await.url())
    }

    /// Like [`Self::new`], with at most so many bytes of a result in Redis.
    pub(crate) async fn with_result_bytes(max_result_bytes: usize) -> Arc<Self> {
        let fleet = Self::new().await;
        let cache_config = CacheConfig { max_result_bytes, ..fleet.cache_config.clone() };
        let fleet = Arc::into_inner(fleet).unwrap();
        Arc::new(Self { cache_config, ..fleet })
    }

    pub(crate) fn with_redis(url: String) -> Arc<Self> {
        let prefix = format!("gateway-{}", uuid::Uuid::new_v4());
        let cache_config = CacheConfig { url, prefix, connections: 2, ..CacheConfig::default() };
        let objects = tempfile::tempdir().unwrap();
        let screenshots = ScreenshotStore::open(&format!("file://{}", objects.path().display())).unwrap();
        let fleet = Arc::new(FakeFleet::new());
        let (cancelled, _) = broadcast::channel(64);
        Arc::new(Self { metering: Arc::default(), fleet, cache_config, cancelled, screenshots, objects })
    }

    /// Creates an account and returns its key.
    pub(crate) fn account(&self, id: &str, change: impl FnOnce(&mut AccountState)) -> ApiKey {
        let mut account = AccountState {
            account_id: id.to_owned(),
            plan: Plan::Developer,
            suspended: false,
            requests_per_minute: 600,
            monthly_limit: Some(5_000),
            period_start_unix: this_month(),
            spent_this_month: 0,
            plan_spent: 0,
            overage_spent: 0,
            pack_balance: 0,
            overage_enabled: false,
            version: 1,
        };
        change(&mut account);
        self.metering.ledger.lock().unwrap().accounts.insert(id.to_owned(), account);
        self.key(id, "key-of")
    }

    /// Creates a key of the MCP server.
    pub(crate) fn mcp_key(&self, id: &str) -> ApiKey {
        self.key(id, "mcp-key-of")
    }

    fn key(&self, id: &str, kind: &str) -> ApiKey {
        let key = ApiKey::from_secret(Sha256::digest(uuid::Uuid::new_v4().as_bytes()).into());
        let owner = (id.to_owned(), format!("{kind}-{id}"));
        self.metering.ledger.lock().unwrap().keys.insert(sha256(&key), owner);
        key
    }

    /// Returns the cancellations at one gateway, as the others receive them.
    fn cancellations(&self) -> Cancellations {
        let heard =
            stream::unfold(self.cancelled.subscribe(), |mut heard| async { Some((heard.recv().await.ok()?, heard)) });
        let told = self.cancelled.clone();
        let announce = move |cancellation| -> BoxFuture<'static, ()> {
            let _ = told.send(cancellation);
            Box::pin(std::future::ready(()))
        };
        Cancellations::new(announce, heard.boxed())
    }

    pub(crate) async fn gateway(self: &Arc<Self>, change: impl FnOnce(&mut Config)) -> Running {
        let cache = Cache::connect(self.cache_config.clone()).await.unwrap();
        *self.metering.cache.lock().unwrap() = Some(cache.clone());
        *self.fleet.cache.lock().unwrap() = Some(cache.clone());
        let (news, invalidations) = mpsc::unbounded_channel();
        let invalidations = stream::unfold(invalidations, |mut news| async { Some((news.recv().await?, news)) });
        let backend = Dependencies {
            cache: cache.clone(),
            metering: self.metering.clone(),
            dispatcher: self.fleet.clone(),
            has_browser: {
                let fleet = self.fleet.clone();
                Arc::new(move || !fleet.browserless.load(Ordering::SeqCst))
            },
            screenshots: Some(self.screenshots.clone()),
            invalidations: invalidations.boxed(),
            cancellations: self.cancellations(),
        };
        // One clock for all: a test that runs at the beginning of a month behaves like any other.
        let listen = ([127, 0, 0, 1], 0).into();
        let mut config = Config { listen, renderer: true, clock_skew: Duration::ZERO, ..Config::default() };
        change(&mut config);
        let gateway = Gateway::bind(config, backend).await.unwrap();
        let address = gateway.local_addr();
        let shutdown = CancellationToken::new();
        let run = gateway.run(shutdown.clone());
        let ended = tokio::spawn(async move { run.await.unwrap() });
        let client = client();
        Running { world: Arc::clone(self), address, cache, client, shutdown, ended, news }
    }
}

pub(crate) fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap()
}

pub(crate) fn this_month() -> i64 {
    let now = time::OffsetDateTime::now_utc();
    now.replace_day(1).unwrap().replace_time(time::Time::MIDNIGHT).unix_timestamp()
}

pub(crate) fn unix_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

impl Running {
    pub(crate) fn announce(&self, invalidation: Invalidation) {
        self.news.send(invalidation).unwrap();
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) async fn get(&self, key: &ApiKey, path: &str) -> Answer {
        Answer::send(self.client.get(self.url(path)).bearer_auth(key.expose())).await
    }
}

/// Starts a gateway and returns the key of one account named `a`.
pub(crate) async fn start() -> (Running, ApiKey) {
    start_with(|_| {}, |_| {}).await
}

pub(crate) async fn start_with(
    config: impl FnOnce(&mut Config),
    account: impl FnOnce(&mut AccountState),
) -> (Running, ApiKey) {
    let world = TestFleet::new().await;
    let key = world.account("a", account);
    (world.gateway(config).await, key)
}

/// A complete response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) async fn send(request: reqwest::RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self { status, headers, text: response.text().await.unwrap() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn has_header(&self, name: &str) -> bool {
        self.headers.contains_key(name)
    }

    pub(crate) fn number(&self, name: &str) -> u64 {
        self.header(name).parse().unwrap_or_else(|_| panic!("{name} is no number in {self:?}"))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(crate) fn usage(&self) -> Value {
        self.json()["usage"].clone()
    }

    /// Checks that this is a result with that cache status.
    #[track_caller]
    pub(crate) fn assert_ok(&self, cache: &str) {
        assert_eq!((self.status, self.header("x-cache")), (200, cache), "{self:?}");
        assert!(self.header("x-request-id").starts_with("req_"), "{self:?}");
    }

    /// Checks the complete error body and returns its message.
    #[track_caller]
    pub(crate) fn assert_error(&self, status: u16, code: ErrorCode) -> String {
        let body = self.json();
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(body["error"], true);
        assert_eq!(body["statusCode"], status);
        assert_eq!(body["data"]["code"], code.to_string(), "{self:?}");
        assert_eq!(body["data"]["requestId"], self.header("x-request-id"));
        assert!(self.header("x-request-id").starts_with("req_"));
        assert_eq!(self.header("content-type"), "application/json");
        assert!(!self.has_header("x-cache"));
        body["statusMessage"].as_str().unwrap().to_owned()
    }
}
