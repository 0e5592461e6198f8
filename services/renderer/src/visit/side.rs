//! Side resources: files beyond page and sheets that an operation reads. They are loaded by the page's own browser, so that
//! they go the same way and count against the same allowance.

use super::Visit;
use crate::cdp::{CdpError, Session};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use limner_page::media_type::MediaType;
use limner_page::{PageSnapshot, Resource};
use limner_types::Operation;
use limner_worker::side::{self, Known, Load, Loaded};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;
use url::Url;

/// How long one resource may take.
const LOAD: Duration = Duration::from_secs(8);
/// Bytes that are read at once.
const CHUNK: usize = 1 << 20;

#[derive(Deserialize)]
struct Loading {
    resource: LoadedResource,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LoadedResource {
    success: bool,
    http_status_code: Option<f64>,
    stream: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Piece {
    #[serde(default)]
    base64_encoded: bool,
    data: String,
    eof: bool,
}

impl Visit {
    /// Adds what `operation` reads, and leaves in the snapshot nothing that only others read; see [`side::complete`].
    pub(super) async fn complete(&self, snapshot: &mut PageSnapshot, operation: Operation) -> Known {
        let loader = Loader { session: &self.page.session, frame: &self.page.main_frame };
        side::complete(snapshot, operation, &self.limits().side, &loader).await
    }
}

/// Loads files in the name of a page.
struct Loader<'a> {
    session: &'a Session,
    frame: &'a str,
}

impl Load for Loader<'_> {
    async fn load(&self, url: Url, most: usize) -> Loaded {
        match self.resource(&url, most).await {
            // No status: refused by the proxy, or no answer. Which of them, only the proxy knows; it refuses for good.
            Ok(resource) if resource.status == 0 => Loaded::nothing(&url, false),
            Ok(resource) => Loaded::answer(resource),
            Err(cause) => {
                tracing::debug!(url.full = %url, error = %cause, "a side resource could not be read");
                Loaded::nothing(&url, true)
            }
        }
    }
}

impl Loader<'_> {
    async fn resource(&self, url: &Url, most: usize) -> Result<Resource, CdpError> {
        let params = json!({
            "frameId": self.frame, "url": url.as_str(),
            "options": {"disableCache": false, "includeCredentials": false},
        });
        let Loading { resource } = self.session.call("Network.loadNetworkResource", params, LOAD).await?;
        let status = resource.http_status_code.map_or(0, |status| status as u16);
        let header = resource.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        let content_type = header.map(|(_, value)| MediaType::parse(value).essence).unwrap_or_default();
        let (mut body, mut truncated) = (Vec::new(), false);
        if let Some(stream) = &resource.stream {
            if resource.success {
                (body, truncated) = self.drain(stream, most).await?;
            }
            self.session.tell("IO.close", json!({"handle": stream})).await;
        }
        Ok(Resource { url: url.to_string(), status, content_type, body, truncated })
    }

    async fn drain(&self, stream: &str, most: usize) -> Result<(Vec<u8>, bool), CdpError> {
        let mut bytes = Vec::new();
        loop {
            let params = json!({"handle": stream, "size": CHUNK});
            let piece: Piece = self.session.call("IO.read", params, LOAD).await?;
            if piece.base64_encoded {
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
