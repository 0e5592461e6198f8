//! The billing service: orders, plan changes and the submission of invoices. It joins the ledger and a billing
//! provider. Webhook events are handled in `messages`; closing orders and subscriptions is in `ending`.

use super::{
    BillingError, BillingProvider, CheckoutOutcome, Customer, ManualProvider, Order, OrderItem, OrderState, PlanPrice,
    Prices, ReturnUrls,
};
use crate::contract_terms::BillingInterval;
use crate::invoice::Invoice;
use crate::{Ledger, LedgerError, PlanChange, ScheduledPlan};
use limner_types::{AccountState, Pack, Plan};
use std::sync::Arc;
use time::Date;

/// Handles orders, plan changes, invoices and webhook events through one billing provider.
#[derive(Clone)]
pub struct BillingEngine {
    pub(super) ledger: Ledger,
    pub(super) provider: Arc<dyn BillingProvider>,
    prices: Prices,
}

impl std::fmt::Debug for BillingEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BillingEngine").field("provider", &self.provider.name()).finish_non_exhaustive()
    }
}

/// Uses [`ManualProvider`] and list prices: people collect the money.
impl From<Ledger> for BillingEngine {
    fn from(ledger: Ledger) -> Self {
        Self::new(ledger, Arc::new(ManualProvider), Prices::default())
    }
}

/// The outcome of a requested plan change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanChangeOutcome {
    /// The new plan is in effect.
    Done(AccountState),
    /// The new plan takes effect later.
    Scheduled(ScheduledPlan),
    /// The new plan takes effect when the order is paid.
    Ordered(Order, CheckoutOutcome),
}

impl BillingEngine {
    /// Returns a billing service over a ledger.
    pub fn new(ledger: Ledger, provider: Arc<dyn BillingProvider>, prices: Prices) -> Self {
        Self { ledger, provider, prices }
    }

    /// Returns the name of the provider.
    pub fn provider_name(&self) -> &'static str {
        self.provider.name()
    }

    /// Returns the ledger.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Returns true if the provider adds taxes to the prices.
    pub fn adds_tax(&self) -> bool {
        self.provider.adds_tax()
    }

    /// Returns true if customers manage cards and invoices on a page of the provider.
    pub fn has_portal(&self) -> bool {
        self.provider.has_portal()
    }

    /// Returns the price list.
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
        back: &ReturnUrls,
    ) -> Result<(Order, CheckoutOutcome), LedgerError> {
        let customer = self.customer(account_id).await?;
        self.place_order(&customer, OrderItem::Pack(pack), back).await
    }

    /// Requests a listed plan. A larger plan takes effect at once, or as soon as it is paid; a smaller plan, or a
    /// shorter interval, takes effect at the end of the paid period. Requesting the current plan cancels a scheduled
    /// change. A plan order that is still open is declined in favour of the new one.
    ///
    /// # Errors
    /// There is no such account, the plan is agreed in person, an earlier order is being paid, the payment is refused, or
    /// the provider or the database fails.
    pub async fn order_plan(
        &self,
        account_id: &str,
        plan: Plan,
        billing_interval: BillingInterval,
        back: &ReturnUrls,
    ) -> Result<PlanChangeOutcome, LedgerError> {
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
            return self.cancel_plan_change(account_id).await.map(PlanChangeOutcome::Done);
        }
        let price = self.prices.plan(wanted.0, wanted.1, customer.currency);
        let price = price.ok_or_else(|| LedgerError::Invalid(format!("`{plan}` has no listed price")))?;
        if rank(wanted) < rank(present) {
            return self.downgrade(account_id, price).await.map(PlanChangeOutcome::Scheduled);
        }
        match self.ledger.subscription_reference(account_id).await? {
            Some(subscription) => {
                self.provider.upgrade(&subscription, price).await?;
                self.sync_subscription(account_id, &subscription, None).await?;
                Ok(PlanChangeOutcome::Done(self.ledger.account_state(account_id).await?))
            }
            None => {
                let (order, checkout) = self.place_order(&customer, OrderItem::Plan(wanted.0, wanted.1), back).await?;
                Ok(PlanChangeOutcome::Ordered(order, checkout))
            }
        }
    }

    async fn downgrade(&self, account_id: &str, price: PlanPrice) -> Result<ScheduledPlan, LedgerError> {
        let mut not_before: Option<Date> = None;
        if let Some(subscription) = self.ledger.subscription_reference(account_id).await? {
            let item = (price.plan != Plan::Free).then_some(price);
            let state = self.provider.downgrade(&subscription, item).await?;
            not_before = state.paid_until.map(|until| until.date());
        }
        let change = PlanChange { billing_interval: Some(price.billing_interval), ..price.plan.into() };
        self.ledger.schedule_plan(account_id, change, not_before).await
    }

    /// Cancels a scheduled plan change.
    ///
    /// # Errors
    /// There is no such account, or the provider or the database fails.
    pub async fn cancel_plan_change(&self, account_id: &str) -> Result<AccountState, LedgerError> {
        if let Some(subscription) = self.ledger.subscription_reference(account_id).await? {
            self.provider.cancel_downgrade(&subscription).await?;
        }
        self.ledger.cancel_plan_change(account_id).await?;
        self.ledger.account_state(account_id).await
    }

    /// Returns the URL of the provider's portal, where the customer manages cards and invoices. `back`: the URL that
    /// the portal links back to.
    ///
    /// # Errors
    /// There is no such account or no such page, or the provider or the database fails.
    pub async fn portal(&self, account_id: &str, back: &str) -> Result<String, LedgerError> {
        let customer = self.customer(account_id).await?;
        Ok(self.provider.portal(&customer, back).await?)
    }

    /// Submits invoices that no provider has accepted yet, and returns the ids of the accepted ones. A rejected invoice
    /// does not hold up the others. Each is submitted under its own id, so that a provider which accepted it before a
    /// crash recognises it.
    ///
    /// # Errors
    /// The provider does not take some of them, which are offered again the next time, or the database fails.
    pub async fn submit_invoices(&self) -> Result<Vec<String>, LedgerError> {
        let (mut handed_over, mut refused) = (Vec::new(), None);
        for invoice in self.ledger.unsubmitted_invoices().await? {
            match self.submit_invoice(&invoice).await {
                Ok(()) => handed_over.push(invoice.id),
                Err(LedgerError::Billing(cause)) => {
                    tracing::warn!(invoice.id = %invoice.id, error = %cause, "invoice rejected by the provider");
                    refused = Some(cause);
                }
                Err(cause) => return Err(cause),
            }
        }
        match refused {
            Some(cause) => Err(cause.into()),
            None => Ok(handed_over),
        }
    }

    async fn submit_invoice(&self, invoice: &Invoice) -> Result<(), LedgerError> {
        let customer = self.customer(&invoice.account_id).await.map_err(|cause| match cause {
            LedgerError::Billing(cause) => {
                BillingError::Invoice { invoice: invoice.id.clone(), cause: cause.to_string() }.into()
            }
            cause => cause,
        })?;
        let reference = self.provider.create_invoice(&customer, invoice).await?;
        self.ledger.record_submission(&invoice.id, &reference).await
    }

    /// Returns the account as a customer of the provider; creates the customer there if it is missing.
    async fn customer(&self, account_id: &str) -> Result<Customer, LedgerError> {
        let mut customer = self.ledger.customer(account_id, self.provider.name()).await?;
        if customer.reference.is_none()
            && let Some(reference) = self.provider.ensure_customer(&customer).await?
        {
            self.ledger.record_customer(account_id, self.provider.name(), &reference).await?;
            customer.reference = Some(reference);
        }
        Ok(customer)
    }

    async fn place_order(
        &self,
        customer: &Customer,
        item: OrderItem,
        back: &ReturnUrls,
    ) -> Result<(Order, CheckoutOutcome), LedgerError> {
        let price = self.prices.price(item, customer.currency);
        let price = price.ok_or_else(|| LedgerError::Invalid("it has no listed price".to_owned()))?;
        let (order, superseded) = self.ledger.place_order(customer, item, price, self.provider.name()).await?;
        let id = order.id.clone();
        match self.begin_checkout(customer, order, &superseded, back).await {
            Ok(placed) => Ok(placed),
            Err(cause) => {
                // No customer has seen a page where this order could be paid.
                self.ledger.decline_order(&id, None, false).await?;
                Err(cause)
            }
        }
    }

    async fn begin_checkout(
        &self,
        customer: &Customer,
        mut order: Order,
        superseded: &[String],
        back: &ReturnUrls,
    ) -> Result<(Order, CheckoutOutcome), LedgerError> {
        for earlier in superseded {
            if self.decline(earlier).await?.state == OrderState::Fulfilled {
                return Err(LedgerError::Invalid(format!("order `{earlier}` was paid before; look at the plan again")));
            }
        }
        let checkout = self.provider.checkout(customer, &order, back).await?;
        if let CheckoutOutcome::Page { reference, .. } = &checkout {
            if !self.ledger.record_order_reference(&order.id, reference).await? {
                self.provider.expire_checkout(reference).await?;
                return Err(LedgerError::Invalid("another plan was ordered meanwhile".to_owned()));
            }
            order.provider_reference = Some(reference.clone());
        }
        Ok((order, checkout))
    }
}

/// Ranks by plan, then by interval: a higher rank is an upgrade.
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
