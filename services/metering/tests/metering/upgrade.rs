//! Migration of the schema of an earlier release.

use crate::support::{account, config, store};
use limner_local_servers::shared_servers;
use limner_metering::Ledger;
use limner_store::Store;
use limner_types::Plan;

const MIGRATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/store/migrations");

/// Applies the migrations before `end` as an earlier release did, which had no other functions.
pub(crate) async fn apply_before(store: &Store, end: &str) {
    let table = "CREATE TABLE schema_migration (version integer PRIMARY KEY, name text NOT NULL, md5 text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now())";
    run(store, table).await;
    let files = std::fs::read_dir(MIGRATIONS).unwrap();
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.as_str() < end);
    names.sort();
    for name in names {
        let sql = std::fs::read_to_string(format!("{MIGRATIONS}/{name}")).unwrap();
        run(store, &sql).await;
        let note = "INSERT INTO schema_migration (version, name, md5) VALUES ($1, $2, md5($3::text))";
        let version: i32 = name[..4].parse().unwrap();
        store.query(note, &[&version, &name.trim_end_matches(".sql"), &sql]).await.unwrap();
    }
}

pub(crate) async fn run(store: &Store, sql: &str) {
    store.client().await.unwrap().batch_execute(sql).await.unwrap();
}

async fn apply_invoice(store: &Store, account: &str, invoice: &str, paid: bool) {
    run(store, &format!("SELECT metering.set_invoice_paid('{account}', '{invoice}', {paid})")).await;
}

#[tokio::test]
async fn migration_distinguishes_the_causes_of_suspensions() {
    let url = shared_servers::postgres().await.fresh_database().await.unwrap();
    let store = Store::connect(config(&url, 2)).await.unwrap();
    apply_before(&store, "0019").await;
    let (owing, forgiven, by_operator) = ("acc_owing", "acc_forgiven", "acc_by_operator");
    for id in [owing, forgiven, by_operator] {
        let plan = "'developer', 1000, 60, false, NULL, 'eur', 'monthly'";
        run(&store, &format!("SELECT metering.create_account('{id}', 'a@b.test', {plan})")).await;
    }
    // Suspended since the first of two invoices; the second is still owed.
    for (invoice, paid) in [("in_a", false), ("in_b", false), ("in_a", true)] {
        apply_invoice(&store, owing, invoice, paid).await;
    }
    apply_invoice(&store, forgiven, "in_c", false).await;
    run(&store, &format!("SELECT metering.set_suspended('{forgiven}', false)")).await;
    run(&store, &format!("SELECT metering.set_suspended('{by_operator}', true)")).await;

    store.migrate().await.unwrap();
    let ledger = Ledger::new(store.clone(), None, None);
    let suspended = async || {
        let mut states = Vec::new();
        for id in [owing, forgiven, by_operator] {
            states.push(ledger.account_state(id).await.unwrap().suspended);
        }
        states
    };
    assert_eq!(suspended().await, [true, false, true]);
    apply_invoice(&store, owing, "in_b", true).await;
    apply_invoice(&store, forgiven, "in_c", false).await;
    apply_invoice(&store, by_operator, "in_d", false).await;
    apply_invoice(&store, by_operator, "in_d", true).await;
    assert_eq!(suspended().await, [false, false, true], "only forgiven invoices were owed");
}

/// The previous release runs on this schema during an upgrade and after a roll-back.
#[tokio::test]
async fn functions_of_the_previous_release_keep_their_results() {
    let store = store().await;
    let ledger = Ledger::new(store.clone(), None, None);
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    let orders = "INSERT INTO metering.billing_order
            (id, account_id, pack, plan, billing_interval, currency, amount_cents, provider)
        SELECT o.id, a.id, o.pack, o.plan, 'monthly', 'eur', 100, 'stripe' FROM metering.account a,
            (VALUES ('ord_pack', 'starter', NULL), ('ord_plan', NULL, 'growth')) o (id, pack, plan)";
    run(&store, orders).await;
    let subscription = "now() + interval '1 month', 'growth', 9, 9, 9, 'monthly'";
    let calls = [
        ("(metering.peek_state(a)).plan".to_owned(), "developer"),
        (format!("metering.schedule_terms('{id}', 'free', 1, 1, NULL, NULL, NULL, NULL) > now()"), "true"),
        (format!("metering.unschedule_terms('{id}')"), "true"),
        (format!("metering.unschedule_terms('{id}')"), "false"),
        (format!("metering.heed_subscription('{id}', 'sub_1', 0, 'active', {subscription})"), "true"),
        (format!("metering.heed_subscription('{id}', 'sub_1', 0, 'active', {subscription})"), "false"),
        (
            format!("metering.note_subscription('{id}', 'sub_2', 1, 'active', {subscription}, 'ord_plan')"),
            "second_subscription",
        ),
        ("metering.is_surplus('sub_1')".to_owned(), "true"),
        ("metering.is_surplus('sub_2')".to_owned(), "false"),
        ("(metering.claim_surplus_subscriptions(9, 60)).reference".to_owned(), "sub_1"),
        ("metering.note_excess(a.id, 'ord_pack', 'paid_twice')".to_owned(), ""),
        ("(SELECT count(*) FROM metering.account_event WHERE kind = 'payment_in_excess')".to_owned(), "2"),
        (
            "(SELECT metering.bring_about(o, 500, NULL, NULL, NULL) FROM metering.billing_order o
              WHERE o.id = 'ord_pack')"
                .to_owned(),
            "",
        ),
        ("a.pack_available".to_owned(), "500"),
        (
            "(metering.adopt_terms(a, ROW(a.id, a.period_start, 'developer', 1, 1, NULL, NULL, NULL, NULL)
              ::metering.scheduled_terms, a.period_start)).plan"
                .to_owned(),
            "developer",
        ),
        ("(metering.enter_month(a, (a.period_start + interval '1 month')::date)).id = a.id".to_owned(), "true"),
        (format!("(metering.set_invoice_paid('{id}', 'in_1', false)).suspended"), "true"),
    ];
    let client = store.client().await.unwrap();
    for (call, expected) in calls {
        let row = client.query_one(&format!("SELECT ({call})::text FROM metering.account a"), &[]).await.unwrap();
        assert_eq!(row.get::<_, Option<&str>>(0).unwrap_or_default(), expected, "{call}");
    }
}

#[tokio::test]
async fn outbox_is_read_and_emptied_by_the_previous_release() {
    let store = store().await;
    let ledger = Ledger::new(store.clone(), None, None);
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    ledger.suspend(&id).await.unwrap();
    let pending = "SELECT id, account_id, key_sha256 FROM metering.pending_change ORDER BY id LIMIT 10";
    let rows = store.query(pending, &[]).await.unwrap();
    let ids: Vec<i64> =
        rows.iter().filter(|row| row.get::<_, &str>("account_id") == id).map(|row| row.get(0)).collect();
    assert_eq!(ids.len(), 1);
    store.query("DELETE FROM metering.pending_change WHERE id = ANY ($1)", &[&ids]).await.unwrap();
    assert!(store.query("SELECT FROM metering.outbox", &[]).await.unwrap().is_empty());
}
