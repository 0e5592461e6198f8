//! The private servers: ready when returned, stopped on drop, stopped when this process is killed.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use limner_local_servers::{Nats, Postgres, Redis, ServerError, shared_servers};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Environment variable for the process that is to be killed: the directory of its servers.
const HOLD_IN: &str = "LIMNER_SERVERS_HOLD_IN";
/// Environment variable: its servers are paused when it dies.
const HOLD_PAUSED: &str = "LIMNER_SERVERS_HOLD_PAUSED";

/// Creates a directory that an unprivileged server user can enter.
fn open_dir() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    tempfile::Builder::new().permissions(std::fs::Permissions::from_mode(0o755)).tempdir().unwrap()
}

/// Sends one request to a Redis over a new connection; `None` if there is no quick response.
fn redis(url: &str, command: &str) -> Option<String> {
    use std::io::{Read, Write};
    let (password, address) = url.strip_prefix("redis://:")?.split_once('@')?;
    let mut connection = std::net::TcpStream::connect(address).ok()?;
    connection.set_read_timeout(Some(Duration::from_millis(500))).ok()?;
    connection.write_all(format!("AUTH {password}\r\n{command}\r\nQUIT\r\n").as_bytes()).ok()?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).ok()?;
    Some(answer)
}

/// Runs a query with PostgreSQL's own client.
fn query(url: &str, sql: &str) -> Result<String, String> {
    let output = Command::new("psql").args(["--no-psqlrc", "-Atc", sql, url]).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Returns the servers recorded in the directories below `dir`.
fn recorded_pids(dir: &Path) -> Vec<String> {
    ["postgres", "redis", "nats"]
        .iter()
        .filter_map(|server| std::fs::read_to_string(dir.join(server).join("server.pid")).ok())
        .filter_map(|text| text.split_whitespace().next().map(str::to_owned))
        .collect()
}

fn is_running(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, fields)| !fields.trim_start().starts_with('Z'))
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !done() {
        assert!(Instant::now() < deadline, "{what}: not within 20 s");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[tokio::test]
async fn postgres_answers_when_started_and_its_data_survives_a_crash() {
    let dir = open_dir();
    let data = dir.path().join("postgres");
    let mut first = Postgres::start(&data).await.unwrap();
    assert_eq!(query(&first.url(), "select current_database()").unwrap(), "limner");
    query(&first.url(), "create table kept (n int); insert into kept values (7)").unwrap();

    let same = first.url();
    first.restart().await.unwrap();
    assert_eq!(first.url(), same, "a restart keeps the port");
    first.kill();
    assert!(query(&same, "select 1").is_err());
    drop(first);

    let second = Postgres::start(&data).await.unwrap();
    assert_eq!(query(&second.url(), "select n from kept").unwrap(), "7");
}

#[tokio::test]
async fn fresh_databases_are_empty_and_separate() {
    let postgres = shared_servers::postgres().await;
    let (one, other) = (postgres.fresh_database().await.unwrap(), postgres.fresh_database().await.unwrap());
    query(&one, "create table t ()").unwrap();
    let tables = "select count(*) from pg_tables where schemaname = 'public'";
    assert_eq!((query(&one, tables).unwrap(), query(&other, tables).unwrap()), ("1".to_owned(), "0".to_owned()));
}

#[tokio::test]
async fn wrong_password_is_refused() {
    let url = shared_servers::postgres().await.url();
    let (scheme, rest) = url.split_once("limner:").unwrap();
    let (_, address) = rest.split_once('@').unwrap();
    assert!(query(&format!("{scheme}limner:wrong@{address}"), "select 1").unwrap_err().contains("password"));
    let url = shared_servers::redis().await.url();
    let (_, address) = url.split_once('@').unwrap();
    assert!(redis(&format!("redis://:wrong@{address}"), "PING").unwrap().contains("WRONGPASS"));
}

#[tokio::test]
async fn redis_stops_restarts_and_pauses() {
    let mut server = Redis::temporary().await.unwrap();
    let url = server.url();
    assert!(redis(&url, "PING").unwrap().contains("+PONG"));

    server.pause().unwrap();
    assert_eq!(redis(&url, "PING"), None, "a frozen server says nothing");
    server.resume();
    assert!(redis(&url, "PING").unwrap().contains("+PONG"));

    assert!(server.is_running());
    server.stop();
    assert!(!server.is_running());
    assert_eq!(redis(&url, "PING"), None);
    server.restart().await.unwrap();
    assert!(redis(&url, "PING").unwrap().contains("+PONG"));
    assert_eq!(server.url(), url);
}

#[tokio::test]
async fn nats_restarts_with_its_streams() {
    let dir = open_dir();
    let mut server = Nats::start(dir.path().join("nats")).await.unwrap();
    let url = server.url();
    server.kill();
    server.restart().await.unwrap();
    assert_eq!(server.url(), url);
}

#[tokio::test]
async fn folder_has_one_server_at_a_time() {
    let dir = open_dir();
    let data = dir.path().join("redis");
    let first = Redis::start(&data).await.unwrap();
    let second = Redis::start(&data).await;
    assert!(matches!(second, Err(ServerError::InUse(_))));
    drop(first);
    Redis::start(&data).await.unwrap();
}

#[tokio::test]
async fn server_that_cannot_start_reports_why() {
    let dir = open_dir();
    let data = dir.path().join("postgres");
    drop(Postgres::start(&data).await.unwrap());
    std::fs::write(data.join("data/postgresql.conf"), "no_such_setting = 1\n").unwrap();
    let Err(fault) = Postgres::start(&data).await else { panic!("it must not start") };
    assert!(fault.to_string().contains("no_such_setting"), "{fault}");
}

/// Not a test by itself: the process that the tests below kill.
#[tokio::test]
#[ignore = "run by the tests below"]
async fn helper_holds_servers_for_another_test() {
    let Some(dir) = std::env::var_os(HOLD_IN).map(std::path::PathBuf::from) else { return };
    let mut postgres = Postgres::start(dir.join("postgres")).await.unwrap();
    let mut redis = Redis::start(dir.join("redis")).await.unwrap();
    let mut nats = Nats::start(dir.join("nats")).await.unwrap();
    if std::env::var_os(HOLD_PAUSED).is_some() {
        postgres.pause().unwrap();
        redis.pause().unwrap();
        nats.pause().unwrap();
    }
    std::fs::write(dir.join("holding"), "").unwrap();
    std::future::pending::<()>().await;
}

fn start_holder(dir: &Path, paused: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "helper_holds_servers_for_another_test", "--ignored"]).env(HOLD_IN, dir);
    if paused {
        command.env(HOLD_PAUSED, "1");
    }
    let holder = command.stdout(Stdio::null()).spawn().unwrap();
    wait_until("the servers are up", || dir.join("holding").exists());
    holder
}

#[tokio::test]
async fn servers_end_with_a_killed_parent_and_their_data_is_reusable() {
    for paused in [false, true] {
        let dir = open_dir();
        let mut holder = start_holder(dir.path(), paused);
        let pids = recorded_pids(dir.path());
        assert_eq!(pids.len(), 3);
        assert!(pids.iter().all(|pid| is_running(pid)));

        holder.kill().unwrap();
        holder.wait().unwrap();
        // Immediately, while the old ones may still be shutting down.
        let postgres = Postgres::start(dir.path().join("postgres")).await.unwrap();
        assert_eq!(query(&postgres.url(), "select 1").unwrap(), "1");
        wait_until("every server is gone", || !pids.iter().any(|pid| is_running(pid)));
    }
}

#[tokio::test]
async fn keeper_ends_its_server_after_the_last_user() {
    let dir = open_dir();
    let (users, state, data) = (dir.path().join("users"), dir.path().join("state"), dir.path().join("data"));
    std::fs::write(&users, "").unwrap();
    std::fs::write(&state, "").unwrap();
    std::fs::create_dir(&data).unwrap();
    let user = std::fs::File::open(&users).unwrap();
    user.lock_shared().unwrap();
    let mut command = Command::new("sh");
    command.arg("-c").arg(include_str!("../src/keeper.sh")).arg("keeper.sh").args([&users, &state, &data]);
    command.args(["1", "TERM", "sh", "-c", "echo $$ > server; exec sleep 600"]).current_dir(dir.path());
    let mut keeper = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();

    let server = dir.path().join("server");
    wait_until("the server runs", || std::fs::read_to_string(&server).is_ok_and(|pid| !pid.is_empty()));
    let pid = std::fs::read_to_string(&server).unwrap().trim().to_owned();
    assert!(keeper.try_wait().unwrap().is_none() && is_running(&pid));
    drop(user);
    wait_until("the keeper is done", || keeper.try_wait().unwrap().is_some());
    assert!(!is_running(&pid) && !state.exists() && !data.exists());
}

#[tokio::test]
async fn killed_supervisor_takes_its_server_along() {
    let dir = open_dir();
    let users = dir.path().join("users");
    std::fs::write(&users, "").unwrap();
    let user = std::fs::File::open(&users).unwrap();
    user.lock_shared().unwrap();
    let mut command = Command::new("sh");
    command.arg("-c").arg(include_str!("../src/keeper.sh")).arg("keeper.sh").args([&users, &users, &users]);
    command.args(["1", "TERM", "sh", "-c", "echo $$ > server; exec sleep 600"]).current_dir(dir.path());
    let mut keeper = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let server = dir.path().join("server");
    wait_until("the server runs", || std::fs::read_to_string(&server).is_ok_and(|pid| !pid.is_empty()));
    let pid = std::fs::read_to_string(&server).unwrap().trim().to_owned();
    keeper.kill().unwrap();
    keeper.wait().unwrap();
    wait_until("the server is gone", || !is_running(&pid));
}
