//! A selector map: looks up the selectors that can match an element by its id, classes, name and attributes.

use crate::selector::StyleSelectorImpl;
use foldhash::HashMap;
use limner_page::dom::Element;
use markup5ever::LocalName;
use selectors::parser::{Component, Selector};

/// Selectors by the most selective condition on their subject.
#[derive(Debug, Default)]
pub(crate) struct SelectorMap {
    ids: HashMap<LocalName, Vec<u32>>,
    classes: HashMap<LocalName, Vec<u32>>,
    names: HashMap<LocalName, Vec<u32>>,
    attributes: HashMap<LocalName, Vec<u32>>,
    any: Vec<u32>,
    /// Selectors with `:host`, which match the host of the tree.
    pub(crate) host: Vec<u32>,
    /// Selectors with `::slotted()`.
    pub(crate) slotted: Vec<u32>,
    /// Selectors with `::part()`, which match elements of other trees.
    pub(crate) part: Vec<u32>,
}

#[derive(Debug, Clone)]
enum BucketKey {
    Id(LocalName),
    Class(LocalName),
    Name(LocalName),
    Attribute(LocalName),
}

impl BucketKey {
    /// Selectivity of the key: the higher the rank, the fewer elements have it.
    fn rank(&self) -> u8 {
        match self {
            Self::Id(_) => 3,
            Self::Class(_) => 2,
            Self::Name(_) => 1,
            Self::Attribute(_) => 0,
        }
    }
}

/// Maximum number of alternatives in `:is()`; a selector with more goes to the bucket that every element is tried with.
const MAX_KEYS: usize = 64;

impl SelectorMap {
    /// Files a selector under `number`.
    pub(crate) fn add(&mut self, number: u32, selector: &Selector<StyleSelectorImpl>, fold_case: bool) {
        if selector.is_slotted() {
            self.slotted.push(number);
            return;
        }
        if selector.is_part() {
            self.part.push(number);
            return;
        }
        if selects_host(selector) {
            self.host.push(number);
        }
        let Some(keys) = keys(selector) else { return self.any.push(number) };
        for key in keys {
            let fold = |name: LocalName| if fold_case { name.to_ascii_lowercase() } else { name };
            let bucket = match key {
                BucketKey::Id(id) => self.ids.entry(fold(id)),
                BucketKey::Class(class) => self.classes.entry(fold(class)),
                BucketKey::Name(name) => self.names.entry(name),
                BucketKey::Attribute(name) => self.attributes.entry(name),
            };
            bucket.or_default().push(number);
        }
    }

    /// Adds the selectors that may match an element, some of them twice.
    pub(crate) fn candidates(&self, element: &Element, fold_case: bool, out: &mut Vec<u32>) {
        out.extend(&self.any);
        let folded = |name: &LocalName| if fold_case { name.to_ascii_lowercase() } else { name.clone() };
        let mut add = |bucket: Option<&Vec<u32>>| out.extend(bucket.into_iter().flatten());
        if let Some(id) = element.id() {
            add(self.ids.get(&folded(id)));
        }
        for class in element.classes() {
            add(self.classes.get(&folded(class)));
        }
        add(self.names.get(element.local_name()));
        if !self.attributes.is_empty() {
            for attribute in element.attributes() {
                add(self.attributes.get(&attribute.name.local));
            }
        }
    }
}

fn selects_host(selector: &Selector<StyleSelectorImpl>) -> bool {
    selector.iter_raw_match_order().any(|component| match component {
        Component::Host(_) => true,
        Component::Is(list) | Component::Where(list) => list.slice().iter().any(selects_host),
        _ => false,
    })
}

/// Returns the keys of which a matching element must have one; `None` if any element may match.
fn keys(selector: &Selector<StyleSelectorImpl>) -> Option<Vec<BucketKey>> {
    let mut iter = selector.iter();
    if selector.has_pseudo_element() {
        // The subject is the element before the pseudo-element.
        for _ in &mut iter {}
        if !iter.next_sequence().is_some_and(|combinator| combinator.is_pseudo_element()) {
            return None;
        }
    }
    let mut best: Option<Vec<BucketKey>> = None;
    for component in iter {
        let own = match component {
            Component::ID(id) => Some(vec![BucketKey::Id(id.0.clone())]),
            Component::Class(class) => Some(vec![BucketKey::Class(class.0.clone())]),
            Component::LocalName(name) if name.name == name.lower_name => {
                Some(vec![BucketKey::Name(name.lower_name.0.clone())])
            }
            Component::LocalName(name) => {
                Some(vec![BucketKey::Name(name.lower_name.0.clone()), BucketKey::Name(name.name.0.clone())])
            }
            Component::AttributeInNoNamespaceExists { local_name_lower, local_name, .. }
                if local_name_lower == local_name =>
            {
                Some(vec![BucketKey::Attribute(local_name.0.clone())])
            }
            Component::AttributeInNoNamespace { local_name, .. } => {
                Some(vec![BucketKey::Attribute(local_name.0.clone())])
            }
            Component::Root => {
                Some(vec![BucketKey::Name(LocalName::from("html")), BucketKey::Name(LocalName::from("svg"))])
            }
            Component::Is(list) | Component::Where(list) => alternatives(list.slice()),
            _ => None,
        };
        if let Some(own) = own
            && best.as_ref().is_none_or(|best| lowest_rank(&own) > lowest_rank(best))
        {
            best = Some(own);
        }
    }
    best
}

fn lowest_rank(keys: &[BucketKey]) -> u8 {
    keys.iter().map(BucketKey::rank).min().unwrap_or(4)
}

fn alternatives(list: &[Selector<StyleSelectorImpl>]) -> Option<Vec<BucketKey>> {
    let mut all = Vec::new();
    for selector in list {
        if selector.has_pseudo_element() {
            continue;
        }
        all.extend(keys(selector)?);
        if all.len() > MAX_KEYS {
            return None;
        }
    }
    Some(all)
}
