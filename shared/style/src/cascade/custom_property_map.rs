//! The values of an element's custom properties.

use crate::selector::Atom;
use foldhash::HashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Custom properties of an element: those it sets, and a shared link to those it inherits. Every map of a chain is more
/// than twice as large as the map that links to it, which keeps chains short and avoids copying a large map for a small
/// one.
#[derive(Debug, Default)]
pub(crate) struct CustomProperties {
    /// `None`: guaranteed invalid.
    own: HashMap<Atom, Option<Arc<str>>>,
    parent: Option<Arc<CustomProperties>>,
}

impl CustomProperties {
    pub(super) fn is_empty(&self) -> bool {
        self.own.is_empty() && self.parent.is_none()
    }

    pub(crate) fn get(&self, name: &Atom) -> Option<&Arc<str>> {
        let mut at = Some(self);
        while let Some(map) = at {
            if let Some(value) = map.own.get(name) {
                return value.as_ref();
            }
            at = map.parent.as_deref();
        }
        None
    }

    /// Returns the properties that are not invalid, sorted by name.
    pub(super) fn valid(&self) -> Vec<(&str, &str)> {
        let mut all: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        let mut at = Some(self);
        while let Some(map) = at {
            for (name, value) in &map.own {
                all.entry(name.as_str()).or_insert(value.as_deref());
            }
            at = map.parent.as_deref();
        }
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// Returns the same properties with some other values.
    pub(crate) fn with_values(self: &Arc<Self>, values: &[(Atom, Arc<str>)]) -> Arc<Self> {
        Self::child(self, values.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect())
    }

    /// Returns a map with the values in `own` over those of `parent`.
    pub(super) fn child(mut parent: &Arc<Self>, mut own: HashMap<Atom, Option<Arc<str>>>) -> Arc<Self> {
        if own.is_empty() {
            return parent.clone();
        }
        while !parent.own.is_empty() && parent.own.len() <= 2 * own.len() {
            for (name, value) in &parent.own {
                own.entry(name.clone()).or_insert_with(|| value.clone());
            }
            match &parent.parent {
                Some(next) => parent = next,
                None => return Arc::new(Self { own, parent: None }),
            }
        }
        Arc::new(Self { own, parent: Some(parent.clone()) })
    }
}
