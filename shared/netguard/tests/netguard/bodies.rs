//! Bodies: content codings, limits before and after decompression, decompression bombs, prefixes.

use crate::support::*;
use limner_netguard::{
    Caps, Client, EarlyEnd, Exceeded, FetchError, FetchRequest, FetchResponse, Overflow, Unreachable,
};
use limner_types::ErrorCode;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

const MEGABYTE: usize = 1024 * 1024;

async fn capped(client: &Client, address: &str, max_bytes: usize) -> Result<FetchResponse, FetchError> {
    let caps = Caps { max_bytes, ..Caps::default() };
    client.get(FetchRequest { caps, ..FetchRequest::new(url(address), test_deadline()) }).await
}

async fn fetch(body: &[u8], coding: &str) -> Result<FetchResponse, FetchError> {
    let server = Server::responding(response("200 OK", &[("Content-Encoding", coding)], body)).await;
    capped(&client_with(loopback()), &server.url("/"), MEGABYTE).await
}

fn text() -> Vec<u8> {
    (0..20_000_u32).flat_map(|n| format!("line {n} of a page\n").into_bytes()).collect()
}

#[tokio::test]
async fn every_coding_is_decoded() {
    let text = text();
    for (header, coding) in [
        ("gzip", "gzip"),
        ("GZip", "gzip"),
        ("x-gzip", "gzip"),
        ("br", "br"),
        ("zstd", "zstd"),
        ("deflate", "deflate"),
        ("deflate", "deflate-raw"),
        ("identity, gzip", "gzip"),
    ] {
        let body = encoded(coding, &text).await;
        let fetched = fetch(&body, header).await.unwrap_or_else(|error| panic!("{header} {coding}: {error}"));
        assert!(fetched.body == text, "{header} {coding}");
        assert!(!fetched.truncated);
        assert_eq!(fetched.wire_bytes, body.len() as u64, "{header} {coding}");
        assert!(!fetched.headers.contains_key("content-encoding") && !fetched.headers.contains_key("content-length"));
    }
}

#[tokio::test]
async fn layers_of_coding_are_decoded_in_reverse_order() {
    let text = text();
    let inner = encoded("gzip", &text).await;
    let outer = encoded("br", &inner).await;
    assert!(fetch(&outer, "gzip, br").await.unwrap().body == text);
    assert!(matches!(fetch(&outer, "gzip, br, gzip, br").await, Err(FetchError::Undecodable(_))));
}

#[tokio::test]
async fn unknown_codings_are_ignored() {
    for word in ["utf-8", "none", "identity", "compress"] {
        assert_eq!(&fetch(b"plain", word).await.unwrap().body[..], b"plain", "{word}");
    }
}

#[tokio::test]
async fn empty_body_is_empty_in_every_coding() {
    for coding in ["gzip", "br", "zstd", "deflate", "identity"] {
        let fetched = fetch(b"", coding).await.unwrap_or_else(|error| panic!("{coding}: {error}"));
        assert!(fetched.body.is_empty() && !fetched.truncated, "{coding}");
    }
}

#[tokio::test]
async fn truncated_compressed_data_gives_its_prefix() {
    let text = text();
    for coding in ["gzip", "br", "zstd", "deflate"] {
        let whole = encoded(coding, &text).await;
        let fetched = fetch(&whole[..whole.len() - 8], coding).await;
        let fetched = fetched.unwrap_or_else(|error| panic!("{coding}: {error}"));
        assert!(!fetched.body.is_empty() && text.starts_with(&fetched.body), "{coding}");
        assert!(fetched.truncated || fetched.body == text, "{coding}");
    }
}

#[tokio::test]
async fn data_in_another_coding_is_an_error() {
    for coding in ["gzip", "br", "zstd", "deflate"] {
        let error = fetch(b"\xff\xff\xff this is no compressed data \xff\xff", coding).await.unwrap_err();
        assert!(matches!(error, FetchError::Undecodable(_)), "{coding}: {error}");
        assert_eq!(error.code(), ErrorCode::UnprocessableContent);
    }
}

#[tokio::test]
async fn cap_is_exact() {
    let client = client_with(loopback());
    let server = Server::responding(response("200 OK", &[], &[b'x'; 1000])).await;
    assert_eq!(capped(&client, &server.url("/"), 1000).await.unwrap().body.len(), 1000);
    assert_eq!(capped(&client, &server.url("/"), 999).await.unwrap_err(), FetchError::TooLarge(Exceeded::Body(999)));
}

#[tokio::test]
async fn decompression_bombs_are_rejected() {
    let zeros = vec![0; 48 * MEGABYTE];
    for (header, coding) in
        [("gzip", "gzip"), ("br", "br"), ("zstd", "zstd"), ("deflate", "deflate"), ("deflate", "deflate-raw")]
    {
        let bomb = encoded(coding, &zeros).await;
        assert!(bomb.len() < MEGABYTE / 8, "{coding}: a bomb is small");
        let error = fetch(&bomb, header).await.unwrap_err();
        assert_eq!(error, FetchError::TooLarge(Exceeded::Body(MEGABYTE)), "{coding}");
        assert_eq!(error.code(), ErrorCode::UnprocessableContent);
    }
}

#[tokio::test]
async fn nested_bomb_is_rejected_between_the_layers() {
    // The output is empty, but the middle layer is endless: empty blocks of the inner stream.
    let inner: Vec<u8> =
        GZIP_HEADER.iter().copied().chain(EMPTY_BLOCK.into_iter().cycle().take(8 * MEGABYTE)).collect();
    let bomb = encoded("gzip", &inner).await;
    assert!(bomb.len() < MEGABYTE / 8);
    let error = fetch(&bomb, "gzip, gzip").await.unwrap_err();
    assert!(matches!(error, FetchError::TooLarge(Exceeded::Wire(_))), "{error}");
}

/// Method deflate, no flags, no time, unknown system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// A stored block of length 0 that is not the last.
const EMPTY_BLOCK: [u8; 5] = [0, 0, 0, 0xff, 0xff];

#[tokio::test]
async fn endless_stream_of_nothing_is_counted_on_the_wire() {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n";
    let server = Server::start(move |mut stream, _| async move {
        use tokio::io::AsyncWriteExt;
        read_head(&mut stream).await?;
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(&GZIP_HEADER).await?;
        loop {
            stream.write_all(&EMPTY_BLOCK.repeat(1000)).await?;
        }
    })
    .await;
    let error = capped(&client_with(loopback()), &server.url("/"), MEGABYTE).await.unwrap_err();
    assert!(matches!(error, FetchError::TooLarge(Exceeded::Wire(_))), "{error}");
}

#[tokio::test]
async fn endless_body_is_cut_off() {
    let client = client_with(loopback());
    for head in [
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n",
        "HTTP/1.0 200 OK\r\n\r\n",
    ] {
        let server = Server::repeating(head, vec![b'x'; 16 * 1024], Duration::ZERO).await;
        let error = capped(&client, &server.url("/"), MEGABYTE).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnprocessableContent, "{head}: {error}");
    }
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunk = [b"1000\r\n".to_vec(), vec![b'x'; 0x1000], b"\r\n".to_vec()].concat();
    let server = Server::repeating(chunked, chunk, Duration::ZERO).await;
    let error = capped(&client, &server.url("/"), MEGABYTE).await.unwrap_err();
    assert_eq!(error, FetchError::TooLarge(Exceeded::Body(MEGABYTE)));
}

#[tokio::test]
async fn window_larger_than_browsers_take_is_refused() {
    // A zstd frame header that asks for a window of 2^27 bytes.
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, 0x01, 0x00, 0x00];
    let error = fetch(&frame, "zstd").await.unwrap_err();
    assert!(matches!(error, FetchError::Undecodable(_)), "{error}");
}

#[tokio::test]
async fn prefix_is_cut_instead_of_failing() {
    let client = client_with(loopback());
    let prefix = |address: String, max_bytes| {
        let caps = Caps { max_bytes, overflow: Overflow::Truncate, ..Caps::default() };
        let client = client.clone();
        async move { client.get(FetchRequest { caps, ..FetchRequest::new(url(&address), test_deadline()) }).await }
    };
    let image = Server::responding(response("200 OK", &[("Content-Type", "image/png")], &[7; 5000])).await;
    let cut = prefix(image.url("/"), 64).await.unwrap();
    assert_eq!((cut.body.len(), cut.truncated), (64, true));
    let whole = prefix(image.url("/"), 5000).await.unwrap();
    assert_eq!((whole.body.len(), whole.truncated), (5000, false));

    let announced = response("200 OK", &[], &[7; 3 * MEGABYTE]);
    let huge = Server::responding(announced).await;
    let cut = prefix(huge.url("/"), 1000).await.unwrap();
    assert_eq!((cut.body.len(), cut.truncated), (1000, true));

    let bomb = encoded("gzip", &vec![0; 16 * MEGABYTE]).await;
    let bomb = Server::responding(response("200 OK", &[("Content-Encoding", "gzip")], &bomb)).await;
    let cut = prefix(bomb.url("/"), 1000).await.unwrap();
    assert_eq!((cut.body.len(), cut.truncated), (1000, true));

    let endless = Server::repeating("HTTP/1.0 200 OK\r\n\r\n", vec![b'x'; 4096], Duration::ZERO).await;
    let cut = prefix(endless.url("/"), 100_000).await.unwrap();
    assert_eq!((cut.body.len(), cut.truncated), (100_000, true));
}

/// A body may arrive in one chunk much larger than the limit; the result must not depend on the chunks.
#[tokio::test]
async fn bodies_are_truncated_exactly_at_their_limit() {
    let client = client_with(loopback());
    let large = Server::responding(response("200 OK", &[], &vec![b'x'; 8 * MEGABYTE])).await;
    let caps = Caps { max_bytes: 2 * MEGABYTE, overflow: Overflow::Truncate, ..Caps::default() };
    for _ in 0..20 {
        let cut = client
            .get(FetchRequest { caps, ..FetchRequest::new(url(&large.url("/")), test_deadline()) })
            .await
            .unwrap();
        assert_eq!((cut.body.len(), cut.truncated), (2 * MEGABYTE, true));
    }
}

#[tokio::test]
async fn body_that_breaks_off_is_an_error() {
    for broken in [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
    ] {
        let server = Server::responding(broken).await;
        let error = get(&client_with(loopback()), &server.url("/")).await.unwrap_err();
        assert!(matches!(error, FetchError::Unreachable(Unreachable::Interrupted(_))), "{broken}: {error}");
    }
}

#[tokio::test]
async fn any_status_is_an_answer() {
    for status in ["200 OK", "204 No Content", "300 Choices", "404 Not Found", "451 Legal", "503 Busy", "999 Odd"] {
        let server = Server::responding(response(status, &[("X-Site", "kept")], b"")).await;
        let fetched = get(&client_with(loopback()), &server.url("/x")).await.unwrap();
        assert_eq!(fetched.status.as_str(), &status[..3]);
        assert_eq!(fetched.headers["x-site"], "kept");
        assert_eq!(fetched.url.as_str(), server.url("/x"));
    }
}

#[tokio::test]
async fn non_http_response_is_a_protocol_error() {
    for nonsense in
        ["220 mail.example ESMTP\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "\0\0\0\0\r\n\r\n", "<html>old</html>\r\n\r\n"]
    {
        let server = Server::responding(nonsense).await;
        let error = get(&client_with(loopback()), &server.url("/")).await.unwrap_err();
        assert!(matches!(error, FetchError::Protocol(_)), "{nonsense}: {error}");
    }
}

/// Browsers show what arrived of a page.
#[tokio::test]
async fn body_that_breaks_off_may_be_kept() {
    let caps = Caps { early_end: EarlyEnd::Keep, ..Caps::default() };
    let client = client_with(loopback());
    for broken in [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\nnonsense\r\n",
    ] {
        let server = Server::responding(broken).await;
        let request = FetchRequest { caps, ..FetchRequest::new(url(&server.url("/")), test_deadline()) };
        let fetched = client.get(request).await.unwrap_or_else(|error| panic!("{broken}: {error}"));
        assert_eq!((&fetched.body[..], fetched.truncated), (&b"short"[..], true), "{broken}");
    }
    let server = Server::responding("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n").await;
    let request = FetchRequest { caps, ..FetchRequest::new(url(&server.url("/")), test_deadline()) };
    assert!(client.get(request).await.is_err(), "nothing arrived");
}

#[tokio::test]
async fn heads_that_browsers_accept_are_accepted() {
    let client = client_with(loopback());
    for head in [
        "http/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5O\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\nTransfer-Encoding: identity\r\n",
        "HTTP 200 OK\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length:\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nhttp/1.1 200 OK\r\nContent-Length: 4\r\n",
    ] {
        let server = Server::responding(format!("{head}\r\npage")).await;
        let fetched = get(&client, &server.url("/")).await.unwrap_or_else(|error| panic!("{head}: {error}"));
        assert_eq!((fetched.status.as_u16(), &fetched.body[..]), (200, &b"page"[..]), "{head}");
    }
}

/// The second response over one connection has a head too.
#[tokio::test]
async fn each_head_of_a_connection_is_repaired() {
    let server = Server::start(|mut stream, _| async move {
        loop {
            read_head(&mut stream).await?;
            stream.write_all(b"http/1.1 200 OK\r\nContent-Length: 13\r\n\r\nhttp/1.1 page").await?;
        }
    })
    .await;
    let client = client_with(loopback());
    for _ in 0..3 {
        assert_eq!(&get(&client, &server.url("/")).await.unwrap().body[..], b"http/1.1 page");
    }
    assert_eq!(server.connections(), 1);
}
