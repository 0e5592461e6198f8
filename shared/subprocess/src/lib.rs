//! Calls in child processes that may be killed.
//!
//! Work on hostile input can run for ever, exhaust memory or abort, and a thread cannot be stopped. A [`Subprocess`]
//! can: its parent sends a frame, waits for frames that come back, and kills the child together with everything the
//! child has started as soon as a [`CallLimits`] is reached. The child limits itself ([`confine`]) before its first call.
//!
//! This crate knows nothing of what is computed. It speaks blocking I/O: callers that are asynchronous use a blocking
//! thread for a call, which ends within a tenth of a second of the call's limits.

mod frame;
mod limits;
mod parent;
mod processor_time;

pub use frame::{read_frame, write_frame};
pub use limits::{allow_processor_time, confine};
pub use parent::{CallFault, CallLimits, Launch, Subprocess};
pub use processor_time::own_processor_time;
