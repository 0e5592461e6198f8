//! A Node program that drives its own browser.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than any of them takes on a slow machine.
const PROGRAM_TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// The last output of a program may still be in the pipe when it has exited.
const OUTPUT_DRAIN_TIME: Duration = Duration::from_secs(2);

/// A running program. Its browsers end with it in any case.
pub(crate) struct Browsing {
    child: Child,
    lines: Receiver<String>,
    pub(crate) folder: tempfile::TempDir,
}

/// Creates a directory that such a program may write to: its browser does not run as root.
pub(crate) fn open_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    folder
}

impl Browsing {
    /// Starts a script of this directory. Its browser's errors are written to a file in `folder`.
    pub(crate) fn start(script: &str, told: &str, folder: tempfile::TempDir) -> Self {
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("console").join(script);
        assert!(script.with_file_name("node_modules").exists(), "npm packages are missing: run `make setup`");
        let complaints = std::fs::File::create(folder.path().join("complaints")).unwrap();
        let mut command = node();
        command
            .arg(script)
            .arg(told)
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path())
            .env("DEBUG", "pw:browser");
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(complaints);
        let mut child = command.spawn().unwrap();
        let (said, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        // In a separate thread: other processes that hold the pipe keep it open.
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| said.send(line)));
        Self { child, lines, folder }
    }

    /// Reads its output to the end; returns it if the program succeeded.
    pub(crate) fn read_until_exit(&mut self, mut each: impl FnMut(&str)) -> Result<Vec<String>, String> {
        let (until, mut said) = (Instant::now() + PROGRAM_TIMEOUT, Vec::new());
        let ended = loop {
            let ended = self.child.try_wait().unwrap();
            match self.lines.recv_timeout(OUTPUT_DRAIN_TIME) {
                Ok(line) => {
                    each(&line);
                    said.push(line);
                }
                Err(RecvTimeoutError::Disconnected) => break self.child.wait().unwrap().success(),
                Err(RecvTimeoutError::Timeout) if ended.is_some() => break ended.unwrap().success(),
                Err(RecvTimeoutError::Timeout) if Instant::now() > until => break false,
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        if ended { Ok(said) } else { Err(format!("{}\n{}", said.join("\n"), self.complaints())) }
    }

    fn complaints(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("complaints")).unwrap_or_default()
    }
}

impl Drop for Browsing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Browsers have process groups of their own; ours are those with a profile in our directory.
        for pid in processes_of(self.folder.path()) {
            let _ = Command::new("kill").args(["-9", &pid]).stderr(Stdio::null()).status();
        }
    }
}

fn processes_of(folder: &Path) -> Vec<String> {
    let folder = folder.to_string_lossy().into_owned();
    let is_ours = |pid: &String| {
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains(&folder)
    };
    let names = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())).filter(is_ours).collect()
}

/// Returns a command for Node, as a user under which Chromium's sandbox works.
fn node() -> Command {
    if !is_root() {
        return Command::new("node");
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--pdeathsig=KILL", "node"]);
    command
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    String::from_utf8_lossy(&id.stdout).trim() == "0"
}
