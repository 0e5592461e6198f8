//! The error catalogue: meaning and remedy of each code.

use limner_types::ErrorCode;

/// A code of the catalogue.
pub(crate) struct CatalogueEntry {
    pub(crate) code: &'static str,
    pub(crate) status: u16,
    pub(crate) means: &'static str,
    pub(crate) remedy: &'static str,
    pub(crate) retry: bool,
}

/// Returns every code, in the order of the API's own table.
pub(crate) fn catalogue() -> Vec<CatalogueEntry> {
    use limner_types::WireEnum;
    let entry = |code: &ErrorCode| CatalogueEntry {
        code: code.as_str(),
        status: code.status(),
        means: meaning(*code),
        remedy: remedy(*code),
        retry: code.retryable(),
    };
    ErrorCode::ALL.iter().map(entry).collect()
}

fn meaning(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::InvalidRequest => {
            "A parameter is missing, given twice or has a value that is not allowed. Status 405: the method is not GET."
        }
        ErrorCode::InvalidApiKey => "The key is missing, mistyped, unknown or revoked.",
        ErrorCode::BillingIssue => "A payment failed and the account is suspended.",
        ErrorCode::TargetBlocked => "The page refused both a plain request and a browser, or asks for a sign-in.",
        ErrorCode::NotFound => "The selector or section matches nothing on the page, or the path does not exist.",
        ErrorCode::TargetTimeout => "The page did not respond in time.",
        ErrorCode::UnprocessableContent => "The response is not HTML, is too large or cannot be read.",
        ErrorCode::RateLimited => "More requests in 60 seconds than the plan allows.",
        ErrorCode::QuotaExceeded => "The credits do not cover this call.",
        ErrorCode::TargetError => "The page responded with an error.",
        ErrorCode::TargetUnreachable => {
            "The host name does not resolve, the server does not respond, or the address is not public."
        }
        ErrorCode::RenderUnavailable => "No browser is available.",
        ErrorCode::InternalError => "Something failed on our side.",
    }
}

/// Returns the remedy for a code.
pub(crate) fn remedy(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::InvalidRequest => {
            "Read the message: it names the parameter and what is valid. Do not repeat the call unchanged."
        }
        ErrorCode::InvalidApiKey => "Send `Authorization: Bearer …` with a live key. Keys are created in the console.",
        ErrorCode::BillingIssue => "Pay the open amount under Plan and billing. Calls then work again at once.",
        ErrorCode::TargetBlocked => {
            "Pages behind a sign-in or a bot challenge cannot be read. Try another page of the site."
        }
        ErrorCode::NotFound => {
            "Use one of the sections that the response lists in `data.sections`. If it lists none, compare the path with \
             the reference."
        }
        ErrorCode::TargetTimeout => "Try again later. Slow pages often respond on the second attempt.",
        ErrorCode::UnprocessableContent => "Use the URL of a web page, not of a file.",
        ErrorCode::RateLimited => "Wait for the number of seconds in `Retry-After`, or choose a larger plan.",
        ErrorCode::QuotaExceeded => {
            "Buy a credit pack, switch on overage, choose a larger plan, or wait for the monthly reset."
        }
        ErrorCode::TargetError => "Open the page in a browser: it probably fails for everyone.",
        ErrorCode::TargetUnreachable => "Check the URL for typos. Addresses on private networks cannot be read.",
        ErrorCode::RenderUnavailable => "Retry without `render=true`, or after the number of seconds in `Retry-After`.",
        ErrorCode::InternalError => "Try again. If the error persists, tell us the request id.",
    }
}
