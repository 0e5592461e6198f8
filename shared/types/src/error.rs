//! The thirteen error codes of the API, in one table, and the error body.

use crate::WireEnum;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// A stable, machine-readable error code (`data.code`).
    pub enum ErrorCode {
        /// The request itself is wrong.
        InvalidRequest = "invalid_request",
        /// The key is missing, malformed, unknown or revoked.
        InvalidApiKey = "invalid_api_key",
        /// The account is suspended for a failed payment.
        BillingIssue = "billing_issue",
        /// The target refused the plain request and the browser too.
        TargetBlocked = "target_blocked",
        /// Nothing at this path, or nothing matches the selector or section.
        NotFound = "not_found",
        /// The target did not answer within the limits.
        TargetTimeout = "target_timeout",
        /// Not HTML, too large, or malformed.
        UnprocessableContent = "unprocessable_content",
        /// The per-minute allowance is used up.
        RateLimited = "rate_limited",
        /// The monthly credits are used up.
        QuotaExceeded = "quota_exceeded",
        /// The target answered with an error status.
        TargetError = "target_error",
        /// DNS, connect or TLS failure, or an address that must not be reached.
        TargetUnreachable = "target_unreachable",
        /// No browser is available.
        RenderUnavailable = "render_unavailable",
        /// Everything that is our fault.
        InternalError = "internal_error",
    }
}

/// gRPC status numbers (the wire values of `google.rpc.Code`), named here so that the table needs no gRPC crate.
pub mod grpc {
    #![allow(missing_docs)]
    pub const INVALID_ARGUMENT: i32 = 3;
    pub const DEADLINE_EXCEEDED: i32 = 4;
    pub const NOT_FOUND: i32 = 5;
    pub const PERMISSION_DENIED: i32 = 7;
    pub const RESOURCE_EXHAUSTED: i32 = 8;
    pub const FAILED_PRECONDITION: i32 = 9;
    pub const INTERNAL: i32 = 13;
    pub const UNAVAILABLE: i32 = 14;
    pub const UNAUTHENTICATED: i32 = 16;
}

impl ErrorCode {
    /// Returns the HTTP status, the gRPC status and the retryability of each code: the only table of them.
    const fn properties(self) -> (u16, i32, bool) {
        match self {
            Self::InvalidRequest => (400, grpc::INVALID_ARGUMENT, false),
            Self::InvalidApiKey => (401, grpc::UNAUTHENTICATED, false),
            Self::BillingIssue => (402, grpc::FAILED_PRECONDITION, false),
            Self::NotFound => (404, grpc::NOT_FOUND, false),
            Self::TargetBlocked => (422, grpc::PERMISSION_DENIED, false),
            Self::TargetTimeout => (422, grpc::DEADLINE_EXCEEDED, true),
            Self::TargetError => (422, grpc::FAILED_PRECONDITION, true),
            Self::TargetUnreachable => (422, grpc::FAILED_PRECONDITION, true),
            Self::UnprocessableContent => (422, grpc::FAILED_PRECONDITION, false),
            Self::RateLimited => (429, grpc::RESOURCE_EXHAUSTED, true),
            Self::QuotaExceeded => (429, grpc::RESOURCE_EXHAUSTED, false),
            Self::RenderUnavailable => (503, grpc::UNAVAILABLE, true),
            Self::InternalError => (500, grpc::INTERNAL, true),
        }
    }

    /// Returns the HTTP status of a response with this code.
    pub const fn status(self) -> u16 {
        self.properties().0
    }

    /// Returns the gRPC status of this code between services.
    pub const fn grpc(self) -> i32 {
        self.properties().1
    }

    /// Returns true if the same call may succeed later without a change by the caller.
    pub const fn retryable(self) -> bool {
        self.properties().2
    }

    /// Returns the code with that name.
    pub fn parse(word: &str) -> Option<Self> {
        <Self as WireEnum>::parse(word)
    }
}

/// The body of every error response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// Always true.
    pub error: bool,
    /// The HTTP status.
    pub status_code: u16,
    /// A readable explanation including what to do next. Not to be branched on.
    pub status_message: String,
    /// The machine-readable part.
    pub data: ErrorData,
}

/// The machine-readable part of an [`ErrorBody`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorData {
    /// The stable code to branch on.
    pub code: ErrorCode,
    /// Equals the `X-Request-Id` header of the same call.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub request_id: Option<String>,
    /// Sections that do exist, on a 404 of `/code`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sections: Option<Vec<SectionRef>>,
}

impl ErrorBody {
    /// Returns the body for `code` with its usual status.
    pub fn new(code: ErrorCode, message: impl Into<String>, request_id: Option<String>) -> Self {
        Self {
            error: true,
            status_code: code.status(),
            status_message: message.into(),
            data: ErrorData { code, request_id, sections: None },
        }
    }
}

/// A section of a page as `/code` lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct SectionRef {
    /// Unique on the page; can be passed back as `?selector=`.
    pub selector: String,
    /// Human-readable name of the section.
    pub label: String,
    /// Elements inside it.
    pub elements: usize,
    /// Its first words, at most 120 characters.
    pub preview: String,
    /// One of the eight section names, or `section`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub role: Option<String>,
}
