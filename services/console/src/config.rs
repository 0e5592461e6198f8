//! What the console is told by the binary.

use crate::ProtectedResource;
use limner_netguard::EgressOptions;
use limner_runtime::http::PeerLimits;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Configuration of a [`crate::Console`].
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// The address people use, without trailing slash; `None`: where it listens.
    pub url: Option<String>,
    /// The address callers of the interface use, without `/v1`: for curl lines.
    pub api_url: String,
    /// Where the gateway is reached from here, without `/v1`.
    pub gateway_url: String,
    /// Where metering's gRPC services are.
    pub metering_url: String,
    /// How mail leaves.
    pub mail: MailConfig,
    /// How long one conversation with the mail server may take.
    pub mail_patience: Duration,
    /// How long to wait before each further try, when the mail server does not answer or puts us off.
    pub mail_pauses: Vec<Duration>,
    /// The sender of mail.
    pub mail_from: String,
    /// `eur` or `usd`: what new accounts are billed in.
    pub currency: String,
    /// The interface's OpenAPI document.
    pub openapi: serde_json::Value,
    /// A header in which a trusted proxy says where a request comes from; its last address counts.
    pub client_address_header: Option<String>,
    /// The resource servers that clients can be let in to: MCP servers. None: nobody can be let in anywhere.
    pub resources: Vec<ProtectedResource>,
    /// The provider that people may sign in with.
    pub oidc: Option<OidcConfig>,
    /// How documents of clients and the provider are reached.
    pub egress: EgressOptions,
    /// How long a session lasts without a request.
    pub session_idle: Duration,
    /// How long a session lasts at most.
    pub session_life: Duration,
    /// How long the audit log goes back.
    pub audit_retention: Duration,
    /// How often health is looked at for the status page.
    pub probe_interval: Duration,
    /// What clients are held to.
    pub peers: PeerLimits,
    /// How long requests under way may take once the process is asked to end.
    pub drain: Duration,
}

/// How mail leaves.
#[derive(Debug, Clone)]
pub enum MailConfig {
    /// Into files of a folder, for development.
    Folder(PathBuf),
    /// By a mail server.
    Smtp(SmtpConfig),
}

/// A mail server.
#[derive(Clone)]
pub struct SmtpConfig {
    /// `smtp://`, `smtps://`, with `?tls=required` for STARTTLS. It may hold a password.
    pub url: String,
    /// Certificates (PEM) that the server's own may be from; `None`: the public ones.
    pub ca_pem: Option<Vec<u8>>,
}

impl fmt::Debug for SmtpConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpConfig").finish_non_exhaustive()
    }
}

/// An OpenID Connect provider.
#[derive(Clone)]
pub struct OidcConfig {
    /// Its address, exactly as it says it itself.
    pub issuer: String,
    /// What it knows us as.
    pub client_id: String,
    /// How it is sure of that; `None`: a public client.
    pub client_secret: Option<String>,
    /// What people call it.
    pub label: String,
}

impl fmt::Debug for OidcConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcConfig").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

impl Config {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// The usual settings, with mail in that folder.
    pub fn with_mail_folder(folder: PathBuf) -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8090)),
            url: None,
            api_url: "http://127.0.0.1:8080".to_owned(),
            gateway_url: "http://127.0.0.1:8080".to_owned(),
            metering_url: "http://127.0.0.1:50052".to_owned(),
            mail: MailConfig::Folder(folder),
            mail_patience: Duration::from_secs(20),
            // The link of a mail works for half an hour.
            mail_pauses: [2, 15, 120].map(Duration::from_secs).to_vec(),
            mail_from: "Limner <console@limner.test>".to_owned(),
            currency: "eur".to_owned(),
            openapi: serde_json::Value::Null,
            client_address_header: None,
            resources: Vec::new(),
            oidc: None,
            egress: EgressOptions::default(),
            session_idle: 7 * Self::DAY,
            session_life: 30 * Self::DAY,
            audit_retention: 400 * Self::DAY,
            probe_interval: Duration::from_secs(60),
            peers: PeerLimits::default(),
            drain: Duration::from_secs(10),
        }
    }
}
