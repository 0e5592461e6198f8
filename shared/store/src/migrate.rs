//! The schema's migrations: numbered files, embedded, applied in order and never again.

use crate::{Store, StoreError, functions};
use deadpool_postgres::{Client, ClientWrapper, Transaction};
use std::cmp::Ordering;
use std::time::Duration;
use tokio_postgres::SimpleQueryMessage;
use tokio_postgres::error::SqlState;

/// One numbered migration.
struct Migration {
    version: i32,
    name: &'static str,
    sql: &'static str,
}

impl Migration {
    fn is_concurrent(&self) -> bool {
        self.sql.lines().next() == Some(CONCURRENT)
    }

    /// Returns the statements of a concurrent migration, which has no quoted semicolons.
    fn statements(&self) -> impl Iterator<Item = &'static str> {
        self.sql.split(';').map(str::trim).filter(|statement| !statement.is_empty())
    }

    /// Returns the names of the indexes that it builds concurrently, with the schema of their table.
    fn concurrent_indexes(&self) -> Vec<String> {
        self.statements().filter_map(concurrent_index).collect()
    }
}

/// Returns the name of the index that a statement builds concurrently, with the schema of its table.
fn concurrent_index(statement: &str) -> Option<String> {
    let lines = statement.lines().map(|line| line.split("--").next().unwrap_or_default());
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let is = |at: usize, word: &str| words.get(at).is_some_and(|found| found.eq_ignore_ascii_case(word));
    let concurrently = words.iter().position(|word| word.eq_ignore_ascii_case("concurrently"))?;
    let first = concurrently + 1;
    let name = if is(first, "if") { first + 3 } else { first };
    if !is(0, "create") || !is(name + 1, "on") {
        return None;
    }
    let table = words.get(name + 2)?.split('(').next()?;
    let schema = table.split_once('.').map(|(schema, _)| format!("{schema}."));
    Some(format!("{}{}", schema.unwrap_or_default(), words[name]))
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
    23 "0023_reconciliation",
    24 "0024_history_key",
    25 "0025_history_bound",
    26 "0026_history_validation",
    27 "0027_history_months",
    28 "0028_call_duration",
];

/// Key of the advisory lock; any number not used otherwise in this database.
const MIGRATION_LOCK: i64 = 0x6c69_6d6e_6572;

/// First line of a migration that runs outside of a transaction, statement by statement, because it builds indexes
/// concurrently. It may be interrupted anywhere, so each of its statements can be repeated.
const CONCURRENT: &str = "-- concurrent";

/// Time for which a statement of a migration waits for a lock. All calls on a table queue behind such a statement.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '2s'";
/// Number of attempts at getting the locks of a migration, and the delay between them.
const LOCK_ATTEMPTS: u32 = 30;
const LOCK_RETRY_DELAY: Duration = Duration::from_secs(2);
/// Interval at which a process asks whether another one has ended its migration.
const LOCK_POLL: Duration = Duration::from_millis(100);

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
    /// all, except that indexes are built concurrently before what follows them. A lock that is not free soon is given up
    /// and asked for again, so that calls do not queue behind the migration for long. Idempotent; several processes may run it at once. The schema and the functions of a later release are left
    /// unchanged, because the previous release works on them.
    ///
    /// # Errors
    /// The database is unreachable, or was migrated with another build's files.
    pub async fn migrate(&self) -> Result<MigrationReport, StoreError> {
        let migrated = tokio::time::timeout(MIGRATION_LIMIT, self.migrate_without_limit()).await;
        migrated.map_err(|_| StoreError::Unavailable("the migration did not end in time".to_owned()))?
    }

    async fn migrate_without_limit(&self) -> Result<MigrationReport, StoreError> {
        let mut applied = Vec::new();
        let mut attempt = 1;
        loop {
            match self.migrate_once(MIGRATIONS, true, &mut applied).await {
                Ok(Progress::Complete(report)) => return Ok(MigrationReport { applied, ..report }),
                Ok(Progress::Concurrent) => attempt = 1,
                Err(cause) if cause.sql_state() == Some(&SqlState::LOCK_NOT_AVAILABLE) && attempt < LOCK_ATTEMPTS => {
                    tracing::info!(migration.attempt = attempt, "a table is in use; migrating again");
                    attempt += 1;
                    tokio::time::sleep(LOCK_RETRY_DELAY).await;
                }
                Err(cause) => return Err(cause),
            }
        }
    }

    /// Applies the missing migrations up to the next concurrent one, or that one alone.
    async fn migrate_once(
        &self,
        migrations: &'static [Migration],
        with_functions: bool,
        applied: &mut Vec<&'static str>,
    ) -> Result<Progress, StoreError> {
        let mut client = self.client().await?;
        let transaction = begin(&mut client).await?;
        let progress = apply_missing(&transaction, migrations, with_functions, applied).await?;
        transaction.commit().await?;
        let Some(next) = progress.concurrent else { return Ok(Progress::Complete(progress.report)) };
        // The lock is that of a transaction, because sessions are not one's own behind a connection pooler. Its connection
        // leaves the pool, which may have room for one.
        let mut client = Client::take(client);
        let lock = begin(&mut client).await?;
        if !is_applied(&lock, next).await? {
            // Ends the last query's portal: its snapshot would be waited for by the index build.
            lock.batch_execute("SELECT 1").await?;
            // Never put back into the pool: its settings are those of a migration.
            apply_concurrent(&Client::take(self.client().await?), next).await?;
            applied.push(next.name);
        }
        lock.commit().await?;
        Ok(Progress::Concurrent)
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

/// Begins a transaction that holds the lock of migrations.
async fn begin(client: &mut ClientWrapper) -> Result<Transaction<'_>, StoreError> {
    let transaction = client.transaction().await?;
    // Waiting for another migrating process, and long migrations, are not errors.
    let patient = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";
    transaction.batch_execute(patient).await?;
    while !try_lock(&transaction).await? {
        tokio::time::sleep(LOCK_POLL).await;
    }
    transaction.batch_execute(LOCK_TIMEOUT).await?;
    Ok(transaction)
}

/// Takes the lock of migrations if it is free. A statement that waits for it would have a snapshot, for whose end a
/// concurrent index build of the process with the lock waits; so would an open portal.
async fn try_lock(transaction: &Transaction<'_>) -> Result<bool, StoreError> {
    let query = format!("SELECT pg_try_advisory_xact_lock({MIGRATION_LOCK})");
    let said = transaction.simple_query(&query).await?;
    Ok(said.iter().any(|message| matches!(message, SimpleQueryMessage::Row(row) if row.get(0) == Some("t"))))
}

/// The result of [`Store::migrate_once`].
enum Progress {
    /// The schema is up to date.
    Complete(MigrationReport),
    /// A concurrent migration was applied; others may follow.
    Concurrent,
}

/// The result of one transaction.
struct Applied {
    report: MigrationReport,
    /// The migration that comes next and cannot be part of a transaction.
    concurrent: Option<&'static Migration>,
}

async fn apply_missing(
    transaction: &Transaction<'_>,
    migrations: &'static [Migration],
    with_functions: bool,
    names: &mut Vec<&'static str>,
) -> Result<Applied, StoreError> {
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
    for migration in migrations {
        if is_applied(transaction, migration).await? {
            continue;
        }
        if newest > known {
            return Err(StoreError::Foreign { found: newest, missing: migration.version });
        }
        if migration.is_concurrent() {
            names.extend(applied);
            let report = MigrationReport { applied: Vec::new(), version: migration.version, functions_applied: false };
            return Ok(Applied { report, concurrent: Some(migration) });
        }
        transaction.batch_execute(migration.sql).await?;
        transaction.execute(NOTE, &[&migration.version, &migration.name, &migration.sql]).await?;
        tracing::info!(migration.version, migration.name, "migration applied");
        applied.push(migration.name);
    }
    let is_later = newest > known;
    if is_later {
        tracing::warn!(schema.version = newest, schema.known = known, "a later release migrated this database");
    }
    let functions_applied = with_functions && !is_later && functions::apply_changed(transaction).await?;
    names.extend(applied);
    let report = MigrationReport { applied: Vec::new(), version: newest.max(known), functions_applied };
    Ok(Applied { report, concurrent: None })
}

/// Records a migration.
const NOTE: &str = "INSERT INTO schema_migration (version, name, md5) VALUES ($1, $2, md5($3::text))";

/// Applies a migration outside of a transaction. An index of it that an interrupted build left invalid is
/// dropped first.
async fn apply_concurrent(client: &tokio_postgres::Client, migration: &Migration) -> Result<(), StoreError> {
    const INVALID: &str = "SELECT c.oid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                           WHERE NOT i.indisvalid AND i.indexrelid = ANY (
                               SELECT to_regclass(built)::oid FROM unnest($1::text[]) built)";
    client.batch_execute("SET statement_timeout = 0").await?;
    for row in client.query(INVALID, &[&migration.concurrent_indexes()]).await? {
        let name: String = row.get("name");
        client.batch_execute(&format!("DROP INDEX CONCURRENTLY IF EXISTS {name}")).await?;
    }
    for statement in migration.statements() {
        client.batch_execute(statement).await?;
    }
    client.execute(NOTE, &[&migration.version, &migration.name, &migration.sql]).await?;
    tracing::info!(migration.version, migration.name, "migration applied outside of a transaction");
    Ok(())
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

    /// Returns the statements that lock a table for long: index builds on tables that an earlier migration made.
    fn blocking_builds(sql: &str) -> Vec<String> {
        let words = sql.to_uppercase().replace('(', " (");
        let words: Vec<&str> = words.split_whitespace().collect();
        let made: Vec<&str> = words.windows(3).filter(|w| w[..2] == ["CREATE", "TABLE"]).map(|w| w[2]).collect();
        let builds = words.windows(4).enumerate().filter(|(_, w)| {
            w[0] == "CREATE" && (w[1] == "INDEX" || w[1..3] == ["UNIQUE", "INDEX"]) && !w.contains(&"CONCURRENTLY")
        });
        let table =
            |at: usize| words[at..].iter().skip_while(|word| **word != "ON").nth(1).copied().unwrap_or_default();
        builds.map(|(at, _)| table(at)).filter(|table| !made.contains(table)).map(str::to_owned).collect()
    }

    #[test]
    fn indexes_on_existing_tables_are_built_concurrently() {
        const LAST_WITHOUT_RULE: i32 = 21;
        for migration in MIGRATIONS.iter().filter(|migration| migration.version > LAST_WITHOUT_RULE) {
            assert_eq!(blocking_builds(migration.sql), Vec::<String>::new(), "{}", migration.name);
            let builds = migration.sql.to_uppercase().contains(" CONCURRENTLY ");
            assert_eq!(builds, migration.is_concurrent(), "{} begins with `{CONCURRENT}` or not", migration.name);
        }
    }

    #[test]
    fn blocking_builds_are_found() {
        for (sql, tables) in [
            ("CREATE TABLE a.b (c text); CREATE INDEX d ON a.b (c);", vec![]),
            ("CREATE INDEX d ON a.b (c) WHERE c IS NULL;", vec!["A.B"]),
            ("create unique index d on a.b(c);", vec!["A.B"]),
            ("CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS d ON a.b (c, d);", vec![]),
            ("CREATE INDEX CONCURRENTLY IF NOT EXISTS d ON a.b (c);", vec![]),
        ] {
            assert_eq!(blocking_builds(sql), tables, "{sql}");
        }
    }

    /// The tables that are large in each fleet; a scan of one takes minutes to hours.
    const LARGE: [&str; 2] = ["METERING.LEDGER_ENTRY", "METERING.USAGE_CALL"];

    /// Returns the actions on large tables that rewrite or scan them under a lock that calls wait for.
    fn blocking_changes(sql: &str) -> Vec<String> {
        let is_code = |line: &&str| !line.trim_start().starts_with("--");
        let sql = sql.lines().filter(is_code).collect::<Vec<_>>().join(" ").to_uppercase();
        let alters = sql.split(';').filter_map(|statement| {
            let words = statement.split_whitespace().collect::<Vec<_>>().join(" ");
            // Statements of `DO` blocks as well.
            let (_, altered) = words.split_once("ALTER TABLE ")?;
            let (table, action) = altered.trim_start_matches("IF EXISTS ").split_once(' ')?;
            LARGE.contains(&table).then(|| format!("{action} "))
        });
        alters.filter(|action| blocks(action)).collect()
    }

    /// Only a default that is the same for each row, such as a literal, is no rewrite.
    fn blocks(action: &str) -> bool {
        let adds_column = action.contains("ADD COLUMN ");
        let computes = adds_column && action.split_once(" DEFAULT ").is_some_and(|(_, value)| value.contains('('));
        let numbers = adds_column && ["SERIAL ", "GENERATED "].iter().any(|word| action.contains(word));
        let retypes = action.contains("ALTER COLUMN ") && action.contains(" TYPE ");
        let constrains =
            action.contains("ADD CONSTRAINT ") && !action.contains("NOT VALID") && !action.contains("USING INDEX");
        computes || numbers || retypes || constrains || action.contains("SET NOT NULL")
    }

    #[test]
    fn large_tables_are_neither_rewritten_nor_scanned_under_a_lock() {
        const LAST_WITHOUT_RULE: i32 = 21;
        for migration in MIGRATIONS.iter().filter(|migration| migration.version > LAST_WITHOUT_RULE) {
            assert_eq!(blocking_changes(migration.sql), Vec::<String>::new(), "{}", migration.name);
        }
    }

    #[test]
    fn blocking_changes_are_found() {
        for (change, is_found) in [
            ("ALTER TABLE metering.ledger_entry ALTER COLUMN credits TYPE bigint", true),
            ("alter table metering.usage_call\n  alter column a set data type text", true),
            ("ALTER TABLE metering.usage_call ADD COLUMN at timestamptz NOT NULL DEFAULT now()", true),
            ("ALTER TABLE metering.usage_call ADD COLUMN id bigserial NOT NULL", true),
            ("ALTER TABLE metering.usage_call ADD COLUMN b text GENERATED ALWAYS AS (a || 'b') STORED", true),
            ("ALTER TABLE IF EXISTS metering.usage_call ALTER COLUMN a SET NOT NULL", true),
            ("ALTER TABLE metering.ledger_entry ADD CONSTRAINT c CHECK (credits <> 0)", true),
            ("DO $$ BEGIN ALTER TABLE metering.ledger_entry ADD CONSTRAINT c CHECK (credits <> 0); END $$", true),
            ("ALTER TABLE metering.ledger_entry ADD CONSTRAINT c CHECK (credits <> 0) NOT VALID", false),
            ("ALTER TABLE metering.ledger_entry VALIDATE CONSTRAINT c", false),
            ("ALTER TABLE metering.usage_call ADD CONSTRAINT c UNIQUE USING INDEX c", false),
            ("ALTER TABLE metering.usage_call ADD COLUMN a boolean NOT NULL DEFAULT false", false),
            ("ALTER TABLE metering.usage_call ADD COLUMN a text; ALTER TABLE t ALTER COLUMN a TYPE text", false),
            ("-- ALTER TABLE metering.usage_call ALTER COLUMN a TYPE text\nSELECT 1", false),
        ] {
            assert_eq!(!blocking_changes(change).is_empty(), is_found, "{change}");
        }
    }

    #[test]
    fn names_of_concurrent_indexes_are_parsed() {
        for (statement, name) in [
            ("CREATE INDEX CONCURRENTLY IF NOT EXISTS t_a ON t (a)", Some("t_a")),
            ("-- Why\ncreate unique index concurrently t_a on s.t(a)", Some("s.t_a")),
            ("-- CONCURRENTLY t_b ON s.t\nCREATE INDEX CONCURRENTLY t_a ON s.t USING brin (a)", Some("s.t_a")),
            ("DROP INDEX CONCURRENTLY t_a", None),
            ("CREATE INDEX t_a ON t (a)", None),
            ("ALTER TABLE s.t VALIDATE CONSTRAINT t_c", None),
        ] {
            assert_eq!(concurrent_index(statement).as_deref(), name, "{statement}");
        }
        let found: Vec<String> = MIGRATIONS.iter().flat_map(Migration::concurrent_indexes).collect();
        assert_eq!(found, ["metering.usage_call_by_request", "metering.usage_call_unsummed"]);
    }

    async fn empty() -> Store {
        let url = limner_local_servers::shared_servers::postgres().await.fresh_database().await.unwrap();
        Store::connect(crate::StoreConfig { url, ..crate::StoreConfig::default() }).await.unwrap()
    }

    static STEPS: &[Migration] = &[
        Migration { version: 1, name: "0001_table", sql: "CREATE TABLE t (a int); INSERT INTO t VALUES (1), (1)" },
        Migration {
            version: 2,
            name: "0002_index",
            sql: "-- concurrent\nCREATE INDEX CONCURRENTLY IF NOT EXISTS t_a ON t (a);\n",
        },
        Migration { version: 3, name: "0003_column", sql: "ALTER TABLE t ADD COLUMN b int" },
    ];

    #[tokio::test]
    async fn indexes_are_built_outside_of_the_transaction_and_again_after_an_interruption() {
        let store = empty().await;
        let mut applied = Vec::new();
        assert!(matches!(store.migrate_once(&STEPS[..1], false, &mut applied).await, Ok(Progress::Complete(_))));
        // A unique build over duplicates fails and leaves an invalid index of that name. One with another name is kept.
        let client = store.client().await.unwrap();
        client.batch_execute("CREATE SCHEMA other; CREATE TABLE other.u AS TABLE t").await.unwrap();
        for index in ["t_a ON t", "t ON other.u"] {
            assert!(client.batch_execute(&format!("CREATE UNIQUE INDEX CONCURRENTLY {index} (a)")).await.is_err());
        }
        assert!(matches!(store.migrate_once(STEPS, false, &mut applied).await, Ok(Progress::Concurrent)));
        assert!(matches!(store.migrate_once(STEPS, false, &mut applied).await, Ok(Progress::Complete(_))));
        assert_eq!(applied, ["0001_table", "0002_index", "0003_column"]);
        let valid =
            "SELECT indisvalid AND NOT indisunique AS is_built FROM pg_index WHERE indexrelid = 't_a'::regclass";
        assert!(store.query_one(valid, &[]).await.unwrap().get::<_, bool>("is_built"));
        let left = "SELECT count(*) AS left FROM pg_index WHERE NOT indisvalid AND indexrelid = 'other.t'::regclass";
        assert_eq!(store.query_one(left, &[]).await.unwrap().get::<_, i64>("left"), 1);
    }

    /// A call that holds a table for long neither fails the migration nor lets other calls queue behind it.
    #[tokio::test]
    async fn table_in_use_is_waited_for_in_short_turns() {
        let store = empty().await;
        store.migrate_once(&STEPS[..2], false, &mut Vec::new()).await.map(drop).unwrap();
        let mut client = store.client().await.unwrap();
        let reading = client.transaction().await.unwrap();
        reading.batch_execute("SELECT * FROM t").await.unwrap();
        let mut applied = Vec::new();
        let cause = store.migrate_once(STEPS, false, &mut applied).await.map(drop).unwrap_err();
        assert_eq!(cause.sql_state(), Some(&SqlState::LOCK_NOT_AVAILABLE), "{cause}");
        reading.commit().await.unwrap();
        assert!(matches!(store.migrate_once(STEPS, false, &mut applied).await, Ok(Progress::Complete(_))));
        assert_eq!(applied, ["0003_column"]);
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
