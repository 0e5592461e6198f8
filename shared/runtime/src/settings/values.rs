//! Values of settings, and their notation in a file and in the environment.

use crate::Secret;
use crate::secret::mask_addresses;
use ipnet::IpNet;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use toml::Value;

/// A value of a setting.
pub(super) trait Setting: Sized {
    /// The expected notation, for the message about an invalid value.
    const EXPECTED: &'static str;
    /// True if the value is never shown, not even in an error message.
    const IS_SECRET: bool = false;

    /// Parses the notation in the environment.
    fn from_text(text: &str) -> Option<Self>;

    /// Parses the notation in a file.
    fn from_toml(value: &Value) -> Option<Self> {
        value.as_str().and_then(Self::from_text)
    }

    /// Returns the notation in a file, with secrets hidden.
    fn to_toml(&self) -> Value;
}

/// A size in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(pub usize);

impl ByteSize {
    /// Megabytes: millions of bytes.
    pub const fn megabytes(count: usize) -> Self {
        Self(count * 1_000_000)
    }
}

impl Setting for ByteSize {
    const EXPECTED: &'static str = "a size such as \"10MB\", \"500kB\" or a number of bytes";

    fn from_text(text: &str) -> Option<Self> {
        let (number, unit) = number_and_unit(text)?;
        let factor = match unit {
            "" | "B" => 1,
            "kB" => 1_000,
            "KiB" => 1_024,
            "MB" => 1_000_000,
            "MiB" => 1_024 * 1_024,
            "GB" => 1_000_000_000,
            "GiB" => 1_024 * 1_024 * 1_024,
            _ => return None,
        };
        usize::try_from(number).ok()?.checked_mul(factor).map(Self)
    }

    fn from_toml(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(bytes) => usize::try_from(*bytes).ok().map(Self),
            other => other.as_str().and_then(Self::from_text),
        }
    }

    fn to_toml(&self) -> Value {
        let units = [("GB", 1_000_000_000_usize), ("MB", 1_000_000), ("MiB", 1 << 20), ("kB", 1_000), ("KiB", 1 << 10)];
        let unit = units.iter().find(|(_, factor)| self.0 >= *factor && self.0.is_multiple_of(*factor));
        match unit {
            Some((name, factor)) => Value::String(format!("{}{name}", self.0 / factor)),
            None => Value::Integer(i64::try_from(self.0).unwrap_or(i64::MAX)),
        }
    }
}

impl Setting for Duration {
    const EXPECTED: &'static str = "a duration such as \"15s\", \"500ms\", \"5m\" or \"24h\"";

    fn from_text(text: &str) -> Option<Self> {
        let (number, unit) = number_and_unit(text)?;
        let milliseconds = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        let milliseconds = number.checked_mul(milliseconds)?;
        (milliseconds > 0).then(|| Duration::from_millis(milliseconds))
    }

    fn to_toml(&self) -> Value {
        let milliseconds = self.as_millis();
        let units = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];
        let (name, factor) =
            units.into_iter().find(|(_, factor)| milliseconds.is_multiple_of(*factor)).unwrap_or(("ms", 1));
        Value::String(format!("{}{name}", milliseconds / factor))
    }
}

fn number_and_unit(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    Some((number.parse().ok()?, unit.trim()))
}

impl Setting for bool {
    const EXPECTED: &'static str = "true or false";

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn from_toml(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    fn to_toml(&self) -> Value {
        Value::Boolean(*self)
    }
}

/// A share of a whole, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share(pub f64);

impl Setting for Share {
    const EXPECTED: &'static str = "a share from 0 to 1, such as 0.01";

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).map(Self)
    }

    fn from_toml(value: &Value) -> Option<Self> {
        Self::from_text(&value.to_string())
    }

    fn to_toml(&self) -> Value {
        Value::Float(self.0)
    }
}

/// A number other than 0.
impl Setting for usize {
    const EXPECTED: &'static str = "a whole number from 1";

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number| *number > 0)
    }

    fn from_toml(value: &Value) -> Option<Self> {
        value.as_integer().and_then(|number| usize::try_from(number).ok()).filter(|number| *number > 0)
    }

    fn to_toml(&self) -> Value {
        Value::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
    }
}

/// Numbers of calls at once: static reads, and browser reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountPlaces {
    /// Static reads.
    pub static_reads: usize,
    /// Browser reads.
    pub browser_reads: usize,
}

impl AccountPlaces {
    pub(super) const fn new(static_reads: usize, browser_reads: usize) -> Self {
        Self { static_reads, browser_reads }
    }
}

impl Setting for AccountPlaces {
    const EXPECTED: &'static str = "two numbers from 1, such as \"10/5\": static reads and browser reads";

    fn from_text(text: &str) -> Option<Self> {
        let (static_reads, browser_reads) = text.split_once('/')?;
        Some(Self::new(usize::from_text(static_reads.trim())?, usize::from_text(browser_reads.trim())?))
    }

    fn to_toml(&self) -> Value {
        Value::String(format!("{}/{}", self.static_reads, self.browser_reads))
    }
}

impl Setting for SocketAddr {
    const EXPECTED: &'static str = "an address with a port, such as \"127.0.0.1:8080\"";

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn to_toml(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl Setting for PathBuf {
    const EXPECTED: &'static str = "a path";

    fn from_text(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self::from(text))
    }

    fn to_toml(&self) -> Value {
        Value::String(self.display().to_string())
    }
}

/// An http(s) URL without path, query and userinfo, stored without trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// Returns the URL of a local listener, as reached from the same machine.
    pub fn for_listener(listens: SocketAddr) -> Self {
        let own = if listens.is_ipv4() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { IpAddr::V6(Ipv6Addr::LOCALHOST) };
        let ip = if listens.ip().is_unspecified() { own } else { listens.ip() };
        Self(format!("http://{}", SocketAddr::new(ip, listens.port())))
    }

    /// Returns the URL, without trailing slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if the host is a loopback address.
    pub fn is_loopback(&self) -> bool {
        let url = url::Url::parse(&self.0).ok();
        match url.as_ref().and_then(url::Url::host) {
            Some(url::Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
            Some(url::Host::Ipv6(address)) => address.is_loopback() || address.is_unspecified(),
            Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            None => true,
        }
    }
}

impl Setting for BaseUrl {
    const EXPECTED: &'static str = "an address such as \"http://127.0.0.1:8080\"";

    fn from_text(text: &str) -> Option<Self> {
        let url = url::Url::parse(text).ok()?;
        let is_base = matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        is_base.then(|| Self(url.as_str().trim_end_matches('/').to_owned()))
    }

    fn to_toml(&self) -> Value {
        Value::String(self.0.clone())
    }
}

/// A secret that processes share: at least 16 characters. While one replaces another there are several, separated by
/// commas: the first one is used, all are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedSecret {
    current: Secret,
    previous: Vec<Secret>,
}

impl SharedSecret {
    /// Returns the secret to use.
    pub fn current(&self) -> &Secret {
        &self.current
    }

    /// Returns the secrets to accept, the current one first.
    pub fn accepted(&self) -> impl Iterator<Item = &Secret> {
        std::iter::once(&self.current).chain(&self.previous)
    }
}

impl Setting for SharedSecret {
    const IS_SECRET: bool = true;
    const EXPECTED: &'static str =
        "a secret of at least 16 characters, or several, separated by commas, while one replaces another";

    fn from_text(text: &str) -> Option<Self> {
        let is_secret = |text: &str| text.chars().count() >= 16 && !text.chars().any(char::is_control);
        let parse = |text: &str| is_secret(text).then(|| Secret::new(text));
        let mut secrets = text.split(',').map(|secret| parse(secret.trim())).collect::<Option<Vec<Secret>>>()?;
        let current = secrets.remove(0);
        Some(Self { current, previous: secrets })
    }

    fn to_toml(&self) -> Value {
        Value::String(self.current.redacted())
    }
}

/// The URL of a server, which may contain a password.
impl Setting for Secret {
    const IS_SECRET: bool = true;
    const EXPECTED: &'static str =
        "an address such as \"postgres://user:password@host:5432/limner\" or \"redis://host:6379\"";

    fn from_text(text: &str) -> Option<Self> {
        let is_address = |text: &str| url::Url::parse(text).is_ok_and(|url| url.has_host());
        // A comma separates servers of a list, or is part of a password.
        let first = text.split(',').next().unwrap_or_default();
        (is_address(text) || is_address(first)).then(|| Self::new(text))
    }

    fn to_toml(&self) -> Value {
        Value::String(self.redacted())
    }
}

/// Credentials of a NATS client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NatsCredentials(Secret);

impl NatsCredentials {
    /// Returns the contents of a `.creds` file, or the seed of an nkey.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl Setting for NatsCredentials {
    const IS_SECRET: bool = true;
    const EXPECTED: &'static str = "the contents of a .creds file or the seed of a user's nkey";

    fn from_text(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_file = text.contains("BEGIN NATS USER JWT") && text.contains("BEGIN USER NKEY SEED");
        let is_seed =
            text.len() == 58 && text.starts_with("SU") && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_file || is_seed).then(|| Self(Secret::new(text)))
    }

    fn to_toml(&self) -> Value {
        Value::String("***".to_owned())
    }
}

/// URL of the object store. Shown without credentials, which belong into the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectsUrl(Secret);

impl ObjectsUrl {
    /// Returns the URL as given.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl Setting for ObjectsUrl {
    const EXPECTED: &'static str = "\"file:///a/folder\" or \"s3://bucket\"";

    fn from_text(text: &str) -> Option<Self> {
        let url = url::Url::parse(text).ok()?;
        let is_folder = url.scheme() == "file" && !url.has_host() && url.path().len() > 1;
        let is_bucket = url.scheme() == "s3" && url.has_host();
        (is_folder || is_bucket).then(|| Self(Secret::new(text)))
    }

    fn to_toml(&self) -> Value {
        // A directory has no host, and nothing to hide.
        let text = mask_addresses(self.expose());
        Value::String(text)
    }
}

/// The place of the queue's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueStorage {
    /// The disks of the servers.
    File,
    /// The memory of the servers.
    Memory,
}

impl Setting for QueueStorage {
    const EXPECTED: &'static str = "one of file, memory";

    fn from_text(text: &str) -> Option<Self> {
        match text {
            "file" => Some(Self::File),
            "memory" => Some(Self::Memory),
            _ => None,
        }
    }

    fn to_toml(&self) -> Value {
        let word = match self {
            Self::File => "file",
            Self::Memory => "memory",
        };
        Value::String(word.to_owned())
    }
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// `Pretty` on a terminal, otherwise `Json`.
    Auto,
    /// One JSON object per line.
    Json,
    /// Human-readable.
    Pretty,
}

impl Setting for LogFormat {
    const EXPECTED: &'static str = "one of auto, json, pretty";

    fn from_text(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Self::Auto),
            "json" => Some(Self::Json),
            "pretty" => Some(Self::Pretty),
            _ => None,
        }
    }

    fn to_toml(&self) -> Value {
        let word = match self {
            Self::Auto => "auto",
            Self::Json => "json",
            Self::Pretty => "pretty",
        };
        Value::String(word.to_owned())
    }
}

/// A filter of log lines: a level, or directives such as `info,limner_fetcher=debug`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFilter(String);

impl LogFilter {
    /// The default: `info`, but only warnings or errors of verbose libraries.
    pub const DEFAULT: &str = "info,async_nats=warn,fred=error";

    /// Returns the filter for commands: warnings and errors only.
    pub fn warnings() -> Self {
        // A command closes its connections when it is done, which is not worth a warning.
        Self("warn,async_nats=error,fred=error,limner_bus=error".to_owned())
    }

    /// Returns the directives.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Setting for LogFilter {
    const EXPECTED: &'static str =
        "a level (error, warn, info, debug, trace) or directives such as \"info,limner_fetcher=debug\"";

    fn from_text(text: &str) -> Option<Self> {
        let filter = tracing_subscriber::EnvFilter::builder().parse(text);
        // A single word that is not a level would be read as the name of a module, and nothing would be logged.
        let is_lone_word = !text.contains(['=', ',']);
        let is_level = text.parse::<tracing_subscriber::filter::LevelFilter>().is_ok();
        // URLs are not directives either, although they would parse.
        (filter.is_ok() && (!is_lone_word || is_level) && !text.contains("://")).then(|| Self(text.to_owned()))
    }

    fn to_toml(&self) -> Value {
        Value::String(self.0.clone())
    }
}

impl Setting for Vec<IpNet> {
    const EXPECTED: &'static str = "a list of networks such as [\"10.0.0.0/8\", \"127.0.0.1/32\"]";

    fn from_text(text: &str) -> Option<Self> {
        text.split(',').map(|network| network.trim().parse().ok()).collect()
    }

    fn from_toml(value: &Value) -> Option<Self> {
        value.as_array()?.iter().map(|network| network.as_str()?.parse().ok()).collect()
    }

    fn to_toml(&self) -> Value {
        Value::Array(self.iter().map(|network| Value::String(network.to_string())).collect())
    }
}

/// Host names and the sockets they resolve to.
pub type HostMap = BTreeMap<String, SocketAddr>;

impl Setting for HostMap {
    const EXPECTED: &'static str = "names with sockets, such as \"site.test\" = \"127.0.0.1:8081\" (in the environment: site.test=127.0.0.1:8081,…)";

    fn from_text(text: &str) -> Option<Self> {
        text.split(',')
            .map(|entry| entry.split_once('=').and_then(|(name, socket)| host_entry(name.trim(), socket.trim())))
            .collect()
    }

    fn from_toml(value: &Value) -> Option<Self> {
        value.as_table()?.iter().map(|(name, socket)| host_entry(name, socket.as_str()?)).collect()
    }

    fn to_toml(&self) -> Value {
        let entries = self.iter().map(|(name, socket)| (name.clone(), Value::String(socket.to_string())));
        Value::Table(entries.collect())
    }
}

fn host_entry(name: &str, socket: &str) -> Option<(String, SocketAddr)> {
    let is_name = !name.is_empty() && name.parse::<std::net::IpAddr>().is_err();
    is_name.then_some(())?;
    Some((name.to_ascii_lowercase(), socket.parse().ok()?))
}
