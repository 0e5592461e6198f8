//! Parts are stopped while calls run: every call ends with a correct response or a documented error, no charge is
//! wrong, and the fleet recovers without a restart.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod availability;
mod billing_invariants;
mod failovers;
mod faults;
mod hot_key;
mod least_privilege;
mod load;
mod noisy_neighbour;
mod overload;
mod request_races;
mod restore_drill;
mod servers;
mod sustained_load;
mod workers;

use limner_store::{Store, StoreConfig};
use limner_tests::{Account, Answer, Cluster};
use std::time::{Duration, Instant};

const PAGE: &str = "<title>Page</title><h1>A page</h1><p>With a little text to read.</p><img src=/a.png alt=A>";

/// Calls pages one after the other until `content` accepts a response, and returns it.
async fn call_until(cluster: &Cluster, account: &Account, prefix: &str, content: impl Fn(&Answer) -> bool) -> Answer {
    let until = Instant::now() + Duration::from_secs(40);
    let mut turn = 0;
    loop {
        let url = format!("http://site.test/{prefix}-{turn}");
        let answer = cluster.call("images", &[("url", &url)], account).await;
        if content(&answer) {
            return answer;
        }
        assert!(Instant::now() < until, "no such answer in time; the last one: {answer:?}");
        turn += 1;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Connects to the ledger's database directly.
async fn ledger(cluster: &Cluster) -> Store {
    let config = StoreConfig { url: cluster.database.clone(), pool_size: 2, ..StoreConfig::default() };
    Store::connect(config).await.unwrap()
}

/// Expires holds by changing their time, and waits until the sweeper has released them. Includes holds of a killed
/// gateway that have not arrived yet.
async fn expire_holds(ledger: &Store) {
    let freed = async {
        while count(ledger, "SELECT count(*) FROM metering.hold").await > 0 {
            ledger.query("UPDATE metering.hold SET expires_at = metering.clock()", &[]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), freed).await.expect("the sweeper frees expired holds");
}

async fn count(ledger: &Store, sql: &'static str) -> i64 {
    ledger.query_one(sql, &[]).await.unwrap().get(0)
}

/// Returns the credits spent this month according to the ledger.
async fn spent_credits(cluster: &Cluster, account: &Account) -> u64 {
    let shown = cluster.admin(&["account", "show", &account.id]);
    shown["spent_this_month"].as_u64().unwrap_or_else(|| panic!("spent_this_month in {shown}"))
}
