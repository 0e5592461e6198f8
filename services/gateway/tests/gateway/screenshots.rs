//! Screenshots: public, and cacheable for as long as they exist.

use crate::support::{Answer, TestFleet, start};
use limner_types::ErrorCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

const PNG: &[u8] = b"\x89PNG not really";

#[tokio::test]
async fn screenshot_is_served_without_a_key() {
    let (gateway, _) = start().await;
    let name = gateway.world.screenshots.put(PNG.into()).await.unwrap();
    let response = gateway.client.get(gateway.url(&format!("/screenshots/{name}"))).send().await.unwrap();
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!((response.status().as_u16(), header("content-type").as_str()), (200, "image/png"));
    let freshness = header("cache-control");
    let seconds = freshness.strip_prefix("public, max-age=").and_then(|rest| rest.strip_suffix(", immutable"));
    assert!((604_700..=604_800).contains(&seconds.unwrap().parse::<u32>().unwrap()), "{freshness}");
    assert_eq!(
        (header("x-content-type-options").as_str(), header("access-control-allow-origin").as_str()),
        ("nosniff", "*")
    );
    assert!(header("x-request-id").starts_with("req_"));
    assert_eq!(response.bytes().await.unwrap(), PNG);

    let head = gateway.client.head(gateway.url(&format!("/screenshots/{name}"))).send().await.unwrap();
    assert_eq!((head.status().as_u16(), &head.headers()["content-type"]), (200, &"image/png".parse().unwrap()));
    assert_eq!(head.headers()["content-length"], PNG.len().to_string().as_str());
    assert!(head.bytes().await.unwrap().is_empty());
}

#[tokio::test]
async fn unknown_screenshot_is_404() {
    let (gateway, _) = start().await;
    gateway.world.screenshots.put(PNG.into()).await.unwrap();
    let names = [
        "x",
        "x.png",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e%2fa.png",
        "065f0c1a200000000000040008000000000000000.png",
        "",
        "a/b",
    ];
    for name in names {
        let answer = Answer::send(gateway.client.get(gateway.url(&format!("/screenshots/{name}")))).await;
        answer.assert_error(404, ErrorCode::NotFound);
    }
    let posted = Answer::send(gateway.client.post(gateway.url("/screenshots/x.png"))).await;
    posted.assert_error(405, ErrorCode::InvalidRequest);
    assert!(posted.text.contains("The method POST is not allowed here. Use GET or HEAD."), "{}", posted.text);
    assert_eq!(posted.header("allow"), "GET, HEAD");
}

#[tokio::test]
async fn gateway_removes_expired_screenshots_and_results() {
    let world = TestFleet::new().await;
    let today = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / (24 * 3_600);
    let store = |folder: &str, age: u64| {
        let day = world.objects.path().join(folder).join((today - age).to_string());
        std::fs::create_dir_all(&day).unwrap();
        let path = day.join(Uuid::new_v4().simple().to_string());
        std::fs::write(&path, PNG).unwrap();
        path
    };
    let kept = [store("screenshots", 5), store("results", 0)];
    let expired = [store("screenshots", 20), store("results", 5)];
    let _gateway = world.gateway(|_| {}).await;
    let removed = async {
        while expired.iter().any(|path| path.exists()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), removed).await.unwrap();
    assert!(kept.iter().all(|path| path.exists()));
}
