//! Errors of the bus.

use limner_types::ErrorCode;
use thiserror::Error;

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// An error of the bus. The text is for operators; callers only see [`BusError::code`].
#[derive(Debug, Error)]
pub enum BusError {
    /// No server answered.
    #[error("NATS cannot be reached: {0}")]
    Connect(#[source] Cause),
    /// The connection is lost, and was not re-established in time.
    #[error("NATS is away")]
    Away,
    /// The server would reject our larger messages.
    #[error(
        "NATS takes messages of at most {have} bytes, {need} are needed: set `max_payload: 8MB` in its configuration"
    )]
    MaxPayload {
        /// The server's limit.
        have: usize,
        /// The required limit.
        need: usize,
    },
    /// A stream or consumer could not be declared.
    #[error("{what} could not be declared: {cause}")]
    Declare {
        /// Its name.
        what: String,
        /// The cause.
        #[source]
        cause: Cause,
    },
    /// JetStream did not confirm a message.
    #[error("{subject} was not accepted: {cause}")]
    Publish {
        /// Its subject.
        subject: String,
        /// The cause.
        #[source]
        cause: Cause,
    },
    /// The server rejected a subscription.
    #[error("{subject} cannot be subscribed to: {cause}")]
    Subscribe {
        /// The subject.
        subject: String,
        /// The cause.
        #[source]
        cause: Cause,
    },
    /// A job's id is not a valid subject token.
    #[error("`{0}` cannot be a job id")]
    InvalidJobId(String),
}

impl BusError {
    pub(crate) fn connect(cause: impl Into<Cause>) -> Self {
        Self::Connect(cause.into())
    }

    pub(crate) fn declare(what: impl Into<String>, cause: impl Into<Cause>) -> Self {
        Self::Declare { what: what.into(), cause: cause.into() }
    }

    pub(crate) fn publish(subject: impl Into<String>, cause: impl Into<Cause>) -> Self {
        Self::Publish { subject: subject.into(), cause: cause.into() }
    }

    pub(crate) fn subscribe(subject: impl Into<String>, cause: impl Into<Cause>) -> Self {
        Self::Subscribe { subject: subject.into(), cause: cause.into() }
    }

    /// Returns the stable error code for the caller.
    pub fn code(&self) -> ErrorCode {
        ErrorCode::InternalError
    }
}

/// The reason why no reply arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReplyError {
    /// The deadline passed.
    #[error("no reply before the deadline")]
    DeadlinePassed,
    /// The inbox is closed (the process is shutting down).
    #[error("the reply inbox is closed")]
    Closed,
}
