//! A connection while it runs one statement.

use crate::StoreError;
use deadpool_postgres::{Client, Pool};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Column, Error, Row, SimpleQueryMessage};

/// Time after which an unanswered statement casts doubt on the pool's other connections.
const SUSPICIOUS: Duration = Duration::from_secs(1);

/// A connection that runs a statement. Unless the statement ends, the connection is closed instead of reused: the next
/// statement would wait behind it.
pub(crate) struct Lease {
    client: Option<Client>,
    pool: Pool,
    began: Instant,
}

impl Lease {
    pub(crate) fn new(client: Client, pool: Pool) -> Self {
        Self { client: Some(client), pool, began: Instant::now() }
    }

    /// Returns the connection, until the end.
    pub(crate) fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// Returns the connection to the pool, unless its server no longer accepts writes: after a fail-over it is the former
    /// primary, for the other connections as well.
    pub(crate) fn end<T>(mut self, outcome: Result<T, StoreError>) -> Result<T, StoreError> {
        let client = self.client.take();
        if outcome.as_ref().is_err_and(StoreError::is_read_only) {
            drop(client.map(Client::take));
            close_idle_connections(&self.pool);
        }
        outcome
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(client) = self.client.take() else { return };
        drop(Client::take(client));
        metrics::counter!("limner_store_abandoned_statements_total").increment(1);
        if self.began.elapsed() > SUSPICIOUS {
            close_idle_connections(&self.pool);
        }
    }
}

/// Closes connections that may lead to a server that is gone.
pub(crate) fn close_idle_connections(pool: &Pool) {
    let closed = pool.retain(|_, _| false).removed.len();
    tracing::warn!(connections.closed = closed, "the database's idle connections were closed");
}

/// The types of the parameters of each statement. Statements are sent with them and without a name, because behind a
/// connection pooler each may reach another session of the server.
#[derive(Default)]
pub(crate) struct ParameterTypes(RwLock<HashMap<&'static str, Arc<[Type]>>>);

impl ParameterTypes {
    /// Runs a statement.
    pub(crate) async fn query(
        &self,
        client: &Client,
        sql: &'static str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(sql).map(Arc::clone);
        let types = match known {
            Some(types) => types,
            None if params.is_empty() => Arc::default(),
            None => self.learn(client, sql).await?,
        };
        let typed: Vec<(&(dyn ToSql + Sync), Type)> = params.iter().copied().zip(types.iter().cloned()).collect();
        let rows = client.query_typed(sql, &typed).await?;
        let is_built_in = |column: &Column| Type::from_oid(column.type_().oid()).is_some();
        debug_assert!(
            rows.first().is_none_or(|row| row.columns().iter().all(is_built_in)),
            "{sql}: cast the columns to built-in types"
        );
        Ok(rows)
    }

    /// Asks the database for the types, in one message: its statements reach the same session, whose transaction they
    /// leave as it is.
    async fn learn(&self, client: &Client, sql: &'static str) -> Result<Arc<[Type]>, Error> {
        let question = format!(
            "PREPARE limner_types AS {sql}; \
             SELECT unnest(parameter_types)::oid FROM pg_prepared_statements WHERE name = 'limner_types'; \
             DEALLOCATE limner_types"
        );
        let rows = client.simple_query(&question).await?.into_iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row.get(0).and_then(|oid| oid.parse().ok()).unwrap_or_default()),
            _ => None,
        });
        // A type of the schema would be looked up by the driver, with a statement that has a name.
        let types: Arc<[Type]> = rows.map(|oid| Type::from_oid(oid).unwrap_or(Type::UNKNOWN)).collect();
        debug_assert!(!types.contains(&Type::UNKNOWN), "{sql}: cast the parameters to built-in types: {types:?}");
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(sql, Arc::clone(&types));
        Ok(types)
    }
}
