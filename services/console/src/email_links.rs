//! Links in mails, which verify an e-mail address. A link works once.

use crate::email::Email;
use crate::error::HttpError;
use crate::public_url::PublicUrl;
use crate::token;
use limner_store::Store;
use std::time::Duration;

/// Lifetime of a link in a mail.
pub(crate) const LINK_TTL: Duration = Duration::from_secs(30 * 60);

/// The purpose of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmailLinkPurpose {
    SignUp,
    SignIn,
}

impl EmailLinkPurpose {
    fn as_str(self) -> &'static str {
        match self {
            Self::SignUp => "sign_up",
            Self::SignIn => "sign_in",
        }
    }
}

/// A link that was opened and used.
#[derive(Debug, Clone)]
pub(crate) struct EmailLink {
    pub(crate) purpose: EmailLinkPurpose,
    pub(crate) email: String,
    pub(crate) password_hash: Option<String>,
    /// Hash of the browser that the password was chosen in.
    pub(crate) asker_sha256: Option<Vec<u8>>,
}

/// A password that was chosen at sign-up, and the browser it was chosen in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PendingPassword<'a> {
    pub(crate) hash: &'a str,
    pub(crate) browser_sha256: [u8; 32],
}

/// The links that were sent and not used yet.
pub(crate) struct EmailLinks {
    store: Store,
    url: PublicUrl,
}

impl EmailLinks {
    /// Returns links that lead to `url`.
    pub(crate) fn new(store: Store, url: PublicUrl) -> Self {
        Self { store, url }
    }

    /// Creates a link and returns its URL.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn create(
        &self,
        purpose: EmailLinkPurpose,
        email: &Email,
        chosen: Option<PendingPassword<'_>>,
    ) -> Result<String, HttpError> {
        const SQL: &str = "INSERT INTO console.link (token_sha256, purpose, email, password_hash, asker_sha256, expires_at) \
                           VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')";
        let link_token = token::new_token();
        let hash = token::sha256(&link_token);
        let life = LINK_TTL.as_secs_f64();
        let (password_hash, asker) = (chosen.map(|chosen| chosen.hash), chosen.map(|chosen| chosen.browser_sha256));
        let asker = asker.as_ref().map(|asker| asker.as_slice());
        self.store
            .query(SQL, &[&hash.as_slice(), &purpose.as_str(), &email.address, &password_hash, &asker, &life])
            .await?;
        Ok(self.url.link(&format!("/enter?link={link_token}")))
    }

    /// Returns the purpose of a link, without using it up.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn peek(&self, link_token: &str) -> Result<Option<EmailLinkPurpose>, HttpError> {
        const SQL: &str = "SELECT purpose FROM console.link WHERE token_sha256 = $1 AND expires_at > now()";
        let hash = token::sha256(link_token);
        let row = self.store.query_opt(SQL, &[&hash.as_slice()]).await?;
        Ok(row.map(|row| purpose(row.get("purpose"))))
    }

    /// Uses a link up. Of concurrent uses, one gets the link.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn consume(&self, link_token: &str) -> Result<Option<EmailLink>, HttpError> {
        const SQL: &str = "DELETE FROM console.link WHERE token_sha256 = $1 AND expires_at > now() \
                           RETURNING purpose, email, password_hash, asker_sha256";
        let hash = token::sha256(link_token);
        let row = self.store.query_opt(SQL, &[&hash.as_slice()]).await?;
        Ok(row.map(|row| EmailLink {
            purpose: purpose(row.get("purpose")),
            email: row.get("email"),
            password_hash: row.get("password_hash"),
            asker_sha256: row.get("asker_sha256"),
        }))
    }
}

fn purpose(word: &str) -> EmailLinkPurpose {
    if word == EmailLinkPurpose::SignUp.as_str() { EmailLinkPurpose::SignUp } else { EmailLinkPurpose::SignIn }
}
