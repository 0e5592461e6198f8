//! Billing commands: corrections, orders, invoices, and the ledger.

use super::{AdminOutput, show, to_json};
use crate::cli::{CreditsCommand, ExportFormat, InvoiceCommand, LedgerCommand, OrderCommand, PaymentCommand};
use crate::exit::UsageError;
use limner_metering::Ledger;
use limner_metering::billing::BillingEngine;
use limner_metering::invoice::to_csv;
use serde_json::{Value, json};
use time::Date;
use time::macros::format_description;

/// A command with validated arguments.
pub(super) enum BillingAction {
    Credits(CreditsCommand),
    Order(OrderCommand),
    Payment(PaymentCommand),
    Ledger(LedgerCommand),
    Invoices { id: String },
    Export { month: Option<Date>, format: ExportFormat },
}

impl BillingAction {
    pub(super) fn invoice(command: InvoiceCommand) -> Result<Self, UsageError> {
        Ok(match command {
            InvoiceCommand::List { id } => Self::Invoices { id },
            InvoiceCommand::Export { month, format } => {
                Self::Export { month: month.as_deref().map(first_day).transpose()?, format }
            }
        })
    }

    pub(super) async fn execute(self, billing: &BillingEngine) -> anyhow::Result<AdminOutput> {
        let ledger = billing.ledger();
        let answer = match self {
            Self::Credits(command) => credits(command, ledger).await?,
            Self::Order(command) => order(command, billing).await?,
            Self::Payment(command) => payment(command, billing).await?,
            Self::Ledger(command) => check(command, ledger).await?,
            Self::Invoices { id } => {
                ledger.account(&id).await?;
                json!({ "account_id": id, "invoices": ledger.invoices(&id).await? })
            }
            Self::Export { month, format } => {
                let invoices = ledger.invoices_of_month(month).await?;
                match format {
                    ExportFormat::Csv => return Ok(AdminOutput::Text(to_csv(&invoices))),
                    ExportFormat::Json => json!({ "invoices": invoices }),
                }
            }
        };
        Ok(AdminOutput::Object(answer))
    }
}

async fn credits(command: CreditsCommand, ledger: &Ledger) -> anyhow::Result<Value> {
    match command {
        CreditsCommand::Adjust { id, credits, reason, reference } => {
            ledger.adjust(&id, credits, &reason, reference.as_deref()).await?;
            show(ledger, &id).await
        }
        CreditsCommand::Refund { request, reason } => {
            let refunded = ledger.refund(&request, &reason).await?;
            let mut answer = show(ledger, &refunded.account.account_id).await?;
            answer["refunded_as_pack_credits"] = refunded.as_pack_credits.into();
            Ok(answer)
        }
    }
}

async fn order(command: OrderCommand, billing: &BillingEngine) -> anyhow::Result<Value> {
    match command {
        OrderCommand::List { id } => Ok(json!({ "orders": billing.ledger().orders(id.as_deref()).await? })),
        OrderCommand::Approve { order } => to_json(&billing.approve(&order).await?),
        OrderCommand::Decline { order } => to_json(&billing.decline(&order).await?),
    }
}

async fn payment(command: PaymentCommand, billing: &BillingEngine) -> anyhow::Result<Value> {
    match command {
        PaymentCommand::List { id } => {
            let (ledger, id) = (billing.ledger(), id.as_deref());
            let (returned, notes) = (ledger.returned_payments(id).await?, ledger.credit_notes(id).await?);
            Ok(json!({ "returned_payments": returned, "credit_notes": notes }))
        }
        PaymentCommand::Reconcile { days } => to_json(&billing.reconcile_now(days).await?),
    }
}

async fn check(command: LedgerCommand, ledger: &Ledger) -> anyhow::Result<Value> {
    match command {
        LedgerCommand::Check => {
            let mismatches = ledger.check().await?;
            if let Some(first) = mismatches.first() {
                let (account, book) = (&first.account_id, &first.book);
                anyhow::bail!(
                    "{} balances are not what their entries say, {book} of {account} first: projected {}, posted {}, held {}",
                    mismatches.len(),
                    first.projected,
                    first.posted,
                    first.held
                );
            }
            Ok(json!({ "mismatches": mismatches }))
        }
        LedgerCommand::Rebuild { id } => {
            ledger.rebuild(&id).await?;
            show(ledger, &id).await
        }
    }
}

pub(super) fn first_day(month: &str) -> Result<Date, UsageError> {
    Date::parse(&format!("{month}-01"), format_description!("[year]-[month]-[day]"))
        .map_err(|_| UsageError(format!("`{month}` is not a month such as 2026-11")))
}
