//! Cached results of the last 24 hours, compressed.

use crate::connection::{TimeoutClass, millis};
use crate::{Cache, CacheConfig, CacheError};
use bytes::{BufMut, Bytes, BytesMut};
use fred::interfaces::KeysInterface;
use fred::types::Expiration;
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::time::Duration;

/// A cached result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedResult {
    /// JSON object without `usage`, or the text of another format; compressed with zstd. In Redis it may be the name of
    /// the object with that.
    pub body: Bytes,
    /// The place of the body.
    pub place: BodyPlace,
    /// Its media type.
    pub content_type: String,
    /// True if the automatic browser fallback was used.
    pub auto_render: bool,
    /// True if something did not arrive in time, so that a repeat may give more: cached for minutes only.
    pub incomplete: bool,
    /// Time of extraction, in seconds since the epoch.
    pub created_unix: i64,
}

/// The place of a result's body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BodyPlace {
    /// In the result.
    #[default]
    Inline,
    /// In the object store, under the name in the result.
    Object,
}

/// First byte of a cached result. Changes with the layout, so that releases do not misread each other's results.
const LAYOUT: u8 = 2;
/// First byte of a result whose body is in the object store: a layout of its own, which releases that know only bodies in
/// the result treat as missing.
const LAYOUT_IN_OBJECT: u8 = 3;
const HEADER_BYTES: usize = 1 + 1 + 8 + 8 + 1;
/// Bits of the second byte.
const AUTO_RENDER: u8 = 1;
const INCOMPLETE: u8 = 2;
/// Compression level: results are read far more often than written, and beyond level 3 zstd's gain flattens.
const LEVEL: i32 = 3;

/// The version of a cached result, which distinguishes it from earlier and later ones under the same key: its first
/// bytes, with the creation time and a digest of its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultVersion(Bytes);

impl ResultVersion {
    /// Returns the version of an encoded result.
    pub(crate) fn from_result_bytes(bytes: &Bytes) -> Option<Self> {
        (bytes.len() >= HEADER_BYTES).then(|| Self(Bytes::copy_from_slice(&bytes[..HEADER_BYTES])))
    }

    pub(crate) fn into_bytes(self) -> Bytes {
        self.0
    }
}

thread_local! {
    /// Reused, because creating a decompressor takes longer than unpacking a small result. `None`: out of memory.
    static DECOMPRESSOR: RefCell<Option<zstd::bulk::Decompressor<'static>>> =
        RefCell::new(zstd::bulk::Decompressor::new().ok());
}

impl CachedResult {
    /// Compresses a result.
    ///
    /// # Errors
    /// [`CacheError::Compression`] if memory runs out.
    pub fn compress(
        body: &[u8],
        content_type: impl Into<String>,
        auto_render: bool,
        created_unix: i64,
    ) -> Result<Self, CacheError> {
        let body = zstd::bulk::compress(body, LEVEL)?.into();
        let (place, content_type) = (BodyPlace::Inline, content_type.into());
        Ok(Self { body, place, content_type, auto_render, incomplete: false, created_unix })
    }

    /// Decompresses the result.
    ///
    /// # Errors
    /// [`CacheError::Compression`] if it is corrupt, [`CacheError::TooLarge`] if it is larger than `max_bytes`.
    pub fn decompress(&self, max_bytes: usize) -> Result<Vec<u8>, CacheError> {
        match zstd::zstd_safe::get_frame_content_size(&self.body) {
            Ok(Some(declared)) => {
                let bytes = usize::try_from(declared).unwrap_or(usize::MAX);
                if bytes > max_bytes {
                    return Err(CacheError::TooLarge { bytes, max: max_bytes });
                }
                // A body larger than its declared size is an error, so that no result exceeds the limit.
                DECOMPRESSOR.with_borrow_mut(|decompressor| match decompressor {
                    Some(decompressor) => Ok(decompressor.decompress(&self.body, bytes)?),
                    None => Ok(zstd::bulk::decompress(&self.body, bytes)?),
                })
            }
            _ => self.decompress_unsized(max_bytes),
        }
    }

    /// Returns the maximum number of bytes that [`Self::decompress`] produces.
    pub fn max_decompressed_bytes(&self, max_bytes: usize) -> usize {
        let declared = zstd::zstd_safe::get_frame_content_size(&self.body).ok().flatten();
        declared.and_then(|bytes| usize::try_from(bytes).ok()).map_or(max_bytes, |bytes| bytes.min(max_bytes))
    }

    /// Decompresses a body without a declared size, which was not compressed by this crate.
    fn decompress_unsized(&self, max_bytes: usize) -> Result<Vec<u8>, CacheError> {
        let mut plain = Vec::new();
        let limit = u64::try_from(max_bytes).unwrap_or(u64::MAX).saturating_add(1);
        zstd::stream::read::Decoder::with_buffer(self.body.as_ref())?.take(limit).read_to_end(&mut plain)?;
        if plain.len() > max_bytes {
            return Err(CacheError::TooLarge { bytes: plain.len(), max: max_bytes });
        }
        Ok(plain)
    }

    /// Encodes the result: layout, flags, creation time, digest, media type, body.
    fn write(&self) -> Bytes {
        let content_type = self.content_type.as_bytes();
        let length = u8::try_from(content_type.len()).unwrap_or(u8::MAX);
        let content_type = &content_type[..usize::from(length)];
        let mut bytes = BytesMut::with_capacity(HEADER_BYTES + content_type.len() + self.body.len());
        bytes.put_u8(match self.place {
            BodyPlace::Inline => LAYOUT,
            BodyPlace::Object => LAYOUT_IN_OBJECT,
        });
        bytes.put_u8(u8::from(self.auto_render) * AUTO_RENDER + u8::from(self.incomplete) * INCOMPLETE);
        bytes.put_i64(self.created_unix);
        bytes.put_u64(self.digest());
        bytes.put_u8(length);
        bytes.put_slice(content_type);
        bytes.put_slice(&self.body);
        bytes.freeze()
    }

    /// Only compared with copies of the same encoding, so it may differ between releases.
    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write(self.content_type.as_bytes());
        hasher.write(&self.body);
        hasher.finish()
    }

    /// Decodes a result. One with another layout is treated as missing.
    pub(crate) fn decode(mut bytes: Bytes) -> Option<Self> {
        let header: [u8; HEADER_BYTES] = bytes.get(..HEADER_BYTES)?.try_into().ok()?;
        let [layout, flags, c0, c1, c2, c3, c4, c5, c6, c7, .., length] = header;
        let place = match layout {
            LAYOUT => BodyPlace::Inline,
            LAYOUT_IN_OBJECT => BodyPlace::Object,
            _ => return None,
        };
        let (created, length) = ([c0, c1, c2, c3, c4, c5, c6, c7], usize::from(length));
        if bytes.len() < HEADER_BYTES + length {
            return None;
        }
        let body = bytes.split_off(HEADER_BYTES + length);
        let content_type = std::str::from_utf8(&bytes[HEADER_BYTES..]).ok()?.to_owned();
        let created_unix = i64::from_be_bytes(created);
        let (auto_render, incomplete) = (flags & AUTO_RENDER != 0, flags & INCOMPLETE != 0);
        Some(Self { body, place, content_type, auto_render, incomplete, created_unix })
    }
}

impl Cache {
    /// Returns true if the result is small enough for Redis.
    pub fn fits(&self, result: &CachedResult) -> bool {
        result.body.len() <= self.config.max_result_bytes
    }

    /// Returns the time for which results are cached.
    pub fn result_ttl(&self) -> Duration {
        self.config.result_ttl
    }

    /// Caches a result for [`CacheConfig::result_ttl`], an incomplete one for [`CacheConfig::incomplete_result_ttl`];
    /// replaces an earlier one.
    ///
    /// # Errors
    /// [`CacheError::TooLarge`] and [`CacheError::Unavailable`].
    pub async fn put_result(&self, key: &str, result: &CachedResult) -> Result<(), CacheError> {
        if !self.fits(result) {
            return Err(CacheError::TooLarge { bytes: result.body.len(), max: self.config.max_result_bytes });
        }
        let CacheConfig { result_ttl, incomplete_result_ttl, .. } = *self.config;
        let life = if result.incomplete { result_ttl.min(incomplete_result_ttl) } else { result_ttl };
        let life = Expiration::PX(i64::try_from(millis(life)).unwrap_or(i64::MAX));
        let (key, value) = (self.redis_key("result", key), result.write());
        self.connection
            .execute("put_result", TimeoutClass::Blob, |client| async move {
                client.set(key, value, Some(life), None, false).await
            })
            .await
    }

    /// Returns a result that has not expired.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn get_result(&self, key: &str) -> Result<Option<CachedResult>, CacheError> {
        let key = self.redis_key("result", key);
        let bytes: Option<Bytes> = self
            .connection
            .execute("get_result", TimeoutClass::Blob, |client| async move { client.get(key).await })
            .await?;
        Ok(bytes.and_then(CachedResult::decode))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result() -> CachedResult {
        CachedResult::compress(b"{\"url\":\"https://a.com/\"}", "application/json", true, -5).unwrap()
    }

    #[test]
    fn cached_results_round_trip() {
        let plain = CachedResult { content_type: String::new(), auto_render: false, incomplete: true, ..result() };
        let in_object = CachedResult { body: Bytes::from_static(b"name"), place: BodyPlace::Object, ..result() };
        for result in [result(), plain, in_object] {
            assert_eq!(CachedResult::decode(result.write()).unwrap(), result);
        }
        assert_eq!(result().decompress(100).unwrap(), b"{\"url\":\"https://a.com/\"}");
    }

    #[test]
    fn undecodable_results_are_absent() {
        let mut other_layout = result().write().to_vec();
        other_layout[0] = 9;
        let mut length_past_the_end = result().write().to_vec();
        length_past_the_end[HEADER_BYTES - 1] = 255;
        for bytes in [vec![], vec![LAYOUT], vec![LAYOUT; 10], other_layout, length_past_the_end] {
            assert_eq!(CachedResult::decode(bytes.into()), None);
        }
    }

    #[test]
    fn bomb_is_not_inflated() {
        let bomb = CachedResult::compress(&vec![0; 1 << 20], "application/json", false, 0).unwrap();
        assert!(matches!(bomb.decompress(1_000), Err(CacheError::TooLarge { max: 1_000, .. })));
        assert_eq!(bomb.decompress(1 << 20).unwrap().len(), 1 << 20);
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        std::io::copy(&mut std::io::repeat(0).take(5_000), &mut encoder).unwrap();
        let unsized_bomb = CachedResult { body: encoder.finish().unwrap().into(), ..bomb.clone() };
        assert!(matches!(unsized_bomb.decompress(1_000), Err(CacheError::TooLarge { max: 1_000, .. })));
        assert_eq!(unsized_bomb.decompress(5_000).unwrap().len(), 5_000);
        let broken = CachedResult { body: Bytes::from_static(b"not zstd"), ..bomb };
        assert!(matches!(broken.decompress(1_000), Err(CacheError::Compression(_))));
    }
}
