//! Requests with ambiguous framing (request smuggling): bytes after such a request are never read as another one.

use crate::server::Server;

/// A body that is one request to some parsers and two to others.
const HIDDEN: &str = "GET / HTTP/1.1\r\nhost: a.test\r\n\r\n";

#[tokio::test]
async fn ambiguously_framed_requests_are_answered_at_most_once() {
    let server = Server::start().await;
    let hidden = HIDDEN.len();
    let post = |fields: &str, body: &str| format!("POST /length HTTP/1.1\r\nhost: a.test\r\n{fields}\r\n{body}");
    let chunked = |body: &str| post("transfer-encoding: chunked\r\n", body);
    let hex = format!("{hidden:x}");
    for (name, request) in [
        ("CL.TE", post("content-length: 6\r\ntransfer-encoding: chunked\r\n", &format!("0\r\n\r\nG{HIDDEN}"))),
        (
            "TE.CL",
            post(
                "transfer-encoding: chunked\r\ncontent-length: 4\r\n",
                &format!("{hex}\r\n{HIDDEN}\r\n0\r\n\r\n{HIDDEN}"),
            ),
        ),
        (
            "CL and TE that agree",
            post("content-length: 5\r\ntransfer-encoding: chunked\r\n", &format!("0\r\n\r\n{HIDDEN}")),
        ),
        ("another coding last", post("transfer-encoding: chunked, identity\r\n", &format!("0\r\n\r\n{HIDDEN}"))),
        ("an unknown coding", post("transfer-encoding: xchunked\r\n", &format!("0\r\n\r\n{HIDDEN}"))),
        (
            "a coding of HTTP/1.0",
            format!("POST /length HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{HIDDEN}"),
        ),
        ("two lengths", post("content-length: 0\r\ncontent-length: 40\r\n", HIDDEN)),
        ("two lengths in one line", post("content-length: 0, 40\r\n", HIDDEN)),
        ("a length with a sign", post("content-length: +0\r\n", HIDDEN)),
        ("a negative length", post("content-length: -1\r\n", HIDDEN)),
        ("a hexadecimal length", post("content-length: 0x0\r\n", HIDDEN)),
        ("an endless length", post("content-length: 99999999999999999999\r\n", HIDDEN)),
        ("no length", post("content-length:\r\n", HIDDEN)),
        ("a space before the colon", post("content-length : 40\r\n", HIDDEN)),
        ("a folded line", post("x: y\r\n content-length: 40\r\n", HIDDEN)),
        ("a folded coding", post("transfer-encoding:\r\n chunked\r\n", HIDDEN)),
        ("a bare CR", post("x: y\rtransfer-encoding: chunked\r\n", HIDDEN)),
        ("a NUL", post("x: y\0\r\n", HIDDEN)),
        ("a name with a space", post("x y: z\r\n", HIDDEN)),
        ("a chunk of no size", chunked(&format!("\r\n{HIDDEN}"))),
        ("a chunk with a sign", chunked(&format!("+0\r\n\r\n{HIDDEN}"))),
        ("a chunk of 0x0", chunked(&format!("0x0\r\n\r\n{HIDDEN}"))),
        ("an endless chunk", chunked(&format!("fffffffffffffffff\r\n{HIDDEN}"))),
        ("a chunk without its end", chunked(&format!("1\r\nxx0\r\n\r\n{HIDDEN}"))),
        ("a line feed in an extension", chunked(&format!("0;x=\ny\r\n\r\n{HIDDEN}"))),
        ("a bare line feed after a size", chunked(&format!("0\n\r\n{HIDDEN}"))),
        ("a long extension", chunked(&format!("0;{}\r\n\r\n{HIDDEN}", "x".repeat(100_000)))),
        (
            "many extensions",
            chunked(&format!("{}0\r\n\r\n{HIDDEN}", format!("1;{}\r\nx\r\n", "y".repeat(1_000)).repeat(100))),
        ),
        ("long trailers", chunked(&format!("0\r\nx: {}\r\n\r\n{HIDDEN}", "y".repeat(100_000)))),
        ("many trailers", chunked(&format!("0\r\n{}\r\n{HIDDEN}", "x: y\r\n".repeat(10_000)))),
        ("no version", format!("GET /\r\n\r\n{HIDDEN}")),
        ("another version", format!("GET / HTTP/3.0\r\nhost: a.test\r\n\r\n{HIDDEN}")),
        ("a target with a space", format!("GET / / HTTP/1.1\r\nhost: a.test\r\n\r\n{HIDDEN}")),
    ] {
        let answers = server.exchange(request.as_bytes()).await;
        let count = answers.matches("HTTP/1.1 ").count() + answers.matches("HTTP/1.0 ").count();
        assert!(count <= 1 && !answers.contains("done"), "{name}: {answers}");
    }
    server.assert_serves().await;
}

#[tokio::test]
async fn unambiguously_framed_requests_are_read_to_their_end() {
    let server = Server::start().await;
    let close = "GET / HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n";
    for (name, fields, body, length) in [
        ("a length", "content-length: 5\r\n", "12345", "5"),
        ("the same length twice", "content-length: 5\r\ncontent-length: 5\r\n", "12345", "5"),
        ("chunks", "transfer-encoding: chunked\r\n", "2\r\n12\r\n3;a=b\r\n345\r\n0\r\n\r\n", "5"),
        ("chunks with a trailer", "transfer-encoding: Chunked\r\n", "5\r\n12345\r\n0\r\nx: y\r\n\r\n", "5"),
        ("nothing", "", "", "0"),
    ] {
        let request = format!("POST /length HTTP/1.1\r\nhost: a.test\r\n{fields}\r\n{body}{close}");
        let answers = server.exchange(request.as_bytes()).await;
        let first = answers.split("HTTP/1.1 ").nth(1).unwrap_or_default();
        assert!(first.starts_with("200 ") && first.ends_with(&format!("\r\n\r\n{length}")), "{name}: {answers}");
        assert!(answers.ends_with("done"), "{name}: {answers}");
    }
}

#[tokio::test]
async fn requests_without_one_host_are_refused() {
    let server = Server::start().await;
    let get = |version: &str, fields: &str| format!("GET / HTTP/{version}\r\n{fields}\r\n");
    for (name, request) in [
        ("none", get("1.1", "")),
        ("two", get("1.1", "host: a.test\r\nhost: b.test\r\n")),
        ("the same twice", get("1.1", "host: a.test\r\nHost: a.test\r\n")),
        ("the second after a lone line feed", get("1.1", "host: a.test\nhost: b.test\r\n")),
        ("two in HTTP/1.0", get("1.0", "host: a.test\r\nhost: b.test\r\n")),
    ] {
        let answers = server.exchange(format!("{request}{HIDDEN}").as_bytes()).await;
        assert!(answers.starts_with("HTTP/1.") && answers[8..].starts_with(" 400 "), "{name}: {answers}");
        assert!(!answers.contains("done"), "what follows is not read: {name}: {answers}");
    }
    let answer = server.exchange(get("1.0", "").as_bytes()).await;
    assert!(answer.ends_with("done"), "HTTP/1.0 knows no host: {answer}");
    server.assert_serves().await;
}

#[tokio::test]
async fn lone_line_feed_ends_a_line_and_hides_nothing_after_it() {
    let server = Server::start().await;
    let close = "GET / HTTP/1.1\nhost: a.test\nconnection: close\n\n";
    let two = format!("POST /length HTTP/1.1\nhost: a.test\ncontent-length: 5\n\n12345{close}");
    let answers = server.exchange(two.as_bytes()).await;
    assert!(answers.contains("\r\n\r\n5HTTP/1.1 200 ") && answers.ends_with("done"), "{answers}");
    let post = |fields: &str, body: &str| format!("POST /length HTTP/1.1\r\nhost: a.test\r\n{fields}\r\n{body}");
    for (name, request) in [
        ("another length", post("content-length: 0\ncontent-length: 40\r\n", HIDDEN)),
        (
            "a coding beside a length",
            post("content-length: 5\ntransfer-encoding: chunked\r\n", &format!("0\r\n\r\n{HIDDEN}")),
        ),
        ("a folded length", post("x: y\n content-length: 40\r\n", HIDDEN)),
        ("a size of a chunk", post("transfer-encoding: chunked\r\n", &format!("0\n\n{HIDDEN}"))),
        ("the data of a chunk", post("transfer-encoding: chunked\r\n", &format!("1\r\nx\n0\r\n\r\n{HIDDEN}"))),
    ] {
        let answers = server.exchange(request.as_bytes()).await;
        let count = answers.matches("HTTP/1.1 ").count();
        assert!(count <= 1 && !answers.contains("done"), "{name}: {answers}");
    }
    server.assert_serves().await;
}
