//! Counts a hit: the server, Redis and the client run under Callgrind, each as a process with one thread, and the counts
//! of two runs of different lengths are subtracted. The system calls of the server are counted by strace.

use crate::specified::Part;
use crate::{gateway, load, specified};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// Requests of the two runs.
const REQUESTS: [u64; 2] = [200, 2_200];
const CLOSE: &str = "connection: close\r\n";
const GATEWAY: &str = "gateway";
const MARKS: (&str, &str) = ("<!-- hit -->\n", "<!-- end of hit -->");
/// The functions of the C library that allocate.
const ALLOCATING: [&str; 6] = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"];

/// Counts of a process.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    instructions: f64,
    allocations: f64,
}

/// Counts of a call.
struct HitCost {
    server: Counts,
    redis: Counts,
    client: Counts,
    /// System calls of the server; `None` without strace.
    system_calls: Option<f64>,
    /// Bytes of the response, and those that Redis sends.
    read: f64,
    from_redis: f64,
}

/// Serves as the handler with this name, until standard input ends.
pub(crate) async fn serve(name: &str, redis: &str) {
    let _recorder = limner_runtime::metrics::install().unwrap();
    let target = match Part::ALL.into_iter().find(|part| part.name() == name) {
        Some(part) => specified::start(redis, part).await,
        None => gateway::start(redis).await,
    };
    println!("{} {}", target.address, target.authorization);
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await.unwrap().unwrap();
}

/// Sends requests to a handler.
pub(crate) async fn drive(address: &str, authorization: &str, requests: &str) {
    let target = load::LoadTarget {
        address: address.parse().unwrap(),
        path: gateway::PATH.to_owned(),
        authorization: authorization.to_owned(),
    };
    load::load(&target, requests.parse().unwrap(), &Mutex::default()).await;
}

/// Prints the counts as a table; writes them into `docs/performance.md` if `LIMNER_COST` is `write`.
pub(crate) fn print() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("Valgrind is not installed: nothing is counted");
        return;
    }
    let mut text = String::from(
        "| Handler | Instructions | Allocations | System calls | Redis: instructions | Redis: bytes | Client: instructions | \
         Client: bytes | All instructions |\n|---|---|---|---|---|---|---|---|---|",
    );
    let mut bare = None;
    for name in Part::ALL.iter().map(|part| part.name()).chain([GATEWAY]) {
        let Some(HitCost { server, redis, client, system_calls, read, from_redis }) = count(name) else { continue };
        let all = server.instructions + redis.instructions + client.instructions;
        let first = *bare.get_or_insert(all);
        let is_whole = name == GATEWAY || name == Part::Bare.name();
        let shown = if is_whole { name.to_owned() } else { format!("+ {name}") };
        let system_calls = system_calls.map_or_else(|| "-".to_owned(), |calls| format!("{calls:.1}"));
        let (of_server, of_redis, of_client) =
            (thousands(server.instructions), thousands(redis.instructions), thousands(client.instructions));
        let _ = write!(
            text,
            "\n| {shown} | {of_server} | {:.0} | {system_calls} | {of_redis} | {from_redis:.0} | {of_client} | {read:.0} | {}, {:.2} times |",
            server.allocations,
            thousands(all),
            all / first,
        );
    }
    text.push('\n');
    println!("{text}");
    if std::env::var("LIMNER_COST").is_ok_and(|value| value == "write") {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/performance.md");
        let page = std::fs::read_to_string(&file).unwrap();
        let (before, rest) = page.split_once(MARKS.0).unwrap();
        let (_, after) = rest.split_once(MARKS.1).unwrap();
        std::fs::write(file, [before, MARKS.0, "\n", &text, "\n", MARKS.1, after].concat()).unwrap();
    }
}

fn thousands(count: f64) -> String {
    format!("{:.1} k", count / 1e3)
}

/// Counts a call of a handler; `None` if it could not be counted.
fn count(name: &str) -> Option<HitCost> {
    let [few, many] = REQUESTS.map(|requests| run(name, requests));
    let (few, many) = (few?, many?);
    let each = (REQUESTS[1] - REQUESTS[0]) as f64;
    let less = |many: Counts, few: Counts| Counts {
        instructions: (many.instructions - few.instructions) / each,
        allocations: (many.allocations - few.allocations) / each,
    };
    Some(HitCost {
        server: less(many.server, few.server),
        redis: less(many.redis, few.redis),
        client: less(many.client, few.client),
        system_calls: many.system_calls.zip(few.system_calls).map(|(many, few)| (many - few) / each),
        read: many.read,
        from_redis: (many.from_redis - few.from_redis) / each,
    })
}

/// Counts all processes for so many calls.
fn run(name: &str, requests: u64) -> Option<HitCost> {
    let folder = tempfile::tempdir().ok()?;
    let port = TcpListener::bind(("127.0.0.1", 0)).ok()?.local_addr().ok()?.port();
    let port_text = port.to_string();
    // Its periodic work depends on the time that the run takes, so it runs once a second.
    let redis_arguments =
        ["--port", &port_text, "--save", "", "--appendonly", "no", "--bind", "127.0.0.1", "--hz", "1"];
    let mut redis = Process::under_callgrind(&folder, "redis", Path::new("redis-server"), &redis_arguments);
    redis.wait_until(|| TcpStream::connect(("127.0.0.1", port)).is_ok());
    let own = std::env::current_exe().ok()?;
    let url = format!("redis://127.0.0.1:{port}");
    let system_calls = system_calls(&folder, &own, &["serve", name, &url], requests);
    let mut server = Process::under_callgrind(&folder, "server", &own, &["serve", name, &url]);
    let (address, authorization) = &server.announced()?;
    let read = response_bytes(address, authorization)?;
    let sent_before = sent_by_redis(port)?;
    let client =
        Process::under_callgrind(&folder, "client", &own, &["drive", address, authorization, &requests.to_string()]);
    let client = client.counts(&folder)?;
    let from_redis = sent_by_redis(port)? - sent_before;
    drop(server.input.take());
    let server = server.counts(&folder)?;
    drop(TcpStream::connect(("127.0.0.1", port)).ok()?.write_all(b"SHUTDOWN NOSAVE\r\n"));
    let redis = redis.counts(&folder)?;
    Some(HitCost { server, redis, client, system_calls, read, from_redis })
}

/// Returns the number of the server's system calls; `None` without strace.
fn system_calls(folder: &TempDir, own: &Path, arguments: &[&str], requests: u64) -> Option<f64> {
    let summary = folder.path().join("calls");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-c", "-o"]).arg(&summary).arg(own).args(arguments);
    let mut server = Process::start("strace", strace)?;
    let (address, authorization) = server.announced()?;
    let driven = Command::new(own).args(["drive", &address, &authorization, &requests.to_string()]).status();
    drop(server.input.take());
    server.child.wait().ok()?;
    driven.ok()?.success().then_some(())?;
    let summary = std::fs::read_to_string(summary).ok()?;
    // `% time, seconds, usecs/call, calls, errors, syscall`
    let total = summary.lines().rfind(|line| line.ends_with(" total"))?;
    total.split_whitespace().nth(3)?.parse().ok()
}

/// A process whose standard input is a pipe, and whose standard output is read.
struct Process {
    name: &'static str,
    child: Child,
    input: Option<ChildStdin>,
}

impl Process {
    fn start(name: &'static str, mut command: Command) -> Option<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let input = child.stdin.take();
        Some(Self { name, child, input })
    }

    fn under_callgrind(folder: &TempDir, name: &'static str, program: &Path, arguments: &[&str]) -> Self {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--quiet", "--tool=callgrind", "--compress-strings=no"]);
        valgrind.arg(format!("--callgrind-out-file={}", folder.path().join(name).display()));
        valgrind.arg(program).args(arguments);
        Self::start(name, valgrind).unwrap()
    }

    /// Returns the address and the authorization that a server prints.
    fn announced(&mut self) -> Option<(String, String)> {
        let mut line = String::new();
        BufReader::new(self.child.stdout.take()?).read_line(&mut line).ok()?;
        let (address, authorization) = line.trim_end_matches('\n').split_once(' ')?;
        Some((address.to_owned(), authorization.to_owned()))
    }

    fn wait_until(&mut self, is_ready: impl Fn() -> bool) {
        while !is_ready() {
            assert!(self.child.try_wait().unwrap().is_none(), "{} has ended", self.name);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for its end, and returns its counts.
    fn counts(mut self, folder: &TempDir) -> Option<Counts> {
        self.child.wait().ok()?;
        let profile = std::fs::read_to_string(folder.path().join(self.name)).ok()?;
        let mut counts = Counts::default();
        let mut callee = "";
        for line in profile.lines() {
            if let Some(name) = line.strip_prefix("cfn=") {
                callee = name;
            } else if let Some(calls) = line.strip_prefix("calls=") {
                let calls: f64 = calls.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0.0);
                counts.allocations += if ALLOCATING.contains(&callee) { calls } else { 0.0 };
            } else if let Some(total) = line.strip_prefix("totals: ") {
                counts.instructions = total.trim().parse().ok()?;
            }
        }
        Some(counts)
    }
}

/// Returns the size of a response.
fn response_bytes(address: &str, authorization: &str) -> Option<f64> {
    let mut server = TcpStream::connect(address).ok()?;
    let path = gateway::PATH;
    let head = format!("GET {path} HTTP/1.1\r\nhost: bench\r\nauthorization: {authorization}\r\n{CLOSE}\r\n");
    server.write_all(head.as_bytes()).ok()?;
    let mut response = Vec::new();
    server.read_to_end(&mut response).ok()?;
    // The header that a connection which stays open does not have.
    Some((response.len() - CLOSE.len()) as f64)
}

/// Returns the number of bytes that Redis has sent.
fn sent_by_redis(port: u16) -> Option<f64> {
    let mut redis = TcpStream::connect(("127.0.0.1", port)).ok()?;
    redis.write_all(b"INFO stats\r\nQUIT\r\n").ok()?;
    let mut text = String::new();
    redis.read_to_string(&mut text).ok()?;
    text.lines().find_map(|line| line.strip_prefix("total_net_output_bytes:")?.trim().parse().ok())
}
