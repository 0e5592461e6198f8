//! What can go wrong on the way out: for operators in full, for callers in words that give nothing away.

use crate::policy::Forbidden;
use limner_types::ErrorCode;
use std::error::Error as StdError;
use std::fmt;

/// Why a client could not be built.
#[derive(Debug, thiserror::Error)]
pub enum EgressError {
    /// The TLS library refused its configuration.
    #[error("TLS could not be set up: {0}")]
    Tls(#[from] rustls::Error),
    /// The extra certificate authorities could not be read.
    #[error("the extra certificate authorities could not be read: {0}")]
    ExtraCa(String),
    /// The system's resolver could not be set up.
    #[error("the resolver could not be set up: {0}")]
    Resolver(String),
}

/// Why nothing was fetched. `Display` is for the operator, [`FetchError::message`] for the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The policy forbids the address, or one that a redirect or a name led to.
    #[error("forbidden: {0}")]
    Forbidden(#[from] Forbidden),
    /// No connection, or one that broke.
    #[error("{0}")]
    Unreachable(#[from] Unreachable),
    /// A phase took too long.
    #[error("timed out {0}")]
    Timeout(Phase),
    /// A cap was exceeded.
    #[error("too large: {0}")]
    TooLarge(Exceeded),
    /// Redirected too often, or in a circle.
    #[error("gave up after {0} redirects")]
    TooManyRedirects(usize),
    /// The target did not speak HTTP as it should.
    #[error("protocol error: {0}")]
    Protocol(String),
    /// The body is not in the content coding that its headers name.
    #[error("content coding: {0}")]
    Undecodable(String),
}

/// How a connection failed; the text is the operator's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    /// The name has no address.
    #[error("name not resolved: {0}")]
    Resolve(String),
    /// No address of the host took the connection.
    #[error("not connected: {0}")]
    Connect(String),
    /// The TLS handshake failed.
    #[error("TLS failed: {0}")]
    Tls(String),
    /// The connection broke before the answer was complete.
    #[error("connection broke: {0}")]
    Interrupted(String),
}

/// The phases of a fetch that have clocks of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Asking for the addresses of a name.
    Resolve,
    /// Opening a TCP connection.
    Connect,
    /// The TLS handshake.
    Tls,
    /// From the request to the complete response head.
    FirstByte,
    /// Between two pieces of the body.
    Idle,
    /// Everything together, redirects included.
    Whole,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resolve => "resolving the name",
            Self::Connect => "connecting",
            Self::Tls => "in the TLS handshake",
            Self::FirstByte => "waiting for the response",
            Self::Idle => "waiting for more of the body",
            Self::Whole => "over all",
        })
    }
}

/// Which cap was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exceeded {
    /// Bytes of the body after decompression.
    Body(usize),
    /// Bytes of the body on the wire, or between two layers of compression.
    Wire(usize),
    /// Number or size of the response's headers.
    Headers,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body(cap) => write!(f, "body over {cap} bytes"),
            Self::Wire(cap) => write!(f, "compressed body over {cap} bytes"),
            Self::Headers => f.write_str("response headers"),
        }
    }
}

/// One text for "there is no such host" and "you may not go there", so that nobody can map a network by asking.
const NOT_FOUND: &str = "The host of the address could not be found on the public Internet. Check the address.";

impl FetchError {
    /// The code a caller branches on.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Forbidden(_) | Self::Unreachable(_) | Self::Timeout(Phase::Resolve) => ErrorCode::TargetUnreachable,
            Self::Timeout(_) => ErrorCode::TargetTimeout,
            Self::TooLarge(_) | Self::Undecodable(_) => ErrorCode::UnprocessableContent,
            Self::TooManyRedirects(_) | Self::Protocol(_) => ErrorCode::TargetError,
        }
    }

    /// What to tell the caller. Names no address, and reads the same for a forbidden host and an unknown one.
    pub fn message(&self) -> String {
        match self {
            Self::Forbidden(_) | Self::Unreachable(Unreachable::Resolve(_)) | Self::Timeout(Phase::Resolve) => {
                NOT_FOUND.to_owned()
            }
            Self::Unreachable(Unreachable::Connect(_)) => {
                "The target did not accept a connection. Check the address and that the site is up.".to_owned()
            }
            Self::Unreachable(Unreachable::Tls(_)) => {
                "No secure connection to the target could be made. Check its certificate, or try http.".to_owned()
            }
            Self::Unreachable(Unreachable::Interrupted(_)) => {
                "The target closed the connection before its answer was complete. Try again later.".to_owned()
            }
            Self::Timeout(_) => "The target did not answer in time. Try again later.".to_owned(),
            Self::TooLarge(Exceeded::Headers) => "The target's response headers are too large.".to_owned(),
            Self::TooLarge(Exceeded::Body(cap) | Exceeded::Wire(cap)) => {
                format!("The target's answer is too large: at most {cap} bytes are read.")
            }
            Self::TooManyRedirects(hops) => {
                let redirects = if *hops == 1 { "redirect" } else { "redirects" };
                format!("The target redirects in a circle or too often: gave up after {hops} {redirects}.")
            }
            Self::Protocol(_) => "The target's answer is not valid HTTP.".to_owned(),
            Self::Undecodable(_) => {
                "The target's answer is not compressed as its Content-Encoding header says, so it cannot be read."
                    .to_owned()
            }
        }
    }

    /// A word for metrics and logs.
    pub(crate) fn outcome(&self) -> &'static str {
        match self {
            Self::Forbidden(_) => "forbidden",
            Self::Unreachable(Unreachable::Resolve(_)) => "unresolved",
            Self::Unreachable(Unreachable::Connect(_)) => "unconnected",
            Self::Unreachable(Unreachable::Tls(_)) => "tls_failed",
            Self::Unreachable(Unreachable::Interrupted(_)) => "interrupted",
            Self::Timeout(_) => "timeout",
            Self::TooLarge(_) => "too_large",
            Self::TooManyRedirects(_) => "too_many_redirects",
            Self::Protocol(_) => "protocol_error",
            Self::Undecodable(_) => "undecodable",
        }
    }
}

/// The error and what caused it, outermost first.
pub(crate) fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&cause| cause.source())
}

/// The error with everything it was caused by, in one line.
pub(crate) fn with_causes(error: &(dyn StdError + 'static)) -> String {
    causes(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_reads_like_unknown() {
        let forbidden = FetchError::from(Forbidden::LocalName("printer.local".to_owned()));
        let unknown = FetchError::from(Unreachable::Resolve("NXDOMAIN".to_owned()));
        assert_eq!(forbidden.message(), unknown.message());
        assert_eq!(forbidden.code(), unknown.code());
        assert!(!forbidden.message().contains("printer"));
    }
}
