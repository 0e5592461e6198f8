//! Side resources: files beyond page and sheets that an operation reads. They are loaded by the page's own browser, so that
//! they go the same way and count against the same allowance.

use super::Visit;
use crate::cdp::{CdpError, Session};
use crate::config::VisitLimits;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use limner_page::media_type::MediaType;
use limner_page::{PageSnapshot, Resource};
use limner_types::Operation;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// How long one resource may take.
const LOAD: Duration = Duration::from_secs(8);
/// Bytes that are read at once.
const CHUNK: usize = 1 << 20;

#[derive(Deserialize)]
struct Loaded {
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
    /// Adds what `operation` needs and the snapshot lacks. What can't be had is kept as a resource with status 0, so
    /// that nobody asks for it again.
    pub(super) async fn complete(&self, snapshot: &mut PageSnapshot, operation: Operation) {
        let loader = Loader { session: &self.page.session, frame: &self.page.main_frame, limits: self.limits() };
        loader.complete(snapshot, operation).await;
    }
}

/// What `operation` needs and the snapshot lacks, as far as it can be loaded at all.
pub(super) async fn wishes(snapshot: &mut PageSnapshot, operation: Operation) -> Vec<String> {
    // Finding out means parsing the page: work, not waiting.
    let shared = Arc::new(std::mem::take(snapshot));
    let seen_by_worker = Arc::clone(&shared);
    let needs = tokio::task::spawn_blocking(move || limner_extract::needs(operation, &seen_by_worker)).await;
    *snapshot = Arc::unwrap_or_clone(shared);
    let needs = needs.inspect_err(|panic| tracing::error!(error = %panic, "needs panicked")).unwrap_or_default();
    let is_http = |address: &String| Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    let is_new = |address: &String| !snapshot.resources.contains_key(address);
    needs.into_iter().filter(is_http).filter(is_new).collect()
}

/// Loads files in the name of a page.
pub(crate) struct Loader<'a> {
    pub(crate) session: &'a Session,
    pub(crate) frame: &'a str,
    pub(crate) limits: &'a VisitLimits,
}

impl Loader<'_> {
    async fn complete(&self, snapshot: &mut PageSnapshot, operation: Operation) {
        let mut asked: HashSet<String> = snapshot.resources.keys().cloned().collect();
        for _ in 0..self.limits.side_rounds {
            let wanted = self.next_wishes(snapshot, operation, &mut asked).await;
            if wanted.is_empty() {
                return;
            }
            for address in wanted {
                let bytes: usize = snapshot.resources.values().map(|resource| resource.body.len()).sum();
                let most = self.limits.side_resource_bytes.min(self.limits.side_bytes.saturating_sub(bytes));
                let resource = self.load(&address, most).await.unwrap_or_else(|cause| {
                    tracing::debug!(url.full = address, error = %cause, "a side resource could not be read");
                    Resource { url: address.clone(), ..Resource::default() }
                });
                snapshot.truncated |= resource.truncated;
                snapshot.resources.insert(address, resource);
            }
        }
    }

    async fn next_wishes(
        &self,
        snapshot: &mut PageSnapshot,
        operation: Operation,
        asked: &mut HashSet<String>,
    ) -> Vec<String> {
        let room = self.limits.side_resources.saturating_sub(snapshot.resources.len());
        let wanted = wishes(snapshot, operation).await;
        wanted.into_iter().filter(|address| asked.insert(address.clone())).take(room).collect()
    }

    async fn load(&self, address: &str, most: usize) -> Result<Resource, CdpError> {
        let params = json!({
            "frameId": self.frame, "url": address,
            "options": {"disableCache": false, "includeCredentials": false},
        });
        let Loaded { resource } = self.session.call("Network.loadNetworkResource", params, LOAD).await?;
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
        Ok(Resource { url: address.to_owned(), status, content_type, body, truncated })
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
