//! Errors of the gateway itself, and of a call.

use limner_proto::v1;
use limner_types::{ErrorBody, ErrorCode, InvalidParameter, SectionRef};

/// A failure of the gateway itself, for the operator.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// Cannot listen on the address.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The configured address.
        address: std::net::SocketAddr,
        /// The operating system's error.
        #[source]
        cause: std::io::Error,
    },
    /// The URL of metering is invalid.
    #[error("the address of metering is not valid: {0}")]
    InvalidMeteringUrl(String),
    /// NATS.
    #[error(transparent)]
    Bus(#[from] limner_bus::BusError),
}

/// A failed call. Contains only data that the caller may see; causes are logged where they occur.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallError {
    pub(crate) code: ErrorCode,
    /// Differs from the code's usual status for 405, for 503 of operations that are not served, and for cancelled
    /// calls.
    pub(crate) status: u16,
    pub(crate) message: String,
    pub(crate) retry_after_seconds: Option<u32>,
    pub(crate) sections: Option<Vec<SectionRef>>,
}

/// Default `Retry-After`: after an internal error, and if there is no browser.
const DEFAULT_RETRY_AFTER_SECONDS: u32 = 5;
const RETRY_WITHOUT_BROWSER_SECONDS: u32 = 60;
const RETRY_NOT_SERVED_SECONDS: u32 = 3_600;

impl CallError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let retry_after_seconds = match code {
            ErrorCode::InternalError => Some(DEFAULT_RETRY_AFTER_SECONDS),
            ErrorCode::RenderUnavailable => Some(RETRY_WITHOUT_BROWSER_SECONDS),
            _ => None,
        };
        Self { code, status: code.status(), message: message.into(), retry_after_seconds, sections: None }
    }

    pub(crate) fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after_seconds = Some(seconds.max(1));
        self
    }

    /// An internal error, whose cause was logged.
    pub(crate) fn internal() -> Self {
        Self::new(
            ErrorCode::InternalError,
            "Something went wrong on our side. Nothing was charged. Try again in a few seconds; if it keeps happening, \
             report the request id.",
        )
    }

    pub(crate) fn not_found(path: &str) -> Self {
        let path: String = path.chars().take(100).collect();
        Self::new(
            ErrorCode::NotFound,
            format!(
                "There is nothing at `{path}`. The operations are /v1/code, /v1/brand, /v1/extract, /v1/images, /v1/svg, /v1/videos, /v1/audio, /v1/lottie, /v1/fonts and /v1/usage; /v1/openapi.json describes them."
            ),
        )
    }

    pub(crate) fn screenshot_not_found() -> Self {
        Self::new(
            ErrorCode::NotFound,
            "There is no such screenshot: it was never made, or its seven days are over. A call with `fresh=true` makes a \
             new one.",
        )
    }

    pub(crate) fn too_many_screenshots() -> Self {
        const MINUTE_SECONDS: u32 = 60;
        let message = "Too many requests for screenshots from your IP address. Screenshots never change: cache them. Try \
                       again in a minute.";
        Self::new(ErrorCode::RateLimited, message).retry_after(MINUTE_SECONDS)
    }

    pub(crate) fn not_cached() -> Self {
        Self::new(
            ErrorCode::NotFound,
            "There is no cached result of this call, and `Cache-Control: only-if-cached` asks for nothing else.",
        )
    }

    /// The path takes other methods: `allowed` as in the header `Allow`.
    pub(crate) fn method_not_allowed(method: &http::Method, allowed: &str) -> Self {
        let method: String = method.as_str().chars().take(20).collect();
        let message = format!("The method {method} is not allowed here. Use {}.", allowed.replace(", ", " or "));
        Self { status: 405, ..Self::new(ErrorCode::InvalidRequest, message) }
    }

    /// The call was cancelled by its caller, so nobody waits for this response.
    pub(crate) fn cancelled() -> Self {
        let message = "The call was cancelled. Nothing was charged.";
        Self { status: 499, ..Self::new(ErrorCode::InvalidRequest, message) }
    }

    pub(crate) fn invalid_key(message: &str) -> Self {
        Self::new(ErrorCode::InvalidApiKey, message)
    }

    pub(crate) fn suspended() -> Self {
        Self::new(
            ErrorCode::BillingIssue,
            "The account is suspended because a payment failed. Update the payment method in the console; the key works \
             again at once.",
        )
    }

    pub(crate) fn rate_limited(limit: u32, reset_seconds: u32) -> Self {
        let message = format!(
            "The rate limit of {limit} requests per minute is exceeded. Try again in {reset_seconds} seconds, or upgrade the plan for a higher limit."
        );
        Self::new(ErrorCode::RateLimited, message).retry_after(reset_seconds)
    }

    pub(crate) fn operation_unavailable(operation: limner_types::Operation) -> Self {
        let message = format!(
            "The operation /{operation} is not available yet. Nothing was charged. The other operations are not affected."
        );
        Self { status: 503, ..Self::new(ErrorCode::InternalError, message).retry_after(RETRY_NOT_SERVED_SECONDS) }
    }

    /// Browser rendering is off (`is_installed`: only for now).
    pub(crate) fn no_browser(is_installed: bool) -> Self {
        if !is_installed {
            let message = "This service has no browser. Nothing was charged. Retry without `render`.";
            return Self::new(ErrorCode::RenderUnavailable, message).retry_after(RETRY_NOT_SERVED_SECONDS);
        }
        Self::new(
            ErrorCode::RenderUnavailable,
            "Browser rendering is unavailable at the moment. Nothing was charged. Retry without `render`, or later.",
        )
    }

    pub(crate) fn body(&self, request_id: &str) -> ErrorBody {
        let mut body = ErrorBody::new(self.code, self.message.clone(), Some(request_id.to_owned()));
        body.status_code = self.status;
        body.data.sections.clone_from(&self.sections);
        body
    }

    /// Converts to the message that gateways and workers exchange.
    pub(crate) fn to_failure(&self) -> v1::Failure {
        let sections = self.sections.iter().flatten().cloned().map(Into::into).collect();
        let retry_after_seconds = self.retry_after_seconds;
        v1::Failure { retry_after_seconds, sections, ..v1::Failure::new(self.code, self.message.clone()) }
    }
}

impl From<v1::Failure> for CallError {
    fn from(failure: v1::Failure) -> Self {
        let code = failure.error_code();
        let mut error = Self::new(code, failure.message);
        if let Some(seconds) = failure.retry_after_seconds {
            error = error.retry_after(seconds);
        }
        if code == ErrorCode::NotFound {
            error.sections = Some(failure.sections.into_iter().map(Into::into).collect());
        }
        error
    }
}

impl From<InvalidParameter> for CallError {
    fn from(fault: InvalidParameter) -> Self {
        Self::new(ErrorCode::InvalidRequest, fault.message)
    }
}
