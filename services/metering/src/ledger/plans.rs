//! Plan changes: immediately, or at the end of the paid period.

use super::Ledger;
use super::row_mapping::{column, column_enum};
use crate::LedgerError;
use crate::contract_terms::{BillingInterval, BusinessTerms, Currency, Terms};
use limner_store::{Row, StoreError, ToSql};
use limner_types::{AccountState, Plan, WireEnum};
use serde::Serialize;
use time::Date;

/// Maximum number of accounts whose scheduled terms one run of the job applies.
const DUE_BATCH: i32 = 1_000;

/// The target of a plan change.
#[derive(Debug, Clone)]
pub struct PlanChange {
    /// The plan.
    pub plan: Plan,
    /// Agreed terms, for [`Plan::Business`] only.
    pub business: Option<BusinessTerms>,
    /// Interval at which it is paid; `None`: unchanged.
    pub billing_interval: Option<BillingInterval>,
}

impl From<Plan> for PlanChange {
    fn from(plan: Plan) -> Self {
        Self { plan, business: None, billing_interval: None }
    }
}

impl From<BusinessTerms> for PlanChange {
    fn from(agreed: BusinessTerms) -> Self {
        Self { plan: Plan::Business, business: Some(agreed), billing_interval: None }
    }
}

/// A plan that takes effect later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScheduledPlan {
    /// The plan.
    pub plan: Plan,
    /// Interval at which it will be paid; null: unchanged.
    pub billing_interval: Option<BillingInterval>,
    /// First day of the month in which it takes effect.
    pub effective: String,
}

impl Ledger {
    /// Changes an account's plan, immediately and in either direction; its keys stay. Credits spent this month stay
    /// spent and count against the new limit. Overage is enabled when an account gets its first paid plan. A scheduled
    /// change is discarded.
    ///
    /// # Errors
    /// There is no such account, the terms are invalid, or the database fails.
    pub async fn set_plan(&self, account_id: &str, change: impl Into<PlanChange>) -> Result<AccountState, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.set_terms($1, $2, $3, $4, $5, $6, $7)";
        let terms = self.terms(account_id, &change.into()).await?;
        let row = self.store.query_one(SQL, &terms.params(&account_id)).await?;
        self.changed(&row, account_id, "plan set").await
    }

    /// Schedules a plan change for the end of the paid period: the month, or the year of a yearly plan. It takes effect
    /// on the first day of a month that is not before `not_before` (by default, the one after the current period); a
    /// later call replaces it.
    ///
    /// # Errors
    /// There is no such account, the terms are invalid, or the database fails.
    pub async fn schedule_plan(
        &self,
        account_id: &str,
        change: impl Into<PlanChange>,
        not_before: Option<Date>,
    ) -> Result<ScheduledPlan, LedgerError> {
        const SQL: &str = "SELECT metering.schedule_terms($1, $2, $3, $4, $5, $6, $7, $8)::text AS effective";
        let change = change.into();
        let terms = self.terms(account_id, &change).await?;
        let not_before = not_before.map(first_of_month_from);
        let mut params = terms.params(&account_id).to_vec();
        params.push(&not_before);
        let row = self.store.query_one(SQL, &params).await?;
        let effective: Option<String> = column(&row, "effective")?;
        let effective = effective.ok_or_else(|| LedgerError::UnknownAccount(account_id.to_owned()))?;
        tracing::info!(account.id = account_id, account.plan = %change.plan, plan.effective = effective, "plan scheduled");
        self.flush_outbox().await;
        Ok(ScheduledPlan { plan: change.plan, billing_interval: change.billing_interval, effective })
    }

    /// Cancels a scheduled plan change. Returns true if there was one.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn cancel_plan_change(&self, account_id: &str) -> Result<bool, LedgerError> {
        let row = self.store.query_one("SELECT metering.cancel_scheduled_terms($1) AS was", &[&account_id]).await?;
        let was_scheduled: Option<bool> = column(&row, "was")?;
        self.flush_outbox().await;
        was_scheduled.ok_or_else(|| LedgerError::UnknownAccount(account_id.to_owned()))
    }

    /// Applies scheduled plans whose month has begun, and returns their number, so that running processes learn of them
    /// without a call of that account. (A call of the account applies its plan as well.)
    ///
    /// # Errors
    /// The database fails.
    pub async fn apply_scheduled_plans(&self) -> Result<usize, LedgerError> {
        const DUE: &str = "SELECT metering.accounts_with_due_terms($1) AS account_id";
        const ENTER: &str = "SELECT id FROM metering.lock_account($1)";
        let due = self.store.query(DUE, &[&DUE_BATCH]).await?;
        for row in &due {
            let account: &str = column(row, "account_id")?;
            self.store.query_one(ENTER, &[&account]).await?;
        }
        if !due.is_empty() {
            tracing::info!(plan.accounts = due.len(), "scheduled plans took effect");
            self.flush_outbox().await;
        }
        Ok(due.len())
    }

    async fn terms(&self, account_id: &str, change: &PlanChange) -> Result<TermsRow, LedgerError> {
        const SQL: &str = "SELECT currency FROM metering.account WHERE id = $1";
        let row = self.store.query_opt(SQL, &[&account_id]).await?;
        let row = row.ok_or_else(|| LedgerError::UnknownAccount(account_id.to_owned()))?;
        let currency: Currency = column_enum(&row, "currency")?;
        let terms = Terms::new(change.plan, change.business.clone(), currency).map_err(LedgerError::Invalid)?;
        Ok(TermsRow { billing_interval: change.billing_interval.map(WireEnum::as_str), ..TermsRow::from_terms(&terms) })
    }
}

/// Terms as parameters of the SQL functions.
pub(crate) struct TermsRow {
    pub(crate) plan: &'static str,
    pub(crate) monthly_limit: Option<i64>,
    pub(crate) requests_per_minute: i32,
    overage: Option<bool>,
    pub(crate) overage_rate_cents: Option<i32>,
    billing_interval: Option<&'static str>,
}

impl TermsRow {
    pub(crate) fn from_terms(terms: &Terms) -> Self {
        Self {
            plan: terms.plan.as_str(),
            monthly_limit: terms.monthly_limit.map(super::row_mapping::signed),
            requests_per_minute: i32::try_from(terms.requests_per_minute).unwrap_or(i32::MAX),
            overage: terms.overage,
            overage_rate_cents: terms.overage_rate_cents.map(|cents| i32::try_from(cents).unwrap_or(i32::MAX)),
            billing_interval: None,
        }
    }

    fn params<'a>(&'a self, account_id: &'a &str) -> [&'a (dyn ToSql + Sync); 7] {
        [
            account_id,
            &self.plan,
            &self.monthly_limit,
            &self.requests_per_minute,
            &self.overage,
            &self.overage_rate_cents,
            &self.billing_interval,
        ]
    }
}

/// Reads the columns `later_*`.
pub(crate) fn scheduled_plan(row: &Row) -> Result<Option<ScheduledPlan>, StoreError> {
    let Some(effective) = column::<Option<String>>(row, "later_from")? else { return Ok(None) };
    let interval: Option<&str> = column(row, "later_interval")?;
    let billing_interval = interval.map(|_| column_enum(row, "later_interval")).transpose()?;
    Ok(Some(ScheduledPlan { plan: column_enum(row, "later_plan")?, billing_interval, effective }))
}

/// Returns the first day of a month that is not before `day`.
fn first_of_month_from(day: Date) -> Date {
    if day.day() == 1 {
        return day;
    }
    let last = day.month().length(day.year());
    day.replace_day(last).ok().and_then(Date::next_day).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::date;

    #[test]
    fn months_begin_on_or_after_the_day() {
        for (day, first) in [
            (date!(2026 - 11 - 01), date!(2026 - 11 - 01)),
            (date!(2026 - 11 - 02), date!(2026 - 12 - 01)),
            (date!(2026 - 12 - 31), date!(2027 - 01 - 01)),
            (date!(2028 - 02 - 29), date!(2028 - 03 - 01)),
        ] {
            assert_eq!(first_of_month_from(day), first, "{day}");
        }
    }
}
