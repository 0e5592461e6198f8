//! The hot state of an account, from which rate limits, headers and `usage` are computed.

use crate::Plan;
use serde::{Deserialize, Serialize};

/// A snapshot of an account's plan and credits. Metering is the authority; caches keep the newest by `version`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountState {
    /// The account.
    pub account_id: String,
    /// Its plan.
    pub plan: Plan,
    /// Suspended for a failed payment.
    pub suspended: bool,
    /// Requests in a window of 60 seconds.
    pub requests_per_minute: u32,
    /// Plan credits of a month; `None` is unlimited.
    pub monthly_limit: Option<u64>,
    /// First second of the calendar month (UTC) that the counts below belong to, since the epoch.
    pub period_start_unix: i64,
    /// Credits spent this month, from all sources.
    pub spent_this_month: u64,
    /// Plan credits spent this month, overage not counted.
    pub plan_spent: u64,
    /// Overage credits spent this month.
    pub overage_spent: u64,
    /// Pack credits left.
    pub pack_balance: u64,
    /// True if calls beyond the plan's credits continue as billed overage.
    pub overage_enabled: bool,
    /// Increases with every change.
    pub version: u64,
}

impl AccountState {
    /// Returns the remaining plan credits, never below 0; `None` on unlimited plans.
    pub fn remaining(&self) -> Option<u64> {
        self.monthly_limit.map(|limit| limit.saturating_sub(self.plan_spent))
    }

    /// Returns the account at the start of a later month: monthly counts are 0, packs stay.
    #[must_use]
    pub fn advanced_to_period(mut self, period_start_unix: i64) -> Self {
        if period_start_unix > self.period_start_unix {
            self.period_start_unix = period_start_unix;
            self.spent_this_month = 0;
            self.plan_spent = 0;
            self.overage_spent = 0;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account() -> AccountState {
        AccountState {
            account_id: "a".to_owned(),
            plan: Plan::Developer,
            suspended: false,
            requests_per_minute: 60,
            monthly_limit: Some(5_000),
            period_start_unix: 100,
            spent_this_month: 5_600,
            plan_spent: 5_000,
            overage_spent: 100,
            pack_balance: 7,
            overage_enabled: true,
            version: 1,
        }
    }

    #[test]
    fn remaining_never_falls_below_zero() {
        assert_eq!(account().remaining(), Some(0));
        assert_eq!(AccountState { plan_spent: 5_001, ..account() }.remaining(), Some(0));
        assert_eq!(AccountState { monthly_limit: None, ..account() }.remaining(), None);
    }

    #[test]
    fn new_month_clears_monthly_counts_and_keeps_packs() {
        let next = account().advanced_to_period(200);
        assert_eq!((next.spent_this_month, next.plan_spent, next.overage_spent, next.pack_balance), (0, 0, 0, 7));
        assert_eq!(account().advanced_to_period(50), account(), "an older month changes nothing");
    }
}
