//! Delivery of mail by SMTP, and its failures.

use crate::smtp_server::{MailServer, Security, Taken};
use crate::support::{Browser, ConsoleFixture, PASSWORD, Page, plain, text_between};
use http::StatusCode;
use limner_console::{Config, Console, ConsoleError, MailConfig, SmtpConfig};
use std::time::Duration;

const STUCK: &str = "not getting through at the moment";

fn mail_by(server: &MailServer, with_password: bool) -> MailConfig {
    let ca_pem = Some(server.ca_pem.clone());
    MailConfig::Smtp(SmtpConfig { url: server.url(with_password), ca_pem })
}

async fn fixture(server: &MailServer, with_password: bool, patience: Duration, tries: usize) -> ConsoleFixture {
    ConsoleFixture::start_with(|config| {
        config.mail = mail_by(server, with_password);
        config.mail_timeout = patience;
        config.mail_retry_delays = vec![Duration::from_millis(50); tries];
    })
    .await
}

const TIMEOUT: Duration = Duration::from_secs(30);

fn link(mail: &Taken) -> String {
    format!("/enter?link={}", text_between(&plain(&mail.text), "/enter?link=", "\r\n"))
}

async fn request_sign_up(browser: &mut Browser, email: &str) -> Page {
    let page = browser.post("/sign-up", &[("email", email), ("password", PASSWORD)]).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    page
}

#[tokio::test]
async fn link_arrives_by_smtp_with_and_without_tls_and_password() {
    for (security, with_password) in [
        (Security::None, false),
        (Security::None, true),
        (Security::StartTls, true),
        (Security::StartTls, false),
        (Security::Wrapped, true),
    ] {
        let server = MailServer::start(security, with_password).await;
        let fixture = fixture(&server, with_password, TIMEOUT, 0).await;
        let mut browser = fixture.browser();
        let page = request_sign_up(&mut browser, "jane@example.org").await;
        assert!(page.says("a link is on its way") && !page.says("into the folder"), "{}", page.text);
        let mail = server.mails(1).await.remove(0);
        assert_eq!((mail.from.as_str(), mail.to.as_str()), ("console@limner.test", "jane@example.org"));
        assert_eq!(mail.encrypted, security != Security::None, "{security:?}");
        assert_eq!(mail.authenticated, with_password, "{security:?}");
        assert!(mail.text.contains("Subject: Your key to Limner\r\n"), "{}", mail.text);
        let welcome = browser.follow(&link(&mail)).await;
        assert!(welcome.says("Here is your key"), "{}", welcome.text);
    }
}

#[tokio::test]
async fn deferred_mail_is_retried() {
    let server = MailServer::start(Security::None, false).await;
    server.answer_recipients(450);
    let fixture = fixture(&server, false, TIMEOUT, 1_000).await;
    let mut browser = fixture.browser();
    request_sign_up(&mut browser, "jane@example.org").await;
    server.conversations(3).await;
    server.answer_recipients(250);
    let mail = server.mails(1).await.remove(0);
    assert_eq!(browser.follow(&link(&mail)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn rejected_mail_is_not_retried() {
    let server = MailServer::start(Security::None, false).await;
    server.answer_recipients(550);
    let recorded = limner_runtime::metrics::install().unwrap();
    let fixture = fixture(&server, false, TIMEOUT, 1_000).await;
    let mut browser = fixture.browser();
    request_sign_up(&mut browser, "jane@example.org").await;
    server.conversations(1).await;
    // The next one is sent after the first would have been retried many times.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(server.conversations_so_far(), 1);
    assert!(recorded.render().contains("limner_console_mails_total{status=\"refused\"} 1\n"), "{}", recorded.render());
    let page = request_sign_up(&mut browser, "jane@example.org").await;
    assert!(!page.says(STUCK), "one rejected recipient does not affect others: {}", page.text);
}

#[tokio::test]
async fn visitors_are_told_when_no_mail_is_delivered() {
    // A server that does not respond, one that rejects our login, one with the certificate of another host, one that
    // does not exist.
    let silent = MailServer::start(Security::None, false).await;
    silent.fall_silent(true);
    let closed = MailServer::start(Security::StartTls, true).await;
    let untrusted = MailServer::start(Security::Wrapped, false).await;
    let other = MailServer::start(Security::None, false).await;
    let nowhere = format!("smtp://127.0.0.1:{}", limner_local_servers::free_port().unwrap());
    let nowhere = MailConfig::Smtp(SmtpConfig { url: nowhere, ca_pem: None });
    let wrong = MailConfig::Smtp(SmtpConfig { url: untrusted.url(false), ca_pem: Some(other.ca_pem.clone()) });
    let patience = Duration::from_secs(3);
    for (what, mail) in [
        ("silent", mail_by(&silent, false)),
        ("without the password", mail_by(&closed, false)),
        ("another certificate", wrong),
        ("nowhere", nowhere),
    ] {
        let fixture = ConsoleFixture::start_with(|config| {
            config.mail = mail;
            config.mail_timeout = if what == "silent" { patience } else { TIMEOUT };
            config.mail_retry_delays = vec![Duration::from_millis(50)];
        })
        .await;
        request_sign_up(&mut fixture.browser(), "jane@example.org").await;
        is_told(&fixture, true).await;
    }
    assert!(closed.mails(0).await.is_empty() && untrusted.mails(0).await.is_empty());

    // When the server responds again, a visitor who requests another link gets it.
    let fixture = fixture(&silent, false, patience, 0).await;
    let mut browser = fixture.browser();
    request_sign_up(&mut browser, "jane@example.org").await;
    is_told(&fixture, true).await;
    silent.fall_silent(false);
    request_sign_up(&mut browser, "jane@example.org").await;
    let mail = silent.mails(1).await.remove(0);
    assert_eq!((mail.to.as_str(), browser.follow(&link(&mail)).await.status), ("jane@example.org", StatusCode::OK));
    is_told(&fixture, false).await;
}

/// Waits until visitors are told that no mail is delivered, or are no longer told. They use an address without an
/// account, so these requests send no mail themselves.
async fn is_told(fixture: &ConsoleFixture, expected: bool) {
    let mut browser = fixture.browser();
    // One network may send that many requests.
    for _ in 0..25 {
        let page = browser.post("/sign-in/link", &[("email", "nobody@example.org")]).await;
        assert_eq!(page.status, StatusCode::OK);
        if page.says(STUCK) == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    panic!("visitors are not told that mail is {}", if expected { "stuck" } else { "moving" });
}

#[tokio::test]
async fn invalid_mail_server_url_prevents_the_start() {
    for (url, ca_pem, about) in [
        ("https://mail.example.org", None, "console.smtp_url"),
        ("smtp://mail.example.org?tls=perhaps", None, "console.smtp_url"),
        ("smtps://user:hunter2@mail.example.org", Some(b"-----BEGIN CERTIFICATE-----\nx\n".to_vec()), "smtp_ca_file"),
    ] {
        let fixture = ConsoleFixture::start().await;
        let mut config = Config::with_mail_folder("/nonexistent".into());
        config.listen = "127.0.0.1:0".parse().unwrap();
        config.mail = MailConfig::Smtp(SmtpConfig { url: url.to_owned(), ca_pem });
        let fault = Console::bind(config.clone(), fixture.store.clone()).await.err();
        let Some(ConsoleError::Config(text)) = fault else { panic!("{url} is accepted") };
        assert!(text.contains(about) && !text.contains("hunter2"), "{text}");
        assert!(!format!("{config:?}").contains("hunter2"), "settings show no password");
    }
}
