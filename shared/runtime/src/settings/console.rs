//! `[console]`: the website for accounts.

use super::NonEmptySecret;
use super::layered_reader::LayeredReader;
use super::values::{BaseUrl, Setting};
use crate::Secret;
use crate::secret::mask_addresses;
use std::collections::BTreeMap;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use toml::Value;

/// `[console]`
#[derive(Debug, Clone)]
pub struct ConsoleSettings {
    /// True if `limner up` runs a console.
    pub enabled: bool,
    /// Listening address; `None`: [`ConsoleSettings::DEFAULT_LISTEN`], or in `limner up` a free port if that is in use.
    pub listen: Option<SocketAddr>,
    /// Public URL; `None`: the listening address.
    pub url: Option<BaseUrl>,
    /// URL of the gateway as reached from the console; `None`: its public URL.
    pub gateway_url: Option<BaseUrl>,
    /// Roles that the status page watches besides the API, accounts and itself, with the URLs of their admin servers.
    pub watch: WatchedRoles,
    /// The mail server; `None`: mail is written into a directory.
    pub smtp_url: Option<Secret>,
    /// CA certificates (PEM) for the mail server; `None`: the public ones.
    pub smtp_ca_file: Option<PathBuf>,
    /// The directory for mail; `None`: `mail` in `data_dir`.
    pub mail_dir: Option<PathBuf>,
    /// Sender address of mail.
    pub mail_from: SingleLine,
    /// The OpenID Connect provider that users may sign in with; `None`: none.
    pub oidc_issuer: Option<SingleLine>,
    /// Client id at the provider.
    pub oidc_client_id: Option<SingleLine>,
    /// Client secret; `None`: a public client.
    pub oidc_client_secret: Option<NonEmptySecret>,
    /// Display name of the provider.
    pub oidc_label: SingleLine,
    /// Header in which a trusted proxy passes the client address.
    pub client_address_header: Option<SingleLine>,
    /// The operator's terms (Markdown); `None`: no page.
    pub terms_file: Option<PathBuf>,
    /// The operator's privacy notice (Markdown); `None`: no page.
    pub privacy_file: Option<PathBuf>,
    /// The operator's imprint (Markdown); `None`: no page.
    pub imprint_file: Option<PathBuf>,
    /// Lifetime of a session without a request.
    pub session_idle: Duration,
    /// Maximum lifetime of a session.
    pub session_ttl: Duration,
    /// Retention of the audit log.
    pub audit_retention: Duration,
}

impl ConsoleSettings {
    /// Default listening address.
    pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8090);

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    pub(super) fn read(from: &mut LayeredReader) -> Self {
        Self {
            enabled: from.value("console.enabled", true, "limner up: whether there is a console"),
            listen: from.optional("console.listen", "where people connect; absent: 127.0.0.1:8090"),
            url: from.optional("console.url", "how people reach it; absent: where it listens"),
            gateway_url: from.optional("console.gateway_url", "where it reaches the gateway; absent: public_url"),
            watch: from.value(
                "console.watch",
                WatchedRoles::default(),
                "the status page also shows fetcher, renderer, extractor and mcp: where their admin servers listen",
            ),
            smtp_url: from.secret(
                "console.smtp_url",
                "smtps://user:password@host or smtp://host:587?tls=required; absent: mail is written into a folder",
            ),
            smtp_ca_file: from.optional(
                "console.smtp_ca_file",
                "certificates (PEM) that the mail server's own may be from; absent: the public ones",
            ),
            mail_dir: from.optional("console.mail_dir", "that folder; absent: mail in data_dir"),
            mail_from: from.value(
                "console.mail_from",
                SingleLine("Limner <console@limner.test>".to_owned()),
                "the sender of mail",
            ),
            oidc_issuer: from.optional(
                "console.oidc_issuer",
                "an OpenID Connect provider to sign in with, such as https://accounts.google.com; absent: none",
            ),
            oidc_client_id: from.optional("console.oidc_client_id", "what the provider knows this console as"),
            oidc_client_secret: from.secret(
                "console.oidc_client_secret",
                "how the provider is sure of that; absent: it is a public client",
            ),
            oidc_label: from.value(
                "console.oidc_label",
                SingleLine("single sign-on".to_owned()),
                "what people call the provider: the button says \"Continue with …\"",
            ),
            client_address_header: from.optional(
                "console.client_address_header",
                "a header such as x-forwarded-for that a proxy in front always sets; absent: the connection's address",
            ),
            terms_file: from.optional(
                "console.terms_file",
                "your terms of service, as Markdown, for the page /terms; absent: none",
            ),
            privacy_file: from.optional(
                "console.privacy_file",
                "your privacy notice, as Markdown, for the page /privacy; absent: none",
            ),
            imprint_file: from.optional(
                "console.imprint_file",
                "who runs this site, as Markdown, for the page /imprint; absent: none",
            ),
            session_idle: from.value(
                "console.session_idle",
                7 * Self::DAY,
                "how long a session lasts without a request",
            ),
            session_ttl: from.value(
                "console.session_life",
                30 * Self::DAY,
                "how long a session lasts at most, and its network address is kept",
            ),
            audit_retention: from.value(
                "console.audit_retention",
                400 * Self::DAY,
                "how long the audit log has sign-ins, keys and orders, with their network addresses",
            ),
        }
    }

    /// Records contradictions.
    pub(super) fn check(&self, reader: &mut LayeredReader) {
        if self.session_idle > self.session_ttl {
            reader.record_error("console.session_idle", "it is longer than console.session_life");
        }
        if self.oidc_issuer.is_some() != self.oidc_client_id.is_some() {
            reader.record_error("console.oidc_issuer", "it and console.oidc_client_id go together");
        }
        if self.oidc_client_secret.is_some() && self.oidc_issuer.is_none() {
            reader.record_error("console.oidc_client_secret", "there is no console.oidc_issuer");
        }
    }
}

/// Roles with the URLs of their admin servers.
pub type WatchedRoles = BTreeMap<WatchedRole, BaseUrl>;

/// A role that has no other way to the console than its admin server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WatchedRole {
    /// Reads pages.
    Fetcher,
    /// Reads pages in a browser.
    Renderer,
    /// Extracts results.
    Extractor,
    /// Serves agents.
    Mcp,
}

impl WatchedRole {
    /// All of them, in the order of a call.
    pub const ALL: [Self; 4] = [Self::Fetcher, Self::Renderer, Self::Extractor, Self::Mcp];

    fn name(self) -> &'static str {
        match self {
            Self::Fetcher => "fetcher",
            Self::Renderer => "renderer",
            Self::Extractor => "extractor",
            Self::Mcp => "mcp",
        }
    }

    fn with_url(name: &str, url: &str) -> Option<(Self, BaseUrl)> {
        let role = Self::ALL.into_iter().find(|role| role.name() == name)?;
        Some((role, BaseUrl::from_text(url)?))
    }
}

impl Setting for WatchedRoles {
    const EXPECTED: &'static str = "fetcher, renderer, extractor and mcp with URLs, such as fetcher = \"http://10.0.0.5:9090\" (in the environment: \
         fetcher=http://10.0.0.5:9090,…)";

    fn from_text(text: &str) -> Option<Self> {
        text.split(',')
            .map(|entry| entry.split_once('=').and_then(|(name, url)| WatchedRole::with_url(name.trim(), url.trim())))
            .collect()
    }

    fn from_toml(value: &Value) -> Option<Self> {
        value.as_table()?.iter().map(|(name, url)| WatchedRole::with_url(name, url.as_str()?)).collect()
    }

    fn to_toml(&self) -> Value {
        let entries = self.iter().map(|(role, url)| (role.name().to_owned(), Value::String(url.as_str().to_owned())));
        Value::Table(entries.collect())
    }
}

/// A line of text. Shown without the credentials of URLs in it.
#[derive(Clone, PartialEq, Eq)]
pub struct SingleLine(String);

impl fmt::Debug for SingleLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SingleLine").field(&mask_addresses(&self.0)).finish()
    }
}

impl SingleLine {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Setting for SingleLine {
    const EXPECTED: &'static str = "a line of text";

    fn from_text(text: &str) -> Option<Self> {
        let is_line = !text.trim().is_empty() && !text.chars().any(char::is_control);
        is_line.then(|| Self(text.trim().to_owned()))
    }

    fn to_toml(&self) -> Value {
        Value::String(mask_addresses(&self.0))
    }
}
