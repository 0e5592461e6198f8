//! Archived WAL and base backups of a private PostgreSQL, and recovery to a moment.

use crate::postgres::{NAME, Postgres, PostgresEndpoint, Prepared, STOP};
use crate::process::{DataDir, Server};
use crate::{Durability, ServerError, executables, probe};
use std::ffi::OsString;

/// The WAL segments that a server has archived.
pub struct WalArchive(DataDir);

/// A copy of a server's files, made while it ran.
pub struct BaseBackup {
    dir: DataDir,
    endpoint: PostgresEndpoint,
}

impl std::fmt::Debug for WalArchive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("WalArchive").field(&self.0.path()).finish()
    }
}

impl std::fmt::Debug for BaseBackup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BaseBackup").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl Postgres {
    /// Archives WAL from now on. Restarts the server.
    ///
    /// # Errors
    /// The server does not start again.
    pub async fn archive_wal(&mut self) -> Result<WalArchive, ServerError> {
        let archive = WalArchive(DataDir::temporary("wal", STOP).await?);
        let folder = archive.0.path().display();
        self.execute(&format!(
            "ALTER SYSTEM SET archive_mode = on;
             ALTER SYSTEM SET archive_command = 'test ! -f {folder}/%f && cp %p {folder}/%f'"
        ))
        .await?;
        self.restart().await?;
        Ok(archive)
    }

    /// Ends the current WAL segment. Returns once it is archived.
    ///
    /// # Errors
    /// WAL is not archived.
    pub async fn archive_current_wal(&self) -> Result<(), ServerError> {
        self.execute(
            "DO $$
             DECLARE segment text := pg_walfile_name(pg_switch_wal());
             BEGIN
                 WHILE coalesce((SELECT last_archived_wal < segment FROM pg_stat_archiver), true) LOOP
                     PERFORM pg_sleep(0.02);
                     PERFORM pg_stat_clear_snapshot();
                 END LOOP;
             END $$",
        )
        .await
    }

    /// Makes a base backup, without WAL.
    ///
    /// # Errors
    /// `pg_basebackup` fails.
    pub async fn base_backup(&self) -> Result<BaseBackup, ServerError> {
        let dir = DataDir::temporary("postgres", STOP).await?;
        let PostgresEndpoint { address, password, .. } = self.endpoint();
        dir.write_private("password", password)?;
        let mut args: Vec<OsString> = vec!["-D".into(), dir.path().join("data").into(), "-d".into()];
        args.push(format!("postgres://{NAME}:{password}@{address}/postgres").into());
        args.extend(["--wal-method=none", "--checkpoint=fast", "--no-sync", "--no-manifest"].map(OsString::from));
        dir.run_helper(executables::postgres_bin_dir(None)?.join("pg_basebackup"), args).await?;
        Ok(BaseBackup { dir, endpoint: self.endpoint().clone() })
    }
}

impl BaseBackup {
    /// Starts a server on the backup that replays archived WAL up to a moment, and returns once it accepts writes.
    ///
    /// # Errors
    /// The archive does not reach the moment, or the server does not start.
    pub async fn restore(self, archive: &WalArchive, moment: &str) -> Result<Postgres, ServerError> {
        let Self { dir, endpoint } = self;
        let settings = dir.path().join("data/postgresql.auto.conf");
        let before = std::fs::read_to_string(&settings).map_err(ServerError::io("reading the backup's settings"))?;
        let folder = archive.0.path().display();
        let recovery = format!(
            "{before}\narchive_mode = off\nrestore_command = 'cp {folder}/%f %p'\n\
             recovery_target_time = '{moment}'\nrecovery_target_action = promote\n"
        );
        dir.write_private("data/postgresql.auto.conf", &recovery)?;
        dir.write_private("data/recovery.signal", "")?;
        let prepared = Prepared::new(&dir, Durability::Throwaway).await?;
        let server = Server::start(dir, |_, address| Ok(prepared.launch(address)), probe::postgres).await?;
        let restored = Postgres::from_parts(server, |address| PostgresEndpoint { address, ..endpoint });
        restored.execute("DO $$ BEGIN WHILE pg_is_in_recovery() LOOP PERFORM pg_sleep(0.02); END LOOP; END $$").await?;
        Ok(restored)
    }
}
