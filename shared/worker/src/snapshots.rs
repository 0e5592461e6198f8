//! Snapshots in the cache: nine operations on one page are one read.

use bytes::Bytes;
use limner_cache::Cache;
use limner_page::{Degradation, PageSnapshot};
use limner_proto::v1;
use prost::Message;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// Fast to write: a snapshot lives for minutes.
const LEVEL: i32 = 1;

/// More than any snapshot the reader makes.
const MOST_BYTES: u64 = 128 * 1024 * 1024;

/// A snapshot that is kept briefly, until a call has made a result of it.
#[must_use = "a snapshot that was good for a result is kept longer"]
pub struct Unconfirmed {
    snapshots: Snapshots,
    page: String,
    put: JoinHandle<()>,
}

impl Unconfirmed {
    /// Keeps the snapshot longer, beside the caller.
    pub fn confirm(self) {
        tokio::spawn(async move {
            let _ = self.put.await;
            if let Err(cause) = self.snapshots.0.confirm_snapshot(&self.page).await {
                tracing::debug!(error = %cause, "a snapshot was not kept longer");
            }
        });
    }
}

/// The snapshots of the last minutes. Without Redis there are none.
#[derive(Clone)]
pub struct Snapshots(pub Cache);

impl Snapshots {
    /// The snapshot that is kept under a name, if any.
    pub async fn get(&self, page: &str) -> Option<PageSnapshot> {
        let found = self.0.get_snapshot(page).await;
        let bytes = found.inspect_err(|cause| tracing::debug!(error = %cause, "no snapshot cache")).ok()??;
        let read = tokio::task::spawn_blocking(move || decode(&bytes)).await.ok()?;
        read.inspect_err(|cause| tracing::warn!(error = %cause, "a kept snapshot could not be read")).ok()
    }

    /// Keeps a snapshot beside the caller, whose call has not ended yet.
    pub fn put_beside(&self, page: String, snapshot: Arc<PageSnapshot>) -> Unconfirmed {
        let (snapshots, name) = (self.clone(), page.clone());
        let put = tokio::spawn(async move { snapshots.put(&name, snapshot).await });
        Unconfirmed { snapshots: self.clone(), page, put }
    }

    /// Keeps a snapshot. One that lacks sheets for want of time is not worth it: the next read may be luckier.
    pub async fn put(&self, page: &str, snapshot: Arc<PageSnapshot>) {
        if snapshot.degradation == Some(Degradation::MissingStyles) {
            return;
        }
        let encoded = tokio::task::spawn_blocking(move || encode(&snapshot)).await;
        let Ok(Ok(bytes)) = encoded else {
            tracing::warn!("a snapshot could not be encoded");
            return;
        };
        if let Err(cause) = self.0.put_snapshot(page, bytes).await {
            tracing::debug!(error = %cause, "a snapshot was not kept");
        }
    }
}

fn encode(snapshot: &PageSnapshot) -> std::io::Result<Bytes> {
    let message = v1::PageSnapshot::from(snapshot.clone());
    Ok(zstd::bulk::compress(&message.encode_to_vec(), LEVEL)?.into())
}

fn decode(bytes: &[u8]) -> std::io::Result<PageSnapshot> {
    use std::io::Read;
    let mut plain = Vec::new();
    zstd::stream::read::Decoder::with_buffer(bytes)?.take(MOST_BYTES).read_to_end(&mut plain)?;
    let message = v1::PageSnapshot::decode(plain.as_slice()).map_err(std::io::Error::other)?;
    Ok(message.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_survive_the_cache() {
        let snapshot = PageSnapshot { html: "<p>é".repeat(1_000), status: 200, ..PageSnapshot::default() };
        assert_eq!(decode(&encode(&snapshot).unwrap()).unwrap(), snapshot);
        assert!(decode(b"nonsense").is_err());
    }
}
