//! Types shared by all parts of Limner: operations and their prices, plans and packs, error codes, request parameters
//! and result types.
//!
//! This crate is pure data: no I/O, no clock, and no code that reads pages.
//!
//! ```
//! use limner_types::{Framework, Operation, OperationOptions, request};
//!
//! let query = [("url", "example.com"), ("framework", "vue"), ("colour", "red")];
//! let query = query.map(|(name, value)| (name.to_owned(), value.to_owned()));
//! let parsed = request::parse(Operation::Code, &query).unwrap();
//! let OperationOptions::Code(options) = &parsed.request.options else { panic!("`/code` has options") };
//! assert_eq!(options.framework, Framework::Vue);
//! assert_eq!(parsed.ignored, ["colour"]);
//! assert_eq!(parsed.request.price(), 25);
//! ```

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
pub use operation::{
    BrandScope, CodeLanguage, CodeScope, Framework, Operation, Screenshot, SectionRole, Theme, TokenFormat, TokenScope,
};
pub use plan::{Pack, Plan};
pub use request::{CodeOptions, InvalidParameter, OperationOptions, OperationRequest, ParsedRequest, component_name};
pub use usage::{CacheOutcome, Usage};
