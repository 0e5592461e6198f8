//! Single flight across gateways: the leader's heartbeat, and the message it leaves for followers at other gateways.

use crate::state::GatewayState;
use bytes::{BufMut, Bytes, BytesMut};
use limner_cache::CacheError;
use limner_proto::v1;
use prost::Message;
use std::sync::Arc;
use tokio::task::AbortHandle;

/// The leader's message to other gateways.
#[derive(Debug, PartialEq)]
pub(crate) enum FlightMessage {
    /// The result is in the cache.
    Cached,
    /// The result is in this message and not cached, since nobody has paid for it: a follower that pays gets it.
    Abandoned(v1::Extraction),
    Failed(v1::Failure),
    /// A failure of the leader alone: followers may try.
    Retry,
}

impl FlightMessage {
    fn write(&self) -> Bytes {
        match self {
            Self::Cached => Bytes::from_static(b"k"),
            Self::Retry => Bytes::from_static(b"p"),
            Self::Failed(failure) => tagged(b'f', failure),
            Self::Abandoned(extraction) => tagged(b'u', extraction),
        }
    }

    pub(crate) fn decode(bytes: &[u8]) -> Self {
        match bytes.split_first() {
            Some((b'k', _)) => Self::Cached,
            Some((b'f', failure)) => v1::Failure::decode(failure).map_or(Self::Retry, Self::Failed),
            Some((b'u', extraction)) => v1::Extraction::decode(extraction).map_or(Self::Retry, Self::Abandoned),
            _ => Self::Retry,
        }
    }
}

fn tagged(letter: u8, message: &impl Message) -> Bytes {
    let mut bytes = BytesMut::with_capacity(1 + message.encoded_len());
    bytes.put_u8(letter);
    bytes.put_slice(&message.encode_to_vec());
    bytes.freeze()
}

/// A flight that this gateway leads, kept alive by a heartbeat until it completes. If dropped before, it ends when its
/// time to live expires.
pub(crate) struct DistributedFlight {
    gateway: Arc<GatewayState>,
    key: String,
    token: String,
    heartbeat: Option<AbortHandle>,
}

impl DistributedFlight {
    /// Returns the flight of a call that leads it; `token` identifies the call.
    pub(crate) fn new(gateway: &Arc<GatewayState>, key: &str, token: &str) -> Self {
        let (gateway, key, token) = (Arc::clone(gateway), key.to_owned(), token.to_owned());
        let beat = {
            let (gateway, key, token) = (Arc::clone(&gateway), key.clone(), token.clone());
            async move {
                let ttl = gateway.config.flight_ttl;
                loop {
                    tokio::time::sleep(ttl / 3).await;
                    // The next heartbeat makes up for a missed one.
                    let _ = gateway.cache.join_flight(&key, &token, ttl).await;
                }
            }
        };
        Self { gateway, key, token, heartbeat: Some(tokio::spawn(beat).abort_handle()) }
    }

    /// Returns a flight without Redis: other gateways do not take part.
    pub(crate) fn local_only(gateway: &Arc<GatewayState>, key: &str, token: &str, cause: &CacheError) -> Self {
        tracing::warn!(error = %cause, "single flight limited to this gateway");
        Self { gateway: Arc::clone(gateway), key: key.to_owned(), token: token.to_owned(), heartbeat: None }
    }

    /// Ends the flight of a call that may or may not lead it.
    pub(crate) fn finish_if_leading(gateway: &GatewayState, key: &str, token: &str, message: &FlightMessage) {
        let (cache, message) = (gateway.cache.clone(), message.write());
        let (key, token) = (key.to_owned(), token.to_owned());
        gateway.tasks.spawn(async move { cache.flight_end(&key, &token, message).await });
    }

    pub(crate) async fn complete(self, message: &FlightMessage) {
        if let Some(heartbeat) = &self.heartbeat {
            heartbeat.abort();
            let _ = self.gateway.cache.flight_end(&self.key, &self.token, message.write()).await;
        }
    }
}

impl Drop for DistributedFlight {
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
        let (body, content_type) = (vec![1, 2].into(), "t".to_owned());
        let unpaid = v1::Extraction { body, content_type, auto_render: true, incomplete: true };
        for message in [
            FlightMessage::Cached,
            FlightMessage::Retry,
            FlightMessage::Failed(failure),
            FlightMessage::Abandoned(unpaid),
        ] {
            assert_eq!(FlightMessage::decode(&message.write()), message);
        }
        for broken in [&b""[..], b"x", b"f\xff", b"u\xff"] {
            assert_eq!(FlightMessage::decode(broken), FlightMessage::Retry, "an unreadable message means to try again");
        }
    }
}
