//! A private Redis.

use crate::process::{DataDir, Launch, Server};
use crate::{Durability, ServerError};
use crate::{executables, probe};
use rustix::process::Signal;
use std::net::SocketAddr;
use std::path::Path;

pub(crate) const STOP: Signal = Signal::TERM;

/// A private Redis server with its data in a directory.
pub struct Redis {
    server: Server,
    password: String,
}

impl Redis {
    /// Starts a server with its data in `dir`, which is created if missing. Returns once it answers `PING`.
    ///
    /// # Errors
    /// Redis is not installed, the directory is in use or inaccessible, or the server does not start.
    pub async fn start(dir: impl AsRef<Path>) -> Result<Self, ServerError> {
        Self::launch(DataDir::open(dir.as_ref(), STOP).await?, Durability::Durable).await
    }

    /// Starts a server for a test, with a temporary directory that is removed on drop.
    ///
    /// # Errors
    /// See [`Redis::start`].
    pub async fn temporary() -> Result<Self, ServerError> {
        Self::launch(DataDir::temporary("redis", STOP).await?, Durability::Throwaway).await
    }

    /// Starts a server for a test, with a clock that can be set.
    ///
    /// # Errors
    /// See [`Redis::start`].
    pub async fn temporary_with_clock() -> Result<Self, ServerError> {
        Self::launch(DataDir::temporary("redis", STOP).await?.with_clock()?, Durability::Throwaway).await
    }

    /// Sets its clock to the machine's time and so many seconds.
    ///
    /// # Errors
    /// It was not started with a clock, or that cannot be set.
    pub fn step_clock(&self, seconds: i64) -> Result<(), ServerError> {
        self.server.step_clock(seconds)
    }

    /// Removes all keys.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn remove_all_keys(&self) -> Result<(), ServerError> {
        self.command("FLUSHALL").await.map(drop)
    }

    /// Starts a replica of `primary` for a test, with the same password and a temporary directory. Returns once it has
    /// all data.
    ///
    /// # Errors
    /// See [`Redis::start`].
    pub async fn temporary_replica(primary: &Self) -> Result<Self, ServerError> {
        let dir = DataDir::temporary("redis", STOP).await?;
        dir.write_private("password", &primary.password)?;
        let replica = Self::launch(dir, Durability::Throwaway).await?;
        replica.follow(primary).await?;
        let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(30);
        while !replica.command("INFO replication").await?.contains("master_link_status:up") {
            if tokio::time::Instant::now() > deadline {
                return Err(replication_error("the replica does not get its primary's data".to_owned()));
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        Ok(replica)
    }

    /// Makes the server a replica of `primary`, as a fail-over does. Connections of clients stay open.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn follow(&self, primary: &Self) -> Result<(), ServerError> {
        let (address, password) = (primary.server.address(), &primary.password);
        self.command(&format!("CONFIG SET masterauth {password}")).await?;
        self.command(&format!("REPLICAOF {} {}", address.ip(), address.port())).await.map(drop)
    }

    /// Makes a replica a primary, as a fail-over does.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn promote(&self) -> Result<(), ServerError> {
        self.command("REPLICAOF NO ONE").await.map(drop)
    }

    /// Stores so many keys of a kilobyte, and hands them to replicas at once.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn fill(&self, keys: usize) -> Result<(), ServerError> {
        self.command("CONFIG SET repl-diskless-sync-delay 0").await?;
        let script =
            format!("for i = 1, {keys} do redis.call('SET', 'filled' .. i, string.rep('x', 1000)) end return 1");
        self.command(&format!("EVAL \"{script}\" 0")).await.map(drop)
    }

    /// Makes the server take so long for each key that it loads.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn load_slowly(&self, per_key: std::time::Duration) -> Result<(), ServerError> {
        self.command("CONFIG SET loading-process-events-interval-bytes 1024").await?;
        self.command(&format!("CONFIG SET key-load-delay {}", per_key.as_micros())).await.map(drop)
    }

    /// Returns true while the server loads its data.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn is_loading(&self) -> Result<bool, ServerError> {
        Ok(self.command("INFO persistence").await?.lines().any(|line| line == "loading:1"))
    }

    /// Makes a replica refuse reads while it has no primary.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn refuse_stale_data(&self) -> Result<(), ServerError> {
        self.command("CONFIG SET replica-serve-stale-data no").await.map(drop)
    }

    /// Serves TLS on another port as well, with the certificate and key in these files, which its user can read. May be
    /// repeated with other files.
    ///
    /// # Errors
    /// The server does not answer, or rejects the files.
    pub async fn serve_tls(&self, port: u16, certificate: &Path, key: &Path) -> Result<(), ServerError> {
        let (certificate, key) = (certificate.display(), key.display());
        self.command(&format!("CONFIG SET tls-auth-clients no tls-cert-file {certificate} tls-key-file {key}")).await?;
        self.command(&format!("CONFIG SET tls-port {port}")).await.map(drop)
    }

    /// Closes the connections of all clients.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn close_connections(&self) -> Result<(), ServerError> {
        self.command("CLIENT KILL TYPE normal").await.map(drop)
    }

    async fn command(&self, command: &str) -> Result<String, ServerError> {
        match probe::redis_command(self.server.address(), &self.password, command).await {
            Some(said) if !said.lines().any(|line| line.starts_with('-')) => Ok(said),
            said => Err(replication_error(format!("{command}: {said:?}"))),
        }
    }

    /// Returns the server's address.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    async fn launch(dir: DataDir, durability: Durability) -> Result<Self, ServerError> {
        let password = dir.password()?;
        let launch = |dir: &DataDir, address| launch(dir, address, &password, durability);
        let server = Server::start(dir, launch, |address| probe::redis(address, &password)).await?;
        Ok(Self { server, password })
    }

    /// Returns the server's URL, with its password.
    pub fn url(&self) -> String {
        url(self.server.address(), &self.password)
    }

    /// Returns true if the server's process exists, paused or not.
    pub fn is_running(&mut self) -> bool {
        self.server.is_running()
    }

    /// Stops the server; its data is saved.
    pub fn stop(&mut self) {
        self.server.stop();
    }

    /// Kills the server, like a crash.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Stops the server if it runs, and starts it on the same port.
    ///
    /// # Errors
    /// It does not start.
    pub async fn restart(&mut self) -> Result<(), ServerError> {
        self.server.restart(|address| probe::redis(address, &self.password)).await
    }

    /// Pauses the server: connections stay open but it does not respond.
    ///
    /// # Errors
    /// The guard that resumes the server when this process dies cannot be started.
    pub fn pause(&mut self) -> Result<(), ServerError> {
        self.server.pause()
    }

    /// Resumes a paused server.
    pub fn resume(&mut self) {
        self.server.resume();
    }
}

pub(crate) fn url(address: SocketAddr, password: &str) -> String {
    format!("redis://:{password}@{address}")
}

fn replication_error(output: String) -> ServerError {
    ServerError::Helper { program: "redis-server".to_owned(), output }
}

pub(crate) fn launch(
    dir: &DataDir,
    address: SocketAddr,
    password: &str,
    durability: Durability,
) -> Result<Launch, ServerError> {
    let data = dir.subdir("data")?;
    // As for a cache: an occasional snapshot suffices, and entries with an expiry are evicted first if memory is short.
    let save = match durability {
        Durability::Durable => "save 60 1",
        Durability::Throwaway => "save \"\"\nrepl-diskless-sync-delay 0",
    };
    let (ip, port, data) = (address.ip(), address.port(), data.display());
    let settings = format!(
        "bind {ip}\nport {port}\ndir \"{data}\"\nrequirepass {password}\n{save}\nappendonly no\n\
         maxmemory 512mb\nmaxmemory-policy volatile-lru\ndaemonize no\nlogfile \"\"\n"
    );
    let file = dir.write_private("redis.conf", &settings)?;
    let program = executables::find("redis-server", "redis-server")?;
    Ok(Launch { server: "Redis", program, args: vec![file.into()], stop: STOP })
}
