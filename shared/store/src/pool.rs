//! The connection pool.

use crate::StoreError;
use crate::tls::{self, TlsOptions};
use deadpool_postgres::{Client, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use std::future::Future;
use std::time::Duration;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// Configuration of the database connections.
#[derive(Clone)]
pub struct StoreConfig {
    /// `postgres://user:password@host:port/database`. `?sslmode=` is `disable`, `prefer` (the default), `require`,
    /// `verify-ca` or `verify-full`; `sslrootcert=` names a PEM file with CA certificates to trust instead of the
    /// public ones.
    pub url: String,
    /// Maximum number of connections.
    pub pool_size: usize,
    /// Time for which an operation waits for a connection, including opening one.
    pub acquire_timeout: Duration,
    /// Maximum run time of a statement before the database cancels it.
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
        // Every session uses UTC: months start in UTC, whatever the server's time zone is.
        let timeout = config.statement_timeout.as_millis();
        let session =
            format!("-c timezone=UTC -c statement_timeout={timeout} -c idle_in_transaction_session_timeout=30000");
        let options = match target.get_options() {
            Some(given) => format!("{session} {given}"),
            None => session,
        };
        target.options(options);
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(target, tls::connector(&encryption)?, recycling);
        let pool = Pool::builder(manager)
            .max_size(config.pool_size)
            .wait_timeout(Some(config.acquire_timeout))
            .create_timeout(Some(config.acquire_timeout))
            .recycle_timeout(Some(config.acquire_timeout))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|cause| StoreError::Pool(cause.to_string()))?;
        Ok(Self { pool })
    }

    /// Returns a connection of the pool.
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
        self.client().await?.simple_query("SELECT 1").await?;
        Ok(())
    }

    /// Runs one statement and returns its rows. Takes one round trip if the connection has prepared it before.
    ///
    /// # Errors
    /// There is no connection, or the database rejects the statement.
    pub async fn query(&self, sql: &'static str, params: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, StoreError> {
        let client = self.client().await?;
        let statement = client.prepare_cached(sql).await?;
        Ok(client.query(&statement, params).await?)
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
                // The other idle connections broke at the same moment.
                self.pool.retain(|client, _| !client.is_closed());
                operation(self.clone()).await
            }
            outcome => outcome,
        }
    }
}
