//! The design tokens of a section alone.

use crate::tokens::{Tally, Variables, theme};
use limner_page::{Document, NodeId};
use limner_style::{Origin, StyleIndex};
use limner_types::result::TokenGroups;
use std::collections::BTreeMap;

/// The groups of `/extract`, over the rules that can apply to the section.
pub(super) fn of_section(index: &StyleIndex<'_>, document: &Document, section: NodeId) -> TokenGroups {
    let mut tally = Tally::new(Variables::new(index));
    let mut known: BTreeMap<(u32, u32, String), u32> = BTreeMap::new();
    let mut selectors: Vec<String> = Vec::new();
    for node in std::iter::once(section).chain(document.descendants(section)) {
        if document.element(node).is_none() {
            continue;
        }
        for block in index.declarations(node, None) {
            if block.origin != Origin::Author {
                continue;
            }
            let scheme = index.condition_facts(block.condition).scheme.map(theme::theme);
            let declarations: Vec<_> = block.declarations().collect();
            let (Some(selector), Some(sheet)) = (block.selector.clone(), block.sheet) else {
                tally.add(u32::MAX, scheme, &declarations);
                continue;
            };
            let next = u32::try_from(selectors.len()).unwrap_or(u32::MAX);
            let number = *known.entry((sheet, block.line, selector.clone())).or_insert(next);
            if number == next {
                selectors.push(selector);
                tally.add(number, scheme, &declarations);
            }
        }
    }
    tally.groups(&|number| selectors.get(number as usize).cloned())
}
