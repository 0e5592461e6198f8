//! `hosts`: one name, any scheme and port, one socket. TLS needs the additional CA certificate.

use crate::authority::Authority;
use crate::support::*;
use bytes::Bytes;
use http::{Request, Response, Version};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use limner_netguard::{
    Client, EgressError, EgressOptions, EgressPolicy, FetchError, Forbidden, Phase, Timeouts, Unreachable,
};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio_rustls::TlsAcceptor;

/// Responds with the host and the HTTP version of the request.
async fn echo(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let version = if request.version() == Version::HTTP_2 { "h2" } else { "h1" };
    let asked = request.uri().authority().map(|authority| authority.as_str().to_owned());
    let host = request.headers().get("host").and_then(|host| host.to_str().ok()).map(str::to_owned);
    let said = format!("{version} {}", asked.or(host).unwrap_or_default());
    let mut response = Response::new(Full::new(Bytes::from(said)));
    match request.uri().path() {
        "/down" => {
            *response.status_mut() = http::StatusCode::FOUND;
            response.headers_mut().insert("location", "http://plain.test/".parse().unwrap());
        }
        "/silence" => std::future::pending().await,
        "/large-head" => {
            let long = "x".repeat(300_000);
            response.headers_mut().insert("x-long", long.parse().unwrap());
        }
        _ => {}
    }
    Ok(response)
}

async fn https(acceptor: TlsAcceptor) -> Server {
    Server::start(move |stream, _| {
        let acceptor = acceptor.clone();
        async move {
            let stream = acceptor.accept(stream).await?;
            let mut builder = auto::Builder::new(TokioExecutor::new());
            builder.http1().max_buf_size(1_000_000);
            builder.serve_connection(TokioIo::new(stream), service_fn(echo)).await.map_err(io::Error::other)
        }
    })
    .await
}

async fn http() -> Server {
    Server::start(|stream, _| async move {
        let builder = auto::Builder::new(TokioExecutor::new());
        builder.serve_connection(TokioIo::new(stream), service_fn(echo)).await.map_err(io::Error::other)
    })
    .await
}

fn overriding(hosts: &[(&str, SocketAddr)], extra_ca_pem: Option<Vec<u8>>) -> Client {
    let hosts = hosts.iter().map(|(name, socket)| ((*name).to_owned(), *socket)).collect();
    let policy = EgressPolicy { hosts, ..loopback() };
    client(EgressOptions { policy, extra_ca_pem, resolver: Some(Arc::new(Names::default())), ..Default::default() })
}

async fn body(client: &Client, address: &str) -> String {
    let fetched = get(client, address).await.unwrap_or_else(|error| panic!("{address}: {error}"));
    String::from_utf8(fetched.body.to_vec()).unwrap()
}

#[tokio::test]
async fn http_on_any_port_connects_to_the_socket() {
    let server = http().await;
    let client = overriding(&[("Site.test", server.address), ("bücher.test", server.address)], None);
    for (address, said) in [
        ("http://site.test/", "h1 site.test"),
        ("http://site.test:8080/x", "h1 site.test:8080"),
        ("http://SITE.TEST:25/", "h1 site.test:25"),
        ("http://site.test./", "h1 site.test."),
        ("http://BÜCHER.test/", "h1 xn--bcher-kva.test"),
        ("http://xn--bcher-kva.test/", "h1 xn--bcher-kva.test"),
    ] {
        assert_eq!(body(&client, address).await, said, "{address}");
    }
    let error = get(&client, "http://www.site.test/").await.unwrap_err();
    assert!(matches!(error, FetchError::Unreachable(Unreachable::Resolve(_))), "{error}");
}

#[tokio::test]
async fn https_on_any_port_connects_to_the_socket() {
    let authority = Authority::new();
    for (protocols, version) in [(&["h2", "http/1.1"][..], "h2"), (&["http/1.1"], "h1"), (&[], "h1")] {
        let server = https(authority.acceptor(&["site.test"], protocols)).await;
        let client = overriding(&[("site.test", server.address)], Some(authority.pem()));
        assert_eq!(body(&client, "https://site.test/").await, format!("{version} site.test"));
        assert_eq!(body(&client, "https://site.test:8443/").await, format!("{version} site.test:8443"));
        assert!(body(&client, "https://site.test./").await.starts_with(version));
    }
}

#[tokio::test]
async fn one_connection_carries_many_requests_at_once() {
    let authority = Authority::new();
    let server = https(authority.acceptor(&["site.test"], &["h2"])).await;
    let client = overriding(&[("site.test", server.address)], Some(authority.pem()));
    get(&client, "https://site.test/").await.unwrap();
    let many = (0..50).map(|n| {
        let client = client.clone();
        async move { get(&client, &format!("https://site.test/{n}")).await }
    });
    assert!(futures::future::join_all(many).await.iter().all(Result::is_ok));
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn silent_shared_connection_is_not_reused() {
    let authority = Authority::new();
    let server = https(authority.acceptor(&["site.test"], &["h2"])).await;
    let mut policy = loopback();
    policy.hosts.insert("site.test".to_owned(), server.address);
    let timeouts = Timeouts { first_byte: Duration::from_millis(150), ..Timeouts::default() };
    let extra_ca_pem = Some(authority.pem());
    let client = client(EgressOptions { policy, extra_ca_pem, timeouts, ..EgressOptions::default() });
    assert_eq!(body(&client, "https://site.test/").await, "h2 site.test");
    let error = get(&client, "https://site.test/silence").await.unwrap_err();
    assert_eq!(error, FetchError::Timeout(Phase::FirstByte));
    assert_eq!(server.connections(), 1);
    assert_eq!(body(&client, "https://site.test/").await, "h2 site.test");
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn large_heads_over_http_2_are_refused_as_well() {
    let authority = Authority::new();
    let server = https(authority.acceptor(&["site.test"], &["h2"])).await;
    let client = overriding(&[("site.test", server.address)], Some(authority.pem()));
    get(&client, "https://site.test/large-head").await.unwrap_err();
    assert_eq!(body(&client, "https://site.test/").await, "h2 site.test");
}

#[tokio::test]
async fn https_may_redirect_to_http() {
    let authority = Authority::new();
    let secure = https(authority.acceptor(&["site.test"], &["h2"])).await;
    let plain = http().await;
    let hosts = [("site.test", secure.address), ("plain.test", plain.address)];
    let client = overriding(&hosts, Some(authority.pem()));
    assert_eq!(body(&client, "https://site.test/down").await, "h1 plain.test");
}

#[tokio::test]
async fn literal_addresses_can_have_certificates_too() {
    let authority = Authority::new();
    let server = https(authority.acceptor(&["127.0.0.1"], &["h2"])).await;
    let client = overriding(&[("127.0.0.1", server.address)], Some(authority.pem()));
    assert!(body(&client, &format!("https://{}/", server.address)).await.starts_with("h2 127.0.0.1"));
}

#[tokio::test]
async fn server_may_close_without_close_notify() {
    let authority = Authority::new();
    for (head, whole) in [("HTTP/1.0 200 OK\r\n\r\n", true), ("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", false)] {
        let acceptor = authority.acceptor(&["site.test"], &["http/1.1"]);
        let server = Server::start(move |stream, _| {
            let acceptor = acceptor.clone();
            async move {
                let mut stream = acceptor.accept(stream).await?;
                read_head(&mut stream).await?;
                stream.write_all(format!("{head}all there is").as_bytes()).await?;
                stream.flush().await
            }
        })
        .await;
        let client = overriding(&[("site.test", server.address)], Some(authority.pem()));
        match get(&client, "https://site.test/").await {
            Ok(fetched) => assert!(whole && &fetched.body[..] == b"all there is"),
            Err(error) => assert!(!whole && matches!(error, FetchError::Unreachable(Unreachable::Interrupted(_)))),
        }
    }
}

#[tokio::test]
async fn certificates_are_checked() {
    let authority = Authority::new();
    let server = https(authority.acceptor(&["site.test"], &["h2"])).await;
    let hosts = [("site.test", server.address), ("other.test", server.address)];
    let trusting = overriding(&hosts, Some(authority.pem()));
    let strangers = overriding(&hosts, Some(Authority::new().pem()));
    let plain = http().await;
    let plain_speaker = overriding(&[("site.test", plain.address)], Some(authority.pem()));
    for (client, address) in [
        (&overriding(&hosts, None), "https://site.test/"),
        (&strangers, "https://site.test/"),
        (&trusting, "https://other.test/"),
        (&plain_speaker, "https://site.test/"),
    ] {
        let error = get(client, address).await.unwrap_err();
        assert!(matches!(error, FetchError::Unreachable(Unreachable::Tls(_))), "{address}: {error}");
    }
    assert_eq!(body(&trusting, "https://site.test/").await, "h2 site.test");
}

#[tokio::test]
async fn override_outside_the_allowed_ranges_connects_nowhere() {
    let canary = Canary::start().await;
    let socket = format!("127.0.0.1:{}", canary.port).parse().unwrap();
    let mut policy = EgressPolicy { allow: vec!["10.0.0.0/8".parse().unwrap()], ..EgressPolicy::default() };
    policy.hosts.insert("site.test".to_owned(), socket);
    let client = client_with(policy);
    for address in ["http://site.test/", "https://site.test/", "http://SITE.test.:8080/"] {
        let error = get(&client, address).await.unwrap_err();
        assert!(matches!(error, FetchError::Forbidden(Forbidden::Override { .. })), "{error}");
    }
    client.connect("site.test", 443, test_deadline()).await.unwrap_err();
    canary.assert_untouched().await;
}

#[tokio::test]
async fn proxies_reach_overridden_names() {
    let server = http().await;
    let client = overriding(&[("site.test", server.address)], None);
    for host in ["site.test", "SITE.test.", "ｓｉｔｅ.test"] {
        assert_eq!(
            client.connect(host, 443, test_deadline()).await.unwrap().peer_addr().unwrap(),
            server.address,
            "{host}"
        );
    }
}

#[tokio::test]
async fn invalid_ca_certificates_are_refused() {
    for pem in [&b""[..], b"not a certificate", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let options = EgressOptions { extra_ca_pem: Some(pem.to_vec()), ..EgressOptions::default() };
        assert!(matches!(Client::new(options), Err(EgressError::ExtraCa(_))));
    }
}
