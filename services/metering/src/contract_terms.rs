//! The terms of a contract: plan, credits, rate and overage.

use limner_types::{Plan, WireEnum};
use serde::{Deserialize, Serialize};

/// The currency an account is billed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Currency {
    /// Euro.
    #[default]
    Eur,
    /// US dollar.
    Usd,
}

impl WireEnum for Currency {
    const ALL: &'static [Self] = &[Self::Eur, Self::Usd];

    fn as_str(self) -> &'static str {
        match self {
            Self::Eur => "eur",
            Self::Usd => "usd",
        }
    }
}

/// Interval at which the plan itself is paid. Credits are monthly either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BillingInterval {
    /// Every month.
    #[default]
    Monthly,
    /// Once a year, at ten months' price.
    Yearly,
}

impl WireEnum for BillingInterval {
    const ALL: &'static [Self] = &[Self::Monthly, Self::Yearly];

    fn as_str(self) -> &'static str {
        match self {
            Self::Monthly => "monthly",
            Self::Yearly => "yearly",
        }
    }
}

/// Individually agreed terms of a Business customer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BusinessTerms {
    /// Credits per month; `None` is unlimited.
    pub monthly_credits: Option<u64>,
    /// Maximum number of requests in a window of 60 seconds; `None`: the plan's limit.
    pub requests_per_minute: Option<u32>,
    /// True if calls beyond the credits continue as billed overage.
    pub overage: bool,
    /// Cents per 1,000 overage credits; `None`: the rate of Scale, the largest listed plan.
    pub overage_rate_cents: Option<u32>,
}

/// The terms of a plan, as stored in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Terms {
    pub plan: Plan,
    pub monthly_limit: Option<u64>,
    pub requests_per_minute: u32,
    /// `None`: not decided here; enabled for a first paid plan, otherwise unchanged.
    pub overage: Option<bool>,
    /// `None`: the plan has no overage.
    pub overage_rate_cents: Option<u32>,
}

impl Terms {
    /// Returns the terms of a listed plan, or of Business as agreed (by default unlimited credits without overage).
    ///
    /// `Err` contains the reason why the agreement is invalid.
    pub(crate) fn new(plan: Plan, business: Option<BusinessTerms>, currency: Currency) -> Result<Self, String> {
        match (plan, business) {
            (Plan::Business, agreed) => Self::business(agreed.unwrap_or_default(), currency),
            (_, None) => Ok(Self {
                plan,
                monthly_limit: plan.monthly_credits(),
                requests_per_minute: plan.requests_per_minute(),
                overage: None,
                overage_rate_cents: list_rate(plan, currency),
            }),
            (_, Some(_)) => {
                Err(format!("credits, rate and overage of `{plan}` are fixed; only `business` has terms of its own"))
            }
        }
    }

    fn business(agreed: BusinessTerms, currency: Currency) -> Result<Self, String> {
        let requests_per_minute = agreed.requests_per_minute.unwrap_or(Plan::Business.requests_per_minute());
        if requests_per_minute == 0 || i32::try_from(requests_per_minute).is_err() {
            return Err("requests per minute must be between 1 and 2147483647".to_owned());
        }
        if agreed.monthly_credits.is_some_and(|credits| credits > MAX_CREDITS) {
            return Err(format!("credits must be at most {MAX_CREDITS}, or unlimited"));
        }
        Ok(Self {
            plan: Plan::Business,
            monthly_limit: agreed.monthly_credits,
            requests_per_minute,
            overage: Some(agreed.overage),
            overage_rate_cents: agreed.overage_rate_cents.or(list_rate(Plan::Scale, currency)),
        })
    }

    /// Returns true if overage is enabled for a new account with these terms.
    pub(crate) fn overage_at_start(&self) -> bool {
        self.overage_rate_cents.is_some() && self.overage.unwrap_or(true)
    }
}

/// Maximum number of credits: twice this is the overage cap, and sums of it must fit the database's integers.
const MAX_CREDITS: u64 = 1_000_000_000_000;

fn list_rate(plan: Plan, currency: Currency) -> Option<u32> {
    plan.overage().map(|rate| match currency {
        Currency::Eur => rate.eur_cents,
        Currency::Usd => rate.usd_cents,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_plans_have_listed_terms() {
        for (plan, limit, requests, eur, usd) in [
            (Plan::Free, 300, 30, None, None),
            (Plan::Developer, 5_000, 60, Some(400), Some(500)),
            (Plan::Growth, 30_000, 120, Some(300), Some(400)),
            (Plan::Scale, 200_000, 300, Some(200), Some(300)),
        ] {
            for (currency, rate) in [(Currency::Eur, eur), (Currency::Usd, usd)] {
                let terms = Terms::new(plan, None, currency).unwrap();
                assert_eq!(terms.monthly_limit, Some(limit));
                assert_eq!(terms.requests_per_minute, requests);
                assert_eq!(terms.overage_rate_cents, rate);
                assert_eq!(terms.overage_at_start(), plan.is_paid(), "{plan}");
            }
        }
    }

    #[test]
    fn business_is_as_agreed() {
        let silent = Terms::new(Plan::Business, None, Currency::Eur).unwrap();
        assert_eq!((silent.monthly_limit, silent.requests_per_minute), (None, 600));
        assert!(!silent.overage_at_start());
        let agreed = BusinessTerms {
            monthly_credits: Some(1_000),
            requests_per_minute: Some(7),
            overage: true,
            overage_rate_cents: None,
        };
        let terms = Terms::new(Plan::Business, Some(agreed), Currency::Usd).unwrap();
        assert_eq!((terms.monthly_limit, terms.requests_per_minute), (Some(1_000), 7));
        assert_eq!((terms.overage_at_start(), terms.overage_rate_cents), (true, Some(300)));
    }

    #[test]
    fn impossible_agreements_are_refused() {
        let of = |requests_per_minute, monthly_credits| BusinessTerms {
            requests_per_minute,
            monthly_credits,
            ..BusinessTerms::default()
        };
        for (plan, agreed, says) in [
            (Plan::Growth, of(None, None), "only `business`"),
            (Plan::Business, of(Some(0), None), "requests per minute"),
            (Plan::Business, of(Some(u32::MAX), None), "requests per minute"),
            (Plan::Business, of(None, Some(u64::MAX)), "credits must be at most"),
        ] {
            let refusal = Terms::new(plan, Some(agreed), Currency::Eur).unwrap_err();
            assert!(refusal.contains(says), "{refusal}");
        }
    }
}
