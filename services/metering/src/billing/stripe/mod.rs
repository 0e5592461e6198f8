//! Stripe as billing provider: customers, checkouts, subscriptions, invoices and signed webhook events over its HTTP
//! API.
//!
//! The provider keeps no state. Every write carries an idempotency key derived from its purpose, so that a repetition
//! after a crash does nothing twice. Stripe forgets keys after a day: objects that live longer are looked up before
//! they are created. Prices are found by a lookup key that names item, interval, currency and amount, and are created
//! if missing.

mod client;
mod objects;
mod returns;
mod signature;

use super::{
    BillingError, BillingProvider, CheckoutOutcome, CheckoutState, CreditNoteState, Customer, InvoiceState, Order,
    OrderItem, PaymentState, PlanPrice, RecentObjects, ReturnUrls, SubscriptionState, VerifiedWebhook, WebhookEvent,
};
use crate::contract_terms::{BillingInterval, Currency};
use crate::invoice::{Invoice, InvoiceLine};
use client::{Client, FormParams};
use limner_types::WireEnum;
use objects::{Event, List, ObjectRef, Schedule, Session, StripeInvoice, Subscription};
use std::time::Duration;
use time::OffsetDateTime;

/// Connection to a Stripe account and billing options.
#[derive(Clone)]
pub struct StripeConfig {
    /// `https://api.stripe.com`, or a server that implements its API.
    pub api_url: String,
    /// The secret or restricted key of the account.
    pub secret_key: String,
    /// The secrets that webhook events are signed with: two while one replaces the other.
    pub webhook_secrets: Vec<String>,
    /// Maximum age of an event's signature.
    pub tolerance: Duration,
    /// True if Stripe adds taxes to the collected amounts.
    pub automatic_tax: bool,
    /// Stripe's code of what is sold, which decides its tax.
    pub tax_code: String,
    /// Days to pay an invoice that is sent to a customer without a card on file.
    pub days_until_due: u32,
}

impl Default for StripeConfig {
    fn default() -> Self {
        Self {
            api_url: "https://api.stripe.com".to_owned(),
            secret_key: String::new(),
            webhook_secrets: Vec::new(),
            tolerance: Duration::from_secs(300),
            automatic_tax: false,
            // Software as a service for businesses.
            tax_code: "txcd_10103001".to_owned(),
            days_until_due: 14,
        }
    }
}

// Keeps both kinds of secret out of logs.
impl std::fmt::Debug for StripeConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StripeConfig").field("api_url", &self.api_url).finish_non_exhaustive()
    }
}

/// Collects money with Stripe.
#[derive(Debug)]
pub struct StripeProvider {
    config: StripeConfig,
    client: Client,
}

impl StripeProvider {
    /// Returns a provider for one Stripe account, without sending a request.
    ///
    /// # Errors
    /// The API key or the webhook secret is missing, or the URL is invalid.
    pub fn new(config: StripeConfig) -> Result<Self, BillingError> {
        if config.webhook_secrets.iter().all(String::is_empty) {
            return Err(BillingError::Refused("Stripe's messages need a signing secret".to_owned()));
        }
        let client = Client::new(&config.api_url, &config.secret_key)?;
        Ok(Self { config, client })
    }

    /// Returns the id of an item's price object: found by its lookup key, created if missing.
    async fn price(&self, item: OrderItem, currency: Currency, cents: u64) -> Result<String, BillingError> {
        let (name, label, recurring) = match item {
            OrderItem::Pack(pack) => (pack.as_str().to_owned(), format!("{} credits", pack.credits()), None),
            OrderItem::Plan(plan, interval) => {
                let every = match interval {
                    BillingInterval::Monthly => "month",
                    BillingInterval::Yearly => "year",
                };
                (format!("{plan}-{}", interval.as_str()), format!("Plan {plan}"), Some(every))
            }
        };
        let key = format!("limner-{name}-{}-{cents}", currency.as_str());
        let query = FormParams::new().with("lookup_keys[0]", &key).with("active", "true");
        let found: List<ObjectRef> = self.client.get("/v1/prices", query).await?;
        if let Some(price) = found.data.into_iter().next() {
            return Ok(price.id);
        }
        let form = FormParams::new()
            .with("lookup_key", &key)
            .with("currency", currency.as_str())
            .with("unit_amount", cents)
            .with("tax_behavior", "exclusive")
            .with("product_data[name]", label)
            .with("product_data[tax_code]", &self.config.tax_code)
            .with_option("recurring[interval]", recurring);
        let price: ObjectRef = self.client.post("/v1/prices", form, &format!("price-{key}")).await?;
        Ok(price.id)
    }

    /// Voids the latest invoice of a subscription, which stays open when the subscription is deleted.
    async fn void_latest(&self, subscription: &Subscription) -> Result<(), BillingError> {
        let Some(reference) = &subscription.latest_invoice else { return Ok(()) };
        let invoice: StripeInvoice = self.client.get(&format!("/v1/invoices/{reference}"), FormParams::new()).await?;
        if invoice.is_outstanding() {
            let _: ObjectRef =
                self.client.post_again(&format!("/v1/invoices/{reference}/void"), FormParams::new()).await?;
        }
        Ok(())
    }

    async fn plan_price(&self, item: PlanPrice) -> Result<String, BillingError> {
        self.price(OrderItem::Plan(item.plan, item.billing_interval), item.currency, item.amount_cents).await
    }

    async fn read_session(&self, reference: &str) -> Result<Session, BillingError> {
        self.client.get(&format!("/v1/checkout/sessions/{reference}"), FormParams::new()).await
    }

    async fn read_subscription(&self, reference: &str) -> Result<Subscription, BillingError> {
        self.client.get(&format!("/v1/subscriptions/{reference}"), FormParams::new()).await
    }

    /// Releases a subscription from its schedule.
    async fn release(&self, subscription: &Subscription) -> Result<(), BillingError> {
        let Some(schedule) = &subscription.schedule else { return Ok(()) };
        let path = format!("/v1/subscription_schedules/{schedule}/release");
        let _: ObjectRef = self.client.post(&path, FormParams::new(), &format!("release-{schedule}")).await?;
        Ok(())
    }

    /// Removes a subscription's schedule or its scheduled end.
    async fn detach(&self, subscription: Subscription) -> Result<Subscription, BillingError> {
        self.release(&subscription).await?;
        if subscription.cancel_at_period_end {
            let path = format!("/v1/subscriptions/{}", subscription.id);
            let form = FormParams::new().with("cancel_at_period_end", "false");
            return self.client.post_again(&path, form).await;
        }
        Ok(subscription)
    }

    /// Sets the next phase of a subscription: `item` from the end of the current period.
    async fn schedule(&self, subscription: &Subscription, item: PlanPrice) -> Result<(), BillingError> {
        let (price, present) = (self.plan_price(item).await?, subscription.item()?);
        let form = FormParams::new().with("from_subscription", &subscription.id);
        // Has no fixed idempotency key: after a release, a schedule may be created again. Stripe itself rejects a
        // second schedule for the same subscription.
        let schedule: Schedule = self.client.post_again("/v1/subscription_schedules", form).await?;
        let start = schedule.phases.first().map(|phase| phase.start_date);
        let start = start.ok_or_else(|| BillingError::Unavailable("a schedule without a phase".to_owned()))?;
        let interval = match item.billing_interval {
            BillingInterval::Monthly => "month",
            BillingInterval::Yearly => "year",
        };
        let mut form = FormParams::new()
            .with("end_behavior", "release")
            .with("proration_behavior", "none")
            .with("phases[0][start_date]", start)
            .with("phases[0][end_date]", present.current_period_end)
            .with("phases[0][items][0][price]", &present.price.id)
            .with("phases[0][items][0][quantity]", 1)
            .with("phases[1][items][0][price]", &price)
            .with("phases[1][items][0][quantity]", 1)
            .with("phases[1][duration][interval]", interval)
            .with("phases[1][duration][interval_count]", 1)
            .with("phases[1][proration_behavior]", "none");
        for (name, value) in plan_metadata(item) {
            form = form.with(&format!("phases[1][metadata][{name}]"), value);
        }
        let path = format!("/v1/subscription_schedules/{}", schedule.id);
        let _: ObjectRef = self.client.post_again(&path, form).await?;
        Ok(())
    }

    /// Returns the Stripe invoice that was begun for one of ours.
    async fn begun_invoice(&self, customer: &str, invoice: &Invoice) -> Result<Option<StripeInvoice>, BillingError> {
        let all: Vec<StripeInvoice> = self.list("/v1/invoices", &[("customer", customer)]).await?;
        Ok(all.into_iter().find(|found| found.metadata.get("limner_invoice") == Some(&invoice.id)))
    }

    async fn begin_invoice(
        &self,
        customer: &Customer,
        of: &str,
        invoice: &Invoice,
    ) -> Result<StripeInvoice, BillingError> {
        let form = FormParams::new()
            .with("customer", of)
            .with("currency", invoice.currency.as_str())
            .with("auto_advance", "false")
            .with("pending_invoice_items_behavior", "exclude")
            .with("description", format!("Limner, {}", invoice.period_start))
            .with("metadata[limner_invoice]", &invoice.id)
            .with("metadata[limner_account]", &invoice.account_id);
        let form = match customer.has_subscription {
            true => form.with("collection_method", "charge_automatically"),
            false => form.with("collection_method", "send_invoice").with("days_until_due", self.config.days_until_due),
        };
        let form = form.with_option("automatic_tax[enabled]", self.config.automatic_tax.then_some("true"));
        self.client.post("/v1/invoices", form, &format!("invoice-{}", invoice.id)).await
    }

    /// Adds the missing lines to a begun invoice and has it collected.
    async fn complete_invoice(&self, of: &str, begun: &StripeInvoice, invoice: &Invoice) -> Result<(), BillingError> {
        let path = format!("/v1/invoices/{}", begun.id);
        let items: Vec<objects::InvoiceItem> = self.list("/v1/invoiceitems", &[("invoice", &begun.id)]).await?;
        for (position, line) in invoice.lines.iter().enumerate() {
            let name = position.to_string();
            if items.iter().any(|item| item.metadata.get("limner_line") == Some(&name)) {
                continue;
            }
            let form = FormParams::new()
                .with("customer", of)
                .with("invoice", &begun.id)
                .with("currency", invoice.currency.as_str())
                .with("amount", line.amount_cents)
                .with("description", line_text(line, invoice.currency))
                .with("tax_behavior", "exclusive")
                .with("tax_code", &self.config.tax_code)
                .with("metadata[limner_line]", &name);
            let key = format!("line-{}-{name}", invoice.id);
            let _: ObjectRef = self.client.post("/v1/invoiceitems", form, &key).await?;
        }
        let form = FormParams::new().with("auto_advance", "true");
        let _: ObjectRef =
            self.client.post(&format!("{path}/finalize"), form, &format!("finalize-{}", invoice.id)).await?;
        Ok(())
    }
}

#[tonic::async_trait]
impl BillingProvider for StripeProvider {
    fn name(&self) -> &'static str {
        "stripe"
    }

    async fn create_invoice(&self, customer: &Customer, invoice: &Invoice) -> Result<String, BillingError> {
        let of = customer_reference(customer)?;
        let refused =
            |cause: BillingError| BillingError::Invoice { invoice: invoice.id.clone(), cause: cause.to_string() };
        let begun = match self.begun_invoice(of, invoice).await.map_err(refused)? {
            Some(begun) => begun,
            None => self.begin_invoice(customer, of, invoice).await.map_err(refused)?,
        };
        if begun.status.as_deref() == Some("draft") {
            self.complete_invoice(of, &begun, invoice).await.map_err(refused)?;
        }
        Ok(begun.id)
    }

    async fn ensure_customer(&self, customer: &Customer) -> Result<Option<String>, BillingError> {
        let form =
            FormParams::new().with("email", &customer.email).with("metadata[limner_account]", &customer.account_id);
        let key = format!("customer-{}", customer.account_id);
        let opened: ObjectRef = self.client.post("/v1/customers", form, &key).await?;
        Ok(Some(opened.id))
    }

    async fn checkout(
        &self,
        customer: &Customer,
        order: &Order,
        back: &ReturnUrls,
    ) -> Result<CheckoutOutcome, BillingError> {
        let price = self.price(order.item, order.currency, order.amount_cents).await?;
        let mut form = FormParams::new()
            .with("customer", customer_reference(customer)?)
            .with("client_reference_id", &order.id)
            .with("metadata[limner_order]", &order.id)
            .with("line_items[0][price]", &price)
            .with("line_items[0][quantity]", 1)
            .with("success_url", &back.success_url)
            .with("cancel_url", &back.cancel_url);
        if self.config.automatic_tax {
            form = form
                .with("automatic_tax[enabled]", "true")
                .with("tax_id_collection[enabled]", "true")
                .with("customer_update[address]", "auto")
                .with("customer_update[name]", "auto");
        }
        form = match order.item {
            OrderItem::Pack(_) => form.with("mode", "payment").with("invoice_creation[enabled]", "true"),
            OrderItem::Plan(plan, billing_interval) => {
                let amount_cents = order.amount_cents;
                let item = PlanPrice { plan, billing_interval, amount_cents, currency: order.currency };
                // Billing periods end with calendar months, as credits do; the rest of this month is prorated by day.
                let anchor = "subscription_data[billing_cycle_anchor_config]";
                let mut form = form
                    .with("mode", "subscription")
                    .with(&format!("{anchor}[day_of_month]"), 1)
                    .with(&format!("{anchor}[hour]"), 0)
                    .with(&format!("{anchor}[minute]"), 0)
                    .with(&format!("{anchor}[second]"), 0)
                    .with("subscription_data[proration_behavior]", "create_prorations");
                for (name, value) in plan_metadata(item) {
                    form = form.with(&format!("subscription_data[metadata][{name}]"), value);
                }
                form.with("subscription_data[metadata][limner_account]", &order.account_id)
            }
        };
        let key = format!("checkout-{}", order.id);
        let session: Session = self.client.post("/v1/checkout/sessions", form, &key).await?;
        let url = session.url.ok_or_else(|| BillingError::Unavailable("a checkout without a page".to_owned()))?;
        Ok(CheckoutOutcome::Page { url, reference: session.id })
    }

    async fn expire_checkout(&self, reference: &str) -> Result<Option<CheckoutState>, BillingError> {
        let session = self.read_session(reference).await?;
        if !session.is_open() {
            return Ok(session.state());
        }
        match self.client.post_again(&format!("/v1/checkout/sessions/{reference}/expire"), FormParams::new()).await {
            Ok(expired) => Ok(Session::state(expired)),
            // It may have been paid just now.
            Err(BillingError::Refused(cause)) => match self.read_session(reference).await? {
                session if session.is_open() => Err(BillingError::Refused(cause)),
                session => Ok(session.state()),
            },
            Err(cause) => Err(cause),
        }
    }

    fn has_portal(&self) -> bool {
        true
    }

    async fn portal(&self, customer: &Customer, back: &str) -> Result<String, BillingError> {
        let form = FormParams::new().with("customer", customer_reference(customer)?).with("return_url", back);
        let session: objects::Portal = self.client.post_again("/v1/billing_portal/sessions", form).await?;
        Ok(session.url)
    }

    async fn upgrade(&self, reference: &str, item: PlanPrice) -> Result<SubscriptionState, BillingError> {
        let price = self.plan_price(item).await?;
        let subscription = self.detach(self.read_subscription(reference).await?).await?;
        let mut form = FormParams::new()
            .with("items[0][id]", &subscription.item()?.id)
            .with("items[0][price]", &price)
            .with("proration_behavior", "always_invoice")
            .with("payment_behavior", "error_if_incomplete");
        for (name, value) in plan_metadata(item) {
            form = form.with(&format!("metadata[{name}]"), value);
        }
        let path = format!("/v1/subscriptions/{reference}");
        self.client.post_again::<Subscription>(&path, form).await?.state()
    }

    async fn downgrade(&self, reference: &str, item: Option<PlanPrice>) -> Result<SubscriptionState, BillingError> {
        match item {
            Some(item) => {
                let subscription = self.detach(self.read_subscription(reference).await?).await?;
                self.schedule(&subscription, item).await?;
            }
            None => self.cancel_subscription(reference, false).await?,
        }
        self.subscription(reference).await
    }

    async fn cancel_subscription(&self, reference: &str, at_once: bool) -> Result<(), BillingError> {
        let subscription = self.read_subscription(reference).await?;
        let path = format!("/v1/subscriptions/{reference}");
        if at_once {
            if !subscription.has_ended() {
                let _: ObjectRef = self.client.delete(&path).await?;
            }
            return self.void_latest(&subscription).await;
        }
        if subscription.has_ended() {
            return Ok(());
        }
        self.release(&subscription).await?;
        if !subscription.cancel_at_period_end {
            let form = FormParams::new().with("cancel_at_period_end", "true");
            let _: ObjectRef = self.client.post_again(&path, form).await?;
        }
        Ok(())
    }

    async fn cancel_downgrade(&self, reference: &str) -> Result<SubscriptionState, BillingError> {
        self.detach(self.read_subscription(reference).await?).await?.state()
    }

    fn read_message(&self, body: &[u8], header: &str) -> Result<VerifiedWebhook, BillingError> {
        let now = OffsetDateTime::now_utc().unix_timestamp();
        signature::check(body, header, &self.config.webhook_secrets, self.config.tolerance, now)
            .map_err(BillingError::Signature)?;
        let event: Event = serde_json::from_slice(body).map_err(|cause| BillingError::Message(cause.to_string()))?;
        let payment = event.data.object.payment().map(str::to_owned);
        let about = event.data.object.id;
        let news = match (event.kind.as_str(), about) {
            (kind, _) if is_of_returned_money(kind) => payment.map_or(WebhookEvent::Other, WebhookEvent::Payment),
            (kind, Some(id)) if kind.starts_with("credit_note.") => WebhookEvent::CreditNote(id),
            (kind, Some(reference)) if kind.starts_with("checkout.session.") => {
                WebhookEvent::Checkout { reference, failed: kind == "checkout.session.async_payment_failed" }
            }
            (kind, Some(id)) if kind.starts_with("customer.subscription.") => WebhookEvent::Subscription(id),
            (
                "invoice.payment_failed" | "invoice.paid" | "invoice.voided" | "invoice.marked_uncollectible",
                Some(id),
            ) => WebhookEvent::Invoice(id),
            _ => WebhookEvent::Other,
        };
        Ok(VerifiedWebhook { id: event.id, kind: event.kind, event: news })
    }

    async fn subscription(&self, reference: &str) -> Result<SubscriptionState, BillingError> {
        self.read_subscription(reference).await?.state()
    }

    async fn checkout_state(&self, reference: &str) -> Result<Option<CheckoutState>, BillingError> {
        Ok(self.read_session(reference).await?.state())
    }

    async fn invoice_state(&self, reference: &str) -> Result<InvoiceState, BillingError> {
        let invoice: StripeInvoice = self.client.get(&format!("/v1/invoices/{reference}"), FormParams::new()).await?;
        invoice.state()
    }

    async fn recent_objects(&self, since: OffsetDateTime) -> Result<RecentObjects, BillingError> {
        self.read_recent(since).await
    }

    fn adds_tax(&self) -> bool {
        self.config.automatic_tax
    }

    async fn refund_checkout(&self, reference: &str, order_id: &str) -> Result<(), BillingError> {
        self.refund_session(reference, order_id).await
    }

    async fn payment_state(&self, reference: &str) -> Result<Option<PaymentState>, BillingError> {
        self.read_payment(reference).await
    }

    async fn credit_note_state(&self, reference: &str) -> Result<CreditNoteState, BillingError> {
        self.read_credit_note(reference).await
    }
}

/// Returns true for events about refunds and disputes; the object of each names its payment.
fn is_of_returned_money(kind: &str) -> bool {
    kind == "charge.refunded"
        || ["charge.dispute.", "charge.refund.", "refund."].iter().any(|group| kind.starts_with(group))
}

fn customer_reference(customer: &Customer) -> Result<&str, BillingError> {
    let reference = customer.reference.as_deref();
    reference.ok_or_else(|| BillingError::Refused(format!("Stripe does not know account {}", customer.account_id)))
}

/// Returns the metadata that names a subscription's plan: people may edit prices and products, but not this.
fn plan_metadata(item: PlanPrice) -> [(&'static str, &'static str); 2] {
    [("limner_plan", item.plan.as_str()), ("limner_interval", item.billing_interval.as_str())]
}

/// Returns the text of an invoice line with quantity and rate, as on our own invoice.
fn line_text(line: &InvoiceLine, currency: Currency) -> String {
    let Some(rate) = line.rate_cents_per_1000 else { return line.description.clone() };
    let currency = currency.as_str().to_uppercase();
    format!("{}: {} credits at {currency} {}.{:02} per 1,000", line.description, line.quantity, rate / 100, rate % 100)
}
