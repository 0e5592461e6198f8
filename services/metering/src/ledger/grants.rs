//! OAuth 2.1 grants: the permissions that account owners gave to clients, with every secret stored as its hash. The
//! rules are SQL functions, which serialise the operations on one grant.

use super::Ledger;
use super::row_mapping::{account_state, column, count};
use crate::LedgerError;
use crate::api_key::new_id;
use limner_store::{Row, Store, StoreError};
use limner_types::AccountState;
use std::time::Duration;
use time::OffsetDateTime;

/// Maximum number of active grants of an account. One more ends the least recently used one.
const MAX_GRANTS: i64 = 100;
/// Maximum length of a grant's texts, in bytes: any client can send them.
const MAX_TEXT_BYTES: usize = 4_096;
/// Maximum number of scopes of a grant.
const MAX_SCOPES: usize = 32;

/// A grant that an account owner has approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGrant {
    /// The account that granted it.
    pub account_id: String,
    /// Client id, as registered with the authorization server.
    pub client_id: String,
    /// Name that the client gave itself.
    pub client_name: String,
    /// The granted scopes.
    pub scopes: Vec<String>,
    /// The resource server that the grant is for.
    pub resource: String,
    /// The redirect URI that receives the code.
    pub redirect_uri: String,
    /// Code challenge (RFC 7636), method S256.
    pub code_challenge: String,
    /// Hash of the code.
    pub code_sha256: [u8; 32],
    /// Lifetime of the code.
    pub code_ttl: Duration,
}

/// Tokens that become valid with an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTokens {
    /// Hash of the access token.
    pub access_sha256: [u8; 32],
    /// Lifetime of the access token.
    pub access_ttl: Duration,
    /// Hash of the refresh token.
    pub refresh_sha256: [u8; 32],
    /// Lifetime of the refresh token and of the grant.
    pub refresh_ttl: Duration,
}

/// A token request with an authorization code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeExchange {
    /// Hash of the code.
    pub code_sha256: [u8; 32],
    /// The client that sends the request.
    pub client_id: String,
    /// The redirect URI in the request; `None` if not sent.
    pub redirect_uri: Option<String>,
    /// Code challenge computed from the request's verifier (RFC 7636).
    pub code_challenge: String,
    /// The requested resource server; `None`: the granted one.
    pub resource: Option<String>,
    /// The tokens to issue.
    pub tokens: NewTokens,
}

/// A token request with a refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// Hash of the refresh token.
    pub refresh_sha256: [u8; 32],
    /// The client that sends the request.
    pub client_id: String,
    /// The requested resource server; `None`: the granted one.
    pub resource: Option<String>,
    /// Scopes of the next access token; empty: all granted scopes.
    pub scopes: Vec<String>,
    /// The tokens to issue.
    pub tokens: NewTokens,
}

/// The outcome of a token request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExchangeOutcome {
    /// The tokens are valid, with these scopes.
    Issued {
        /// The grant of the tokens.
        grant: GrantRecord,
        /// Scopes of the access token.
        scopes: Vec<String>,
    },
    /// The secret is unknown, expired, revoked or of another client, or the request does not match the grant.
    Invalid,
    /// The secret was used before: its grant has ended.
    Reused(GrantRecord),
    /// The request names another resource server.
    WrongResource,
    /// The requested scopes exceed the granted ones.
    WrongScope,
}

/// A stored grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantRecord {
    /// Its id.
    pub grant_id: String,
    /// The account that granted it.
    pub account_id: String,
    /// Client id, as registered with the authorization server.
    pub client_id: String,
    /// Name that the client gave itself.
    pub client_name: String,
    /// The granted scopes.
    pub scopes: Vec<String>,
    /// The resource server that the grant is for.
    pub resource: String,
    /// Time of the approval.
    pub created_at: OffsetDateTime,
    /// Time of last use, to the minute.
    pub last_used_at: Option<OffsetDateTime>,
}

/// A valid access token, as a resource server sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introspected {
    /// The grant of the token.
    pub grant: GrantRecord,
    /// Scopes of the token.
    pub scopes: Vec<String>,
    /// Expiry of the token.
    pub expires_at: OffsetDateTime,
    /// The account, in its current state.
    pub state: AccountState,
}

impl Ledger {
    /// Looks up the access token with the hash `token` for the resource server `resource`. Returns `None` if there is
    /// no such token, or if it is not for that server.
    ///
    /// # Errors
    /// The database fails.
    pub async fn introspect(&self, token: [u8; 32], resource: &str) -> Result<Option<Introspected>, LedgerError> {
        const UPDATE_LAST_USED: &str = "UPDATE metering.client_grant SET last_used_at = metering.clock() WHERE id = $1";
        let resource = resource.to_owned();
        let find = |store: Store| token_owner(store, token, resource.clone());
        let Some(row) = self.store.idempotent(find).await? else { return Ok(None) };
        let Some(state) = account_state(&row)? else { return Ok(None) };
        let grant = grant_record(&row)?;
        if column(&row, "stale")? {
            self.store.query(UPDATE_LAST_USED, &[&grant.grant_id]).await?;
        }
        self.cache_state(&state).await;
        let (scopes, expires_at) = (column(&row, "token_scopes")?, column(&row, "token_expires_at")?);
        Ok(Some(Introspected { grant, scopes, expires_at, state }))
    }

    /// Stores an approved grant and returns its id.
    ///
    /// # Errors
    /// There is no such account, a text is too long, or the database fails.
    pub async fn create_grant(&self, new: &NewGrant) -> Result<String, LedgerError> {
        const SQL: &str = "SELECT metering.create_grant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS id";
        let texts = [&new.client_id, &new.client_name, &new.resource, &new.redirect_uri, &new.code_challenge];
        let is_long = texts.into_iter().chain(&new.scopes).any(|text| text.len() > MAX_TEXT_BYTES);
        if is_long || new.scopes.len() > MAX_SCOPES {
            return Err(LedgerError::Invalid("what was granted is too long to keep".to_owned()));
        }
        let row = self
            .store
            .query_one(
                SQL,
                &[
                    &new_id("gnt"),
                    &new.account_id,
                    &new.client_id,
                    &new.client_name,
                    &new.scopes,
                    &new.resource,
                    &new.redirect_uri,
                    &new.code_challenge,
                    &new.code_sha256.as_slice(),
                    &new.code_ttl.as_secs_f64(),
                    &MAX_GRANTS,
                ],
            )
            .await?;
        let id: Option<String> = column(&row, "id")?;
        let id = id.ok_or_else(|| LedgerError::UnknownAccount(new.account_id.clone()))?;
        tracing::info!(account.id = %new.account_id, grant.id = %id, "grant made");
        self.flush_outbox().await;
        Ok(id)
    }

    /// Exchanges a code for tokens. Works once.
    ///
    /// # Errors
    /// The database fails.
    pub async fn exchange_code(&self, exchange: &CodeExchange) -> Result<ExchangeOutcome, LedgerError> {
        const SQL: &str = "SELECT e.outcome, e.granted_scopes, (e.g).* \
                           FROM metering.exchange_code($1, $2, $3, $4, $5, $6, $7, $8, $9) e";
        let tokens = &exchange.tokens;
        let row = self
            .store
            .query_one(
                SQL,
                &[
                    &exchange.code_sha256.as_slice(),
                    &exchange.client_id,
                    &exchange.redirect_uri,
                    &exchange.code_challenge,
                    &exchange.resource,
                    &tokens.access_sha256.as_slice(),
                    &tokens.access_ttl.as_secs_f64(),
                    &tokens.refresh_sha256.as_slice(),
                    &tokens.refresh_ttl.as_secs_f64(),
                ],
            )
            .await?;
        self.exchanged(&row).await
    }

    /// Exchanges a refresh token for the next one. Works once.
    ///
    /// # Errors
    /// The database fails.
    pub async fn refresh(&self, refresh: &Refresh) -> Result<ExchangeOutcome, LedgerError> {
        const SQL: &str = "SELECT e.outcome, e.granted_scopes, (e.g).* \
                           FROM metering.refresh_grant($1, $2, $3, $4, $5, $6, $7, $8) e";
        let tokens = &refresh.tokens;
        let row = self
            .store
            .query_one(
                SQL,
                &[
                    &refresh.refresh_sha256.as_slice(),
                    &refresh.client_id,
                    &refresh.resource,
                    &refresh.scopes,
                    &tokens.access_sha256.as_slice(),
                    &tokens.access_ttl.as_secs_f64(),
                    &tokens.refresh_sha256.as_slice(),
                    &tokens.refresh_ttl.as_secs_f64(),
                ],
            )
            .await?;
        self.exchanged(&row).await
    }

    async fn exchanged(&self, row: &Row) -> Result<ExchangeOutcome, LedgerError> {
        let outcome: &str = column(row, "outcome")?;
        metrics::counter!("limner_metering_token_exchanges_total", "outcome" => outcome.to_owned()).increment(1);
        Ok(match outcome {
            "issued" => ExchangeOutcome::Issued { grant: grant_record(row)?, scopes: column(row, "granted_scopes")? },
            "reused" => {
                let grant = grant_record(row)?;
                tracing::warn!(account.id = %grant.account_id, grant.id = %grant.grant_id, "authorization code or refresh token reused");
                self.flush_outbox().await;
                ExchangeOutcome::Reused(grant)
            }
            "wrong_resource" => ExchangeOutcome::WrongResource,
            "wrong_scope" => ExchangeOutcome::WrongScope,
            _ => ExchangeOutcome::Invalid,
        })
    }

    /// Revokes a token of this client (RFC 7009). Returns the grant if that ended it. Idempotent.
    ///
    /// # Errors
    /// The database fails.
    pub async fn revoke_token(&self, token: [u8; 32], client_id: &str) -> Result<Option<GrantRecord>, LedgerError> {
        const SQL: &str = "SELECT g.* FROM metering.revoke_token($1, $2) g";
        let row = self.store.query_one(SQL, &[&token.as_slice(), &client_id]).await?;
        self.flush_outbox().await;
        optional_grant(&row)
    }

    /// Returns the active grants of an account, latest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn grants(&self, account_id: &str) -> Result<Vec<GrantRecord>, LedgerError> {
        // A grant that was never used is a code that has not been exchanged yet.
        const SQL: &str = "SELECT * FROM metering.client_grant WHERE account_id = $1 AND revoked_at IS NULL \
                             AND expires_at > metering.clock() AND last_used_at IS NOT NULL \
                           ORDER BY created_at DESC, id";
        let rows = self.store.query(SQL, &[&account_id]).await?;
        Ok(rows.iter().map(grant_record).collect::<Result<_, _>>()?)
    }

    /// Revokes a grant of this account, immediately and permanently. Idempotent.
    ///
    /// # Errors
    /// The account has no such grant, or the database fails.
    pub async fn revoke_grant(&self, account_id: &str, grant_id: &str) -> Result<GrantRecord, LedgerError> {
        const FIND_GRANT: &str = "SELECT * FROM metering.client_grant WHERE id = $1 AND account_id = $2";
        const END: &str = "SELECT g.* FROM metering.end_grant($1) g";
        let row = self.store.query_opt(FIND_GRANT, &[&grant_id, &account_id]).await?;
        let row = row.ok_or_else(|| LedgerError::UnknownGrant(grant_id.to_owned()))?;
        self.store.query_one(END, &[&grant_id]).await?;
        tracing::info!(account.id = account_id, grant.id = grant_id, "grant ended");
        self.flush_outbox().await;
        Ok(grant_record(&row)?)
    }

    /// Revokes all grants of an account and returns those that were active.
    ///
    /// # Errors
    /// The database fails.
    pub async fn revoke_grants(&self, account_id: &str) -> Result<Vec<GrantRecord>, LedgerError> {
        const SQL: &str = "SELECT e.id FROM metering.client_grant cg, LATERAL metering.end_grant(cg.id) e \
                           WHERE cg.account_id = $1 AND cg.revoked_at IS NULL";
        let in_use = self.grants(account_id).await?;
        self.store.query(SQL, &[&account_id]).await?;
        self.flush_outbox().await;
        Ok(in_use)
    }

    /// Deletes grants and tokens that ended or expired more than `retention` ago, and returns their number.
    ///
    /// # Errors
    /// The database fails.
    pub async fn purge_grants(&self, retention: Duration) -> Result<u64, LedgerError> {
        const BATCH: i64 = 10_000;
        const SQL: &str = "SELECT metering.forget_grants($1, $2) AS gone";
        let row = self.store.query_one(SQL, &[&retention.as_secs_f64(), &BATCH]).await?;
        Ok(count(&row, "gone")?)
    }
}

async fn token_owner(store: Store, token: [u8; 32], resource: String) -> Result<Option<Row>, StoreError> {
    const SQL: &str = "SELECT t.scopes AS token_scopes, t.expires_at AS token_expires_at, \
                         g.id, g.client_id, g.client_name, g.scopes, g.resource, g.created_at, g.last_used_at, \
                         coalesce(g.last_used_at < metering.clock() - interval '1 minute', true) AS stale, s.* \
                       FROM metering.grant_token t JOIN metering.client_grant g ON g.id = t.grant_id \
                       JOIN metering.account a ON a.id = g.account_id, LATERAL metering.read_state(a) s \
                       WHERE t.sha256 = $1 AND t.kind = 'access' AND t.used_at IS NULL \
                         AND t.expires_at > metering.clock() AND g.revoked_at IS NULL AND g.resource = $2";
    store.query_opt(SQL, &[&token.as_slice(), &resource]).await
}

/// Reads the grant from a SQL function that returns a row of nulls if there is none.
fn optional_grant(row: &Row) -> Result<Option<GrantRecord>, LedgerError> {
    match column::<Option<&str>>(row, "id")? {
        Some(_) => Ok(Some(grant_record(row)?)),
        None => Ok(None),
    }
}

fn grant_record(row: &Row) -> Result<GrantRecord, StoreError> {
    Ok(GrantRecord {
        grant_id: column(row, "id")?,
        account_id: column(row, "account_id")?,
        client_id: column(row, "client_id")?,
        client_name: column(row, "client_name")?,
        scopes: column(row, "scopes")?,
        resource: column(row, "resource")?,
        created_at: column(row, "created_at")?,
        last_used_at: column(row, "last_used_at")?,
    })
}
