//! Sheds calls that would wait too long. If the calls in progress take longer to finish, at the rate of the last seconds,
//! than a new call may take, it would mostly wait, or fail at its deadline and take the time of others until then.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Time over which finished calls are counted.
const WINDOW: Duration = Duration::from_secs(10);
/// Number of calls in progress below which none is shed: the rate of a few slow pages says nothing.
const MIN_CALLS: usize = 64;

/// The calls in progress that wait for the same kind of worker.
#[derive(Default)]
pub(crate) struct LoadShedder(Mutex<Load>);

#[derive(Default)]
struct Load {
    in_progress: usize,
    /// Start of the time during which at least [`MIN_CALLS`] were in progress.
    busy_since: Option<Instant>,
    /// Ends of calls within the window.
    ended: VecDeque<Instant>,
}

/// A call in progress, until it is dropped.
pub(crate) struct AdmittedCall(Arc<LoadShedder>);

impl LoadShedder {
    /// Admits a call that may take `allowed`, or returns the time by which its expected duration exceeds that.
    pub(crate) fn admit(self: &Arc<Self>, allowed: Duration) -> Result<AdmittedCall, Duration> {
        let mut load = self.lock();
        let expected = load.expected_duration(Instant::now());
        if let Some(excess) = expected.and_then(|expected| expected.checked_sub(allowed)) {
            return Err(excess);
        }
        load.in_progress += 1;
        load.observe();
        Ok(AdmittedCall(Arc::clone(self)))
    }

    fn lock(&self) -> MutexGuard<'_, Load> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Load {
    fn observe(&mut self) {
        if self.in_progress < MIN_CALLS {
            self.busy_since = None;
        } else if self.busy_since.is_none() {
            self.busy_since = Some(Instant::now());
        }
    }

    /// Returns the time that a new call will take, by Little's law; `None` if unknown.
    fn expected_duration(&mut self, now: Instant) -> Option<Duration> {
        while self.ended.front().is_some_and(|ended| now.duration_since(*ended) > WINDOW) {
            self.ended.pop_front();
        }
        // A burst after a quiet time says nothing about the rate.
        let is_busy = self.busy_since.is_some_and(|since| now.duration_since(since) >= WINDOW);
        if !is_busy || self.ended.is_empty() {
            return None;
        }
        Some(WINDOW.mul_f64(self.in_progress as f64 / self.ended.len() as f64))
    }
}

impl Drop for AdmittedCall {
    fn drop(&mut self) {
        let mut load = self.0.lock();
        load.in_progress -= 1;
        load.observe();
        load.ended.push_back(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEADLINE: Duration = Duration::from_secs(45);

    #[tokio::test(start_paused = true)]
    async fn calls_that_cannot_end_in_time_are_shed() {
        let shedder = Arc::<LoadShedder>::default();
        let mut calls: VecDeque<AdmittedCall> = (0..100).map(|_| shedder.admit(DEADLINE).ok().unwrap()).collect();
        // Twenty calls a second arrive and five end: goodput stays five, and the number in progress is bounded.
        let mut shed = 0;
        for _ in 0..60 {
            tokio::time::advance(Duration::from_secs(1)).await;
            calls.drain(..5);
            for _ in 0..20 {
                match shedder.admit(DEADLINE) {
                    Ok(call) => calls.push_back(call),
                    Err(excess) => {
                        assert!(excess < DEADLINE, "{excess:?}");
                        shed += 1;
                    }
                }
            }
        }
        assert!(shed > 500, "{shed} of 1200");
        // What is admitted ends within the deadline.
        let seconds = calls.len() / 5;
        assert!((40..=50).contains(&seconds), "{seconds} s of work in progress");
    }

    #[tokio::test(start_paused = true)]
    async fn load_shedder_with_few_calls_or_at_shutdown_sheds_nothing() {
        let shedder = Arc::<LoadShedder>::default();
        let few: Vec<AdmittedCall> = (1..MIN_CALLS).map(|_| shedder.admit(DEADLINE).ok().unwrap()).collect();
        drop(shedder.admit(DEADLINE));
        assert!(shedder.admit(DEADLINE).is_ok(), "few calls may be slow");
        let many: Vec<AdmittedCall> = (0..MIN_CALLS).map(|_| shedder.admit(DEADLINE).ok().unwrap()).collect();
        tokio::time::advance(WINDOW * 2).await;
        assert!(shedder.admit(DEADLINE).is_ok(), "without an end there is no rate");
        drop((few, many));
    }
}
