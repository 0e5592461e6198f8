//! Forbidden addresses, in every notation and by every way into the fleet. They lead to a canary that must never see a
//! connection.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use limner_testkit::CannedResponse;
use limner_tests::{Account, Fleet, FleetOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;

/// A listener on 127.0.0.2. This fleet may reach it by a name, but never by a literal address.
struct Canary {
    port: u16,
    connections: Arc<AtomicUsize>,
}

impl Canary {
    async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.2", 0)).await.unwrap();
        let (port, connections) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
        let count = connections.clone();
        tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { port, connections }
    }

    fn connection_count(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Returns the canary's address in every notation that a URL parser accepts, and in IPv6 forms that embed it.
    fn addresses(&self) -> Vec<String> {
        let hosts = [
            "127.0.0.2",
            "127.2",
            "127.0.2",
            "2130706434",
            "0x7f000002",
            "0x7f.0.0.2",
            "0177.0.0.2",
            "017700000002",
            "127.0.0.0x2",
            "127.0.0.02",
            "%31%32%37.0.0.2",
            "１２７.0.0.2",
            "127。0。0。2",
            "127.0.0.2.",
            "[::ffff:127.0.0.2]",
            "[::ffff:7f00:2]",
            "[0:0:0:0:0:ffff:127.0.0.2]",
            "[::127.0.0.2]",
            "[64:ff9b::127.0.0.2]",
            "[64:ff9b:1::7f00:2]",
            "[2002:7f00:2::]",
            "[2001:0:0:0:0:0:80ff:fffd]",
            "[fe80::5efe:127.0.0.2]",
        ];
        hosts.iter().map(|host| format!("http://{host}:{}/", self.port)).collect()
    }
}

struct Guarded {
    fleet: Fleet,
    canary: Canary,
    account: Account,
}

impl Guarded {
    async fn start() -> Self {
        let options = FleetOptions { allow: Some("127.0.0.0/8".to_owned()), ..FleetOptions::default() };
        let fleet = Fleet::start_with(options).await;
        let account = fleet.roomy_account();
        Self { fleet, canary: Canary::start().await, account }
    }
}

#[tokio::test]
async fn forbidden_page_urls_are_not_reached() {
    let guarded = Guarded::start().await;
    for url in guarded.canary.addresses() {
        let answer = guarded.fleet.call("images", &[("url", &url)], &guarded.account).await;
        answer.assert_error(400, "invalid_request");
    }
    assert_eq!(guarded.canary.connection_count(), 0);
}

#[tokio::test]
async fn forbidden_redirect_targets_are_not_reached() {
    let guarded = Guarded::start().await;
    let (fleet, account) = (&guarded.fleet, &guarded.account);
    for (turn, url) in guarded.canary.addresses().iter().enumerate() {
        let path = format!("/redirect-{turn}");
        // A Location consists of bytes; non-ASCII characters are sent percent-encoded, like in browsers.
        let location: String = url.chars().map(|c| if c.is_ascii() { c.to_string() } else { percent(c) }).collect();
        fleet.site.on(&path, CannedResponse::redirect(&location));
        let answer = fleet.call("images", &[("url", &format!("http://site.test{path}"))], account).await;
        answer.assert_error(422, "target_unreachable");
        assert!(!answer.text.contains("127."), "the address is not revealed: {}", answer.text);
    }
    assert_eq!(guarded.canary.connection_count(), 0);
}

#[tokio::test]
async fn forbidden_subresources_are_not_reached() {
    let guarded = Guarded::start().await;
    let (fleet, account) = (&guarded.fleet, &guarded.account);
    let links: String = guarded.canary.addresses().iter().map(|url| {
        format!(
            "<link rel=stylesheet href='{url}a.css'><style>@import url('{url}b.css');</style><link rel=manifest href='{url}m.json'>\
             <svg><use href='{url}s.svg#i'/></svg><link rel=alternate type='application/rss+xml' href='{url}feed.xml'>\
             <lottie-player src='{url}l.json'></lottie-player><img src='{url}i.png'><iframe src='{url}f.html'></iframe>"
        )
    }).collect();
    fleet.site.on(
        "/",
        CannedResponse::html(format!("<title>t</title><p>A page with text, and much that leads elsewhere.</p>{links}")),
    );
    for operation in ["images", "svg", "fonts", "audio", "lottie", "videos"] {
        let answer = fleet.call(operation, &[("url", "http://site.test/")], account).await;
        assert!(answer.status.is_success() || answer.status.as_u16() == 503, "{operation}: {answer:?}");
    }
    let redirecting = "<title>t</title><p>A page whose sheet moved.</p><link rel=stylesheet href=/moved.css><link rel=manifest href=/moved.css>";
    fleet.site.on("/sheet", CannedResponse::html(redirecting));
    fleet.site.on("/moved.css", CannedResponse::redirect(&guarded.canary.addresses()[0]));
    fleet.call("images", &[("url", "http://site.test/sheet")], account).await.usage();
    assert_eq!(guarded.canary.connection_count(), 0);
}

fn percent(c: char) -> String {
    let mut buffer = [0; 4];
    c.encode_utf8(&mut buffer).bytes().map(|byte| format!("%{byte:02X}")).collect()
}
