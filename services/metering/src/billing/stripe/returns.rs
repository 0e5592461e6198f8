//! Reads refunds, disputes and credit notes, and lists what happened lately.

use super::super::payments::PaidCheckout;
use super::super::{BillingError, CreditNoteState, DisputeState, PaymentState, RecentObjects};
use super::StripeProvider;
use super::client::FormParams;
use super::objects::{InvoiceItem, List, ObjectRef, Session, StripeInvoice, Subscription};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use time::OffsetDateTime;

/// Page size of lists, the largest that Stripe allows.
const PAGE: u32 = 100;

#[derive(Debug, Deserialize)]
struct PaymentIntent {
    customer: Option<String>,
    amount_received: u64,
    currency: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Refund {
    id: String,
    amount: u64,
    status: Option<String>,
    payment_intent: Option<String>,
}

impl Refund {
    /// Returns true unless the money stays with us.
    fn counts(&self) -> bool {
        !matches!(self.status.as_deref(), Some("failed" | "canceled"))
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Dispute {
    id: String,
    amount: u64,
    status: String,
    payment_intent: Option<String>,
}

impl Dispute {
    fn state(&self) -> DisputeState {
        match self.status.as_str() {
            "won" | "prevented" => DisputeState::Won,
            "lost" => DisputeState::Lost,
            status if status.starts_with("warning_") => DisputeState::Inquiry,
            _ => DisputeState::Open,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct CreditNote {
    id: String,
    customer: String,
    number: String,
    invoice: String,
    currency: String,
    total: u64,
    status: String,
    /// The part that corrects what was paid before the note was issued.
    #[serde(default)]
    post_payment_amount: u64,
    #[serde(default)]
    refunds: Vec<NotedRefund>,
}

#[derive(Debug, Deserialize)]
struct NotedRefund {
    amount_refunded: u64,
}

impl CreditNote {
    fn is_void(&self) -> bool {
        self.status == "void"
    }

    /// Returns what the customer gets back otherwise than by a refund.
    fn credited_cents(&self) -> u64 {
        let refunded = self.refunds.iter().map(|refund| refund.amount_refunded).sum();
        if self.is_void() { 0 } else { self.post_payment_amount.saturating_sub(refunded) }
    }
}

#[derive(Debug, Deserialize)]
struct InvoicePayment {
    id: String,
    payment: InvoicePaymentSource,
}

#[derive(Debug, Deserialize)]
struct InvoicePaymentSource {
    payment_intent: Option<String>,
}

/// An object of a list, for paging.
pub(super) trait Identified {
    fn id(&self) -> &str;
}

macro_rules! identified {
    ($($object:ty),+) => {
        $(impl Identified for $object {
            fn id(&self) -> &str {
                &self.id
            }
        })+
    };
}

identified!(Refund, Dispute, CreditNote, InvoiceItem, InvoicePayment, Session, StripeInvoice, Subscription);

impl StripeProvider {
    /// Reads all pages of a list.
    pub(super) async fn list<T: DeserializeOwned + Identified>(
        &self,
        path: &str,
        filter: &[(&str, &str)],
    ) -> Result<Vec<T>, BillingError> {
        let mut all: Vec<T> = Vec::new();
        loop {
            let mut query = FormParams::new().with("limit", PAGE);
            for (name, value) in filter {
                query = query.with(name, value);
            }
            let query = query.with_option("starting_after", all.last().map(Identified::id));
            let page: List<T> = self.client.get(path, query).await?;
            let is_last = !page.has_more || page.data.is_empty();
            all.extend(page.data);
            if is_last {
                return Ok(all);
            }
        }
    }

    /// Reads what began since a moment, and all subscriptions that have not ended.
    pub(super) async fn read_recent(&self, since: OffsetDateTime) -> Result<RecentObjects, BillingError> {
        let since = since.unix_timestamp().to_string();
        let begun = [("created[gte]", since.as_str())];
        let sessions: Vec<Session> = self.list("/v1/checkout/sessions", &begun).await?;
        let invoices: Vec<StripeInvoice> = self.list("/v1/invoices", &begun).await?;
        let mut subscriptions: Vec<Subscription> = self.list("/v1/subscriptions", &[]).await?;
        subscriptions.extend(
            self.list::<Subscription>("/v1/subscriptions", &[("created[gte]", since.as_str()), ("status", "ended")])
                .await?,
        );
        let refunds: Vec<Refund> = self.list("/v1/refunds", &begun).await?;
        let disputes: Vec<Dispute> = self.list("/v1/disputes", &begun).await?;
        let notes: Vec<CreditNote> = self.list("/v1/credit_notes", &begun).await?;
        let checkouts = sessions.into_iter().filter_map(|session| {
            let reference = session.id.clone();
            Some((reference, session.state()?))
        });
        // Somebody else's subscription may say no plan of ours.
        let ours = subscriptions.into_iter().filter(Subscription::is_ours);
        let with_customer = invoices.into_iter().filter(StripeInvoice::has_customer);
        Ok(RecentObjects {
            checkouts: checkouts.collect(),
            subscriptions: ours.map(Subscription::state).collect::<Result<_, _>>()?,
            invoices: with_customer
                .map(|invoice| Ok((invoice.id.clone(), invoice.state()?)))
                .collect::<Result<_, BillingError>>()?,
            payments: refunds
                .into_iter()
                .map(|refund| refund.payment_intent)
                .chain(disputes.into_iter().map(|dispute| dispute.payment_intent))
                .flatten()
                .collect(),
            credit_notes: notes.into_iter().map(|note| note.id).collect(),
        })
    }

    pub(super) async fn read_payment(&self, reference: &str) -> Result<Option<PaymentState>, BillingError> {
        let intent: PaymentIntent =
            self.client.get(&format!("/v1/payment_intents/{reference}"), FormParams::new()).await?;
        let Some(customer) = intent.customer else { return Ok(None) };
        let of_payment = [("payment_intent", reference)];
        let refunds: Vec<Refund> = self.list("/v1/refunds", &of_payment).await?;
        let disputes: Vec<Dispute> = self.list("/v1/disputes", &of_payment).await?;
        let sessions: Vec<Session> = self.list("/v1/checkout/sessions", &of_payment).await?;
        let session = sessions.into_iter().find(|session| session.order().is_some());
        let notes: Vec<CreditNote> = match session.as_ref().and_then(Session::invoice) {
            Some(invoice) => self.list("/v1/credit_notes", &[("invoice", invoice)]).await?,
            None => Vec::new(),
        };
        let disputed =
            disputes.iter().filter(|dispute| matches!(dispute.state(), DisputeState::Open | DisputeState::Lost));
        Ok(Some(PaymentState {
            reference: reference.to_owned(),
            customer,
            checkout: session.and_then(|session| {
                let order = session.order()?.to_owned();
                Some(PaidCheckout { reference: session.id, order })
            }),
            currency: intent.currency,
            paid_cents: intent.amount_received,
            refunded_cents: refunds.iter().filter(|refund| refund.counts()).map(|refund| refund.amount).sum(),
            credited_cents: notes.iter().map(CreditNote::credited_cents).sum(),
            disputed_cents: disputed.map(|dispute| dispute.amount).sum(),
            dispute: worst(&disputes),
        }))
    }

    /// Refunds the rest of a checkout's payment. A payment that is returned in full by now needs no refund.
    pub(super) async fn refund_session(&self, reference: &str, order_id: &str) -> Result<(), BillingError> {
        let unpaid = || BillingError::Refused(format!("checkout {reference} has no payment"));
        let payment = self.read_session(reference).await?.payment_intent.ok_or_else(unpaid)?;
        let form = FormParams::new()
            .with("payment_intent", &payment)
            .with("reason", "requested_by_customer")
            .with("metadata[limner_order]", order_id);
        let refunded = self.client.post::<ObjectRef>("/v1/refunds", form, &format!("refund-{order_id}")).await;
        match refunded {
            Err(BillingError::Refused(cause)) => match self.read_payment(&payment).await? {
                Some(state) if state.refunded_cents + state.disputed_cents >= state.paid_cents => Ok(()),
                _ => Err(BillingError::Refused(cause)),
            },
            refunded => refunded.map(drop),
        }
    }

    pub(super) async fn read_credit_note(&self, reference: &str) -> Result<CreditNoteState, BillingError> {
        let note: CreditNote = self.client.get(&format!("/v1/credit_notes/{reference}"), FormParams::new()).await?;
        let invoice: StripeInvoice =
            self.client.get(&format!("/v1/invoices/{}", note.invoice), FormParams::new()).await?;
        let payments: Vec<InvoicePayment> =
            self.list("/v1/invoice_payments", &[("invoice", note.invoice.as_str())]).await?;
        Ok(CreditNoteState {
            is_void: note.is_void(),
            reference: note.id,
            customer: note.customer,
            number: note.number,
            ours: invoice.metadata.get("limner_invoice").cloned(),
            invoice: note.invoice,
            currency: note.currency,
            amount_cents: note.total,
            payments: payments.into_iter().filter_map(|paid| paid.payment.payment_intent).collect(),
        })
    }
}

/// Returns the state that decides: one lost dispute outweighs an open one, and that one that was won.
fn worst(disputes: &[Dispute]) -> Option<DisputeState> {
    let has = |state: DisputeState| disputes.iter().any(|dispute| dispute.state() == state);
    [DisputeState::Lost, DisputeState::Open, DisputeState::Won, DisputeState::Inquiry]
        .into_iter()
        .find(|state| has(*state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn worst_dispute_decides() {
        let of = |statuses: &[&str]| {
            let disputes: Vec<Dispute> = statuses
                .iter()
                .map(|status| serde_json::from_value(json!({"id": "du", "amount": 1, "status": status})).unwrap())
                .collect();
            worst(&disputes)
        };
        for (statuses, state) in [
            (&[][..], None),
            (&["warning_needs_response"], Some(DisputeState::Inquiry)),
            (&["warning_closed"], Some(DisputeState::Inquiry)),
            (&["needs_response"], Some(DisputeState::Open)),
            (&["under_review", "won"], Some(DisputeState::Open)),
            (&["won"], Some(DisputeState::Won)),
            (&["prevented"], Some(DisputeState::Won)),
            (&["won", "lost", "needs_response"], Some(DisputeState::Lost)),
        ] {
            assert_eq!(of(statuses), state, "{statuses:?}");
        }
    }

    #[test]
    fn credit_note_credits_what_it_does_not_refund() {
        let of = |status: &str, refunds: serde_json::Value| {
            let note = json!({
                "id": "cn_1", "customer": "cus_1", "number": "CN-1", "invoice": "in_1", "currency": "eur",
                "total": 500, "status": status, "post_payment_amount": 400, "refunds": refunds,
            });
            serde_json::from_value::<CreditNote>(note).unwrap().credited_cents()
        };
        assert_eq!(of("issued", json!([])), 400);
        assert_eq!(of("issued", json!([{"amount_refunded": 300, "refund": "re_1"}])), 100);
        assert_eq!(of("issued", json!([{"amount_refunded": 400}])), 0);
        assert_eq!(of("void", json!([])), 0);
    }
}
