//! How often something may be tried: counted in the database, so for all processes together.

use crate::app::App;
use crate::devices::Asker;
use crate::error::Fault;
use crate::holders::{Email, LINK_LIFE, LinkPurpose};
use crate::token;
use std::time::Duration;

/// So many tries in that time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowance {
    name: &'static str,
    tries: i32,
    window: Duration,
}

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Sign-ins to one address of mail from one network, or from one browser that its holder has signed in with before.
pub(crate) const SIGN_IN: Allowance = Allowance { name: "sign-in", tries: 10, window: Duration::from_secs(15 * 60) };
/// Sign-ins to one address of mail from browsers that its holder has never signed in with. A link by mail still works.
pub(crate) const SIGN_IN_ANYWHERE: Allowance =
    Allowance { name: "sign-in-anywhere", tries: 50, window: Duration::from_secs(60 * 60) };
/// Sign-ins and sign-ups from one network.
pub(crate) const FROM_NETWORK: Allowance = Allowance { name: "from", tries: 60, window: Duration::from_secs(15 * 60) };
/// Mails to one address of mail for one asker.
///
/// Windows of mails to one address last no longer than a link, so that whoever gets no further mail has a link that works.
const MAIL: Allowance = Allowance { name: "mail", tries: 5, window: LINK_LIFE };
/// Mails to one address of mail for all browsers that its holder has never signed in with.
const MAIL_ANYWHERE: Allowance = Allowance { name: "mail-anywhere", tries: 15, window: LINK_LIFE };
/// Mails to any address that one network asks for.
const MAIL_FROM_NETWORK: Allowance = Allowance { name: "mail-from", tries: 30, window: LINK_LIFE };
/// Calls from one account's playground: the gateway counts them too, this keeps connections for others.
pub(crate) const PLAYGROUND: Allowance = Allowance { name: "playground", tries: 60, window: MINUTE };
/// Keys made by one account.
pub(crate) const NEW_KEYS: Allowance = Allowance { name: "keys", tries: 30, window: Duration::from_secs(60 * 60) };
/// Password checks and exports by one account.
pub(crate) const COSTLY: Allowance = Allowance { name: "costly", tries: 20, window: Duration::from_secs(15 * 60) };

/// Clients that one account lets in.
pub(crate) const GRANTS: Allowance = Allowance { name: "grants", tries: 60, window: HOUR };
/// Documents of clients that are read for one account.
pub(crate) const CLIENT_DOCUMENTS: Allowance = Allowance { name: "client-documents", tries: 30, window: HOUR };
/// Clients registered from one network address: those of hosted clients register many.
pub(crate) const REGISTER: Allowance = Allowance { name: "register", tries: 100, window: HOUR };
/// Clients registered from anywhere.
pub(crate) const REGISTER_ANYWHERE: Allowance = Allowance { name: "register-anywhere", tries: 2_000, window: HOUR };
/// Exchanges and revocations from one network address. Secrets of 256 bits need no throttle; the database does.
pub(crate) const TOKENS: Allowance = Allowance { name: "tokens", tries: 1_200, window: MINUTE };

/// What becomes of a mail that somebody asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MailTurn {
    /// It is sent.
    Send,
    /// It is not: those of the last minutes still work.
    Wait {
        /// Until another one is sent.
        minutes: u32,
    },
}

impl App {
    /// Counts a try to sign in with a password.
    ///
    /// # Errors
    /// There were too many, or the database does not answer.
    pub(crate) async fn throttle_sign_in(&self, asker: &Asker, email_key: &str) -> Result<(), Fault> {
        self.throttle_network(asker).await?;
        self.throttle(SIGN_IN, &asker.with(email_key)).await?;
        match asker {
            Asker::KnownBrowser(_) => Ok(()),
            Asker::Network(_) => self.throttle(SIGN_IN_ANYWHERE, email_key).await,
        }
    }

    /// Counts a sign-in or a sign-up of somebody who is only known by their network.
    ///
    /// # Errors
    /// There were too many, or the database does not answer.
    pub(crate) async fn throttle_network(&self, asker: &Asker) -> Result<(), Fault> {
        match asker {
            Asker::KnownBrowser(_) => Ok(()),
            Asker::Network(network) => self.throttle(FROM_NETWORK, network).await,
        }
    }

    /// Counts a mail that somebody asks for. Those of sign-ups and those of sign-ins are counted apart.
    ///
    /// # Errors
    /// The network has asked for too many, or the database does not answer.
    pub(crate) async fn count_mail(&self, asker: &Asker, asked: LinkPurpose, email: &Email) -> Result<MailTurn, Fault> {
        if let Asker::Network(network) = asker {
            self.throttle(MAIL_FROM_NETWORK, network).await?;
        }
        let subject = format!("{asked:?} {}", email.key);
        let mut wait = self.count(MAIL, &asker.with(&subject)).await?;
        if wait.is_none() && matches!(asker, Asker::Network(_)) {
            wait = self.count(MAIL_ANYWHERE, &subject).await?;
        }
        Ok(wait.map_or(MailTurn::Send, |seconds| MailTurn::Wait { minutes: seconds.div_ceil(60) }))
    }

    /// Counts a try.
    ///
    /// # Errors
    /// There were too many, or the database does not answer.
    pub(crate) async fn throttle(&self, allowance: Allowance, subject: &str) -> Result<(), Fault> {
        match self.count(allowance, subject).await? {
            None => Ok(()),
            Some(seconds) => Err(Fault::Throttled(seconds)),
        }
    }

    /// Forgets the tries of somebody who was right.
    pub(crate) async fn forget_tries(&self, allowance: Allowance, subject: &str) -> Result<(), Fault> {
        let subject = key(allowance, subject);
        self.store.query("DELETE FROM console.attempt WHERE subject = $1", &[&subject.as_slice()]).await?;
        Ok(())
    }

    /// Seconds to wait, when there were too many.
    async fn count(&self, allowance: Allowance, subject: &str) -> Result<Option<u32>, Fault> {
        const SQL: &str = "SELECT so_far, seconds_left FROM console.count_try($1, $2)";
        let subject = key(allowance, subject);
        let row = self.store.query_one(SQL, &[&subject.as_slice(), &allowance.window.as_secs_f64()]).await?;
        let (so_far, seconds): (i32, i32) = (row.get("so_far"), row.get("seconds_left"));
        if so_far <= allowance.tries {
            return Ok(None);
        }
        metrics::counter!("limner_console_throttled_total", "what" => allowance.name).increment(1);
        Ok(Some(u32::try_from(seconds).unwrap_or(1)))
    }
}

/// Neither addresses of mail nor of the network are kept in clear for this.
fn key(allowance: Allowance, subject: &str) -> [u8; 32] {
    token::sha256_of(&[allowance.name.as_bytes(), subject.as_bytes()])
}
