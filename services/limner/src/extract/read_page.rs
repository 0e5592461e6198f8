//! Reads the page of an extraction as the fleet does: in a browser where that is requested, and where the page is empty or
//! refused without one.

use super::render::{self, RenderError};
use super::{failure, internal};
use crate::progress::ProgressLine;
use crate::service_configs;
use limner_fetcher::{ReadError, ReadPurpose, browser_may_help};
use limner_netguard::EgressPolicy;
use limner_page::{PageSnapshot, ReadMethod, TargetUrl};
use limner_runtime::Settings;
use limner_types::{ErrorBody, OperationRequest};
use std::time::Instant;

/// A page to read, and how.
pub(super) struct PageRead<'a> {
    pub(super) settings: &'a Settings,
    pub(super) policy: EgressPolicy,
    pub(super) target: &'a TargetUrl,
    pub(super) request: &'a OperationRequest,
    /// True if a browser may read what cannot be read without one.
    pub(super) allows_fallback: bool,
    pub(super) deadline: Instant,
}

impl PageRead<'_> {
    /// Reads the page.
    pub(super) async fn run(&self, progress: &ProgressLine) -> Result<PageSnapshot, ErrorBody> {
        if self.request.render {
            return self.visit().await.map_err(|fault| fault.to_body());
        }
        let reader = service_configs::reader(self.settings, self.policy.clone()).map_err(|fault| internal(&fault))?;
        let read = reader.read(self.target, ReadPurpose::Of(self.request.operation), self.deadline).await;
        if !self.needs_browser(&read) {
            return read.map_err(|fault| self.to_body(&fault));
        }
        progress.now(format!("Reading {} in a browser", self.target));
        match self.visit().await {
            Ok(page) => Ok(PageSnapshot { read_by: ReadMethod::BrowserFallback, ..page }),
            Err(RenderError::Visit(fault)) if fault.replaces(&read) => Err(RenderError::Visit(fault).to_body()),
            Err(fault) => {
                tracing::warn!(error = fault.describe(), "page not read in a browser");
                read.map_err(|fault| self.to_body(&fault))
            }
        }
    }

    async fn visit(&self) -> Result<PageSnapshot, RenderError> {
        let policy = self.policy.clone();
        render::read_page(self.settings, policy, self.target, self.request, self.deadline.into()).await
    }

    fn to_body(&self, fault: &ReadError) -> ErrorBody {
        failure(fault.code(), fault.message(service_configs::has_browser(self.settings)))
    }

    /// Returns true if a browser may get what the static read did not, and there is one.
    fn needs_browser(&self, read: &Result<PageSnapshot, ReadError>) -> bool {
        browser_may_help(read.as_ref()) && self.allows_fallback && service_configs::has_browser(self.settings)
    }
}
