//! A browser process: its profile, its pipe, its process group, and its termination.

use super::{ca_certificates, flags};
use crate::cdp::{Connection, Event};
use crate::config::BrowserConfig;
use command_fds::{CommandFdExt, FdMapping};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs::{File, TryLockError};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::net::unix::pipe;
use tokio::sync::mpsc;

/// A failure to start a browser.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A system call failed.
    #[error("{doing}: {cause}")]
    System {
        /// The attempted action.
        doing: String,
        /// The operating system's error.
        #[source]
        cause: io::Error,
    },
    /// Browsers must not run as root, and no other user is available.
    #[error("no unprivileged user to run the browser as: neither `limner` nor `nobody` is known here")]
    NoUser,
    /// The browser did not respond.
    #[error("the browser did not start: {cause}\n{log}")]
    Silent {
        /// The error that occurred instead.
        cause: String,
        /// The end of its log.
        log: String,
    },
}

fn system(doing: impl Into<String>) -> impl FnOnce(io::Error) -> LaunchError {
    let doing = doing.into();
    |cause| LaunchError::System { doing, cause }
}

/// Users that browsers run as if this process is root, in order of preference.
const USERS: [&str; 2] = ["limner", "nobody"];
/// File descriptors of the browser's ends of the pipe.
const COMMANDS_FD: i32 = 3;
const RESPONSES_FD: i32 = 4;
/// Time limit for killed processes to disappear.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);
const PROFILE_PREFIX: &str = "browser-";

/// A browser process and its descendants. Dropping it ends them.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// Removed last, when no process writes there any more.
    profile: ProfileDir,
}

/// A profile directory, locked while it is in use.
#[derive(Debug)]
struct ProfileDir {
    dir: Option<tempfile::TempDir>,
    _lock: File,
}

impl Process {
    /// Starts a browser. It may not be ready to respond yet.
    pub(crate) fn start(config: &BrowserConfig) -> Result<(Self, Connection, mpsc::Receiver<Event>), LaunchError> {
        let user = unprivileged_user()?;
        let profile = ProfileDir::make(&config.profiles, user)?;
        if let Some(pem) = &config.extra_ca_pem {
            ca_certificates::authorities(pem, profile.path(), user).map_err(system("trusting egress.extra_ca"))?;
        }
        let (commands, from_us) = pipe_ends("making a pipe")?;
        let (to_us, answers) = pipe_ends("making a pipe")?;
        let log = File::create(profile.path().join("log")).map_err(system("making a log"))?;
        let mut command = Command::new(&config.chromium);
        command
            .args(flags::arguments(config, profile.path()))
            .current_dir(profile.path())
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", profile.path())
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            // Its own process group: it is ended with all its descendants, and does not receive Ctrl-C from a terminal.
            .process_group(0);
        if let Some((uid, gid)) = user {
            command.uid(uid).gid(gid);
        }
        let mappings = vec![
            FdMapping { parent_fd: commands, child_fd: COMMANDS_FD },
            FdMapping { parent_fd: answers, child_fd: RESPONSES_FD },
        ];
        command.fd_mappings(mappings).map_err(|cause| system("passing a pipe")(io::Error::other(cause)))?;
        let child = command.spawn().map_err(system(format!("starting {}", config.chromium.display())))?;
        // Dropping the command closes our copies of the browser's ends, so that the pipe ends with the browser.
        drop(command);
        let sender = pipe::Sender::from_owned_fd(from_us).map_err(system("opening a pipe"))?;
        let receiver = pipe::Receiver::from_owned_fd(to_us).map_err(system("opening a pipe"))?;
        let (connection, events) = Connection::new(receiver, sender);
        Ok((Self { child, profile }, connection, events))
    }

    /// Returns the last lines of its log.
    pub(crate) fn log_tail(&self) -> String {
        let log = std::fs::read(self.profile.path().join("log")).unwrap_or_default();
        let text = String::from_utf8_lossy(&log[log.len().saturating_sub(4_096)..]).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(10)..].join("\n")
    }

    /// Returns the private memory of the browser and its processes, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        process_group(self.child.id()).map(|member| private_memory(member.pid).unwrap_or(0)).sum()
    }

    /// Returns the running processes of the browser.
    pub(super) fn members(&self) -> Vec<Member> {
        process_group(self.child.id()).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let id = self.child.id();
        if let Some(group) = pid_of(id) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
        // Its children are reaped by other processes; a profile can only be removed once no process writes there.
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while Instant::now() < deadline {
            if process_group(id).next().is_none() {
                let detached: Vec<Pid> = detached_processes(self.profile.path(), id).collect();
                if detached.is_empty() {
                    break;
                }
                for pid in detached {
                    let _ = kill_process(pid, Signal::KILL);
                }
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl ProfileDir {
    fn make(parent: &Path, user: Option<(u32, u32)>) -> Result<Self, LaunchError> {
        let doing = || system(format!("making a profile in {}", parent.display()));
        std::fs::DirBuilder::new().recursive(true).mode(0o755).create(parent).map_err(doing())?;
        sweep(parent);
        let dir = tempfile::Builder::new().prefix(PROFILE_PREFIX).tempdir_in(parent).map_err(doing())?;
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o700)).map_err(doing())?;
        // The lock file is next to the directory, not in the browser's directory.
        let lock = File::create(lock_path(dir.path())).map_err(doing())?;
        lock.try_lock().map_err(|cause| doing()(io::Error::other(cause.to_string())))?;
        if let Some((uid, gid)) = user {
            chown(dir.path(), Some(uid), Some(gid)).map_err(doing())?;
        }
        Ok(Self { dir: Some(dir), _lock: lock })
    }

    fn path(&self) -> &Path {
        self.dir.as_ref().map_or(Path::new("/"), tempfile::TempDir::path)
    }
}

impl Drop for ProfileDir {
    fn drop(&mut self) {
        let Some(dir) = self.dir.take() else { return };
        let lock = lock_path(dir.path());
        if let Err(cause) = dir.close() {
            // The next start of a browser sweeps again.
            tracing::warn!(error = %cause, "cannot remove a browser profile");
            return;
        }
        let _ = std::fs::remove_file(lock);
    }
}

fn lock_path(profile: &Path) -> PathBuf {
    profile.with_extension("lock")
}

/// Removes unlocked profiles, left by killed processes.
fn sweep(parent: &Path) {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries {
        let path = entry.path();
        let is_profile = entry.file_name().to_string_lossy().starts_with(PROFILE_PREFIX) && path.is_dir();
        if !is_profile {
            continue;
        }
        // A profile without a lock is just being created or removed.
        let Ok(lock) = File::open(lock_path(&path)) else { continue };
        match lock.try_lock() {
            Ok(()) => {
                let _ = std::fs::remove_dir_all(&path);
                let _ = std::fs::remove_file(lock_path(&path));
            }
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
}

fn pipe_ends(doing: &str) -> Result<(OwnedFd, OwnedFd), LaunchError> {
    let (reader, writer) = io::pipe().map_err(system(doing))?;
    Ok((reader.into(), writer.into()))
}

/// Returns the user that browsers run as; `None` if this process is not root and browsers run as its user. Chromium's
/// sandbox does not work for root.
fn unprivileged_user() -> Result<Option<(u32, u32)>, LaunchError> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let passwd = std::fs::read_to_string("/etc/passwd").map_err(system("reading /etc/passwd"))?;
    let ids = |name: &str| {
        let mut fields = passwd.lines().map(|line| line.split(':').collect::<Vec<_>>());
        let fields = fields.find(|fields| fields.first() == Some(&name))?;
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    };
    USERS.iter().find_map(|name| ids(name)).map(Some).ok_or(LaunchError::NoUser)
}

pub(super) fn pid_of(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

/// A running process of a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) pid: u32,
    /// Of all its threads, in steps of a clock tick.
    pub(super) processor_time: Duration,
}

/// Returns the processes of a group.
fn process_group(group: u32) -> impl Iterator<Item = Member> {
    process_ids().filter_map(move |pid| {
        let stat = ProcessStat::read(pid)?;
        let is_member = stat.group == group && !stat.is_zombie;
        is_member.then_some(Member { pid, processor_time: stat.processor_time })
    })
}

/// Returns the crash handlers of the browser with that profile. They begin sessions of their own: the signal that ends
/// the browser's group does not reach them. Their arguments name the profile, and can be read whatever user they run as.
fn detached_processes(profile: &Path, group: u32) -> impl Iterator<Item = Pid> {
    let database = [b"--database=", profile.as_os_str().as_encoded_bytes(), b"/"].concat();
    process_ids().filter_map(move |pid| {
        ProcessStat::read(pid).filter(|stat| stat.group != group && !stat.is_zombie)?;
        let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let is_of_browser = arguments.split(|byte| *byte == 0).any(|argument| argument.starts_with(&database));
        is_of_browser.then(|| pid_of(pid))?
    })
}

/// Returns the ids of all processes.
fn process_ids() -> impl Iterator<Item = u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Fields of `/proc/PID/stat`.
struct ProcessStat {
    group: u32,
    is_zombie: bool,
    processor_time: Duration,
}

impl ProcessStat {
    fn read(pid: u32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The second field is the program's name in parentheses and may contain anything.
        let (_, after_name) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = after_name.split_whitespace().collect();
        let ticks: u64 = fields.get(11..13)?.iter().filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        let per_second = rustix::param::clock_ticks_per_second().max(1);
        Some(Self {
            group: fields.get(2)?.parse().ok()?,
            is_zombie: *fields.first()? == "Z",
            processor_time: Duration::from_millis(ticks.saturating_mul(1_000) / per_second),
        })
    }
}

/// Returns resident memory without shared memory.
fn private_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1_024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlocked_profiles_are_swept() {
        let parent = tempfile::tempdir().unwrap();
        let held = ProfileDir::make(parent.path(), None).unwrap();
        let left = parent.path().join("browser-left");
        std::fs::create_dir(&left).unwrap();
        std::fs::write(left.join("file"), "x").unwrap();
        File::create(lock_path(&left)).unwrap();
        std::fs::create_dir(parent.path().join("somebody-elses")).unwrap();
        let other = ProfileDir::make(parent.path(), None).unwrap();
        assert!(!left.exists() && !lock_path(&left).exists());
        assert!(held.path().exists() && parent.path().join("somebody-elses").exists());
        drop((held, other));
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 1, "profiles go with their locks");
    }

    #[test]
    fn processor_time_of_a_group_is_that_of_its_processes() {
        let mut child = Command::new("/bin/sh").args(["-c", "while :; do :; done"]).process_group(0).spawn().unwrap();
        let used = || process_group(child.id()).map(|member| member.processor_time).sum::<Duration>();
        while used() < Duration::from_millis(50) {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn crash_handlers_are_found_by_the_profile_in_their_arguments() {
        let profile = tempfile::tempdir().unwrap();
        let spawn = |profile: &Path| {
            let database = format!("--database={}/Crash Reports", profile.display());
            let mut command = Command::new("sh");
            // Waits for its input to end.
            command.args(["-c", "read line", "sh", &database]).stdin(Stdio::piped()).process_group(0);
            command.spawn().unwrap()
        };
        let (mut browser, mut other) = (spawn(profile.path()), spawn(Path::new("/var/empty")));
        let mut handler = spawn(profile.path());
        let found = || detached_processes(profile.path(), browser.id()).map(Some).collect::<Vec<_>>();
        // A program begins before its arguments can be read.
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while found().is_empty() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(found(), [pid_of(handler.id())]);
        for child in [&mut browser, &mut other, &mut handler] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert_eq!(detached_processes(profile.path(), browser.id()).count(), 0);
    }

    #[test]
    fn process_group_memory_is_measured() {
        let mut child = Command::new("sleep").arg("600").process_group(0).spawn().unwrap();
        let family: Vec<u32> = process_group(child.id()).map(|member| member.pid).collect();
        assert_eq!(family, [child.id()]);
        assert!(private_memory(child.id()).unwrap() > 0);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
