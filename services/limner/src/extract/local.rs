//! Extraction in this process.

use super::read_page::PageRead;
use super::source::Answer;
use super::{failure, internal};
use crate::progress::ProgressLine;
use crate::{demo, service_configs, subprocesses};
use limner_extract::{ExtractError, Extraction, Options};
use limner_netguard::Forbidden;
use limner_page::{PageSnapshot, TargetUrl};
use limner_runtime::Settings;
use limner_types::{ErrorBody, ErrorCode, Operation, OperationRequest, WireEnum};
use std::time::Instant;

/// Returns the result of a request, and that of another one for the same page. `allows_fallback`: a browser may read a
/// page that is empty or refused without one.
pub(super) async fn extract(
    settings: &Settings,
    request: &OperationRequest,
    preview: Option<OperationRequest>,
    allows_fallback: bool,
    progress: &ProgressLine,
) -> Result<Answer, ErrorBody> {
    let invalid = |message: String| failure(ErrorCode::InvalidRequest, message);
    let target = TargetUrl::parse(&request.url, settings.limits.url_bytes.0).map_err(|fault| invalid(fault.message))?;
    let policy = demo::policy_for(settings, &[target.url()]).await.map_err(|cause| internal(&cause.into()))?;
    policy.check_url(target.url()).map_err(|forbidden| invalid(forbidden_message(&forbidden)))?;
    if !limner_extract::is_served(request.operation) {
        return Err(not_served(request.operation));
    }
    let deadline = Instant::now() + settings.limits.call;
    let read = PageRead { settings, policy, target: &target, request, allows_fallback, deadline };
    let page = read.run(progress).await?;
    progress.now(format!("Extracting {} from {}", request.operation, page.url));
    let screenshot = page.screenshot.clone();
    let request = request.clone();
    let result_bytes = settings.limits.result_bytes.0;
    let render_available = service_configs::has_browser(settings);
    let both = move || {
        let layout = subprocesses::layout();
        let options = Options { layout: &layout, result_bytes, render_available, ..Options::default() };
        let extraction = extract_page(&page, &request, &options)?;
        let preview = preview.map(|request| extract_page(&page, &request, &options)).transpose()?;
        Ok((extraction, preview))
    };
    let extracted = tokio::task::spawn_blocking(both).await;
    let (extraction, preview) = extracted.map_err(|fault| internal(&fault.into()))??;
    let content_type = extraction.content_type.to_owned();
    Ok(Answer { body: extraction.body, content_type, preview: preview.map(|preview| preview.body), screenshot })
}

/// Returns the message for a page that may not be read, with what makes a page of this machine readable.
pub(crate) fn forbidden_message(forbidden: &Forbidden) -> String {
    let message = forbidden.message();
    match forbidden {
        Forbidden::LocalName(_) | Forbidden::Address { .. } => format!(
            "{message} A server of your own is read under a name that you give it: set \
             LIMNER__EGRESS__HOSTS=site.test=127.0.0.1:3000 and LIMNER__EGRESS__ALLOW=127.0.0.1/32, and read \
             http://site.test/."
        ),
        _ => message,
    }
}

fn extract_page(
    page: &PageSnapshot,
    request: &OperationRequest,
    options: &Options<'_>,
) -> Result<Extraction, ErrorBody> {
    limner_extract::extract_with(page, request, options).map_err(|fault| {
        let mut body = failure(fault.code(), fault.to_string());
        if let ExtractError::NotFound { sections, .. } = fault {
            body.data.sections = Some(sections);
        }
        body
    })
}

fn not_served(operation: Operation) -> ErrorBody {
    let served: Vec<&str> = Operation::ALL
        .iter()
        .filter(|operation| limner_extract::is_served(**operation))
        .map(|operation| operation.as_str())
        .collect();
    let message = format!("`{operation}` is not part of this version yet. Available: {}.", served.join(", "));
    ErrorBody { status_code: 503, ..failure(ErrorCode::InternalError, message) }
}
