//! Mail: a few plain sentences with a link. It is sent in the background, so that the response time does not reveal
//! whether a mail was sent. If the mail server defers a mail, it is retried a few times.

use crate::config::{Config, MailConfig};
use crate::error::ConsoleError;
use crate::token;
use lettre::message::{Mailbox, header::ContentType};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use url::Url;

/// Sends mail.
#[derive(Clone)]
pub(crate) struct Mailer {
    from: Mailbox,
    transport: MailTransport,
    /// Time limit of one SMTP session.
    timeout: Duration,
    /// Delay before each retry.
    retry_delays: Vec<Duration>,
    is_stuck: Arc<AtomicBool>,
}

/// A failed delivery.
#[derive(Debug)]
struct DeliveryError {
    cause: String,
    /// True if the server rejects this mail permanently; it may accept others.
    is_final: bool,
}

impl DeliveryError {
    fn permanent(cause: impl ToString) -> Self {
        Self { cause: cause.to_string(), is_final: true }
    }

    fn temporary(cause: impl ToString) -> Self {
        Self { cause: cause.to_string(), is_final: false }
    }
}

impl From<SmtpError> for DeliveryError {
    fn from(cause: SmtpError) -> Self {
        // 550 to 559 concern this mail (RFC 5321 §4.2.1); 530, 535 and others concern us.
        let is_of_mail = cause.status().is_some_and(|code| code.to_string().starts_with("55"));
        if is_of_mail { Self::permanent(cause) } else { Self::temporary(cause) }
    }
}

#[derive(Clone)]
enum MailTransport {
    Folder(PathBuf),
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
}

impl Mailer {
    pub(crate) fn new(config: &Config) -> Result<Self, ConsoleError> {
        let from = config.mail_from.parse();
        let from = from.map_err(|cause| ConsoleError::Config(format!("console.mail_from: {cause}")))?;
        let way = match &config.mail {
            MailConfig::Folder(folder) => MailTransport::Folder(folder.clone()),
            MailConfig::Smtp(smtp) => MailTransport::Smtp(transport(&smtp.url, smtp.ca_pem.as_deref())?),
        };
        let (patience, pauses) = (config.mail_timeout, config.mail_retry_delays.clone());
        Ok(Self { from, transport: way, timeout: patience, retry_delays: pauses, is_stuck: Arc::default() })
    }

    /// Returns true if the mail server did not answer or did not accept us at the last attempt. This is independent of
    /// the recipient.
    pub(crate) fn is_failing(&self) -> bool {
        self.is_stuck.load(Ordering::Relaxed)
    }

    /// Sends a mail in the background. A failed delivery is logged; the user has to request the mail again.
    pub(crate) fn send(&self, to: &str, subject: &'static str, text: String) {
        let (mailer, to) = (self.clone(), to.to_owned());
        tokio::spawn(async move {
            let sent = mailer.deliver_with_retries(&to, subject, &text).await;
            let status = match &sent {
                Ok(()) => "sent",
                Err(failure) if failure.is_final => "refused",
                Err(_) => "failed",
            };
            metrics::counter!("limner_console_mails_total", "status" => status).increment(1);
            if let Err(failure) = sent {
                tracing::error!(error = failure.cause, "mail delivery failed");
            }
        });
    }

    async fn deliver_with_retries(&self, to: &str, subject: &str, text: &str) -> Result<(), DeliveryError> {
        let mut pauses = self.retry_delays.iter();
        loop {
            let delivery = self.deliver(to, subject, text.to_owned());
            // The transport's own timeout only covers connecting; a server may stop answering later.
            let delivered = tokio::time::timeout(self.timeout, delivery).await;
            let delivered = delivered.unwrap_or_else(|_| Err(DeliveryError::temporary("the mail server fell silent")));
            let is_stuck = delivered.as_ref().is_err_and(|failure| !failure.is_final);
            self.is_stuck.store(is_stuck, Ordering::Relaxed);
            match (delivered, pauses.next()) {
                (Err(failure), Some(pause)) if !failure.is_final => {
                    tracing::warn!(error = failure.cause, "mail delivery deferred; retrying");
                    tokio::time::sleep(*pause).await;
                }
                (delivered, _) => return delivered,
            }
        }
    }

    async fn deliver(&self, to: &str, subject: &str, text: String) -> Result<(), DeliveryError> {
        let to: Mailbox = to.parse().map_err(|_| DeliveryError::permanent("an address that is none"))?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(DeliveryError::permanent)?;
        match &self.transport {
            MailTransport::Folder(folder) => {
                write(folder, &message.formatted()).await.map_err(DeliveryError::temporary)
            }
            MailTransport::Smtp(smtp) => Ok(smtp.send(message).await.map(drop)?),
        }
    }
}

/// Returns a transport to a mail server. `ca_pem`: CA certificates for the server's certificate, instead of the public
/// ones.
fn transport(url: &str, ca_pem: Option<&[u8]>) -> Result<AsyncSmtpTransport<Tokio1Executor>, ConsoleError> {
    // The cause might contain a password.
    let wrong = || ConsoleError::Config("console.smtp_url is not an address of SMTP".to_owned());
    let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| wrong())?;
    let Some(pem) = ca_pem else { return Ok(builder.build()) };
    let wrong_ca = |cause| ConsoleError::Config(format!("console.smtp_ca_file: {cause}"));
    let authority = Certificate::from_pem(pem).map_err(wrong_ca)?;
    let url = Url::parse(url).map_err(|_| wrong())?;
    let parameters = TlsParameters::builder(url.host_str().unwrap_or_default().to_owned());
    let store = lettre::transport::smtp::client::CertificateStore::None;
    let parameters = parameters.certificate_store(store).add_root_certificate(authority).build().map_err(wrong_ca)?;
    let kind = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, kind)| kind.into_owned());
    let tls = match (url.scheme(), kind.as_deref()) {
        ("smtps", _) => Tls::Wrapper(parameters),
        (_, Some("required")) => Tls::Required(parameters),
        (_, Some("opportunistic")) => Tls::Opportunistic(parameters),
        _ => Tls::None,
    };
    Ok(builder.tls(tls).build())
}

/// Writes a mail to a file of its own, named in sending order. Only its owner can read it, because it contains a link.
async fn write(folder: &Path, mail: &[u8]) -> std::io::Result<()> {
    tokio::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).await?;
    let micros = time::OffsetDateTime::now_utc().unix_timestamp_nanos() / 1_000;
    let name = format!("{micros}-{}.eml", token::new_id("mail"));
    let unfinished = folder.join(format!(".{name}"));
    let mut options = tokio::fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(&unfinished).await?;
    tokio::io::AsyncWriteExt::write_all(&mut file, mail).await?;
    tokio::io::AsyncWriteExt::flush(&mut file).await?;
    tokio::fs::rename(&unfinished, folder.join(name)).await
}
