//! Configuration of the console.

use limner_netguard::EgressOptions;
use limner_runtime::Secret;
use limner_runtime::http::PeerLimits;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Configuration of a [`crate::Console`].
#[derive(Debug, Clone)]
pub struct Config {
    /// Address to listen on. Port 0 picks a free port.
    pub listen: SocketAddr,
    /// Public URL of the console, without trailing slash; `None`: the listening address.
    pub url: Option<String>,
    /// Public URL of the API, without `/v1`: used in curl examples.
    pub api_url: String,
    /// URL of the gateway as reached from here, without `/v1`.
    pub gateway_url: String,
    /// URL of metering's gRPC services.
    pub metering_url: String,
    /// Token that metering requires; `None`: none.
    pub metering_token: Option<Secret>,
    /// Delivery of mail.
    pub mail: MailConfig,
    /// Time limit for one SMTP session.
    pub mail_timeout: Duration,
    /// Delays before each retry, if the mail server does not answer or defers a mail.
    pub mail_retry_delays: Vec<Duration>,
    /// Sender address of mail.
    pub mail_from: String,
    /// `eur` or `usd`: billing currency of new accounts.
    pub currency: String,
    /// The API's OpenAPI document.
    pub openapi: serde_json::Value,
    /// Header in which a trusted proxy passes the client address; the last address in it counts.
    pub client_address_header: Option<String>,
    /// The resource servers that clients can get access to: MCP servers. If empty, no client can be authorized.
    pub resources: Vec<ProtectedResource>,
    /// The provider that people may sign in with.
    pub oidc: Option<OidcConfig>,
    /// Options of the connections to client documents, to the provider and to the files of results.
    pub egress: EgressOptions,
    /// `User-Agent` of the downloads of results' files.
    pub user_agent: String,
    /// Lifetime of a session without a request.
    pub session_idle: Duration,
    /// Maximum lifetime of a session.
    pub session_ttl: Duration,
    /// Retention of the audit log.
    pub audit_retention: Duration,
    /// Roles that the status page shows besides the API, accounts and itself.
    pub watched: Vec<WatchedRole>,
    /// Interval of the health probes for the status page.
    pub probe_interval: Duration,
    /// Limits on client connections.
    pub peers: PeerLimits,
    /// Time limit for requests in progress after a shutdown was requested.
    pub drain: Duration,
    /// The operator's terms, as Markdown; `None`: no page.
    pub terms: Option<String>,
    /// The operator's privacy notice, as Markdown; `None`: no page.
    pub privacy: Option<String>,
    /// The operator's imprint, as Markdown; `None`: no page.
    pub imprint: Option<String>,
    /// The demo site, if this installation has one.
    pub demo: Option<DemoSite>,
}

/// A role whose readiness the console asks its admin server for.
#[derive(Debug, Clone)]
pub struct WatchedRole {
    /// The role.
    pub role: FleetRole,
    /// URL of its admin server, without path.
    pub admin_url: String,
}

/// A role that calls pass through behind the gateway, or that serves callers of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FleetRole {
    /// Reads pages.
    Fetcher,
    /// Reads pages in a browser.
    Renderer,
    /// Extracts results.
    Extractor,
    /// Serves agents.
    Mcp,
}

/// A public page for examples.
pub(crate) const PUBLIC_PAGE: &str = "www.rust-lang.org";

/// A site whose host only this installation resolves: the console serves its images, media and fonts to browsers.
#[derive(Debug, Clone)]
pub struct DemoSite {
    /// Host of its pages.
    pub host: String,
    /// Serves its files.
    pub files: axum::Router,
}

/// Delivery of mail.
#[derive(Debug, Clone)]
pub enum MailConfig {
    /// Writes mail into files of a directory, for development.
    Folder(PathBuf),
    /// Sends mail through an SMTP server.
    Smtp(SmtpConfig),
}

/// An SMTP server.
#[derive(Clone)]
pub struct SmtpConfig {
    /// `smtp://` or `smtps://`, with `?tls=required` for STARTTLS. May contain a password.
    pub url: String,
    /// CA certificates (PEM) that the server's certificate may be issued by; `None`: the public ones.
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
    /// Issuer URL, exactly as the provider's metadata gives it.
    pub issuer: String,
    /// Our client id at the provider.
    pub client_id: String,
    /// Our client secret; `None`: a public client.
    pub client_secret: Option<String>,
    /// Display name of the provider.
    pub label: String,
}

impl fmt::Debug for OidcConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcConfig").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

/// A resource server that tokens are issued for (RFC 8707).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedResource {
    /// Its identifier, exactly as it sends it for token introspection.
    pub uri: String,
    /// Its display name.
    pub name: String,
}

impl Config {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// Returns the default settings, with mail written to `folder`.
    pub fn with_mail_folder(folder: PathBuf) -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8090)),
            url: None,
            api_url: "http://127.0.0.1:8080".to_owned(),
            gateway_url: "http://127.0.0.1:8080".to_owned(),
            metering_url: "http://127.0.0.1:50052".to_owned(),
            metering_token: None,
            mail: MailConfig::Folder(folder),
            mail_timeout: Duration::from_secs(20),
            // The link in a mail is valid for half an hour.
            mail_retry_delays: [2, 15, 120].map(Duration::from_secs).to_vec(),
            mail_from: "Limner <console@limner.test>".to_owned(),
            currency: "eur".to_owned(),
            openapi: serde_json::Value::Null,
            client_address_header: None,
            resources: Vec::new(),
            oidc: None,
            egress: EgressOptions::default(),
            user_agent: "limner-console".to_owned(),
            session_idle: 7 * Self::DAY,
            session_ttl: 30 * Self::DAY,
            audit_retention: 400 * Self::DAY,
            watched: Vec::new(),
            probe_interval: Duration::from_secs(60),
            peers: PeerLimits::default(),
            drain: Duration::from_secs(10),
            terms: None,
            privacy: None,
            imprint: None,
            demo: None,
        }
    }

    /// Returns the page that examples read: the demo site, which can be read without the Internet, if there is one.
    pub(crate) fn example_page(&self) -> String {
        self.demo.as_ref().map_or_else(|| PUBLIC_PAGE.to_owned(), |demo| format!("http://{}/", demo.host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_read_the_demo_page_where_there_is_one() {
        let mut config = Config::with_mail_folder(PathBuf::new());
        assert_eq!(config.example_page(), PUBLIC_PAGE);
        config.demo = Some(DemoSite { host: "demo.test".to_owned(), files: axum::Router::new() });
        assert_eq!(config.example_page(), "http://demo.test/");
    }
}
