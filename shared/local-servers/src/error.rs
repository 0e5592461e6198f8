//! Failures of private servers.

use crate::executables::ServerKind;
use std::path::PathBuf;
use std::time::Duration;

/// A failure to start, stop or use a private server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Its executable is not installed.
    #[error("{program} is not installed (looked in {looked_in}); `make setup` installs it (Debian package {package})")]
    NotInstalled {
        /// The executable.
        program: String,
        /// The directories that were searched.
        looked_in: String,
        /// The Debian package with it.
        package: &'static str,
    },
    /// Servers are not installed.
    #[error(
        "{} not installed: `apt-get install {}` installs {}",
        names(.0),
        .0.iter().map(|server| server.package()).collect::<Vec<_>>().join(" "),
        if .0.len() == 1 { "it" } else { "them" }
    )]
    Missing(Vec<ServerKind>),
    /// Another process uses the same data directory.
    #[error("{} is in use by another process: stop that one first, or choose another folder", .0.display())]
    InUse(PathBuf),
    /// This process is root, and the unprivileged user of the server cannot enter the directory.
    #[error(
        "user {user} cannot enter {}, so the private server cannot keep its data in {}: choose a data_dir outside of it, such as /var/lib/limner",
        blocked_at.display(),
        dir.display()
    )]
    Unreachable {
        /// The unprivileged user.
        user: String,
        /// The data directory.
        dir: PathBuf,
        /// The first directory in the path that the user cannot enter.
        blocked_at: PathBuf,
    },
    /// This process is root on a system without an unprivileged user for the server.
    #[error("neither user `postgres` nor user `nobody` exists, and the private servers never run as root")]
    NoUnprivilegedUser,
    /// The server ended while it was starting.
    #[error("{server} ended while starting ({status}); its last words:\n{log}")]
    Ended {
        /// The server.
        server: &'static str,
        /// Its exit status.
        status: String,
        /// The end of its log.
        log: String,
    },
    /// The server runs but does not respond.
    #[error("{server} did not become ready within {within:?}; its last words:\n{log}")]
    NotReady {
        /// The server.
        server: &'static str,
        /// Time waited.
        within: Duration,
        /// The end of its log.
        log: String,
    },
    /// A helper program failed.
    #[error("{program} failed: {output}")]
    Helper {
        /// The program.
        program: String,
        /// Its output.
        output: String,
    },
    /// A file or process operation failed.
    #[error("{doing}: {cause}")]
    Io {
        /// The attempted action.
        doing: String,
        /// The operating system's error.
        cause: std::io::Error,
    },
}

/// Returns `Redis is`, `Redis and NATS are`, `PostgreSQL, Redis and NATS are`.
fn names(servers: &[ServerKind]) -> String {
    let names: Vec<&str> = servers.iter().map(|server| server.name()).collect();
    match names.split_last() {
        Some((last, [])) => format!("{last} is"),
        Some((last, others)) => format!("{} and {last} are", others.join(", ")),
        None => String::new(),
    }
}

impl ServerError {
    /// Wraps a system error with the attempted action.
    pub(crate) fn io(doing: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let doing = doing.into();
        move |cause| Self::Io { doing, cause }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_servers_are_named_in_one_line_with_their_packages() {
        let all = vec![ServerKind::Postgres, ServerKind::Redis, ServerKind::Nats];
        assert_eq!(
            ServerError::Missing(all).to_string(),
            "PostgreSQL, Redis and NATS are not installed: `apt-get install postgresql redis-server nats-server` installs them"
        );
        assert_eq!(
            ServerError::Missing(vec![ServerKind::Redis]).to_string(),
            "Redis is not installed: `apt-get install redis-server` installs it"
        );
    }
}
