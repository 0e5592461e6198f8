//! Roles with a database report their readiness on `/readyz`, which roll-outs wait for.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use limner_local_servers::{Nats, Redis, shared_servers};
use limner_store::{Store, StoreConfig};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::time::Instant;

/// Servers shared by roles, and an empty database.
struct Servers {
    postgres: String,
    redis: Redis,
    nats: Nats,
    folder: tempfile::TempDir,
}

impl Servers {
    async fn start() -> Self {
        let postgres = shared_servers::postgres().await.fresh_database().await.unwrap();
        let (redis, nats) = tokio::try_join!(Redis::temporary(), Nats::temporary()).unwrap();
        Self { postgres, redis, nats, folder: tempfile::tempdir().unwrap() }
    }

    fn limner(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_limner"));
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("LIMNER")) {
            command.env_remove(name);
        }
        command
            .args(args)
            .env("LIMNER__DATA_DIR", self.folder.path())
            .env("LIMNER__POSTGRES__URL", &self.postgres)
            .env("LIMNER__REDIS__URL", self.redis.url())
            .env("LIMNER__NATS__URL", self.nats.url())
            .env("LIMNER__ADMIN__LISTEN", "127.0.0.1:0")
            .env("LIMNER__METERING__LISTEN", "127.0.0.1:0")
            .env("LIMNER__CONSOLE__LISTEN", "127.0.0.1:0")
            .env("LIMNER__LOG__FORMAT", "json")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) {
        let output = self.limner(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    async fn role(&self, role: &str) -> Role {
        let log = self.folder.path().join(format!("{role}.log"));
        let child = self.limner(&[role]).stderr(std::fs::File::create(&log).unwrap()).spawn().unwrap();
        let mut role = Role { child, admin: String::new() };
        role.admin = poll_until("the admin server", || async { admin_address(&log) }).await;
        role
    }

    async fn sql(&self, statement: &str) {
        let store = Store::connect(StoreConfig { url: self.postgres.clone(), ..StoreConfig::default() }).await.unwrap();
        store.client().await.unwrap().batch_execute(statement).await.unwrap();
    }
}

fn admin_address(log: &Path) -> Option<String> {
    let text = std::fs::read_to_string(log).unwrap();
    let line = text.lines().find(|line| line.contains("admin server listens"))?;
    Some(serde_json::from_str::<Value>(line).unwrap()["admin.address"].as_str().unwrap().to_owned())
}

struct Role {
    child: Child,
    admin: String,
}

impl Role {
    /// Returns the status of `/readyz`, and the named component.
    async fn ready(&self, component: &str) -> (u16, Value) {
        let answer = client().get(format!("http://{}/readyz", self.admin)).send().await.unwrap();
        let status = answer.status().as_u16();
        (status, answer.json::<Value>().await.unwrap()["components"][component].clone())
    }

    async fn wait_until_ready(&self, status: u16, component: &str, is_ready: bool) {
        let expected = (status, Value::from(is_ready));
        let looked = || async { (self.ready(component).await == expected).then_some(()) };
        poll_until(&format!("{status}, {component} {is_ready}"), looked).await;
    }
}

impl Drop for Role {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

async fn poll_until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(Instant::now() < deadline, "{what} did not come");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn roles_with_a_database_wait_for_their_schema() {
    let servers = Servers::start().await;
    let (metering, console) = tokio::join!(servers.role("metering"), servers.role("console"));
    // All other components are ready.
    metering.wait_until_ready(503, "metering", true).await;
    metering.wait_until_ready(503, "startup", true).await;
    console.wait_until_ready(503, "startup", true).await;
    assert_eq!(metering.ready("ledger").await, (503, false.into()));
    assert_eq!(console.ready("schema").await, (503, false.into()));

    servers.run(&["migrate"]);
    metering.wait_until_ready(200, "ledger", true).await;
    console.wait_until_ready(200, "schema", true).await;

    servers.sql("ALTER TABLE schema_migration RENAME TO elsewhere").await;
    metering.wait_until_ready(503, "ledger", false).await;
    assert_eq!(console.ready("schema").await.0, 200, "its pages without a database still work");
    servers.sql("ALTER TABLE elsewhere RENAME TO schema_migration").await;
    metering.wait_until_ready(200, "ledger", true).await;
}

/// After a roll-back, a release runs on the schema of its successor.
#[tokio::test]
async fn release_works_on_the_schema_of_a_later_one() {
    let servers = Servers::start().await;
    servers.run(&["migrate"]);
    servers.sql("INSERT INTO schema_migration (version, name, md5) VALUES (9999, 'future', '')").await;
    servers.run(&["migrate"]);
    let metering = servers.role("metering").await;
    metering.wait_until_ready(200, "ledger", true).await;
    servers.run(&["admin", "account", "create", "--email", "a@b.test", "--plan", "free"]);
    servers.run(&["admin", "ledger", "check"]);
}
