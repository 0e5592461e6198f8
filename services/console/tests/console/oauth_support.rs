//! An OAuth client, and a console that authorizes it.

use crate::support::{Browser, ConsoleFixture};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, StatusCode};
use limner_console::{Config, ProtectedResource};
use limner_metering::Introspected;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use url::Url;

pub(crate) const MCP: &str = "https://mcp.example.com/mcp";
pub(crate) const OTHER: &str = "https://other.example.com/mcp";
pub(crate) const LOOPBACK: &str = "http://127.0.0.1:33418/callback";
/// A code verifier of 43 characters.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// Starts a console with two resource servers.
pub(crate) async fn fixture() -> ConsoleFixture {
    ConsoleFixture::start_with(two_resources).await
}

pub(crate) fn two_resources(config: &mut Config) {
    let of = |uri: &str, name: &str| ProtectedResource { uri: uri.to_owned(), name: name.to_owned() };
    config.resources = vec![of(MCP, "Limner's MCP server"), of(OTHER, "Another server")];
}

/// An OAuth client.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) id: String,
    pub(crate) redirect_uri: String,
    url: String,
    http: reqwest::Client,
}

/// The response parameters that a client received.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn text(&self, name: &str) -> String {
        self.body[name].as_str().unwrap_or_else(|| panic!("{name} is not in {self:?}")).to_owned()
    }

    /// Returns status and error code.
    pub(crate) fn error(&self) -> (u16, &str) {
        (self.status.as_u16(), self.body["error"].as_str().unwrap_or_default())
    }
}

impl Client {
    /// Registers a client.
    pub(crate) async fn register(fixture: &ConsoleFixture, redirect_uri: &str) -> Self {
        let client = Self::with_id(fixture, "", redirect_uri);
        let metadata = json!({ "client_name": "Test client", "redirect_uris": [redirect_uri] });
        let registered = client.post_json("/oauth/register", &metadata.to_string()).await;
        assert_eq!(registered.status, StatusCode::CREATED, "{registered:?}");
        Self { id: registered.text("client_id"), ..client }
    }

    pub(crate) fn with_id(fixture: &ConsoleFixture, id: &str, redirect_uri: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { id: id.to_owned(), redirect_uri: redirect_uri.to_owned(), url: fixture.url.clone(), http }
    }

    /// Returns the URL of an authorization request; `changes` replace parameters, and an empty value removes one.
    pub(crate) fn request(&self, changes: &[(&str, &str)]) -> String {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
        let usual = [
            ("response_type", "code"),
            ("client_id", &self.id),
            ("redirect_uri", &self.redirect_uri),
            ("scope", "extract"),
            ("state", "the state"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("resource", MCP),
        ];
        let kept = usual.into_iter().filter(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
        let changed = changes.iter().copied().filter(|(_, value)| !value.is_empty());
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(kept.chain(changed)).finish();
        format!("/oauth/authorize?{query}")
    }

    /// Sends a signed-in user's decision and returns the response parameters.
    pub(crate) async fn ask(&self, browser: &mut Browser, request: &str, decision: &str) -> BTreeMap<String, String> {
        let page = browser.get(request).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        let query = request.split_once('?').unwrap().1;
        let decided = browser.post("/oauth/authorize", &[("request", query), ("decision", decision)]).await;
        let location = decided.location().to_owned();
        let place = self.redirect_uri.split('?').next().unwrap();
        assert!(location.starts_with(place), "{location}");
        answer_in(&location)
    }

    /// Returns an authorization code that the user consented to.
    pub(crate) async fn code(&self, browser: &mut Browser) -> String {
        self.ask(browser, &self.request(&[]), "allow").await.remove("code").unwrap()
    }

    /// Returns access and refresh token that the user consented to.
    pub(crate) async fn tokens(&self, browser: &mut Browser) -> (String, String) {
        let code = self.code(browser).await;
        let issued = self.exchange(&code, &[]).await;
        assert_eq!(issued.status, StatusCode::OK, "{issued:?}");
        (issued.text("access_token"), issued.text("refresh_token"))
    }

    pub(crate) async fn exchange(&self, code: &str, changes: &[(&str, &str)]) -> Answer {
        let usual = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("client_id", &self.id),
            ("redirect_uri", &self.redirect_uri),
            ("code_verifier", VERIFIER),
            ("resource", MCP),
        ];
        self.post_changed("/oauth/token", &usual, changes).await
    }

    pub(crate) async fn refresh(&self, refresh_token: &str, changes: &[(&str, &str)]) -> Answer {
        let usual = [("grant_type", "refresh_token"), ("refresh_token", refresh_token), ("client_id", &self.id)];
        self.post_changed("/oauth/token", &usual, changes).await
    }

    pub(crate) async fn revoke(&self, token: &str) -> Answer {
        self.post_changed("/oauth/revoke", &[("token", token), ("client_id", &self.id)], &[]).await
    }

    async fn post_changed(&self, path: &str, usual: &[(&str, &str)], changes: &[(&str, &str)]) -> Answer {
        let kept = usual.iter().copied().filter(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
        let changed = changes.iter().copied().filter(|(_, value)| !value.is_empty());
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(kept.chain(changed)).finish();
        self.send(path, "application/x-www-form-urlencoded", &body, &[]).await
    }

    pub(crate) async fn post_json(&self, path: &str, body: &str) -> Answer {
        self.send(path, "application/json", body, &[]).await
    }

    pub(crate) async fn send(&self, path: &str, content_type: &str, body: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.http.post(format!("{}{path}", self.url)).body(body.to_owned());
        request = request.header("content-type", content_type);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(request.send().await.unwrap()).await
    }

    pub(crate) async fn options(&self, path: &str) -> Answer {
        let request = self.http.request(http::Method::OPTIONS, format!("{}{path}", self.url));
        answer(request.header("origin", "https://app.example").send().await.unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        answer(self.http.get(format!("{}{path}", self.url)).send().await.unwrap()).await
    }
}

async fn answer(response: reqwest::Response) -> Answer {
    let (status, headers) = (response.status(), response.headers().clone());
    let body = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or(Value::Null);
    Answer { status, headers, body }
}

/// Returns the query parameters of a URL.
pub(crate) fn answer_in(location: &str) -> BTreeMap<String, String> {
    Url::parse(location).unwrap().query_pairs().into_owned().collect()
}

/// Returns the result of a token introspection by a resource server.
pub(crate) async fn introspect(fixture: &ConsoleFixture, token: &str, resource: &str) -> Option<Introspected> {
    fixture.ledger.introspect(Sha256::digest(token).into(), resource).await.unwrap()
}

/// Returns true if the MCP server accepts a token.
pub(crate) async fn opens(fixture: &ConsoleFixture, token: &str) -> bool {
    introspect(fixture, token, MCP).await.is_some()
}
