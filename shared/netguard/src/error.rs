//! Errors of outgoing requests: for operators in full, for callers without internal details.

use crate::policy::Forbidden;
use limner_types::ErrorCode;
use std::error::Error as StdError;
use std::fmt;

/// A failure to create a client.
#[derive(Debug, thiserror::Error)]
pub enum EgressError {
    /// The TLS library rejected its configuration.
    #[error("TLS could not be set up: {0}")]
    Tls(#[from] rustls::Error),
    /// The additional CA certificates are invalid.
    #[error("the extra certificate authorities could not be read: {0}")]
    ExtraCa(String),
    /// The system's resolver could not be set up.
    #[error("the resolver could not be set up: {0}")]
    Resolver(String),
}

/// The reason why a fetch failed. `Display` is for the operator, [`FetchError::message`] for the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The policy forbids the URL, or an address of its name or of a redirect.
    #[error("forbidden: {0}")]
    Forbidden(#[from] Forbidden),
    /// There was no connection, or it broke.
    #[error("{0}")]
    Unreachable(#[from] Unreachable),
    /// A phase exceeded its time limit.
    #[error("timed out {0}")]
    Timeout(Phase),
    /// A size limit was exceeded.
    #[error("too large: {0}")]
    TooLarge(Exceeded),
    /// Too many redirects, or a redirect loop.
    #[error("gave up after {0} redirects")]
    TooManyRedirects(usize),
    /// The target violated HTTP.
    #[error("protocol error: {0}")]
    Protocol(String),
    /// The body is not in the content coding that its headers name.
    #[error("content coding: {0}")]
    Undecodable(String),
}

/// The kind of a connection failure; the text is for the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    /// The name has no address.
    #[error("name not resolved: {0}")]
    Resolve(String),
    /// No address of the host accepted the connection.
    #[error("not connected: {0}")]
    Connect(String),
    /// The TLS handshake failed.
    #[error("TLS failed: {0}")]
    Tls(String),
    /// The connection broke before the response was complete.
    #[error("connection broke: {0}")]
    Interrupted(String),
}

/// The phases of a fetch with their own time limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Resolving a name.
    Resolve,
    /// Opening a TCP connection.
    Connect,
    /// The TLS handshake.
    Tls,
    /// From the request to the complete head of the response.
    FirstByte,
    /// Between two chunks of the body.
    Idle,
    /// The whole fetch, including redirects.
    Total,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resolve => "resolving the name",
            Self::Connect => "connecting",
            Self::Tls => "in the TLS handshake",
            Self::FirstByte => "waiting for the response",
            Self::Idle => "waiting for more of the body",
            Self::Total => "over all",
        })
    }
}

/// The size limit that was exceeded.
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

/// The same text for unknown and forbidden hosts, so that nobody can map a network by probing.
const NOT_FOUND: &str = "The host of the address could not be found on the public Internet. Check the address.";

impl From<&hyper::Error> for FetchError {
    /// Converts the failure of a request on an open connection.
    fn from(cause: &hyper::Error) -> Self {
        if cause.is_parse_too_large() {
            Self::TooLarge(Exceeded::Headers)
        } else if cause.is_parse() || cause.is_user() {
            Self::Protocol(with_causes(cause))
        } else {
            Unreachable::Interrupted(with_causes(cause)).into()
        }
    }
}

impl FetchError {
    /// Returns the stable error code.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Forbidden(_) | Self::Unreachable(_) | Self::Timeout(Phase::Resolve) => ErrorCode::TargetUnreachable,
            Self::Timeout(_) => ErrorCode::TargetTimeout,
            Self::TooLarge(_) | Self::Undecodable(_) => ErrorCode::UnprocessableContent,
            Self::TooManyRedirects(_) | Self::Protocol(_) => ErrorCode::TargetError,
        }
    }

    /// Returns the message for the caller. Contains no address, and is the same for a forbidden and an unknown host.
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

    /// Returns a label for metrics and logs.
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

/// Returns the error and its causes, outermost first.
pub(crate) fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&cause| cause.source())
}

/// Formats the error with all its causes on one line.
pub(crate) fn with_causes(error: &(dyn StdError + 'static)) -> String {
    causes(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_and_unknown_hosts_have_the_same_message() {
        let forbidden = FetchError::from(Forbidden::LocalName("printer.local".to_owned()));
        let unknown = FetchError::from(Unreachable::Resolve("NXDOMAIN".to_owned()));
        assert_eq!(forbidden.message(), unknown.message());
        assert_eq!(forbidden.code(), unknown.code());
        assert!(!forbidden.message().contains("printer"));
    }
}
