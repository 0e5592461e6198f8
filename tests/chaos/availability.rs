//! Calls at a steady rate, independent of earlier calls' outcomes, while every role is replaced and a process of each
//! is killed. No call is lost, no charge is wrong, and most calls are unaffected.

use super::PAGE;
use limner_store::{Store, StoreConfig};
use limner_testkit::CannedResponse;
use limner_tests::{Account, Client, ROLES, Replicas, limner_binary};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

/// Interval between calls.
const CALL_INTERVAL: Duration = Duration::from_millis(50);
/// One of this many calls is read in a browser.
const RENDERED: usize = 40;
/// Time for which the fleet is left undisturbed, as the baseline.
const UNDISTURBED: Duration = Duration::from_secs(30);
/// Number of attempts that an ingress makes for a repeatable request without a response.
const TRIES: usize = 3;

/// Expires holds whose gateway is gone, so that the test need not wait for their expiry.
const GIVE_UP: &str =
    "UPDATE metering.hold SET expires_at = metering.clock() WHERE at < metering.clock() - interval '10 seconds'";

/// One call, as its caller saw it.
#[derive(Debug)]
struct CallRecord {
    /// The scheduled start. Latency is measured from here, so that a delayed caller counts the delay.
    due: Instant,
    took: Duration,
    rendered: bool,
    status: u16,
    text: String,
    credits: u64,
    /// Number of attempts without a response.
    unanswered: usize,
}

/// Calls that continue until they are stopped.
struct Calls {
    seen: Arc<Mutex<Vec<CallRecord>>>,
    due: JoinHandle<()>,
    running: TaskTracker,
}

impl Calls {
    fn start(fleet: &Replicas, account: &Account) -> Self {
        let seen = Arc::<Mutex<Vec<CallRecord>>>::default();
        let running = TaskTracker::new();
        let (client, account, all, tracker) =
            (Client::clone(fleet), account.clone(), Arc::clone(&seen), running.clone());
        let due = tokio::spawn(async move {
            let mut ticks = tokio::time::interval(CALL_INTERVAL);
            for turn in 0.. {
                let due = ticks.tick().await.into_std();
                let (client, account, seen) = (client.clone(), account.clone(), Arc::clone(&all));
                tracker.spawn(async move {
                    let one = call(&client, &account, due, turn).await;
                    seen.lock().unwrap().push(one);
                });
            }
        });
        Self { seen, due, running }
    }

    async fn stop(self) -> Vec<CallRecord> {
        self.due.abort();
        self.running.close();
        self.running.wait().await;
        std::mem::take(&mut *self.seen.lock().unwrap())
    }
}

async fn call(client: &Client, account: &Account, due: Instant, turn: usize) -> CallRecord {
    let rendered = turn % RENDERED == RENDERED - 1;
    // A third of the calls are for a cached page.
    let page = if turn % 3 == 1 { "known".to_owned() } else { format!("page-{turn}") };
    let url = format!("http://site.test/{page}");
    let mut query = vec![("url", url.as_str())];
    query.extend(rendered.then_some(("render", "true")));
    let mut unanswered = 0;
    loop {
        match client.try_call("images", &query, &account.key).await {
            Ok(answer) => {
                let credits = answer.json["usage"]["creditsSpent"].as_u64().unwrap_or_default();
                let (status, text) = (answer.status.as_u16(), answer.text);
                return CallRecord { due, took: due.elapsed(), rendered, status, text, credits, unanswered };
            }
            Err(cause) if unanswered + 1 == TRIES => {
                let text = cause.to_string();
                return CallRecord {
                    due,
                    took: due.elapsed(),
                    rendered,
                    status: 0,
                    text,
                    credits: 0,
                    unanswered: TRIES,
                };
            }
            Err(_) => unanswered += 1,
        }
    }
}

/// Returns the 99th percentile of the latency.
fn p99<'s>(seen: impl Iterator<Item = &'s CallRecord>) -> Duration {
    let mut times: Vec<Duration> = seen.filter(|seen| !seen.rendered).map(|seen| seen.took).collect();
    times.sort_unstable();
    times[times.len() * 99 / 100]
}

#[ignore = "takes minutes: `make soak`"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_unaffected_when_processes_are_replaced_or_killed() {
    // With the former release's binary, this is its upgrade.
    let former = std::env::var_os("LIMNER_PREVIOUS_BIN").map_or_else(limner_binary, Into::into);
    println!("from {} to {}", former.display(), limner_binary().display());
    let mut fleet = Replicas::start_release(former, 2, &[]).await;
    fleet.site.fallback(|_| CannedResponse::html(PAGE));
    let account = fleet.roomy_account();
    let calls = Calls::start(&fleet, &account);
    // The first calls open connections.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let warm = Instant::now();
    tokio::time::sleep(UNDISTURBED).await;
    let disturbed = Instant::now();
    fleet.upgrade();
    for role in ROLES {
        fleet.replace(role).await;
    }
    let replaced = Instant::now();
    for role in ROLES {
        fleet.restart_one(role).await;
    }
    let seen = calls.stop().await;
    let lost: Vec<&CallRecord> = seen.iter().filter(|seen| seen.status != 200).collect();
    let first = lost.first().map(|call| (call.due - warm, &call.text, call));
    assert!(lost.is_empty(), "{} of {} calls were lost; one of them: {first:#?}", lost.len(), seen.len());
    assert_charges(&fleet, &account, &seen).await;
    let of = |from: Instant, to: Instant| p99(seen.iter().filter(|seen| seen.due >= from && seen.due < to));
    let (usual, replacing, losing) = (of(warm, disturbed), of(disturbed, replaced), of(replaced, Instant::now()));
    println!(
        "{} calls, {} repeated; p99 {usual:?} undisturbed, {replacing:?} while roles were replaced, {losing:?} while \
         processes were lost (goal: at most three times the undisturbed one)",
        seen.len(),
        seen.iter().filter(|seen| seen.unanswered > 0).count(),
    );
}

/// Checks that the ledger contains the charges reported to callers, at most one per page, and besides them no more than
/// the calls without a response.
async fn assert_charges(fleet: &Replicas, account: &Account, seen: &[CallRecord]) {
    let store = StoreConfig { url: fleet.database.clone(), pool_size: 1, ..StoreConfig::default() };
    let store = Store::connect(store).await.unwrap();
    // A charge delayed by an unavailable metering is completed within seconds; an abandoned hold expires.
    let settled = async {
        while super::count(&store, "SELECT count(*) FROM metering.hold").await > 0 {
            store.query(GIVE_UP, &[]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), settled).await.expect("every hold comes to its end");
    fleet.admin(&["ledger", "check"]);
    let told: u64 = seen.iter().map(|seen| seen.credits).sum();
    let rows = store.query("SELECT url, price FROM metering.usage_call WHERE credits > 0", &[]).await.unwrap();
    let mut pages = BTreeSet::new();
    for row in &rows {
        let page: (String, i64) = (row.get("url"), row.get("price"));
        assert!(pages.insert(page.clone()), "{page:?} was charged twice");
    }
    let spent = fleet.admin(&["account", "show", &account.id])["spent_this_month"].as_u64().unwrap();
    let unanswered = seen.iter().map(|seen| seen.unanswered as u64).sum::<u64>();
    assert!(told <= spent && spent <= told + 6 * unanswered, "callers were told of {told} credits; {spent} were spent");
}
