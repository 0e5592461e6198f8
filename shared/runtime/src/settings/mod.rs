//! The configuration.

mod billing;
mod console;
mod dump;
mod http;
mod layered_reader;
mod mcp;
mod sections;
mod validation;
mod values;

pub use billing::{BillingCurrency, BillingProviderName, BillingSettings, NonEmptySecret, PriceMap, TaxCode};
pub use console::{ConsoleSettings, SingleLine, WatchedRole, WatchedRoles};
pub use http::HttpSettings;
pub use mcp::McpSettings;
pub use sections::{
    AdminSettings, CacheSettings, DemoSettings, EgressSettings, ExtractorSettings, FetcherSettings, GatewaySettings,
    GrpcSettings, LimitSettings, LogSettings, MeteringSettings, NatsSettings, ObjectsSettings, PlacesSettings,
    PostgresSettings, RedisSettings, RendererSettings, ShutdownSettings, TelemetrySettings,
};
pub use values::{
    AccountPlaces, BaseUrl, ByteSize, HostMap, LogFilter, LogFormat, NatsCredentials, ObjectsUrl, QueueStorage, Share,
    SharedSecret,
};

use layered_reader::{EffectiveValue, LayeredReader};
use std::fmt;
use std::path::{Path, PathBuf};

/// Keys whose value is a table rather than a section.
const TABLES: [&str; 3] = ["egress.hosts", "billing.prices", "console.watch"];

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
    /// `[grpc]`
    pub grpc: GrpcSettings,
    /// `[admin]`
    pub admin: AdminSettings,
    /// `[postgres]`
    pub postgres: PostgresSettings,
    /// `[redis]`
    pub redis: RedisSettings,
    /// `[nats]`
    pub nats: NatsSettings,
    /// `[places]`
    pub places: PlacesSettings,
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
    effective: Vec<EffectiveValue>,
}

impl Settings {
    /// Reads the file, if one is named, and the environment of this process.
    ///
    /// # Errors
    /// All errors at once.
    pub fn load(file: Option<&Path>) -> Result<Self, SettingsErrors> {
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            // A name or value that is not UTF-8 cannot be ours.
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let Some(path) = file else { return Self::from_sources(None, environment) };
        match std::fs::read_to_string(path) {
            Ok(text) => Self::from_sources(Some((path, &text)), environment),
            Err(cause) => Err(SettingsErrors(vec![SettingsError::new(
                &path.display().to_string(),
                format!("it cannot be read: {cause}"),
            )])),
        }
    }

    /// Reads the text of a file and an environment.
    ///
    /// # Errors
    /// All errors at once.
    pub fn from_sources(
        file: Option<(&Path, &str)>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, SettingsErrors> {
        let mut reader = LayeredReader::new(file, environment, &TABLES);
        let mut settings = sections::read_settings(&mut reader);
        validation::check(&settings, &mut reader);
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
    pub fn require(&self, servers: &[Server]) -> Result<(), SettingsErrors> {
        let missing: Vec<SettingsError> = servers
            .iter()
            .filter(|server| !self.has(**server))
            .map(|server| SettingsError::new(server.key(), "it is needed here; only `limner up` starts a private one"))
            .collect();
        if missing.is_empty() { Ok(()) } else { Err(SettingsErrors(missing)) }
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
pub struct SettingsError {
    /// The setting, or the variable or file with its value.
    pub location: String,
    /// The error, and the expected value.
    pub problem: String,
}

impl SettingsError {
    /// Returns the error of a setting.
    pub fn new(place: &str, problem: impl Into<String>) -> Self {
        Self { location: place.to_owned(), problem: problem.into() }
    }
}

/// All errors in the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsErrors(pub Vec<SettingsError>);

impl fmt::Display for SettingsErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        write!(f, "The configuration has {count} {}:", if count == 1 { "fault" } else { "faults" })?;
        for fault in &self.0 {
            write!(f, "\n  {}: {}", fault.location, fault.problem)?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsErrors {}

#[cfg(test)]
mod tests;
