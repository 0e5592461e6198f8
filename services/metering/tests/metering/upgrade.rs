//! Migration of the schema of an earlier release.

use crate::support::{account, config};
use limner_metering::Ledger;
use limner_store::Store;
use limner_testkit::shared_servers;
use limner_types::Plan;

const MIGRATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/store/migrations");

/// Applies the migrations whose file names are selected, in order.
async fn apply(store: &Store, is_wanted: impl Fn(&str) -> bool) {
    let files = std::fs::read_dir(MIGRATIONS).unwrap();
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| is_wanted(name));
    names.sort();
    for name in names {
        run(store, &std::fs::read_to_string(format!("{MIGRATIONS}/{name}")).unwrap()).await;
    }
}

async fn run(store: &Store, sql: &str) {
    store.client().await.unwrap().batch_execute(sql).await.unwrap();
}

async fn apply_invoice(store: &Store, account: &str, invoice: &str, paid: bool) {
    run(store, &format!("SELECT metering.set_invoice_paid('{account}', '{invoice}', {paid})")).await;
}

#[tokio::test]
async fn migration_distinguishes_the_causes_of_suspensions() {
    let url = shared_servers::postgres().await.fresh_database().await.unwrap();
    let store = Store::connect(config(&url, 2)).await.unwrap();
    apply(&store, |name| name < "0019").await;
    let ledger = Ledger::new(store.clone(), None, None);
    let new = async || account(&ledger, Plan::Developer).await.state.account_id;
    let (owing, forgiven, by_operator) = (new().await, new().await, new().await);
    // Suspended since the first of two invoices; the second is still owed.
    for (invoice, paid) in [("in_a", false), ("in_b", false), ("in_a", true)] {
        apply_invoice(&store, &owing, invoice, paid).await;
    }
    apply_invoice(&store, &forgiven, "in_c", false).await;
    run(&store, &format!("SELECT metering.set_suspended('{forgiven}', false)")).await;
    run(&store, &format!("SELECT metering.set_suspended('{by_operator}', true)")).await;

    apply(&store, |name| name >= "0019").await;
    let suspended = async || {
        let mut states = Vec::new();
        for id in [&owing, &forgiven, &by_operator] {
            states.push(ledger.account_state(id).await.unwrap().suspended);
        }
        states
    };
    assert_eq!(suspended().await, [true, false, true]);
    apply_invoice(&store, &owing, "in_b", true).await;
    apply_invoice(&store, &forgiven, "in_c", false).await;
    apply_invoice(&store, &by_operator, "in_d", false).await;
    apply_invoice(&store, &by_operator, "in_d", true).await;
    assert_eq!(suspended().await, [false, false, true], "only forgiven invoices were owed");
}
