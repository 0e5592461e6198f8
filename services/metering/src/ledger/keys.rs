//! API keys.

use super::Ledger;
use super::row_mapping::{account_state, column};
use crate::LedgerError;
use crate::api_key::{generate, new_id, sha256};
use limner_store::{Row, Store, StoreError};
use limner_types::{AccountState, ApiKey};
use serde::Serialize;
use time::OffsetDateTime;

/// Maximum number of active keys of an account. Keys share quota and rate limit, so more of them have no use.
const MAX_ACTIVE_KEYS: i64 = 100;
/// Maximum length of a key's name, in characters.
const MAX_NAME_CHARACTERS: usize = 100;

/// A new key. The key itself can only be shown now.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// The key itself.
    pub key: ApiKey,
    /// The stored record.
    pub record: KeyRecord,
}

/// A stored key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyRecord {
    /// Its id.
    pub key_id: String,
    /// Its account.
    pub account_id: String,
    /// Name that its owner gave it.
    pub name: String,
    /// The first characters of the key.
    pub prefix: String,
    /// When it was made.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// When it was revoked.
    #[serde(with = "time::serde::rfc3339::option")]
    pub revoked_at: Option<OffsetDateTime>,
}

/// The key and account that a request is authenticated as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authenticated {
    /// The key's id.
    pub key_id: String,
    /// True if the key belongs to the MCP server, which may cancel its calls.
    pub cancels: bool,
    /// The account, in its current state.
    pub state: AccountState,
}

impl Ledger {
    /// Returns the key and account of a key's hash, and writes them to the caches.
    ///
    /// # Errors
    /// The key is unknown or revoked, or the database fails.
    pub async fn authenticate(&self, key_sha256: [u8; 32]) -> Result<Authenticated, LedgerError> {
        let row = self.store.idempotent(|store| key_owner(store, key_sha256)).await?.ok_or(LedgerError::UnknownKey)?;
        let state = account_state(&row)?.ok_or(LedgerError::UnknownKey)?;
        let authenticated = Authenticated { key_id: column(&row, "key_id")?, cancels: column(&row, "cancels")?, state };
        self.cache_state(&authenticated.state).await;
        self.remember_key(key_sha256, &authenticated).await;
        Ok(authenticated)
    }

    async fn remember_key(&self, key_sha256: [u8; 32], owner: &Authenticated) {
        let Some(cache) = &self.cache else { return };
        let record = limner_cache::KeyRecord {
            account_id: owner.state.account_id.clone(),
            key_id: owner.key_id.clone(),
            cancels: owner.cancels,
        };
        if let Err(cause) = cache.put_key(key_sha256, &record).await {
            tracing::warn!(key.id = %owner.key_id, error = %cause, "cannot write a key to the cache");
        }
    }

    /// Creates a key for an account.
    ///
    /// # Errors
    /// There is no such account, it has too many keys, the name is too long, or the database fails.
    pub async fn create_key(&self, account_id: &str, name: &str) -> Result<NewKey, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.create_key($1, $2, $3, $4, $5, $6)";
        check_name(name)?;
        self.insert_key(SQL, account_id, name).await
    }

    /// Creates a key by a SQL function with the parameters and outcomes of `create_key`.
    pub(crate) async fn insert_key(
        &self,
        sql: &'static str,
        account_id: &str,
        name: &str,
    ) -> Result<NewKey, LedgerError> {
        let key = generate();
        let (id, hash) = (new_id("key"), sha256(&key));
        let row = self
            .store
            .query_one(sql, &[&id, &account_id, &name, &key.display_prefix(), &hash.as_slice(), &MAX_ACTIVE_KEYS])
            .await?;
        match column(&row, "outcome")? {
            "created" => {}
            "too_many" => {
                let refusal = format!("an account has at most {MAX_ACTIVE_KEYS} keys; revoke one first");
                return Err(LedgerError::Invalid(refusal));
            }
            _ => return Err(LedgerError::UnknownAccount(account_id.to_owned())),
        }
        let record = KeyRecord {
            key_id: id,
            account_id: account_id.to_owned(),
            name: name.to_owned(),
            prefix: key.display_prefix().to_owned(),
            created_at: column(&row, "created_at")?,
            revoked_at: None,
        };
        tracing::info!(account.id = account_id, key.id = %record.key_id, "key created");
        Ok(NewKey { key, record })
    }

    /// Returns the keys of an account, oldest first, including revoked ones.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn keys(&self, account_id: &str) -> Result<Vec<KeyRecord>, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.api_key WHERE account_id = $1 ORDER BY created_at, id";
        let rows = self.store.query(SQL, &[&account_id]).await?;
        if rows.is_empty() {
            self.account(account_id).await?;
        }
        Ok(rows.iter().map(key_record).collect::<Result<_, _>>()?)
    }

    /// Revokes a key, identified by the key itself or by its id, immediately and permanently. Idempotent.
    ///
    /// # Errors
    /// There is no such key, or the database fails.
    pub async fn revoke_key(&self, key_or_id: &str) -> Result<KeyRecord, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.revoke_key($1, $2)";
        let hash = ApiKey::parse(key_or_id).ok().map(|key| sha256(&key));
        let id = if hash.is_some() { None } else { Some(key_or_id) };
        let row = self.store.query_one(SQL, &[&id, &hash.as_ref().map(|hash| hash.as_slice())]).await?;
        if column::<Option<&str>>(&row, "id")?.is_none() {
            return Err(LedgerError::UnknownKey);
        }
        let record = key_record(&row)?;
        tracing::info!(account.id = %record.account_id, key.id = %record.key_id, "key revoked");
        self.flush_outbox().await;
        Ok(record)
    }
}

/// Checks that a name fits on one line of a list.
pub(crate) fn check_name(name: &str) -> Result<(), LedgerError> {
    match name.chars().count() <= MAX_NAME_CHARACTERS {
        true => Ok(()),
        false => Err(LedgerError::Invalid(format!("the name of a key has at most {MAX_NAME_CHARACTERS} characters"))),
    }
}

async fn key_owner(store: Store, key_sha256: [u8; 32]) -> Result<Option<Row>, StoreError> {
    const SQL: &str = "SELECT k.id AS key_id, k.purpose = 'mcp' AS cancels, s.* FROM metering.api_key k \
                       JOIN metering.account a ON a.id = k.account_id, LATERAL metering.read_state(a) s \
                       WHERE k.sha256 = $1 AND k.revoked_at IS NULL";
    store.query_opt(SQL, &[&key_sha256.as_slice()]).await
}

pub(crate) fn key_record(row: &Row) -> Result<KeyRecord, StoreError> {
    Ok(KeyRecord {
        key_id: column(row, "id")?,
        account_id: column(row, "account_id")?,
        name: column(row, "name")?,
        prefix: column(row, "prefix")?,
        created_at: column(row, "created_at")?,
        revoked_at: column(row, "revoked_at")?,
    })
}
