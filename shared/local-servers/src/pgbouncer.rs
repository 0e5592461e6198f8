//! A private PgBouncer in front of a PostgreSQL, for tests.

use crate::postgres::{self, Postgres};
use crate::process::{DataDir, Launch, Server};
use crate::{ServerError, executables, probe};
use rustix::process::Signal;
use std::net::SocketAddr;

const STOP: Signal = Signal::TERM;
/// Fewer connections to the database than any client has: they are shared.
const POOL_SIZE: usize = 3;

/// A PgBouncer that shares a few connections by transaction, as a hosted one does.
pub struct PgBouncer {
    server: Server,
}

impl PgBouncer {
    /// Starts a PgBouncer in front of `postgres`, with a temporary directory.
    ///
    /// # Errors
    /// It is not installed or does not start.
    pub async fn temporary(postgres: &Postgres) -> Result<Self, ServerError> {
        Self::temporary_before(postgres.address(), postgres).await
    }

    /// Starts a PgBouncer whose connections go to an address that leads to `postgres`, with a temporary directory.
    ///
    /// # Errors
    /// It is not installed or does not start.
    pub async fn temporary_before(address: SocketAddr, postgres: &Postgres) -> Result<Self, ServerError> {
        let dir = DataDir::temporary("pgbouncer", STOP).await?;
        let launch = |dir: &DataDir, own| launch(dir, own, address, postgres.password());
        let server = Server::start(dir, launch, probe::postgres).await?;
        Ok(Self { server })
    }

    /// Returns the address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Returns the URL of a database of the server behind.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{}@{}/{database}", postgres::NAME, self.server.address())
    }
}

fn launch(dir: &DataDir, address: SocketAddr, server: SocketAddr, password: &str) -> Result<Launch, ServerError> {
    let (host, port, user) = (server.ip(), server.port(), postgres::NAME);
    let (ip, own_port) = (address.ip(), address.port());
    let settings = format!(
        "[databases]\n* = host={host} port={port} user={user} password={password}\n[pgbouncer]\nlisten_addr = {ip}\n\
         listen_port = {own_port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n\
         default_pool_size = {POOL_SIZE}\nmax_client_conn = 100\nserver_login_retry = 1\n"
    );
    let file = dir.write_private("pgbouncer.ini", &settings)?;
    let program = executables::find("pgbouncer", "pgbouncer")?;
    Ok(Launch { server: "PgBouncer", program, args: vec![file.into()], stop: STOP })
}
