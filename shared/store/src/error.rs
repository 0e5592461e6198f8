//! Errors of the database.

use deadpool_postgres::PoolError;
use tokio_postgres::error::SqlState;

/// A database operation that failed. Messages are for the operator; callers of the API never see them.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The URL of the database is invalid. The cause is not repeated: it might contain a password.
    #[error("the address of the database is not a PostgreSQL connection URL")]
    InvalidUrl,
    /// The URL's TLS options are not supported or invalid.
    #[error("the connection to the database can't be encrypted as asked: {0}")]
    Tls(String),
    /// The pool cannot be built.
    #[error("the connection pool can't be set up: {0}")]
    Pool(String),
    /// No connection in time: the database is down, unreachable, or all connections are in use.
    #[error("the database does not answer: {0}")]
    Unavailable(String),
    /// The database answered with an error.
    #[error("the database refused a statement: {}", full_text(.0))]
    Sql(#[source] tokio_postgres::Error),
    /// The server does not accept writes: after a fail-over it is the former primary.
    #[error("the database is read-only")]
    ReadOnly,
    /// A row does not match the schema.
    #[error("the database holds something unexpected: {0}")]
    Unexpected(String),
    /// An applied migration differs from this build's.
    #[error(
        "migration {version} ({name}) in the database differs from the one of this build; applied migrations never change"
    )]
    Altered {
        /// The number of the migration.
        version: i32,
        /// Its name.
        name: String,
    },
    /// The database is older than this build.
    #[error("the database has migration {found}, this build needs {known}; run `limner migrate`")]
    Behind {
        /// The newest applied migration; 0: none.
        found: i32,
        /// The newest migration of this build.
        known: i32,
    },
    /// The database does not have this build's SQL functions.
    #[error("the database lacks the SQL functions of this build; run `limner migrate`")]
    OutdatedFunctions,
    /// The database is newer than this build and lacks one of this build's migrations.
    #[error("the database has migration {found} and lacks {missing}: it is no schema of a later release")]
    Foreign {
        /// The newest applied migration.
        found: i32,
        /// This build's migration that is not applied.
        missing: i32,
    },
}

impl StoreError {
    /// Returns true if the connection broke before a response arrived, so that it is unknown whether the statement was
    /// carried out. Only an idempotent statement may be repeated.
    pub fn is_connection_lost(&self) -> bool {
        let Self::Sql(cause) = self else { return false };
        cause.is_closed() || is_io(cause) || cause.code().is_some_and(is_shutdown) || self.is_read_only()
    }

    /// Returns true if the server does not accept writes. Nothing was carried out; another connection may lead to the
    /// primary.
    pub(crate) fn is_read_only(&self) -> bool {
        self.sql_state() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION)
    }

    /// Returns true if the database is unreachable, false if it rejected an operation.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::ReadOnly) || self.is_connection_lost() || self.is_out_of_resources()
    }

    /// Returns true if the server lacks disk space, memory or connections. Nothing was carried out.
    fn is_out_of_resources(&self) -> bool {
        const CLASS: &str = "53";
        self.sql_state().is_some_and(|state| state.code().starts_with(CLASS))
    }

    /// Returns the SQLSTATE, if the database answered with an error.
    pub fn sql_state(&self) -> Option<&SqlState> {
        match self {
            Self::Sql(cause) => cause.code(),
            _ => None,
        }
    }
}

impl From<PoolError> for StoreError {
    fn from(cause: PoolError) -> Self {
        Self::Unavailable(match cause {
            PoolError::Timeout(_) => "no connection in time".to_owned(),
            PoolError::Backend(cause) => full_text(&cause),
            other => other.to_string(),
        })
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(cause: tokio_postgres::Error) -> Self {
        Self::Sql(cause)
    }
}

fn is_io(error: &tokio_postgres::Error) -> bool {
    use std::error::Error;
    error.source().is_some_and(|source| source.is::<std::io::Error>())
}

fn is_shutdown(code: &SqlState) -> bool {
    [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW].contains(code)
}

/// Returns the text of the error's source: the driver's own text is only "db error".
fn full_text(error: &tokio_postgres::Error) -> String {
    use std::error::Error;
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
