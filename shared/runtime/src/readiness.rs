//! Readiness of this process: every component is ready, and no shutdown was requested.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The state of every component of this process. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Readiness {
    components: Arc<Mutex<BTreeMap<&'static str, ComponentState>>>,
    draining: Arc<AtomicBool>,
}

#[derive(Debug, Clone, Copy)]
struct ComponentState {
    is_ready: bool,
    /// False if the process has work without it.
    is_required: bool,
}

/// One component's handle of a [`Readiness`]. Not ready again once dropped.
#[derive(Debug)]
pub struct Component {
    name: &'static str,
    readiness: Readiness,
}

impl Readiness {
    /// Adds a component that is not ready yet.
    pub fn component(&self, name: &'static str) -> Component {
        self.add(name, true)
    }

    /// Adds a dependency that is not there yet, and without which the process is ready nevertheless.
    pub fn dependency(&self, name: &'static str) -> Component {
        self.add(name, false)
    }

    fn add(&self, name: &'static str, is_required: bool) -> Component {
        self.lock().insert(name, ComponentState { is_ready: false, is_required });
        Component { name, readiness: self.clone() }
    }

    /// Marks the process as shutting down: it takes no new work.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Release);
    }

    /// Returns true if this process is shutting down.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    /// Returns true if every required component is ready and the process is not shutting down.
    pub fn is_ready(&self) -> bool {
        !self.is_draining() && self.lock().values().all(|state| state.is_ready || !state.is_required)
    }

    /// Returns each component and dependency with its readiness.
    pub fn components(&self) -> BTreeMap<&'static str, bool> {
        self.lock().iter().map(|(name, state)| (*name, state.is_ready)).collect()
    }

    fn set(&self, name: &'static str, is_ready: bool) {
        if let Some(state) = self.lock().get_mut(name) {
            state.is_ready = is_ready;
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, ComponentState>> {
        self.components.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Component {
    /// Marks the component as ready.
    pub fn ready(&self) {
        self.set(true);
    }

    /// Sets the readiness of the component.
    pub fn set(&self, ready: bool) {
        self.readiness.set(self.name, ready);
    }
}

impl Drop for Component {
    fn drop(&mut self) {
        self.readiness.set(self.name, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_requires_every_component_and_no_shutdown() {
        let readiness = Readiness::default();
        let (one, other) = (readiness.component("one"), readiness.component("other"));
        one.ready();
        assert!(!readiness.is_ready());
        other.ready();
        assert!(readiness.is_ready());
        drop(other);
        assert!(!readiness.is_ready());
        let again = readiness.component("other");
        again.ready();
        let _dependency = readiness.dependency("queue");
        assert!(readiness.is_ready() && !readiness.components()["queue"]);
        readiness.drain();
        assert!(!readiness.is_ready());
    }
}
