//! What can go wrong on the bus.

use limner_types::ErrorCode;
use thiserror::Error;

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A fault of the bus. The text is for operators; callers only ever see [`BusError::code`].
#[derive(Debug, Error)]
pub enum BusError {
    /// No server answered.
    #[error("NATS cannot be reached: {0}")]
    Connect(#[source] Cause),
    /// The connection is lost, and did not come back while somebody waited.
    #[error("NATS is away")]
    Away,
    /// The server would refuse our larger messages.
    #[error(
        "NATS takes messages of at most {have} bytes, {need} are needed: set `max_payload: 8MB` in its configuration"
    )]
    MaxPayload {
        /// What the server allows.
        have: usize,
        /// What is needed.
        need: usize,
    },
    /// A stream or consumer could not be declared.
    #[error("{what} could not be declared: {cause}")]
    Declare {
        /// Its name.
        what: String,
        /// Why.
        #[source]
        cause: Cause,
    },
    /// JetStream did not confirm a message.
    #[error("{subject} was not accepted: {cause}")]
    Publish {
        /// Where it was to go.
        subject: String,
        /// Why.
        #[source]
        cause: Cause,
    },
    /// A subscription was refused.
    #[error("{subject} cannot be subscribed to: {cause}")]
    Subscribe {
        /// The subject.
        subject: String,
        /// Why.
        #[source]
        cause: Cause,
    },
    /// A job's id cannot be part of a subject.
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

    /// The stable code a caller sees.
    pub fn code(&self) -> ErrorCode {
        ErrorCode::InternalError
    }
}

/// Why no reply came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReplyError {
    /// The deadline passed.
    #[error("no reply before the deadline")]
    DeadlinePassed,
    /// The inbox is gone (the process is shutting down).
    #[error("the reply inbox is closed")]
    Closed,
}
