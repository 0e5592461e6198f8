//! Rate windows, quotas, suspension, and the order in which a call is checked.

use crate::support::{Answer, Running, start, start_with};
use futures::future::join_all;
use limner_types::{ApiKey, ErrorCode};
use std::sync::atomic::Ordering;

const PATH: &str = "/v1/images?url=example.com";

#[tokio::test]
async fn requests_over_the_limit_are_refused_with_retry_after() {
    let (gateway, key) = start_with(|_| {}, |account| account.requests_per_minute = 30).await;
    let answers = join_all((0..50).map(|_| gateway.get(&key, PATH))).await;
    let (served, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((served.len(), refused.len()), (30, 20));
    for answer in refused {
        let message = answer.assert_error(429, ErrorCode::RateLimited);
        let reset = answer.number("x-ratelimit-reset");
        assert_eq!((answer.number("retry-after"), answer.number("x-ratelimit-remaining")), (reset, 0));
        assert!(message.contains("30 requests per minute") && message.contains(&format!("{reset} seconds")));
        assert!(!answer.has_header("x-quota-limit"));
    }
}

#[tokio::test]
async fn all_keys_of_an_account_and_all_gateways_share_its_window() {
    let (gateway, key) = start_with(|_| {}, |account| account.requests_per_minute = 4).await;
    let other = gateway.world.gateway(|_| {}).await;
    for (n, gateway) in [&gateway, &other, &gateway, &other].into_iter().enumerate() {
        assert_eq!(gateway.get(&key, PATH).await.number("x-ratelimit-remaining"), 3 - n as u64);
    }
    gateway.get(&key, PATH).await.assert_error(429, ErrorCode::RateLimited);
    other.get(&key, PATH).await.assert_error(429, ErrorCode::RateLimited);
}

#[tokio::test]
async fn invalid_call_counts_in_the_window_and_reports_it() {
    let (gateway, key) = start_with(|_| {}, |account| account.requests_per_minute = 2).await;
    let bad = gateway.get(&key, "/v1/images?ulr=example.com").await;
    let message = bad.assert_error(400, ErrorCode::InvalidRequest);
    assert!(message.contains("url"));
    assert_eq!((bad.number("x-ratelimit-limit"), bad.number("x-ratelimit-remaining")), (2, 1));
    assert_eq!(bad.header("x-ignored-params"), "ulr");
    assert!(!bad.has_header("x-quota-limit"));
    gateway.get(&key, "/v1/images").await.assert_error(400, ErrorCode::InvalidRequest);
    gateway.get(&key, "/v1/images").await.assert_error(429, ErrorCode::RateLimited);
    assert_eq!(gateway.world.metering.open_holds(), 0);
}

#[tokio::test]
async fn errors_follow_the_order_of_checks() {
    let (gateway, key) =
        start_with(|config| config.served = |_| false, |account| account.requests_per_minute = 4).await;
    let client = &gateway.client;
    // First everything is wrong, then one thing more is corrected each time.
    Answer::send(client.post(gateway.url("/v2/images"))).await.assert_error(404, ErrorCode::NotFound);
    Answer::send(client.post(gateway.url("/v1/images"))).await.assert_error(405, ErrorCode::InvalidRequest);
    Answer::send(client.get(gateway.url("/v1/images"))).await.assert_error(401, ErrorCode::InvalidApiKey);
    gateway.world.metering.change("a", |account| account.suspended = true).await;
    gateway.get(&key, "/v1/images").await.assert_error(402, ErrorCode::BillingIssue);
    gateway.world.metering.change("a", |account| account.suspended = false).await;
    gateway.get(&key, "/v1/images").await.assert_error(400, ErrorCode::InvalidRequest);
    let not_served = gateway.get(&key, PATH).await;
    let message = not_served.assert_error(503, ErrorCode::InternalError);
    assert!(message.contains("/images") && not_served.number("retry-after") > 0);
    let counted = gateway.get(&key, PATH).await;
    assert_eq!(counted.number("x-ratelimit-remaining"), 0, "402, 400 and 503 have counted: {counted:?}");
    gateway.get(&key, "/v1/images").await.assert_error(429, ErrorCode::RateLimited);
}

#[tokio::test]
async fn suspended_account_is_refused_until_it_is_resumed() {
    let (gateway, key) = start().await;
    gateway.get(&key, PATH).await.assert_ok("MISS");
    gateway.world.metering.change("a", |account| account.suspended = true).await;
    let answer = gateway.get(&key, PATH).await;
    answer.assert_error(402, ErrorCode::BillingIssue);
    assert!(answer.has_header("x-ratelimit-limit"), "hits are refused too, at once");
    gateway.world.metering.change("a", |account| account.suspended = false).await;
    gateway.get(&key, PATH).await.assert_ok("HIT");
}

#[tokio::test]
async fn calls_without_credits_are_refused_as_misses_and_served_as_hits() {
    let (gateway, key) = start_with(|_| {}, |account| account.monthly_limit = Some(1)).await;
    gateway.get(&key, PATH).await.assert_ok("MISS");
    let refused = gateway.get(&key, "/v1/svg?url=example.com").await;
    let message = refused.assert_error(429, ErrorCode::QuotaExceeded);
    assert_eq!((message.as_str(), refused.number("retry-after")), ("The monthly quota is used up.", 1_234));
    let hit = gateway.get(&key, PATH).await;
    hit.assert_ok("HIT");
    assert_eq!((hit.number("x-quota-limit"), hit.number("x-quota-remaining")), (1, 0));
    assert_eq!(gateway.world.fleet.jobs().len(), 1);
    gateway.shutdown.cancel();
    gateway.ended.await.unwrap();
    let recorded = gateway.world.metering.recorded();
    let recorded: Vec<_> = recorded.iter().map(|call| (call.operation.as_str(), call.code.as_deref())).collect();
    assert_eq!(recorded, [("svg", Some("quota_exceeded")), ("images", None)], "the history contains refused calls");
}

#[tokio::test]
async fn upgrade_takes_effect_at_once() {
    let (gateway, key) =
        start_with(|_| {}, |account| (account.monthly_limit, account.requests_per_minute) = (Some(1), 3)).await;
    gateway.get(&key, PATH).await.assert_ok("MISS");
    gateway.get(&key, "/v1/svg?url=example.com").await.assert_error(429, ErrorCode::QuotaExceeded);
    gateway.get(&key, PATH).await.assert_ok("HIT");
    gateway.get(&key, PATH).await.assert_error(429, ErrorCode::RateLimited);
    let upgrade = |account: &mut limner_types::AccountState| {
        (account.monthly_limit, account.requests_per_minute) = (Some(30_000), 120);
    };
    gateway.world.metering.change("a", upgrade).await;
    let answer = gateway.get(&key, "/v1/svg?url=example.com").await;
    answer.assert_ok("MISS");
    assert_eq!((answer.number("x-ratelimit-limit"), answer.number("x-quota-limit")), (120, 30_000));
}

#[tokio::test]
async fn concurrent_calls_succeed_up_to_the_credits() {
    let (gateway, key) = start_with(|_| {}, |account| account.monthly_limit = Some(10)).await;
    let paths: Vec<String> = (0..50).map(|n| format!("/v1/images?url=example.com/{n}")).collect();
    let answers = join_all(paths.iter().map(|path| gateway.get(&key, path))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 10);
    assert_eq!(gateway.world.metering.account("a").spent_this_month, 10);
    assert_eq!(gateway.world.fleet.jobs().len(), 10);
}

#[tokio::test]
async fn render_without_a_browser_is_refused_at_once() {
    let (gateway, key) = start().await;
    gateway.get(&key, &format!("{PATH}&render=true")).await.assert_ok("MISS");
    gateway.world.fleet.browserless.store(true, Ordering::SeqCst);
    // Earlier rendered results are still served.
    gateway.get(&key, &format!("{PATH}&render=true")).await.assert_ok("HIT");
    let message = without_browser(&gateway, &key, "example.com/other", 2).await;
    assert!(message.contains("at the moment"), "{message}");
    let (gateway, key) = start_with(|config| config.renderer = false, |_| {}).await;
    let message = without_browser(&gateway, &key, "example.com", 1).await;
    assert!(message.contains("has no browser"), "{message}");
}

async fn without_browser(gateway: &Running, key: &ApiKey, page: &str, jobs: usize) -> String {
    let path = format!("/v1/images?url={page}");
    let answer = gateway.get(key, &format!("{path}&render=true")).await;
    let message = answer.assert_error(503, ErrorCode::RenderUnavailable);
    assert!(message.contains("without `render`") && answer.number("retry-after") > 0);
    assert!(answer.has_header("x-ratelimit-limit"));
    gateway.get(key, &path).await.assert_ok("MISS");
    assert_eq!(gateway.world.fleet.jobs().len(), jobs);
    message
}
