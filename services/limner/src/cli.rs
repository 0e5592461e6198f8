//! The command line. Names are stable: operators and scripts rely on them.

use crate::exit::{ExitReason, MISUSE};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

mod admin;
mod extraction;

pub(crate) use admin::{
    AccountCommand, AdminArgs, AdminCommand, BusinessArgs, Credits, CreditsCommand, ExportFormat, HistoryCommand,
    InvoiceCommand, KeyCommand, LedgerCommand, OrderCommand, PackCommand, PaymentCommand, PeriodCommand, Switch,
};
pub(crate) use extraction::{DiffArgs, ExtractArgs, OperationName, Parameters, ReadArgs};

/// Reads design data out of public web pages.
#[derive(Debug, Parser)]
#[command(name = "limner", version, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// The configuration file (TOML); every key can also be set as LIMNER__SECTION__KEY
    #[arg(long, global = true, value_name = "FILE", env = "LIMNER_CONFIG", value_hint = ValueHint::FilePath, value_parser = OsStringValueParser::new().map(PathBuf::from))]
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
    /// Extract from pages, in this process: no servers, no key
    Extract(ExtractArgs),
    /// Compare two pages, or a page with an earlier result: tokens, brand, or the looks of a section
    #[command(after_help = DIFF_STATUSES)]
    Diff(DiffArgs),
    /// Show the computed styles of one page, or with --passes its component after each capture pass, in this process
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
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page; with --out, write that of every command
    Man {
        /// The directory for the manual pages
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Lay pages out for a parent process, over standard input and output
    #[command(hide = true)]
    LayoutWorker(LayoutWorkerArgs),
    /// Extract from the pages that come in on standard input (services start this)
    #[command(hide = true)]
    ExtractionWorker(ExtractionWorkerArgs),
}

/// Exit statuses of `limner diff`.
const DIFF_STATUSES: &str = "Exit status: 0 with at most --threshold differences, 1 with more, 2 if one side cannot be \
    read or compared. Added, removed and changed values count one each.";

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print every setting with its value, secrets hidden
    Dump,
    /// Validate the configuration
    Check,
}

/// Returns the name of the variable with the URL of a Limner elsewhere: `LIMNER_URL`, as for the packages, or its former
/// name if only that one is set.
pub(crate) fn url_variable() -> &'static str {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !is_set("LIMNER_URL") && is_set("LIMNER_API_URL") { "LIMNER_API_URL" } else { "LIMNER_URL" }
}

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Serve the client that started this process, over standard input and output: with the key in LIMNER_API_KEY through
    /// the gateway, without one in this process
    #[arg(long)]
    pub(crate) stdio: bool,
    /// With --stdio and a key: the gateway's URL; default: LIMNER_URL, otherwise public_url
    #[arg(long, value_name = "URL", requires = "stdio")]
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
    /// The visitor's colour scheme
    #[arg(long, default_value = "light", value_parser = ["light", "dark"])]
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
    /// Advise no browser in hints
    #[arg(long)]
    pub(crate) no_browser: bool,
}

/// Parses the command line of this process. Help and version are not errors; anything unparsable is a usage error.
pub(crate) fn parse() -> Result<Cli, ExitReason> {
    let parsed = Cli::try_parse().map_err(|fault| {
        let status = if fault.use_stderr() { MISUSE } else { 0 };
        // If the terminal is gone, the error cannot be reported.
        let _ = fault.print();
        ExitReason::Silent(status)
    })?;
    // An empty variable counts as unset: container files often pass them on.
    Ok(Cli { config: parsed.config.filter(|path| !path.as_os_str().is_empty()), ..parsed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use limner_types::{Operation, WireEnum};

    #[test]
    fn command_line_definition_is_valid() {
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
        let given = [
            "--render",
            "--fresh=false",
            "--screenshot",
            "full",
            "--theme",
            "dark",
            "--fields",
            "a,b",
            "--fields",
            "c",
        ];
        let line = ["limner", "extract", "tokens", "example.com"].into_iter().chain(given);
        let Command::Extract(extract) = Cli::try_parse_from(line).unwrap().command else { panic!("extract") };
        assert_eq!(extract.operation.0, Operation::Extract);
        let pairs = extract.parameters.pairs();
        let shown: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let expected = ["render=true", "fresh=false", "screenshot=full", "theme=dark", "fields=a,b", "fields=c"];
        assert_eq!(shown, expected);

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
