//! `limner up`: all services in one process, from an empty directory to a response, and back to no process.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use serde_json::Value;
use std::io::{BufRead, BufReader, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A running `limner up` with its own data directory.
struct Up {
    child: Child,
    folder: PathBuf,
    /// Its output up to the demo key.
    welcome: String,
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let config = folder.join("limner.toml");
    let settings = format!(
        "data_dir = {:?}\n[gateway]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n",
        folder.join("data")
    );
    std::fs::write(&config, settings).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_limner"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("LIMNER")) {
        command.env_remove(name);
    }
    command.args(args).arg("--config").arg(config).stdin(Stdio::null());
    command
}

impl Up {
    fn start(folder: &Path) -> Self {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(folder.join("log")).unwrap();
        let mut child = command(folder, &["up"]).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut welcome = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        while !welcome.contains("  Key      lm_live_") {
            let read = stdout.read_line(&mut welcome).unwrap();
            assert!(read > 0, "{welcome}{}", std::fs::read_to_string(folder.join("log")).unwrap());
        }
        Self { child, folder: folder.to_owned(), welcome }
    }

    fn key(&self) -> String {
        self.welcome.split_once("  Key      ").unwrap().1.trim().to_owned()
    }

    fn endpoint(&self, name: &str) -> String {
        let text = std::fs::read_to_string(self.folder.join("data/run/endpoints.toml")).unwrap();
        toml::from_str::<toml::Table>(&text).unwrap()[name].as_str().unwrap().to_owned()
    }

    async fn get(&self, path: &str, key: &str) -> (u16, Value) {
        let url = format!("http://{}{path}", self.endpoint("gateway"));
        let answer = client().get(url).bearer_auth(key).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    async fn metrics(&self) -> String {
        let url = format!("http://{}/metrics", self.endpoint("admin"));
        client().get(url).send().await.unwrap().text().await.unwrap()
    }

    /// Returns the console's status page once the first probe is done.
    async fn status_page(&self) -> String {
        let url = self.welcome.split_once("  Console  ").unwrap().1.lines().next().unwrap().to_owned();
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let page = client().get(format!("{url}/status")).send().await.unwrap().text().await.unwrap();
            if !page.contains("Not checked yet") {
                return page;
            }
            assert!(Instant::now() < deadline, "{page}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn end(&mut self, signal: &str) -> ExitStatus {
        Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        self.child.wait().unwrap()
    }

    /// Returns the private servers, from their pid files.
    fn servers(&self) -> Vec<String> {
        ["postgres", "redis", "nats"]
            .iter()
            .filter_map(|server| std::fs::read_to_string(self.folder.join("data").join(server).join("server.pid")).ok())
            .map(|note| note.split_whitespace().next().unwrap().to_owned())
            .collect()
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.end("-TERM");
        }
    }
}

fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

fn is_running(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, fields)| !fields.trim_start().starts_with('Z'))
}

fn wait_until_gone(pids: &[String]) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while pids.iter().any(|pid| is_running(pid)) {
        assert!(Instant::now() < deadline, "{pids:?} still run");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Checks a page of metrics with Prometheus' own linter.
fn check_metrics(page: &str) {
    let promtool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/charts/bin/promtool");
    assert!(promtool.exists(), "{} is not here: run `make setup`", promtool.display());
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(page.as_bytes()).unwrap();
    file.rewind().unwrap();
    let output = Command::new(promtool).args(["check", "metrics"]).stdin(file).output().unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{complaints}\n{page}");
}

const DEMO: &str = "/v1/images?url=http://demo.limner.test/";

#[tokio::test]
async fn up_starts_from_nothing_answers_and_leaves_no_process() {
    let folder = tempfile::Builder::new().permissions(std::fs::Permissions::from_mode(0o755)).tempdir().unwrap();
    let mut first = Up::start(folder.path());
    let (key, servers) = (first.key(), first.servers());
    assert_eq!(servers.len(), 3);
    assert!(first.welcome.contains("curl -H 'Authorization: Bearer lm_live_"), "{}", first.welcome);

    let (status, body) = first.get(DEMO, &key).await;
    assert_eq!(status, 200, "{body}");
    let sources = body["images"].to_string();
    for source in ["img", "srcset", "picture", "css", "favicon", "touch-icon", "mask-icon", "og", "manifest"] {
        assert!(sources.contains(&format!("\"{source}\"")), "{source}: {body:#}");
    }
    assert_eq!((&body["usage"]["creditsSpent"], &body["usage"]["cached"]), (&Value::from(1), &Value::from(false)));
    assert_eq!(first.get(DEMO, &key).await.1["usage"]["cached"], true);
    let (status, body) = first.get("/v1/svg?url=http://demo.limner.test/", &key).await;
    assert_eq!((status, body["count"].as_u64() > Some(3)), (200, true), "{body:#}");

    let metrics = first.metrics().await;
    for line in [
        "limner_bus_waiting_jobs{stage=\"fetch\",queue=\"paid\"} 0",
        "limner_bus_job_wait_seconds_count{stage=\"fetch\"} 2",
        "# TYPE process_resident_memory_bytes gauge",
    ] {
        assert!(metrics.lines().any(|one| one == line), "{line}: {metrics}");
    }
    check_metrics(&metrics);
    let status = first.status_page().await;
    for component in ["API", "Page reads", "Extraction", "MCP server", "Accounts and credits", "Console"] {
        assert!(status.contains(&format!("<h2>{component} <span class=\"tag up\">")), "{component}: {status}");
    }

    // The name of the demo site gives no access to other sockets of this machine.
    let admin = first.endpoint("admin");
    assert_eq!(first.get(&format!("/v1/images?url=http://{admin}/metrics"), &key).await.0, 400);

    let second = command(folder.path(), &["up"]).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another `limner up` uses data_dir"));
    assert!(command(folder.path(), &["healthcheck"]).status().unwrap().success());

    assert!(first.end("-TERM").success(), "{}", std::fs::read_to_string(folder.path().join("log")).unwrap());
    assert!(!servers.iter().any(|pid| is_running(pid)), "the servers end first");
    assert!(!folder.path().join("data/run/endpoints.toml").exists());

    let second = Up::start(folder.path());
    assert_eq!(second.get(DEMO, &key).await.0, 401, "each start has a new key");
    let (status, body) = second.get(DEMO, &second.key()).await;
    assert_eq!((status, &body["usage"]["creditsThisMonth"]), (200, &Value::from(2)), "the account is kept: {body:#}");
}

#[tokio::test]
async fn crash_leaves_no_process_and_the_next_start_works() {
    let folder = tempfile::Builder::new().permissions(std::fs::Permissions::from_mode(0o755)).tempdir().unwrap();
    let mut first = Up::start(folder.path());
    let servers = first.servers();
    first.end("-KILL");
    let second = Up::start(folder.path());
    wait_until_gone(&servers);
    assert_eq!(second.get(DEMO, &second.key()).await.0, 200);
}

#[tokio::test]
async fn private_server_that_crashes_is_started_again() {
    let folder = tempfile::Builder::new().permissions(std::fs::Permissions::from_mode(0o755)).tempdir().unwrap();
    let up = Up::start(folder.path());
    let (key, servers) = (up.key(), up.servers());
    for pid in &servers {
        Command::new("kill").args(["-KILL", pid]).status().unwrap();
    }
    let deadline = Instant::now() + Duration::from_secs(30);
    let revived = || up.servers().len() == 3 && up.servers().iter().all(|pid| !servers.contains(pid));
    while !revived() || up.get(&format!("{DEMO}&fresh=true"), &key).await.0 != 200 {
        assert!(Instant::now() < deadline, "{}", std::fs::read_to_string(folder.path().join("log")).unwrap());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn admin_commands_take_effect_on_a_running_fleet() {
    let folder = tempfile::Builder::new().permissions(std::fs::Permissions::from_mode(0o755)).tempdir().unwrap();
    let up = Up::start(folder.path());
    let admin = |args: &[&str]| -> Value {
        let output = command(folder.path(), &[&["admin"], args, &["--json"]].concat()).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();

    let made = admin(&["account", "create", "--email", "a@b.test", "--plan", "free"]);
    let (id, key) = (text(&made["account_id"]), text(&made["api_key"]));
    assert_eq!(up.get(DEMO, &key).await.1["usage"]["monthlyLimit"], 300);
    assert_eq!(admin(&["account", "set-plan", &id, "growth"])["plan"], "growth");
    assert_eq!(up.get(DEMO, &key).await.1["usage"]["monthlyLimit"], 30_000);
    admin(&["account", "suspend", &id]);
    assert_eq!(up.get(DEMO, &key).await.0, 402);
    admin(&["account", "resume", &id]);
    assert_eq!(admin(&["account", "overage", &id, "off"])["overage_enabled"], false);
    assert_eq!(admin(&["pack", "grant", &id, "starter"])["pack_balance"], 1_500);

    let second = admin(&["key", "create", &id, "--name", "ci"]);
    assert_eq!(up.get(DEMO, &text(&second["api_key"])).await.0, 200);
    admin(&["key", "revoke", &text(&second["key_id"])]);
    assert_eq!(up.get(DEMO, &text(&second["api_key"])).await.0, 401);
    admin(&["key", "revoke", &key]);
    assert_eq!(up.get(DEMO, &key).await.0, 401);
    assert_eq!(admin(&["key", "list", &id])["keys"].as_array().unwrap().len(), 2);
    let usage = admin(&["usage", &id]);
    assert!(usage["entries"].is_array() && usage["ledger"].is_array(), "{usage:#}");
    assert!(admin(&["period", "close"])["periods"].is_array());

    let shown = command(folder.path(), &["admin", "account", "show", &id]).output().unwrap();
    assert!(String::from_utf8_lossy(&shown.stdout).contains("a@b.test"));
    // Whoever has an account names its keys.
    admin(&["key", "create", &id, "--name", "n\u{1b}]0;pwned\u{7}\u{9b}2J\u{202e}x"]);
    let shown = command(folder.path(), &["admin", "key", "list", &id]).output().unwrap();
    let shown = std::str::from_utf8(&shown.stdout).unwrap();
    assert!(shown.contains("n\u{fffd}]0;pwned\u{fffd}\u{fffd}2J\u{fffd}x"), "{shown:?}");
    let unknown = command(folder.path(), &["admin", "account", "show", "acc_nobody"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(1));
}
