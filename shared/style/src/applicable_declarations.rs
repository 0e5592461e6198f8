//! The applicable declarations of an element, under any environment and state, in cascade order.

use crate::authored_rules::AuthoredDeclaration;
use crate::cascade::{AppliedDeclaration, DeclarationBlock, DeclarationSource, ordered};
use crate::color::Scheme;
use crate::condition::{ConditionId, Conditions, Evaluated};
use crate::index::{Match, StyleIndex};
use crate::selector::{PseudoElement, ScopeSelector, StateSet, StyleSelectorImpl, scope_scheme};
use crate::sheet::{Declaration, Origin};
use crate::{Styles, authored_rules};
use foldhash::{HashMap, HashMapExt};
use limner_page::NodeId;
use selectors::parser::Selector;

/// A declaration that can apply to an element or pseudo-element.
#[derive(Clone, Copy)]
pub struct ApplicableDeclaration<'i> {
    /// Cascade origin.
    pub origin: Origin,
    /// The conditions that wrap its rule.
    pub condition: ConditionId,
    /// Index of its rule, higher for rules that come later; `None` in attributes.
    pub rule: Option<u32>,
    /// Index of the selector that matches, in the rule's list.
    pub selector_number: u32,
    /// Index of the declaration in its rule or attribute.
    pub position: usize,
    /// The declaration.
    pub declaration: AuthoredDeclaration<'i>,
    matched: Option<(Match, StateSet)>,
    selector: Option<&'i Selector<StyleSelectorImpl>>,
}

impl ApplicableDeclaration<'_> {
    /// Returns true if the selector matches while no interaction state holds.
    pub fn is_at_rest(&self) -> bool {
        self.matches_under_states(StateSet::NONE)
    }

    /// Returns true if the selector matches when these states hold for every element.
    pub fn matches_under_states(&self, states: StateSet) -> bool {
        self.matched.is_none_or(|(found, mentioned)| found.matches_under(mentioned, states))
    }

    /// Returns the interaction states that the selector mentions.
    pub fn states(&self) -> StateSet {
        self.matched.map_or(StateSet::NONE, |(_, mentioned)| mentioned)
    }

    /// Returns the selector that matches; `None` for attributes.
    pub fn selector(&self) -> Option<String> {
        self.selector.map(cssparser::ToCss::to_css_string)
    }

    /// Returns the colour scheme that the selector is scoped to; see [`crate::StyleRuleRef::scope_scheme`].
    pub fn scope_scheme(&self, scheme_of: &dyn Fn(ScopeSelector<'_>) -> Option<Scheme>) -> Option<Scheme> {
        scope_scheme(self.selector?, scheme_of)
    }
}

impl StyleIndex<'_> {
    /// Returns every declaration that can apply to an element or pseudo-element, under any condition and state, the
    /// strongest last: `!important` declarations follow the normal ones. Declarations that a browser drops are left
    /// out.
    pub fn candidates(&self, node: NodeId, pseudo: Option<PseudoElement>) -> Vec<ApplicableDeclaration<'_>> {
        let mut blocks: Vec<DeclarationBlock<'_>> = Vec::new();
        let mut origins: HashMap<DeclarationSource, (&[Declaration], Option<Match>)> = HashMap::new();
        for found in self.matches_for(node).iter() {
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
        let candidate = |applied: AppliedDeclaration<'_>| {
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
    ) -> Option<ApplicableDeclaration<'i>> {
        let plain = ApplicableDeclaration {
            origin,
            condition: ConditionId::default(),
            rule: None,
            selector_number: 0,
            position,
            declaration: authored_rules::valid(std::slice::from_ref(declaration)).next()?,
            matched: None,
            selector: None,
        };
        let Some(found) = found else { return Some(plain) };
        let entry = &self.entries[found.entry as usize];
        let rule = &self.sheets.rules[entry.rule as usize];
        Some(ApplicableDeclaration {
            condition: rule.condition,
            rule: Some(entry.rule),
            selector_number: entry.selector,
            matched: Some((found, entry.mentioned())),
            selector: rule.selectors.slice().get(entry.selector as usize),
            ..plain
        })
    }
}

impl Styles<'_> {
    /// Returns true if a stack of conditions holds in this environment; `None` if a container query decides for each
    /// element.
    pub fn condition_holds(&self, condition: ConditionId) -> Option<bool> {
        match Conditions::evaluation_of(&self.holds, condition) {
            Evaluated::Always => Some(true),
            Evaluated::Never => Some(false),
            Evaluated::PerElement => None,
        }
    }
}
