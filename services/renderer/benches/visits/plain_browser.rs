//! The baseline of the benchmark: the same browser with the same flags and no proxy, doing the minimum to open a page
//! in a context of its own and to wait until it is stable by the renderer's own rule.

use command_fds::{CommandFdExt, FdMapping};
use futures::future::join_all;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout};

/// Same value as in the renderer's limits.
const QUIET: Duration = Duration::from_millis(400);
const POLL: Duration = Duration::from_millis(100);
const MAX_TIME: Duration = Duration::from_secs(30);

/// Script for the stability rule's questions to a document.
const WATCH: &str = "(() => { let mutated = performance.now();
    new MutationObserver(() => { mutated = performance.now(); }).observe(document, { subtree: true, childList: true });
    globalThis.state = () => [performance.now() - mutated, document.fonts.status === 'loaded'];
    globalThis.through = async () => {
        for (let top = 0; top < Math.min(document.documentElement.scrollHeight, 40000); top += innerHeight * 0.9) {
            scrollTo({ top, behavior: 'instant' });
            await new Promise(requestAnimationFrame);
            await new Promise(resume => setTimeout(resume, 30));
        }
        scrollTo({ top: 0, behavior: 'instant' });
        await new Promise(requestAnimationFrame);
    } })()";

/// The treatment of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Wait until it is stable.
    Settle,
    /// Also scroll through it once, as visits do with pages that react to it, and wait again.
    SettleAndScroll,
}

/// A browser without the renderer.
pub(crate) struct Bare {
    child: Child,
    client: Client,
    _profile: tempfile::TempDir,
}

impl Bare {
    /// Starts the browser of process `of` with the same flags, except proxy and profile, for a site at address `site`.
    pub(crate) fn start(of: i32, site: SocketAddr) -> Self {
        let owner = std::fs::metadata(format!("/proc/{of}")).unwrap();
        let line = std::fs::read(format!("/proc/{of}/cmdline")).unwrap();
        let line = String::from_utf8(line).unwrap();
        let mut words = line.split('\0').filter(|word| !word.is_empty());
        let program = words.next().unwrap();
        let ours = ["--proxy-", "--user-data-dir", "--host-resolver-rules"];
        let flags = words.filter(|word| !ours.iter().any(|flag| word.starts_with(flag)));
        let profile = tempfile::tempdir().unwrap();
        if rustix::process::geteuid().is_root() {
            chown(profile.path(), Some(owner.uid()), Some(owner.gid())).unwrap();
        }
        let mut command = Command::new(program);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("--host-resolver-rules=MAP site.test {site}")).args(flags);
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", profile.path());
        command.current_dir(profile.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.process_group(0);
        if rustix::process::geteuid().is_root() {
            command.uid(owner.uid()).gid(owner.gid());
        }
        let (commands, from_us) = io::pipe().unwrap();
        let (to_us, answers) = io::pipe().unwrap();
        let mappings = vec![
            FdMapping { parent_fd: commands.into(), child_fd: 3 },
            FdMapping { parent_fd: answers.into(), child_fd: 4 },
        ];
        command.fd_mappings(mappings).unwrap();
        let child = command.spawn().unwrap();
        drop(command);
        let from = pipe::Receiver::from_owned_fd(to_us.into()).unwrap();
        let to = pipe::Sender::from_owned_fd(from_us.into()).unwrap();
        Self { child, client: Client::new(from, to), _profile: profile }
    }

    /// Returns the browser's process group.
    pub(crate) fn group(&self) -> i32 {
        self.child.id() as i32
    }

    /// Opens a page and waits until it is stable.
    pub(crate) async fn visit(&self, url: &str, rule: Rule) {
        let browser = self.client.session(None);
        let context = browser.ask("Target.createBrowserContext", json!({})).await["browserContextId"].clone();
        let blank = json!({"url": "about:blank", "browserContextId": context, "width": 1440, "height": 900});
        let target = browser.ask("Target.createTarget", blank).await["targetId"].clone();
        let attach = json!({"targetId": target, "flatten": true});
        let session = browser.ask("Target.attachToTarget", attach).await["sessionId"].clone();
        let page = BarePage { session: self.client.session(session.as_str()), network: Arc::default() };
        let loaded = page.watch();
        join_all([page.session.ask("Page.enable", json!({})), page.session.ask("Network.enable", json!({}))]).await;
        let opened = page.session.ask("Page.navigate", json!({"url": url})).await;
        assert!(opened.get("errorText").is_none(), "{opened}");
        loaded.await.unwrap();
        page.session.evaluate(WATCH).await;
        page.wait_until_idle().await;
        if rule == Rule::SettleAndScroll {
            page.session.evaluate("through()").await;
            page.wait_until_idle().await;
        }
        browser.ask("Target.disposeBrowserContext", json!({"browserContextId": context})).await;
        self.client.forget(session.as_str().unwrap());
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        if let Some(group) = rustix::process::Pid::from_raw(self.group()) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// Network activity of a page.
struct Network {
    in_flight: HashMap<String, Instant>,
    last_change: Instant,
}

impl Default for Network {
    fn default() -> Self {
        Self { in_flight: HashMap::new(), last_change: Instant::now() }
    }
}

struct BarePage {
    session: Session,
    network: Arc<Mutex<Network>>,
}

impl BarePage {
    /// Follows the page's events; the receiver resolves with its load event.
    fn watch(&self) -> oneshot::Receiver<()> {
        let mut events = self.session.events();
        let network = Arc::clone(&self.network);
        let (says, loaded) = oneshot::channel();
        let mut says = Some(says);
        tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                let id = event["params"]["requestId"].as_str().unwrap_or_default();
                let mut network = network.lock().unwrap();
                match event["method"].as_str().unwrap_or_default() {
                    "Page.loadEventFired" => drop(says.take().map(|says| says.send(()))),
                    "Network.requestWillBeSent" => {
                        network.in_flight.insert(id.to_owned(), Instant::now());
                        network.last_change = Instant::now();
                    }
                    "Network.loadingFinished" | "Network.loadingFailed" if network.in_flight.remove(id).is_some() => {
                        network.last_change = Instant::now();
                    }
                    _ => {}
                }
            }
        });
        loaded
    }

    async fn wait_until_idle(&self) {
        let latest = Instant::now() + MAX_TIME;
        while Instant::now() < latest {
            let is_quiet = {
                let network = self.network.lock().unwrap();
                network.in_flight.is_empty() && network.last_change.elapsed() >= QUIET
            };
            if is_quiet {
                let state = self.session.evaluate("state()").await;
                if state[0].as_f64().unwrap_or(0.0) >= QUIET.as_millis() as f64 && state[1] == true {
                    return;
                }
            }
            sleep(POLL).await;
        }
        panic!("the page does not become stable");
    }
}

#[derive(Default)]
struct Waiting {
    answers: HashMap<u64, oneshot::Sender<Value>>,
    sessions: HashMap<String, mpsc::UnboundedSender<Value>>,
}

/// The DevTools protocol over a pipe.
#[derive(Clone)]
struct Client {
    commands: mpsc::UnboundedSender<Vec<u8>>,
    next: Arc<AtomicU64>,
    waiting: Arc<Mutex<Waiting>>,
}

impl Client {
    fn new(from: pipe::Receiver, to: pipe::Sender) -> Self {
        let (commands, queue) = mpsc::unbounded_channel();
        let client = Self { commands, next: Arc::default(), waiting: Arc::default() };
        tokio::spawn(write(queue, to));
        tokio::spawn(read(from, Arc::clone(&client.waiting)));
        client
    }

    fn session(&self, id: Option<&str>) -> Session {
        Session { client: self.clone(), id: id.map(str::to_owned) }
    }

    fn forget(&self, session: &str) {
        self.waiting.lock().unwrap().sessions.remove(session);
    }
}

struct Session {
    client: Client,
    id: Option<String>,
}

impl Session {
    async fn ask(&self, method: &str, params: Value) -> Value {
        let id = self.client.next.fetch_add(1, Ordering::Relaxed);
        let (says, answer) = oneshot::channel();
        self.client.waiting.lock().unwrap().answers.insert(id, says);
        let mut command = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.id {
            command["sessionId"] = json!(session);
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        self.client.commands.send(bytes).unwrap();
        let mut answer = timeout(MAX_TIME, answer).await.unwrap().unwrap();
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    async fn evaluate(&self, expression: &str) -> Value {
        let question = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.ask("Runtime.evaluate", question).await;
        assert!(answer.get("exceptionDetails").is_none(), "{answer}");
        answer["result"]["value"].take()
    }

    fn events(&self) -> mpsc::UnboundedReceiver<Value> {
        let (sender, events) = mpsc::unbounded_channel();
        let id = self.id.clone().unwrap_or_default();
        self.client.waiting.lock().unwrap().sessions.insert(id, sender);
        events
    }
}

async fn write(mut queue: mpsc::UnboundedReceiver<Vec<u8>>, mut to: pipe::Sender) {
    while let Some(command) = queue.recv().await {
        if to.write_all(&command).await.is_err() {
            return;
        }
    }
}

async fn read(mut from: pipe::Receiver, waiting: Arc<Mutex<Waiting>>) {
    let (mut chunk, mut message) = (vec![0; 1 << 18], Vec::new());
    while let Ok(read @ 1..) = from.read(&mut chunk).await {
        let mut parts = chunk[..read].split(|byte| *byte == 0).peekable();
        while let Some(part) = parts.next() {
            message.extend_from_slice(part);
            if parts.peek().is_some() {
                deliver(&waiting, serde_json::from_slice(&message).unwrap());
                message.clear();
            }
        }
    }
}

fn deliver(waiting: &Mutex<Waiting>, message: Value) {
    let mut waiting = waiting.lock().unwrap();
    if let Some(id) = message["id"].as_u64() {
        if let Some(asked) = waiting.answers.remove(&id) {
            let _ = asked.send(message);
        }
    } else if let Some(listener) = waiting.sessions.get(message["sessionId"].as_str().unwrap_or_default()) {
        let _ = listener.send(message);
    }
}
