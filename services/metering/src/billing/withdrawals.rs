//! Withdrawals of orders by their owners: the credits are taken back at once, and the money is refunded.

use super::orders::{Overpayment, order};
use super::webhook_events::report;
use super::{BillingEngine, Order, OrderItem, OrderState};
use crate::ledger::row_mapping::column;
use crate::{Ledger, LedgerError};
use time::{Duration, OffsetDateTime};

/// Time for which an order can be withdrawn. `metering.withdraw_order` has the same.
const TERM: Duration = Duration::days(14);

impl Order {
    /// Returns the end of the time in which the order can be withdrawn, if its credits are unspent; `None` if it cannot.
    pub fn withdrawable_until(&self) -> Option<OffsetDateTime> {
        let is_pack = matches!(self.item, OrderItem::Pack(_));
        self.settled_at.filter(|_| is_pack && self.state == OrderState::Fulfilled).map(|settled| settled + TERM)
    }
}

impl BillingEngine {
    /// Withdraws an order of a pack. A refund that the provider does not take now is submitted again later; a payment
    /// that people collected is theirs to refund.
    ///
    /// # Errors
    /// There is no such order, it is too late, the credits are spent, or the database fails.
    pub async fn withdraw_order(&self, account_id: &str, order_id: &str) -> Result<Order, LedgerError> {
        let provider = self.provider.name();
        let (order, is_owed) = self.ledger.withdraw_order(account_id, order_id, provider).await?;
        if is_owed {
            report(Overpayment::WithdrawnOrder, &order);
        } else if order.provider == provider
            && order.paid_at.is_some()
            && let Err(cause) = self.submit_refund(&order).await
        {
            tracing::error!(order.id = %order.id, error = %cause, "cannot refund a withdrawn order; retrying later");
        }
        Ok(order)
    }

    /// Submits the refunds of withdrawn orders that the provider has not accepted yet.
    ///
    /// # Errors
    /// The provider does not take some of them, which are submitted again in the next run, or the database fails.
    pub async fn submit_refunds(&self) -> Result<(), LedgerError> {
        let mut refused = None;
        for order in self.ledger.orders_to_refund(self.provider.name()).await? {
            match self.submit_refund(&order).await {
                Err(LedgerError::Billing(cause)) => {
                    tracing::warn!(order.id = %order.id, error = %cause, "refund rejected by the provider");
                    refused = Some(cause);
                }
                submitted => submitted?,
            }
        }
        refused.map_or(Ok(()), |cause| Err(cause.into()))
    }

    async fn submit_refund(&self, order: &Order) -> Result<(), LedgerError> {
        let Some(checkout) = &order.provider_reference else { return Ok(()) };
        self.provider.refund_checkout(checkout, &order.id).await?;
        self.ledger.record_refund(&order.id).await
    }
}

impl Ledger {
    /// Withdraws an order. Returns true with it if that has just made a refund that people owe, not `provider`.
    async fn withdraw_order(
        &self,
        account_id: &str,
        order_id: &str,
        provider: &str,
    ) -> Result<(Order, bool), LedgerError> {
        const SQL: &str = "SELECT metering.withdraw_order($1, $2, $3) AS outcome";
        let row = self.store.query_one(SQL, &[&account_id, &order_id, &provider]).await?;
        let outcome: String = column(&row, "outcome")?;
        let cause = match outcome.as_str() {
            withdrawn @ ("withdrawn" | "withdrawn_owed") => {
                self.flush_outbox().await;
                tracing::info!(account.id = account_id, order.id = order_id, "order withdrawn");
                return Ok((self.order(order_id).await?, withdrawn == "withdrawn_owed"));
            }
            "too_late" => "an order can be withdrawn for 14 days",
            "spent" => "credits of this order are spent, so that it cannot be withdrawn",
            "not_withdrawable" => "only an order of a pack that is in effect can be withdrawn",
            _ => return Err(LedgerError::Invalid(format!("there is no order `{order_id}`"))),
        };
        Err(LedgerError::Invalid(cause.to_owned()))
    }

    async fn orders_to_refund(&self, provider: &str) -> Result<Vec<Order>, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.billing_order \
                           WHERE withdrawn_at IS NOT NULL AND refund_submitted_at IS NULL \
                             AND paid_at IS NOT NULL AND provider = $1 ORDER BY withdrawn_at";
        let rows = self.store.query(SQL, &[&provider]).await?;
        Ok(rows.iter().map(order).collect::<Result<_, _>>()?)
    }

    async fn record_refund(&self, order_id: &str) -> Result<(), LedgerError> {
        const SQL: &str = "UPDATE metering.billing_order SET refund_submitted_at = metering.clock() \
                           WHERE id = $1 AND refund_submitted_at IS NULL";
        self.store.query(SQL, &[&order_id]).await?;
        tracing::info!(order.id = order_id, "refund submitted");
        Ok(())
    }
}
