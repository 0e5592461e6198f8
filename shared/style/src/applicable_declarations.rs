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
    /// True if the selector matches only in the theme of [`StyleIndex::match_rules_in_theme`].
    pub is_in_theme: bool,
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
        self.candidates_of(node, pseudo, &[])
    }

    /// Like [`StyleIndex::candidates`], with those of the rules of [`StyleIndex::match_rules_in_theme`].
    pub fn candidates_with_theme(&self, node: NodeId, pseudo: Option<PseudoElement>) -> Vec<ApplicableDeclaration<'_>> {
        self.candidates_of(node, pseudo, self.theme_matches_for(node))
    }

    /// Returns an id that is equal for elements whose matched rules are the same, in the theme of
    /// [`StyleIndex::match_rules_in_theme`] too.
    pub fn rule_list_id_with_theme(&self, node: NodeId) -> (u32, u32) {
        let in_theme = self.in_theme.as_ref().and_then(|own| own.list_of.get(node.index()).copied());
        (self.rule_list_id(node), in_theme.unwrap_or(0))
    }

    /// Returns true after [`StyleIndex::match_rules_in_theme`].
    pub fn has_theme(&self) -> bool {
        self.in_theme.is_some()
    }

    fn theme_matches_for(&self, node: NodeId) -> &[Match] {
        let Some(in_theme) = &self.in_theme else { return &[] };
        let list = in_theme.list_of.get(node.index()).map_or(0, |list| *list as usize);
        let matches = &in_theme.lists[list];
        if self.document.work_budget().spend(matches.len() as u64) { matches } else { &[] }
    }

    fn candidates_of(
        &self,
        node: NodeId,
        pseudo: Option<PseudoElement>,
        in_theme: &[Match],
    ) -> Vec<ApplicableDeclaration<'_>> {
        let mut blocks: Vec<DeclarationBlock<'_>> = Vec::new();
        let mut origins: HashMap<DeclarationSource, (&[Declaration], Option<(Match, bool)>)> = HashMap::new();
        let usual = self.matches_for(node).iter().map(|found| (found, false));
        for (found, is_in_theme) in usual.chain(in_theme.iter().map(|found| (found, true))) {
            let entry = &self.entries[found.entry as usize];
            if entry.pseudo != pseudo || entry.ignored {
                continue;
            }
            let block = self.rule_block(entry, *found);
            if !is_in_theme || !origins.contains_key(&block.source) {
                origins.insert(block.source, (block.declarations, Some((*found, is_in_theme))));
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
        found: Option<(Match, bool)>,
    ) -> Option<ApplicableDeclaration<'i>> {
        let plain = ApplicableDeclaration {
            origin,
            condition: ConditionId::default(),
            rule: None,
            selector_number: 0,
            position,
            declaration: authored_rules::valid(std::slice::from_ref(declaration)).next()?,
            is_in_theme: false,
            matched: None,
            selector: None,
        };
        let Some((found, is_in_theme)) = found else { return Some(plain) };
        let entry = &self.entries[found.entry as usize];
        let rule = &self.sheets.rules[entry.rule as usize];
        Some(ApplicableDeclaration {
            condition: rule.condition,
            rule: Some(entry.rule),
            selector_number: entry.selector,
            is_in_theme,
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
