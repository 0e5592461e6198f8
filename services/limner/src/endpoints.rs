//! Where the servers of a running `limner up` are, for the commands that work beside it.

use anyhow::{Context, anyhow};
use limner_runtime::{Secret, Settings};
use serde::{Deserialize, Serialize};
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Addresses, secrets included: the file is for its owner only.
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

/// The folder of a running `limner up`, which no other can have at the same time.
pub(crate) struct RunDir {
    file: PathBuf,
    _lock: File,
}

fn run_dir(settings: &Settings) -> PathBuf {
    settings.data_dir.join("run")
}

impl RunDir {
    /// Takes the data folder for this process, and makes it when it is missing.
    pub(crate) fn take(settings: &Settings) -> anyhow::Result<Self> {
        let dir = run_dir(settings);
        let explain = || format!("data_dir {} cannot be used", settings.data_dir.display());
        // The users that private servers run as must be able to pass.
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

    /// Tells other commands where everything is.
    pub(crate) fn publish(&self, endpoints: &Endpoints) -> anyhow::Result<()> {
        let text = toml::to_string(endpoints)?;
        // A reader sees the old file or the new one, never half of one.
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
        // Left behind it would send others to servers that are gone, which they would notice.
        let _ = std::fs::remove_file(&self.file);
    }
}

/// What the `limner up` with this data folder has published; `None` when none runs.
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

/// The configured servers; those that are not configured are looked for at a `limner up` with the same data folder.
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

/// The folder of a private server.
pub(crate) fn server_dir(data_dir: &Path, server: &str) -> PathBuf {
    data_dir.join(server)
}
