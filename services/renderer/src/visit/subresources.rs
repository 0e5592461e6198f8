//! Loads subresources that an operation reads with the page's own browser, so that they use the same network path and
//! count against the same budget.

use super::Visit;
use super::network::fields;
use crate::cdp::{CdpError, Session};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide_cdp::cdp::browser_protocol::io::{CloseParams, ReadParams, StreamHandle};
use chromiumoxide_cdp::cdp::browser_protocol::network::{LoadNetworkResourceOptions, LoadNetworkResourceParams};
use chromiumoxide_cdp::cdp::browser_protocol::page::FrameId;
use limner_page::media_type::MediaType;
use limner_page::{PageSnapshot, Resource};
use limner_page_worker::PageError;
use limner_page_worker::subresources::{self, KnownSubresources, LoadedSubresource, SubresourceLoader};
use limner_types::Operation;
use std::time::Duration;
use url::Url;

/// Time limit for one resource.
const LOAD: Duration = Duration::from_secs(8);
/// Number of bytes read at once.
const CHUNK: i64 = 1 << 20;

impl Visit {
    /// Adds the subresources that `operation` reads, and removes from the snapshot those that only others read; see
    /// [`subresources::load_subresources`].
    ///
    /// # Errors
    /// Returns [`PageError::TooCostly`] if listing them takes too much work.
    pub(super) async fn complete(
        &self,
        snapshot: &mut PageSnapshot,
        operation: Operation,
    ) -> Result<KnownSubresources, PageError> {
        let loader = BrowserLoader { session: &self.page.session, frame: &self.page.main_frame };
        let limits = &self.limits().subresources;
        subresources::load_subresources(snapshot, operation, limits, &loader, self.deadline).await
    }
}

/// Loads subresources of a page.
struct BrowserLoader<'a> {
    session: &'a Session,
    frame: &'a FrameId,
}

impl SubresourceLoader for BrowserLoader<'_> {
    async fn load(&self, url: Url, most: usize) -> LoadedSubresource {
        match self.resource(&url, most).await {
            // No status: refused by the proxy, or no response. Only the proxy knows which; a refusal is permanent.
            Ok(resource) if resource.status == 0 => LoadedSubresource::nothing(&url, false),
            Ok(resource) => LoadedSubresource::from_response(resource),
            Err(cause) => {
                tracing::debug!(url.full = %url, error = %cause, "cannot load a subresource");
                LoadedSubresource::late(&url)
            }
        }
    }
}

impl BrowserLoader<'_> {
    async fn resource(&self, url: &Url, most: usize) -> Result<Resource, CdpError> {
        let options = LoadNetworkResourceOptions::new(false, false);
        let params = LoadNetworkResourceParams {
            frame_id: Some(self.frame.clone()),
            ..LoadNetworkResourceParams::new(url.as_str(), options)
        };
        let resource = self.session.call(params, LOAD).await?.resource;
        let status = resource.http_status_code.map_or(0, |status| status as u16);
        let headers = resource.headers.unwrap_or_default();
        let header = fields(&headers).find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        let media_type = header.map(|(_, value)| MediaType::parse(value)).unwrap_or_default();
        let MediaType { essence: content_type, charset } = media_type;
        let (mut body, mut truncated) = (Vec::new(), false);
        if let Some(stream) = resource.stream {
            if resource.success {
                (body, truncated) = self.drain(&stream, most).await?;
            }
            self.session.send_and_forget(CloseParams::new(stream)).await;
        }
        Ok(Resource { url: url.to_string(), status, content_type, charset, body, truncated })
    }

    async fn drain(&self, stream: &StreamHandle, most: usize) -> Result<(Vec<u8>, bool), CdpError> {
        let mut bytes = Vec::new();
        loop {
            let params = ReadParams { size: Some(CHUNK), ..ReadParams::new(stream.clone()) };
            let piece = self.session.call(params, LOAD).await?;
            if piece.base64_encoded.unwrap_or_default() {
                bytes.extend(STANDARD.decode(&piece.data).unwrap_or_default());
            } else {
                bytes.extend_from_slice(piece.data.as_bytes());
            }
            if bytes.len() > most {
                bytes.truncate(most);
                return Ok((bytes, true));
            }
            if piece.eof {
                return Ok((bytes, false));
            }
        }
    }
}
