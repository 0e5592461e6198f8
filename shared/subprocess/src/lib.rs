//! Calls in child processes that can be killed.
//!
//! Work on hostile input can run for ever, exhaust memory or abort, and a thread cannot be stopped. A [`Subprocess`]
//! can: its parent sends a frame, waits for response frames, and kills the child with all its descendants as soon as a
//! [`CallLimits`] is reached. The child limits itself ([`confine`]) before its first call.
//!
//! This crate does not interpret calls. It uses blocking I/O: asynchronous callers run a call on a blocking thread; a
//! call ends within a tenth of a second of its limits.

mod frame;
mod limits;
mod parent;
mod processor_time;

pub use frame::{read_frame, write_frame};
pub use limits::{allow_processor_time, confine};
pub use parent::{CallFault, CallLimits, GiveWay, Launch, Subprocess};
pub use processor_time::own_processor_time;
