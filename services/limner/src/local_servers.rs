//! The private servers of `limner up`: for servers that are not configured, with their data in `data_dir`.

use crate::run_dir::server_dir;
use limner_local_servers::{Nats, Postgres, Redis, ServerError, ServerKind, check_installed};
use limner_runtime::{Secret, Settings};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Interval at which the servers are checked.
const ROUND: Duration = Duration::from_millis(500);

/// Servers that are children of this process and end with it.
pub(crate) struct PrivateServers {
    postgres: Option<Postgres>,
    redis: Option<Redis>,
    nats: Option<Nats>,
}

impl PrivateServers {
    /// Starts the servers missing in `settings` and fills in their addresses.
    pub(crate) async fn start(settings: &mut Settings) -> Result<Self, ServerError> {
        let wanted = [
            (ServerKind::Postgres, settings.postgres.url.is_none()),
            (ServerKind::Redis, settings.redis.url.is_none()),
            (ServerKind::Nats, settings.nats.url.is_none()),
        ];
        let wanted: Vec<ServerKind> =
            wanted.into_iter().filter(|(_, is_wanted)| *is_wanted).map(|(server, _)| server).collect();
        check_installed(&wanted)?;
        let started = Instant::now();
        let dir = |server| server_dir(&settings.data_dir, server);
        let postgres = async {
            match settings.postgres.url {
                Some(_) => Ok(None),
                None => Postgres::start(dir("postgres")).await.map(Some),
            }
        };
        let redis = async {
            match settings.redis.url {
                Some(_) => Ok(None),
                None => Redis::start(dir("redis")).await.map(Some),
            }
        };
        let nats = async {
            match settings.nats.url {
                Some(_) => Ok(None),
                None => Nats::start(dir("nats")).await.map(Some),
            }
        };
        let (postgres, redis, nats) = tokio::try_join!(postgres, redis, nats)?;
        let servers = Self { postgres, redis, nats };
        if servers.has_any() {
            let elapsed = started.elapsed().as_millis() as u64;
            tracing::info!(start.duration_ms = elapsed, server.data_dir = %settings.data_dir.display(), "private servers are running");
        }
        servers.fill_in(settings);
        Ok(servers)
    }

    /// Supervises the servers until `stop`, then stops them. A crashed server is restarted at the same address.
    ///
    /// # Errors
    /// A crashed server cannot be restarted.
    pub(crate) async fn supervise(mut self, stop: CancellationToken) -> Result<(), ServerError> {
        let mut rounds = tokio::time::interval(ROUND);
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                _ = rounds.tick() => self.revive().await?,
            }
        }
    }

    async fn revive(&mut self) -> Result<(), ServerError> {
        if let Some(postgres) = &mut self.postgres
            && !postgres.is_running()
        {
            tracing::error!("private PostgreSQL exited; restarting");
            postgres.restart().await?;
        }
        if let Some(redis) = &mut self.redis
            && !redis.is_running()
        {
            tracing::error!("private Redis exited; restarting");
            redis.restart().await?;
        }
        if let Some(nats) = &mut self.nats
            && !nats.is_running()
        {
            tracing::error!("private NATS exited; restarting");
            nats.restart().await?;
        }
        Ok(())
    }

    fn has_any(&self) -> bool {
        self.postgres.is_some() || self.redis.is_some() || self.nats.is_some()
    }

    fn fill_in(&self, settings: &mut Settings) {
        if let Some(postgres) = &self.postgres {
            settings.postgres.url = Some(Secret::new(postgres.url()));
        }
        if let Some(redis) = &self.redis {
            settings.redis.url = Some(Secret::new(redis.url()));
        }
        if let Some(nats) = &self.nats {
            settings.nats.url = Some(Secret::new(nats.url()));
        }
    }
}
