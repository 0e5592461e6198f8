//! The audit log: actions on an account from the console, shown to its owner.

use crate::client_info::ClientInfo;
use crate::error::HttpError;
use limner_store::{Row, Store};
use time::OffsetDateTime;

/// Number of entries on the page.
const MAX_SHOWN_ENTRIES: i64 = 100;

/// One entry.
#[derive(Debug, Clone)]
pub(crate) struct AuditLine {
    pub(crate) at: OffsetDateTime,
    /// The event, as text for people.
    pub(crate) what: String,
    pub(crate) detail: String,
    pub(crate) address: String,
    pub(crate) agent: String,
}

/// The audit log of all accounts.
#[derive(Clone)]
pub(crate) struct AuditLog {
    store: Store,
}

impl AuditLog {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// Records an event.
    ///
    /// # Errors
    /// The database does not answer. The caller must then not perform the action, or it would go unrecorded.
    pub(crate) async fn record(
        &self,
        account_id: &str,
        client: &ClientInfo,
        kind: &str,
        detail: &str,
    ) -> Result<(), HttpError> {
        const SQL: &str =
            "INSERT INTO console.audit (account_id, kind, detail, address, agent) VALUES ($1, $2, $3, $4, $5)";
        tracing::info!(account.id = account_id, audit.kind = kind, "noted");
        let address = client.address.to_string();
        self.store.query(SQL, &[&account_id, &kind, &detail, &address, &client.user_agent]).await?;
        Ok(())
    }

    /// Records an event in the background, so that the response time does not reveal whether there is an account.
    pub(crate) fn record_in_background(
        &self,
        account_id: String,
        client: &ClientInfo,
        kind: &'static str,
        detail: &'static str,
    ) {
        let (log, client) = (self.clone(), client.clone());
        tokio::spawn(async move {
            if let Err(fault) = log.record(&account_id, &client, kind, detail).await {
                tracing::error!(account.id = account_id, audit.kind = kind, error = ?fault, "cannot record an audit event");
            }
        });
    }

    /// Returns the log, latest first.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn list(&self, account_id: &str, most: Option<i64>) -> Result<Vec<AuditLine>, HttpError> {
        const SQL: &str = "SELECT at, kind, detail, address, agent FROM console.audit WHERE account_id = $1 \
                           ORDER BY id DESC LIMIT $2";
        let rows = self.store.query(SQL, &[&account_id, &most.unwrap_or(MAX_SHOWN_ENTRIES)]).await?;
        let line = |row: &Row| AuditLine {
            at: row.get("at"),
            what: kind_label(row.get("kind")),
            detail: row.get("detail"),
            address: row.get("address"),
            agent: row.get("agent"),
        };
        Ok(rows.iter().map(line).collect())
    }
}

/// `key_created` → `Key created`.
fn kind_label(kind: &str) -> String {
    let text = kind.replace('_', " ");
    let mut characters = text.chars();
    characters.next().map(char::to_uppercase).into_iter().flatten().chain(characters.by_ref()).collect()
}
