//! The usage history and its retention.

use crate::support::{account, call, hit, hold, ledger, ledger_with_clock, spend};
use limner_metering::{CreditSource, HoldCall, LedgerError, OperationTotal, RecordedCall};
use limner_types::Plan;
use std::time::Duration;
use time::OffsetDateTime;

#[tokio::test]
async fn calls_are_listed_as_they_ended() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    spend(&ledger, &id, "req_1", 25).await;
    hold(&ledger, &id, "req_2", 25).await;
    ledger.release("req_2", "target_blocked").await.unwrap();
    ledger.hold(&HoldCall { ttl: Duration::ZERO, ..call(&id, "req_3", 5) }).await.unwrap();
    ledger.expire_holds(10).await.unwrap();
    hold(&ledger, &id, "req_4", 1).await;
    ledger.commit("req_4", true).await.unwrap();
    let now = OffsetDateTime::now_utc();
    let failed =
        RecordedCall { cached: false, code: Some("invalid_request".to_owned()), ..hit(&id, "key_test", "req_6", now) };
    let stranger = hit("acc_none", "key_test", "req_7", now);
    assert_eq!(ledger.record_calls(&[hit(&id, "key_test", "req_5", now), failed.clone(), stranger]).await.unwrap(), 2);
    assert_eq!(ledger.record_calls(&[failed]).await.unwrap(), 0, "recording is idempotent");
    assert_eq!(ledger.record_calls(&[]).await.unwrap(), 0);

    let page = ledger.usage(&id, 10, None).await.unwrap();
    let told: Vec<_> = page
        .entries
        .iter()
        .map(|entry| {
            (entry.request_id.as_str(), entry.outcome.as_str(), entry.credits, entry.cached, entry.auto_render)
        })
        .collect();
    assert_eq!(
        told,
        [
            ("req_6", "invalid_request", 0, false, false),
            ("req_5", "ok", 0, true, false),
            ("req_4", "ok", 1, false, true),
            ("req_3", "expired", 0, false, false),
            ("req_2", "target_blocked", 0, false, false),
            ("req_1", "ok", 25, false, false),
        ]
    );
    assert_eq!(page.entries[5].source, Some(CreditSource::Plan));
    let total = |operation: &str, calls, credits| OperationTotal { operation: operation.to_owned(), calls, credits };
    assert_eq!(page.totals, [total("code", 4, 26), total("images", 2, 0)]);
    assert_eq!((page.account.spent_this_month, page.next_cursor), (26, None));
}

#[tokio::test]
async fn calls_have_their_duration_and_the_name_of_their_key() {
    let (ledger, clock) = ledger_with_clock("2026-01-01T00:00:00Z").await;
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    let key = ledger.create_key(&id, "CI").await.unwrap().record;
    for request in ["charged", "released", "expired"] {
        let made = HoldCall { key_id: key.key_id.clone(), ..call(&id, request, 1) };
        ledger.hold(&HoldCall { ttl: Duration::from_secs(2), ..made }).await.unwrap();
    }
    clock.set("2026-01-01T00:00:01.5Z").await;
    ledger.commit("charged", false).await.unwrap();
    ledger.release("released", "target_error").await.unwrap();
    clock.set("2026-01-01T00:00:09Z").await;
    ledger.expire_holds(10).await.unwrap();
    ledger.record_calls(&[hit(&id, "key_test", "hit", OffsetDateTime::now_utc())]).await.unwrap();

    let mut told: Vec<_> = ledger.usage(&id, 10, None).await.unwrap().entries;
    told.sort_by(|one, other| one.request_id.cmp(&other.request_id));
    let told: Vec<_> = told.iter().map(|call| (call.request_id.as_str(), call.duration_ms, &call.key_name)).collect();
    let (name, gone) = (&key.name, &String::new());
    assert_eq!(
        told,
        [
            ("charged", Some(1_500), name),
            ("expired", None, name),
            ("hit", Some(3), gone),
            ("released", Some(1_500), name)
        ]
    );
}

#[tokio::test]
async fn pages_follow_each_other_without_gaps_or_repeats() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    // All have the same time: only the request id orders them.
    let at = OffsetDateTime::now_utc();
    let calls: Vec<_> = (0..25).map(|n| hit(&id, "key_test", &format!("req_{n:02}"), at)).collect();
    ledger.record_calls(&calls).await.unwrap();
    let (mut seen, mut cursor, mut pages) = (Vec::new(), None, 0);
    loop {
        let page = ledger.usage(&id, 10, cursor.as_deref()).await.unwrap();
        pages += 1;
        seen.extend(page.entries.into_iter().map(|entry| entry.request_id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let expected: Vec<_> = (0..25).rev().map(|n| format!("req_{n:02}")).collect();
    assert_eq!((seen, pages), (expected, 3));
    assert!(matches!(ledger.usage(&id, 10, Some("foreign")).await, Err(LedgerError::Invalid(_))));
}

#[tokio::test]
async fn usage_shows_only_calls_of_the_account() {
    let ledger = ledger().await;
    let (mine, theirs) =
        (account(&ledger, Plan::Free).await.state.account_id, account(&ledger, Plan::Free).await.state.account_id);
    spend(&ledger, &mine, "mine", 1).await;
    spend(&ledger, &theirs, "theirs", 1).await;
    let page = ledger.usage(&mine, 10, None).await.unwrap();
    assert!(page.entries.iter().all(|entry| entry.request_id == "mine"));
    assert!(
        ledger.entries(&mine, 100, None).await.unwrap().iter().all(|line| line.request_id.as_deref() != Some("theirs"))
    );
}

#[tokio::test]
async fn old_calls_are_forgotten_and_their_ledger_lines_stay() {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let (ledger, clock) = ledger_with_clock("2026-01-01T00:00:00Z").await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    spend(&ledger, &id, "old", 25).await;
    clock.set("2026-01-20T00:00:00Z").await;
    spend(&ledger, &id, "young", 25).await;
    clock.set("2026-02-01T00:00:00Z").await;
    assert_eq!(ledger.maintain_history(30 * DAY).await.unwrap(), 1);
    assert_eq!(ledger.maintain_history(30 * DAY).await.unwrap(), 0);
    let page = ledger.usage(&id, 10, None).await.unwrap();
    assert_eq!(page.entries.iter().map(|entry| entry.request_id.as_str()).collect::<Vec<_>>(), ["young"]);
    let lines = ledger.entries(&id, 50, None).await.unwrap();
    assert!(lines.iter().any(|line| line.request_id.as_deref() == Some("old") && line.kind == "commit"));
}

#[tokio::test]
async fn totals_include_deleted_calls() {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let (ledger, clock) = ledger_with_clock("2026-10-31T23:00:00Z").await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    spend(&ledger, &id, "october", 1).await;
    ledger.hold(&HoldCall { ttl: Duration::from_secs(60), ..call(&id, "late", 5) }).await.unwrap();
    clock.set("2026-11-01T00:30:00Z").await;
    ledger.expire_holds(10).await.unwrap();
    assert!(ledger.commit("late", false).await.unwrap().charged_late, "charged to November");
    spend(&ledger, &id, "first", 25).await;
    hold(&ledger, &id, "failed", 25).await;
    ledger.release("failed", "target_error").await.unwrap();
    clock.set("2026-11-03T00:00:00Z").await;
    spend(&ledger, &id, "second", 25).await;
    let totals = ledger.usage(&id, 10, None).await.unwrap().totals;
    assert_eq!(totals, [OperationTotal { operation: "code".to_owned(), calls: 4, credits: 55 }]);
    assert_eq!(ledger.maintain_history(DAY).await.unwrap(), 4);
    let page = ledger.usage(&id, 10, None).await.unwrap();
    assert_eq!(page.entries.len(), 1);
    assert_eq!((page.totals, page.account.spent_this_month), (totals, 55));
    clock.set("2026-11-05T00:00:00Z").await;
    ledger.maintain_history(DAY).await.unwrap();
    assert_eq!(ledger.usage(&id, 10, None).await.unwrap().totals[0].credits, 55, "sums are added to sums");
}

#[tokio::test]
async fn gateways_clock_moves_no_call_to_another_day() {
    let (ledger, _clock) = ledger_with_clock("2026-11-21T12:00:00Z").await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    let at = |text| OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339).unwrap();
    for (request, told, kept) in [
        ("ahead", "2027-01-01T00:00:00Z", "2026-11-21T12:00:00Z"),
        ("right", "2026-11-21T11:59:30Z", "2026-11-21T11:59:30Z"),
        ("behind", "1970-01-01T00:00:00Z", "2026-11-21T11:00:00Z"),
    ] {
        ledger.record_calls(&[hit(&id, "key_test", request, at(told))]).await.unwrap();
        let page = ledger.usage(&id, 10, None).await.unwrap();
        let entry = page.entries.iter().find(|entry| entry.request_id == request).unwrap();
        assert_eq!(entry.at, at(kept), "{request}");
    }
}
