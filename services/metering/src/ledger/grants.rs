//! What account holders allowed clients to do in their name (OAuth 2.1), with every secret as its hash. The rules are
//! functions of the database: whatever happens to one grant happens in turn.

use super::Ledger;
use super::row::{account_state, column, count};
use crate::LedgerError;
use crate::key::new_id;
use limner_store::{Row, Store, StoreError};
use limner_types::AccountState;
use std::time::Duration;
use time::OffsetDateTime;

/// Grants of an account that are in use at once. One more, and the one that was not used for longest ends.
const MOST_GRANTS: i64 = 100;
/// Longest texts of a grant, in bytes: they come from anybody.
const LONGEST_TEXT: usize = 4_096;
/// Most scopes of a grant.
const MOST_SCOPES: usize = 32;

/// What somebody has agreed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGrant {
    /// Who.
    pub account_id: String,
    /// As the authorization server knows the client.
    pub client_id: String,
    /// As the client calls itself.
    pub client_name: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// At which resource server.
    pub resource: String,
    /// Where the code goes.
    pub redirect_uri: String,
    /// RFC 7636, method S256.
    pub code_challenge: String,
    /// Of the code.
    pub code_sha256: [u8; 32],
    /// How long the code works.
    pub code_life: Duration,
}

/// Tokens that take effect with an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTokens {
    /// Of the access token.
    pub access_sha256: [u8; 32],
    /// How long it works.
    pub access_life: Duration,
    /// Of the refresh token.
    pub refresh_sha256: [u8; 32],
    /// How long it works, and with it the grant.
    pub refresh_life: Duration,
}

/// A code, and what comes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeExchange {
    /// Of the code.
    pub code_sha256: [u8; 32],
    /// Who exchanges it.
    pub client_id: String,
    /// `None`: not sent.
    pub redirect_uri: Option<String>,
    /// What RFC 7636 makes of the verifier.
    pub code_challenge: String,
    /// `None`: whatever was granted.
    pub resource: Option<String>,
    /// What takes its place.
    pub tokens: NewTokens,
}

/// A refresh token, and what comes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// Of the refresh token.
    pub refresh_sha256: [u8; 32],
    /// Who uses it.
    pub client_id: String,
    /// `None`: whatever was granted.
    pub resource: Option<String>,
    /// Of the next access token; empty: all that was granted.
    pub scopes: Vec<String>,
    /// What takes its place.
    pub tokens: NewTokens,
}

/// What became of an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exchanged {
    /// The tokens are in effect, with these scopes.
    Issued {
        /// What they belong to.
        grant: GrantRecord,
        /// Of the access token.
        scopes: Vec<String>,
    },
    /// Unknown, expired, revoked, of another client, or with something that does not belong to it.
    Invalid,
    /// Used before: its grant has ended.
    Reused(GrantRecord),
    /// For another resource server.
    WrongResource,
    /// More than was granted.
    WrongScope,
}

/// A grant as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantRecord {
    /// Its id.
    pub grant_id: String,
    /// Whose it is.
    pub account_id: String,
    /// As the authorization server knows the client.
    pub client_id: String,
    /// As the client calls itself.
    pub client_name: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// At which resource server.
    pub resource: String,
    /// When it was agreed to.
    pub created_at: OffsetDateTime,
    /// To the minute.
    pub last_used_at: Option<OffsetDateTime>,
}

/// Whose access token it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introspected {
    /// What it belongs to.
    pub grant: GrantRecord,
    /// What the token may do.
    pub scopes: Vec<String>,
    /// Until when.
    pub expires_at: OffsetDateTime,
    /// The account, in its current state.
    pub state: AccountState,
}

impl Ledger {
    /// Whose access token has that hash, as this resource server may know; `None`: nobody's, or not for it.
    ///
    /// # Errors
    /// The database fails.
    pub async fn introspect(&self, token: [u8; 32], resource: &str) -> Result<Option<Introspected>, LedgerError> {
        const USED: &str = "UPDATE metering.client_grant SET last_used_at = metering.clock() WHERE id = $1";
        let resource = resource.to_owned();
        let find = |store: Store| token_owner(store, token, resource.clone());
        let Some(row) = self.store.idempotent(find).await? else { return Ok(None) };
        let Some(state) = account_state(&row)? else { return Ok(None) };
        let grant = grant_record(&row)?;
        if column(&row, "stale")? {
            self.store.query(USED, &[&grant.grant_id]).await?;
        }
        self.write_through(&state).await;
        let (scopes, expires_at) = (column(&row, "token_scopes")?, column(&row, "token_expires_at")?);
        Ok(Some(Introspected { grant, scopes, expires_at, state }))
    }

    /// Keeps what was agreed to; its id.
    ///
    /// # Errors
    /// There is no such account, a text is too long, or the database fails.
    pub async fn create_grant(&self, new: &NewGrant) -> Result<String, LedgerError> {
        const SQL: &str = "SELECT metering.create_grant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS id";
        let texts = [&new.client_id, &new.client_name, &new.resource, &new.redirect_uri, &new.code_challenge];
        let is_long = texts.into_iter().chain(&new.scopes).any(|text| text.len() > LONGEST_TEXT);
        if is_long || new.scopes.len() > MOST_SCOPES {
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
                    &new.code_life.as_secs_f64(),
                    &MOST_GRANTS,
                ],
            )
            .await?;
        let id: Option<String> = column(&row, "id")?;
        let id = id.ok_or_else(|| LedgerError::UnknownAccount(new.account_id.clone()))?;
        tracing::info!(account.id = %new.account_id, grant.id = %id, "grant made");
        self.announce_now().await;
        Ok(id)
    }

    /// Exchanges a code for tokens, once.
    ///
    /// # Errors
    /// The database fails.
    pub async fn exchange_code(&self, exchange: &CodeExchange) -> Result<Exchanged, LedgerError> {
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
                    &tokens.access_life.as_secs_f64(),
                    &tokens.refresh_sha256.as_slice(),
                    &tokens.refresh_life.as_secs_f64(),
                ],
            )
            .await?;
        self.exchanged(&row).await
    }

    /// Exchanges a refresh token for the next one, once.
    ///
    /// # Errors
    /// The database fails.
    pub async fn refresh(&self, refresh: &Refresh) -> Result<Exchanged, LedgerError> {
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
                    &tokens.access_life.as_secs_f64(),
                    &tokens.refresh_sha256.as_slice(),
                    &tokens.refresh_life.as_secs_f64(),
                ],
            )
            .await?;
        self.exchanged(&row).await
    }

    async fn exchanged(&self, row: &Row) -> Result<Exchanged, LedgerError> {
        let outcome: &str = column(row, "outcome")?;
        metrics::counter!("limner_metering_token_exchanges_total", "outcome" => outcome.to_owned()).increment(1);
        Ok(match outcome {
            "issued" => Exchanged::Issued { grant: grant_record(row)?, scopes: column(row, "granted_scopes")? },
            "reused" => {
                let grant = grant_record(row)?;
                tracing::warn!(account.id = %grant.account_id, grant.id = %grant.grant_id, "a code or token came twice");
                self.announce_now().await;
                Exchanged::Reused(grant)
            }
            "wrong_resource" => Exchanged::WrongResource,
            "wrong_scope" => Exchanged::WrongScope,
            _ => Exchanged::Invalid,
        })
    }

    /// Revokes a token of this client (RFC 7009); the grant, when it has ended with it. Repeats succeed.
    ///
    /// # Errors
    /// The database fails.
    pub async fn revoke_token(&self, token: [u8; 32], client_id: &str) -> Result<Option<GrantRecord>, LedgerError> {
        const SQL: &str = "SELECT g.* FROM metering.revoke_token($1, $2) g";
        let row = self.store.query_one(SQL, &[&token.as_slice(), &client_id]).await?;
        self.announce_now().await;
        ended(&row)
    }

    /// The grants of an account that are in use, latest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn grants(&self, account_id: &str) -> Result<Vec<GrantRecord>, LedgerError> {
        // One that was never used is a code that nobody has exchanged yet.
        const SQL: &str = "SELECT * FROM metering.client_grant WHERE account_id = $1 AND revoked_at IS NULL \
                             AND expires_at > metering.clock() AND last_used_at IS NOT NULL \
                           ORDER BY created_at DESC, id";
        let rows = self.store.query(SQL, &[&account_id]).await?;
        Ok(rows.iter().map(grant_record).collect::<Result<_, _>>()?)
    }

    /// Ends a grant of this account. At once, and for good; ending it again changes nothing.
    ///
    /// # Errors
    /// The account has no such grant, or the database fails.
    pub async fn revoke_grant(&self, account_id: &str, grant_id: &str) -> Result<GrantRecord, LedgerError> {
        const FIND: &str = "SELECT * FROM metering.client_grant WHERE id = $1 AND account_id = $2";
        const END: &str = "SELECT g.* FROM metering.end_grant($1) g";
        let row = self.store.query_opt(FIND, &[&grant_id, &account_id]).await?;
        let row = row.ok_or_else(|| LedgerError::UnknownGrant(grant_id.to_owned()))?;
        self.store.query_one(END, &[&grant_id]).await?;
        tracing::info!(account.id = account_id, grant.id = grant_id, "grant ended");
        self.announce_now().await;
        Ok(grant_record(&row)?)
    }

    /// Ends all grants of an account; those that were in use.
    ///
    /// # Errors
    /// The database fails.
    pub async fn revoke_grants(&self, account_id: &str) -> Result<Vec<GrantRecord>, LedgerError> {
        const SQL: &str = "SELECT e.id FROM metering.client_grant cg, LATERAL metering.end_grant(cg.id) e \
                           WHERE cg.account_id = $1 AND cg.revoked_at IS NULL";
        let in_use = self.grants(account_id).await?;
        self.store.query(SQL, &[&account_id]).await?;
        self.announce_now().await;
        Ok(in_use)
    }

    /// Forgets grants and tokens that ended or expired longer ago than that; says how many.
    ///
    /// # Errors
    /// The database fails.
    pub async fn forget_grants(&self, retention: Duration) -> Result<u64, LedgerError> {
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
                       JOIN metering.account a ON a.id = g.account_id, LATERAL metering.peek_state(a) s \
                       WHERE t.sha256 = $1 AND t.kind = 'access' AND t.used_at IS NULL \
                         AND t.expires_at > metering.clock() AND g.revoked_at IS NULL AND g.resource = $2";
    store.query_opt(SQL, &[&token.as_slice(), &resource]).await
}

/// The grant of a function that gives a row of nulls when there is none.
fn ended(row: &Row) -> Result<Option<GrantRecord>, LedgerError> {
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
