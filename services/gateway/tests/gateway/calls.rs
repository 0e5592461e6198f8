//! Results: cache, usage, fields, formats, history.

use crate::support::{Answer, JobScript, start, start_with, this_month, unix_ms};
use limner_types::{ErrorCode, Operation, WireEnum};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::Duration;

const BODY: &str = r#"{"url":"https://example.com/","hint":"h","images":[{"url":"https://example.com/a.png","source":"img"}],"count":1}"#;

#[tokio::test]
async fn first_call_is_charged_and_the_next_is_a_free_hit() {
    let (gateway, key) = start().await;
    gateway.world.fleet.does(JobScript::Json(BODY.to_owned()));
    let miss = gateway.get(&key, "/v1/images?url=example.com").await;
    miss.assert_ok("MISS");
    assert_eq!(miss.header("content-type"), "application/json");
    assert_eq!(
        miss.usage(),
        json!({"creditsThisMonth": 1, "monthlyLimit": 5000, "remaining": 4999, "creditsSpent": 1, "cached": false})
    );
    assert_eq!((miss.number("x-quota-limit"), miss.number("x-quota-remaining")), (5000, 4999));
    assert_eq!((miss.number("x-ratelimit-limit"), miss.number("x-ratelimit-remaining")), (600, 599));
    assert!((59..=60).contains(&miss.number("x-ratelimit-reset")));
    for absent in ["x-pack-credits", "x-ignored-params", "retry-after"] {
        assert!(!miss.has_header(absent), "{absent}");
    }

    let hit = gateway.get(&key, "/v1/images?url=HTTPS://EXAMPLE.com:443/%23top&count=1").await;
    hit.assert_ok("HIT");
    assert_eq!(hit.header("x-ignored-params"), "count");
    assert_eq!(
        hit.usage(),
        json!({"creditsThisMonth": 1, "monthlyLimit": 5000, "remaining": 4999, "creditsSpent": 0, "cached": true})
    );
    let (mut miss, mut hit) = (miss.json(), hit.json());
    miss.as_object_mut().unwrap().remove("usage");
    hit.as_object_mut().unwrap().remove("usage");
    assert_eq!(miss, hit);
    assert_eq!(hit, serde_json::from_str::<serde_json::Value>(BODY).unwrap());
    assert_eq!(gateway.world.fleet.jobs().len(), 1);
}

#[tokio::test]
async fn every_operation_costs_its_price_and_five_more_with_a_browser() {
    let (gateway, key) = start().await;
    for operation in Operation::ALL {
        for (render, surcharge) in [("false", 0), ("true", 5)] {
            let answer = gateway.get(&key, &format!("/v1/{operation}?url=example.com&render={render}")).await;
            answer.assert_ok("MISS");
            assert_eq!(answer.usage()["creditsSpent"], operation.credits() + surcharge, "{operation} {render}");
        }
    }
    assert_eq!(gateway.world.metering.account("a").spent_this_month, 62 + 62 + 9 * 5);
}

#[tokio::test]
async fn fresh_skips_the_cache_is_charged_and_replaces_the_copy() {
    let (gateway, key) = start().await;
    let path = "/v1/images?url=example.com";
    gateway.get(&key, path).await.assert_ok("MISS");
    gateway.world.fleet.does(JobScript::Json(r#"{"url":"https://example.com/","images":[],"count":7}"#.to_owned()));
    let fresh = gateway.get(&key, &format!("{path}&fresh=true")).await;
    fresh.assert_ok("BYPASS");
    assert_eq!((&fresh.usage()["creditsSpent"], &fresh.usage()["cached"]), (&json!(1), &json!(false)));
    let hit = gateway.get(&key, &format!("{path}&fresh=false")).await;
    hit.assert_ok("HIT");
    assert_eq!(hit.json()["count"], 7);
    assert_eq!(gateway.world.metering.account("a").spent_this_month, 2);
}

#[tokio::test]
async fn cache_is_shared_by_all_accounts_and_usage_is_not() {
    let (gateway, key) = start().await;
    let other = gateway.world.account("b", |account| account.spent_this_month = 40);
    gateway.get(&key, "/v1/images?url=example.com").await.assert_ok("MISS");
    let hit = gateway.get(&other, "/v1/images?url=example.com").await;
    hit.assert_ok("HIT");
    assert_eq!(hit.usage()["creditsThisMonth"], 40);
}

#[tokio::test]
async fn fields_narrow_the_result_not_the_price_and_not_the_cache() {
    let (gateway, key) = start().await;
    gateway.world.fleet.does(JobScript::Json(BODY.to_owned()));
    for (fields, cache, keys) in [
        ("count", "MISS", "url,hint,count,usage"),
        ("count,images", "HIT", "url,hint,images,count,usage"),
        (" count ", "HIT", "url,hint,count,usage"),
    ] {
        let answer = gateway.get(&key, &format!("/v1/images?url=example.com&fields={fields}")).await;
        answer.assert_ok(cache);
        let members: serde_json::Map<_, _> = answer.json().as_object().unwrap().clone();
        let mut members: Vec<&str> = members.keys().map(String::as_str).collect();
        let mut expected: Vec<&str> = keys.split(',').collect();
        members.sort_unstable();
        expected.sort_unstable();
        assert_eq!(members, expected, "{fields}");
    }
    assert_eq!(gateway.world.metering.account("a").spent_this_month, 1);
}

#[tokio::test]
async fn formats_other_than_json_are_passed_on_untouched() {
    let (gateway, key) = start().await;
    for (format, content_type, body) in [
        ("css", "text/css; charset=utf-8", ":root{--a:1px}"),
        ("tailwind", "text/plain; charset=utf-8", "@theme {}"),
        ("dtcg", "application/json", r#"{"$extensions":{}}"#),
        ("dtcg-resolver", "application/json", r#"{"version":"2025.10"}"#),
        ("design-md", "text/markdown; charset=utf-8", "---\nname: a\n---\n"),
    ] {
        gateway.world.fleet.does(JobScript::Text(content_type, body.to_owned()));
        for cache in ["MISS", "HIT"] {
            let path = format!("/v1/extract?url=example.com&format={format}&fields=colors");
            let answer = gateway.get(&key, &path).await;
            answer.assert_ok(cache);
            assert_eq!((answer.text.as_str(), answer.header("content-type")), (body, content_type));
            assert!(answer.has_header("x-quota-remaining"));
        }
    }
}

#[tokio::test]
async fn responses_show_packs_and_the_browser_fallback() {
    let (gateway, key) = start_with(|_| {}, |account| (account.plan_spent, account.pack_balance) = (5_000, 500)).await;
    gateway.world.fleet.does(JobScript::AutoRendered(BODY.to_owned()));
    let miss = gateway.get(&key, "/v1/brand?url=example.com").await;
    miss.assert_ok("MISS");
    assert_eq!((miss.number("x-pack-credits"), &miss.usage()["packCredits"]), (485, &json!(485)));
    assert_eq!((&miss.usage()["remaining"], &miss.usage()["creditsSpent"]), (&json!(0), &json!(15)));
    assert_eq!(miss.usage()["autoRender"], true);
    let hit = gateway.get(&key, "/v1/brand?url=example.com").await;
    assert!(!hit.has_header("x-pack-credits") && hit.usage().get("packCredits").is_none(), "no pack paid for this one");
    assert_eq!(hit.usage()["autoRender"], true);
}

#[tokio::test]
async fn unlimited_plans_have_no_quota() {
    let (gateway, key) = start_with(|_| {}, |account| account.monthly_limit = None).await;
    for cache in ["MISS", "HIT"] {
        let answer = gateway.get(&key, "/v1/svg?url=example.com").await;
        answer.assert_ok(cache);
        assert!(!answer.has_header("x-quota-limit") && !answer.has_header("x-quota-remaining"));
        assert!(answer.usage()["monthlyLimit"].is_null() && answer.usage()["remaining"].is_null());
    }
}

#[tokio::test]
async fn overage_shows_on_hits_too() {
    let (gateway, key) = start_with(|_| {}, |account| account.overage_spent = 12).await;
    for cache in ["MISS", "HIT"] {
        let answer = gateway.get(&key, "/v1/svg?url=example.com").await;
        answer.assert_ok(cache);
        assert_eq!(answer.usage()["overageCredits"], 12);
    }
}

#[tokio::test]
async fn counts_of_last_month_are_reset() {
    let last_month = |account: &mut limner_types::AccountState| {
        account.period_start_unix = this_month() - 86_400;
        (account.spent_this_month, account.plan_spent) = (4_000, 4_000);
    };
    let (gateway, key) = start_with(|_| {}, last_month).await;
    let other = gateway.world.account("b", last_month);
    gateway.get(&other, "/v1/svg?url=example.com").await;
    let hit = gateway.get(&key, "/v1/svg?url=example.com").await;
    hit.assert_ok("HIT");
    assert_eq!((&hit.usage()["creditsThisMonth"], &hit.usage()["remaining"]), (&json!(0), &json!(5_000)));
}

#[tokio::test]
async fn gateways_clock_does_not_start_a_month() {
    let last_month = |account: &mut limner_types::AccountState| {
        account.period_start_unix = this_month() - 86_400;
        (account.spent_this_month, account.plan_spent) = (4_000, 4_000);
        account.requests_per_minute = 1_000_000;
    };
    // As if this month had just begun, by this clock only.
    let no_trust = |config: &mut limner_gateway::Config| config.clock_skew = Duration::from_secs(32 * 86_400);
    let (gateway, key) = start_with(no_trust, last_month).await;
    let path = "/v1/svg?url=example.com";
    let spent = async || gateway.get(&key, path).await.usage()["creditsThisMonth"].as_u64().unwrap();
    assert_eq!(spent().await, 4_001, "a miss, as metering reports it");
    // The hit is recorded in the history, and metering's response to that contains the month.
    let told = async { while spent().await != 0 {} };
    tokio::time::timeout(Duration::from_secs(20), told).await.expect("the month is known");
}

#[tokio::test]
async fn job_contains_the_call() {
    let (gateway, key) = start().await;
    let before = unix_ms();
    let path = "/v1/code?url=Example.com/a%20b%23c&selector=main+%3E+p&framework=vue&theme=dark&fresh=true";
    let answer = gateway.get(&key, path).await;
    let [job] = &gateway.world.fleet.jobs()[..] else { panic!("one job") };
    let call = job.call.clone().unwrap();
    let code = call.code.clone().unwrap();
    assert_eq!((job.job_id.as_str(), job.url.as_str()), (answer.header("x-request-id"), "https://example.com/a%20b"));
    assert_eq!((call.operation.as_str(), job.fresh, call.render), ("code", true, false));
    assert_eq!(
        (code.selector.as_deref(), code.framework.as_str(), code.theme.as_str()),
        (Some("main > p"), "vue", "dark")
    );
    assert!((before + 44_000..before + 47_000).contains(&job.deadline_unix_ms));
    assert_eq!(job.cache_key.len(), 64);
}

#[tokio::test]
async fn jobs_carry_an_opaque_tenant_for_their_account() {
    let (gateway, first) = start().await;
    let second = gateway.world.account("another", |_| {});
    for (key, path) in [(&first, "a"), (&first, "b"), (&second, "c")] {
        gateway.get(key, &format!("/v1/images?url=example.com/{path}")).await.assert_ok("MISS");
    }
    let jobs = gateway.world.fleet.jobs();
    let [a, b, c] = &jobs[..] else { panic!("three jobs") };
    assert_eq!(a.tenant, b.tenant);
    assert_ne!(a.tenant, c.tenant);
    assert!(jobs.iter().all(|job| job.tenant.len() == 32 && !job.tenant.contains("another")), "{a:?} {c:?}");
}

#[tokio::test]
async fn hit_does_not_call_metering() {
    let (gateway, key) = start_with(|_| {}, |account| account.requests_per_minute = 1_000).await;
    let path = "/v1/images?url=example.com";
    gateway.get(&key, path).await.assert_ok("MISS");
    let asked = gateway.world.metering.questions.load(Ordering::SeqCst);
    for _ in 0..100 {
        gateway.get(&key, path).await.assert_ok("HIT");
    }
    // Nor does a gateway that has just started: Redis has key, account and result.
    gateway.world.gateway(|_| {}).await.get(&key, path).await.assert_ok("HIT");
    assert_eq!(gateway.world.metering.questions.load(Ordering::SeqCst), asked);
}

#[tokio::test]
async fn only_if_cached_is_free() {
    let (gateway, key) = start().await;
    let path = "/v1/images?url=example.com";
    let kept_only = |directives: &'static str| {
        let request = gateway.client.get(gateway.url(path)).bearer_auth(key.expose());
        Answer::send(request.header("cache-control", directives))
    };
    kept_only("only-if-cached").await.assert_error(404, ErrorCode::NotFound);
    assert_eq!((gateway.world.fleet.jobs().len(), gateway.world.metering.commits()), (0, 0));
    kept_only("max-age=0").await.assert_ok("MISS");
    let hit = kept_only("max-stale, Only-If-Cached").await;
    hit.assert_ok("HIT");
    assert_eq!(hit.usage()["creditsSpent"], 0);
}

#[tokio::test]
async fn hits_reach_the_usage_history_in_batches() {
    let (gateway, key) = start().await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        let answer = gateway.get(&key, "/v1/images?url=example.com").await;
        ids.push(answer.header("x-request-id").to_owned());
    }
    gateway.shutdown.cancel();
    gateway.ended.await.unwrap();
    let recorded = gateway.world.metering.recorded();
    let recorded_ids: Vec<&str> = recorded.iter().map(|call| call.request_id.as_str()).collect();
    assert_eq!(recorded_ids, ids[1..], "the miss is recorded by its hold; a drain sends the rest");
    for call in recorded {
        assert_eq!((call.account_id.as_str(), call.key_id.as_str(), call.cached), ("a", "key-of-a", true));
        assert_eq!((call.operation.as_str(), call.url.as_str()), ("images", "https://example.com/"));
        assert!(call.duration_ms.is_some_and(|ms| ms < 60_000), "{call:?}");
    }
}

#[tokio::test]
async fn caller_who_disconnects_is_charged_once_and_finds_the_result_later() {
    let (gateway, key) = start().await;
    gateway.world.fleet.shut();
    let request = gateway.client.get(gateway.url("/v1/images?url=example.com")).bearer_auth(key.expose());
    let hung_up = request.timeout(Duration::from_millis(300)).send();
    let (hung_up, ()) = tokio::join!(hung_up, gateway.world.fleet.arrival());
    assert!(hung_up.unwrap_err().is_timeout());
    gateway.world.fleet.open();
    let charged = async {
        while gateway.world.metering.commits() == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), charged).await.unwrap();
    gateway.get(&key, "/v1/images?url=example.com").await.assert_ok("HIT");
    assert_eq!((gateway.world.fleet.jobs().len(), gateway.world.metering.account("a").spent_this_month), (1, 1));
}

#[tokio::test]
async fn usage_is_free_and_paged() {
    let (gateway, key) = start().await;
    let answer = gateway.get(&key, "/v1/usage?limit=1&cursor=x").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let body = answer.json();
    assert_eq!(body["usage"]["creditsThisMonth"], 0);
    assert_eq!(body["usage"]["monthlyLimit"], 5_000);
    assert_eq!((&body["plan"], body["calls"].as_array().unwrap().len()), (&json!("developer"), 1));
    assert_eq!(body["nextCursor"], "after-x");
    let call = &body["calls"][0];
    assert_eq!((&call["credits"], &call["source"]), (&json!(25), &json!("overage")));
    assert_eq!((&call["late"], &call["refunded"], &call["autoRender"]), (&json!(true), &json!(true), &json!(false)));
    let of_key = (&call["durationMs"], &call["keyId"], &call["keyName"]);
    assert_eq!(of_key, (&json!(1_250), &json!("key_1"), &Value::Null), "a key without a name is no longer stored");
    assert_eq!(answer.number("x-ratelimit-remaining"), 599, "it counts in the window");
    for page in ["limit=0", "cursor=foreign"] {
        gateway.get(&key, &format!("/v1/usage?{page}")).await.assert_error(400, ErrorCode::InvalidRequest);
    }
    let nobody = crate::support::Answer::send(gateway.client.get(gateway.url("/v1/usage"))).await;
    nobody.assert_error(401, ErrorCode::InvalidApiKey);
}
