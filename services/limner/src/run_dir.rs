//! Addresses of the servers of a running `limner up`, for commands that run besides it.

use anyhow::{Context, anyhow};
use limner_runtime::{Secret, Settings};
use serde::{Deserialize, Serialize};
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Addresses, including secrets: only the owner can read the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Endpoints {
    /// The gateway.
    pub(crate) gateway: SocketAddr,
    /// The admin server.
    pub(crate) admin: SocketAddr,
    /// PostgreSQL.
    pub(crate) postgres: String,
    /// Redis.
    pub(crate) redis: String,
    /// NATS.
    pub(crate) nats: String,
}

/// The run directory of a `limner up`, which only one process can use at a time.
pub(crate) struct RunDir {
    file: PathBuf,
    _lock: File,
}

fn run_dir(settings: &Settings) -> PathBuf {
    settings.data_dir.join("run")
}

impl RunDir {
    /// Locks the data directory for this process; creates it if missing.
    pub(crate) fn lock(settings: &Settings) -> anyhow::Result<Self> {
        let dir = run_dir(settings);
        let explain = || format!("data_dir {} cannot be used", settings.data_dir.display());
        // The users that private servers run as must be able to traverse it.
        DirBuilder::new().recursive(true).mode(0o755).create(&settings.data_dir).with_context(explain)?;
        DirBuilder::new().recursive(true).mode(0o700).create(&dir).with_context(explain)?;
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(dir.join("lock"));
        let lock = lock.with_context(explain)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { file: dir.join("endpoints.toml"), _lock: lock }),
            Err(TryLockError::WouldBlock) => {
                Err(anyhow!("another `limner up` uses data_dir {}: end it first", settings.data_dir.display()))
            }
            Err(TryLockError::Error(cause)) => Err(cause).with_context(explain),
        }
    }

    /// Publishes the addresses for other commands.
    pub(crate) fn publish(&self, endpoints: &Endpoints) -> anyhow::Result<()> {
        let text = toml::to_string(endpoints)?;
        // Written and renamed, so that a reader never sees half a file.
        let unfinished = self.file.with_extension("unfinished");
        let write = || {
            let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
            file.write_all(text.as_bytes())?;
            std::fs::rename(&unfinished, &self.file)
        };
        write().with_context(|| format!("writing {}", self.file.display()))
    }
}

impl Drop for RunDir {
    fn drop(&mut self) {
        // A stale file would name servers that no longer exist, which commands would notice.
        let _ = std::fs::remove_file(&self.file);
    }
}

/// Returns the addresses published by the `limner up` with this data directory; `None` if none runs.
pub(crate) fn published(settings: &Settings) -> anyhow::Result<Option<Endpoints>> {
    let file = run_dir(settings).join("endpoints.toml");
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(cause).with_context(|| format!("reading {}", file.display())),
    };
    let endpoints = toml::from_str(&text).with_context(|| format!("reading {}", file.display()))?;
    Ok(Some(endpoints))
}

/// Fills in servers that are not configured from a `limner up` with the same data directory.
pub(crate) fn complete(settings: &mut Settings) -> anyhow::Result<()> {
    let servers = [settings.postgres.url.is_some(), settings.redis.url.is_some(), settings.nats.url.is_some()];
    if servers.iter().all(|configured| *configured) {
        return Ok(());
    }
    let Some(endpoints) = published(settings)? else { return Ok(()) };
    fill(&mut settings.postgres.url, endpoints.postgres);
    fill(&mut settings.redis.url, endpoints.redis);
    fill(&mut settings.nats.url, endpoints.nats);
    Ok(())
}

fn fill(url: &mut Option<Secret>, found: String) {
    url.get_or_insert_with(|| Secret::new(found));
}

/// Returns the directory of a private server.
pub(crate) fn server_dir(data_dir: &Path, server: &str) -> PathBuf {
    data_dir.join(server)
}
