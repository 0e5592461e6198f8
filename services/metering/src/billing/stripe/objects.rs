//! Stripe's API objects, limited to the fields that are read.

use super::super::{BillingError, CheckoutState, InvoiceState, SubscriptionState};
use crate::contract_terms::BillingInterval;
use limner_types::{Plan, WireEnum};
use serde::Deserialize;
use std::collections::BTreeMap;
use time::OffsetDateTime;

type Metadata = BTreeMap<String, String>;

/// Any object, identified by its id.
#[derive(Debug, Deserialize)]
pub(super) struct ObjectRef {
    pub(super) id: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct List<T> {
    pub(super) data: Vec<T>,
    #[serde(default)]
    pub(super) has_more: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Portal {
    pub(super) url: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Event {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) data: EventData,
}

#[derive(Debug, Deserialize)]
pub(super) struct EventData {
    pub(super) object: EventObject,
}

#[derive(Debug, Deserialize)]
pub(super) struct EventObject {
    pub(super) id: Option<String>,
    payment_intent: Option<serde_json::Value>,
}

impl EventObject {
    /// Returns the id of the payment that the object belongs to.
    pub(super) fn payment(&self) -> Option<&str> {
        self.payment_intent.as_ref()?.as_str()
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct InvoiceItem {
    pub(super) id: String,
    #[serde(default)]
    pub(super) metadata: Metadata,
}

#[derive(Debug, Deserialize)]
pub(super) struct Session {
    pub(super) id: String,
    pub(super) url: Option<String>,
    customer: Option<String>,
    status: Option<String>,
    payment_status: String,
    subscription: Option<String>,
    invoice: Option<String>,
    pub(super) payment_intent: Option<String>,
    metadata: Option<Metadata>,
}

impl Session {
    /// Returns the order that the checkout is for; `None` if it was not created here.
    pub(super) fn order(&self) -> Option<&str> {
        self.metadata.as_ref()?.get("limner_order").map(String::as_str)
    }

    /// Returns the id of the invoice that the checkout made.
    pub(super) fn invoice(&self) -> Option<&str> {
        self.invoice.as_deref()
    }

    /// Returns true if the checkout can still be paid.
    pub(super) fn is_open(&self) -> bool {
        self.status.as_deref() == Some("open")
    }

    /// Returns `None` if the checkout was not created here, or has no customer.
    pub(super) fn state(self) -> Option<CheckoutState> {
        let order = self.metadata?.remove("limner_order")?;
        let paid = match (self.status.as_deref(), self.payment_status.as_str()) {
            (Some("complete"), "paid" | "no_payment_required") => Some(true),
            (Some("expired"), _) => Some(false),
            _ => None,
        };
        Some(CheckoutState { order, customer: self.customer?, paid, subscription: self.subscription })
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Subscription {
    pub(super) id: String,
    customer: String,
    status: String,
    #[serde(default)]
    pub(super) cancel_at_period_end: bool,
    pub(super) schedule: Option<String>,
    pub(super) latest_invoice: Option<String>,
    #[serde(default)]
    metadata: Metadata,
    items: List<SubscriptionItem>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SubscriptionItem {
    pub(super) id: String,
    pub(super) current_period_end: i64,
    pub(super) price: ObjectRef,
}

impl Subscription {
    /// Returns the subscription's only item, the plan.
    pub(super) fn item(&self) -> Result<&SubscriptionItem, BillingError> {
        let none = || BillingError::Unavailable(format!("subscription {} has no item", self.id));
        self.items.data.first().ok_or_else(none)
    }

    /// Returns true if the subscription was begun here.
    pub(super) fn is_ours(&self) -> bool {
        self.metadata.contains_key("limner_plan")
    }

    /// Returns true if the subscription has ended and collects nothing more.
    pub(super) fn has_ended(&self) -> bool {
        matches!(self.status.as_str(), "canceled" | "incomplete_expired")
    }

    pub(super) fn state(self) -> Result<SubscriptionState, BillingError> {
        let paid_until = self.item().ok().map(|item| item.current_period_end);
        let plan = match self.status.as_str() {
            // A late payment suspends the account by its invoice; the plan stays while Stripe retries.
            "active" | "trialing" | "past_due" | "paused" => Some(self.plan()?),
            _ => None,
        };
        Ok(SubscriptionState {
            is_settled: self.status != "incomplete",
            paid_until: paid_until.and_then(|unix| OffsetDateTime::from_unix_timestamp(unix).ok()),
            reference: self.id,
            customer: self.customer,
            status: self.status,
            plan,
        })
    }

    fn plan(&self) -> Result<(Plan, BillingInterval), BillingError> {
        let word = |name: &str| self.metadata.get(name).map(String::as_str).unwrap_or_default();
        let plan = Plan::parse(word("limner_plan"));
        let interval = BillingInterval::parse(word("limner_interval"));
        let unclear = || BillingError::Message(format!("subscription {} does not say its plan", self.id));
        plan.zip(interval).ok_or_else(unclear)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Schedule {
    pub(super) id: String,
    pub(super) phases: Vec<Phase>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Phase {
    pub(super) start_date: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct StripeInvoice {
    pub(super) id: String,
    pub(super) status: Option<String>,
    customer: Option<String>,
    #[serde(default)]
    attempted: bool,
    next_payment_attempt: Option<i64>,
    #[serde(default)]
    pub(super) metadata: Metadata,
}

impl StripeInvoice {
    /// Returns true if the invoice is final and unpaid, and can therefore be voided.
    pub(super) fn is_outstanding(&self) -> bool {
        matches!(self.status.as_deref(), Some("open" | "uncollectible"))
    }

    /// Returns true if the invoice belongs to a customer.
    pub(super) fn has_customer(&self) -> bool {
        self.customer.is_some()
    }

    pub(super) fn state(mut self) -> Result<InvoiceState, BillingError> {
        let paid = match self.status.as_deref() {
            Some("paid" | "void") => Some(true),
            Some("uncollectible") => Some(false),
            // The payment was attempted, and Stripe schedules no further attempt.
            Some("open") if self.attempted && self.next_payment_attempt.is_none() => Some(false),
            _ => None,
        };
        let customer =
            self.customer.ok_or_else(|| BillingError::Message(format!("invoice {} is nobody's", self.id)))?;
        Ok(InvoiceState { customer, paid, invoice: self.metadata.remove("limner_invoice") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn checkout_is_paid_lost_or_neither() {
        for (status, payment, paid) in [
            ("complete", "paid", Some(true)),
            ("complete", "no_payment_required", Some(true)),
            // A bank transfer in progress.
            ("complete", "unpaid", None),
            ("open", "unpaid", None),
            ("expired", "unpaid", Some(false)),
        ] {
            let session = json!({
                "id": "cs_1", "url": null, "customer": "cus_1", "status": status, "payment_status": payment,
                "subscription": null, "metadata": {"limner_order": "ord_1"},
            });
            let state = serde_json::from_value::<Session>(session).unwrap().state().unwrap();
            assert_eq!((state.order.as_str(), state.paid), ("ord_1", paid), "{status} {payment}");
        }
        let foreign =
            json!({"id": "cs_2", "payment_status": "paid", "status": "complete", "customer": "cus_2", "metadata": {}});
        assert!(serde_json::from_value::<Session>(foreign).unwrap().state().is_none());
    }

    #[test]
    fn subscription_in_effect_names_its_plan() {
        let of = |status: &str, metadata: serde_json::Value| {
            let subscription = json!({
                "id": "sub_1", "customer": "cus_1", "status": status, "cancel_at_period_end": false, "schedule": null,
                "metadata": metadata,
                "items": {"data": [{"id": "si_1", "current_period_end": 1_798_761_600, "price": {"id": "price_1"}}]},
            });
            serde_json::from_value::<Subscription>(subscription).unwrap().state()
        };
        let growth = json!({"limner_plan": "growth", "limner_interval": "yearly"});
        for (status, lives, is_settled) in [
            ("active", true, true),
            ("trialing", true, true),
            ("past_due", true, true),
            ("incomplete", false, false),
            ("incomplete_expired", false, true),
            ("canceled", false, true),
            ("unpaid", false, true),
        ] {
            let state = of(status, growth.clone()).unwrap();
            assert_eq!(state.plan, lives.then_some((Plan::Growth, BillingInterval::Yearly)), "{status}");
            assert_eq!(state.is_settled, is_settled, "{status}");
            assert_eq!(state.paid_until.map(OffsetDateTime::unix_timestamp), Some(1_798_761_600));
        }
        assert!(of("active", json!({})).is_err());
    }

    #[test]
    fn invoice_is_unpaid_after_the_last_attempt_to_collect() {
        for (status, attempted, next, paid) in [
            ("paid", true, None, Some(true)),
            ("void", false, None, Some(true)),
            ("uncollectible", true, None, Some(false)),
            ("open", true, None, Some(false)),
            ("open", true, Some(1_798_761_600), None),
            ("open", false, None, None),
            ("draft", false, None, None),
        ] {
            let invoice = json!({
                "id": "in_1", "status": status, "customer": "cus_1", "attempted": attempted,
                "next_payment_attempt": next, "metadata": {},
            });
            let state = serde_json::from_value::<StripeInvoice>(invoice).unwrap().state().unwrap();
            assert_eq!(state.paid, paid, "{status} {attempted} {next:?}");
        }
    }
}
