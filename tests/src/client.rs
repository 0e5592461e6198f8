//! A caller and an operator of a running fleet.

use crate::{Answer, RunningProcess, limner_binary};
use http::Method;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// An account with its first key.
#[derive(Debug, Clone)]
pub struct Account {
    /// Its id.
    pub id: String,
    /// A live key.
    pub key: String,
}

/// Calls and admin commands against one gateway.
#[derive(Debug, Clone)]
pub struct Client {
    /// `{base_url}` of the API.
    pub base_url: String,
    /// The configuration file that admin commands use.
    pub config: PathBuf,
    /// The binary of admin commands: the release that has migrated the database.
    pub binary: PathBuf,
    http: reqwest::Client,
}

impl Client {
    /// Creates a client of the gateway on a port, whose operators use the configuration file.
    ///
    /// # Panics
    /// Panics if the HTTP client cannot be built.
    pub fn new(port: u16, config: PathBuf) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(90)).build().unwrap();
        Self { base_url: format!("http://127.0.0.1:{port}/v1"), config, binary: limner_binary(), http }
    }

    /// Waits until the gateway answers.
    ///
    /// # Panics
    /// Panics if its process ends or it takes too long.
    pub async fn wait_until_ready(&self, process: &mut RunningProcess) {
        let until = Instant::now() + Duration::from_secs(90);
        let address = format!("{}/openapi.json", self.base_url);
        loop {
            if let Ok(response) = self.http.get(&address).send().await
                && response.status().is_success()
            {
                return;
            }
            assert!(process.is_running() && Instant::now() < until, "the fleet is not ready:\n{}", process.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Runs an admin command; returns its JSON.
    ///
    /// # Panics
    /// Panics if the command fails.
    pub fn admin(&self, arguments: &[&str]) -> Value {
        let mut command = Command::new(&self.binary);
        let output =
            command.arg("admin").args(arguments).arg("--config").arg(&self.config).arg("--json").output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "admin {arguments:?}: {out}{err}");
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("admin {arguments:?}: {out}"))
    }

    /// Creates an account.
    ///
    /// # Panics
    /// Panics if it cannot be created.
    pub fn account(&self, plan: &str, more: &[&str]) -> Account {
        let email = format!("{}@example.com", uuid::Uuid::new_v4());
        let mut arguments = vec!["account", "create", "--email", &email, "--plan", plan];
        arguments.extend_from_slice(more);
        let made = self.admin(&arguments);
        let text = |name: &str| made[name].as_str().unwrap_or_else(|| panic!("{name} in {made}")).to_owned();
        Account { id: text("account_id"), key: text("api_key") }
    }

    /// Creates an account with limits that no test reaches.
    pub fn roomy_account(&self) -> Account {
        self.account("business", &["--credits", "unlimited", "--rpm", "100000"])
    }

    /// Makes one call: `GET {base_url}/{operation}?{query}` with a key.
    pub async fn call(&self, operation: &str, query: &[(&str, &str)], account: &Account) -> Answer {
        let authorization = format!("Bearer {}", account.key);
        self.send(Method::GET, &format!("/{operation}"), query, &[("authorization", &authorization)]).await
    }

    /// Like [`Client::call`], for a gateway that may be unavailable.
    ///
    /// # Errors
    /// There is no response.
    pub async fn try_call(&self, operation: &str, query: &[(&str, &str)], key: &str) -> reqwest::Result<Answer> {
        let request = self.http.get(format!("{}/{operation}", self.base_url)).query(query).bearer_auth(key);
        Answer::try_read(request.send().await?).await
    }

    /// Sends any request below `{base_url}`.
    ///
    /// # Panics
    /// Panics if there is no response.
    pub async fn send(&self, method: Method, path: &str, query: &[(&str, &str)], headers: &[(&str, &str)]) -> Answer {
        let mut request = self.http.request(method, format!("{}{path}", self.base_url)).query(query);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::from_response(request.send().await.unwrap()).await
    }
}
