//! Plans and packs with their prices in both currencies.

use crate::text_format::{capital, money, number};
use limner_proto::v1::{ListOffersResponse, PlanOffer};

/// A plan as a card.
pub(crate) struct PlanCard {
    pub(crate) plan: String,
    pub(crate) label: String,
    pub(crate) interval: String,
    pub(crate) price: String,
    pub(crate) other_price: String,
    pub(crate) per: &'static str,
    pub(crate) credits: String,
    pub(crate) rate: u32,
    pub(crate) overage: Option<String>,
    pub(crate) is_present: bool,
    /// Label of its button.
    pub(crate) action: &'static str,
}

/// A pack as a card.
pub(crate) struct PackCard {
    pub(crate) pack: String,
    pub(crate) label: String,
    pub(crate) credits: String,
    pub(crate) price: String,
    pub(crate) other_price: String,
}

/// Returns the listed plans with one interval; `present` is the account's plan and interval.
pub(crate) fn plans(
    own: &ListOffersResponse,
    other: &ListOffersResponse,
    yearly: bool,
    present: Option<(&str, &str)>,
) -> Vec<PlanCard> {
    let interval = if yearly { "yearly" } else { "monthly" };
    let is_shown = |offer: &&PlanOffer| offer.billing_interval == interval || offer.plan == "free";
    let rank = |plan: &str| own.plans.iter().position(|offer| offer.plan == plan).unwrap_or(usize::MAX);
    let card = |offer: &PlanOffer| {
        let same = |found: &&PlanOffer| found.plan == offer.plan && found.billing_interval == offer.billing_interval;
        let there = other.plans.iter().find(same);
        let is_present =
            present.is_some_and(|(plan, of)| plan == offer.plan && (of == offer.billing_interval || plan == "free"));
        let overage = |cents: u32| {
            let there = there.and_then(|offer| offer.overage_rate_cents).unwrap_or(cents);
            let (own, there) = (money(u64::from(cents), &own.currency), money(u64::from(there), &other.currency));
            format!("{own} ({there}) per 1,000 credits past the plan")
        };
        let action = match present {
            None => "Start free",
            Some(_) if is_present => "Your plan",
            Some((plan, _)) if rank(&offer.plan) < rank(plan) => "Downgrade",
            Some((plan, _)) if plan == offer.plan && offer.billing_interval == "monthly" => "Pay monthly",
            Some((plan, _)) if plan == offer.plan => "Pay yearly",
            Some(_) => "Upgrade",
        };
        PlanCard {
            label: capital(&offer.plan),
            plan: offer.plan.clone(),
            interval: offer.billing_interval.clone(),
            price: money(offer.amount_cents, &own.currency),
            other_price: there.map(|offer| money(offer.amount_cents, &other.currency)).unwrap_or_default(),
            per: if offer.billing_interval == "yearly" { "a year" } else { "a month" },
            credits: number(offer.monthly_credits),
            rate: offer.requests_per_minute,
            overage: offer.overage_rate_cents.map(overage),
            is_present,
            action,
        }
    };
    own.plans.iter().filter(is_shown).map(card).collect()
}

/// Returns the credit packs.
pub(crate) fn packs(own: &ListOffersResponse, other: &ListOffersResponse) -> Vec<PackCard> {
    let card = |offer: &limner_proto::v1::PackOffer| PackCard {
        label: capital(&offer.pack),
        credits: number(offer.credits),
        price: money(offer.amount_cents, &own.currency),
        other_price: other
            .packs
            .iter()
            .find(|found| found.pack == offer.pack)
            .map(|found| money(found.amount_cents, &other.currency))
            .unwrap_or_default(),
        pack: offer.pack.clone(),
    };
    own.packs.iter().map(card).collect()
}
