//! The demo account. It is created on the first start and kept; its key is replaced at every start, because keys are
//! shown once and never stored in clear.

use anyhow::Context;
use limner_metering::{Ledger, LedgerError, NewAccount};
use limner_types::{ApiKey, Plan};
use std::path::Path;

const EMAIL: &str = "demo@limner.test";
const KEY_NAME: &str = "demo";

/// Creates a new key of the demo account and revokes the previous one.
pub(super) async fn new_key(ledger: &Ledger, data_dir: &Path) -> anyhow::Result<ApiKey> {
    let account_id = account(ledger, data_dir).await?;
    for old in ledger.keys(&account_id).await? {
        if old.name == KEY_NAME && old.revoked_at.is_none() {
            ledger.revoke_key(&old.key_id).await?;
        }
    }
    Ok(ledger.create_key(&account_id, KEY_NAME).await?.key)
}

/// Returns the account recorded in the data directory, or creates one.
async fn account(ledger: &Ledger, data_dir: &Path) -> anyhow::Result<String> {
    let note = data_dir.join("demo-account");
    if let Ok(noted) = std::fs::read_to_string(&note) {
        match ledger.account(noted.trim()).await {
            Ok(record) => return Ok(record.state.account_id),
            Err(LedgerError::UnknownAccount(_)) => {}
            Err(fault) => return Err(fault.into()),
        }
    }
    let record = ledger.create_account(&NewAccount::new(EMAIL, Plan::Developer)).await?;
    let account_id = record.state.account_id;
    std::fs::write(&note, &account_id).with_context(|| format!("writing {}", note.display()))?;
    Ok(account_id)
}
