//! Admission control: slots are shared fairly among tenants, a limited number of calls waits, the rest is refused at
//! once.
//!
//! A call starts in a slot. After a while it yields the slot if a waiting call could start, and continues in the
//! background. A tenant has at most as many running calls as there are slots. A single tenant is thus served as if there
//! were no others, and delays others by at most the time that a call may keep its slot.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Limits of admission.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Number of slots, and maximum number of running calls of one tenant, in slots or in the background.
    pub(crate) slots: usize,
    /// Maximum number of calls in the background.
    pub(crate) background: usize,
    /// Maximum number of waiting calls.
    pub(crate) waiting: usize,
    /// Time after which a call yields its slot to a waiting call.
    pub(crate) slot_time: Duration,
}

/// The slots and their queue. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct AdmissionQueue {
    limits: Limits,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    in_slots: usize,
    in_background: usize,
    /// Calls in slots and in the background, by tenant.
    running: HashMap<Arc<str>, usize>,
    /// In order of arrival.
    waiting: Vec<WaitingCall>,
    arrivals: u64,
}

#[derive(Debug)]
struct WaitingCall {
    number: u64,
    tenant: Arc<str>,
    admitted: oneshot::Sender<QueueSlot>,
}

impl AdmissionQueue {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits: Limits { slots: limits.slots.max(1), ..limits }, state: Arc::default() }
    }

    /// Waits for a slot, or returns `None` if the call is refused: a full queue drops the newest call of the tenant with
    /// the most waiting calls.
    pub(crate) async fn enter(&self, tenant: &str) -> Option<QueueSlot> {
        let (admitted, slot) = oneshot::channel();
        let mut number = 0;
        self.change(|state| number = state.join(tenant.into(), admitted));
        let _leaves_queue = InQueue { admission: self, number };
        slot.await.ok()
    }

    /// Changes the state, then admits waiting calls to free slots and refuses those beyond the limit of the queue.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        let admitted = state.admit(&self.limits);
        state.shorten_queue(self.limits.waiting);
        metrics::gauge!("limner_extractor_waiting_calls").set(state.waiting.len() as f64);
        metrics::gauge!("limner_extractor_background_calls").set(state.in_background as f64);
        drop(state);
        for WaitingCall { tenant, admitted, .. } in admitted {
            let is_background = Cell::new(false);
            let slot = QueueSlot { admission: self.clone(), tenant, since: Instant::now(), is_background };
            // A call that was cancelled meanwhile drops its place here, which frees it again.
            let _ = admitted.send(slot);
        }
    }
}

impl State {
    fn join(&mut self, tenant: Arc<str>, admitted: oneshot::Sender<QueueSlot>) -> u64 {
        self.arrivals += 1;
        self.waiting.push(WaitingCall { number: self.arrivals, tenant, admitted });
        self.arrivals
    }

    /// Removes the calls from the queue that get a slot.
    fn admit(&mut self, limits: &Limits) -> Vec<WaitingCall> {
        let mut admitted = Vec::new();
        while self.in_slots < limits.slots
            && let Some(index) = self.next(limits)
        {
            let waiting = self.waiting.remove(index);
            self.in_slots += 1;
            *self.running.entry(Arc::clone(&waiting.tenant)).or_default() += 1;
            admitted.push(waiting);
        }
        admitted
    }

    /// Returns the index of the call that gets the next slot: the earliest of the tenant with the fewest running calls.
    fn next(&self, limits: &Limits) -> Option<usize> {
        let waiting = self.waiting.iter().enumerate();
        let running = waiting.map(|(index, waiting)| (self.running.get(&waiting.tenant).copied().unwrap_or(0), index));
        running.filter(|(running, _)| *running < limits.slots).min().map(|(_, index)| index)
    }

    fn shorten_queue(&mut self, most: usize) {
        while self.waiting.len() > most {
            let mut of_tenant = HashMap::<&str, usize>::new();
            self.waiting.iter().for_each(|waiting| *of_tenant.entry(&waiting.tenant).or_default() += 1);
            let order = |index: &usize| (of_tenant[&*self.waiting[*index].tenant], *index);
            let Some(last) = (0..self.waiting.len()).max_by_key(order) else { return };
            self.waiting.remove(last);
        }
    }
}

/// A call in the queue, removed however the wait ends.
struct InQueue<'a> {
    admission: &'a AdmissionQueue,
    number: u64,
}

impl Drop for InQueue<'_> {
    fn drop(&mut self) {
        self.admission.change(|state| state.waiting.retain(|waiting| waiting.number != self.number));
    }
}

/// The place of a running call, at first a slot. Dropping it frees it.
#[derive(Debug)]
pub(crate) struct QueueSlot {
    admission: AdmissionQueue,
    tenant: Arc<str>,
    since: Instant,
    is_background: Cell<bool>,
}

impl QueueSlot {
    /// Moves the call to the background if its time in the slot is over and a waiting call could start. Returns true if
    /// it did.
    pub(crate) fn yield_slot(&self) -> bool {
        let limits = self.admission.limits;
        if self.since.elapsed() < limits.slot_time || self.is_background.get() {
            return false;
        }
        self.admission.change(|state| {
            if state.in_background < limits.background && state.next(&limits).is_some() {
                state.in_slots -= 1;
                state.in_background += 1;
                self.is_background.set(true);
            }
        });
        self.is_background.get()
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        let is_background = self.is_background.get();
        self.admission.change(|state| {
            let place = if is_background { &mut state.in_background } else { &mut state.in_slots };
            *place -= 1;
            if let Some(running) = state.running.get_mut(&self.tenant) {
                *running -= 1;
                if *running == 0 {
                    state.running.remove(&self.tenant);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use std::pin::Pin;

    const NO_TIME: Limits = Limits { slots: 2, background: 8, waiting: 64, slot_time: Duration::ZERO };

    /// Waiting calls by tenant.
    struct Queue<'a>(Vec<(&'static str, Pin<Box<dyn Future<Output = Option<QueueSlot>> + 'a>>)>);

    impl<'a> Queue<'a> {
        fn waiting(admission: &'a AdmissionQueue, tenants: &[&'static str]) -> Self {
            let mut queue = Self(Vec::new());
            for tenant in tenants {
                let mut call = Box::pin(admission.enter(tenant));
                assert!(call.as_mut().now_or_never().is_none(), "{tenant} waits");
                queue.0.push((tenant, call));
            }
            queue
        }

        /// Returns the calls that are admitted now.
        fn admitted(&mut self) -> Vec<(&'static str, QueueSlot)> {
            let mut admitted = Vec::new();
            self.0.retain_mut(|(tenant, call)| match call.as_mut().now_or_never() {
                Some(slot) => {
                    admitted.push((*tenant, slot.expect("not refused")));
                    false
                }
                None => true,
            });
            admitted
        }
    }

    fn names(admitted: &[(&'static str, QueueSlot)]) -> Vec<&'static str> {
        admitted.iter().map(|(tenant, _)| *tenant).collect()
    }

    fn enter_at_once(admission: &AdmissionQueue, tenant: &str) -> QueueSlot {
        admission.enter(tenant).now_or_never().expect("a slot is free").expect("not refused")
    }

    #[tokio::test]
    async fn queue_is_bounded_and_places_come_back() {
        let admission = AdmissionQueue::new(Limits { slots: 1, waiting: 1, ..NO_TIME });
        let running = enter_at_once(&admission, "a");
        let mut waiting = Box::pin(admission.enter("a"));
        assert!(waiting.as_mut().now_or_never().is_none(), "the second waits");
        assert!(admission.enter("a").await.is_none(), "the third is refused");
        drop(waiting);
        let mut again = Box::pin(admission.enter("a"));
        assert!(again.as_mut().now_or_never().is_none(), "a caller that gave up left its place");
        drop(running);
        assert!(again.await.is_some());
    }

    #[tokio::test]
    async fn full_queue_refuses_the_tenant_that_fills_it() {
        let admission = AdmissionQueue::new(Limits { slots: 1, waiting: 3, ..NO_TIME });
        let running = enter_at_once(&admission, "a");
        let mut queue = Queue::waiting(&admission, &["a", "a", "a"]);
        let mut other = Queue::waiting(&admission, &["b"]);
        assert!(queue.0.pop().unwrap().1.await.is_none(), "the last of the many makes room");
        assert!(admission.enter("a").now_or_never().unwrap().is_none(), "it is not let in again");
        assert!(other.admitted().is_empty(), "the newcomer waits in its place");
        drop(running);
        assert_eq!(names(&queue.admitted()), ["a"]);
    }

    #[tokio::test]
    async fn free_slot_goes_to_the_tenant_with_the_fewest_running_calls() {
        let admission = AdmissionQueue::new(Limits { slots: 3, ..NO_TIME });
        let a = [enter_at_once(&admission, "a"), enter_at_once(&admission, "a")];
        let b = enter_at_once(&admission, "b");
        let mut queue = Queue::waiting(&admission, &["a", "b", "c", "c", "b"]);
        drop(b);
        let b = queue.admitted();
        assert_eq!(names(&b), ["b"], "of those with none it came first");
        let [first, second] = a;
        drop(first);
        let c = queue.admitted();
        assert_eq!(names(&c), ["c"]);
        drop(second);
        assert_eq!(names(&queue.admitted()), ["a"]);
    }

    #[tokio::test]
    async fn call_yields_its_slot_to_another_tenant_only() {
        let admission = AdmissionQueue::new(NO_TIME);
        let slow = [enter_at_once(&admission, "a"), enter_at_once(&admission, "a")];
        assert!(!slow[0].yield_slot(), "nobody waits");
        let mut own = Queue::waiting(&admission, &["a"]);
        assert!(
            !slow[0].yield_slot(),
            "the waiting call may not start: its tenant has as many running calls as there are slots"
        );
        let mut other = Queue::waiting(&admission, &["b"]);
        assert!(slow[0].yield_slot());
        assert!(!slow[1].yield_slot(), "nobody else waits");
        let quick = other.admitted();
        assert_eq!(names(&quick), ["b"]);
        assert!(own.admitted().is_empty());
        drop(quick);
        assert!(own.admitted().is_empty(), "a slot is free, but for others");
        let [background, slot] = slow;
        drop(background);
        assert_eq!(names(&own.admitted()), ["a"]);
        drop(slot);
        assert!(admission.state.lock().unwrap().running.is_empty(), "tenants are forgotten");
    }

    #[tokio::test]
    async fn call_keeps_its_slot_for_a_while_and_when_the_background_is_full() {
        let admission = AdmissionQueue::new(Limits { slot_time: Duration::from_secs(600), ..NO_TIME });
        let fresh = [enter_at_once(&admission, "a"), enter_at_once(&admission, "a")];
        let _waiting = Queue::waiting(&admission, &["b"]);
        assert!(!fresh[0].yield_slot());

        let admission = AdmissionQueue::new(Limits { background: 1, ..NO_TIME });
        let slow = [enter_at_once(&admission, "a"), enter_at_once(&admission, "a")];
        let mut waiting = Queue::waiting(&admission, &["b", "c"]);
        assert!(slow[0].yield_slot() && !slow[1].yield_slot());
        assert_eq!(waiting.admitted().len(), 1);
        drop(slow);
        assert_eq!(names(&waiting.admitted()), ["c"]);
    }

    #[tokio::test]
    async fn place_of_a_call_cancelled_when_admitted_is_free_again() {
        let admission = AdmissionQueue::new(Limits { slots: 1, ..NO_TIME });
        let running = enter_at_once(&admission, "a");
        let queue = Queue::waiting(&admission, &["a"]);
        drop(running);
        drop(queue);
        enter_at_once(&admission, "b");
    }
}
