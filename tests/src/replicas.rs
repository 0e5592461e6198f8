//! A fleet with several processes of each role, each role behind a load balancer, so that a process can be replaced.

use crate::balancer::Balancer;
use crate::client::Client;
use crate::{RunningProcess, limner_binary};
use limner_local_servers::{Nats, Postgres, Redis, free_port};
use limner_testkit::OriginServer;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The roles of such a fleet, dependencies first.
pub const ROLES: [&str; 6] = ["metering", "extractor", "egress", "fetcher", "renderer", "gateway"];

/// Roles that other roles connect to.
const LISTENING: [&str; 4] = ["metering", "extractor", "egress", "gateway"];

/// Servers, and processes of each role.
pub struct Replicas {
    /// The origin site, at `http://site.test/…`.
    pub site: OriginServer,
    roles: BTreeMap<&'static str, Role>,
    /// The binary of processes that are started.
    binary: PathBuf,
    client: Client,
    configuration: String,
    /// Name of the ledger's database.
    pub database: String,
    _postgres: Postgres,
    _redis: Redis,
    _nats: Nats,
    folder: tempfile::TempDir,
}

struct Role {
    balancer: Balancer,
    members: Vec<Member>,
}

/// A process and its address.
struct Member {
    process: RunningProcess,
    address: SocketAddr,
}

impl Replicas {
    /// Starts servers, and that many processes of each role, and waits until they are ready.
    ///
    /// # Panics
    /// Panics if a part does not start.
    pub async fn start(of_each: usize) -> Self {
        Self::start_with(of_each, &[]).await
    }

    /// Like [`Replicas::start`], with lines added to sections of the configuration.
    ///
    /// # Panics
    /// Panics if a part does not start.
    pub async fn start_with(of_each: usize, lines: &[(&str, &str)]) -> Self {
        Self::start_release(limner_binary(), of_each, lines).await
    }

    /// Like [`Replicas::start_with`], with the binary of a release.
    ///
    /// # Panics
    /// Panics if a part does not start.
    pub async fn start_release(binary: PathBuf, of_each: usize, lines: &[(&str, &str)]) -> Self {
        let site = OriginServer::start().await;
        let folder = tempfile::tempdir().unwrap();
        let (postgres, redis, nats) = tokio::join!(Postgres::temporary(), Redis::temporary(), Nats::temporary());
        let (postgres, redis, nats) = (postgres.unwrap(), redis.unwrap(), nats.unwrap());
        let database = postgres.fresh_database().await.unwrap();
        let mut roles = BTreeMap::new();
        for role in ROLES {
            roles.insert(role, Role { balancer: Balancer::start().await, members: Vec::new() });
        }
        let address = |role: &str| roles[role].balancer.address();
        let gateway = address("gateway");
        let mut configuration = format!(
            "data_dir = {:?}\npublic_url = \"http://{gateway}\"\n\
             [postgres]\nurl = \"{database}\"\n[redis]\nurl = \"{}\"\n[nats]\nurl = \"{}\"\n\
             [extractor]\nurl = \"http://{}\"\n[metering]\nurl = \"http://{}\"\n[renderer]\nproxy = \"http://{}\"\n\
             [egress]\nsecret = \"proxy and renderers of a test know this\"\nallow = [\"127.0.0.0/8\"]\n\
             [egress.hosts]\n\"site.test\" = \"{}\"\n[gateway]\n[fetcher]\n",
            folder.path().join("data"),
            redis.url(),
            nats.url(),
            address("extractor"),
            address("metering"),
            address("egress"),
            site.address(),
        );
        for (section, line) in lines {
            configuration = configuration.replace(&format!("[{section}]\n"), &format!("[{section}]\n{line}\n"));
        }
        let config = folder.path().join("limner.toml");
        std::fs::write(&config, &configuration).unwrap();
        migrate(&binary, &config);
        let mut client = Client::new(gateway.port(), config);
        client.binary.clone_from(&binary);
        let servers = (postgres, redis, nats);
        let (_postgres, _redis, _nats) = servers;
        let mut fleet = Self { site, roles, binary, client, configuration, database, _postgres, _redis, _nats, folder };
        for role in ROLES {
            for _ in 0..of_each {
                fleet.add(role).await;
            }
        }
        fleet
    }

    /// Migrates the database to this build; processes that are started from now on are of this build.
    ///
    /// # Panics
    /// Panics if the migration fails.
    pub fn upgrade(&mut self) {
        let binary = limner_binary();
        migrate(&binary, &self.folder.path().join("limner.toml"));
        self.client.binary.clone_from(&binary);
        self.binary = binary;
    }

    /// Starts another process of a role, and waits until it is ready.
    ///
    /// # Panics
    /// Panics if it does not become ready.
    pub async fn add(&mut self, role: &'static str) {
        let [port, admin] = std::array::from_fn(|_| free_port().unwrap());
        let mut configuration = format!("{}\n[admin]\nlisten = \"127.0.0.1:{admin}\"\n", self.configuration);
        // Workers pull their jobs, so they have no listener.
        if LISTENING.contains(&role) {
            let section = format!("[{role}]\n");
            configuration = configuration.replace(&section, &format!("{section}listen = \"127.0.0.1:{port}\"\n"));
        }
        let config = self.folder.path().join(format!("{role}-{port}.toml"));
        std::fs::write(&config, configuration).unwrap();
        let log = self.folder.path().join(format!("{role}-{port}.log"));
        let mut process =
            RunningProcess::start_binary(&self.binary, &[role, "--config", config.to_str().unwrap()], &log);
        until_ready(&mut process, admin).await;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let role = self.roles.get_mut(role).unwrap();
        role.balancer.add(address);
        role.members.push(Member { process, address });
    }

    /// Replaces the processes of a role one by one, like a rolling update: the new one is ready before the old one is
    /// terminated, and the next one follows when that has exited.
    ///
    /// # Panics
    /// Panics if a process does not become ready, or exits with an error.
    pub async fn replace(&mut self, role: &'static str) {
        for _ in 0..self.roles[role].members.len() {
            self.add(role).await;
            let mut old = self.take_away(role);
            let ended = tokio::task::spawn_blocking(move || (old.process.terminate(), old)).await.unwrap();
            assert!(ended.0.success(), "{role}: {}", ended.1.process.log());
        }
    }

    /// Kills a process of a role, and starts another one.
    ///
    /// # Panics
    /// Panics if that does not become ready.
    pub async fn restart_one(&mut self, role: &'static str) {
        self.roles.get_mut(role).unwrap().members[0].process.kill();
        // The remaining ones are alone until the loss is detected.
        tokio::time::sleep(Duration::from_secs(1)).await;
        drop(self.take_away(role));
        self.add(role).await;
    }

    fn take_away(&mut self, role: &str) -> Member {
        let role = self.roles.get_mut(role).unwrap();
        let member = role.members.remove(0);
        role.balancer.remove(member.address);
        member
    }
}

impl Deref for Replicas {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

fn migrate(binary: &Path, config: &Path) {
    let migrated = Command::new(binary).args(["migrate", "--config"]).arg(config).output().unwrap();
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
}

async fn until_ready(process: &mut RunningProcess, admin: u16) {
    let until = Instant::now() + Duration::from_secs(60);
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let address = format!("http://127.0.0.1:{admin}/readyz");
    loop {
        if http.get(&address).send().await.is_ok_and(|answer| answer.status().is_success()) {
            return;
        }
        assert!(process.is_running() && Instant::now() < until, "not ready:\n{}", process.log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
