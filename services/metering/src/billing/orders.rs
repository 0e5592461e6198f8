//! Orders of account owners, and the link between an account and its customer at the provider.

use super::{Customer, SubscriptionState};
use crate::contract_terms::{BillingInterval, Currency, Terms};
use crate::ledger::plans::TermsRow;
use crate::ledger::row_mapping::{column, column_enum, count};
use crate::{Ledger, LedgerError, api_key};
use limner_store::{Row, StoreError};
use limner_types::{AccountState, Pack, Plan, WireEnum};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::time::Duration;
use time::OffsetDateTime;

/// An item that can be ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderItem {
    /// A credit pack.
    Pack(Pack),
    /// A plan, paid monthly or yearly.
    Plan(Plan, BillingInterval),
}

impl Serialize for OrderItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        match self {
            Self::Pack(pack) => fields.serialize_entry("pack", pack)?,
            Self::Plan(plan, interval) => {
                fields.serialize_entry("plan", plan)?;
                fields.serialize_entry("billing_interval", interval)?;
            }
        }
        fields.end()
    }
}

/// The state of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderState {
    /// Not paid and not approved yet.
    Open,
    /// In effect.
    Fulfilled,
    /// It had no effect.
    Declined,
    /// Its owner withdrew it after it had taken effect.
    Withdrawn,
}

impl WireEnum for OrderState {
    const ALL: &'static [Self] = &[Self::Open, Self::Fulfilled, Self::Declined, Self::Withdrawn];

    fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Fulfilled => "fulfilled",
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// An order of a credit pack or a plan.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Order {
    /// Permanent id, also used towards the provider.
    pub id: String,
    /// The account.
    pub account_id: String,
    /// The ordered item.
    #[serde(flatten)]
    pub item: OrderItem,
    /// The currency of the price.
    pub currency: Currency,
    /// The price in cents, without tax.
    pub amount_cents: u64,
    /// The state of the order.
    pub state: OrderState,
    /// Name of the provider that collects.
    pub provider: String,
    /// The provider's id of the checkout.
    pub provider_reference: Option<String>,
    /// When it was placed.
    #[serde(with = "time::serde::rfc3339")]
    pub ordered_at: OffsetDateTime,
    /// Time at which the provider reported the payment, whatever its effect; null if it did not report one.
    #[serde(with = "time::serde::rfc3339::option")]
    pub paid_at: Option<OffsetDateTime>,
    /// When it took effect or was declined; null while it is open.
    #[serde(with = "time::serde::rfc3339::option")]
    pub settled_at: Option<OffsetDateTime>,
}

/// Reason of an overpayment: the account gets nothing for it, so it has to be refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overpayment {
    /// An operator had approved the order, so it is also collected by invoice.
    PaidTwice,
    /// The account's plan was already paid by another subscription, which ends with its term.
    SecondSubscription,
    /// The account has individually agreed terms.
    BusinessAccount,
    /// The account is closed.
    ClosedAccount,
    /// The subscription that the order started was over before the payment was recorded.
    EndedSubscription,
    /// Its owner withdrew an order that people collect for.
    WithdrawnOrder,
}

impl WireEnum for Overpayment {
    const ALL: &'static [Self] = &[
        Self::PaidTwice,
        Self::SecondSubscription,
        Self::BusinessAccount,
        Self::ClosedAccount,
        Self::EndedSubscription,
        Self::WithdrawnOrder,
    ];

    fn as_str(self) -> &'static str {
        match self {
            Self::PaidTwice => "paid_twice",
            Self::SecondSubscription => "second_subscription",
            Self::BusinessAccount => "business_account",
            Self::ClosedAccount => "closed_account",
            Self::EndedSubscription => "ended_subscription",
            Self::WithdrawnOrder => "withdrawn_order",
        }
    }
}

/// The outcome of applying a subscription's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ApplyOutcome {
    /// A newer state was applied after this one was read.
    Stale,
    /// The state was applied, or does not concern the account's plan.
    Done,
    /// The state was applied, and there is an overpayment.
    InExcess(Overpayment),
}

/// A subscription that must not collect any more.
#[derive(Debug)]
pub(super) struct DuplicateSubscription {
    pub(super) reference: String,
    pub(super) account_id: String,
    pub(super) immediately: bool,
}

/// The effect of an order, as parameters of the SQL functions.
struct OrderEffect {
    pack_credits: Option<i64>,
    terms: Option<TermsRow>,
}

impl OrderEffect {
    fn for_order(order: &Order) -> Result<Self, LedgerError> {
        Ok(match order.item {
            OrderItem::Pack(pack) => {
                Self { pack_credits: Some(i64::try_from(pack.credits()).unwrap_or(i64::MAX)), terms: None }
            }
            OrderItem::Plan(plan, _) => {
                let terms = Terms::new(plan, None, order.currency).map_err(LedgerError::Invalid)?;
                Self { pack_credits: None, terms: Some(TermsRow::from_terms(&terms)) }
            }
        })
    }

    fn params(&self) -> (Option<i64>, Option<i64>, Option<i32>, Option<i32>) {
        let terms = self.terms.as_ref();
        (
            self.pack_credits,
            terms.and_then(|terms| terms.monthly_limit),
            terms.map(|terms| terms.requests_per_minute),
            terms.and_then(|terms| terms.overage_rate_cents),
        )
    }
}

impl Ledger {
    /// Places an order, which has no effect until it is fulfilled. Also returns the open plan orders that it replaces.
    pub(super) async fn place_order(
        &self,
        customer: &Customer,
        item: OrderItem,
        amount_cents: u64,
        provider: &'static str,
    ) -> Result<(Order, Vec<String>), LedgerError> {
        const SQL: &str = "SELECT (p.placed).*, p.superseded \
                           FROM metering.place_order($1, $2, $3, $4, $5, $6, $7, $8) p";
        let (pack, plan, interval) = match item {
            OrderItem::Pack(pack) => (Some(pack.as_str()), None, None),
            OrderItem::Plan(plan, interval) => (None, Some(plan.as_str()), Some(interval.as_str())),
        };
        let amount = crate::ledger::row_mapping::signed(amount_cents);
        let (id, currency) = (api_key::new_id("ord"), customer.currency.as_str());
        let row = self
            .store
            .query_one(SQL, &[&id, &customer.account_id, &pack, &plan, &interval, &currency, &amount, &provider])
            .await?;
        let superseded: Option<Vec<String>> = column(&row, "superseded")?;
        let superseded = superseded.ok_or_else(|| LedgerError::UnknownAccount(customer.account_id.clone()))?;
        let placed = order(&row)?;
        tracing::info!(account.id = %placed.account_id, order.id = %placed.id, "order placed");
        Ok((placed, superseded))
    }

    /// Records the provider's id of an order's checkout. Returns true if the order is still open.
    pub(super) async fn record_order_reference(&self, order_id: &str, reference: &str) -> Result<bool, LedgerError> {
        const SQL: &str =
            "UPDATE metering.billing_order SET provider_reference = $2 WHERE id = $1 AND state = 'open' RETURNING id";
        Ok(!self.store.query(SQL, &[&order_id, &reference]).await?.is_empty())
    }

    /// Returns an order.
    ///
    /// # Errors
    /// There is none, or the database fails.
    pub async fn order(&self, order_id: &str) -> Result<Order, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.billing_order WHERE id = $1";
        let row = self.store.query_opt(SQL, &[&order_id]).await?;
        let row = row.ok_or_else(|| LedgerError::Invalid(format!("there is no order `{order_id}`")))?;
        Ok(order(&row)?)
    }

    /// Returns the open orders of all accounts, or all orders of one account; oldest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn orders(&self, account_id: Option<&str>) -> Result<Vec<Order>, LedgerError> {
        const OPEN: &str = "SELECT * FROM metering.billing_order WHERE state = 'open' ORDER BY ordered_at, id";
        const BY_ACCOUNT: &str = "SELECT * FROM metering.billing_order WHERE account_id = $1 ORDER BY ordered_at, id";
        let rows = match account_id {
            None => self.store.query(OPEN, &[]).await?,
            Some(account) => self.store.query(BY_ACCOUNT, &[&account]).await?,
        };
        Ok(rows.iter().map(order).collect::<Result<_, _>>()?)
    }

    /// Records the payment of an order, once: adds the pack or sets the plan, even if the order had been declined
    /// before.
    pub(super) async fn pay_order(&self, placed: &Order) -> Result<Option<Overpayment>, LedgerError> {
        const SQL: &str = "SELECT metering.pay_order($1, $2, $3, $4, $5) AS payment";
        let (credits, limit, rate, overage_rate) = OrderEffect::for_order(placed)?.params();
        let row = self.store.query_one(SQL, &[&placed.id, &credits, &limit, &rate, &overage_rate]).await?;
        let payment: Option<&str> = column(&row, "payment")?;
        self.flush_outbox().await;
        tracing::info!(order.id = %placed.id, order.payment = payment, "order paid");
        Ok(payment.and_then(Overpayment::parse))
    }

    /// Records that an operator has begun to approve an order, whose checkout is therefore being closed; or (`began` is
    /// false) that the approval was abandoned.
    pub(super) async fn record_approval(&self, order_id: &str, began: bool) -> Result<(), LedgerError> {
        const SQL: &str = "UPDATE metering.billing_order \
                           SET approval_began_at = CASE WHEN $2 THEN metering.clock() END WHERE id = $1";
        self.store.query(SQL, &[&order_id, &began]).await?;
        Ok(())
    }

    /// Fulfils an open order, once, and puts it on an invoice that people collect.
    pub(super) async fn approve_order(&self, placed: &Order) -> Result<Order, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.approve_order($1, $2, $3, $4, $5, $6)";
        let (credits, limit, rate, overage_rate) = OrderEffect::for_order(placed)?.params();
        let row = self
            .store
            .query_one(SQL, &[&placed.id, &placed.provider_reference, &credits, &limit, &rate, &overage_rate])
            .await?;
        self.flush_outbox().await;
        settled_order(&row)
    }

    /// Declines an open order whose checkout (`reference`; `None`: it has none) cannot be paid any more. An order that
    /// is settled, or that has a different checkout by now, is left unchanged.
    pub(super) async fn decline_order(
        &self,
        order_id: &str,
        reference: Option<&str>,
        by_provider: bool,
    ) -> Result<Order, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.decline_order($1, $2, $3)";
        settled_order(&self.store.query_one(SQL, &[&order_id, &reference, &by_provider]).await?)
    }

    /// Returns the account as a customer of `provider`.
    pub(super) async fn customer(&self, account_id: &str, provider: &str) -> Result<Customer, LedgerError> {
        const SQL: &str = "SELECT a.email, a.currency, c.reference, s.reference IS NOT NULL AS has_subscription \
                           FROM metering.account a \
                             LEFT JOIN metering.billing_customer c ON c.account_id = a.id AND c.provider = $2 \
                             LEFT JOIN metering.billing_subscription s ON s.account_id = a.id AND s.plan <> 'free' \
                           WHERE a.id = $1";
        let row = self.store.query_opt(SQL, &[&account_id, &provider]).await?;
        let row = row.ok_or_else(|| LedgerError::UnknownAccount(account_id.to_owned()))?;
        Ok(Customer {
            account_id: account_id.to_owned(),
            email: column(&row, "email")?,
            reference: column(&row, "reference")?,
            currency: column_enum(&row, "currency")?,
            has_subscription: column(&row, "has_subscription")?,
        })
    }

    pub(super) async fn record_customer(
        &self,
        account: &str,
        provider: &str,
        reference: &str,
    ) -> Result<(), LedgerError> {
        const SQL: &str = "INSERT INTO metering.billing_customer VALUES ($1, $2, $3) \
                           ON CONFLICT (account_id) DO UPDATE SET provider = $2, reference = $3";
        self.store.query(SQL, &[&account, &provider, &reference]).await?;
        Ok(())
    }

    /// Returns the account whose customer id at `provider` is `reference`.
    pub(super) async fn account_of_customer(
        &self,
        provider: &str,
        reference: &str,
    ) -> Result<Option<String>, LedgerError> {
        const SQL: &str = "SELECT account_id FROM metering.billing_customer WHERE provider = $1 AND reference = $2";
        let row = self.store.query_opt(SQL, &[&provider, &reference]).await?;
        Ok(row.map(|row| column(&row, "account_id")).transpose()?)
    }

    /// Returns the provider's id of the subscription that pays for the account's plan.
    pub(super) async fn subscription_reference(&self, account_id: &str) -> Result<Option<String>, LedgerError> {
        const SQL: &str = "SELECT reference FROM metering.billing_subscription \
                           WHERE account_id = $1 AND plan <> 'free' AND NOT metering.is_duplicate(reference)";
        let row = self.store.query_opt(SQL, &[&account_id]).await?;
        Ok(row.map(|row| column(&row, "reference")).transpose()?)
    }

    /// Returns the number of subscription states that were applied to the account.
    pub(super) async fn subscription_version(&self, account_id: &str) -> Result<i64, LedgerError> {
        const SQL: &str = "SELECT coalesce(max(version), 0) AS version FROM metering.billing_subscription \
                           WHERE account_id = $1";
        Ok(column(&self.store.query_one(SQL, &[&account_id]).await?, "version")?)
    }

    /// Applies the state of a subscription unless a newer one was applied since `known_version`. `paid_order`: the
    /// order whose payment started the subscription.
    pub(super) async fn apply_subscription_state(
        &self,
        account_id: &str,
        known_version: i64,
        state: &SubscriptionState,
        paid_order: Option<&str>,
    ) -> Result<ApplyOutcome, LedgerError> {
        const SQL: &str =
            "SELECT metering.apply_subscription_state($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS outcome";
        let currency: Currency = self.customer(account_id, "").await?.currency;
        let (plan, interval) = state.plan.unwrap_or((Plan::Free, BillingInterval::Monthly));
        let terms = Terms::new(plan, None, currency).map_err(LedgerError::Invalid)?;
        let columns = TermsRow::from_terms(&terms);
        let row = self
            .store
            .query_one(
                SQL,
                &[
                    &account_id,
                    &state.reference,
                    &known_version,
                    &state.status,
                    &state.paid_until,
                    &columns.plan,
                    &columns.monthly_limit,
                    &columns.requests_per_minute,
                    &columns.overage_rate_cents,
                    &interval.as_str(),
                    &paid_order,
                ],
            )
            .await?;
        let outcome: Option<&str> = column(&row, "outcome")?;
        let outcome = outcome.ok_or_else(|| LedgerError::UnknownAccount(account_id.to_owned()))?;
        self.flush_outbox().await;
        tracing::info!(account.id = account_id, subscription.outcome = outcome, "subscription state checked");
        Ok(match outcome {
            "stale" => ApplyOutcome::Stale,
            other => Overpayment::parse(other).map_or(ApplyOutcome::Done, ApplyOutcome::InExcess),
        })
    }

    /// Marks a subscription whose first payment failed to be cancelled at once.
    pub(super) async fn abandon_unpaid_subscription(
        &self,
        account_id: &str,
        subscription: &str,
    ) -> Result<(), LedgerError> {
        const SQL: &str = "SELECT metering.give_up_subscription($1, $2, 'unpaid', true)";
        self.store.query(SQL, &[&account_id, &subscription]).await?;
        Ok(())
    }

    /// Claims subscriptions that have to be cancelled at the provider now. If the cancellation is not confirmed, a
    /// subscription can be claimed again after `pause`.
    pub(super) async fn claim_duplicate_subscriptions(
        &self,
        at_most: i32,
        pause: Duration,
    ) -> Result<Vec<DuplicateSubscription>, LedgerError> {
        const SQL: &str = "SELECT reference, account_id, at_once FROM metering.claim_duplicate_subscriptions($1, $2)";
        let rows = self.store.query(SQL, &[&at_most, &pause.as_secs_f64()]).await?;
        let surplus = |row: &Row| {
            Ok(DuplicateSubscription {
                reference: column(row, "reference")?,
                account_id: column(row, "account_id")?,
                immediately: column(row, "at_once")?,
            })
        };
        rows.iter().map(surplus).collect()
    }

    pub(super) async fn record_subscription_end(&self, subscription: &str) -> Result<(), LedgerError> {
        const SQL: &str = "UPDATE metering.surplus_subscription SET ended_at = metering.clock() WHERE reference = $1";
        self.store.query(SQL, &[&subscription]).await?;
        Ok(())
    }

    /// Suspends the account because of an invoice that could not be collected, or ends that suspension once nothing is
    /// owed. A suspension by an operator stays. `ours`: our invoice that the provider's invoice was created for.
    pub(super) async fn set_invoice_paid(
        &self,
        account_id: &str,
        invoice: &str,
        paid: bool,
        ours: Option<&str>,
    ) -> Result<AccountState, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.set_invoice_paid($1, $2, $3, $4)";
        let row = self.store.query_one(SQL, &[&account_id, &invoice, &paid, &ours]).await?;
        self.changed(&row, account_id, if paid { "an invoice was paid" } else { "an invoice was not paid" }).await
    }

    /// Returns the ids, at `provider`, of some invoices of closed accounts that are not known to be settled, in any
    /// order.
    pub(super) async fn unsettled_invoices_of_closed_accounts(
        &self,
        provider: &str,
        at_most: i64,
    ) -> Result<Vec<String>, LedgerError> {
        // Invoices that people collect are unknown to the provider.
        const SQL: &str = "SELECT i.provider_reference FROM metering.invoice i \
                             JOIN metering.account a ON a.id = i.account_id \
                             JOIN metering.billing_customer c ON c.account_id = a.id AND c.provider = $1 \
                           WHERE a.closed_at IS NOT NULL AND a.email <> 'closed@account.invalid' \
                             AND i.settled_at IS NULL AND i.provider_reference NOT LIKE 'manual:%' \
                           ORDER BY random() LIMIT $2";
        let rows = self.store.query(SQL, &[&provider, &at_most]).await?;
        Ok(rows.iter().map(|row| column(row, "provider_reference")).collect::<Result<_, _>>()?)
    }

    pub(super) async fn was_processed(&self, provider: &str, message: &str) -> Result<bool, LedgerError> {
        const SQL: &str = "SELECT count(*) > 0 AS heeded FROM metering.billing_event WHERE provider = $1 AND id = $2";
        Ok(column(&self.store.query_one(SQL, &[&provider, &message]).await?, "heeded")?)
    }

    pub(super) async fn record_webhook(&self, provider: &str, message: &str, kind: &str) -> Result<(), LedgerError> {
        const SQL: &str = "INSERT INTO metering.billing_event VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        self.store.query(SQL, &[&provider, &message, &kind]).await?;
        Ok(())
    }
}

fn settled_order(row: &Row) -> Result<Order, LedgerError> {
    let order = order(row)?;
    tracing::info!(order.id = %order.id, order.state = order.state.as_str(), "order settled");
    Ok(order)
}

pub(super) fn order(row: &Row) -> Result<Order, StoreError> {
    let item = match column::<Option<&str>>(row, "pack")? {
        Some(_) => OrderItem::Pack(column_enum(row, "pack")?),
        None => OrderItem::Plan(column_enum(row, "plan")?, column_enum(row, "billing_interval")?),
    };
    Ok(Order {
        id: column(row, "id")?,
        account_id: column(row, "account_id")?,
        item,
        currency: column_enum(row, "currency")?,
        amount_cents: count(row, "amount_cents")?,
        state: match column::<Option<OffsetDateTime>>(row, "withdrawn_at")? {
            Some(_) => OrderState::Withdrawn,
            None => column_enum(row, "state")?,
        },
        provider: column(row, "provider")?,
        provider_reference: column(row, "provider_reference")?,
        ordered_at: column(row, "ordered_at")?,
        paid_at: column(row, "paid_at")?,
        settled_at: column(row, "settled_at")?,
    })
}
