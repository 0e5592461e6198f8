//! The style sharing cache: elements with the same parent style and matches, such as items of a list, share their
//! values.

use super::computed_style::ComputedStyle;
use super::{DeclarationBlock, DeclarationSource};
use crate::selector::PseudoElement;
use foldhash::HashMap;
use limner_page::dom::Element;
use std::sync::Arc;

/// Maximum number of entries. Elements that share are usually near each other.
const MAX_ENTRIES: usize = 1024;

/// The cache key of an element's values in one environment. The parent's style is identified by its address.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct SharingKey {
    parent: usize,
    name: markup5ever::LocalName,
    namespace: (bool, bool),
    pseudo: Option<PseudoElement>,
    rules: Vec<(DeclarationSource, u8, u16)>,
}

impl SharingKey {
    /// Returns the key; `None` if attributes contribute to the style, or the element has no parent style.
    pub(super) fn for_element(
        element: &Element,
        parent: Option<&Arc<ComputedStyle>>,
        pseudo: Option<PseudoElement>,
        blocks: &[DeclarationBlock<'_>],
    ) -> Option<Self> {
        let looks_by_attributes = element.is_html("input") || element.is_html("select");
        let rules = blocks.iter().map(|block| {
            let is_rule = matches!(block.source, DeclarationSource::Rule { .. });
            is_rule.then_some((block.source, block.key.context, block.key.nearness))
        });
        if looks_by_attributes {
            return None;
        }
        Some(Self {
            parent: Arc::as_ptr(parent?) as usize,
            name: element.local_name().clone(),
            namespace: (element.in_html(), element.in_svg()),
            pseudo,
            rules: rules.collect::<Option<_>>()?,
        })
    }
}

/// Values by key, with the parents' styles, which keeps the addresses in the keys unique.
pub(super) struct StyleSharingCache<T>(HashMap<SharingKey, (T, Option<Arc<ComputedStyle>>)>);

impl<T> Default for StyleSharingCache<T> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<T: Clone> StyleSharingCache<T> {
    pub(super) fn get(&self, origins: &SharingKey) -> Option<T> {
        self.0.get(origins).map(|(known, _)| known.clone())
    }

    pub(super) fn insert(&mut self, origins: SharingKey, parent: Option<&Arc<ComputedStyle>>, found: &T) {
        if self.0.len() >= MAX_ENTRIES {
            self.0.clear();
        }
        self.0.insert(origins, (found.clone(), parent.cloned()));
    }
}
