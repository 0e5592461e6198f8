//! A ledger over its own database, with a clock that tests set.

use limner_local_servers::shared_servers;
use limner_metering::contract_terms::BusinessTerms;
use limner_metering::{AccountRecord, CommitResult, HoldCall, HoldDecision, Ledger, NewAccount, RecordedCall};
use limner_store::{Store, StoreConfig};
use limner_types::{AccountState, Plan};
use std::time::Duration;
use time::OffsetDateTime;

/// Creates a migrated, empty database.
pub(crate) async fn database() -> String {
    let url = shared_servers::postgres().await.fresh_database().await.unwrap();
    Store::connect(config(&url, 1)).await.unwrap().migrate().await.unwrap();
    url
}

pub(crate) fn config(url: &str, pool_size: usize) -> StoreConfig {
    StoreConfig { url: url.to_owned(), pool_size, acquire_timeout: Duration::from_secs(20), ..StoreConfig::default() }
}

pub(crate) async fn store() -> Store {
    Store::connect(config(&database().await, 8)).await.unwrap()
}

/// Creates a ledger without cache and bus.
pub(crate) async fn ledger() -> Ledger {
    Ledger::new(store().await, None, None)
}

/// Creates a ledger whose months and expiries follow a [`Clock`].
pub(crate) async fn ledger_with_clock(now: &str) -> (Ledger, Clock) {
    let store = store().await;
    store
        .client()
        .await
        .unwrap()
        .batch_execute(
            "CREATE TABLE public.test_clock (now timestamptz NOT NULL);
             INSERT INTO test_clock VALUES (now());
             CREATE OR REPLACE FUNCTION metering.clock() RETURNS timestamptz
                 LANGUAGE sql VOLATILE AS 'SELECT now FROM public.test_clock'",
        )
        .await
        .unwrap();
    let clock = Clock(store.clone());
    clock.set(now).await;
    (Ledger::new(store, None, None), clock)
}

/// The database's clock, set by a test.
pub(crate) struct Clock(Store);

impl Clock {
    /// Records that a daily job has just run, so that the service does not run it.
    pub(crate) async fn complete_job(&self, job: &str) {
        self.0.query("SELECT metering.complete_job($1)", &[&job]).await.unwrap();
    }

    /// Returns the number of rows of a table.
    pub(crate) async fn count(&self, table: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        self.0.client().await.unwrap().query_one(sql.as_str(), &[]).await.unwrap().get(0)
    }

    pub(crate) async fn set(&self, now: &str) {
        self.0.client().await.unwrap().batch_execute(&format!("UPDATE test_clock SET now = '{now}'")).await.unwrap();
    }
}

pub(crate) async fn account(ledger: &Ledger, plan: Plan) -> AccountRecord {
    ledger.create_account(&NewAccount::new("a@example.org", plan)).await.unwrap()
}

/// Creates a Business account with that many credits.
pub(crate) async fn business(ledger: &Ledger, credits: Option<u64>, overage: bool) -> String {
    let terms = BusinessTerms { monthly_credits: credits, overage, ..BusinessTerms::default() };
    let new = NewAccount { business: Some(terms), ..NewAccount::new("a@example.org", Plan::Business) };
    ledger.create_account(&new).await.unwrap().state.account_id
}

pub(crate) fn call(account: &str, request: &str, credits: u32) -> HoldCall {
    HoldCall {
        account_id: account.to_owned(),
        key_id: "key_test".to_owned(),
        request_id: request.to_owned(),
        credits,
        operation: "code".to_owned(),
        url: "https://example.org/".to_owned(),
        ttl: Duration::from_secs(120),
    }
}

/// Returns a cache hit, as a gateway records it.
pub(crate) fn hit(account: &str, key: &str, request: &str, at: OffsetDateTime) -> RecordedCall {
    RecordedCall {
        account_id: account.to_owned(),
        key_id: key.to_owned(),
        request_id: request.to_owned(),
        operation: "images".to_owned(),
        url: "https://example.org/".to_owned(),
        at,
        cached: true,
        code: None,
        duration_ms: Some(3),
    }
}

/// Takes a hold that must be granted.
pub(crate) async fn hold(ledger: &Ledger, account: &str, request: &str, credits: u32) -> AccountState {
    match ledger.hold(&call(account, request, credits)).await.unwrap() {
        HoldDecision::Granted { state, .. } => state,
        refused => panic!("{request}: {refused:?}"),
    }
}

/// Takes a hold that must be denied for quota, with a message that contains all of `says`.
pub(crate) async fn refused(ledger: &Ledger, account: &str, request: &str, credits: u32, says: &[&str]) {
    match ledger.hold(&call(account, request, credits)).await.unwrap() {
        HoldDecision::QuotaExceeded { message, retry_after_seconds, .. } => {
            for part in says {
                assert!(message.contains(part), "{request}: {message}");
            }
            assert!((1..=31 * 24 * 60 * 60).contains(&retry_after_seconds), "{retry_after_seconds}");
        }
        other => panic!("{request}: {other:?}"),
    }
}

/// Holds and commits.
pub(crate) async fn spend(ledger: &Ledger, account: &str, request: &str, credits: u32) -> CommitResult {
    hold(ledger, account, request, credits).await;
    let committed = ledger.commit(request, false).await.unwrap();
    assert_eq!(committed.credits, u64::from(credits));
    committed
}

/// Checks that every balance follows from the entries.
pub(crate) async fn assert_balanced(ledger: &Ledger) {
    assert_eq!(ledger.check().await.unwrap(), []);
}
