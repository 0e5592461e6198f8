//! Billing commands: corrections, orders, invoices, and the ledger.

use super::{Answer, show, to_json};
use crate::cli::{CreditsCommand, ExportFormat, InvoiceCommand, LedgerCommand, OrderCommand};
use crate::exit::Misuse;
use limner_metering::Ledger;
use limner_metering::billing::BillingDesk;
use limner_metering::invoice::to_csv;
use serde_json::{Value, json};
use time::Date;
use time::macros::format_description;

/// A command with validated arguments.
pub(super) enum Work {
    Credits(CreditsCommand),
    Order(OrderCommand),
    Ledger(LedgerCommand),
    Invoices { id: String },
    Export { month: Option<Date>, format: ExportFormat },
}

impl Work {
    pub(super) fn invoice(command: InvoiceCommand) -> Result<Self, Misuse> {
        Ok(match command {
            InvoiceCommand::List { id } => Self::Invoices { id },
            InvoiceCommand::Export { month, format } => {
                Self::Export { month: month.as_deref().map(first_day).transpose()?, format }
            }
        })
    }

    pub(super) async fn carry_out(self, desk: &BillingDesk) -> anyhow::Result<Answer> {
        let ledger = desk.ledger();
        let answer = match self {
            Self::Credits(command) => credits(command, ledger).await?,
            Self::Order(command) => order(command, desk).await?,
            Self::Ledger(command) => check(command, ledger).await?,
            Self::Invoices { id } => {
                ledger.account(&id).await?;
                json!({ "account_id": id, "invoices": ledger.invoices(&id).await? })
            }
            Self::Export { month, format } => {
                let invoices = ledger.invoices_of_month(month).await?;
                match format {
                    ExportFormat::Csv => return Ok(Answer::Text(to_csv(&invoices))),
                    ExportFormat::Json => json!({ "invoices": invoices }),
                }
            }
        };
        Ok(Answer::Object(answer))
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

async fn order(command: OrderCommand, desk: &BillingDesk) -> anyhow::Result<Value> {
    match command {
        OrderCommand::List { id } => Ok(json!({ "orders": desk.ledger().orders(id.as_deref()).await? })),
        OrderCommand::Approve { order } => to_json(&desk.approve(&order).await?),
        OrderCommand::Decline { order } => to_json(&desk.decline(&order).await?),
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

fn first_day(month: &str) -> Result<Date, Misuse> {
    Date::parse(&format!("{month}-01"), format_description!("[year]-[month]-[day]"))
        .map_err(|_| Misuse(format!("`{month}` is not a month such as 2026-11")))
}
