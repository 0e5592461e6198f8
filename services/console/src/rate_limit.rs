//! Rate limits for attempts, counted in the database and therefore shared by all processes.

use crate::devices::AttemptSource;
use crate::email::Email;
use crate::email_links::{EmailLinkPurpose, LINK_TTL};
use crate::error::HttpError;
use crate::token;
use limner_store::Store;
use std::time::Duration;

/// A rate limit: a number of attempts in a time window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateLimit {
    name: &'static str,
    attempts: i32,
    window: Duration,
}

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Sign-ins to one e-mail address from one network, or from one browser that its user has signed in with before.
pub(crate) const SIGN_IN: RateLimit = RateLimit { name: "sign-in", attempts: 10, window: Duration::from_secs(15 * 60) };
/// Sign-ins to one e-mail address from browsers that its user has never signed in with. A link by mail still works.
pub(crate) const SIGN_IN_ANYWHERE: RateLimit =
    RateLimit { name: "sign-in-anywhere", attempts: 50, window: Duration::from_secs(60 * 60) };
/// Sign-ins and sign-ups from one network.
pub(crate) const FROM_NETWORK: RateLimit =
    RateLimit { name: "from", attempts: 60, window: Duration::from_secs(15 * 60) };
/// Mails to one e-mail address for one requester.
///
/// The windows for mails to one address are no longer than a link's lifetime, so that a user who gets no further mail
/// still has a valid link.
const MAIL: RateLimit = RateLimit { name: "mail", attempts: 5, window: LINK_TTL };
/// Mails to one e-mail address for all browsers that its user has never signed in with.
const MAIL_ANYWHERE: RateLimit = RateLimit { name: "mail-anywhere", attempts: 15, window: LINK_TTL };
/// Mails to any address, requested by one network.
const MAIL_FROM_NETWORK: RateLimit = RateLimit { name: "mail-from", attempts: 30, window: LINK_TTL };
/// Calls from one account's playground. The gateway limits them too; this limit keeps connections free for others.
pub(crate) const PLAYGROUND: RateLimit = RateLimit { name: "playground", attempts: 60, window: MINUTE };
/// Archives with listed files for one account: each may read some megabytes from other sites.
pub(crate) const ARCHIVES: RateLimit =
    RateLimit { name: "archives", attempts: 20, window: Duration::from_secs(10 * 60) };
/// Keys created by one account.
pub(crate) const NEW_KEYS: RateLimit = RateLimit { name: "keys", attempts: 30, window: Duration::from_secs(60 * 60) };
/// Password checks and exports by one account.
pub(crate) const COSTLY: RateLimit = RateLimit { name: "costly", attempts: 20, window: Duration::from_secs(15 * 60) };

/// Clients that one account authorizes.
pub(crate) const GRANTS: RateLimit = RateLimit { name: "grants", attempts: 60, window: HOUR };
/// Client documents that are fetched for one account.
pub(crate) const CLIENT_DOCUMENTS: RateLimit = RateLimit { name: "client-documents", attempts: 30, window: HOUR };
/// Clients registered from one network: hosted clients register many from one address.
pub(crate) const REGISTER: RateLimit = RateLimit { name: "register", attempts: 100, window: HOUR };
/// Clients registered from all networks together.
pub(crate) const REGISTER_ANYWHERE: RateLimit = RateLimit { name: "register-anywhere", attempts: 2_000, window: HOUR };
/// Token exchanges and revocations from one network. The limit protects the database; secrets of 256 bits need none.
pub(crate) const TOKENS: RateLimit = RateLimit { name: "tokens", attempts: 1_200, window: MINUTE };

/// The outcome of a request for a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MailTurn {
    /// The mail is sent.
    Send,
    /// The mail is not sent: the links of the last minutes still work.
    Wait {
        /// Minutes until another one is sent.
        minutes: u32,
    },
}

/// Counts attempts.
#[derive(Clone)]
pub(crate) struct RateLimiter {
    store: Store,
}

impl RateLimiter {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// Counts an attempt to sign in with a password.
    ///
    /// # Errors
    /// There were too many attempts, or the database does not answer.
    pub(crate) async fn throttle_sign_in(&self, asker: &AttemptSource, email_key: &str) -> Result<(), HttpError> {
        self.throttle_network(asker).await?;
        self.throttle(SIGN_IN, &asker.rate_limit_key(email_key)).await?;
        match asker {
            AttemptSource::KnownBrowser(_) => Ok(()),
            AttemptSource::Network(_) => self.throttle(SIGN_IN_ANYWHERE, email_key).await,
        }
    }

    /// Counts a sign-in or sign-up of a client that is only known by its network.
    ///
    /// # Errors
    /// There were too many attempts, or the database does not answer.
    pub(crate) async fn throttle_network(&self, asker: &AttemptSource) -> Result<(), HttpError> {
        match asker {
            AttemptSource::KnownBrowser(_) => Ok(()),
            AttemptSource::Network(network) => self.throttle(FROM_NETWORK, network).await,
        }
    }

    /// Counts a request for a mail. Those for sign-ups and those for sign-ins are counted separately.
    ///
    /// # Errors
    /// The network has requested too many, or the database does not answer.
    pub(crate) async fn count_mail(
        &self,
        asker: &AttemptSource,
        asked: EmailLinkPurpose,
        email: &Email,
    ) -> Result<MailTurn, HttpError> {
        if let AttemptSource::Network(network) = asker {
            self.throttle(MAIL_FROM_NETWORK, network).await?;
        }
        let subject = format!("{asked:?} {}", email.key);
        let mut wait = self.count(MAIL, &asker.rate_limit_key(&subject)).await?;
        if wait.is_none() && matches!(asker, AttemptSource::Network(_)) {
            wait = self.count(MAIL_ANYWHERE, &subject).await?;
        }
        Ok(wait.map_or(MailTurn::Send, |seconds| MailTurn::Wait { minutes: seconds.div_ceil(60) }))
    }

    /// Counts an attempt.
    ///
    /// # Errors
    /// There were too many attempts, or the database does not answer.
    pub(crate) async fn throttle(&self, allowance: RateLimit, subject: &str) -> Result<(), HttpError> {
        match self.count(allowance, subject).await? {
            None => Ok(()),
            Some(seconds) => Err(HttpError::RateLimited(seconds)),
        }
    }

    /// Resets the attempts after a correct one.
    pub(crate) async fn reset(&self, allowance: RateLimit, subject: &str) -> Result<(), HttpError> {
        let subject = key(allowance, subject);
        self.store.query("DELETE FROM console.attempt WHERE subject = $1", &[&subject.as_slice()]).await?;
        Ok(())
    }

    /// Counts an attempt; returns the seconds to wait if there were too many.
    async fn count(&self, allowance: RateLimit, subject: &str) -> Result<Option<u32>, HttpError> {
        const SQL: &str = "SELECT so_far, seconds_left FROM console.count_try($1, $2)";
        let subject = key(allowance, subject);
        let row = self.store.query_one(SQL, &[&subject.as_slice(), &allowance.window.as_secs_f64()]).await?;
        let (so_far, seconds): (i32, i32) = (row.get("so_far"), row.get("seconds_left"));
        if so_far <= allowance.attempts {
            return Ok(None);
        }
        metrics::counter!("limner_console_throttled_total", "what" => allowance.name).increment(1);
        Ok(Some(u32::try_from(seconds).unwrap_or(1)))
    }
}

/// Returns the key of a counter: a hash, so that neither e-mail nor network addresses are stored in clear.
fn key(allowance: RateLimit, subject: &str) -> [u8; 32] {
    token::sha256_of(&[allowance.name.as_bytes(), subject.as_bytes()])
}
