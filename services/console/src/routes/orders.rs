//! Orders: the summary before one is placed, its confirmation by mail, and its withdrawal.

use super::billing::{checkout, return_urls};
use crate::error::HttpError;
use crate::form::SignedInForm;
use crate::identity::SignedInUser;
use crate::layout::PageLayout;
use crate::response::see_other;
use crate::state::AppState;
use crate::text_format::{capital, money, number};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use limner_proto::v1::order_plan_response::Outcome;
use limner_proto::{v1, with_trace};
use serde::Deserialize;
use std::sync::Arc;

/// The item of an order.
#[derive(Debug, Deserialize)]
pub(crate) struct OrderedItem {
    pack: Option<String>,
    plan: Option<String>,
    interval: Option<String>,
}

/// An item as the law wants it summed up directly before the order.
struct OrderSummary {
    what: String,
    /// Labels and texts.
    terms: Vec<(&'static str, String)>,
    /// Path that the order is posted to, and the fields of its form.
    action: &'static str,
    fields: Vec<(&'static str, String)>,
}

#[derive(Template)]
#[template(path = "order.html")]
struct OrderPage {
    shell: PageLayout,
    summary: OrderSummary,
}

const PACK_WITHDRAWAL: &str = "Within 14 days on the billing page, if as many credits as the pack has are unspent.";
const PLAN_WITHDRAWAL: &str = "Within 14 days by answering the confirmation of this order.";

impl OrderSummary {
    fn of_pack(pack: &v1::PackOffer, offers: &v1::ListOffersResponse) -> Self {
        Self {
            what: format!("Credit pack {}", capital(&pack.pack)),
            terms: vec![
                ("Credits", format!("{}, once; they do not expire", number(pack.credits))),
                ("Price", price(pack.amount_cents, "", offers)),
                ("Payment", "Once. Nothing is renewed.".to_owned()),
                ("Takes effect", "As soon as it is paid.".to_owned()),
                ("Withdrawal", PACK_WITHDRAWAL.to_owned()),
            ],
            action: "/billing/pack",
            fields: vec![("pack", pack.pack.clone())],
        }
    }

    fn of_plan(plan: &v1::PlanOffer, offers: &v1::ListOffersResponse) -> Self {
        let (every, unit) = if plan.billing_interval == "yearly" { ("year", "a year") } else { ("month", "a month") };
        let mut terms = vec![
            ("Credits", format!("{} a month; unused ones expire with the month", number(plan.monthly_credits))),
            ("Requests", format!("{} a minute", plan.requests_per_minute)),
            ("Price", price(plan.amount_cents, unit, offers)),
        ];
        if let Some(cents) = plan.overage_rate_cents {
            let rate = money(u64::from(cents), &offers.currency);
            terms.push((
                "Overage",
                format!("{rate} per 1,000 credits beyond the plan, at most as many again; can be switched off"),
            ));
        }
        terms.extend([
            (
                "Payment",
                format!(
                    "Recurring: it is renewed every {every} until you change to another plan on the billing page. The first \
                     payment is for the rest of the current period."
                ),
            ),
            ("Takes effect", "As soon as it is paid. It replaces your present plan, and your keys stay.".to_owned()),
            ("Withdrawal", PLAN_WITHDRAWAL.to_owned()),
        ]);
        Self {
            what: format!("Plan {}, paid {}", capital(&plan.plan), plan.billing_interval),
            terms,
            action: "/billing/plan",
            fields: vec![("plan", plan.plan.clone()), ("interval", plan.billing_interval.clone())],
        }
    }

    fn find(item: &OrderedItem, offers: &v1::ListOffersResponse) -> Option<Self> {
        if let Some(pack) = &item.pack {
            let offer = offers.packs.iter().find(|offer| offer.pack == *pack)?;
            return Some(Self::of_pack(offer, offers));
        }
        let (plan, interval) = (item.plan.as_deref()?, item.interval.as_deref()?);
        let offer = offers.plans.iter().find(|offer| offer.plan == plan && offer.billing_interval == interval)?;
        Some(Self::of_plan(offer, offers))
    }

    /// Returns the text of the confirmation by mail.
    fn confirmation(&self, order: Option<&str>) -> String {
        let order = order.map(|id| format!("Order {id}: ")).unwrap_or_default();
        let terms = self.terms.iter().map(|(label, text)| format!("{label}: {text}\n"));
        format!(
            "Thank you. We have received your order.\n\n{order}{}\n{}\nYour orders are on the billing page. If this order is \
             not yours, answer this mail.\n",
            self.what,
            terms.collect::<String>()
        )
    }
}

fn price(cents: u64, per: &str, offers: &v1::ListOffersResponse) -> String {
    let tax = match offers.tax_is_added {
        true => "plus the VAT of your country, which is shown before you pay",
        false => "without VAT",
    };
    [money(cents, &offers.currency), per.to_owned(), format!("({tax})")].join(" ").replace("  ", " ")
}

async fn own_offers(app: &AppState, member: &SignedInUser) -> Result<v1::ListOffersResponse, HttpError> {
    let request = v1::ListOffersRequest { account_id: member.account_id(), currency: String::new() };
    Ok(app.metering.billing().list_offers(with_trace(request)).await?.into_inner())
}

/// `GET /billing/order`
pub(crate) async fn summary(
    State(app): State<Arc<AppState>>,
    member: SignedInUser,
    Query(item): Query<OrderedItem>,
) -> Result<Response, HttpError> {
    let offers = own_offers(&app, &member).await?;
    let summary = OrderSummary::find(&item, &offers);
    let summary = summary.ok_or_else(|| HttpError::Invalid("This cannot be ordered here.".to_owned()))?;
    let shell = member.shell("Your order", "billing", None);
    Ok(member.visitor.render(&OrderPage { shell, summary }))
}

/// Sends the confirmation of an order, whose summary was made before it took effect: nothing may fail afterwards.
fn confirm(app: &AppState, member: &SignedInUser, summary: Option<&OrderSummary>, order: Option<&str>) {
    if let Some(summary) = summary {
        app.mailer.send(&member.session.email, "Your order at Limner", summary.confirmation(order));
    }
}

#[derive(Deserialize)]
pub(crate) struct OrderPlan {
    plan: String,
    interval: String,
}

/// `POST /billing/plan`
pub(crate) async fn order_plan(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<OrderPlan>,
) -> Result<Response, HttpError> {
    let request = v1::OrderPlanRequest {
        account_id: member.account_id(),
        plan: form.plan.clone(),
        billing_interval: form.interval.clone(),
        back: return_urls(&app),
    };
    let detail = format!("{}, {}", form.plan, form.interval);
    let item = OrderedItem { pack: None, plan: Some(form.plan), interval: Some(form.interval) };
    let summary = OrderSummary::find(&item, &own_offers(&app, &member).await?);
    let outcome = app.metering.billing().order_plan(with_trace(request)).await?.into_inner().outcome;
    app.audit.record(&member.session.account_id, &member.visitor.client, "plan_ordered", &detail).await?;
    match outcome {
        Some(Outcome::Account(_)) => {
            confirm(&app, &member, summary.as_ref(), None);
            Ok(see_other("/billing?done=plan-changed"))
        }
        Some(Outcome::Scheduled(_)) => Ok(see_other("/billing?done=plan-scheduled")),
        Some(Outcome::Order(placed)) => {
            let order = placed.order.as_ref().map(|order| order.id.as_str());
            confirm(&app, &member, summary.as_ref(), order);
            Ok(checkout(&member, placed.checkout_url))
        }
        None => Err(HttpError::Unavailable("metering said nothing about an order".to_owned())),
    }
}

#[derive(Deserialize)]
pub(crate) struct OrderPack {
    pack: String,
}

/// `POST /billing/pack`
pub(crate) async fn order_pack(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<OrderPack>,
) -> Result<Response, HttpError> {
    let request =
        v1::OrderPackRequest { account_id: member.account_id(), pack: form.pack.clone(), back: return_urls(&app) };
    let item = OrderedItem { pack: Some(form.pack.clone()), plan: None, interval: None };
    let summary = OrderSummary::find(&item, &own_offers(&app, &member).await?);
    let placed = app.metering.billing().order_pack(with_trace(request)).await?.into_inner().order;
    app.audit.record(&member.session.account_id, &member.visitor.client, "pack_ordered", &form.pack).await?;
    let order = placed.as_ref().and_then(|placed| placed.order.as_ref()).map(|order| order.id.as_str());
    confirm(&app, &member, summary.as_ref(), order);
    Ok(checkout(&member, placed.and_then(|placed| placed.checkout_url)))
}

#[derive(Deserialize)]
pub(crate) struct WithdrawOrder {
    order: String,
}

/// `POST /billing/withdraw`
pub(crate) async fn withdraw(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<WithdrawOrder>,
) -> Result<Response, HttpError> {
    let request = v1::WithdrawOrderRequest { account_id: member.account_id(), order_id: form.order.clone() };
    app.metering.billing().withdraw_order(with_trace(request)).await?;
    app.audit.record(&member.session.account_id, &member.visitor.client, "order_withdrawn", &form.order).await?;
    let text = format!(
        "We have received your withdrawal of order {}. Its credits are taken back, and what you paid is refunded the way \
         you paid it.\n",
        form.order
    );
    app.mailer.send(&member.session.email, "Your withdrawal at Limner", text);
    Ok(see_other("/billing?done=withdrawn"))
}
