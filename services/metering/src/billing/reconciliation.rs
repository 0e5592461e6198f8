//! Compares orders, subscriptions, invoices and returned payments with the provider's, and applies what was missed: events
//! can be lost, since a provider repeats them for some days only.

use super::{BillingEngine, BillingError, CheckoutState, InvoiceState, Order, OrderState, SubscriptionState};
use crate::ledger::row_mapping::column;
use crate::{Ledger, LedgerError};
use limner_types::WireEnum;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use time::{Duration, OffsetDateTime};

/// Objects at a provider that began, or of which money went back, since a moment.
#[derive(Debug, Default)]
pub struct RecentObjects {
    /// Checkouts of our orders, by the provider's id.
    pub checkouts: BTreeMap<String, CheckoutState>,
    /// Subscriptions that have not ended, however old, and those that began since and have ended.
    pub subscriptions: Vec<SubscriptionState>,
    /// Invoices, by the provider's id.
    pub invoices: BTreeMap<String, InvoiceState>,
    /// Payments with a refund or a dispute.
    pub payments: BTreeSet<String>,
    /// Credit notes.
    pub credit_notes: BTreeSet<String>,
}

/// Something that the provider knows otherwise than the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// `checkout`, `subscription`, `invoice`, `returned_payment`, `credit_note`, or `unknown_payment`: an order that was
    /// recorded as paid and is not paid at the provider.
    pub kind: &'static str,
    /// The provider's id of the object.
    pub reference: String,
    /// The difference, for people.
    pub detail: String,
    /// True if the provider's state was applied.
    pub repaired: bool,
}

/// The result of a reconciliation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reconciliation {
    /// Number of objects that were compared.
    pub compared: usize,
    /// The differences.
    pub differences: Vec<Difference>,
}

impl BillingEngine {
    /// Compares what began at the provider within the last `days` with the ledger, and applies what is missing. Safe to
    /// repeat, and to run while events arrive.
    ///
    /// # Errors
    /// The provider or the database fails. What was repaired until then stays.
    pub async fn reconcile(&self, days: u32) -> Result<Reconciliation, LedgerError> {
        let since = OffsetDateTime::now_utc() - Duration::days(i64::from(days));
        let recent = self.provider.recent_objects(since).await?;
        let compared = recent.checkouts.len()
            + recent.subscriptions.len()
            + recent.invoices.len()
            + recent.payments.len()
            + recent.credit_notes.len();
        let mut found = Vec::new();
        for (reference, state) in &recent.checkouts {
            found.extend(self.compare_checkout(reference, state).await?);
        }
        for state in &recent.subscriptions {
            found.extend(self.compare_subscription(state).await?);
        }
        for (reference, state) in &recent.invoices {
            found.extend(self.compare_invoice(reference, state).await?);
        }
        for reference in &recent.payments {
            if self.apply_payment(reference).await? {
                found.push(repaired("returned_payment", reference, "money went back".to_owned()));
            }
        }
        for reference in &recent.credit_notes {
            if self.apply_credit_note(reference).await? {
                found.push(repaired("credit_note", reference, "a credit note".to_owned()));
            }
        }
        found.extend(self.compare_paid_orders(since, &recent.checkouts).await?);
        for difference in &found {
            report(difference);
        }
        tracing::info!(
            billing.objects = compared,
            billing.differences = found.len(),
            "compared with the billing provider"
        );
        Ok(Reconciliation { compared, differences: found })
    }

    /// Like [`Self::reconcile`], by an operator: it counts as the run of the day.
    ///
    /// # Errors
    /// See [`Self::reconcile`].
    pub async fn reconcile_now(&self, days: u32) -> Result<Reconciliation, LedgerError> {
        let reconciliation = self.reconcile(days).await?;
        self.ledger.complete_job("reconcile").await?;
        Ok(reconciliation)
    }

    async fn compare_checkout(
        &self,
        reference: &str,
        state: &CheckoutState,
    ) -> Result<Option<Difference>, LedgerError> {
        let order = match self.ledger.order(&state.order).await {
            Err(LedgerError::Invalid(cause)) => return Ok(Some(unrepaired("checkout", reference, cause))),
            order => order?,
        };
        let detail = match state.paid {
            Some(true) if order.paid_at.is_none() => format!("order {} is paid", order.id),
            Some(false) if order.state == OrderState::Open => format!("order {} can no longer be paid", order.id),
            _ => return Ok(None),
        };
        repair("checkout", reference, detail, self.apply_checkout(reference, false).await)
    }

    async fn compare_subscription(&self, state: &SubscriptionState) -> Result<Option<Difference>, LedgerError> {
        let Some(account_id) = self.account_of(&state.customer).await?.filter(|_| state.is_settled) else {
            return Ok(None);
        };
        let reference = &state.reference;
        let plan = state.plan.map_or("free", |(plan, _)| plan.as_str());
        match self.ledger.recorded_subscription(&account_id, reference).await? {
            // Its checkout tells what it is for, or it is one that must not collect any more.
            RecordedSubscription::Other if plan == "free" => Ok(None),
            RecordedSubscription::Duplicate => Ok(None),
            RecordedSubscription::Other => {
                Ok(Some(unrepaired("subscription", reference, format!("{account_id} is not on it"))))
            }
            RecordedSubscription::Current { status, plan: known } if status == state.status && known == plan => {
                Ok(None)
            }
            RecordedSubscription::Current { status, plan: known } => {
                let detail = format!("{account_id}: {status}, {known}; now {}, {plan}", state.status);
                let applied = self.sync_subscription(&account_id, reference, None).await;
                repair("subscription", reference, detail, applied)
            }
        }
    }

    async fn compare_invoice(&self, reference: &str, state: &InvoiceState) -> Result<Option<Difference>, LedgerError> {
        let Some(account_id) = self.account_of(&state.customer).await? else { return Ok(None) };
        let Some(paid) = state.paid else { return Ok(None) };
        if self.ledger.invoice_is_recorded(reference, state.invoice.as_deref(), paid).await? {
            return Ok(None);
        }
        let detail = format!("{account_id}: {}", if paid { "nothing is owed" } else { "it was not paid" });
        repair("invoice", reference, detail, self.apply_invoice(reference).await)
    }

    /// Finds orders that were placed since and recorded as paid, and are not paid at the provider.
    async fn compare_paid_orders(
        &self,
        since: OffsetDateTime,
        checkouts: &BTreeMap<String, CheckoutState>,
    ) -> Result<Vec<Difference>, LedgerError> {
        let paid = self.ledger.orders_paid_since(self.provider.name(), since).await?;
        let is_paid = |order: &Order| {
            let reference = order.provider_reference.as_deref().unwrap_or_default();
            checkouts.get(reference).is_some_and(|state| state.paid == Some(true))
        };
        let unknown = paid.iter().filter(|order| !is_paid(order));
        Ok(unknown
            .map(|order| {
                let reference = order.provider_reference.as_deref().unwrap_or_default();
                unrepaired("unknown_payment", reference, format!("order {} is not paid there", order.id))
            })
            .collect())
    }
}

/// Returns a difference whose repair was attempted. What contradicts the ledger is left to people.
fn repair(
    kind: &'static str,
    reference: &str,
    detail: String,
    applied: Result<(), LedgerError>,
) -> Result<Option<Difference>, LedgerError> {
    match applied {
        Ok(()) => Ok(Some(repaired(kind, reference, detail))),
        Err(LedgerError::Billing(BillingError::Message(cause))) => {
            Ok(Some(unrepaired(kind, reference, format!("{detail}: {cause}"))))
        }
        Err(cause) => Err(cause),
    }
}

fn repaired(kind: &'static str, reference: &str, detail: String) -> Difference {
    Difference { kind, reference: reference.to_owned(), detail, repaired: true }
}

fn unrepaired(kind: &'static str, reference: &str, detail: String) -> Difference {
    Difference { repaired: false, ..repaired(kind, reference, detail) }
}

fn report(difference: &Difference) {
    let Difference { kind, reference, detail, repaired } = difference;
    metrics::counter!("limner_metering_reconciliation_differences_total", "kind" => *kind).increment(1);
    tracing::error!(billing.kind = kind, billing.reference = %reference, billing.repaired = repaired,
        "the billing provider knew otherwise: {detail}");
}

/// A subscription, as the ledger has it.
enum RecordedSubscription {
    /// It pays for the account's plan.
    Current { status: String, plan: String },
    /// It must not collect any more.
    Duplicate,
    /// Unknown, or replaced.
    Other,
}

impl Ledger {
    async fn recorded_subscription(
        &self,
        account_id: &str,
        reference: &str,
    ) -> Result<RecordedSubscription, LedgerError> {
        const SQL: &str = "SELECT metering.is_duplicate($2) AS is_duplicate, s.status, s.plan \
                           FROM (SELECT $1::text AS id) a LEFT JOIN metering.billing_subscription s \
                             ON s.account_id = a.id AND s.reference = $2";
        let row = self.store.query_one(SQL, &[&account_id, &reference]).await?;
        if column::<bool>(&row, "is_duplicate")? {
            return Ok(RecordedSubscription::Duplicate);
        }
        let status: Option<String> = column(&row, "status")?;
        let plan: Option<String> = column(&row, "plan")?;
        Ok(match status {
            Some(status) => RecordedSubscription::Current { status, plan: plan.unwrap_or_else(|| "free".to_owned()) },
            None => RecordedSubscription::Other,
        })
    }

    /// Returns true if the ledger has an invoice as paid, or as not paid for good. `ours`: our invoice that it was
    /// created for.
    async fn invoice_is_recorded(&self, reference: &str, ours: Option<&str>, paid: bool) -> Result<bool, LedgerError> {
        const SQL: &str = "SELECT EXISTS (SELECT FROM metering.unpaid_invoice WHERE reference = $1) AS is_unpaid, \
                             EXISTS (SELECT FROM metering.invoice WHERE id = $2 AND settled_at IS NULL) AS is_open";
        let row = self.store.query_one(SQL, &[&reference, &ours]).await?;
        let (is_unpaid, is_open): (bool, bool) = (column(&row, "is_unpaid")?, column(&row, "is_open")?);
        Ok(if paid { !is_unpaid && !is_open } else { is_unpaid })
    }

    async fn orders_paid_since(&self, provider: &str, since: OffsetDateTime) -> Result<Vec<Order>, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.billing_order WHERE provider = $1 AND paid_at IS NOT NULL \
                             AND ordered_at > $2 ORDER BY ordered_at, id";
        let rows = self.store.query(SQL, &[&provider, &since]).await?;
        Ok(rows.iter().map(super::orders::order).collect::<Result<_, _>>()?)
    }
}
