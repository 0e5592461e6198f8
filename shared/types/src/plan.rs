//! Plans, credit packs and their prices. Amounts are integers in minor units (cents).

use crate::wire_enum::wire_enum;

wire_enum! {
    /// A subscription plan.
    pub enum Plan {
        /// 300 credits a month, no card.
        Free = "free",
        /// For single developers.
        Developer = "developer",
        /// For teams.
        Growth = "growth",
        /// For products.
        Scale = "scale",
        /// Custom credits, rate and overage.
        Business = "business",
    }
}

/// The overage rate of a plan, in cents per 1,000 credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverageRate {
    /// Euro cents per 1,000 credits.
    pub eur_cents: u32,
    /// US cents per 1,000 credits.
    pub usd_cents: u32,
}

impl Plan {
    /// Returns the credits per calendar month. `None` for Business, whose credits are agreed per account.
    pub const fn monthly_credits(self) -> Option<u64> {
        match self {
            Self::Free => Some(300),
            Self::Developer => Some(5_000),
            Self::Growth => Some(30_000),
            Self::Scale => Some(200_000),
            Self::Business => None,
        }
    }

    /// Returns the maximum number of requests in a window of 60 seconds.
    pub const fn requests_per_minute(self) -> u32 {
        match self {
            Self::Free => 30,
            Self::Developer => 60,
            Self::Growth => 120,
            Self::Scale => 300,
            Self::Business => 600,
        }
    }

    /// Returns the price of a month in euro cents, without VAT. `None` if it is agreed per account.
    pub const fn monthly_price_eur_cents(self) -> Option<u32> {
        match self {
            Self::Free => Some(0),
            Self::Developer => Some(1_900),
            Self::Growth => Some(7_900),
            Self::Scale => Some(19_900),
            Self::Business => None,
        }
    }

    /// Returns the rate of credits beyond the plan's. `None`: no overage on this plan, or agreed per account.
    pub const fn overage(self) -> Option<OverageRate> {
        match self {
            Self::Free | Self::Business => None,
            Self::Developer => Some(OverageRate { eur_cents: 400, usd_cents: 500 }),
            Self::Growth => Some(OverageRate { eur_cents: 300, usd_cents: 400 }),
            Self::Scale => Some(OverageRate { eur_cents: 200, usd_cents: 300 }),
        }
    }

    /// Returns true if the plan is paid, so that overage is on unless its owner switches it off.
    pub const fn is_paid(self) -> bool {
        !matches!(self, Self::Free)
    }
}

wire_enum! {
    /// A one-off, non-expiring credit pack.
    pub enum Pack {
        /// 500 credits.
        TopUp = "top-up",
        /// 1,500 credits.
        Starter = "starter",
        /// 5,000 credits.
        Builder = "builder",
        /// 15,000 credits.
        Pro = "pro",
    }
}

impl Pack {
    /// Returns the number of credits in the pack.
    pub const fn credits(self) -> u64 {
        match self {
            Self::TopUp => 500,
            Self::Starter => 1_500,
            Self::Builder => 5_000,
            Self::Pro => 15_000,
        }
    }
}
