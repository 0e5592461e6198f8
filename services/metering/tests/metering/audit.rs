//! Integrity of the ledger: entries are immutable, and balances follow from them.

use crate::support::{account, assert_balanced, hold, spend, store};
use limner_metering::Ledger;
use limner_types::{Pack, Plan};

#[tokio::test]
async fn wrong_balance_is_found_and_rebuilt() {
    let store = store().await;
    let ledger = Ledger::new(store.clone(), None, None);
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
    spend(&ledger, &id, "spent", 4_990).await;
    hold(&ledger, &id, "held", 25).await;
    hold(&ledger, &id, "over", 500).await;
    let right = ledger.account(&id).await.unwrap();
    assert_balanced(&ledger).await;
    for (damage, books) in [
        (
            "UPDATE metering.account_period SET plan_spent = plan_spent - 7, overage_spent = 3",
            vec!["overage_spent", "plan_spent"],
        ),
        ("UPDATE metering.account SET pack_available = 9999", vec!["pack"]),
        ("DELETE FROM metering.account_period", vec!["overage_held", "plan_held", "plan_spent"]),
    ] {
        store.client().await.unwrap().batch_execute(damage).await.unwrap();
        let mut found: Vec<_> = ledger.check().await.unwrap().into_iter().map(|mismatch| mismatch.book).collect();
        found.sort();
        for book in books {
            assert!(found.iter().any(|name| name == book), "{damage}: {found:?}");
        }
        ledger.rebuild(&id).await.unwrap();
        assert_balanced(&ledger).await;
        let rebuilt = ledger.account(&id).await.unwrap();
        let same_version = limner_types::AccountState { version: right.state.version, ..rebuilt.state.clone() };
        assert_eq!((same_version, rebuilt.held), (right.state.clone(), right.held), "{damage}");
    }
}

#[tokio::test]
async fn lost_hold_is_found() {
    let store = store().await;
    let ledger = Ledger::new(store.clone(), None, None);
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    hold(&ledger, &id, "held", 25).await;
    store.client().await.unwrap().batch_execute("DELETE FROM metering.hold").await.unwrap();
    let mismatches = ledger.check().await.unwrap();
    assert_eq!(mismatches.len(), 1);
    let wrong = &mismatches[0];
    assert_eq!((wrong.book.as_str(), wrong.projected, wrong.posted, wrong.held), ("plan_held", 25, 25, 0));
}

#[tokio::test]
async fn entries_are_immutable() {
    let store = store().await;
    let ledger = Ledger::new(store.clone(), None, None);
    let id = account(&ledger, Plan::Free).await.state.account_id;
    spend(&ledger, &id, "r", 25).await;
    for change in [
        "UPDATE metering.ledger_entry SET credits = 1",
        "DELETE FROM metering.ledger_entry",
        "TRUNCATE metering.ledger_entry",
    ] {
        let refusal = store.client().await.unwrap().batch_execute(change).await.unwrap_err();
        assert!(refusal.as_db_error().unwrap().message().contains("immutable"), "{change}");
    }
}

#[tokio::test]
async fn ledger_explains_a_call_line_by_line() {
    let ledger = Ledger::new(store().await, None, None);
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    spend(&ledger, &id, "most", 4_990).await;
    spend(&ledger, &id, "mixed", 25).await;
    let mut lines = ledger.entries(&id, 50, None).await.unwrap();
    lines.reverse();
    let told: Vec<_> = lines
        .iter()
        .map(|line| format!("{} {} → {} {}", line.kind, line.from_book, line.to_book, line.credits))
        .collect();
    assert_eq!(
        told,
        [
            "grant issuer → plan 5000",
            "hold plan → plan_held 4990",
            "commit plan_held → plan_spent 4990",
            "hold plan → plan_held 10",
            "hold issuer → overage_held 15",
            "commit plan_held → plan_spent 10",
            "commit overage_held → overage_spent 15",
        ]
    );
    let latest = ledger.entries(&id, 2, None).await.unwrap();
    let before = ledger.entries(&id, 2, Some(latest[1].id)).await.unwrap();
    assert_eq!(before.iter().map(|line| line.id).collect::<Vec<_>>(), [lines[4].id, lines[3].id]);
}

#[tokio::test]
async fn audit_of_new_entries_finds_the_same_differences_as_the_full_audit() {
    let store = store().await;
    let ledger = Ledger::new(store.clone(), None, None);
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    let other = account(&ledger, Plan::Free).await.state.account_id;
    ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
    spend(&ledger, &id, "spent", 4_990).await;
    hold(&ledger, &id, "held", 25).await;
    let verified = async || {
        let sql = "SELECT v.up_to = (SELECT max(e.id) FROM metering.ledger_entry e WHERE e.account_id = v.account_id)
                       AS is_newest FROM metering.verified_account v WHERE v.account_id = $1";
        store.query_opt(sql, &[&id]).await.unwrap().is_some_and(|row| row.get("is_newest"))
    };
    assert!(!verified().await);
    for round in 0..3 {
        assert_eq!(ledger.check_new().await.unwrap(), [], "round {round}");
        assert!(verified().await, "round {round}");
        hold(&ledger, &id, &format!("pack {round}"), 100).await;
        ledger.commit(&format!("pack {round}"), false).await.unwrap();
        assert!(!verified().await, "round {round}");
    }
    for damage in [
        "UPDATE metering.account_period SET plan_spent = plan_spent - 7, overage_spent = 3 WHERE plan_spent > 7",
        "UPDATE metering.account SET pack_available = 9999",
        "DELETE FROM metering.hold",
    ] {
        store.client().await.unwrap().batch_execute(&format!("BEGIN; {damage}; COMMIT")).await.unwrap();
        let sorted = |mut found: Vec<limner_metering::Mismatch>| {
            found.sort_by_key(|wrong| (wrong.account_id.clone(), wrong.period_start.clone(), wrong.book.clone()));
            found
        };
        let (new, all) = (ledger.check_new().await.unwrap(), ledger.check().await.unwrap());
        assert!(!all.is_empty());
        assert_eq!(sorted(new), sorted(all), "{damage}");
        assert!(!verified().await, "a difference is not verified");
        for account in [&id, &other] {
            ledger.rebuild(account).await.unwrap();
        }
    }
}

/// Verified entries are not read again, which keeps the audit short.
#[tokio::test]
async fn verified_entries_are_not_summed_again() {
    let store = store().await;
    let ledger = Ledger::new(store.clone(), None, None);
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    spend(&ledger, &id, "one", 10).await;
    ledger.check_new().await.unwrap();
    let forged = "ALTER TABLE metering.ledger_entry DISABLE TRIGGER ledger_entry_is_immutable;
        DELETE FROM metering.ledger_entry WHERE kind = 'commit';
        ALTER TABLE metering.ledger_entry ENABLE TRIGGER ledger_entry_is_immutable";
    store.client().await.unwrap().batch_execute(forged).await.unwrap();
    assert_eq!(ledger.check_new().await.unwrap(), []);
    assert_eq!(ledger.check().await.unwrap().len(), 2, "the whole audit reads all entries");
}

#[tokio::test]
async fn one_process_runs_a_job_for_all() {
    let store = store().await;
    let claim = async |every: f64, lease: f64| -> bool {
        let sql = "SELECT metering.claim_job('job', $1, $2) AS is_claimed";
        store.query_one(sql, &[&every, &lease]).await.unwrap().get("is_claimed")
    };
    let complete = async || drop(store.query("SELECT metering.complete_job('job')", &[]).await.unwrap());
    assert!(claim(3_600.0, 3_600.0).await);
    assert!(!claim(3_600.0, 3_600.0).await, "it is running");
    assert!(claim(3_600.0, 0.0).await, "its process is dead");
    complete().await;
    assert!(!claim(3_600.0, 3_600.0).await, "it has run");
    assert!(claim(0.0, 3_600.0).await, "it is due");
    assert!(!claim(0.0, 3_600.0).await);
}
