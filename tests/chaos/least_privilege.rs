//! A fleet whose roles have users of their own on every server, as `limner migrate --grants` prints them: it works, and
//! each user can do nothing else.

use limner_local_servers::{Postgres, Redis, chromium_path, free_port};
use limner_store::{SqlState, Store, StoreConfig, StoreError};
use limner_testkit::{CannedResponse, OriginServer};
use limner_tests::{Client, RunningProcess, limner_binary};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A NATS server with users and passwords from its environment.
struct Nats {
    process: Child,
    port: u16,
}

impl Nats {
    fn start(folder: &Path) -> Self {
        let port = free_port().unwrap();
        let users = grants("nats");
        let store = folder.join("nats");
        let text = format!("listen: 127.0.0.1:{port}\nmax_payload: 8MB\njetstream {{ store_dir: {store:?} }}\n{users}");
        let config = folder.join("nats.conf");
        std::fs::write(&config, text).unwrap();
        let mut command = Command::new("nats-server");
        for user in ["GATEWAY", "FETCHER", "RENDERER", "METERING", "MIGRATE"] {
            command.env(format!("NATS_{user}_PASSWORD"), password(&user.to_lowercase()));
        }
        let path = format!("{}:/usr/sbin:/usr/local/bin", std::env::var("PATH").unwrap());
        command.env("PATH", path).arg("-c").arg(config).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().unwrap();
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(20), "NATS does not start");
            std::thread::yield_now();
        }
        Self { process, port }
    }

    fn url(&self, user: &str) -> String {
        format!("nats://{user}:{}@127.0.0.1:{}", password(user), self.port)
    }

    /// Sends a command as the user, and returns what the server says to it and to a following PING.
    fn ask(&self, user: &str, command: &str) -> String {
        let mut peer = BufReader::new(TcpStream::connect(("127.0.0.1", self.port)).unwrap());
        let password = password(user);
        let connect = format!("CONNECT {{\"user\":\"{user}\",\"pass\":\"{password}\",\"verbose\":false}}\r\n");
        peer.get_mut().write_all(format!("{connect}{command}\r\nPING\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        while !answer.ends_with("PONG\r\n") && peer.read_line(&mut answer).unwrap() > 0 {}
        answer
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn password(user: &str) -> String {
    format!("password-of-{user}")
}

fn grants(server: &str) -> String {
    let output = Command::new(limner_binary()).args(["migrate", "--grants", server]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Sends inline commands to Redis, and returns the first line of each response.
fn redis_commands(redis: &Redis, sign_in: &str, commands: &[String]) -> Vec<String> {
    let address = redis.url().rsplit('@').next().unwrap().trim_end_matches('/').replace("redis://", "");
    let mut peer = BufReader::new(TcpStream::connect(address.split('/').next().unwrap()).unwrap());
    std::iter::once(&sign_in.to_owned())
        .chain(commands)
        .map(|command| {
            peer.get_mut().write_all(format!("{command}\r\n").as_bytes()).unwrap();
            let mut line = String::new();
            peer.read_line(&mut line).unwrap();
            line
        })
        .skip(1)
        .collect()
}

/// Replaces user and password of a URL.
fn signed_in(url: &str, user: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap();
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    format!("{scheme}://{user}:{}@{rest}", password(user))
}

struct Fleet {
    site: OriginServer,
    client: Client,
    postgres_url: String,
    redis: Redis,
    nats: Nats,
    _roles: Vec<RunningProcess>,
    _postgres: Postgres,
    _folder: tempfile::TempDir,
}

impl Fleet {
    async fn start() -> Self {
        let (site, folder) = (OriginServer::start().await, tempfile::tempdir().unwrap());
        let (postgres, redis) = tokio::join!(Postgres::temporary(), Redis::temporary());
        let (postgres, redis, nats) = (postgres.unwrap(), redis.unwrap(), Nats::start(folder.path()));
        let database = postgres.fresh_database().await.unwrap();
        let ports: [u16; 4] = std::array::from_fn(|_| free_port().unwrap());
        let config = |role: &str, servers: &str| write_config(folder.path(), role, ports, &site, servers);
        let url_of = |role: &str| {
            (signed_in(&database, &format!("limner_{role}")), signed_in(&redis.url(), role), nats.url(role))
        };

        let migrate = config(
            "migrate",
            &format!("[postgres]\nurl = \"{database}\"\n[nats]\nurl = \"{}\"\n", nats.url("migrate")),
        );
        let migrated = Command::new(limner_binary()).args(["migrate", "--config"]).arg(&migrate).output().unwrap();
        assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
        grant_postgres(&database).await;
        grant_redis(&redis);

        let workers = |role: &str| {
            let (_, redis, nats) = url_of(role);
            format!("[redis]\nurl = \"{redis}\"\n[nats]\nurl = \"{nats}\"\n")
        };
        let (postgres_url, metering_redis, metering_nats) = url_of("metering");
        let metering = format!(
            "[postgres]\nurl = \"{postgres_url}\"\n[redis]\nurl = \"{metering_redis}\"\n[nats]\nurl = \"{metering_nats}\"\n"
        );
        let secret = "[egress]\nsecret = \"proxy and renderers of a test know this\"\n";
        let mut parts = vec![
            ("metering", format!("{metering}{TOKEN}")),
            ("extractor", String::new()),
            ("fetcher", workers("fetcher")),
            ("gateway", format!("{}{TOKEN}", workers("gateway"))),
        ];
        if chromium_path().is_some() {
            parts.push(("egress", secret.to_owned()));
            parts.push(("renderer", format!("{}{secret}", workers("renderer"))));
        }
        let mut roles = Vec::new();
        let mut operator = PathBuf::new();
        for (role, servers) in parts {
            let file = config(role, &servers);
            let log = folder.path().join(format!("{role}.log"));
            roles.push(RunningProcess::start(&[role, "--config", file.to_str().unwrap()], &log));
            operator = if role == "metering" { file } else { operator };
        }
        let client = Client::new(ports[0], operator);
        client.wait_until_ready(&mut roles[3]).await;
        Self { site, client, postgres_url: database, redis, nats, _roles: roles, _postgres: postgres, _folder: folder }
    }
}

const TOKEN: &str = "[metering]\ntoken = \"gateway and metering of a test know this\"\n";

fn write_config(folder: &Path, role: &str, ports: [u16; 4], site: &OriginServer, servers: &str) -> PathBuf {
    let [gateway, extractor, metering, egress] = ports;
    let file = folder.join(format!("{role}.toml"));
    // `servers` may open these sections with lines of its own: ours are added below its heads.
    let text = format!(
        "data_dir = {:?}\npublic_url = \"http://127.0.0.1:{gateway}\"\n\
         gateway.listen = \"127.0.0.1:{gateway}\"\nadmin.listen = \"127.0.0.1:0\"\n\
         extractor.listen = \"127.0.0.1:{extractor}\"\nextractor.url = \"http://127.0.0.1:{extractor}\"\n",
        folder.join("data"),
    );
    let sections = [
        ("[metering]\n", format!("listen = \"127.0.0.1:{metering}\"\nurl = \"http://127.0.0.1:{metering}\"\n")),
        (
            "[egress]\n",
            format!(
                "listen = \"127.0.0.1:{egress}\"\nallow = [\"127.0.0.0/8\"]\nhosts = {{ \"site.test\" = \"{}\" }}\n",
                site.address()
            ),
        ),
        ("[renderer]\n", format!("proxy = \"http://127.0.0.1:{egress}\"\n")),
    ];
    let mut servers = servers.to_owned();
    for (head, lines) in sections {
        servers = match servers.contains(head) {
            true => servers.replace(head, &format!("{head}{lines}")),
            false => format!("{servers}{head}{lines}"),
        };
    }
    std::fs::write(&file, format!("{text}{servers}")).unwrap();
    file
}

async fn grant_postgres(owner: &str) {
    let store = connect(owner).await;
    let client = store.client().await.unwrap();
    // Twice: it is run again after each migration.
    for _ in 0..2 {
        client.batch_execute(&grants("postgres")).await.unwrap();
    }
    for role in ["limner_metering", "limner_console"] {
        let sql = format!("ALTER ROLE {role} LOGIN PASSWORD '{}'", password(role));
        client.batch_execute(&sql).await.unwrap();
    }
}

fn grant_redis(redis: &Redis) {
    let commands: Vec<String> = grants("redis")
        .lines()
        .map(|line| line.replace("PASSWORD", &password(line.split_whitespace().nth(2).unwrap())))
        .collect();
    assert_eq!(commands.len(), 4);
    let url = redis.url();
    let (credentials, _) = url.trim_start_matches("redis://").rsplit_once('@').unwrap();
    let owner = credentials.rsplit(':').next().unwrap();
    for (command, answer) in commands.iter().zip(redis_commands(redis, &format!("AUTH {owner}"), &commands)) {
        assert_eq!(answer, "+OK\r\n", "{command}");
    }
}

async fn connect(url: &str) -> Store {
    Store::connect(StoreConfig { url: url.to_owned(), pool_size: 1, ..StoreConfig::default() }).await.unwrap()
}

#[tokio::test]
async fn roles_with_users_of_their_own_work_and_can_do_nothing_else() {
    let fleet = Fleet::start().await;
    fleet.site.fallback(|_| CannedResponse::html(crate::PAGE));
    let account = fleet.client.roomy_account();
    for (render, fresh) in [("false", "false"), ("false", "true"), ("true", "false")] {
        if render == "true" && chromium_path().is_none() {
            continue;
        }
        let started = Instant::now();
        loop {
            // The renderer may still be starting.
            let query = [("url", "http://site.test/"), ("render", render), ("fresh", fresh)];
            let answer = fleet.client.call("images", &query, &account).await;
            if answer.status == 200 {
                break;
            }
            let is_starting = answer.code() == "render_unavailable" && started.elapsed() < Duration::from_secs(40);
            assert!(is_starting, "render={render}: {answer:?}");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
    let shown = fleet.client.admin(&["account", "show", &account.id]);
    assert!(shown["spent_this_month"].as_u64().unwrap() > 0, "{shown}");

    redis_users_know_their_keys_only(&fleet.redis);
    nats_users_know_their_subjects_only(&fleet.nats);
    database_users_know_their_schema_only(&fleet.postgres_url).await;
}

fn redis_users_know_their_keys_only(redis: &Redis) {
    let commands: Vec<String> = [
        "GET limner:result:x",
        "GET limner:key:x",
        "HGETALL limner:account:x",
        "SET limner:key:x y",
        "INCR limner:window:x",
        "FLUSHDB",
        "CONFIG GET *",
        "KEYS *",
        "ACL LIST",
    ]
    .map(str::to_owned)
    .to_vec();
    // Scripts of the cache ask for the time.
    for role in ["gateway", "renderer", "fetcher"] {
        let answers = redis_commands(redis, &format!("AUTH {role} {}", password(role)), &["TIME".to_owned()]);
        assert!(answers[0].starts_with('*'), "{role}: {}", answers[0]);
    }
    for role in ["renderer", "fetcher"] {
        let answers = redis_commands(redis, &format!("AUTH {role} {}", password(role)), &commands);
        assert!(answers[0].starts_with('$'), "{role}: {}", answers[0]);
        for (command, answer) in commands.iter().zip(&answers).skip(1) {
            assert!(answer.starts_with("-NOPERM"), "{role}: {command}: {answer}");
        }
    }
}

fn nats_users_know_their_subjects_only(nats: &Nats) {
    let refused = |user: &str, command: &str| {
        let answer = nats.ask(user, command);
        assert!(answer.contains("Permissions Violation"), "{user}: {command}: {answer}");
    };
    let allowed = |user: &str, command: &str| {
        let answer = nats.ask(user, command);
        assert!(!answer.contains("-ERR"), "{user}: {command}: {answer}");
    };
    allowed("renderer", "SUB _INBOX.limner-renderer.a.* 1");
    allowed("renderer", "PUB limner.replies.a.b 0\r\n");
    allowed("metering", "PUB limner.accounts.changed 0\r\n");
    for worker in ["renderer", "fetcher"] {
        // Jobs and replies of others: without their subjects no reply can be forged.
        for subject in
            ["limner.replies.>", "limner.jobs.>", "_INBOX.>", "_INBOX.limner-gateway.>", ">", "limner.accounts.changed"]
        {
            refused(worker, &format!("SUB {subject} 1"));
        }
        for subject in ["limner.accounts.changed", "limner.calls.cancelled", "$JS.API.STREAM.PURGE.LIMNER_FETCH"] {
            refused(worker, &format!("PUB {subject} 0\r\n"));
        }
    }
    // A job that has to wait is queued again by its own stage.
    for own in ["limner.jobs.fetch", "limner.jobs.fetch.free"] {
        allowed("fetcher", &format!("PUB {own} 0\r\n"));
        refused("renderer", &format!("PUB {own} 0\r\n"));
    }
    allowed("renderer", "PUB limner.jobs.render 0\r\n");
    for consumer in ["fetcher", "fetcher_free"] {
        refused("renderer", &format!("PUB $JS.API.CONSUMER.MSG.NEXT.LIMNER_FETCH.{consumer} 0\r\n"));
    }
    refused("fetcher", "PUB $JS.API.CONSUMER.MSG.NEXT.LIMNER_RENDER.renderer 0\r\n");
    refused("gateway", "PUB limner.accounts.changed 0\r\n");
    refused("metering", "PUB limner.jobs.fetch 0\r\n");
}

async fn database_users_know_their_schema_only(owner: &str) {
    let metering = connect(&signed_in(owner, "limner_metering")).await;
    let console = connect(&signed_in(owner, "limner_console")).await;
    for (who, store, sql) in [
        ("metering", &metering, "UPDATE metering.ledger_entry SET credits = 0"),
        ("metering", &metering, "DELETE FROM metering.ledger_entry"),
        ("metering", &metering, "SELECT * FROM console.session"),
        ("metering", &metering, "DROP TABLE metering.account"),
        ("metering", &metering, "CREATE TABLE metering.other (a int)"),
        ("metering", &metering, "DROP TABLE metering.usage_call_first"),
        ("metering", &metering, "CREATE TABLE archive.other (a int)"),
        ("console", &console, "SELECT * FROM metering.account"),
        ("console", &console, "SELECT metering.clock()"),
        ("console", &console, "UPDATE metering.account_period SET plan_spent = 0"),
        ("console", &console, "DELETE FROM schema_migration"),
    ] {
        let refused = store.query(sql, &[]).await.map(|rows| rows.len());
        let Err(StoreError::Sql(cause)) = &refused else { panic!("{who}: {sql}: {refused:?}") };
        assert_eq!(cause.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{who}: {sql}: {cause:?}");
    }
    console.query("SELECT * FROM console.session", &[]).await.unwrap();
    console.check_schema().await.unwrap();
    metering.check_schema().await.unwrap();
    // Partitions belong to the owner; metering has them made and dropped by functions.
    for upkeep in ["prepare_months(3)", "drop_months(1)", "sum_up_history(10)", "forget_calls(1e9, 10)"] {
        metering.client().await.unwrap().batch_execute(&format!("SELECT metering.{upkeep}")).await.unwrap();
    }
}
