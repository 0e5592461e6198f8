//! What account holders order, and what ties an account to its provider.

use super::{Customer, SubscriptionState};
use crate::ledger::row::{column, count, word};
use crate::terms::{BillingInterval, Currency, Terms};
use crate::{Ledger, LedgerError, key};
use limner_store::{Row, StoreError};
use limner_types::{AccountState, Choice, Pack, Plan};
use serde::ser::{Serialize, SerializeMap, Serializer};
use time::OffsetDateTime;

/// What can be ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A credit pack.
    Pack(Pack),
    /// A plan, for a month or a year at a time.
    Plan(Plan, BillingInterval),
}

impl Serialize for Item {
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

/// How an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderState {
    /// Not paid and not approved yet.
    Open,
    /// In effect.
    Fulfilled,
    /// Nothing came of it.
    Declined,
}

impl Choice for OrderState {
    const ALL: &'static [Self] = &[Self::Open, Self::Fulfilled, Self::Declined];

    fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Fulfilled => "fulfilled",
            Self::Declined => "declined",
        }
    }
}

/// A pack or a plan that an account holder wants.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Order {
    /// Names it for good, also towards a provider.
    pub id: String,
    /// The account.
    pub account_id: String,
    /// What.
    #[serde(flatten)]
    pub item: Item,
    /// The currency of the price.
    pub currency: Currency,
    /// The price in cents, without tax.
    pub amount_cents: u64,
    /// How it stands.
    pub state: OrderState,
    /// Who collects.
    pub provider: String,
    /// What the provider calls it.
    pub provider_reference: Option<String>,
    /// When it was placed.
    #[serde(with = "time::serde::rfc3339")]
    pub ordered_at: OffsetDateTime,
}

impl Ledger {
    /// Places an order. It changes nothing until it is fulfilled.
    pub(super) async fn place_order(
        &self,
        customer: &Customer,
        item: Item,
        amount_cents: u64,
        provider: &'static str,
    ) -> Result<Order, LedgerError> {
        const SQL: &str = "INSERT INTO metering.billing_order \
                             (id, account_id, pack, plan, billing_interval, currency, amount_cents, provider) \
                           VALUES ($1, $2, $3, $4, $5::text, $6::text, $7, $8) RETURNING *";
        let (pack, plan, interval) = match item {
            Item::Pack(pack) => (Some(pack.as_str()), None, None),
            Item::Plan(plan, interval) => (None, Some(plan.as_str()), Some(interval.as_str())),
        };
        let amount = crate::ledger::row::signed(amount_cents);
        let (id, currency) = (key::new_id("ord"), customer.currency.as_str());
        let row = self
            .store
            .query_one(SQL, &[&id, &customer.account_id, &pack, &plan, &interval, &currency, &amount, &provider])
            .await?;
        let placed = order(&row)?;
        tracing::info!(account.id = %placed.account_id, order.id = %placed.id, "order placed");
        Ok(placed)
    }

    pub(super) async fn note_order_reference(&self, order_id: &str, reference: &str) -> Result<(), LedgerError> {
        const SQL: &str = "UPDATE metering.billing_order SET provider_reference = $2 WHERE id = $1";
        self.store.query(SQL, &[&order_id, &reference]).await?;
        Ok(())
    }

    /// An order.
    ///
    /// # Errors
    /// There is none, or the database fails.
    pub async fn order(&self, order_id: &str) -> Result<Order, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.billing_order WHERE id = $1";
        let row = self.store.query_opt(SQL, &[&order_id]).await?;
        let row = row.ok_or_else(|| LedgerError::Invalid(format!("there is no order `{order_id}`")))?;
        Ok(order(&row)?)
    }

    /// Open orders of all accounts, or all orders of one; oldest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn orders(&self, account_id: Option<&str>) -> Result<Vec<Order>, LedgerError> {
        const OPEN: &str = "SELECT * FROM metering.billing_order WHERE state = 'open' ORDER BY ordered_at, id";
        const OF: &str = "SELECT * FROM metering.billing_order WHERE account_id = $1 ORDER BY ordered_at, id";
        let rows = match account_id {
            None => self.store.query(OPEN, &[]).await?,
            Some(account) => self.store.query(OF, &[&account]).await?,
        };
        Ok(rows.iter().map(order).collect::<Result<_, _>>()?)
    }

    /// Brings an order into effect, once: the pack is added, or the plan set. `bill` makes it a line of an invoice, for
    /// people to collect.
    pub(super) async fn fulfil_order(&self, placed: &Order, bill: bool) -> Result<Order, LedgerError> {
        match placed.item {
            _ if placed.state != OrderState::Open => return Ok(placed.clone()),
            Item::Pack(pack) => drop(self.grant_pack(&placed.account_id, pack, Some(&placed.id)).await?),
            Item::Plan(plan, interval) => {
                let change = crate::PlanChange { billing_interval: Some(interval), ..plan.into() };
                self.set_plan(&placed.account_id, change).await?;
            }
        }
        self.settle_order(&placed.id, OrderState::Fulfilled, bill).await
    }

    pub(super) async fn settle_order(
        &self,
        order_id: &str,
        state: OrderState,
        bill: bool,
    ) -> Result<Order, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.settle_order($1, $2, $3)";
        let row = self.store.query_one(SQL, &[&order_id, &state.as_str(), &bill]).await?;
        let settled = order(&row)?;
        tracing::info!(order.id = order_id, order.state = settled.state.as_str(), "order settled");
        Ok(settled)
    }

    /// The account as `provider` sees it.
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
            currency: word(&row, "currency")?,
            has_subscription: column(&row, "has_subscription")?,
        })
    }

    pub(super) async fn note_customer(
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

    /// The account that `provider` knows by that name.
    pub(super) async fn account_of_customer(
        &self,
        provider: &str,
        reference: &str,
    ) -> Result<Option<String>, LedgerError> {
        const SQL: &str = "SELECT account_id FROM metering.billing_customer WHERE provider = $1 AND reference = $2";
        let row = self.store.query_opt(SQL, &[&provider, &reference]).await?;
        Ok(row.map(|row| column(&row, "account_id")).transpose()?)
    }

    /// What the provider calls the subscription that the account's plan is paid by.
    pub(super) async fn subscription_of(&self, account_id: &str) -> Result<Option<String>, LedgerError> {
        const SQL: &str =
            "SELECT reference FROM metering.billing_subscription WHERE account_id = $1 AND plan <> 'free'";
        let row = self.store.query_opt(SQL, &[&account_id]).await?;
        Ok(row.map(|row| column(&row, "reference")).transpose()?)
    }

    /// How many words about the account's subscription were heeded.
    pub(super) async fn subscription_version(&self, account_id: &str) -> Result<i64, LedgerError> {
        const SQL: &str = "SELECT coalesce(max(version), 0) AS version FROM metering.billing_subscription \
                           WHERE account_id = $1";
        Ok(column(&self.store.query_one(SQL, &[&account_id]).await?, "version")?)
    }

    /// Heeds how a subscription stands, unless something newer was heeded since `known_version`; says whether it was.
    pub(super) async fn heed_subscription(
        &self,
        account_id: &str,
        known_version: i64,
        state: &SubscriptionState,
    ) -> Result<bool, LedgerError> {
        const SQL: &str = "SELECT metering.heed_subscription($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS heeded";
        let currency: Currency = self.customer(account_id, "").await?.currency;
        let (plan, interval) = state.plan.unwrap_or((Plan::Free, BillingInterval::Monthly));
        let terms = Terms::new(plan, None, currency).map_err(LedgerError::Invalid)?;
        let columns = crate::ledger::plans::TermColumns::of(&terms);
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
                ],
            )
            .await?;
        let heeded: Option<bool> = column(&row, "heeded")?;
        self.announce_now().await;
        heeded.ok_or_else(|| LedgerError::UnknownAccount(account_id.to_owned()))
    }

    /// Suspends the account for an invoice that could not be collected, or ends that once nothing is owed.
    pub(super) async fn set_invoice_paid(
        &self,
        account_id: &str,
        invoice: &str,
        paid: bool,
    ) -> Result<AccountState, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.set_invoice_paid($1, $2, $3)";
        let row = self.store.query_one(SQL, &[&account_id, &invoice, &paid]).await?;
        self.changed(&row, account_id, if paid { "an invoice was paid" } else { "an invoice was not paid" }).await
    }

    pub(super) async fn is_heeded(&self, provider: &str, message: &str) -> Result<bool, LedgerError> {
        const SQL: &str = "SELECT count(*) > 0 AS heeded FROM metering.billing_event WHERE provider = $1 AND id = $2";
        Ok(column(&self.store.query_one(SQL, &[&provider, &message]).await?, "heeded")?)
    }

    pub(super) async fn note_heeded(&self, provider: &str, message: &str, kind: &str) -> Result<(), LedgerError> {
        const SQL: &str = "INSERT INTO metering.billing_event VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        self.store.query(SQL, &[&provider, &message, &kind]).await?;
        Ok(())
    }
}

fn order(row: &Row) -> Result<Order, StoreError> {
    let item = match column::<Option<&str>>(row, "pack")? {
        Some(_) => Item::Pack(word(row, "pack")?),
        None => Item::Plan(word(row, "plan")?, word(row, "billing_interval")?),
    };
    Ok(Order {
        id: column(row, "id")?,
        account_id: column(row, "account_id")?,
        item,
        currency: word(row, "currency")?,
        amount_cents: count(row, "amount_cents")?,
        state: word(row, "state")?,
        provider: column(row, "provider")?,
        provider_reference: column(row, "provider_reference")?,
        ordered_at: column(row, "ordered_at")?,
    })
}
