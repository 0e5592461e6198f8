//! A clock that steps and a disk that is full, for tests of what servers do then.

use crate::ServerError;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// Source of the library that is preloaded into a server with a clock.
const CLOCK: &str = include_str!("server_clock.c");

/// The clock of one server. Its monotonic clock is the machine's.
pub(crate) struct ServerClock {
    library: PathBuf,
    file: PathBuf,
}

impl ServerClock {
    /// Creates a clock that agrees with the machine's.
    pub(crate) fn new(dir: &Path) -> Result<Self, ServerError> {
        let (source, library) = (dir.join("clock.c"), dir.join("clock.so"));
        std::fs::write(&source, CLOCK).map_err(ServerError::io(format!("writing {}", source.display())))?;
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source);
        let compiled = compiler.output().map_err(ServerError::io("starting cc"))?;
        if !compiled.status.success() {
            let output = String::from_utf8_lossy(&compiled.stderr).trim().to_owned();
            return Err(ServerError::Helper { program: "cc".to_owned(), output });
        }
        make_readable(&library)?;
        let clock = Self { library, file: dir.join("clock") };
        clock.step(0)?;
        Ok(clock)
    }

    /// Sets the clock to the machine's time and so many seconds.
    pub(crate) fn step(&self, seconds: i64) -> Result<(), ServerError> {
        let written = std::fs::write(&self.file, seconds.to_string());
        written.map_err(ServerError::io(format!("writing {}", self.file.display())))?;
        make_readable(&self.file)
    }

    pub(crate) fn apply(&self, command: &mut Command) {
        command.env("LD_PRELOAD", &self.library).env("LIMNER_TEST_CLOCK", &self.file);
    }
}

/// Makes a file readable for the server's user.
fn make_readable(file: &Path) -> Result<(), ServerError> {
    use std::os::unix::fs::PermissionsExt;
    let readable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(file, readable).map_err(ServerError::io(format!("opening {}", file.display())))
}

/// A small disk in memory, which only its server sees: the server and its helpers run in the namespaces of a process that
/// mounted it and does nothing else. It survives restarts of the server.
pub(crate) struct SmallDisk {
    holder: Child,
    folder: PathBuf,
}

impl SmallDisk {
    /// Waits until a process has mounted the disk and says so.
    pub(crate) fn mounted_by(mut holder: Child, folder: PathBuf) -> Result<Self, ServerError> {
        let doing = || format!("mounting {}", folder.display());
        let mut said = String::new();
        if let Some(output) = holder.stdout.take() {
            BufReader::new(output).read_line(&mut said).map_err(ServerError::io(doing()))?;
        }
        if said.trim() == "mounted" {
            return Ok(Self { holder, folder });
        }
        let output = holder.wait_with_output().map_err(ServerError::io(doing()))?;
        let output = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(ServerError::Helper { program: "unshare".to_owned(), output })
    }

    /// Returns the folder in which the server sees the disk.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Builds a command that sees the disk.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--preserve-credentials", "--user", "--mount", "--target", &self.holder.id().to_string()]);
        command.arg("--").arg(program);
        command
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}
