//! What becomes of a page once somebody has read it, whoever that was: it is kept for a few minutes, an extractor makes a
//! result of it, the result is kept, and only then the caller hears of it.
//!
//! Nothing here reads pages or knows of money.

mod answers;
mod snapshots;
mod task;

pub use answers::{Answers, End, on_the_wire};
pub use snapshots::Snapshots;
pub use task::Task;
