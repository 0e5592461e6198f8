//! How orders and subscriptions end: nothing that is over may be paid any more.

use super::{BillingDesk, Order, OrderState, Return};
use crate::LedgerError;
use crate::terms::BillingInterval;
use limner_types::Plan;
use std::time::Duration;

/// Subscriptions that one run of the job ends.
const END_BATCH: i32 = 100;
/// Before a subscription that the provider did not end is tried again.
const END_PAUSE: Duration = Duration::from_secs(10 * 60);

/// How the checkout of an order stands once it was asked to take no payment any more.
enum Withdrawal {
    /// There is none that can be paid.
    Closed,
    /// It was paid before, which was heeded.
    Paid,
    /// A payment is under way, which nobody can stop.
    UnderWay,
}

impl BillingDesk {
    /// Brings an open order into effect without a provider's word: people collect for it, and it goes on an invoice. Its
    /// checkout is closed first; an order that turns out to be paid there goes on no invoice.
    ///
    /// # Errors
    /// There is no such order, a payment for it is under way, or the provider or the database fails.
    pub async fn approve(&self, order_id: &str) -> Result<Order, LedgerError> {
        let order = self.ledger.order(order_id).await?;
        if order.state != OrderState::Open {
            return Ok(order);
        }
        // When this goes no further, it lapses after some minutes: see `metering.decline_order`.
        self.ledger.note_approval(order_id, true).await?;
        match self.withdraw(&order).await? {
            Withdrawal::Closed => is_settled(self.ledger.approve_order(&order).await?),
            Withdrawal::Paid => self.ledger.order(order_id).await,
            Withdrawal::UnderWay => {
                self.ledger.note_approval(order_id, false).await?;
                Err(under_way(order_id))
            }
        }
    }

    /// Ends an open order that nothing comes of. Its checkout is closed first; an order that turns out to be paid there
    /// takes effect.
    ///
    /// # Errors
    /// There is no such order, a payment for it is under way, or the provider or the database fails.
    pub async fn decline(&self, order_id: &str) -> Result<Order, LedgerError> {
        let order = self.ledger.order(order_id).await?;
        if order.state != OrderState::Open {
            return Ok(order);
        }
        match self.withdraw(&order).await? {
            Withdrawal::Closed => {
                let reference = order.provider_reference.as_deref();
                is_settled(self.ledger.decline_order(order_id, reference, false).await?)
            }
            Withdrawal::Paid => self.ledger.order(order_id).await,
            Withdrawal::UnderWay => Err(under_way(order_id)),
        }
    }

    async fn withdraw(&self, order: &Order) -> Result<Withdrawal, LedgerError> {
        let is_ours = order.provider == self.provider.name();
        let Some(reference) = order.provider_reference.as_deref().filter(|_| is_ours) else {
            return Ok(Withdrawal::Closed);
        };
        let Some(state) = self.provider.withdraw(reference).await? else { return Ok(Withdrawal::Closed) };
        match state.paid {
            Some(true) => {
                self.heed_checkout(reference, false).await?;
                Ok(Withdrawal::Paid)
            }
            Some(false) => Ok(Withdrawal::Closed),
            None => Ok(Withdrawal::UnderWay),
        }
    }

    /// Ends what is paid for and what might be, so that nothing is collected again, then the account.
    ///
    /// # Errors
    /// There is no such account, or the provider or the database fails.
    pub async fn close(&self, account_id: &str) -> Result<(), LedgerError> {
        let record = self.ledger.account(account_id).await?;
        let leads_on = record.scheduled.is_none_or(|scheduled| scheduled.plan != Plan::Free);
        if record.state.plan.is_paid() && record.state.plan != Plan::Business && leads_on {
            // A plan that ends has no page of the provider to come back from.
            let back = Return { success_url: String::new(), cancel_url: String::new() };
            self.order_plan(account_id, Plan::Free, BillingInterval::Monthly, &back).await?;
        }
        let orders = self.ledger.orders(Some(account_id)).await?;
        for order in orders.iter().filter(|order| order.state == OrderState::Open) {
            match self.decline(&order.id).await {
                // Somebody will have to give it back; its owner may go all the same.
                Err(LedgerError::Invalid(cause)) => {
                    tracing::warn!(order.id = %order.id, "an order stays open: {cause}")
                }
                declined => drop(declined?),
            }
        }
        self.ledger.close_account(account_id).await
    }

    /// Has the provider end subscriptions that are to collect nothing more; says how many.
    ///
    /// # Errors
    /// The provider does not end some of them, which are tried again later, or the database fails.
    pub async fn end_surplus_subscriptions(&self) -> Result<usize, LedgerError> {
        let (mut ended, mut refused) = (0, None);
        for surplus in self.ledger.claim_surplus(END_BATCH, END_PAUSE).await? {
            let (account, subscription) = (&surplus.account_id, &surplus.reference);
            match self.provider.end(subscription, surplus.at_once).await {
                Ok(()) => {
                    self.ledger.note_ended(subscription).await?;
                    tracing::info!(account.id = %account, subscription.id = %subscription, "a subscription was ended");
                    ended += 1;
                }
                Err(cause) => {
                    tracing::warn!(
                        account.id = %account, subscription.id = %subscription, error = %cause,
                        "a subscription was not ended; it is tried again"
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

/// An order that is open yet has got its checkout in this moment.
fn is_settled(order: Order) -> Result<Order, LedgerError> {
    match order.state {
        OrderState::Open => Err(LedgerError::Invalid(format!("order `{}` is being placed; try again", order.id))),
        _ => Ok(order),
    }
}

fn under_way(order_id: &str) -> LedgerError {
    LedgerError::Invalid(format!("a payment for order `{order_id}` is under way; it takes effect when it arrives"))
}
