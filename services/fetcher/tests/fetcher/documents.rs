//! Documents: classification as a page, and limits of a read.

use crate::support::{Origin, TIMEOUT, short_limits, target};
use async_compression::tokio::write::GzipEncoder;
use limner_fetcher::{ReadError, ReadPurpose, Reader, ReaderLimits};
use limner_netguard::{Client, EgressOptions, EgressPolicy};
use limner_page::page_health::NotAPage;
use limner_page::{Degradation, ReadMethod};
use limner_page_worker::PageError;
use limner_testkit::{CannedResponse, OriginServer, RawServer};
use limner_types::{ErrorCode, Operation};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;

#[tokio::test]
async fn page_becomes_a_snapshot() {
    let origin = Origin::start().await;
    origin.site.on("/start", CannedResponse::redirect("/page#part"));
    origin.site.on("/page", CannedResponse::html("<title>Hi</title><p>Text"));
    let snapshot = origin.read("/start").await.unwrap();
    assert_eq!(snapshot.requested_url, "http://site.test/start");
    assert_eq!(snapshot.url, "http://site.test/page");
    assert_eq!((snapshot.status, snapshot.content_type.as_str()), (200, "text/html"));
    assert_eq!(snapshot.html, "<title>Hi</title><p>Text");
    assert_eq!((snapshot.read_by, snapshot.degradation, snapshot.truncated), (ReadMethod::Static, None, false));
}

#[tokio::test]
async fn request_looks_like_a_browser_and_names_limner() {
    let user_agent = limner_fetcher::user_agent(Some("https://limner.test/bot"), limner_fetcher::CHROME);
    let origin = Origin::with_limits(ReaderLimits { user_agent, ..ReaderLimits::default() }).await;
    let page = CannedResponse::html("<link rel=stylesheet href=/s.css><p>x").header("set-cookie", "id=1");
    origin.site.on("/", page).on("/s.css", CannedResponse::css("a{}"));
    origin.read("/?q").await.unwrap();
    let requests = origin.site.requests();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        assert!(request.header("user-agent").starts_with("Mozilla/5.0 "), "{}", request.header("user-agent"));
        assert!(request.header("user-agent").contains("compatible; Limner/"));
        assert!(request.header("user-agent").contains("; +https://limner.test/bot)"));
        assert_eq!(request.header("accept-language"), "en-US,en;q=0.9");
        assert_eq!((request.header("cookie"), request.header("authorization")), ("", ""));
    }
    assert!(requests[0].header("accept").starts_with("text/html,"));
    assert_eq!(requests[0].header("referer"), "");
    assert_eq!(requests[1].header("accept"), "text/css,*/*;q=0.1");
    assert_eq!(requests[1].header("referer"), "http://site.test/?q");
}

#[tokio::test]
async fn response_statuses_map_to_error_codes() {
    let origin = Origin::start().await;
    let challenge = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>";
    for (status, body, code) in [
        (401, "sign in", ErrorCode::TargetBlocked),
        (403, "no", ErrorCode::TargetBlocked),
        (429, "slow down", ErrorCode::TargetBlocked),
        (451, "no", ErrorCode::TargetBlocked),
        (404, "<h1>Not found</h1>", ErrorCode::TargetError),
        (410, "", ErrorCode::TargetError),
        (500, "", ErrorCode::TargetError),
        (503, "down", ErrorCode::TargetError),
        (503, challenge, ErrorCode::TargetBlocked),
        (200, challenge, ErrorCode::TargetBlocked),
        (200, "<title>Access Denied</title><h1>Access Denied</h1>", ErrorCode::TargetBlocked),
        (200, "", ErrorCode::TargetBlocked),
    ] {
        origin.site.on("/", CannedResponse::html(body).status(status));
        let error = origin.read("/").await.unwrap_err();
        assert_eq!(error.code(), code, "{status} {body}: {error}");
        assert!(!error.message(true).contains("127.0.0.1"), "{}", error.message(true));
    }
    origin.site.on("/", CannedResponse::html("<h1>x</h1>").status(202).header("x-amzn-waf-action", "challenge"));
    let refused = ReadError::from(PageError::Refused { refusal: NotAPage::Challenge("AWS WAF"), status: 202 });
    assert_eq!(origin.read("/").await.unwrap_err(), refused);
}

#[tokio::test]
async fn login_wall_is_no_page_at_any_url() {
    let origin = Origin::start().await;
    origin.site.on("/inbox", CannedResponse::redirect("/login?next=/inbox"));
    origin.site.on("/login", CannedResponse::html("<title>Sign in</title><form><input type=password></form>"));
    let refused = ReadError::from(PageError::Refused { refusal: NotAPage::LoginWall, status: 200 });
    for path in ["/inbox", "/login"] {
        assert_eq!(origin.read(path).await.unwrap_err(), refused, "{path}");
    }
}

#[tokio::test]
async fn only_pages_and_media_are_accepted() {
    let origin = Origin::start().await;
    for (content_type, body, is_page) in [
        ("text/html", "<p>x", true),
        ("application/xhtml+xml", "<html xmlns='http://www.w3.org/1999/xhtml'><body>x</body></html>", true),
        ("", "<!doctype html><p>x", true),
        ("", "GIF89a", false),
        ("image/png", "\x7fPNG", false),
        ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>", false),
        ("application/json", "{}", false),
        ("application/pdf", "%PDF", false),
        ("text/plain", "<p>x", false),
        ("text/html", "%PDF-1.7", false),
    ] {
        origin.site.on("/", CannedResponse::new(content_type, body));
        let outcome = origin.read("/").await;
        assert_eq!(outcome.is_ok(), is_page, "{content_type}: {outcome:?}");
        if let Err(error) = outcome {
            assert_eq!(error.code(), ErrorCode::UnprocessableContent);
            assert!(!error.message(true).contains("`text/html`"), "it is not a page: {}", error.message(true));
        }
    }
}

#[tokio::test]
async fn video_url_is_a_snapshot_without_a_document() {
    let origin = Origin::start().await;
    origin.site.on("/a.mp4", CannedResponse::new("video/mp4", vec![7_u8; 200_000]));
    let film = origin.read("/a.mp4").await.unwrap();
    assert_eq!((film.html.as_str(), film.content_type.as_str()), ("", "video/mp4"));
    assert!(film.resources.is_empty());
}

#[tokio::test]
async fn redirects_of_every_kind_are_followed_ten_times() {
    let origin = Origin::start().await;
    origin.site.fallback(|request| {
        let hop: usize = request.path.trim_start_matches('/').parse().unwrap();
        match hop {
            0 => CannedResponse::html("<p>There"),
            odd if odd % 2 == 1 => {
                CannedResponse::html(format!("<meta http-equiv=refresh content='0;url=/{}'>", hop - 1))
            }
            _ => CannedResponse::redirect(&format!("/{}", hop - 1)),
        }
    });
    assert_eq!(origin.read("/10").await.unwrap().url, "http://site.test/0");
    let error = origin.read("/12").await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::TargetError, "{error}");
}

#[tokio::test]
async fn refresh_header_is_followed_as_well() {
    let origin = Origin::start().await;
    origin.site.on("/moving", CannedResponse::html("<p>Moving").header("refresh", "0; url=/there"));
    origin.site.on("/there", CannedResponse::html("<p>There").header("refresh", "600; url=/moving"));
    assert_eq!(origin.read("/moving").await.unwrap().url, "http://site.test/there");
}

#[tokio::test]
async fn refresh_loop_ends() {
    let origin = Origin::start().await;
    for (page, other) in [("/a", "/b"), ("/b", "/a")] {
        origin
            .site
            .on(page, CannedResponse::html(format!("<meta http-equiv=refresh content='1;url={other}'><p>{page}")));
    }
    let snapshot = origin.read("/a").await.unwrap();
    assert!(snapshot.html.contains("<p>/"));
    assert!(origin.site.requests().len() <= 11, "{:?}", origin.site.counts());
}

#[tokio::test]
async fn forbidden_redirect_reads_like_an_unknown_host() {
    let origin = Origin::start().await;
    let canary = OriginServer::start().await;
    origin.site.on("/away", CannedResponse::redirect(&format!("http://127.0.0.2:{}/", canary.port())));
    origin.site.on("/refresh", CannedResponse::html("<meta http-equiv=refresh content='0;url=http://10.0.0.1/'>"));
    let unknown =
        origin.reader.read(&target("http://nowhere.invalid/"), ReadPurpose::Page, test_deadline()).await.unwrap_err();
    for path in ["/away", "/refresh"] {
        let error = origin.read(path).await.unwrap_err();
        assert_eq!((error.code(), error.message(true)), (ErrorCode::TargetUnreachable, unknown.message(true)));
    }
    assert!(canary.requests().is_empty());
}

#[tokio::test]
async fn bodies_that_are_too_large_or_never_end_are_rejected() {
    let origin = Origin::with_limits(ReaderLimits { html_bytes: 1_000_000, ..ReaderLimits::default() }).await;
    let mut encoder = GzipEncoder::new(Vec::new());
    encoder.write_all(&vec![b' '; 50_000_000]).await.unwrap();
    encoder.shutdown().await.unwrap();
    let bomb = CannedResponse::new("text/html", encoder.into_inner()).header("content-encoding", "gzip");
    for reply in [bomb, CannedResponse::endless("text/html", "<p>x"), CannedResponse::html(vec![b'x'; 1_000_001])] {
        origin.site.on("/", reply);
        let error = origin.read("/").await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnprocessableContent, "{error}");
    }
    origin.site.on("/", CannedResponse::html(vec![b'x'; 1_000_000]));
    assert_eq!(origin.read("/").await.unwrap().html.len(), 1_000_000);
}

#[tokio::test]
async fn targets_that_do_not_answer_in_time_are_rejected() {
    let origin = Origin::with_limits(short_limits()).await;
    for reply in [
        CannedResponse::silent(),
        CannedResponse::stalled("text/html", "<p>"),
        CannedResponse::trickle("text/html", "<p>", Duration::from_millis(100)),
    ] {
        origin.site.on("/", reply);
        let started = Instant::now();
        let error = origin.read("/").await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::TargetTimeout, "{error}");
        assert!(started.elapsed() < TIMEOUT / 2, "{:?}", started.elapsed());
    }
    let past = tokio::time::Instant::now();
    let error = origin.reader.read(&target("http://site.test/"), ReadPurpose::Page, past).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::TargetTimeout);
}

#[tokio::test]
async fn unknown_host_is_unreachable() {
    let origin = Origin::start().await;
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = target(&format!("http://{closed}/"));
    let error = origin.reader.read(&gone, ReadPurpose::Page, test_deadline()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::TargetUnreachable);
}

#[tokio::test]
async fn shells_are_answered_with_a_hint() {
    let origin = Origin::with_page("<div id=root></div><script src=/app.js></script>").await;
    let snapshot = origin.read("/").await.unwrap();
    assert_eq!(snapshot.degradation, Some(Degradation::ClientRendered));
    assert_eq!(origin.site.count("/app.js"), 0, "scripts are not fetched");
}

#[tokio::test]
async fn text_is_decoded_as_a_browser_would() {
    let origin = Origin::start().await;
    for (content_type, bytes, text) in [
        ("text/html; charset=gbk", &b"\xc9\xe8\xbc\xc6"[..], "设计"),
        ("text/html", b"<meta charset=koi8-r>\xc4\xc1", "<meta charset=koi8-r>да"),
        ("text/html", b"<meta charset=utf-16>\xc3\xa9", "<meta charset=utf-16>é"),
        ("text/html", b"\xff\xfeh\0i\0", "hi"),
        ("text/html; charset=iso-8859-1", b"\x93x\x94", "“x”"),
    ] {
        origin.site.on("/", CannedResponse::new(content_type, bytes.to_vec()));
        assert_eq!(origin.read("/").await.unwrap().html, text, "{content_type}");
    }
}

#[tokio::test]
async fn subresources_are_read_once() {
    let origin = Origin::with_page("<link rel=manifest href=/m.json><link rel=manifest href=/n.json><p>x").await;
    origin.site.on("/m.json", CannedResponse::new("application/manifest+json", r#"{"icons":[{"src":"i.png"}]}"#));
    let mut snapshot = origin.read_for("/", ReadPurpose::Of(Operation::Images)).await.unwrap();
    let manifest = &snapshot.resources["http://site.test/m.json"];
    assert_eq!((manifest.status, manifest.content_type.as_str()), (200, "application/manifest+json"));
    assert!(!origin.reader.complete(&mut snapshot, Operation::Images, test_deadline()).await.unwrap().is_new);
    assert_eq!(origin.site.count("/m.json"), 1);
    assert_eq!(origin.site.count("/i.png"), 0, "images are not fetched");
}

#[tokio::test]
async fn missing_subresource_is_not_retried() {
    let origin = Origin::with_page("<link rel=manifest href=/m.json><p>x").await;
    let mut snapshot = origin.read_for("/", ReadPurpose::Of(Operation::Images)).await.unwrap();
    assert_eq!(snapshot.resources["http://site.test/m.json"].status, 404);
    assert!(!origin.reader.complete(&mut snapshot, Operation::Images, test_deadline()).await.unwrap().is_new);
    assert_eq!(origin.site.count("/m.json"), 1);
    assert_eq!(snapshot.degradation, None);
}

#[tokio::test]
async fn subresource_with_a_server_error_is_retried() {
    let origin = Origin::with_page("<link rel=manifest href=/m.json><p>x").await;
    origin.site.on("/m.json", CannedResponse::new("application/manifest+json", "{}").status(503));
    let mut snapshot = origin.read("/").await.unwrap();
    let mut first = snapshot.clone();
    let known = origin.reader.complete(&mut first, Operation::Images, test_deadline()).await.unwrap();
    assert_eq!((first.degradation, known.is_new), (Some(Degradation::MissingFiles), false));
    origin.site.on("/m.json", CannedResponse::new("application/manifest+json", "{}"));
    snapshot.resources = known.resources;
    assert!(origin.reader.complete(&mut snapshot, Operation::Images, test_deadline()).await.unwrap().is_new);
    assert_eq!((snapshot.resources["http://site.test/m.json"].status, snapshot.degradation), (200, None));
}

fn test_deadline() -> tokio::time::Instant {
    tokio::time::Instant::now() + TIMEOUT
}

/// Reads the page that a server sends as these bytes.
async fn read_raw(response: impl Into<Vec<u8>>) -> Result<limner_page::PageSnapshot, ReadError> {
    let raw = RawServer::start(response).await;
    let mut policy = EgressPolicy { allow: vec!["127.0.0.1/32".parse().unwrap()], ..EgressPolicy::default() };
    policy.hosts.insert("site.test".to_owned(), raw.address());
    let client = Client::new(EgressOptions { policy, ..EgressOptions::default() }).unwrap();
    let reader = Reader::new(client, ReaderLimits::default());
    reader.read(&target("http://site.test/"), ReadPurpose::Page, tokio::time::Instant::now() + TIMEOUT).await
}

const WHOLE: &str = "<!DOCTYPE html><html><body><h1>Tools</h1><p>A text about tools.</p></body></html>";

/// Browsers show all of these.
#[tokio::test]
async fn odd_responses_are_read_as_browsers_show_them() {
    for head in [
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5O",
        "http/1.1 200 OK\r\nContent-Type: text/html",
        "HTTP/1.1 200 OK\r\nContent-Type: */*",
        "HTTP/1.1 200 OK\r\nContent-Type: application/unknown",
        "HTTP/1.1 302 Found\r\nLocation: \r\nContent-Type: text/html",
        "HTTP/1.1 302 Found\r\nContent-Type: text/html",
        "HTTP/1.1 300 Multiple Choices\r\nContent-Type: text/html",
    ] {
        let snapshot = read_raw(format!("{head}\r\n\r\n{WHOLE}")).await;
        let snapshot = snapshot.unwrap_or_else(|error| panic!("{head}: {error}"));
        assert_eq!((snapshot.html.as_str(), snapshot.degradation), (WHOLE, None), "{head}");
    }
}

#[tokio::test]
async fn response_that_ends_early_is_read_as_far_as_it_arrived() {
    let cut = &WHOLE[..60];
    for (body, degradation) in [(WHOLE, None), (cut, Some(Degradation::Interrupted))] {
        for response in [
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999\r\n\r\n{body}"),
            format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n",
                body.len()
            ),
        ] {
            let snapshot = read_raw(response).await.unwrap();
            assert_eq!((snapshot.html.as_str(), snapshot.degradation), (body, degradation));
            assert_eq!(snapshot.truncated, degradation.is_some());
        }
    }
}

#[tokio::test]
async fn xhtml_is_parsed_as_xml_and_rewritten_as_html() {
    let body = "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>x</title>\
        <script src=\"/a.js\"/><style><![CDATA[h1{color:red}]]></style></head><body><h1>Tools</h1><textarea/><p>Words</p></body></html>";
    let snapshot =
        read_raw(format!("HTTP/1.1 200 OK\r\nContent-Type: application/xhtml+xml\r\n\r\n{body}")).await.unwrap();
    assert!(snapshot.html.contains("<script src=\"/a.js\"></script><style>h1{color:red}</style>"), "{}", snapshot.html);
    assert!(snapshot.html.contains("<textarea></textarea><p>Words</p>"), "{}", snapshot.html);
    assert_eq!(snapshot.sheets[0].text.as_deref(), Some("h1{color:red}"));
}

/// The stylesheet is requested as Chromium does.
#[tokio::test]
async fn queries_of_links_are_in_the_encoding_of_the_page() {
    let origin = Origin::start().await;
    let html = b"<meta charset=windows-1251><link rel=stylesheet href='/s.css?n=\xf4'><p>\xf4".to_vec();
    origin.site.on("/", CannedResponse::new("text/html", html)).on("/s.css", CannedResponse::css("a{}"));
    let snapshot = origin.read("/").await.unwrap();
    assert_eq!(snapshot.encoding, "windows-1251");
    assert_eq!(snapshot.sheets[0].href.as_deref(), Some("http://site.test/s.css?n=%F4"));
    assert_eq!(snapshot.sheets[0].text.as_deref(), Some("a{}"));
}
