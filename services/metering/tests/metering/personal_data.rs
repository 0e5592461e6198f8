//! Export and erasure of what is held about an account's owner, and their repetition after a restore.

use crate::outbox::{bus, shared_cache};
use crate::support::{account, assert_balanced, config, database, hold, spend};
use limner_local_servers::shared_servers;
use limner_metering::api_key::sha256;
use limner_metering::{Ledger, LedgerError, NewAccount};
use limner_screenshot_store::RecordLog;
use limner_store::Store;
use limner_types::{Pack, Plan};
use serde_json::Value;
use std::time::Duration;

const EMAIL: &str = "a@example.org";

/// Adds what the console holds about an account's owner.
async fn add_holder(store: &Store, account: &str, email: &str) {
    let sql = format!(
        "INSERT INTO console.holder (id, account_id, email, email_key, password_hash)
             VALUES ('usr_{account}', '{account}', '{email}', '{email}', 'argon2 of a password');
         INSERT INTO console.session (id, token_sha256, holder_id, expires_at, signed_in_by, address, agent)
             VALUES ('ses_{account}', sha256('{account}'), 'usr_{account}', now(), 'link', '192.0.2.7', 'Browser');
         INSERT INTO console.identity (issuer, subject, holder_id) VALUES ('https://id.test', '{account}', 'usr_{account}');
         INSERT INTO console.device (token_sha256, holder_id) VALUES (sha256('device {account}'), 'usr_{account}');
         INSERT INTO console.link (token_sha256, purpose, email, expires_at)
             VALUES (sha256('link {account}'), 'sign_in', '{email}', now());
         INSERT INTO console.audit (account_id, kind, detail, address, agent)
             VALUES ('{account}', 'signed_in', '', '192.0.2.7', 'Browser')"
    );
    store.client().await.unwrap().batch_execute(&sql).await.unwrap();
}

async fn ledger_of(url: &str) -> (Ledger, Store) {
    let store = Store::connect(config(url, 4)).await.unwrap();
    (Ledger::new(store.clone(), None, None), store)
}

/// Returns all rows of both schemas as text.
async fn dump(store: &Store) -> String {
    let tables = "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
                  WHERE schemaname IN ('metering', 'console')";
    let mut all = String::new();
    for row in store.query(tables, &[]).await.unwrap() {
        let table: String = row.get("name");
        let sql = format!("SELECT coalesce(string_agg(to_jsonb(t)::text, ' '), '') AS rows FROM {table} t");
        all += store.client().await.unwrap().query_one(sql.as_str(), &[]).await.unwrap().get("rows");
    }
    all
}

#[tokio::test]
async fn everything_about_an_account_is_exported_and_no_secret() {
    let (ledger, store) = ledger_of(&database().await).await;
    let id = account(&ledger, Plan::Growth).await.state.account_id;
    let other = ledger.create_account(&NewAccount::new("other@example.org", Plan::Free)).await.unwrap();
    add_holder(&store, &id, EMAIL).await;
    add_holder(&store, &other.state.account_id, "other@example.org").await;
    let key = ledger.create_key(&id, "my key").await.unwrap();
    spend(&ledger, &id, "one", 5).await;
    let export = ledger.export_account(&id).await.unwrap();
    let tables = export["tables"].as_object().unwrap();
    for (table, rows) in [
        ("console.holder", 1),
        ("console.session", 1),
        ("console.link", 1),
        ("console.device", 1),
        ("console.identity", 1),
        ("console.audit", 1),
        ("metering.api_key", 1),
        ("metering.usage_call", 1),
    ] {
        assert_eq!(tables[table].as_array().unwrap().len(), rows, "{table}");
    }
    assert_eq!(tables["metering.usage_call"][0]["url"], "https://example.org/");
    assert_eq!(tables["console.session"][0]["address"], "192.0.2.7");
    let text = export.to_string();
    assert!(!text.contains("other@example.org") && !text.contains("argon2") && !text.contains(key.key.expose()));
    for secret in ["sha256", "password_hash"] {
        assert!(!text.contains(&format!("\"{secret}\"")), "{secret}");
    }
    assert!(matches!(ledger.export_account("acc_none").await, Err(LedgerError::UnknownAccount(_))));
}

/// A table that a later migration adds is exported, or named here.
#[tokio::test]
async fn tables_with_personal_data_are_exported() {
    const ABOUT_NOBODY: [&str; 10] = [
        "console.attempt",
        "console.client",
        "console.probe",
        "metering.billing_event",
        "metering.counted_batch",
        "metering.job_run",
        // Ids and sums of what is exported.
        "metering.outbox",
        "metering.pending_change",
        "metering.verified_account",
        "metering.verified_balance",
    ];
    let (ledger, store) = ledger_of(&database().await).await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    let export = ledger.export_account(&id).await.unwrap();
    // Partitions are exported as the table that they are part of.
    let sql =
        "SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname IN ('metering', 'console') AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
               ORDER BY 1";
    for row in store.query(sql, &[]).await.unwrap() {
        let name: &str = row.get("name");
        let is_exported = export["tables"].get(name).is_some_and(Value::is_array);
        assert!(is_exported != ABOUT_NOBODY.contains(&name), "{name}");
    }
}

#[tokio::test]
async fn erasure_leaves_sums_and_no_person() {
    let (ledger, store) = ledger_of(&database().await).await;
    let id = account(&ledger, Plan::Growth).await.state.account_id;
    add_holder(&store, &id, EMAIL).await;
    ledger.create_key(&id, "key of A. Person").await.unwrap();
    ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
    spend(&ledger, &id, "one", 5).await;
    hold(&ledger, &id, "under way", 5).await;
    for _ in 0..2 {
        ledger.erase_account(&id).await.unwrap();
    }
    let left = dump(&store).await;
    for trace in [EMAIL, "A. Person", "192.0.2.7", "Browser", "https://example.org/", "https://id.test"] {
        assert!(!left.contains(trace), "{trace} is left: {left}");
    }
    ledger.commit("under way", false).await.unwrap();
    let record = ledger.account(&id).await.unwrap();
    assert_eq!((record.state.plan_spent, record.state.pack_balance), (10, 500), "what invoices follow from stays");
    assert_balanced(&ledger).await;
}

/// Copies a database as it is now; returns the copy's URL.
async fn copy_database(url: &str) -> String {
    let admin =
        Store::connect(config(&shared_servers::postgres().await.fresh_database().await.unwrap(), 1)).await.unwrap();
    let name = url.rsplit('/').next().unwrap().split('?').next().unwrap();
    let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
    let copy = format!("CREATE DATABASE {name}_copy TEMPLATE {name}");
    let copied = async {
        let client = admin.client().await.unwrap();
        client.batch_execute(&end).await.unwrap();
        // Its sessions end a moment later.
        while client.batch_execute(&copy).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), copied).await.unwrap();
    url.replace(name, &format!("{name}_copy"))
}

/// A backup is from before the erasure and the revocation; the log is outside of it.
#[tokio::test]
async fn restored_database_erases_and_revokes_again() {
    let folder = tempfile::tempdir().unwrap();
    let log = RecordLog::open(&format!("file://{}", folder.path().display())).unwrap();
    let url = database().await;
    let (ledger, store) = ledger_of(&url).await;
    let mut ids = Vec::new();
    for email in ["erased@example.org", "closed@example.org", "stays@example.org"] {
        let id = ledger.create_account(&NewAccount::new(email, Plan::Free)).await.unwrap().state.account_id;
        add_holder(&store, &id, email).await;
        ids.push(id);
    }
    let [erased, closed, stays] = <[String; 3]>::try_from(ids).unwrap();
    let leaked = ledger.create_key(&stays, "before the backup").await.unwrap();
    let kept = ledger.create_key(&stays, "before the backup").await.unwrap();
    drop((ledger, store));
    let restored = copy_database(&url).await;

    let (cache, bus) = (shared_cache("metering-erased").await, bus("metering-erased").await);
    let store = Store::connect(config(&url, 4)).await.unwrap();
    let ledger = Ledger::new(store, Some(cache), Some(bus)).with_erasure_log(log.clone());
    ledger.revoke_key(leaked.key.expose()).await.unwrap();
    ledger.erase_account(&erased).await.unwrap();
    ledger.close_account(&closed).await.unwrap();
    let later = ledger.create_account(&NewAccount::new("later@example.org", Plan::Free)).await.unwrap();
    ledger.erase_account(&later.state.account_id).await.unwrap();

    let (ledger, store) = ledger_of(&restored).await;
    assert!(ledger.replay_erasures().await.is_err(), "without a log");
    let ledger = ledger.with_erasure_log(log);
    assert!(dump(&store).await.contains("erased@example.org"));
    let replay = ledger.replay_erasures().await.unwrap();
    assert_eq!((replay.records, replay.revoked, replay.closed, replay.erased), (4, 1, 1, 1));
    let left = dump(&store).await;
    assert!(!left.contains("erased@example.org") && left.contains("stays@example.org"));
    assert!(matches!(ledger.authenticate(sha256(&leaked.key)).await, Err(LedgerError::UnknownKey)));
    ledger.authenticate(sha256(&kept.key)).await.unwrap();
    let again = ledger.replay_erasures().await.unwrap();
    assert_eq!((again.records, again.revoked, again.closed, again.erased), (4, 0, 0, 0));
    assert_balanced(&ledger).await;
}
