//! gRPC billing service, called by the console for an account owner.

use super::metering::answer;
use crate::billing::{
    BillingEngine, CheckoutOutcome, CreditNote, Order, OrderItem, PlanChangeOutcome, ReturnUrls, ReturnedPayment,
};
use crate::contract_terms::{BillingInterval, Currency, Terms};
use crate::invoice::{Invoice, InvoiceLine};
use crate::{LedgerError, ScheduledPlan};
use limner_proto::v1;
use limner_proto::v1::billing_service_server::BillingService;
use limner_types::{Pack, Plan, WireEnum};
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use url::Url;

/// Implements `limner.v1.BillingService` over a [`BillingEngine`].
#[derive(Debug, Clone)]
pub(crate) struct BillingGrpc {
    billing: BillingEngine,
}

impl BillingGrpc {
    pub(crate) fn new(billing: BillingEngine) -> Self {
        Self { billing }
    }

    async fn offers(&self, request: &v1::ListOffersRequest) -> Result<v1::ListOffersResponse, LedgerError> {
        let currency = match (request.currency.as_str(), request.account_id.as_str()) {
            ("", "") => Currency::default(),
            ("", account_id) => self.billing.ledger().account(account_id).await?.currency,
            (currency, _) => choice(currency)?,
        };
        let price = |item| self.billing.prices().price(item, currency);
        let plan_offer = |plan: Plan, interval: BillingInterval| {
            let terms = Terms::new(plan, None, currency).ok()?;
            Some(v1::PlanOffer {
                plan: plan.to_string(),
                billing_interval: interval.as_str().to_owned(),
                amount_cents: price(OrderItem::Plan(plan, interval))?,
                monthly_credits: terms.monthly_limit?,
                requests_per_minute: terms.requests_per_minute,
                overage_rate_cents: terms.overage_rate_cents,
            })
        };
        let pack_offer = |pack: Pack| {
            let amount_cents = price(OrderItem::Pack(pack))?;
            Some(v1::PackOffer { pack: pack.as_str().to_owned(), credits: pack.credits(), amount_cents })
        };
        let in_every_interval = |plan: Plan| intervals(plan).iter().map(move |interval| (plan, *interval));
        Ok(v1::ListOffersResponse {
            currency: currency.as_str().to_owned(),
            plans: Plan::ALL
                .iter()
                .copied()
                .flat_map(in_every_interval)
                .filter_map(|(plan, interval)| plan_offer(plan, interval))
                .collect(),
            packs: Pack::ALL.iter().copied().filter_map(pack_offer).collect(),
            tax_is_added: self.billing.adds_tax(),
            has_portal: self.billing.has_portal(),
        })
    }
}

#[tonic::async_trait]
impl BillingService for BillingGrpc {
    async fn list_offers(
        &self,
        request: Request<v1::ListOffersRequest>,
    ) -> Result<Response<v1::ListOffersResponse>, Status> {
        answer("list_offers", request, |request| async move { self.offers(&request).await }).await
    }

    async fn order_pack(
        &self,
        request: Request<v1::OrderPackRequest>,
    ) -> Result<Response<v1::OrderPackResponse>, Status> {
        answer("order_pack", request, |request| async move {
            let (pack, back) = (choice(&request.pack)?, return_urls(request.back)?);
            let (order, checkout) = self.billing.order_pack(&request.account_id, pack, &back).await?;
            Ok(v1::OrderPackResponse { order: Some(placed_order(order, checkout)) })
        })
        .await
    }

    async fn order_plan(
        &self,
        request: Request<v1::OrderPlanRequest>,
    ) -> Result<Response<v1::OrderPlanResponse>, Status> {
        use v1::order_plan_response::Outcome;
        answer("order_plan", request, |request| async move {
            let (plan, interval) = (choice(&request.plan)?, choice(&request.billing_interval)?);
            let back = return_urls(request.back)?;
            let outcome = match self.billing.order_plan(&request.account_id, plan, interval, &back).await? {
                PlanChangeOutcome::Done(state) => Outcome::Account(state.into()),
                PlanChangeOutcome::Ordered(order, checkout) => Outcome::Order(placed_order(order, checkout)),
                PlanChangeOutcome::Scheduled(ScheduledPlan { plan, effective, .. }) => {
                    Outcome::Scheduled(v1::ScheduledPlan { plan: plan.to_string(), effective })
                }
            };
            Ok(v1::OrderPlanResponse { outcome: Some(outcome) })
        })
        .await
    }

    async fn keep_plan(&self, request: Request<v1::KeepPlanRequest>) -> Result<Response<v1::KeepPlanResponse>, Status> {
        answer("keep_plan", request, |request| async move {
            let state = self.billing.cancel_plan_change(&request.account_id).await?;
            Ok(v1::KeepPlanResponse { account: Some(state.into()) })
        })
        .await
    }

    async fn set_overage(
        &self,
        request: Request<v1::SetOverageRequest>,
    ) -> Result<Response<v1::SetOverageResponse>, Status> {
        answer("set_overage", request, |request| async move {
            let state = self.billing.ledger().set_overage(&request.account_id, request.enabled).await?;
            Ok(v1::SetOverageResponse { account: Some(state.into()) })
        })
        .await
    }

    async fn open_portal(
        &self,
        request: Request<v1::OpenPortalRequest>,
    ) -> Result<Response<v1::OpenPortalResponse>, Status> {
        answer("open_portal", request, |request| async move {
            let back = web_address(request.return_url)?;
            Ok(v1::OpenPortalResponse { url: self.billing.portal(&request.account_id, &back).await? })
        })
        .await
    }

    async fn list_orders(
        &self,
        request: Request<v1::ListOrdersRequest>,
    ) -> Result<Response<v1::ListOrdersResponse>, Status> {
        answer("list_orders", request, |request| async move {
            let ledger = self.billing.ledger();
            ledger.account_state(&request.account_id).await?;
            let orders = ledger.orders(Some(&request.account_id)).await?;
            let returned = ledger.returned_payments(Some(&request.account_id)).await?;
            let credit_notes = ledger.credit_notes(Some(&request.account_id)).await?;
            Ok(v1::ListOrdersResponse {
                orders: orders.into_iter().map(order).collect(),
                returned: returned.into_iter().map(returned_payment).collect(),
                credit_notes: credit_notes.into_iter().map(credit_note).collect(),
            })
        })
        .await
    }

    async fn withdraw_order(
        &self,
        request: Request<v1::WithdrawOrderRequest>,
    ) -> Result<Response<v1::WithdrawOrderResponse>, Status> {
        answer("withdraw_order", request, |request| async move {
            let withdrawn = self.billing.withdraw_order(&request.account_id, &request.order_id).await?;
            Ok(v1::WithdrawOrderResponse { order: Some(order(withdrawn)) })
        })
        .await
    }

    async fn list_invoices(
        &self,
        request: Request<v1::ListInvoicesRequest>,
    ) -> Result<Response<v1::ListInvoicesResponse>, Status> {
        answer("list_invoices", request, |request| async move {
            let ledger = self.billing.ledger();
            ledger.account_state(&request.account_id).await?;
            let invoices = ledger.invoices(&request.account_id).await?;
            Ok(v1::ListInvoicesResponse { invoices: invoices.into_iter().map(invoice).collect() })
        })
        .await
    }
}

/// Returns the billing intervals that a plan offers.
fn intervals(plan: Plan) -> &'static [BillingInterval] {
    if plan.is_paid() { BillingInterval::ALL } else { &[BillingInterval::Monthly] }
}

fn choice<T: WireEnum>(word: &str) -> Result<T, LedgerError> {
    T::parse(word).ok_or_else(|| LedgerError::Invalid(format!("`{word}` is none of {}", T::valid_values())))
}

fn return_urls(back: Option<v1::CheckoutReturn>) -> Result<ReturnUrls, LedgerError> {
    let back = back.unwrap_or_default();
    Ok(ReturnUrls { success_url: web_address(back.success_url)?, cancel_url: web_address(back.cancel_url)? })
}

/// Parses a return URL: the provider redirects the browser to it.
fn web_address(url: String) -> Result<String, LedgerError> {
    let is_web = Url::parse(&url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if is_web {
        Ok(url)
    } else {
        Err(LedgerError::Invalid("a page to return to is an http or https address".to_owned()))
    }
}

fn placed_order(placed: Order, checkout: CheckoutOutcome) -> v1::PlacedOrder {
    let checkout_url = match checkout {
        CheckoutOutcome::Page { url, .. } => Some(url),
        CheckoutOutcome::Pending => None,
    };
    v1::PlacedOrder { order: Some(order(placed)), checkout_url }
}

fn order(order: Order) -> v1::Order {
    let (pack, plan, interval) = match order.item {
        OrderItem::Pack(pack) => (Some(pack.as_str().to_owned()), None, None),
        OrderItem::Plan(plan, interval) => (None, Some(plan.to_string()), Some(interval.as_str().to_owned())),
    };
    let withdrawable_until_unix_ms = order.withdrawable_until().map(unix_ms);
    v1::Order {
        withdrawable_until_unix_ms,
        id: order.id,
        pack,
        plan,
        billing_interval: interval,
        currency: order.currency.as_str().to_owned(),
        amount_cents: order.amount_cents,
        state: order.state.as_str().to_owned(),
        ordered_at_unix_ms: unix_ms(order.ordered_at),
    }
}

fn unix_ms(moment: OffsetDateTime) -> i64 {
    i64::try_from(moment.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX)
}

fn returned_payment(payment: ReturnedPayment) -> v1::ReturnedPayment {
    v1::ReturnedPayment {
        returned_cents: payment.refunded_cents + payment.credited_cents + payment.disputed_cents,
        order_id: payment.order_id,
        currency: payment.currency,
        paid_cents: payment.paid_cents,
        dispute: payment.dispute.map(|dispute| dispute.as_str().to_owned()),
        credits_withdrawn: payment.credits_withdrawn,
        changed_at_unix_ms: unix_ms(payment.changed_at),
    }
}

fn credit_note(note: CreditNote) -> v1::CreditNote {
    v1::CreditNote {
        number: note.number,
        currency: note.currency,
        amount_cents: note.amount_cents,
        is_void: note.is_void,
        noted_at_unix_ms: unix_ms(note.noted_at),
    }
}

fn invoice(invoice: Invoice) -> v1::Invoice {
    let line = |line: InvoiceLine| v1::InvoiceLine {
        description: line.description,
        kind: line.kind,
        quantity: line.quantity,
        rate_cents_per_1000: line.rate_cents_per_1000,
        amount_cents: line.amount_cents,
    };
    v1::Invoice {
        id: invoice.id,
        period_start: invoice.period_start,
        currency: invoice.currency.as_str().to_owned(),
        total_cents: invoice.total_cents,
        lines: invoice.lines.into_iter().map(line).collect(),
    }
}
