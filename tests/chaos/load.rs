//! A few callers with continuous calls: half for uncached pages, half for one cached page. Their responses are compared
//! with the ledger.

use super::PAGE;
use limner_testkit::CannedResponse;
use limner_tests::{Account, Client, Cluster};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinSet;

const CALLERS: usize = 4;
const CACHED_PAGE_URL: &str = "http://site.test/known";
/// Maximum duration of any call, even during failures.
const MAX_CALL_TIME: Duration = Duration::from_secs(46);

/// A response.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) at: Instant,
    pub(super) answered: Instant,
    /// True for the cached page.
    pub(super) known: bool,
    status: u16,
    pub(super) code: String,
    pub(super) cache: String,
    pub(super) credits: u64,
}

impl Told {
    pub(super) fn is_success(&self) -> bool {
        self.status == 200
    }
}

pub(super) struct Load {
    stop: Arc<AtomicBool>,
    told: Arc<Mutex<Vec<Told>>>,
    count: watch::Receiver<usize>,
    callers: JoinSet<()>,
}

impl Load {
    pub(super) async fn start(cluster: &Cluster, account: &Account) -> Self {
        cluster.site.fallback(|_| CannedResponse::html(PAGE));
        cluster.call("images", &[("url", CACHED_PAGE_URL)], account).await.usage();
        let (stop, told): (Arc<AtomicBool>, Arc<Mutex<Vec<Told>>>) = Default::default();
        let (counted, count) = watch::channel(0);
        let mut callers = JoinSet::new();
        for caller in 0..CALLERS {
            let (client, account) = (Client::clone(cluster), account.clone());
            let (stop, told, counted) = (Arc::clone(&stop), Arc::clone(&told), counted.clone());
            callers.spawn(async move {
                for turn in 0.. {
                    if stop.load(Ordering::SeqCst) {
                        break;
                    }
                    let answered = call(&client, &account, caller, turn).await;
                    told.lock().unwrap().push(answered);
                    counted.send_modify(|count| *count += 1);
                }
            });
        }
        Self { stop, told, count, callers }
    }

    /// Waits until callers got `count` responses that satisfy `wanted`, from now on.
    pub(super) async fn wait_for(&mut self, count: usize, what: &str, wanted: impl Fn(&Told) -> bool) {
        let from = Instant::now();
        let enough = async {
            loop {
                let seen = self.told.lock().unwrap().iter().filter(|told| told.at >= from && wanted(told)).count();
                if seen >= count {
                    return;
                }
                self.count.changed().await.unwrap();
            }
        };
        if tokio::time::timeout(Duration::from_secs(60), enough).await.is_err() {
            let told = self.told.lock().unwrap();
            panic!("not enough calls that {what}; the last were {:#?}", &told[told.len().saturating_sub(8)..]);
        }
    }

    pub(super) async fn stop(mut self) -> Vec<Told> {
        self.stop.store(true, Ordering::SeqCst);
        while self.callers.join_next().await.transpose().unwrap().is_some() {}
        std::mem::take(&mut *self.told.lock().unwrap())
    }
}

async fn call(client: &Client, account: &Account, caller: usize, turn: usize) -> Told {
    let known = turn % 2 == 1;
    let url = if known { CACHED_PAGE_URL.to_owned() } else { format!("http://site.test/{caller}-{turn}") };
    let started = Instant::now();
    let answer = client.call("images", &[("url", &url)], account).await;
    assert!(started.elapsed() < MAX_CALL_TIME, "{url} took {:?}", started.elapsed());
    match answer.status.as_u16() {
        200 => assert_eq!(answer.json["count"], 1, "a correct response: {answer:?}"),
        // Any unavailable part is an internal error.
        _ => answer.assert_error(500, "internal_error"),
    }
    Told {
        at: started,
        answered: Instant::now(),
        known,
        status: answer.status.as_u16(),
        code: answer.code().to_owned(),
        cache: answer.header("x-cache").to_owned(),
        credits: answer.json["usage"]["creditsSpent"].as_u64().unwrap_or_default(),
    }
}

/// Checks that the ledger contains exactly the credits reported to callers, and that no hold stays open.
pub(super) async fn assert_ledger(cluster: &Cluster, account: &Account, told: &[Told]) {
    // One more for the call that filled the cache.
    let expected = 1 + told.iter().map(|told| told.credits).sum::<u64>();
    for told in told {
        let price = u64::from(told.is_success() && told.cache != "HIT");
        assert_eq!(told.credits, price, "{told:?}");
    }
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let shown = cluster.admin(&["account", "show", &account.id]);
        let (spent, held) = (shown["spent_this_month"].as_u64(), shown["held"].as_u64());
        if (spent, held) == (Some(expected), Some(0)) {
            return;
        }
        assert!(Instant::now() < until, "callers were told of {expected} credits; the ledger: {shown}");
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

pub(super) fn hits_were_served(told: &[Told], between: (Instant, Instant)) {
    let (from, to) = between;
    let known: Vec<&Told> = told.iter().filter(|told| told.known && (from..to).contains(&told.at)).collect();
    assert!(!known.is_empty());
    assert!(known.iter().all(|told| told.cache == "HIT"), "{known:#?}");
}

#[tokio::test]
async fn calls_survive_a_restart_of_redis() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    let mut load = Load::start(&cluster, &account).await;
    load.wait_for(20, "succeed", Told::is_success).await;
    cluster.redis.kill();
    load.wait_for(20, "succeed without a cache", |told| told.is_success() && told.cache == "MISS").await;
    cluster.redis.restart().await.unwrap();
    load.wait_for(5, "hit the cache again", |told| told.cache == "HIT").await;
    let told = load.stop().await;
    let failed: Vec<&Told> = told.iter().filter(|told| !told.is_success()).collect();
    assert!(failed.is_empty(), "calls work without a cache: {failed:#?}");
    assert_ledger(&cluster, &account, &told).await;
}

#[tokio::test]
async fn calls_survive_a_restart_of_nats() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    let mut load = Load::start(&cluster, &account).await;
    load.wait_for(20, "succeed", Told::is_success).await;
    cluster.nats.kill();
    let gone = Instant::now();
    load.wait_for(4, "fail", |told| told.code == "internal_error").await;
    let back = Instant::now();
    cluster.nats.restart().await.unwrap();
    load.wait_for(10, "are done again", |told| told.is_success() && told.cache == "MISS").await;
    let told = load.stop().await;
    hits_were_served(&told, (gone, back));
    assert_ledger(&cluster, &account, &told).await;
}

#[tokio::test]
async fn calls_survive_a_restart_of_postgres() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    let mut load = Load::start(&cluster, &account).await;
    load.wait_for(20, "succeed", Told::is_success).await;
    cluster.postgres.kill();
    let gone = Instant::now();
    load.wait_for(4, "fail closed", |told| told.code == "internal_error").await;
    let back = Instant::now();
    cluster.postgres.restart().await.unwrap();
    load.wait_for(10, "are charged again", |told| told.is_success() && told.cache == "MISS").await;
    let told = load.stop().await;
    hits_were_served(&told, (gone, back));
    assert_ledger(&cluster, &account, &told).await;
}
