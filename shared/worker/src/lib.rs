//! The steps after a page was read, common to fetcher and renderer: the page is cached for a few minutes, an extractor
//! makes a result of it, the result is cached, and only then the reply is sent.
//!
//! This crate neither reads pages nor has access to billing. It also contains the error messages of responses that are
//! not a page, because static reads and the browser report them alike.

mod answers;
mod page_error;
pub mod side;
mod snapshots;
mod task;

pub use answers::{Answers, End, on_the_wire};
pub use page_error::{Asker, PageError, is_refusal};
pub use snapshots::{Snapshots, Unconfirmed};
pub use task::Task;
