//! The HTTP API under `/v1`: keys, limits, cache, dispatch and responses.
//!
//! A call is checked in this order, and the first error is its response: size (400), path (404), method (405), key
//! (401), suspension (402), rate limit (429 `rate_limited`), parameters (400), operation (503), cache, browser (503
//! `render_unavailable`), credits (429 `quota_exceeded`), and then the outcome of the work. Once the key is valid,
//! every response describes the rate window, and every call counts in it unless the window is full.
//!
//! A hit takes one round trip to Redis, and neither gRPC nor Postgres. A miss is a task of its own that continues when
//! its caller disconnects (but see `cancellations`): single flight, hold, job, charge (see `miss`). Without Redis there
//! is no cache, identical calls are merged per gateway only, and rate windows are counted per gateway. Without
//! metering, hits are served and misses fail. Without NATS, misses fail and their holds are released.
//!
//! The gateway never reads a page, never decides about credits, and never reveals the cause of an internal error to a
//! caller.

mod answer;
mod backend;
mod calendar;
mod cancellations;
mod client_stream;
mod config;
mod directory;
mod envelope;
mod error;
mod fields;
mod flight;
mod gateway;
mod history;
mod memory;
mod metering_client;
mod miss;
mod naming;
pub mod openapi;
mod query;
mod rate;
mod reading;
mod request_id;
mod router;
mod screenshots;
mod server;
mod settle;
mod shared_flight;
mod spliced;
mod usage_route;

pub use backend::{Backend, DispatchError, Dispatcher, Invalidation, Metering, MeteringError, Owner};
pub use cancellations::Cancellations;
pub use config::Config;
pub use error::GatewayError;
pub use router::VISITOR_PATH;
pub use server::Gateway;
