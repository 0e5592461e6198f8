//! The SQL functions: one file per subject in `functions/`, with today's definition of every function.
//!
//! A migration is applied once, the folder is applied whenever it differs from the set that was applied last. Functions
//! are replaced, never dropped: the previous release also calls them.

use crate::{Store, StoreError};
use deadpool_postgres::Transaction;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;
use tokio_postgres::error::SqlState;

macro_rules! functions {
    ($($name:literal),+ $(,)?) => {
        #[cfg(test)]
        const FILES: &[&str] = &[$($name),+];

        /// All files, one after the other.
        const SQL: &str = concat!($(include_str!(concat!("../functions/", $name, ".sql"))),+);
    };
}

// In any order: bodies are checked when they run.
functions![
    "account_state",
    "accounts",
    "clock",
    "commit",
    "console",
    "erasure",
    "grants",
    "history",
    "hold",
    "invoices",
    "jobs",
    "keys",
    "ledger",
    "ledger_check",
    "orders",
    "packs",
    "payments",
    "periods",
    "previous_release",
    "refunds",
    "release",
    "subscriptions",
    "terms",
    "usage",
];

static HASH: LazyLock<[u8; 32]> = LazyLock::new(|| Sha256::digest(SQL).into());

/// Returns the version of this build as PostgreSQL compares it: `[0, 9, 1]` is before `[0, 10, 0]`.
fn release() -> Vec<i32> {
    env!("CARGO_PKG_VERSION").split(['.', '-', '+']).map_while(|number| number.parse().ok()).take(3).collect()
}

/// Replaces the functions, unless the set that was applied last is this one or that of a later release. Returns true if
/// it replaced them. The caller holds the lock of migrations.
pub(crate) async fn apply_changed(transaction: &Transaction<'_>) -> Result<bool, StoreError> {
    transaction
        .batch_execute(
            "CREATE TABLE IF NOT EXISTS schema_functions (
                 id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                 sha256 bytea NOT NULL,
                 release integer[] NOT NULL,
                 applied_at timestamptz NOT NULL DEFAULT now()
             )",
        )
        .await?;
    let last = "SELECT sha256 = $1, release > $2 FROM schema_functions ORDER BY id DESC LIMIT 1";
    if let Some(row) = transaction.query_opt(last, &[&HASH.as_slice(), &release()]).await? {
        let (is_same, is_later): (bool, bool) = (row.get(0), row.get(1));
        if is_same {
            return Ok(false);
        }
        if is_later {
            tracing::warn!("a later release replaced the functions of this database");
            return Ok(false);
        }
    }
    // A body may call a function that comes later, or use an enum value that a migration added in this transaction.
    transaction.batch_execute("SET LOCAL check_function_bodies = off").await?;
    transaction.batch_execute(SQL).await?;
    let note = "INSERT INTO schema_functions (sha256, release) VALUES ($1, $2)";
    transaction.execute(note, &[&HASH.as_slice(), &release()]).await?;
    tracing::info!("SQL functions applied");
    Ok(true)
}

/// Checks that the database has had this build's functions, which later builds replace by compatible ones, or those of a
/// later release.
pub(crate) async fn check(store: &Store) -> Result<(), StoreError> {
    const APPLIED: &str = "SELECT EXISTS (SELECT FROM schema_functions WHERE sha256 = $1)
        OR coalesce((SELECT release > $2 FROM schema_functions ORDER BY id DESC LIMIT 1), false) AS is_applied";
    let is_applied = match store.query_one(APPLIED, &[&HASH.as_slice(), &release()]).await {
        Err(cause) if cause.sql_state() == Some(&SqlState::UNDEFINED_TABLE) => false,
        row => row?.try_get("is_applied")?,
    };
    if is_applied { Ok(()) } else { Err(StoreError::OutdatedFunctions) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_in_the_list() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/functions");
        let files = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let listed: Vec<String> = FILES.iter().map(|name| format!("{name}.sql")).collect();
        assert_eq!(names, listed);
    }

    #[test]
    fn release_has_three_numbers() {
        assert_eq!(release().len(), 3);
    }
}
