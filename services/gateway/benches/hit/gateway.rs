//! The gateway that is measured, with one account and one result.

use crate::load::{LoadTarget, load};
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use limner_cache::{Cache, CacheConfig, CachedResult};
use limner_gateway::{
    Cancellations, Config, Dependencies, DispatchError, Dispatcher, Gateway, KeyOwner, Metering, MeteringError,
};
use limner_proto::v1;
use limner_types::{AccountState, ApiKey, Plan};
use std::fmt::Write;
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;

pub(crate) const REDIS_CONNECTIONS: usize = 4;
/// The call.
pub(crate) const PATH: &str = "/v1/images?url=example.com";
const IMAGES: usize = 60;
/// The secret of the only key.
const SECRET: [u8; 32] = [1; 32];

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

pub(crate) fn result() -> String {
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

/// Returns the only account.
pub(crate) fn account() -> AccountState {
    AccountState {
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
    }
}

/// Returns the value of `Authorization` with the only key.
pub(crate) fn authorization() -> String {
    format!("Bearer {}", ApiKey::from_secret(SECRET).expose())
}

/// Connects to Redis with as many connections as the bare handler.
pub(crate) async fn connect(redis: &str) -> Cache {
    let config = CacheConfig { url: redis.to_owned(), connections: REDIS_CONNECTIONS, ..CacheConfig::default() };
    Cache::connect(config).await.unwrap()
}

/// Starts a gateway, whose cache has the result.
pub(crate) async fn start(redis: &str) -> LoadTarget {
    let cache = connect(redis).await;
    let fleet = Arc::new(OneResult { cache: cache.clone() });
    let backend = Dependencies {
        cache,
        metering: Arc::new(OneAccount(account())),
        dispatcher: fleet,
        has_browser: Arc::new(|| false),
        screenshots: None,
        invalidations: stream::pending().boxed(),
        cancellations: Cancellations::local_only(),
    };
    let config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
    let gateway = Gateway::bind(config, backend).await.unwrap();
    let target = LoadTarget { address: gateway.local_addr(), path: PATH.to_owned(), authorization: authorization() };
    tokio::spawn(gateway.run(CancellationToken::new()));
    load(&target, 1, &Mutex::default()).await;
    target
}
