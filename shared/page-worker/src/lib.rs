//! The steps after a page was read, common to fetcher and renderer: the page is cached for a few minutes, an extractor
//! makes a result of it, the result is cached, and only then the reply is sent.
//!
//! This crate neither reads pages nor has access to billing. It also contains the error messages of responses that are
//! not a page, because static reads and the browser report them alike.
//!
//! ```
//! use limner_types::ErrorCode;
//! use limner_page_worker::{ReadMethod, PageError};
//!
//! let refused = PageError::Status(403);
//! assert_eq!(refused.code(), ErrorCode::TargetBlocked);
//! assert!(refused.message(ReadMethod::Fetcher).contains("render=true"));
//! assert!(!refused.message(ReadMethod::Browser).contains("render=true"), "a browser was tried");
//! ```

mod bounded_reading;
mod job_task;
mod page_error;
mod publish_result;
mod site_places;
mod snapshots;
pub mod subresources;

pub use crate::bounded_reading::{ReadingError, read_within};
pub use crate::job_task::Task;
pub use crate::publish_result::{JobError, ResultPublisher, to_proto};
pub use page_error::{PageError, ReadMethod, WAITED_TOO_LONG, is_access_denied};
pub use site_places::{SitePlace, SitePlaces, THROTTLE_TIME};
pub use snapshots::{Snapshots, Unconfirmed};
