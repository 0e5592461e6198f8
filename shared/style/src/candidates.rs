//! What can apply to an element, whatever the environment and its states, in the order of the cascade.

use crate::cascade::{Applied, Block, Source, ordered};
use crate::color::Scheme;
use crate::condition::{ConditionId, Conditions, Holds};
use crate::declared::AuthoredDeclaration;
use crate::index::{Match, StyleIndex};
use crate::selector::{Mark, PseudoElement, Selectors, StateSet, scope_scheme};
use crate::sheet::{Declaration, Origin};
use crate::{Styles, declared};
use foldhash::{HashMap, HashMapExt};
use limner_page::NodeId;
use selectors::parser::Selector;

/// A declaration that can apply to an element or pseudo-element.
#[derive(Clone, Copy)]
pub struct Candidate<'i> {
    /// Where it comes from.
    pub origin: Origin,
    /// The conditions around its rule.
    pub condition: ConditionId,
    /// The number of its rule, higher for rules that come later; `None` in attributes.
    pub rule: Option<u32>,
    /// Which of the rule's selectors matches.
    pub selector_number: u32,
    /// Its place in the rule or attribute.
    pub position: usize,
    /// The declaration.
    pub declaration: AuthoredDeclaration<'i>,
    found: Option<(Match, StateSet)>,
    selector: Option<&'i Selector<Selectors>>,
}

impl Candidate<'_> {
    /// Whether the selector matches while a visitor does nothing.
    pub fn is_at_rest(&self) -> bool {
        self.found.is_none_or(|(found, mentioned)| found.holds(mentioned, StateSet::NONE))
    }

    /// The selector that matches; `None` for attributes.
    pub fn selector(&self) -> Option<String> {
        self.selector.map(cssparser::ToCss::to_css_string)
    }

    /// The colour scheme of the scope that the selector is about; see [`crate::SheetRule::scope_scheme`].
    pub fn scope_scheme(&self, scheme_of: &dyn Fn(Mark<'_>) -> Option<Scheme>) -> Option<Scheme> {
        scope_scheme(self.selector?, scheme_of)
    }
}

impl StyleIndex<'_> {
    /// Every declaration that can apply to an element or pseudo-element, under any condition and state, the strongest
    /// last: `!important` ones after the normal ones. Those that a browser drops are left out.
    pub fn candidates(&self, node: NodeId, pseudo: Option<PseudoElement>) -> Vec<Candidate<'_>> {
        let mut blocks: Vec<Block<'_>> = Vec::new();
        let mut origins: HashMap<Source, (&[Declaration], Option<Match>)> = HashMap::new();
        for found in self.matches_of(node).iter() {
            let entry = &self.entries[found.entry as usize];
            if entry.pseudo == pseudo && !entry.ignored {
                let block = self.rule_block(entry, *found);
                origins.insert(block.source, (block.declarations, Some(*found)));
                blocks.push(block);
            }
        }
        if pseudo.is_none() {
            let of_attributes = self.attribute_blocks(node);
            origins.extend(of_attributes.iter().map(|block| (block.source, (block.declarations, None))));
            blocks.extend(of_attributes);
        }
        blocks.sort_by_key(|block| block.key);
        let candidate = |applied: Applied<'_>| {
            let (block, found) = origins.get(&applied.block)?;
            let start = block.as_ptr() as usize;
            let position = (std::ptr::from_ref(applied.declaration) as usize - start) / size_of::<Declaration>();
            self.candidate(applied.key.origin, position, block.get(position)?, *found)
        };
        ordered(&blocks).into_iter().filter_map(candidate).collect()
    }

    fn candidate<'i>(
        &'i self,
        origin: Origin,
        position: usize,
        declaration: &'i Declaration,
        found: Option<Match>,
    ) -> Option<Candidate<'i>> {
        let plain = Candidate {
            origin,
            condition: ConditionId::default(),
            rule: None,
            selector_number: 0,
            position,
            declaration: declared::valid(std::slice::from_ref(declaration)).next()?,
            found: None,
            selector: None,
        };
        let Some(found) = found else { return Some(plain) };
        let entry = &self.entries[found.entry as usize];
        let rule = &self.sheets.rules[entry.rule as usize];
        Some(Candidate {
            condition: rule.condition,
            rule: Some(entry.rule),
            selector_number: entry.selector,
            found: Some((found, entry.mentioned())),
            selector: rule.selectors.slice().get(entry.selector as usize),
            ..plain
        })
    }
}

impl Styles<'_> {
    /// Whether a stack of conditions holds here; `None`: a container query decides for each element.
    pub fn condition_holds(&self, condition: ConditionId) -> Option<bool> {
        match Conditions::holds(&self.holds, condition) {
            Holds::Always => Some(true),
            Holds::Never => Some(false),
            Holds::PerElement => None,
        }
    }
}
