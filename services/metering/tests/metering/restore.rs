//! The restore drill: a base backup and WAL to a moment, while calls are charged; then the ledger must add up, and what was
//! revoked and erased since must be so again.

use crate::outbox::{bus, shared_cache};
use crate::support::{config, spend};
use limner_local_servers::Postgres;
use limner_metering::api_key::sha256;
use limner_metering::{Ledger, LedgerError, NewAccount};
use limner_screenshot_store::RecordLog;
use limner_store::Store;
use limner_types::Plan;
use std::time::Instant;

/// Charges calls one after the other, named by their number.
async fn charge(ledger: &Ledger, account: &str, calls: std::ops::Range<u32>) {
    for call in calls {
        spend(ledger, account, &format!("{account} {call}"), 1).await;
    }
}

async fn connect(url: &str) -> (Store, Ledger) {
    let store = Store::connect(config(url, 8)).await.unwrap();
    (store.clone(), Ledger::new(store, None, None))
}

#[tokio::test]
#[ignore = "three starts of a server and recovery: part of the soak"]
async fn database_is_restored_to_a_moment() {
    let folder = tempfile::tempdir().unwrap();
    let log = RecordLog::open(&format!("file://{}", folder.path().display())).unwrap();
    let mut primary = Postgres::temporary().await.unwrap();
    let archive = primary.archive_wal().await.unwrap();
    let (store, _) = connect(&primary.url()).await;
    store.migrate().await.unwrap();
    let (cache, bus) = (shared_cache("metering-restore").await, bus("metering-restore").await);
    let ledger = Ledger::new(store.clone(), Some(cache), Some(bus)).with_erasure_log(log.clone());
    let mut ids = Vec::new();
    for name in ["one", "two", "leaves"] {
        let new = NewAccount::new(format!("{name}@example.org"), Plan::Growth);
        ids.push(ledger.create_account(&new).await.unwrap().state.account_id);
    }
    let [one, two, leaves] = <[String; 3]>::try_from(ids).unwrap();
    let revoked = ledger.create_key(&one, "revoked later").await.unwrap();
    charge(&ledger, &one, 0..50).await;

    // Calls are charged while the backup is made.
    let (backup, ()) = tokio::join!(primary.base_backup(), charge(&ledger, &two, 0..200));
    let backup = backup.unwrap();
    charge(&ledger, &one, 50..60).await;
    let moment: String = store.query_one("SELECT clock_timestamp()::text AS moment", &[]).await.unwrap().get("moment");
    charge(&ledger, &one, 60..70).await;
    ledger.revoke_key(revoked.key.expose()).await.unwrap();
    ledger.erase_account(&leaves).await.unwrap();
    primary.archive_current_wal().await.unwrap();
    primary.kill();

    let began = Instant::now();
    let restored = backup.restore(&archive, &moment).await.unwrap();
    println!("| restore to a moment | {:.1} s |", began.elapsed().as_secs_f64());
    let (store, ledger) = connect(&restored.url()).await;
    let ledger = ledger.with_erasure_log(log);
    assert!(store.migrate().await.unwrap().applied.is_empty());
    let spent = async |id: &str| ledger.account_state(id).await.unwrap().spent_this_month;
    assert_eq!((spent(&one).await, spent(&two).await), (60, 200), "calls up to the moment, and none after it");
    ledger.authenticate(sha256(&revoked.key)).await.unwrap();
    assert_eq!(ledger.account(&leaves).await.unwrap().email, "leaves@example.org");

    let replay = ledger.replay_erasures().await.unwrap();
    assert_eq!((replay.revoked, replay.erased), (1, 1));
    assert!(matches!(ledger.authenticate(sha256(&revoked.key)).await, Err(LedgerError::UnknownKey)));
    assert_eq!(ledger.account(&leaves).await.unwrap().email, "closed@account.invalid");
    assert_eq!(ledger.check().await.unwrap(), []);
    assert_eq!(ledger.check_new().await.unwrap(), []);
    charge(&ledger, &one, 60..70).await;
    assert_eq!(
        (spent(&one).await, ledger.check().await.unwrap()),
        (70, vec![]),
        "the same calls are charged once more"
    );
}
