//! Mail: a few plain sentences with a link. It is sent beside the request, so that nobody learns from the time an answer
//! takes whether there was a mail.

use crate::config::MailConfig;
use crate::{Config, ConsoleError, token};
use lettre::message::{Mailbox, header::ContentType};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use std::path::{Path, PathBuf};
use std::time::Duration;

const SMTP_PATIENCE: Duration = Duration::from_secs(20);

/// Sends mail.
#[derive(Clone)]
pub(crate) struct Mailer {
    from: Mailbox,
    way: Way,
}

#[derive(Clone)]
enum Way {
    Folder(PathBuf),
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
}

impl Mailer {
    pub(crate) fn new(config: &Config) -> Result<Self, ConsoleError> {
        let from = config.mail_from.parse();
        let from = from.map_err(|cause| ConsoleError::Config(format!("console.mail_from: {cause}")))?;
        let way = match &config.mail {
            MailConfig::Folder(folder) => Way::Folder(folder.clone()),
            MailConfig::Smtp(url) => {
                // The cause might repeat a password.
                let smtp = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
                    .map_err(|_| ConsoleError::Config("console.smtp_url is not an address of SMTP".to_owned()))?;
                Way::Smtp(smtp.timeout(Some(SMTP_PATIENCE)).build())
            }
        };
        Ok(Self { from, way })
    }

    /// Sends a mail, in the background. One that can't be sent is logged; its reader asks again.
    pub(crate) fn send(&self, to: &str, subject: &'static str, text: String) {
        let (mailer, to) = (self.clone(), to.to_owned());
        tokio::spawn(async move {
            let sent = mailer.deliver(&to, subject, text).await;
            let status = if sent.is_ok() { "sent" } else { "failed" };
            metrics::counter!("limner_console_mails_total", "status" => status).increment(1);
            if let Err(cause) = sent {
                tracing::error!(error = cause, "a mail could not be sent");
            }
        });
    }

    async fn deliver(&self, to: &str, subject: &str, text: String) -> Result<(), String> {
        let to: Mailbox = to.parse().map_err(|_| "an address that is none".to_owned())?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(|cause| cause.to_string())?;
        match &self.way {
            Way::Folder(folder) => write(folder, &message.formatted()).await.map_err(|cause| cause.to_string()),
            Way::Smtp(smtp) => smtp.send(message).await.map(drop).map_err(|cause| cause.to_string()),
        }
    }
}

/// One file a mail, named in the order they were sent, for its owner alone: it holds a link.
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
