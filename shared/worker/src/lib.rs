//! What becomes of a page once somebody has read it, whoever that was: it is kept for a few minutes, an extractor makes a
//! result of it, the result is kept, and only then the caller hears of it.
//!
//! Nothing here reads pages or knows of money; what keeps an answer from being a page has its words here, because the
//! plain read and the browser tell it the same way.

mod answers;
mod page_error;
pub mod side;
mod snapshots;
mod task;

pub use answers::{Answers, End, on_the_wire};
pub use page_error::{Asker, PageError, is_refusal};
pub use snapshots::{Snapshots, Unconfirmed};
pub use task::Task;
