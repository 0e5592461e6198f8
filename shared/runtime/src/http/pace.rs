//! How slow a peer may be: a time, and a least rate that gives it back.

use super::room::Room;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// How slow a peer may be with a body, in either direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// How long nothing at all may move.
    pub patience: Duration,
    /// Every byte that moves gives back a second divided by this, up to the whole patience.
    pub least_rate: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self { patience: Duration::from_secs(20), least_rate: 4_000 }
    }
}

/// While others wait for room, peers have to be that many times as fast.
const HURRY: u32 = 8;
/// How often it is looked whether others wait for room.
const TICK: Duration = Duration::from_secs(1);

/// What is left of a peer's time. It runs only while the peer is waited for: what takes us long is not the peer's.
#[derive(Debug)]
pub(super) struct Clock {
    pace: Pace,
    left: Duration,
    waiting_since: Option<Instant>,
}

impl Clock {
    pub(super) fn new(pace: Pace) -> Self {
        Self { pace, left: pace.patience, waiting_since: None }
    }

    /// From now on the peer is waited for, if it was not already.
    pub(super) fn start(&mut self) {
        self.waiting_since.get_or_insert_with(Instant::now);
    }

    /// The peer has moved that many bytes, and is not waited for.
    pub(super) fn stop(&mut self, bytes: usize) {
        let Some(since) = self.waiting_since.take() else { return };
        let gained = Duration::from_secs_f64(bytes as f64 / f64::from(self.pace.least_rate.max(1)));
        self.left = self.left.saturating_sub(since.elapsed()).saturating_add(gained).min(self.pace.patience);
    }

    /// When the peer's time is over.
    fn deadline(&self, is_crowded: bool) -> Option<Instant> {
        let left = if is_crowded { self.left / HURRY } else { self.left };
        Some(self.waiting_since? + left)
    }
}

/// Wakes a task when the time of a peer is over.
#[derive(Debug, Default)]
pub(super) struct Alarm {
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Alarm {
    /// Ready once the time of `clock` is over. To be polled whenever the clock may have been started or stopped.
    pub(super) fn poll(&mut self, clock: &Clock, room: Option<&Room>, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            let Some(deadline) = clock.deadline(room.is_some_and(Room::is_crowded)) else { return Poll::Pending };
            let now = Instant::now();
            if deadline <= now {
                return Poll::Ready(());
            }
            let sleep = self.sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline.min(now + TICK))));
            // An earlier alarm than is needed only looks again.
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

    const PACE: Pace = Pace { patience: Duration::from_secs(10), least_rate: 100 };

    /// Moves `bytes` after each of `waits`; says after how many of them the peer's time was over.
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
    async fn a_peer_below_the_least_rate_runs_out_of_time() {
        for (waits, bytes, over_at) in [
            (&[9, 9, 9][..], 900, None),
            (&[11], 900, Some(0)),
            // Half as fast as it should be: 10, 9, 8, … seconds are left, and 2 are too few.
            (&[2; 30], 100, Some(8)),
            (&[1; 100], 100, None),
            // Nothing is saved up for later.
            (&[1, 1, 1, 11], 1_000_000, Some(3)),
        ] {
            assert_eq!(moves_until_over(waits, bytes).await, over_at, "{waits:?} {bytes}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn only_time_in_which_the_peer_is_waited_for_counts() {
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
    async fn who_takes_room_that_others_wait_for_has_to_hurry() {
        let mut clock = Clock::new(PACE);
        let room = Room::new(1_000);
        let _all = room.take(1_000, Duration::from_secs(1)).await.unwrap();
        clock.start();
        let started = Instant::now();
        let waiting = room.take(1_000, Duration::from_secs(60));
        let mut alarm = Alarm::default();
        let expiry = std::future::poll_fn(|cx| alarm.poll(&clock, Some(&room), cx));
        tokio::select! {
            biased;
            _ = waiting => unreachable!("all is taken"),
            () = expiry => {}
        }
        assert!(started.elapsed() < PACE.patience / 4, "{:?}", started.elapsed());
    }
}
