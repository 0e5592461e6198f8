//! A browser behind the proxy, and sites for it to visit.

use limner_egress::{Config, Egress};
use limner_local_servers::chromium_path;
use limner_netguard::{Client, EgressOptions, EgressPolicy, EgressTokenKey};
use limner_page::target_url::MAX_URL_BYTES;
use limner_page::{PageSnapshot, TargetUrl};
use limner_renderer::{BrowserConfig, BrowserPool, Recycle, VisitError, VisitLimits, VisitRequest, VisitResult};
use limner_testkit::OriginServer;
use limner_types::{Operation, Screenshot};
use metrics::Key;
use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

pub(crate) struct Kit {
    pub(crate) site: OriginServer,
    pub(crate) browsers: BrowserPool,
    pub(crate) profiles: tempfile::TempDir,
    protocol: SameProtocol,
    /// Stops the proxy.
    _stop: DropGuard,
}

/// Checks on drop that this browser sent no event in a shape that the renderer cannot parse.
struct SameProtocol(Snapshotter);

impl SameProtocol {
    fn new() -> Self {
        static METRICS: OnceLock<Snapshotter> = OnceLock::new();
        let install = || {
            let recorder = DebuggingRecorder::new();
            let snapshotter = recorder.snapshotter();
            recorder.install().unwrap();
            snapshotter
        };
        Self(METRICS.get_or_init(install).clone())
    }

    /// Returns the counters that were increased since the last call; fails if one counts unreadable events.
    fn counters(&self) -> Vec<(String, u64)> {
        let metrics = self.0.snapshot().into_vec().into_iter();
        let counted: Vec<_> = metrics
            .filter_map(|(key, _, _, value)| match value {
                DebugValue::Counter(count) if count > 0 => Some((key.key().clone(), count)),
                _ => None,
            })
            .collect();
        let is_unreadable = |key: &Key| key.name() == "limner_renderer_unreadable_events_total";
        let unreadable: Vec<&Key> = counted.iter().map(|(key, _)| key).filter(|key| is_unreadable(key)).collect();
        assert!(unreadable.is_empty() || std::thread::panicking(), "events that could not be read: {unreadable:?}");
        counted.into_iter().map(|(key, count)| (key.name().to_owned(), count)).collect()
    }
}

impl Drop for SameProtocol {
    fn drop(&mut self) {
        self.counters();
    }
}

/// Longer than any step takes on a loaded machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// Waits until a condition holds.
pub(crate) async fn eventually(is_so: impl AsyncFn() -> bool, what: &str) {
    let waiting = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("not in time: {what}"));
}

impl Kit {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut BrowserConfig)) -> Self {
        Self::start_on(OriginServer::start().await, change).await
    }

    pub(crate) async fn start_on(site: OriginServer, change: impl FnOnce(&mut BrowserConfig)) -> Self {
        let policy = EgressPolicy {
            allow: vec!["127.0.0.1/32".parse().unwrap()],
            hosts: ["site.test", "cdn.test"].map(|name| (name.to_owned(), site.address())).into(),
            ..EgressPolicy::default()
        };
        let token_key = EgressTokenKey::new("a secret of this test");
        let client = Client::new(EgressOptions { policy, ..EgressOptions::default() }).unwrap();
        let config = Config::new((Ipv4Addr::LOCALHOST, 0).into(), token_key.clone());
        let egress = Egress::bind(config, client).await.unwrap();
        let proxy = egress.local_addr().to_string();
        let stop = CancellationToken::new();
        tokio::spawn(egress.run(stop.clone()));
        let profiles = passable_folder();
        let mut config = BrowserConfig {
            chromium: chromium_path().unwrap(),
            profiles: profiles.path().join("profiles"),
            proxy,
            token_key,
            user_agent: "Mozilla/5.0 (compatible; Limner) Chrome/{chrome}.0.0.0".to_owned(),
            extra_ca_pem: None,
            extra_flags: Vec::new(),
            recycle: Recycle::default(),
            // A loaded machine is slow to open a page.
            limits: VisitLimits { opening: Duration::from_secs(20), ..VisitLimits::default() },
        };
        change(&mut config);
        let protocol = SameProtocol::new();
        Self { site, browsers: BrowserPool::start(config), profiles, protocol, _stop: stop.drop_guard() }
    }

    pub(crate) async fn visit(&self, path: &str) -> Result<PageSnapshot, VisitError> {
        self.visit_for(&format!("http://site.test{path}"), Operation::Images).await
    }

    /// Visits a page with at most so much time, as a job that has waited.
    pub(crate) async fn visit_late(&self, path: &str, left: Duration) -> Result<PageSnapshot, VisitError> {
        let request = visit_request(&format!("http://site.test{path}"), Operation::Images, None);
        let request = VisitRequest { deadline: Instant::now() + left, ..request };
        self.browsers.visit(&request).await.map(|visited| visited.snapshot)
    }

    pub(crate) async fn visit_for(&self, url: &str, operation: Operation) -> Result<PageSnapshot, VisitError> {
        self.browsers.visit(&visit_request(url, operation, None)).await.map(|visited| visited.snapshot)
    }

    /// Returns by how much a counter of this process increased since counters were last read.
    pub(crate) fn count_of(&self, name: &str) -> u64 {
        self.protocol.counters().iter().filter(|(own, _)| own == name).map(|(_, count)| count).sum()
    }

    pub(crate) async fn visit_with_screenshot(&self, path: &str, extent: Screenshot) -> VisitResult {
        let url = format!("http://site.test{path}");
        self.browsers.visit(&visit_request(&url, Operation::Images, Some(extent))).await.unwrap()
    }
}

impl Kit {
    /// Returns the processes of this kit's browsers: id and command line.
    pub(crate) fn processes(&self) -> Vec<(i32, String)> {
        let profiles = self.profiles.path().display().to_string();
        let processes: Vec<(i32, i32, String)> = std::fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter_map(|entry| {
                let pid = entry.file_name().to_str()?.parse().ok()?;
                let command = std::fs::read(entry.path().join("cmdline")).ok()?;
                let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
                let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
                let (state, group) = (fields.next()?, fields.nth(1)?.parse().ok()?);
                // A zombie has no command line any more.
                if state == "Z" {
                    return None;
                }
                Some((pid, group, String::from_utf8_lossy(&command).into_owned()))
            })
            .collect();
        let is_ours =
            |group: i32| processes.iter().any(|(pid, _, command)| *pid == group && command.contains(&profiles));
        processes
            .iter()
            .filter(|(_, group, _)| is_ours(*group))
            .map(|(pid, _, command)| (*pid, command.clone()))
            .collect()
    }

    /// Returns the ids of the browsers' main processes.
    pub(crate) fn browser_processes(&self) -> Vec<i32> {
        let browsers = self.processes().into_iter().filter(|(_, command)| !command.contains("--type="));
        browsers.map(|(pid, _)| pid).collect()
    }

    /// Kills the browsers, like a crash.
    pub(crate) fn kill_browser(&self) {
        self.browser_processes().into_iter().for_each(kill);
    }

    /// Stops the browsers: they exist but do not respond.
    pub(crate) fn freeze_browser(&self) {
        self.browser_processes().into_iter().for_each(|pid| signal(pid, "-STOP"));
    }

    /// Kills the processes of pages.
    pub(crate) fn kill_page_processes(&self) {
        self.signal_page_processes("-KILL");
    }

    /// Sends a signal to the processes of pages: `-SEGV` has the effect of `chrome://crash`, `-STOP` that of a hang.
    pub(crate) fn signal_page_processes(&self, name: &str) {
        let pages = self.processes().into_iter().filter(|(_, command)| command.contains("--type=renderer"));
        pages.for_each(|(pid, _)| signal(pid, name));
    }

    /// Returns the number of existing profiles.
    pub(crate) fn profiles_in_use(&self) -> usize {
        let entries = std::fs::read_dir(self.profiles.path().join("profiles")).unwrap().flatten();
        entries.filter(|entry| entry.path().is_dir()).count()
    }
}

/// Returns the `/proc` entries of all processes that descend from browsers with profiles in that directory, even if the
/// browsers are gone: all have their home in a profile.
pub(crate) fn descendants(profiles: &Path) -> Vec<String> {
    let home = format!("HOME={}", profiles.display()).into_bytes();
    let is_ours = |environment: Vec<u8>| environment.split(|byte| *byte == 0).any(|entry| entry.starts_with(&home));
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let ours = processes.filter(|entry| std::fs::read(entry.path().join("environ")).is_ok_and(is_ours));
    ours.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok()).collect()
}

fn kill(pid: i32) {
    signal(pid, "-KILL");
}

fn signal(pid: i32, signal: &str) {
    let _ = std::process::Command::new("kill").args([signal, &pid.to_string()]).status();
}

fn visit_request(url: &str, operation: Operation, screenshot: Option<Screenshot>) -> VisitRequest {
    let target = TargetUrl::parse(url, MAX_URL_BYTES).unwrap();
    // A loaded machine is slow to start a browser.
    VisitRequest { target, operation, screenshot, deadline: Instant::now() + Duration::from_secs(60) }
}

/// Creates a directory that the browser's unprivileged user can traverse.
fn passable_folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    dir
}

/// Returns width, height and the colour of the centre of a PNG.
pub(crate) fn look_at(bytes: &[u8]) -> (u32, u32, [u8; 3]) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let samples = info.color_type.samples();
    let middle = (info.height as usize / 2 * info.width as usize + info.width as usize / 2) * samples;
    (info.width, info.height, pixels[middle..middle + 3].try_into().unwrap())
}
