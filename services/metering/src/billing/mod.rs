//! Whoever collects the money, and what account holders order.
//!
//! The ledger decides what an account has; a [`BillingProvider`] only says what was paid. What it says may come twice,
//! late and out of order: a message only points, how things stand is asked for, an order takes effect once, and an
//! account's plan follows the one subscription that its last paid order began.

mod desk;
mod ending;
mod messages;
mod orders;
mod prices;
pub mod stripe;

pub use desk::{BillingDesk, PlanAnswer};
pub use orders::{Item, Order, OrderState};
pub use prices::Prices;

use crate::invoice::Invoice;
use crate::terms::{BillingInterval, Currency};
use limner_types::Plan;
use time::OffsetDateTime;

/// Why a provider did not do something.
#[derive(Debug, thiserror::Error)]
pub enum BillingError {
    /// It did not take an invoice, which will be offered again.
    #[error("the billing provider did not take invoice {invoice}: {cause}")]
    Invoice {
        /// The invoice.
        invoice: String,
        /// What it said.
        cause: String,
    },
    /// The payment was refused; nothing has changed.
    #[error("the payment was refused: {0}")]
    Declined(String),
    /// A message does not carry a valid, recent signature of the provider.
    #[error("the message is not signed as it should be: {0}")]
    Signature(&'static str),
    /// A message is signed but can't be understood.
    #[error("the message can't be understood: {0}")]
    Message(String),
    /// This provider does not do that.
    #[error("billing is done by people here: {0}")]
    Unsupported(&'static str),
    /// The provider can't be reached or answers with a fault of its own.
    #[error("the billing provider does not answer: {0}")]
    Unavailable(String),
    /// The provider refused what was asked of it.
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
    /// What the provider calls it; `None`: it does not know it.
    pub reference: Option<String>,
    /// The currency of its invoices.
    pub currency: Currency,
    /// Whether the provider collects for its plan, and so knows how it pays.
    pub has_subscription: bool,
}

/// Where the provider's pages lead back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Return {
    /// After the payment.
    pub success_url: String,
    /// When nothing was paid.
    pub cancel_url: String,
}

/// What follows an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checkout {
    /// A page of the provider where it is paid.
    Page {
        /// Its address.
        url: String,
        /// What the provider calls it.
        reference: String,
    },
    /// People see to it: it takes effect when they approve it.
    Pending,
}

/// A plan as a provider collects for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionState {
    /// What the provider calls it.
    pub reference: String,
    /// What the provider calls the customer.
    pub customer: String,
    /// The provider's word for how it stands.
    pub status: String,
    /// The plan it is paid for; `None`: none, it has ended. Unpaid beginnings are no state: see [`Self::is_settled`].
    pub plan: Option<(Plan, BillingInterval)>,
    /// Whether it says anything yet: not before its first payment.
    pub is_settled: bool,
    /// The end of what is paid for.
    pub paid_until: Option<OffsetDateTime>,
}

/// A checkout as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutState {
    /// The order it is for.
    pub order: String,
    /// What the provider calls the customer.
    pub customer: String,
    /// Whether it was paid (`Some(true)`), can't be paid any more (`Some(false)`), or neither: it is open, or a payment
    /// is under way.
    pub paid: Option<bool>,
    /// The subscription that it began.
    pub subscription: Option<String>,
}

/// An invoice of the provider as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceState {
    /// What the provider calls the customer.
    pub customer: String,
    /// Whether nothing is owed any more (`Some(true)`), collecting it has failed for good (`Some(false)`), or neither
    /// yet.
    pub paid: Option<bool>,
    /// The [`Invoice::id`] of ours that it was made for.
    pub invoice: Option<String>,
}

/// What a message of the provider is about. It only points: how things stand is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A checkout.
    Checkout {
        /// What the provider calls it.
        reference: String,
        /// Whether a payment that was under way has failed for good.
        failed: bool,
    },
    /// A subscription.
    Subscription(String),
    /// An invoice.
    Invoice(String),
    /// Something else.
    Other,
}

/// A message whose signature was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Names it, however often it is sent.
    pub id: String,
    /// The provider's word for its kind.
    pub kind: String,
    /// What it is about.
    pub news: News,
}

/// Collects money. Every method may be repeated after a crash, and nothing is collected twice for that.
#[tonic::async_trait]
pub trait BillingProvider: Send + Sync {
    /// Names it in the database and the log.
    fn name(&self) -> &'static str;

    /// Takes an invoice and says what it calls it. Idempotent by [`Invoice::id`].
    ///
    /// # Errors
    /// It was not taken, and will be offered again.
    async fn bill(&self, customer: &Customer, invoice: &Invoice) -> Result<String, BillingError>;

    /// Makes the account known and says what it calls it; `None`: it keeps no customers.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn open_customer(&self, _customer: &Customer) -> Result<Option<String>, BillingError> {
        Ok(None)
    }

    /// Has an order paid.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn checkout(&self, _customer: &Customer, _order: &Order, _back: &Return) -> Result<Checkout, BillingError> {
        Ok(Checkout::Pending)
    }

    /// Closes a checkout that is open, so that nobody can pay it any more, and says how it stands then: what was paid
    /// before stays paid. `None`: it is not about an order of ours.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn withdraw(&self, _reference: &str) -> Result<Option<CheckoutState>, BillingError> {
        Err(BillingError::Unsupported("there are no checkouts"))
    }

    /// A page where the customer sees to cards and invoices.
    ///
    /// # Errors
    /// There is none, the provider does not answer, or refuses.
    async fn portal(&self, _customer: &Customer, _back: &str) -> Result<String, BillingError> {
        Err(BillingError::Unsupported("there is no page for cards and invoices"))
    }

    /// Puts a subscription on a larger plan, at once: what is missing is collected before anything changes.
    ///
    /// # Errors
    /// The payment is refused, the provider does not answer, or refuses.
    async fn upgrade(&self, _subscription: &str, _item: PlanPrice) -> Result<SubscriptionState, BillingError> {
        Err(BillingError::Unsupported("there are no subscriptions"))
    }

    /// Puts a subscription on a smaller plan with the end of what is paid for; `None` ends it then.
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

    /// Has a subscription collect nothing more: with the end of what is paid for, or at once, and then what it has not
    /// collected isn't owed either. One that has ended stays so.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn end(&self, _subscription: &str, _at_once: bool) -> Result<(), BillingError> {
        Err(BillingError::Unsupported("there are no subscriptions"))
    }

    /// Takes a downgrade back.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn keep(&self, _subscription: &str) -> Result<SubscriptionState, BillingError> {
        Err(BillingError::Unsupported("there are no subscriptions"))
    }

    /// Checks the signature of a message and reads what it is about.
    ///
    /// # Errors
    /// It is not signed, not recent, or no message.
    fn read_message(&self, _body: &[u8], _signature: &str) -> Result<Message, BillingError> {
        Err(BillingError::Unsupported("nobody sends messages"))
    }

    /// How a subscription stands.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn subscription(&self, _reference: &str) -> Result<SubscriptionState, BillingError> {
        Err(BillingError::Unsupported("there are no subscriptions"))
    }

    /// How a checkout stands; `None`: it is not about an order of ours.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn checkout_state(&self, _reference: &str) -> Result<Option<CheckoutState>, BillingError> {
        Err(BillingError::Unsupported("there are no checkouts"))
    }

    /// How an invoice stands.
    ///
    /// # Errors
    /// The provider does not answer, or refuses.
    async fn invoice_state(&self, _reference: &str) -> Result<InvoiceState, BillingError> {
        Err(BillingError::Unsupported("invoices are sent by people"))
    }
}

/// A plan with its price in one currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanPrice {
    /// The plan.
    pub plan: Plan,
    /// How often it is paid.
    pub billing_interval: BillingInterval,
    /// What is paid each time, in cents, without tax.
    pub amount_cents: u64,
    /// The currency.
    pub currency: Currency,
}

/// People collect: they send the exported invoices and approve orders. The default.
#[derive(Debug, Clone, Copy, Default)]
pub struct ManualProvider;

#[tonic::async_trait]
impl BillingProvider for ManualProvider {
    fn name(&self) -> &'static str {
        "manual"
    }

    async fn bill(&self, _customer: &Customer, invoice: &Invoice) -> Result<String, BillingError> {
        Ok(format!("manual:{}", invoice.id))
    }
}
