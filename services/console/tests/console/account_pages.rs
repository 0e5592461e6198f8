//! Keys, usage, billing and the account pages.

use crate::support::{Browser, ConsoleFixture, PASSWORD, ProviderWithPortal};
use http::StatusCode;
use limner_metering::{HoldCall, Ledger, LedgerError, api_key};
use limner_testkit::CannedResponse;
use limner_types::ApiKey;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

async fn key_works(ledger: &Ledger, api_key: &str) -> bool {
    match ledger.authenticate(api_key::sha256(&ApiKey::parse(api_key).unwrap())).await {
        Ok(_) => true,
        Err(LedgerError::UnknownKey) => false,
        Err(cause) => panic!("{cause}"),
    }
}

async fn spend(ledger: &Ledger, account: &str, key_id: &str, request: &str, url: &str) {
    let call = HoldCall {
        account_id: account.to_owned(),
        key_id: key_id.to_owned(),
        request_id: request.to_owned(),
        credits: 25,
        operation: "code".to_owned(),
        url: url.to_owned(),
        ttl: Duration::from_secs(120),
    };
    ledger.hold(&call).await.unwrap();
    ledger.commit(request, false).await.unwrap();
}

#[tokio::test]
async fn keys_are_made_shown_once_and_revoked() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, first) = fixture.member("jane@example.org").await;
    let made = browser.post("/keys", &[("name", "<b>Production</b>")]).await;
    let second = made.shown_key();
    assert!(key_works(&fixture.ledger, &first).await && key_works(&fixture.ledger, &second).await);
    let list = browser.get("/keys").await;
    assert!(list.says("<b>Production") && !list.has("b"), "{}", list.text);
    assert!(!list.text.contains(&second) && list.says(&second[..14]), "only the prefix is shown again");
    let id = list.attribute("input[name=key_id]", "value");
    assert_eq!(browser.post("/keys/revoke", &[("key_id", &id)]).await.location(), "/keys?done=key-revoked");
    assert!(key_works(&fixture.ledger, &first).await && !key_works(&fixture.ledger, &second).await, "latest first");
    assert!(browser.get("/keys?done=key-revoked").await.says("The key is revoked."));
    let long = browser.post("/keys", &[("name", &"x".repeat(101))]).await;
    assert_eq!(long.status, StatusCode::UNPROCESSABLE_ENTITY);
    let audit = browser.get("/account").await;
    for event in ["Key created", "Key revoked", "Signed up"] {
        assert!(audit.says(event), "{event}: {}", audit.text);
    }
}

#[tokio::test]
async fn history_is_read_filtered_and_exported_by_its_owner_alone() {
    let fixture = ConsoleFixture::start().await;
    let (mut jane, _) = fixture.member("jane@example.org").await;
    let (mut eve, _) = fixture.member("eve@example.org").await;
    let account = fixture.account_of("jane@example.org").await;
    let key_id = fixture.ledger.keys(&account).await.unwrap()[0].key_id.clone();
    spend(&fixture.ledger, &account, &key_id, "req_one", "https://example.org/a").await;
    spend(&fixture.ledger, &account, &key_id, "req_two", "=cmd|'/c calc'!A1").await;
    let calls = async |jane: &mut Browser, path: &str| {
        let page = jane.get(path).await;
        ["req_one", "req_two"].map(|call| page.has(&format!("a[href='/usage/{call}']")))
    };
    assert_eq!(calls(&mut jane, "/usage").await, [true, true]);
    assert_eq!(calls(&mut jane, "/usage?url=EXAMPLE.org&operation=code&outcome=ok").await, [true, false]);
    assert_eq!(calls(&mut jane, "/usage?request_id=req_two").await, [false, true]);
    assert!(jane.get("/usage/req_one").await.says("https://example.org/a"));
    let key_name = fixture.ledger.keys(&account).await.unwrap()[0].name.clone();
    assert!(jane.get("/usage").await.texts("tbody td").contains(&key_name), "{key_name}");
    let csv = jane.get("/usage.csv").await;
    assert!(csv.header("content-disposition").contains("attachment"), "{csv:?}");
    assert!(csv.text.contains(",'=cmd|'/c calc'!A1,"), "no spreadsheet runs it: {}", csv.text);
    assert_eq!(csv.text.lines().count(), 3);
    let duration = |line: &str| line.rsplit(',').next().and_then(|text| text.parse::<u32>().ok());
    assert!(csv.text.lines().skip(1).all(|line| duration(line).is_some()), "{}", csv.text);
    assert!(jane.get("/usage/req_one").await.texts("dt").contains(&"Duration".to_owned()));
    let overview = jane.get("/").await;
    assert!(overview.says("250 of 300 credits left") && overview.has(".op-code"), "{}", overview.text);
    assert!(jane.get("/keys").await.says("last used 20"), "a key's last use is known");

    assert_eq!(eve.get("/usage/req_one").await.status, StatusCode::NOT_FOUND);
    for path in ["/usage", "/usage?request_id=req_one", "/usage.csv", "/"] {
        assert!(!eve.get(path).await.text.contains("example.org/a"), "{path}");
    }
    let revoked = eve.post("/keys/revoke", &[("key_id", &key_id)]).await;
    assert_eq!(revoked.status, StatusCode::NOT_FOUND, "calls of other accounts are not found");
    let session: String = fixture
        .store
        .query_one(
            "SELECT s.id FROM console.session s JOIN console.holder h ON h.id = s.holder_id WHERE h.account_id = $1",
            &[&account],
        )
        .await
        .unwrap()
        .get(0);
    assert_eq!(eve.post("/account/sessions/end", &[("id", &session)]).await.status, StatusCode::NOT_FOUND);
    assert_eq!(jane.get("/keys").await.status, StatusCode::OK);
}

#[tokio::test]
async fn plans_packs_and_overage_go_through_billing() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let account = fixture.account_of("jane@example.org").await;
    let page = browser.get("/billing?interval=yearly").await;
    for text in ["€190", "or $190", "€4 ($5) per 1,000", "Stops at the quota", "Nothing was billed yet"] {
        assert!(page.says(text), "{text}: {}", page.text);
    }
    let ordered = browser.post("/billing/plan", &[("plan", "growth"), ("interval", "monthly")]).await;
    assert_eq!(ordered.location(), "/billing?done=ordered");
    browser.post("/billing/pack", &[("pack", "starter")]).await.location();
    let desk = limner_metering::billing::BillingEngine::from(fixture.ledger.clone());
    for order in fixture.ledger.orders(Some(&account)).await.unwrap() {
        desk.approve(&order.id).await.unwrap();
    }
    let page = browser.get("/billing").await;
    for text in
        ["Growth", "1,500 credits", "up to 60,000 credits in total: twice the plan", "at most €90", "Pack Starter"]
    {
        assert!(page.says(text), "{text}: {}", page.text);
    }
    assert_eq!(browser.post("/billing/overage", &[("state", "off")]).await.location(), "/billing?done=overage-off");
    assert!(!fixture.ledger.account(&account).await.unwrap().state.overage_enabled);
    let later = browser.post("/billing/plan", &[("plan", "developer"), ("interval", "monthly")]).await;
    assert_eq!(later.location(), "/billing?done=plan-scheduled");
    assert!(browser.get("/billing").await.says("you are on Developer"));
    browser.post("/billing/plan/keep", &[]).await.location();
    assert_eq!(fixture.ledger.account(&account).await.unwrap().scheduled, None);
    assert!(browser.get("/billing").await.says("An export of what was billed"));
    let csv = browser.get("/billing/billed.csv").await.text;
    assert!(csv.contains("Credit pack starter"), "{csv}");
    let json: Value = serde_json::from_str(&browser.get("/billing/billed.json").await.text).unwrap();
    assert!(json["billed"][0]["total_cents"].as_u64().unwrap() > 0, "{json}");
    let page = browser.get("/billing").await;
    assert!(!page.says("portal") && !page.has("form[action='/billing/portal']"), "operators collect: {}", page.text);
    assert!(page.says("with number, addresses and VAT, are sent to you."), "{}", page.text);
    for fields in [[("plan", "huge"), ("interval", "monthly")], [("plan", "business"), ("interval", "monthly")]] {
        assert_eq!(browser.post("/billing/plan", &fields).await.status, StatusCode::CONFLICT, "{fields:?}");
    }
}

#[tokio::test]
async fn portal_is_offered_if_the_provider_has_one() {
    let fixture = ConsoleFixture::start_with_provider(Arc::new(ProviderWithPortal), |_| {}).await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let account = fixture.account_of("jane@example.org").await;
    let page = browser.get("/billing").await;
    assert_eq!(page.texts("form[action='/billing/portal'] button"), ["Open the payment provider’s portal"]);
    let portal = browser.post("/billing/portal", &[]).await;
    assert_eq!(portal.attribute("main a.button", "href"), format!("https://pay.example.org/{account}"));
}

#[tokio::test]
async fn order_is_summed_up_confirmed_and_withdrawn() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let account = fixture.account_of("jane@example.org").await;
    let page = browser.get("/billing/order?plan=growth&interval=yearly").await;
    for text in ["Plan Growth, paid yearly", "€790 a year (without VAT)", "renewed every year until", "14 days"] {
        assert!(page.says(text), "{text}: {}", page.text);
    }
    let page = browser.get("/billing/order?pack=starter").await;
    for text in ["Credit pack Starter", "€12 (without VAT)", "Nothing is renewed", "Order with obligation to pay"] {
        assert!(page.says(text), "{text}: {}", page.text);
    }
    for query in ["", "pack=huge", "plan=growth", "plan=business&interval=monthly"] {
        assert_eq!(browser.get(&format!("/billing/order?{query}")).await.status, 400, "{query}");
    }
    browser.post("/billing/pack", &[("pack", "starter")]).await.location();
    let order = fixture.ledger.orders(Some(&account)).await.unwrap().remove(0);
    let mail = fixture.mails(1).await.remove(0);
    for text in [
        "Subject: Your order at Limner",
        &order.id,
        "Credit pack Starter",
        "12 (without VAT)",
        "Withdrawal: Within 14 days",
    ] {
        assert!(mail.contains(text), "{text}: {mail}");
    }
    assert!(!browser.get("/billing").await.says("if unspent"), "it is not in effect");
    fixture.empty_mail();
    let desk = limner_metering::billing::BillingEngine::from(fixture.ledger.clone());
    desk.approve(&order.id).await.unwrap();
    assert!(browser.get("/billing").await.says("if unspent"));
    let mut other = fixture.member("eve@example.org").await.0;
    assert_eq!(other.post("/billing/withdraw", &[("order", &order.id)]).await.status, StatusCode::CONFLICT);
    let withdrawn = browser.post("/billing/withdraw", &[("order", &order.id)]).await;
    assert_eq!(withdrawn.location(), "/billing?done=withdrawn");
    assert_eq!(fixture.ledger.account_state(&account).await.unwrap().pack_balance, 0);
    let page = browser.get("/billing").await;
    assert!(page.says("withdrawn") && !page.says("if unspent"), "{}", page.text);
    let mail = fixture.mails(1).await.remove(0);
    assert!(mail.contains("Subject: Your withdrawal at Limner") && mail.contains(&order.id), "{mail}");
}

#[tokio::test]
async fn account_is_exported_and_closed() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, api_key) = fixture.member("jane@example.org").await;
    // With the password, so that closing requires it.
    browser.post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await.location();
    let export: Value = serde_json::from_str(&browser.post("/account/export", &[]).await.text).unwrap();
    assert_eq!(export["account"]["email"], "jane@example.org");
    assert_eq!((export["keys"].as_array().unwrap().len(), &export["calls_are_complete"]), (1, &Value::Bool(true)));
    let text = export.to_string();
    assert!(!text.contains(&api_key) && !text.contains("argon2"), "secrets are not data: {text}");
    for fields in
        [[("email", "eve@example.org"), ("password", PASSWORD)], [("email", "jane@example.org"), ("password", "x")]]
    {
        let refused = browser.post("/account/close", &fields).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{fields:?}");
    }
    let closed = browser.post("/account/close", &[("email", "jane@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(closed.location(), "/?done=closed");
    assert!(!key_works(&fixture.ledger, &api_key).await);
    for table in ["holder", "session", "audit", "link"] {
        let client = fixture.store.client().await.unwrap();
        let left = client.query_one(&format!("SELECT count(*) FROM console.{table}"), &[]).await.unwrap();
        assert_eq!(left.get::<_, i64>(0), 0, "{table}");
    }
    assert_eq!(
        fixture.browser().post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await.status,
        422
    );
}

#[tokio::test]
async fn sessions_of_other_browsers_end_on_demand_and_with_a_new_password() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let mut other = fixture.browser();
    other.post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await.location();
    browser.post("/account/sessions/end-others", &[]).await.location();
    assert_eq!(other.get("/keys").await.location(), "/sign-in");
    assert_eq!(browser.get("/keys").await.status, StatusCode::OK);
    other.post("/sign-in", &[("email", "jane@example.org"), ("password", PASSWORD)]).await.location();
    let weak = other.post("/account/password", &[("old", PASSWORD), ("new", "password1234")]).await;
    assert_eq!(weak.status, StatusCode::UNPROCESSABLE_ENTITY);
    let wrong = other.post("/account/password", &[("old", "wrong"), ("new", "an entirely different one 9")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let changed = other.post("/account/password", &[("old", PASSWORD), ("new", "an entirely different one 9")]).await;
    assert_eq!(changed.location(), "/account?done=password-changed");
    assert_eq!(browser.get("/keys").await.location(), "/sign-in", "a new password ends all other sessions");
}

#[tokio::test]
async fn playground_calls_with_a_key_of_its_own() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, own_key) = fixture.member("jane@example.org").await;
    let body = r#"{"url":"https://example.org/","images":[],"count":0,"usage":{"creditsSpent":1}}"#;
    fixture.gateway.on("/v1/images", CannedResponse::json(body));
    let page = browser.post("/playground", &[("operation", "images"), ("url", "example.org")]).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.says("1 credit") && page.says("0 found"), "{}", page.text);
    let seen = fixture.gateway.requests();
    let authorization = seen.last().unwrap().header("authorization").to_owned();
    let key = authorization.strip_prefix("Bearer ").unwrap();
    assert!(key != own_key && key_works(&fixture.ledger, key).await);
    assert!(!page.text.contains(key), "the page never contains the key");
    assert!(!browser.get("/keys").await.text.contains(&key[..14]), "it is not listed among the owner's keys");
    assert!(browser.get("/connections").await.says(&key[..14]));
    browser.post("/connections/playground/revoke", &[]).await.location();
    assert!(!key_works(&fixture.ledger, key).await);
    // The next call makes another one.
    browser.post("/playground", &[("operation", "images"), ("url", "example.org")]).await;
    let next = fixture.gateway.requests().last().unwrap().header("authorization").to_owned();
    assert_ne!(next, authorization);
}

#[tokio::test]
async fn calls_of_agents_are_shown_as_mcp() {
    let fixture = ConsoleFixture::start().await;
    let (mut jane, _) = fixture.member("jane@example.org").await;
    let account = fixture.account_of("jane@example.org").await;
    let made = fixture.ledger.create_mcp_key(&account, "MCP · Claude Code").await.unwrap();
    spend(&fixture.ledger, &account, &made.record.key_id, "req_agent", "https://example.org/a").await;
    assert!(jane.get("/usage").await.texts("span.tag").contains(&"MCP".to_owned()));
    assert!(jane.get("/usage/req_agent").await.says("MCP · Claude Code (a client that signed in)"));
    let csv = jane.get("/usage.csv").await.text;
    assert!(csv.contains("MCP · Claude Code") && csv.contains(",plan,mcp,"), "{csv}");
    assert!(!jane.get("/keys").await.text.contains("Claude Code"), "it is not listed among the owner's keys");
}
