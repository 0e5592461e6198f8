//! The command line of `limner admin`.

use clap::{Args, Subcommand, ValueEnum};
use limner_metering::contract_terms::{BillingInterval, Currency};
use limner_types::{Pack, Plan, WireEnum};

#[derive(Debug, Args)]
pub(crate) struct AdminArgs {
    /// Print one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: AdminCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminCommand {
    /// Accounts and their plans
    #[command(subcommand)]
    Account(AccountCommand),
    /// Credit packs
    #[command(subcommand)]
    Pack(PackCommand),
    /// API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// The ledger and usage history of an account
    Usage {
        /// The account
        id: String,
    },
    /// Billing periods
    #[command(subcommand)]
    Period(PeriodCommand),
    /// Corrections of balances and charges
    #[command(subcommand)]
    Credits(CreditsCommand),
    /// Orders of packs and plans
    #[command(subcommand)]
    Order(OrderCommand),
    /// Payments of which money went back: refunds, disputes, credit notes
    #[command(subcommand)]
    Payment(PaymentCommand),
    /// Invoices
    #[command(subcommand)]
    Invoice(InvoiceCommand),
    /// Balances against the ledger they follow from
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// The partitions of the usage history
    #[command(subcommand)]
    History(HistoryCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// Create an account with its first key
    Create {
        /// The owner's e-mail address
        #[arg(long)]
        email: String,
        /// free, developer, growth, scale or business
        #[arg(long, value_parser = parse_wire_enum::<Plan>)]
        plan: Plan,
        /// Currency of its invoices: eur or usd; default: billing.currency
        #[arg(long, value_parser = parse_wire_enum::<Currency>)]
        currency: Option<Currency>,
        /// Billing interval of the plan: monthly or yearly
        #[arg(long, value_parser = parse_wire_enum::<BillingInterval>, default_value = "monthly")]
        billing: BillingInterval,
        #[command(flatten)]
        terms: BusinessArgs,
    },
    /// Show an account
    Show {
        /// The account
        id: String,
    },
    /// Change the plan; takes effect at once and keeps the keys
    SetPlan {
        /// The account
        id: String,
        /// free, developer, growth, scale or business
        #[arg(value_parser = parse_wire_enum::<Plan>)]
        plan: Plan,
        /// Billing interval, monthly or yearly; default: unchanged
        #[arg(long, value_parser = parse_wire_enum::<BillingInterval>)]
        billing: Option<BillingInterval>,
        /// Take effect at the end of the paid period
        #[arg(long)]
        at_period_end: bool,
        #[command(flatten)]
        terms: BusinessArgs,
    },
    /// Cancel a scheduled plan change
    #[command(alias = "keep-plan")]
    CancelPlanChange {
        /// The account
        id: String,
    },
    /// Switch billed overage on or off
    Overage {
        /// The account
        id: String,
        /// on or off
        state: Switch,
    },
    /// Suspend an account for a failed payment
    Suspend {
        /// The account
        id: String,
    },
    /// End a suspension
    Resume {
        /// The account
        id: String,
    },
    /// Print everything that is held about an account and its owner; needs the user of `limner migrate`
    Export {
        /// The account
        id: String,
    },
    /// Close an account and erase what is held about its owner; needs the user of `limner migrate`
    Erase {
        /// The account
        id: String,
    },
    /// After a restore: erase and revoke again what metering.erasure_log says; needs the user of `limner migrate`
    ReplayErasures,
}

/// Individually agreed terms of the plan `business`.
#[derive(Debug, Args)]
pub(crate) struct BusinessArgs {
    /// business: credits a month, or `unlimited`
    #[arg(long, value_name = "N|unlimited", value_parser = credits)]
    pub(crate) credits: Option<Credits>,
    /// business: requests a minute
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rpm: Option<u32>,
    /// business: on or off: calls beyond the credits continue as billed overage
    #[arg(long, value_name = "on|off")]
    pub(crate) overage: Option<Switch>,
    /// business: cents per 1,000 overage credits; default: the rate of `scale`
    #[arg(long, value_name = "CENTS")]
    pub(crate) overage_rate: Option<u32>,
}

/// Agreed monthly credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credits {
    Limited(u64),
    Unlimited,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PackCommand {
    /// Add a pack to an account
    Grant {
        /// The account
        id: String,
        /// top-up, starter, builder or pro
        #[arg(value_parser = parse_wire_enum::<Pack>)]
        pack: Pack,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Create a key; it is only shown once
    Create {
        /// The account
        id: String,
        /// Its name
        #[arg(long, default_value = "")]
        name: String,
    },
    /// List the keys of an account
    List {
        /// The account
        id: String,
    },
    /// Revoke a key, identified by itself or by its id
    Revoke {
        /// The key or its id
        key: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum CreditsCommand {
    /// Add credits to the pack balance of an account, or take them away
    Adjust {
        /// The account
        id: String,
        /// Number of credits; a minus sign takes them away
        #[arg(allow_negative_numbers = true)]
        credits: i64,
        /// The reason; it is kept in the ledger
        #[arg(long)]
        reason: String,
        /// Identifies the adjustment: the same reference takes effect once
        #[arg(long)]
        reference: Option<String>,
    },
    /// Refund a charged call: undone while its month runs, as pack credits afterwards
    Refund {
        /// The call's X-Request-Id
        request: String,
        /// The reason; it is kept in the ledger
        #[arg(long)]
        reason: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum OrderCommand {
    /// List open orders, or all orders of an account
    List {
        /// The account
        id: Option<String>,
    },
    /// Fulfil an open order; it goes on an invoice
    Approve {
        /// The order
        order: String,
    },
    /// Cancel an open order
    Decline {
        /// The order
        order: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PaymentCommand {
    /// List refunds, disputes and credit notes, of one account or of all
    List {
        /// The account
        id: Option<String>,
    },
    /// Compare with the billing provider and apply what was missed; metering does so every day
    Reconcile {
        /// Days to look back
        #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=365))]
        days: u32,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum InvoiceCommand {
    /// List the invoices of an account
    List {
        /// The account
        id: String,
    },
    /// Export what was billed to all accounts, for the books that your invoices are written from
    Export {
        /// Month, as YYYY-MM; default: all months
        #[arg(long, value_name = "MONTH")]
        month: Option<String>,
        /// json or csv
        #[arg(long, value_name = "FORMAT", default_value = "json")]
        format: ExportFormat,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    Json,
    Csv,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LedgerCommand {
    /// Compare every balance with its entries; exits 1 when one differs
    Check,
    /// Recompute the balances of an account from its entries
    Rebuild {
        /// The account
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum HistoryCommand {
    /// List the partitions of the usage history with their sizes
    List,
    /// Take an ended month out of the history: its calls become a table of the schema `archive`, to export and drop
    Detach {
        /// The month, as YYYY-MM
        month: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PeriodCommand {
    /// Close ended periods: overage and invoice lines; idempotent
    Close {
        /// Close periods that had ended by this date (UTC), as YYYY-MM-DD; default: now
        #[arg(long, value_name = "DATE")]
        at: Option<String>,
    },
}

fn parse_wire_enum<T: WireEnum>(word: &str) -> Result<T, String> {
    T::parse(word).ok_or_else(|| format!("valid values: {}", T::valid_values()))
}

fn credits(text: &str) -> Result<Credits, String> {
    match text {
        "unlimited" => Ok(Credits::Unlimited),
        number => number.parse().map(Credits::Limited).map_err(|_| "a whole number, or `unlimited`".to_owned()),
    }
}
