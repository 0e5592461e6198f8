//! Why a private server could not be had.

use std::path::PathBuf;
use std::time::Duration;

/// Why a private server could not be started, stopped or used.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Its program is not installed.
    #[error("{program} is not installed (looked in {looked_in}); `make setup` installs it (Debian package {package})")]
    NotInstalled {
        /// What was looked for.
        program: String,
        /// Where.
        looked_in: String,
        /// Debian's package that has it.
        package: &'static str,
    },
    /// Another process uses the same data folder.
    #[error("{} is in use by another process: stop that one first, or choose another folder", .0.display())]
    InUse(PathBuf),
    /// Started as root, and the unprivileged user that the server runs as cannot get into the folder.
    #[error(
        "user {user} cannot enter {}, so the private server cannot keep its data in {}: choose a data_dir outside of it, such as /var/lib/limner",
        blocked_at.display(),
        dir.display()
    )]
    Unreachable {
        /// The unprivileged user.
        user: String,
        /// The data folder.
        dir: PathBuf,
        /// The first folder on the way that keeps the user out.
        blocked_at: PathBuf,
    },
    /// Started as root on a system without any unprivileged user to run the server as.
    #[error("neither user `postgres` nor user `nobody` exists, and the private servers never run as root")]
    NoUnprivilegedUser,
    /// The server ended while it was starting.
    #[error("{server} ended while starting ({status}); its last words:\n{log}")]
    Ended {
        /// Which server.
        server: &'static str,
        /// Its exit status.
        status: String,
        /// The end of its log.
        log: String,
    },
    /// The server runs but does not answer.
    #[error("{server} did not become ready within {within:?}; its last words:\n{log}")]
    NotReady {
        /// Which server.
        server: &'static str,
        /// How long was waited.
        within: Duration,
        /// The end of its log.
        log: String,
    },
    /// A helper program failed.
    #[error("{program} failed: {output}")]
    Helper {
        /// Which one.
        program: String,
        /// What it said.
        output: String,
    },
    /// Files or processes could not be handled.
    #[error("{doing}: {cause}")]
    Io {
        /// What was being done.
        doing: String,
        /// What the system said.
        cause: std::io::Error,
    },
}

impl ServerError {
    /// Wraps a system error with what was being done.
    pub(crate) fn io(doing: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let doing = doing.into();
        move |cause| Self::Io { doing, cause }
    }
}
