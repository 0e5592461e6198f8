//! Cleans up after a crashed predecessor: a server that is still shutting down, and stale pid files.

use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const PID_FILE: &str = "server.pid";
/// Time limit for a last checkpoint.
const GRACE: Duration = Duration::from_secs(10);

/// A process, distinguished from later ones with the same id by its start time.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ProcessIdentity {
    pid: i32,
    start_ticks: u64,
}

impl ProcessIdentity {
    fn from_pid(pid: i32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The second field is the program's name in parentheses and may contain anything.
        let (_, after_name) = stat.rsplit_once(')')?;
        let mut fields = after_name.split_whitespace();
        let state = fields.next()?;
        let start_ticks = fields.nth(18)?.parse().ok()?;
        (state != "Z").then_some(Self { pid, start_ticks })
    }

    fn is_alive(&self) -> bool {
        Self::from_pid(self.pid).as_ref() == Some(self)
    }
}

fn pid_file(dir: &Path) -> PathBuf {
    dir.join(PID_FILE)
}

/// Records the server that runs in `dir`, for a successor's [`clear`].
pub(crate) fn record(dir: &Path, pid: u32) -> std::io::Result<()> {
    let identity = i32::try_from(pid).ok().and_then(ProcessIdentity::from_pid);
    match identity {
        Some(identity) => std::fs::write(pid_file(dir), format!("{} {}\n", identity.pid, identity.start_ticks)),
        // Exited already, which the caller is about to notice.
        None => Ok(()),
    }
}

/// Deletes the record of the server in `dir`.
pub(crate) fn forget(dir: &Path) {
    // A stale file is harmless: `clear` detects it.
    let _ = std::fs::remove_file(pid_file(dir));
}

/// Waits for a predecessor's server to exit, kills it if it does not, and deletes its record. The caller holds the
/// directory's lock, so no other process uses the server.
pub(crate) async fn clear(dir: &Path, stop: Signal) {
    let Some(identity) = read_pid_file(dir) else { return };
    let _ = signal(&identity, stop);
    let deadline = Instant::now() + GRACE;
    while identity.is_alive() {
        if Instant::now() > deadline {
            let _ = signal(&identity, Signal::KILL);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    forget(dir);
}

fn read_pid_file(dir: &Path) -> Option<ProcessIdentity> {
    let text = std::fs::read_to_string(pid_file(dir)).ok()?;
    let (pid, start_ticks) = text.trim().split_once(' ')?;
    let identity = ProcessIdentity { pid: pid.parse().ok()?, start_ticks: start_ticks.parse().ok()? };
    identity.is_alive().then_some(identity)
}

fn signal(identity: &ProcessIdentity, signal: Signal) -> Option<()> {
    kill_process(Pid::from_raw(identity.pid)?, signal).ok()
}

/// Removes PostgreSQL's own pid file if its id now belongs to another program, which PostgreSQL cannot detect. In all
/// other cases PostgreSQL's own interlock decides.
pub(crate) fn clear_postmaster_pid(data: &Path) {
    let file = data.join("postmaster.pid");
    let Ok(text) = std::fs::read_to_string(&file) else { return };
    let pid = text.lines().next().and_then(|line| line.trim().parse::<i32>().ok());
    let program = pid.and_then(|pid| std::fs::read_to_string(format!("/proc/{pid}/comm")).ok());
    if program.is_some_and(|program| program.trim() != "postgres") {
        let _ = std::fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn stale_server_is_killed_and_another_process_with_its_id_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let mut sleeper = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        record(dir.path(), sleeper.id()).unwrap();
        let identity = read_pid_file(dir.path()).unwrap();

        // The id was reused: the start time differs.
        std::fs::write(pid_file(dir.path()), format!("{} {}", identity.pid, identity.start_ticks + 1)).unwrap();
        clear(dir.path(), Signal::TERM).await;
        assert!(sleeper.try_wait().unwrap().is_none());

        record(dir.path(), sleeper.id()).unwrap();
        clear(dir.path(), Signal::TERM).await;
        assert!(sleeper.try_wait().unwrap().is_some());
        assert!(!pid_file(dir.path()).exists());
    }

    #[test]
    fn only_a_foreign_postmaster_pid_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("postmaster.pid");
        std::fs::write(&file, format!("{}\n/data\n", std::process::id())).unwrap();
        clear_postmaster_pid(dir.path());
        assert!(!file.exists(), "this test is not PostgreSQL");

        std::fs::write(&file, format!("{}\n/data\n", i32::MAX)).unwrap();
        clear_postmaster_pid(dir.path());
        assert!(file.exists(), "a dead one is left to PostgreSQL");
    }
}
