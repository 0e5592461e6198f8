//! The style sharing cache: elements with the same parent style and matches, such as items of a list, share their
//! specified values.

use super::specified::Specification;
use super::style::ComputedStyle;
use super::{Block, Source};
use crate::selector::PseudoElement;
use foldhash::HashMap;
use limner_page::dom::Element;
use std::sync::Arc;

/// Maximum number of entries. Elements that share are usually near each other.
const MAX_KEPT: usize = 1024;

/// The cache key of an element's specified values in one environment. The parent's style is identified by its address.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Origins {
    parent: usize,
    name: markup5ever::LocalName,
    namespace: (bool, bool),
    pseudo: Option<PseudoElement>,
    rules: Vec<(Source, u8, u16)>,
}

impl Origins {
    /// Returns the key; `None` if attributes contribute to the style, or the element has no parent style.
    pub(super) fn of(
        element: &Element,
        parent: Option<&Arc<ComputedStyle>>,
        pseudo: Option<PseudoElement>,
        blocks: &[Block<'_>],
    ) -> Option<Self> {
        let looks_by_attributes = element.is_html("input") || element.is_html("select");
        let rules = blocks.iter().map(|block| {
            let is_rule = matches!(block.source, Source::Rule { .. });
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

/// Specified values by key, with the parents' styles, which keeps the addresses in the keys unique.
#[derive(Default)]
pub(super) struct Shared(HashMap<Origins, (Specification, Option<Arc<ComputedStyle>>)>);

impl Shared {
    pub(super) fn get(&self, origins: &Origins) -> Option<Specification> {
        self.0.get(origins).map(|(known, _)| known.clone())
    }

    pub(super) fn keep(&mut self, origins: Origins, parent: Option<&Arc<ComputedStyle>>, found: &Specification) {
        if self.0.len() >= MAX_KEPT {
            self.0.clear();
        }
        self.0.insert(origins, (found.clone(), parent.cloned()));
    }
}
