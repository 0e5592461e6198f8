//! Closes months: overage becomes lines of an invoice.

use super::Ledger;
use super::row_mapping::{column, column_enum, count, optional_count};
use crate::LedgerError;
use crate::invoice::{Invoice, InvoiceLine};
use limner_store::{Row, StoreError};
use serde::Serialize;
use time::Date;

/// The result of a run of [`Ledger::close_periods`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PeriodClose {
    /// Months before the one that begins here were considered.
    pub before: String,
    /// The months that were examined, per account.
    pub periods: Vec<ClosedPeriod>,
    /// The invoices of this run.
    pub invoices: Vec<Invoice>,
}

/// One account's month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClosedPeriod {
    /// The account.
    pub account_id: String,
    /// First day of the month.
    pub period_start: String,
    /// The invoice that this run created for it, if there was anything to bill.
    pub invoice_id: Option<String>,
    /// False while the month is not over or has calls in progress: a later run bills the rest.
    pub closed: bool,
}

impl Ledger {
    /// Closes the months that have ended by `at` (by default: now, by the database's clock). The overage of each paid
    /// account becomes invoice lines at the rate it was drawn under. Idempotent: nothing is billed twice, even if `at`
    /// lies in the future and a month is billed before its end (it then stays open, and a later run bills the rest).
    ///
    /// # Errors
    /// The database fails. Months closed until then stay closed; run it again.
    pub async fn close_periods(&self, at: Option<Date>) -> Result<PeriodClose, LedgerError> {
        const DUE: &str = "SELECT account_id, period_start, period_start::text AS month FROM metering.account_period \
                           WHERE closed_at IS NULL AND period_start < $1 ORDER BY period_start, account_id";
        let before = self.month_to_close(at).await?;
        let due = self.store.query(DUE, &[&before]).await?;
        let mut close = PeriodClose { before: before.to_string(), periods: Vec::new(), invoices: Vec::new() };
        for row in &due {
            let account_id: String = column(row, "account_id")?;
            let month: Date = column(row, "period_start")?;
            let closed =
                self.store.query_one("SELECT * FROM metering.close_period($1, $2)", &[&account_id, &month]).await?;
            let invoice_id: Option<String> = column(&closed, "invoice_id")?;
            if let Some(id) = &invoice_id {
                close.invoices.push(self.invoice(id).await?);
            }
            close.periods.push(ClosedPeriod {
                account_id,
                period_start: column(row, "month")?,
                invoice_id,
                closed: column(&closed, "is_closed")?,
            });
        }
        tracing::info!(period.closed = close.periods.len(), period.invoices = close.invoices.len(), "periods closed");
        Ok(close)
    }

    async fn month_to_close(&self, at: Option<Date>) -> Result<Date, LedgerError> {
        let row = self.store.query_one("SELECT metering.month_of(metering.clock()) AS month", &[]).await?;
        let current: Date = column(&row, "month")?;
        Ok(at.map_or(current, |at| at.replace_day(1).unwrap_or(at)))
    }

    /// Returns the invoices of an account, latest month first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn invoices(&self, account_id: &str) -> Result<Vec<Invoice>, LedgerError> {
        const SQL: &str = "SELECT id FROM metering.invoice WHERE account_id = $1 ORDER BY period_start DESC, id DESC";
        self.load_invoices(&self.store.query(SQL, &[&account_id]).await?).await
    }

    /// Returns the invoices that have not been submitted to a provider.
    pub(crate) async fn unsubmitted_invoices(&self) -> Result<Vec<Invoice>, LedgerError> {
        const SQL: &str = "SELECT id FROM metering.invoice WHERE provider_reference IS NULL ORDER BY created_at, id";
        self.load_invoices(&self.store.query(SQL, &[]).await?).await
    }

    pub(crate) async fn record_submission(&self, invoice_id: &str, reference: &str) -> Result<(), LedgerError> {
        const SQL: &str =
            "UPDATE metering.invoice SET provider_reference = $2 WHERE id = $1 AND provider_reference IS NULL";
        self.store.query(SQL, &[&invoice_id, &reference]).await?;
        tracing::info!(invoice.id = invoice_id, "invoice submitted");
        Ok(())
    }

    /// Returns the invoices of all accounts for one month, or for all months; earliest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn invoices_of_month(&self, month: Option<Date>) -> Result<Vec<Invoice>, LedgerError> {
        const SQL: &str = "SELECT id FROM metering.invoice WHERE $1::date IS NULL OR period_start = $1 \
                           ORDER BY period_start, account_id, id";
        let month = month.map(|month| month.replace_day(1).unwrap_or(month));
        self.load_invoices(&self.store.query(SQL, &[&month]).await?).await
    }

    async fn load_invoices(&self, ids: &[Row]) -> Result<Vec<Invoice>, LedgerError> {
        let mut invoices = Vec::with_capacity(ids.len());
        for row in ids {
            invoices.push(self.invoice(column(row, "id")?).await?);
        }
        Ok(invoices)
    }

    async fn invoice(&self, id: &str) -> Result<Invoice, LedgerError> {
        const SQL: &str = "SELECT i.*, i.period_start::text AS month, a.email \
                           FROM metering.invoice i JOIN metering.account a ON a.id = i.account_id WHERE i.id = $1";
        const LINES: &str = "SELECT kind, plan, pack, billing_interval, quantity, amount_cents, \
                               rate_cents_per_1000::bigint AS rate \
                             FROM metering.invoice_line WHERE invoice_id = $1 ORDER BY position";
        let row = self.store.query_one(SQL, &[&id]).await?;
        let lines = self.store.query(LINES, &[&id]).await?;
        Ok(Invoice {
            id: column(&row, "id")?,
            account_id: column(&row, "account_id")?,
            email: column(&row, "email")?,
            period_start: column(&row, "month")?,
            currency: column_enum(&row, "currency")?,
            lines: lines.iter().map(invoice_line).collect::<Result<_, _>>()?,
            total_cents: count(&row, "total_cents")?,
            provider_reference: column(&row, "provider_reference")?,
        })
    }
}

fn invoice_line(row: &Row) -> Result<InvoiceLine, StoreError> {
    let kind: String = column(row, "kind")?;
    let (plan, pack): (Option<String>, Option<String>) = (column(row, "plan")?, column(row, "pack")?);
    let interval: Option<String> = column(row, "billing_interval")?;
    let name = plan.as_deref().or(pack.as_deref()).unwrap_or_default();
    let description = match (kind.as_str(), &interval) {
        ("overage", _) => format!("Overage on plan {name}"),
        (_, Some(interval)) => format!("Plan {name}, {interval}"),
        _ => format!("Credit pack {name}"),
    };
    Ok(InvoiceLine {
        description,
        kind,
        plan,
        pack,
        quantity: count(row, "quantity")?,
        rate_cents_per_1000: optional_count(row, "rate")?,
        amount_cents: count(row, "amount_cents")?,
    })
}
