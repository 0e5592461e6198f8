//! The credit source that a call draws on, on every plan.

use crate::support::{account, assert_balanced, business, call, hold, ledger, refused, spend};
use limner_metering::{CreditSource, HoldDecision};
use limner_types::{Pack, Plan};

#[tokio::test]
async fn listed_plans_stop_at_their_limits() {
    let ledger = ledger().await;
    for (plan, limit, has_overage) in [
        (Plan::Free, 300, false),
        (Plan::Developer, 5_000, true),
        (Plan::Growth, 30_000, true),
        (Plan::Scale, 200_000, true),
    ] {
        let account = account(&ledger, plan).await;
        assert_eq!(account.state.requests_per_minute, plan.requests_per_minute());
        let id = account.state.account_id;
        let of = |name: &str| format!("{plan}-{name}");
        assert_eq!(spend(&ledger, &id, &of("all"), limit).await.source, Some(CreditSource::Plan));
        if !has_overage {
            refused(&ledger, &id, &of("more"), 1, &["quota of 300 credits", "Upgrade"]).await;
            continue;
        }
        let over = spend(&ledger, &id, &of("over"), limit).await;
        assert_eq!(over.source, Some(CreditSource::Overage));
        assert_eq!((over.state.plan_spent, over.state.overage_spent), (u64::from(limit), u64::from(limit)));
        assert_eq!((over.state.spent_this_month, over.state.remaining()), (2 * u64::from(limit), Some(0)));
        refused(&ledger, &id, &of("beyond"), 1, &[&format!("cap of {} credits", 2 * limit)]).await;
    }
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn unlimited_plan_is_never_refused_for_quota() {
    let ledger = ledger().await;
    let id = business(&ledger, None, false).await;
    for request in ["a", "b", "c"] {
        let committed = spend(&ledger, &id, request, u32::MAX).await;
        assert_eq!((committed.source, committed.state.remaining()), (Some(CreditSource::Unlimited), None));
    }
    let state = ledger.account_state(&id).await.unwrap();
    assert_eq!((state.spent_this_month, state.requests_per_minute), (3 * u64::from(u32::MAX), 600));
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn pack_comes_after_the_plan_and_is_never_mixed_with_it() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(30), false).await;
    ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
    assert_eq!(spend(&ledger, &id, "plan", 20).await.source, Some(CreditSource::Plan));
    let packed = spend(&ledger, &id, "pack", 25).await;
    assert_eq!((packed.source, packed.state.pack_balance), (Some(CreditSource::Pack), 475));
    assert_eq!((packed.state.remaining(), packed.state.spent_this_month), (Some(10), 45), "the plan is untouched");
    assert_eq!(spend(&ledger, &id, "small", 10).await.source, Some(CreditSource::Plan), "the plan's rest still serves");
    spend(&ledger, &id, "most", 460).await;
    refused(&ledger, &id, "split", 16, &["does not cover", "0 plan credits and 15 pack credits", "never split"]).await;
    assert_eq!(spend(&ledger, &id, "last", 15).await.state.pack_balance, 0);
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn call_is_refused_if_neither_remainder_covers_it() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(10), false).await;
    ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
    hold(&ledger, &id, "under-way", 490).await;
    refused(&ledger, &id, "split", 20, &["10 plan credits and 10 pack credits", "never split"]).await;
}

#[tokio::test]
async fn overage_takes_the_plans_rest_and_stops_at_the_cap() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(100), true).await;
    spend(&ledger, &id, "plan", 90).await;
    let mixed = spend(&ledger, &id, "mixed", 25).await;
    assert_eq!((mixed.source, mixed.credits), (Some(CreditSource::Overage), 25));
    assert_eq!((mixed.state.plan_spent, mixed.state.overage_spent), (100, 15));
    hold(&ledger, &id, "held", 80).await;
    refused(&ledger, &id, "cap", 6, &["cap of 200 credits", "2 times the plan's 100"]).await;
    hold(&ledger, &id, "exact", 5).await;
    refused(&ledger, &id, "past", 1, &["cap of 200"]).await;
    ledger.release("held", "target_error").await.unwrap();
    hold(&ledger, &id, "again", 80).await;
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn pack_comes_before_overage() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(10), true).await;
    spend(&ledger, &id, "plan", 10).await;
    ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
    assert_eq!(spend(&ledger, &id, "pack", 5).await.source, Some(CreditSource::Pack));
    spend(&ledger, &id, "drain", 495).await;
    assert_eq!(spend(&ledger, &id, "over", 5).await.source, Some(CreditSource::Overage));
}

#[tokio::test]
async fn overage_that_is_switched_off_stops_at_the_quota() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    spend(&ledger, &id, "all", 5_000).await;
    assert!(!ledger.set_overage(&id, false).await.unwrap().overage_enabled);
    refused(&ledger, &id, "off", 1, &["quota of 5000 credits", "Switch overage billing on"]).await;
    ledger.set_overage(&id, true).await.unwrap();
    assert_eq!(spend(&ledger, &id, "on", 1).await.source, Some(CreditSource::Overage));
}

#[tokio::test]
async fn suspended_account_takes_no_hold_and_keeps_calls_in_progress() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Growth).await.state.account_id;
    hold(&ledger, &id, "before", 25).await;
    assert!(ledger.suspend(&id).await.unwrap().suspended);
    let answer = ledger.hold(&call(&id, "during", 1)).await.unwrap();
    assert!(
        matches!(&answer, HoldDecision::Suspended { message, .. } if message.contains("payment failed")),
        "{answer:?}"
    );
    assert_eq!(ledger.commit("before", false).await.unwrap().credits, 25);
    assert!(!ledger.resume(&id).await.unwrap().suspended);
    hold(&ledger, &id, "during", 1).await;
}

#[tokio::test]
async fn unknown_account_is_an_answer() {
    let answer = ledger().await.hold(&call("acc_none", "r", 1)).await.unwrap();
    assert!(matches!(answer, HoldDecision::UnknownAccount { .. }), "{answer:?}");
}
