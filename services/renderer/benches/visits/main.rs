//! Measures the wall-clock and processor time of a visit: against a baseline in the same browser that opens the same
//! pages in as many contexts and waits for them by the same rule, and against static reads of the same pages.
//!
//! The goals are 0.95 of the pages per minute and core of a baseline that scrolls the same pages, 0.8 of one that scrolls
//! none, and a static read at a twentieth of the cost. All alternate, so that other activity of the machine affects each
//! of them. With the argument `visits`, static reads are not measured. `cargo nextest` and `cargo test` only check that
//! the benchmark builds.

#![expect(clippy::print_stdout, reason = "a benchmark's figures are its output")]
#![expect(clippy::unwrap_used, reason = "a benchmark that can't go on fails")]

mod cpu_time;
mod pages;
mod plain_browser;

use crate::plain_browser::{Bare, Rule};
use futures::StreamExt;
use futures::stream;
use limner_egress::Egress;
use limner_fetcher::{ReadPurpose, Reader, ReaderLimits};
use limner_local_servers::chromium_path;
use limner_netguard::{Client, EgressOptions, EgressPolicy, EgressTokenKey};
use limner_page::target_url::MAX_URL_BYTES;
use limner_page::{PageSnapshot, TargetUrl};
use limner_renderer::{BrowserConfig, BrowserPool, Recycle, VisitLimits, VisitRequest};
use limner_testkit::OriginServer;
use limner_types::{Operation, OperationRequest, request};
use pages::{LAZY_PAGES, PAGES};
use std::net::Ipv4Addr;
use std::ops::AddAssign;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Number of pages in the browser at once.
const CONTEXTS: usize = 4;
/// Number of pages in one turn.
const TURN: usize = 12;
const TURNS: usize = 5;
const TIMEOUT: Duration = Duration::from_secs(60);
/// A process group that no process has.
const NONE: i32 = -1;
/// Number of static reads for each read with a browser, because they take so little time.
const PLAIN: usize = 10;

/// Cost of reading some pages.
#[derive(Debug, Default, Clone, Copy)]
struct Cost {
    pages: usize,
    wall: Duration,
    processor: Duration,
}

impl Cost {
    fn processor_seconds(&self) -> f64 {
        self.processor.as_secs_f64() / self.pages as f64
    }

    fn pages_per_minute_and_core(&self) -> f64 {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.pages as f64 / self.wall.as_secs_f64() * 60.0 / cores as f64
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.pages += other.pages;
        self.wall += other.wall;
        self.processor += other.processor;
    }
}

/// A site, and the ways to read its pages.
struct Bench {
    site: OriginServer,
    browsers: BrowserPool,
    /// Process group of the renderer's browser.
    group: i32,
    bare: Bare,
    reader: Reader,
    _profiles: tempfile::TempDir,
}

impl Bench {
    async fn start() -> Self {
        let site = OriginServer::start().await;
        pages::serve_pages(&site);
        let policy = EgressPolicy {
            allow: vec!["127.0.0.1/32".parse().unwrap()],
            hosts: [("site.test".to_owned(), site.address())].into(),
            ..EgressPolicy::default()
        };
        let client = Client::new(EgressOptions { policy, ..EgressOptions::default() }).unwrap();
        let token_key = EgressTokenKey::new("a secret of this bench");
        let config = limner_egress::Config::new((Ipv4Addr::LOCALHOST, 0).into(), token_key.clone());
        let egress = Egress::bind(config, client.clone()).await.unwrap();
        let proxy = egress.local_addr().to_string();
        tokio::spawn(egress.run(CancellationToken::new()));
        let profiles = passable_folder();
        let browsers = BrowserPool::start(BrowserConfig {
            chromium: chromium_path().unwrap(),
            profiles: profiles.path().join("profiles"),
            proxy,
            token_key,
            user_agent: "Mozilla/5.0 (compatible; Limner) Chrome/{chrome}.0.0.0".to_owned(),
            extra_ca_pem: None,
            extra_flags: Vec::new(),
            // One browser for the whole benchmark, so that no page pays for its start.
            recycle: Recycle { pages: usize::MAX, age: Duration::MAX, memory: u64::MAX },
            limits: VisitLimits::default(),
        });
        browsers.readiness().wait_for(|ready| *ready).await.unwrap();
        let group = browser_of(&profiles.path().display().to_string());
        let bare = Bare::start(group, site.address());
        let reader = Reader::new(client, ReaderLimits::default());
        Self { site, browsers, group, bare, reader, _profiles: profiles }
    }

    /// Reads a page in the renderer's browser.
    async fn visited(&self, page: &BenchPage) -> PageSnapshot {
        let deadline = (Instant::now() + TIMEOUT).into();
        let wanted =
            VisitRequest { target: page.target.clone(), operation: page.request.operation, screenshot: None, deadline };
        self.browsers.visit(&wanted).await.unwrap().snapshot
    }

    /// Reads a page statically.
    async fn read(&self, page: &BenchPage) -> PageSnapshot {
        let needs = ReadPurpose::Of(page.request.operation);
        self.reader.read(&page.target, needs, Instant::now() + TIMEOUT).await.unwrap()
    }

    /// Returns the cost of `count` pages, [`CONTEXTS`] at a time. `group` is the process group of their browser.
    async fn cost<T>(&self, count: usize, group: i32, read: impl AsyncFn(&'static str) -> T) -> Cost {
        let time = || crate::cpu_time::process_time() + crate::cpu_time::group_time(group);
        let (started, before) = (Instant::now(), time());
        let pages = stream::iter(0..count).map(|n| read(PAGES[n % PAGES.len()]));
        pages.buffer_unordered(CONTEXTS).for_each(async |_| ()).await;
        // Closing pages takes a moment longer.
        let wall = started.elapsed();
        tokio::time::sleep(Duration::from_millis(500)).await;
        self.site.clear_requests();
        Cost { pages: count, wall, processor: time() - before }
    }

    /// Compares the renderer's visits with the baseline.
    async fn compare_visits(&self) {
        let names = ["visits", "bare loop", "bare loop that scrolls as visits do"];
        let mut totals = [Cost::default(); 3];
        for turn in 0..=TURNS {
            let visits = self
                .cost(TURN, self.group, async |path| self.visited(&BenchPage::new(path, Operation::Images)).await)
                .await;
            let costs = [visits, self.bare_loop(&[]).await, self.bare_loop(&LAZY_PAGES).await];
            let [ours, settled, scrolled] = costs.map(|cost| cost.processor_seconds());
            println!("turn {turn}: {ours:.3}, {settled:.3}, {scrolled:.3} s of processor time per page");
            // The first turn is a warm-up.
            if turn > 0 {
                totals.iter_mut().zip(costs).for_each(|(total, cost)| *total += cost);
            }
        }
        println!("{} pages of {} kinds, {CONTEXTS} at a time", totals[0].pages, PAGES.len());
        for (name, cost) in names.iter().zip(totals) {
            let (rate, time) = (cost.pages_per_minute_and_core(), cost.processor_seconds());
            println!("{name}: {rate:.1} pages per minute and core, {time:.3} s of processor time per page");
        }
        let [ours, settled, scrolled] = totals;
        println!("against the bare loop that scrolls the same pages: {} (goal: at least 0.95)", ratios(ours, scrolled));
        println!("against the bare loop that scrolls none: {} (goal: at least 0.80)", ratios(ours, settled));
    }

    /// Opens pages in the bare loop, and scrolls through some.
    async fn bare_loop(&self, scrolled: &[&str]) -> Cost {
        let open = async |path| {
            let rule = if scrolled.contains(&path) { Rule::SettleAndScroll } else { Rule::Settle };
            self.bare.visit(&format!("http://site.test{path}"), rule).await;
        };
        self.cost(TURN, self.bare.group(), open).await
    }

    /// Compares reading and extracting with a browser and without.
    async fn compare_plain_reads(&self, operation: Operation) {
        let (mut rendered, mut plain) = (Cost::default(), Cost::default());
        for turn in 0..=TURNS / 2 {
            let visit = async |path| {
                let page = BenchPage::new(path, operation);
                extract(self.visited(&page).await, page.request).await;
            };
            let read = async |path| {
                let page = BenchPage::new(path, operation);
                extract(self.read(&page).await, page.request).await;
            };
            let (visits, reads) = (self.cost(TURN, self.group, visit).await, self.cost(TURN * PLAIN, NONE, read).await);
            if turn > 0 {
                rendered += visits;
                plain += reads;
            }
        }
        let (dear, cheap) = (rendered.processor_seconds(), plain.processor_seconds());
        println!(
            "{operation}: {dear:.3} s of processor time with a browser, {cheap:.4} s without: {:.0} times as much (goal: at least 20)",
            dear / cheap
        );
    }
}

fn ratios(ours: Cost, bare: Cost) -> String {
    let rate = ours.pages_per_minute_and_core() / bare.pages_per_minute_and_core();
    let time = bare.processor_seconds() / ours.processor_seconds();
    format!("{rate:.2} of its pages per minute and core, {time:.2} of its pages per second of processor time")
}

/// A page to read, and the operation.
struct BenchPage {
    target: TargetUrl,
    request: OperationRequest,
}

impl BenchPage {
    fn new(path: &str, operation: Operation) -> Self {
        let url = format!("http://site.test{path}");
        let request = request::parse(operation, &[("url".to_owned(), url.clone())]).unwrap().request;
        Self { target: TargetUrl::parse(&url, MAX_URL_BYTES).unwrap(), request }
    }
}

async fn extract(page: PageSnapshot, request: OperationRequest) {
    let extraction = tokio::task::spawn_blocking(move || limner_extract::extract(&page, &request)).await;
    assert!(!extraction.unwrap().unwrap().body.is_empty());
}

/// Returns the process of the browser whose profile is below `profiles`.
fn browser_of(profiles: &str) -> i32 {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let mut browsers = processes.filter_map(|entry| {
        let command = String::from_utf8(std::fs::read(entry.path().join("cmdline")).ok()?).ok()?;
        let is_browser = command.contains(profiles) && !command.contains("--type=");
        is_browser.then_some(())?;
        entry.file_name().to_str()?.parse().ok()
    });
    browsers.next().unwrap()
}

/// Creates a directory that the browser's unprivileged user can traverse.
fn passable_folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    dir
}

#[tokio::main]
async fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let bench = Bench::start().await;
    bench.compare_visits().await;
    if std::env::args().any(|argument| argument == "visits") {
        return;
    }
    for operation in [Operation::Images, Operation::Extract, Operation::Brand] {
        bench.compare_plain_reads(operation).await;
    }
}
