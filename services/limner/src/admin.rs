//! `limner admin`: accounts, keys, packs and periods. Works while a fleet is running: changes are written to the
//! database, then to the cache, and announced, so that they take effect at once.

mod billing;
mod format;

use crate::cli::{
    AccountCommand, AdminArgs, AdminCommand, BusinessArgs, Credits, HistoryCommand, KeyCommand, PackCommand,
    PeriodCommand, Switch,
};
use crate::exit::{self, ExitReason, UsageError};
use crate::progress::ProgressLine;
use crate::{output, run_dir, service_configs};
use limner_metering::billing::BillingEngine;
use limner_metering::contract_terms::{BusinessTerms, Currency};
use limner_metering::{Ledger, NewAccount, NewKey, PlanChange};
use limner_runtime::Settings;
use limner_runtime::settings::Server;
use limner_types::Plan;
use serde::Serialize;
use serde_json::{Value, json};
use time::Date;
use time::macros::format_description;

/// Maximum number of ledger entries and calls that `usage` shows.
const USAGE_LIMIT: u32 = 100;
/// Name of an account's first key.
const FIRST_KEY_NAME: &str = "default";

/// Runs one command and prints its output.
pub(crate) async fn run(settings: &Settings, args: AdminArgs) -> Result<(), ExitReason> {
    let work = AdminAction::plan(args.command, service_configs::currency(settings))?;
    let progress = ProgressLine::start("Connecting to the servers");
    let ledger = ledger(settings).await?;
    let billing = service_configs::billing_engine(settings, ledger)?;
    progress.now("Waiting for the ledger");
    let answer = work.execute(&billing).await?;
    drop(progress);
    match answer {
        AdminOutput::Object(answer) => {
            let answer = format::with_readable_times(answer);
            if args.json { output::print_json(&answer)? } else { output::print(format::lines(&answer).trim_end())? }
        }
        AdminOutput::Text(text) if args.json => output::print_json(&json!({ "text": text }))?,
        AdminOutput::Text(text) => output::print_file(&text)?,
    }
    Ok(())
}

/// The output of a command.
enum AdminOutput {
    /// Printed in columns, or as JSON with `--json`.
    Object(Value),
    /// Printed unchanged.
    Text(String),
}

async fn ledger(settings: &Settings) -> Result<Ledger, ExitReason> {
    let mut settings = settings.clone();
    run_dir::complete(&mut settings)?;
    if settings.postgres.url.is_none() {
        let dir = settings.data_dir.display();
        return Err(anyhow::anyhow!("no `limner up` runs with data_dir {dir}, and postgres.url is not set").into());
    }
    let store = service_configs::store(&settings).await?;
    store.check_schema().await.map_err(anyhow::Error::from)?;
    let ledger = Ledger::new(store, cache(&settings).await?, bus(&settings).await);
    Ok(service_configs::with_settings(&settings, ledger)?)
}

async fn cache(settings: &Settings) -> anyhow::Result<Option<limner_cache::Cache>> {
    match settings.require(&[Server::Redis]) {
        Ok(()) => service_configs::cache(settings).await.map(Some),
        Err(_) => Ok(None),
    }
}

/// Connects to the queue, if it is available. Without it the change is still made; metering announces it when the queue
/// is back.
async fn bus(settings: &Settings) -> Option<limner_bus::Bus> {
    settings.require(&[Server::Nats]).ok()?;
    let connected = service_configs::bus_for_a_command(settings).await;
    connected
        .inspect_err(|fault| {
            tracing::warn!(
                error = exit::with_causes(fault),
                "cannot reach the queue; the change will be announced later"
            )
        })
        .ok()
}

/// A command with validated arguments.
enum AdminAction {
    CreateAccount(NewAccount),
    SetPlan { id: String, change: PlanChange, at_period_end: bool },
    ClosePeriods { at: Option<Date> },
    Erase { id: String },
    DetachMonth { month: Date },
    Billing(billing::BillingAction),
    Other(AdminCommand),
}

impl AdminAction {
    fn plan(command: AdminCommand, usual_currency: Currency) -> Result<Self, UsageError> {
        Ok(match command {
            AdminCommand::Account(AccountCommand::Create { email, plan, currency, billing, terms }) => {
                Self::CreateAccount(NewAccount {
                    business: business_terms(plan, &terms)?,
                    currency: currency.unwrap_or(usual_currency),
                    billing_interval: billing,
                    ..NewAccount::new(email, plan)
                })
            }
            AdminCommand::Account(AccountCommand::SetPlan { id, plan, billing, at_period_end, terms }) => {
                let business = business_terms(plan, &terms)?;
                Self::SetPlan { id, change: PlanChange { plan, business, billing_interval: billing }, at_period_end }
            }
            AdminCommand::Account(AccountCommand::Erase { id }) => Self::Erase { id },
            AdminCommand::Credits(command) => Self::Billing(billing::BillingAction::Credits(command)),
            AdminCommand::Order(command) => Self::Billing(billing::BillingAction::Order(command)),
            AdminCommand::Payment(command) => Self::Billing(billing::BillingAction::Payment(command)),
            AdminCommand::Invoice(command) => Self::Billing(billing::BillingAction::invoice(command)?),
            AdminCommand::Ledger(command) => Self::Billing(billing::BillingAction::Ledger(command)),
            AdminCommand::Period(PeriodCommand::Close { at }) => {
                Self::ClosePeriods { at: at.as_deref().map(date).transpose()? }
            }
            AdminCommand::History(HistoryCommand::Detach { month }) => {
                Self::DetachMonth { month: billing::first_day(&month)? }
            }
            other => Self::Other(other),
        })
    }

    async fn execute(self, billing: &BillingEngine) -> anyhow::Result<AdminOutput> {
        let ledger = billing.ledger();
        let answer = match self {
            Self::CreateAccount(new) => create_account(ledger, &new).await?,
            Self::SetPlan { id, change, at_period_end } => {
                if at_period_end {
                    ledger.schedule_plan(&id, change, None).await?;
                } else {
                    ledger.set_plan(&id, change).await?;
                }
                show(ledger, &id).await?
            }
            Self::ClosePeriods { at } => to_json(&ledger.close_periods(at).await?)?,
            Self::Erase { id } => {
                // Its subscription and its open orders must not collect any more.
                billing.close_account(&id).await?;
                ledger.erase_account(&id).await?;
                show(ledger, &id).await?
            }
            Self::DetachMonth { month } => json!({ "table": ledger.detach_month(month).await? }),
            Self::Billing(work) => return work.execute(billing).await,
            Self::Other(command) => execute(command, ledger).await?,
        };
        Ok(AdminOutput::Object(answer))
    }
}

async fn execute(command: AdminCommand, ledger: &Ledger) -> anyhow::Result<Value> {
    match command {
        AdminCommand::Account(command) => account(command, ledger).await,
        AdminCommand::Pack(PackCommand::Grant { id, pack }) => {
            ledger.grant_pack(&id, pack, None).await?;
            show(ledger, &id).await
        }
        AdminCommand::Key(KeyCommand::Create { id, name }) => Ok(new_key(&ledger.create_key(&id, &name).await?)),
        AdminCommand::Key(KeyCommand::List { id }) => Ok(json!({ "account_id": id, "keys": ledger.keys(&id).await? })),
        AdminCommand::Key(KeyCommand::Revoke { key }) => to_json(&ledger.revoke_key(&key).await?),
        AdminCommand::Usage { id } => usage(ledger, &id).await,
        AdminCommand::Period(PeriodCommand::Close { .. }) => to_json(&ledger.close_periods(None).await?),
        AdminCommand::History(_) => Ok(json!({ "partitions": ledger.history_partitions().await? })),
        AdminCommand::Credits(_)
        | AdminCommand::Order(_)
        | AdminCommand::Payment(_)
        | AdminCommand::Invoice(_)
        | AdminCommand::Ledger(_) => {
            anyhow::bail!("this is the billing commands' own work")
        }
    }
}

async fn account(command: AccountCommand, ledger: &Ledger) -> anyhow::Result<Value> {
    let id = match command {
        AccountCommand::Overage { id, state } => {
            ledger.set_overage(&id, state == Switch::On).await?;
            id
        }
        AccountCommand::Suspend { id } => {
            ledger.suspend(&id).await?;
            id
        }
        AccountCommand::Resume { id } => {
            ledger.resume(&id).await?;
            id
        }
        AccountCommand::CancelPlanChange { id } => {
            ledger.cancel_plan_change(&id).await?;
            id
        }
        AccountCommand::Export { id } => return Ok(ledger.export_account(&id).await?),
        AccountCommand::ReplayErasures => return to_json(&ledger.replay_erasures().await?),
        AccountCommand::Erase { id }
        | AccountCommand::Show { id }
        | AccountCommand::Create { email: id, .. }
        | AccountCommand::SetPlan { id, .. } => id,
    };
    show(ledger, &id).await
}

async fn show(ledger: &Ledger, id: &str) -> anyhow::Result<Value> {
    to_json(&ledger.account(id).await?)
}

async fn create_account(ledger: &Ledger, new: &NewAccount) -> anyhow::Result<Value> {
    let record = ledger.create_account(new).await?;
    let key = ledger.create_key(&record.state.account_id, FIRST_KEY_NAME).await?;
    let mut answer = to_json(&record)?;
    answer["api_key"] = key.key.expose().into();
    answer["key_id"] = key.record.key_id.into();
    Ok(answer)
}

fn new_key(new: &NewKey) -> Value {
    json!({
        "account_id": new.record.account_id,
        "key_id": new.record.key_id,
        "name": new.record.name,
        "api_key": new.key.expose(),
    })
}

async fn usage(ledger: &Ledger, id: &str) -> anyhow::Result<Value> {
    let mut answer = to_json(&ledger.usage(id, USAGE_LIMIT, None).await?)?;
    answer["ledger"] = to_json(&ledger.entries(id, USAGE_LIMIT, None).await?)?;
    Ok(answer)
}

fn to_json(value: &impl Serialize) -> anyhow::Result<Value> {
    Ok(serde_json::to_value(value)?)
}

fn business_terms(plan: Plan, args: &BusinessArgs) -> Result<Option<BusinessTerms>, UsageError> {
    let is_given =
        args.credits.is_some() || args.rpm.is_some() || args.overage.is_some() || args.overage_rate.is_some();
    match plan {
        Plan::Business => Ok(Some(BusinessTerms {
            monthly_credits: match args.credits {
                Some(Credits::Limited(credits)) => Some(credits),
                Some(Credits::Unlimited) | None => None,
            },
            requests_per_minute: args.rpm,
            overage: args.overage == Some(Switch::On),
            overage_rate_cents: args.overage_rate,
        })),
        plan if is_given => Err(UsageError(format!(
            "--credits, --rpm, --overage and --overage-rate belong to the plan `business`, not to `{plan}`"
        ))),
        _ => Ok(None),
    }
}

fn date(text: &str) -> Result<Date, UsageError> {
    Date::parse(text, format_description!("[year]-[month]-[day]"))
        .map_err(|_| UsageError(format!("`{text}` is not a date such as 2026-11-01")))
}
