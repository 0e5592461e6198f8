//! What providers report: messages that point at a checkout, a subscription or an invoice, which is then asked for.

use super::orders::{Excess, Heeded};
use super::{BillingDesk, BillingError, News, Order, OrderState};
use crate::LedgerError;
use limner_types::Choice;

/// How often a word about a subscription is asked for anew when others are heeded in between.
const MOST_ASKED: u32 = 5;
/// Invoices of closed accounts that one run of the job asks for.
const INVOICE_BATCH: i64 = 100;

impl BillingDesk {
    /// Deals with a message of the provider: checks its signature, then asks how what it is about stands, and heeds
    /// that. A message that comes again changes nothing.
    ///
    /// # Errors
    /// It is not signed as it should be, or the provider or the database fails; then it has to be sent again.
    pub async fn heed(&self, body: &[u8], signature: &str) -> Result<(), LedgerError> {
        let name = self.provider.name();
        let message = self.provider.read_message(body, signature)?;
        if self.ledger.is_heeded(name, &message.id).await? {
            tracing::info!(message.id = %message.id, message.kind = %message.kind, "a billing message came again");
            return Ok(());
        }
        match &message.news {
            News::Checkout { reference, failed } => self.heed_checkout(reference, *failed).await?,
            News::Subscription(reference) => self.heed_subscription(reference, None).await?,
            News::Invoice(reference) => self.heed_invoice(reference).await?,
            News::Other => {}
        }
        tracing::info!(message.id = %message.id, message.kind = %message.kind, "a billing message was heeded");
        self.ledger.note_heeded(name, &message.id, &message.kind).await
    }

    /// Heeds how a checkout stands; `failed`: a payment that was under way came to nothing.
    pub(super) async fn heed_checkout(&self, reference: &str, failed: bool) -> Result<(), LedgerError> {
        let Some(state) = self.provider.checkout_state(reference).await? else { return Ok(()) };
        let order = self.ledger.order(&state.order).await?;
        self.check_customer(&state.customer, &order).await?;
        match (state.paid, state.subscription) {
            (Some(true), Some(subscription)) => self.heed_subscription(&subscription, Some(&order)).await?,
            (Some(true), None) => {
                if let Some(excess) = self.ledger.pay_order(&order).await? {
                    report(excess, &order);
                }
            }
            (Some(false), _) => self.decline_unpaid(&order.id, reference).await?,
            (None, subscription) if failed => {
                // It must not collect later for an order that has come to nothing.
                if let Some(subscription) = subscription {
                    self.ledger.give_up_unpaid(&order.account_id, &subscription).await?;
                }
                self.decline_unpaid(&order.id, reference).await?;
            }
            (None, _) => {}
        }
        Ok(())
    }

    /// Declines an order for what its provider says. One that an operator is approving is settled by that, or the
    /// approval lapses: the provider has to say it again.
    async fn decline_unpaid(&self, order_id: &str, reference: &str) -> Result<(), LedgerError> {
        let order = self.ledger.decline_order(order_id, Some(reference), true).await?;
        let is_its_checkout = order.provider_reference.as_deref().is_none_or(|known| known == reference);
        if order.state == OrderState::Open && is_its_checkout {
            return Err(unavailable("the order is being approved"));
        }
        Ok(())
    }

    async fn heed_subscription(&self, reference: &str, paid: Option<&Order>) -> Result<(), LedgerError> {
        let state = self.provider.subscription(reference).await?;
        if let Some(order) = paid {
            self.check_customer(&state.customer, order).await?;
        }
        let Some(account_id) = self.account_of(&state.customer).await? else { return Ok(()) };
        self.heed_subscription_of(&account_id, reference, paid).await
    }

    /// Heeds how a subscription stands; `paid` is the order that it began with. What was asked for before something
    /// newer was heeded is asked for again.
    pub(super) async fn heed_subscription_of(
        &self,
        account_id: &str,
        reference: &str,
        paid: Option<&Order>,
    ) -> Result<(), LedgerError> {
        for _ in 0..MOST_ASKED {
            let known = self.ledger.subscription_version(account_id).await?;
            let state = self.provider.subscription(reference).await?;
            if !state.is_settled {
                return match paid {
                    None => Ok(()),
                    Some(_) => Err(unavailable("a subscription that is paid has not begun")),
                };
            }
            let paid_order = paid.map(|order| order.id.as_str());
            match self.ledger.note_subscription(account_id, known, &state, paid_order).await? {
                Heeded::Stale => {}
                Heeded::Done => return Ok(()),
                Heeded::InExcess(excess) => {
                    paid.inspect(|order| report(excess, order));
                    return Ok(());
                }
            }
        }
        Err(unavailable("the subscription does not come to rest"))
    }

    async fn heed_invoice(&self, reference: &str) -> Result<(), LedgerError> {
        let state = self.provider.invoice_state(reference).await?;
        let Some(paid) = state.paid else { return Ok(()) };
        let Some(account_id) = self.account_of(&state.customer).await? else { return Ok(()) };
        self.ledger.set_invoice_paid(&account_id, reference, paid, state.invoice.as_deref()).await?;
        Ok(())
    }

    /// Asks for invoices of closed accounts that are not known to be settled: nobody told of those that were paid before
    /// this was noted, and messages get lost.
    ///
    /// # Errors
    /// The provider does not tell of some of them, which are asked for again, or the database fails.
    pub async fn heed_invoices_of_closed(&self) -> Result<(), LedgerError> {
        let mut refused = None;
        for reference in self.ledger.unsettled_of_closed(self.provider.name(), INVOICE_BATCH).await? {
            match self.heed_invoice(&reference).await {
                Err(LedgerError::Billing(cause)) => {
                    tracing::warn!(invoice.reference = %reference, error = %cause, "an invoice was not told of");
                    refused = Some(cause);
                }
                heeded => heeded?,
            }
        }
        refused.map_or(Ok(()), |cause| Err(cause.into()))
    }

    /// The account; `None`: the customer is not one of ours.
    async fn account_of(&self, customer: &str) -> Result<Option<String>, LedgerError> {
        self.ledger.account_of_customer(self.provider.name(), customer).await
    }

    async fn check_customer(&self, customer: &str, order: &Order) -> Result<(), LedgerError> {
        if self.account_of(customer).await?.as_deref() == Some(order.account_id.as_str()) {
            return Ok(());
        }
        let cause = format!("what was paid is not of the customer who placed order {}", order.id);
        Err(BillingError::Message(cause).into())
    }
}

fn unavailable(cause: &str) -> LedgerError {
    BillingError::Unavailable(cause.to_owned()).into()
}

/// It is among the account's events too.
fn report(excess: Excess, order: &Order) {
    let reason = excess.as_str();
    metrics::counter!("limner_metering_payments_in_excess_total", "reason" => reason).increment(1);
    tracing::error!(
        account.id = %order.account_id, order.id = %order.id, payment.reason = reason,
        "somebody paid for nothing; it has to be given back"
    );
}
