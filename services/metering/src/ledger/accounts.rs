//! Accounts, and the operations on them by operators and billing providers.

use super::Ledger;
use super::plans::{ScheduledPlan, TermsRow, scheduled_plan};
use super::row_mapping::{account_state, column, column_enum, count};
use crate::LedgerError;
use crate::api_key::new_id;
use crate::contract_terms::{BillingInterval, BusinessTerms, Currency, Terms};
use limner_store::Row;
use limner_types::{AccountState, Pack, Plan, WireEnum};
use serde::Serialize;
use time::OffsetDateTime;

/// An account to create.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// Its owner.
    pub email: String,
    /// Its plan.
    pub plan: Plan,
    /// Agreed terms, for [`Plan::Business`] only.
    pub business: Option<BusinessTerms>,
    /// The currency of its invoices.
    pub currency: Currency,
    /// Interval at which the plan is paid.
    pub billing_interval: BillingInterval,
}

impl NewAccount {
    /// Returns an account with a listed plan, billed monthly in euro.
    pub fn new(email: impl Into<String>, plan: Plan) -> Self {
        Self {
            email: email.into(),
            plan,
            business: None,
            currency: Currency::default(),
            billing_interval: BillingInterval::default(),
        }
    }
}

/// An account, as operators see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AccountRecord {
    /// The part that callers see.
    #[serde(flatten)]
    pub state: AccountState,
    /// Plan credits left this month; null is unlimited.
    pub remaining: Option<u64>,
    /// Credits reserved by calls under way.
    pub held: u64,
    /// Its owner.
    pub email: String,
    /// The currency of its invoices.
    pub currency: Currency,
    /// Interval at which the plan is paid.
    pub billing_interval: BillingInterval,
    /// Cents per 1,000 overage credits; null: no overage on this plan.
    pub overage_rate_cents: Option<i32>,
    /// The plan that takes effect later; null if the current one stays.
    pub scheduled: Option<ScheduledPlan>,
    /// When it was created.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// An event of an account that moved no credits, or the reason why credits moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AccountEvent {
    /// When.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// `created`, `plan_changed`, `plan_change_scheduled`, `plan_change_cancelled`, `overage_on`, `overage_off`,
    /// `suspended`, `resumed`, `pack_granted`, `adjusted`, `refunded`, `key_created`, `key_revoked`,
    /// `grant_made`, `grant_ended`, `payment_in_excess`, `closed`, `projections_rebuilt`.
    pub kind: String,
    /// Details.
    pub detail: serde_json::Value,
}

impl Ledger {
    /// Creates an account with the credits of its plan for the current month.
    ///
    /// # Errors
    /// The e-mail address is missing, the terms are invalid, or the database fails.
    pub async fn create_account(&self, new: &NewAccount) -> Result<AccountRecord, LedgerError> {
        const SQL: &str = "SELECT account_id FROM metering.create_account($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        if !new.email.contains('@') {
            return Err(LedgerError::Invalid(format!("`{}` is not an e-mail address", new.email)));
        }
        let terms = Terms::new(new.plan, new.business.clone(), new.currency).map_err(LedgerError::Invalid)?;
        let id = new_id("acc");
        let columns = TermsRow::from_terms(&terms);
        self.store
            .query_one(
                SQL,
                &[
                    &id,
                    &new.email,
                    &terms.plan.as_str(),
                    &columns.monthly_limit,
                    &columns.requests_per_minute,
                    &terms.overage_at_start(),
                    &columns.overage_rate_cents,
                    &new.currency.as_str(),
                    &new.billing_interval.as_str(),
                ],
            )
            .await?;
        tracing::info!(account.id = %id, account.plan = %terms.plan, "account created");
        let record = self.account(&id).await?;
        self.cache_state(&record.state).await;
        Ok(record)
    }

    /// Returns the account, as operators see it.
    ///
    /// # Errors
    /// There is none, or the database fails.
    pub async fn account(&self, account_id: &str) -> Result<AccountRecord, LedgerError> {
        const SQL: &str = "SELECT a.email, a.currency, a.billing_interval, a.overage_rate_cents, a.created_at, s.*, \
                             (SELECT coalesce(sum(h.plan_credits + h.overage_credits + h.pack_credits), 0)::bigint \
                                FROM metering.hold h WHERE h.account_id = a.id) AS held, \
                             t.plan AS later_plan, t.billing_interval AS later_interval, t.effective::text AS later_from \
                           FROM metering.account a CROSS JOIN LATERAL metering.read_state(a) s \
                             LEFT JOIN metering.scheduled_terms t \
                               ON t.account_id = a.id AND t.effective > metering.month_of(metering.clock()) \
                           WHERE a.id = $1";
        let row = self.store.query_opt(SQL, &[&account_id]).await?;
        let row = row.ok_or_else(|| LedgerError::UnknownAccount(account_id.to_owned()))?;
        let state = notify_changed(account_state(&row)?, account_id)?;
        Ok(AccountRecord {
            remaining: state.remaining(),
            state,
            held: count(&row, "held")?,
            email: column(&row, "email")?,
            currency: column_enum(&row, "currency")?,
            billing_interval: column_enum(&row, "billing_interval")?,
            overage_rate_cents: column(&row, "overage_rate_cents")?,
            scheduled: scheduled_plan(&row)?,
            created_at: column(&row, "created_at")?,
        })
    }

    /// Reads the visible state of an account from the ledger, and writes it to the caches too.
    ///
    /// # Errors
    /// There is none, or the database fails.
    pub async fn account_state(&self, account_id: &str) -> Result<AccountState, LedgerError> {
        let state = notify_changed(self.read_state(account_id).await?, account_id)?;
        self.cache_state(&state).await;
        Ok(state)
    }

    /// Reads the visible state without touching the cache.
    pub(crate) async fn read_state(&self, account_id: &str) -> Result<Option<AccountState>, LedgerError> {
        const SQL: &str = "SELECT s.* FROM metering.account a, LATERAL metering.read_state(a) s WHERE a.id = $1";
        let run = |store: limner_store::Store| async move { store.query_opt(SQL, &[&account_id]).await };
        let row = self.store.idempotent(run).await?;
        Ok(row.as_ref().map(account_state).transpose()?.flatten())
    }

    /// Switches overage billing of a paid account on or off.
    ///
    /// # Errors
    /// There is no such account, its plan has no overage, or the database fails.
    pub async fn set_overage(&self, account_id: &str, enabled: bool) -> Result<AccountState, LedgerError> {
        const SQL: &str = "SELECT o.available, (o.state).* FROM metering.set_overage($1, $2) o";
        let row = self.store.query_one(SQL, &[&account_id, &enabled]).await?;
        if column::<Option<bool>>(&row, "available")? == Some(false) {
            return Err(LedgerError::NoOverage(account_id.to_owned()));
        }
        self.changed(&row, account_id, "overage switched").await
    }

    /// Suspends an account by an operator's decision: its calls return `billing_issue`. Calls in progress end as usual.
    /// A payment does not end this suspension.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn suspend(&self, account_id: &str) -> Result<AccountState, LedgerError> {
        self.set_suspended(account_id, true).await
    }

    /// Ends a suspension of any cause. Invoices that are unpaid now do not suspend the account again.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn resume(&self, account_id: &str) -> Result<AccountState, LedgerError> {
        self.set_suspended(account_id, false).await
    }

    async fn set_suspended(&self, account_id: &str, suspended: bool) -> Result<AccountState, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.set_suspended($1, $2)";
        let row = self.store.query_one(SQL, &[&account_id, &suspended]).await?;
        self.changed(&row, account_id, if suspended { "account suspended" } else { "account resumed" }).await
    }

    /// Adds a credit pack. Packs never expire. `reference` identifies the purchase, which is added once however often
    /// it is reported; without `reference`, each call is a purchase of its own.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn grant_pack(
        &self,
        account_id: &str,
        pack: Pack,
        reference: Option<&str>,
    ) -> Result<AccountState, LedgerError> {
        const SQL: &str = "SELECT g.added, (g.state).* FROM metering.grant_pack($1, $2, $3, $4) g";
        let reference = reference.map_or_else(|| new_id("grant"), str::to_owned);
        let credits = i64::try_from(pack.credits()).unwrap_or(i64::MAX);
        let row = self.store.query_one(SQL, &[&account_id, &reference, &pack.as_str(), &credits]).await?;
        self.changed(&row, account_id, "pack granted").await
    }

    /// Returns the events of an account, latest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn events(&self, account_id: &str, limit: u32) -> Result<Vec<AccountEvent>, LedgerError> {
        const SQL: &str =
            "SELECT at, kind, detail FROM metering.account_event WHERE account_id = $1 ORDER BY id DESC LIMIT $2";
        let rows = self.store.query(SQL, &[&account_id, &i64::from(limit)]).await?;
        let event = |row: &Row| {
            Ok(AccountEvent { at: column(row, "at")?, kind: column(row, "kind")?, detail: column(row, "detail")? })
        };
        rows.iter().map(event).collect()
    }

    /// Returns the state after a change and publishes it to the running processes.
    pub(crate) async fn changed(&self, row: &Row, account_id: &str, what: &str) -> Result<AccountState, LedgerError> {
        let state = notify_changed(account_state(row)?, account_id)?;
        tracing::info!(account.id = account_id, account.plan = %state.plan, "{what}");
        self.flush_outbox().await;
        Ok(state)
    }
}

pub(crate) fn notify_changed(state: Option<AccountState>, account_id: &str) -> Result<AccountState, LedgerError> {
    state.ok_or_else(|| LedgerError::UnknownAccount(account_id.to_owned()))
}
