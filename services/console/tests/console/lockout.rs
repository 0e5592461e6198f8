//! Nobody can lock another user out, and timing does not reveal who has an account.

use crate::support::{Browser, ConsoleFixture, PASSWORD, text_between};
use http::StatusCode;

const JANE: &str = "jane@example.org";
const DEVICE: &str = "__Host-limner_device";
const MANY_LINKS_SUBJECT: &str = "Several links for";

/// Returns a console behind a proxy, and a user's browser that has signed in before.
async fn fixture() -> (ConsoleFixture, Browser) {
    let fixture =
        ConsoleFixture::start_with(|config| config.client_address_header = Some("x-forwarded-for".to_owned())).await;
    let (mut jane, _) = fixture.member(JANE).await;
    jane.post("/sign-out", &[]).await.location();
    (fixture, jane)
}

async fn sign_in(browser: &mut Browser, email: &str, password: &str) -> StatusCode {
    browser.post("/sign-in", &[("email", email), ("password", password)]).await.status
}

/// Sets the number of attempts of every counter.
async fn set_tries(fixture: &ConsoleFixture, tries: i32) {
    fixture.store.query("UPDATE console.attempt SET tries = $1", &[&tries]).await.unwrap();
}

#[tokio::test]
async fn attempts_of_strangers_do_not_lock_out_a_known_browser() {
    let (fixture, mut jane) = fixture().await;
    let (mut max, _) = fixture.member("max@example.org").await;
    let mut eve = fixture.browser_at("203.0.113.1");
    assert_eq!(sign_in(&mut eve, JANE, "wrong guess number one").await, StatusCode::UNPROCESSABLE_ENTITY);
    set_tries(&fixture, 60).await;
    let mut elsewhere = fixture.browser_at("198.51.100.7");
    assert_eq!(sign_in(&mut elsewhere, JANE, PASSWORD).await, StatusCode::TOO_MANY_REQUESTS, "an unknown browser");
    // Even from the network of the attempts.
    jane.address = Some("203.0.113.1".to_owned());
    assert_eq!(sign_in(&mut jane, JANE, PASSWORD).await, StatusCode::SEE_OTHER);

    // The browser is known for the user's account only, and until the next password.
    let mut copied = fixture.browser_at("203.0.113.1");
    copied.cookies.insert(DEVICE.to_owned(), max.cookies[DEVICE].clone());
    assert_eq!(sign_in(&mut copied, JANE, PASSWORD).await, StatusCode::TOO_MANY_REQUESTS);
    copied.cookies.insert(DEVICE.to_owned(), jane.cookies[DEVICE].clone());
    let changed =
        jane.post("/account/password", &[("old", PASSWORD), ("new", "an entirely different sentence 7")]).await;
    assert_eq!(changed.location(), "/account?done=password-changed");
    assert_eq!(sign_in(&mut copied, JANE, PASSWORD).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(max.get("/account").await.status, StatusCode::OK);
}

#[tokio::test]
async fn guesses_from_a_known_browser_are_counted_too() {
    let (fixture, mut jane) = fixture().await;
    assert_eq!(sign_in(&mut jane, JANE, "wrong guess number one").await, StatusCode::UNPROCESSABLE_ENTITY);
    set_tries(&fixture, 10).await;
    assert_eq!(sign_in(&mut jane, JANE, PASSWORD).await, StatusCode::TOO_MANY_REQUESTS);
    let stored: Vec<u8> = fixture.store.query_one("SELECT token_sha256 FROM console.device", &[]).await.unwrap().get(0);
    assert!(stored.len() == 32 && stored != jane.cookies[DEVICE].as_bytes(), "tokens are kept as hashes");
    let mut elsewhere = fixture.browser_at("198.51.100.7");
    assert_eq!(sign_in(&mut elsewhere, JANE, PASSWORD).await, StatusCode::SEE_OTHER, "they count for this browser");
}

#[tokio::test]
async fn device_cookie_is_host_only_and_new_with_each_sign_in() {
    let (fixture, mut jane) = fixture().await;
    let before = jane.cookies[DEVICE].clone();
    let page = jane.post("/sign-in", &[("email", JANE), ("password", PASSWORD)]).await;
    let lines = page.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
    let cookie = lines.into_iter().find(|line| line.starts_with(DEVICE)).unwrap();
    for part in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=15552000"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert_ne!(jane.cookies[DEVICE], before);
    assert_eq!(fixture.store.query("SELECT FROM console.device", &[]).await.unwrap().len(), 1);
    // A second user in the same browser does not make it unknown for the first.
    jane.post("/sign-out", &[]).await.location();
    jane.post("/sign-up", &[("email", "max@example.org"), ("password", PASSWORD)]).await;
    jane.follow(&fixture.link(1).await).await;
    const COUNT_DEVICES: &str = "SELECT FROM console.device GROUP BY token_sha256 HAVING count(*) = 2";
    assert_eq!(fixture.store.query(COUNT_DEVICES, &[]).await.unwrap().len(), 1);
}

#[tokio::test]
async fn clock_set_back_does_not_extend_a_lockout() {
    let (fixture, _) = fixture().await;
    let mut browser = fixture.browser_at("198.51.100.7");
    assert_eq!(sign_in(&mut browser, JANE, "wrong guess number one").await, StatusCode::UNPROCESSABLE_ENTITY);
    for (days, status) in [(0, StatusCode::TOO_MANY_REQUESTS), (1, StatusCode::SEE_OTHER)] {
        set_tries(&fixture, 100).await;
        const LATER: &str = "UPDATE console.attempt SET window_ends = window_ends + make_interval(days => $1)";
        fixture.store.query(LATER, &[&days]).await.unwrap();
        assert_eq!(sign_in(&mut browser, JANE, PASSWORD).await, status, "{days}");
    }
    const LOCKOUT_IS_BOUNDED: &str = "SELECT max(window_ends) < now() + interval '61 minutes' AS is_soon FROM console.attempt \
                           WHERE tries < 100";
    let row = fixture.store.query_one(LOCKOUT_IS_BOUNDED, &[]).await.unwrap();
    assert!(row.get::<_, bool>("is_soon"));
}

#[tokio::test]
async fn tries_of_one_ipv6_network_are_counted_together() {
    let (fixture, _) = fixture().await;
    let status = async |address: &str| sign_in(&mut fixture.browser_at(address), JANE, "wrong guess number one").await;
    assert_eq!(status("2001:db8:1:2::1").await, StatusCode::UNPROCESSABLE_ENTITY);
    set_tries(&fixture, 10).await;
    assert_eq!(status("2001:db8:1:2:ffff::2").await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(status("2001:db8:1:3::1").await, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn requests_of_others_do_not_prevent_a_link() {
    let (fixture, mut jane) = fixture().await;
    let asks = async |browser: &mut Browser, email: &str| {
        let page = browser.post("/sign-in/link", &[("email", email)]).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        page.text
    };
    for email in [JANE, "nobody@example.org"] {
        for network in 1..=3 {
            let mut eve = fixture.browser_at(&format!("203.0.113.{network}"));
            for ask in 1..=6 {
                let text = asks(&mut eve, email).await;
                assert_eq!(text.contains(MANY_LINKS_SUBJECT), ask > 5, "{email} {network} {ask}: {text}");
                assert_eq!(text.contains("on its way"), ask <= 5, "the page announces only mail that is sent");
            }
        }
    }
    // Fifteen mails are the maximum for unknown browsers; the next requester is told where the links are.
    let mut elsewhere = fixture.browser_at("198.51.100.7");
    assert!(asks(&mut elsewhere, JANE).await.contains(MANY_LINKS_SUBJECT));
    assert!(
        asks(&mut elsewhere, "nobody@example.org").await.contains(MANY_LINKS_SUBJECT),
        "the same without an account"
    );
    assert_eq!(elsewhere.follow(&fixture.link(15).await).await.location(), "/");
    // A known browser has its own limit of mails, and so have sign-ups.
    assert!(asks(&mut jane, JANE).await.contains("on its way"));
    let mut stranger = fixture.browser_at("198.51.100.8");
    let page = stranger.post("/sign-up", &[("email", JANE), ("password", PASSWORD)]).await;
    assert!(page.text.contains("on its way"), "{}", page.text);
    assert_eq!(fixture.mails(17).await.len(), 17);
}

#[tokio::test]
async fn mails_per_network_are_limited() {
    let (fixture, _) = fixture().await;
    let mut eve = fixture.browser_at("203.0.113.1");
    let token = eve.token().await;
    let origin = fixture.url.clone();
    let mut refused = Vec::new();
    for person in 1..=31 {
        let email = format!("person{person}@example.org");
        let fields = [("email", email.as_str()), ("form_token", token.as_str())];
        let page = eve.post_raw("/sign-in/link", &fields, &[("origin", &origin)]).await;
        if page.status == StatusCode::TOO_MANY_REQUESTS {
            refused.push((person, text_between(&page.text, "attempts. Wait ", " min")));
        }
    }
    assert_eq!(refused, [(31, "30".to_owned())]);
}

#[tokio::test]
async fn unknown_address_takes_as_much_work_as_a_known_one() {
    let recorded = limner_runtime::metrics::install().unwrap();
    let (fixture, _) = fixture().await;
    const WORK: &str =
        "SELECT (SELECT count(*) FROM console.link) AS links, (SELECT count(*) FROM console.attempt) AS tries";
    let work = async || {
        let row = fixture.store.query_one(WORK, &[]).await.unwrap();
        let (links, tries): (i64, i64) = (row.get("links"), row.get("tries"));
        let text = recorded.render();
        let checks = text.lines().find_map(|line| line.strip_prefix("limner_console_password_checks_total "));
        [links, tries, checks.map_or(0, |count| count.parse().unwrap())]
    };
    fixture.member("max@example.org").await;
    const NO_PASSWORD: &str = "UPDATE console.holder SET password_hash = NULL WHERE email_key = 'max@example.org'";
    fixture.store.query(NO_PASSWORD, &[]).await.unwrap();
    for (path, fields, expected) in [
        ("/sign-in", [("password", "wrong guess number one")].as_slice(), [0, 3, 1]),
        ("/sign-in/link", &[], [1, 4, 0]),
        ("/sign-up", &[("password", "an entirely different sentence 7")], [1, 4, 0]),
    ] {
        for (number, email) in [JANE, "nobody@example.org", "max@example.org"].into_iter().enumerate() {
            let mut browser = fixture.browser_at(&format!("203.0.113.{number}"));
            fixture.store.query("DELETE FROM console.attempt", &[]).await.unwrap();
            let before = work().await;
            let fields: Vec<_> = fields.iter().copied().chain([("email", email)]).collect();
            browser.post(path, &fields).await;
            let after = work().await;
            let done: Vec<i64> = after.iter().zip(before).map(|(after, before)| after - before).collect();
            assert_eq!(done, expected, "{path} {email}");
        }
    }
}
