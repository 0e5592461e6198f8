//! Users: the owners of accounts, and the identities that they sign in with at an OpenID Connect provider.

use crate::email::Email;
use crate::email_links::EmailLink;
use crate::error::HttpError;
use crate::metering::Metering;
use crate::token;
use limner_proto::{v1, with_trace};
use limner_store::{Row, Store};

/// A user: the owner of an account.
#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) account_id: String,
    pub(crate) email: String,
    pub(crate) password_hash: Option<String>,
}

impl User {
    fn from_row(row: Row) -> Self {
        Self {
            id: row.get("id"),
            account_id: row.get("account_id"),
            email: row.get("email"),
            password_hash: row.get("password_hash"),
        }
    }
}

/// All users. Their accounts are metering's.
pub(crate) struct Users {
    store: Store,
    metering: Metering,
    currency: String,
}

impl Users {
    /// Returns the users; new accounts are billed in `currency`.
    pub(crate) fn new(store: Store, metering: Metering, currency: String) -> Self {
        Self { store, metering, currency }
    }

    /// Returns the user with that e-mail address.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn find(&self, email: &Email) -> Result<Option<User>, HttpError> {
        const SQL: &str = "SELECT id, account_id, email, password_hash FROM console.holder WHERE email_key = $1";
        let row = self.store.query_opt(SQL, &[&email.key]).await?;
        Ok(row.map(User::from_row))
    }

    /// Creates an account for a verified e-mail address, and its user. Returns `None` if the address has an account by
    /// now.
    ///
    /// # Errors
    /// Metering or the database does not answer.
    pub(crate) async fn open_account(&self, link: &EmailLink) -> Result<Option<User>, HttpError> {
        const SQL: &str = "INSERT INTO console.holder (id, account_id, email, email_key, password_hash) \
                           VALUES ($1, $2, $3, $4, $5) ON CONFLICT (email_key) DO NOTHING RETURNING 1";
        const DELETE_SUPERSEDED: &str = "DELETE FROM console.link WHERE purpose = 'sign_up' AND lower(email) = $1";
        let email = Email::parse(&link.email)?;
        if self.find(&email).await?.is_some() {
            return Ok(None);
        }
        let open = v1::OpenAccountRequest { email: email.address.clone(), currency: self.currency.clone() };
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
    pub(crate) async fn set_password(&self, holder_id: &str, hash: &str) -> Result<(), HttpError> {
        self.store.query("UPDATE console.holder SET password_hash = $2 WHERE id = $1", &[&holder_id, &hash]).await?;
        Ok(())
    }

    /// Returns the hash of a user's password.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn password_hash(&self, holder_id: &str) -> Result<Option<String>, HttpError> {
        let row = self.store.query_opt("SELECT password_hash FROM console.holder WHERE id = $1", &[&holder_id]).await?;
        Ok(row.and_then(|row| row.get("password_hash")))
    }

    /// Deletes a user, their sessions and the audit log of their account.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn delete(&self, holder_id: &str, account_id: &str, email: &str) -> Result<(), HttpError> {
        self.store.query("DELETE FROM console.holder WHERE id = $1", &[&holder_id]).await?;
        self.store.query("DELETE FROM console.audit WHERE account_id = $1", &[&account_id]).await?;
        self.store.query("DELETE FROM console.link WHERE lower(email) = lower($1)", &[&email]).await?;
        Ok(())
    }

    /// Returns the user with a subject at the provider.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn find_by_identity(&self, issuer: &str, subject: &str) -> Result<Option<User>, HttpError> {
        const SQL: &str = "SELECT h.id, h.account_id, h.email, h.password_hash FROM console.identity i \
                           JOIN console.holder h ON h.id = i.holder_id WHERE i.issuer = $1 AND i.subject = $2";
        let row = self.store.query_opt(SQL, &[&issuer, &subject]).await?;
        Ok(row.map(User::from_row))
    }

    /// Stores a user's subject at the provider. Returns true if it is new.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn add_identity(&self, issuer: &str, subject: &str, holder_id: &str) -> Result<bool, HttpError> {
        const SQL: &str = "INSERT INTO console.identity (issuer, subject, holder_id) VALUES ($1, $2, $3) \
                           ON CONFLICT (issuer, subject) DO NOTHING RETURNING 1";
        Ok(!self.store.query(SQL, &[&issuer, &subject, &holder_id]).await?.is_empty())
    }

    /// Returns a user's identities at providers, for the export.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn identities(&self, holder_id: &str) -> Result<Vec<serde_json::Value>, HttpError> {
        const SQL: &str = "SELECT issuer, subject FROM console.identity WHERE holder_id = $1 ORDER BY created_at";
        let rows = self.store.query(SQL, &[&holder_id]).await?;
        let json = |row: &Row| {
            let (issuer, subject): (String, String) = (row.get("issuer"), row.get("subject"));
            serde_json::json!({ "issuer": issuer, "subject": subject })
        };
        Ok(rows.iter().map(json).collect())
    }
}
