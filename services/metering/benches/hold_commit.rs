//! Hold and commit against pgbench's simple-update, on one Postgres, in one run. Prints the ratio.
//!
//! `cargo bench -p limner-metering`

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and a fault ends it")]

use limner_local_servers::Postgres;
use limner_metering::contract_terms::BusinessTerms;
use limner_metering::{HoldCall, HoldDecision, Ledger, NewAccount};
use limner_store::{Store, StoreConfig};
use limner_types::Plan;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Enough for the server to be busy rather than waiting for the disk.
const CLIENTS: usize = 32;
const ACCOUNTS: usize = 1_000;
const ROUNDS: u32 = 3;
const ROUND: Duration = Duration::from_secs(5);

fn main() {
    // A test run only checks that the benchmark builds.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hold_commit");
    let postgres = runtime.block_on(Postgres::start(&dir)).unwrap();
    let pgbench_url = runtime.block_on(postgres.fresh_database()).unwrap();
    let ledger_url = runtime.block_on(postgres.fresh_database()).unwrap();
    pgbench(&pgbench_url, &["-i", "-s", "10", "-q"]);
    let (ledger, accounts) = runtime.block_on(prepare(&ledger_url));
    for _ in 0..ROUNDS {
        let simple_update = simple_updates(&pgbench_url);
        let pairs = runtime.block_on(pairs(&ledger, &accounts));
        println!(
            "hold+commit {pairs:.0}/s, pgbench simple-update {simple_update:.0}/s, ratio {:.2} (aim: 0.40)",
            pairs / simple_update
        );
    }
}

async fn prepare(url: &str) -> (Ledger, Arc<Vec<String>>) {
    let store = StoreConfig { url: url.to_owned(), pool_size: CLIENTS, ..StoreConfig::default() };
    let store = Store::connect(store).await.unwrap();
    store.migrate().await.unwrap();
    let ledger = Ledger::new(store, None, None);
    let mut accounts = Vec::new();
    for _ in 0..ACCOUNTS {
        let business = Some(BusinessTerms::default());
        let new = NewAccount { business, ..NewAccount::new("a@example.org", Plan::Business) };
        accounts.push(ledger.create_account(&new).await.unwrap().state.account_id);
    }
    (ledger, Arc::new(accounts))
}

/// Pairs of hold and commit in a second.
async fn pairs(ledger: &Ledger, accounts: &Arc<Vec<String>>) -> f64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let started = Instant::now();
    let clients = (0..CLIENTS).map(|_| {
        let (ledger, accounts) = (ledger.clone(), Arc::clone(accounts));
        tokio::spawn(async move {
            let mut done = 0_u64;
            while started.elapsed() < ROUND {
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                let call = HoldCall {
                    account_id: accounts[usize::try_from(number).unwrap() * 7 % ACCOUNTS].clone(),
                    key_id: "key_bench".to_owned(),
                    request_id: format!("req_{number:016}"),
                    credits: 25,
                    operation: "code".to_owned(),
                    url: "https://example.org/a/page".to_owned(),
                    ttl: Duration::from_secs(120),
                };
                assert!(matches!(ledger.hold(&call).await.unwrap(), HoldDecision::Granted { .. }));
                ledger.commit_held(&call, false).await.unwrap();
                done += 1;
            }
            done
        })
    });
    let mut done = 0;
    for client in clients.collect::<Vec<_>>() {
        done += client.await.unwrap();
    }
    done as f64 / started.elapsed().as_secs_f64()
}

/// Transactions of pgbench's simple-update in a second.
fn simple_updates(url: &str) -> f64 {
    let (clients, seconds) = (CLIENTS.to_string(), ROUND.as_secs().to_string());
    let report = pgbench(url, &["-N", "-n", "-j", "2", "-c", &clients, "-T", &seconds]);
    let line = report.lines().find(|line| line.starts_with("tps = ")).unwrap();
    line.split(' ').nth(2).unwrap().parse().unwrap()
}

fn pgbench(url: &str, arguments: &[&str]) -> String {
    let program = ["/usr/lib/postgresql/15/bin/pgbench", "pgbench"];
    let program = program.into_iter().find(|path| std::path::Path::new(path).exists()).unwrap_or("pgbench");
    let output = Command::new(program).args(arguments).arg(url).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
