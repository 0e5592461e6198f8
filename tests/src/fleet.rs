//! A fleet of the real binary, with real servers, on free ports.

use crate::{Answer, RunningProcess, limner_binary};
use limner_testkit::FakeSite;
use serde_json::Value;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What a fleet is started with.
#[derive(Debug, Clone, Default)]
pub struct FleetOptions {
    /// Lines added to the configuration file.
    pub extra_config: String,
    /// Names, beside `site.test`, that lead to the origin site.
    pub hosts: Vec<String>,
}

/// `limner up` on a configuration of its own, and the origin site its pages come from.
pub struct Fleet {
    /// The origin site. Reached as `http://site.test/…`.
    pub site: FakeSite,
    /// `{base_url}` of the interface.
    pub base_url: String,
    /// The configuration file.
    pub config: PathBuf,
    client: reqwest::Client,
    // Ended before the folder goes.
    process: RunningProcess,
    folder: tempfile::TempDir,
}

/// An account with its first key.
#[derive(Debug, Clone)]
pub struct Account {
    /// Its id.
    pub id: String,
    /// A live key.
    pub key: String,
}

/// A port that was free a moment ago.
fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

impl Fleet {
    /// Starts a fleet and waits until it is ready.
    ///
    /// # Panics
    /// When it does not become ready.
    pub async fn start() -> Self {
        Self::start_with(FleetOptions::default()).await
    }

    /// Starts a fleet with options.
    ///
    /// # Panics
    /// When it does not become ready.
    pub async fn start_with(options: FleetOptions) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let site = FakeSite::start().await;
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let config = folder.path().join("limner.toml");
        std::fs::write(&config, configuration(folder.path(), port, &site, &options)).unwrap();
        let log = folder.path().join("fleet.log");
        let process = RunningProcess::start(&["up", "--config", config.to_str().unwrap()], &log);
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(90)).build().unwrap();
        let base_url = format!("http://127.0.0.1:{port}/v1");
        let mut fleet = Self { site, base_url, config, client, process, folder };
        fleet.wait_until_ready().await;
        fleet
    }

    async fn wait_until_ready(&mut self) {
        let until = Instant::now() + Duration::from_secs(90);
        let address = format!("{}/openapi.json", self.base_url);
        loop {
            if let Ok(response) = self.client.get(&address).send().await
                && response.status().is_success()
            {
                return;
            }
            assert!(self.process.is_running() && Instant::now() < until, "the fleet is not ready:\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// What the fleet has logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("fleet.log")).unwrap_or_default()
    }

    /// The folder of this fleet.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The fleet's process.
    pub fn process(&mut self) -> &mut RunningProcess {
        &mut self.process
    }

    /// An admin command; its JSON.
    ///
    /// # Panics
    /// When the command fails.
    pub fn admin(&self, arguments: &[&str]) -> Value {
        let output = Command::new(limner_binary())
            .arg("admin")
            .args(arguments)
            .arg("--config")
            .arg(&self.config)
            .arg("--json")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "admin {arguments:?}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("admin {arguments:?}: {}", String::from_utf8_lossy(&output.stdout)))
    }

    /// A new account.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn account(&self, plan: &str, more: &[&str]) -> Account {
        let email = format!("{}@example.com", uuid::Uuid::new_v4());
        let mut arguments = vec!["account", "create", "--email", &email, "--plan", plan];
        arguments.extend_from_slice(more);
        let made = self.admin(&arguments);
        let text = |name: &str| made[name].as_str().unwrap_or_else(|| panic!("{name} in {made}")).to_owned();
        Account { id: text("account_id"), key: text("api_key") }
    }

    /// An account that no limit gets in the way of.
    pub fn roomy_account(&self) -> Account {
        self.account("business", &["--credits", "unlimited", "--rpm", "100000"])
    }

    /// One call: `GET {base_url}/{operation}?{query}` with a key.
    pub async fn call(&self, operation: &str, query: &[(&str, &str)], account: &Account) -> Answer {
        self.send(
            http::Method::GET,
            &format!("/{operation}"),
            query,
            &[("authorization", &format!("Bearer {}", account.key))],
        )
        .await
    }

    /// Any request below `{base_url}`.
    ///
    /// # Panics
    /// When there is no answer at all.
    pub async fn send(
        &self,
        method: http::Method,
        path: &str,
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut request = self.client.request(method, format!("{}{path}", self.base_url)).query(query);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::read(request.send().await.unwrap()).await
    }
}

fn configuration(folder: &Path, port: u16, site: &FakeSite, options: &FleetOptions) -> String {
    let data = folder.join("data");
    let hosts: String = std::iter::once("site.test")
        .chain(options.hosts.iter().map(String::as_str))
        .map(|host| format!("\"{host}\" = \"{}\"\n", site.address()))
        .collect();
    format!(
        "data_dir = {data:?}\npublic_url = \"http://127.0.0.1:{port}\"\n\
         [gateway]\nlisten = \"127.0.0.1:{port}\"\n[admin]\nlisten = \"127.0.0.1:0\"\n\
         [egress]\nallow = [\"127.0.0.0/8\"]\n[egress.hosts]\n{hosts}\n{}",
        options.extra_config
    )
}
