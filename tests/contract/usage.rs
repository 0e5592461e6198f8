//! The usage history: charges, sources and visibility.

use limner_testkit::CannedResponse;
use limner_tests::{Account, Answer, Fleet};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const PAGE: &str = "<title>Page</title><h1>A page</h1><p>With a little text to read.</p><img src=/a.png alt=A>";

async fn images(fleet: &Fleet, page: &str, account: &Account) -> Answer {
    fleet.call("images", &[("url", &format!("http://site.test/{page}"))], account).await
}

/// Returns the report once it lists that many calls: hits appear with a delay.
async fn report(fleet: &Fleet, account: &Account, calls: usize) -> Value {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let report = fleet.call("usage", &[], account).await;
        assert_eq!(report.status.as_u16(), 200, "{report:?}");
        if report.json["calls"].as_array().unwrap().len() >= calls {
            return report.json;
        }
        assert!(Instant::now() < until, "{calls} calls are not there: {report:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn every_call_is_listed_with_its_credit_source() {
    let fleet = Fleet::start().await;
    fleet.site.fallback(|_| CannedResponse::html(PAGE));
    fleet.site.on("/gone", CannedResponse::html("").status(500));
    let account = fleet.account("business", &["--credits", "1", "--rpm", "1000", "--overage", "on"]);
    let plan = images(&fleet, "plan", &account).await;
    fleet.admin(&["credits", "adjust", &account.id, "1", "--reason", "a single credit"]);
    let pack = images(&fleet, "pack", &account).await;
    let failed = images(&fleet, "gone", &account).await;
    let overage = images(&fleet, "overage", &account).await;
    assert_eq!(overage.usage()["overageCredits"], 1);
    let hit = images(&fleet, "plan", &account).await;
    let refund = overage.header("x-request-id");
    fleet.admin(&["credits", "refund", refund, "--reason", "it was wrong"]);

    let report = report(&fleet, &account, 5).await;
    for (answer, outcome, credits, source, cached, refunded) in [
        (&plan, "ok", 1, json!("plan"), false, false),
        (&pack, "ok", 1, json!("pack"), false, false),
        (&overage, "ok", 0, json!("overage"), false, true),
        (&hit, "ok", 0, Value::Null, true, false),
        (&failed, "target_error", 0, Value::Null, false, false),
    ] {
        let id = answer.header("x-request-id");
        let call = report["calls"].as_array().unwrap().iter().find(|call| call["requestId"] == id);
        let call = call.unwrap_or_else(|| panic!("{id} in {report}"));
        let told = (&call["outcome"], &call["credits"], &call["source"], &call["cached"], &call["refunded"]);
        assert_eq!(told, (&json!(outcome), &json!(credits), &source, &json!(cached), &json!(refunded)), "{call}");
        assert_eq!((&call["operation"], &call["late"]), (&json!("images"), &json!(false)));
        assert!(call["url"].as_str().unwrap().starts_with("http://site.test/"), "{call}");
    }
    assert_eq!(report["usage"]["creditsThisMonth"], 2);
    assert_eq!((&report["usage"]["remaining"], &report["usage"]["packCredits"]), (&json!(0), &json!(0)));
    assert_eq!(report["usage"]["overageCredits"], 0, "given back");
    assert_eq!(report["operations"], json!([{"operation": "images", "calls": 5, "credits": 2}]));
}

#[tokio::test]
async fn usage_shows_only_calls_of_the_account() {
    let fleet = Fleet::start().await;
    fleet.site.fallback(|_| CannedResponse::html(PAGE));
    let (mine, theirs) = (fleet.roomy_account(), fleet.roomy_account());
    for page in ["a", "b", "c"] {
        images(&fleet, &format!("mine-{page}"), &mine).await.usage();
        images(&fleet, &format!("theirs-{page}"), &theirs).await.usage();
    }
    let urls = |report: &Value| -> Vec<String> {
        let calls = report["calls"].as_array().unwrap().iter();
        calls.map(|call| call["url"].as_str().unwrap().to_owned()).collect()
    };
    let pages = |whose: &str| ["c", "b", "a"].map(|page| format!("http://site.test/{whose}-{page}"));
    assert_eq!(urls(&report(&fleet, &mine, 3).await), pages("mine"));
    // All keys of an account belong to its owner.
    let second = fleet.admin(&["key", "create", &mine.id]);
    let second = Account { id: mine.id.clone(), key: second["api_key"].as_str().unwrap().to_owned() };
    assert_eq!(urls(&report(&fleet, &second, 3).await), pages("mine"));
    // A cursor of another account reveals none of that account's calls, and neither does its id.
    let first = fleet.call("usage", &[("limit", "1")], &theirs).await;
    let cursor = first.json["nextCursor"].as_str().unwrap();
    for query in [vec![("cursor", cursor)], vec![("account_id", theirs.id.as_str()), ("accountId", &theirs.id)]] {
        let seen = urls(&fleet.call("usage", &query, &mine).await.json);
        assert!(seen.iter().all(|url| url.contains("/mine-")), "{query:?}: {seen:?}");
    }
    fleet.send(http::Method::GET, "/usage", &[], &[]).await.assert_error(401, "invalid_api_key");
    let made_up = fleet.call("usage", &[("cursor", "made-up")], &mine).await;
    made_up.assert_error(400, "invalid_request");
    assert_eq!(fleet.admin(&["account", "show", &mine.id])["spent_this_month"], 3, "reading it is free");
}
