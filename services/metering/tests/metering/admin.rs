//! Accounts and changes of plan.

use crate::support::{account, assert_balanced, business, hold, ledger, refused, spend};
use limner_metering::contract_terms::{BillingInterval, BusinessTerms, Currency};
use limner_metering::{CreditSource, Ledger, LedgerError, NewAccount, PlanChange};
use limner_types::{Pack, Plan};

#[tokio::test]
async fn upgrade_takes_effect_at_once() {
    let ledger = ledger().await;
    let created = account(&ledger, Plan::Free).await;
    let id = created.state.account_id;
    let key = ledger.create_key(&id, "kept").await.unwrap();
    spend(&ledger, &id, "all", 300).await;
    refused(&ledger, &id, "none", 1, &["300"]).await;
    let state = ledger.set_plan(&id, Plan::Developer).await.unwrap();
    assert_eq!((state.plan, state.monthly_limit, state.requests_per_minute), (Plan::Developer, Some(5_000), 60));
    assert_eq!((state.plan_spent, state.remaining(), state.overage_enabled), (300, Some(4_700), true));
    assert_eq!(spend(&ledger, &id, "none", 4_700).await.source, Some(CreditSource::Plan));
    let owner = ledger.authenticate(limner_metering::api_key::sha256(&key.key)).await.unwrap();
    assert_eq!((owner.state.plan, owner.key_id), (Plan::Developer, key.record.key_id));
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn downgrade_leaves_nothing_below_what_was_spent() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Growth).await.state.account_id;
    spend(&ledger, &id, "much", 6_000).await;
    hold(&ledger, &id, "under-way", 1_000).await;
    let state = ledger.set_plan(&id, Plan::Developer).await.unwrap();
    assert_eq!((state.plan_spent, state.remaining()), (6_000, Some(0)));
    ledger.release("under-way", "target_error").await.unwrap();
    // The cap is twice the new allowance in total, including the spending under the old one.
    refused(&ledger, &id, "cap", 4_001, &["cap of 10000 credits"]).await;
    assert_eq!(spend(&ledger, &id, "rest", 4_000).await.state.overage_spent, 4_000);
    let state = ledger.set_plan(&id, Plan::Free).await.unwrap();
    assert!(!state.overage_enabled);
    refused(&ledger, &id, "free", 1, &["quota of 300"]).await;
    let state = ledger.set_plan(&id, Plan::Growth).await.unwrap();
    assert_eq!((state.remaining(), state.overage_spent, state.overage_enabled), (Some(24_000), 4_000, true));
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn paid_account_keeps_its_overage_switch() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    ledger.set_overage(&id, false).await.unwrap();
    assert!(!ledger.set_plan(&id, Plan::Scale).await.unwrap().overage_enabled);
}

#[tokio::test]
async fn plan_changes_to_unlimited_and_back() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(10), false).await;
    hold(&ledger, &id, "limited", 10).await;
    ledger.set_plan(&id, Plan::Business).await.unwrap();
    hold(&ledger, &id, "unlimited", 1_000).await;
    let back = BusinessTerms { monthly_credits: Some(1_005), ..BusinessTerms::default() };
    ledger.set_plan(&id, back).await.unwrap();
    refused(&ledger, &id, "full", 1, &["quota of 1005"]).await;
    ledger.release("limited", "target_error").await.unwrap();
    hold(&ledger, &id, "five", 5).await;
    ledger.release("unlimited", "target_error").await.unwrap();
    hold(&ledger, &id, "again", 1_000).await;
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn versions_grow_with_every_change() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    let mut versions = vec![ledger.account_state(&id).await.unwrap().version];
    versions.push(ledger.set_overage(&id, false).await.unwrap().version);
    versions.push(ledger.suspend(&id).await.unwrap().version);
    versions.push(ledger.resume(&id).await.unwrap().version);
    versions.push(ledger.set_plan(&id, Plan::Growth).await.unwrap().version);
    versions.push(ledger.grant_pack(&id, Pack::Pro, None).await.unwrap().version);
    versions.push(spend(&ledger, &id, "r", 1).await.state.version);
    assert!(versions.is_sorted_by(|a, b| a < b), "{versions:?}");
    let same = ledger.resume(&id).await.unwrap().version;
    assert_eq!(versions.last(), Some(&same), "an update without effect is not a change");
}

#[tokio::test]
async fn purchase_is_added_once() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    for (pack, reference, balance) in [
        (Pack::TopUp, Some("order 1"), 500),
        (Pack::TopUp, Some("order 1"), 500),
        (Pack::Starter, Some("order 2"), 2_000),
        (Pack::Builder, None, 7_000),
        (Pack::Pro, None, 22_000),
        (Pack::Pro, None, 37_000),
    ] {
        assert_eq!(ledger.grant_pack(&id, pack, reference).await.unwrap().pack_balance, balance);
    }
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn admin_actions_are_recorded_as_events() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    ledger.create_key(&id, "k").await.unwrap();
    ledger.set_plan(&id, Plan::Growth).await.unwrap();
    ledger.suspend(&id).await.unwrap();
    let events = ledger.events(&id, 10).await.unwrap();
    let kinds: Vec<_> = events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["suspended", "plan_changed", "key_created", "created"]);
    assert_eq!(events[1].detail, serde_json::json!({"from": "free", "to": "growth"}));
}

#[tokio::test]
async fn account_shows_its_contract_terms() {
    let ledger = ledger().await;
    let new = NewAccount {
        currency: Currency::Usd,
        billing_interval: BillingInterval::Yearly,
        ..NewAccount::new("boss@example.org", Plan::Scale)
    };
    let id = ledger.create_account(&new).await.unwrap().state.account_id;
    let shown = serde_json::to_value(ledger.account(&id).await.unwrap()).unwrap();
    for (field, value) in [
        ("account_id", serde_json::json!(id)),
        ("email", "boss@example.org".into()),
        ("plan", "scale".into()),
        ("currency", "usd".into()),
        ("billing_interval", "yearly".into()),
        ("overage_rate_cents", 300.into()),
        ("remaining", 200_000.into()),
        ("suspended", false.into()),
        ("held", 0.into()),
    ] {
        assert_eq!(shown[field], value, "{field}");
    }
}

#[tokio::test]
async fn invalid_admin_actions_are_refused() {
    async fn unknown<T: std::fmt::Debug>(what: &str, answer: Result<T, LedgerError>) {
        assert!(matches!(answer, Err(LedgerError::UnknownAccount(_))), "{what}: {answer:?}");
    }
    let ledger: Ledger = ledger().await;
    unknown("show", ledger.account("acc_none").await).await;
    unknown("state", ledger.account_state("acc_none").await).await;
    unknown("plan", ledger.set_plan("acc_none", Plan::Free).await).await;
    unknown("overage", ledger.set_overage("acc_none", true).await).await;
    unknown("suspend", ledger.suspend("acc_none").await).await;
    unknown("pack", ledger.grant_pack("acc_none", Pack::Pro, None).await).await;
    unknown("key", ledger.create_key("acc_none", "").await).await;
    unknown("keys", ledger.keys("acc_none").await).await;
    unknown("usage", ledger.usage("acc_none", 1, None).await).await;
    unknown("rebuild", ledger.rebuild("acc_none").await).await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    assert!(matches!(ledger.set_overage(&id, true).await, Err(LedgerError::NoOverage(_))));
    assert!(!ledger.set_overage(&id, false).await.unwrap().overage_enabled);
    let agreed = PlanChange { plan: Plan::Growth, ..BusinessTerms::default().into() };
    assert!(matches!(ledger.set_plan(&id, agreed).await, Err(LedgerError::Invalid(_))));
    assert!(matches!(ledger.create_account(&NewAccount::new("", Plan::Free)).await, Err(LedgerError::Invalid(_))));
}
