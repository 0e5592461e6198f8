//! Sessions: opaque tokens; only their hash is stored. Each sign-in creates a new session. A session ends when it is
//! idle for too long, at its maximum lifetime, or when its user ends it.

use crate::client_info::ClientInfo;
use crate::error::HttpError;
use crate::token;
use limner_store::{Row, Store};
use std::time::Duration;
use time::OffsetDateTime;

/// The session of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) holder_id: String,
    pub(crate) account_id: String,
    pub(crate) email: String,
    pub(crate) has_password: bool,
    /// `password`, `link` or `provider`.
    pub(crate) signed_in_by: String,
    /// True if it started a moment ago, by the database's clock, which also decides the end of sessions.
    pub(crate) is_fresh: bool,
}

/// A session in the user's list.
#[derive(Debug, Clone)]
pub(crate) struct SessionRow {
    pub(crate) id: String,
    pub(crate) created_at: OffsetDateTime,
    pub(crate) last_seen_at: OffsetDateTime,
    pub(crate) address: String,
    pub(crate) agent: String,
    pub(crate) is_this: bool,
}

/// The sessions of all users.
pub(crate) struct Sessions {
    store: Store,
    idle: Duration,
    ttl: Duration,
}

impl Sessions {
    /// Returns sessions that end after `idle` without a request, and after `ttl` in any case.
    pub(crate) fn new(store: Store, idle: Duration, ttl: Duration) -> Self {
        Self { store, idle, ttl }
    }

    /// Returns the session of a token, unless it has ended.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn load(&self, session_token: &str) -> Result<Option<Session>, HttpError> {
        const SQL: &str = "SELECT s.id, s.signed_in_by, s.created_at > now() - interval '15 minutes' AS is_fresh, \
                             s.last_seen_at < now() - interval '1 minute' AS stale, \
                             h.id AS holder_id, h.account_id, h.email, h.password_hash IS NOT NULL AS has_password \
                           FROM console.session s JOIN console.holder h ON h.id = s.holder_id \
                           WHERE s.token_sha256 = $1 AND s.expires_at > now() \
                             AND s.last_seen_at > now() - $2 * interval '1 second'";
        const UPDATE_LAST_SEEN: &str = "UPDATE console.session SET last_seen_at = now() WHERE id = $1";
        let hash = token::sha256(session_token);
        let idle = self.idle.as_secs_f64();
        let find = |store: Store| async move { store.query_opt(SQL, &[&hash.as_slice(), &idle]).await };
        let Some(row) = self.store.idempotent(find).await? else { return Ok(None) };
        let session = Session {
            id: row.get("id"),
            holder_id: row.get("holder_id"),
            account_id: row.get("account_id"),
            email: row.get("email"),
            has_password: row.get("has_password"),
            signed_in_by: row.get("signed_in_by"),
            is_fresh: row.get("is_fresh"),
        };
        if row.get("stale") {
            self.store.query(UPDATE_LAST_SEEN, &[&session.id]).await?;
        }
        Ok(Some(session))
    }

    /// Creates a session and returns its token.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn create(
        &self,
        holder_id: &str,
        signed_in_by: &str,
        client: &ClientInfo,
    ) -> Result<String, HttpError> {
        const SQL: &str = "INSERT INTO console.session \
                             (id, token_sha256, holder_id, expires_at, signed_in_by, address, agent) \
                           VALUES ($1, $2, $3, now() + $4 * interval '1 second', $5, $6, $7)";
        let session_token = token::new_token();
        let (id, hash) = (token::new_id("ses"), token::sha256(&session_token));
        let (life, address) = (self.ttl.as_secs_f64(), client.address.to_string());
        self.store
            .query(SQL, &[&id, &hash.as_slice(), &holder_id, &life, &signed_in_by, &address, &client.user_agent])
            .await?;
        Ok(session_token)
    }

    /// Ends one session of a user. Returns true if there was one.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn end(&self, holder_id: &str, id: &str) -> Result<bool, HttpError> {
        const SQL: &str = "DELETE FROM console.session WHERE holder_id = $1 AND id = $2 RETURNING 1";
        Ok(!self.store.query(SQL, &[&holder_id, &id]).await?.is_empty())
    }

    /// Ends all sessions of a user but one.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn end_others(&self, holder_id: &str, kept: &str) -> Result<(), HttpError> {
        const SQL: &str = "DELETE FROM console.session WHERE holder_id = $1 AND id <> $2";
        self.store.query(SQL, &[&holder_id, &kept]).await?;
        Ok(())
    }

    /// Ends all sessions of a user but the latest one.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn end_all_but_latest(&self, holder_id: &str) -> Result<(), HttpError> {
        const SQL: &str = "DELETE FROM console.session WHERE holder_id = $1 AND id <> \
                             (SELECT id FROM console.session WHERE holder_id = $1 ORDER BY created_at DESC LIMIT 1)";
        self.store.query(SQL, &[&holder_id]).await?;
        Ok(())
    }

    /// Returns the active sessions of a session's user, latest first.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn list(&self, session: &Session) -> Result<Vec<SessionRow>, HttpError> {
        const SQL: &str = "SELECT id, created_at, last_seen_at, address, agent FROM console.session \
                           WHERE holder_id = $1 AND expires_at > now() AND last_seen_at > now() - $2 * interval '1 second' \
                           ORDER BY last_seen_at DESC, id";
        let idle = self.idle.as_secs_f64();
        let rows = self.store.query(SQL, &[&session.holder_id, &idle]).await?;
        let row = |row: &Row| SessionRow {
            id: row.get("id"),
            created_at: row.get("created_at"),
            last_seen_at: row.get("last_seen_at"),
            address: row.get("address"),
            agent: row.get("agent"),
            is_this: row.get::<_, &str>("id") == session.id,
        };
        Ok(rows.iter().map(row).collect())
    }
}
