//! The command line. Names are stable: operators and scripts rely on them.

use crate::exit::{ExitReason, MISUSE};
use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use limner_metering::contract_terms::{BillingInterval, Currency};
use limner_types::{Operation, Pack, Plan, WireEnum};
use std::path::PathBuf;

/// Reads design data out of public web pages.
#[derive(Debug, Parser)]
#[command(name = "limner", version, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// The configuration file (TOML); every key can also be set as LIMNER__SECTION__KEY
    #[arg(long, global = true, value_name = "FILE", env = "LIMNER_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run every role in one process, with private PostgreSQL, Redis and NATS for those not configured
    Up,
    /// Run the public HTTP API
    Gateway,
    /// Run a worker that reads pages over HTTP
    Fetcher,
    /// Run a worker that reads pages in a browser
    Renderer,
    /// Run the extractor (gRPC)
    Extractor,
    /// Run metering: accounts, keys and credits (gRPC)
    Metering,
    /// Run the proxy that browsers reach the Internet through
    Egress,
    /// Run the console: keys, usage, billing, playground and documentation
    Console,
    /// Run the MCP server, for signed-in clients; with --stdio, for the client that starts it
    Mcp(McpArgs),
    /// Extract from one page, in this process: no servers, no key
    Extract(ExtractArgs),
    /// Show the computed styles of one page, in this process
    Inspect(InspectArgs),
    /// Bring schema, streams and consumers up to date
    Migrate(MigrateArgs),
    /// Print the OpenAPI document of the API
    Openapi,
    /// Show or check the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Manage accounts, keys, packs and periods
    Admin(AdminArgs),
    /// Ask a running process on this machine whether it is ready
    Healthcheck,
    /// Lay pages out for a parent process, over standard input and output
    #[command(hide = true)]
    LayoutWorker(LayoutWorkerArgs),
    /// Extract from the pages that come in on standard input (services start this)
    #[command(hide = true)]
    ExtractionWorker(ExtractionWorkerArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print every setting with its value, secrets hidden
    Dump,
    /// Validate the configuration
    Check,
}

/// An operation, by its name on the command line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OperationName(pub(crate) Operation);

impl ValueEnum for OperationName {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self(Operation::Code),
            Self(Operation::Brand),
            Self(Operation::Extract),
            Self(Operation::Images),
            Self(Operation::Svg),
            Self(Operation::Videos),
            Self(Operation::Audio),
            Self(Operation::Lottie),
            Self(Operation::Fonts),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self.0 {
            Operation::Extract => PossibleValue::new("tokens").alias("extract"),
            operation => PossibleValue::new(operation.as_str()),
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// The operation
    #[arg(value_name = "OP")]
    pub(crate) operation: OperationName,
    /// The page's URL; https:// is assumed when the scheme is missing
    pub(crate) url: String,
    /// Print the result as JSON instead of a summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Also write the result into files in this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Never use a browser, not even for a page that is empty or refused without one
    #[arg(long, conflicts_with = "render")]
    pub(crate) no_browser: bool,
    #[command(flatten)]
    pub(crate) parameters: Parameters,
}

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Serve the client that started this process, over standard input and output: with the key in LIMNER_API_KEY through
    /// the gateway, without one in this process
    #[arg(long)]
    pub(crate) stdio: bool,
    /// With --stdio and a key: the gateway's URL; default: public_url
    #[arg(long, value_name = "URL", env = "LIMNER_URL", requires = "stdio")]
    pub(crate) url: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    /// Change nothing and print the users of a server, each with what its role needs
    #[arg(long, value_name = "SERVER")]
    pub(crate) grants: Option<GrantingServer>,
}

/// A server with users of its own.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum GrantingServer {
    Postgres,
    Redis,
    Nats,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The page's URL; https:// is assumed when the scheme is missing
    pub(crate) url: String,
    /// Print every element's computed values as JSON instead of a line for each
    #[arg(long)]
    pub(crate) json: bool,
    /// Size of the viewport in CSS pixels
    #[arg(long, value_name = "WxH", default_value = "1440x900")]
    pub(crate) viewport: String,
    /// The visitor's colour scheme: light or dark
    #[arg(long, default_value = "light")]
    pub(crate) scheme: String,
    /// A state that every element is in, such as hover; may be repeated
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Vec<String>,
    /// Print the component that `extract code` returns after each of the passes that shorten it
    #[arg(long, conflicts_with_all = ["json", "viewport", "scheme", "state"])]
    pub(crate) passes: bool,
    /// CSS selector of the component's section
    #[arg(long, requires = "passes")]
    pub(crate) selector: Option<String>,
    /// Framework of the component: what unstyled elements look like depends on it
    #[arg(long, requires = "passes", default_value = "html")]
    pub(crate) framework: String,
}

#[derive(Debug, Args)]
pub(crate) struct LayoutWorkerArgs {
    /// Address space in MB
    #[arg(long, value_name = "N", default_value_t = 1_536)]
    pub(crate) memory: u64,
    /// Processor time for one page, in seconds
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) seconds: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ExtractionWorkerArgs {
    /// Address space in MB
    #[arg(long, value_name = "N", default_value_t = 1_536)]
    pub(crate) memory: u64,
    /// Processor time for one call, layout included
    #[arg(long, value_name = "N", default_value_t = 8_000)]
    pub(crate) milliseconds: u64,
    /// Maximum size of a result in bytes
    #[arg(long, value_name = "N", default_value_t = 8_000_000)]
    pub(crate) result_bytes: usize,
}

/// The query parameters of the API, by the same names.
#[derive(Debug, Args)]
#[command(next_help_heading = "Parameters of the interface")]
pub(crate) struct Parameters {
    /// Load the page in a browser and run its scripts first
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    render: Option<String>,
    /// Accepted for symmetry: nothing is cached here
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    fresh: Option<String>,
    /// Capture a screenshot: `true` (the viewport) or `full`; needs --render
    #[arg(long, value_name = "EXTENT")]
    screenshot: Option<String>,
    /// Only these fields, separated by commas
    #[arg(long, value_name = "A,B")]
    fields: Option<String>,
    /// code: the section to extract
    #[arg(long, value_name = "CSS")]
    selector: Option<String>,
    /// code: tailwind, html, jsx, vue, elementor, shopify
    #[arg(long)]
    framework: Option<String>,
    /// code: hero, header, footer, pricing, features, testimonials, faq, cta
    #[arg(long)]
    section: Option<String>,
    /// code: the component's name in jsx
    #[arg(long)]
    name: Option<String>,
    /// code: light or dark
    #[arg(long)]
    theme: Option<String>,
    /// code: js or ts, for jsx and vue
    #[arg(long)]
    language: Option<String>,
    /// tokens: json, css, tailwind, dtcg, dtcg-resolver, design-md
    #[arg(long)]
    format: Option<String>,
    /// tokens: sheet (all values of the stylesheets) or page (those that elements of the page have)
    #[arg(long)]
    scope: Option<String>,
}

impl Parameters {
    /// Returns the query pairs of the parameters.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        let given = [
            ("render", &self.render),
            ("fresh", &self.fresh),
            ("screenshot", &self.screenshot),
            ("fields", &self.fields),
            ("selector", &self.selector),
            ("framework", &self.framework),
            ("section", &self.section),
            ("name", &self.name),
            ("theme", &self.theme),
            ("language", &self.language),
            ("format", &self.format),
            ("scope", &self.scope),
        ];
        given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?))).collect()
    }
}

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
}

#[derive(Debug, Subcommand)]
pub(crate) enum InvoiceCommand {
    /// List the invoices of an account
    List {
        /// The account
        id: String,
    },
    /// Export the invoices of all accounts
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

/// Parses the command line of this process. Help and version are not errors; anything unparsable is a usage error.
pub(crate) fn parse() -> Result<Cli, ExitReason> {
    Cli::try_parse().map_err(|fault| {
        let status = if fault.use_stderr() { MISUSE } else { 0 };
        // If the terminal is gone, the error cannot be reported.
        let _ = fault.print();
        ExitReason::Silent(status)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn definition_is_valid() {
        Cli::command().debug_assert();
    }

    #[test]
    fn cancel_plan_change_has_its_previous_name_as_an_alias() {
        for name in ["cancel-plan-change", "keep-plan"] {
            let cli = Cli::try_parse_from(["limner", "admin", "account", name, "acc_1"]).unwrap();
            assert!(format!("{:?}", cli.command).contains("CancelPlanChange"), "{name}: {:?}", cli.command);
        }
        let help = Cli::try_parse_from(["limner", "admin", "account", "--help"]).unwrap_err().to_string();
        assert!(help.contains("cancel-plan-change") && !help.contains("keep-plan"), "{help}");
    }

    #[test]
    fn parameters_are_those_of_the_api() {
        let given = ["--render", "--fresh=false", "--screenshot", "full", "--theme", "dark", "--fields", "a,b"];
        let line = ["limner", "extract", "tokens", "example.com"].into_iter().chain(given);
        let Command::Extract(extract) = Cli::try_parse_from(line).unwrap().command else { panic!("extract") };
        assert_eq!(extract.operation.0, Operation::Extract);
        let pairs = extract.parameters.pairs();
        let shown: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(shown, ["render=true", "fresh=false", "screenshot=full", "fields=a,b", "theme=dark"]);

        let options = Cli::command();
        let extract = options.find_subcommand("extract").unwrap();
        let known: Vec<&str> = extract.get_arguments().filter_map(|argument| argument.get_long()).collect();
        for operation in Operation::ALL {
            for parameter in limner_types::request::known_parameters(*operation) {
                assert!(parameter == "url" || known.contains(&parameter), "--{parameter} is missing");
            }
        }
    }
}
