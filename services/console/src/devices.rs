//! Browsers that a holder has signed in with before. They have a cookie, and what is tried from them is counted apart, so
//! that nobody who tries from elsewhere can keep the holder out (device cookies, as OWASP describes them).
//!
//! The cookie is a random token of which the hash is kept, like a session's. It opens nothing: whoever steals it may guess
//! as often as the holder may mistype.

use crate::app::App;
use crate::error::Fault;
use crate::holders::Email;
use crate::token;
use crate::visitor::{Visitor, set_cookie};
use axum::response::Response;
use std::time::Duration;

/// The cookie of a browser that somebody has signed in with.
pub(crate) const DEVICE_COOKIE: &str = "__Host-limner_device";
/// How long a browser is known after a sign-in.
const LIFE: Duration = Duration::from_secs(180 * 24 * 60 * 60);
/// Browsers of one holder; the one that was used least lately is forgotten.
const MOST_DEVICES: i64 = 20;

/// Who asks to be let in, as far as tries are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asker {
    /// The holder has signed in with this browser before.
    KnownBrowser([u8; 32]),
    /// Anybody from this network.
    Network(String),
}

impl Asker {
    /// The asker in the subject of an allowance, for one address of mail.
    pub(crate) fn with(&self, email_key: &str) -> String {
        match self {
            Self::KnownBrowser(hash) => {
                let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{email_key} browser {hex}")
            }
            Self::Network(network) => format!("{email_key} {network}"),
        }
    }
}

impl App {
    /// Tells who asks to be let in as the holder of an address of mail.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn asker(&self, visitor: &Visitor, email: &Email) -> Result<Asker, Fault> {
        const SQL: &str = "SELECT FROM console.device d JOIN console.holder h ON h.id = d.holder_id \
                           WHERE d.token_sha256 = $1 AND h.email_key = $2 \
                             AND d.signed_in_at > now() - $3 * interval '1 second'";
        if let Some(device_token) = &visitor.device_token {
            let hash = token::sha256(device_token);
            if self.store.query_opt(SQL, &[&hash.as_slice(), &email.key, &LIFE.as_secs_f64()]).await?.is_some() {
                return Ok(Asker::KnownBrowser(hash));
            }
        }
        Ok(Asker::Network(visitor.network()))
    }

    /// Remembers a browser that a holder signs in with. Its cookie is a new one each time, for all holders who use it.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn remember_device(
        &self,
        visitor: &Visitor,
        holder_id: &str,
        response: &mut Response,
    ) -> Result<(), Fault> {
        const OTHERS: &str = "UPDATE console.device SET token_sha256 = $2 WHERE token_sha256 = $1 AND holder_id <> $3";
        const OWN: &str = "DELETE FROM console.device WHERE token_sha256 = $1 AND holder_id = $2";
        const ADD: &str = "INSERT INTO console.device (token_sha256, holder_id) VALUES ($1, $2)";
        const TOO_MANY: &str = "DELETE FROM console.device WHERE holder_id = $1 AND token_sha256 IN \
                                  (SELECT token_sha256 FROM console.device WHERE holder_id = $1 \
                                   ORDER BY signed_in_at DESC OFFSET $2)";
        let device_token = token::new_token();
        let hash = token::sha256(&device_token);
        if let Some(old) = &visitor.device_token {
            let old = token::sha256(old);
            self.store.query(OTHERS, &[&old.as_slice(), &hash.as_slice(), &holder_id]).await?;
            self.store.query(OWN, &[&old.as_slice(), &holder_id]).await?;
        }
        self.store.query(ADD, &[&hash.as_slice(), &holder_id]).await?;
        self.store.query(TOO_MANY, &[&holder_id, &MOST_DEVICES]).await?;
        set_cookie(response, DEVICE_COOKIE, &device_token, LIFE.as_secs());
        Ok(())
    }

    /// Forgets every browser of a holder.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn forget_devices(&self, holder_id: &str) -> Result<(), Fault> {
        self.store.query("DELETE FROM console.device WHERE holder_id = $1", &[&holder_id]).await?;
        Ok(())
    }

    /// Forgets browsers that nobody has signed in with for long.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn forget_old_devices(&self) -> Result<(), limner_store::StoreError> {
        const SQL: &str = "DELETE FROM console.device WHERE signed_in_at < now() - $1 * interval '1 second'";
        self.store.query(SQL, &[&LIFE.as_secs_f64()]).await?;
        Ok(())
    }
}
