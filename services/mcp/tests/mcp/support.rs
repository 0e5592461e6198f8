//! An MCP server with its dependencies, and a client that speaks plain HTTP.

use futures::future::BoxFuture;
use http::{HeaderMap, StatusCode};
use limner_local_servers::shared_servers;
use limner_mcp::{Config, Introspect, Introspected, McpServer};
use limner_metering::{Ledger, MeteringService, NewAccount};
use limner_store::{Store, StoreConfig};
use limner_testkit::OriginServer;
use limner_types::Plan;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::{CancellationToken, DropGuard};

pub(crate) const TOKEN: &str = "token-of-jane";

/// Tokens by their hashes.
#[derive(Default)]
pub(crate) struct Tokens {
    known: Mutex<HashMap<[u8; 32], Introspected>>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Tokens {
    pub(crate) fn grant(&self, token: &str, account_id: &str, scopes: &[&str]) {
        let scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        let granted = Introspected { account_id: account_id.to_owned(), client_name: "Claude Code".to_owned(), scopes };
        self.known.lock().unwrap().insert(Sha256::digest(token).into(), granted);
    }

    pub(crate) fn revoke(&self, token: &str) {
        let hash: [u8; 32] = Sha256::digest(token).into();
        self.known.lock().unwrap().remove(&hash);
    }
}

impl Introspect for Tokens {
    fn introspect<'a>(
        &'a self,
        token_sha256: [u8; 32],
        resource: &'a str,
    ) -> BoxFuture<'a, Result<Option<Introspected>, String>> {
        self.asked.lock().unwrap().push(resource.to_owned());
        let known = self.known.lock().unwrap().get(&token_sha256).cloned();
        Box::pin(async { Ok(known) })
    }
}

/// The server under test.
pub(crate) struct McpFixture {
    pub(crate) url: String,
    pub(crate) ledger: Ledger,
    pub(crate) account_id: String,
    pub(crate) tokens: Arc<Tokens>,
    /// The fake gateway.
    pub(crate) gateway: OriginServer,
    http: reqwest::Client,
    _stop: DropGuard,
}

/// A complete response: of an event stream, its messages in order.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    pub(crate) fn messages(&self) -> Vec<Value> {
        let data = |line: &str| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok();
        match serde_json::from_str(&self.text) {
            Ok(message) => vec![message],
            Err(_) => self.text.lines().filter_map(data).collect(),
        }
    }

    /// Returns the result of the request.
    pub(crate) fn result(&self) -> Value {
        let last = self.messages().pop().unwrap_or_else(|| panic!("{} {}", self.status, self.text));
        assert!(last.get("result").is_some(), "{last}");
        last["result"].clone()
    }
}

impl McpFixture {
    pub(crate) async fn start() -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let url = shared_servers::postgres().await.fresh_database().await.unwrap();
        let patience = Duration::from_secs(20);
        let config = StoreConfig { url, pool_size: 6, acquire_timeout: patience, ..StoreConfig::default() };
        let store = Store::connect(config).await.unwrap();
        store.migrate().await.unwrap();
        let stop = CancellationToken::new();
        let ledger = Ledger::new(store, None, None);
        let metering = MeteringService::bind(limner_metering::Config::default(), ledger.clone()).await.unwrap();
        let metering_url = format!("http://{}", metering.local_addr());
        tokio::spawn(metering.run(stop.clone()));
        let account = ledger.create_account(&NewAccount::new("jane@example.org", Plan::Free)).await.unwrap();
        let account_id = account.state.account_id;
        let tokens = Arc::new(Tokens::default());
        tokens.grant(TOKEN, &account_id, &["extract"]);
        let gateway = OriginServer::start().await;
        let config = Config {
            listen: "127.0.0.1:0".parse().unwrap(),
            console_url: "https://console.example.com".to_owned(),
            gateway_url: format!("http://{}", gateway.address()),
            metering_url,
            allowed_origins: vec!["https://app.example.com:443".to_owned()],
            token_cache_ttl: Duration::from_millis(50),
            ..Config::default()
        };
        let listener = tokio::net::TcpListener::bind(config.listen).await.unwrap();
        let server = McpServer::with_tokens(listener, config, Arc::clone(&tokens) as Arc<dyn Introspect>).unwrap();
        let url = server.url();
        tokio::spawn(server.run(stop.clone()));
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(60)).build().unwrap();
        Self { url, ledger, account_id, tokens, gateway, http, _stop: stop.drop_guard() }
    }

    /// Returns the URL without `/mcp`.
    pub(crate) fn base(&self) -> &str {
        self.url.trim_end_matches("/mcp")
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        read(self.http.get(format!("{}{path}", self.base()))).await
    }

    /// Builds a request with any message and additional headers; an empty value removes a default header.
    pub(crate) fn request(&self, message: &Value, headers: &[(&str, &str)]) -> reqwest::RequestBuilder {
        let authorization = format!("Bearer {TOKEN}");
        let mut all = vec![
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("authorization", authorization.as_str()),
        ];
        all.retain(|(name, _)| !headers.iter().any(|(given, _)| given == name));
        all.extend(headers.iter().filter(|(_, value)| !value.is_empty()));
        let request = self.http.post(&self.url).body(message.to_string());
        all.into_iter().fold(request, |request, (name, value)| request.header(name, value))
    }

    pub(crate) async fn post(&self, message: &Value, headers: &[(&str, &str)]) -> Answer {
        read(self.request(message, headers)).await
    }

    /// Sends a request like clients of 2025-11-25.
    pub(crate) async fn ask(&self, method: &str, params: &Value) -> Answer {
        self.post(&message(method, params), &[("mcp-protocol-version", "2025-11-25")]).await
    }

    pub(crate) async fn call(&self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments })).await.result()
    }
}

pub(crate) fn message(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

async fn read(request: reqwest::RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    Answer { status, headers, text: response.text().await.unwrap() }
}

/// Returns the text of a tool's result.
pub(crate) fn result_text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}
