//! Refunds, disputes and credit notes: credits, suspensions and records.

use crate::billing::{MONTHLY, Shop, return_urls};
use crate::support::{account, assert_balanced, hold, spend};
use limner_metering::billing::{CheckoutOutcome, DisputeState, Order, OrderState};
use limner_types::{Pack, Plan};
use serde_json::json;

impl Shop {
    /// Creates an account that has bought a pack; returns its id, the order and the checkout.
    async fn bought(&self, pack: Pack) -> (String, Order, String) {
        let id = account(&self.ledger, Plan::Free).await.state.account_id;
        let (order, session) = self.buy(&id, pack).await;
        self.tell(&format!("evt_{session}"), "checkout.session.completed", &session).await;
        (id, order, session)
    }

    /// Orders and pays a pack; Stripe's event is yet to come.
    async fn buy(&self, id: &str, pack: Pack) -> (Order, String) {
        match self.billing.order_pack(id, pack, &return_urls()).await.unwrap() {
            (order, CheckoutOutcome::Page { reference, .. }) => {
                self.stripe.pay(&reference);
                (order, reference)
            }
            other => panic!("{other:?}"),
        }
    }

    async fn tell(&self, id: &str, kind: &str, about: &str) {
        assert_eq!(self.send_webhook(id, kind, about).await, 200, "{kind} about {about}");
    }

    async fn packs(&self, id: &str) -> u64 {
        self.ledger.account_state(id).await.unwrap().pack_balance
    }

    async fn is_suspended(&self, id: &str) -> bool {
        self.ledger.account_state(id).await.unwrap().suspended
    }

    /// Returns the kinds and amounts of the ledger entries that refunds made, oldest first.
    async fn withdrawals(&self, id: &str) -> Vec<(String, u64)> {
        let mut entries = self.ledger.entries(id, 50, None).await.unwrap();
        entries.sort_by_key(|entry| entry.id);
        let of_refunds =
            entries.into_iter().filter(|entry| entry.kind.starts_with("pack_") && entry.kind != "pack_purchase");
        of_refunds.map(|entry| (entry.kind, entry.credits)).collect()
    }
}

#[tokio::test]
async fn refunded_share_of_a_pack_is_withdrawn_once() {
    let shop = Shop::open().await;
    let (id, order, session) = shop.bought(Pack::Builder).await;
    assert_eq!((shop.packs(&id).await, order.amount_cents), (5_000, 3_500));
    // A third of a cent's credits is not taken: shares are rounded down.
    let refund = shop.stripe.refund(&session, 1_000);
    for (event, kind) in [("evt_a", "refund.created"), ("evt_a", "refund.created"), ("evt_b", "charge.refunded")] {
        shop.tell(event, kind, &refund).await;
        assert_eq!(shop.packs(&id).await, 5_000 - 1_428, "{event} {kind}");
    }
    // The second refund, of which all events arrive before those of the first are repeated.
    let rest = shop.stripe.refund(&session, 2_500);
    shop.tell("evt_c", "charge.refunded", &rest).await;
    shop.tell("evt_d", "refund.updated", &refund).await;
    assert_eq!(shop.packs(&id).await, 0);
    let expected = [("pack_withdrawal".to_owned(), 1_428), ("pack_withdrawal".to_owned(), 3_572)];
    assert_eq!(shop.withdrawals(&id).await, expected);
    let returned = shop.ledger.returned_payments(Some(&id)).await.unwrap();
    let payment = &returned[0];
    assert_eq!((returned.len(), payment.order_id.as_deref()), (1, Some(order.id.as_str())));
    assert_eq!((payment.refunded_cents, payment.credits_withdrawn, payment.credits_short), (3_500, 5_000, 0));
    assert!(!shop.is_suspended(&id).await, "a refund is no debt");
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn credits_that_were_spent_are_reported_and_never_taken_later() {
    let shop = Shop::open().await;
    let (id, _, session) = shop.bought(Pack::TopUp).await;
    // The plan's 300 credits are spent first; 100 of the pack stay, 50 of them on hold.
    for (request, credits) in [("plan", 300), ("pack", 400)] {
        spend(&shop.ledger, &id, request, credits).await;
    }
    hold(&shop.ledger, &id, "under way", 50).await;
    let refund = shop.stripe.refund(&session, 500);
    shop.tell("evt_1", "charge.refunded", &refund).await;
    let payment = shop.ledger.returned_payments(Some(&id)).await.unwrap().remove(0);
    assert_eq!((payment.credits_withdrawn, payment.credits_short), (50, 450));
    shop.ledger.commit("under way", false).await.unwrap();
    assert_eq!(shop.packs(&id).await, 0, "the call in progress was not cut off");

    // Another pack belongs to another payment.
    let (_, other) = shop.buy(&id, Pack::TopUp).await;
    shop.tell("evt_2", "checkout.session.completed", &other).await;
    shop.tell("evt_3", "refund.updated", &refund).await;
    assert_eq!(shop.packs(&id).await, 500);
    // The refund fails at the bank: the money stays, and so do the credits that were taken for it.
    shop.stripe.change(&refund, json!({"status": "failed"}));
    shop.tell("evt_4", "refund.failed", &refund).await;
    let payment = shop.ledger.returned_payments(Some(&id)).await.unwrap().remove(0);
    assert_eq!((payment.refunded_cents, payment.credits_withdrawn, payment.credits_short), (0, 0, 0));
    assert_eq!(shop.packs(&id).await, 550);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn news_of_a_refund_may_arrive_before_that_of_the_payment() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (order, session) = shop.buy(&id, Pack::TopUp).await;
    let refund = shop.stripe.refund(&session, 500);
    shop.tell("evt_1", "charge.refunded", &refund).await;
    shop.tell("evt_2", "checkout.session.completed", &session).await;
    assert_eq!(shop.packs(&id).await, 0);
    assert_eq!(shop.ledger.order(&order.id).await.unwrap().state, OrderState::Fulfilled);
    assert_eq!(shop.withdrawals(&id).await, [("pack_withdrawal".to_owned(), 500)]);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn dispute_suspends_until_it_is_won() {
    let shop = Shop::open().await;
    let (id, _, session) = shop.bought(Pack::Starter).await;
    let bought = shop.packs(&id).await;
    let dispute = shop.stripe.dispute(&session, "warning_needs_response");
    shop.tell("evt_1", "charge.dispute.created", &dispute).await;
    assert_eq!((shop.packs(&id).await, shop.is_suspended(&id).await), (bought, false), "the bank only asks");
    for status in ["needs_response", "under_review"] {
        shop.stripe.change(&dispute, json!({"status": status}));
        shop.tell(&format!("evt_{status}"), "charge.dispute.updated", &dispute).await;
        assert_eq!((shop.packs(&id).await, shop.is_suspended(&id).await), (0, true), "{status}");
    }
    shop.stripe.change(&dispute, json!({"status": "won"}));
    shop.tell("evt_won", "charge.dispute.closed", &dispute).await;
    assert_eq!((shop.packs(&id).await, shop.is_suspended(&id).await), (bought, false));
    // An old event that arrives late changes nothing.
    shop.tell("evt_late", "charge.dispute.created", &dispute).await;
    assert!(!shop.is_suspended(&id).await);
    let kinds = shop.withdrawals(&id).await;
    assert_eq!(kinds, [("pack_withdrawal".to_owned(), bought), ("pack_restoration".to_owned(), bought)]);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn lost_dispute_is_forgiven_by_an_operator_only() {
    let shop = Shop::open().await;
    let (id, _, session) = shop.bought(Pack::Starter).await;
    let dispute = shop.stripe.dispute(&session, "lost");
    shop.tell("evt_1", "charge.dispute.closed", &dispute).await;
    assert_eq!((shop.packs(&id).await, shop.is_suspended(&id).await), (0, true));
    let payment = shop.ledger.returned_payments(None).await.unwrap().remove(0);
    assert_eq!(payment.dispute, Some(DisputeState::Lost));
    shop.ledger.resume(&id).await.unwrap();
    shop.tell("evt_2", "charge.dispute.funds_withdrawn", &dispute).await;
    assert!(!shop.is_suspended(&id).await);
}

#[tokio::test]
async fn refund_of_an_overpayment_takes_no_credits() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let (order, checkout) = shop.billing.order_pack(&id, Pack::TopUp, &return_urls()).await.unwrap();
    let CheckoutOutcome::Page { reference, .. } = checkout else { panic!("{checkout:?}") };
    // An operator approves it without closing the checkout, and then it is paid too.
    limner_metering::billing::BillingEngine::from(shop.ledger.clone()).approve(&order.id).await.unwrap();
    shop.stripe.pay(&reference);
    shop.tell("evt_1", "checkout.session.completed", &reference).await;
    let refund = shop.stripe.refund(&reference, 500);
    shop.tell("evt_2", "charge.refunded", &refund).await;
    assert_eq!(shop.packs(&id).await, 500, "it is on an invoice");
    assert_eq!(shop.ledger.returned_payments(Some(&id)).await.unwrap()[0].refunded_cents, 500);
}

#[tokio::test]
async fn credit_note_is_recorded_and_takes_what_it_credits() {
    let shop = Shop::open().await;
    let (id, _, session) = shop.bought(Pack::TopUp).await;
    let invoice = shop.stripe.invoice_of(&session);
    let note = shop.stripe.credit_note(&invoice, 250, 0);
    for event in ["evt_1", "evt_2"] {
        shop.tell(event, "credit_note.created", &note).await;
        assert_eq!(shop.packs(&id).await, 250, "{event}");
    }
    let recorded = shop.ledger.credit_notes(Some(&id)).await.unwrap();
    assert_eq!((recorded.len(), recorded[0].number.as_str(), recorded[0].amount_cents), (1, "CN-0001", 250));
    shop.stripe.change(&note, json!({"status": "void"}));
    shop.tell("evt_3", "credit_note.voided", &note).await;
    assert_eq!(shop.packs(&id).await, 500);
    assert!(shop.ledger.credit_notes(Some(&id)).await.unwrap()[0].is_void);
    // A note that comes with a refund counts once.
    let refund = shop.stripe.refund(&session, 250);
    let note = shop.stripe.credit_note(&invoice, 250, 250);
    shop.tell("evt_4", "credit_note.created", &note).await;
    shop.tell("evt_5", "charge.refunded", &refund).await;
    assert_eq!(shop.packs(&id).await, 250);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn refund_of_a_subscription_is_recorded_and_leaves_the_plan() {
    let shop = Shop::open().await;
    let (id, subscription) = shop.subscribed(Plan::Growth, MONTHLY).await;
    let customer = shop.stripe.object(&subscription)["customer"].clone();
    let payment = shop.stripe.create(
        "pi",
        json!({"object": "payment_intent", "customer": customer, "amount_received": 7_900, "currency": "eur"}),
    );
    let refund = json!({"object": "refund", "payment_intent": payment, "amount": 7_900, "status": "succeeded"});
    let refund = shop.stripe.create("re", refund);
    shop.tell("evt_1", "refund.created", &refund).await;
    assert_eq!(shop.plan(&id).await, Plan::Growth);
    let returned = shop.ledger.returned_payments(Some(&id)).await.unwrap();
    assert_eq!((returned[0].refunded_cents, returned[0].order_id.as_deref()), (7_900, None));
    // A payment that belongs to no account.
    let foreign = json!({"object": "payment_intent", "customer": "cus_other", "amount_received": 1, "currency": "eur"});
    let foreign = shop.stripe.create("pi", foreign);
    let refund = json!({"object": "refund", "payment_intent": foreign, "amount": 1, "status": "succeeded"});
    let refund = shop.stripe.create("re", refund);
    shop.tell("evt_2", "refund.created", &refund).await;
    assert_eq!(shop.ledger.returned_payments(None).await.unwrap().len(), 1);
}

#[tokio::test]
async fn order_is_withdrawn_within_its_term_and_refunded() {
    let shop = Shop::open().await;
    let (id, order, session) = shop.bought(Pack::TopUp).await;
    let until = shop.ledger.order(&order.id).await.unwrap().withdrawable_until().unwrap();
    assert_eq!(until.date().to_string(), "2026-12-05");
    // Stripe is away: the withdrawal counts, and the refund follows.
    shop.stripe.fail_after_writes("refunds", 0);
    for _ in 0..2 {
        let withdrawn = shop.billing.withdraw_order(&id, &order.id).await.unwrap();
        assert_eq!((withdrawn.state, withdrawn.withdrawable_until()), (OrderState::Withdrawn, None));
    }
    assert_eq!((shop.packs(&id).await, shop.stripe.objects("refund").len()), (0, 0));
    assert!(shop.billing.submit_refunds().await.is_err(), "it is reported");
    shop.stripe.forget_keys();
    for _ in 0..2 {
        shop.billing.submit_refunds().await.unwrap();
    }
    let refunds = shop.stripe.objects("refund");
    assert_eq!((refunds.len(), &refunds[0]["amount"]), (1, &json!(500)));
    // Stripe's events about it take nothing more, also from a later pack.
    let (_, later) = shop.buy(&id, Pack::TopUp).await;
    shop.tell("evt_1", "checkout.session.completed", &later).await;
    shop.tell("evt_2", "charge.refunded", refunds[0]["id"].as_str().unwrap()).await;
    assert_eq!(shop.packs(&id).await, 500);
    assert_eq!(shop.withdrawals(&id).await, [("pack_withdrawal".to_owned(), 500)]);
    assert_eq!(shop.stripe.payment_of(&session), shop.ledger.returned_payments(Some(&id)).await.unwrap()[0].reference);
    assert_balanced(&shop.ledger).await;
}

#[tokio::test]
async fn spent_late_and_foreign_orders_are_not_withdrawn() {
    let shop = Shop::open().await;
    let (id, order, _) = shop.bought(Pack::TopUp).await;
    let other = account(&shop.ledger, Plan::Free).await.state.account_id;
    let refused = async |account: &str, order: &str, says: &str| {
        let cause = shop.billing.withdraw_order(account, order).await.unwrap_err().to_string();
        assert!(cause.contains(says), "{cause}");
    };
    refused(&other, &order.id, "there is no order").await;
    refused(&id, "ord_none", "there is no order").await;
    let open = shop.billing.order_pack(&id, Pack::TopUp, &return_urls()).await.unwrap().0;
    refused(&id, &open.id, "in effect").await;
    spend(&shop.ledger, &id, "plan", 300).await;
    hold(&shop.ledger, &id, "one", 1).await;
    refused(&id, &order.id, "spent").await;
    shop.ledger.release("one", "invalid_url").await.unwrap();
    shop.clock.set("2026-12-05T12:00:01Z").await;
    refused(&id, &order.id, "14 days").await;
    assert_eq!(shop.packs(&id).await, 500);
    assert!(shop.stripe.objects("refund").is_empty());
}

#[tokio::test]
async fn withdrawn_order_that_people_collect_for_is_theirs_to_refund() {
    let shop = Shop::open().await;
    let id = account(&shop.ledger, Plan::Free).await.state.account_id;
    let people = limner_metering::billing::BillingEngine::from(shop.ledger.clone());
    let (order, _) = people.order_pack(&id, Pack::TopUp, &return_urls()).await.unwrap();
    people.approve(&order.id).await.unwrap();
    for _ in 0..2 {
        people.withdraw_order(&id, &order.id).await.unwrap();
    }
    let events = shop.ledger.events(&id, 50).await.unwrap();
    let due: Vec<_> = events.iter().filter(|event| event.kind == "payment_in_excess").collect();
    assert_eq!((due.len(), due[0].detail["reason"].as_str()), (1, Some("withdrawn_order")));
    assert_eq!(shop.packs(&id).await, 0);
    assert_balanced(&shop.ledger).await;
}
