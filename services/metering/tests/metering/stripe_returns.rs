//! Refunds, disputes and credit notes at the fake of Stripe.

use crate::stripe_server::StripeServer;
use serde_json::{Value, json};

impl StripeServer {
    /// Returns the payment of a checkout.
    pub(crate) fn payment_of(&self, session: &str) -> String {
        self.object(session)["payment_intent"].as_str().unwrap().to_owned()
    }

    /// Refunds a part of a checkout's payment; returns the refund's id.
    pub(crate) fn refund(&self, session: &str, cents: u64) -> String {
        let payment = self.payment_of(session);
        let refund = json!({"object": "refund", "payment_intent": payment, "amount": cents, "status": "succeeded"});
        self.create("re", refund)
    }

    /// Opens a dispute about a checkout's payment; returns its id.
    pub(crate) fn dispute(&self, session: &str, status: &str) -> String {
        let payment = self.payment_of(session);
        let amount = self.object(&payment)["amount_received"].clone();
        self.create("du", json!({"object": "dispute", "payment_intent": payment, "amount": amount, "status": status}))
    }

    /// Issues a credit note for an invoice that a payment has paid, of which `refunded` cents are refunded; returns its
    /// id.
    pub(crate) fn credit_note(&self, invoice: &str, cents: u64, refunded: u64) -> String {
        let of = self.object(invoice);
        let refunds: Vec<Value> = (refunded > 0).then(|| json!({"amount_refunded": refunded})).into_iter().collect();
        let note = json!({
            "object": "credit_note", "customer": of["customer"], "number": "CN-0001", "invoice": invoice,
            "currency": "eur", "total": cents, "status": "issued", "post_payment_amount": cents, "refunds": refunds,
        });
        self.create("cn", note)
    }

    /// Makes the invoice of a paid checkout; returns its id.
    pub(crate) fn invoice_of(&self, session: &str) -> String {
        let customer = self.object(session)["customer"].clone();
        let invoice = json!({"object": "invoice", "customer": customer, "status": "paid", "metadata": {}});
        let invoice = self.create("in", invoice);
        let payment = json!({"type": "payment_intent", "payment_intent": self.payment_of(session)});
        self.create("inpay", json!({"object": "invoice_payment", "invoice": invoice, "payment": payment}));
        self.change(session, json!({"invoice": invoice}));
        invoice
    }
}
