//! What can go wrong between us and the database.

use deadpool_postgres::PoolError;
use tokio_postgres::error::SqlState;

/// A database operation that failed. Messages are for the operator; callers of the API never see them.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The address of the database can't be understood. The cause is not repeated: it might hold a password.
    #[error("the address of the database is not a PostgreSQL connection URL")]
    Address,
    /// What the address says about encryption can't be done.
    #[error("the connection to the database can't be encrypted as asked: {0}")]
    Tls(String),
    /// The pool can't be built.
    #[error("the connection pool can't be set up: {0}")]
    Pool(String),
    /// No connection could be had in time: the database is down, out of reach, or all connections are busy.
    #[error("the database does not answer: {0}")]
    Unavailable(String),
    /// The database answered with an error.
    #[error("the database refused a statement: {}", full_text(.0))]
    Sql(#[source] tokio_postgres::Error),
    /// A row does not look like the schema says.
    #[error("the database holds something unexpected: {0}")]
    Unexpected(String),
    /// An applied migration is not the one of this build.
    #[error(
        "migration {version} ({name}) in the database differs from the one of this build; applied migrations never change"
    )]
    Altered {
        /// The number of the migration.
        version: i32,
        /// Its name.
        name: String,
    },
    /// The database is behind this build.
    #[error("the database has migration {found}, this build needs {known}; run `limner migrate`")]
    Behind {
        /// The newest migration applied; 0: none.
        found: i32,
        /// The newest migration of this build.
        known: i32,
    },
    /// The database is ahead of this build and lacks what this build begins with.
    #[error("the database has migration {found} and lacks {missing}: it is no schema of a later release")]
    Foreign {
        /// The newest migration applied.
        found: i32,
        /// One of this build that is not.
        missing: i32,
    },
}

impl StoreError {
    /// Whether the connection broke before an answer came, so that nobody knows whether the statement was carried out.
    /// Repeating it is right exactly when it is idempotent.
    pub fn is_connection_lost(&self) -> bool {
        let Self::Sql(cause) = self else { return false };
        cause.is_closed() || is_io(cause) || cause.code().is_some_and(is_shutdown)
    }

    /// Whether the database can't be reached, as opposed to having refused something.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_)) || self.is_connection_lost()
    }

    /// The SQL error code, when the database answered with one.
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

/// The driver's own text says only "db error"; what happened is in its source.
fn full_text(error: &tokio_postgres::Error) -> String {
    use std::error::Error;
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
