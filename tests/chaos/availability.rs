//! Calls come at a steady rate, whatever becomes of those before them, while every role is replaced and a process of each
//! is lost. None is lost with them, nobody is charged wrongly, and most notice nothing.

use super::PAGE;
use limner_store::{Store, StoreConfig};
use limner_testkit::Reply;
use limner_tests::{Account, Client, ROLES, Replicas};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

/// Between one call and the next.
const EVERY: Duration = Duration::from_millis(50);
/// Every so many calls, one is read in a browser.
const RENDERED: usize = 40;
/// How long the fleet is left alone, to know what it is like then.
const UNDISTURBED: Duration = Duration::from_secs(30);
/// What an ingress does with a request that it may repeat and that no gateway has answered.
const TRIES: usize = 3;

/// Holds that nobody is left for need not be waited for until they run out.
const GIVE_UP: &str =
    "UPDATE metering.hold SET expires_at = metering.clock() WHERE at < metering.clock() - interval '10 seconds'";

/// One call as its caller saw it.
#[derive(Debug)]
struct Seen {
    /// When it was due. A caller who waits for others is late, and counts that.
    due: Instant,
    took: Duration,
    rendered: bool,
    status: u16,
    text: String,
    credits: u64,
    /// How often nobody answered.
    unanswered: usize,
}

/// Calls that go on until they are stopped.
struct Calls {
    seen: Arc<Mutex<Vec<Seen>>>,
    due: JoinHandle<()>,
    running: TaskTracker,
}

impl Calls {
    fn start(fleet: &Replicas, account: &Account) -> Self {
        let seen = Arc::<Mutex<Vec<Seen>>>::default();
        let running = TaskTracker::new();
        let (client, account, all, tracker) =
            (Client::clone(fleet), account.clone(), Arc::clone(&seen), running.clone());
        let due = tokio::spawn(async move {
            let mut ticks = tokio::time::interval(EVERY);
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

    async fn stop(self) -> Vec<Seen> {
        self.due.abort();
        self.running.close();
        self.running.wait().await;
        std::mem::take(&mut *self.seen.lock().unwrap())
    }
}

async fn call(client: &Client, account: &Account, due: Instant, turn: usize) -> Seen {
    let rendered = turn % RENDERED == RENDERED - 1;
    // A third of the calls ask for what is in the cache.
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
                return Seen { due, took: due.elapsed(), rendered, status, text, credits, unanswered };
            }
            Err(cause) if unanswered + 1 == TRIES => {
                let text = cause.to_string();
                return Seen { due, took: due.elapsed(), rendered, status: 0, text, credits: 0, unanswered: TRIES };
            }
            Err(_) => unanswered += 1,
        }
    }
}

/// The time within which 99 of 100 were answered.
fn p99<'s>(seen: impl Iterator<Item = &'s Seen>) -> Duration {
    let mut times: Vec<Duration> = seen.filter(|seen| !seen.rendered).map(|seen| seen.took).collect();
    times.sort_unstable();
    times[times.len() * 99 / 100]
}

#[ignore = "takes minutes: `make soak`"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_notices_that_processes_come_and_go() {
    let mut fleet = Replicas::start(2).await;
    fleet.site.otherwise(|_| Reply::html(PAGE));
    let account = fleet.roomy_account();
    let calls = Calls::start(&fleet, &account);
    // The first calls open connections.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let warm = Instant::now();
    tokio::time::sleep(UNDISTURBED).await;
    let disturbed = Instant::now();
    for role in ROLES {
        fleet.replace(role).await;
    }
    let replaced = Instant::now();
    for role in ROLES {
        fleet.lose(role).await;
    }
    let seen = calls.stop().await;
    let lost: Vec<&Seen> = seen.iter().filter(|seen| seen.status != 200).collect();
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

/// The ledger has what callers were told of, at most once a page, and beside it no more than calls that nobody answered.
async fn assert_charges(fleet: &Replicas, account: &Account, seen: &[Seen]) {
    let store = StoreConfig { url: fleet.database.clone(), pool_size: 1, ..StoreConfig::default() };
    let store = Store::connect(store).await.unwrap();
    // A charge that metering was away for is made good within seconds, a hold that nobody is left for runs out.
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
