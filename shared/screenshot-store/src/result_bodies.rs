//! Bodies of cached results that are too large for Redis, each under a name that is used once.

use crate::{ScreenshotStore, ScreenshotStoreError, is_not_found, screenshot_name};
use bytes::Bytes;
use object_store::path::Path;
use object_store::{ObjectStoreExt, PutPayload};
use std::time::{Duration, SystemTime};
use uuid::Uuid;

/// Directory of the bodies; each day has one below it.
pub(crate) const FOLDER: &str = "results";

/// Time limit of reading a body: a caller waits, and a slow store must not cost more than a new extraction.
const READ_TIMEOUT: Duration = Duration::from_secs(3);

impl ScreenshotStore {
    /// Stores the body of a result and returns its name.
    ///
    /// # Errors
    /// The store rejects the request or does not answer.
    pub async fn put_result(&self, body: Bytes) -> Result<String, ScreenshotStoreError> {
        let name = format!("{}/{}", screenshot_name::day(SystemTime::now()), Uuid::new_v4().simple());
        metrics::counter!("limner_cache_object_bytes_total").increment(body.len() as u64);
        let path = path(&name).ok_or(ScreenshotStoreError::InvalidUrl)?;
        self.with_timeout(async { Ok(self.store.put(&path, PutPayload::from(body)).await?) }).await?;
        Ok(name)
    }

    /// Returns the body of a result; `None` if it has expired or the name is none.
    ///
    /// # Errors
    /// The store rejects the request or does not answer in time.
    pub async fn get_result(&self, name: &str) -> Result<Option<Bytes>, ScreenshotStoreError> {
        let Some(path) = path(name) else { return Ok(None) };
        let read = async {
            match self.store.get(&path).await {
                Ok(found) => Ok(Some(crate::capped_bytes(found).await?)),
                Err(fault) if is_not_found(&fault) => Ok(None),
                Err(fault) => Err(fault.into()),
            }
        };
        tokio::time::timeout(READ_TIMEOUT, read).await.unwrap_or(Err(ScreenshotStoreError::Slow(READ_TIMEOUT)))
    }
}

/// Returns the location of a body. Names come from Redis: nothing but a day and a random part is one.
fn path(name: &str) -> Option<Path> {
    let (day, random) = name.split_once('/')?;
    let is_name = day.parse::<u64>().is_ok() && Uuid::try_parse(random).is_ok();
    is_name.then(|| Path::from(format!("{FOLDER}/{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DAY;
    use crate::tests::in_folder;

    #[tokio::test]
    async fn bodies_are_read_by_the_name_that_they_got() {
        let (_dir, store) = in_folder();
        let name = store.put_result(Bytes::from_static(b"body")).await.unwrap();
        assert_eq!(store.get_result(&name).await.unwrap().unwrap(), "body");
        assert_ne!(store.put_result(Bytes::from_static(b"body")).await.unwrap(), name);
        let (day, random) = name.split_once('/').unwrap();
        for other in ["", "a/b", "../screenshots/1", &format!("{day}/../{random}"), &format!("{}/{random}", u64::MAX)] {
            assert_eq!(store.get_result(other).await.unwrap(), None, "{other}");
        }
    }

    #[tokio::test]
    async fn expired_bodies_are_removed_with_screenshots() {
        let (dir, store) = in_folder();
        let today = screenshot_name::day(SystemTime::now());
        for day in [today - 3, today] {
            let path = path(&format!("{day}/{}", Uuid::new_v4().simple())).unwrap();
            store.store.put(&path, PutPayload::from_static(b"body")).await.unwrap();
        }
        assert_eq!(store.delete_expired(SystemTime::now(), DAY).await.unwrap(), 1);
        let count = |day: u64| {
            let folder = dir.path().join("objects").join(FOLDER).join(day.to_string());
            std::fs::read_dir(folder).map_or(0, Iterator::count)
        };
        assert_eq!((count(today - 3), count(today)), (0, 1));
    }
}
