//! How often something may be tried: counted in the database, so for all processes together.

use crate::app::App;
use crate::error::Fault;
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

/// Sign-ins to one address of mail from one network address.
pub(crate) const SIGN_IN: Allowance = Allowance { name: "sign-in", tries: 10, window: Duration::from_secs(15 * 60) };
/// Sign-ins to one address of mail from anywhere. A link by mail still works.
pub(crate) const SIGN_IN_ANYWHERE: Allowance =
    Allowance { name: "sign-in-anywhere", tries: 50, window: Duration::from_secs(60 * 60) };
/// Sign-ins and sign-ups from one network address.
pub(crate) const FROM_ADDRESS: Allowance = Allowance { name: "from", tries: 60, window: Duration::from_secs(15 * 60) };
/// Mails to one address of mail.
pub(crate) const MAIL: Allowance = Allowance { name: "mail", tries: 5, window: Duration::from_secs(60 * 60) };
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

impl App {
    /// Counts a try; whether there are any left, for whoever must not tell.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn has_tries(&self, allowance: Allowance, subject: &str) -> Result<bool, Fault> {
        Ok(self.count(allowance, subject).await?.is_none())
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
