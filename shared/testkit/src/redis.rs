//! A private Redis.

use crate::process::{DataDir, Launch, Server};
use crate::{Durability, ServerError};
use crate::{probe, programs};
use rustix::process::Signal;
use std::net::SocketAddr;
use std::path::Path;

pub(crate) const STOP: Signal = Signal::TERM;

/// A private Redis server with its data in a folder.
pub struct Redis {
    server: Server,
    password: String,
}

impl Redis {
    /// Starts a server with its data in `dir`, which is made when it is missing. Returns when it answers `PING`.
    ///
    /// # Errors
    /// Redis is not installed, the folder is in use or out of reach, or the server does not come up.
    pub async fn start(dir: impl AsRef<Path>) -> Result<Self, ServerError> {
        Self::launch(DataDir::open(dir.as_ref(), STOP).await?, Durability::Durable).await
    }

    /// Starts a server for a test, with a folder of its own that is removed on drop.
    ///
    /// # Errors
    /// As [`Redis::start`].
    pub async fn temporary() -> Result<Self, ServerError> {
        Self::launch(DataDir::temporary("redis", STOP).await?, Durability::Throwaway).await
    }

    async fn launch(dir: DataDir, durability: Durability) -> Result<Self, ServerError> {
        let password = dir.password()?;
        let launch = |dir: &DataDir, address| launch(dir, address, &password, durability);
        let server = Server::start(dir, launch, |address| probe::redis(address, &password)).await?;
        Ok(Self { server, password })
    }

    /// The server's address, password included.
    pub fn url(&self) -> String {
        url(self.server.address(), &self.password)
    }

    /// Whether the server's process is there, frozen or not.
    pub fn is_running(&mut self) -> bool {
        self.server.is_running()
    }

    /// Stops the server; its data is saved.
    pub fn stop(&mut self) {
        self.server.stop();
    }

    /// Ends the server without a warning, as a crash would.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Stops the server if it runs, and starts it on the same port.
    ///
    /// # Errors
    /// When it does not come up.
    pub async fn restart(&mut self) -> Result<(), ServerError> {
        self.server.restart(|address| probe::redis(address, &self.password)).await
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
    format!("redis://:{password}@{address}")
}

pub(crate) fn launch(
    dir: &DataDir,
    address: SocketAddr,
    password: &str,
    durability: Durability,
) -> Result<Launch, ServerError> {
    let data = dir.subdir("data")?;
    // A cache: a snapshot now and then is enough, and results with an expiry go first when memory is short.
    let save = match durability {
        Durability::Durable => "save 60 1",
        Durability::Throwaway => "save \"\"",
    };
    let (ip, port, data) = (address.ip(), address.port(), data.display());
    let settings = format!(
        "bind {ip}\nport {port}\ndir \"{data}\"\nrequirepass {password}\n{save}\nappendonly no\n\
         maxmemory 512mb\nmaxmemory-policy volatile-lru\ndaemonize no\nlogfile \"\"\n"
    );
    let file = dir.write_private("redis.conf", &settings)?;
    let program = programs::find("redis-server", "redis-server")?;
    Ok(Launch { server: "Redis", program, args: vec![file.into()], stop: STOP })
}
