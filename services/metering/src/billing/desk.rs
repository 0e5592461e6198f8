//! Where account holders order and providers report. It joins the ledger and a provider; money moves in neither place
//! without the other knowing why.

use super::{
    BillingError, BillingProvider, Checkout, Item, ManualProvider, News, Order, OrderState, PlanPrice, Prices, Return,
};
use super::{Customer, SubscriptionState};
use crate::terms::BillingInterval;
use crate::{Ledger, LedgerError, PlanChange, ScheduledPlan};
use limner_types::{AccountState, Pack, Plan};
use std::sync::Arc;
use time::Date;

/// How often a word about a subscription is asked for anew when others are heeded in between.
const MOST_ASKED: u32 = 5;

/// Orders, changes of plan, invoices and messages, by way of one provider.
#[derive(Clone)]
pub struct BillingDesk {
    ledger: Ledger,
    provider: Arc<dyn BillingProvider>,
    prices: Prices,
}

impl std::fmt::Debug for BillingDesk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BillingDesk").field("provider", &self.provider.name()).finish_non_exhaustive()
    }
}

/// People collect, at list prices.
impl From<Ledger> for BillingDesk {
    fn from(ledger: Ledger) -> Self {
        Self::new(ledger, Arc::new(ManualProvider), Prices::default())
    }
}

/// What came of the wish for another plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanAnswer {
    /// It is in effect.
    Done(AccountState),
    /// It takes effect later.
    Scheduled(ScheduledPlan),
    /// It takes effect when it is paid.
    Ordered(Order, Checkout),
}

impl BillingDesk {
    /// A desk over a ledger.
    pub fn new(ledger: Ledger, provider: Arc<dyn BillingProvider>, prices: Prices) -> Self {
        Self { ledger, provider, prices }
    }

    /// Names the provider.
    pub fn provider_name(&self) -> &'static str {
        self.provider.name()
    }

    /// The ledger.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The price list.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// Orders a credit pack.
    ///
    /// # Errors
    /// There is no such account, or the provider or the database fails.
    pub async fn order_pack(
        &self,
        account_id: &str,
        pack: Pack,
        back: &Return,
    ) -> Result<(Order, Checkout), LedgerError> {
        let customer = self.customer(account_id).await?;
        self.place(&customer, Item::Pack(pack), back).await
    }

    /// Asks for a listed plan. A larger one takes effect at once, or as soon as it is paid; a smaller one, or a shorter
    /// interval, with the end of what is paid for. Asking for the present plan takes a scheduled change back.
    ///
    /// # Errors
    /// There is no such account, the plan is agreed in person, the payment is refused, or the provider or the database
    /// fails.
    pub async fn order_plan(
        &self,
        account_id: &str,
        plan: Plan,
        billing_interval: BillingInterval,
        back: &Return,
    ) -> Result<PlanAnswer, LedgerError> {
        let record = self.ledger.account(account_id).await?;
        if plan == Plan::Business || record.state.plan == Plan::Business {
            return Err(LedgerError::Invalid("the plan `business` is agreed in person; ask us".to_owned()));
        }
        let present = (record.state.plan, record.billing_interval);
        let wanted = match plan {
            Plan::Free => (Plan::Free, present.1),
            plan => (plan, billing_interval),
        };
        let customer = self.customer(account_id).await?;
        if wanted == present {
            return self.keep(account_id).await.map(PlanAnswer::Done);
        }
        let price = self.prices.plan(wanted.0, wanted.1, customer.currency);
        let price = price.ok_or_else(|| LedgerError::Invalid(format!("`{plan}` has no listed price")))?;
        if rank(wanted) < rank(present) {
            return self.downgrade(account_id, price).await.map(PlanAnswer::Scheduled);
        }
        match self.ledger.subscription_of(account_id).await? {
            Some(subscription) => {
                let state = self.provider.upgrade(&subscription, price).await?;
                self.heed_answer(account_id, state).await?;
                Ok(PlanAnswer::Done(self.ledger.account_state(account_id).await?))
            }
            None => {
                let (order, checkout) = self.place(&customer, Item::Plan(wanted.0, wanted.1), back).await?;
                Ok(PlanAnswer::Ordered(order, checkout))
            }
        }
    }

    async fn downgrade(&self, account_id: &str, price: PlanPrice) -> Result<ScheduledPlan, LedgerError> {
        let mut not_before: Option<Date> = None;
        if let Some(subscription) = self.ledger.subscription_of(account_id).await? {
            let item = (price.plan != Plan::Free).then_some(price);
            let state = self.provider.downgrade(&subscription, item).await?;
            not_before = state.paid_until.map(|until| until.date());
        }
        let change = PlanChange { billing_interval: Some(price.billing_interval), ..price.plan.into() };
        self.ledger.schedule_plan(account_id, change, not_before).await
    }

    /// Takes a scheduled change of plan back.
    ///
    /// # Errors
    /// There is no such account, or the provider or the database fails.
    pub async fn keep(&self, account_id: &str) -> Result<AccountState, LedgerError> {
        if let Some(subscription) = self.ledger.subscription_of(account_id).await? {
            self.provider.keep(&subscription).await?;
        }
        self.ledger.keep_plan(account_id).await?;
        self.ledger.account_state(account_id).await
    }

    /// A page of the provider where the account's cards and invoices are seen to.
    ///
    /// # Errors
    /// There is no such account or no such page, or the provider or the database fails.
    pub async fn portal(&self, account_id: &str, back: &str) -> Result<String, LedgerError> {
        let customer = self.customer(account_id).await?;
        Ok(self.provider.portal(&customer, back).await?)
    }

    /// Brings an open order into effect without a provider's word: people collect for it, and it goes on an invoice.
    ///
    /// # Errors
    /// There is no such order, or the database fails.
    pub async fn approve(&self, order_id: &str) -> Result<Order, LedgerError> {
        let order = self.ledger.order(order_id).await?;
        self.ledger.fulfil_order(&order, true).await
    }

    /// Ends an open order that nothing comes of.
    ///
    /// # Errors
    /// There is no such order, or the database fails.
    pub async fn decline(&self, order_id: &str) -> Result<Order, LedgerError> {
        self.ledger.order(order_id).await?;
        self.ledger.settle_order(order_id, OrderState::Declined, false).await
    }

    /// Hands invoices that nobody collects yet to the provider; says which. One that is refused does not keep back the
    /// others. Each goes under its own id, so that a provider that took it before a crash recognises it.
    ///
    /// # Errors
    /// The provider does not take some of them, which are offered again the next time, or the database fails.
    pub async fn hand_over_invoices(&self) -> Result<Vec<String>, LedgerError> {
        let (mut handed_over, mut refused) = (Vec::new(), None);
        for invoice in self.ledger.invoices_to_hand_over().await? {
            let customer = self.customer(&invoice.account_id).await?;
            match self.provider.bill(&customer, &invoice).await {
                Ok(reference) => {
                    self.ledger.note_handed_over(&invoice.id, &reference).await?;
                    handed_over.push(invoice.id);
                }
                Err(cause) => {
                    tracing::warn!(invoice.id = %invoice.id, error = %cause, "an invoice was not taken");
                    refused = Some(cause);
                }
            }
        }
        match refused {
            Some(cause) => Err(cause.into()),
            None => Ok(handed_over),
        }
    }

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
            News::Checkout(reference) => self.heed_checkout(reference).await?,
            News::Subscription(reference) => self.heed_subscription(reference).await?,
            News::Invoice(reference) => self.heed_invoice(reference).await?,
            News::Other => {}
        }
        tracing::info!(message.id = %message.id, message.kind = %message.kind, "a billing message was heeded");
        self.ledger.note_heeded(name, &message.id, &message.kind).await
    }

    async fn heed_checkout(&self, reference: &str) -> Result<(), LedgerError> {
        let Some(state) = self.provider.checkout_state(reference).await? else { return Ok(()) };
        let order = self.ledger.order(&state.order).await?;
        if self.account_of(&state.customer).await?.as_deref() != Some(order.account_id.as_str()) {
            let cause = format!("checkout {reference} is not of the customer who placed order {}", order.id);
            return Err(BillingError::Message(cause).into());
        }
        match (state.paid, state.subscription) {
            (None, _) => {}
            (Some(false), _) => drop(self.ledger.settle_order(&order.id, OrderState::Declined, false).await?),
            (Some(true), Some(subscription)) => {
                self.heed_subscription(&subscription).await?;
                self.ledger.settle_order(&order.id, OrderState::Fulfilled, false).await?;
            }
            (Some(true), None) => drop(self.ledger.fulfil_order(&order, false).await?),
        }
        Ok(())
    }

    async fn heed_subscription(&self, reference: &str) -> Result<(), LedgerError> {
        let state = self.provider.subscription(reference).await?;
        let Some(account_id) = self.account_of(&state.customer).await? else { return Ok(()) };
        self.heed_answer(&account_id, state).await
    }

    /// Heeds how a subscription stands. What was asked for before something newer was heeded is asked for again.
    async fn heed_answer(&self, account_id: &str, mut state: SubscriptionState) -> Result<(), LedgerError> {
        for _ in 0..MOST_ASKED {
            if !state.is_settled {
                return Ok(());
            }
            let known = self.ledger.subscription_version(account_id).await?;
            state = self.provider.subscription(&state.reference).await?;
            if self.ledger.heed_subscription(account_id, known, &state).await? {
                return Ok(());
            }
        }
        Err(BillingError::Unavailable("the subscription does not come to rest".to_owned()).into())
    }

    async fn heed_invoice(&self, reference: &str) -> Result<(), LedgerError> {
        let state = self.provider.invoice_state(reference).await?;
        let Some(paid) = state.paid else { return Ok(()) };
        let Some(account_id) = self.account_of(&state.customer).await? else { return Ok(()) };
        self.ledger.set_invoice_paid(&account_id, reference, paid).await?;
        Ok(())
    }

    /// The account; `None`: the customer is not one of ours.
    async fn account_of(&self, customer: &str) -> Result<Option<String>, LedgerError> {
        self.ledger.account_of_customer(self.provider.name(), customer).await
    }

    /// The account as the provider sees it, made known to it.
    async fn customer(&self, account_id: &str) -> Result<Customer, LedgerError> {
        let mut customer = self.ledger.customer(account_id, self.provider.name()).await?;
        if customer.reference.is_none()
            && let Some(reference) = self.provider.open_customer(&customer).await?
        {
            self.ledger.note_customer(account_id, self.provider.name(), &reference).await?;
            customer.reference = Some(reference);
        }
        Ok(customer)
    }

    async fn place(&self, customer: &Customer, item: Item, back: &Return) -> Result<(Order, Checkout), LedgerError> {
        let price = self.prices.of(item, customer.currency);
        let price = price.ok_or_else(|| LedgerError::Invalid("it has no listed price".to_owned()))?;
        let mut order = self.ledger.place_order(customer, item, price, self.provider.name()).await?;
        let checkout = self.provider.checkout(customer, &order, back).await?;
        if let Checkout::Page { reference, .. } = &checkout {
            self.ledger.note_order_reference(&order.id, reference).await?;
            order.provider_reference = Some(reference.clone());
        }
        Ok((order, checkout))
    }
}

/// Larger plans, then longer intervals: what is paid for more is worth more.
fn rank((plan, interval): (Plan, BillingInterval)) -> (u8, u8) {
    let plan = match plan {
        Plan::Free => 0,
        Plan::Developer => 1,
        Plan::Growth => 2,
        Plan::Scale => 3,
        Plan::Business => 4,
    };
    (plan, u8::from(interval == BillingInterval::Yearly))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_ranked_before_intervals() {
        use BillingInterval::{Monthly, Yearly};
        let ascending = [
            (Plan::Free, Monthly),
            (Plan::Developer, Monthly),
            (Plan::Developer, Yearly),
            (Plan::Growth, Monthly),
            (Plan::Scale, Yearly),
        ];
        assert!(ascending.map(rank).is_sorted_by(|a, b| a < b));
    }
}
