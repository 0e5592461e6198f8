//! Error texts that tell a model what to do next.

use crate::backend::CallError;
use limner_types::ErrorCode;

/// Returns the text: what happened, and what to do about it.
pub(crate) fn text(error: &CallError, renders: bool) -> String {
    let body = &error.body;
    let mut out = format!("{}: {}", body.data.code, body.status_message.trim_end());
    if !out.ends_with(['.', '!', '?']) {
        out.push('.');
    }
    out.push_str(" Next: ");
    out.push_str(&next_step(error, renders));
    if let Some(id) = &body.data.request_id {
        out.push_str(&format!(" (request {id}; not charged)"));
    }
    out
}

fn next_step(error: &CallError, renders: bool) -> String {
    let wait = error.retry_after.map_or_else(|| "a minute".to_owned(), |seconds| format!("{seconds} seconds"));
    match error.body.data.code {
        ErrorCode::InvalidRequest => "change the argument that the message names and call again.".to_owned(),
        ErrorCode::InvalidApiKey => "the person must connect again; calling again does not help.".to_owned(),
        ErrorCode::BillingIssue => {
            "the person must settle a payment in the console; calling again does not help.".to_owned()
        }
        ErrorCode::TargetBlocked => {
            "the page refuses visitors without a sign-in or blocks readers; try another public page of the site."
                .to_owned()
        }
        ErrorCode::NotFound => {
            "call again with one of the selectors that the message lists, or without `selector` and `section`."
                .to_owned()
        }
        ErrorCode::TargetTimeout => "try once more; if it times out again, try another page.".to_owned(),
        ErrorCode::UnprocessableContent => "give the address of a web page, not of a file.".to_owned(),
        ErrorCode::RateLimited => format!("wait {wait}, then call again."),
        ErrorCode::QuotaExceeded => {
            "the account's credits are used up: tell the person, who can add some in the console.".to_owned()
        }
        ErrorCode::TargetError => "the page is broken or gone; check the address or try another page.".to_owned(),
        ErrorCode::TargetUnreachable => {
            "check the address for typing errors; private networks can't be read.".to_owned()
        }
        ErrorCode::RenderUnavailable if renders => "call again without `render` and `screenshot`.".to_owned(),
        ErrorCode::RenderUnavailable => format!("call again in {wait}."),
        ErrorCode::InternalError => "call again once; if it fails again, tell the person.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_types::{ErrorBody, WireEnum};

    #[test]
    fn every_failure_has_a_next_step() {
        for code in ErrorCode::ALL {
            let body = ErrorBody::new(*code, "What happened", Some("req_1".to_owned()));
            let said = text(&CallError { body, retry_after: Some(7) }, true);
            assert!(said.starts_with(&format!("{code}: What happened. Next: ")), "{said}");
            assert!(said.ends_with("(request req_1; not charged)"), "{said}");
        }
        let limited = ErrorBody::new(ErrorCode::RateLimited, "Too many.", None);
        assert!(text(&CallError { body: limited, retry_after: Some(7) }, false).contains("wait 7 seconds"));
    }
}
