//! Orders over gRPC, as the console places them.

use crate::billing::Shop;
use crate::support::{account, assert_balanced, ledger, spend};
use limner_metering::{Config, MeteringService, NewAccount};
use limner_proto::v1;
use limner_proto::v1::billing_service_client::BillingServiceClient;
use limner_proto::v1::order_plan_response::Outcome;
use limner_types::Plan;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tonic::Code;
use tonic::transport::Channel;

type Client = BillingServiceClient<Channel>;

fn return_urls() -> Option<v1::CheckoutReturn> {
    let page = |name: &str| format!("https://console.limner.test/{name}");
    Some(v1::CheckoutReturn { success_url: page("paid"), cancel_url: page("not-paid") })
}

fn pack(account: &str, pack: &str) -> v1::OrderPackRequest {
    v1::OrderPackRequest { account_id: account.to_owned(), pack: pack.to_owned(), back: return_urls() }
}

async fn order_plan(client: &mut Client, account: &str, plan: &str, interval: &str) -> Outcome {
    let request = v1::OrderPlanRequest {
        account_id: account.to_owned(),
        plan: plan.to_owned(),
        billing_interval: interval.to_owned(),
        back: return_urls(),
    };
    client.order_plan(request).await.unwrap().into_inner().outcome.unwrap()
}

/// Returns the only open checkout at Stripe.
fn open_session(shop: &Shop) -> String {
    let sessions = shop.stripe.objects("checkout.session");
    let open: Vec<_> = sessions.iter().filter(|session| session["status"] == "open").collect();
    assert_eq!(open.len(), 1, "{sessions:?}");
    open[0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn pack_and_a_plan_are_bought_at_stripe() {
    let shop = Shop::open().await;
    let mut client = Client::connect(shop.address.clone()).await.unwrap();
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;

    let placed = client.order_pack(pack(&id, "starter")).await.unwrap().into_inner().order.unwrap();
    let order = placed.order.unwrap();
    assert!(placed.checkout_url.unwrap().starts_with("https://checkout.stripe.test/"));
    assert_eq!((order.pack.as_deref(), order.plan, order.state.as_str()), (Some("starter"), None, "open"));
    assert_eq!((order.currency.as_str(), order.amount_cents), ("eur", 1_200));
    let session = open_session(&shop);
    assert_eq!(shop.stripe.object(&session)["success_url"], json!(return_urls().unwrap().success_url));
    assert_eq!(shop.stripe.objects("price")[0]["tax_code"], "txcd_10103001");
    shop.stripe.pay(&session);
    assert_eq!(shop.send_webhook("evt_1", "checkout.session.completed", &session).await, 200);
    assert_eq!(shop.ledger.account_state(&id).await.unwrap().pack_balance, 1_500);

    let Outcome::Order(placed) = order_plan(&mut client, &id, "growth", "yearly").await else { panic!("to be paid") };
    let order = placed.order.unwrap();
    assert_eq!((order.plan.as_deref(), order.billing_interval.as_deref()), (Some("growth"), Some("yearly")));
    assert_eq!(order.amount_cents, 79_000);
    assert_eq!(shop.ledger.account_state(&id).await.unwrap().plan, Plan::Free, "not before it is paid");
    let session = open_session(&shop);
    shop.stripe.pay(&session);
    assert_eq!(shop.send_webhook("evt_2", "checkout.session.completed", &session).await, 200);
    assert_eq!(shop.ledger.account_state(&id).await.unwrap().plan, Plan::Growth);

    let Outcome::Account(upgraded) = order_plan(&mut client, &id, "scale", "yearly").await else { panic!("at once") };
    assert_eq!((upgraded.plan.as_str(), upgraded.monthly_limit), ("scale", Some(200_000)));
    let Outcome::Scheduled(later) = order_plan(&mut client, &id, "developer", "monthly").await else { panic!("later") };
    assert_eq!((later.plan.as_str(), later.effective.as_str()), ("developer", "2026-12-01"));
    let kept = client.keep_plan(v1::KeepPlanRequest { account_id: id.clone() }).await.unwrap().into_inner();
    assert_eq!(kept.account.unwrap().plan, "scale");
    assert_eq!(shop.ledger.account(&id).await.unwrap().scheduled, None);

    let orders = client.list_orders(v1::ListOrdersRequest { account_id: id.clone() }).await.unwrap().into_inner();
    let told: Vec<_> = orders.orders.iter().map(|order| order.state.as_str()).collect();
    assert_eq!(told, ["fulfilled", "fulfilled"]);
    let offers = v1::ListOffersRequest { account_id: id.clone(), currency: String::new() };
    assert!(client.list_offers(offers).await.unwrap().into_inner().has_portal);
    let request =
        v1::OpenPortalRequest { account_id: id, return_url: "https://console.limner.test/billing".to_owned() };
    let portal = client.open_portal(request).await.unwrap().into_inner();
    assert!(portal.url.starts_with("https://billing.stripe.test/p/cus_"), "{}", portal.url);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn declined_card_changes_nothing_and_says_so() {
    let shop = Shop::open().await;
    let mut client = Client::connect(shop.address.clone()).await.unwrap();
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    order_plan(&mut client, &id, "developer", "monthly").await;
    let session = open_session(&shop);
    shop.stripe.pay(&session);
    assert_eq!(shop.send_webhook("evt_1", "checkout.session.completed", &session).await, 200);
    shop.stripe.decline_cards(true);
    let request = v1::OrderPlanRequest {
        account_id: id.clone(),
        plan: "growth".to_owned(),
        billing_interval: "monthly".to_owned(),
        back: return_urls(),
    };
    let declined = client.order_plan(request).await.unwrap_err();
    assert_eq!(declined.code(), Code::FailedPrecondition);
    assert!(declined.message().contains("payment was refused"), "{declined:?}");
    assert_eq!(shop.ledger.account_state(&id).await.unwrap().plan, Plan::Developer);
}

#[tokio::test]
async fn offers_are_in_the_accounts_currency() {
    let shop = Shop::open().await;
    let mut client = Client::connect(shop.address.clone()).await.unwrap();
    let new = NewAccount {
        currency: limner_metering::contract_terms::Currency::Usd,
        ..NewAccount::new("a@x.org", Plan::Free)
    };
    let id = shop.ledger.create_account(&new).await.unwrap().state.account_id;
    let offers = client
        .list_offers(v1::ListOffersRequest { account_id: id, ..v1::ListOffersRequest::default() })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(offers.currency, "usd");
    let plans: Vec<_> = offers
        .plans
        .iter()
        .map(|offer| (offer.plan.as_str(), offer.billing_interval.as_str(), offer.amount_cents, offer.monthly_credits))
        .collect();
    assert_eq!(
        plans,
        [
            ("free", "monthly", 0, 300),
            ("developer", "monthly", 1_900, 5_000),
            ("developer", "yearly", 19_000, 5_000),
            ("growth", "monthly", 7_900, 30_000),
            ("growth", "yearly", 79_000, 30_000),
            ("scale", "monthly", 19_900, 200_000),
            ("scale", "yearly", 199_000, 200_000),
        ]
    );
    let terms = |plan: &str| {
        let offer = offers.plans.iter().find(|offer| offer.plan == plan).unwrap();
        (offer.requests_per_minute, offer.overage_rate_cents)
    };
    assert_eq!((terms("free"), terms("scale")), ((30, None), (300, Some(300))));
    let packs: Vec<_> = offers.packs.iter().map(|offer| (offer.pack.as_str(), offer.credits)).collect();
    assert_eq!(packs, [("top-up", 500), ("starter", 1_500), ("builder", 5_000), ("pro", 15_000)]);
}

#[tokio::test]
async fn operators_collect_without_a_payment_provider() {
    let ledger = ledger().await;
    let service = MeteringService::bind(Config::default(), ledger.clone()).await.unwrap();
    let address = format!("http://{}", service.local_addr());
    let shutdown = CancellationToken::new();
    let running = tokio::spawn(service.run(shutdown.clone()));
    let mut client = Client::connect(address).await.unwrap();
    let id = account(&ledger, Plan::Developer).await.state.account_id;

    let placed = client.order_pack(pack(&id, "top-up")).await.unwrap().into_inner().order.unwrap();
    assert_eq!(placed.checkout_url, None, "an operator approves it");
    assert_eq!(ledger.account_state(&id).await.unwrap().pack_balance, 0);
    let off = v1::SetOverageRequest { account_id: id.clone(), enabled: false };
    assert!(!client.set_overage(off).await.unwrap().into_inner().account.unwrap().overage_enabled);
    let offers = v1::ListOffersRequest { account_id: id.clone(), currency: String::new() };
    assert!(!client.list_offers(offers).await.unwrap().into_inner().has_portal);
    let portal = v1::OpenPortalRequest { account_id: id.clone(), return_url: "https://x.test/".to_owned() };
    assert_eq!(client.open_portal(portal).await.unwrap_err().code(), Code::FailedPrecondition);

    // Billed overage, line by line.
    ledger.set_overage(&id, true).await.unwrap();
    spend(&ledger, &id, "over", 6_500).await;
    let next_year = time::OffsetDateTime::now_utc().date() + time::Duration::days(366);
    ledger.close_periods(Some(next_year)).await.unwrap();
    let request = v1::ListInvoicesRequest { account_id: id.clone() };
    let invoices = client.list_invoices(request).await.unwrap().into_inner().invoices;
    let line = &invoices[0].lines[0];
    assert_eq!((line.quantity, line.rate_cents_per_1000, line.amount_cents), (1_500, Some(400), 600));
    assert_eq!((invoices[0].total_cents, line.kind.as_str()), (600, "overage"));
    shutdown.cancel();
    running.await.unwrap().unwrap();
}

#[tokio::test]
async fn errors_map_to_grpc_status_codes() {
    let ledger = ledger().await;
    let service = MeteringService::bind(Config::default(), ledger.clone()).await.unwrap();
    let address = format!("http://{}", service.local_addr());
    let shutdown = CancellationToken::new();
    tokio::spawn(service.run(shutdown.clone()));
    let _running = shutdown.drop_guard();
    let mut client = Client::connect(address).await.unwrap();
    let id = account(&ledger, Plan::Free).await.state.account_id;
    let to = |url: &str| Some(v1::CheckoutReturn { success_url: url.to_owned(), cancel_url: url.to_owned() });
    for (request, code) in [
        (pack("acc_none", "pro"), Code::NotFound),
        (pack(&id, "huge"), Code::InvalidArgument),
        (v1::OrderPackRequest { back: None, ..pack(&id, "pro") }, Code::InvalidArgument),
        (v1::OrderPackRequest { back: to("javascript:alert(1)"), ..pack(&id, "pro") }, Code::InvalidArgument),
    ] {
        assert_eq!(client.order_pack(request.clone()).await.unwrap_err().code(), code, "{request:?}");
    }
    let plan = |plan: &str, billing_interval: &str| v1::OrderPlanRequest {
        account_id: id.clone(),
        plan: plan.to_owned(),
        billing_interval: billing_interval.to_owned(),
        back: return_urls(),
    };
    for request in [plan("business", "monthly"), plan("growth", "daily"), plan("Growth", "monthly")] {
        assert_eq!(client.order_plan(request).await.unwrap_err().code(), Code::InvalidArgument);
    }
    let overage = v1::SetOverageRequest { account_id: id.clone(), enabled: true };
    assert_eq!(client.set_overage(overage).await.unwrap_err().code(), Code::FailedPrecondition);
    let orders = v1::ListOrdersRequest { account_id: "acc_none".to_owned() };
    assert_eq!(client.list_orders(orders).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(ledger.orders(Some(&id)).await.unwrap(), [], "no order was placed");
}
