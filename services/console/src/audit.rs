//! The audit log: what was done with an account from the console, for its owner.

use crate::app::App;
use crate::error::Fault;
use crate::visitor::Visitor;
use std::sync::Arc;
use time::OffsetDateTime;

/// Lines on the page.
const SHOWN: i64 = 100;

/// One line.
#[derive(Debug, Clone)]
pub(crate) struct AuditLine {
    pub(crate) at: OffsetDateTime,
    /// For people.
    pub(crate) what: String,
    pub(crate) detail: String,
    pub(crate) address: String,
    pub(crate) agent: String,
}

impl App {
    /// Notes something.
    ///
    /// # Errors
    /// The database does not answer: then it must not happen either, or happens unseen.
    pub(crate) async fn note(
        &self,
        account_id: &str,
        visitor: &Visitor,
        kind: &str,
        detail: &str,
    ) -> Result<(), Fault> {
        const SQL: &str =
            "INSERT INTO console.audit (account_id, kind, detail, address, agent) VALUES ($1, $2, $3, $4, $5)";
        tracing::info!(account.id = account_id, audit.kind = kind, "noted");
        self.store.query(SQL, &[&account_id, &kind, &detail, &visitor.address.to_string(), &visitor.agent]).await?;
        Ok(())
    }

    /// Notes something beside the request, whose time must not tell that there is an account.
    pub(crate) fn note_beside(
        self: &Arc<Self>,
        account_id: String,
        visitor: &Visitor,
        kind: &'static str,
        detail: &'static str,
    ) {
        let (app, visitor) = (Arc::clone(self), visitor.clone());
        tokio::spawn(async move {
            if let Err(fault) = app.note(&account_id, &visitor, kind, detail).await {
                tracing::error!(account.id = account_id, audit.kind = kind, error = ?fault, "an event was not noted");
            }
        });
    }

    /// The log, latest first.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn audit(&self, account_id: &str, most: Option<i64>) -> Result<Vec<AuditLine>, Fault> {
        const SQL: &str = "SELECT at, kind, detail, address, agent FROM console.audit WHERE account_id = $1 \
                           ORDER BY id DESC LIMIT $2";
        let rows = self.store.query(SQL, &[&account_id, &most.unwrap_or(SHOWN)]).await?;
        let line = |row: &limner_store::Row| AuditLine {
            at: row.get("at"),
            what: words(row.get("kind")),
            detail: row.get("detail"),
            address: row.get("address"),
            agent: row.get("agent"),
        };
        Ok(rows.iter().map(line).collect())
    }
}

/// `key_created` → `Key created`.
fn words(kind: &str) -> String {
    let text = kind.replace('_', " ");
    let mut characters = text.chars();
    characters.next().map(char::to_uppercase).into_iter().flatten().chain(characters.by_ref()).collect()
}
