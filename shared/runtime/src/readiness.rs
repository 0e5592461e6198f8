//! Readiness of this process: every component is ready, and no shutdown was requested.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The state of every component of this process. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Readiness {
    components: Arc<Mutex<BTreeMap<&'static str, bool>>>,
    draining: Arc<AtomicBool>,
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
        self.set(name, false);
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

    /// Returns true if every component is ready and the process is not shutting down.
    pub fn is_ready(&self) -> bool {
        !self.is_draining() && self.components().values().all(|ready| *ready)
    }

    /// Returns each component with its readiness.
    pub fn components(&self) -> BTreeMap<&'static str, bool> {
        self.components.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, name: &'static str, ready: bool) {
        self.components.lock().unwrap_or_else(PoisonError::into_inner).insert(name, ready);
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
        readiness.drain();
        assert!(!readiness.is_ready());
    }
}
