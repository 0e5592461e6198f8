//! Cached snapshots: nine operations on one page need one read.

use bytes::Bytes;
use limner_cache::Cache;
use limner_page::{Degradation, PageSnapshot};
use limner_proto::v1;
use prost::Message;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// Compression level: fast, because a snapshot lives for minutes.
const LEVEL: i32 = 1;

/// Larger than any snapshot of a reader.
const MAX_SNAPSHOT_BYTES: u64 = 128 * 1024 * 1024;

/// A snapshot that is cached briefly, until a call has made a result of it.
#[must_use = "a snapshot that was good for a result is kept longer"]
pub struct Unconfirmed {
    snapshots: Snapshots,
    page: String,
    put: JoinHandle<()>,
}

impl Unconfirmed {
    /// Extends the snapshot's lifetime, in the background.
    pub fn confirm(self) {
        tokio::spawn(async move {
            let _ = self.put.await;
            if let Err(cause) = self.snapshots.0.confirm_snapshot(&self.page).await {
                tracing::debug!(error = %cause, "cannot extend a snapshot's lifetime");
            }
        });
    }
}

/// The cached snapshots of the last minutes. Without Redis there are none.
#[derive(Clone)]
pub struct Snapshots(pub Cache);

impl Snapshots {
    /// Returns the snapshot cached under a name, if any.
    pub async fn get(&self, page: &str) -> Option<PageSnapshot> {
        let found = self.0.get_snapshot(page).await;
        let bytes = found.inspect_err(|cause| tracing::debug!(error = %cause, "snapshot cache unavailable")).ok()??;
        let read = tokio::task::spawn_blocking(move || decode(&bytes)).await.ok()?;
        read.inspect_err(|cause| tracing::warn!(error = %cause, "cannot decode a cached snapshot")).ok()
    }

    /// Caches a snapshot in the background, while its call continues.
    pub fn put_in_background(&self, page: String, snapshot: Arc<PageSnapshot>) -> Unconfirmed {
        let (snapshots, name) = (self.clone(), page.clone());
        let put = tokio::spawn(async move { snapshots.put(&name, snapshot).await });
        Unconfirmed { snapshots: self.clone(), page, put }
    }

    /// Caches a snapshot. One that lacks stylesheets because time ran out is not cached: the next read may get them.
    pub async fn put(&self, page: &str, snapshot: Arc<PageSnapshot>) {
        if snapshot.degradation == Some(Degradation::MissingStyles) {
            return;
        }
        let encoded = tokio::task::spawn_blocking(move || encode(&snapshot)).await;
        let Ok(Ok(bytes)) = encoded else {
            tracing::warn!("cannot encode a snapshot");
            return;
        };
        if let Err(cause) = self.0.put_snapshot(page, bytes).await {
            tracing::debug!(error = %cause, "cannot cache a snapshot");
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
    zstd::stream::read::Decoder::with_buffer(bytes)?.take(MAX_SNAPSHOT_BYTES).read_to_end(&mut plain)?;
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
