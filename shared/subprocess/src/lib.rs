//! Calls in child processes that can be killed.
//!
//! Work on hostile input can run for ever, exhaust memory or abort, and a thread cannot be stopped. A [`Subprocess`]
//! can: its parent sends a frame, waits for response frames, and kills the child with all its descendants as soon as a
//! [`CallLimits`] is reached. The child limits itself ([`confine`]) before its first call.
//!
//! This crate does not interpret calls. It uses blocking I/O: asynchronous callers run a call on a blocking thread; a
//! call ends within a tenth of a second of its limits.
//!
//! ```
//! use limner_subprocess::{CallFault, CallLimits, Launch, Subprocess};
//! use std::time::{Duration, Instant};
//!
//! let limits = CallLimits {
//!     deadline: Some(Instant::now() + Duration::from_secs(10)),
//!     processor_time: Duration::from_secs(1),
//!     idle: Some(Duration::from_millis(100)),
//!     answer_bytes: 1_000,
//!     cancelled: None,
//!     gives_way: None,
//! };
//! // `cat` answers each frame with the same frame.
//! let mut echo = Subprocess::start(&Launch::new("cat", [""; 0])).unwrap();
//! assert_eq!(echo.call(&[b"a page"], limits).unwrap().receive().unwrap(), b"a page");
//!
//! let mut silent = Subprocess::start(&Launch::new("sleep", ["60"])).unwrap();
//! let answer = silent.call(&[b"a page"], limits).unwrap().receive();
//! assert!(matches!(answer, Err(CallFault::Idle)));
//! ```

mod frame;
mod limits;
mod parent;
mod processor_time;

pub use frame::{read_frame, write_frame};
pub use limits::{allow_processor_time, confine};
pub use parent::{CallFault, CallLimits, GiveWay, Launch, Subprocess};
pub use processor_time::own_processor_time;
