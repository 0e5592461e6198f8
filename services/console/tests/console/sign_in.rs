//! Sign-up, sign-in and sign-out.

use crate::support::{ConsoleFixture, PASSWORD, Page};
use http::StatusCode;
use limner_metering::api_key;
use limner_types::ApiKey;

const SESSION: &str = "__Host-limner_session";

#[tokio::test]
async fn sign_up_by_mail_gives_a_working_key() {
    let fixture = ConsoleFixture::start().await;
    let mut browser = fixture.browser();
    let sent = browser.post("/sign-up", &[("email", "Jane@Example.org"), ("password", PASSWORD)]).await;
    assert_eq!(sent.status, StatusCode::OK);
    let mail = fixture.mails(1).await.remove(0);
    assert!(mail.contains("To: Jane@Example.org") && mail.contains("Subject: Your key to Limner"), "{mail}");
    let link = fixture.link(1).await;
    // Mail scanners open links: that uses nothing up.
    for _ in 0..2 {
        assert_eq!(fixture.browser().get(&link).await.status, StatusCode::OK);
    }
    let welcome = browser.follow(&link).await;
    assert_eq!(welcome.status, StatusCode::OK, "{}", welcome.text);
    let api_key = welcome.shown_key();
    assert!(welcome.says(&format!("Bearer {api_key}")), "the curl line has the key");
    let owner = fixture.ledger.authenticate(api_key::sha256(&ApiKey::parse(&api_key).unwrap())).await.unwrap();
    assert_eq!(owner.state.account_id, fixture.account_of("jane@example.org").await);
    assert_eq!(owner.state.remaining(), Some(300));

    let cookie = welcome.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
    let cookie = cookie.into_iter().find(|line| line.starts_with(SESSION)).unwrap();
    for part in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    let overview = browser.get("/").await;
    assert!(overview.says("Plan Free") && !overview.text.contains(&api_key), "the key is shown once");
    let again = fixture.browser().get(&link).await;
    assert_eq!(again.status, StatusCode::BAD_REQUEST, "a link works once");
}

#[tokio::test]
async fn session_token_is_new_with_each_sign_in_and_ends_with_sign_out() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let first = browser.cookies[SESSION].clone();
    assert_eq!(browser.post("/sign-out", &[]).await.location(), "/sign-in?done=signed-out");
    assert!(!browser.cookies.contains_key(SESSION));
    let mut stolen = fixture.browser();
    stolen.cookies.insert(SESSION.to_owned(), first.clone());
    assert_eq!(stolen.get("/keys").await.location(), "/sign-in", "a session that has ended opens nothing");

    let signed_in = browser.post("/sign-in", &[("email", "JANE@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(signed_in.location(), "/");
    let second = browser.cookies[SESSION].clone();
    assert_ne!(first, second);
    let stored: Vec<u8> =
        fixture.store.query_one("SELECT token_sha256 FROM console.session", &[]).await.unwrap().get(0);
    assert!(stored != second.as_bytes() && stored.len() == 32, "tokens are kept as hashes");

    for (column, shift) in [("last_seen_at", "8 days"), ("expires_at", "31 days")] {
        let sql = format!("UPDATE console.session SET {column} = {column} - interval '{shift}'");
        assert_eq!(browser.get("/keys").await.status, StatusCode::OK);
        fixture.store.client().await.unwrap().batch_execute(&sql).await.unwrap();
        assert_eq!(browser.get("/keys").await.location(), "/sign-in", "{column}");
        browser.cookies.remove(SESSION);
        browser.post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    }
}

#[tokio::test]
async fn pages_do_not_reveal_whether_an_account_exists() {
    let fixture = ConsoleFixture::start().await;
    fixture.member("jane@example.org").await;
    let plain = |page: &Page, email: &str| {
        let tokens = page.attributes("input[name=form_token]", "value");
        tokens.iter().fold(page.text.replace(email, "…"), |text, token| text.replace(token, "…"))
    };
    for (path, fields) in [
        ("/sign-up", vec![("password", "another long enough sentence")]),
        ("/sign-in", vec![("password", "another long enough sentence")]),
        ("/sign-in/link", vec![]),
    ] {
        let mut answers = Vec::new();
        for email in ["jane@example.org", "nobody@example.org"] {
            let fields: Vec<_> = fields.iter().copied().chain([("email", email)]).collect();
            let page = fixture.browser().post(path, &fields).await;
            answers.push((page.status, plain(&page, email)));
        }
        assert_eq!(answers[0], answers[1], "{path}");
    }
    // The owner of an account learns of it by mail, and still has the old password.
    let mails = fixture.mails(3).await;
    assert_eq!(mails.iter().filter(|mail| mail.contains("You have one already")).count(), 1);
    let mut browser = fixture.browser();
    assert_eq!(
        browser.post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await.location(),
        "/"
    );
}

#[tokio::test]
async fn link_by_mail_opens_a_session_and_allows_a_new_password() {
    let fixture = ConsoleFixture::start().await;
    fixture.member("jane@example.org").await;
    let mut browser = fixture.browser();
    browser.post("/sign-in/link", &[("email", "jane@example.org")]).await;
    let link = fixture.link(1).await;
    assert_eq!(browser.follow(&link).await.location(), "/");
    let new = "an entirely different sentence 7";
    let changed = browser.post("/account/password", &[("new", new)]).await;
    assert_eq!(changed.location(), "/account?done=password-changed");
    let mut other = fixture.browser();
    for (password, status) in [(PASSWORD, StatusCode::UNPROCESSABLE_ENTITY), (new, StatusCode::SEE_OTHER)] {
        let page = other.post("/sign-in", &[("email", "jane@example.org"), ("password", password)]).await;
        assert_eq!(page.status, status);
    }
}

#[tokio::test]
async fn sign_up_password_is_kept_only_in_the_browser_it_was_chosen_in() {
    let fixture = ConsoleFixture::start().await;
    let (mut eve, mut jane) = (fixture.browser(), fixture.browser());
    // Eve signs up with Jane's address and a password that Eve knows; Jane confirms.
    eve.post("/sign-up", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    let link = fixture.link(1).await;
    let welcome = jane.follow(&link).await;
    assert_eq!(welcome.status, StatusCode::OK, "{}", welcome.text);
    assert!(welcome.says("chosen in another browser"), "{}", welcome.text);
    let tried = eve.post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(tried.status, StatusCode::UNPROCESSABLE_ENTITY);
    let new = "an entirely different sentence 7";
    assert_eq!(jane.post("/account/password", &[("new", new)]).await.location(), "/account?done=password-changed");
    let signed_in = fixture.browser().post("/sign-in", &[("email", "jane@example.org"), ("password", new)]).await;
    assert_eq!(signed_in.location(), "/");

    // In the same browser the password is kept.
    fixture.empty_mail();
    let (mut max, _) = fixture.member("max@example.org").await;
    assert!(max.get("/account").await.says("Change the password"));
}

#[tokio::test]
async fn password_of_another_account_in_the_same_browser_does_not_count() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let mut stranger = fixture.browser();
    stranger.post("/sign-up", &[("email", "max@example.org"), ("password", PASSWORD)]).await;
    assert!(browser.follow(&fixture.link(1).await).await.says("chosen in another browser"));
}

#[tokio::test]
async fn bad_passwords_and_addresses_are_refused() {
    let fixture = ConsoleFixture::start().await;
    let mut browser = fixture.browser();
    for (email, password) in
        [("jane@example.org", "password123"), ("jane@example.org", "short"), ("jane", PASSWORD), ("", PASSWORD)]
    {
        let page = browser.post("/sign-up", &[("email", email), ("password", password)]).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{email} {password}");
        assert!(page.has("[role=alert]"), "{}", page.text);
    }
    assert!(fixture.store.query("SELECT FROM console.link", &[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn sign_in_attempts_are_rate_limited() {
    let fixture = ConsoleFixture::start().await;
    fixture.member("jane@example.org").await;
    let mut browser = fixture.browser();
    let mut statuses = Vec::new();
    for attempt in 0..11 {
        let password = format!("wrong guess number {attempt}");
        let page = browser.post("/sign-in", &[("email", "jane@example.org"), ("password", &password)]).await;
        statuses.push(page.status.as_u16());
        if attempt == 10 {
            assert!(page.header("retry-after").parse::<u32>().unwrap() > 60);
        }
    }
    assert_eq!(statuses, [[422; 10].as_slice(), &[429]].concat());
    let right = browser.post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(right.status, StatusCode::TOO_MANY_REQUESTS, "correct passwords are attempts too");
    for _ in 0..7 {
        browser.post("/sign-in/link", &[("email", "jane@example.org")]).await;
    }
    assert_eq!(fixture.mails(5).await.len(), 5);
    browser.follow(&fixture.link(5).await).await.location();
    let counted = fixture.store.query("SELECT FROM console.session", &[]).await.unwrap().len();
    assert_eq!(counted, 2, "the owner still gets in");
}
