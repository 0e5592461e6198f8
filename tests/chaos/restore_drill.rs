//! The restore of `docs/operations/upgrade.md` with a whole fleet: Redis knows a later state of an account than the restored
//! ledger does, and is emptied before gateways start.

use super::{PAGE, call_until, count, ledger};
use limner_testkit::CannedResponse;
use limner_tests::{Account, Answer, Cluster};

async fn call(cluster: &Cluster, account: &Account, page: &str) -> Answer {
    cluster.call("images", &[("url", &format!("http://site.test/{page}"))], account).await
}

fn spent(answer: &Answer) -> i64 {
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    answer.usage()["creditsThisMonth"].as_i64().unwrap()
}

#[tokio::test]
#[ignore = "a backup and three starts of a server: part of the soak"]
async fn fleet_goes_on_from_a_restored_database() {
    let (mut cluster, proxies) = Cluster::start_behind_proxies(1, "").await;
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    let archive = cluster.postgres.archive_wal().await.unwrap();
    let account = cluster.roomy_account();
    let first = call_until(&cluster, &account, "first", |answer| answer.status.as_u16() == 200).await;
    let backup = cluster.postgres.base_backup().await.unwrap();
    let before = spent(&call(&cluster, &account, "before").await);
    assert_eq!(before, spent(&first) + 1);
    let store = ledger(&cluster).await;
    let moment = "SELECT clock_timestamp()::text AS moment";
    let moment: String = store.query_one(moment, &[]).await.unwrap().get("moment");
    for (number, page) in (1..).zip(["after-1", "after-2", "after-3"]) {
        assert_eq!(spent(&call(&cluster, &account, page).await), before + number);
    }
    cluster.postgres.archive_current_wal().await.unwrap();
    drop(store);

    // 1 to 3: gateways stop, the database is restored and migrated, Redis is emptied.
    cluster.gateway.kill();
    cluster.postgres.kill();
    let restored = backup.restore(&archive, &moment).await.unwrap();
    proxies.postgres.lead_to(restored.address());
    let mut migration = cluster.start_role("migrate");
    assert!(migration.wait().success(), "{}", cluster.log("migrate"));
    cluster.redis.remove_all_keys().await.unwrap();
    // 5 and 7: the ledger adds up, and gateways start.
    cluster.admin(&["ledger", "check"]);
    cluster.restart_gateway().await;
    let answer = call_until(&cluster, &account, "restored", |answer| answer.status.as_u16() == 200).await;
    assert_eq!(spent(&answer), before + 1, "what was charged after the moment is gone, and nothing else");
    // Results are gone as well: each is fetched, and charged, again.
    let repeated = call(&cluster, &account, "after-1").await;
    assert_eq!((repeated.header("x-cache"), spent(&repeated)), ("MISS", before + 2));
    assert_eq!(spent(&call(&cluster, &account, "after-1").await), before + 2, "a hit");
    cluster.admin(&["ledger", "check"]);
    let [former, address] = [cluster.postgres.address(), restored.address()].map(|address| address.to_string());
    let url = cluster.database.replace(&former, &address);
    assert_ne!(url, cluster.database);
    let config = limner_store::StoreConfig { url, pool_size: 1, ..limner_store::StoreConfig::default() };
    let store = limner_store::Store::connect(config).await.unwrap();
    let charged = count(&store, "SELECT coalesce(sum(credits), 0)::bigint FROM metering.usage_call").await;
    assert_eq!(charged, before + 2, "the restored ledger has the charges that callers were told");
}
