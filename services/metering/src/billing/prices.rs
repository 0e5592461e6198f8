//! The prices of plans and packs, in money. Prices of calls, in credits, are in `limner_types::Operation`;
//! rates of overage belong to the plans themselves.

use super::{OrderItem, PlanPrice};
use crate::contract_terms::{BillingInterval, Currency};
use limner_types::{Pack, Plan, WireEnum};
use std::collections::BTreeMap;

/// Number of monthly prices that a year costs.
const MONTHS_OF_A_YEAR: u64 = 10;

/// Default prices of packs in cents, the same number in both currencies.
const PACKS: [(Pack, u64); 4] =
    [(Pack::TopUp, 500), (Pack::Starter, 1_200), (Pack::Builder, 3_500), (Pack::Pro, 9_000)];

/// Prices of plans and packs, in cents without tax. A dollar price that is not configured equals the euro price in
/// figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// Keyed by the name of a plan (price of a month) or a pack.
    cents: BTreeMap<(&'static str, &'static str), u64>,
}

impl Default for Prices {
    fn default() -> Self {
        let plans =
            Plan::ALL.iter().filter_map(|plan| Some((plan.as_str(), u64::from(plan.monthly_price_eur_cents()?))));
        let packs = PACKS.iter().map(|(pack, cents)| (pack.as_str(), *cents));
        let listed = plans.chain(packs);
        let cents = listed.flat_map(|(name, cents)| Currency::ALL.iter().map(move |of| ((name, of.as_str()), cents)));
        Self { cents: cents.collect() }
    }
}

impl Prices {
    /// Returns the list with another price for the plan (a month of it) or pack called `name`.
    ///
    /// # Errors
    /// No item of that name has a listed price.
    pub fn with_price(mut self, name: &str, currency: Currency, cents: u64) -> Result<Self, String> {
        let known =
            self.cents.iter_mut().find(|((of, in_currency), _)| *of == name && *in_currency == currency.as_str());
        let (_, price) =
            known.ok_or_else(|| format!("`{name}` is neither a paid plan with a listed price nor a pack"))?;
        *price = cents;
        Ok(self)
    }

    /// Returns the price of an item; `None` if it is agreed per account.
    pub fn price(&self, item: OrderItem, currency: Currency) -> Option<u64> {
        match item {
            OrderItem::Pack(pack) => self.cents.get(&(pack.as_str(), currency.as_str())).copied(),
            OrderItem::Plan(plan, interval) => {
                let month = self.cents.get(&(plan.as_str(), currency.as_str())).copied()?;
                Some(match interval {
                    BillingInterval::Monthly => month,
                    BillingInterval::Yearly => MONTHS_OF_A_YEAR * month,
                })
            }
        }
    }

    /// Returns a plan with its price; `None` if the price is agreed per account.
    pub fn plan(&self, plan: Plan, billing_interval: BillingInterval, currency: Currency) -> Option<PlanPrice> {
        let amount_cents = self.price(OrderItem::Plan(plan, billing_interval), currency)?;
        Some(PlanPrice { plan, billing_interval, amount_cents, currency })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn year_costs_ten_months_and_business_is_agreed() {
        let prices = Prices::default();
        for (plan, month, year) in [
            (Plan::Free, Some(0), Some(0)),
            (Plan::Developer, Some(1_900), Some(19_000)),
            (Plan::Growth, Some(7_900), Some(79_000)),
            (Plan::Scale, Some(19_900), Some(199_000)),
            (Plan::Business, None, None),
        ] {
            for currency in Currency::ALL {
                let price = |interval| prices.price(OrderItem::Plan(plan, interval), *currency);
                assert_eq!((price(BillingInterval::Monthly), price(BillingInterval::Yearly)), (month, year), "{plan}");
            }
            // Ten months' price for twelve.
            assert_eq!(plan.monthly_price_eur_cents().map(|month| 10 * u64::from(month)), year);
        }
    }

    #[test]
    fn configured_prices_replace_listed_ones() {
        let prices = Prices::default().with_price("growth", Currency::Usd, 8_900).unwrap();
        let prices = prices.with_price("top-up", Currency::Eur, 450).unwrap();
        let growth = |currency| prices.price(OrderItem::Plan(Plan::Growth, BillingInterval::Yearly), currency);
        assert_eq!((growth(Currency::Eur), growth(Currency::Usd)), (Some(79_000), Some(89_000)));
        let pack = |currency| prices.price(OrderItem::Pack(Pack::TopUp), currency);
        assert_eq!((pack(Currency::Eur), pack(Currency::Usd)), (Some(450), Some(500)));
        for name in ["business", "huge", ""] {
            assert!(prices.clone().with_price(name, Currency::Eur, 1).is_err(), "{name}");
        }
    }
}
