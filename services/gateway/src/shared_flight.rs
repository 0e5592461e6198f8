//! Single flight across gateways: the leader's heartbeat, and the message it leaves for followers at other gateways.

use crate::gateway::Gateway;
use crate::miss::Miss;
use bytes::{BufMut, Bytes, BytesMut};
use limner_cache::CacheError;
use limner_proto::v1;
use prost::Message;
use std::sync::Arc;
use tokio::task::AbortHandle;

/// The leader's message to other gateways.
#[derive(Debug, PartialEq)]
pub(crate) enum Word {
    /// The result is in the cache.
    Kept,
    /// The result is in this message and not cached, since nobody has paid for it: a follower that pays gets it.
    Unpaid(v1::Extraction),
    Failed(v1::Failure),
    /// A failure of the leader alone: followers may try.
    Private,
}

impl Word {
    fn write(&self) -> Bytes {
        match self {
            Self::Kept => Bytes::from_static(b"k"),
            Self::Private => Bytes::from_static(b"p"),
            Self::Failed(failure) => with_letter(b'f', failure),
            Self::Unpaid(extraction) => with_letter(b'u', extraction),
        }
    }

    pub(crate) fn read(bytes: &[u8]) -> Self {
        match bytes.split_first() {
            Some((b'k', _)) => Self::Kept,
            Some((b'f', failure)) => v1::Failure::decode(failure).map_or(Self::Private, Self::Failed),
            Some((b'u', extraction)) => v1::Extraction::decode(extraction).map_or(Self::Private, Self::Unpaid),
            _ => Self::Private,
        }
    }
}

fn with_letter(letter: u8, message: &impl Message) -> Bytes {
    let mut bytes = BytesMut::with_capacity(1 + message.encoded_len());
    bytes.put_u8(letter);
    bytes.put_slice(&message.encode_to_vec());
    bytes.freeze()
}

/// A flight that this gateway leads, kept alive by a heartbeat until it completes. If dropped before, it ends when its
/// time to live expires.
pub(crate) struct SharedFlight {
    gateway: Arc<Gateway>,
    key: String,
    token: String,
    heartbeat: Option<AbortHandle>,
}

impl SharedFlight {
    pub(crate) fn new(miss: &Miss) -> Self {
        let (gateway, key) = (Arc::clone(&miss.gateway), miss.call.cache_key.clone());
        let token = miss.id.as_str().to_owned();
        let beat = {
            let (gateway, key, token) = (Arc::clone(&gateway), key.clone(), token.clone());
            async move {
                let ttl = gateway.config.flight_ttl;
                loop {
                    tokio::time::sleep(ttl / 3).await;
                    // The next heartbeat makes up for a missed one.
                    let _ = gateway.cache.flight_begin(&key, &token, ttl).await;
                }
            }
        };
        Self { gateway, key, token, heartbeat: Some(tokio::spawn(beat).abort_handle()) }
    }

    /// Returns a flight without Redis: other gateways do not take part.
    pub(crate) fn without(miss: &Miss, cause: &CacheError) -> Self {
        tracing::warn!(error = %cause, "single flight limited to this gateway");
        let (gateway, key) = (Arc::clone(&miss.gateway), miss.call.cache_key.clone());
        Self { gateway, key, token: miss.id.as_str().to_owned(), heartbeat: None }
    }

    /// Ends the flight of a call that may or may not lead it.
    pub(crate) fn end(miss: &Miss, word: &Word) {
        let (gateway, key) = (Arc::clone(&miss.gateway), miss.call.cache_key.clone());
        let (token, word) = (miss.id.as_str().to_owned(), word.write());
        miss.gateway.tasks.spawn(async move { gateway.cache.flight_end(&key, &token, word).await });
    }

    pub(crate) async fn land(self, word: &Word) {
        if let Some(heartbeat) = &self.heartbeat {
            heartbeat.abort();
            let _ = self.gateway.cache.flight_end(&self.key, &self.token, word.write()).await;
        }
    }
}

impl Drop for SharedFlight {
    fn drop(&mut self) {
        if let Some(heartbeat) = &self.heartbeat {
            heartbeat.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_types::ErrorCode;

    #[test]
    fn flight_messages_round_trip() {
        let mut failure = v1::Failure::new(ErrorCode::NotFound, "nothing matches");
        failure.retry_after_seconds = Some(3);
        let unpaid = v1::Extraction { body: vec![1, 2].into(), content_type: "t".to_owned(), auto_render: true };
        for word in [Word::Kept, Word::Private, Word::Failed(failure), Word::Unpaid(unpaid)] {
            assert_eq!(Word::read(&word.write()), word);
        }
        for broken in [&b""[..], b"x", b"f\xff", b"u\xff"] {
            assert_eq!(Word::read(broken), Word::Private, "an unreadable message means to try again");
        }
    }
}
