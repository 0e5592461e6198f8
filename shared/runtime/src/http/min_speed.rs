//! Minimum speed of peers: a time limit that is extended by transferred bytes.

use super::memory_budget::MemoryBudget;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// Minimum speed of a body, in either direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Time limit without any transferred byte.
    pub timeout: Duration,
    /// Bytes per second: every byte extends the time by a second divided by this, up to `timeout`.
    pub min_rate: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(20), min_rate: 4_000 }
    }
}

/// Factor by which peers must be faster while others wait for memory.
const PRESSURE_FACTOR: u32 = 8;
/// Interval at which waiting for memory is checked.
const TICK: Duration = Duration::from_secs(1);

/// The remaining time of a peer. It runs only while we wait for the peer, not while we process.
#[derive(Debug)]
pub(super) struct Clock {
    pace: Pace,
    remaining: Duration,
    waiting_since: Option<Instant>,
}

impl Clock {
    pub(super) fn new(pace: Pace) -> Self {
        Self { pace, remaining: pace.timeout, waiting_since: None }
    }

    /// Starts the clock unless it is running.
    pub(super) fn start(&mut self) {
        self.waiting_since.get_or_insert_with(Instant::now);
    }

    /// Stops the clock; the peer has transferred `bytes`.
    pub(super) fn stop(&mut self, bytes: usize) {
        let Some(since) = self.waiting_since.take() else { return };
        let gained = Duration::from_secs_f64(bytes as f64 / f64::from(self.pace.min_rate.max(1)));
        self.remaining = self.remaining.saturating_sub(since.elapsed()).saturating_add(gained).min(self.pace.timeout);
    }

    /// Returns the time at which the peer's time runs out.
    fn deadline(&self, is_crowded: bool) -> Option<Instant> {
        let left = if is_crowded { self.remaining / PRESSURE_FACTOR } else { self.remaining };
        Some(self.waiting_since? + left)
    }
}

/// Wakes a task when the time of a peer runs out.
#[derive(Debug, Default)]
pub(super) struct Alarm {
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Alarm {
    /// Ready once the time of `clock` has run out. Must be polled whenever the clock may have been started or stopped.
    pub(super) fn poll(&mut self, clock: &Clock, room: Option<&MemoryBudget>, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            let Some(deadline) = clock.deadline(room.is_some_and(MemoryBudget::has_waiters)) else {
                return Poll::Pending;
            };
            let now = Instant::now();
            if deadline <= now {
                return Poll::Ready(());
            }
            let sleep = self.sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline.min(now + TICK))));
            // An alarm that fires too early only checks again.
            if sleep.is_elapsed() || sleep.deadline() > deadline {
                sleep.as_mut().reset(deadline.min(now + TICK));
            }
            ready!(sleep.as_mut().poll(cx));
        }
    }
}

/// Counts a peer that was cut off.
pub(super) fn count_cut(why: &'static str) {
    metrics::counter!("limner_http_cut_peers_total", "why" => why).increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { timeout: Duration::from_secs(10), min_rate: 100 };

    /// Transfers `bytes` after each of `waits`; returns the number of transfers after which the peer's time ran out.
    async fn moves_until_over(waits: &[u64], bytes: usize) -> Option<usize> {
        let mut clock = Clock::new(PACE);
        for (index, wait) in waits.iter().enumerate() {
            clock.start();
            let expiry = std::future::poll_fn(|cx| Alarm::default().poll(&clock, None, cx));
            if tokio::time::timeout(Duration::from_secs(*wait), expiry).await.is_ok() {
                return Some(index);
            }
            clock.stop(bytes);
        }
        None
    }

    #[tokio::test(start_paused = true)]
    async fn peer_below_the_least_rate_runs_out_of_time() {
        for (waits, bytes, over_at) in [
            (&[9, 9, 9][..], 900, None),
            (&[11], 900, Some(0)),
            // Half the required speed: 10, 9, 8, … seconds remain, and 2 are too few.
            (&[2; 30], 100, Some(8)),
            (&[1; 100], 100, None),
            // Time beyond the maximum is not saved.
            (&[1, 1, 1, 11], 1_000_000, Some(3)),
        ] {
            assert_eq!(moves_until_over(waits, bytes).await, over_at, "{waits:?} {bytes}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn only_time_spent_waiting_for_the_peer_counts() {
        let mut clock = Clock::new(PACE);
        for _ in 0..10 {
            clock.start();
            tokio::time::advance(Duration::from_millis(900)).await;
            clock.stop(0);
            tokio::time::advance(Duration::from_secs(60)).await;
        }
        clock.start();
        assert_eq!(clock.deadline(false).unwrap() - Instant::now(), Duration::from_secs(1));
    }

    #[tokio::test(start_paused = true)]
    async fn peers_must_be_faster_while_others_wait_for_memory() {
        let mut clock = Clock::new(PACE);
        let room = MemoryBudget::new(1_000);
        let _all = room.reserve(1_000, Duration::from_secs(1)).await.unwrap();
        clock.start();
        let started = Instant::now();
        let waiting = room.reserve(1_000, Duration::from_secs(60));
        let mut alarm = Alarm::default();
        let expiry = std::future::poll_fn(|cx| alarm.poll(&clock, Some(&room), cx));
        tokio::select! {
            biased;
            _ = waiting => unreachable!("all memory is in use"),
            () = expiry => {}
        }
        assert!(started.elapsed() < PACE.timeout / 4, "{:?}", started.elapsed());
    }
}
