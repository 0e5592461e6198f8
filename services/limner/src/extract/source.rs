//! Sources of results: this process, or a Limner that runs elsewhere.

use super::hosted::HostedApi;
use super::{component, local};
use crate::cli::ReadArgs;
use crate::exit::{ExitReason, UsageError};
use crate::progress::ProgressLine;
use crate::service_configs;
use limner_runtime::Settings;
use limner_types::{ErrorBody, OperationRequest};

/// A call of an operation: as parsed, and as the query pairs it was given as.
pub(crate) struct Call {
    pub(crate) request: OperationRequest,
    pub(crate) pairs: Vec<(String, String)>,
    /// Parameters without an effect on the result.
    pub(crate) without_effect: Vec<&'static str>,
}

/// The result of a call.
pub(crate) struct Answer {
    /// The body of the HTTP API.
    pub(crate) body: Vec<u8>,
    /// Its media type.
    pub(crate) content_type: String,
    /// The body of the same component in a form that browsers show, if that is a different one.
    pub(super) preview: Option<Vec<u8>>,
    /// URL of the screenshot.
    pub(super) screenshot: Option<String>,
}

/// A source of results.
pub(crate) struct Source<'a> {
    settings: &'a Settings,
    place: Place,
}

enum Place {
    Here { allows_fallback: bool },
    Elsewhere(HostedApi),
}

impl<'a> Source<'a> {
    /// Returns the source that the command line names.
    pub(crate) fn new(settings: &'a Settings, args: &ReadArgs) -> Result<Self, ExitReason> {
        let place = match args.api.as_deref().filter(|url| !url.is_empty()) {
            Some(_) if args.no_browser => {
                return Err(
                    UsageError("--no-browser is about this process: it cannot be used with --api".to_owned()).into()
                );
            }
            Some(url) => Place::Elsewhere(HostedApi::new(url, args.key.as_deref(), settings.limits.call)?),
            None => Place::Here { allows_fallback: !args.no_browser },
        };
        Ok(Self { settings, place })
    }

    pub(super) fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// Returns the result of a call. `previewed`: a component is also wanted in a form that browsers show, unless that
    /// would be another charged call.
    pub(crate) async fn extract(
        &self,
        call: &Call,
        previewed: bool,
        progress: &ProgressLine,
    ) -> Result<Answer, ErrorBody> {
        match &self.place {
            Place::Here { allows_fallback } => {
                let preview = component::preview_request(&call.request).filter(|_| previewed);
                local::extract(self.settings, &call.request, preview, *allows_fallback, progress).await
            }
            Place::Elsewhere(api) => api.extract(call).await,
        }
    }

    /// Returns a screenshot that a result names.
    pub(super) async fn screenshot(&self, url: &str) -> Option<Vec<u8>> {
        let name = url.rsplit('/').next()?;
        match &self.place {
            Place::Here { .. } => {
                let stored = service_configs::screenshots(self.settings).ok()?.get(&name.parse().ok()?).await;
                stored.ok()?.map(|png| png.to_vec())
            }
            Place::Elsewhere(api) => api.screenshot(name).await,
        }
    }
}
