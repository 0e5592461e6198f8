//! Authentication of callers.

use crate::support::{Answer, sha256, start};
use limner_gateway::Invalidation;
use limner_types::{ApiKey, ErrorCode, Operation, WireEnum};
use std::sync::atomic::Ordering;
use std::time::Duration;

const PATH: &str = "/v1/images?url=example.com";

#[tokio::test]
async fn every_route_but_the_document_requires_a_key() {
    let (gateway, _) = start().await;
    let operations = Operation::ALL.iter().map(|operation| format!("/v1/{operation}?url=example.com"));
    for path in operations.chain(["/v1/usage".to_owned(), "/v1/images".to_owned()]) {
        let answer = Answer::send(gateway.client.get(gateway.url(&path))).await;
        answer.assert_error(401, ErrorCode::InvalidApiKey);
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        assert!(!answer.has_header("x-ratelimit-limit"), "no rate window without a key");
    }
    let document = Answer::send(gateway.client.get(gateway.url("/v1/openapi.json"))).await;
    assert_eq!(document.status, 200);
}

#[tokio::test]
async fn malformed_unknown_and_revoked_keys_are_refused() {
    let (gateway, key) = start().await;
    let unknown = ApiKey::from_secret([5; 32]);
    let headers = [
        String::new(),
        "Bearer".to_owned(),
        format!("Basic {}", key.expose()),
        format!("Bearer {}x", key.expose()),
        format!("Bearer {} {}", key.expose(), key.expose()),
        format!("Bearer {}", unknown.expose()),
    ];
    for header in headers {
        let answer = Answer::send(gateway.client.get(gateway.url(PATH)).header("authorization", &header)).await;
        let message = answer.assert_error(401, ErrorCode::InvalidApiKey);
        assert!(!message.contains(&key.expose()[8..20]), "no key in a message");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
    let twice = gateway.client.get(gateway.url(PATH)).bearer_auth(key.expose()).bearer_auth(key.expose());
    Answer::send(twice).await.assert_error(401, ErrorCode::InvalidApiKey);
    let in_query = gateway.client.get(gateway.url(&format!("{PATH}&api_key={}", key.expose())));
    Answer::send(in_query).await.assert_error(401, ErrorCode::InvalidApiKey);
    let in_any_case = gateway.client.get(gateway.url(PATH)).header("authorization", format!("bEARER {}", key.expose()));
    Answer::send(in_any_case).await.assert_ok("MISS");
}

#[tokio::test]
async fn key_is_looked_up_once() {
    let (gateway, key) = start().await;
    let unknown = ApiKey::from_secret([5; 32]);
    for _ in 0..5 {
        gateway.get(&key, PATH).await;
        gateway.get(&unknown, PATH).await;
    }
    assert_eq!(gateway.world.metering.authentications.load(Ordering::SeqCst), 2);
    // Another gateway finds the key in Redis.
    let other = gateway.world.gateway(|_| {}).await;
    other.get(&key, PATH).await.assert_ok("HIT");
    assert_eq!(gateway.world.metering.authentications.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn revoked_key_is_refused_as_soon_as_it_is_announced() {
    let (gateway, key) = start().await;
    gateway.get(&key, PATH).await.assert_ok("MISS");
    gateway.world.metering.revoke(&key);
    gateway.cache.drop_key(sha256(&key)).await.unwrap();
    gateway.announce(Invalidation::Account { account_id: "a".to_owned(), key_sha256: Some(sha256(&key)) });
    let refused = async { while gateway.get(&key, PATH).await.status != 401 {} };
    tokio::time::timeout(Duration::from_secs(1), refused).await.expect("within a second");
    gateway.get(&key, PATH).await.assert_error(401, ErrorCode::InvalidApiKey);
}

#[tokio::test]
async fn missed_announcements_invalidate_all_cached_keys() {
    let (gateway, key) = start().await;
    gateway.get(&key, PATH).await.assert_ok("MISS");
    gateway.world.metering.revoke(&key);
    gateway.cache.drop_key(sha256(&key)).await.unwrap();
    gateway.announce(Invalidation::Everything);
    let refused = async { while gateway.get(&key, PATH).await.status != 401 {} };
    tokio::time::timeout(Duration::from_secs(1), refused).await.expect("within a second");
}

#[tokio::test]
async fn request_ids_are_ours_and_unique() {
    let (gateway, key) = start().await;
    let request = gateway.client.get(gateway.url(PATH)).bearer_auth(key.expose()).header("x-request-id", "req_mine");
    let first = Answer::send(request).await;
    let second = gateway.get(&key, PATH).await;
    assert_ne!(first.header("x-request-id"), "req_mine");
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
}
