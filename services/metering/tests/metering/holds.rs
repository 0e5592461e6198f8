//! Holds, commits and releases: idempotency, expiry, late commits.

use crate::support::{account, assert_balanced, business, call, hold, ledger, refused, spend};
use limner_metering::{CreditSource, HoldCall, HoldDecision, Ledger, LedgerError};
use limner_types::{Pack, Plan};
use std::time::Duration;

/// Takes a hold with a lifetime of zero and lets it expire.
async fn expired(ledger: &Ledger, account: &str, request: &str, credits: u32) {
    let call = HoldCall { ttl: Duration::ZERO, ..call(account, request, credits) };
    assert!(matches!(ledger.hold(&call).await.unwrap(), HoldDecision::Granted { .. }));
    assert_eq!(ledger.expire_holds(10).await.unwrap(), 1);
}

#[tokio::test]
async fn repeated_hold_commit_and_release_change_nothing() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    for _ in 0..3 {
        hold(&ledger, &id, "a", 25).await;
        assert_eq!(ledger.account(&id).await.unwrap().held, 25);
    }
    for _ in 0..3 {
        let committed = ledger.commit("a", false).await.unwrap();
        assert_eq!(
            (committed.credits, committed.source, committed.charged_late),
            (25, Some(CreditSource::Plan), false)
        );
        assert_eq!((committed.state.spent_this_month, committed.state.remaining()), (25, Some(275)));
    }
    // A hold that arrives after its own commit belongs to the same call.
    hold(&ledger, &id, "a", 25).await;
    assert_eq!(ledger.account(&id).await.unwrap().held, 0);
    hold(&ledger, &id, "b", 5).await;
    for _ in 0..3 {
        assert!(!ledger.release("b", "target_error").await.unwrap().charged);
    }
    assert_eq!(ledger.account_state(&id).await.unwrap().spent_this_month, 25);
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn released_calls_stay_free_and_charged_calls_stay_charged() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    hold(&ledger, &id, "released", 25).await;
    ledger.release("released", "target_timeout").await.unwrap();
    assert!(matches!(ledger.commit("released", false).await, Err(LedgerError::RequestSettled(_))));
    assert!(matches!(ledger.hold(&call(&id, "released", 25)).await, Err(LedgerError::RequestSettled(_))));
    spend(&ledger, &id, "charged", 25).await;
    assert!(ledger.release("charged", "target_timeout").await.unwrap().charged);
    assert_eq!(ledger.account_state(&id).await.unwrap().spent_this_month, 25);
}

#[tokio::test]
async fn request_id_belongs_to_one_call() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    let other = account(&ledger, Plan::Free).await.state.account_id;
    hold(&ledger, &id, "held", 25).await;
    spend(&ledger, &id, "spent", 25).await;
    for taken in [call(&id, "held", 24), call(&other, "held", 25), call(&id, "spent", 1), call(&other, "spent", 25)] {
        let answer = ledger.hold(&taken).await;
        assert!(matches!(answer, Err(LedgerError::RequestConflict(_))), "{taken:?}: {answer:?}");
    }
    assert_eq!(ledger.account(&other).await.unwrap().held, 0);
}

#[tokio::test]
async fn unknown_requests_and_invalid_holds_are_refused() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    assert!(matches!(ledger.commit("never", false).await, Err(LedgerError::UnknownRequest(_))));
    let released = ledger.release("never", "internal_error").await.unwrap();
    assert_eq!((released.state, released.charged), (None, false));
    for bad in [call(&id, "free", 0), call(&id, "", 1), call(&id, &"x".repeat(129), 1)] {
        assert!(matches!(ledger.hold(&bad).await, Err(LedgerError::Invalid(_))), "{bad:?}");
    }
}

#[tokio::test]
async fn open_holds_reduce_the_remaining_credits() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(30), false).await;
    hold(&ledger, &id, "a", 25).await;
    refused(&ledger, &id, "b", 6, &["5 are left beside the calls under way"]).await;
    hold(&ledger, &id, "c", 5).await;
    ledger.release("a", "target_blocked").await.unwrap();
    hold(&ledger, &id, "b", 25).await;
    let state = ledger.account_state(&id).await.unwrap();
    assert_eq!(state.remaining(), Some(30), "callers see spent credits only");
}

#[tokio::test]
async fn concurrent_holds_beyond_the_quota_are_denied() {
    let ledger = ledger().await;
    for (credits, price) in [(10, 1), (250, 25)] {
        let id = business(&ledger, Some(credits), false).await;
        let calls = (0..50).map(|n| {
            let (ledger, call) = (ledger.clone(), call(&id, &format!("{price}-{n}"), price));
            tokio::spawn(async move {
                match ledger.hold(&call).await.unwrap() {
                    HoldDecision::Granted { .. } => ledger.commit(&call.request_id, false).await.unwrap().credits,
                    HoldDecision::QuotaExceeded { .. } => 0,
                    other => panic!("{other:?}"),
                }
            })
        });
        let mut charged = Vec::new();
        for call in calls.collect::<Vec<_>>() {
            charged.push(call.await.unwrap());
        }
        assert_eq!(charged.iter().filter(|credits| **credits > 0).count(), 10);
        let state = ledger.account_state(&id).await.unwrap();
        assert_eq!((state.spent_this_month, state.remaining()), (credits, Some(0)));
    }
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn concurrent_holds_with_one_request_id_are_one_call() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(100), false).await;
    let calls = (0..50).map(|_| {
        let (ledger, call) = (ledger.clone(), call(&id, "same", 25));
        tokio::spawn(async move {
            assert!(matches!(ledger.hold(&call).await.unwrap(), HoldDecision::Granted { .. }));
            assert_eq!(ledger.commit("same", false).await.unwrap().credits, 25);
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    assert_eq!(ledger.account_state(&id).await.unwrap().spent_this_month, 25);
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn two_accounts_with_one_request_id_at_once_never_share_a_hold() {
    let ledger = ledger().await;
    for round in 0..10 {
        let mut attempts = Vec::new();
        for _ in 0..2 {
            let id = business(&ledger, Some(100), false).await;
            let (ledger, call) = (ledger.clone(), call(&id, &format!("shared-{round}"), 25));
            attempts.push(tokio::spawn(async move { ledger.hold(&call).await }));
        }
        let mut granted = 0;
        for attempt in attempts {
            match attempt.await.unwrap() {
                Ok(HoldDecision::Granted { .. }) => granted += 1,
                Err(LedgerError::RequestConflict(_)) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(granted, 1);
    }
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn expired_hold_gives_its_credits_back() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(25), false).await;
    expired(&ledger, &id, "lost", 25).await;
    hold(&ledger, &id, "next", 25).await;
    assert!(matches!(ledger.hold(&call(&id, "lost", 25)).await, Err(LedgerError::RequestSettled(_))));
    assert_eq!(ledger.expire_holds(10).await.unwrap(), 0, "the other hold has not expired");
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn overdue_hold_that_nobody_swept_commits_as_usual() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(25), false).await;
    let overdue = HoldCall { ttl: Duration::ZERO, ..call(&id, "slow", 25) };
    ledger.hold(&overdue).await.unwrap();
    let committed = ledger.commit("slow", true).await.unwrap();
    assert_eq!((committed.credits, committed.charged_late), (25, false));
}

#[tokio::test]
async fn commit_after_expiry_is_honoured_once_and_says_so() {
    let ledger = ledger().await;
    for (name, pack, overage, spent_meanwhile, source) in [
        ("plan", false, false, 0, Some(CreditSource::Plan)),
        ("pack", true, false, 20, Some(CreditSource::Pack)),
        ("overage", false, true, 20, Some(CreditSource::Overage)),
        ("written off", false, false, 20, None),
    ] {
        let id = business(&ledger, Some(25), overage).await;
        let (late, meanwhile) = (format!("late {name}"), format!("meanwhile {name}"));
        expired(&ledger, &id, &late, 15).await;
        if spent_meanwhile > 0 {
            spend(&ledger, &id, &meanwhile, spent_meanwhile).await;
        }
        if pack {
            ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
        }
        let credits = if source.is_some() { 15 } else { 0 };
        for _ in 0..2 {
            let committed = ledger.commit(&late, false).await.unwrap();
            assert_eq!(
                (committed.credits, committed.source, committed.charged_late),
                (credits, source, true),
                "{name}"
            );
            assert_eq!(committed.state.spent_this_month, u64::from(spent_meanwhile) + credits, "{name}");
        }
        let page = ledger.usage(&id, 10, None).await.unwrap();
        let entry = page.entries.iter().find(|entry| entry.request_id == late).unwrap();
        assert!(entry.late && entry.outcome == "ok" && entry.credits == credits, "{entry:?}");
        let books: Vec<_> = ledger.entries(&id, 50, None).await.unwrap();
        assert!(books.iter().any(|line| line.kind == "late_commit" && line.request_id.as_ref() == Some(&late)));
    }
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn expired_call_that_is_given_up_can_not_be_charged() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(25), false).await;
    expired(&ledger, &id, "gone", 25).await;
    ledger.release("gone", "target_timeout").await.unwrap();
    assert!(matches!(ledger.commit("gone", false).await, Err(LedgerError::RequestSettled(_))));
    assert_eq!(ledger.account_state(&id).await.unwrap().spent_this_month, 0);
}

#[tokio::test]
async fn commit_and_release_at_once_settle_a_call_one_way() {
    let ledger = ledger().await;
    let id = business(&ledger, None, false).await;
    let mut expected = 0;
    for n in 0..20 {
        let request = format!("race-{n}");
        hold(&ledger, &id, &request, 5).await;
        let commit = tokio::spawn({
            let (ledger, request) = (ledger.clone(), request.clone());
            async move { ledger.commit(&request, false).await }
        });
        let released = ledger.release(&request, "internal_error").await.unwrap();
        match commit.await.unwrap() {
            Ok(committed) => {
                assert!(released.charged && committed.credits == 5);
                expected += 5;
            }
            Err(LedgerError::RequestSettled(_)) => assert!(!released.charged),
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(ledger.account_state(&id).await.unwrap().spent_this_month, expected);
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn hold_that_the_database_lost_is_charged_once_like_one_that_expired() {
    let ledger = ledger().await;
    let id = business(&ledger, Some(30), false).await;
    let lost = call(&id, "lost", 25);
    // As after a crash that lost the hold: the request is unknown.
    for _ in 0..3 {
        let committed = ledger.commit_held(&lost, false).await.unwrap();
        assert_eq!((committed.credits, committed.source, committed.charged_late), (25, Some(CreditSource::Plan), true));
        assert_eq!(committed.state.plan_spent, 25);
    }
    assert!(ledger.release("lost", "internal_error").await.unwrap().charged);
    let second = ledger.commit_held(&call(&id, "uncovered", 25), false).await.unwrap();
    assert_eq!(
        (second.credits, second.source, second.charged_late),
        (0, None, true),
        "no credits cover the call: written off"
    );
    // A held call is charged as held, and a released call stays free, whatever the later call says.
    hold(&ledger, &id, "held", 5).await;
    let held = ledger.commit_held(&call(&id, "held", 5), true).await.unwrap();
    assert_eq!((held.credits, held.charged_late), (5, false));
    hold(&ledger, &business(&ledger, None, false).await, "given up", 5).await;
    ledger.release("given up", "target_error").await.unwrap();
    let given_up = ledger.commit_held(&call(&id, "given up", 5), false).await;
    assert!(matches!(given_up, Err(LedgerError::RequestSettled(_))), "{given_up:?}");
    let nobody = ledger.commit_held(&call("acc_none", "nobody", 5), false).await;
    assert!(matches!(nobody, Err(LedgerError::UnknownRequest(_))), "{nobody:?}");
    let page = ledger.usage(&id, 10, None).await.unwrap();
    let told: Vec<_> =
        page.entries.iter().map(|entry| (entry.request_id.as_str(), entry.credits, entry.late)).collect();
    assert_eq!(told, [("held", 5, false), ("uncovered", 0, true), ("lost", 25, true)]);
    assert_balanced(&ledger).await;
}
