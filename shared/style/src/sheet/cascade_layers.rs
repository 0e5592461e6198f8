//! Cascade layers and their order (Cascade 5, section 6.4).

use foldhash::{HashMap, HashMapExt};

/// A cascade layer; [`LayerId::NONE`] for rules outside of layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LayerId(u32);

impl LayerId {
    pub(crate) const NONE: Self = Self(u32::MAX);
}

/// Maximum number of layers; further ones are merged with their parent.
const MAX_LAYERS: usize = 10_000;

/// All layers of a page, in order of first appearance.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    names: Vec<Box<str>>,
    parents: Vec<LayerId>,
    by_name: HashMap<(u32, Box<str>), LayerId>,
    anonymous: usize,
}

impl Layers {
    /// Returns the layer of a dotted name inside another; creates it if it is new.
    pub(crate) fn layer_by_name(&mut self, outer: LayerId, name: &str) -> LayerId {
        name.split('.').fold(outer, |outer, part| self.child(outer, part.trim()))
    }

    /// Creates a layer without name.
    pub(crate) fn unnamed(&mut self, outer: LayerId) -> LayerId {
        self.anonymous += 1;
        let name = format!("({})", self.anonymous);
        self.child(outer, &name)
    }

    fn child(&mut self, outer: LayerId, name: &str) -> LayerId {
        let key = (outer.0, Box::from(name));
        if let Some(known) = self.by_name.get(&key) {
            return *known;
        }
        if self.names.len() >= MAX_LAYERS {
            return outer;
        }
        let id = LayerId(u32::try_from(self.names.len()).unwrap_or(u32::MAX - 1));
        self.names.push(name.into());
        self.parents.push(outer);
        self.by_name.insert(key, id);
        id
    }

    /// Returns the dotted name.
    pub(crate) fn name(&self, id: LayerId) -> Option<String> {
        let mut parts = Vec::new();
        let mut at = id;
        while let Some(name) = self.names.get(at.0 as usize) {
            parts.push(&**name);
            at = self.parents[at.0 as usize];
        }
        parts.reverse();
        (!parts.is_empty()).then(|| parts.join("."))
    }

    /// Returns each layer's rank, higher is stronger: sub-layers are weaker than the rules of the parent itself.
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
        for (index, parent) in self.parents.iter().enumerate() {
            children.entry(parent.0).or_default().push(u32::try_from(index).unwrap_or(u32::MAX));
        }
        let mut ranks = vec![0; self.names.len()];
        let mut next = 0;
        // A layer is ranked on its second visit, after its children.
        let mut work: Vec<(u32, bool)> =
            children.get(&LayerId::NONE.0).into_iter().flatten().rev().map(|c| (*c, false)).collect();
        while let Some((layer, after_children)) = work.pop() {
            if after_children {
                ranks[layer as usize] = next;
                next += 1;
                continue;
            }
            work.push((layer, true));
            work.extend(children.get(&layer).into_iter().flatten().rev().map(|child| (*child, false)));
        }
        ranks
    }

    pub(crate) fn rank(ranks: &[u32], id: LayerId) -> u32 {
        ranks.get(id.0 as usize).copied().unwrap_or(u32::MAX)
    }
}
