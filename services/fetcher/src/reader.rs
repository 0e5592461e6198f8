//! Reads a URL into a snapshot: document, stylesheets, imports, subresources.

mod document;
mod integrity;
mod limits;
mod request_headers;
mod stylesheets;
mod subresources;

pub use limits::{CHROME, ReaderLimits, user_agent};

use crate::error::ReadError;
use document::FetchedPage;
use encoding_rs::UTF_8;
use limner_netguard::Client;
use limner_page::page_health::PageHealth;
use limner_page::{Degradation, PageSnapshot, ReadMethod, TargetUrl};
use limner_types::Operation;
use std::sync::Arc;
use tokio::time::Instant;

/// The purpose of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadPurpose {
    /// The page and its stylesheets.
    Page,
    /// Also the subresources of an operation.
    Of(Operation),
}

/// Reads pages as an anonymous visitor without scripts. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Reader {
    client: Client,
    limits: Arc<ReaderLimits>,
}

impl Reader {
    /// Returns a reader that sends its requests with `client`.
    pub fn new(client: Client, limits: ReaderLimits) -> Self {
        Self { client, limits: Arc::new(limits) }
    }

    /// Reads a page. A stylesheet or subresource that does not arrive in time is left out; without the document there
    /// is no snapshot.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub async fn read(
        &self,
        target: &TargetUrl,
        needs: ReadPurpose,
        deadline: impl Into<Instant>,
    ) -> Result<PageSnapshot, ReadError> {
        let deadline = deadline.into().min(Instant::now() + self.limits.static_read);
        let mut snapshot = self.read_page(target, deadline).await?;
        if let ReadPurpose::Of(operation) = needs {
            self.complete(&mut snapshot, operation, deadline).await?;
        }
        Ok(snapshot)
    }

    async fn read_page(&self, target: &TargetUrl, deadline: Instant) -> Result<PageSnapshot, ReadError> {
        let page = match self.document(target, deadline).await? {
            document::ReadStep::Page(page) => page,
            document::ReadStep::Media(snapshot) => return Ok(*snapshot),
        };
        let sheets_deadline = deadline.checked_sub(self.limits.response_reserve).unwrap_or(deadline);
        let styles = stylesheets::StylesheetLoader::new(self, &page, sheets_deadline).load().await;
        Ok(self.snapshot(target, *page, styles))
    }

    fn snapshot(&self, target: &TargetUrl, page: FetchedPage, styles: stylesheets::LoadedStylesheets) -> PageSnapshot {
        let truncated = page.truncated || styles.truncated;
        let degradation = match page.health {
            PageHealth::ClientRendered => Some(Degradation::ClientRendered),
            _ if styles.missing => Some(Degradation::MissingStyles),
            _ if page.interrupted => Some(Degradation::Interrupted),
            _ if truncated => Some(Degradation::Truncated),
            _ => None,
        };
        PageSnapshot {
            requested_url: target.as_str().to_owned(),
            url: page.url.to_string(),
            status: page.status,
            content_type: page.content_type,
            html: page.html,
            encoding: if page.encoding == UTF_8 { String::new() } else { page.encoding.name().to_owned() },
            sheets: styles.stylesheets,
            imports: styles.imports,
            read_by: ReadMethod::Static,
            degradation,
            truncated,
            ..PageSnapshot::default()
        }
    }
}
