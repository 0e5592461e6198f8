//! A whole fleet with two extractor slots, under pages that were made to stop it.

mod capacity;
mod costs;
mod pages;
mod resistance;

use limner_tests::{Account, Answer, Client, Fleet, FleetOptions, process_tree};
use pages::{Attack, PAGES};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Time for a whole call, and what a busy machine takes to send its answer.
const CALL: Duration = Duration::from_secs(46);

/// A fleet, the pages, and who brings them.
struct Target {
    fleet: Fleet,
    attack: Attack,
    /// Numbers the addresses, so that no page is known.
    turn: AtomicUsize,
}

impl Target {
    /// Starts a fleet whose extractions may take that much processor time.
    async fn start(processor_time: &str, browser: bool) -> Self {
        let extra_config = format!("[extractor]\nconcurrency = 2\nprocessor_time = \"{processor_time}\"\n");
        let hosts = vec!["hostile.test".to_owned()];
        let fleet = Fleet::start_with(FleetOptions { extra_config, hosts, browser, ..FleetOptions::default() }).await;
        let attack = Attack::serve(&fleet.site);
        Self { fleet, attack, turn: AtomicUsize::new(0) }
    }

    /// Returns the id of the fleet's process.
    fn root(&mut self) -> u32 {
        self.fleet.process().id()
    }

    /// Calls page `number` at an address that no call had, and checks that the answer comes in time. Returns the answer and
    /// the address.
    async fn attack_with(&self, number: usize, account: &Account, query: &[(&str, &str)]) -> (Answer, String) {
        let name = format!("t{}", self.turn.fetch_add(1, Ordering::Relaxed));
        (self.repeat(number, &name, account, query).await, name)
    }

    /// Calls page `number` at the address.
    async fn repeat(&self, number: usize, name: &str, account: &Account, query: &[(&str, &str)]) -> Answer {
        let (operation, mut all) = self.attack.call(number, name);
        all.extend(query.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let all: Vec<(&str, &str)> = all.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let started = Instant::now();
        let answer = self.fleet.call(operation, &all, account).await;
        assert!(started.elapsed() < CALL, "{} took {:?}: {answer:?}", PAGES[number].case, started.elapsed());
        answer
    }

    /// Brings all pages in turn, one call after the other.
    async fn attack_for_ever(&self, account: &Account) {
        loop {
            let number = self.turn.load(Ordering::Relaxed) % PAGES.len();
            let (answer, _) = self.attack_with(number, account, &[]).await;
            assert_known(number, &answer);
        }
    }

    async fn admin(&self, path: &str) -> (u16, String) {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let answer = client.get(format!("http://{}{path}", self.fleet.admin_address())).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    async fn assert_ready(&self) {
        let (status, text) = self.admin("/readyz").await;
        assert_eq!(status, 200, "{text}");
    }

    /// Returns the number of calls that extractors have had.
    async fn extractions(&self) -> u64 {
        let (_, metrics) = self.admin("/metrics").await;
        let lines = metrics.lines().filter(|line| line.starts_with("limner_extractor_calls_total"));
        lines.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
    }
}

/// Asserts that a page was read, or that its caller was told why not: the page takes too long to read, or the fleet, on a
/// machine that does other work, had no time for it.
fn assert_known(number: usize, answer: &Answer) {
    let is_known = is_verdict(answer) || answer.headers.contains_key("retry-after");
    assert!(is_known, "{}: {answer:?}", PAGES[number].case);
}

/// Returns true for a result, or for what is wrong with the page, which is remembered.
fn is_verdict(answer: &Answer) -> bool {
    matches!(answer.code(), "" | "unprocessable_content")
}

/// The private memory of a fleet, in bytes.
#[derive(Debug, Clone, Copy, Default)]
struct FleetMemory {
    /// Of the process that has all roles, among them the fetcher and the gateway, which hold pages and answers.
    roles: u64,
    /// Number of processes of extraction and layout.
    processes: usize,
    /// Memory of these.
    extraction: u64,
}

impl FleetMemory {
    fn of(root: u32) -> Self {
        let mut memory = Self::default();
        for process in process_tree(root) {
            if process.id == root {
                memory.roles = process.private_memory();
            } else if process.runs("extraction-worker") || process.runs("layout-worker") {
                memory.processes += 1;
                memory.extraction += process.private_memory();
            }
        }
        memory
    }
}

/// Calls pages that nothing is wrong with, one after the other, and returns the sorted waiting times.
async fn ask_quietly(client: &Client, account: &Account, name: &str, calls: usize, pause: Duration) -> Vec<Duration> {
    let mut waits = Vec::new();
    for turn in 0..calls {
        let url = format!("http://site.test/{name}-{turn}");
        let started = Instant::now();
        let answer = client.call("images", &[("url", &url)], account).await;
        waits.push(started.elapsed());
        assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
        tokio::time::sleep(pause).await;
    }
    waits.sort_unstable();
    waits
}
