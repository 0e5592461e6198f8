//! Attacks on the authorization of clients.

use crate::oauth_support::{Client, LOOPBACK, MCP, OTHER, VERIFIER, answer_in, fixture, opens};
use crate::support::text_between;
use http::StatusCode;
use serde_json::json;
use sha2::{Digest, Sha256};

const SITE: &str = "https://app.example/cb";
const CURSOR: &str = "cursor://anysphere.cursor-mcp/oauth/callback";

#[tokio::test]
async fn code_works_once_and_its_second_use_ends_its_tokens() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let code = client.code(&mut browser).await;
    let issued = client.exchange(&code, &[]).await;
    let (access, refresh) = (issued.text("access_token"), issued.text("refresh_token"));
    assert!(opens(&fixture, &access).await);
    assert_eq!(client.exchange(&code, &[]).await.error(), (400, "invalid_grant"));
    assert!(!opens(&fixture, &access).await);
    assert_eq!(client.refresh(&refresh, &[]).await.error(), (400, "invalid_grant"));
    assert!(browser.get("/account").await.says("Client cut off"), "its user is told");
    assert!(!browser.get("/connections").await.text.contains("Test client"));
}

#[tokio::test]
async fn reused_refresh_token_ends_its_grant() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let (first, stolen) = client.tokens(&mut browser).await;
    let renewed = client.refresh(&stolen, &[]).await;
    let (second, next) = (renewed.text("access_token"), renewed.text("refresh_token"));
    assert!(opens(&fixture, &first).await && opens(&fixture, &second).await);
    assert_eq!(client.refresh(&stolen, &[]).await.error(), (400, "invalid_grant"));
    for token in [&first, &second] {
        assert!(!opens(&fixture, token).await, "whichever of the two was the attacker");
    }
    assert_eq!(client.refresh(&next, &[]).await.error(), (400, "invalid_grant"));
    assert!(browser.get("/account").await.says("Client cut off"));
}

#[tokio::test]
async fn code_needs_its_verifier_client_and_redirect_uri() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let (client, other) = (Client::register(&fixture, LOOPBACK).await, Client::register(&fixture, LOOPBACK).await);
    let challenge = text_between(&client.request(&[]), "code_challenge=", "&");
    let wrong = VERIFIER.replace('d', "e");
    let table: [(&[(&str, &str)], (u16, &str)); 9] = [
        (&[("code_verifier", &wrong)], (400, "invalid_grant")),
        // The challenge is visible to everybody on the request's path.
        (&[("code_verifier", &challenge)], (400, "invalid_grant")),
        (&[("code_verifier", "")], (400, "invalid_request")),
        (&[("code_verifier", "short")], (400, "invalid_request")),
        (&[("redirect_uri", "http://127.0.0.1:33418/other")], (400, "invalid_grant")),
        (&[("redirect_uri", "http://127.0.0.1:33419/callback")], (400, "invalid_grant")),
        (&[("client_id", &other.id)], (400, "invalid_grant")),
        (&[("resource", OTHER)], (400, "invalid_target")),
        (&[("resource", "https://evil.example/mcp")], (400, "invalid_target")),
    ];
    for (changes, fault) in table {
        let code = client.code(&mut browser).await;
        assert_eq!(client.exchange(&code, changes).await.error(), fault, "{changes:?}");
    }
    assert!(!browser.get("/connections").await.text.contains("Test client"), "none of them had an effect");
}

#[tokio::test]
async fn invalid_requests_get_an_error_response() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let table: [(&[(&str, &str)], &str); 15] = [
        (&[("code_challenge", "")], "invalid_request"),
        (&[("code_challenge_method", "")], "invalid_request"),
        (&[("code_challenge_method", "plain")], "invalid_request"),
        (&[("code_challenge_method", "plain"), ("code_challenge", VERIFIER)], "invalid_request"),
        (&[("code_challenge_method", "s256")], "invalid_request"),
        (&[("code_challenge", "short")], "invalid_request"),
        (&[("response_type", "")], "invalid_request"),
        (&[("response_type", "token")], "unsupported_response_type"),
        (&[("response_type", "code token")], "unsupported_response_type"),
        (&[("response_mode", "fragment")], "invalid_request"),
        (&[("scope", "admin")], "invalid_scope"),
        (&[("resource", "")], "invalid_target"),
        (&[("resource", "https://evil.example/mcp")], "invalid_target"),
        (&[("resource", MCP), ("resource", OTHER)], "invalid_target"),
        (&[("scope", "extract"), ("scope", "extract")], "invalid_request"),
    ];
    for (changes, code) in table {
        let page = browser.get(&client.request(changes)).await;
        let answer = answer_in(page.location());
        assert_eq!(answer["error"], code, "{changes:?}");
        assert_eq!((answer["state"].as_str(), &answer["iss"]), ("the state", &fixture.url), "{changes:?}");
    }
    let query = client.request(&[("code_challenge_method", "plain")]);
    let query = query.split_once('?').unwrap().1;
    let decided = browser.post("/oauth/authorize", &[("request", query), ("decision", "allow")]).await;
    assert_eq!(answer_in(decided.location())["error"], "invalid_request", "a form is validated like a request");
}

#[tokio::test]
async fn responses_go_only_to_registered_redirect_uris() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, SITE).await;
    for (changes, why) in [
        (("redirect_uri", "https://evil.example/cb"), "another site"),
        (("redirect_uri", "https://app.example/cb/"), "another path"),
        (("redirect_uri", "https://app.example/cb?x=1"), "a query"),
        (("redirect_uri", "https://app.example.evil.example/cb"), "a longer host"),
        (("redirect_uri", "https://app.example@evil.example/cb"), "a user name"),
        (("redirect_uri", "https://app.example/cb#x"), "a fragment"),
        (("redirect_uri", "http://127.0.0.1/cb"), "a program"),
        (("redirect_uri", "//evil.example"), "no scheme"),
        (("redirect_uri", "javascript:alert(1)"), "a script"),
        (("client_id", "client_nobody"), "an unknown client"),
        (("client_id", ""), "no client"),
        (("client_id", "http://app.example/c.json"), "a document over http"),
    ] {
        for extra in [("state", "x"), ("response_type", "token")] {
            let request = client.request(&[changes, extra]);
            let query = request.split_once('?').unwrap().1.to_owned();
            let decided = browser.post("/oauth/authorize", &[("request", &query), ("decision", "allow")]).await;
            for page in [browser.get(&request).await, decided] {
                assert_eq!(page.status, StatusCode::BAD_REQUEST, "{why}");
                assert!(
                    page.header("location").is_empty() && !page.text.contains("evil.example/"),
                    "{why}: {}",
                    page.text
                );
            }
        }
    }
    let twice = format!("{}&redirect_uri=https%3A%2F%2Fevil.example%2Fcb", client.request(&[]));
    assert_eq!(browser.get(&twice).await.status, StatusCode::BAD_REQUEST);
    let only = browser.get(&client.request(&[("redirect_uri", "")])).await;
    assert!(only.says("app.example"), "the only redirect URI may be omitted: {}", only.text);
}

#[tokio::test]
async fn private_schemes_without_a_domain_are_not_registered() {
    let fixture = fixture().await;
    for uri in
        ["search-ms:query=x", "ms-appinstaller:?source=x", "smb://x/y", "ldap://x", "vscode:extension/x", "mhtml:x"]
    {
        let metadata = json!({ "client_name": "Test client", "redirect_uris": [LOOPBACK, uri] }).to_string();
        let refused = Client::with_id(&fixture, "", uri).post_json("/oauth/register", &metadata).await;
        assert_eq!(refused.error(), (400, "invalid_redirect_uri"), "{uri}");
    }
    // Nor is a response sent to one that was registered earlier.
    let client = Client::register(&fixture, LOOPBACK).await;
    let sql = "UPDATE console.client SET redirect_uris = '{search-ms:query=x}' WHERE id = $1";
    fixture.store.query(sql, &[&client.id]).await.unwrap();
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let changes = [("redirect_uri", "search-ms:query=x"), ("response_type", "token")];
    let page = browser.get(&client.request(&changes)).await;
    assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, ""));
    assert!(!page.text.contains("search-ms"), "{}", page.text);
}

#[tokio::test]
async fn redirects_to_other_sites_need_a_click() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    for (redirect_uri, back) in [
        (SITE, "Back to app.example"),
        (CURSOR, "Back to the program that opens cursor: links"),
        ("com.example.app:/callback", "Back to the program that opens com.example.app: links"),
    ] {
        let client = Client::register(&fixture, redirect_uri).await;
        let request = client.request(&[("response_type", "token")]);
        assert_eq!(fixture.browser().get(&request).await.location(), "/sign-in", "{redirect_uri}");
        let query = request.split_once('?').unwrap().1;
        let decided = browser.post("/oauth/authorize", &[("request", query), ("decision", "allow")]).await;
        for page in [browser.get(&request).await, decided] {
            assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, ""), "{redirect_uri}");
            assert!(page.header("refresh").is_empty() && page.says(back), "{}", page.text);
            let link = page.attribute("a.button[href]", "href");
            assert!(link.starts_with(redirect_uri), "{link}");
            let answer = answer_in(&link);
            assert_eq!((answer["error"].as_str(), &answer["iss"]), ("unsupported_response_type", &fixture.url));
        }
    }
    // The path that continues after a sign-in is always one of ours.
    for path in ["/oauth/authorize?//evil.example", "/oauth/authorize?https://evil.example"] {
        let mut victim = fixture.browser();
        victim.get(path).await.location();
        let signed_in =
            victim.post("/sign-in", &[("email", "jane@example.org"), ("password", crate::support::PASSWORD)]);
        assert_eq!(signed_in.await.location(), path);
    }
    let long = format!("/oauth/authorize?state={}", "x".repeat(4_000));
    assert_eq!(fixture.browser().get(&long).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn consent_requires_the_users_own_form() {
    let fixture = fixture().await;
    let (mut jane, _) = fixture.member("jane@example.org").await;
    let (mut eve, _) = fixture.member("eve@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let request = client.request(&[]);
    let query = request.split_once('?').unwrap().1;
    let (own, others) = (jane.token().await, eve.token().await);
    let origin = fixture.url.clone();
    let table: [(&str, &[(&str, &str)]); 6] = [
        (&own, &[("origin", "https://evil.example")]),
        (&own, &[("origin", "null")]),
        (&own, &[]),
        (&own, &[("sec-fetch-site", "cross-site")]),
        (&others, &[("origin", &origin)]),
        ("", &[("origin", &origin)]),
    ];
    for (token, headers) in table {
        let fields = [("request", query), ("decision", "allow"), ("form_token", token)];
        let page = jane.post_raw("/oauth/authorize", &fields, headers).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{headers:?}");
    }
    let page = fixture.browser().post("/oauth/authorize", &[("request", query), ("decision", "allow")]).await;
    assert_eq!(page.location(), "/sign-in");
    let opened = jane.get(&format!("{request}&decision=allow")).await;
    assert_eq!(opened.status, StatusCode::OK, "opening a URL grants nothing");
    assert!(fixture.store.query("SELECT FROM metering.client_grant", &[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn consent_page_cannot_be_framed() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    for (redirect_uri, source) in
        [(SITE, "https://app.example"), (LOOPBACK, "http://127.0.0.1:33418"), (CURSOR, "cursor:")]
    {
        let client = Client::register(&fixture, redirect_uri).await;
        let page = browser.get(&client.request(&[])).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        let policy = page.header("content-security-policy");
        assert!(policy.contains(&format!("form-action 'self' {source};")), "{policy}");
        for part in ["frame-ancestors 'none'", "default-src 'none'", "script-src 'self'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert_eq!((page.header("x-frame-options"), page.header("cache-control")), ("DENY", "no-store"));
        assert_eq!(page.header("referrer-policy"), "same-origin", "the request's state is not told to others");
    }
}

#[tokio::test]
async fn grants_belong_to_their_account() {
    let fixture = fixture().await;
    let (mut jane, _) = fixture.member("jane@example.org").await;
    let (mut eve, _) = fixture.member("eve@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let (access, _) = client.tokens(&mut jane).await;
    let grant_id = jane.get("/connections").await.attribute("input[name=grant_id]", "value");
    assert!(!eve.get("/connections").await.text.contains("Test client"));
    let gone = eve.post("/connections/revoke", &[("grant_id", &grant_id)]).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    assert!(opens(&fixture, &access).await);
    assert_eq!(fixture.browser().post("/connections/revoke", &[("grant_id", &grant_id)]).await.location(), "/sign-in");
    let text = eve.post("/account/export", &[]).await.text;
    assert!(!text.contains(&grant_id), "{text}");
}

#[tokio::test]
async fn invalid_token_requests_get_the_standard_errors() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let (_, refresh) = client.tokens(&mut browser).await;
    let table: [(&[(&str, &str)], (u16, &str)); 11] = [
        (&[("grant_type", "")], (400, "invalid_request")),
        (&[("grant_type", "password")], (400, "unsupported_grant_type")),
        (&[("grant_type", "client_credentials")], (400, "unsupported_grant_type")),
        (&[("client_id", "")], (400, "invalid_request")),
        (&[("client_id", "client_nobody")], (401, "invalid_client")),
        (&[("client_id", "https://other.example/c.json")], (400, "invalid_grant")),
        (&[("client_secret", "x")], (401, "invalid_client")),
        (&[("refresh_token", "")], (400, "invalid_request")),
        (&[("refresh_token", "lm_refresh_made_up")], (400, "invalid_grant")),
        (&[("scope", "extract admin")], (400, "invalid_scope")),
        (&[("client_id", &client.id), ("client_id", &client.id)], (400, "invalid_request")),
    ];
    for (changes, fault) in table {
        let refused = client.refresh(&refresh, changes).await;
        assert_eq!(refused.error(), fault, "{changes:?}");
        assert_eq!(refused.headers["cache-control"], "no-store");
        assert!(!refused.text("error_description").is_empty());
    }
    let body = format!("grant_type=refresh_token&refresh_token={refresh}&client_id={}", client.id);
    let form = "application/x-www-form-urlencoded";
    let basic = client.send("/oauth/token", form, &body, &[("authorization", "Basic eDp5")]).await;
    assert_eq!(basic.error(), (401, "invalid_client"));
    assert!(basic.headers.contains_key("www-authenticate"));
    for content_type in ["application/json", "text/plain", ""] {
        let refused = client.send("/oauth/token", content_type, &body, &[]).await;
        assert_eq!(refused.error(), (400, "invalid_request"), "{content_type}");
    }
    let huge = client.send("/oauth/token", form, &"x".repeat(100_000), &[]).await;
    assert_eq!(huge.status, StatusCode::PAYLOAD_TOO_LARGE);
    // None of these used the token up. A page of another origin may send this request too: it needs the token.
    let cross = client.send("/oauth/token", form, &body, &[("origin", "https://evil.example")]).await;
    assert_eq!(cross.status, StatusCode::OK, "{cross:?}");
}

#[tokio::test]
async fn secrets_are_stored_only_as_hashes() {
    let fixture = fixture().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let client = Client::register(&fixture, LOOPBACK).await;
    let code = client.code(&mut browser).await;
    let issued = client.exchange(&code, &[]).await;
    let (access, refresh) = (issued.text("access_token"), issued.text("refresh_token"));
    let mut kept = String::new();
    for table in [
        "metering.authorization_code",
        "metering.grant_token",
        "metering.client_grant",
        "console.audit",
        "metering.account_event",
    ] {
        let database = fixture.store.client().await.unwrap();
        for row in database.query(&format!("SELECT row_to_json(t)::text FROM {table} t"), &[]).await.unwrap() {
            kept.push_str(row.get(0));
        }
    }
    let hex: String = Sha256::digest(&access).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(kept.contains(&hex), "the hash is there: {kept}");
    for secret in [&code, &access, &refresh] {
        let bytes: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert!(!kept.contains(secret.as_str()) && !kept.contains(&bytes));
    }
}
