//! The change of month, decided by the database's clock.

use crate::support::{account, assert_balanced, business, call, hold, ledger_with_clock, refused, spend};
use limner_metering::{HoldCall, LedgerError};
use limner_types::{Pack, Plan};
use std::time::Duration;

const OCTOBER: i64 = 1_790_812_800;
const NOVEMBER: i64 = 1_793_491_200;

#[tokio::test]
async fn plan_credits_start_anew_and_packs_stay() {
    let (ledger, clock) = ledger_with_clock("2026-10-31T23:59:00Z").await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
    assert_eq!(spend(&ledger, &id, "october", 200).await.state.period_start_unix, OCTOBER);
    clock.set("2026-11-01T00:00:00Z").await;
    let state = ledger.account_state(&id).await.unwrap();
    assert_eq!((state.period_start_unix, state.spent_this_month, state.pack_balance), (NOVEMBER, 0, 500));
    assert_eq!(state.remaining(), Some(300), "visible before the first call of the month");
    let november = spend(&ledger, &id, "november", 300).await.state;
    assert_eq!((november.period_start_unix, november.plan_spent, november.remaining()), (NOVEMBER, 300, Some(0)));
    let lines = ledger.entries(&id, 50, None).await.unwrap();
    let reset = lines.iter().find(|line| line.kind == "period_reset").unwrap();
    assert_eq!((reset.credits, reset.period_start.as_str()), (100, "2026-10-01"));
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn months_without_calls_are_passed_over() {
    let (ledger, clock) = ledger_with_clock("2026-01-15T12:00:00Z").await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    spend(&ledger, &id, "january", 300).await;
    clock.set("2028-02-29T23:59:59Z").await;
    assert_eq!(spend(&ledger, &id, "leap", 300).await.state.plan_spent, 300);
    refused(&ledger, &id, "more", 1, &["It resets at 2028-03-01T00:00:00Z"]).await;
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn call_is_charged_to_the_month_its_hold_was_taken_in() {
    let (ledger, clock) = ledger_with_clock("2026-10-31T23:59:59Z").await;
    let id = business(&ledger, Some(30), true).await;
    hold(&ledger, &id, "plan", 20).await;
    hold(&ledger, &id, "overage", 20).await;
    hold(&ledger, &id, "given up", 10).await;
    clock.set("2026-11-01T00:00:01Z").await;
    // The new month starts with all of its credits: holds of October do not count against it.
    spend(&ledger, &id, "november", 30).await;
    for request in ["plan", "overage"] {
        let committed = ledger.commit(request, false).await.unwrap();
        assert_eq!((committed.credits, committed.charged_late), (20, false));
        assert_eq!((committed.state.period_start_unix, committed.state.spent_this_month), (NOVEMBER, 30));
    }
    ledger.release("given up", "target_error").await.unwrap();
    let state = ledger.account_state(&id).await.unwrap();
    assert_eq!((state.plan_spent, state.remaining()), (30, Some(0)), "a hold of October frees nothing in November");
    let october: Vec<_> =
        ledger.entries(&id, 50, None).await.unwrap().into_iter().filter(|line| line.kind == "commit").collect();
    let of = |book: &str, month: &str| -> u64 {
        let lines = october.iter().filter(|line| line.to_book == book && line.period_start == month);
        lines.map(|line| line.credits).sum()
    };
    assert_eq!((of("plan_spent", "2026-10-01"), of("overage_spent", "2026-10-01")), (30, 10));
    assert_eq!(of("plan_spent", "2026-11-01"), 30);
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn late_commit_is_charged_to_the_month_it_comes_in() {
    let (ledger, clock) = ledger_with_clock("2026-10-31T23:59:00Z").await;
    let id = business(&ledger, Some(30), false).await;
    ledger.hold(&HoldCall { ttl: Duration::from_secs(90), ..call(&id, "late", 20) }).await.unwrap();
    clock.set("2026-11-01T00:02:00Z").await;
    assert_eq!(ledger.expire_holds(10).await.unwrap(), 1);
    let committed = ledger.commit("late", false).await.unwrap();
    assert!(committed.charged_late);
    assert_eq!((committed.state.period_start_unix, committed.state.plan_spent), (NOVEMBER, 20));
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn pack_hold_survives_the_month() {
    let (ledger, clock) = ledger_with_clock("2026-10-31T23:59:59Z").await;
    let id = business(&ledger, Some(0), false).await;
    ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
    hold(&ledger, &id, "kept", 100).await;
    hold(&ledger, &id, "freed", 400).await;
    clock.set("2026-11-01T00:00:01Z").await;
    ledger.release("freed", "target_error").await.unwrap();
    let state = ledger.commit("kept", false).await.unwrap().state;
    assert_eq!((state.pack_balance, state.spent_this_month), (400, 0), "spent in October");
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn clock_that_steps_back_moves_no_month() {
    let (ledger, clock) = ledger_with_clock("2026-11-01T00:00:01Z").await;
    let id = business(&ledger, Some(30), false).await;
    spend(&ledger, &id, "november", 20).await;
    clock.set("2026-10-31T23:59:58Z").await;
    let state = spend(&ledger, &id, "again", 10).await.state;
    assert_eq!((state.period_start_unix, state.plan_spent), (NOVEMBER, 30));
    refused(&ledger, &id, "more", 1, &["resets at 2026-12-01"]).await;
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn retry_after_ends_with_the_month() {
    let (ledger, clock) = ledger_with_clock("2026-11-30T23:59:00Z").await;
    let id = business(&ledger, Some(0), false).await;
    for (now, seconds) in
        [("2026-11-30T23:59:00Z", 60), ("2026-11-30T23:59:59.5Z", 1), ("2026-11-01T00:00:00Z", 2_592_000)]
    {
        clock.set(now).await;
        match ledger.hold(&call(&id, "r", 1)).await.unwrap() {
            limner_metering::HoldDecision::QuotaExceeded { retry_after_seconds, .. } => {
                assert_eq!(retry_after_seconds, seconds, "{now}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(ledger.commit("r", false).await, Err(LedgerError::UnknownRequest(_))), "a refusal holds nothing");
}
