//! Known browsers: browsers that a user has signed in with before. They have a device cookie, and their sign-in
//! attempts are counted separately, so that attempts from elsewhere cannot lock the user out (device cookies, as OWASP
//! describes them).
//!
//! The cookie is a random token; only its hash is stored, like a session's. It does not authenticate: with a stolen
//! one, an attacker has as many password attempts as the user.

use crate::email::Email;
use crate::error::HttpError;
use crate::token;
use data_encoding::HEXLOWER;
use limner_store::{Store, StoreError};
use std::time::Duration;

/// Time after a sign-in for which a browser is known.
pub(crate) const DEVICE_TTL: Duration = Duration::from_secs(180 * 24 * 60 * 60);
/// Maximum number of browsers of one user; the least recently used one is deleted.
const MAX_DEVICES: i64 = 20;

/// The client of a sign-in attempt, as attempts are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AttemptSource {
    /// A browser that the user has signed in with before.
    KnownBrowser([u8; 32]),
    /// Any other client, counted by its network.
    Network(String),
}

impl AttemptSource {
    /// Returns the rate limit's subject for this client and one e-mail address.
    pub(crate) fn rate_limit_key(&self, email_key: &str) -> String {
        match self {
            Self::KnownBrowser(hash) => format!("{email_key} browser {}", HEXLOWER.encode(hash)),
            Self::Network(network) => format!("{email_key} {network}"),
        }
    }
}

/// The known browsers of all users.
pub(crate) struct Devices {
    store: Store,
}

impl Devices {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// Determines the client of a sign-in attempt for the user with an e-mail address, from its device cookie and its
    /// network.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn attempt_source(
        &self,
        device_token: Option<&str>,
        network: String,
        email: &Email,
    ) -> Result<AttemptSource, HttpError> {
        const SQL: &str = "SELECT FROM console.device d JOIN console.holder h ON h.id = d.holder_id \
                           WHERE d.token_sha256 = $1 AND h.email_key = $2 \
                             AND d.signed_in_at > now() - $3 * interval '1 second'";
        if let Some(device_token) = device_token {
            let hash = token::sha256(device_token);
            if self.store.query_opt(SQL, &[&hash.as_slice(), &email.key, &DEVICE_TTL.as_secs_f64()]).await?.is_some() {
                return Ok(AttemptSource::KnownBrowser(hash));
            }
        }
        Ok(AttemptSource::Network(network))
    }

    /// Stores a browser that a user signs in with, and returns its new token. The token is replaced each time, for all
    /// users of the browser.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn remember(&self, old_token: Option<&str>, holder_id: &str) -> Result<String, HttpError> {
        const REASSIGN_DEVICE: &str =
            "UPDATE console.device SET token_sha256 = $2 WHERE token_sha256 = $1 AND holder_id <> $3";
        const DELETE_OWN: &str = "DELETE FROM console.device WHERE token_sha256 = $1 AND holder_id = $2";
        const INSERT_DEVICE: &str = "INSERT INTO console.device (token_sha256, holder_id) VALUES ($1, $2)";
        const TOO_MANY: &str = "DELETE FROM console.device WHERE holder_id = $1 AND token_sha256 IN \
                                  (SELECT token_sha256 FROM console.device WHERE holder_id = $1 \
                                   ORDER BY signed_in_at DESC OFFSET $2)";
        let device_token = token::new_token();
        let hash = token::sha256(&device_token);
        if let Some(old) = old_token {
            let old = token::sha256(old);
            self.store.query(REASSIGN_DEVICE, &[&old.as_slice(), &hash.as_slice(), &holder_id]).await?;
            self.store.query(DELETE_OWN, &[&old.as_slice(), &holder_id]).await?;
        }
        self.store.query(INSERT_DEVICE, &[&hash.as_slice(), &holder_id]).await?;
        self.store.query(TOO_MANY, &[&holder_id, &MAX_DEVICES]).await?;
        Ok(device_token)
    }

    /// Deletes all browsers of a user.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn delete_all(&self, holder_id: &str) -> Result<(), HttpError> {
        self.store.query("DELETE FROM console.device WHERE holder_id = $1", &[&holder_id]).await?;
        Ok(())
    }

    /// Deletes browsers whose last sign-in is too long ago.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn purge_old(&self) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM console.device WHERE signed_in_at < now() - $1 * interval '1 second'";
        self.store.query(SQL, &[&DEVICE_TTL.as_secs_f64()]).await?;
        Ok(())
    }
}
