//! HTTP itself: paths, methods, sizes, origins, compression, protocol versions, and shutdown.

use crate::support::{Answer, JobScript, start, start_with};
use limner_types::{ErrorCode, Operation, WireEnum};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const PATH: &str = "/v1/images?url=example.com";

#[tokio::test]
async fn unknown_paths_are_404_with_and_without_a_key() {
    let (gateway, key) = start().await;
    let paths = [
        "/",
        "/v1",
        "/v1/",
        "/v1/images/",
        "/v1//images",
        "//v1/images",
        "/V1/images",
        "/v1/Images",
        "/images",
        "/v2/images",
        "/v1/image",
        "/v1/images/x",
        "/v1/openapi",
        "/v1/openapi.json/",
        "/v1/%69mages",
        "/favicon.ico",
        "/healthz",
    ];
    for path in paths {
        let path = format!("{path}?url=example.com");
        for answer in [gateway.get(&key, &path).await, Answer::send(gateway.client.get(gateway.url(&path))).await] {
            let message = answer.assert_error(404, ErrorCode::NotFound);
            assert!(message.contains("/v1/images"), "{message}");
        }
    }
}

#[tokio::test]
async fn only_get_is_allowed() {
    let (gateway, _) = start().await;
    let operations = Operation::ALL.iter().map(|operation| format!("/v1/{operation}"));
    for path in operations.chain(["/v1/usage".to_owned(), "/v1/openapi.json".to_owned()]) {
        for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"] {
            let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
            let answer = Answer::send(gateway.client.request(method, gateway.url(&path))).await;
            answer.assert_error(405, ErrorCode::InvalidRequest);
            assert_eq!(answer.header("allow"), "GET", "{path}");
        }
        let head = Answer::send(gateway.client.head(gateway.url(&path))).await;
        assert_eq!((head.status, head.header("allow"), head.text.as_str()), (405, "GET", ""));
        assert!(head.header("x-request-id").starts_with("req_"));
    }
}

#[tokio::test]
async fn bot_page_informs_site_operators() {
    let (gateway, _) = start().await;
    let answer = Answer::send(gateway.client.get(gateway.url(limner_gateway::VISITOR_PATH))).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/plain; charset=utf-8"));
    assert!(answer.text.contains("User-Agent"), "{}", answer.text);
}

#[tokio::test]
async fn scripts_of_any_origin_may_call() {
    let (gateway, key) = start().await;
    for path in [PATH, "/v1/usage", "/nowhere"] {
        let preflight = gateway
            .client
            .request(reqwest::Method::OPTIONS, gateway.url(path))
            .header("origin", "https://app.example")
            .header("access-control-request-method", "GET")
            .header("access-control-request-headers", "authorization");
        let preflight = Answer::send(preflight).await;
        assert_eq!((preflight.status, preflight.text.as_str()), (204, ""));
        assert_eq!(preflight.header("access-control-allow-origin"), "*");
        assert_eq!(preflight.header("access-control-allow-methods"), "GET");
        assert!(preflight.header("access-control-allow-headers").contains("authorization"));
        assert!(preflight.header("x-request-id").starts_with("req_"));
    }
    let denied = Answer::send(gateway.client.get(gateway.url(PATH))).await;
    for answer in [gateway.get(&key, PATH).await, denied] {
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        let exposed = answer.header("access-control-expose-headers");
        for name in [
            "x-ratelimit-limit",
            "x-ratelimit-remaining",
            "x-ratelimit-reset",
            "x-quota-limit",
            "x-quota-remaining",
            "x-cache",
            "x-request-id",
            "x-pack-credits",
            "x-ignored-params",
            "retry-after",
        ] {
            assert!(exposed.split(", ").any(|exposed| exposed == name), "{name}");
        }
    }
}

#[tokio::test]
async fn responses_are_neither_rendered_nor_cached() {
    let (gateway, key) = start().await;
    for answer in [gateway.get(&key, PATH).await, gateway.get(&key, "/v1/images").await, gateway.get(&key, "/x").await]
    {
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(answer.header("content-security-policy").contains("default-src 'none'"));
        assert!(!answer.has_header("server"));
    }
}

#[tokio::test]
async fn large_answers_are_compressed_once_and_small_ones_never() {
    let (gateway, key) = start().await;
    let text = "lorem ipsum ".repeat(1_000);
    for (path, body) in [("/v1/images?url=small.example", "{}".to_owned()), (PATH, format!(r#"{{"text":"{text}"}}"#))] {
        gateway.world.fleet.does(JobScript::Json(body.clone()));
        gateway.get(&key, path).await.assert_ok("MISS");
        for encoding in ["gzip", "br", "zstd", "identity", "compress"] {
            let request = gateway.client.get(gateway.url(path)).bearer_auth(key.expose());
            let answer = request.header("accept-encoding", encoding).send().await.unwrap();
            let compressed = body.len() > 1_024 && matches!(encoding, "gzip" | "br" | "zstd");
            let sent = answer.headers().get("content-encoding").map(|value| value.to_str().unwrap().to_owned());
            assert_eq!(sent.as_deref(), compressed.then_some(encoding), "{path} {encoding}");
            assert_eq!(answer.headers()["content-type"], "application/json");
            if body.len() > 1_024 {
                assert_eq!(answer.headers()["vary"], "accept-encoding");
            }
            let bytes = answer.bytes().await.unwrap();
            assert_eq!(bytes.starts_with(b"{"), !compressed, "{path} {encoding}");
            assert!(!compressed || bytes.len() < 1_000);
        }
    }
}

#[tokio::test]
async fn oversized_requests_get_an_error_body_at_any_size() {
    let (gateway, key) = start().await;
    for bytes in [2_049, 17_000, 60_000, 70_000, 200_000] {
        let path = format!("{PATH}/{}", "a".repeat(bytes));
        let answer = raw(
            &gateway.address.to_string(),
            &format!("GET {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\n\r\n", key.expose()),
        )
        .await;
        assert_refused(&answer, &format!("a target of {bytes} bytes"));
    }
    for bytes in [17_000, 60_000, 200_000] {
        let head = format!("GET {PATH} HTTP/1.1\r\nHost: a\r\nX-Large: {}\r\n\r\n", "a".repeat(bytes));
        assert_refused(&raw(&gateway.address.to_string(), &head).await, &format!("headers of {bytes} bytes"));
    }
    let many: String = (0..500).map(|n| format!("x-{n}: 1\r\n")).collect();
    assert_refused(
        &raw(&gateway.address.to_string(), &format!("GET {PATH} HTTP/1.1\r\nHost: a\r\n{many}\r\n")).await,
        "many headers",
    );
    for garbage in ["nonsense\r\n\r\n", "GET\r\n\r\n", "GET /v1/images HTTP/1.1\r\nno colon\r\n\r\n"] {
        assert_refused(&raw(&gateway.address.to_string(), garbage).await, garbage);
    }
}

fn assert_refused(answer: &str, what: &str) {
    assert!(answer.starts_with("HTTP/1.1 400 "), "{what}: {answer}");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{what}: {answer}"));
    let body: serde_json::Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("{what}: {answer}"));
    assert_eq!((&body["statusCode"], &body["data"]["code"]), (&400.into(), &"invalid_request".into()), "{what}");
    let id = body["data"]["requestId"].as_str().unwrap();
    assert!(head.contains(&format!("x-request-id: {id}")), "{what}: {head}");
}

/// Sends a raw request and reads one response.
async fn raw(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let (mut reader, mut writer) = stream.split();
    // A server that rejects a request early may reset the connection before it has read everything.
    let send = async { drop(writer.write_all(request.as_bytes()).await) };
    let receive = async {
        let (mut answer, mut buffer) = (Vec::new(), [0; 4_096]);
        while let Ok(read @ 1..) = reader.read(&mut buffer).await {
            answer.extend_from_slice(&buffer[..read]);
            let text = String::from_utf8_lossy(&answer);
            let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            if let (Some((_, body)), Some(length)) = (text.split_once("\r\n\r\n"), length)
                && body.len() >= length
            {
                break;
            }
        }
        String::from_utf8_lossy(&answer).into_owned()
    };
    let both = async { tokio::join!(send, receive).1 };
    tokio::time::timeout(Duration::from_secs(10), both).await.unwrap()
}

#[tokio::test]
async fn http_2_without_tls_is_spoken_too() {
    let (gateway, key) = start().await;
    let client = reqwest::Client::builder().no_proxy().http2_prior_knowledge().build().unwrap();
    let answer = Answer::send(client.get(gateway.url(PATH)).bearer_auth(key.expose())).await;
    answer.assert_ok("MISS");
    Answer::send(client.post(gateway.url(PATH))).await.assert_error(405, ErrorCode::InvalidRequest);
}

#[tokio::test]
async fn body_on_a_get_is_ignored() {
    let (gateway, key) = start().await;
    let request = gateway.client.get(gateway.url(PATH)).bearer_auth(key.expose()).body(vec![b'x'; 100_000]);
    Answer::send(request).await.assert_ok("MISS");
}

#[tokio::test]
async fn client_that_never_finishes_its_headers_is_disconnected() {
    let (gateway, _) = start_with(|config| config.header_timeout = Duration::from_millis(200), |_| {}).await;
    let mut stream = TcpStream::connect(gateway.address).await.unwrap();
    stream.write_all(b"GET /v1/images HTTP/1.1\r\nHost: a\r\n").await.unwrap();
    let mut rest = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await;
    assert!(closed.is_ok(), "the connection stayed open");
}

#[tokio::test]
async fn drain_finishes_calls_and_takes_no_new_connections() {
    let (gateway, key) = start().await;
    gateway.world.fleet.shut();
    let end = async {
        gateway.world.fleet.arrival().await;
        gateway.shutdown.cancel();
        while TcpStream::connect(gateway.address).await.is_ok() {
            tokio::task::yield_now().await;
        }
        gateway.world.fleet.open();
    };
    let (answer, ()) = tokio::join!(gateway.get(&key, PATH), end);
    answer.assert_ok("MISS");
    tokio::time::timeout(Duration::from_secs(10), gateway.ended).await.expect("the shutdown ends").unwrap();
    assert_eq!((gateway.world.metering.commits(), gateway.world.metering.open_holds()), (1, 0));
}
