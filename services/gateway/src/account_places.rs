//! Fair queueing by account: a call that does work has one of its account's places, which are counted in the whole fleet.
//! Calls beyond them wait behind the account's own calls, in order of arrival at this gateway, so that one account's slow
//! pages do not occupy the workers of all.
//!
//! An account whose failed calls, which cost nothing, take more than a budget of time has half its places for a minute.
//!
//! Places are leases in Redis. While Redis is away they are counted in this process.

use limner_cache::{Cache, PlaceTerms};
use limner_types::Plan;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

/// The kind of work of a call. Each has places of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PlaceKind {
    /// A static read.
    Static,
    /// A browser read.
    Browser,
}

/// Numbers of places of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// Static reads at once.
    pub static_reads: usize,
    /// Browser reads at once.
    pub browser_reads: usize,
}

/// Places by plan, and the time limits of waiting for one.
#[derive(Debug, Clone)]
pub struct PlaceLimits {
    /// Places of an account of each plan.
    pub by_plan: HashMap<Plan, Places>,
    /// Maximum time for which a call waits for a place for a static read: after that, the read would not end in time.
    pub static_wait: Duration,
    /// The same for a browser read.
    pub browser_wait: Duration,
    /// Time of failed calls in a minute, for each place, beyond which an account has half as many places.
    pub failure_budget: Duration,
}

impl PlaceKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Browser => "browser",
        }
    }
}

impl Default for PlaceLimits {
    fn default() -> Self {
        Self {
            by_plan: HashMap::new(),
            static_wait: Duration::from_secs(25),
            browser_wait: Duration::from_secs(10),
            failure_budget: Duration::from_secs(30),
        }
    }
}

impl PlaceLimits {
    /// Returns the number of places for a call; a plan without a limit has any number.
    fn places(&self, request: PlaceRequest<'_>) -> usize {
        let places = self.by_plan.get(&request.plan).copied();
        let number = places.map_or(usize::MAX >> 1, |places| match request.kind {
            PlaceKind::Static => places.static_reads,
            PlaceKind::Browser => places.browser_reads,
        });
        number.max(1)
    }

    fn longest_wait(&self, kind: PlaceKind) -> Duration {
        match kind {
            PlaceKind::Static => self.static_wait,
            PlaceKind::Browser => self.browser_wait,
        }
    }
}

/// A call could not start in time: its account has too much work ahead of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoPlaceInTime {
    /// Time after which a place is likely to be free.
    pub(crate) retry_after: Duration,
}

/// Added to a lease, for the end of a call after its deadline.
const LEASE_MARGIN: Duration = Duration::from_secs(5);
/// Interval at which the first call in line asks Redis: other gateways return places without a word.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Assumed duration of a call before one has ended.
const FIRST_GUESS: Duration = Duration::from_secs(2);

/// The places of all accounts, as far as this gateway has calls of them.
pub(crate) struct AccountPlaces {
    cache: Cache,
    limits: PlaceLimits,
    tasks: TaskTracker,
    lines: Mutex<HashMap<(String, PlaceKind), Arc<Line>>>,
}

/// A call that needs a place.
#[derive(Clone, Copy)]
pub(crate) struct PlaceRequest<'a> {
    pub(crate) account_id: &'a str,
    pub(crate) plan: Plan,
    pub(crate) kind: PlaceKind,
    /// Unique name of the call.
    pub(crate) call: &'a str,
    pub(crate) deadline: Instant,
}

impl AccountPlaces {
    pub(crate) fn new(cache: Cache, limits: PlaceLimits, tasks: TaskTracker) -> Self {
        Self { cache, limits, tasks, lines: Mutex::default() }
    }

    /// Takes a place if one is free and no call of the account waits.
    pub(crate) async fn try_take(self: &Arc<Self>, request: PlaceRequest<'_>) -> Option<Place> {
        let line = self.line(request);
        let first = Arc::clone(&line.first).try_lock_owned().ok();
        let taken = first.is_some() && self.ask(&line, request).await;
        taken.then(|| self.place(line, request))
    }

    /// Waits for a place. If the account's calls ahead of it will not leave one in time, it does not wait.
    pub(crate) async fn take(self: &Arc<Self>, request: PlaceRequest<'_>) -> Result<Place, NoPlaceInTime> {
        let (line, kind) = (self.line(request), request.kind.as_str());
        let began = Instant::now();
        let longest = self.limits.longest_wait(request.kind).min(request.deadline.saturating_duration_since(began));
        let waiting = Waiting::enter(&line);
        let expected = line.expected_wait(waiting.ahead, self.limits.places(request));
        let shortage = |retry_after| {
            metrics::counter!("limner_gateway_place_shortages_total", "kind" => kind).increment(1);
            Err(NoPlaceInTime { retry_after })
        };
        if expected > longest {
            return shortage(expected - longest);
        }
        let mut given_up = GivenUp { places: self, line: &line, call: request.call, is_active: true };
        let taken = tokio::time::timeout(longest, self.wait_in_line(&line, request)).await;
        metrics::histogram!("limner_gateway_place_wait_seconds", "kind" => kind).record(began.elapsed());
        if taken.is_err() {
            return shortage(line.usual());
        }
        given_up.is_active = false;
        Ok(self.place(Arc::clone(&line), request))
    }

    async fn wait_in_line(&self, line: &Line, request: PlaceRequest<'_>) {
        let _first = line.first.lock().await;
        loop {
            let returned = line.returned.notified();
            if self.ask(line, request).await {
                return;
            }
            let _ = tokio::time::timeout(POLL_INTERVAL, returned).await;
        }
    }

    /// Asks Redis for a place, unless the calls of this gateway have all of them.
    async fn ask(&self, line: &Line, request: PlaceRequest<'_>) -> bool {
        let places = self.limits.places(request);
        if line.working.load(Ordering::Relaxed) >= places {
            return false;
        }
        let lease = request.deadline.saturating_duration_since(Instant::now()) + LEASE_MARGIN;
        let failure_budget = self.limits.failure_budget.saturating_mul(u32::try_from(places).unwrap_or(u32::MAX));
        let terms = PlaceTerms { places, lease, failure_budget };
        let is_taken = self.cache.take_place(&line.name, request.call, terms).await.unwrap_or_else(|cause| {
            if !cause.is_unavailable() {
                tracing::warn!(error = %cause, "cannot count the places of an account in the fleet");
            }
            true
        });
        if is_taken {
            // Before the next call in line asks.
            line.working.fetch_add(1, Ordering::Relaxed);
        }
        is_taken
    }

    fn place(self: &Arc<Self>, line: Arc<Line>, request: PlaceRequest<'_>) -> Place {
        let (places, call) = (Arc::clone(self), request.call.to_owned());
        Place { places, line: Some(line), call, taken: Instant::now(), has_failed: true }
    }

    fn line(self: &Arc<Self>, request: PlaceRequest<'_>) -> Arc<Line> {
        let account = (request.account_id.to_owned(), request.kind);
        let mut lines = self.lock();
        // A line without calls is of no use; there are few lines.
        if lines.len() >= MAX_IDLE_LINES {
            lines.retain(|_, line| Arc::strong_count(line) > 1);
        }
        Arc::clone(lines.entry(account).or_insert_with(|| Arc::new(Line::new(request))))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(String, PlaceKind), Arc<Line>>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Number of lines above which those without calls are removed.
const MAX_IDLE_LINES: usize = 10_000;

/// The calls of one account and kind at this gateway.
struct Line {
    /// Name of the places in Redis.
    name: String,
    /// Held by the first call in line. Others wait for it in order of arrival.
    first: Arc<tokio::sync::Mutex<()>>,
    /// Calls that wait.
    waiting: AtomicUsize,
    /// Calls with a place.
    working: AtomicUsize,
    returned: Notify,
    /// Moving average of the time for which a call has its place, in milliseconds.
    usual_ms: AtomicU64,
}

impl Line {
    fn new(request: PlaceRequest<'_>) -> Self {
        Self {
            name: format!("{}:{}", request.kind.as_str(), request.account_id),
            first: Arc::default(),
            waiting: AtomicUsize::new(0),
            working: AtomicUsize::new(0),
            returned: Notify::new(),
            usual_ms: AtomicU64::new(millis(FIRST_GUESS)),
        }
    }

    fn usual(&self) -> Duration {
        Duration::from_millis(self.usual_ms.load(Ordering::Relaxed))
    }

    /// Returns the time after which a call with `ahead` waiting ones before it gets one of the places.
    fn expected_wait(&self, ahead: usize, places: usize) -> Duration {
        let before = (self.working.load(Ordering::Relaxed) + ahead + 1).saturating_sub(places);
        let share = before as f64 / places as f64;
        self.usual().mul_f64(share)
    }

    fn record(&self, took: Duration) {
        let usual = self.usual_ms.load(Ordering::Relaxed);
        self.usual_ms.store((usual * 3 + millis(took)) / 4, Ordering::Relaxed);
    }
}

/// A waiting call, counted until it is dropped.
struct Waiting<'l> {
    line: &'l Line,
    ahead: usize,
}

impl<'l> Waiting<'l> {
    fn enter(line: &'l Line) -> Self {
        Self { line, ahead: line.waiting.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.line.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A wait for a place that is given up when this is dropped, unless it has ended: by its time limit or by the caller.
struct GivenUp<'a> {
    places: &'a AccountPlaces,
    line: &'a Arc<Line>,
    call: &'a str,
    is_active: bool,
}

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        if !self.is_active {
            return;
        }
        // Redis may have given a place in the last moment.
        let (cache, line, call) = (self.places.cache.clone(), Arc::clone(self.line), self.call.to_owned());
        self.places.tasks.spawn(async move { cache.return_place(&line.name, &call, Duration::ZERO).await });
    }
}

/// A place of a call, returned when it is dropped.
pub(crate) struct Place {
    places: Arc<AccountPlaces>,
    line: Option<Arc<Line>>,
    call: String,
    taken: Instant,
    has_failed: bool,
}

impl Place {
    /// Records that the call has not failed by a fault of its caller or target: its time does not count as lost.
    pub(crate) fn mark_useful(&mut self) {
        self.has_failed = false;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(line) = self.line.take() else { return };
        let took = self.taken.elapsed();
        line.record(took);
        let failed = if self.has_failed { took } else { Duration::ZERO };
        let (cache, call) = (self.places.cache.clone(), std::mem::take(&mut self.call));
        // At once: the account's next call must not expect to wait for a call that has ended.
        line.working.fetch_sub(1, Ordering::Relaxed);
        self.places.tasks.spawn(async move {
            // Without Redis its lease ends.
            let _ = cache.return_place(&line.name, &call, failed).await;
            line.returned.notify_one();
        });
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_wait_is_that_of_the_calls_ahead() {
        let request = PlaceRequest {
            account_id: "a",
            plan: Plan::Free,
            kind: PlaceKind::Static,
            call: "c",
            deadline: Instant::now(),
        };
        let line = Line::new(request);
        assert_eq!(line.expected_wait(4, 5), Duration::ZERO, "there is a place for each");
        line.working.store(5, Ordering::Relaxed);
        assert_eq!(line.expected_wait(0, 5), FIRST_GUESS / 5);
        for _ in 0..40 {
            line.record(Duration::from_secs(13));
        }
        let wait = line.expected_wait(19, 5);
        assert!((Duration::from_secs(51)..Duration::from_secs(53)).contains(&wait), "{wait:?}");
    }
}
