//! The configuration.

mod billing;
mod checks;
mod console;
mod dump;
mod http;
mod mcp;
mod reader;
mod sections;
mod values;

pub use billing::{BillingCurrency, BillingProviderName, BillingSettings, PriceMap, Token};
pub use console::{ConsoleSettings, Line};
pub use http::HttpSettings;
pub use mcp::McpSettings;
pub use sections::{
    AdminSettings, CacheSettings, DemoSettings, EgressSettings, ExtractorSettings, FetcherSettings, GatewaySettings,
    LimitSettings, LogSettings, MeteringSettings, NatsSettings, ObjectsSettings, PostgresSettings, RedisSettings,
    RendererSettings, ShutdownSettings, TelemetrySettings,
};
pub use values::{BaseUrl, ByteSize, HostMap, LogFilter, LogFormat, ObjectsUrl, Passphrase};

use reader::{Effective, Reader};
use std::fmt;
use std::path::{Path, PathBuf};

/// Keys whose value is a table rather than a section.
const TABLES: [&str; 2] = ["egress.hosts", "billing.prices"];

/// All settings, with defaults filled in and validated as a whole.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Directory of the private servers of `limner up` and of local objects.
    pub data_dir: PathBuf,
    /// Public URL of the gateway, without `/v1`.
    pub public_url: BaseUrl,
    /// `[gateway]`
    pub gateway: GatewaySettings,
    /// `[http]`
    pub http: HttpSettings,
    /// `[admin]`
    pub admin: AdminSettings,
    /// `[postgres]`
    pub postgres: PostgresSettings,
    /// `[redis]`
    pub redis: RedisSettings,
    /// `[nats]`
    pub nats: NatsSettings,
    /// `[objects]`
    pub objects: ObjectsSettings,
    /// `[fetcher]`
    pub fetcher: FetcherSettings,
    /// `[extractor]`
    pub extractor: ExtractorSettings,
    /// `[metering]`
    pub metering: MeteringSettings,
    /// `[billing]`
    pub billing: BillingSettings,
    /// `[console]`
    pub console: ConsoleSettings,
    /// `[mcp]`
    pub mcp: McpSettings,
    /// `[renderer]`
    pub renderer: RendererSettings,
    /// `[egress]`
    pub egress: EgressSettings,
    /// `[cache]`
    pub cache: CacheSettings,
    /// `[limits]`
    pub limits: LimitSettings,
    /// `[demo]`
    pub demo: DemoSettings,
    /// `[log]`
    pub log: LogSettings,
    /// `[telemetry]`
    pub telemetry: TelemetrySettings,
    /// `[shutdown]`
    pub shutdown: ShutdownSettings,
    effective: Vec<Effective>,
}

impl Settings {
    /// Reads the file, if one is named, and the environment of this process.
    ///
    /// # Errors
    /// All errors at once.
    pub fn load(file: Option<&Path>) -> Result<Self, Faults> {
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            // A name or value that is not UTF-8 cannot be ours.
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let Some(path) = file else { return Self::from_sources(None, environment) };
        match std::fs::read_to_string(path) {
            Ok(text) => Self::from_sources(Some((path, &text)), environment),
            Err(cause) => {
                Err(Faults(vec![Fault::new(&path.display().to_string(), format!("it cannot be read: {cause}"))]))
            }
        }
    }

    /// Reads the text of a file and an environment.
    ///
    /// # Errors
    /// All errors at once.
    pub fn from_sources(
        file: Option<(&Path, &str)>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Faults> {
        let mut reader = Reader::new(file, environment, &TABLES);
        let mut settings = sections::read(&mut reader);
        checks::check(&settings, &mut reader);
        settings.effective = reader.finish()?;
        Ok(settings)
    }

    /// Returns the configuration as a documented file, with secrets hidden.
    pub fn dump(&self) -> String {
        dump::dump(&self.effective)
    }

    /// Checks that a role's servers are configured, which `limner up` would start itself.
    ///
    /// # Errors
    /// One error per missing URL.
    pub fn require(&self, servers: &[Server]) -> Result<(), Faults> {
        let missing: Vec<Fault> = servers
            .iter()
            .filter(|server| !self.has(**server))
            .map(|server| Fault::new(server.key(), "it is needed here; only `limner up` starts a private one"))
            .collect();
        if missing.is_empty() { Ok(()) } else { Err(Faults(missing)) }
    }

    fn has(&self, server: Server) -> bool {
        match server {
            Server::Postgres => self.postgres.url.is_some(),
            Server::Redis => self.redis.url.is_some(),
            Server::Nats => self.nats.url.is_some(),
        }
    }
}

/// A server that Limner uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Server {
    /// PostgreSQL.
    Postgres,
    /// Redis.
    Redis,
    /// NATS with JetStream.
    Nats,
}

impl Server {
    fn key(self) -> &'static str {
        match self {
            Self::Postgres => "postgres.url",
            Self::Redis => "redis.url",
            Self::Nats => "nats.url",
        }
    }
}

/// An error in the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The setting, or the variable or file with its value.
    pub place: String,
    /// The error, and the expected value.
    pub problem: String,
}

impl Fault {
    fn new(place: &str, problem: impl Into<String>) -> Self {
        Self { place: place.to_owned(), problem: problem.into() }
    }
}

/// All errors in the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        write!(f, "The configuration has {count} {}:", if count == 1 { "fault" } else { "faults" })?;
        for fault in &self.0 {
            write!(f, "\n  {}: {}", fault.place, fault.problem)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

#[cfg(test)]
mod tests;
