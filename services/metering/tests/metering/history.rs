//! The partitions of the usage history and the sums of its calls per day.

use crate::support::{Clock, account, assert_balanced, config, database, hit, hold, ledger_with_clock, spend, store};
use crate::upgrade::{apply_before, run};
use limner_local_servers::shared_servers;
use limner_metering::{Ledger, LedgerError, RecordedCall, UsageDay};
use limner_store::Store;
use limner_types::Plan;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use time::macros::date;
use time::{Date, OffsetDateTime};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Returns calls, cached calls, failed calls and credits of an account, according to the sums.
async fn sums(ledger: &Ledger, account: &str) -> [u64; 4] {
    let days = ledger.usage_days(account, date!(1970 - 01 - 01), date!(9000 - 01 - 01)).await.unwrap();
    let add = |[calls, cached, failed, credits]: [u64; 4], day: &UsageDay| {
        [calls + day.calls, cached + day.cached, failed + day.failed, credits + day.credits]
    };
    days.iter().fold([0; 4], add)
}

/// Returns the same according to the rows of the history.
async fn rows(store: &Store, account: &str) -> [u64; 4] {
    let sql = "SELECT count(*), count(*) FILTER (WHERE cached), count(*) FILTER (WHERE outcome <> 'ok'),
                 coalesce(sum(credits), 0)::bigint FROM metering.usage_call WHERE account_id = $1";
    let row = store.query_one(sql, &[&account]).await.unwrap();
    std::array::from_fn(|at| u64::try_from(row.get::<_, i64>(at)).unwrap())
}

/// Sets the clock to a month that needs a partition, and returns its first day.
async fn enter_new_month(ledger: &Ledger, clock: &Clock) -> Date {
    let first = ledger.history_partitions().await.unwrap()[0].clone();
    assert_eq!((first.name.as_str(), first.since), ("usage_call_first", None));
    let month = first.until.unwrap();
    clock.set(&(month + 5 * DAY).to_string()).await;
    month.date()
}

async fn names(ledger: &Ledger) -> Vec<String> {
    ledger.history_partitions().await.unwrap().into_iter().map(|part| part.name).collect()
}

fn name_of(month: Date) -> String {
    format!("usage_call_{}_{:02}", month.year(), u8::from(month.month()))
}

#[tokio::test]
async fn months_have_partitions_that_are_dropped_as_a_whole() {
    let (ledger, clock) = ledger_with_clock("2026-01-01T00:00:00Z").await;
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    spend(&ledger, &id, "former", 25).await;
    let month = enter_new_month(&ledger, &clock).await;
    assert_eq!(ledger.maintain_history(30 * DAY).await.unwrap(), 1, "old calls of the first partition are deleted");
    assert_eq!(names(&ledger).await.len(), 2 + 4, "this month and three more have partitions");
    ledger.maintain_history(30 * DAY).await.unwrap();
    assert_eq!(names(&ledger).await.len(), 2 + 4, "they are made once");

    spend(&ledger, &id, "one", 25).await;
    hold(&ledger, &id, "two", 25).await;
    ledger.release("two", "target_error").await.unwrap();
    let table = name_of(month);
    assert!(names(&ledger).await.contains(&table));
    let entries = ledger.usage(&id, 10, None).await.unwrap().entries;
    assert_eq!(entries.iter().map(|entry| entry.request_id.as_str()).collect::<Vec<_>>(), ["two", "one"]);
    assert!(matches!(ledger.detach_month(month).await, Err(LedgerError::Invalid(_))), "it has not ended");

    let later = month.midnight().assume_utc() + 50 * DAY;
    clock.set(&later.to_string()).await;
    ledger.maintain_history(30 * DAY).await.unwrap();
    assert!(names(&ledger).await.contains(&table), "its last days are young enough");
    clock.set(&(later + 15 * DAY).to_string()).await;
    ledger.maintain_history(30 * DAY).await.unwrap();
    assert!(!names(&ledger).await.contains(&table));
    assert_eq!(ledger.usage(&id, 10, None).await.unwrap().entries, []);
    assert_eq!(sums(&ledger, &id).await, [3, 0, 1, 50], "the sums stay");
    assert!(ledger.entries(&id, 50, None).await.unwrap().iter().any(|line| line.request_id.as_deref() == Some("one")));
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn calls_of_a_month_without_partition_are_recorded_and_forgotten() {
    let (ledger, clock) = ledger_with_clock("2045-05-05T00:00:00Z").await;
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    spend(&ledger, &id, "one", 25).await;
    ledger.maintain_history(30 * DAY).await.unwrap();
    assert!(!names(&ledger).await.contains(&"usage_call_2045_05".to_owned()), "its calls are in another partition");
    assert!(names(&ledger).await.contains(&"usage_call_2045_06".to_owned()));
    spend(&ledger, &id, "two", 25).await;
    assert_eq!(ledger.usage(&id, 10, None).await.unwrap().entries.len(), 2);
    clock.set("2045-06-15T00:00:00Z").await;
    assert_eq!(ledger.maintain_history(30 * DAY).await.unwrap(), 2);
    assert_eq!(sums(&ledger, &id).await, [2, 0, 0, 50]);
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn late_charges_and_refunds_change_the_sums() {
    let store = store().await;
    let ledger = Ledger::new(store.clone(), None, None);
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    let now = OffsetDateTime::now_utc();
    let failed = RecordedCall { cached: false, code: Some("not_found".to_owned()), ..hit(&id, "key", "failed", now) };
    ledger.record_calls(&[hit(&id, "key", "hit", now), failed]).await.unwrap();
    assert_eq!(sums(&ledger, &id).await, [2, 1, 1, 0]);
    spend(&ledger, &id, "refunded", 25).await;
    hold(&ledger, &id, "late", 10).await;
    store.query("UPDATE metering.hold SET expires_at = metering.clock()", &[]).await.unwrap();
    ledger.expire_holds(10).await.unwrap();
    assert_eq!(sums(&ledger, &id).await, [4, 1, 2, 25]);
    assert!(ledger.commit("late", false).await.unwrap().charged_late);
    assert_eq!(sums(&ledger, &id).await, [4, 1, 1, 35]);
    ledger.refund("refunded", "an outage").await.unwrap();
    assert_eq!(sums(&ledger, &id).await, [4, 1, 1, 10]);
    assert_eq!(sums(&ledger, &id).await, rows(&store, &id).await);
    assert!(ledger.commit("late", false).await.unwrap().credits == 10, "repeating changes nothing");
    assert_eq!(sums(&ledger, &id).await, rows(&store, &id).await);
}

#[tokio::test]
async fn hits_can_be_counted_without_rows() {
    let store = store().await;
    let ledger = Ledger::new(store.clone(), None, None).with_hits_counted_only(true);
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    let key = ledger.create_key(&id, "a key").await.unwrap().record.key_id;
    let now = OffsetDateTime::now_utc();
    let failed = RecordedCall { cached: false, code: Some("not_found".to_owned()), ..hit(&id, "other", "failed", now) };
    let batch = [hit(&id, &key, "one", now), hit(&id, &key, "two", now), failed, hit("acc_none", &key, "three", now)];
    assert_eq!(ledger.record_calls(&batch).await.unwrap(), 3);
    assert_eq!(ledger.record_calls(&batch).await.unwrap(), 0, "a batch that is sent again counts once");
    assert_eq!(sums(&ledger, &id).await, [3, 2, 1, 0]);
    assert_eq!(rows(&store, &id).await, [1, 0, 1, 0], "hits are not listed");
    let last_used = ledger.api_key_infos(&id).await.unwrap()[0].last_used_at;
    assert!(last_used.is_some_and(|at| at >= now - DAY), "{last_used:?}");
    let totals = ledger.usage(&id, 10, None).await.unwrap().totals;
    assert_eq!(totals.iter().map(|total| total.calls).sum::<u64>(), 3);
}

#[tokio::test]
async fn detached_month_is_a_table_that_erasure_reaches() {
    let (ledger, clock) = ledger_with_clock("2026-01-01T00:00:00Z").await;
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    let other = account(&ledger, Plan::Developer).await.state.account_id;
    let month = enter_new_month(&ledger, &clock).await;
    ledger.maintain_history(400 * DAY).await.unwrap();
    spend(&ledger, &id, "one", 25).await;
    spend(&ledger, &other, "two", 25).await;
    clock.set(&(month.midnight().assume_utc() + 40 * DAY).to_string()).await;
    let table = ledger.detach_month(month).await.unwrap();
    assert_eq!(table, format!("archive.{}", name_of(month)));
    assert!(matches!(ledger.detach_month(month).await, Err(LedgerError::Invalid(_))), "it is detached");
    assert_eq!(ledger.usage(&id, 10, None).await.unwrap().entries, []);
    assert_eq!(sums(&ledger, &id).await, [1, 0, 0, 25]);
    ledger.maintain_history(400 * DAY).await.unwrap();
    assert!(!names(&ledger).await.contains(&name_of(month)), "it is not made again");
    assert_eq!(clock.count(&table).await, 2);
    ledger.erase_account(&id).await.unwrap();
    assert_eq!(clock.count(&table).await, 1, "calls of others stay");
    assert_balanced(&ledger).await;
}

/// Adds a call as a release before the partitions did.
async fn add_call(store: &Store, account: &str, request: &str, at: &str) -> Result<u64, limner_store::StoreError> {
    let sql = format!(
        "SELECT metering.record_calls(ARRAY['{account}'], ARRAY['key'], ARRAY['{request}'], ARRAY['code'], \
         ARRAY['https://example.org/'], ARRAY[{at}], ARRAY[true], ARRAY['ok']) AS added"
    );
    let row = store.client().await?.query_one(sql.as_str(), &[]).await?;
    Ok(u64::try_from(row.get::<_, i64>("added")).unwrap())
}

async fn former_schema(pool: usize) -> Store {
    let url = shared_servers::postgres().await.fresh_database().await.unwrap();
    let store = Store::connect(config(&url, pool)).await.unwrap();
    apply_before(&store, "0024").await;
    let terms = "'developer', 5000, 60, false, NULL, 'eur', 'monthly'";
    run(&store, &format!("SELECT metering.create_account('acc_former', 'a@b.test', {terms})")).await;
    store
}

#[tokio::test]
async fn history_of_the_former_schema_is_kept_and_summed() {
    let store = former_schema(2).await;
    let id = "acc_former";
    for number in 0..7 {
        add_call(&store, id, &format!("former {number}"), "now() - interval '10 minutes'").await.unwrap();
    }
    run(&store, "UPDATE metering.usage_call SET outcome = 'expired', price = 5 WHERE request_id = 'former 6'").await;
    // Sums of calls that were deleted before.
    let deleted =
        "INSERT INTO metering.usage_day VALUES ('acc_former', '2026-01-01', 'code', '2026-01-01', 3, 1, 1, 50)";
    run(&store, deleted).await;
    store.migrate().await.unwrap();
    store.check_schema().await.unwrap();
    let ledger = Ledger::new(store.clone(), None, None);
    let expected = [10, 8, 2, 50];
    assert_eq!(sums(&ledger, id).await, expected);
    assert_eq!(add_call(&store, id, "former 1", "now()").await.unwrap(), 0, "it is known");
    spend(&ledger, id, "new", 25).await;
    let expected = [11, 8, 2, 75];
    assert_eq!(sums(&ledger, id).await, expected);
    // A call of the former release that is charged late, before it is in the sums.
    assert!(ledger.commit("former 6", false).await.unwrap().charged_late);
    let expected = [expected[0], 8, 1, 80];
    assert_eq!(sums(&ledger, id).await, expected);
    run(&store, "DELETE FROM metering.usage_call WHERE request_id = 'former 0'").await;
    assert_eq!(sums(&ledger, id).await, expected, "it was not in the sums");
    ledger.maintain_history(400 * DAY).await.unwrap();
    assert_eq!(sums(&ledger, id).await, expected, "all are in the sums");
    let left = "SELECT count(*) AS left FROM metering.usage_call WHERE NOT is_summed";
    assert_eq!(store.query_one(left, &[]).await.unwrap().get::<_, i64>("left"), 0);
    assert_eq!(ledger.usage(id, 50, None).await.unwrap().entries.len(), 7);
    assert_balanced(&ledger).await;
}

/// The migration neither refuses nor loses a call that is recorded meanwhile.
#[tokio::test]
async fn calls_are_recorded_while_the_history_is_partitioned() {
    let store = former_schema(6).await;
    let stop = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..3)
        .map(|writer| {
            let (store, stop) = (store.clone(), Arc::clone(&stop));
            tokio::spawn(async move {
                let (mut added, mut number, mut tries) = (0, 0, 0);
                while !stop.load(Ordering::SeqCst) {
                    // A statement that waits for the table when it is partitioned fails once; gateways try five times.
                    match add_call(&store, "acc_former", &format!("{writer} {number}"), "now()").await {
                        Ok(one) => (added, number, tries) = (added + one, number + 1, 0),
                        Err(cause) => {
                            tries += 1;
                            assert!(tries < 3, "{cause:?}");
                        }
                    }
                }
                added
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    store.migrate().await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    stop.store(true, Ordering::SeqCst);
    let mut added = 0;
    for writer in writers {
        added += writer.await.unwrap();
    }
    assert!(added > 0);
    let ledger = Ledger::new(store.clone(), None, None);
    assert_eq!(sums(&ledger, "acc_former").await, [added, added, 0, 0]);
    assert_eq!(rows(&store, "acc_former").await, [added, added, 0, 0]);
    ledger.maintain_history(400 * DAY).await.unwrap();
    assert_eq!(sums(&ledger, "acc_former").await, [added, added, 0, 0]);
}

/// Batches of several accounts and operations and charges of the same accounts end, in whatever order they come.
#[tokio::test]
async fn concurrent_batches_and_charges_do_not_wait_for_each_other_in_a_circle() {
    let store = Store::connect(config(&database().await, 8)).await.unwrap();
    let ledger = Ledger::new(store.clone(), None, None);
    let mut ids = Vec::new();
    for _ in 0..6 {
        ids.push(account(&ledger, Plan::Growth).await.state.account_id);
    }
    let ids = Arc::new(ids);
    let tasks: Vec<_> = (0..6)
        .map(|task| {
            let (ledger, ids) = (ledger.clone(), Arc::clone(&ids));
            tokio::spawn(async move {
                for turn in 0..20 {
                    let at = OffsetDateTime::now_utc();
                    let of = |n: usize| (n * (task + 1)) % ids.len();
                    let calls: Vec<_> =
                        (0..12).map(|n| hit(&ids[of(n)], "key", &format!("{task} {turn} {n}"), at)).collect();
                    ledger.record_calls(&calls).await.unwrap();
                    spend(&ledger, &ids[task], &format!("{task} {turn}"), 1).await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    for id in ids.iter() {
        assert_eq!(sums(&ledger, id).await, rows(&store, id).await);
    }
    assert_balanced(&ledger).await;
}
