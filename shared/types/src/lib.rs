//! The words every part of Limner shares: operations and their prices, plans and packs, error codes, request
//! parameters and result shapes.
//!
//! This crate is pure data. It never does I/O, never reads a clock and knows nothing of how a page is read.

pub mod account;
mod choice;
pub mod error;
pub mod key;
pub mod naming;
pub mod operation;
pub mod plan;
pub mod request;
pub mod result;
pub mod usage;

pub use account::AccountState;
pub use choice::Choice;
pub use error::{ErrorBody, ErrorCode, SectionRef};
pub use key::{ApiKey, KeyFormatError};
pub use operation::{Framework, Operation, Screenshot, SectionRole, Theme, TokenFormat};
pub use plan::{Pack, Plan};
pub use request::{CodeOptions, InvalidParameter, OperationOptions, ParsedRequest, Request, component_name};
pub use usage::{CacheOutcome, Usage};
