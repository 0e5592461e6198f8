//! Loads subresources over HTTP.

use super::Reader;
use super::document::{media_type, without_fragment};
use super::request_headers::{RequestKind, for_request};
use limner_netguard::{Caps, FetchError, FetchRequest, FetchResponse, Overflow, Unreachable};
use limner_page::{PageSnapshot, Resource};
use limner_page_worker::PageError;
use limner_page_worker::subresources::{self, KnownSubresources, LoadedSubresource, SubresourceLoader};
use limner_types::Operation;
use tokio::time::Instant;
use url::Url;

impl Reader {
    /// Adds the subresources that `operation` reads, and removes from the snapshot those that only others read; see
    /// [`subresources::load_subresources`].
    ///
    /// # Errors
    /// Returns [`PageError::TooCostly`] if listing them takes too much work.
    pub async fn complete(
        &self,
        snapshot: &mut PageSnapshot,
        operation: Operation,
        deadline: impl Into<Instant>,
    ) -> Result<KnownSubresources, PageError> {
        let Ok(page) = Url::parse(&snapshot.url) else {
            return Ok(KnownSubresources { resources: snapshot.resources.clone(), is_new: false, lacks_some: false });
        };
        let deadline = deadline.into();
        let loader = HttpLoader { reader: self, page: &page, deadline };
        subresources::load_subresources(snapshot, operation, &self.limits.subresources, &loader, deadline).await
    }
}

/// Fetches subresources of a page.
struct HttpLoader<'a> {
    reader: &'a Reader,
    page: &'a Url,
    deadline: Instant,
}

impl SubresourceLoader for HttpLoader<'_> {
    async fn load(&self, url: Url, most: usize) -> LoadedSubresource {
        let Reader { client, limits } = self.reader;
        let headers = for_request(&limits.user_agent, RequestKind::Other(self.page), &url);
        let caps =
            Caps { max_bytes: most, max_redirects: limits.redirects, overflow: Overflow::Truncate, ..Caps::default() };
        match client.get(FetchRequest { url: url.clone(), headers, caps, deadline: self.deadline }).await {
            Ok(fetched) => LoadedSubresource::from_response(to_resource(&fetched)),
            Err(cause) => {
                tracing::debug!(url.full = %url, error = %cause, "cannot load a subresource");
                match cause {
                    FetchError::Timeout(_) => LoadedSubresource::late(&url),
                    other => LoadedSubresource::nothing(&url, may_pass(&other)),
                }
            }
        }
    }
}

/// Returns true if a retry may succeed.
fn may_pass(cause: &FetchError) -> bool {
    match cause {
        FetchError::Timeout(_) => true,
        FetchError::Unreachable(how) => matches!(how, Unreachable::Connect(_) | Unreachable::Interrupted(_)),
        FetchError::Forbidden(_)
        | FetchError::TooLarge(_)
        | FetchError::TooManyRedirects(_)
        | FetchError::Protocol(_)
        | FetchError::Undecodable(_) => false,
    }
}

fn to_resource(fetched: &FetchResponse) -> Resource {
    let media_type = media_type(&fetched.headers);
    Resource {
        url: without_fragment(&fetched.url).to_string(),
        status: fetched.status.as_u16(),
        content_type: media_type.essence,
        charset: media_type.charset,
        body: fetched.body.to_vec(),
        truncated: fetched.truncated,
    }
}
