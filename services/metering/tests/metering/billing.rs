//! Orders, subscriptions, invoices and webhook events, with and without Stripe.

use crate::stripe_server::{Fate, KEY, PERIOD, SECRET, StripeServer};
use crate::support::{Clock, account, assert_balanced, business, ledger, ledger_with_clock, spend};
use limner_metering::billing::stripe::{StripeConfig, StripeProvider};
use limner_metering::billing::{
    BillingEngine, BillingError, CheckoutOutcome, OrderState, PlanChangeOutcome, Prices, ReturnUrls,
};
use limner_metering::contract_terms::{BillingInterval, Currency};
use limner_metering::invoice::Invoice;
use limner_metering::{Config, Ledger, LedgerError, MeteringService, NewAccount};
use limner_types::{Pack, Plan};
use serde_json::{Value, json};
use std::sync::Arc;
use time::OffsetDateTime;
use tokio_util::sync::{CancellationToken, DropGuard};

pub(crate) const MONTHLY: BillingInterval = BillingInterval::Monthly;

pub(crate) fn return_urls() -> ReturnUrls {
    ReturnUrls {
        success_url: "https://limner.test/paid".to_owned(),
        cancel_url: "https://limner.test/not-paid".to_owned(),
    }
}

/// Metering with Stripe, and the address of its webhook endpoint.
pub(crate) struct Shop {
    pub(crate) stripe: StripeServer,
    pub(crate) billing: BillingEngine,
    pub(crate) ledger: Ledger,
    pub(crate) clock: Clock,
    /// Address of its gRPC services.
    pub(crate) address: String,
    webhooks: String,
    _running: DropGuard,
}

impl Shop {
    pub(crate) async fn open() -> Self {
        let stripe = StripeServer::start().await;
        let (ledger, clock) = ledger_with_clock("2026-11-21T12:00:00Z").await;
        let provider = StripeProvider::new(StripeConfig {
            api_url: stripe.url.clone(),
            secret_key: KEY.to_owned(),
            webhook_secrets: vec!["whsec_old".to_owned(), SECRET.to_owned()],
            ..StripeConfig::default()
        });
        let billing = BillingEngine::new(ledger.clone(), Arc::new(provider.unwrap()), Prices::default());
        let config = Config { webhooks: Some(([127, 0, 0, 1], 0).into()), ..Config::default() };
        // Tests compare with Stripe when they want to.
        clock.complete_job("reconcile").await;
        let service = MeteringService::bind(config, billing.clone()).await.unwrap();
        let address = format!("http://{}", service.local_addr());
        let webhooks = format!("http://{}/webhooks/stripe", service.webhooks_addr().unwrap());
        let shutdown = CancellationToken::new();
        tokio::spawn(service.run(shutdown.clone()));
        Self { stripe, billing, ledger, clock, address, webhooks, _running: shutdown.drop_guard() }
    }

    /// Sends a webhook event about a Stripe object, signed now; returns the response status.
    pub(crate) async fn send_webhook(&self, id: &str, kind: &str, about: &str) -> u16 {
        self.tell_at(id, kind, about, 0).await
    }

    async fn tell_at(&self, id: &str, kind: &str, about: &str, seconds_ago: i64) -> u16 {
        let moment = OffsetDateTime::now_utc().unix_timestamp() - seconds_ago;
        let (body, signature) = self.stripe.message(id, kind, &self.stripe.object(about), moment);
        self.post(body, Some(&signature)).await
    }

    async fn post(&self, body: String, signature: Option<&str>) -> u16 {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut request = client.post(&self.webhooks).body(body);
        if let Some(signature) = signature {
            request = request.header("stripe-signature", signature);
        }
        request.send().await.unwrap().status().as_u16()
    }

    /// Creates an account whose plan is paid by a subscription; returns both ids.
    pub(crate) async fn subscribed(&self, plan: Plan, interval: BillingInterval) -> (String, String) {
        let id = account(&self.ledger, Plan::Free).await.state.account_id;
        let session = self.order(&id, plan, interval).await;
        let subscription = self.stripe.pay(&session).unwrap();
        assert_eq!(self.send_webhook(&format!("evt_{session}"), "checkout.session.completed", &session).await, 200);
        assert_eq!(self.ledger.account_state(&id).await.unwrap().plan, plan);
        (id, subscription)
    }

    pub(crate) async fn order(&self, id: &str, plan: Plan, interval: BillingInterval) -> String {
        match self.billing.order_plan(id, plan, interval, &return_urls()).await.unwrap() {
            PlanChangeOutcome::Ordered(_, CheckoutOutcome::Page { reference, .. }) => reference,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn plan(&self, id: &str) -> Plan {
        self.ledger.account_state(id).await.unwrap().plan
    }
}

#[tokio::test]
async fn pack_is_added_when_it_is_paid_and_once() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (order, checkout) = shop.billing.order_pack(&id, Pack::Builder, &return_urls()).await.unwrap();
    let CheckoutOutcome::Page { url, reference } = checkout else { panic!("{checkout:?}") };
    assert!(url.starts_with("https://checkout.stripe.test/"));
    let session = shop.stripe.object(&reference);
    assert_eq!((session["amount"].as_u64(), &session["currency"]), (Some(order.amount_cents), &json!("eur")));
    let balance = async || shop.ledger.account_state(&id).await.unwrap().pack_balance;

    // The event arrives before the payment: no effect yet.
    assert_eq!(shop.send_webhook("evt_1", "checkout.session.completed", &reference).await, 200);
    assert_eq!(balance().await, 0);
    shop.stripe.pay(&reference);
    for message in ["evt_2", "evt_2", "evt_3"] {
        assert_eq!(shop.send_webhook(message, "checkout.session.async_payment_succeeded", &reference).await, 200);
        assert_eq!(balance().await, 5_000, "{message}");
    }
    assert_eq!(shop.ledger.order(&order.id).await.unwrap().state, OrderState::Fulfilled);
    // An older event that arrives late changes nothing: the current state is read from Stripe.
    assert_eq!(shop.send_webhook("evt_0", "checkout.session.expired", &reference).await, 200);
    assert_eq!(shop.ledger.order(&order.id).await.unwrap().state, OrderState::Fulfilled);
    assert_eq!((shop.stripe.writes("customers"), shop.ledger.invoices(&id).await.unwrap().len()), (1, 0));
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn expired_checkout_changes_nothing() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let session = shop.order(&id, Plan::Growth, MONTHLY).await;
    shop.stripe.change(&session, json!({"status": "expired"}));
    assert_eq!(shop.send_webhook("evt_1", "checkout.session.expired", &session).await, 200);
    let orders = shop.ledger.orders(Some(&id)).await.unwrap();
    assert_eq!((orders[0].state, shop.plan(&id).await), (OrderState::Declined, Plan::Free));
}

#[tokio::test]
async fn plan_is_in_effect_as_soon_as_it_is_paid() {
    let shop = Shop::open().await;
    let (id, subscription) = shop.subscribed(Plan::Growth, BillingInterval::Yearly).await;
    let record = shop.ledger.account(&id).await.unwrap();
    assert_eq!((record.billing_interval, record.state.overage_enabled), (BillingInterval::Yearly, true));
    let prices = shop.stripe.objects("price");
    assert_eq!((&prices[0]["unit_amount"], &prices[0]["recurring"]["interval"]), (&json!(79_000), &json!("year")));
    let metadata = &shop.stripe.object(&subscription)["metadata"];
    assert_eq!((&metadata["limner_plan"], &metadata["limner_account"]), (&json!("growth"), &json!(id)));
}

#[tokio::test]
async fn upgrade_takes_effect_at_once() {
    let shop = Shop::open().await;
    let (id, subscription) = shop.subscribed(Plan::Developer, MONTHLY).await;
    spend(&shop.ledger, &id, "most", 4_000).await;
    let price = |stripe: &StripeServer| stripe.object(&subscription)["items"]["data"][0]["price"]["id"].clone();
    let before = price(&shop.stripe);
    // A request that Stripe answers with 429 is retried.
    shop.stripe.next_requests(&[Fate::Busy, Fate::Busy]);
    let answer = shop.billing.order_plan(&id, Plan::Scale, MONTHLY, &return_urls()).await.unwrap();
    let PlanChangeOutcome::Done(state) = answer else { panic!("{answer:?}") };
    assert_eq!((state.plan, state.plan_spent, state.remaining()), (Plan::Scale, 4_000, Some(196_000)));
    assert_ne!(price(&shop.stripe), before);
    assert_eq!(shop.stripe.object(&subscription)["metadata"]["limner_plan"], "scale");
    // The webhook event for the upgrade changes nothing more.
    let version = shop.ledger.account_state(&id).await.unwrap().version;
    assert_eq!(shop.send_webhook("evt_u", "customer.subscription.updated", &subscription).await, 200);
    assert_eq!(shop.ledger.account_state(&id).await.unwrap().version, version);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn upgrade_that_is_not_paid_changes_nothing() {
    let shop = Shop::open().await;
    let (id, subscription) = shop.subscribed(Plan::Developer, MONTHLY).await;
    shop.stripe.decline_cards(true);
    let answer = shop.billing.order_plan(&id, Plan::Growth, MONTHLY, &return_urls()).await;
    assert!(matches!(answer, Err(LedgerError::Billing(BillingError::Declined(_)))), "{answer:?}");
    assert_eq!(shop.plan(&id).await, Plan::Developer);
    assert_eq!(shop.stripe.object(&subscription)["metadata"]["limner_plan"], "developer");
    shop.stripe.decline_cards(false);
    shop.billing.order_plan(&id, Plan::Growth, MONTHLY, &return_urls()).await.unwrap();
    assert_eq!(shop.plan(&id).await, Plan::Growth);
}

#[tokio::test]
async fn downgrade_waits_at_stripe_and_here() {
    let shop = Shop::open().await;
    let (id, subscription) = shop.subscribed(Plan::Scale, MONTHLY).await;
    let PlanChangeOutcome::Scheduled(later) =
        shop.billing.order_plan(&id, Plan::Developer, MONTHLY, &return_urls()).await.unwrap()
    else {
        panic!("later")
    };
    assert_eq!((later.plan, later.effective.as_str()), (Plan::Developer, "2026-12-01"));
    let schedule = shop.stripe.object(shop.stripe.object(&subscription)["schedule"].as_str().unwrap());
    assert_eq!(
        (&schedule["phases"][0]["end_date"], &schedule["end_behavior"]),
        (&json!(PERIOD.1.to_string()), &json!("release"))
    );
    assert_eq!(shop.send_webhook("evt_1", "customer.subscription.updated", &subscription).await, 200);
    assert_eq!(shop.plan(&id).await, Plan::Scale, "the paid plan stays until its period ends");

    // Another downgrade replaces the scheduled one, and ordering the current plan cancels it.
    shop.billing.order_plan(&id, Plan::Free, MONTHLY, &return_urls()).await.unwrap();
    assert_eq!(shop.stripe.object(&subscription)["cancel_at_period_end"], true);
    let PlanChangeOutcome::Done(_) = shop.billing.order_plan(&id, Plan::Scale, MONTHLY, &return_urls()).await.unwrap()
    else {
        panic!()
    };
    let kept = shop.stripe.object(&subscription);
    assert_eq!((&kept["cancel_at_period_end"], &kept["schedule"]), (&json!(false), &Value::Null));
    assert_eq!(shop.ledger.account(&id).await.unwrap().scheduled, None);

    shop.billing.order_plan(&id, Plan::Growth, MONTHLY, &return_urls()).await.unwrap();
    shop.clock.set("2026-12-01T00:00:01Z").await;
    assert_eq!(shop.plan(&id).await, Plan::Growth);
    shop.stripe.renew(&subscription);
    assert_eq!(shop.send_webhook("evt_2", "customer.subscription.updated", &subscription).await, 200);
    assert_eq!(shop.plan(&id).await, Plan::Growth);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn subscription_that_ends_leaves_the_free_plan_and_the_packs() {
    let shop = Shop::open().await;
    let (id, subscription) = shop.subscribed(Plan::Growth, MONTHLY).await;
    shop.ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap();
    shop.stripe.change(&subscription, json!({"cancel_at_period_end": true}));
    shop.stripe.renew(&subscription);
    assert_eq!(shop.send_webhook("evt_1", "customer.subscription.deleted", &subscription).await, 200);
    let state = shop.ledger.account_state(&id).await.unwrap();
    assert_eq!((state.plan, state.monthly_limit, state.pack_balance), (Plan::Free, Some(300), 500));
    // A new subscription may begin.
    let session = shop.order(&id, Plan::Developer, MONTHLY).await;
    shop.stripe.pay(&session);
    assert_eq!(shop.send_webhook("evt_2", "checkout.session.completed", &session).await, 200);
    assert_eq!(shop.plan(&id).await, Plan::Developer);
}

#[tokio::test]
async fn failed_payment_suspends_until_nothing_is_owed() {
    let shop = Shop::open().await;
    let (id, _) = shop.subscribed(Plan::Growth, MONTHLY).await;
    let customer = shop.stripe.objects("customer")[0]["id"].clone();
    let suspended = async || shop.ledger.account_state(&id).await.unwrap().suspended;
    let owed = |name: &str, next: Value| {
        let invoice = json!({"id": name, "object": "invoice", "customer": customer, "status": "open", "attempted": true,
                             "next_payment_attempt": next, "metadata": {}});
        shop.stripe.insert(name, invoice);
    };
    owed("in_a", json!(PERIOD.1));
    assert_eq!(shop.send_webhook("evt_1", "invoice.payment_failed", "in_a").await, 200);
    assert!(!suspended().await, "Stripe tries again");
    shop.stripe.change("in_a", json!({"next_payment_attempt": null}));
    owed("in_b", Value::Null);
    for (message, invoice) in [("evt_2", "in_a"), ("evt_3", "in_b")] {
        assert_eq!(shop.send_webhook(message, "invoice.payment_failed", invoice).await, 200);
        assert!(suspended().await);
    }
    for (message, invoice, still) in [("evt_4", "in_a", true), ("evt_5", "in_b", false)] {
        shop.stripe.change(invoice, json!({"status": "paid"}));
        assert_eq!(shop.send_webhook(message, "invoice.paid", invoice).await, 200);
        assert_eq!(suspended().await, still, "{invoice}");
    }
    // The failure event arrives late: the invoice is paid by now.
    assert_eq!(shop.send_webhook("evt_6", "invoice.payment_failed", "in_a").await, 200);
    assert!(!suspended().await);
    // An operator's suspension is not ended by a payment.
    shop.ledger.suspend(&id).await.unwrap();
    assert_eq!(shop.send_webhook("evt_7", "invoice.paid", "in_b").await, 200);
    assert!(suspended().await);
}

#[tokio::test]
async fn messages_are_taken_only_from_stripe_and_only_fresh() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (_, checkout) = shop.billing.order_pack(&id, Pack::TopUp, &return_urls()).await.unwrap();
    let CheckoutOutcome::Page { reference, .. } = checkout else { panic!() };
    shop.stripe.pay(&reference);
    let balance = async || shop.ledger.account_state(&id).await.unwrap().pack_balance;
    let now = OffsetDateTime::now_utc().unix_timestamp();
    let kind = "checkout.session.completed";
    let (body, signature) = shop.stripe.message("evt_1", kind, &shop.stripe.object(&reference), now);
    assert_eq!(shop.post(body.clone(), None).await, 400);
    assert_eq!(shop.post(body.clone(), Some("t=1,v1=00")).await, 400);
    assert_eq!(shop.post(body.replace("evt_1", "evt_2"), Some(&signature)).await, 400);
    for seconds_ago in [301, 86_400, -400] {
        assert_eq!(shop.tell_at("evt_1", kind, &reference, seconds_ago).await, 400, "{seconds_ago}");
    }
    assert_eq!(balance().await, 0);
    // A recorded event, replayed within the tolerance, is recognised.
    for _ in 0..3 {
        assert_eq!(shop.post(body.clone(), Some(&signature)).await, 200);
        assert_eq!(balance().await, 500);
    }
    assert_eq!(shop.tell_at("evt_3", "customer.created", &reference, 60).await, 200, "other event types are ignored");
    let elsewhere = shop.webhooks.replace("stripe", "paypal");
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    assert_eq!(client.post(elsewhere).body(body).send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn event_that_could_not_be_handled_is_sent_again() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let session = shop.order(&id, Plan::Growth, MONTHLY).await;
    shop.stripe.pay(&session);
    shop.stripe.next_requests(&[Fate::Busy; 3]);
    assert_eq!(shop.send_webhook("evt_1", "checkout.session.completed", &session).await, 503);
    assert_eq!(shop.plan(&id).await, Plan::Free);
    assert_eq!(shop.send_webhook("evt_1", "checkout.session.completed", &session).await, 200);
    assert_eq!(shop.plan(&id).await, Plan::Growth);
}

#[tokio::test]
async fn checkout_of_another_customer_is_no_payment_of_this_one() {
    let shop = Shop::open().await;
    let mine = account(&shop.ledger, Plan::Free).await.state.account_id;
    let theirs = account(&shop.ledger, Plan::Free).await.state.account_id;
    let session = shop.order(&mine, Plan::Scale, MONTHLY).await;
    shop.order(&theirs, Plan::Developer, MONTHLY).await;
    shop.stripe.pay(&session);
    let customers = shop.stripe.objects("customer");
    let other = customers.iter().find(|customer| customer["metadata"]["limner_account"] == theirs.as_str()).unwrap();
    shop.stripe.change(&session, json!({"customer": other["id"]}));
    assert_eq!(shop.send_webhook("evt_1", "checkout.session.completed", &session).await, 400);
    assert_eq!((shop.plan(&mine).await, shop.plan(&theirs).await), (Plan::Free, Plan::Free));
    // A subscription of a customer that is not ours is ignored.
    let stranger = json!({"id": "sub_x", "object": "subscription", "customer": "cus_x", "status": "active",
                          "cancel_at_period_end": false, "schedule": null, "items": {"data": []},
                          "metadata": {"limner_plan": "scale", "limner_interval": "monthly"}});
    shop.stripe.insert("sub_x", stranger);
    assert_eq!(shop.send_webhook("evt_2", "customer.subscription.updated", "sub_x").await, 200);
}

/// Returns an invoice of an account with overage in that currency.
async fn overage(shop: &Shop, currency: Currency) -> Invoice {
    let new = NewAccount { currency, ..NewAccount::new("a@example.org", Plan::Developer) };
    let id = shop.ledger.create_account(&new).await.unwrap().state.account_id;
    spend(&shop.ledger, &id, &format!("{id} developer"), 6_500).await;
    shop.ledger.set_plan(&id, Plan::Growth).await.unwrap();
    spend(&shop.ledger, &id, &format!("{id} growth"), 30_000).await;
    shop.clock.set("2026-12-02T00:00:00Z").await;
    let close = shop.ledger.close_periods(None).await.unwrap();
    shop.clock.set("2026-12-02T00:00:01Z").await;
    close.invoices.into_iter().find(|invoice| invoice.account_id == id).unwrap()
}

#[tokio::test]
async fn overage_becomes_an_invoice_of_stripes_with_every_line_once() {
    let shop = Shop::open().await;
    let invoice = overage(&shop, Currency::Usd).await;
    // Every response is lost once: the request is retried and must not take effect twice.
    shop.stripe.next_requests(&[Fate::AnswerLost; 2]);
    assert_eq!(shop.billing.submit_invoices().await.unwrap(), std::slice::from_ref(&invoice.id));
    let made = shop.stripe.objects("invoice");
    assert_eq!(made.len(), 1);
    assert_eq!((&made[0]["status"], &made[0]["currency"]), (&json!("open"), &json!("usd")));
    assert_eq!((&made[0]["collection_method"], &made[0]["days_until_due"]), (&json!("send_invoice"), &json!("14")));
    let lines = shop.stripe.objects("invoiceitem");
    let told: Vec<_> =
        lines.iter().map(|line| (line["amount"].as_u64().unwrap(), line["description"].as_str().unwrap())).collect();
    assert_eq!(
        told,
        [
            (750, "Overage on plan developer: 1500 credits at USD 5.00 per 1,000"),
            (2_000, "Overage on plan growth: 5000 credits at USD 4.00 per 1,000"),
        ]
    );
    assert_eq!(told.iter().map(|(amount, _)| amount).sum::<u64>(), invoice.total_cents);
    let stored = shop.ledger.invoices(&invoice.account_id).await.unwrap().remove(0);
    assert_eq!(stored.provider_reference.as_deref(), made[0]["id"].as_str());
    assert_eq!(shop.billing.submit_invoices().await.unwrap(), [] as [String; 0]);
}

#[tokio::test]
async fn invoice_that_was_begun_before_a_crash_is_completed_not_repeated() {
    let shop = Shop::open().await;
    let invoice = overage(&shop, Currency::Eur).await;
    // Requests up to the first line arrive; then Stripe is down for longer than the retries last.
    shop.stripe.fail_after_writes("invoiceitems", 1);
    let refused = shop.billing.submit_invoices().await;
    assert!(matches!(refused, Err(LedgerError::Billing(BillingError::Invoice { .. }))), "{refused:?}");
    assert_eq!(shop.stripe.objects("invoiceitem").len(), 1);
    // Days later Stripe has forgotten all idempotency keys. Other invoices of the customer fill more than one page.
    shop.stripe.forget_keys();
    let customer = shop.stripe.objects("customer")[0]["id"].clone();
    for n in 0..3 {
        let other = json!({"id": format!("in_9999{n}"), "object": "invoice", "customer": customer, "status": "paid", "metadata": {}});
        shop.stripe.insert(&format!("in_9999{n}"), other);
    }
    assert_eq!(shop.billing.submit_invoices().await.unwrap(), std::slice::from_ref(&invoice.id));
    let ours = |object: &Value| object["metadata"]["limner_invoice"] == invoice.id.as_str();
    assert_eq!(shop.stripe.objects("invoice").iter().filter(|object| ours(object)).count(), 1);
    assert_eq!(shop.stripe.objects("invoiceitem").len(), 2);
}

#[tokio::test]
async fn subscriber_is_charged_automatically_and_manages_cards_at_stripe() {
    let shop = Shop::open().await;
    let (id, _) = shop.subscribed(Plan::Developer, MONTHLY).await;
    spend(&shop.ledger, &id, "over", 6_000).await;
    shop.clock.set("2026-12-02T00:00:00Z").await;
    shop.ledger.close_periods(None).await.unwrap();
    shop.billing.submit_invoices().await.unwrap();
    assert_eq!(shop.stripe.objects("invoice")[0]["collection_method"], "charge_automatically");
    let portal = shop.billing.portal(&id, "https://limner.test/billing").await.unwrap();
    assert!(portal.starts_with("https://billing.stripe.test/p/cus_"), "{portal}");
}

#[tokio::test]
async fn orders_without_a_payment_provider_are_approved_by_an_operator() {
    let ledger = ledger().await;
    let billing = BillingEngine::from(ledger.clone());
    let id = account(&ledger, Plan::Free).await.state.account_id;
    let (pack, checkout) = billing.order_pack(&id, Pack::Pro, &return_urls()).await.unwrap();
    assert_eq!(checkout, CheckoutOutcome::Pending);
    let PlanChangeOutcome::Ordered(plan, CheckoutOutcome::Pending) =
        billing.order_plan(&id, Plan::Growth, MONTHLY, &return_urls()).await.unwrap()
    else {
        panic!("the order needs an approval")
    };
    assert_eq!(ledger.account_state(&id).await.unwrap().pack_balance, 0, "nothing is granted before the approval");
    assert_eq!(ledger.orders(None).await.unwrap(), [pack.clone(), plan.clone()]);
    for _ in 0..2 {
        assert_eq!(billing.approve(&pack.id).await.unwrap().state, OrderState::Fulfilled);
        assert_eq!(billing.approve(&plan.id).await.unwrap().state, OrderState::Fulfilled);
    }
    assert_eq!(
        billing.decline(&pack.id).await.unwrap().state,
        OrderState::Fulfilled,
        "a fulfilled order stays fulfilled"
    );
    let state = ledger.account_state(&id).await.unwrap();
    assert_eq!((state.plan, state.pack_balance), (Plan::Growth, 15_000));
    let mut billed: Vec<_> = ledger
        .invoices(&id)
        .await
        .unwrap()
        .iter()
        .map(|invoice| (invoice.lines[0].description.clone(), invoice.total_cents))
        .collect();
    billed.sort();
    assert_eq!(billed, [("Credit pack pro".to_owned(), 9_000), ("Plan growth, monthly".to_owned(), 7_900)]);
    assert_eq!(billing.submit_invoices().await.unwrap().len(), 2);

    let PlanChangeOutcome::Scheduled(_) = billing.order_plan(&id, Plan::Free, MONTHLY, &return_urls()).await.unwrap()
    else {
        panic!()
    };
    let (lost, _) = billing.order_pack(&id, Pack::TopUp, &return_urls()).await.unwrap();
    assert_eq!(billing.decline(&lost.id).await.unwrap().state, OrderState::Declined);
    assert_eq!(billing.approve(&lost.id).await.unwrap().state, OrderState::Declined);
    assert_eq!(ledger.account_state(&id).await.unwrap().pack_balance, 15_000);
    assert!(!billing.has_portal());
    assert!(matches!(billing.portal(&id, "x").await, Err(LedgerError::Billing(BillingError::Unsupported(_)))));
    assert!(matches!(billing.approve("ord_none").await, Err(LedgerError::Invalid(_))));
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn business_is_agreed_in_person() {
    let ledger = ledger().await;
    let billing = BillingEngine::from(ledger.clone());
    let free = account(&ledger, Plan::Free).await.state.account_id;
    let agreed = business(&ledger, Some(10), true).await;
    for (id, plan) in [(&free, Plan::Business), (&agreed, Plan::Scale)] {
        let answer = billing.order_plan(id, plan, MONTHLY, &return_urls()).await;
        assert!(matches!(answer, Err(LedgerError::Invalid(_))), "{answer:?}");
    }
    billing.order_pack(&agreed, Pack::TopUp, &return_urls()).await.unwrap();
}

#[test]
fn stripe_without_its_secrets_is_refused() {
    let config = |key: &str, secrets: &[&str]| StripeConfig {
        secret_key: key.to_owned(),
        webhook_secrets: secrets.iter().map(|secret| (*secret).to_owned()).collect(),
        ..StripeConfig::default()
    };
    for (key, secrets) in [("", &["whsec_1"][..]), ("sk_1", &[]), ("sk_1", &[""]), ("sk\n1", &["whsec_1"])] {
        assert!(StripeProvider::new(config(key, secrets)).is_err(), "{key:?} {secrets:?}");
    }
    let shown = format!("{:?}", config("sk_hidden", &["whsec_hidden"]));
    assert!(!shown.contains("hidden"), "{shown}");
}
