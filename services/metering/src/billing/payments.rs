//! Money that went back to a customer: refunds, disputes and credit notes at the provider.

use super::BillingEngine;
use crate::ledger::row_mapping::{column, column_enum, count, signed};
use crate::{Ledger, LedgerError};
use limner_store::{Row, StoreError};
use limner_types::WireEnum;
use time::OffsetDateTime;

/// Maximum number of times a payment is read again because a newer state was applied meanwhile.
const MAX_REREADS: u32 = 5;

/// The state of the disputes about a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DisputeState {
    /// The bank asks; the money stays.
    Inquiry,
    /// The bank took the money until it decides.
    Open,
    /// The bank gave the money back.
    Won,
    /// The customer keeps the money.
    Lost,
}

impl WireEnum for DisputeState {
    const ALL: &'static [Self] = &[Self::Inquiry, Self::Open, Self::Won, Self::Lost];

    fn as_str(self) -> &'static str {
        match self {
            Self::Inquiry => "inquiry",
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

/// The current state of a payment at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentState {
    /// The provider's id of the payment.
    pub reference: String,
    /// The provider's id of the customer.
    pub customer: String,
    /// The checkout of an order of ours that was paid with it.
    pub checkout: Option<PaidCheckout>,
    /// The currency, in lower case.
    pub currency: String,
    /// The amount that was paid, with tax.
    pub paid_cents: u64,
    /// The part that was refunded, or is about to be.
    pub refunded_cents: u64,
    /// The part that was credited without a refund.
    pub credited_cents: u64,
    /// The part of disputes that are not won.
    pub disputed_cents: u64,
    /// The state of the disputes; `None` if there was none.
    pub dispute: Option<DisputeState>,
}

/// The checkout in which an order was paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidCheckout {
    /// The provider's id of the checkout.
    pub reference: String,
    /// The order.
    pub order: String,
}

/// The current state of a credit note at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditNoteState {
    /// The provider's id of the credit note.
    pub reference: String,
    /// The provider's id of the customer.
    pub customer: String,
    /// The number that the customer sees.
    pub number: String,
    /// The provider's id of the invoice.
    pub invoice: String,
    /// The [`crate::invoice::Invoice::id`] of our invoice that the invoice was created for.
    pub ours: Option<String>,
    /// The currency, in lower case.
    pub currency: String,
    /// The amount, with tax.
    pub amount_cents: u64,
    /// True if it was voided.
    pub is_void: bool,
    /// The provider's ids of the payments of its invoice.
    pub payments: Vec<String>,
}

/// A payment of which money went back.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ReturnedPayment {
    /// The provider's id of the payment.
    pub reference: String,
    /// The account.
    pub account_id: String,
    /// The order of a pack that was paid with it; null for subscriptions and invoices.
    pub order_id: Option<String>,
    /// The currency, in lower case.
    pub currency: String,
    /// The amount that was paid, with tax.
    pub paid_cents: u64,
    /// The part that was refunded.
    pub refunded_cents: u64,
    /// The part that was credited without a refund.
    pub credited_cents: u64,
    /// The part of disputes that are not won.
    pub disputed_cents: u64,
    /// The state of the disputes; null if there was none.
    pub dispute: Option<DisputeState>,
    /// Pack credits that were taken back.
    pub credits_withdrawn: u64,
    /// Pack credits that were due too, but were spent.
    pub credits_short: u64,
    /// When it last changed.
    #[serde(with = "time::serde::rfc3339")]
    pub changed_at: OffsetDateTime,
}

/// A credit note of the provider.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CreditNote {
    /// The account.
    pub account_id: String,
    /// The number that the customer sees.
    pub number: String,
    /// Our invoice that it corrects; null if it corrects an invoice of a checkout or of a subscription.
    pub invoice_id: Option<String>,
    /// The provider's id of the corrected invoice.
    pub invoice_reference: String,
    /// The currency, in lower case.
    pub currency: String,
    /// The amount, with tax.
    pub amount_cents: u64,
    /// True if it was voided.
    pub is_void: bool,
    /// When it was recorded.
    #[serde(with = "time::serde::rfc3339")]
    pub noted_at: OffsetDateTime,
}

/// The outcome of applying a payment's state.
enum ApplyOutcome {
    /// A newer state was applied after this one was read.
    Stale,
    /// Nothing has changed.
    Unchanged,
    /// The state was applied.
    Applied { kind: String, withdrawn: i64, short: i64 },
}

impl BillingEngine {
    /// Applies the state of a payment: records what went back, and withdraws the pack credits that belong to it. The
    /// order that it paid is settled first, since the news of the payment may arrive after that of the refund. Returns
    /// true if something has changed.
    pub(super) async fn apply_payment(&self, reference: &str) -> Result<bool, LedgerError> {
        for _ in 0..MAX_REREADS {
            let known = self.ledger.payment_version(reference).await?;
            let Some(state) = self.provider.payment_state(reference).await? else { return Ok(false) };
            let Some(account_id) = self.account_of(&state.customer).await? else { return Ok(false) };
            if let Some(checkout) = &state.checkout {
                self.apply_checkout(&checkout.reference, false).await?;
                let order = self.ledger.order(&checkout.order).await?;
                self.check_customer(&state.customer, &order).await?;
            }
            match self.ledger.apply_payment_state(&account_id, known, &state).await? {
                ApplyOutcome::Stale => {}
                ApplyOutcome::Unchanged => return Ok(false),
                ApplyOutcome::Applied { kind, withdrawn, short } => {
                    report(&account_id, reference, kind, withdrawn, short);
                    return Ok(true);
                }
            }
        }
        Err(super::webhook_events::unavailable("the payment does not come to rest"))
    }

    /// Records a credit note, and applies the state of the payments of its invoice. Returns true if something has
    /// changed.
    pub(super) async fn apply_credit_note(&self, reference: &str) -> Result<bool, LedgerError> {
        let note = self.provider.credit_note_state(reference).await?;
        let Some(account_id) = self.account_of(&note.customer).await? else { return Ok(false) };
        let mut has_changed = self.ledger.record_credit_note(&account_id, &note).await?;
        if has_changed {
            metrics::counter!("limner_metering_payment_returns_total", "kind" => "credit_note").increment(1);
            tracing::info!(account.id = %account_id, credit_note.number = %note.number, "credit note recorded");
        }
        for payment in &note.payments {
            has_changed |= self.apply_payment(payment).await?;
        }
        Ok(has_changed)
    }
}

/// Logs and counts money that went back, and credits that were spent before they could be withdrawn.
fn report(account_id: &str, payment: &str, kind: String, withdrawn: i64, short: i64) {
    tracing::warn!(
        account.id = account_id,
        payment.id = payment,
        payment.kind = kind,
        payment.credits_withdrawn = withdrawn,
        payment.credits_short = short,
        "money went back to a customer"
    );
    metrics::counter!("limner_metering_payment_returns_total", "kind" => kind).increment(1);
    let spent = u64::try_from(short).unwrap_or_default();
    metrics::counter!("limner_metering_unrecovered_credits_total").increment(spent);
}

impl Ledger {
    async fn payment_version(&self, reference: &str) -> Result<i64, LedgerError> {
        const SQL: &str =
            "SELECT coalesce(max(version), 0) AS version FROM metering.returned_payment WHERE reference = $1";
        Ok(column(&self.store.query_one(SQL, &[&reference]).await?, "version")?)
    }

    async fn apply_payment_state(
        &self,
        account_id: &str,
        known_version: i64,
        state: &PaymentState,
    ) -> Result<ApplyOutcome, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.apply_payment_state($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        let order = state.checkout.as_ref().map(|checkout| checkout.order.as_str());
        let [paid, refunded, credited, disputed] =
            [state.paid_cents, state.refunded_cents, state.credited_cents, state.disputed_cents].map(signed);
        let dispute = state.dispute.map(DisputeState::as_str);
        let row = self
            .store
            .query_one(
                SQL,
                &[
                    &account_id,
                    &state.reference,
                    &known_version,
                    &order,
                    &state.currency,
                    &paid,
                    &refunded,
                    &credited,
                    &disputed,
                    &dispute,
                ],
            )
            .await?;
        let outcome: Option<String> = column(&row, "outcome")?;
        let outcome = outcome.ok_or_else(|| LedgerError::UnknownAccount(account_id.to_owned()))?;
        self.flush_outbox().await;
        Ok(match outcome.as_str() {
            "stale" => ApplyOutcome::Stale,
            "unchanged" => ApplyOutcome::Unchanged,
            _ => ApplyOutcome::Applied {
                kind: outcome,
                withdrawn: column(&row, "withdrawn")?,
                short: column(&row, "short")?,
            },
        })
    }

    async fn record_credit_note(&self, account_id: &str, note: &CreditNoteState) -> Result<bool, LedgerError> {
        const SQL: &str = "SELECT metering.record_credit_note($1, $2, $3, $4, $5, $6, $7, $8) AS has_changed";
        let amount = signed(note.amount_cents);
        let row = self
            .store
            .query_one(
                SQL,
                &[
                    &account_id,
                    &note.reference,
                    &note.number,
                    &note.invoice,
                    &note.ours,
                    &note.currency,
                    &amount,
                    &note.is_void,
                ],
            )
            .await?;
        Ok(column(&row, "has_changed")?)
    }

    /// Returns the payments of which money went back, of one account or of all; latest change first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn returned_payments(&self, account_id: Option<&str>) -> Result<Vec<ReturnedPayment>, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.returned_payment WHERE $1::text IS NULL OR account_id = $1 \
                           ORDER BY changed_at DESC, reference";
        let rows = self.store.query(SQL, &[&account_id]).await?;
        Ok(rows.iter().map(returned_payment).collect::<Result<_, _>>()?)
    }

    /// Returns the credit notes of one account or of all; latest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn credit_notes(&self, account_id: Option<&str>) -> Result<Vec<CreditNote>, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.credit_note WHERE $1::text IS NULL OR account_id = $1 \
                           ORDER BY noted_at DESC, reference";
        let rows = self.store.query(SQL, &[&account_id]).await?;
        Ok(rows.iter().map(credit_note).collect::<Result<_, _>>()?)
    }
}

fn returned_payment(row: &Row) -> Result<ReturnedPayment, StoreError> {
    let has_dispute = column::<Option<&str>>(row, "dispute")?.is_some();
    Ok(ReturnedPayment {
        reference: column(row, "reference")?,
        account_id: column(row, "account_id")?,
        order_id: column(row, "order_id")?,
        currency: column(row, "currency")?,
        paid_cents: count(row, "paid_cents")?,
        refunded_cents: count(row, "refunded_cents")?,
        credited_cents: count(row, "credited_cents")?,
        disputed_cents: count(row, "disputed_cents")?,
        dispute: has_dispute.then(|| column_enum(row, "dispute")).transpose()?,
        credits_withdrawn: count(row, "credits_withdrawn")?,
        credits_short: count(row, "credits_short")?,
        changed_at: column(row, "changed_at")?,
    })
}

fn credit_note(row: &Row) -> Result<CreditNote, StoreError> {
    Ok(CreditNote {
        account_id: column(row, "account_id")?,
        number: column(row, "number")?,
        invoice_id: column(row, "invoice_id")?,
        invoice_reference: column(row, "invoice_reference")?,
        currency: column(row, "currency")?,
        amount_cents: count(row, "amount_cents")?,
        is_void: column(row, "is_void")?,
        noted_at: column(row, "noted_at")?,
    })
}
