//! Messages for callers whose hold was denied.

use limner_types::{AccountState, Plan};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The remaining credits when a hold was denied, with calls in progress deducted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Remaining {
    pub plan: u64,
    pub pack: u64,
}

/// Returns the message for an exceeded limit: which limit, the remaining credits, when it resets and what to do.
pub(crate) fn quota_exceeded(state: &AccountState, price: u32, left: Remaining) -> String {
    let limit = state.monthly_limit.unwrap_or_default();
    let reset = month_after(state.period_start_unix);
    let which = if state.overage_enabled {
        format!("overage cap of {} credits (2 times the plan's {limit})", 2 * limit)
    } else {
        format!("monthly quota of {limit} credits")
    };
    let shortfall = match (left.plan, left.pack) {
        (0, 0) => format!("is used up; this call costs {price}"),
        (plan, 0) => {
            format!("does not cover this call, which costs {price}: {plan} are left beside the calls under way")
        }
        (plan, pack) => format!(
            "does not cover this call, which costs {price}: {plan} plan credits and {pack} pack credits are left beside \
             the calls under way, and a call is never split between them"
        ),
    };
    format!("The {which} {shortfall}. It resets at {reset}. {}", advice(state))
}

/// Returns the message for an account that is suspended for a failed payment.
pub(crate) fn suspended() -> String {
    "The account is suspended because a payment failed. Settle it in the console; keys work again at once.".to_owned()
}

/// Returns the message for an account that does not exist any more.
pub(crate) fn unknown_account() -> String {
    "The account of this key does not exist.".to_owned()
}

fn advice(state: &AccountState) -> &'static str {
    match (state.plan, state.overage_enabled) {
        (Plan::Free, _) => "Upgrade the plan (it takes effect at once and keeps the key) or add a credit pack.",
        (_, false) => "Switch overage billing on, add a credit pack, or upgrade the plan.",
        (_, true) => "Add a credit pack or upgrade the plan.",
    }
}

/// Returns the first second of the month after the one that begins at `start_unix`, as RFC 3339.
fn month_after(start_unix: i64) -> String {
    let start = OffsetDateTime::from_unix_timestamp(start_unix).unwrap_or(OffsetDateTime::UNIX_EPOCH).date();
    let days = i64::from(start.month().length(start.year()));
    let next = start.saturating_add(time::Duration::days(days)).midnight().assume_utc();
    next.format(&Rfc3339).unwrap_or_else(|_| next.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(plan: Plan, overage_enabled: bool) -> AccountState {
        AccountState {
            account_id: "acc_x".to_owned(),
            plan,
            suspended: false,
            requests_per_minute: 30,
            monthly_limit: Some(300),
            // 2028-02-01, a leap year.
            period_start_unix: 1_832_976_000,
            spent_this_month: 0,
            plan_spent: 0,
            overage_spent: 0,
            pack_balance: 0,
            overage_enabled,
            version: 1,
        }
    }

    #[test]
    fn message_names_limit_reset_and_remedy() {
        let at = |plan, pack| Remaining { plan, pack };
        for (state, left, says) in [
            (state(Plan::Free, false), at(0, 0), ["quota of 300 credits is used up", "costs 25", "Upgrade"]),
            (
                state(Plan::Growth, false),
                at(7, 0),
                ["quota of 300", "costs 25: 7 are left", "Switch overage billing on"],
            ),
            (state(Plan::Growth, true), at(0, 0), ["cap of 600 credits", "2 times the plan's 300", "credit pack"]),
            (state(Plan::Free, false), at(20, 20), ["20 plan credits", "20 pack credits", "never split"]),
        ] {
            let message = quota_exceeded(&state, 25, left);
            for part in says {
                assert!(message.contains(part), "{message}");
            }
            assert!(message.contains("It resets at 2028-03-01T00:00:00Z."), "{message}");
        }
    }
}
