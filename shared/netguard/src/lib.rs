//! The one way out of Limner. Everything that reaches an address a caller (or a page) named goes through here: pages,
//! style sheets, feeds, the browser's proxy.
//!
//! Two halves: [`EgressPolicy`] says what may be reached, [`Client`] reaches it within bounds. The client resolves a
//! name once, checks *every* answer, and connects to an address it has checked: there is no second look-up to lie to.
//! Each redirect starts over. Sizes are capped on the wire and after decompression, and each phase has its own clock.
//!
//! What this crate never does: read proxy settings from the environment, keep cookies, retry against another address
//! family that was not checked, tell a caller whether a host was forbidden or merely unknown, or follow anything but an
//! HTTP redirect (`refresh` belongs to whoever understands the page).

mod address;
mod body;
mod client;
mod connector;
mod dial;
mod error;
mod names;
mod options;
mod pass;
mod policy;
mod ports;
mod redirect;
mod report;
mod resolve;
mod telemetry;

pub use address::special_range;
pub use client::{Client, Fetched, Get, Post};
pub use error::{EgressError, Exceeded, FetchError, Phase, Unreachable};
pub use options::{Caps, EgressOptions, Overflow, Timeouts};
pub use pass::{Allowance, Credentials, FIRST_ADDRESS, Pass, PassKey};
pub use policy::{EgressPolicy, Forbidden};
pub use ports::is_blocked_port;
pub use report::{PageReport, Refusal};
pub use resolve::{Resolver, SystemResolver};
pub use telemetry::describe_metrics;
