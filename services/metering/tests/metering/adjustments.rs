//! Corrections by operators: adjustments and refunds.

use crate::support::{account, assert_balanced, business, hold, ledger, ledger_with_clock, spend};
use limner_metering::{CreditSource, LedgerError};
use limner_types::{Pack, Plan};
use time::macros::date;

#[tokio::test]
async fn adjustment_is_an_entry_with_a_reason_and_happens_once() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    for _ in 0..2 {
        let state = ledger.adjust(&id, 120, "an outage on Tuesday", Some("ticket 7")).await.unwrap();
        assert_eq!(state.pack_balance, 120);
    }
    assert_eq!(ledger.adjust(&id, -20, "counted twice", None).await.unwrap().pack_balance, 100);
    let lines: Vec<_> = ledger
        .entries(&id, 2, None)
        .await
        .unwrap()
        .into_iter()
        .map(|line| {
            format!("{} {} → {} {}: {}", line.kind, line.from_book, line.to_book, line.credits, line.note.unwrap())
        })
        .collect();
    assert_eq!(
        lines,
        ["adjustment pack → issuer 20: counted twice", "adjustment issuer → pack 120: an outage on Tuesday"]
    );
    assert_eq!(ledger.events(&id, 1).await.unwrap()[0].detail["credits"], -20);
    assert_balanced(&ledger).await;
    let before = ledger.account(&id).await.unwrap().state;
    let rebuilt = ledger.rebuild(&id).await.unwrap();
    assert_eq!(rebuilt.pack_balance, before.pack_balance);
}

#[tokio::test]
async fn mistaken_adjustments_are_refused() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    ledger.adjust(&id, 50, "goodwill", Some("x")).await.unwrap();
    hold(&ledger, &id, "all of the plan", 300).await;
    hold(&ledger, &id, "from the pack", 40).await;
    for (credits, reason, reference) in [
        (0, "nothing", None),
        (1, "", None),
        (1, "  ", None),
        // A call holds 40 of them.
        (-11, "more than there is", None),
    ] {
        let answer = ledger.adjust(&id, credits, reason, reference).await;
        assert!(matches!(answer, Err(LedgerError::Invalid(_))), "{credits} {reason}: {answer:?}");
    }
    assert!(matches!(ledger.adjust(&id, 1, &"x".repeat(501), None).await, Err(LedgerError::Invalid(_))));
    assert!(matches!(ledger.adjust(&id, 51, "again", Some("x")).await, Err(LedgerError::RequestConflict(_))));
    assert!(matches!(ledger.adjust("acc_none", 1, "who", None).await, Err(LedgerError::UnknownAccount(_))));
    assert_eq!(ledger.adjust(&id, -10, "what is left", None).await.unwrap().pack_balance, 40);
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn refund_undoes_a_charge_wherever_it_came_from() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(100), true).await;
    spend(&ledger, &id, "plan", 90).await;
    spend(&ledger, &id, "mixed", 25).await;
    ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
    assert_eq!(spend(&ledger, &id, "pack", 200).await.source, Some(CreditSource::Pack));
    let before = ledger.account_state(&id).await.unwrap();
    assert_eq!((before.plan_spent, before.overage_spent, before.pack_balance), (100, 15, 300));

    for _ in 0..2 {
        let refunded = ledger.refund("mixed", "the page was a block page").await.unwrap();
        assert!(!refunded.as_pack_credits);
        assert_eq!((refunded.account.plan_spent, refunded.account.overage_spent), (90, 0));
    }
    assert_eq!(ledger.refund("pack", "so was this").await.unwrap().account.pack_balance, 500);
    let state = ledger.refund("plan", "and this").await.unwrap().account;
    assert_eq!((state.spent_this_month, state.remaining()), (0, Some(100)));
    assert_eq!(spend(&ledger, &id, "again", 100).await.source, Some(CreditSource::Plan));

    let page = ledger.usage(&id, 10, None).await.unwrap();
    for entry in page.entries.iter().filter(|entry| entry.request_id != "again") {
        assert!(entry.refunded && entry.credits == 0 && entry.outcome == "ok", "{entry:?}");
    }
    // A refunded call is neither charged nor held again.
    assert_eq!(ledger.commit("plan", false).await.unwrap().credits, 0);
    assert!(ledger.release("plan", "internal_error").await.unwrap().charged);
    assert_eq!(ledger.account_state(&id).await.unwrap().spent_this_month, 100);
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn refunded_overage_is_not_billed_and_billed_overage_comes_back_as_pack_credits() {
    let (ledger, clock) = ledger_with_clock("2026-10-15T12:00:00Z").await;
    let id = business(&ledger, Some(1_000), true).await;
    spend(&ledger, &id, "plan", 1_000).await;
    for (request, credits) in [("kept", 500), ("undone", 250), ("billed", 100)] {
        spend(&ledger, &id, request, credits).await;
    }
    assert!(!ledger.refund("undone", "wrong").await.unwrap().as_pack_credits);
    let early = ledger.close_periods(Some(date!(2026 - 11 - 01))).await.unwrap();
    assert_eq!((early.invoices[0].lines[0].quantity, early.invoices[0].total_cents), (600, 120));
    let refunded = ledger.refund("billed", "wrong, but on an invoice").await.unwrap();
    assert!(refunded.as_pack_credits);
    assert_eq!((refunded.account.overage_spent, refunded.account.pack_balance), (600, 100));

    clock.set("2026-11-02T00:00:00Z").await;
    let late = ledger.refund("plan", "its month is over").await.unwrap();
    assert!(late.as_pack_credits && late.account.pack_balance == 1_100, "{late:?}");
    let close = ledger.close_periods(None).await.unwrap();
    assert_eq!(close.invoices, [], "nothing is billed twice, and no refunded call is billed");
    assert!(close.periods.iter().all(|period| period.closed));
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn uncharged_calls_are_not_refunded() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    hold(&ledger, &id, "held", 25).await;
    hold(&ledger, &id, "released", 25).await;
    ledger.release("released", "target_error").await.unwrap();
    spend(&ledger, &id, "charged", 25).await;
    for request in ["held", "released"] {
        let answer = ledger.refund(request, "a complaint").await;
        assert!(matches!(answer, Err(LedgerError::Invalid(_))), "{request}: {answer:?}");
    }
    assert!(matches!(ledger.refund("never", "a complaint").await, Err(LedgerError::UnknownRequest(_))));
    assert!(matches!(ledger.refund("charged", "").await, Err(LedgerError::Invalid(_))));
}

#[tokio::test]
async fn refund_after_a_downgrade_returns_only_what_the_plan_allows() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Growth).await.state.account_id;
    spend(&ledger, &id, "large", 6_000).await;
    ledger.set_plan(&id, Plan::Developer).await.unwrap();
    let state = ledger.refund("large", "a complaint").await.unwrap().account;
    assert_eq!((state.plan_spent, state.remaining()), (0, Some(5_000)));
    spend(&ledger, &id, "all", 5_000).await;
    assert_balanced(&ledger).await;
}
