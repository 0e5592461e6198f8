//! Conversion between [`v1::Account`] and the core's account state.

use crate::InvalidCall;
use crate::v1;
use limner_types::{AccountState, Plan, WireEnum};

impl From<AccountState> for v1::Account {
    fn from(account: AccountState) -> Self {
        Self {
            account_id: account.account_id,
            plan: account.plan.to_string(),
            suspended: account.suspended,
            requests_per_minute: account.requests_per_minute,
            monthly_limit: account.monthly_limit,
            period_start_unix: account.period_start_unix,
            spent_this_month: account.spent_this_month,
            plan_spent: account.plan_spent,
            overage_spent: account.overage_spent,
            pack_balance: account.pack_balance,
            overage_enabled: account.overage_enabled,
            version: account.version,
        }
    }
}

impl TryFrom<v1::Account> for AccountState {
    type Error = InvalidCall;

    fn try_from(account: v1::Account) -> Result<Self, InvalidCall> {
        let plan = Plan::parse(&account.plan).ok_or_else(|| InvalidCall(format!("unknown plan `{}`", account.plan)))?;
        Ok(Self {
            account_id: account.account_id,
            plan,
            suspended: account.suspended,
            requests_per_minute: account.requests_per_minute,
            monthly_limit: account.monthly_limit,
            period_start_unix: account.period_start_unix,
            spent_this_month: account.spent_this_month,
            plan_spent: account.plan_spent,
            overage_spent: account.overage_spent,
            pack_balance: account.pack_balance,
            overage_enabled: account.overage_enabled,
            version: account.version,
        })
    }
}
