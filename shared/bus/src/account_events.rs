//! Announcements of changed accounts and keys, which invalidate caches in all processes.

use crate::{Bus, BusError};
use futures::{Stream, StreamExt};
use prost::Message;

/// A change of an account or of one of its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountChange {
    /// The account.
    pub account_id: String,
    /// The key that was revoked or created; `None`: the account itself changed.
    pub key_sha256: Option<[u8; 32]>,
}

/// The announcement's wire format.
#[derive(Clone, PartialEq, Message)]
struct Announcement {
    #[prost(string, tag = "1")]
    account_id: String,
    #[prost(bytes = "vec", optional, tag = "2")]
    key_sha256: Option<Vec<u8>>,
}

const SUBJECT: &str = "accounts.changed";

impl Bus {
    /// Announces a change to all processes. A process that is disconnected at this moment sees [`Bus::connections`]
    /// change instead.
    ///
    /// # Errors
    /// The connection is permanently closed.
    pub async fn announce_account_change(&self, change: AccountChange) -> Result<(), BusError> {
        let subject = self.subject(SUBJECT);
        let announcement =
            Announcement { account_id: change.account_id, key_sha256: change.key_sha256.map(|key| key.to_vec()) };
        self.client
            .publish(subject.clone(), announcement.encode_to_vec().into())
            .await
            .map_err(|cause| BusError::publish(&subject, cause))?;
        self.client.flush().await.map_err(|cause| BusError::publish(subject, cause))
    }

    /// Returns the changes announced from now on. The subscription outlives reconnections, but announcements made while
    /// disconnected are missed: treat a change of [`Bus::connections`] as a change of every account.
    ///
    /// # Errors
    /// The connection is permanently closed.
    pub async fn account_changes(
        &self,
    ) -> Result<impl Stream<Item = AccountChange> + Send + Unpin + 'static, BusError> {
        let subject = self.subject(SUBJECT);
        let messages =
            self.client.subscribe(subject.clone()).await.map_err(|cause| BusError::subscribe(&subject, cause))?;
        // A response to this ping means that the server has the subscription; announcements before that would be
        // missed.
        self.sync_subscription(&subject).await?;
        Ok(messages.filter_map(|message| std::future::ready(read(&message.payload))))
    }
}

fn read(payload: &[u8]) -> Option<AccountChange> {
    let announcement = Announcement::decode(payload)
        .inspect_err(|cause| tracing::warn!(error = %cause, "cannot decode an announcement"))
        .ok()?;
    let key_sha256 = match announcement.key_sha256 {
        Some(key) => Some(key.try_into().ok()?),
        None => None,
    };
    Some(AccountChange { account_id: announcement.account_id, key_sha256 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_announcements_are_skipped() {
        let short_key = Announcement { account_id: "a".to_owned(), key_sha256: Some(vec![1]) };
        assert_eq!(read(&short_key.encode_to_vec()), None);
        assert_eq!(read(&[0xff]), None);
        let whole = Announcement { account_id: "a".to_owned(), key_sha256: None };
        assert_eq!(read(&whole.encode_to_vec()), Some(AccountChange { account_id: "a".to_owned(), key_sha256: None }));
    }
}
