//! Common runtime of all roles: settings, telemetry, metrics, health and shutdown.
//!
//! Settings come from embedded defaults, then a TOML file, then the environment, and are validated as a whole: every
//! error is listed at once. Services do not depend on settings; the binary maps settings to their configurations.

pub mod admin;
pub mod csv;
pub mod grpc;
pub mod http;
mod limited_listener;
pub mod metrics;
pub mod readiness;
mod secret;
pub mod settings;
pub mod shutdown;
pub mod telemetry;

pub use crate::limited_listener::{AcceptedConnection, AddressLimit, ConnectionPermit, LimitedListener, subscriber};
pub use readiness::{Component, Readiness};
pub use secret::Secret;
pub use settings::{Settings, SettingsErrors};
