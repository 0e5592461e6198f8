//! All outgoing connections of Limner. Every connection to an address that a caller or a page named is made here:
//! pages, stylesheets, feeds, the browser's proxy.
//!
//! [`EgressPolicy`] decides which addresses may be reached, [`Client`] connects to them within limits. The client
//! resolves a name once, checks *every* address, and connects to a checked one: a second look-up (DNS rebinding) does
//! not exist. Each redirect is checked anew. Sizes are limited on the wire and after decompression, and each phase has
//! its own time limit.
//!
//! This crate never reads proxy settings from the environment, never keeps cookies, never retries with an unchecked
//! address, never reveals to a caller whether a host was forbidden or unknown, and follows only HTTP redirects
//! (`refresh` is handled by the reader of the page).
//!
//! ```
//! use limner_netguard::EgressPolicy;
//!
//! let policy = EgressPolicy::default();
//! assert!(policy.check_address("93.184.215.14".parse().unwrap()).is_ok());
//! for private in ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::ffff:192.168.0.1"] {
//!     assert!(policy.check_address(private.parse().unwrap()).is_err(), "{private}");
//! }
//! ```

mod address;
mod bad_ports;
mod body;
mod client;
mod connector;
mod dialer;
mod egress_token;
mod error;
mod hostnames;
mod loopback;
mod options;
mod page_report;
mod policy;
mod redirect;
mod request;
mod resolve;
mod response;
mod response_heads;
mod telemetry;

pub use crate::bad_ports::is_blocked_port;
pub use crate::egress_token::{ACTIVATION_URL, Credentials, EgressBudget, EgressToken, EgressTokenKey};
pub use crate::page_report::{DenialReport, PageReport};
pub use address::special_range;
pub use client::Client;
pub use error::{EgressError, Exceeded, FetchError, Phase, Unreachable};
pub use loopback::is_loopback;
pub use options::{Caps, EarlyEnd, EgressOptions, Overflow, Timeouts};
pub use policy::{EgressPolicy, Forbidden};
pub use request::{FetchRequest, PostRequest};
pub use resolve::{Resolver, SystemResolver};
pub use response::FetchResponse;
pub use response_heads::ResponseHeads;
