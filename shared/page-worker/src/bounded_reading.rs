//! Runs the parts of the core that read a page in the fetcher's and the renderer's own process: classifying the document,
//! and listing its stylesheets and files.
//!
//! They run on blocking threads, which cannot be stopped from outside. Each therefore has a budget of work, which also ends
//! when the deadline passes or nobody waits any more.

use limner_page::WorkBudget;
use limner_page::work_budget::MAX_READING_STEPS;
use thiserror::Error;
use tokio::time::{Instant, timeout_at};

/// The reason why a page was not read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadingError {
    /// It takes more than [`MAX_READING_STEPS`]: it would do so again.
    #[error("the page exceeds the budget of work for reading")]
    TooCostly,
    /// The deadline passed before: the machine is busy.
    #[error("the deadline passed while the page was read")]
    OutOfTime,
    /// A defect of the core.
    #[error("reading the page panicked: {0}")]
    Panicked(String),
}

/// Returns what `read` makes of a page within [`MAX_READING_STEPS`] and by the deadline. `read` stops when its budget is
/// spent or cancelled; its outcome is then dropped.
///
/// # Errors
/// See [`ReadingError`].
pub async fn read_within<T: Send + 'static>(
    deadline: Instant,
    read: impl FnOnce(&WorkBudget) -> T + Send + 'static,
) -> Result<T, ReadingError> {
    let budget = WorkBudget::with_steps(MAX_READING_STEPS);
    let _cancellation = CancelOnDrop(budget.clone());
    let own = budget.clone();
    let reading = tokio::task::spawn_blocking(move || read(&own));
    match timeout_at(deadline, reading).await {
        Err(_) => Err(ReadingError::OutOfTime),
        Ok(Err(panic)) => Err(ReadingError::Panicked(panic.to_string())),
        Ok(Ok(_)) if budget.is_exhausted() => Err(ReadingError::TooCostly),
        Ok(Ok(outcome)) => Ok(outcome),
    }
}

/// Cancels the work when its caller has its outcome, gives up or is cancelled itself.
struct CancelOnDrop(WorkBudget);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    fn in_time() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[tokio::test]
    async fn reading_ends_with_its_budget() {
        assert_eq!(read_within(in_time(), |budget| budget.spend(1)).await, Ok(true));
        let endless = |budget: &WorkBudget| while budget.spend(1_000) {};
        assert_eq!(read_within(in_time(), endless).await, Err(ReadingError::TooCostly));
        let panicked = read_within(in_time(), |_| panic!("a defect")).await;
        assert!(matches!(panicked, Err::<(), _>(ReadingError::Panicked(_))));
    }

    /// Returns work that only ends when it is cancelled, and what receives its end.
    fn until_cancelled() -> (impl FnOnce(&WorkBudget) + Send, mpsc::Receiver<()>) {
        let (ended, end) = mpsc::channel();
        let work = move |budget: &WorkBudget| {
            while !budget.is_exhausted() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let _ = ended.send(());
        };
        (work, end)
    }

    #[tokio::test]
    async fn reading_ends_at_its_deadline_and_when_nobody_waits() {
        let (work, end) = until_cancelled();
        let soon = Instant::now() + Duration::from_millis(20);
        assert_eq!(read_within(soon, work).await, Err(ReadingError::OutOfTime));
        end.recv_timeout(Duration::from_secs(60)).unwrap();

        let (work, end) = until_cancelled();
        let abandoned = tokio::time::timeout(Duration::from_millis(20), read_within(in_time(), work)).await;
        assert!(abandoned.is_err());
        end.recv_timeout(Duration::from_secs(60)).unwrap();
    }
}
