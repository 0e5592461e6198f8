//! Servers shared by all tests of a run. Under nextest each test is a process, so a supervisor process (`keeper.sh`)
//! owns the servers: the first test starts them, and they end a few seconds after the last one.
//!
//! Tests are isolated from each other by database, key prefix and subject prefix. A test that stops or pauses a server
//! starts a private one instead.

use crate::process::{DataDir, Launch, free_address, signal_name, spawn};
use crate::{Durability, PostgresEndpoint, ServerError};
use crate::{nats, postgres, probe, redis};
use std::fs::{File, OpenOptions};
use std::future::Future;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tokio::sync::OnceCell;

const KEEPER: &str = include_str!("keeper.sh");
/// Time for which a server outlives its last user, in seconds.
const GRACE: &str = "5";
const READY_TIMEOUT: Duration = Duration::from_secs(60);

/// The address of a shared server.
#[derive(Clone)]
pub struct SharedServerUrl {
    url: String,
}

impl SharedServerUrl {
    /// Returns the server's URL, including secrets.
    pub fn url(&self) -> String {
        self.url.clone()
    }
}

/// Returns the shared PostgreSQL.
///
/// # Panics
/// Panics if it is unavailable.
pub async fn postgres() -> PostgresEndpoint {
    static SHARED: OnceCell<PostgresEndpoint> = OnceCell::const_new();
    SHARED
        .get_or_init(|| async {
            let ready = |address, _| probe::postgres(address);
            let (address, password) = or_panic(join("postgres", launch_postgres, ready).await);
            let address = or_panic(PostgresEndpoint::new(address, password));
            or_panic(address.create_database("limner").await);
            address
        })
        .await
        .clone()
}

/// Returns the shared Redis.
///
/// # Panics
/// Panics if it is unavailable.
pub async fn redis() -> SharedServerUrl {
    static SHARED: OnceCell<SharedServerUrl> = OnceCell::const_new();
    SHARED
        .get_or_init(|| async {
            let ready = |address, password: String| async move { probe::redis(address, &password).await };
            let (address, password) = or_panic(join("redis", launch_redis, ready).await);
            SharedServerUrl { url: redis::url(address, &password) }
        })
        .await
        .clone()
}

/// Returns the shared NATS server, with JetStream.
///
/// # Panics
/// Panics if it is unavailable.
pub async fn nats() -> SharedServerUrl {
    static SHARED: OnceCell<SharedServerUrl> = OnceCell::const_new();
    SHARED
        .get_or_init(|| async {
            let ready = |address, password: String| async move { probe::nats(address, &password).await };
            let (address, password) = or_panic(join("nats", launch_nats, ready).await);
            SharedServerUrl { url: nats::url(address, &password) }
        })
        .await
        .clone()
}

async fn launch_postgres(dir: &DataDir, address: SocketAddr) -> Result<Launch, ServerError> {
    Ok(postgres::Prepared::new(dir, Durability::Throwaway).await?.launch(address))
}

async fn launch_redis(dir: &DataDir, address: SocketAddr) -> Result<Launch, ServerError> {
    redis::launch(dir, address, &dir.password()?, Durability::Throwaway)
}

async fn launch_nats(dir: &DataDir, address: SocketAddr) -> Result<Launch, ServerError> {
    nats::launch(dir, address, &dir.password()?, None)
}

fn or_panic<T>(result: Result<T, ServerError>) -> T {
    result.unwrap_or_else(|fault| panic!("a shared test server can't be had: {fault}"))
}

/// Registers as a user of the server `name`, which is started if no other test has.
async fn join<L, R, F>(name: &'static str, launch: L, ready: R) -> Result<(SocketAddr, String), ServerError>
where
    L: AsyncFn(&DataDir, SocketAddr) -> Result<Launch, ServerError>,
    R: Fn(SocketAddr, String) -> F,
    F: Future<Output = bool>,
{
    let base = base_dir()?;
    let users = base.join(format!("{name}.users"));
    let state = base.join(format!("{name}.state"));
    let membership = open(&users)?;
    let membership = blocking(move || membership.lock_shared().map(|()| membership)).await?;
    // Held until this process ends.
    std::mem::forget(membership);
    let starting = open(&base.join(format!("{name}.starting")))?;
    let _starting = blocking(move || starting.lock().map(|()| starting)).await?;

    if let Some((address, password)) = read_state(&state)
        && ready(address, password.clone()).await
    {
        return Ok((address, password));
    }
    let folder = format!("{name}-{}", crate::process::random_hex()?);
    let dir = DataDir::open(&base.join(folder), rustix::process::Signal::KILL).await?;
    let (address, password) = (free_address()?, dir.password()?);
    let launch = launch(&dir, address).await?;
    start_keeper(&base, &users, &state, &dir, &launch)?;
    let deadline = Instant::now() + READY_TIMEOUT;
    while !ready(address, password.clone()).await {
        if Instant::now() > deadline {
            return Err(ServerError::NotReady { server: launch.server, within: READY_TIMEOUT, log: dir.log_tail() });
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    write_state(&state, address, &password)?;
    Ok((address, password))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, ServerError> {
    let joined = tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other);
    joined.and_then(|result| result).map_err(ServerError::io("locking a shared test server"))
}

/// Starts the supervisor, which starts the server. It is detached, and ends by itself when it has no users.
fn start_keeper(base: &Path, users: &Path, state: &Path, dir: &DataDir, launch: &Launch) -> Result<(), ServerError> {
    let script = keeper_script(base)?;
    let log = dir.open_log()?;
    let log_too = log.try_clone().map_err(ServerError::io("starting the keeper"))?;
    let mut command = Command::new("sh");
    command.arg(&script).args([users, state, dir.path()]).arg(GRACE);
    command.arg(signal_name(launch.stop));
    if let Some((uid, gid)) = dir.user_ids() {
        command.args(["setpriv", "--clear-groups", &format!("--reuid={uid}"), &format!("--regid={gid}"), "--"]);
        command.args(["setpriv", "--pdeathsig", signal_name(launch.stop), "--"]);
    }
    command.arg(&launch.program).args(&launch.args);
    command.current_dir(base).process_group(0).stdin(Stdio::null()).stdout(log).stderr(log_too);
    spawn(command).map(drop).map_err(ServerError::io("starting the keeper"))
}

/// Written and renamed, because other tests may be about to run it.
fn keeper_script(base: &Path) -> Result<PathBuf, ServerError> {
    let script = base.join("keeper.sh");
    if !script.exists() {
        let unfinished = base.join(format!("keeper-{}", crate::process::random_hex()?));
        std::fs::write(&unfinished, KEEPER)
            .and_then(|()| std::fs::rename(&unfinished, &script))
            .map_err(ServerError::io(format!("writing {}", script.display())))?;
    }
    Ok(script)
}

/// Returns a directory for each clone of the repository and user, outside of it: the servers' unprivileged user may be
/// unable to enter the clone.
fn base_dir() -> Result<PathBuf, ServerError> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut clone = DefaultHasher::new();
    (env!("CARGO_MANIFEST_DIR"), KEEPER).hash(&mut clone);
    let uid = rustix::process::geteuid().as_raw();
    let base = std::env::temp_dir().join(format!("limner-servers-{uid}-{:016x}", clone.finish()));
    let prepare = || {
        std::fs::DirBuilder::new().recursive(true).mode(0o755).create(&base)?;
        std::fs::set_permissions(&base, std::fs::Permissions::from_mode(0o755))?;
        let owner = std::fs::metadata(&base)?.uid();
        if owner == uid { Ok(()) } else { Err(std::io::Error::other("it belongs to another user")) }
    };
    prepare().map_err(ServerError::io(format!("preparing {}", base.display())))?;
    Ok(base)
}

fn open(path: &Path) -> Result<File, ServerError> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    file.map_err(ServerError::io(format!("opening {}", path.display())))
}

fn read_state(path: &Path) -> Option<(SocketAddr, String)> {
    let text = std::fs::read_to_string(path).ok()?;
    let (address, password) = text.trim().split_once(' ')?;
    Some((address.parse().ok()?, password.to_owned()))
}

fn write_state(path: &Path, address: SocketAddr, password: &str) -> Result<(), ServerError> {
    crate::unprivileged_user::write_private(path, &format!("{address} {password}\n"), None)
}
