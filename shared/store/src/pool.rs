//! The connection pool.

use crate::StoreError;
use crate::lease::{Lease, ParameterTypes, close_idle_connections};
use crate::tls::{self, TlsOptions};
use deadpool_postgres::{Client, Hook, HookError, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::Row;
use tokio_postgres::config::TargetSessionAttrs;
use tokio_postgres::types::ToSql;

/// Added to the database's own limit of a statement: after that, it has not answered and will not.
const GRACE: Duration = Duration::from_secs(1);
/// Time after which unacknowledged data, or as many unanswered probes, end a connection whose server is gone.
const DEAD_PEER_TIMEOUT: Duration = Duration::from_secs(5);
const KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
const KEEPALIVE_RETRIES: u32 = 3;

/// Configuration of the database connections.
#[derive(Clone)]
pub struct StoreConfig {
    /// `postgres://user:password@host:port/database`. `?sslmode=` is `disable`, `prefer` (the default), `require`,
    /// `verify-ca` or `verify-full`; `sslrootcert=` names a PEM file with CA certificates to trust instead of the
    /// public ones. Unless `?target_session_attrs=` says otherwise, only a server that accepts writes is used, of several
    /// hosts the first one.
    pub url: String,
    /// Maximum number of connections.
    pub pool_size: usize,
    /// Time for which an operation waits for a connection, including opening one.
    pub acquire_timeout: Duration,
    /// Maximum run time of a statement before the database cancels it. The pool itself waits a second longer, and then
    /// closes the connection.
    pub statement_timeout: Duration,
}

impl Default for StoreConfig {
    fn default() -> Self {
        Self {
            url: "postgres://limner@127.0.0.1:5432/limner".to_owned(),
            pool_size: 16,
            acquire_timeout: Duration::from_secs(2),
            statement_timeout: Duration::from_secs(10),
        }
    }
}

// The URL contains a password, so it is never printed.
impl std::fmt::Debug for StoreConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoreConfig").field("pool_size", &self.pool_size).finish_non_exhaustive()
    }
}

/// A pool of connections to the database. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    pool: Pool,
    statement_limit: Duration,
    types: Arc<ParameterTypes>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("pool", &self.pool.status()).finish()
    }
}

impl Store {
    /// Prepares the pool and opens a first connection, so that a wrong URL is noticed at start.
    ///
    /// # Errors
    /// The URL is invalid, or the database does not answer in time.
    pub async fn connect(config: StoreConfig) -> Result<Self, StoreError> {
        let store = Self::lazy(config)?;
        store.ping().await?;
        Ok(store)
    }

    /// Prepares the pool without connecting, for a service that starts before its database does.
    ///
    /// # Errors
    /// The URL is invalid, or requests TLS options that are not supported.
    pub fn lazy(config: StoreConfig) -> Result<Self, StoreError> {
        let (url, encryption) = TlsOptions::take_from_url(&config.url)?;
        let mut target: tokio_postgres::Config = url.parse().map_err(|_| StoreError::InvalidUrl)?;
        if target.get_hosts().is_empty() {
            return Err(StoreError::InvalidUrl);
        }
        target.connect_timeout(config.acquire_timeout);
        target.ssl_mode(encryption.driver_mode());
        if target.get_application_name().is_none() {
            target.application_name("limner");
        }
        target.tcp_user_timeout(DEAD_PEER_TIMEOUT);
        target.keepalives_idle(KEEPALIVE_IDLE);
        target.keepalives_interval(KEEPALIVE_INTERVAL);
        target.keepalives_retries(KEEPALIVE_RETRIES);
        if !config.url.contains("target_session_attrs") {
            target.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(target, tls::connector(&encryption)?, recycling);
        let pool = Pool::builder(manager)
            .max_size(config.pool_size)
            .wait_timeout(Some(config.acquire_timeout))
            .create_timeout(Some(config.acquire_timeout))
            .recycle_timeout(Some(config.acquire_timeout))
            .post_create(session_settings(&config))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|cause| StoreError::Pool(cause.to_string()))?;
        let statement_limit = config.statement_timeout + GRACE;
        Ok(Self { pool, statement_limit, types: Arc::default() })
    }

    /// Returns a connection of the pool, for statements that limit their own time.
    ///
    /// # Errors
    /// None became available in time.
    pub async fn client(&self) -> Result<Client, StoreError> {
        Ok(self.pool.get().await?)
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// The reason why it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.query("SELECT 1", &[]).await.map(drop)
    }

    /// Runs one statement and returns its rows. Takes one round trip if this store has run it before.
    ///
    /// A statement that is abandoned, or that is not answered in time, closes its connection.
    ///
    /// # Errors
    /// There is no connection, the database rejects the statement, or it does not answer in time.
    pub async fn query(&self, sql: &'static str, params: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, StoreError> {
        let lease = Lease::new(self.client().await?, self.pool.clone());
        let no_answer = || StoreError::Unavailable("no answer in time".to_owned());
        let running = self.types.query(lease.client().ok_or_else(no_answer)?, sql, params);
        let rows = tokio::time::timeout(self.statement_limit, running).await.map_err(|_| no_answer())?;
        lease.end(rows.map_err(StoreError::from))
    }

    /// Runs one statement that returns at most one row.
    ///
    /// # Errors
    /// There is no connection, the database rejects the statement, or there is more than one row.
    pub async fn query_opt(
        &self,
        sql: &'static str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Row>, StoreError> {
        let mut rows = self.query(sql, params).await?;
        match rows.len() {
            0 | 1 => Ok(rows.pop()),
            count => Err(StoreError::Unexpected(format!("{count} rows where one is expected"))),
        }
    }

    /// Runs one statement that returns exactly one row.
    ///
    /// # Errors
    /// There is no connection, the database rejects the statement, or the number of rows differs.
    pub async fn query_one(&self, sql: &'static str, params: &[&(dyn ToSql + Sync)]) -> Result<Row, StoreError> {
        let row = self.query_opt(sql, params).await?;
        row.ok_or_else(|| StoreError::Unexpected("no row where one is expected".to_owned()))
    }

    /// Closes idle connections, which may lead to a server that is no longer the primary.
    pub(crate) fn close_idle_connections(&self) {
        close_idle_connections(&self.pool);
    }

    /// Runs an idempotent operation, and repeats it once if its connection broke before the response arrived: idle
    /// connections in the pool break with every restart of the database, and that must not fail a call.
    ///
    /// # Errors
    /// The errors of the operation.
    pub async fn idempotent<T, F>(&self, operation: impl Fn(Self) -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        match operation(self.clone()).await {
            Err(cause) if cause.is_connection_lost() => {
                tracing::info!(error = %cause, "a database connection was lost; trying once more");
                metrics::counter!("limner_store_reconnects_total").increment(1);
                // Other idle connections broke at the same moment.
                self.pool.retain(|client, _| !client.is_closed());
                operation(self.clone()).await
            }
            outcome => outcome,
        }
    }
}

/// Configures a session once it is open, because connection poolers such as PgBouncer and RDS Proxy refuse the start-up
/// parameter for it. Every session uses UTC: months start in UTC, whatever the server's time zone is.
fn session_settings(config: &StoreConfig) -> Hook {
    let sql: Arc<str> = format!(
        "SET timezone = 'UTC'; SET statement_timeout = {}; SET idle_in_transaction_session_timeout = 30000",
        config.statement_timeout.as_millis()
    )
    .into();
    let limit = config.acquire_timeout;
    Hook::async_fn(move |client, _| {
        let sql = Arc::clone(&sql);
        Box::pin(async move {
            match tokio::time::timeout(limit, client.batch_execute(&sql)).await {
                Ok(set) => set.map_err(HookError::Backend),
                Err(_) => Err(HookError::message("no answer in time")),
            }
        })
    })
}
