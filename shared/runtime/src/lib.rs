//! Common runtime of all roles: settings, telemetry, metrics, health and shutdown.
//!
//! Settings come from embedded defaults, then a TOML file, then the environment, and are validated as a whole: every
//! error is listed at once. Services do not depend on settings; the binary maps settings to their configurations.
//!
//! ```
//! use limner_runtime::Settings;
//! use std::path::Path;
//!
//! let file = "[fetcher]\nconcurrency = 8";
//! let environment = [("LIMNER__REDIS__URL".to_owned(), "redis://cache.internal".to_owned())];
//! let settings = Settings::from_sources(Some((Path::new("limner.toml"), file)), environment).unwrap();
//! assert_eq!(settings.fetcher.concurrency, 8);
//! assert!(settings.redis.url.is_some());
//!
//! let errors = Settings::from_sources(Some((Path::new("limner.toml"), "[fetcher]\nconcurency = 8")), []).unwrap_err();
//! assert!(errors.to_string().contains("did you mean `fetcher.concurrency`"), "{errors}");
//! ```

pub mod admin;
pub mod csv;
pub mod grpc;
pub mod http;
mod limited_listener;
mod metric_descriptions;
pub mod metrics;
pub mod periodic;
mod process_metrics;
pub mod readiness;
mod secret;
pub mod settings;
pub mod shutdown;
pub mod telemetry;

pub use crate::limited_listener::{AcceptedConnection, AddressLimit, ConnectionPermit, LimitedListener, subscriber};
pub use readiness::{Component, Readiness};
pub use secret::Secret;
pub use settings::{Settings, SettingsErrors};
