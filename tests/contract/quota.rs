//! Rate windows, quotas, packs and overage.

use limner_testkit::CannedResponse;
use limner_tests::Fleet;

const PAGE: &str = "<title>Page</title><h1>A page</h1><p>With a little text to read.</p><img src=/a.png alt=A>";

#[tokio::test]
async fn rate_window_belongs_to_the_account() {
    let fleet = Fleet::start().await;
    fleet.site.on("/", CannedResponse::html(PAGE));
    let account = fleet.account("free", &[]);
    let second = fleet.admin(&["key", "create", &account.id]);
    let second = limner_tests::Account { id: account.id.clone(), key: second["api_key"].as_str().unwrap().to_owned() };
    for used in 1..=30_u64 {
        let key = if used % 2 == 0 { &account } else { &second };
        // An invalid request counts as well.
        let query: &[(&str, &str)] = if used % 3 == 0 { &[] } else { &[("url", "http://site.test/")] };
        let answer = fleet.call("images", query, key).await;
        assert_ne!(answer.status.as_u16(), 429, "{answer:?}");
        if answer.status.is_success() {
            assert_eq!((answer.number("x-ratelimit-limit"), answer.number("x-ratelimit-remaining")), (30, 30 - used));
            assert!((1..=60).contains(&answer.number("x-ratelimit-reset")));
        }
    }
    let refused = fleet.call("images", &[("url", "http://site.test/")], &account).await;
    refused.assert_error(429, "rate_limited");
    assert!((1..=60).contains(&refused.number("retry-after")));
    let other = fleet.account("free", &[]);
    fleet.call("images", &[("url", "http://site.test/")], &other).await.usage();
}

#[tokio::test]
async fn concurrent_calls_beyond_the_quota_are_refused() {
    let fleet = Fleet::start().await;
    fleet.site.fallback(|_| CannedResponse::html(PAGE));
    let account = fleet.account("business", &["--credits", "10", "--rpm", "1000", "--overage", "off"]);
    // More keys do not give more credits.
    let mut keys = vec![account.clone()];
    for _ in 0..3 {
        let made = fleet.admin(&["key", "create", &account.id]);
        keys.push(limner_tests::Account { id: account.id.clone(), key: made["api_key"].as_str().unwrap().to_owned() });
    }
    let urls: Vec<String> = (0..50).map(|n| format!("http://site.test/{n}")).collect();
    let calls = urls.iter().zip(keys.iter().cycle()).map(|(url, key)| {
        let fleet = &fleet;
        async move { fleet.call("images", &[("url", url.as_str())], key).await }
    });
    let answers = futures::future::join_all(calls).await;
    let succeeded = answers.iter().filter(|answer| answer.status.is_success()).count();
    assert_eq!(succeeded, 10);
    for answer in answers.iter().filter(|answer| !answer.status.is_success()) {
        answer.assert_error(429, "quota_exceeded");
        assert!(answer.number("retry-after") > 0);
    }
    let read = answers.iter().zip(&urls).find(|(answer, _)| answer.status.is_success()).unwrap().1;
    let hit = fleet.call("images", &[("url", read)], &account).await;
    assert_eq!(
        (hit.header("x-cache"), hit.number("x-quota-remaining")),
        ("HIT", 0),
        "a hit is served when the quota is exhausted"
    );
}

#[tokio::test]
async fn packs_come_after_the_plan_and_before_overage() {
    let fleet = Fleet::start().await;
    fleet.site.fallback(|_| CannedResponse::html(PAGE));
    let account = fleet.account("business", &["--credits", "2", "--rpm", "1000", "--overage", "on"]);
    fleet.admin(&["pack", "grant", &account.id, "top-up"]);
    let call = async |n: u32| fleet.call("images", &[("url", &format!("http://site.test/{n}"))], &account).await;
    for n in 0..2 {
        let answer = call(n).await;
        assert_eq!(answer.header("x-pack-credits"), "", "the plan pays first");
        assert!(answer.usage().get("packCredits").is_none());
    }
    let answer = call(2).await;
    assert_eq!((answer.number("x-pack-credits"), &answer.usage()["packCredits"]), (499, &499.into()));
    assert_eq!((&answer.usage()["remaining"], &answer.usage()["creditsThisMonth"]), (&0.into(), &3.into()));
    assert!(answer.usage().get("overageCredits").is_none());
}

#[tokio::test]
async fn overage_stops_at_twice_the_allowance() {
    let fleet = Fleet::start().await;
    fleet.site.fallback(|_| CannedResponse::html(PAGE));
    let account = fleet.account("business", &["--credits", "3", "--rpm", "1000", "--overage", "on"]);
    for n in 0..6_u64 {
        let answer = fleet.call("images", &[("url", &format!("http://site.test/{n}"))], &account).await;
        let overage = answer.usage().get("overageCredits").and_then(serde_json::Value::as_u64);
        assert_eq!(overage, (n >= 3).then(|| n - 2), "{answer:?}");
    }
    let refused = fleet.call("images", &[("url", "http://site.test/7")], &account).await;
    refused.assert_error(429, "quota_exceeded");
    fleet.admin(&["account", "suspend", &account.id]);
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    fleet.call("images", &[("url", "http://site.test/8")], &account).await.assert_error(402, "billing_issue");
    fleet.admin(&["account", "resume", &account.id]);
}

#[tokio::test]
async fn unlimited_account_has_no_quota_headers() {
    let fleet = Fleet::start().await;
    fleet.site.on("/", CannedResponse::html(PAGE));
    let answer = fleet.call("images", &[("url", "http://site.test/")], &fleet.roomy_account()).await;
    assert_eq!(
        (&answer.usage()["monthlyLimit"], &answer.usage()["remaining"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    assert!(answer.usage().as_object().unwrap().contains_key("monthlyLimit"));
    assert_eq!((answer.header("x-quota-limit"), answer.header("x-quota-remaining")), ("", ""));
}
