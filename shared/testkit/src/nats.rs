//! A private NATS server with JetStream.

use crate::ServerError;
use crate::process::{DataDir, Launch, Server};
use crate::{probe, programs};
use rustix::process::Signal;
use std::net::SocketAddr;
use std::path::Path;

pub(crate) const STOP: Signal = Signal::TERM;
/// A reply carries a whole result.
const MAX_PAYLOAD_BYTES: u32 = 8 * 1024 * 1024;

/// A private NATS server with JetStream's file store in a folder.
pub struct Nats {
    server: Server,
    password: String,
}

impl Nats {
    /// Starts a server with its store in `dir`, which is made when it is missing. Returns when JetStream answers.
    ///
    /// # Errors
    /// The NATS server is not installed, the folder is in use or out of reach, or the server does not come up.
    pub async fn start(dir: impl AsRef<Path>) -> Result<Self, ServerError> {
        Self::launch(DataDir::open(dir.as_ref(), STOP).await?).await
    }

    /// Starts a server for a test, with a folder of its own that is removed on drop.
    ///
    /// # Errors
    /// As [`Nats::start`].
    pub async fn temporary() -> Result<Self, ServerError> {
        Self::launch(DataDir::temporary("nats", STOP).await?).await
    }

    async fn launch(dir: DataDir) -> Result<Self, ServerError> {
        let password = dir.password()?;
        let launch = |dir: &DataDir, address| launch(dir, address, &password);
        let server = Server::start(dir, launch, |address| probe::nats(address, &password)).await?;
        Ok(Self { server, password })
    }

    /// The server's address, user and password included.
    pub fn url(&self) -> String {
        url(self.server.address(), &self.password)
    }

    /// Whether the server's process is there, frozen or not.
    pub fn is_running(&mut self) -> bool {
        self.server.is_running()
    }

    /// Stops the server; its streams stay.
    pub fn stop(&mut self) {
        self.server.stop();
    }

    /// Ends the server without a warning, as a crash would.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Stops the server if it runs, and starts it with the same streams on the same port.
    ///
    /// # Errors
    /// When it does not come up.
    pub async fn restart(&mut self) -> Result<(), ServerError> {
        self.server.restart(|address| probe::nats(address, &self.password)).await
    }

    /// Freezes the server: connections stay open and nothing answers.
    ///
    /// # Errors
    /// When the guard that ends the pause with us can't be started.
    pub fn pause(&mut self) -> Result<(), ServerError> {
        self.server.pause()
    }

    /// Ends a pause.
    pub fn resume(&mut self) {
        self.server.resume();
    }
}

pub(crate) fn url(address: SocketAddr, password: &str) -> String {
    format!("nats://limner:{password}@{address}")
}

pub(crate) fn launch(dir: &DataDir, address: SocketAddr, password: &str) -> Result<Launch, ServerError> {
    let store = dir.subdir("store")?;
    let settings = format!(
        "listen: \"{address}\"\nserver_name: limner-private\nmax_payload: {MAX_PAYLOAD_BYTES}\n\
         jetstream {{ store_dir: \"{}\" }}\n\
         authorization {{ user: limner, password: \"{password}\" }}\n",
        store.display()
    );
    let file = dir.write_private("nats.conf", &settings)?;
    let program = programs::find("nats-server", "nats-server")?;
    Ok(Launch { server: "NATS", program, args: vec!["-c".into(), file.into()], stop: STOP })
}
