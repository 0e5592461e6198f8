//! Whoever collects the money.

use crate::invoice::Invoice;

/// Why a provider did not take an invoice.
#[derive(Debug, thiserror::Error)]
#[error("the billing provider did not take invoice {invoice}: {cause}")]
pub struct BillingError {
    /// The invoice.
    pub invoice: String,
    /// What it said.
    pub cause: String,
}

/// Collects the money of invoices.
#[tonic::async_trait]
pub trait BillingProvider: Send + Sync {
    /// Takes an invoice and says what it calls it. Has to be idempotent by [`Invoice::id`]: after a crash the same
    /// invoice is handed over again.
    ///
    /// # Errors
    /// It was not taken, and will be offered again.
    async fn bill(&self, invoice: &Invoice) -> Result<String, BillingError>;
}

/// People send the exported invoices; nothing is called. The default.
#[derive(Debug, Clone, Copy, Default)]
pub struct ManualProvider;

#[tonic::async_trait]
impl BillingProvider for ManualProvider {
    async fn bill(&self, invoice: &Invoice) -> Result<String, BillingError> {
        Ok(format!("manual:{}", invoice.id))
    }
}
