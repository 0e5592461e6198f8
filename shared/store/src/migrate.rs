//! The schema's migrations: numbered files, embedded, applied in order and never again.

use crate::{Store, StoreError, functions};
use deadpool_postgres::Transaction;
use std::cmp::Ordering;
use std::time::Duration;
use tokio_postgres::error::SqlState;

/// One numbered migration.
struct Migration {
    version: i32,
    name: &'static str,
    sql: &'static str,
}

macro_rules! migrations {
    ($($version:literal $name:literal),+ $(,)?) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("../migrations/", $name, ".sql")),
        }),+]
    };
}

/// In order. A released file is never edited: a change is a new file. Migrations only add, because the previous release
/// also runs on the new schema. Today's functions are in `functions/`; the migrations up to 0020 define them as they were
/// then.
const MIGRATIONS: &[Migration] = migrations![
    1 "0001_accounts",
    2 "0002_ledger",
    3 "0003_ledger_rules",
    4 "0004_calls",
    5 "0005_accounts_and_packs",
    6 "0006_periods_and_invoices",
    7 "0007_audit",
    8 "0008_scheduled_terms",
    9 "0009_billing",
    10 "0010_adjustments",
    11 "0011_usage_days",
    12 "0012_lost_holds",
    13 "0013_account_holders",
    14 "0014_console",
    15 "0015_client_grants",
    16 "0016_console_clients",
    17 "0017_mcp_keys",
    18 "0018_console_identities",
    19 "0019_billing_rules",
    20 "0020_console_tries",
    21 "0021_outbox",
    22 "0022_returned_payments",
];

/// Key of the advisory lock; any number not used otherwise in this database.
const MIGRATION_LOCK: i64 = 0x6c69_6d6e_6572;

/// Time limit of a migration. The database has none for it.
const MIGRATION_LIMIT: Duration = Duration::from_secs(2 * 60 * 60);

/// The result of [`Store::migrate`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationReport {
    /// Names of the migrations applied now; empty if the schema was up to date.
    pub applied: Vec<&'static str>,
    /// The version of the schema.
    pub version: i32,
    /// The SQL functions were replaced now; false if they were up to date.
    pub functions_applied: bool,
}

impl Store {
    /// Migrates the schema to this build's version and replaces the SQL functions if they changed, entirely or not at
    /// all. Idempotent; several processes may run it at once. The schema and the functions of a later release are left
    /// unchanged, because the previous release works on them.
    ///
    /// # Errors
    /// The database is unreachable, or was migrated with another build's files.
    pub async fn migrate(&self) -> Result<MigrationReport, StoreError> {
        let migrated = tokio::time::timeout(MIGRATION_LIMIT, self.migrate_without_limit()).await;
        migrated.map_err(|_| StoreError::Unavailable("the migration did not end in time".to_owned()))?
    }

    async fn migrate_without_limit(&self) -> Result<MigrationReport, StoreError> {
        let mut client = self.client().await?;
        let transaction = client.transaction().await?;
        // Waiting for another migrating process, and long migrations, are not errors.
        transaction.batch_execute("SET LOCAL statement_timeout = 0").await?;
        transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK]).await?;
        let migrated = apply_missing(&transaction).await?;
        transaction.commit().await?;
        Ok(migrated)
    }

    /// Checks that the database answers and has this build's schema and functions, or those of a later release, which
    /// are compatible.
    ///
    /// # Errors
    /// The database is unreachable or read-only, or its schema or its functions are older.
    pub async fn check_schema(&self) -> Result<(), StoreError> {
        const SQL: &str = "SELECT coalesce(max(version), 0) AS version, \
                           current_setting('transaction_read_only')::boolean AS read_only FROM schema_migration";
        let found: i32 = match self.query_one(SQL, &[]).await {
            Err(cause) if cause.sql_state() == Some(&SqlState::UNDEFINED_TABLE) => 0,
            row => {
                let row = row?;
                if row.try_get("read_only")? {
                    self.close_idle_connections();
                    return Err(StoreError::ReadOnly);
                }
                row.try_get("version")?
            }
        };
        let known = known_version();
        match found.cmp(&known) {
            Ordering::Less => Err(StoreError::Behind { found, known }),
            Ordering::Equal => functions::check(self).await,
            Ordering::Greater => Ok(()),
        }
    }
}

fn known_version() -> i32 {
    MIGRATIONS.last().map_or(0, |migration| migration.version)
}

async fn apply_missing(transaction: &Transaction<'_>) -> Result<MigrationReport, StoreError> {
    transaction
        .batch_execute(
            "CREATE TABLE IF NOT EXISTS schema_migration (
                 version integer PRIMARY KEY,
                 name text NOT NULL,
                 md5 text NOT NULL,
                 applied_at timestamptz NOT NULL DEFAULT now()
             )",
        )
        .await?;
    let newest = transaction.query_one("SELECT coalesce(max(version), 0) FROM schema_migration", &[]).await?.get(0);
    let known = known_version();
    let mut applied = Vec::new();
    for migration in MIGRATIONS {
        if is_applied(transaction, migration).await? {
            continue;
        }
        if newest > known {
            return Err(StoreError::Foreign { found: newest, missing: migration.version });
        }
        transaction.batch_execute(migration.sql).await?;
        let note = "INSERT INTO schema_migration (version, name, md5) VALUES ($1, $2, md5($3::text))";
        transaction.execute(note, &[&migration.version, &migration.name, &migration.sql]).await?;
        tracing::info!(migration.version, migration.name, "migration applied");
        applied.push(migration.name);
    }
    if newest > known {
        tracing::warn!(schema.version = newest, schema.known = known, "a later release migrated this database");
        return Ok(MigrationReport { applied, version: newest, functions_applied: false });
    }
    let functions_applied = functions::apply_changed(transaction).await?;
    Ok(MigrationReport { applied, version: known, functions_applied })
}

async fn is_applied(transaction: &Transaction<'_>, migration: &Migration) -> Result<bool, StoreError> {
    let query = "SELECT md5 = md5($2::text) FROM schema_migration WHERE version = $1";
    let row = transaction.query_opt(query, &[&migration.version, &migration.sql]).await?;
    match row.map(|row| row.get(0)) {
        None => Ok(false),
        Some(true) => Ok(true),
        Some(false) => Err(StoreError::Altered { version: migration.version, name: migration.name.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_not_changed_in_migrations() {
        const LAST_WITH_FUNCTIONS: i32 = 20;
        for migration in MIGRATIONS.iter().filter(|migration| migration.version > LAST_WITH_FUNCTIONS) {
            let sql = migration.sql.to_uppercase();
            let defines = ["CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"].iter().any(|words| sql.contains(words));
            assert!(!defines, "{} defines a function; it belongs into functions/", migration.name);
        }
    }

    #[test]
    fn migrations_are_numbered_without_gaps() {
        for (index, migration) in MIGRATIONS.iter().enumerate() {
            assert_eq!(migration.version as usize, index + 1, "{}", migration.name);
            assert!(migration.name.starts_with(&format!("{:04}_", migration.version)), "{}", migration.name);
        }
    }

    #[test]
    fn every_file_is_in_the_list() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let files = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let listed: Vec<String> = MIGRATIONS.iter().map(|migration| format!("{}.sql", migration.name)).collect();
        assert_eq!(names, listed);
    }
}
