//! Billing: orders of account owners, and the provider that collects the money.
//!
//! The ledger decides what an account has; a [`BillingProvider`] only reports payments. Its webhook events may arrive
//! twice, late and out of order. An event therefore only names an object, whose current state is read from the
//! provider; an order takes effect once; and an account's plan follows the one subscription that its last paid order
//! started.

mod closing;
mod orders;
mod payments;
mod prices;
mod reconciliation;
mod service;
pub mod stripe;
mod webhook_events;
mod withdrawals;

pub use orders::{Order, OrderItem, OrderState};
pub use payments::{CreditNote, CreditNoteState, DisputeState, PaidCheckout, PaymentState, ReturnedPayment};
pub use prices::Prices;
pub use reconciliation::{Difference, RecentObjects, Reconciliation};
pub use service::{BillingEngine, PlanChangeOutcome};

use crate::contract_terms::{BillingInterval, Currency};
use crate::invoice::Invoice;
use limner_types::Plan;
use time::OffsetDateTime;

/// An error of a billing provider.
#[derive(Debug, thiserror::Error)]
pub enum BillingError {
    /// The provider rejected an invoice, which will be submitted again.
    #[error("the billing provider did not take invoice {invoice}: {cause}")]
    Invoice {
        /// The invoice.
        invoice: String,
        /// The provider's reason.
        cause: String,
    },
    /// The payment was refused; nothing has changed.
    #[error("the payment was refused: {0}")]
    Declined(String),
    /// A webhook event has no valid, recent signature of the provider.
    #[error("the message is not signed as it should be: {0}")]
    Signature(&'static str),
    /// A webhook event is signed but cannot be parsed.
    #[error("the message can't be understood: {0}")]
    Message(String),
    /// The provider does not support this operation.
    #[error("billing is done by people here: {0}")]
    Unsupported(&'static str),
    /// The provider cannot be reached or answers with a server error.
    #[error("the billing provider does not answer: {0}")]
    Unavailable(String),
    /// The provider rejected the request.
    #[error("the billing provider refused: {0}")]
    Refused(String),
}

/// An account as a provider sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// The account.
    pub account_id: String,
    /// Its owner.
    pub email: String,
    /// The provider's id of the customer; `None` if the provider has no such customer yet.
    pub reference: Option<String>,
    /// The currency of its invoices.
    pub currency: Currency,
    /// True if the provider collects for the plan, and therefore has a payment method.
    pub has_subscription: bool,
}

/// URLs that the provider's pages lead back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnUrls {
    /// After the payment.
    pub success_url: String,
    /// When nothing was paid.
    pub cancel_url: String,
}

/// The next step after an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckoutOutcome {
    /// The order is paid on a page of the provider.
    Page {
        /// URL of the page.
        url: String,
        /// The provider's id of the checkout.
        reference: String,
    },
    /// The order takes effect when an operator approves it.
    Pending,
}

/// The current state of a plan's subscription at a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionState {
    /// The provider's id of the subscription.
    pub reference: String,
    /// The provider's id of the customer.
    pub customer: String,
    /// The provider's name of the status.
    pub status: String,
    /// The plan that the subscription pays for; `None` if it has ended. Ignore it until [`Self::is_settled`]: a
    /// subscription that was never paid has no state.
    pub plan: Option<(Plan, BillingInterval)>,
    /// False before the first payment, when the state means nothing yet.
    pub is_settled: bool,
    /// The end of the paid period.
    pub paid_until: Option<OffsetDateTime>,
}

/// The current state of a checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutState {
    /// The order it is for.
    pub order: String,
    /// The provider's id of the customer.
    pub customer: String,
    /// `Some(true)` if it was paid, `Some(false)` if it cannot be paid any more, `None` if it is open or a payment is
    /// in progress.
    pub paid: Option<bool>,
    /// The subscription that the checkout started.
    pub subscription: Option<String>,
}

/// The current state of an invoice at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceState {
    /// The provider's id of the customer.
    pub customer: String,
    /// `Some(true)` if nothing is owed any more, `Some(false)` if collecting it has failed for good, `None` if it is
    /// neither yet.
    pub paid: Option<bool>,
    /// The [`Invoice::id`] of our invoice that it was created for.
    pub invoice: Option<String>,
}

/// The object that a webhook event names. Its current state has to be read from the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookEvent {
    /// A checkout.
    Checkout {
        /// The provider's id of the checkout.
        reference: String,
        /// True if a payment that was in progress has failed for good.
        failed: bool,
    },
    /// A subscription.
    Subscription(String),
    /// An invoice.
    Invoice(String),
    /// A payment of which money went back, or may.
    Payment(String),
    /// A credit note.
    CreditNote(String),
    /// Something else.
    Other,
}

/// A webhook event whose signature has been verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedWebhook {
    /// Id of the event, the same for each delivery.
    pub id: String,
    /// The provider's name of the event type.
    pub kind: String,
    /// The object that the event names.
    pub event: WebhookEvent,
}

/// Collects money. Every method may be repeated after a crash without collecting anything twice.
#[tonic::async_trait]
pub trait BillingProvider: Send + Sync {
    /// Returns the provider's name in the database and the log.
    fn name(&self) -> &'static str;

    /// Submits an invoice and returns the provider's id of it. Idempotent by [`Invoice::id`].
    ///
    /// # Errors
    /// The provider rejects the invoice, which will be submitted again.
    async fn create_invoice(&self, customer: &Customer, invoice: &Invoice) -> Result<String, BillingError>;

    /// Creates the account as a customer and returns the provider's id of it; `None` if the provider keeps no
    /// customers.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn ensure_customer(&self, _customer: &Customer) -> Result<Option<String>, BillingError> {
        Ok(None)
    }

    /// Creates a checkout in which an order is paid.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn checkout(
        &self,
        _customer: &Customer,
        _order: &Order,
        _back: &ReturnUrls,
    ) -> Result<CheckoutOutcome, BillingError> {
        Ok(CheckoutOutcome::Pending)
    }

    /// Closes an open checkout so that it cannot be paid any more, and returns its state afterwards: if it was paid
    /// before, it stays paid. Returns `None` if it does not belong to an order of ours.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn expire_checkout(&self, _reference: &str) -> Result<Option<CheckoutState>, BillingError> {
        Err(BillingError::Unsupported("there are no checkouts"))
    }

    /// Returns true if customers manage cards and invoices on a page of the provider.
    fn has_portal(&self) -> bool {
        false
    }

    /// Returns the URL of that page.
    ///
    /// # Errors
    /// There is none, the provider does not answer, or refuses.
    async fn portal(&self, _customer: &Customer, _back: &str) -> Result<String, BillingError> {
        Err(BillingError::Unsupported("there is no page for cards and invoices"))
    }

    /// Moves a subscription to a larger plan at once. The difference in price is collected before anything changes.
    ///
    /// # Errors
    /// The payment is refused, the provider does not answer, or refuses.
    async fn upgrade(&self, _subscription: &str, _item: PlanPrice) -> Result<SubscriptionState, BillingError> {
        Err(BillingError::Unsupported("there are no subscriptions"))
    }

    /// Moves a subscription to a smaller plan at the end of the paid period; with `None` it ends then.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn downgrade(
        &self,
        _subscription: &str,
        _item: Option<PlanPrice>,
    ) -> Result<SubscriptionState, BillingError> {
        Err(BillingError::Unsupported("there are no subscriptions"))
    }

    /// Cancels a subscription, at once or at the end of the paid period. If at once, amounts that have not been
    /// collected are not owed any more. A subscription that has ended stays ended.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn cancel_subscription(&self, _subscription: &str, _at_once: bool) -> Result<(), BillingError> {
        Err(BillingError::Unsupported("there are no subscriptions"))
    }

    /// Cancels a downgrade.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn cancel_downgrade(&self, _subscription: &str) -> Result<SubscriptionState, BillingError> {
        Err(BillingError::Unsupported("there are no subscriptions"))
    }

    /// Verifies the signature of a webhook event and parses which object it names.
    ///
    /// # Errors
    /// The event is not signed, not recent, or malformed.
    fn read_message(&self, _body: &[u8], _signature: &str) -> Result<VerifiedWebhook, BillingError> {
        Err(BillingError::Unsupported("nobody sends messages"))
    }

    /// Returns the current state of a subscription.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn subscription(&self, _reference: &str) -> Result<SubscriptionState, BillingError> {
        Err(BillingError::Unsupported("there are no subscriptions"))
    }

    /// Returns the current state of a checkout; `None` if it does not belong to an order of ours.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn checkout_state(&self, _reference: &str) -> Result<Option<CheckoutState>, BillingError> {
        Err(BillingError::Unsupported("there are no checkouts"))
    }

    /// Returns the current state of an invoice.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn invoice_state(&self, _reference: &str) -> Result<InvoiceState, BillingError> {
        Err(BillingError::Unsupported("invoices are sent by people"))
    }

    /// Returns the objects that began since a moment, for comparison with ours.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn recent_objects(&self, _since: OffsetDateTime) -> Result<RecentObjects, BillingError> {
        Ok(RecentObjects::default())
    }

    /// Returns true if taxes are added to the prices.
    fn adds_tax(&self) -> bool {
        false
    }

    /// Refunds what was paid in a checkout and is not refunded yet. Idempotent by `order_id`.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn refund_checkout(&self, _reference: &str, _order_id: &str) -> Result<(), BillingError> {
        Err(BillingError::Unsupported("refunds are made by people"))
    }

    /// Returns the current state of a payment; `None` if it belongs to no account.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn payment_state(&self, _reference: &str) -> Result<Option<PaymentState>, BillingError> {
        Err(BillingError::Unsupported("payments are received by people"))
    }

    /// Returns the current state of a credit note.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn credit_note_state(&self, _reference: &str) -> Result<CreditNoteState, BillingError> {
        Err(BillingError::Unsupported("credit notes are sent by people"))
    }
}

/// A plan with its price in one currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanPrice {
    /// The plan.
    pub plan: Plan,
    /// Interval at which it is paid.
    pub billing_interval: BillingInterval,
    /// Price of each interval, in cents, without tax.
    pub amount_cents: u64,
    /// The currency.
    pub currency: Currency,
}

/// The default provider: operators send the exported invoices and approve orders by hand.
#[derive(Debug, Clone, Copy, Default)]
pub struct ManualProvider;

#[tonic::async_trait]
impl BillingProvider for ManualProvider {
    fn name(&self) -> &'static str {
        "manual"
    }

    async fn create_invoice(&self, _customer: &Customer, invoice: &Invoice) -> Result<String, BillingError> {
        Ok(format!("manual:{}", invoice.id))
    }
}
