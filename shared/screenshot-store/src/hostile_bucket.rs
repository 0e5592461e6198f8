//! Slow and hostile buckets.

use super::*;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The response of a bucket.
#[derive(Clone)]
enum BucketResponse {
    /// These bytes.
    Bytes(Vec<u8>),
    /// These bytes, followed by others without end.
    Endless(Vec<u8>),
    /// These bytes, one at a time with delays.
    Trickle(Vec<u8>),
    /// No response.
    Silence,
}

/// A bucket with the same response to every request.
struct Bucket {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
    sent: Arc<AtomicUsize>,
}

impl Bucket {
    async fn start(answer: BucketResponse) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (requests, sent) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let counters = (Arc::clone(&requests), Arc::clone(&sent));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (answer, (requests, sent)) = (answer.clone(), counters.clone());
                // Clients disconnect early.
                tokio::spawn(async move { respond(stream, answer, &requests, &sent).await.unwrap_or_default() });
            }
        });
        Self { address, requests, sent }
    }

    fn screenshots(&self, timeout: Duration) -> ScreenshotStore {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let variables = [
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address)),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "key".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "secret".to_owned()),
            ("AWS_SESSION_TOKEN", "token".to_owned()),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value));
        ScreenshotStore { timeout, ..ScreenshotStore::open_in("s3://shots", variables).unwrap() }
    }
}

async fn respond(
    mut stream: TcpStream,
    answer: BucketResponse,
    requests: &AtomicUsize,
    sent: &AtomicUsize,
) -> std::io::Result<()> {
    loop {
        let head = read_request(&mut stream).await?;
        if matches!(answer, BucketResponse::Bytes(_)) && head.starts_with("post ") {
            // The response to a deletion, whatever was deleted.
            let deleted = "<DeleteResult><Deleted><Key>x</Key></Deleted></DeleteResult>";
            let head = self::head("200 OK", &format!("content-length: {}\r\n", deleted.len()));
            stream.write_all(&[&head, deleted.as_bytes()].concat()).await?;
            sent.fetch_add(1, Ordering::Relaxed);
            continue;
        }
        requests.fetch_add(1, Ordering::Relaxed);
        match &answer {
            BucketResponse::Bytes(bytes) => stream.write_all(bytes).await?,
            BucketResponse::Endless(bytes) => {
                stream.write_all(bytes).await?;
                let more = vec![b'a'; 64 * 1024];
                loop {
                    sent.fetch_add(stream.write(&more).await?, Ordering::Relaxed);
                }
            }
            BucketResponse::Trickle(bytes) => {
                stream.write_all(bytes).await?;
                loop {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    stream.write_all(b"a").await?;
                }
            }
            BucketResponse::Silence => std::future::pending().await,
        }
    }
}

/// Reads the head of the next request, in lower case.
async fn read_request(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut request = Vec::new();
    loop {
        let head = request.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(head) = head {
            let text = String::from_utf8_lossy(&request[..head]).to_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
            if request.len() >= head + 4 + length {
                return Ok(text);
            }
        }
        if stream.read_buf(&mut request).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}

fn head(status: &str, headers: &str) -> Vec<u8> {
    let always = "last-modified: Thu, 26 Nov 2026 12:00:00 GMT\r\netag: \"x\"\r\n";
    format!("HTTP/1.1 {status}\r\n{always}{headers}\r\n").into_bytes()
}

/// Runs every operation once; returns the outcomes and the total duration.
async fn run_all_operations(
    screenshots: &ScreenshotStore,
) -> (Vec<(&'static str, Result<(), ScreenshotStoreError>)>, Duration) {
    let started = tokio::time::Instant::now();
    let now = SystemTime::now();
    let outcomes = vec![
        ("check", screenshots.check().await),
        ("put", screenshots.put(Bytes::from_static(b"png")).await.map(drop)),
        ("get", screenshots.get(&ScreenshotName::new(now)).await.map(drop)),
        ("delete_expired", screenshots.delete_expired(now, DAY).await.map(drop)),
    ];
    (outcomes, started.elapsed())
}

const BRIEF: Duration = Duration::from_secs(1);

#[tokio::test]
async fn redirects_of_a_bucket_are_not_followed() {
    let elsewhere = Bucket::start(BucketResponse::Bytes(head("200 OK", "content-length: 0\r\n"))).await;
    for status in
        ["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"]
    {
        for host in [elsewhere.address.to_string(), format!("localhost:{}", elsewhere.address.port())] {
            let headers = format!("location: http://{host}/shots/x\r\ncontent-length: 0\r\n");
            let bucket = Bucket::start(BucketResponse::Bytes(head(status, &headers))).await;
            let (outcomes, _) = run_all_operations(&bucket.screenshots(BRIEF * 10)).await;
            for (operation, outcome) in outcomes {
                assert!(outcome.is_err(), "{status} {operation}");
            }
            assert!(bucket.requests.load(Ordering::Relaxed) >= 4, "{status}");
        }
    }
    assert_eq!(elsewhere.requests.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn endless_response_is_cut_off() {
    for headers in ["", "content-length: 99999999999\r\n", "content-length: 67108865\r\n"] {
        let bucket = Bucket::start(BucketResponse::Endless(head("200 OK", headers))).await;
        let screenshots = bucket.screenshots(BRIEF * 10);
        let fault = screenshots.get(&ScreenshotName::new(SystemTime::now())).await.unwrap_err();
        // A declared size that is too large is rejected before the body.
        let most = if headers.is_empty() { 2 * http::MAX_OBJECT_BYTES } else { 32 * 1024 * 1024 };
        let sent = bucket.sent.load(Ordering::Relaxed);
        assert!(sent < most, "{headers:?}: {sent} bytes, {fault}");
    }
    for status in ["200 OK", "404 Not Found", "403 Forbidden"] {
        let bucket = Bucket::start(BucketResponse::Endless(head(status, ""))).await;
        let (outcomes, _) = run_all_operations(&bucket.screenshots(BRIEF * 10)).await;
        let (_, swept) = &outcomes[3];
        assert!(swept.is_err(), "{status}: {outcomes:?}");
    }
}

#[tokio::test]
async fn slow_bucket_times_out() {
    let started = head("200 OK", "content-length: 1000000\r\n");
    for (what, answer) in [
        ("silence", BucketResponse::Silence),
        ("half a head", BucketResponse::Trickle(b"HTTP/1.1 200 OK\r\nx: ".to_vec())),
        ("half a body", BucketResponse::Trickle(started)),
    ] {
        let bucket = Bucket::start(answer).await;
        let (outcomes, took) = run_all_operations(&bucket.screenshots(BRIEF)).await;
        let failed = outcomes.iter().filter(|(_, outcome)| outcome.is_err()).count();
        // Writing needs no response body.
        assert!(failed >= 3, "{what}: {outcomes:?}");
        assert!(took < BRIEF * 6, "{what}: {took:?}");
    }
}

#[tokio::test]
async fn endless_list_is_not_accumulated() {
    // Each page announces another one.
    let mut page = Vec::new();
    write!(page, "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>n</NextContinuationToken>")
        .unwrap();
    // Over also by the clock of the bucket.
    let over = 400;
    let object = |day: u64| {
        format!(
            "<Contents><Key>screenshots/{day}/x.png</Key><LastModified>2026-11-01T12:00:00.000Z</LastModified><Size>1</Size></Contents>"
        )
    };
    let bucket_of = async |day: u64| {
        let mut page = page.clone();
        write!(page, "{}</ListBucketResult>", object(day)).unwrap();
        let mut answer = head("200 OK", &format!("content-length: {}\r\n", page.len()));
        answer.extend(page);
        Bucket::start(BucketResponse::Bytes(answer)).await
    };
    // An object that has not expired ends the list.
    let bucket = bucket_of(crate::screenshot_name::day(SystemTime::now())).await;
    assert_eq!(bucket.screenshots(BRIEF * 10).delete_expired(SystemTime::now(), DAY).await.unwrap(), 0);
    // Expired objects are removed page by page.
    let bucket = bucket_of(over).await;
    let screenshots = bucket.screenshots(BRIEF * 10);
    let removed = async {
        while bucket.sent.load(Ordering::Relaxed) < 3 {
            tokio::task::yield_now().await
        }
    };
    tokio::select! {
        swept = screenshots.delete_expired(SystemTime::now(), DAY) => panic!("the list has ended: {swept:?}"),
        () = removed => {}
    }
}
