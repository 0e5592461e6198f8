//! Side resources: files beyond page and sheets that an operation reads.

use super::Reader;
use super::document::{media_type, without_fragment};
use super::headers::{Wanted, for_request};
use futures::StreamExt;
use limner_netguard::{Caps, Fetched, Get, Overflow};
use limner_page::{PageSnapshot, Resource};
use limner_types::Operation;
use std::collections::HashSet;
use std::sync::Arc;
use tokio::time::Instant;
use url::Url;

impl Reader {
    /// Adds what `operation` needs and the snapshot lacks. Says whether anything was added. What can't be had is kept
    /// as a resource with status 0, so that nobody asks for it again.
    pub async fn complete(
        &self,
        snapshot: &mut PageSnapshot,
        operation: Operation,
        deadline: impl Into<Instant>,
    ) -> bool {
        let deadline = deadline.into();
        let Ok(page) = Url::parse(&snapshot.url) else { return false };
        let before = snapshot.resources.len();
        let mut asked: HashSet<String> = snapshot.resources.keys().cloned().collect();
        for _ in 0..self.limits.side_rounds {
            let Some(wanted) = self.next_wishes(snapshot, operation, &mut asked).await else { break };
            let bytes = snapshot.resources.values().map(|resource| resource.body.len()).sum::<usize>();
            let mut left = self.limits.side_bytes.saturating_sub(bytes);
            let fetches = futures::stream::iter(wanted).map(|url| self.side_resource(&page, url, deadline));
            let mut fetched = std::pin::pin!(fetches.buffered(self.limits.parallel));
            while let Some((key, mut resource)) = fetched.next().await {
                if resource.body.len() > left {
                    resource = Resource { url: resource.url, truncated: true, ..Resource::default() };
                }
                snapshot.truncated |= resource.truncated;
                left -= resource.body.len();
                snapshot.resources.insert(key, resource);
            }
        }
        snapshot.resources.len() > before
    }

    /// The addresses to fetch next; `None` when there is nothing new or no room.
    async fn next_wishes(
        &self,
        snapshot: &mut PageSnapshot,
        operation: Operation,
        asked: &mut HashSet<String>,
    ) -> Option<Vec<Url>> {
        let room = self.limits.side_resources.saturating_sub(snapshot.resources.len());
        // Finding out means parsing the page: work, not waiting.
        let shared = Arc::new(std::mem::take(snapshot));
        let seen_by_worker = Arc::clone(&shared);
        let needs = tokio::task::spawn_blocking(move || limner_extract::needs(operation, &seen_by_worker)).await;
        *snapshot = Arc::unwrap_or_clone(shared);
        let needs = needs.inspect_err(|panic| tracing::error!(error = %panic, "needs panicked")).ok()?;
        let mut wanted = Vec::new();
        for address in needs {
            if !asked.insert(address.clone()) {
                continue;
            }
            let url = Url::parse(&address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            wanted.extend(url);
        }
        wanted.truncate(room);
        (!wanted.is_empty()).then_some(wanted)
    }

    async fn side_resource(&self, page: &Url, url: Url, deadline: Instant) -> (String, Resource) {
        let key = without_fragment(&url).to_string();
        let headers = for_request(&self.limits.user_agent, Wanted::Other(page), &url);
        let caps = Caps {
            max_bytes: self.limits.side_resource_bytes,
            max_redirects: self.limits.redirects,
            overflow: Overflow::Truncate,
        };
        let resource = match self.client.get(Get { url, headers, caps, deadline }).await {
            Ok(fetched) => to_resource(&fetched),
            Err(cause) => {
                tracing::debug!(url.full = key, error = %cause, "a side resource could not be read");
                Resource { url: key.clone(), ..Resource::default() }
            }
        };
        (key, resource)
    }
}

fn to_resource(fetched: &Fetched) -> Resource {
    let found = fetched.status.is_success();
    Resource {
        url: without_fragment(&fetched.url).to_string(),
        status: fetched.status.as_u16(),
        content_type: media_type(&fetched.headers).essence,
        // Error pages are nobody's business.
        body: if found { fetched.body.to_vec() } else { Vec::new() },
        truncated: found && fetched.truncated,
    }
}
