//! Handles webhook events. An event only names a checkout, a subscription, an invoice, a payment or a credit note; its
//! current state is then read from the provider.

use super::orders::{ApplyOutcome, Overpayment};
use super::{BillingEngine, BillingError, Order, OrderState, WebhookEvent};
use crate::LedgerError;
use limner_types::WireEnum;

/// Maximum number of times a subscription is read again because a newer state was applied meanwhile.
const MAX_REREADS: u32 = 5;
/// Maximum number of invoices of closed accounts that one run of the job reads.
const INVOICE_BATCH: i64 = 100;

impl BillingEngine {
    /// Handles a webhook event: checks its signature, reads the current state of the object it names, and applies that
    /// state. A repeated event changes nothing.
    ///
    /// # Errors
    /// The signature is invalid, or the provider or the database fails; the event must then be sent again.
    pub async fn handle_webhook(&self, body: &[u8], signature: &str) -> Result<(), LedgerError> {
        let name = self.provider.name();
        let message = self.provider.read_message(body, signature)?;
        if self.ledger.was_processed(name, &message.id).await? {
            tracing::info!(message.id = %message.id, message.kind = %message.kind, "duplicate billing event");
            return Ok(());
        }
        match &message.event {
            WebhookEvent::Checkout { reference, failed } => self.apply_checkout(reference, *failed).await?,
            WebhookEvent::Subscription(reference) => self.apply_subscription(reference, None).await?,
            WebhookEvent::Invoice(reference) => self.apply_invoice(reference).await?,
            WebhookEvent::Payment(reference) => drop(self.apply_payment(reference).await?),
            WebhookEvent::CreditNote(reference) => drop(self.apply_credit_note(reference).await?),
            WebhookEvent::Other => {}
        }
        tracing::info!(message.id = %message.id, message.kind = %message.kind, "billing event applied");
        self.ledger.record_webhook(name, &message.id, &message.kind).await
    }

    /// Applies the state of a checkout. `failed`: a payment that was in progress has failed.
    pub(super) async fn apply_checkout(&self, reference: &str, failed: bool) -> Result<(), LedgerError> {
        let Some(state) = self.provider.checkout_state(reference).await? else { return Ok(()) };
        let order = self.ledger.order(&state.order).await?;
        self.check_customer(&state.customer, &order).await?;
        match (state.paid, state.subscription) {
            (Some(true), Some(subscription)) => self.apply_subscription(&subscription, Some(&order)).await?,
            (Some(true), None) => {
                if let Some(excess) = self.ledger.pay_order(&order).await? {
                    report(excess, &order);
                }
            }
            (Some(false), _) => self.decline_unpaid(&order.id, reference).await?,
            (None, subscription) if failed => {
                // A subscription of an order without effect must not collect later.
                if let Some(subscription) = subscription {
                    self.ledger.abandon_unpaid_subscription(&order.account_id, &subscription).await?;
                }
                self.decline_unpaid(&order.id, reference).await?;
            }
            (None, _) => {}
        }
        Ok(())
    }

    /// Declines an order because the provider reports it unpaid. An order that an operator is approving is settled by
    /// that approval; if the approval lapses, the provider has to report it again.
    async fn decline_unpaid(&self, order_id: &str, reference: &str) -> Result<(), LedgerError> {
        let order = self.ledger.decline_order(order_id, Some(reference), true).await?;
        let is_its_checkout = order.provider_reference.as_deref().is_none_or(|known| known == reference);
        if order.state == OrderState::Open && is_its_checkout {
            return Err(unavailable("the order is being approved"));
        }
        Ok(())
    }

    async fn apply_subscription(&self, reference: &str, paid: Option<&Order>) -> Result<(), LedgerError> {
        let state = self.provider.subscription(reference).await?;
        if let Some(order) = paid {
            self.check_customer(&state.customer, order).await?;
        }
        let Some(account_id) = self.account_of(&state.customer).await? else { return Ok(()) };
        self.sync_subscription(&account_id, reference, paid).await
    }

    /// Applies the state of a subscription. `paid`: the order that started it. If a newer state was applied after this
    /// one was read, it is read again.
    pub(super) async fn sync_subscription(
        &self,
        account_id: &str,
        reference: &str,
        paid: Option<&Order>,
    ) -> Result<(), LedgerError> {
        for _ in 0..MAX_REREADS {
            let known = self.ledger.subscription_version(account_id).await?;
            let state = self.provider.subscription(reference).await?;
            if !state.is_settled {
                return match paid {
                    None => Ok(()),
                    Some(_) => Err(unavailable("a subscription that is paid has not begun")),
                };
            }
            let paid_order = paid.map(|order| order.id.as_str());
            match self.ledger.apply_subscription_state(account_id, known, &state, paid_order).await? {
                ApplyOutcome::Stale => {}
                ApplyOutcome::Done => return Ok(()),
                ApplyOutcome::InExcess(excess) => {
                    paid.inspect(|order| report(excess, order));
                    return Ok(());
                }
            }
        }
        Err(unavailable("the subscription does not come to rest"))
    }

    pub(super) async fn apply_invoice(&self, reference: &str) -> Result<(), LedgerError> {
        let state = self.provider.invoice_state(reference).await?;
        let Some(paid) = state.paid else { return Ok(()) };
        let Some(account_id) = self.account_of(&state.customer).await? else { return Ok(()) };
        self.ledger.set_invoice_paid(&account_id, reference, paid, state.invoice.as_deref()).await?;
        Ok(())
    }

    /// Reads the invoices of closed accounts that are not known to be settled. Invoices paid before their state was
    /// recorded have no event, and events can be lost.
    ///
    /// # Errors
    /// The provider does not return some of them, which are read again in the next run, or the database fails.
    pub async fn sync_invoices_of_closed_accounts(&self) -> Result<(), LedgerError> {
        let mut refused = None;
        for reference in self.ledger.unsettled_invoices_of_closed_accounts(self.provider.name(), INVOICE_BATCH).await? {
            match self.apply_invoice(&reference).await {
                Err(LedgerError::Billing(cause)) => {
                    tracing::warn!(invoice.reference = %reference, error = %cause, "cannot read an invoice from the provider");
                    refused = Some(cause);
                }
                heeded => heeded?,
            }
        }
        refused.map_or(Ok(()), |cause| Err(cause.into()))
    }

    /// Returns the account of a customer; `None` if the customer is not one of ours.
    pub(super) async fn account_of(&self, customer: &str) -> Result<Option<String>, LedgerError> {
        self.ledger.account_of_customer(self.provider.name(), customer).await
    }

    pub(super) async fn check_customer(&self, customer: &str, order: &Order) -> Result<(), LedgerError> {
        if self.account_of(customer).await?.as_deref() == Some(order.account_id.as_str()) {
            return Ok(());
        }
        let cause = format!("what was paid is not of the customer who placed order {}", order.id);
        Err(BillingError::Message(cause).into())
    }
}

pub(super) fn unavailable(cause: &str) -> LedgerError {
    BillingError::Unavailable(cause.to_owned()).into()
}

/// Logs an overpayment, which is recorded among the account's events too.
pub(super) fn report(excess: Overpayment, order: &Order) {
    let reason = excess.as_str();
    metrics::counter!("limner_metering_overpayments_total", "reason" => reason).increment(1);
    tracing::error!(
        account.id = %order.account_id, order.id = %order.id, payment.reason = reason,
        "payment exceeds what is owed; refund required"
    );
}
