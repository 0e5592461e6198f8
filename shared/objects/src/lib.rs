//! Screenshots: kept in a folder or an S3 bucket, each under a name that nobody can guess, for seven days. The only user of
//! the object store library.
//!
//! A name says when the screenshot was made, so that whether it is still to be shown is known without asking anybody, and
//! whatever is over can be removed folder by folder. What may be seen of a screenshot's address is nothing but its name.

mod http;
mod name;

pub use name::ScreenshotName;

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

/// How long a screenshot can be seen.
pub const LIFE: Duration = Duration::from_secs(7 * 24 * 3_600);

/// What a screenshot is served as.
pub const MEDIA_TYPE: &str = "image/png";

/// Removed only a day after nobody can see it any more: clocks differ.
const MARGIN: Duration = Duration::from_secs(24 * 3_600);

/// Why screenshots can't be kept or shown.
#[derive(Debug, thiserror::Error)]
pub enum ObjectsError {
    /// The address is none that screenshots could be kept at.
    #[error("the address is no place for objects: give file:///a/folder or s3://bucket")]
    Address,
    /// The store refuses or does not answer.
    #[error("the object store: {0}")]
    Store(#[from] object_store::Error),
    /// The store takes too long.
    #[error("the object store did not answer within {} s", .0.as_secs_f64())]
    Slow(Duration),
    /// What the store gives is no screenshot.
    #[error("the object store gives {0} bytes for a screenshot")]
    TooLarge(u64),
    /// The folder can't be made.
    #[error("the folder of objects: {0}")]
    Folder(#[from] std::io::Error),
}

/// A screenshot in the store, to be read in parts.
#[derive(Debug)]
pub struct Screenshot {
    store: Screenshots,
    path: Path,
    bytes: u64,
}

impl Screenshot {
    /// Its size.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads a part of it.
    ///
    /// # Errors
    /// The store refuses or does not answer, or does not have it any more.
    pub async fn read(&self, part: Range<u64>) -> Result<Bytes, ObjectsError> {
        self.store.in_time(async { Ok(self.store.store.get_range(&self.path, part).await?) }).await
    }
}

/// Where screenshots are. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Screenshots {
    store: Arc<dyn ObjectStore>,
    /// Whether lists come in the order of names.
    is_sorted: bool,
    patience: Duration,
}

impl Screenshots {
    /// Screenshots at `file:///a/folder` or `s3://bucket/prefix`. For a bucket, credentials, region and endpoint come
    /// from the environment (`AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL`, …).
    ///
    /// # Errors
    /// The address is neither, the folder can't be made, or the environment makes no sense.
    pub fn open(address: &str) -> Result<Self, ObjectsError> {
        let variables = std::env::vars_os();
        Self::open_in(
            address,
            variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        )
    }

    /// The same in an environment of those variables.
    ///
    /// # Errors
    /// As [`Screenshots::open`].
    pub fn open_in(address: &str, variables: impl IntoIterator<Item = (String, String)>) -> Result<Self, ObjectsError> {
        let unknown = || ObjectsError::Address;
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
                // An endpoint of one's own may well be plain HTTP.
                let builder = bucket_of(variables).with_bucket_name(bucket).with_allow_http(true);
                let builder = builder.with_http_connector(http::Connector);
                let store = builder.with_retry(retries()).build()?;
                match url.path().trim_matches('/') {
                    "" => Arc::new(store),
                    prefix => Arc::new(PrefixStore::new(store, prefix)),
                }
            }
            _ => return Err(unknown()),
        };
        Ok(Self { store, is_sorted, patience: PATIENCE })
    }

    /// Makes sure that objects can be kept, read and removed here.
    ///
    /// # Errors
    /// The store refuses or does not answer: most likely its bucket is missing, or not ours.
    pub async fn check(&self) -> Result<(), ObjectsError> {
        let path = Path::from("limner-check");
        self.in_time(async {
            self.store.put(&path, PutPayload::from_static(b"kept")).await?;
            bytes_of(self.store.get(&path).await?).await?;
            Ok(self.store.delete(&path).await?)
        })
        .await
    }

    /// Keeps a screenshot, and says under which name.
    ///
    /// # Errors
    /// The store refuses or does not answer.
    pub async fn keep(&self, png: Bytes) -> Result<ScreenshotName, ObjectsError> {
        let name = ScreenshotName::new(SystemTime::now());
        metrics::counter!("limner_objects_kept_bytes_total").increment(png.len() as u64);
        let path = path(&name);
        let attributes = Attributes::from_iter([(Attribute::ContentType, MEDIA_TYPE)]);
        let options = PutOptions { attributes, ..PutOptions::default() };
        self.in_time(async {
            match self.store.put_opts(&path, PutPayload::from(png.clone()), options).await {
                // Folders have no attributes; they know what they keep.
                Err(object_store::Error::NotImplemented { .. }) => self.store.put(&path, png.into()).await?,
                outcome => outcome?,
            };
            Ok(name)
        })
        .await
    }

    /// Returns a screenshot that can still be seen; `None`: it never was, or is over.
    ///
    /// # Errors
    /// The store refuses or does not answer.
    pub async fn find(&self, name: &ScreenshotName) -> Result<Option<Screenshot>, ObjectsError> {
        if name.left(SystemTime::now()).is_zero() {
            return Ok(None);
        }
        let path = path(name);
        let found = self.in_time(async {
            match self.store.head(&path).await {
                Ok(found) => Ok(Some(found)),
                Err(object_store::Error::NotFound { .. }) => Ok(None),
                Err(fault) => Err(fault.into()),
            }
        });
        let Some(found) = found.await? else { return Ok(None) };
        if found.size > http::LARGEST_OBJECT as u64 {
            return Err(ObjectsError::TooLarge(found.size));
        }
        Ok(Some(Screenshot { store: self.clone(), path, bytes: found.size }))
    }

    /// As [`Screenshots::find`], all of it at once.
    ///
    /// # Errors
    /// The store refuses or does not answer.
    pub async fn show(&self, name: &ScreenshotName) -> Result<Option<Bytes>, ObjectsError> {
        match self.find(name).await? {
            Some(found) => Ok(Some(found.read(0..found.bytes()).await?)),
            None => Ok(None),
        }
    }

    /// Removes what nobody can see any more, and says how much that was.
    ///
    /// # Errors
    /// The store refuses or does not answer.
    pub async fn sweep(&self, now: SystemTime) -> Result<usize, ObjectsError> {
        let Some(oldest) = now.checked_sub(LIFE + MARGIN) else { return Ok(0) };
        let last_day_over = name::day(oldest).saturating_sub(1);
        let mut objects = self.store.list(Some(&Path::from(FOLDER)));
        let mut removed = 0;
        // A list need not end.
        for _ in 0..MOST_SWEPT {
            let Some(object) = self.in_time(async { Ok(objects.try_next().await?) }).await? else { break };
            match day_of(&object.location) {
                Some(day) if day <= last_day_over => {}
                Some(_) if self.is_sorted => break,
                _ => continue,
            }
            match self.in_time(async { Ok(self.store.delete(&object.location).await?) }).await {
                Ok(()) => removed += 1,
                // Another was quicker.
                Err(ObjectsError::Store(object_store::Error::NotFound { .. })) => {}
                Err(fault) => return Err(fault),
            }
        }
        metrics::counter!("limner_objects_swept_total").increment(removed as u64);
        Ok(removed)
    }

    /// Gives up on a store that takes too long: somebody waits.
    async fn in_time<T>(&self, asking: impl Future<Output = Result<T, ObjectsError>>) -> Result<T, ObjectsError> {
        let asked = tokio::time::timeout(self.patience, asking).await;
        asked.unwrap_or(Err(ObjectsError::Slow(self.patience)))
    }
}

/// The bytes of an object that is no larger than a screenshot, whatever the store says of its size.
async fn bytes_of(found: GetResult) -> Result<Bytes, ObjectsError> {
    if found.meta.size > http::LARGEST_OBJECT as u64 {
        return Err(ObjectsError::TooLarge(found.meta.size));
    }
    Ok(found.bytes().await?)
}

/// The day that a screenshot was made on.
fn day_of(location: &Path) -> Option<u64> {
    location.parts().nth(1)?.as_ref().parse().ok()
}

/// A bucket as those variables that the AWS tools know say.
fn bucket_of(variables: impl IntoIterator<Item = (String, String)>) -> AmazonS3Builder {
    let known = variables.into_iter().filter(|(name, _)| name.starts_with("AWS_"));
    known.fold(AmazonS3Builder::new(), |builder, (name, value)| match name.to_ascii_lowercase().parse() {
        Ok(key) => builder.with_config(key, value),
        Err(_) => builder,
    })
}

/// Somebody waits for the answer: what does not work after some seconds is told.
fn retries() -> RetryConfig {
    RetryConfig { max_retries: 3, retry_timeout: Duration::from_secs(10), ..RetryConfig::default() }
}

const FOLDER: &str = "screenshots";

/// For one operation on the store, all its requests together.
const PATIENCE: Duration = Duration::from_secs(20);

/// Objects that one sweep looks at: more than a day of a large fleet.
const MOST_SWEPT: usize = 1_000_000;

fn path(name: &ScreenshotName) -> Path {
    Path::from(format!("{FOLDER}/{}/{name}", name.day()))
}

#[cfg(test)]
mod hostile_bucket;

#[cfg(test)]
mod tests {
    use super::*;

    fn in_folder() -> (tempfile::TempDir, Screenshots) {
        let dir = tempfile::tempdir().unwrap();
        let screenshots = Screenshots::open(&format!("file://{}/objects", dir.path().display())).unwrap();
        (dir, screenshots)
    }

    #[tokio::test]
    async fn what_is_kept_is_shown_and_nothing_else() {
        let (_dir, screenshots) = in_folder();
        let name = screenshots.keep(Bytes::from_static(b"png")).await.unwrap();
        assert_eq!(screenshots.show(&name).await.unwrap().unwrap(), "png");
        let found = screenshots.find(&name).await.unwrap().unwrap();
        assert_eq!((found.bytes(), found.read(1..3).await.unwrap()), (3, Bytes::from_static(b"ng")));
        let other = ScreenshotName::new(SystemTime::now());
        assert_eq!(screenshots.show(&other).await.unwrap(), None);
        assert_ne!(name, other);
    }

    #[tokio::test]
    async fn a_place_is_checked_and_left_as_it_was() {
        let (dir, screenshots) = in_folder();
        screenshots.check().await.unwrap();
        let objects = dir.path().join("objects");
        assert_eq!(std::fs::read_dir(&objects).unwrap().count(), 0);
        std::fs::remove_dir(&objects).unwrap();
        std::fs::write(&objects, "a file where the folder was").unwrap();
        assert!(matches!(screenshots.check().await, Err(ObjectsError::Store(_))));
    }

    #[tokio::test]
    async fn after_seven_days_it_is_gone_and_a_little_later_removed() {
        let (dir, screenshots) = in_folder();
        let now = SystemTime::now();
        let (old, over) = (ScreenshotName::new(now - LIFE * 2), ScreenshotName::new(now - LIFE));
        for name in [&old, &over] {
            screenshots.store.put(&path(name), PutPayload::from_static(b"png")).await.unwrap();
            assert_eq!(screenshots.show(name).await.unwrap(), None);
        }
        let kept = screenshots.keep(Bytes::from_static(b"png")).await.unwrap();
        assert_eq!(screenshots.sweep(now).await.unwrap(), 1);
        let file = |name| dir.path().join("objects").join(path(name).as_ref());
        assert!(!file(&old).exists() && file(&over).exists() && file(&kept).exists());
        assert_eq!(screenshots.sweep(now).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn buckets_keep_show_and_sweep_as_folders_do() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut server = limner_testkit::S3::temporary().await.unwrap();
        let open = |address: &str| Screenshots::open_in(address, server.environment()).unwrap();
        let (screenshots, below) = (open("s3://limner-shots"), open("s3://limner-shots/some/where/"));
        screenshots.check().await.unwrap();
        let now = SystemTime::now();
        let png = Bytes::from(vec![7; 6 << 20]);
        let name = screenshots.keep(png.clone()).await.unwrap();
        assert_eq!(screenshots.show(&name).await.unwrap().unwrap(), png);
        let found = screenshots.find(&name).await.unwrap().unwrap();
        assert_eq!((found.bytes(), found.read(5..9).await.unwrap()), (6 << 20, png.slice(5..9)));
        let stored = screenshots.store.get(&path(&name)).await.unwrap();
        assert_eq!(stored.attributes.get(&Attribute::ContentType).unwrap().as_ref(), MEDIA_TYPE);
        assert_eq!(screenshots.show(&ScreenshotName::new(now)).await.unwrap(), None);
        // A prefix is a place of its own.
        assert_eq!(below.show(&name).await.unwrap(), None);
        let elsewhere = below.keep(Bytes::from_static(b"png")).await.unwrap();
        assert_eq!(below.show(&elsewhere).await.unwrap().unwrap(), "png");

        let old = ScreenshotName::new(now - LIFE * 2);
        screenshots.store.put(&path(&old), PutPayload::from_static(b"png")).await.unwrap();
        assert_eq!(screenshots.show(&old).await.unwrap(), None);
        assert_eq!(screenshots.sweep(now).await.unwrap(), 1);
        let gone = screenshots.store.head(&path(&old)).await;
        assert!(matches!(gone, Err(object_store::Error::NotFound { .. })), "{gone:?}");
        assert!(screenshots.show(&name).await.unwrap().is_some());

        let stranger = [("AWS_SECRET_ACCESS_KEY".to_owned(), "another".to_owned())];
        let refused = Screenshots::open_in("s3://limner-shots", server.environment().into_iter().chain(stranger));
        assert!(matches!(refused.unwrap().check().await, Err(ObjectsError::Store(_))));
        server.stop();
        assert!(screenshots.show(&name).await.is_err(), "what cannot be asked is not `not there`");
    }

    #[test]
    fn only_folders_and_buckets_keep_objects() {
        for address in ["", "folder", "http://a.test/", "ftp://a.test/"] {
            assert!(matches!(Screenshots::open(address), Err(ObjectsError::Address)), "{address}");
        }
    }
}
