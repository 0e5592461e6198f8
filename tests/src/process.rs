//! Processes of the real binary.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Returns the binary under test: `LIMNER_BIN`, otherwise the one next to the test's own build.
///
/// # Panics
/// Panics if it was not built.
pub fn limner_binary() -> PathBuf {
    if let Some(path) = std::env::var_os("LIMNER_BIN") {
        return path.into();
    }
    // …/target/<profile>/deps/<test> → …/target/<profile>/limner
    let test = std::env::current_exe().unwrap();
    let binary = test.parent().unwrap().parent().unwrap().join("limner");
    assert!(binary.exists(), "{} is not there: build the workspace first", binary.display());
    binary
}

/// A child process that is killed on drop.
#[derive(Debug)]
pub struct RunningProcess {
    child: Child,
    log: PathBuf,
}

impl RunningProcess {
    /// Starts the binary; its log is written to `log`.
    ///
    /// # Panics
    /// Panics if it cannot be started.
    pub fn start(arguments: &[&str], log: &std::path::Path) -> Self {
        Self::start_binary(&limner_binary(), arguments, log)
    }

    /// Starts another binary, such as that of the previous release.
    ///
    /// # Panics
    /// Panics if it cannot be started.
    pub fn start_binary(binary: &std::path::Path, arguments: &[&str], log: &std::path::Path) -> Self {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
        let mut command = Command::new(binary);
        command.args(arguments).stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file);
        // A test's own environment must not configure the fleet.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("LIMNER__")) {
            command.env_remove(name);
        }
        Self { child: command.spawn().unwrap(), log: log.to_owned() }
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Kills it immediately, without a chance to clean up.
    ///
    /// # Panics
    /// Panics if it cannot be waited for.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }

    /// Requests a shutdown, and waits.
    ///
    /// # Panics
    /// Panics if it cannot be waited for.
    pub fn terminate(&mut self) -> std::process::ExitStatus {
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        self.child.wait().unwrap()
    }

    /// Waits until it exits.
    ///
    /// # Panics
    /// Panics if it cannot be waited for.
    pub fn wait(&mut self) -> std::process::ExitStatus {
        self.child.wait().unwrap()
    }

    /// Returns true if it is still running.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for RunningProcess {
    fn drop(&mut self) {
        if self.is_running() {
            self.terminate();
        }
    }
}
