//! Types shared by all parts of Limner: operations and their prices, plans and packs, error codes, request parameters
//! and result types.
//!
//! This crate is pure data: no I/O, no clock, and no code that reads pages.

pub mod account;
pub mod component_name;
pub mod error;
pub mod key;
pub mod operation;
pub mod plan;
pub mod request;
pub mod result;
pub mod usage;
mod wire_enum;

pub use crate::wire_enum::WireEnum;
pub use account::AccountState;
pub use error::{ErrorBody, ErrorCode, SectionRef};
pub use key::{ApiKey, KeyFormatError};
pub use operation::{Framework, Operation, Screenshot, SectionRole, Theme, TokenFormat};
pub use plan::{Pack, Plan};
pub use request::{CodeOptions, InvalidParameter, OperationOptions, OperationRequest, ParsedRequest, component_name};
pub use usage::{CacheOutcome, Usage};
