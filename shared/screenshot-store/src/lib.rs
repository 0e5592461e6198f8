//! Screenshots: stored in a directory or an S3 bucket for seven days, each under an unguessable name. The only user of
//! the object store library, and therefore the place of large results' bodies and of [`RecordLog`] too.
//!
//! A name contains the time of the screenshot. Its expiry is therefore known without a request, and expired screenshots
//! can be removed directory by directory. A screenshot's URL contains only its name.
//!
//! ```
//! use limner_screenshot_store::{SCREENSHOT_TTL, ScreenshotStore};
//! use std::time::SystemTime;
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let folder = tempfile::tempdir().unwrap();
//! let store = ScreenshotStore::open(&format!("file://{}", folder.path().display())).unwrap();
//! let name = store.put("the PNG".into()).await.unwrap();
//! assert_eq!(store.get(&name).await.unwrap().unwrap(), "the PNG");
//! assert!(name.remaining_ttl(SystemTime::now()) <= SCREENSHOT_TTL);
//! # });
//! ```

mod http;
mod record_log;
mod result_bodies;
mod screenshot_name;

pub use crate::record_log::RecordLog;
pub use crate::screenshot_name::ScreenshotName;

use bytes::Bytes;
use futures::TryStreamExt;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{
    Attribute, Attributes, GetResult, ObjectStore, ObjectStoreExt, PutOptions, PutPayload, RetryConfig,
};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use url::Url;
use uuid::Uuid;

const DAY: Duration = Duration::from_secs(24 * 3_600);

/// Lifetime of a screenshot.
pub const SCREENSHOT_TTL: Duration = DAY.saturating_mul(7);

/// Media type of a screenshot.
pub const MEDIA_TYPE: &str = "image/png";

/// Time between expiry and removal: clocks differ.
const MARGIN: Duration = DAY;

/// An error of the screenshot store.
#[derive(Debug, thiserror::Error)]
pub enum ScreenshotStoreError {
    /// The URL is invalid.
    #[error("the address is no place for objects: give file:///a/folder or s3://bucket")]
    InvalidUrl,
    /// The store rejects a request or does not answer.
    #[error("the object store: {0}")]
    Store(#[from] object_store::Error),
    /// The store is too slow.
    #[error("the object store did not answer within {} s", .0.as_secs_f64())]
    Slow(Duration),
    /// The stored object is too large for a screenshot.
    #[error("the object store gives {0} bytes for a screenshot")]
    TooLarge(u64),
    /// The directory cannot be created.
    #[error("the folder of objects: {0}")]
    Folder(#[from] std::io::Error),
}

/// A stored screenshot, to be read in parts.
#[derive(Debug)]
pub struct Screenshot {
    store: ScreenshotStore,
    path: Path,
    bytes: u64,
}

impl Screenshot {
    /// Returns its size.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads a range of it.
    ///
    /// # Errors
    /// The store fails, or does not have it any more.
    pub async fn read(&self, part: Range<u64>) -> Result<Bytes, ScreenshotStoreError> {
        self.store.with_timeout(async { Ok(self.store.store.get_range(&self.path, part).await?) }).await
    }
}

/// The store of screenshots. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ScreenshotStore {
    store: Arc<dyn ObjectStore>,
    /// True if the store lists names in order.
    is_sorted: bool,
    timeout: Duration,
}

impl ScreenshotStore {
    /// Opens the store at `file:///a/folder` or `s3://bucket/prefix`. For a bucket, credentials, region and endpoint
    /// come from the environment (`AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL`, …).
    ///
    /// # Errors
    /// The URL is of another kind, the directory cannot be created, or the environment is invalid.
    pub fn open(address: &str) -> Result<Self, ScreenshotStoreError> {
        let variables = std::env::vars_os();
        Self::open_in(
            address,
            variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        )
    }

    /// Like [`ScreenshotStore::open`], with the given environment.
    ///
    /// # Errors
    /// See [`ScreenshotStore::open`].
    pub fn open_in(
        address: &str,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ScreenshotStoreError> {
        let unknown = || ScreenshotStoreError::InvalidUrl;
        let url = Url::parse(address).map_err(|_| unknown())?;
        let is_sorted = url.scheme() == "s3";
        let store: Arc<dyn ObjectStore> = match url.scheme() {
            "file" => {
                let folder = url.to_file_path().map_err(|()| unknown())?;
                std::fs::create_dir_all(&folder)?;
                Arc::new(LocalFileSystem::new_with_prefix(folder)?.with_automatic_cleanup(true))
            }
            "s3" => {
                let bucket = url.host_str().ok_or_else(unknown)?;
                // A self-hosted endpoint may use plain HTTP.
                let builder = bucket_from_env(variables).with_bucket_name(bucket).with_allow_http(true);
                let builder = builder.with_http_connector(http::Connector);
                let store = builder.with_retry(retries()).build()?;
                match url.path().trim_matches('/') {
                    "" => Arc::new(store),
                    prefix => Arc::new(PrefixStore::new(store, prefix)),
                }
            }
            _ => return Err(unknown()),
        };
        Ok(Self { store, is_sorted, timeout: OPERATION_TIMEOUT })
    }

    /// Checks that objects can be written, read and removed.
    ///
    /// # Errors
    /// The store fails: most likely its bucket is missing, or belongs to another owner.
    pub async fn check(&self) -> Result<(), ScreenshotStoreError> {
        let path = Path::from("limner-check");
        self.with_timeout(async {
            self.store.put(&path, PutPayload::from_static(b"kept")).await?;
            capped_bytes(self.store.get(&path).await?).await?;
            Ok(self.store.delete(&path).await?)
        })
        .await
    }

    /// Stores a screenshot and returns its name.
    ///
    /// # Errors
    /// The store rejects the request or does not answer.
    pub async fn put(&self, png: Bytes) -> Result<ScreenshotName, ScreenshotStoreError> {
        let name = ScreenshotName::new(SystemTime::now());
        metrics::counter!("limner_screenshots_stored_bytes_total").increment(png.len() as u64);
        let path = path(&name);
        let attributes = Attributes::from_iter([(Attribute::ContentType, MEDIA_TYPE)]);
        let options = PutOptions { attributes, ..PutOptions::default() };
        self.with_timeout(async {
            match self.store.put_opts(&path, PutPayload::from(png.clone()), options).await {
                // Directories do not support attributes.
                Err(object_store::Error::NotImplemented { .. }) => self.store.put(&path, png.into()).await?,
                outcome => outcome?,
            };
            Ok(name)
        })
        .await
    }

    /// Returns a screenshot; `None` if it does not exist or has expired.
    ///
    /// # Errors
    /// The store rejects the request or does not answer.
    pub async fn find(&self, name: &ScreenshotName) -> Result<Option<Screenshot>, ScreenshotStoreError> {
        if name.remaining_ttl(SystemTime::now()).is_zero() {
            return Ok(None);
        }
        let path = path(name);
        let found = self.with_timeout(async {
            match self.store.head(&path).await {
                Ok(found) => Ok(Some(found)),
                Err(fault) if is_not_found(&fault) => Ok(None),
                Err(fault) => Err(fault.into()),
            }
        });
        let Some(found) = found.await? else { return Ok(None) };
        if found.size > http::MAX_OBJECT_BYTES as u64 {
            return Err(ScreenshotStoreError::TooLarge(found.size));
        }
        Ok(Some(Screenshot { store: self.clone(), path, bytes: found.size }))
    }

    /// Like [`ScreenshotStore::find`], with its whole content.
    ///
    /// # Errors
    /// The store rejects the request or does not answer.
    pub async fn get(&self, name: &ScreenshotName) -> Result<Option<Bytes>, ScreenshotStoreError> {
        match self.find(name).await? {
            Some(found) => Ok(Some(found.read(0..found.bytes()).await?)),
            None => Ok(None),
        }
    }

    /// Removes expired screenshots and bodies of results, and returns their number. `result_ttl` is the time for which
    /// caches refer to a result.
    ///
    /// # Errors
    /// The store rejects a request or does not answer.
    pub async fn delete_expired(&self, now: SystemTime, result_ttl: Duration) -> Result<usize, ScreenshotStoreError> {
        // A clock of this machine that is ahead must not make objects older than they are.
        let now = now.min(self.time_of_store().await?);
        let screenshots = self.delete_older(FOLDER, now, SCREENSHOT_TTL).await?;
        metrics::counter!("limner_screenshots_deleted_total").increment(screenshots as u64);
        Ok(screenshots + self.delete_older(result_bodies::FOLDER, now, result_ttl).await?)
    }

    /// Removes the objects of a folder whose days are older than `ttl`, and returns their number.
    async fn delete_older(&self, folder: &str, now: SystemTime, ttl: Duration) -> Result<usize, ScreenshotStoreError> {
        let Some(oldest) = now.checked_sub(ttl + MARGIN) else { return Ok(0) };
        let last_day_over = crate::screenshot_name::day(oldest).saturating_sub(1);
        let mut objects = self.store.list(Some(&Path::from(folder)));
        let mut removed = 0;
        // A store's list may be endless.
        for _ in 0..MAX_SWEPT_OBJECTS {
            let Some(object) = self.with_timeout(async { Ok(objects.try_next().await?) }).await? else { break };
            match day_of(&object.location) {
                Some(day) if day <= last_day_over => {}
                Some(_) if self.is_sorted => break,
                _ => continue,
            }
            match self.with_timeout(async { Ok(self.store.delete(&object.location).await?) }).await {
                Ok(()) => removed += 1,
                // Another process removed it first.
                Err(ScreenshotStoreError::Store(fault)) if is_not_found(&fault) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(removed)
    }

    /// Returns the current time by the clock of the store.
    async fn time_of_store(&self) -> Result<SystemTime, ScreenshotStoreError> {
        // Other processes may ask at the same time.
        let path = Path::from(format!("limner-time-{}", Uuid::new_v4().simple()));
        self.with_timeout(async {
            self.store.put(&path, PutPayload::from_static(b"now")).await?;
            let kept = self.store.head(&path).await?;
            self.store.delete(&path).await?;
            Ok(kept.last_modified.into())
        })
        .await
    }

    /// Applies the time limit of an operation, because a caller waits for it.
    async fn with_timeout<T>(
        &self,
        asking: impl Future<Output = Result<T, ScreenshotStoreError>>,
    ) -> Result<T, ScreenshotStoreError> {
        let asked = tokio::time::timeout(self.timeout, asking).await;
        asked.unwrap_or(Err(ScreenshotStoreError::Slow(self.timeout)))
    }
}

fn is_not_found(fault: &object_store::Error) -> bool {
    matches!(fault, object_store::Error::NotFound { .. })
}

/// Reads an object up to the maximum size of a screenshot, whatever size the store declares.
async fn capped_bytes(found: GetResult) -> Result<Bytes, ScreenshotStoreError> {
    if found.meta.size > http::MAX_OBJECT_BYTES as u64 {
        return Err(ScreenshotStoreError::TooLarge(found.meta.size));
    }
    Ok(found.bytes().await?)
}

/// Returns the day of a screenshot from its location.
fn day_of(location: &Path) -> Option<u64> {
    location.parts().nth(1)?.as_ref().parse().ok()
}

/// Configures a bucket from the variables that AWS tools use.
fn bucket_from_env(variables: impl IntoIterator<Item = (String, String)>) -> AmazonS3Builder {
    let known = variables.into_iter().filter(|(name, _)| name.starts_with("AWS_"));
    known.fold(AmazonS3Builder::new(), |builder, (name, value)| match name.to_ascii_lowercase().parse() {
        Ok(key) => builder.with_config(key, value),
        Err(_) => builder,
    })
}

/// Retries only for some seconds, because a caller waits.
fn retries() -> RetryConfig {
    RetryConfig { max_retries: 3, retry_timeout: Duration::from_secs(10), ..RetryConfig::default() }
}

const FOLDER: &str = "screenshots";

/// Time limit of one operation on the store, with all its requests.
const OPERATION_TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum number of objects that one sweep lists: more than a large fleet's per day.
const MAX_SWEPT_OBJECTS: usize = 1_000_000;

fn path(name: &ScreenshotName) -> Path {
    Path::from(format!("{FOLDER}/{}/{name}", name.day()))
}

#[cfg(test)]
mod hostile_bucket;

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn in_folder() -> (tempfile::TempDir, ScreenshotStore) {
        let dir = tempfile::tempdir().unwrap();
        let screenshots = ScreenshotStore::open(&format!("file://{}/objects", dir.path().display())).unwrap();
        (dir, screenshots)
    }

    #[tokio::test]
    async fn only_stored_screenshots_are_shown() {
        let (_dir, screenshots) = in_folder();
        let name = screenshots.put(Bytes::from_static(b"png")).await.unwrap();
        assert_eq!(screenshots.get(&name).await.unwrap().unwrap(), "png");
        let found = screenshots.find(&name).await.unwrap().unwrap();
        assert_eq!((found.bytes(), found.read(1..3).await.unwrap()), (3, Bytes::from_static(b"ng")));
        let other = ScreenshotName::new(SystemTime::now());
        assert_eq!(screenshots.get(&other).await.unwrap(), None);
        assert_ne!(name, other);
    }

    #[tokio::test]
    async fn checking_the_store_leaves_no_object() {
        let (dir, screenshots) = in_folder();
        screenshots.check().await.unwrap();
        let objects = dir.path().join("objects");
        assert_eq!(std::fs::read_dir(&objects).unwrap().count(), 0);
        std::fs::remove_dir(&objects).unwrap();
        std::fs::write(&objects, "a file where the folder was").unwrap();
        assert!(matches!(screenshots.check().await, Err(ScreenshotStoreError::Store(_))));
    }

    #[tokio::test]
    async fn screenshots_expire_after_seven_days_and_are_removed_later() {
        let (dir, screenshots) = in_folder();
        let now = SystemTime::now();
        let (old, over) = (ScreenshotName::new(now - SCREENSHOT_TTL * 2), ScreenshotName::new(now - SCREENSHOT_TTL));
        for name in [&old, &over] {
            screenshots.store.put(&path(name), PutPayload::from_static(b"png")).await.unwrap();
            assert_eq!(screenshots.get(name).await.unwrap(), None);
        }
        let kept = screenshots.put(Bytes::from_static(b"png")).await.unwrap();
        assert_eq!(screenshots.delete_expired(now, DAY).await.unwrap(), 1);
        let file = |name| dir.path().join("objects").join(path(name).as_ref());
        assert!(!file(&old).exists() && file(&over).exists() && file(&kept).exists());
        assert_eq!(screenshots.delete_expired(now, DAY).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn screenshots_are_not_removed_early_when_the_clock_is_set_forward() {
        let (dir, screenshots) = in_folder();
        let name = screenshots.put(Bytes::from_static(b"png")).await.unwrap();
        assert_eq!(screenshots.delete_expired(SystemTime::now() + SCREENSHOT_TTL * 10, DAY).await.unwrap(), 0);
        assert!(screenshots.get(&name).await.unwrap().is_some());
        let remaining_ttl = std::fs::read_dir(dir.path().join("objects")).unwrap();
        assert_eq!(remaining_ttl.count(), 1, "nothing but the folder of screenshots");
    }

    #[tokio::test]
    async fn buckets_behave_like_directories() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut server = limner_local_servers::S3::temporary().await.unwrap();
        let open = |address: &str| ScreenshotStore::open_in(address, server.environment()).unwrap();
        let (screenshots, below) = (open("s3://limner-shots"), open("s3://limner-shots/some/where/"));
        screenshots.check().await.unwrap();
        let now = SystemTime::now();
        let body = screenshots.put_result(Bytes::from_static(b"body")).await.unwrap();
        assert_eq!(screenshots.get_result(&body).await.unwrap().unwrap(), "body");
        assert_eq!(below.get_result(&body).await.unwrap(), None);
        let png = Bytes::from(vec![7; 6 << 20]);
        let name = screenshots.put(png.clone()).await.unwrap();
        assert_eq!(screenshots.get(&name).await.unwrap().unwrap(), png);
        let found = screenshots.find(&name).await.unwrap().unwrap();
        assert_eq!((found.bytes(), found.read(5..9).await.unwrap()), (6 << 20, png.slice(5..9)));
        let stored = screenshots.store.get(&path(&name)).await.unwrap();
        assert_eq!(stored.attributes.get(&Attribute::ContentType).unwrap().as_ref(), MEDIA_TYPE);
        assert_eq!(screenshots.get(&ScreenshotName::new(now)).await.unwrap(), None);
        // A prefix is a separate store.
        assert_eq!(below.get(&name).await.unwrap(), None);
        let elsewhere = below.put(Bytes::from_static(b"png")).await.unwrap();
        assert_eq!(below.get(&elsewhere).await.unwrap().unwrap(), "png");

        let old = ScreenshotName::new(now - SCREENSHOT_TTL * 2);
        screenshots.store.put(&path(&old), PutPayload::from_static(b"png")).await.unwrap();
        assert_eq!(screenshots.get(&old).await.unwrap(), None);
        assert_eq!(screenshots.delete_expired(now, DAY).await.unwrap(), 1);
        let gone = screenshots.store.head(&path(&old)).await;
        assert!(matches!(gone, Err(object_store::Error::NotFound { .. })), "{gone:?}");
        assert!(screenshots.get(&name).await.unwrap().is_some());

        let stranger = [("AWS_SECRET_ACCESS_KEY".to_owned(), "another".to_owned())];
        let refused = ScreenshotStore::open_in("s3://limner-shots", server.environment().into_iter().chain(stranger));
        assert!(matches!(refused.unwrap().check().await, Err(ScreenshotStoreError::Store(_))));
        server.stop();
        assert!(screenshots.get(&name).await.is_err(), "a failing store is not `not found`");
    }

    #[test]
    fn only_directories_and_buckets_are_supported() {
        for address in ["", "folder", "http://a.test/", "ftp://a.test/"] {
            assert!(matches!(ScreenshotStore::open(address), Err(ScreenshotStoreError::InvalidUrl)), "{address}");
        }
    }
}
