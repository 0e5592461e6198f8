//! A fleet as operators run it: one process per role, so that single parts can be stopped.

use crate::client::Client;
use crate::{RunningProcess, limner_binary};
use limner_local_servers::{Nats, Postgres, Redis};
use limner_testkit::{OriginServer, TcpProxy};
use std::net::SocketAddr;
use std::ops::Deref;
use std::path::PathBuf;
use std::process::Command;

/// Servers and roles, each a process of its own.
pub struct Cluster {
    /// The origin site, at `http://site.test/…`.
    pub site: OriginServer,
    /// The gateway's process.
    pub gateway: RunningProcess,
    /// The fetchers' processes.
    pub fetchers: Vec<RunningProcess>,
    /// The extractor's process.
    pub extractor: RunningProcess,
    /// The metering process.
    pub metering: RunningProcess,
    /// The database's server.
    pub postgres: Postgres,
    /// Name of the ledger's database.
    pub database: String,
    /// The cache.
    pub redis: Redis,
    /// The queue.
    pub nats: Nats,
    client: Client,
    config: PathBuf,
    folder: tempfile::TempDir,
}

/// Proxies in front of the servers of a cluster.
pub struct ServerProxies {
    /// In front of Redis.
    pub redis: TcpProxy,
    /// In front of Postgres.
    pub postgres: TcpProxy,
}

/// The servers of a cluster.
pub struct Servers {
    /// The database's server.
    pub postgres: Postgres,
    /// The cache.
    pub redis: Redis,
    /// The queue.
    pub nats: Nats,
}

impl Servers {
    /// Starts servers with temporary data.
    ///
    /// # Panics
    /// Panics if one does not start.
    pub async fn temporary() -> Self {
        let (postgres, redis, nats) = tokio::join!(Postgres::temporary(), Redis::temporary(), Nats::temporary());
        Self { postgres: postgres.unwrap(), redis: redis.unwrap(), nats: nats.unwrap() }
    }
}

/// The URLs of a cluster's servers, as its roles are given them.
#[derive(Debug, Clone)]
pub struct ServerUrls {
    /// Of the database.
    pub postgres: String,
    /// Of the cache.
    pub redis: String,
    /// Of the queue; of several servers, separated by commas.
    pub nats: String,
}

impl Cluster {
    /// Starts servers and roles, with that many fetchers, and waits until a call can be answered.
    ///
    /// # Panics
    /// Panics if a part does not start.
    pub async fn start(fetchers: usize) -> Self {
        Self::start_with(fetchers, "").await
    }

    /// Like [`Cluster::start`], with lines added to the configuration file.
    ///
    /// # Panics
    /// Panics if a part does not start.
    pub async fn start_with(fetchers: usize, extra_config: &str) -> Self {
        Self::start_on(Servers::temporary().await, fetchers, extra_config, |_| {}).await
    }

    /// Like [`Cluster::start_with`], with Redis and Postgres behind proxies on one address each.
    ///
    /// # Panics
    /// Panics if a part does not start.
    pub async fn start_behind_proxies(fetchers: usize, extra_config: &str) -> (Self, ServerProxies) {
        let servers = Servers::temporary().await;
        let (redis, postgres) = (servers.redis.address(), servers.postgres.address());
        let proxies = ServerProxies { redis: TcpProxy::start(redis), postgres: TcpProxy::start(postgres) };
        let through = |url: &mut String, server: SocketAddr, proxy: &TcpProxy| {
            *url = url.replace(&server.to_string(), &proxy.address().to_string());
        };
        let cluster = Self::start_on(servers, fetchers, extra_config, |urls| {
            through(&mut urls.redis, redis, &proxies.redis);
            through(&mut urls.postgres, postgres, &proxies.postgres);
        });
        (cluster.await, proxies)
    }

    /// Starts roles on these servers; `change` may change the URLs of the servers in the configuration.
    ///
    /// # Panics
    /// Panics if a part does not start.
    pub async fn start_on(
        servers: Servers,
        fetchers: usize,
        extra_config: &str,
        change: impl FnOnce(&mut ServerUrls),
    ) -> Self {
        let site = OriginServer::start().await;
        let folder = tempfile::tempdir().unwrap();
        let Servers { postgres, redis, nats } = servers;
        let [gateway, extractor, metering, egress] =
            std::array::from_fn(|_| limner_local_servers::free_port().unwrap());
        let database = postgres.fresh_database().await.unwrap();
        let mut urls = ServerUrls { postgres: database.clone(), redis: redis.url(), nats: nats.url() };
        change(&mut urls);
        let config = folder.path().join("limner.toml");
        let text = format!(
            "data_dir = {:?}\npublic_url = \"http://127.0.0.1:{gateway}\"\n\
             [gateway]\nlisten = \"127.0.0.1:{gateway}\"\n[admin]\nlisten = \"127.0.0.1:0\"\n\
             [postgres]\nurl = \"{}\"\n[redis]\nurl = \"{}\"\n\
             [nats]\nurl = \"{}\"\nack_wait = \"3s\"\n\
             [extractor]\nlisten = \"127.0.0.1:{extractor}\"\nurl = \"http://127.0.0.1:{extractor}\"\n\
             [metering]\nlisten = \"127.0.0.1:{metering}\"\nurl = \"http://127.0.0.1:{metering}\"\n\
             [renderer]\nproxy = \"http://127.0.0.1:{egress}\"\n\
             [egress]\nlisten = \"127.0.0.1:{egress}\"\nsecret = \"proxy and renderers of a test know this\"\n\
             allow = [\"127.0.0.0/8\"]\n[egress.hosts]\n\"site.test\" = \"{}\"\n{extra_config}",
            folder.path().join("data"),
            urls.postgres,
            urls.redis,
            urls.nats,
            site.address()
        );
        std::fs::write(&config, text).unwrap();
        let migrated = Command::new(limner_binary()).args(["migrate", "--config"]).arg(&config).output().unwrap();
        assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
        let start = |role: &str| {
            RunningProcess::start(
                &[role, "--config", config.to_str().unwrap()],
                &folder.path().join(format!("{role}.log")),
            )
        };
        let (metering, extractor) = (start("metering"), start("extractor"));
        let fetchers = (0..fetchers).map(|_| start("fetcher")).collect();
        let mut gateway_process = start("gateway");
        let client = Client::new(gateway, config.clone());
        client.wait_until_ready(&mut gateway_process).await;
        Self {
            site,
            gateway: gateway_process,
            fetchers,
            extractor,
            metering,
            postgres,
            database,
            redis,
            nats,
            client,
            config,
            folder,
        }
    }

    /// Kills the gateway, unless it has exited, and restarts it.
    ///
    /// # Panics
    /// Panics if it does not start.
    pub async fn restart_gateway(&mut self) {
        self.gateway.kill();
        self.gateway = self.start_role("gateway");
        self.client.wait_until_ready(&mut self.gateway).await;
    }

    /// Returns a client that can be used while parts are stopped.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Starts another process of a role.
    pub fn start_role(&self, role: &str) -> RunningProcess {
        let log = self.folder.path().join(format!("{role}.log"));
        RunningProcess::start(&[role, "--config", self.config.to_str().unwrap_or_default()], &log)
    }

    /// Returns the logs of a role's processes.
    pub fn log(&self, role: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(format!("{role}.log"))).unwrap_or_default()
    }
}

impl Deref for Cluster {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}
