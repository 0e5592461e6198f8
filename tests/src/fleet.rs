//! A fleet of the real binary, with real servers, on free ports.

use crate::RunningProcess;
use crate::client::Client;
use limner_testkit::OriginServer;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Options of a fleet.
#[derive(Debug, Clone, Default)]
pub struct FleetOptions {
    /// Lines added to the configuration file.
    pub extra_config: String,
    /// Names that resolve to the origin site, besides `site.test`.
    pub hosts: Vec<String>,
    /// The networks that may be reached; `None`: all of loopback.
    pub allow: Option<String>,
    /// True if it has a browser. Most tests need none, and it takes time to start.
    pub browser: bool,
}

/// The directory of a fleet, which is removed only after its private servers have ended: they outlive a fleet that is
/// killed for a moment, and Redis does not exit while it cannot save its data.
struct FleetDirectory(tempfile::TempDir);

impl Drop for FleetDirectory {
    fn drop(&mut self) {
        let ids = ["postgres", "redis", "nats"].into_iter().filter_map(|server| {
            let record = std::fs::read_to_string(self.0.path().join("data").join(server).join("server.pid")).ok()?;
            Some(record.split_whitespace().next()?.to_owned())
        });
        for id in ids {
            let command = PathBuf::from(format!("/proc/{id}/cmdline"));
            let deadline = Instant::now() + Duration::from_secs(10);
            // A process that has ended and was not waited for has no command line.
            while std::fs::read(&command).is_ok_and(|line| !line.is_empty()) && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

/// `limner up` with its own configuration, and the origin site of its pages.
pub struct Fleet {
    /// The origin site, at `http://site.test/…`.
    pub site: OriginServer,
    client: Client,
    // Stopped before the directory is removed.
    process: RunningProcess,
    folder: FleetDirectory,
}

impl Fleet {
    /// Starts a fleet and waits until it is ready.
    ///
    /// # Panics
    /// Panics if it does not become ready.
    pub async fn start() -> Self {
        Self::start_with(FleetOptions::default()).await
    }

    /// Starts a fleet with options.
    ///
    /// # Panics
    /// Panics if it does not become ready.
    pub async fn start_with(options: FleetOptions) -> Self {
        let site = OriginServer::start().await;
        let folder = FleetDirectory(tempfile::tempdir().unwrap());
        let port = limner_local_servers::free_port().unwrap();
        let config = folder.0.path().join("limner.toml");
        std::fs::write(&config, configuration(folder.0.path(), port, &site, &options)).unwrap();
        let log = folder.0.path().join("fleet.log");
        let mut process = RunningProcess::start(&["up", "--config", config.to_str().unwrap()], &log);
        let client = Client::new(port, config);
        client.wait_until_ready(&mut process).await;
        Self { site, client, process, folder }
    }

    /// Returns the fleet's log.
    pub fn log(&self) -> String {
        self.process.log()
    }

    /// Returns the address of its admin server.
    ///
    /// # Panics
    /// Panics if it is not known.
    pub fn admin_address(&self) -> String {
        let endpoints = std::fs::read_to_string(self.folder.0.path().join("data/run/endpoints.toml")).unwrap();
        let address = endpoints.lines().find_map(|line| line.strip_prefix("admin = ")).unwrap();
        address.trim_matches('"').to_owned()
    }

    /// Returns the directory of this fleet.
    pub fn folder(&self) -> &Path {
        self.folder.0.path()
    }

    /// Returns the fleet's process.
    pub fn process(&mut self) -> &mut RunningProcess {
        &mut self.process
    }
}

impl Deref for Fleet {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

fn configuration(folder: &Path, port: u16, site: &OriginServer, options: &FleetOptions) -> String {
    let data = folder.join("data");
    let hosts: String = std::iter::once("site.test")
        .chain(options.hosts.iter().map(String::as_str))
        .map(|host| format!("\"{host}\" = \"{}\"\n", site.address()))
        .collect();
    let allow = options.allow.as_deref().unwrap_or("127.0.0.0/8");
    format!(
        "data_dir = {data:?}\npublic_url = \"http://127.0.0.1:{port}\"\n\
         [gateway]\nlisten = \"127.0.0.1:{port}\"\n[admin]\nlisten = \"127.0.0.1:0\"\n\
         [renderer]\nenabled = {}\n\
         [egress]\nallow = [\"{allow}\"]\n[egress.hosts]\n{hosts}\n{}",
        options.browser, options.extra_config
    )
}
