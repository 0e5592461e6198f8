//! Registration of clients and client metadata documents. The URLs of documents are untrusted.

use crate::oauth_support::{Client, LOOPBACK, MCP, fixture, introspect, two_resources};
use crate::support::ConsoleFixture;
use futures::future::BoxFuture;
use http::StatusCode;
use limner_netguard::{EgressPolicy, Resolver};
use limner_testkit::{CannedResponse, OriginServer};
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

const HOST: &str = "client.example";

/// Returns a site with client documents, and a console that can connect only to it.
async fn house_with_site() -> (ConsoleFixture, OriginServer) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let site = OriginServer::start_tls(&[HOST]).await;
    let fixture = ConsoleFixture::start_with(|config| {
        two_resources(config);
        config.egress.extra_ca_pem = Some(site.ca_pem().as_bytes().to_vec());
        config.egress.policy.own_sites.insert(HOST.to_owned(), site.address());
        config.egress.resolver = Some(Arc::new(Nowhere));
    })
    .await;
    (fixture, site)
}

/// Resolves no name.
#[derive(Debug)]
struct Nowhere;

impl Resolver for Nowhere {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        Box::pin(async { Err(std::io::Error::from(std::io::ErrorKind::NotFound)) })
    }
}

/// Resolves to these addresses in turn, then always to the last ones.
#[derive(Debug)]
struct Turning(Vec<Vec<IpAddr>>, AtomicUsize);

impl Turning {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |ips: &&[&str]| ips.iter().map(|ip| ip.parse().unwrap()).collect();
        Arc::new(Self(answers.iter().map(parse).collect(), AtomicUsize::new(0)))
    }
}

impl Resolver for Turning {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        let turn = self.1.fetch_add(1, Ordering::SeqCst).min(self.0.len() - 1);
        Box::pin(async move { Ok(self.0[turn].clone()) })
    }
}

/// A listener that must never be connected to.
struct Canary(TcpListener);

impl Canary {
    async fn start() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// Connections are accepted in order: ours comes first if there was none before.
    async fn assert_untouched(&self) {
        let ours = TcpStream::connect(self.0.local_addr().unwrap()).await.unwrap();
        let (_, first) = self.0.accept().await.unwrap();
        assert_eq!(first, ours.local_addr().unwrap(), "the canary was connected to");
    }
}

fn document(id: &str) -> Value {
    json!({ "client_id": id, "client_name": "Documented client", "redirect_uris": ["https://client.example/cb", "http://127.0.0.1/cb"] })
}

#[tokio::test]
async fn client_is_identified_by_its_documents_host() {
    let (fixture, site) = house_with_site().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let id = format!("https://{HOST}/oauth/client.json");
    site.on("/oauth/client.json", CannedResponse::json(document(&id).to_string()));
    let client = Client::with_id(&fixture, &id, "http://127.0.0.1:50000/cb");
    assert_eq!(fixture.browser().get(&client.request(&[])).await.location(), "/sign-in");
    assert!(site.requests().is_empty(), "nothing is fetched before a sign-in");
    let page = browser.get(&client.request(&[])).await;
    assert!(page.says("Documented client") && page.says(HOST) && !page.says("unverified name"), "{}", page.text);
    let (access, _) = client.tokens(&mut browser).await;
    let found = introspect(&fixture, &access, MCP).await.unwrap();
    assert_eq!((found.grant.client_id.as_str(), found.grant.client_name.as_str()), (id.as_str(), "Documented client"));
    assert!(browser.get("/connections").await.texts("code").contains(&HOST.to_owned()));
    assert_eq!(site.count("/oauth/client.json"), 1, "it is cached");
    let seen = site.requests();
    assert!(seen[0].header("cookie").is_empty() && seen[0].header("authorization").is_empty());
    let wrong = browser.get(&client.request(&[("redirect_uri", "https://client.example/cb2")])).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn invalid_documents_are_rejected() {
    let (fixture, site) = house_with_site().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let id = |n: usize| format!("https://{HOST}/{n}.json");
    let with = |n: usize, name: &str, value: Value| {
        let mut document = document(&id(n));
        document[name] = value;
        CannedResponse::json(document.to_string())
    };
    let replies = vec![
        CannedResponse::json(document("https://client.example/other.json").to_string()),
        CannedResponse::json(document(&id(1)).to_string()).status(404),
        CannedResponse::redirect("https://client.example/good.json"),
        CannedResponse::redirect("http://127.0.0.1/"),
        CannedResponse::html(document(&id(4)).to_string()),
        CannedResponse::json("[]"),
        CannedResponse::json(format!("{}{}", "[".repeat(8_000), "]".repeat(8_000))),
        with(7, "redirect_uris", json!([])),
        with(8, "redirect_uris", json!(["http://client.example/cb"])),
        with(9, "redirect_uris", json!(["javascript:alert(1)"])),
        with(10, "token_endpoint_auth_method", json!("private_key_jwt")),
        with(11, "token_endpoint_auth_method", json!("client_secret_basic")),
        with(12, "client_secret", json!("secret")),
        with(13, "grant_types", json!(["client_credentials"])),
        with(14, "client_name", json!("x".repeat(20_000))),
        CannedResponse::endless("application/json", " ".repeat(1_000)),
    ];
    site.on("/good.json", CannedResponse::json(document("https://client.example/good.json").to_string()));
    for (n, reply) in replies.into_iter().enumerate() {
        site.on(&format!("/{n}.json"), reply);
        let client = Client::with_id(&fixture, &id(n), "https://client.example/cb");
        let page = browser.get(&client.request(&[])).await;
        assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, ""), "{n}: {}", page.text);
    }
    assert_eq!(site.count("/good.json"), 0, "redirects are not followed");
}

#[tokio::test]
async fn slow_documents_time_out() {
    let site = OriginServer::start_tls(&[HOST]).await;
    let fixture = ConsoleFixture::start_with(|config| {
        two_resources(config);
        config.egress.extra_ca_pem = Some(site.ca_pem().as_bytes().to_vec());
        config.egress.policy.own_sites.insert(HOST.to_owned(), site.address());
        config.egress.timeouts.first_byte = Duration::from_millis(200);
        config.egress.timeouts.idle = Duration::from_millis(200);
    })
    .await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    for (n, reply) in
        [CannedResponse::silent(), CannedResponse::stalled("application/json", "{")].into_iter().enumerate()
    {
        site.on(&format!("/{n}.json"), reply);
        let client = Client::with_id(&fixture, &format!("https://{HOST}/{n}.json"), LOOPBACK);
        assert_eq!(browser.get(&client.request(&[])).await.status, StatusCode::BAD_REQUEST, "{n}");
    }
}

#[tokio::test]
async fn document_urls_cannot_reach_private_addresses() {
    let (fixture, site) = house_with_site().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let canary = Canary::start().await;
    let port = canary.port();
    site.on("/inside.json", CannedResponse::redirect(&format!("https://127.0.0.1:{port}/c.json")));
    let ids = [
        format!("https://127.0.0.1:{port}/c.json"),
        format!("https://127.1:{port}/c.json"),
        format!("https://2130706433:{port}/c.json"),
        format!("https://0x7f000001:{port}/c.json"),
        format!("https://0.0.0.0:{port}/c.json"),
        format!("https://[::1]:{port}/c.json"),
        format!("https://[::ffff:127.0.0.1]:{port}/c.json"),
        format!("https://[::ffff:7f00:1]:{port}/c.json"),
        format!("https://localhost:{port}/c.json"),
        format!("https://console.localhost:{port}/c.json"),
        format!("https://user@127.0.0.1:{port}/c.json"),
        "https://169.254.169.254/latest/meta-data/x".to_owned(),
        "https://metadata.google.internal/computeMetadata/v1/x".to_owned(),
        format!("http://127.0.0.1:{port}/c.json"),
        format!("https://{HOST}/inside.json"),
    ];
    for id in ids {
        let client = Client::with_id(&fixture, &id, LOOPBACK);
        let page = browser.get(&client.request(&[])).await;
        assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, ""), "{id}");
        let shown = page.text.replace(&id, "");
        assert!(!shown.contains("127.0.0.1") && !shown.contains("loopback"), "{id} maps nothing: {shown}");
    }
    canary.assert_untouched().await;
}

#[tokio::test]
async fn rebinding_names_cannot_reach_private_addresses() {
    // 127.0.0.2 stands for a public address; 127.0.0.1 for a private one.
    let fixture = ConsoleFixture::start_with(|config| {
        two_resources(config);
        config.egress.policy = EgressPolicy { allow: vec!["127.0.0.2/32".parse().unwrap()], ..EgressPolicy::default() };
        let answers: [&[&str]; 4] =
            [&["127.0.0.2"], &["127.0.0.1"], &["127.0.0.2", "127.0.0.1"], &["::1", "127.0.0.2"]];
        config.egress.resolver = Some(Turning::new(&answers));
    })
    .await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let canary = Canary::start().await;
    for n in 0..5 {
        let id = format!("https://rebind.example:{}/{n}.json", canary.port());
        let client = Client::with_id(&fixture, &id, LOOPBACK);
        assert_eq!(browser.get(&client.request(&[])).await.status, StatusCode::BAD_REQUEST, "{n}");
    }
    canary.assert_untouched().await;
}

#[tokio::test]
async fn document_fetches_are_limited() {
    let (fixture, site) = house_with_site().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    site.fallback(|_| CannedResponse::json("{}"));
    let mut statuses = Vec::new();
    for n in 0..31 {
        let client = Client::with_id(&fixture, &format!("https://{HOST}/{n}.json"), LOOPBACK);
        statuses.push(browser.get(&client.request(&[])).await.status.as_u16());
    }
    assert_eq!(statuses, [[400; 30].as_slice(), &[429]].concat());
    assert_eq!(site.requests().len(), 30);
}

#[tokio::test]
async fn registrations_follow_the_standard() {
    let fixture = fixture().await;
    let client = Client::with_id(&fixture, "", LOOPBACK);
    let full = json!({
        "client_name": "  Editor\u{202e} ",
        "redirect_uris": ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost/cb"],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "client_secret_basic",
        "logo_uri": "https://evil.example/logo.png",
        "software_id": 7,
    });
    let registered = client.post_json("/oauth/register", &full.to_string()).await;
    assert_eq!(registered.status, StatusCode::CREATED, "{registered:?}");
    let body = &registered.body;
    assert_eq!((&body["client_name"], &body["token_endpoint_auth_method"]), (&json!("Editor"), &json!("none")));
    assert_eq!((&body["redirect_uris"], &body["grant_types"]), (&full["redirect_uris"], &full["grant_types"]));
    assert!(body["client_id_issued_at"].is_i64() && body["client_secret"].is_null() && body["logo_uri"].is_null());
    let good = "https://app.example/cb";
    for (metadata, code) in [
        (json!({}), "invalid_redirect_uri"),
        (json!({ "redirect_uris": [] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": [good, "http://app.example/cb"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["https://app.example/cb?iss=https://evil.example"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["data:text/html,x"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": vec![good; 21] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": [format!("{good}/{}", "x".repeat(3_000))] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": good }), "invalid_client_metadata"),
        (json!({ "redirect_uris": [good], "grant_types": ["implicit"] }), "invalid_client_metadata"),
        (json!({ "redirect_uris": [good], "response_types": ["token"] }), "invalid_client_metadata"),
        (json!({ "redirect_uris": [good], "client_name": 7 }), "invalid_client_metadata"),
        (json!("x"), "invalid_client_metadata"),
    ] {
        let refused = client.post_json("/oauth/register", &metadata.to_string()).await;
        assert_eq!(refused.error(), (400, code), "{metadata}");
    }
    let huge = json!({ "redirect_uris": [good], "client_name": "x".repeat(100_000) });
    assert_eq!(client.post_json("/oauth/register", &huge.to_string()).await.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn registrations_are_rate_limited() {
    let fixture = fixture().await;
    let client = Client::with_id(&fixture, "", LOOPBACK);
    let metadata = json!({ "redirect_uris": [LOOPBACK] }).to_string();
    for n in 0..100 {
        assert_eq!(client.post_json("/oauth/register", &metadata).await.status, StatusCode::CREATED, "{n}");
    }
    let refused = client.post_json("/oauth/register", &metadata).await;
    assert_eq!(refused.error(), (429, "temporarily_unavailable"));
    assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u32>().unwrap() > 0);
}

#[tokio::test]
async fn client_metadata_is_escaped() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::with_id(&fixture, "", LOOPBACK);
    let hostile = "<img src=x onerror=alert(1)>\"'&";
    let metadata = json!({ "client_name": hostile, "redirect_uris": [LOOPBACK] });
    let registered = client.post_json("/oauth/register", &metadata.to_string()).await;
    let client = Client::with_id(&fixture, &registered.text("client_id"), LOOPBACK);
    let request = client.request(&[("state", "\"><script>alert(1)</script>")]);
    let page = browser.get(&request).await;
    client.tokens(&mut browser).await;
    for page in [page, browser.get("/connections").await, browser.get("/account").await] {
        assert!(page.says(hostile) && !page.has("img, script:not([src]), [onerror]"), "{}", page.text);
    }
}
