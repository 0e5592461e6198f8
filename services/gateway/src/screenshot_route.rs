//! `GET /screenshots/{name}`: public, because names cannot be guessed, and immutable under a name.

use crate::config::Config;
use crate::error::CallError;
use crate::state::GatewayState;
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
use std::time::{Duration, SystemTime};

/// Size of a chunk that is read at once.
const PART_BYTES: u64 = 256 * 1024;

/// Answers `GET /screenshots/{name}`.
pub(crate) async fn screenshot(
    gateway: &GatewayState,
    name: &str,
    peer: IpAddr,
    headers: &HeaderMap,
) -> Result<Response, CallError> {
    if let Some(asker) = asker(&gateway.config, peer, headers)
        && !gateway.screenshot_rate_limiter.may_ask(asker).await
    {
        return Err(CallError::too_many_screenshots());
    }
    let screenshots = gateway.screenshots.as_ref().ok_or_else(CallError::screenshot_not_found)?;
    let name: ScreenshotName = name.parse().map_err(|_| CallError::screenshot_not_found())?;
    let found = screenshots.find(&name).await.map_err(|cause| {
        tracing::error!(error = %cause, "cannot read a screenshot");
        CallError::internal()
    })?;
    let screenshot = found.ok_or_else(CallError::screenshot_not_found)?;
    let bytes = screenshot.bytes();
    let parts = parts(screenshot, gateway.memory_budget.clone(), gateway.config.peers.pace.timeout);
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

/// Returns the address that a request is counted for; `None` behind a proxy that does not pass it.
fn asker(config: &Config, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
    if !config.peers.is_proxy(peer) {
        return Some(subscriber(peer.to_canonical()));
    }
    forwarded_address(headers, config.client_address_header.as_deref()?).map(subscriber)
}

/// Streams the screenshot in chunks, each read when the previous one was sent and the memory budget has room.
fn parts(
    screenshot: Screenshot,
    room: MemoryBudget,
    timeout: Duration,
) -> impl Stream<Item = Result<Bytes, axum::BoxError>> + Send {
    stream::try_unfold((screenshot, 0), move |(screenshot, from)| {
        let room = room.clone();
        async move {
            let to = screenshot.bytes().min(from + PART_BYTES);
            if from == to {
                return Ok(None);
            }
            let share = room.reserve_for_request(PART_BYTES as usize, timeout).await?;
            let part = share.hold(screenshot.read(from..to).await?);
            Ok(Some((part, (screenshot, to))))
        }
    })
}
