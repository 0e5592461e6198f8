//! Common runtime of all roles: settings, telemetry, metrics, health and shutdown.
//!
//! Settings come from embedded defaults, then a TOML file, then the environment, and are validated as a whole: every
//! error is listed at once. Services do not depend on settings; the binary maps settings to their configurations.

pub mod admin;
mod entrance;
pub mod grpc;
pub mod http;
pub mod metrics;
pub mod readiness;
mod secret;
pub mod settings;
pub mod shutdown;
pub mod telemetry;

pub use entrance::{AddressLimit, Arrival, Entrance, Place, subscriber};
pub use readiness::{Component, Readiness};
pub use secret::Secret;
pub use settings::{Faults, Settings};
