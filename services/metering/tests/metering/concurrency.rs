//! 64 gateways call a metering role that is killed again and again. Afterwards the ledger must agree with the responses
//! that the gateways saw.

use crate::support::{config, database};
use limner_metering::contract_terms::BusinessTerms;
use limner_metering::{Config, Ledger, MeteringService, NewAccount};
use limner_proto::v1::metering_service_client::MeteringServiceClient;
use limner_proto::v1::{self, HoldOutcome};
use limner_store::Store;
use limner_types::Plan;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

const CLIENTS: u32 = 64;
/// Longer than any restart takes: a call that waits longer gets no response at all.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Size of the test.
#[derive(Debug, Clone, Copy)]
struct Race {
    calls: u32,
    /// The role is killed each time this many calls have ended.
    calls_between_kills: u32,
    kills_at_least: u32,
}

/// The outcome of a call, as its gateway saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Saw {
    Refused,
    Charged(u64),
    Released,
    /// The gateway was killed after the hold.
    DiedHolding,
    /// The gateway was killed before it read the response to its commit.
    DiedCommitting,
}

/// The metering role in a runtime of its own, so that killing it closes its connections.
struct MeteringRuntime {
    runtime: tokio::runtime::Runtime,
    address: SocketAddr,
}

impl MeteringRuntime {
    fn start(url: &str, listen: SocketAddr) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let address = runtime.block_on(async {
            let ledger = Ledger::new(Store::connect(config(url, 16)).await.unwrap(), None, None);
            let service = bind(Config { listen, ..Config::default() }, &ledger).await;
            let address = service.local_addr();
            tokio::spawn(service.run(CancellationToken::new()));
            address
        });
        Self { runtime, address }
    }

    fn kill(self) {
        self.runtime.shutdown_background();
    }
}

/// Binds the role's address, which its killed predecessor may not have released yet.
async fn bind(config: Config, ledger: &Ledger) -> MeteringService {
    let deadline = Instant::now() + TIMEOUT / 2;
    loop {
        match MeteringService::bind(config.clone(), ledger.clone()).await {
            Ok(service) => return service,
            Err(cause) => assert!(Instant::now() < deadline, "{cause}"),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Stops the killing even if an assertion fails.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Scenario {
    race: Race,
    accounts: Vec<String>,
    ended: AtomicU32,
    endpoint: Endpoint,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ledger_agrees_with_gateways_that_metering_restarts_interrupt() {
    run(Race { calls: 1_200, calls_between_kills: 300, kills_at_least: 2 }).await;
}

#[ignore = "takes minutes: `make soak`"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ledger_agrees_with_gateways_on_twenty_thousand_calls() {
    run(Race { calls: 20_000, calls_between_kills: 800, kills_at_least: 20 }).await;
}

async fn run(race: Race) {
    let url = database().await;
    let ledger = Ledger::new(Store::connect(config(&url, 4)).await.unwrap(), None, None);
    let accounts = accounts(&ledger, race.calls).await;
    let (start_url, free_port) = (url.clone(), SocketAddr::from(([127, 0, 0, 1], 0)));
    let role = tokio::task::spawn_blocking(move || MeteringRuntime::start(&start_url, free_port)).await.unwrap();
    let endpoint = Channel::from_shared(format!("http://{}", role.address)).unwrap();
    let world = Arc::new(Scenario { race, accounts, ended: AtomicU32::new(0), endpoint });

    let over = Arc::new(AtomicBool::new(false));
    let calls_go_on = SetOnDrop(Arc::clone(&over));
    let killer = tokio::task::spawn_blocking({
        let (world, over, url) = (Arc::clone(&world), Arc::clone(&over), url.clone());
        move || keep_killing(role, &url, &world, &over)
    });
    let gateways = (0..CLIENTS).map(|n| tokio::spawn(gateway(n, Arc::clone(&world))));
    let mut seen = BTreeMap::new();
    for gateway in gateways.collect::<Vec<_>>() {
        seen.extend(gateway.await.unwrap());
    }
    drop(calls_go_on);
    let kills = killer.await.unwrap();
    assert_eq!(seen.len(), race.calls as usize);
    assert!(kills >= race.kills_at_least, "{kills} kills");
    settle_the_dead(&url, &ledger).await;
    compare(&ledger, &url, &world.accounts, &seen).await;
}

/// Creates one account for each way in which credits can run out in that many calls.
async fn accounts(ledger: &Ledger, calls: u32) -> Vec<String> {
    let mut ids = Vec::new();
    let calls = u64::from(calls);
    // Each account gets a fifth of the calls, of about ten credits on average.
    for (credits, overage, packs) in [
        (Some(calls), false, 0),
        (Some(calls * 3 / 4), true, 0),
        (Some(calls / 20), true, calls),
        (None, false, 0),
        (Some(0), false, calls * 3 / 2),
    ] {
        let business = BusinessTerms { monthly_credits: credits, overage, ..BusinessTerms::default() };
        let new = NewAccount { business: Some(business), ..NewAccount::new("a@example.org", Plan::Business) };
        let id = ledger.create_account(&new).await.unwrap().state.account_id;
        if packs > 0 {
            ledger.adjust(&id, i64::try_from(packs).unwrap(), "for this race", None).await.unwrap();
        }
        ids.push(id);
    }
    ids
}

/// Kills the role and restarts it at the same address for as long as calls run.
fn keep_killing(mut role: MeteringRuntime, url: &str, world: &Scenario, over: &AtomicBool) -> u32 {
    let mut kills = 0;
    while !over.load(Ordering::Relaxed) {
        if world.ended.load(Ordering::Relaxed) < (kills + 1) * world.race.calls_between_kills {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        }
        let address = role.address;
        role.kill();
        role = MeteringRuntime::start(url, address);
        kills += 1;
    }
    role.kill();
    kills
}

/// Runs one gateway: sequential calls, each repeated until it gets a response.
async fn gateway(number: u32, world: Arc<Scenario>) -> Vec<(String, Saw)> {
    let mut client = MeteringServiceClient::new(world.endpoint.connect_lazy());
    let calls = world.race.calls;
    let share = calls / CLIENTS + u32::from(number < calls % CLIENTS);
    let mut seen = Vec::new();
    for n in 0..share {
        let request = format!("req_{number:02}_{n:04}");
        let dice = number.wrapping_mul(31).wrapping_add(n.wrapping_mul(17));
        let account = &world.accounts[dice as usize % world.accounts.len()];
        let saw = one_call(&mut client, account, &request, [1, 3, 5, 10, 15, 25][dice as usize % 6], dice % 20).await;
        seen.push((request, saw));
        world.ended.fetch_add(1, Ordering::Relaxed);
    }
    seen
}

async fn one_call(
    client: &mut MeteringServiceClient<Channel>,
    account: &str,
    request: &str,
    credits: u32,
    fate: u32,
) -> Saw {
    let hold = v1::HoldRequest {
        account_id: account.to_owned(),
        key_id: "key_x".to_owned(),
        request_id: request.to_owned(),
        credits,
        operation: "code".to_owned(),
        url: "https://example.org/".to_owned(),
        life_ms: 600_000,
    };
    let held = until_answered(|| {
        let (mut client, hold) = (client.clone(), hold.clone());
        async move { client.hold(hold).await }
    })
    .await;
    if held.outcome() == HoldOutcome::QuotaExceeded {
        return Saw::Refused;
    }
    assert_eq!(held.outcome(), HoldOutcome::Granted);
    let commit = v1::CommitRequest { request_id: request.to_owned(), auto_render: false, held: Some(hold) };
    match fate {
        0 => Saw::DiedHolding,
        1 => {
            let mut client = client.clone();
            let call = tokio::spawn(async move { drop(client.commit(commit).await) });
            tokio::task::yield_now().await;
            call.abort();
            Saw::DiedCommitting
        }
        2 | 3 => {
            let release = v1::ReleaseRequest { request_id: request.to_owned(), code: "target_error".to_owned() };
            until_answered(|| {
                let (mut client, release) = (client.clone(), release.clone());
                async move { client.release(release).await }
            })
            .await;
            Saw::Released
        }
        _ => {
            let committed = until_answered(|| {
                let (mut client, commit) = (client.clone(), commit.clone());
                async move { client.commit(commit).await }
            })
            .await;
            assert!(!committed.late);
            Saw::Charged(committed.credits_spent)
        }
    }
}

/// Repeats a call while metering is unavailable. Every other status is a response.
async fn until_answered<A, F>(call: impl Fn() -> F) -> A
where
    F: Future<Output = Result<tonic::Response<A>, Status>>,
{
    let deadline = Instant::now() + TIMEOUT;
    loop {
        match call().await {
            Ok(answer) => return answer.into_inner(),
            Err(status) if matches!(status.code(), Code::Unavailable | Code::Unknown | Code::Cancelled) => {
                assert!(Instant::now() < deadline, "metering does not come back: {status:?}");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Err(status) => panic!("{status:?}"),
        }
    }
}

/// Waits until the holds of killed gateways have expired.
async fn settle_the_dead(url: &str, ledger: &Ledger) {
    let store = Store::connect(config(url, 1)).await.unwrap();
    // Statements of killed processes end by themselves in the database; a lock on the table waits for them.
    store
        .client()
        .await
        .unwrap()
        .batch_execute("UPDATE metering.hold SET expires_at = metering.clock()")
        .await
        .unwrap();
    while ledger.expire_holds(1_000).await.unwrap() > 0 {}
}

async fn compare(ledger: &Ledger, url: &str, accounts: &[String], seen: &BTreeMap<String, Saw>) {
    assert_eq!(ledger.check().await.unwrap(), []);
    let store = Store::connect(config(url, 1)).await.unwrap();
    let rows =
        store.query("SELECT request_id, account_id, outcome, credits FROM metering.usage_call", &[]).await.unwrap();
    let mut told: BTreeMap<String, (String, u64)> = BTreeMap::new();
    let mut spent: BTreeMap<String, u64> = BTreeMap::new();
    for row in &rows {
        let credits = u64::try_from(row.get::<_, i64>("credits")).unwrap();
        *spent.entry(row.get("account_id")).or_default() += credits;
        told.insert(row.get("request_id"), (row.get("outcome"), credits));
    }
    for (request, saw) in seen {
        let told = told.get(request).map(|(outcome, credits)| (outcome.as_str(), *credits));
        let agrees = match (saw, told) {
            (Saw::Refused, None) | (Saw::Released, Some(("target_error", 0))) => true,
            (Saw::Charged(credits), Some(("ok", charged))) => *credits == charged,
            (Saw::DiedHolding | Saw::DiedCommitting, Some(("expired", 0))) => true,
            (Saw::DiedCommitting, Some(("ok", charged))) => charged > 0,
            _ => false,
        };
        assert!(agrees, "{request}: the gateway saw {saw:?}, the ledger says {told:?}");
    }
    for account in accounts {
        let state = ledger.account_state(account).await.unwrap();
        assert_eq!(state.spent_this_month, spent.get(account).copied().unwrap_or_default());
        if let Some(limit) = state.monthly_limit {
            assert!(state.plan_spent <= limit && state.plan_spent + state.overage_spent <= 2 * limit, "{state:?}");
            assert!(state.overage_enabled || state.overage_spent == 0, "{state:?}");
        }
    }
    let refusals = seen.values().filter(|saw| **saw == Saw::Refused).count();
    assert!(refusals > 0 && refusals < seen.len() / 2, "{refusals} refusals: too few or too many to test the limits");
}
