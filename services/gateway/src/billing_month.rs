//! The current billing month. The ledger's clock decides it, and metering's responses contain it. This machine's clock
//! starts a month only when, given the allowed skew, every clock of the fleet has to agree.

use limner_types::AccountState;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use time::OffsetDateTime;

pub(crate) struct BillingMonth {
    /// First second of the latest month that metering reported, since the epoch.
    month_start: AtomicI64,
    /// Maximum deviation of this machine's clock from the ledger's.
    skew: Duration,
}

impl BillingMonth {
    pub(crate) fn new(skew: Duration) -> Self {
        Self { month_start: AtomicI64::new(0), skew }
    }

    /// Stores a month that metering reported.
    pub(crate) fn observe(&self, period_start_unix: i64) {
        self.month_start.fetch_max(period_start_unix, Ordering::Relaxed);
    }

    /// Returns the account in the current month: counts of an earlier month are reset.
    pub(crate) fn at_current_month(&self, account: AccountState) -> AccountState {
        account.advanced_to_period(self.month(OffsetDateTime::now_utc()))
    }

    /// Returns the account in the current month, without a copy unless a month has begun.
    pub(crate) fn shared_at_current_month(&self, account: Arc<AccountState>) -> Arc<AccountState> {
        let month = self.month(OffsetDateTime::now_utc());
        match month > account.period_start_unix {
            true => Arc::new(Arc::unwrap_or_clone(account).advanced_to_period(month)),
            false => account,
        }
    }

    /// Returns the first second of the current month.
    pub(crate) fn month(&self, now: OffsetDateTime) -> i64 {
        month_start(now - self.skew).max(self.month_start.load(Ordering::Relaxed))
    }
}

/// Returns the first second of the month of `now`, since the epoch.
fn month_start(now: OffsetDateTime) -> i64 {
    let first = now.date().replace_day(1).unwrap_or(now.date());
    first.midnight().assume_utc().unix_timestamp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_types::Plan;
    use time::macros::datetime;

    #[test]
    fn month_starts_at_midnight_utc_of_its_first_day() {
        for (now, start) in [
            (datetime!(2026-11-21 05:00 UTC), datetime!(2026-11-01 00:00 UTC)),
            (datetime!(2024-02-29 23:59:59 UTC), datetime!(2024-02-01 00:00 UTC)),
            (datetime!(2026-01-01 00:00 UTC), datetime!(2026-01-01 00:00 UTC)),
        ] {
            assert_eq!(month_start(now), start.unix_timestamp());
        }
    }

    #[test]
    fn clock_that_is_ahead_does_not_start_a_month() {
        let calendar = BillingMonth::new(Duration::from_secs(300));
        let (october, november) = (datetime!(2026-10-01 00:00 UTC), datetime!(2026-11-01 00:00 UTC));
        for (now, month) in [
            (datetime!(2026-10-31 23:59:59 UTC), october),
            (datetime!(2026-11-01 00:04:59 UTC), october),
            (datetime!(2026-11-01 00:05:00 UTC), november),
        ] {
            assert_eq!(calendar.month(now), month.unix_timestamp(), "{now}");
        }
        // A clock that is behind follows metering.
        calendar.observe(november.unix_timestamp());
        calendar.observe(october.unix_timestamp());
        assert_eq!(calendar.month(datetime!(2026-10-31 23:59:59 UTC)), november.unix_timestamp());
    }

    #[test]
    fn account_is_shared_until_a_month_begins() {
        let calendar = BillingMonth::new(Duration::ZERO);
        let started = |period_start_unix, spent_this_month| {
            Arc::new(AccountState {
                account_id: "a".to_owned(),
                plan: Plan::Free,
                suspended: false,
                requests_per_minute: 1,
                monthly_limit: None,
                period_start_unix,
                spent_this_month,
                plan_spent: 0,
                overage_spent: 0,
                pack_balance: 0,
                overage_enabled: false,
                version: 1,
            })
        };
        let current = started(i64::MAX, 5);
        assert!(Arc::ptr_eq(&calendar.shared_at_current_month(Arc::clone(&current)), &current));
        let earlier = started(0, 5);
        let now = calendar.shared_at_current_month(Arc::clone(&earlier));
        assert_eq!((now.spent_this_month, earlier.spent_this_month), (0, 5));
        assert!(now.period_start_unix > 0);
    }
}
