//! Results in the form in which they are sent, within the gateway's memory budget.

use bytes::Bytes;
use http::HeaderValue;
use limner_cache::{BodyPlace, CacheError, CachedResult};
use limner_runtime::http::{BudgetExhausted, MemoryBudget, Reservation};
use limner_screenshot_store::{ScreenshotStore, ScreenshotStoreError};
use std::time::Duration;

/// An unpacked result, ready to be sent. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct UnpackedResult {
    /// A JSON object without `usage`, or the text of another format.
    pub(crate) body: Bytes,
    pub(crate) content_type: HeaderValue,
    pub(crate) auto_render: bool,
}

/// The media type of a result that has none.
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Compressed results above this size are unpacked on a blocking thread, not on those that serve requests.
const BLOCKING_UNPACK_BYTES: usize = 256 * 1024;

/// The reason why a cached result could not be unpacked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnpackError {
    #[error(transparent)]
    Broken(#[from] CacheError),
    #[error(transparent)]
    Store(#[from] ScreenshotStoreError),
    #[error("its body is not in the object store")]
    NoBody,
    #[error(transparent)]
    NoRoom(#[from] BudgetExhausted),
}

/// Unpacks results, waiting for free memory in the budget.
pub(crate) struct ResultUnpacker {
    max_bytes: usize,
    memory_budget: MemoryBudget,
    timeout: Duration,
    objects: Option<ScreenshotStore>,
}

impl ResultUnpacker {
    /// Unpacks results of at most `max_bytes`, and waits for memory for `timeout`. Bodies of large results are in
    /// `objects`.
    pub(crate) fn new(
        max_bytes: usize,
        memory_budget: MemoryBudget,
        timeout: Duration,
        objects: Option<ScreenshotStore>,
    ) -> Self {
        Self { max_bytes, memory_budget, timeout, objects }
    }

    /// Unpacks a cached result. It uses budgeted memory for as long as it is referenced.
    pub(crate) async fn unpack(&self, kept: CachedResult) -> Result<UnpackedResult, UnpackError> {
        let kept = match kept.place {
            BodyPlace::Inline => kept,
            BodyPlace::Object => self.read_body(kept).await?,
        };
        let max_bytes = self.max_bytes;
        let share = self.memory_budget.reserve(kept.max_decompressed_bytes(max_bytes), self.timeout).await?;
        if kept.body.len() < BLOCKING_UNPACK_BYTES {
            return Ok(unpack_inline(kept, max_bytes, share)?);
        }
        let unpacked = tokio::task::spawn_blocking(move || unpack_inline(kept, max_bytes, share)).await;
        Ok(unpacked.unwrap_or_else(|cause| Err(std::io::Error::other(cause).into()))?)
    }

    /// Returns the result with its body, which the object store has.
    async fn read_body(&self, kept: CachedResult) -> Result<CachedResult, UnpackError> {
        let (Some(objects), Ok(name)) = (&self.objects, std::str::from_utf8(&kept.body)) else {
            return Err(UnpackError::NoBody);
        };
        let body = objects.get_result(name).await?.ok_or(UnpackError::NoBody)?;
        Ok(CachedResult { body, place: BodyPlace::Inline, ..kept })
    }
}

fn unpack_inline(kept: CachedResult, max_bytes: usize, share: Reservation) -> Result<UnpackedResult, CacheError> {
    let body = share.hold(kept.decompress(max_bytes)?);
    let content_type = HeaderValue::try_from(kept.content_type).unwrap_or(JSON);
    Ok(UnpackedResult { body, content_type, auto_render: kept.auto_render })
}
