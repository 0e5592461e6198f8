//! Authorizing a client: the regular flow, and how a grant ends.

use crate::oauth_support::{Client, LOOPBACK, MCP, OTHER, answer_in, fixture, introspect, opens};
use crate::support::PASSWORD;
use http::StatusCode;
use serde_json::Value;

#[tokio::test]
async fn discovery_leads_to_a_working_token() {
    let fixture = fixture().await;
    fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let metadata = client.get("/.well-known/oauth-authorization-server").await.body;
    assert_eq!(metadata["issuer"], fixture.url);
    for (name, path) in [("authorization_endpoint", "/oauth/authorize"), ("token_endpoint", "/oauth/token")] {
        assert_eq!(metadata[name], format!("{}{path}", fixture.url));
    }
    assert_eq!(metadata["code_challenge_methods_supported"], serde_json::json!(["S256"]));
    for name in ["authorization_response_iss_parameter_supported", "client_id_metadata_document_supported"] {
        assert_eq!(metadata[name], true, "{name}");
    }

    // A visitor who is not signed in signs in first, and returns to the request.
    let mut browser = fixture.browser();
    let request = client.request(&[]);
    assert_eq!(browser.get(&request).await.location(), "/sign-in");
    assert!(browser.get("/sign-in").await.says("A client requests access"));
    let signed_in = browser.post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(signed_in.location(), request);
    let page = browser.get(&request).await;
    for text in ["Test client", "unverified name", "jane@example.org", "Limner's MCP server", "this computer"] {
        assert!(page.says(text), "{text}: {}", page.text);
    }
    let mut answer = client.ask(&mut browser, &request, "allow").await;
    let code = answer.remove("code").unwrap();
    assert_eq!(
        answer.into_iter().collect::<Vec<_>>(),
        [("iss".to_owned(), fixture.url.clone()), ("state".to_owned(), "the state".to_owned())]
    );
    let later = browser.post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(later.location(), "/", "the pending request is deleted");

    let issued = client.exchange(&code, &[]).await;
    assert_eq!(issued.status, StatusCode::OK, "{issued:?}");
    assert_eq!(issued.headers["cache-control"], "no-store");
    assert_eq!((issued.text("token_type").as_str(), issued.text("scope").as_str()), ("Bearer", "extract"));
    assert_eq!(issued.body["expires_in"], 3_600);
    let access = issued.text("access_token");
    let found = introspect(&fixture, &access, MCP).await.unwrap();
    assert_eq!(found.grant.account_id, fixture.account_of("jane@example.org").await);
    assert_eq!((found.grant.client_id, found.grant.client_name.as_str()), (client.id.clone(), "Test client"));

    let refreshed = client.refresh(&issued.text("refresh_token"), &[("resource", MCP)]).await;
    let renewed = refreshed.text("access_token");
    assert!(renewed != access && opens(&fixture, &renewed).await);
    assert_ne!(refreshed.text("refresh_token"), issued.text("refresh_token"), "refresh tokens rotate");

    let connections = browser.get("/connections").await;
    assert!(connections.says("Test client") && connections.says("last used 20"), "{}", connections.text);
    let grant_id = connections.attribute("input[name=grant_id]", "value");
    let gone = browser.post("/connections/revoke", &[("grant_id", &grant_id)]).await;
    assert_eq!(gone.location(), "/connections?done=disconnected");
    for token in [&access, &renewed] {
        assert!(!opens(&fixture, token).await, "at once");
    }
    assert_eq!(client.refresh(&refreshed.text("refresh_token"), &[]).await.error(), (400, "invalid_grant"));
    let audit = browser.get("/account").await;
    assert!(audit.says("Client connected") && audit.says("Client disconnected"), "{}", audit.text);
}

#[tokio::test]
async fn sign_up_continues_the_request() {
    let fixture = fixture().await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let mut browser = fixture.browser();
    let request = client.request(&[]);
    browser.get(&request).await.location();
    browser.post("/sign-up", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    let welcome = browser.follow(&fixture.link(1).await).await;
    assert_eq!(welcome.attribute("a.button[href^='/oauth']", "href"), request);
    assert!(client.ask(&mut browser, &request, "allow").await.contains_key("code"));
}

#[tokio::test]
async fn sign_in_link_continues_the_request() {
    let fixture = fixture().await;
    fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let (mut browser, mut elsewhere) = (fixture.browser(), fixture.browser());
    browser.get(&client.request(&[])).await.location();
    browser.post("/sign-in/link", &[("email", "jane@example.org")]).await;
    assert_eq!(browser.follow(&fixture.link(1).await).await.location(), client.request(&[]));
    fixture.empty_mail();
    browser.post("/sign-in/link", &[("email", "jane@example.org")]).await;
    assert_eq!(
        elsewhere.follow(&fixture.link(1).await).await.location(),
        "/",
        "the request is pending in one browser only"
    );
}

#[tokio::test]
async fn denial_is_reported_to_the_client() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, "https://app.example/cb?tenant=1").await;
    for decision in ["deny", "", "ALLOW"] {
        let answer = client.ask(&mut browser, &client.request(&[]), decision).await;
        assert_eq!((answer["error"].as_str(), answer["state"].as_str()), ("access_denied", "the state"));
        assert_eq!((&answer["iss"], answer["tenant"].as_str()), (&fixture.url, "1"));
        assert!(!answer.contains_key("code"));
    }
    assert!(browser.get("/account").await.says("Client refused"));
}

/// Property: a token works only at the resource server it was issued for.
#[tokio::test]
async fn token_for_one_resource_never_works_at_another() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let spellings = [
        (MCP, "https://mcp.example.com/mcp"),
        (MCP, "https://MCP.example.com:443/mcp/"),
        (OTHER, "https://other.example.com/mcp"),
    ];
    for (granted, asked) in spellings {
        let other = if granted == MCP { OTHER } else { MCP };
        let request = client.request(&[("resource", asked)]);
        let code = client.ask(&mut browser, &request, "allow").await.remove("code").unwrap();
        let mut issued = client.exchange(&code, &[("resource", asked)]).await;
        for round in 0..3 {
            let access = issued.text("access_token");
            assert!(introspect(&fixture, &access, granted).await.is_some(), "{asked} {round}");
            for elsewhere in [other, "", "https://mcp.example.com", "https://mcp.example.com/mcp/", "*"] {
                assert!(introspect(&fixture, &access, elsewhere).await.is_none(), "{asked} {round} {elsewhere}");
            }
            let refresh = issued.text("refresh_token");
            assert!(!opens(&fixture, &refresh).await, "a refresh token is no access token");
            let crossed = client.refresh(&refresh, &[("resource", other)]).await;
            assert_eq!(crossed.error(), (400, "invalid_target"), "{asked}");
            issued = client.refresh(&refresh, &[("resource", if round == 0 { "" } else { asked })]).await;
        }
    }
}

#[tokio::test]
async fn client_revokes_only_its_own_tokens() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let (client, other) = (Client::register(&fixture, LOOPBACK).await, Client::register(&fixture, LOOPBACK).await);
    let (access, refresh) = client.tokens(&mut browser).await;
    for token in [&access, &refresh] {
        assert_eq!(other.revoke(token).await.status, StatusCode::OK, "the response reveals nothing");
        assert!(opens(&fixture, &access).await);
    }
    assert_eq!(client.revoke(&access).await.status, StatusCode::OK);
    assert!(!opens(&fixture, &access).await, "no replay");
    let renewed = client.refresh(&refresh, &[]).await;
    let (access, refresh) = (renewed.text("access_token"), renewed.text("refresh_token"));
    for _ in 0..2 {
        assert_eq!(client.revoke(&refresh).await.status, StatusCode::OK);
        assert!(!opens(&fixture, &access).await, "revoking a refresh token ends the grant");
    }
    assert_eq!(client.refresh(&refresh, &[]).await.error(), (400, "invalid_grant"));
    assert_eq!(client.revoke("no token").await.status, StatusCode::OK);
    assert!(!browser.get("/connections").await.text.contains("Test client"));
}

#[tokio::test]
async fn new_password_and_a_closed_account_end_every_grant() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let (access, refresh) = client.tokens(&mut browser).await;
    let code = client.code(&mut browser).await;
    let export: Value = serde_json::from_str(&browser.post("/account/export", &[]).await.text).unwrap();
    assert_eq!(export["connections"][0]["client_name"], "Test client");
    let new = "an entirely different sentence 7";
    assert_eq!(browser.post("/account/password", &[("new", new)]).await.location(), "/account?done=password-changed");
    assert!(!opens(&fixture, &access).await);
    assert_eq!(client.refresh(&refresh, &[]).await.error(), (400, "invalid_grant"));
    assert_eq!(client.exchange(&code, &[]).await.error(), (400, "invalid_grant"), "codes too");

    let (access, refresh) = client.tokens(&mut browser).await;
    assert!(opens(&fixture, &access).await);
    let closed = browser.post("/account/close", &[("email", "jane@example.org"), ("password", new)]).await;
    assert_eq!(closed.location(), "/?done=closed");
    assert!(!opens(&fixture, &access).await);
    assert_eq!(client.refresh(&refresh, &[]).await.error(), (400, "invalid_grant"));
    assert!(fixture.store.query("SELECT FROM metering.client_grant", &[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn browser_clients_may_send_cross_origin_requests_without_cookies() {
    let fixture = fixture().await;
    let client = Client::register(&fixture, LOOPBACK).await;
    for path in ["/oauth/token", "/oauth/register", "/oauth/revoke", "/.well-known/oauth-authorization-server"] {
        let preflight = client.options(path).await;
        assert_eq!(preflight.status, StatusCode::NO_CONTENT, "{path}");
        let asked = match path.starts_with("/oauth") {
            true => client.send(path, "text/plain", "", &[("origin", "https://app.example")]).await,
            false => client.get(path).await,
        };
        for answer in [preflight, asked] {
            assert_eq!(answer.headers["access-control-allow-origin"], "*", "{path}");
            assert!(!answer.headers.contains_key("access-control-allow-credentials"), "{path}");
        }
    }
    let page = client.get(&client.request(&[])).await;
    assert!(
        !page.headers.contains_key("access-control-allow-origin"),
        "the consent page is not readable across origins"
    );
}

#[tokio::test]
async fn response_contains_its_issuer() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let issuer = client.get("/.well-known/oauth-authorization-server").await.text("issuer");
    let evil = [("iss", "https://evil.example")];
    for answer in [
        client.ask(&mut browser, &client.request(&evil), "allow").await,
        client.ask(&mut browser, &client.request(&evil), "deny").await,
        answer_in(browser.get(&client.request(&[("response_type", "token")])).await.location()),
    ] {
        assert_eq!(answer["iss"], issuer, "clients of several servers tell them apart: {answer:?}");
    }
}
