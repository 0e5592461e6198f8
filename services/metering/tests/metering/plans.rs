//! Plan changes that wait for the end of the paid period.

use crate::support::{account, assert_balanced, ledger_with_clock, refused, spend};
use limner_metering::contract_terms::{BillingInterval, BusinessTerms, Currency};
use limner_metering::{CreditSource, LedgerError, NewAccount, PlanChange, ScheduledPlan};
use limner_types::Plan;
use time::macros::date;

fn scheduled(plan: Plan, effective: &str) -> ScheduledPlan {
    ScheduledPlan { plan, billing_interval: None, effective: effective.to_owned() }
}

#[tokio::test]
async fn downgrade_waits_for_the_months_end() {
    let (ledger, clock) = ledger_with_clock("2026-11-21T12:00:00Z").await;
    let id = account(&ledger, Plan::Growth).await.state.account_id;
    let key = ledger.create_key(&id, "kept").await.unwrap();
    assert_eq!(
        ledger.schedule_plan(&id, Plan::Developer, None).await.unwrap(),
        scheduled(Plan::Developer, "2026-12-01")
    );
    let shown = ledger.account(&id).await.unwrap();
    assert_eq!((shown.state.plan, shown.scheduled), (Plan::Growth, Some(scheduled(Plan::Developer, "2026-12-01"))));
    // All of the paid month is usable.
    assert_eq!(spend(&ledger, &id, "november", 30_000).await.source, Some(CreditSource::Plan));

    clock.set("2026-12-01T00:00:00Z").await;
    let seen = ledger.account_state(&id).await.unwrap();
    assert_eq!((seen.plan, seen.monthly_limit, seen.requests_per_minute), (Plan::Developer, Some(5_000), 60));
    assert_eq!(seen.remaining(), Some(5_000), "visible before the first call of the month");
    assert_eq!(ledger.account(&id).await.unwrap().scheduled, None);
    let december = spend(&ledger, &id, "december", 5_000).await.state;
    assert_eq!((december.plan, december.plan_spent, december.remaining()), (Plan::Developer, 5_000, Some(0)));
    assert_eq!(spend(&ledger, &id, "over", 5_000).await.source, Some(CreditSource::Overage));
    refused(&ledger, &id, "cap", 1, &["cap of 10000 credits"]).await;
    ledger.authenticate(limner_metering::api_key::sha256(&key.key)).await.unwrap();
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn scheduled_change_is_published_without_a_call() {
    let (ledger, clock) = ledger_with_clock("2026-11-21T12:00:00Z").await;
    let id = account(&ledger, Plan::Scale).await.state.account_id;
    ledger.schedule_plan(&id, Plan::Free, None).await.unwrap();
    assert_eq!(ledger.apply_scheduled_plans().await.unwrap(), 0, "not before its month");
    let before = ledger.account(&id).await.unwrap().state;
    clock.set("2026-12-01T00:00:03Z").await;
    assert_eq!(ledger.apply_scheduled_plans().await.unwrap(), 1);
    assert_eq!(ledger.apply_scheduled_plans().await.unwrap(), 0);
    let after = ledger.account(&id).await.unwrap().state;
    assert!(after.version > before.version);
    assert_eq!((after.plan, after.monthly_limit, after.overage_enabled), (Plan::Free, Some(300), false));
    let kinds: Vec<_> = ledger.events(&id, 3).await.unwrap().into_iter().map(|event| event.kind).collect();
    assert_eq!(kinds, ["plan_changed", "plan_change_scheduled", "created"]);
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn latest_scheduled_plan_change_takes_effect() {
    let (ledger, clock) = ledger_with_clock("2026-11-21T12:00:00Z").await;
    let id = account(&ledger, Plan::Growth).await.state.account_id;
    ledger.schedule_plan(&id, Plan::Free, None).await.unwrap();
    ledger.schedule_plan(&id, Plan::Developer, None).await.unwrap();
    assert!(ledger.cancel_plan_change(&id).await.unwrap());
    assert!(!ledger.cancel_plan_change(&id).await.unwrap());
    ledger.schedule_plan(&id, Plan::Free, None).await.unwrap();
    // An upgrade takes effect at once and is permanent.
    assert_eq!(ledger.set_plan(&id, Plan::Scale).await.unwrap().plan, Plan::Scale);
    clock.set("2027-02-01T00:00:00Z").await;
    assert_eq!(spend(&ledger, &id, "later", 1).await.state.plan, Plan::Scale);
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn months_without_calls_do_not_keep_an_old_plan() {
    let (ledger, clock) = ledger_with_clock("2026-11-21T12:00:00Z").await;
    let id = account(&ledger, Plan::Growth).await.state.account_id;
    ledger.schedule_plan(&id, Plan::Free, None).await.unwrap();
    clock.set("2027-03-15T00:00:00Z").await;
    assert_eq!(spend(&ledger, &id, "later", 300).await.state.plan, Plan::Free);
    refused(&ledger, &id, "more", 1, &["quota of 300"]).await;
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn yearly_plan_ends_with_its_year() {
    let (ledger, clock) = ledger_with_clock("2026-03-21T12:00:00Z").await;
    let yearly = NewAccount {
        billing_interval: BillingInterval::Yearly,
        currency: Currency::Usd,
        ..NewAccount::new("a@example.org", Plan::Growth)
    };
    let id = ledger.create_account(&yearly).await.unwrap().state.account_id;
    for (now, effective) in [
        ("2026-03-31T00:00:00Z", "2027-03-01"),
        ("2027-02-28T00:00:00Z", "2027-03-01"),
        ("2027-03-01T00:00:00Z", "2028-03-01"),
    ] {
        clock.set(now).await;
        assert_eq!(ledger.schedule_plan(&id, Plan::Free, None).await.unwrap().effective, effective, "{now}");
        ledger.cancel_plan_change(&id).await.unwrap();
    }
    let monthly = PlanChange { billing_interval: Some(BillingInterval::Monthly), ..Plan::Growth.into() };
    ledger.schedule_plan(&id, monthly, None).await.unwrap();
    clock.set("2028-03-01T00:00:00Z").await;
    spend(&ledger, &id, "r", 1).await;
    let shown = ledger.account(&id).await.unwrap();
    assert_eq!((shown.billing_interval, shown.overage_rate_cents), (BillingInterval::Monthly, Some(400)));
    assert_eq!(ledger.schedule_plan(&id, Plan::Free, None).await.unwrap().effective, "2028-04-01");
}

#[tokio::test]
async fn change_waits_for_the_paid_until_day() {
    let (ledger, _clock) = ledger_with_clock("2026-11-21T12:00:00Z").await;
    let id = account(&ledger, Plan::Growth).await.state.account_id;
    for (not_before, effective) in [
        (date!(2026 - 12 - 05), "2027-01-01"),
        (date!(2027 - 01 - 01), "2027-01-01"),
        (date!(2026 - 01 - 01), "2026-12-01"),
    ] {
        let plan = ledger.schedule_plan(&id, Plan::Free, Some(not_before)).await.unwrap();
        assert_eq!(plan.effective, effective, "{not_before}");
    }
}

#[tokio::test]
async fn business_terms_can_wait_as_well_and_mistakes_are_refused() {
    let (ledger, clock) = ledger_with_clock("2026-11-21T12:00:00Z").await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    let agreed = BusinessTerms {
        monthly_credits: Some(1_000),
        requests_per_minute: Some(7),
        overage: true,
        overage_rate_cents: Some(150),
    };
    ledger.schedule_plan(&id, agreed.clone(), None).await.unwrap();
    clock.set("2026-12-01T00:00:00Z").await;
    let state = ledger.account(&id).await.unwrap();
    assert_eq!((state.state.monthly_limit, state.state.requests_per_minute), (Some(1_000), 7));
    spend(&ledger, &id, "over", 1_500).await;
    let shown = ledger.account(&id).await.unwrap();
    assert_eq!((shown.state.overage_spent, shown.overage_rate_cents), (500, Some(150)));

    let wrong = PlanChange { plan: Plan::Growth, ..agreed.into() };
    assert!(matches!(ledger.schedule_plan(&id, wrong, None).await, Err(LedgerError::Invalid(_))));
    assert!(matches!(ledger.schedule_plan("acc_none", Plan::Free, None).await, Err(LedgerError::UnknownAccount(_))));
    assert!(matches!(ledger.cancel_plan_change("acc_none").await, Err(LedgerError::UnknownAccount(_))));
}
