//! The proxy over real sockets: tokens, budgets, the address policy, tunnels and plain requests.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use crate::support::{Kit, host_and_port};
use limner_netguard::EgressBudget;
use limner_testkit::{CannedResponse, RawServer};
use limner_types::ErrorCode;
use std::collections::BTreeSet;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn requests_without_a_token_are_refused() {
    let kit = Kit::start().await;
    let site = kit.site.address();
    let other_key = limner_netguard::EgressTokenKey::new("not the key");
    for header in [None, Some("Basic Zm9vOmJhcg==".to_owned()), Some(Kit::pass_of(&other_key).to_basic())] {
        for first_line in [format!("GET http://{site}/ HTTP/1.1"), format!("CONNECT {site} HTTP/1.1")] {
            let (status, head) = kit.raw(&first_line, header.as_deref()).await;
            assert_eq!(status, 407, "{first_line}: {head}");
            assert!(head.contains("proxy-authenticate: Basic"), "{head}");
        }
    }
    assert!(kit.site.requests().is_empty());
}

#[tokio::test]
async fn plain_requests_are_forwarded_without_proxy_headers() {
    let kit = Kit::start().await;
    kit.site.on("/page", CannedResponse::html("<p>here").header("X-Limner-Egress", "forged"));
    let page = kit.page("p");
    let (status, head, body) = page.get(&format!("http://{}/page?q=1", host_and_port(kit.site.address()))).await;
    assert_eq!((status, body.as_str()), (200, "<p>here"));
    assert!(!head.contains("x-limner-egress"), "a site cannot forge the proxy's header: {head}");
    let seen = &kit.site.requests()[0];
    assert!(seen.headers.get("proxy-authorization").is_none() && seen.headers.get("x-forwarded-for").is_none());
    assert_eq!(seen.headers["host"], host_and_port(kit.site.address()));
    assert_eq!(page.get(limner_netguard::ACTIVATION_URL).await.0, 200);
    assert_eq!(page.report().await.requests, 1, "the proxy's own responses are free");
}

#[tokio::test]
async fn forbidden_hosts_look_like_unreachable_ones() {
    // Only the address of the site is allowed; the canary is on another loopback address.
    let kit = Kit::start().await;
    let canary = crate::support::Canary::start().await;
    let page = kit.page("p");
    let port = canary.port;
    let mut answers = Vec::new();
    for host in
        ["127.0.0.2", "0x7f000002", "[::ffff:127.0.0.2]", "localhost", "inside.test", "both.test", "nowhere.test"]
    {
        let (status, head) = page.connect(&format!("{host}:{port}")).await;
        answers.push((status, head));
        let (status, head, _) = page.get(&format!("http://{host}:{port}/")).await;
        answers.push((status, head));
    }
    for (status, head) in &answers {
        assert_eq!((*status, head), (502, &answers[0].1), "the same response for all");
    }
    assert_eq!(page.connect("loopback.test:25").await.0, 502, "a port that browsers block");
    assert_eq!(canary.connection_count(), 0);
    let failures = page.report().await.failures;
    assert_eq!(failures[&format!("inside.test:{port}")].code, ErrorCode::TargetUnreachable);
    let messages: BTreeSet<_> =
        ["inside.test", "nowhere.test"].map(|host| failures[&format!("{host}:{port}")].message.clone()).into();
    assert_eq!(messages.len(), 1, "{messages:?}");
}

#[tokio::test]
async fn tunnel_carries_bytes_both_ways_until_its_page_ends() {
    let kit = Kit::start().await;
    let echo = crate::support::echo().await;
    let page = kit.page("p");
    let mut tunnel = page.tunnel(&host_and_port(echo)).await;
    tunnel.write_all(b"hello").await.unwrap();
    let mut said = [0; 5];
    tunnel.read_exact(&mut said).await.unwrap();
    assert_eq!(&said, b"hello");
    assert_eq!(page.report().await.bytes, 10);
    // The page has ended: its tunnel is closed, and its token opens no new one.
    page.close().await;
    assert_eq!(tunnel.read(&mut said).await.unwrap_or(0), 0);
    assert_eq!(page.connect(&host_and_port(echo)).await.0, 403);
}

#[tokio::test]
async fn page_can_use_neither_more_than_its_budget_nor_that_of_another_page() {
    let kit = Kit::start().await;
    kit.site.on("/large", CannedResponse::html("x".repeat(200_000)));
    kit.site.on("/small", CannedResponse::html("small"));
    let small = format!("http://{}/small", host_and_port(kit.site.address()));
    let greedy = kit.page_with("greedy", EgressBudget { bytes: 100_000, requests: 100 });
    let (status, _, body) = greedy.get(&format!("http://{}/large", host_and_port(kit.site.address()))).await;
    assert!(status == 200 && body.len() <= 100_000, "cut off: {} bytes", body.len());
    assert_eq!(greedy.get(&small).await.0, 403);
    assert!(greedy.report().await.exhausted);

    let nervous = kit.page_with("nervous", EgressBudget { bytes: 100_000, requests: 2 });
    assert_eq!(nervous.get(&small).await.0, 200);
    assert_eq!(nervous.get(&small).await.0, 200);
    assert_eq!(nervous.get(&small).await.0, 403, "two requests were allowed");
    assert_eq!(kit.page("other").get(&small).await.0, 200, "others are not affected");
}

#[tokio::test]
async fn configured_names_resolve_to_configured_addresses() {
    let kit = Kit::start().await;
    kit.site.on("/", CannedResponse::html("overridden"));
    let page = kit.page("p");
    assert_eq!(page.get("http://site.test/").await.2, "overridden");
    let mut tunnel = page.tunnel("site.test:80").await;
    tunnel.write_all(b"GET / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    tunnel.read_to_string(&mut answer).await.unwrap();
    assert!(answer.ends_with("overridden"), "{answer}");
}

#[tokio::test]
async fn connection_is_reused_and_a_closed_one_is_replaced() {
    let kit = Kit::start().await;
    kit.site.on("/", CannedResponse::html("again"));
    let page = kit.page("p");
    let url = format!("http://{}/", host_and_port(kit.site.address()));
    let bodies = page.get_over_one_connection(&[&url, &url, "http://site.test/", &url]).await;
    assert_eq!(bodies, ["again", "again", "again", "again"]);
    let peers: BTreeSet<_> = kit.site.requests().iter().map(|request| request.peer).collect();
    assert!(peers.len() < 4, "an open connection is reused: {peers:?}");
}

/// A browser shows what arrives of a page, and discards a stylesheet that breaks off.
#[tokio::test]
async fn page_that_breaks_off_ends_in_order_and_another_file_does_not() {
    let kit = Kit::start().await;
    for head in ["Content-Length: 100", "Transfer-Encoding: chunked"] {
        let body = if head.contains("chunked") { "7\r\n<p>here\r\n" } else { "<p>here" };
        let raw = RawServer::start(format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}")).await;
        let url = format!("http://{}/", host_and_port(raw.address()));
        let page = kit.page("p");
        let (status, body, is_whole) = page.get_with(&url, &[("upgrade-insecure-requests", "1")]).await;
        assert_eq!((status, body.as_str(), is_whole), (200, "<p>here", true), "{head}");
        assert!(!page.get_with(&url, &[]).await.2, "{head}");
    }
}

/// Only the proxy knows why there is no response: the browser sees the proxy's own.
#[tokio::test]
async fn missing_response_is_reported_with_its_reason() {
    let kit = Kit::start().await;
    for answer in ["", "HTTP/1.1 200"] {
        let raw = RawServer::start(answer.to_owned()).await;
        let authority = host_and_port(raw.address());
        let page = kit.page("p");
        assert_eq!(page.get(&format!("http://{authority}/")).await.0, 502, "{answer:?}");
        let failure = &page.report().await.failures[&authority];
        assert_eq!(failure.code, ErrorCode::TargetUnreachable, "{answer:?}");
        assert!(failure.message.contains("closed the connection"), "{answer:?}: {failure:?}");
    }
}

#[tokio::test]
async fn failure_is_withdrawn_when_a_later_request_works() {
    let kit = Kit::start().await;
    let reserved = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let authority = host_and_port(reserved.local_addr().unwrap());
    drop(reserved);
    let (tunnelled, plain) = (kit.page("a"), kit.page("b"));
    let url = format!("http://{authority}/");
    assert_eq!((tunnelled.connect(&authority).await.0, plain.get(&url).await.0), (502, 502));
    for page in [&tunnelled, &plain] {
        assert!(page.report().await.failures.contains_key(&authority));
    }
    let port = authority.rsplit_once(':').unwrap().1;
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await.unwrap();
    tokio::spawn(async move {
        while let Ok((mut site, _)) = listener.accept().await {
            let response = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
            tokio::io::AsyncWriteExt::write_all(&mut site, response).await.unwrap();
        }
    });
    assert_eq!((tunnelled.connect(&authority).await.0, plain.get(&url).await.0), (200, 200));
    for page in [&tunnelled, &plain] {
        assert_eq!(page.report().await.failures.get(&authority), None);
    }
}

#[tokio::test]
async fn heads_that_browsers_accept_are_forwarded() {
    let kit = Kit::start().await;
    for head in ["http/1.1 200 OK", "HTTP/1.1 200 OK\r\nContent-Length: 5O"] {
        let raw = RawServer::start(format!("{head}\r\n\r\n<p>here")).await;
        let (status, _, body) = kit.page("p").get(&format!("http://{}/", host_and_port(raw.address()))).await;
        assert_eq!((status, body.as_str()), (200, "<p>here"), "{head}");
    }
}

/// Request smuggling: what follows the end of a request for one parser is its body for another.
#[tokio::test]
async fn ambiguously_framed_requests_hide_no_request() {
    let kit = Kit::start().await;
    let host = host_and_port(kit.site.address());
    kit.site.on("/seen", CannedResponse::html("seen"));
    let hidden = format!("GET /hidden HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    let length = hidden.len();
    let post = |fields: &str, body: &str| {
        format!("POST http://{host}/seen HTTP/1.1\r\nhost: {host}\r\n{fields}\r\n{body}{hidden}")
    };
    for (name, request) in [
        ("CL.TE", post("content-length: 6\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\nG")),
        (
            "CL.TE, as long as the hidden one",
            post(&format!("content-length: {length}\r\ntransfer-encoding: chunked\r\n"), "0\r\n\r\n"),
        ),
        (
            "TE.CL",
            post(
                "transfer-encoding: chunked\r\ncontent-length: 4\r\n",
                &format!("{length:x}\r\n{hidden}\r\n0\r\n\r\n"),
            ),
        ),
        (
            "a length of nothing before chunks",
            post(
                "content-length: 0\r\ntransfer-encoding: chunked\r\n",
                &format!("{length:x}\r\n{hidden}\r\n0\r\n\r\n"),
            ),
        ),
        (
            "a coding that the connection names",
            post("connection: transfer-encoding\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n"),
        ),
        (
            "a length that the connection names",
            post(&format!("connection: content-length\r\ncontent-length: {length}\r\n"), ""),
        ),
        ("another coding last", post("transfer-encoding: chunked, identity\r\n", "0\r\n\r\n")),
        ("two lengths", post(&format!("content-length: 0\r\ncontent-length: {length}\r\n"), "")),
        ("a folded length", post(&format!("x: y\r\n content-length: {length}\r\n"), "")),
        ("a lone line feed", post(&format!("x: y\ncontent-length: {length}\r\n"), "")),
        ("a bare CR", post(&format!("x: y\rcontent-length: {length}\r\n"), "")),
        ("a line in the address", format!("GET http://{host}/seen?\r\nx: y HTTP/1.1\r\nhost: {host}\r\n\r\n{hidden}")),
    ] {
        let page = kit.page("p");
        let answers = page.exchange(&request).await;
        assert_eq!(kit.site.count("/hidden"), 0, "{name}: {answers}");
        // A request without the token is the proxy's to answer, whatever it follows.
        assert!(answers.matches(" 200 OK").count() <= 1, "{name}: {answers}");
    }
    assert!(kit.site.count("/seen") > 0, "some are framed well enough");
    assert_eq!(kit.page("another").get(&format!("http://{host}/seen")).await.2, "seen");
}

/// A server cannot prepare the response to a request that was not sent yet.
#[tokio::test]
async fn response_beyond_the_first_is_not_that_of_the_next_request() {
    let kit = Kit::start().await;
    let response = |body: &str| format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let server = crate::support::answers_once(response("real") + &response("forged")).await;
    let url = format!("http://{}/", host_and_port(server));
    assert_eq!(kit.page("p").get_over_one_connection(&[&url, &url]).await, ["real", "real"]);
}
