//! Redirects are followed hop by hop, each checked.

use crate::support::*;
use http::HeaderValue;
use http::header::{ACCEPT_LANGUAGE, AUTHORIZATION, HOST, USER_AGENT};
use limner_netguard::{Caps, EgressOptions, FetchError, FetchRequest, Forbidden};
use limner_types::ErrorCode;
use std::sync::Arc;

#[tokio::test]
async fn every_kind_of_redirect_is_followed() {
    for status in [301, 302, 303, 307, 308] {
        let (server, log) = Server::routing(move |path| match path {
            "/start?q=1" => redirect(status, "next/../end?q=2#there"),
            _ => ok("the end"),
        })
        .await;
        let fetched = get(&client_with(loopback()), &server.url("/start?q=1#here")).await.unwrap();
        assert_eq!(&fetched.body[..], b"the end", "{status}");
        assert_eq!(fetched.url.as_str(), server.url("/end?q=2#there"));
        assert_eq!(fetched.redirects, [url(&server.url("/start?q=1#here"))]);
        let log = log.lock().unwrap();
        assert!(log.iter().all(|head| head.starts_with("GET /") && !head.contains('#')), "{log:?}");
    }
}

#[tokio::test]
async fn ten_redirects_are_followed_and_no_more() {
    let (server, log) = Server::routing(|path| match path.trim_start_matches('/').parse::<u32>() {
        Ok(0) => ok("arrived"),
        Ok(left) => redirect(302, &format!("/{}", left - 1)),
        Err(_) => ok("unexpected"),
    })
    .await;
    let client = client_with(loopback());
    let fetched = get(&client, &server.url("/10")).await.unwrap();
    assert_eq!((&fetched.body[..], fetched.redirects.len()), (&b"arrived"[..], 10));
    log.lock().unwrap().clear();

    let error = get(&client, &server.url("/11")).await.unwrap_err();
    assert_eq!(error, FetchError::TooManyRedirects(10));
    assert_eq!(error.code(), ErrorCode::TargetError);
    assert_eq!(log.lock().unwrap().len(), 11);
}

#[tokio::test]
async fn redirect_loops_are_detected() {
    let (server, log) = Server::routing(|path| redirect(302, if path == "/a" { "/b" } else { "/a" })).await;
    let error = get(&client_with(loopback()), &server.url("/a")).await.unwrap_err();
    assert!(matches!(error, FetchError::TooManyRedirects(_)), "{error}");
    assert!(log.lock().unwrap().len() <= 4);

    let (server, log) = Server::routing(|_| redirect(301, "/self")).await;
    let error = get(&client_with(loopback()), &server.url("/self")).await.unwrap_err();
    assert!(matches!(error, FetchError::TooManyRedirects(_)), "{error}");
    assert_eq!(log.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn page_may_redirect_to_itself_once() {
    let server = Server::start(|mut stream, number| async move {
        use tokio::io::AsyncWriteExt;
        read_head(&mut stream).await?;
        let answer = if number == 0 { redirect(302, "/") } else { ok("warm now") };
        stream.write_all(answer.as_bytes()).await
    })
    .await;
    assert_eq!(&get(&client_with(loopback()), &server.url("/")).await.unwrap().body[..], b"warm now");
}

#[tokio::test]
async fn fewer_redirects_can_be_asked_for() {
    let (server, _) = Server::routing(|_| redirect(302, "/next")).await;
    let caps = Caps { max_redirects: 0, ..Caps::default() };
    let request = FetchRequest { caps, ..FetchRequest::new(url(&server.url("/")), test_deadline()) };
    assert_eq!(client_with(loopback()).get(request).await.unwrap_err(), FetchError::TooManyRedirects(0));
}

#[tokio::test]
async fn hops_that_are_refused() {
    for (location, wanted) in [
        ("http://user:secret@127.0.0.1/", Forbidden::Credentials),
        ("//user@127.0.0.1/", Forbidden::Credentials),
        ("ftp://127.0.0.1/", Forbidden::Scheme("ftp".to_owned())),
        ("javascript:alert(1)", Forbidden::Scheme("javascript".to_owned())),
        ("http://loopback.example:25/", Forbidden::Port(25)),
        ("http://127.0.0.1/", Forbidden::Address { ip: [127, 0, 0, 1].into(), range: "loopback" }),
        ("http://localhost/", Forbidden::LocalName("localhost".to_owned())),
    ] {
        let (server, log) = Server::routing(move |_| redirect(302, location)).await;
        let error = get(&client_with(loopback()), &server.url("/")).await.unwrap_err();
        assert_eq!(error, FetchError::Forbidden(wanted), "{location}");
        assert_eq!(error.code(), ErrorCode::TargetUnreachable);
        assert_eq!(log.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn redirect_to_an_invalid_url_is_a_protocol_error() {
    let (server, _) = Server::routing(|_| redirect(302, "http://[nonsense/")).await;
    let error = get(&client_with(loopback()), &server.url("/")).await.unwrap_err();
    assert!(matches!(error, FetchError::Protocol(_)), "{error}");

    let server = Server::responding(response("302 Found", &[], b"no location")).await;
    let fetched = get(&client_with(loopback()), &server.url("/")).await.unwrap();
    assert_eq!((fetched.status.as_u16(), &fetched.body[..]), (302, &b"no location"[..]));
}

#[tokio::test]
async fn redirects_keep_headers_but_not_credentials() {
    let (other, other_log) = Server::routing(|_| ok("other")).await;
    let there = format!("http://other.example:{}/", other.port());
    let (server, log) = Server::routing(move |path| match path {
        "/" => redirect(302, "/same"),
        _ => redirect(302, &there),
    })
    .await;
    let resolver = Arc::new(Names::from_entries(&[("other.example", &["127.0.0.1"])]));
    let client = client(EgressOptions { policy: loopback(), resolver: Some(resolver), ..EgressOptions::default() });

    let mut request = FetchRequest::new(url(&server.url("/")), test_deadline());
    for (name, value) in [
        (USER_AGENT, "Test/1.0"),
        (ACCEPT_LANGUAGE, "en"),
        (AUTHORIZATION, "Bearer secret"),
        (HOST, "forged.example"),
        (http::header::ACCEPT_ENCODING, "compress"),
        (http::header::TRANSFER_ENCODING, "chunked"),
        (http::header::CONTENT_LENGTH, "5"),
    ] {
        request.headers.insert(name, HeaderValue::from_static(value));
    }
    assert_eq!(&client.get(request).await.unwrap().body[..], b"other");

    let own = log.lock().unwrap().clone();
    assert_eq!(own.len(), 2);
    for head in own.iter().map(|head| head.to_lowercase()) {
        assert!(head.contains("user-agent: test/1.0\r\n") && head.contains("authorization: bearer secret"), "{head}");
        assert!(head.contains(&format!("host: {LOOPBACK}:{}\r\n", server.port())), "{head}");
        assert!(head.contains("accept-encoding: gzip, deflate, br, zstd\r\n"), "{head}");
        assert!(!head.contains("forged") && !head.contains("transfer-encoding") && !head.contains("content-length"));
    }
    let foreign = other_log.lock().unwrap()[0].to_lowercase();
    assert!(foreign.contains("user-agent: test/1.0\r\n") && !foreign.contains("secret"), "{foreign}");
    assert!(!foreign.contains("cookie"));
}

#[tokio::test]
async fn cookies_are_not_kept() {
    let (server, log) = Server::routing(|path| match path {
        "/" => String::from_utf8(response("302 Found", &[("Location", "/in"), ("Set-Cookie", "id=1")], b"")).unwrap(),
        _ => ok("in"),
    })
    .await;
    get(&client_with(loopback()), &server.url("/")).await.unwrap();
    assert!(log.lock().unwrap().iter().all(|head| !head.to_lowercase().contains("cookie")));
}
