//! `GET /screenshots/{name}`: public, because names cannot be guessed, and immutable under a name.

use crate::error::CallError;
use crate::handle_request::GatewayState;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures::stream::{self, Stream};
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use limner_runtime::http::{MemoryBudget, forwarded_address};
use limner_runtime::subscriber;
use limner_screenshot_store::{MEDIA_TYPE, Screenshot, ScreenshotName};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// Size of a chunk that is read at once.
const PART_BYTES: u64 = 256 * 1024;

/// Number of screenshot requests within a minute, by address.
pub(crate) struct ScreenshotRateLimiter {
    counts: moka::future::Cache<IpAddr, Arc<AtomicU32>>,
    limit: u32,
}

const MINUTE: Duration = Duration::from_secs(60);
/// Maximum number of addresses that are tracked.
const MAX_ADDRESSES: u64 = 100_000;

impl ScreenshotRateLimiter {
    /// Allows each address `most` requests per minute.
    pub(crate) fn new(limit: u32) -> Self {
        let counts = moka::future::Cache::builder().max_capacity(MAX_ADDRESSES).time_to_live(MINUTE).build();
        Self { counts, limit }
    }

    /// Counts a request. Returns false if the address has exceeded the limit.
    async fn may_ask(&self, address: IpAddr) -> bool {
        let count = self.counts.get_with(address, async { Arc::default() }).await;
        count.fetch_add(1, Ordering::Relaxed) < self.limit
    }
}

impl GatewayState {
    /// Returns the address that a request is counted for; `None` behind a proxy that does not pass it.
    fn asker(&self, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
        if !self.config.peers.is_proxy(peer) {
            return Some(subscriber(peer.to_canonical()));
        }
        forwarded_address(headers, self.config.client_address_header.as_deref()?).map(subscriber)
    }

    pub(crate) async fn screenshot(
        &self,
        name: &str,
        peer: IpAddr,
        headers: &HeaderMap,
    ) -> Result<Response, CallError> {
        if let Some(asker) = self.asker(peer, headers)
            && !self.screenshot_askers.may_ask(asker).await
        {
            return Err(CallError::too_many_screenshots());
        }
        let screenshots = self.screenshots.as_ref().ok_or_else(CallError::screenshot_not_found)?;
        let name: ScreenshotName = name.parse().map_err(|_| CallError::screenshot_not_found())?;
        let found = screenshots.find(&name).await.map_err(|cause| {
            tracing::error!(error = %cause, "cannot read a screenshot");
            CallError::internal()
        })?;
        let screenshot = found.ok_or_else(CallError::screenshot_not_found)?;
        let bytes = screenshot.bytes();
        let parts = parts(screenshot, self.memory_budget.clone(), self.config.peers.pace.timeout);
        let mut response = Response::new(Body::from_stream(parts));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        headers.insert(CONTENT_LENGTH, bytes.into());
        let left = name.remaining_ttl(SystemTime::now()).as_secs();
        if let Ok(freshness) = HeaderValue::from_str(&format!("public, max-age={left}, immutable")) {
            headers.insert(CACHE_CONTROL, freshness);
        }
        Ok(response)
    }
}

/// Streams the screenshot in chunks, each read when the previous one was sent and the memory budget has room.
fn parts(
    screenshot: Screenshot,
    room: MemoryBudget,
    patience: Duration,
) -> impl Stream<Item = Result<Bytes, axum::BoxError>> + Send {
    stream::try_unfold((screenshot, 0), move |(screenshot, from)| {
        let room = room.clone();
        async move {
            let to = screenshot.bytes().min(from + PART_BYTES);
            if from == to {
                return Ok(None);
            }
            let share = room.reserve_for_request(PART_BYTES as usize, patience).await?;
            let part = share.hold(screenshot.read(from..to).await?);
            Ok(Some((part, (screenshot, to))))
        }
    })
}
