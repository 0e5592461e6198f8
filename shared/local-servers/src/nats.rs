//! A private NATS server with JetStream.

use crate::ServerError;
use crate::process::{DataDir, Launch, Server, free_address, random_hex};
use crate::{executables, probe};
use rustix::process::Signal;
use std::net::SocketAddr;
use std::path::Path;

pub(crate) const STOP: Signal = Signal::TERM;
/// Maximum payload: a reply contains a whole result.
const MAX_PAYLOAD_BYTES: u32 = 8 * 1024 * 1024;

/// A private NATS server with JetStream's file store in a directory.
pub struct Nats {
    server: Server,
    password: String,
}

impl Nats {
    /// Starts a server with its store in `dir`, which is created if missing. Returns once JetStream responds.
    ///
    /// # Errors
    /// The NATS server is not installed, the directory is in use or inaccessible, or the server does not start.
    pub async fn start(dir: impl AsRef<Path>) -> Result<Self, ServerError> {
        Self::launch(DataDir::open(dir.as_ref(), STOP).await?).await
    }

    /// Starts a server for a test, with a temporary directory that is removed on drop.
    ///
    /// # Errors
    /// See [`Nats::start`].
    pub async fn temporary() -> Result<Self, ServerError> {
        Self::launch(DataDir::temporary("nats", STOP).await?).await
    }

    /// Starts a server for a test, with its streams on a disk of that size.
    ///
    /// # Errors
    /// See [`Nats::start`].
    pub async fn temporary_on_small_disk(megabytes: u32) -> Result<Self, ServerError> {
        let mut dir = DataDir::temporary("nats", STOP).await?;
        let store = dir.mount_disk(megabytes, None)?;
        let password = dir.password()?;
        let launch = |dir: &DataDir, address| launch_in(dir, &store, address, &password, None);
        let server = Server::start(dir, launch, |address| probe::nats(address, &password)).await?;
        Ok(Self { server, password })
    }

    /// Makes the server read its configuration and its certificates again.
    pub fn reload(&self) {
        self.server.signal(Signal::HUP);
    }

    /// Fills its disk.
    ///
    /// # Errors
    /// It cannot be filled.
    pub async fn fill_disk(&self) -> Result<(), ServerError> {
        self.server.dir().fill_disk().await
    }

    /// Frees what filled its disk.
    ///
    /// # Errors
    /// It cannot be freed.
    pub async fn free_disk(&self) -> Result<(), ServerError> {
        self.server.dir().free_disk().await
    }

    /// Starts a server for a test, with further lines of configuration that say who may connect and how.
    ///
    /// # Errors
    /// See [`Nats::start`].
    pub async fn temporary_with(settings: &str) -> Result<Self, ServerError> {
        let dir = DataDir::temporary("nats", STOP).await?;
        let launch = |dir: &DataDir, address: SocketAddr| {
            run(dir, &format!("listen: \"{address}\"\nmax_payload: {MAX_PAYLOAD_BYTES}\n{settings}\n"))
        };
        let server = Server::start(dir, launch, probe::nats_greets).await?;
        Ok(Self { server, password: String::new() })
    }

    /// Returns the server's address.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    async fn launch(dir: DataDir) -> Result<Self, ServerError> {
        let password = dir.password()?;
        let launch = |dir: &DataDir, address| launch(dir, address, &password, None);
        let server = Server::start(dir, launch, |address| probe::nats(address, &password)).await?;
        Ok(Self { server, password })
    }

    async fn start_member(member: ClusterMember) -> Result<Self, ServerError> {
        let password = member.password.clone();
        let launch = |dir: &DataDir, address| launch(dir, address, &password, Some(&member));
        let dir = DataDir::temporary("nats", STOP).await?;
        let server = Server::start(dir, launch, |address| probe::nats(address, &password)).await?;
        Ok(Self { server, password })
    }

    /// Returns the server's URL, with user and password.
    pub fn url(&self) -> String {
        url(self.server.address(), &self.password)
    }

    /// Returns true if the server's process exists, paused or not.
    pub fn is_running(&mut self) -> bool {
        self.server.is_running()
    }

    /// Stops the server; its streams are kept.
    pub fn stop(&mut self) {
        self.server.stop();
    }

    /// Kills the server, like a crash.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Stops the server if it runs, and starts it with the same streams on the same port.
    ///
    /// # Errors
    /// It does not start.
    pub async fn restart(&mut self) -> Result<(), ServerError> {
        self.server.restart(|address| probe::nats(address, &self.password)).await
    }

    /// Pauses the server: connections stay open but it does not respond.
    ///
    /// # Errors
    /// The guard that resumes the server when this process dies cannot be started.
    pub fn pause(&mut self) -> Result<(), ServerError> {
        self.server.pause()
    }

    /// Resumes a paused server.
    pub fn resume(&mut self) {
        self.server.resume();
    }
}

pub(crate) fn url(address: SocketAddr, password: &str) -> String {
    format!("nats://limner:{password}@{address}")
}

pub(crate) fn launch(
    dir: &DataDir,
    address: SocketAddr,
    password: &str,
    member: Option<&ClusterMember>,
) -> Result<Launch, ServerError> {
    launch_in(dir, &dir.subdir("store")?, address, password, member)
}

fn launch_in(
    dir: &DataDir,
    store: &Path,
    address: SocketAddr,
    password: &str,
    member: Option<&ClusterMember>,
) -> Result<Launch, ServerError> {
    let (name, cluster) = match member {
        Some(member) => (member.name(), member.settings()),
        None => ("limner-private".to_owned(), String::new()),
    };
    let settings = format!(
        "listen: \"{address}\"\nserver_name: {name}\nmax_payload: {MAX_PAYLOAD_BYTES}\n\
         jetstream {{ store_dir: \"{}\" }}\n\
         authorization {{ user: limner, password: \"{password}\" }}\n{cluster}",
        store.display()
    );
    run(dir, &settings)
}

fn run(dir: &DataDir, settings: &str) -> Result<Launch, ServerError> {
    let file = dir.write_private("nats.conf", settings)?;
    let program = executables::find("nats-server", "nats-server")?;
    Ok(Launch { server: "NATS", program, args: vec!["-c".into(), file.into()], stop: STOP })
}

/// A cluster of NATS servers that replicate each other's streams, for tests.
pub struct NatsCluster {
    /// The servers, named `limner-0` and so on. Single ones may be killed and restarted.
    pub servers: Vec<Nats>,
}

/// A server of a cluster, as in its configuration.
pub(crate) struct ClusterMember {
    index: usize,
    password: String,
    /// Cluster addresses of all servers.
    routes: Vec<SocketAddr>,
}

impl ClusterMember {
    fn name(&self) -> String {
        format!("limner-{}", self.index)
    }

    fn settings(&self) -> String {
        let Self { index, password, routes } = self;
        let others: Vec<String> =
            routes.iter().map(|route| format!("\"nats-route://limner:{password}@{route}\"")).collect();
        format!(
            "cluster {{ name: limner, listen: \"{}\", routes: [{}]\n\
             authorization {{ user: limner, password: \"{password}\" }} }}\n",
            routes[*index],
            others.join(", ")
        )
    }
}

impl NatsCluster {
    /// Starts that many servers (three or more survive the loss of one) and waits until they have elected a leader.
    ///
    /// # Errors
    /// See [`Nats::start`].
    pub async fn temporary(servers: usize) -> Result<Self, ServerError> {
        let password = random_hex()?;
        let routes = (0..servers).map(|_| free_address()).collect::<Result<Vec<_>, _>>()?;
        let starting = (0..servers).map(|index| {
            Nats::start_member(ClusterMember { index, password: password.clone(), routes: routes.clone() })
        });
        Ok(Self { servers: futures::future::try_join_all(starting).await? })
    }

    /// Returns the URLs of all servers, in the format of `nats.url`.
    pub fn url(&self) -> String {
        let urls: Vec<String> = self.servers.iter().map(Nats::url).collect();
        urls.join(",")
    }
}
