//! The fake origin sites.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use limner_testkit::{CannedResponse, OriginServer, RawServer};
use std::time::Duration;

#[tokio::test]
async fn replies_by_path_and_host_are_served_and_recorded() {
    let site = OriginServer::start().await;
    site.on("/a", CannedResponse::html("<p>a").header("x-test", "1"));
    site.on_host("other.test", "/a", CannedResponse::css("b{}"));
    site.on_each(
        "/turns",
        vec![CannedResponse::new("text/plain", "1").status(503), CannedResponse::new("text/plain", "2")],
    );
    site.on("/away", CannedResponse::redirect("/a"));

    let client = client(None);
    let answer = client.get(site.url("/a?q=1")).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.headers()["x-test"].to_str().unwrap()), (200, "1"));
    assert_eq!(answer.text().await.unwrap(), "<p>a");
    let other = client.get(site.url("/a")).header("host", "Other.test:80").send().await.unwrap();
    assert_eq!(other.text().await.unwrap(), "b{}");
    let mut statuses = Vec::new();
    for path in ["/turns", "/turns", "/turns", "/away", "/missing"] {
        statuses.push(client.get(site.url(path)).send().await.unwrap().status().as_u16());
    }
    assert_eq!(statuses, [503, 200, 200, 302, 404]);
    assert_eq!((site.count("/a"), site.count("/turns"), site.requests()[0].query.as_str()), (2, 3, "q=1"));
}

#[tokio::test]
async fn bad_behaviour_is_as_defined() {
    let site = OriginServer::start().await;
    site.on("/endless", CannedResponse::endless("text/html", "<p>more"));
    site.on("/stalled", CannedResponse::stalled("text/html", "<p>first"));
    site.on("/broken", CannedResponse::broken("text/html", "<p>first"));
    site.on("/silent", CannedResponse::silent());
    let client = client(None);

    let mut endless = client.get(site.url("/endless")).send().await.unwrap();
    let mut bytes = 0;
    while bytes < 1_000_000 {
        bytes += endless.chunk().await.unwrap().unwrap().len();
    }
    let mut stalled = client.get(site.url("/stalled")).send().await.unwrap();
    assert_eq!(stalled.chunk().await.unwrap().unwrap(), "<p>first");
    assert!(tokio::time::timeout(Duration::from_millis(50), stalled.chunk()).await.is_err());
    let broken = client.get(site.url("/broken")).send().await.unwrap();
    assert!(broken.text().await.is_err());
    let silent = client.get(site.url("/silent")).send();
    assert!(tokio::time::timeout(Duration::from_millis(50), silent).await.is_err());
    site.wait_for("/silent", 1).await;
}

#[tokio::test]
async fn tls_is_trusted_by_its_own_authority_only() {
    let site = OriginServer::start_tls(&["site.test"]).await;
    site.on("/", CannedResponse::html("secure"));
    let trusting = client(Some((&site, "site.test")));
    let answer = trusting.get(site.url_at("site.test", "/")).send().await.unwrap();
    assert_eq!(answer.text().await.unwrap(), "secure");
    assert_eq!(site.requests()[0].host, "site.test");
    assert!(client(None).get(site.url("/")).send().await.is_err());
}

#[tokio::test]
async fn raw_sites_count_connections_and_send_anything() {
    let site = RawServer::start("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await;
    assert_eq!(site.connections(), 0);
    let answer = client(None).get(format!("http://{}/", site.address())).send().await.unwrap();
    assert_eq!(answer.text().await.unwrap(), "ok");
    assert_eq!(site.connections(), 1);
}

fn client(trusted: Option<(&OriginServer, &str)>) -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let authorities = trusted.map(|(site, name)| {
        builder = std::mem::take(&mut builder).resolve(name, site.address());
        reqwest::Certificate::from_pem(site.ca_pem().as_bytes()).unwrap()
    });
    builder.tls_certs_only(authorities).build().unwrap()
}
