//! The clients that this server knows: by their metadata documents, and by registration.

use super::client::{Client, ClientIdentity};
use super::client_metadata::{self, DocumentClient};
use crate::error::HttpError;
use crate::rate_limit::{self, RateLimiter};
use limner_store::Store;

/// Maximum number of registered clients: registering is free for anybody, so it must not fill the disk.
const MAX_CLIENTS: i64 = 100_000;

/// Finds and registers clients.
pub(crate) struct OAuthClients {
    store: Store,
    documents: DocumentClient,
    rate_limiter: RateLimiter,
}

impl OAuthClients {
    pub(crate) fn new(store: Store, documents: DocumentClient, rate_limiter: RateLimiter) -> Self {
        Self { store, documents, rate_limiter }
    }

    /// Returns the client with an id, for a signed-in user.
    ///
    /// # Errors
    /// There is no such client, its document is invalid, or the account has requested too many documents.
    pub(crate) async fn find(&self, account_id: &str, client_id: &str) -> Result<Client, HttpError> {
        if client_metadata::is_metadata_url(client_id) {
            if let Some(client) = self.documents.cached_client(client_id).await {
                return Ok(client);
            }
            self.rate_limiter.throttle(rate_limit::CLIENT_DOCUMENTS, account_id).await?;
            return self.documents.fetch(client_id).await.map_err(HttpError::Invalid);
        }
        let registered = self.find_registered(client_id).await?;
        registered
            .ok_or_else(|| HttpError::Invalid("There is no such client. It may have to register again.".to_owned()))
    }

    /// Returns the client that registered under an id.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn find_registered(&self, client_id: &str) -> Result<Option<Client>, HttpError> {
        const SQL: &str = "SELECT id, name, redirect_uris, coalesce(last_used_at < now() - interval '1 day', true) AS stale \
                           FROM console.client WHERE id = $1";
        const UPDATE_LAST_USED: &str = "UPDATE console.client SET last_used_at = now() WHERE id = $1";
        let Some(row) = self.store.query_opt(SQL, &[&client_id]).await? else { return Ok(None) };
        if row.get("stale") {
            self.store.query(UPDATE_LAST_USED, &[&client_id]).await?;
        }
        Ok(Some(Client {
            id: row.get("id"),
            name: row.get("name"),
            redirect_uris: row.get("redirect_uris"),
            identity: ClientIdentity::Registered,
        }))
    }

    /// Stores a client that registers itself and returns the time of its registration.
    ///
    /// # Errors
    /// There are too many clients, or the database does not answer.
    pub(crate) async fn add(&self, id: &str, name: &str, redirect_uris: &[String]) -> Result<i64, HttpError> {
        const SQL: &str = "INSERT INTO console.client (id, name, redirect_uris) SELECT $1, $2, $3 \
                           WHERE (SELECT count(*) FROM console.client) < $4 \
                           RETURNING extract(epoch FROM created_at)::bigint AS issued_at";
        let row = self.store.query_opt(SQL, &[&id, &name, &redirect_uris, &MAX_CLIENTS]).await?;
        let row = row.ok_or_else(|| HttpError::Unavailable("there are too many registered clients".to_owned()))?;
        Ok(row.get("issued_at"))
    }
}
