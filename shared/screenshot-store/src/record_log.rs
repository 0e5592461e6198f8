//! A log of small records that is only appended to: an object for each, in a directory or a bucket.

use super::{ScreenshotStore, ScreenshotStoreError, capped_bytes};
use bytes::Bytes;
use futures::TryStreamExt;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// Directory of the records.
const FOLDER: &str = "records";

/// The log. Cheap to clone.
///
/// A record is never changed, so that a bucket with a retention lock keeps the log too.
#[derive(Debug, Clone)]
pub struct RecordLog(ScreenshotStore);

impl RecordLog {
    /// Opens the log at `file:///a/folder` or `s3://bucket/prefix`; see [`ScreenshotStore::open`].
    ///
    /// # Errors
    /// See [`ScreenshotStore::open`].
    pub fn open(address: &str) -> Result<Self, ScreenshotStoreError> {
        ScreenshotStore::open(address).map(Self)
    }

    /// Appends a record.
    ///
    /// # Errors
    /// The store rejects the request or does not answer. The record may have been stored nevertheless.
    pub async fn append(&self, record: Bytes) -> Result<(), ScreenshotStoreError> {
        let micros = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        // Names sort by time.
        let path = Path::from(format!("{FOLDER}/{micros:020}-{}.json", Uuid::new_v4().simple()));
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        self.0
            .with_timeout(async {
                self.0.store.put_opts(&path, PutPayload::from(record), options).await?;
                Ok(())
            })
            .await
    }

    /// Returns all records, oldest first.
    ///
    /// # Errors
    /// The store rejects a request or does not answer.
    pub async fn read(&self) -> Result<Vec<Bytes>, ScreenshotStoreError> {
        let folder = Path::from(FOLDER);
        let listed = self.0.store.list(Some(&folder)).map_ok(|object| object.location);
        let mut paths: Vec<Path> = listed.try_collect().await?;
        paths.sort();
        let mut records = Vec::with_capacity(paths.len());
        for path in paths {
            records.push(self.0.with_timeout(async { capped_bytes(self.0.store.get(&path).await?).await }).await?);
        }
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn records_are_read_in_order_and_from_another_process() {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("file://{}/log", folder.path().display());
        let log = RecordLog::open(&address).unwrap();
        assert!(log.read().await.unwrap().is_empty());
        for record in ["one", "two", "three"] {
            log.append(record.into()).await.unwrap();
        }
        assert_eq!(RecordLog::open(&address).unwrap().read().await.unwrap(), ["one", "two", "three"]);
    }
}
