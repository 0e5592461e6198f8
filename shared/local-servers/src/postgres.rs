//! A private PostgreSQL.

use crate::process::{DataDir, Launch, Server, random_hex};
use crate::{Durability, ServerError};
use crate::{executables, probe, stale_processes};
use rustix::process::Signal;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// "Fast" shutdown: disconnects clients instead of waiting for them.
pub(crate) const STOP: Signal = Signal::INT;
/// Time limit for a stand-by to follow its primary.
const STANDBY_TIMEOUT: Duration = Duration::from_secs(20);
/// Message of the check that fails until a stand-by is synchronous.
const NO_STANDBY_YET: &str = "no stand-by is synchronous yet";
/// Name of the role and of the default database.
pub(crate) const NAME: &str = "limner";

/// A private PostgreSQL server with its data in a directory.
pub struct Postgres {
    server: Server,
    endpoint: PostgresEndpoint,
}

/// The address and credentials of a PostgreSQL server.
#[derive(Clone)]
pub struct PostgresEndpoint {
    pub(crate) address: SocketAddr,
    pub(crate) password: String,
    pub(crate) psql: PathBuf,
}

impl std::fmt::Debug for PostgresEndpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PostgresEndpoint").field(&self.address).finish()
    }
}

impl Postgres {
    /// Starts a server with durable data in `dir`, which is created if missing. Returns once it accepts queries.
    ///
    /// # Errors
    /// PostgreSQL is not installed, the directory is in use or inaccessible, or the server does not start.
    pub async fn start(dir: impl AsRef<Path>) -> Result<Self, ServerError> {
        Self::launch(DataDir::open(dir.as_ref(), STOP).await?, Durability::Durable).await
    }

    /// Starts a server for a test, with a temporary directory that is removed on drop.
    ///
    /// # Errors
    /// See [`Postgres::start`].
    pub async fn temporary() -> Result<Self, ServerError> {
        Self::launch(DataDir::temporary("postgres", STOP).await?, Durability::Throwaway).await
    }

    /// Starts a server for a test, with its data on a disk of that size.
    ///
    /// # Errors
    /// See [`Postgres::start`].
    pub async fn temporary_on_small_disk(megabytes: u32) -> Result<Self, ServerError> {
        let mut dir = DataDir::temporary("postgres", STOP).await?;
        let mut prepared = Prepared::new(&dir, Durability::Throwaway).await?;
        prepared.data = dir.mount_disk(megabytes, Some(&prepared.data))?.join("data");
        Self::run(dir, prepared).await
    }

    /// Starts a server for a test, with a clock that can be set.
    ///
    /// # Errors
    /// See [`Postgres::start`].
    pub async fn temporary_with_clock() -> Result<Self, ServerError> {
        let dir = DataDir::temporary("postgres", STOP).await?.with_clock()?;
        Self::launch(dir, Durability::Throwaway).await
    }

    /// Sets its clock to the machine's time and so many seconds.
    ///
    /// # Errors
    /// It was not started with a clock, or that cannot be set.
    pub fn step_clock(&self, seconds: i64) -> Result<(), ServerError> {
        self.server.step_clock(seconds)
    }

    /// Fills its disk.
    ///
    /// # Errors
    /// It cannot be filled.
    pub async fn fill_disk(&self) -> Result<(), ServerError> {
        self.server.dir().fill_disk().await
    }

    /// Frees what filled its disk.
    ///
    /// # Errors
    /// It cannot be freed.
    pub async fn free_disk(&self) -> Result<(), ServerError> {
        self.server.dir().free_disk().await
    }

    /// Starts a stand-by of `primary` for a test: a copy that follows it, with the same password. The primary's commits
    /// wait for it from now on.
    ///
    /// # Errors
    /// See [`Postgres::start`].
    pub async fn temporary_standby(primary: &Self) -> Result<Self, ServerError> {
        let dir = DataDir::temporary("postgres", STOP).await?;
        let PostgresEndpoint { address, password, .. } = &primary.endpoint;
        dir.write_private("password", password)?;
        let mut args: Vec<OsString> = vec!["-D".into(), dir.path().join("data").into(), "-d".into()];
        args.push(format!("postgres://{NAME}:{password}@{address}/postgres").into());
        args.extend(
            ["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"].map(OsString::from),
        );
        dir.run_helper(executables::postgres_bin_dir(None)?.join("pg_basebackup"), args).await?;
        let prepared = Prepared::new(&dir, Durability::Throwaway).await?;
        let server = Server::start(dir, |_, address| Ok(prepared.launch(address)), probe::postgres).await?;
        let endpoint = PostgresEndpoint { address: server.address(), ..primary.endpoint.clone() };
        primary.make_synchronous().await?;
        Ok(Self { server, endpoint })
    }

    /// Lets commits wait for the stand-by. Returns once they do.
    async fn make_synchronous(&self) -> Result<(), ServerError> {
        self.execute("ALTER SYSTEM SET synchronous_standby_names = '*'; SELECT pg_reload_conf()").await?;
        let deadline = Instant::now() + STANDBY_TIMEOUT;
        let has_standby = "EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')";
        let check = format!("DO $$ BEGIN ASSERT {has_standby}, '{NO_STANDBY_YET}'; END $$");
        while let Err(cause) = self.execute(&check).await {
            if !is_no_standby_yet(&cause) || Instant::now() >= deadline {
                return Err(cause);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // Commits look at a flag that the checkpointer sets: when it has made a checkpoint, it has read the setting.
        self.execute("CHECKPOINT").await
    }

    /// Makes a stand-by the primary. Returns once it accepts writes.
    ///
    /// # Errors
    /// It is no stand-by.
    pub async fn promote(&self) -> Result<(), ServerError> {
        self.execute("SELECT pg_promote()").await
    }

    /// Runs SQL as the superuser, each statement on its own.
    ///
    /// # Errors
    /// A statement fails.
    pub async fn execute(&self, sql: &str) -> Result<(), ServerError> {
        self.endpoint.execute(sql.to_owned()).await
    }

    pub(crate) fn endpoint(&self) -> &PostgresEndpoint {
        &self.endpoint
    }

    pub(crate) fn from_parts(server: Server, endpoint: impl FnOnce(SocketAddr) -> PostgresEndpoint) -> Self {
        let endpoint = endpoint(server.address());
        Self { server, endpoint }
    }

    pub(crate) fn password(&self) -> &str {
        &self.endpoint.password
    }

    /// Returns the server's address.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    async fn launch(dir: DataDir, durability: Durability) -> Result<Self, ServerError> {
        let prepared = Prepared::new(&dir, durability).await?;
        Self::run(dir, prepared).await
    }

    async fn run(dir: DataDir, prepared: Prepared) -> Result<Self, ServerError> {
        let server = Server::start(dir, |_, address| Ok(prepared.launch(address)), probe::postgres).await?;
        let endpoint = PostgresEndpoint {
            address: server.address(),
            password: prepared.password,
            psql: prepared.bin.join("psql"),
        };
        endpoint.create_database(NAME).await?;
        Ok(Self { server, endpoint })
    }

    /// Returns the URL of the database `limner`.
    pub fn url(&self) -> String {
        self.endpoint.url()
    }

    /// Creates an empty database and returns its URL.
    ///
    /// # Errors
    /// It cannot be created.
    pub async fn fresh_database(&self) -> Result<String, ServerError> {
        self.endpoint.fresh_database().await
    }

    /// Returns true if the server's process exists, paused or not.
    pub fn is_running(&mut self) -> bool {
        self.server.is_running()
    }

    /// Stops the server; the data is kept.
    pub fn stop(&mut self) {
        self.server.stop();
    }

    /// Kills the server, like a crash.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Stops the server if it runs, and starts it with the same data on the same port.
    ///
    /// # Errors
    /// It does not start.
    pub async fn restart(&mut self) -> Result<(), ServerError> {
        self.server.restart(probe::postgres).await
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

impl PostgresEndpoint {
    pub(crate) fn new(address: SocketAddr, password: String) -> Result<Self, ServerError> {
        Ok(Self { address, password, psql: executables::postgres_bin_dir(None)?.join("psql") })
    }

    /// Returns the URL of the database `limner`.
    pub fn url(&self) -> String {
        self.database_url(NAME)
    }

    fn database_url(&self, database: &str) -> String {
        format!("postgres://{NAME}:{}@{}/{database}", self.password, self.address)
    }

    /// Creates an empty database and returns its URL.
    ///
    /// # Errors
    /// It cannot be created.
    pub async fn fresh_database(&self) -> Result<String, ServerError> {
        let name = format!("test_{}", random_hex()?);
        self.create_database(&name).await?;
        Ok(self.database_url(&name))
    }

    /// Creates the database unless it exists.
    pub(crate) async fn create_database(&self, name: &str) -> Result<(), ServerError> {
        match self.execute(format!("CREATE DATABASE {name}")).await {
            Err(ServerError::Helper { output, .. }) if output.contains("already exists") => Ok(()),
            created => created,
        }
    }

    async fn execute(&self, script: String) -> Result<(), ServerError> {
        let (psql, address, password) = (self.psql.clone(), self.address, self.password.clone());
        let run = tokio::task::spawn_blocking(move || psql_script(&psql, address, &password, &script));
        run.await.map_err(|cause| ServerError::io("running psql")(std::io::Error::other(cause)))?
    }
}

/// Returns true if all that was wrong is that no stand-by is synchronous; other failures do not pass by waiting.
fn is_no_standby_yet(cause: &ServerError) -> bool {
    matches!(cause, ServerError::Helper { output, .. } if output.contains(NO_STANDBY_YET))
}

/// Passes the password in the environment, because arguments are visible to other users.
fn psql_script(psql: &Path, address: SocketAddr, password: &str, script: &str) -> Result<(), ServerError> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut command = Command::new(psql);
    command.args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"]);
    command.arg(format!("--dbname=postgres://{NAME}@{address}/postgres")).env("PGPASSWORD", password);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = || {
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(script.as_bytes())?;
        }
        child.wait_with_output()
    };
    let output = run().map_err(ServerError::io("running psql"))?;
    if output.status.success() {
        return Ok(());
    }
    let output = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(ServerError::Helper { program: "psql".to_owned(), output })
}

/// An initialised data directory and the options to serve it.
pub(crate) struct Prepared {
    bin: PathBuf,
    data: PathBuf,
    password: String,
    durability: Durability,
}

impl Prepared {
    pub(crate) async fn new(dir: &DataDir, durability: Durability) -> Result<Self, ServerError> {
        let data = dir.path().join("data");
        let major = std::fs::read_to_string(data.join("PG_VERSION")).ok();
        let bin = executables::postgres_bin_dir(major.as_deref().map(str::trim))?;
        let password = dir.password()?;
        if major.is_none() {
            initialise(dir, &bin, &data).await?;
        }
        stale_processes::clear_postmaster_pid(&data);
        Ok(Self { bin, data, password, durability })
    }

    pub(crate) fn launch(&self, address: SocketAddr) -> Launch {
        let mut args: Vec<OsString> = vec!["-D".into(), self.data.clone().into()];
        let mut settings = vec![
            format!("listen_addresses={}", address.ip()),
            format!("port={}", address.port()),
            "unix_socket_directories=".to_owned(),
            "max_connections=200".to_owned(),
            "log_min_messages=warning".to_owned(),
        ];
        if self.durability == Durability::Throwaway {
            // Commits still reach the operating system before they are acknowledged, so a killed server loses nothing.
            let hasty = ["fsync=off", "full_page_writes=off"];
            settings.extend(hasty.map(str::to_owned));
        }
        for setting in settings {
            args.extend(["-c".into(), setting.into()]);
        }
        Launch { server: "PostgreSQL", program: self.bin.join("postgres"), args, stop: STOP }
    }
}

/// Initialises the cluster in a temporary directory and renames it, so that an interrupted start leaves no incomplete
/// one.
async fn initialise(dir: &DataDir, bin: &Path, data: &Path) -> Result<(), ServerError> {
    let unfinished = dir.path().join("data.unfinished");
    for leftover in [&unfinished, data] {
        match std::fs::remove_dir_all(leftover) {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
                return Err(ServerError::io(format!("removing {}", leftover.display()))(cause));
            }
            _ => {}
        }
    }
    let mut password_file = OsString::from("--pwfile=");
    password_file.push(dir.path().join("password"));
    let mut args: Vec<OsString> = vec!["-D".into(), unfinished.clone().into(), password_file];
    let options = ["--username=limner", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"];
    args.extend(options.map(OsString::from));
    dir.run_helper(bin.join("initdb"), args).await?;
    std::fs::rename(&unfinished, data).map_err(ServerError::io(format!("moving {}", data.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_missing_standby_is_waited_for() {
        let failure = |output: &str| ServerError::Helper { program: "psql".to_owned(), output: output.to_owned() };
        assert!(is_no_standby_yet(&failure(&format!("psql:<stdin>:1: ERROR:  {NO_STANDBY_YET}"))));
        for output in ["psql: error: connection refused", "ERROR:  permission denied for view pg_stat_replication"] {
            assert!(!is_no_standby_yet(&failure(output)), "{output}");
        }
    }
}
