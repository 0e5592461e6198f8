//! One call of the core, from its request to its response, independent of the process it runs in.

use crate::{ExtractFn, failures};
use limner_extract::{ExtractError, Extraction, Options};
use limner_page::{Degradation, PageSnapshot, ReadMethod};
use limner_proto::v1;
use limner_types::{ErrorCode, OperationRequest};
use std::panic::AssertUnwindSafe;

/// The result of a call, or the failure reported to its caller.
pub(crate) type CallResult = Result<v1::Extraction, v1::Failure>;

/// The core panicked.
#[derive(Debug)]
pub(crate) struct Panicked;

/// Parses the call and the page of a request.
pub(crate) fn read_call(request: v1::ExtractRequest) -> Result<(OperationRequest, PageSnapshot), v1::Failure> {
    let missing = |part: &str| v1::Failure::new(ErrorCode::InvalidRequest, format!("The message has no `{part}`."));
    let call = request.call.ok_or_else(|| missing("call"))?;
    let page = request.page.ok_or_else(|| missing("page"))?;
    let invalid = |fault: limner_proto::InvalidCall| v1::Failure::new(ErrorCode::InvalidRequest, fault.0);
    let request = call.to_request(&page.requested_url).map_err(invalid)?;
    Ok((request, PageSnapshot::from(page)))
}

/// Runs the core. A panic fails only this call, not the process: the core has no state that could be left inconsistent.
pub(crate) fn extract_caught(
    core: ExtractFn,
    page: &PageSnapshot,
    request: &OperationRequest,
    options: &Options<'_>,
) -> Result<CallResult, Panicked> {
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| core(page, request, options)));
    match outcome {
        Ok(Ok(extraction)) => Ok(Ok(to_wire(extraction, page))),
        Ok(Err(error)) => Ok(Err(to_failure(error))),
        Err(_) => Err(Panicked),
    }
}

fn to_wire(extraction: Extraction, page: &PageSnapshot) -> v1::Extraction {
    v1::Extraction {
        body: extraction.body.into(),
        content_type: extraction.content_type.to_owned(),
        auto_render: page.read_by == ReadMethod::BrowserFallback,
        incomplete: page.degradation.is_some_and(Degradation::may_pass),
    }
}

fn to_failure(error: ExtractError) -> v1::Failure {
    let mut failure = match &error {
        ExtractError::Serialise(cause) => {
            tracing::error!(error = %cause, "cannot serialise a result");
            failures::internal()
        }
        ExtractError::TooCostly => failures::about_the_page(&error.to_string()),
        other => v1::Failure::new(other.code(), other.to_string()),
    };
    if let ExtractError::NotFound { sections, .. } = error {
        failure.sections = sections.into_iter().map(Into::into).collect();
    }
    failure
}
