//! Locates the executables of servers and browsers.

use crate::ServerError;
use std::path::{Path, PathBuf};

const POSTGRES_VERSIONS: &str = "/usr/lib/postgresql";
/// Directories of daemons: Debian omits them from the path of unprivileged users.
const DAEMON_DIRS: [&str; 4] = ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin"];

/// Returns the directory with `postgres`, `initdb` and `psql`: of version `major` for existing data of that version,
/// otherwise of the newest one.
pub(crate) fn postgres_bin_dir(major: Option<&str>) -> Result<PathBuf, ServerError> {
    let mut versions: Vec<(u32, PathBuf)> = std::fs::read_dir(POSTGRES_VERSIONS)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let version: u32 = entry.file_name().to_str()?.parse().ok()?;
            let bin = entry.path().join("bin");
            is_postgres_bin(&bin).then_some((version, bin))
        })
        .collect();
    versions.sort();
    let found = match major {
        Some(major) => versions.into_iter().find(|(version, _)| version.to_string() == major),
        None => versions.pop(),
    };
    found.map(|(_, bin)| bin).or_else(postgres_on_path).ok_or_else(|| ServerError::NotInstalled {
        program: major.map_or_else(|| "postgres".to_owned(), |major| format!("postgres {major}")),
        looked_in: format!("{POSTGRES_VERSIONS}/*/bin and PATH"),
        package: "postgresql",
    })
}

fn postgres_on_path() -> Option<PathBuf> {
    let program = find_on_path("postgres")?.canonicalize().ok()?;
    let bin = program.parent()?.to_owned();
    is_postgres_bin(&bin).then_some(bin)
}

fn is_postgres_bin(bin: &Path) -> bool {
    ["postgres", "initdb", "psql"].iter().all(|program| bin.join(program).is_file())
}

/// Returns a server's executable, on the path or in the usual directories of daemons.
pub(crate) fn find(program: &str, package: &'static str) -> Result<PathBuf, ServerError> {
    let in_daemon_dirs = || DAEMON_DIRS.iter().map(|dir| Path::new(dir).join(program)).find(|path| path.is_file());
    find_on_path(program).or_else(in_daemon_dirs).ok_or_else(|| ServerError::NotInstalled {
        program: program.to_owned(),
        looked_in: format!("PATH and {}", DAEMON_DIRS.join(", ")),
        package,
    })
}

/// A server that can be private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerKind {
    /// PostgreSQL.
    Postgres,
    /// Redis.
    Redis,
    /// NATS.
    Nats,
}

impl ServerKind {
    /// Returns its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::Redis => "Redis",
            Self::Nats => "NATS",
        }
    }

    /// Returns the Debian package with it.
    pub(crate) fn package(self) -> &'static str {
        match self {
            Self::Postgres => "postgresql",
            Self::Redis => "redis-server",
            Self::Nats => "nats-server",
        }
    }

    fn is_installed(self) -> bool {
        match self {
            Self::Postgres => postgres_bin_dir(None).is_ok(),
            Self::Redis | Self::Nats => find(self.package(), self.package()).is_ok(),
        }
    }
}

/// Checks that servers are installed, before any of them is started.
///
/// # Errors
/// All that are not.
pub fn check_installed(servers: &[ServerKind]) -> Result<(), ServerError> {
    let missing: Vec<ServerKind> = servers.iter().copied().filter(|server| !server.is_installed()).collect();
    if missing.is_empty() { Ok(()) } else { Err(ServerError::Missing(missing)) }
}

/// Returns a Chromium or Chrome for rendering pages, if one is installed.
pub fn chromium_path() -> Option<PathBuf> {
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"].iter().find_map(|name| find_on_path(name))
}

fn find_on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|candidate| candidate.is_file())
}
