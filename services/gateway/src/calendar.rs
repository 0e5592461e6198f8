//! Which month it is. The ledger's clock decides, and what it says comes along with its answers; the clock of this
//! machine alone moves no month before every clock of the fleet has to agree.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use time::OffsetDateTime;

pub(crate) struct Calendar {
    /// First second of the latest month that metering told of, since the epoch.
    told: AtomicI64,
    /// How far this machine's clock may be ahead of the ledger's.
    skew: Duration,
}

impl Calendar {
    pub(crate) fn new(skew: Duration) -> Self {
        Self { told: AtomicI64::new(0), skew }
    }

    /// Takes note of a month that metering told of.
    pub(crate) fn note(&self, period_start_unix: i64) {
        self.told.fetch_max(period_start_unix, Ordering::Relaxed);
    }

    /// First second of the present month.
    pub(crate) fn month(&self, now: OffsetDateTime) -> i64 {
        month_start(now - self.skew).max(self.told.load(Ordering::Relaxed))
    }
}

/// First second of the month, since the epoch.
fn month_start(now: OffsetDateTime) -> i64 {
    let first = now.date().replace_day(1).unwrap_or(now.date());
    first.midnight().assume_utc().unix_timestamp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn a_month_starts_at_midnight_utc_of_its_first_day() {
        for (now, start) in [
            (datetime!(2026-11-21 05:00 UTC), datetime!(2026-11-01 00:00 UTC)),
            (datetime!(2024-02-29 23:59:59 UTC), datetime!(2024-02-01 00:00 UTC)),
            (datetime!(2026-01-01 00:00 UTC), datetime!(2026-01-01 00:00 UTC)),
        ] {
            assert_eq!(month_start(now), start.unix_timestamp());
        }
    }

    #[test]
    fn a_clock_that_is_ahead_moves_no_month() {
        let calendar = Calendar::new(Duration::from_secs(300));
        let (october, november) = (datetime!(2026-10-01 00:00 UTC), datetime!(2026-11-01 00:00 UTC));
        for (now, month) in [
            (datetime!(2026-10-31 23:59:59 UTC), october),
            (datetime!(2026-11-01 00:04:59 UTC), october),
            (datetime!(2026-11-01 00:05:00 UTC), november),
        ] {
            assert_eq!(calendar.month(now), month.unix_timestamp(), "{now}");
        }
        // A clock that is behind follows what metering says.
        calendar.note(november.unix_timestamp());
        calendar.note(october.unix_timestamp());
        assert_eq!(calendar.month(datetime!(2026-10-31 23:59:59 UTC)), november.unix_timestamp());
    }
}
