//! Comparison with the billing provider: states that its events did not tell.

use crate::billing::{MONTHLY, Shop, return_urls};
use crate::support::{account, assert_balanced};
use limner_metering::billing::{CheckoutOutcome, Difference, OrderState};
use limner_types::{Pack, Plan};
use serde_json::json;

/// Further back than anything in these tests, whose database has a clock of its own.
const DAYS: u32 = 20_000;

impl Shop {
    /// Reconciles; returns what differed, and whether it was repaired.
    async fn differences(&self) -> Vec<(&'static str, bool)> {
        let found = self.billing.reconcile(DAYS).await.unwrap().differences;
        found.into_iter().map(|Difference { kind, repaired, .. }| (kind, repaired)).collect()
    }

    async fn ordered_pack(&self, id: &str) -> (String, String) {
        match self.billing.order_pack(id, Pack::TopUp, &return_urls()).await.unwrap() {
            (order, CheckoutOutcome::Page { reference, .. }) => (order.id, reference),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn missed_payments_refunds_and_expiries_are_applied() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (_, paid) = shop.ordered_pack(&id).await;
    shop.stripe.pay(&paid);
    let (expired_order, expired) = shop.ordered_pack(&id).await;
    shop.stripe.change(&expired, json!({"status": "expired"}));
    let (_, open) = shop.ordered_pack(&id).await;
    assert_eq!(shop.differences().await, [("checkout", true), ("checkout", true)]);
    assert_eq!(shop.ledger.account_state(&id).await.unwrap().pack_balance, 500);
    assert_eq!(shop.ledger.order(&expired_order).await.unwrap().state, OrderState::Declined);
    assert_eq!(shop.differences().await, [], "nothing is left");

    let invoice = shop.stripe.invoice_of(&paid);
    shop.stripe.refund(&paid, 100);
    shop.stripe.credit_note(&invoice, 100, 100);
    let mut found = shop.differences().await;
    found.sort();
    assert_eq!(found, [("credit_note", true), ("returned_payment", true)]);
    assert_eq!(shop.ledger.account_state(&id).await.unwrap().pack_balance, 400);
    assert_eq!(shop.stripe.object(&open)["status"], "open");
    assert_eq!(shop.differences().await, []);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn missed_states_of_subscriptions_and_invoices_are_applied() {
    let shop = Shop::open().await;
    let (id, subscription) = shop.subscribed(Plan::Growth, MONTHLY).await;
    let customer = shop.stripe.object(&subscription)["customer"].clone();
    assert_eq!(shop.differences().await, []);
    let unpaid = json!({"object": "invoice", "customer": customer, "status": "open", "attempted": true,
                        "next_payment_attempt": null, "metadata": {}});
    let invoice = shop.stripe.create("in", unpaid);
    assert_eq!(shop.differences().await, [("invoice", true)]);
    assert!(shop.ledger.account_state(&id).await.unwrap().suspended);
    shop.stripe.change(&invoice, json!({"status": "paid"}));
    assert_eq!(shop.differences().await, [("invoice", true)]);
    assert!(!shop.ledger.account_state(&id).await.unwrap().suspended);
    shop.stripe.change(&subscription, json!({"status": "canceled"}));
    assert_eq!(shop.differences().await, [("subscription", true)]);
    assert_eq!(shop.plan(&id).await, Plan::Free);
    assert_eq!(shop.differences().await, []);
}

#[tokio::test]
async fn differences_that_cannot_be_repaired_are_reported_every_time() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (_, session) = shop.ordered_pack(&id).await;
    shop.stripe.pay(&session);
    assert_eq!(shop.send_webhook("evt_1", "checkout.session.completed", &session).await, 200);
    // Somebody restored an older state of Stripe's account, or the ledger is of another one.
    shop.stripe.change(&session, json!({"status": "open", "payment_status": "unpaid"}));
    let foreign = json!({"object": "checkout.session", "customer": "cus_1", "status": "complete",
                         "payment_status": "paid", "metadata": {"limner_order": "ord_of_another"}});
    shop.stripe.create("cs", foreign);
    for _ in 0..2 {
        let mut found = shop.differences().await;
        found.sort();
        assert_eq!(found, [("checkout", false), ("unknown_payment", false)]);
    }
}

#[tokio::test]
async fn only_what_began_within_the_days_is_compared() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let now = time::OffsetDateTime::now_utc().unix_timestamp();
    for days_ago in [6, 8] {
        let (_, paid) = shop.ordered_pack(&id).await;
        shop.stripe.pay(&paid);
        shop.stripe.change(&paid, json!({"created": now - days_ago * 24 * 60 * 60}));
    }
    let balance = async || shop.ledger.account_state(&id).await.unwrap().pack_balance;
    shop.billing.reconcile(7).await.unwrap();
    assert_eq!(balance().await, 500, "the older one is not looked at");
    shop.billing.reconcile(9).await.unwrap();
    assert_eq!(balance().await, 1_000);
    assert_eq!(shop.billing.reconcile(9).await.unwrap().differences, []);
}
