//! Closes orders and subscriptions, so that a closed one cannot be paid any more.

use super::{BillingEngine, Order, OrderState, ReturnUrls};
use crate::LedgerError;
use crate::contract_terms::BillingInterval;
use limner_types::Plan;
use std::time::Duration;

/// Maximum number of subscriptions that one run of the job cancels.
const END_BATCH: i32 = 100;
/// Delay before a subscription that the provider failed to cancel is tried again.
const CANCEL_RETRY_DELAY: Duration = Duration::from_secs(10 * 60);

/// State of an order's checkout after the provider was asked to close it.
enum CheckoutClosure {
    /// No checkout that can be paid exists.
    Closed,
    /// The checkout was paid before it could be closed; the payment has been applied.
    Paid,
    /// A payment is in progress and cannot be stopped.
    InProgress,
}

impl BillingEngine {
    /// Fulfils an open order on an operator's decision, without a payment through the provider: the order goes on an
    /// invoice that people collect. Its checkout is closed first; an order whose checkout turns out to be paid goes on
    /// no invoice.
    ///
    /// # Errors
    /// There is no such order, a payment for it is under way, or the provider or the database fails.
    pub async fn approve(&self, order_id: &str) -> Result<Order, LedgerError> {
        let order = self.ledger.order(order_id).await?;
        if order.state != OrderState::Open {
            return Ok(order);
        }
        // If the process ends here, the approval lapses after some minutes: see `metering.decline_order`.
        self.ledger.record_approval(order_id, true).await?;
        match self.close_checkout(&order).await? {
            CheckoutClosure::Closed => require_settled(self.ledger.approve_order(&order).await?),
            CheckoutClosure::Paid => self.ledger.order(order_id).await,
            CheckoutClosure::InProgress => {
                self.ledger.record_approval(order_id, false).await?;
                Err(payment_in_progress(order_id))
            }
        }
    }

    /// Declines an open order. Its checkout is closed first; an order whose checkout turns out to be paid takes effect.
    ///
    /// # Errors
    /// There is no such order, a payment for it is under way, or the provider or the database fails.
    pub async fn decline(&self, order_id: &str) -> Result<Order, LedgerError> {
        let order = self.ledger.order(order_id).await?;
        if order.state != OrderState::Open {
            return Ok(order);
        }
        match self.close_checkout(&order).await? {
            CheckoutClosure::Closed => {
                let reference = order.provider_reference.as_deref();
                require_settled(self.ledger.decline_order(order_id, reference, false).await?)
            }
            CheckoutClosure::Paid => self.ledger.order(order_id).await,
            CheckoutClosure::InProgress => Err(payment_in_progress(order_id)),
        }
    }

    async fn close_checkout(&self, order: &Order) -> Result<CheckoutClosure, LedgerError> {
        let is_ours = order.provider == self.provider.name();
        let Some(reference) = order.provider_reference.as_deref().filter(|_| is_ours) else {
            return Ok(CheckoutClosure::Closed);
        };
        let Some(state) = self.provider.expire_checkout(reference).await? else { return Ok(CheckoutClosure::Closed) };
        match state.paid {
            Some(true) => {
                self.apply_checkout(reference, false).await?;
                Ok(CheckoutClosure::Paid)
            }
            Some(false) => Ok(CheckoutClosure::Closed),
            None => Ok(CheckoutClosure::InProgress),
        }
    }

    /// Closes an account, after cancelling its subscription and its open orders so that nothing is collected again.
    ///
    /// # Errors
    /// There is no such account, or the provider or the database fails.
    pub async fn close_account(&self, account_id: &str) -> Result<(), LedgerError> {
        let record = self.ledger.account(account_id).await?;
        let leads_on = record.scheduled.is_none_or(|scheduled| scheduled.plan != Plan::Free);
        if record.state.plan.is_paid() && record.state.plan != Plan::Business && leads_on {
            // Ending a plan has no provider page that would lead back to us.
            let back = ReturnUrls { success_url: String::new(), cancel_url: String::new() };
            self.order_plan(account_id, Plan::Free, BillingInterval::Monthly, &back).await?;
        }
        let orders = self.ledger.orders(Some(account_id)).await?;
        for order in orders.iter().filter(|order| order.state == OrderState::Open) {
            match self.decline(&order.id).await {
                // A payment that still arrives will have to be refunded; the account is closed all the same.
                Err(LedgerError::Invalid(cause)) => {
                    tracing::warn!(order.id = %order.id, "order remains open: {cause}")
                }
                declined => drop(declined?),
            }
        }
        self.ledger.close_account(account_id).await
    }

    /// Cancels subscriptions at the provider that must not collect any more, and returns their number.
    ///
    /// # Errors
    /// The provider does not end some of them, which are tried again later, or the database fails.
    pub async fn end_subscriptions(&self) -> Result<usize, LedgerError> {
        let (mut ended, mut refused) = (0, None);
        for surplus in self.ledger.claim_duplicate_subscriptions(END_BATCH, CANCEL_RETRY_DELAY).await? {
            let (account, subscription) = (&surplus.account_id, &surplus.reference);
            match self.provider.cancel_subscription(subscription, surplus.immediately).await {
                Ok(()) => {
                    self.ledger.record_subscription_end(subscription).await?;
                    tracing::info!(account.id = %account, subscription.id = %subscription, "subscription cancelled");
                    ended += 1;
                }
                Err(cause) => {
                    tracing::warn!(
                        account.id = %account, subscription.id = %subscription, error = %cause,
                        "cannot cancel a subscription; retrying later"
                    );
                    refused = Some(cause);
                }
            }
        }
        match refused {
            Some(cause) => Err(cause.into()),
            None => Ok(ended),
        }
    }
}

/// Returns `order` unless it is still open: then it got a checkout concurrently.
fn require_settled(order: Order) -> Result<Order, LedgerError> {
    match order.state {
        OrderState::Open => Err(LedgerError::Invalid(format!("order `{}` is being placed; try again", order.id))),
        _ => Ok(order),
    }
}

fn payment_in_progress(order_id: &str) -> LedgerError {
    LedgerError::Invalid(format!("a payment for order `{order_id}` is under way; it takes effect when it arrives"))
}
