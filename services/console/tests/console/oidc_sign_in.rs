//! Sign-in with an OpenID Connect provider, and the attacks it must withstand.

use crate::identity_provider::{CLIENT, HOST, ISSUER, IdentityProvider, SECRET, Signature};
use crate::support::{Browser, ConsoleFixture, PASSWORD, Page};
use futures::future::BoxFuture;
use http::StatusCode;
use limner_console::{Config, Console, ConsoleError, OidcConfig};
use limner_netguard::Resolver;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Arc;

const SESSION: &str = "__Host-limner_session";
const ATTEMPT: &str = "__Host-limner_provider";

/// Resolves no name.
#[derive(Debug)]
struct EmptyResolver;

impl Resolver for EmptyResolver {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        Box::pin(async { Err(std::io::Error::from(std::io::ErrorKind::NotFound)) })
    }
}

fn oidc(issuer: &str) -> OidcConfig {
    OidcConfig {
        issuer: issuer.to_owned(),
        client_id: CLIENT.to_owned(),
        client_secret: Some(SECRET.to_owned()),
        label: "Example <ID>".to_owned(),
    }
}

fn register_provider(config: &mut Config, provider: &IdentityProvider) {
    config.oidc = Some(oidc(ISSUER));
    config.egress.extra_ca_pem = Some(provider.ca_pem.clone());
    config.egress.policy.own_sites.insert(HOST.to_owned(), provider.address);
    config.egress.resolver = Some(Arc::new(EmptyResolver));
}

async fn fixture() -> (ConsoleFixture, IdentityProvider) {
    let provider = IdentityProvider::start().await;
    let fixture = ConsoleFixture::start_with(|config| register_provider(config, &provider)).await;
    (fixture, provider)
}

/// Returns the callback URL of a response.
fn callback(answer: &[(&str, &str)]) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(answer).finish();
    format!("/sign-in/provider/callback?{query}")
}

async fn begin(browser: &mut Browser, provider: &IdentityProvider) -> (String, String) {
    let sent = browser.get("/sign-in/provider").await;
    let mut answer = provider.approve(sent.location());
    (answer.remove("code").unwrap(), answer.remove("state").unwrap())
}

async fn signs_in(browser: &mut Browser, provider: &IdentityProvider) -> Page {
    let (code, state) = begin(browser, provider).await;
    browser.get(&callback(&[("code", &code), ("state", &state)])).await
}

async fn holders(fixture: &ConsoleFixture) -> i64 {
    fixture.store.query_one("SELECT count(*) FROM console.holder", &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn provider_signs_a_user_up_and_in() {
    let (fixture, provider) = fixture().await;
    let mut jane = fixture.browser();
    for path in ["/sign-in", "/sign-up"] {
        let page = jane.get(path).await;
        assert_eq!(page.texts("a[href='/sign-in/provider']"), ["Continue with Example <ID>"], "{}", page.text);
    }
    let welcome = signs_in(&mut jane, &provider).await;
    assert_eq!(welcome.status, StatusCode::OK, "{}", welcome.text);
    assert!(welcome.says("Here is your key"), "{}", welcome.text);
    assert!(jane.cookies.contains_key(SESSION) && !jane.cookies.contains_key(ATTEMPT));
    let account = fixture.account_of("jane@example.org").await;

    // The subject identifies the user from now on, whatever the address is.
    provider.set_claim("email", json!("jane@elsewhere.org"));
    let mut again = fixture.browser();
    assert_eq!(signs_in(&mut again, &provider).await.location(), "/");
    assert!(again.get("/account").await.says(&account));
    let audit = again.get("/account").await;
    assert!(audit.says("with Example <ID>"), "{}", audit.text);
    assert_eq!(
        (holders(&fixture).await, again.get("/sign-in/provider").await.location().to_owned()),
        (1, "/".to_owned())
    );
    let export: Value = serde_json::from_str(&again.post("/account/export", &[]).await.text).unwrap();
    assert_eq!(export["identities"], json!([{ "issuer": ISSUER, "subject": "subject-1" }]));
    assert_eq!((provider.requests("/metadata"), provider.requests("/keys")), (1, 1), "the keys are cached");
}

#[tokio::test]
async fn verified_address_joins_the_account_that_has_it() {
    let (fixture, provider) = fixture().await;
    let (_, key) = fixture.member("jane@example.org").await;
    let account = fixture.account_of("jane@example.org").await;
    let mut jane = fixture.browser();
    assert_eq!(signs_in(&mut jane, &provider).await.location(), "/");
    let page = jane.get("/account").await;
    assert!(page.says(&account) && page.says("Identity added") && !page.text.contains(&key), "{}", page.text);
    // The password still works.
    let by_password =
        fixture.browser().post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(by_password.location(), "/");
    // Closing the account deletes its identities at providers.
    jane.post("/account/close", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(holders(&fixture).await, 0);
    let left: i64 = fixture.store.query_one("SELECT count(*) FROM console.identity", &[]).await.unwrap().get(0);
    assert_eq!(left, 0);
}

#[tokio::test]
async fn unverified_address_signs_nobody_in() {
    let (fixture, provider) = fixture().await;
    fixture.member("jane@example.org").await;
    for unverified in [json!(false), Value::Null, json!("false"), json!(1)] {
        provider.set_claim("email_verified", unverified.clone());
        for email in ["jane@example.org", "new@example.org"] {
            provider.set_claim("email", json!(email));
            let mut eve = fixture.browser();
            let page = signs_in(&mut eve, &provider).await;
            assert_eq!(page.status, StatusCode::BAD_REQUEST, "{unverified} {email}");
            assert!(page.says("has not verified your e-mail address"), "{}", page.text);
            assert!(!eve.cookies.contains_key(SESSION));
        }
    }
    assert_eq!(holders(&fixture).await, 1);
}

#[tokio::test]
async fn account_cannot_be_prepared_for_another_user() {
    let (fixture, provider) = fixture().await;
    // Eve signs up with Jane's address and a password of her own; Jane signs in with the provider instead.
    let mut eve = fixture.browser();
    eve.post("/sign-up", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    let link = fixture.link(1).await;
    let welcome = signs_in(&mut fixture.browser(), &provider).await;
    assert!(welcome.says("Here is your key"), "{}", welcome.text);
    let tried = eve.post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(tried.status, StatusCode::UNPROCESSABLE_ENTITY, "her password does not work");
    assert_eq!(eve.get(&link).await.status, StatusCode::BAD_REQUEST, "neither does the link");
}

#[tokio::test]
async fn tokens_for_another_sign_in_are_rejected() {
    let (fixture, provider) = fixture().await;
    fixture.member("jane@example.org").await;
    let old = time::OffsetDateTime::now_utc().unix_timestamp() - 3_600;
    let claims = [
        ("another nonce", "nonce", json!("another")),
        ("no nonce", "nonce", Value::Null),
        ("another audience", "aud", json!("another client")),
        ("one of several audiences", "aud", json!([CLIENT, "another"])),
        ("another party", "azp", json!("another client")),
        ("another issuer", "iss", json!("https://evil.example")),
        ("expired", "exp", json!(old)),
        ("no expiry", "exp", Value::Null),
        ("an expiry as text", "exp", json!("9999999999")),
        ("of the future", "iat", json!(9_999_999_999_i64)),
        ("nobody", "sub", Value::Null),
    ];
    let headers = [
        ("unsigned", "alg", json!("RS256"), Some(Signature::None)),
        ("unsigned, and says so", "alg", json!("none"), Some(Signature::None)),
        ("signed for something else", "alg", json!("RS256"), Some(Signature::Other)),
        ("the public key as a secret", "alg", json!("HS256"), Some(Signature::PublicKeyAsSecret)),
        ("another algorithm", "alg", json!("RS512"), None),
        ("an unknown key", "kid", json!("third"), None),
        ("a shared key of the set", "kid", json!("secret"), None),
    ];
    let claims = claims.into_iter().map(|(what, name, value)| (what, Some((name, value)), None, None));
    let headers = headers.into_iter().map(|(what, name, value, signed)| (what, None, Some((name, value)), signed));
    for (what, claim, header, signature) in claims.chain(headers) {
        claim.into_iter().for_each(|(name, value)| provider.set_claim(name, value));
        header.into_iter().for_each(|(name, value)| provider.says_in_header(name, value));
        signature.into_iter().for_each(|signature| provider.signs(signature));
        let mut browser = fixture.browser();
        let page = signs_in(&mut browser, &provider).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{what}: {}", page.text);
        assert!(page.says("cannot be trusted"), "{what}: {}", page.text);
        assert!(!browser.cookies.contains_key(SESSION), "{what}");
        provider.is_itself_again();
    }
    assert_eq!(signs_in(&mut fixture.browser(), &provider).await.location(), "/", "no session remains");
}

#[tokio::test]
async fn response_is_bound_to_the_browser_that_requested_it() {
    let (fixture, provider) = fixture().await;
    fixture.member("jane@example.org").await;
    let (mut jane, mut eve) = (fixture.browser(), fixture.browser());
    let (code, state) = begin(&mut eve, &provider).await;
    // Eve's response in Jane's browser: Jane would act in Eve's account.
    let path = callback(&[("code", &code), ("state", &state)]);
    assert_eq!(jane.get(&path).await.status, StatusCode::BAD_REQUEST, "without a sign-in in progress");
    begin(&mut jane, &provider).await;
    let refused = jane.get(&path).await;
    assert!(refused.says("not started in this browser"), "{}", refused.text);
    assert!(!jane.cookies.contains_key(SESSION));
    for answer in [
        callback(&[("code", &code)]),
        callback(&[("code", &code), ("state", "")]),
        callback(&[("code", &code), ("state", &state[1..])]),
        callback(&[("code", &code), ("state", &state), ("iss", "https://evil.example")]),
        callback(&[("error", "access_denied"), ("state", &state), ("error_description", "<script>hacked</script>")]),
        callback(&[("code", &"x".repeat(5_000)), ("state", &state)]),
    ] {
        let page = eve.get(&answer).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{answer}");
        assert!(!page.has("script:not([src])"), "{}", page.text);
    }
    assert_eq!(provider.requests("/token"), 0, "no code was sent to the provider");
    let attempt = eve.cookies[ATTEMPT].clone();
    assert_eq!(eve.get(&callback(&[("code", &code), ("state", &state), ("iss", ISSUER)])).await.location(), "/");
    // The second time neither the browser nor the provider knows it.
    eve.cookies.remove(SESSION);
    assert_eq!(eve.get(&path).await.status, StatusCode::BAD_REQUEST);
    eve.cookies.insert(ATTEMPT.to_owned(), attempt);
    assert_eq!(eve.get(&path).await.status, StatusCode::BAD_REQUEST);
    assert!(!eve.cookies.contains_key(SESSION));
}

#[tokio::test]
async fn keys_rotate_and_other_endpoints_and_authentication_methods_work() {
    let (fixture, provider) = fixture().await;
    assert!(signs_in(&mut fixture.browser(), &provider).await.says("Here is your key"));
    // The keys are not fetched again so soon; a new console fetches them.
    provider.rotates();
    provider.says_of_itself("token_endpoint_auth_methods_supported", json!(["client_secret_post"]));
    provider.set_claim("email", Value::Null);
    provider.set_claim("sub", json!("subject-2"));
    let fresh = ConsoleFixture::start_with(|config| register_provider(config, &provider)).await;
    provider.knows_more(json!({ "sub": "subject-3", "email": "max@example.org", "email_verified": true }));
    let other = signs_in(&mut fresh.browser(), &provider).await;
    assert_eq!(other.status, StatusCode::BAD_REQUEST, "information about somebody else");
    provider.knows_more(json!({ "sub": "subject-2", "email": "max@example.org", "email_verified": true }));
    let welcome = signs_in(&mut fresh.browser(), &provider).await;
    assert!(!welcome.shown_key().is_empty());
    assert!(!fresh.account_of("max@example.org").await.is_empty());
}

#[tokio::test]
async fn invalid_provider_gives_an_error_page() {
    for (name, value) in [
        ("issuer", json!("https://id.example")),
        ("token_endpoint", json!("http://id.example/token")),
        ("jwks_uri", Value::Null),
        // A private address: netguard does not connect to it.
        ("jwks_uri", json!("https://127.0.0.1/keys")),
        ("token_endpoint", json!("https://169.254.169.254/token")),
    ] {
        let (fixture, provider) = fixture().await;
        provider.says_of_itself(name, value.clone());
        let mut browser = fixture.browser();
        let sent = browser.get("/sign-in/provider").await;
        let page = match sent.status {
            StatusCode::SEE_OTHER => {
                let answer = provider.approve(sent.location());
                browser.get(&callback(&[("code", &answer["code"]), ("state", &answer["state"])])).await
            }
            _ => sent,
        };
        assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE, "{name} {value}: {}", page.text);
        assert!(browser.get("/sign-in").await.says("E-mail"), "other ways to sign in still work");
    }
}

#[tokio::test]
async fn pages_do_not_mention_a_provider_without_one() {
    let fixture = ConsoleFixture::start().await;
    let mut browser = fixture.browser();
    for path in ["/sign-in", "/sign-up"] {
        assert!(!browser.get(path).await.has("[href*='/sign-in/provider']"), "{path}");
    }
    for path in ["/sign-in/provider", "/sign-in/provider/callback?code=a&state=b"] {
        assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    for issuer in ["http://id.example", "id.example", "https://id.example/?a", "https://id.example/#a"] {
        let mut config = Config::with_mail_folder("/nonexistent".into());
        config.listen = "127.0.0.1:0".parse().unwrap();
        config.oidc = Some(oidc(issuer));
        assert!(!format!("{config:?}").contains(SECRET), "settings show no secret");
        let fault = Console::bind(config, fixture.store.clone()).await.err();
        assert!(matches!(fault, Some(ConsoleError::Config(text)) if text.contains("oidc_issuer")), "{issuer}");
    }
}
