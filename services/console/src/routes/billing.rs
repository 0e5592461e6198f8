//! Plan and billing pages, on top of metering's billing service, which knows prices and providers.

use super::usage::attachment;
use crate::error::HttpError;
use crate::form::{EmptyForm, SignedInForm};
use crate::identity::{RequestIdentity, SignedInUser};
use crate::layout::PageLayout;
use crate::response::see_other;
use crate::state::AppState;
use crate::text_format::{capital, day_text, moment_unix, money, number};
use crate::view::prices::{PackCard, PlanCard, packs, plans};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use limner_proto::{v1, with_trace};
use limner_runtime::csv::to_csv;
use limner_types::Plan;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// An invoice, as shown to its owner.
struct InvoiceRow {
    id: String,
    month: String,
    lines: Vec<(String, String)>,
    total: String,
}

/// An order, as shown to its owner.
struct OrderRow {
    id: String,
    /// The end of the time in which it can be withdrawn.
    withdrawable_until: Option<String>,
    what: String,
    amount: String,
    state: String,
    at: String,
}

/// A refund, a dispute or a credit note, as shown to the account's owner.
struct ReturnRow {
    at: String,
    what: String,
    amount: String,
    credits: Option<String>,
}

#[derive(Template)]
#[template(path = "billing.html")]
struct BillingPage {
    shell: PageLayout,
    plan: String,
    is_business: bool,
    interval: String,
    suspended: bool,
    scheduled: Option<(String, String)>,
    overage: Option<OverageView>,
    yearly: bool,
    plans: Vec<PlanCard>,
    packs: Vec<PackCard>,
    pack_balance: String,
    orders: Vec<OrderRow>,
    returns: Vec<ReturnRow>,
    invoices: Vec<InvoiceRow>,
    /// True if the payment provider has a page for cards and invoices.
    has_portal: bool,
}

/// The overage switch and its effect.
struct OverageView {
    is_on: bool,
    rate: String,
    plan_credits: String,
    cap: String,
    most: String,
}

#[derive(Template)]
#[template(path = "pricing.html")]
struct PricingPage {
    shell: PageLayout,
    yearly: bool,
    plans: Vec<PlanCard>,
    packs: Vec<PackCard>,
}

#[derive(Template)]
#[template(path = "checkout.html")]
struct CheckoutPage {
    shell: PageLayout,
    url: String,
    is_portal: bool,
}

#[derive(Deserialize)]
pub(crate) struct BillingQuery {
    done: Option<String>,
    interval: Option<String>,
}

/// Returns the offers in both currencies, the account's first.
async fn offers(
    app: &AppState,
    account_id: &str,
    currency: &str,
) -> Result<(v1::ListOffersResponse, v1::ListOffersResponse), HttpError> {
    let other = if currency == "eur" { "usd" } else { "eur" };
    let ask =
        |currency: &str| v1::ListOffersRequest { account_id: account_id.to_owned(), currency: currency.to_owned() };
    let (mut one, mut two) = (app.metering.billing(), app.metering.billing());
    let (own, other) =
        tokio::try_join!(one.list_offers(with_trace(ask(currency))), two.list_offers(with_trace(ask(other))))?;
    Ok((own.into_inner(), other.into_inner()))
}

/// `GET /pricing`
pub(crate) async fn pricing(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    Query(query): Query<BillingQuery>,
) -> Result<Response, HttpError> {
    let yearly = query.interval.as_deref() == Some("yearly");
    let (own, other) = offers(&app, "", &app.config.currency).await?;
    let shell = visitor.shell("Pricing", "pricing");
    let page = PricingPage { shell, yearly, plans: plans(&own, &other, yearly, None), packs: packs(&own, &other) };
    Ok(visitor.render(&page))
}

/// `GET /billing`
pub(crate) async fn page(
    State(app): State<Arc<AppState>>,
    member: SignedInUser,
    Query(query): Query<BillingQuery>,
) -> Result<Response, HttpError> {
    let account_id = member.account_id();
    let describe = v1::DescribeAccountRequest { account_id: account_id.clone() };
    let details = app.metering.accounts().describe_account(with_trace(describe)).await?.into_inner();
    let account = details.account.clone().unwrap_or_default();
    let yearly = match query.interval.as_deref() {
        Some(interval) => interval == "yearly",
        None => details.billing_interval == "yearly",
    };
    let (mut one, mut two) = (app.metering.billing(), app.metering.billing());
    let ((own, other), ordered, invoices) = tokio::try_join!(
        offers(&app, &account_id, &details.currency),
        async {
            let request = v1::ListOrdersRequest { account_id: account_id.clone() };
            Ok::<_, HttpError>(one.list_orders(with_trace(request)).await?.into_inner())
        },
        async {
            let request = v1::ListInvoicesRequest { account_id: account_id.clone() };
            Ok::<_, HttpError>(two.list_invoices(with_trace(request)).await?.into_inner().invoices)
        },
    )?;
    let present = (account.plan.as_str(), details.billing_interval.as_str());
    let page = BillingPage {
        shell: member.shell("Plan and billing", "billing", query.done.as_deref()),
        plan: capital(&account.plan),
        is_business: account.plan == Plan::Business.to_string(),
        interval: details.billing_interval.clone(),
        suspended: account.suspended,
        scheduled: details.scheduled.clone().map(|later| (capital(&later.plan), day_text(&later.effective))),
        overage: details.overage_rate_cents.map(|cents| overage(&account, cents, &details.currency)),
        yearly,
        plans: plans(&own, &other, yearly, Some(present)),
        packs: packs(&own, &other),
        pack_balance: number(account.pack_balance),
        returns: returns(&ordered),
        orders: ordered.orders.into_iter().rev().map(order).collect(),
        invoices: invoices.into_iter().map(invoice).collect(),
        has_portal: own.has_portal,
    };
    Ok(member.visitor.render(&page))
}

/// Overage allows as many credits again as the plan has.
fn overage(account: &v1::Account, cents: u32, currency: &str) -> OverageView {
    let limit = account.monthly_limit.unwrap_or_default();
    OverageView {
        is_on: account.overage_enabled,
        rate: money(u64::from(cents), currency),
        plan_credits: number(limit),
        cap: number(limit.saturating_mul(2)),
        most: money(limit.saturating_mul(u64::from(cents)).div_ceil(1_000), currency),
    }
}

fn order(order: v1::Order) -> OrderRow {
    let what = match (&order.pack, &order.plan) {
        (Some(pack), _) => format!("Pack {}", capital(pack)),
        (_, Some(plan)) => {
            format!("Plan {}, {}", capital(plan), order.billing_interval.as_deref().unwrap_or("monthly"))
        }
        _ => "Order".to_owned(),
    };
    let now = time::OffsetDateTime::now_utc().unix_timestamp();
    let until = order.withdrawable_until_unix_ms.map(|ms| ms / 1_000).filter(|until| *until > now);
    OrderRow {
        id: order.id,
        withdrawable_until: until.map(moment_unix),
        what,
        amount: money(order.amount_cents, &order.currency),
        state: order.state,
        at: moment_unix(order.ordered_at_unix_ms / 1_000),
    }
}

/// Returns what went back to the account's owner: refunds and disputes, then credit notes.
fn returns(ordered: &v1::ListOrdersResponse) -> Vec<ReturnRow> {
    let payments = ordered.returned.iter().map(|payment| ReturnRow {
        at: moment_unix(payment.changed_at_unix_ms / 1_000),
        what: match payment.dispute.as_deref() {
            None => "Refund".to_owned(),
            Some("inquiry") => "Your bank asks about a payment".to_owned(),
            Some("won") => "Disputed payment, decided: paid".to_owned(),
            Some("lost") => "Disputed payment, decided: returned".to_owned(),
            Some(_) => "Disputed payment".to_owned(),
        },
        amount: money(payment.returned_cents, &payment.currency),
        credits: (payment.credits_withdrawn > 0).then(|| number(payment.credits_withdrawn)),
    });
    let notes = ordered.credit_notes.iter().map(|note| ReturnRow {
        at: moment_unix(note.noted_at_unix_ms / 1_000),
        what: format!("Credit note {}{}", note.number, if note.is_void { ", void" } else { "" }),
        amount: money(note.amount_cents, &note.currency),
        credits: None,
    });
    payments.chain(notes).collect()
}

fn invoice(invoice: v1::Invoice) -> InvoiceRow {
    let line = |line: &v1::InvoiceLine| {
        let text = match line.rate_cents_per_1000 {
            Some(rate) => format!(
                "{}: {} credits at {} per 1,000",
                line.description,
                number(line.quantity),
                money(rate, &invoice.currency)
            ),
            None => line.description.clone(),
        };
        (text, money(line.amount_cents, &invoice.currency))
    };
    InvoiceRow {
        month: day_text(&invoice.period_start),
        lines: invoice.lines.iter().map(line).collect(),
        total: money(invoice.total_cents, &invoice.currency),
        id: invoice.id,
    }
}

/// Returns the pages that the provider leads back to.
pub(super) fn return_urls(app: &AppState) -> Option<v1::CheckoutReturn> {
    Some(v1::CheckoutReturn {
        success_url: app.url.link("/billing?done=paid"),
        cancel_url: app.url.link("/billing?done=not-paid"),
    })
}

/// Links to the provider's page: a form that was sent to us must not redirect elsewhere.
pub(super) fn checkout(member: &SignedInUser, url: Option<String>) -> Response {
    match url.filter(|url| url.starts_with("https://") || url.starts_with("http://")) {
        Some(url) => {
            let shell = member.shell("Payment", "billing", None);
            member.visitor.render(&CheckoutPage { shell, url, is_portal: false })
        }
        None => see_other("/billing?done=ordered"),
    }
}

/// `POST /billing/plan/keep`
pub(crate) async fn cancel_plan_change(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, .. }: SignedInForm<EmptyForm>,
) -> Result<Response, HttpError> {
    let request = v1::KeepPlanRequest { account_id: member.account_id() };
    app.metering.billing().keep_plan(with_trace(request)).await?;
    app.audit.record(&member.session.account_id, &member.visitor.client, "plan_kept", "").await?;
    Ok(see_other("/billing?done=plan-kept"))
}

#[derive(Deserialize)]
pub(crate) struct SetOverage {
    state: String,
}

/// `POST /billing/overage`
pub(crate) async fn set_overage(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<SetOverage>,
) -> Result<Response, HttpError> {
    let enabled = match form.state.as_str() {
        "on" => true,
        "off" => false,
        _ => return Err(HttpError::Invalid("Overage must be on or off.".to_owned())),
    };
    let request = v1::SetOverageRequest { account_id: member.account_id(), enabled };
    app.metering.billing().set_overage(with_trace(request)).await?;
    app.audit
        .record(
            &member.session.account_id,
            &member.visitor.client,
            if enabled { "overage_on" } else { "overage_off" },
            "",
        )
        .await?;
    Ok(see_other(if enabled { "/billing?done=overage-on" } else { "/billing?done=overage-off" }))
}

/// `POST /billing/portal`
pub(crate) async fn portal(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, .. }: SignedInForm<EmptyForm>,
) -> Result<Response, HttpError> {
    let request = v1::OpenPortalRequest { account_id: member.account_id(), return_url: app.url.link("/billing") };
    let url = app.metering.billing().open_portal(with_trace(request)).await?.into_inner().url;
    let shell = member.shell("Cards and receipts", "billing", None);
    Ok(member.visitor.render(&CheckoutPage { shell, url, is_portal: true }))
}

async fn invoices(app: &AppState, member: &SignedInUser) -> Result<Vec<v1::Invoice>, HttpError> {
    let request = v1::ListInvoicesRequest { account_id: member.account_id() };
    Ok(app.metering.billing().list_invoices(with_trace(request)).await?.into_inner().invoices)
}

/// `GET /billing/billed.csv`: an export, and no invoice.
pub(crate) async fn billed_csv(State(app): State<Arc<AppState>>, member: SignedInUser) -> Result<Response, HttpError> {
    const COLUMNS: [&str; 7] =
        ["reference", "month", "currency", "description", "quantity", "rate_cents_per_1000", "amount_cents"];
    let invoices = invoices(&app, &member).await?;
    let lines = invoices.iter().flat_map(|invoice| invoice.lines.iter().map(move |line| (invoice, line)));
    let rows = lines.map(|(invoice, line)| {
        [
            invoice.id.clone(),
            invoice.period_start.clone(),
            invoice.currency.clone(),
            line.description.clone(),
            line.quantity.to_string(),
            line.rate_cents_per_1000.map(|rate| rate.to_string()).unwrap_or_default(),
            line.amount_cents.to_string(),
        ]
    });
    let csv = to_csv(std::iter::once(COLUMNS.map(str::to_owned)).chain(rows));
    Ok(attachment("text/csv; charset=utf-8", "limner-billed.csv", csv))
}

/// `GET /billing/billed.json`
pub(crate) async fn billed_json(State(app): State<Arc<AppState>>, member: SignedInUser) -> Result<Response, HttpError> {
    let invoices: Vec<_> = invoices(&app, &member).await?.iter().map(invoice_json).collect();
    Ok(attachment("application/json", "limner-billed.json", format!("{:#}\n", json!({ "billed": invoices }))))
}

/// Returns an invoice in the format of the export.
pub(crate) fn invoice_json(invoice: &v1::Invoice) -> serde_json::Value {
    let line = |line: &v1::InvoiceLine| {
        json!({
            "description": line.description,
            "kind": line.kind,
            "quantity": line.quantity,
            "rate_cents_per_1000": line.rate_cents_per_1000,
            "amount_cents": line.amount_cents,
        })
    };
    json!({
        "reference": invoice.id,
        "period_start": invoice.period_start,
        "currency": invoice.currency,
        "total_cents": invoice.total_cents,
        "lines": invoice.lines.iter().map(line).collect::<Vec<_>>(),
    })
}
