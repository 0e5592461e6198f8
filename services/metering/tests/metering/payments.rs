//! Payments that are late, duplicate, out of order or not owed; suspensions; and accounts that are closed while they
//! owe.

use crate::billing::{MONTHLY, Shop, return_urls};
use crate::stripe_server::PERIOD;
use crate::support::{account, assert_balanced, hold, spend};
use limner_metering::billing::{BillingEngine, CheckoutOutcome, Order, OrderState, PlanChangeOutcome};
use limner_metering::contract_terms::{BillingInterval, BusinessTerms};
use limner_metering::{Ledger, LedgerError, NewAccount};
use limner_types::{Pack, Plan, WireEnum};
use serde_json::{Value, json};
use std::time::Duration;

const EMAIL: &str = "a@example.org";
const FORGOTTEN: &str = "closed@account.invalid";

impl Shop {
    async fn pack(&self, id: &str, pack: Pack) -> (Order, String) {
        match self.billing.order_pack(id, pack, &return_urls()).await.unwrap() {
            (order, CheckoutOutcome::Page { reference, .. }) => (order, reference),
            other => panic!("{other:?}"),
        }
    }

    async fn send_event(&self, id: &str, kind: &str, about: &str) {
        assert_eq!(self.send_webhook(id, kind, about).await, 200, "{kind} about {about}");
    }

    /// Pays a checkout and sends the events that Stripe sends after a payment.
    async fn pay(&self, session: &str) -> Option<String> {
        let subscription = self.stripe.pay(session);
        if let Some(subscription) = &subscription {
            self.send_event(&format!("evt_new_{session}"), "customer.subscription.created", subscription).await;
        }
        self.send_event(&format!("evt_paid_{session}"), "checkout.session.completed", session).await;
        subscription
    }

    /// Waits for the job that cancels subscriptions.
    async fn until_ended(&self, subscription: &str) {
        self.wait_for_object(subscription, |of| of["cancel_at_period_end"] == true || of["status"] == "canceled").await;
    }

    async fn wait_for_object(&self, object: &str, is_so: impl Fn(&Value) -> bool) {
        tokio::time::timeout(Duration::from_secs(20), async {
            while !is_so(&self.stripe.object(object)) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await
        .expect("the job cancels it");
    }

    /// Returns the states of all orders, ordered by id.
    async fn states(&self, id: &str) -> Vec<OrderState> {
        let orders = self.ledger.orders(Some(id)).await.unwrap();
        let mut states: Vec<_> = orders.iter().map(|order| order.state).collect();
        states.sort_by_key(|state| state.as_str());
        states
    }

    /// Returns the reasons of overpayments, latest first.
    async fn in_excess(&self, id: &str) -> Vec<String> {
        let events = self.ledger.events(id, 50).await.unwrap();
        let excess = events.iter().filter(|event| event.kind == "payment_in_excess");
        excess.map(|event| event.detail["reason"].as_str().unwrap().to_owned()).collect()
    }

    async fn suspended(&self, id: &str) -> bool {
        self.ledger.account_state(id).await.unwrap().suspended
    }

    async fn email(&self, id: &str) -> String {
        self.ledger.account(id).await.unwrap().email
    }

    /// Creates a Stripe invoice that was attempted and is not retried.
    fn create_unpaid_invoice(&self, id: &str, name: &str) {
        let customers = self.stripe.objects("customer");
        let customer = customers.iter().find(|customer| customer["metadata"]["limner_account"] == id).unwrap();
        let invoice = json!({"id": name, "object": "invoice", "customer": customer["id"], "status": "open",
                             "attempted": true, "next_payment_attempt": null, "metadata": {}});
        self.stripe.insert(name, invoice);
    }
}

/// Returns a billing service that leaves Stripe's checkouts unchanged.
fn people(ledger: &Ledger) -> BillingEngine {
    BillingEngine::from(ledger.clone())
}

fn agreed_terms() -> BusinessTerms {
    BusinessTerms { monthly_credits: Some(1_000_000), ..BusinessTerms::default() }
}

#[tokio::test]
async fn agreed_terms_outlive_the_subscription_before_them() {
    let shop = Shop::open().await;
    let (id, subscription) = shop.subscribed(Plan::Growth, MONTHLY).await;
    shop.ledger.set_plan(&id, agreed_terms()).await.unwrap();
    shop.until_ended(&subscription).await;
    let limit = async || {
        let state = shop.ledger.account_state(&id).await.unwrap();
        (state.plan, state.monthly_limit)
    };
    shop.send_event("evt_1", "customer.subscription.updated", &subscription).await;
    assert_eq!(limit().await, (Plan::Business, Some(1_000_000)), "it renews");
    shop.stripe.renew(&subscription);
    shop.send_event("evt_2", "customer.subscription.deleted", &subscription).await;
    assert_eq!(limit().await, (Plan::Business, Some(1_000_000)), "it ends");

    // An earlier checkout is paid: the agreed terms stay, and the subscription collects nothing more.
    let other = account(&shop.ledger, Plan::Free).await.state.account_id;
    let session = shop.order(&other, Plan::Scale, MONTHLY).await;
    shop.ledger.set_plan(&other, agreed_terms()).await.unwrap();
    let late = shop.pay(&session).await.unwrap();
    assert_eq!(
        (shop.plan(&other).await, shop.in_excess(&other).await),
        (Plan::Business, vec!["business_account".into()])
    );
    shop.until_ended(&late).await;
    assert_eq!(shop.states(&other).await, [OrderState::Declined]);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn account_that_leaves_agreed_terms_subscribes_anew() {
    let shop = Shop::open().await;
    let (id, before) = shop.subscribed(Plan::Growth, MONTHLY).await;
    shop.ledger.set_plan(&id, agreed_terms()).await.unwrap();
    shop.until_ended(&before).await;
    shop.ledger.set_plan(&id, Plan::Free).await.unwrap();
    // The old subscription is paid to the end of its term; orders do not change it.
    let session = shop.order(&id, Plan::Developer, MONTHLY).await;
    shop.pay(&session).await.unwrap();
    shop.stripe.renew(&before);
    shop.send_event("evt_1", "customer.subscription.deleted", &before).await;
    assert_eq!((shop.plan(&id).await, shop.in_excess(&id).await.len()), (Plan::Developer, 0));
}

#[tokio::test]
async fn old_subscription_does_not_affect_the_current_one() {
    let shop = Shop::open().await;
    let (id, first) = shop.subscribed(Plan::Growth, MONTHLY).await;
    shop.stripe.change(&first, json!({"status": "canceled"}));
    shop.send_event("evt_1", "customer.subscription.deleted", &first).await;
    assert_eq!(shop.plan(&id).await, Plan::Free);
    let session = shop.order(&id, Plan::Scale, BillingInterval::Yearly).await;
    let second = shop.pay(&session).await.unwrap();
    for (message, kind) in [("evt_2", "customer.subscription.updated"), ("evt_3", "customer.subscription.deleted")] {
        shop.send_event(message, kind, &first).await;
        assert_eq!(shop.plan(&id).await, Plan::Scale, "{kind}");
    }
    // Not even if it becomes active again, or its checkout is reported once more.
    shop.stripe.change(&first, json!({"status": "active"}));
    shop.send_event("evt_4", "customer.subscription.updated", &first).await;
    let sessions = shop.stripe.objects("checkout.session");
    let of_first = sessions.iter().find(|session| session["subscription"] == first.as_str()).unwrap();
    shop.send_event("evt_5", "checkout.session.completed", of_first["id"].as_str().unwrap()).await;
    assert_eq!(shop.plan(&id).await, Plan::Scale);
    // The subscription that pays for the account still counts.
    shop.stripe.change(&second, json!({"status": "canceled"}));
    shop.send_event("evt_6", "customer.subscription.deleted", &second).await;
    assert_eq!((shop.plan(&id).await, shop.in_excess(&id).await.len()), (Plan::Free, 0));
}

#[tokio::test]
async fn plan_that_is_ordered_anew_has_one_checkout() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let first = shop.order(&id, Plan::Growth, MONTHLY).await;
    let (pack, _) = shop.pack(&id, Pack::TopUp).await;
    let second = shop.order(&id, Plan::Scale, MONTHLY).await;
    assert_eq!(shop.stripe.object(&first)["status"], "expired", "it cannot be paid any more");
    assert_eq!(shop.states(&id).await, [OrderState::Declined, OrderState::Open, OrderState::Open]);
    assert_eq!(
        shop.ledger.order(&pack.id).await.unwrap().state,
        OrderState::Open,
        "packs are bought as often as wanted"
    );
    shop.send_event("evt_1", "checkout.session.expired", &first).await;

    // Paid, and ordered again before the payment was reported: the payment counts.
    let subscription = shop.stripe.pay(&second).unwrap();
    let again = shop.billing.order_plan(&id, Plan::Developer, MONTHLY, &return_urls()).await;
    assert!(matches!(again, Err(LedgerError::Invalid(_))), "{again:?}");
    assert_eq!(shop.plan(&id).await, Plan::Scale);
    shop.send_event("evt_2", "checkout.session.completed", &second).await;
    let PlanChangeOutcome::Scheduled(_) =
        shop.billing.order_plan(&id, Plan::Developer, MONTHLY, &return_urls()).await.unwrap()
    else {
        panic!("it is smaller")
    };
    assert_eq!((shop.stripe.objects("subscription").len(), shop.in_excess(&id).await.len()), (1, 0));
    assert_eq!(shop.stripe.objects("subscription")[0]["id"], subscription.as_str());
}

#[tokio::test]
async fn only_one_of_concurrent_plan_orders_can_be_paid() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let back = return_urls();
    let order = |plan| shop.billing.order_plan(&id, plan, MONTHLY, &back);
    let (one, two, three) = tokio::join!(order(Plan::Developer), order(Plan::Growth), order(Plan::Scale));
    let placed = [one, two, three].into_iter().filter(Result::is_ok).count();
    let sessions = shop.stripe.objects("checkout.session");
    let open = sessions.iter().filter(|session| session["status"] == "open").count();
    let open_orders = shop.states(&id).await.into_iter().filter(|state| *state == OrderState::Open).count();
    assert!(placed >= 1 && open == 1 && open_orders == 1, "{placed} {open} {open_orders}: {sessions:?}");
}

#[tokio::test]
async fn second_of_two_plans_that_are_paid_replaces_the_first() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let first = shop.order(&id, Plan::Growth, MONTHLY).await;
    let order = shop.ledger.orders(Some(&id)).await.unwrap().remove(0);
    // Declined without telling Stripe.
    people(&shop.ledger).decline(&order.id).await.unwrap();
    let second = shop.order(&id, Plan::Scale, MONTHLY).await;
    let kept = shop.pay(&second).await.unwrap();
    let late = shop.pay(&first).await.unwrap();
    assert_eq!((shop.plan(&id).await, shop.in_excess(&id).await), (Plan::Growth, vec!["second_subscription".into()]));
    shop.until_ended(&kept).await;
    // Neither its end nor the order that paid for it has an effect.
    shop.stripe.renew(&kept);
    shop.send_event("evt_1", "customer.subscription.deleted", &kept).await;
    shop.send_event("evt_2", "checkout.session.completed", &second).await;
    assert_eq!((shop.plan(&id).await, shop.states(&id).await), (Plan::Growth, vec![OrderState::Fulfilled; 2]));
    assert_eq!(shop.stripe.object(&late)["cancel_at_period_end"], false);
    assert_eq!(shop.in_excess(&id).await.len(), 1, "reported once");
}

#[tokio::test]
async fn order_that_is_declined_or_approved_can_not_be_paid_any_more() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let balance = async || shop.ledger.account_state(&id).await.unwrap().pack_balance;
    let (declined, closed) = shop.pack(&id, Pack::TopUp).await;
    assert_eq!(shop.billing.decline(&declined.id).await.unwrap().state, OrderState::Declined);
    let (approved, also_closed) = shop.pack(&id, Pack::Starter).await;
    for _ in 0..2 {
        assert_eq!(shop.billing.approve(&approved.id).await.unwrap().state, OrderState::Fulfilled);
    }
    for session in [&closed, &also_closed] {
        assert_eq!(shop.stripe.object(session)["status"], "expired");
        shop.send_event(&format!("evt_{session}"), "checkout.session.expired", session).await;
    }
    assert_eq!((balance().await, shop.ledger.invoices(&id).await.unwrap().len()), (1_500, 1));
    assert_eq!(shop.states(&id).await, [OrderState::Declined, OrderState::Fulfilled]);

    // Already paid, but not reported: it takes effect, and goes on no invoice.
    for approve in [true, false] {
        let (order, session) = shop.pack(&id, Pack::TopUp).await;
        shop.stripe.pay(&session);
        let settled =
            if approve { shop.billing.approve(&order.id).await } else { shop.billing.decline(&order.id).await };
        let settled = settled.unwrap();
        assert!(settled.state == OrderState::Fulfilled && settled.paid_at.is_some(), "{settled:?}");
    }
    assert_eq!((balance().await, shop.ledger.invoices(&id).await.unwrap().len()), (2_500, 1));
    // A bank transfer in progress cannot be stopped, and takes effect when it arrives.
    let (order, session) = shop.pack(&id, Pack::TopUp).await;
    shop.stripe.change(&session, json!({"status": "complete", "url": null}));
    assert!(matches!(shop.billing.approve(&order.id).await, Err(LedgerError::Invalid(_))));
    assert!(matches!(shop.billing.decline(&order.id).await, Err(LedgerError::Invalid(_))));
    shop.stripe.change(&session, json!({"payment_status": "paid"}));
    shop.send_event("evt_1", "checkout.session.async_payment_succeeded", &session).await;
    assert_eq!((balance().await, shop.in_excess(&id).await.len()), (3_000, 0));
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn end_of_a_checkout_does_not_overtake_its_approval() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (order, session) = shop.pack(&id, Pack::TopUp).await;
    // The operator's response is lost after the checkout was closed.
    shop.stripe.change(&session, json!({"status": "expired"}));
    let fails = async |order: &Order| {
        shop.stripe.next_requests(&[crate::stripe_server::Fate::Busy; 3]);
        assert!(shop.billing.approve(&order.id).await.is_err());
    };
    fails(&order).await;
    assert_eq!(
        shop.send_webhook("evt_1", "checkout.session.expired", &session).await,
        503,
        "Stripe has to send the event again"
    );
    assert_eq!(shop.billing.approve(&order.id).await.unwrap().state, OrderState::Fulfilled);
    shop.send_event("evt_1", "checkout.session.expired", &session).await;
    assert_eq!(shop.ledger.invoices(&id).await.unwrap().len(), 1);

    // No operator approves it again: after some minutes Stripe's report counts.
    let (order, session) = shop.pack(&id, Pack::TopUp).await;
    shop.stripe.change(&session, json!({"status": "expired"}));
    fails(&order).await;
    shop.clock.set("2026-11-21T12:09:00Z").await;
    assert_eq!(shop.send_webhook("evt_2", "checkout.session.expired", &session).await, 503);
    shop.clock.set("2026-11-21T12:11:00Z").await;
    shop.send_event("evt_2", "checkout.session.expired", &session).await;
    assert_eq!(shop.states(&id).await, [OrderState::Declined, OrderState::Fulfilled]);
}

#[tokio::test]
async fn declined_order_that_is_paid_takes_effect_once() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (order, session) = shop.pack(&id, Pack::Builder).await;
    assert_eq!(people(&shop.ledger).decline(&order.id).await.unwrap().state, OrderState::Declined);
    shop.stripe.pay(&session);
    let told = |n: u32| {
        let shop = &shop;
        let session = &session;
        async move { shop.send_event(&format!("evt_{n}"), "checkout.session.completed", session).await }
    };
    tokio::join!(told(1), told(2), told(3));
    let state = shop.ledger.account_state(&id).await.unwrap();
    assert_eq!((state.pack_balance, shop.states(&id).await), (5_000, vec![OrderState::Fulfilled]));
    assert_eq!(shop.in_excess(&id).await.len(), 0);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn payment_of_an_approved_order_is_reported_as_overpayment() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (order, session) = shop.pack(&id, Pack::Builder).await;
    assert_eq!(people(&shop.ledger).approve(&order.id).await.unwrap().state, OrderState::Fulfilled);
    shop.stripe.pay(&session);
    for message in ["evt_1", "evt_2"] {
        shop.send_event(message, "checkout.session.completed", &session).await;
    }
    let state = shop.ledger.account_state(&id).await.unwrap();
    assert_eq!((state.pack_balance, shop.in_excess(&id).await), (5_000, vec!["paid_twice".to_owned()]));
    // Likewise for a plan; then the plan is paid by the subscription from now on.
    let session = shop.order(&id, Plan::Growth, MONTHLY).await;
    let orders = shop.ledger.orders(Some(&id)).await.unwrap();
    let order = orders.iter().find(|order| order.state == OrderState::Open).unwrap();
    people(&shop.ledger).approve(&order.id).await.unwrap();
    let subscription = shop.pay(&session).await.unwrap();
    assert_eq!((shop.plan(&id).await, shop.in_excess(&id).await.len()), (Plan::Growth, 2));
    shop.stripe.change(&subscription, json!({"status": "canceled"}));
    shop.send_event("evt_3", "customer.subscription.deleted", &subscription).await;
    assert_eq!(shop.plan(&id).await, Plan::Free);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn payment_of_an_ended_subscription_is_reported_as_overpayment() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    for (status, told) in [("canceled", 1), ("unpaid", 2)] {
        let session = shop.order(&id, Plan::Growth, MONTHLY).await;
        let subscription = shop.stripe.pay(&session).unwrap();
        shop.stripe.change(&subscription, json!({"status": status}));
        for message in [1, 2] {
            shop.send_event(&format!("evt_{status}_{message}"), "checkout.session.completed", &session).await;
        }
        assert_eq!(
            (shop.plan(&id).await, shop.in_excess(&id).await),
            (Plan::Free, vec!["ended_subscription".into(); told])
        );
        // A subscription that could become paid again is cancelled.
        shop.until_ended(&subscription).await;
    }
    assert_eq!(shop.states(&id).await, [OrderState::Declined; 2]);
    assert!(shop.ledger.orders(Some(&id)).await.unwrap().iter().all(|order| order.paid_at.is_some()));
}

#[tokio::test]
async fn bank_transfer_that_fails_ends_its_order() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (_, session) = shop.pack(&id, Pack::TopUp).await;
    shop.stripe.change(&session, json!({"status": "complete", "payment_status": "unpaid", "url": null}));
    shop.send_event("evt_1", "checkout.session.completed", &session).await;
    assert_eq!(shop.states(&id).await, [OrderState::Open], "it is in progress");
    shop.send_event("evt_2", "checkout.session.async_payment_failed", &session).await;
    assert_eq!(shop.states(&id).await, [OrderState::Declined]);

    // The subscription that waited for the transfer is cancelled at once: Stripe would retry the payment.
    let session = shop.order(&id, Plan::Growth, MONTHLY).await;
    let subscription = shop.stripe.pay(&session).unwrap();
    shop.stripe.change(&session, json!({"payment_status": "unpaid"}));
    shop.send_event("evt_3", "customer.subscription.created", &subscription).await;
    assert_eq!(shop.plan(&id).await, Plan::Free, "not before it is paid");
    shop.create_unpaid_invoice(&id, "in_first");
    shop.stripe.change(&subscription, json!({"latest_invoice": "in_first"}));
    shop.send_event("evt_4", "checkout.session.async_payment_failed", &session).await;
    // Its invoice is not owed either, because the account never had the plan.
    shop.wait_for_object("in_first", |invoice| invoice["status"] == "void").await;
    assert_eq!(shop.stripe.object(&subscription)["status"], "canceled");
    shop.send_event("evt_late", "invoice.payment_failed", "in_first").await;
    assert!(!shop.suspended(&id).await);
    assert_eq!((shop.plan(&id).await, shop.states(&id).await), (Plan::Free, vec![OrderState::Declined; 2]));

    // A failure that did not happen is reported late.
    let (_, session) = shop.pack(&id, Pack::TopUp).await;
    shop.stripe.pay(&session);
    shop.send_event("evt_5", "checkout.session.async_payment_failed", &session).await;
    assert_eq!(shop.ledger.account_state(&id).await.unwrap().pack_balance, 500);
}

#[tokio::test]
async fn operators_suspension_is_ended_by_no_payment() {
    let shop = Shop::open().await;
    let (id, _) = shop.subscribed(Plan::Growth, MONTHLY).await;
    shop.create_unpaid_invoice(&id, "in_a");
    shop.ledger.suspend(&id).await.unwrap();
    shop.send_event("evt_1", "invoice.payment_failed", "in_a").await;
    shop.stripe.change("in_a", json!({"status": "paid"}));
    shop.send_event("evt_2", "invoice.paid", "in_a").await;
    assert!(shop.suspended(&id).await, "an operator said so");
    shop.ledger.resume(&id).await.unwrap();
    assert!(!shop.suspended(&id).await);

    // The reverse order: the invoice came first.
    shop.create_unpaid_invoice(&id, "in_b");
    shop.send_event("evt_3", "invoice.payment_failed", "in_b").await;
    shop.ledger.suspend(&id).await.unwrap();
    shop.stripe.change("in_b", json!({"status": "void"}));
    shop.send_event("evt_4", "invoice.voided", "in_b").await;
    assert!(shop.suspended(&id).await);

    // An operator resumes an account that owes: debts up to then suspend it no more.
    shop.create_unpaid_invoice(&id, "in_c");
    shop.send_event("evt_5", "invoice.payment_failed", "in_c").await;
    shop.ledger.resume(&id).await.unwrap();
    shop.send_event("evt_5b", "invoice.payment_failed", "in_c").await;
    shop.stripe.change("in_c", json!({"status": "uncollectible"}));
    shop.send_event("evt_5c", "invoice.marked_uncollectible", "in_c").await;
    assert!(!shop.suspended(&id).await, "whatever is reported about it later");
    shop.create_unpaid_invoice(&id, "in_d");
    shop.send_event("evt_6", "invoice.payment_failed", "in_d").await;
    assert!(shop.suspended(&id).await);
    shop.stripe.change("in_d", json!({"status": "paid"}));
    shop.send_event("evt_7", "invoice.paid", "in_d").await;
    assert!(!shop.suspended(&id).await);
}

#[tokio::test]
async fn invoice_that_stripe_rejects_does_not_hold_up_others() {
    let shop = Shop::open().await;
    let mut ids = Vec::new();
    // The rejected account's invoice is the older one.
    for (email, next_month) in [("two@at@example.org", "2026-12-02T00:00:00Z"), (EMAIL, "2027-01-02T00:00:00Z")] {
        let new = NewAccount::new(email, Plan::Developer);
        let id = shop.ledger.create_account(&new).await.unwrap().state.account_id;
        spend(&shop.ledger, &id, &format!("{id} over"), 6_000).await;
        shop.clock.set(next_month).await;
        shop.ledger.close_periods(None).await.unwrap();
        ids.push(id);
    }
    for _ in 0..2 {
        assert!(shop.billing.submit_invoices().await.is_err(), "it is reported");
        let handed_over = async |id: &str| shop.ledger.invoices(id).await.unwrap()[0].provider_reference.is_some();
        assert_eq!((handed_over(&ids[0]).await, handed_over(&ids[1]).await), (false, true));
    }
}

#[tokio::test]
async fn closed_accounts_address_is_kept_until_nothing_is_owed() {
    let shop = Shop::open().await;
    let (id, subscription) = shop.subscribed(Plan::Developer, MONTHLY).await;
    spend(&shop.ledger, &id, "over", 6_000).await;
    hold(&shop.ledger, &id, "under way", 25).await;
    let (_, open) = shop.pack(&id, Pack::TopUp).await;
    for _ in 0..2 {
        shop.billing.close_account(&id).await.unwrap();
    }
    assert_eq!(shop.stripe.object(&subscription)["cancel_at_period_end"], true);
    assert_eq!(shop.stripe.object(&open)["status"], "expired", "nothing can be paid any more");
    let forget = async || {
        shop.ledger.purge_closed_accounts().await.unwrap();
        shop.email(&id).await
    };
    assert_eq!(forget().await, EMAIL, "a call is in progress, and its month has overage");
    shop.ledger.commit("under way", false).await.unwrap();
    assert_eq!(forget().await, EMAIL);
    shop.clock.set("2026-12-02T00:00:00Z").await;
    let invoice = shop.ledger.close_periods(None).await.unwrap().invoices.remove(0);
    assert_eq!((invoice.email.as_str(), invoice.lines[0].quantity, forget().await.as_str()), (EMAIL, 1_025, EMAIL));
    shop.billing.submit_invoices().await.unwrap();
    let collected = shop.ledger.invoices(&id).await.unwrap().remove(0).provider_reference.unwrap();
    shop.stripe.change(&collected, json!({"attempted": true, "next_payment_attempt": PERIOD.1}));
    shop.send_event("evt_1", "invoice.payment_failed", &collected).await;
    assert_eq!(forget().await, EMAIL, "Stripe tries again");
    shop.stripe.change(&collected, json!({"status": "paid"}));
    shop.send_event("evt_2", "invoice.paid", &collected).await;
    assert_eq!(forget().await, FORGOTTEN);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn unreported_payment_of_a_closed_account_is_read_from_stripe() {
    let shop = Shop::open().await;
    let (id, _) = shop.subscribed(Plan::Developer, MONTHLY).await;
    spend(&shop.ledger, &id, "over", 6_000).await;
    shop.clock.set("2026-12-02T00:00:00Z").await;
    shop.ledger.close_periods(None).await.unwrap();
    shop.billing.submit_invoices().await.unwrap();
    let collected = shop.ledger.invoices(&id).await.unwrap().remove(0).provider_reference.unwrap();
    shop.billing.close_account(&id).await.unwrap();
    let forget = async || {
        shop.billing.sync_invoices_of_closed_accounts().await.unwrap();
        shop.ledger.purge_closed_accounts().await.unwrap();
        shop.email(&id).await
    };
    assert_eq!(forget().await, EMAIL, "it is owed");
    shop.stripe.change(&collected, json!({"status": "paid"}));
    assert_eq!(forget().await, FORGOTTEN);
}

#[tokio::test]
async fn payment_for_a_closed_account_is_reported_as_overpayment() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (_, session) = shop.pack(&id, Pack::TopUp).await;
    let plan = shop.order(&id, Plan::Growth, MONTHLY).await;
    // Closed without telling Stripe.
    shop.ledger.close_account(&id).await.unwrap();
    assert_eq!(shop.email(&id).await, FORGOTTEN, "nothing is owed");
    shop.pay(&session).await;
    let subscription = shop.pay(&plan).await.unwrap();
    shop.until_ended(&subscription).await;
    let state = shop.ledger.account_state(&id).await.unwrap();
    assert_eq!((state.pack_balance, state.plan), (0, Plan::Free));
    assert_eq!(shop.in_excess(&id).await, ["closed_account", "closed_account"]);
    assert_eq!(shop.states(&id).await, [OrderState::Declined; 2]);
}

#[tokio::test]
async fn leftover_subscription_ends_with_its_account() {
    let shop = Shop::open().await;
    // An operator changed the plan without cancelling the subscription.
    let (id, subscription) = shop.subscribed(Plan::Growth, MONTHLY).await;
    shop.ledger.set_plan(&id, Plan::Free).await.unwrap();
    shop.billing.close_account(&id).await.unwrap();
    shop.until_ended(&subscription).await;
}
