//! Rate limit of this process alone, used while Redis is unavailable. Several gateways then allow a multiple of the
//! limit, which is better than rejecting everybody.

use limner_cache::Window;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const LENGTH: Duration = Duration::from_secs(60);
/// Number of windows from which on ended ones are removed.
const SWEEP_AT: usize = 10_000;

#[derive(Default)]
pub(crate) struct LocalRateLimiter {
    windows: Mutex<HashMap<String, RateWindow>>,
}

struct RateWindow {
    at: Instant,
    used: u32,
}

impl LocalRateLimiter {
    /// Counts a request at `now`. Rejected requests neither count nor extend the window.
    pub(crate) fn count(&self, account_id: &str, limit: u32, now: Instant) -> Window {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= SWEEP_AT {
            windows.retain(|_, window| now.duration_since(window.at) < LENGTH);
        }
        let window = windows.entry(account_id.to_owned()).or_insert(RateWindow { at: now, used: 0 });
        if now.duration_since(window.at) >= LENGTH {
            *window = RateWindow { at: now, used: 0 };
        }
        let allowed = window.used < limit;
        window.used += u32::from(allowed);
        let left = LENGTH.saturating_sub(now.duration_since(window.at));
        let left_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        Window::new(limit, limit.saturating_sub(window.used), left_ms, allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_opens_with_its_first_request_and_is_not_extended() {
        let (windows, start) = (LocalRateLimiter::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(windows.count("a", 2, at(0)), Window::new(2, 1, 60_000, true));
        assert_eq!(windows.count("a", 2, at(30)), Window::new(2, 0, 30_000, true));
        assert_eq!(windows.count("a", 2, at(59)), Window::new(2, 0, 1_000, false));
        assert_eq!(windows.count("b", 2, at(59)), Window::new(2, 1, 60_000, true), "accounts have their own");
        assert_eq!(windows.count("a", 2, at(60)), Window::new(2, 1, 60_000, true));
    }

    #[test]
    fn raised_limit_applies_at_once() {
        let (windows, now) = (LocalRateLimiter::default(), Instant::now());
        assert!(windows.count("a", 1, now).allowed);
        assert!(!windows.count("a", 1, now).allowed);
        assert_eq!(windows.count("a", 3, now).remaining, 1);
    }
}
