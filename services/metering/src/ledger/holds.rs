//! The ledger steps of one call: hold, then commit or release.

use super::Ledger;
use super::row_mapping::{account_state, column, column_enum, count, optional_count, signed};
use crate::LedgerError;
use crate::denial_messages;
use crate::denial_messages::Remaining;
use limner_store::{Row, StoreError};
use limner_types::{AccountState, WireEnum};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use time::OffsetDateTime;

/// Maximum length of a request id.
const MAX_REQUEST_ID: usize = 128;

/// A call that is about to start.
#[derive(Debug, Clone)]
pub struct HoldCall {
    /// The account that pays.
    pub account_id: String,
    /// The key that authenticated the call.
    pub key_id: String,
    /// Makes the hold, its commit and its release idempotent.
    pub request_id: String,
    /// Price of the call if it succeeds.
    pub credits: u32,
    /// For the history.
    pub operation: String,
    /// For the history.
    pub url: String,
    /// Time for which the credits stay reserved; must be longer than the call may take.
    pub ttl: Duration,
}

/// The answer to a hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HoldDecision {
    /// The credits are reserved.
    Granted {
        /// The account.
        state: AccountState,
        /// Source of the credits; `None` if the call had been charged before and was written off.
        source: Option<CreditSource>,
    },
    /// No source covers the call.
    QuotaExceeded {
        /// The account.
        state: AccountState,
        /// Message for the caller: the exceeded limit, the remaining credits, the time of reset.
        message: String,
        /// Seconds until the month ends.
        retry_after_seconds: u32,
    },
    /// The account is suspended.
    Suspended {
        /// The account.
        state: AccountState,
        /// Message for the caller.
        message: String,
    },
    /// There is no such account.
    UnknownAccount {
        /// Message for the caller.
        message: String,
    },
}

/// The source of a call's credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CreditSource {
    /// Plan credits.
    Plan,
    /// The pack balance.
    Pack,
    /// The plan's remainder, if any, and billed overage.
    Overage,
    /// An unlimited plan.
    Unlimited,
}

impl WireEnum for CreditSource {
    const ALL: &'static [Self] = &[Self::Plan, Self::Pack, Self::Overage, Self::Unlimited];

    fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Pack => "pack",
            Self::Overage => "overage",
            Self::Unlimited => "unlimited",
        }
    }
}

/// A call that was charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitResult {
    /// The account now.
    pub state: AccountState,
    /// Credits charged for this call.
    pub credits: u64,
    /// Source of the credits; `None` if the call was written off.
    pub source: Option<CreditSource>,
    /// True if the hold had expired before, and the call was charged from the credits that were left then.
    pub charged_late: bool,
}

/// The answer to a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseResult {
    /// The account now; `None` if the request is unknown.
    pub state: Option<AccountState>,
    /// True if the call had been charged before; it stays charged.
    pub charged: bool,
}

/// A call without a hold: a cache hit, or a failure before the hold.
#[derive(Debug, Clone)]
pub struct RecordedCall {
    /// The account.
    pub account_id: String,
    /// The key that authenticated the call.
    pub key_id: String,
    /// Makes recording idempotent.
    pub request_id: String,
    /// The operation.
    pub operation: String,
    /// The page.
    pub url: String,
    /// Time of the gateway's response. Used only for the order of the history.
    pub at: OffsetDateTime,
    /// True if it was served from the cache.
    pub cached: bool,
    /// The error code of a failed call.
    pub code: Option<String>,
    /// Milliseconds that the call took at the gateway.
    pub duration_ms: Option<u32>,
}

impl Ledger {
    /// Reserves credits before work starts. Idempotent by request id.
    ///
    /// # Errors
    /// The request id belongs to another call or to one that was released or expired, a value is out of range, or the
    /// database fails. A denied hold is not an error.
    pub async fn hold(&self, call: &HoldCall) -> Result<HoldDecision, LedgerError> {
        check(call)?;
        let row = self.store.idempotent(|store| hold_row(store, call)).await;
        let row = match row {
            Err(cause) if LedgerError::is_unique_violation(&cause) => {
                return Err(LedgerError::RequestConflict(call.request_id.clone()));
            }
            row => row?,
        };
        let outcome: &str = column(&row, "outcome")?;
        metrics::counter!("limner_metering_holds_total", "outcome" => outcome.to_owned()).increment(1);
        decide(outcome, &row, call)
    }

    /// Charges a held call, in the month its hold was taken. Idempotent by request id.
    ///
    /// If the hold has expired meanwhile, the call is still charged, once, from the credits that are left by then; if
    /// they do not cover it, it is written off (0 credits, no source).
    ///
    /// # Errors
    /// There was no hold, it was released before, or the database fails.
    pub async fn commit(&self, request_id: &str, auto_render: bool) -> Result<CommitResult, LedgerError> {
        const SQL: &str = "SELECT c.outcome, c.charged, c.drawn_from, c.was_late, (c.state).* \
                           FROM metering.commit_hold($1, $2) c";
        let run = |store: limner_store::Store| async move { store.query_one(SQL, &[&request_id, &auto_render]).await };
        self.charged(request_id, &self.store.idempotent(run).await?).await
    }

    /// Like [`Ledger::commit`], for a caller that still knows the held call: a hold that the database has lost (a crash
    /// or a fail-over may lose those of the last moments) is charged like an expired one.
    ///
    /// # Errors
    /// There is no such account, the call was released before, or the database fails.
    pub async fn commit_held(&self, call: &HoldCall, auto_render: bool) -> Result<CommitResult, LedgerError> {
        const SQL: &str = "SELECT c.outcome, c.charged, c.drawn_from, c.was_late, (c.state).* \
                           FROM metering.commit_hold($1, $2, $3, $4, $5, $6, $7) c";
        check(call)?;
        let price = i64::from(call.credits);
        let params: [&(dyn limner_store::ToSql + Sync); 7] =
            [&call.request_id, &auto_render, &call.account_id, &call.key_id, &price, &call.operation, &call.url];
        let run = |store: limner_store::Store| async move { store.query_one(SQL, &params).await };
        self.charged(&call.request_id, &self.store.idempotent(run).await?).await
    }

    /// Decodes the result of a commit and publishes the new state.
    async fn charged(&self, request_id: &str, row: &Row) -> Result<CommitResult, LedgerError> {
        match column(row, "outcome")? {
            "unknown" => return Err(LedgerError::UnknownRequest(request_id.to_owned())),
            "released" => return Err(LedgerError::RequestSettled(request_id.to_owned())),
            _ => {}
        }
        let committed = CommitResult {
            state: existing_state(row)?,
            credits: count(row, "charged")?,
            source: credit_source(row, "drawn_from")?,
            charged_late: column(row, "was_late")?,
        };
        record_commit(request_id, &committed);
        self.cache_state(&committed.state).await;
        Ok(committed)
    }

    /// Releases a call: its credits are returned, and it cannot be charged any more. Idempotent; an unknown request is
    /// not an error, and a call that was charged before stays charged.
    ///
    /// # Errors
    /// The database fails.
    pub async fn release(&self, request_id: &str, code: &str) -> Result<ReleaseResult, LedgerError> {
        const SQL: &str = "SELECT r.outcome, (r.state).* FROM metering.release_hold($1, $2) r";
        // The history must never show a released call as charged, whatever code the caller sends.
        let code = if code.is_empty() || code == "ok" { "internal_error" } else { code };
        let run = |store: limner_store::Store| async move { store.query_one(SQL, &[&request_id, &code]).await };
        let row = self.store.idempotent(run).await?;
        let outcome: &str = column(&row, "outcome")?;
        metrics::counter!("limner_metering_releases_total", "outcome" => outcome.to_owned()).increment(1);
        Ok(ReleaseResult { state: account_state(&row)?, charged: outcome == "committed" })
    }

    /// Adds calls that cost nothing to the history. Idempotent; calls of unknown accounts are skipped.
    ///
    /// # Errors
    /// The database fails.
    pub async fn record_calls(&self, calls: &[RecordedCall]) -> Result<u64, LedgerError> {
        if self.counts_hits_only {
            let (hits, others): (Vec<_>, Vec<_>) = calls.iter().cloned().partition(|call| call.cached);
            return Ok(self.count_hits(&hits).await? + self.add_calls(&others).await?);
        }
        self.add_calls(calls).await
    }

    /// Adds hits to the sums per day.
    async fn count_hits(&self, hits: &[RecordedCall]) -> Result<u64, LedgerError> {
        const SQL: &str = "SELECT metering.count_hits($1, $2, $3, $4, $5) AS added";
        if hits.is_empty() {
            return Ok(0);
        }
        let texts = |field: fn(&RecordedCall) -> &str| hits.iter().map(field).collect::<Vec<_>>();
        let (accounts, keys) = (texts(|call| &call.account_id), texts(|call| &call.key_id));
        let (requests, operations) = (texts(|call| &call.request_id), texts(|call| &call.operation));
        let times: Vec<OffsetDateTime> = hits.iter().map(|call| call.at).collect();
        let params: [&(dyn limner_store::ToSql + Sync); 5] = [&accounts, &keys, &requests, &operations, &times];
        let run = |store: limner_store::Store| async move { store.query_one(SQL, &params).await };
        Ok(count(&self.store.idempotent(run).await?, "added")?)
    }

    /// Adds calls to the history.
    async fn add_calls(&self, calls: &[RecordedCall]) -> Result<u64, LedgerError> {
        const SQL: &str = "SELECT metering.record_calls($1, $2, $3, $4, $5, $6, $7, $8, $9) AS added";
        if calls.is_empty() {
            return Ok(0);
        }
        let texts = |field: fn(&RecordedCall) -> &str| calls.iter().map(field).collect::<Vec<_>>();
        let accounts = texts(|call| &call.account_id);
        let keys = texts(|call| &call.key_id);
        let requests = texts(|call| &call.request_id);
        let operations = texts(|call| &call.operation);
        let urls = texts(|call| &call.url);
        let outcomes = texts(|call| call.code.as_deref().unwrap_or("ok"));
        let times: Vec<OffsetDateTime> = calls.iter().map(|call| call.at).collect();
        let cached: Vec<bool> = calls.iter().map(|call| call.cached).collect();
        let milliseconds = |call: &RecordedCall| call.duration_ms.map(|ms| i32::try_from(ms).unwrap_or(i32::MAX));
        let durations: Vec<Option<i32>> = calls.iter().map(milliseconds).collect();
        let params: [&(dyn limner_store::ToSql + Sync); 9] =
            [&accounts, &keys, &requests, &operations, &urls, &times, &cached, &outcomes, &durations];
        let run = |store: limner_store::Store| async move { store.query_one(SQL, &params).await };
        Ok(count(&self.store.idempotent(run).await?, "added")?)
    }

    /// Returns the first second of the current month by the database's clock, the only clock that decides it.
    ///
    /// # Errors
    /// The database fails.
    pub async fn current_month(&self) -> Result<i64, LedgerError> {
        const SQL: &str = "SELECT extract(epoch FROM metering.month_of(metering.clock())::timestamp)::bigint AS month";
        Ok(column(&self.store.query_one(SQL, &[]).await?, "month")?)
    }

    /// Expires at most `at_most` overdue holds and returns the number expired.
    ///
    /// # Errors
    /// The database fails.
    pub async fn expire_holds(&self, at_most: u32) -> Result<u64, LedgerError> {
        let at_most = i32::try_from(at_most).unwrap_or(i32::MAX);
        let overdue =
            self.store.query("SELECT metering.accounts_with_overdue_holds($1) AS account_id", &[&at_most]).await?;
        let mut expired = 0;
        for row in &overdue {
            let account: &str = column(row, "account_id")?;
            // One transaction per account, so that no account waits for another's lock.
            let row = self.store.query_one("SELECT metering.expire_holds($1) AS expired", &[&account]).await?;
            expired += count(&row, "expired")?;
        }
        if expired > 0 {
            metrics::counter!("limner_metering_expired_holds_total").increment(expired);
            tracing::warn!(holds.expired = expired, "holds expired without a commit or release");
        }
        Ok(expired)
    }
}

fn check(call: &HoldCall) -> Result<(), LedgerError> {
    if call.credits == 0 {
        return Err(LedgerError::Invalid("a hold is for at least 1 credit".to_owned()));
    }
    if call.request_id.is_empty() || call.request_id.len() > MAX_REQUEST_ID {
        return Err(LedgerError::Invalid(format!("a request id has 1 to {MAX_REQUEST_ID} bytes")));
    }
    Ok(())
}

async fn hold_row(store: limner_store::Store, call: &HoldCall) -> Result<Row, StoreError> {
    const SQL: &str = "SELECT h.outcome, h.retry_after_seconds, h.plan_left, h.pack_left, h.drawn_from, (h.state).* \
                       FROM metering.hold_credits($1, $2, $3, $4, $5, $6, $7) h";
    let price = i64::from(call.credits);
    let life_ms = signed(u64::try_from(call.ttl.as_millis()).unwrap_or(u64::MAX)).min(MAX_HOLD_LIFE_MS);
    store
        .query_one(
            SQL,
            &[&call.account_id, &call.key_id, &call.request_id, &price, &call.operation, &call.url, &life_ms],
        )
        .await
}

/// One day: no call takes longer, and credits of forgotten holds come back.
const MAX_HOLD_LIFE_MS: i64 = 24 * 60 * 60 * 1_000;

fn decide(outcome: &str, row: &Row, call: &HoldCall) -> Result<HoldDecision, LedgerError> {
    match outcome {
        "granted" => {
            Ok(HoldDecision::Granted { state: existing_state(row)?, source: credit_source(row, "drawn_from")? })
        }
        "quota_exceeded" => {
            let state = existing_state(row)?;
            let left = Remaining { plan: count(row, "plan_left")?, pack: count(row, "pack_left")? };
            let message = denial_messages::quota_exceeded(&state, call.credits, left);
            let seconds = optional_count(row, "retry_after_seconds")?.unwrap_or_default();
            let retry_after_seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
            Ok(HoldDecision::QuotaExceeded { state, message, retry_after_seconds })
        }
        "suspended" => {
            Ok(HoldDecision::Suspended { state: existing_state(row)?, message: denial_messages::suspended() })
        }
        "unknown_account" => Ok(HoldDecision::UnknownAccount { message: denial_messages::unknown_account() }),
        "conflict" => Err(LedgerError::RequestConflict(call.request_id.clone())),
        "settled" => Err(LedgerError::RequestSettled(call.request_id.clone())),
        other => Err(StoreError::Unexpected(format!("hold outcome `{other}`")).into()),
    }
}

fn existing_state(row: &Row) -> Result<AccountState, LedgerError> {
    let state = account_state(row)?;
    Ok(state.ok_or_else(|| StoreError::Unexpected("no account state where one is expected".to_owned()))?)
}

/// Reads a source from a nullable column.
fn credit_source(row: &Row, name: &'static str) -> Result<Option<CreditSource>, StoreError> {
    let is_given = column::<Option<&str>>(row, name)?.is_some();
    is_given.then(|| column_enum(row, name)).transpose()
}

fn record_commit(request_id: &str, committed: &CommitResult) {
    let source = committed.source.map_or("written_off", WireEnum::as_str);
    let late = if committed.charged_late { "true" } else { "false" };
    metrics::counter!("limner_metering_commits_total", "source" => source, "late" => late).increment(1);
    metrics::counter!("limner_metering_charged_credits_total", "source" => source).increment(committed.credits);
    if committed.charged_late {
        tracing::warn!(
            request.id = request_id,
            account.id = %committed.state.account_id,
            call.credits = committed.credits,
            call.source = source,
            "call committed after its hold had expired"
        );
    }
}
