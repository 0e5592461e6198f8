//! A server process that never outlives this one: stopped on drop, and by the kernel if this process is killed.

use crate::ServerError;
use crate::clock_and_disk::{ServerClock, SmallDisk};
use crate::stale_processes;
use crate::unprivileged_user;
use crate::unprivileged_user::User;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::future::Future;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

const READY_TIMEOUT: Duration = Duration::from_secs(60);
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(10);
/// Size above which a log is truncated when its server starts.
const LOG_BYTES: u64 = 4 << 20;
/// Number of attempts, because another process may take a free port before the server binds it.
const PORT_ATTEMPTS: u32 = 5;

/// The parameters of a server's start.
pub(crate) struct Launch {
    pub(crate) server: &'static str,
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    /// Signal for a prompt, clean shutdown.
    pub(crate) stop: Signal,
}

/// The directory of a server: locked while in use, owned by the server's user.
pub(crate) struct DataDir {
    path: PathBuf,
    user: Option<User>,
    /// The clock of the server, if a test sets it.
    clock: Option<ServerClock>,
    /// The disk of the server, if a test fills it.
    disk: Option<SmallDisk>,
    _lock: File,
    /// Removed with the server if it is temporary.
    _temporary: Option<tempfile::TempDir>,
}

impl DataDir {
    /// Prepares and locks a directory, and waits for a crashed predecessor's server to exit.
    pub(crate) async fn open(path: &Path, stop: Signal) -> Result<Self, ServerError> {
        Self::prepare(path, None, stop).await
    }

    /// Creates a temporary directory, removed on drop.
    pub(crate) async fn temporary(server: &str, stop: Signal) -> Result<Self, ServerError> {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::Builder::new()
            .prefix(&format!("limner-{server}-"))
            .permissions(std::fs::Permissions::from_mode(0o755))
            .tempdir()
            .map_err(ServerError::io("making a temporary folder"))?;
        let path = dir.path().join("data");
        Self::prepare(&path, Some(dir), stop).await
    }

    async fn prepare(path: &Path, temporary: Option<tempfile::TempDir>, stop: Signal) -> Result<Self, ServerError> {
        let path = std::path::absolute(path).map_err(ServerError::io(format!("resolving {}", path.display())))?;
        let user = unprivileged_user::for_data_in(&path)?;
        unprivileged_user::prepare_dir(&path, user.as_ref())?;
        let lock = lock_dir(&path)?;
        stale_processes::clear(&path, stop).await;
        Ok(Self { path, user, clock: None, disk: None, _lock: lock, _temporary: temporary })
    }

    /// Gives the server a clock that can be set.
    pub(crate) fn with_clock(mut self) -> Result<Self, ServerError> {
        self.clock = Some(ServerClock::new(&self.path)?);
        Ok(self)
    }

    /// Returns the clock of the server, if it can be set.
    pub(crate) fn clock(&self) -> Option<&ServerClock> {
        self.clock.as_ref()
    }

    /// Mounts a disk of that size at [`SmallDisk::folder`] for the server, with a copy of `data` if given.
    pub(crate) fn mount_disk(&mut self, megabytes: u32, data: Option<&Path>) -> Result<PathBuf, ServerError> {
        let folder = self.subdir("disk")?;
        let mut script = format!("mount -t tmpfs -o size={megabytes}m,mode=0700 tmpfs \"$1\"");
        script += " && { [ -z \"$2\" ] || cp -a \"$2\" \"$1\"; } && echo mounted && exec setpriv --pdeathsig KILL -- sleep infinity";
        let mut args: Vec<OsString> =
            ["--user", "--map-current-user", "--keep-caps", "--mount", "--propagation", "private", "--", "sh", "-c"]
                .map(OsString::from)
                .to_vec();
        args.extend([script.into(), "sh".into(), folder.clone().into()]);
        args.push(data.map(Path::as_os_str).unwrap_or_default().to_owned());
        let mut command = self.command(Path::new("unshare"), &args, Signal::KILL);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let holder = spawn(command).map_err(ServerError::io("starting unshare"))?;
        self.disk = Some(SmallDisk::mounted_by(holder, folder.clone())?);
        Ok(folder)
    }

    /// Fills the disk of the server to the last byte.
    pub(crate) async fn fill_disk(&self) -> Result<(), ServerError> {
        let disk = self.small_disk()?;
        // It ends when there is no space left.
        let script =
            "dd if=/dev/zero of=\"$1\" bs=64k 2>/dev/null; dd if=/dev/zero of=\"$1.rest\" bs=1 2>/dev/null; true";
        let args = vec!["-c".into(), script.into(), "sh".into(), disk.folder().join("filler").into()];
        self.run_helper("/bin/sh".into(), args).await
    }

    /// Returns the server's own small disk.
    fn small_disk(&self) -> Result<&SmallDisk, ServerError> {
        let unsupported = ServerError::io("using the small disk of a server that has none");
        self.disk.as_ref().ok_or_else(|| unsupported(ErrorKind::Unsupported.into()))
    }

    /// Frees what [`Self::fill_disk`] filled.
    pub(crate) async fn free_disk(&self) -> Result<(), ServerError> {
        let disk = self.small_disk()?;
        let args = ["filler", "filler.rest"].map(|name| disk.folder().join(name).into());
        self.run_helper("/bin/rm".into(), args.to_vec()).await
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a subdirectory, private to the server as well.
    pub(crate) fn subdir(&self, name: &str) -> Result<PathBuf, ServerError> {
        let path = self.path.join(name);
        unprivileged_user::prepare_dir(&path, self.user.as_ref())?;
        Ok(path)
    }

    /// Writes a file that only the server (and root) can read.
    pub(crate) fn write_private(&self, name: &str, text: &str) -> Result<PathBuf, ServerError> {
        let path = self.path.join(name);
        unprivileged_user::write_private(&path, text, self.user.as_ref())?;
        Ok(path)
    }

    /// Returns the server's password: generated on first use, then stored with the data.
    pub(crate) fn password(&self) -> Result<String, ServerError> {
        let path = self.path.join("password");
        if let Ok(password) = std::fs::read_to_string(&path) {
            return Ok(password.trim().to_owned());
        }
        let password = random_hex()?;
        self.write_private("password", &password)?;
        Ok(password)
    }

    /// Runs a helper program to completion, as the server's user.
    pub(crate) async fn run_helper(&self, program: PathBuf, args: Vec<OsString>) -> Result<(), ServerError> {
        let mut command = self.command(&program, &args, Signal::KILL);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let name = program.display().to_string();
        let child = spawn(command).map_err(ServerError::io(format!("starting {name}")))?;
        let output = tokio::task::spawn_blocking(move || child.wait_with_output())
            .await
            .map_err(|cause| ServerError::io(format!("waiting for {name}"))(std::io::Error::other(cause)))?
            .map_err(ServerError::io(format!("waiting for {name}")))?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].concat();
        Err(ServerError::Helper { program: name, output: String::from_utf8_lossy(&said).trim().to_owned() })
    }

    /// Builds a command. `setpriv --pdeathsig` asks the kernel to signal the program when this process dies for any
    /// reason. Its own process group keeps Ctrl-C on a terminal away from it: this process decides when it ends.
    fn command(&self, program: &Path, args: &[OsString], on_our_death: Signal) -> Command {
        let mut command = match &self.disk {
            // After the change of namespaces, which forgets the signal.
            Some(disk) => disk.command("setpriv"),
            None => Command::new("setpriv"),
        };
        command.arg("--pdeathsig").arg(signal_name(on_our_death)).arg("--").arg(program).args(args);
        command.current_dir(&self.path).process_group(0);
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
        if let Some(clock) = &self.clock {
            clock.apply(&mut command);
        }
        if let Some(user) = &self.user {
            command.uid(user.uid).gid(user.gid);
        }
        command
    }

    fn log(&self) -> PathBuf {
        self.path.join("server.log")
    }

    /// Opens the log for the server's output.
    pub(crate) fn open_log(&self) -> Result<File, ServerError> {
        if std::fs::metadata(self.log()).is_ok_and(|log| log.len() > LOG_BYTES) {
            // Only the last start matters; a log that cannot be removed continues to grow.
            let _ = std::fs::remove_file(self.log());
        }
        let log = OpenOptions::new().create(true).append(true).open(self.log());
        log.map_err(ServerError::io(format!("opening {}", self.log().display())))
    }

    /// Returns the user and group of the server, if they differ from this process's.
    pub(crate) fn user_ids(&self) -> Option<(u32, u32)> {
        self.user.as_ref().map(|user| (user.uid, user.gid))
    }

    pub(crate) fn log_tail(&self) -> String {
        let log = std::fs::read(self.log()).unwrap_or_default();
        let text = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(15)..].join("\n")
    }
}

fn lock_dir(path: &Path) -> Result<File, ServerError> {
    let file = path.join("lock");
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&file);
    let lock = lock.map_err(ServerError::io(format!("opening {}", file.display())))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(ServerError::InUse(path.to_owned())),
        Err(TryLockError::Error(cause)) => Err(ServerError::io(format!("locking {}", file.display()))(cause)),
    }
}

/// Returns 128 random bits in hexadecimal.
pub(crate) fn random_hex() -> Result<String, ServerError> {
    use std::io::Read;
    let mut bytes = [0_u8; 16];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .map_err(ServerError::io("reading /dev/urandom"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A running server.
pub(crate) struct Server {
    launch: Launch,
    dir: DataDir,
    address: SocketAddr,
    child: Option<Child>,
    paused: Option<FrozenProcesses>,
}

impl Server {
    /// Starts a server on a free port and waits until `ready` returns true. `launch` is called for each port.
    pub(crate) async fn start<L, R, F>(dir: DataDir, launch: L, ready: R) -> Result<Self, ServerError>
    where
        L: Fn(&DataDir, SocketAddr) -> Result<Launch, ServerError>,
        R: Fn(SocketAddr) -> F,
        F: Future<Output = bool>,
    {
        let mut attempt = 1;
        let address = free_address()?;
        let mut server = Self { launch: launch(&dir, address)?, dir, address, child: None, paused: None };
        loop {
            match server.run(&ready).await {
                Err(ServerError::Ended { .. }) if attempt < PORT_ATTEMPTS && is_port_in_use(server.address) => {
                    attempt += 1;
                    server.address = free_address()?;
                    server.launch = launch(&server.dir, server.address)?;
                }
                Err(fault) => return Err(fault),
                Ok(()) => return Ok(server),
            }
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the directory of the server.
    pub(crate) fn dir(&self) -> &DataDir {
        &self.dir
    }

    /// Sets the clock of the server to the machine's time and so many seconds.
    pub(crate) fn step_clock(&self, seconds: i64) -> Result<(), ServerError> {
        let none = || ServerError::io("setting the clock of a server")(std::io::ErrorKind::Unsupported.into());
        self.dir.clock().ok_or_else(none)?.step(seconds)
    }

    /// Stops the server and starts it with the same data on the same port.
    pub(crate) async fn restart<R, F>(&mut self, ready: R) -> Result<(), ServerError>
    where
        R: Fn(SocketAddr) -> F,
        F: Future<Output = bool>,
    {
        self.shut_down().await;
        self.run(&ready).await
    }

    /// Like [`Self::stop`], but other tasks go on meanwhile: a test's calls are answered in time.
    async fn shut_down(&mut self) {
        if !self.is_running() {
            return self.stop();
        }
        self.signal(self.launch.stop);
        // A paused process receives its signal only when it is resumed.
        self.resume();
        let deadline = Instant::now() + STOP_TIMEOUT;
        while self.is_running() && Instant::now() < deadline {
            tokio::time::sleep(POLL).await;
        }
        self.kill();
    }

    async fn run<R, F>(&mut self, ready: &R) -> Result<(), ServerError>
    where
        R: Fn(SocketAddr) -> F,
        F: Future<Output = bool>,
    {
        let doing = format!("starting {}", self.launch.program.display());
        let log = self.dir.open_log()?;
        let log_too = log.try_clone().map_err(ServerError::io(doing.clone()))?;
        let mut command = self.dir.command(&self.launch.program, &self.launch.args, self.launch.stop);
        command.stdin(Stdio::null()).stdout(log).stderr(log_too);
        let child = spawn(command).map_err(ServerError::io(doing.clone()))?;
        stale_processes::record(self.dir.path(), child.id()).map_err(ServerError::io(doing))?;
        tracing::debug!(server.name = self.launch.server, process.id = child.id(), "private server started");
        self.child = Some(child);
        self.wait_until(ready).await.inspect_err(|_| self.stop())
    }

    async fn wait_until<R, F>(&mut self, ready: &R) -> Result<(), ServerError>
    where
        R: Fn(SocketAddr) -> F,
        F: Future<Output = bool>,
    {
        let deadline = Instant::now() + READY_TIMEOUT;
        while !ready(self.address).await {
            if let Some(status) = self.exit_status() {
                let (server, log) = (self.launch.server, self.dir.log_tail());
                return Err(ServerError::Ended { server, status, log });
            }
            if Instant::now() > deadline {
                let (server, log) = (self.launch.server, self.dir.log_tail());
                return Err(ServerError::NotReady { server, within: READY_TIMEOUT, log });
            }
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    fn exit_status(&mut self) -> Option<String> {
        match self.child.as_mut()?.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(status.to_string()),
            Err(cause) => Some(cause.to_string()),
        }
    }

    /// Returns true if the process exists, paused or not.
    pub(crate) fn is_running(&mut self) -> bool {
        self.child.is_some() && self.exit_status().is_none()
    }

    /// Requests a shutdown, waits, and kills the server if it takes too long. No effect if it has exited.
    pub(crate) fn stop(&mut self) {
        self.end(self.launch.stop);
    }

    /// Kills the server, like a crash.
    pub(crate) fn kill(&mut self) {
        self.end(Signal::KILL);
    }

    fn end(&mut self, with: Signal) {
        let Some(mut child) = self.child.take() else { return };
        if matches!(child.try_wait(), Ok(None)) {
            // Its process id is not reused before it has been waited for.
            signal(child.id(), with);
        }
        // A paused process receives its signal only when it is resumed.
        self.paused = None;
        let deadline = Instant::now() + STOP_TIMEOUT;
        loop {
            match child.try_wait() {
                Ok(None) if Instant::now() > deadline => break,
                Ok(None) => std::thread::sleep(POLL),
                Ok(Some(_)) | Err(_) => {
                    stale_processes::forget(self.dir.path());
                    return;
                }
            }
        }
        tracing::warn!(server.name = self.launch.server, "private server did not stop in time; killing it");
        signal(child.id(), Signal::KILL);
        let _ = child.wait();
        stale_processes::forget(self.dir.path());
    }

    /// Sends a signal, if the server runs.
    pub(crate) fn signal(&self, with: Signal) {
        if let Some(child) = &self.child {
            signal(child.id(), with);
        }
    }

    /// Pauses the server and its child processes: connections stay open but it does not respond.
    pub(crate) fn pause(&mut self) -> Result<(), ServerError> {
        if self.paused.is_some() {
            return Ok(());
        }
        let Some(child) = &self.child else { return Ok(()) };
        self.paused = Some(FrozenProcesses::suspend(child.id()).map_err(ServerError::io("pausing a server"))?);
        Ok(())
    }

    /// Resumes a paused server.
    pub(crate) fn resume(&mut self) {
        self.paused = None;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A paused process tree. A guard process resumes it when this is dropped, and also if this process is killed: a paused
/// server would not receive its parent-death signal, and would stay for ever.
struct FrozenProcesses {
    guard: Child,
}

impl FrozenProcesses {
    fn suspend(pid: u32) -> std::io::Result<Self> {
        let mut family = children(pid);
        family.push(pid);
        let script = format!("read _; kill -CONT {}", join(&family));
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let guard = command.process_group(0).spawn()?;
        // The parent first, so that it starts no further children.
        for pid in family.iter().rev() {
            signal(*pid, Signal::STOP);
        }
        Ok(Self { guard })
    }
}

impl Drop for FrozenProcesses {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        let _ = self.guard.wait();
    }
}

fn children(pid: u32) -> Vec<u32> {
    let listed = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    listed.split_whitespace().filter_map(|child| child.parse().ok()).collect()
}

fn join(pids: &[u32]) -> String {
    pids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// Returns the signal's name for `setpriv` and `kill`.
pub(crate) fn signal_name(signal: Signal) -> &'static str {
    match signal {
        Signal::INT => "INT",
        Signal::TERM => "TERM",
        _ => "KILL",
    }
}

fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // It may have exited meanwhile, which is the intention.
        let _ = kill_process(pid, signal);
    }
}

/// Ports that operating systems do not use for outgoing connections: a free port stays free while its server restarts.
const PORTS: std::ops::Range<u16> = 10_000..30_000;

/// Returns a loopback port without listener; concurrent processes get different ones.
///
/// # Errors
/// All are in use.
pub fn free_port() -> std::io::Result<u16> {
    static NEXT: OnceLock<AtomicU16> = OnceLock::new();
    let span = PORTS.end - PORTS.start;
    // Consecutive processes have consecutive ids: their ports must not be consecutive.
    let next = NEXT.get_or_init(|| AtomicU16::new((std::process::id().wrapping_mul(7_919) % u32::from(span)) as u16));
    for _ in 0..span {
        let port = PORTS.start + next.fetch_add(1, Ordering::Relaxed) % span;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    Err(std::io::ErrorKind::AddrInUse.into())
}

pub(crate) fn free_address() -> Result<SocketAddr, ServerError> {
    let port = free_port().map_err(ServerError::io("finding a free port"))?;
    Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
}

fn is_port_in_use(address: SocketAddr) -> bool {
    TcpListener::bind(address).is_err()
}

type SpawnRequest = (Command, mpsc::Sender<std::io::Result<Child>>);

/// Starts a process from a thread that lives as long as this process: the kernel sends the parent-death signal when the
/// *thread* that started a process ends, and threads of tests and blocking pools are short-lived.
pub(crate) fn spawn(command: Command) -> std::io::Result<Child> {
    static SPAWNER: OnceLock<mpsc::Sender<SpawnRequest>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (sender, requests) = mpsc::channel::<SpawnRequest>();
        std::thread::spawn(move || {
            for (mut command, answer) in requests {
                let _ = answer.send(command.spawn());
            }
        });
        sender
    });
    let (answer, result) = mpsc::channel();
    let gone = |_| std::io::Error::other("the spawning thread is gone");
    spawner.send((command, answer)).map_err(|_| std::io::Error::other("the spawning thread is gone"))?;
    result.recv().map_err(gone)?
}
