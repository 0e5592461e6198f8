//! The HTTP API under `/v1`: keys, limits, cache, dispatch and responses.
//!
//! A call is checked in this order, and the first error is its response: size (400), path (404), method (405), key
//! (401), suspension (402), rate limit (429 `rate_limited`), parameters (400), operation (503), cache, browser (503
//! `render_unavailable`), credits (429 `quota_exceeded`), and then the outcome of the work. Once the key is valid,
//! every response describes the rate window, and every call counts in it unless the window is full.
//!
//! A hit takes one round trip to Redis, and neither gRPC nor Postgres. A miss is a task of its own that continues when
//! its caller disconnects (but see `cancellations`): place, single flight, hold, job, charge (see `execute`). Without Redis
//! there is no cache, identical calls are merged per gateway only, and rate windows are counted per gateway. Without
//! metering, hits are served and misses fail. Without NATS, misses fail and their holds are released.
//!
//! The gateway never reads a page, never decides about credits, and never reveals the cause of an internal error to a
//! caller.

mod account_directory;
mod account_places;
mod admission;
mod billing_month;
mod cancellations;
mod component_name;
mod config;
mod dependencies;
mod dispatcher;
mod distributed_flight;
mod error;
mod execute;
mod expired_objects;
mod field_projection;
mod guarded_stream;
mod handle_request;
mod load_shedder;
mod local_rate_limit;
mod metering;
mod metering_client;
mod middleware;
pub mod openapi;
mod parse_query;
mod parsed_request_cache;
mod request_id;
mod response;
mod result_cache;
mod router;
mod screenshot_rate_limit;
mod screenshot_route;
mod server;
mod settlement;
mod single_flight;
mod spliced_body;
mod state;
mod unpacked_result;
mod usage_recorder;
mod usage_route;

pub use account_directory::Invalidation;
pub use account_places::{PlaceLimits, Places};
pub use cancellations::Cancellations;
pub use config::Config;
pub use dependencies::Dependencies;
pub use dispatcher::{DispatchError, Dispatcher};
pub use error::GatewayError;
pub use metering::{KeyOwner, Metering, MeteringError};
pub use router::VISITOR_PATH;
pub use server::Gateway;
