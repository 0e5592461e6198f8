//! Users, and the links that verify an e-mail address.

use crate::error::Fault;
use crate::state::AppState;
use crate::token;
use limner_proto::{v1, with_trace};
use std::time::Duration;

/// Lifetime of a link in a mail.
pub(crate) const LINK_TTL: Duration = Duration::from_secs(30 * 60);
/// Maximum length of an e-mail address (RFC 5321 §4.5.3.1.3).
const MAX_EMAIL_LEN: usize = 254;

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

/// A user: the owner of an account.
#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) account_id: String,
    pub(crate) email: String,
    pub(crate) password_hash: Option<String>,
}

/// An e-mail address as entered, and the normalized form that identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Email {
    pub(crate) address: String,
    pub(crate) key: String,
}

impl Email {
    /// Parses an e-mail address that may belong to a user.
    ///
    /// # Errors
    /// The address is invalid; the text is for the user.
    pub(crate) fn parse(text: &str) -> Result<Self, Fault> {
        let address = text.trim();
        let parsed: Result<lettre::Address, _> = address.parse();
        let has_domain = parsed.as_ref().is_ok_and(|parsed| parsed.domain().contains('.'));
        if address.len() > MAX_EMAIL_LEN || !has_domain {
            return Err(Fault::Invalid("Enter an e-mail address such as jane@example.com.".to_owned()));
        }
        Ok(Self { address: address.to_owned(), key: address.to_lowercase() })
    }

    /// Parses an e-mail address that an unknown visitor requests mail to: its domain must be on the public Internet,
    /// because the mail server connects to it.
    ///
    /// # Errors
    /// The address is invalid; the text is for the user.
    pub(crate) fn parse_public(text: &str) -> Result<Self, Fault> {
        let email = Self::parse(text)?;
        let domain = email.key.rsplit_once('@').map_or("", |(_, domain)| domain);
        if !is_public_domain(domain) {
            return Err(Fault::Invalid(
                "That address cannot receive mail from the Internet. Use another one.".to_owned(),
            ));
        }
        Ok(email)
    }
}

/// Returns true for a domain below a top-level domain of the public Internet; false for an IP address and for a name
/// that is local to a network.
fn is_public_domain(domain: &str) -> bool {
    // Also rejects what URL parsers read as an IPv4 address.
    let Ok(url::Host::Domain(domain)) = url::Host::parse(domain) else { return false };
    let has_public_suffix = psl::suffix(domain.as_bytes()).is_some_and(|suffix| suffix.is_known());
    let last = domain.rsplit('.').next().unwrap_or_default();
    has_public_suffix && domain.contains('.') && !matches!(last, "arpa" | "onion")
}

impl AppState {
    /// Returns the user with that e-mail address.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn holder(&self, email: &Email) -> Result<Option<User>, Fault> {
        const SQL: &str = "SELECT id, account_id, email, password_hash FROM console.holder WHERE email_key = $1";
        let row = self.store.query_opt(SQL, &[&email.key]).await?;
        Ok(row.map(|row| User {
            id: row.get("id"),
            account_id: row.get("account_id"),
            email: row.get("email"),
            password_hash: row.get("password_hash"),
        }))
    }

    /// Creates a link and returns its URL.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn new_link(
        &self,
        purpose: EmailLinkPurpose,
        email: &Email,
        chosen: Option<PendingPassword<'_>>,
    ) -> Result<String, Fault> {
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
        Ok(self.link(&format!("/enter?link={link_token}")))
    }

    /// Returns the purpose of a link, without using it up.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn peek_link(&self, link_token: &str) -> Result<Option<EmailLinkPurpose>, Fault> {
        const SQL: &str = "SELECT purpose FROM console.link WHERE token_sha256 = $1 AND expires_at > now()";
        let hash = token::sha256(link_token);
        let row = self.store.query_opt(SQL, &[&hash.as_slice()]).await?;
        Ok(row.map(|row| purpose(row.get("purpose"))))
    }

    /// Uses a link up. Of concurrent uses, one gets the link.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn consume_link(&self, link_token: &str) -> Result<Option<EmailLink>, Fault> {
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

    /// Creates an account for a verified e-mail address, and its user. Returns `None` if the address has an account by
    /// now.
    ///
    /// # Errors
    /// Metering or the database does not answer.
    pub(crate) async fn open_account(&self, link: &EmailLink) -> Result<Option<User>, Fault> {
        const SQL: &str = "INSERT INTO console.holder (id, account_id, email, email_key, password_hash) \
                           VALUES ($1, $2, $3, $4, $5) ON CONFLICT (email_key) DO NOTHING RETURNING 1";
        const DELETE_SUPERSEDED: &str = "DELETE FROM console.link WHERE purpose = 'sign_up' AND lower(email) = $1";
        let email = Email::parse(&link.email)?;
        if self.holder(&email).await?.is_some() {
            return Ok(None);
        }
        let open = v1::OpenAccountRequest { email: email.address.clone(), currency: self.config.currency.clone() };
        let account_id = self.metering.accounts().open_account(with_trace(open)).await?.into_inner().account_id;
        let id = token::new_id("usr");
        let added = self.store.query(SQL, &[&id, &account_id, &email.address, &email.key, &link.password_hash]).await?;
        self.store.query(DELETE_SUPERSEDED, &[&email.key]).await?;
        if added.is_empty() {
            let close = v1::CloseAccountRequest { account_id };
            self.metering.accounts().close_account(with_trace(close)).await?;
            return Ok(None);
        }
        let password_hash = link.password_hash.clone();
        Ok(Some(User { id, account_id, email: email.address, password_hash }))
    }

    /// # Errors
    /// The database does not answer.
    pub(crate) async fn set_password(&self, holder_id: &str, hash: &str) -> Result<(), Fault> {
        self.store.query("UPDATE console.holder SET password_hash = $2 WHERE id = $1", &[&holder_id, &hash]).await?;
        Ok(())
    }

    /// Returns the hash of a user's password.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn password_hash(&self, holder_id: &str) -> Result<Option<String>, Fault> {
        let row = self.store.query_opt("SELECT password_hash FROM console.holder WHERE id = $1", &[&holder_id]).await?;
        Ok(row.and_then(|row| row.get("password_hash")))
    }

    /// Deletes a user, their sessions and the audit log of their account.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn delete_user(&self, holder_id: &str, account_id: &str, email: &str) -> Result<(), Fault> {
        self.store.query("DELETE FROM console.holder WHERE id = $1", &[&holder_id]).await?;
        self.store.query("DELETE FROM console.audit WHERE account_id = $1", &[&account_id]).await?;
        self.store.query("DELETE FROM console.link WHERE lower(email) = lower($1)", &[&email]).await?;
        Ok(())
    }
}

fn purpose(word: &str) -> EmailLinkPurpose {
    if word == EmailLinkPurpose::SignUp.as_str() { EmailLinkPurpose::SignUp } else { EmailLinkPurpose::SignIn }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_mail() {
        for (text, key) in [(" Jane@Example.org ", "jane@example.org"), ("a+b@x.co", "a+b@x.co")] {
            assert_eq!(Email::parse(text).unwrap().key, key, "{text}");
        }
        for text in ["", "jane", "jane@", "jane@host", "a b@x.co", "a@x.co\r\nBcc: b@y.co", "<a@x.co>"] {
            assert!(Email::parse(text).is_err(), "{text}");
        }
        assert!(Email::parse(&format!("{}@example.org", "a".repeat(250))).is_err());
    }

    #[test]
    fn unknown_visitors_get_mail_at_public_domains_only() {
        for text in
            ["jane@example.org", "jane@mail.example.co.uk", "jane@b\u{fc}cher.de", "JANE@EXAMPLE.ORG", "a@eu.org"]
        {
            assert!(Email::parse_public(text).is_ok(), "{text}");
        }
        for text in [
            "a@[127.0.0.1]",
            "a@[10.0.0.1]",
            "a@[IPv6:::1]",
            "a@127.0.0.1",
            "a@169.254.169.254",
            "a@127.1",
            "a@0x7f.0.0.1",
            "a@2130706433",
            "a@localhost",
            "a@localhost.localdomain",
            "a@mail.localhost",
            "a@mail",
            "a@com",
            "a@mail.local",
            "a@mail.internal",
            "a@metadata.google.internal",
            "a@mail.lan",
            "a@mail.home",
            "a@mail.corp",
            "a@mail.home.arpa",
            "a@1.0.0.127.in-addr.arpa",
            "a@mail.test",
            "a@mail.example",
            "a@mail.invalid",
            "a@mail.onion",
            "a@db.prod.svc",
            "a@smtp.default.svc.cluster.local",
            "a@example.org.",
        ] {
            assert!(Email::parse_public(text).is_err(), "{text}");
        }
    }
}
