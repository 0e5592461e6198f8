//! Decides where the class of an element whose state a rule depends on may count: `.card:hover .more` instead of
//! `:where(.card):hover .more`.
//!
//! In the normal form, the later of two rules wins. The class of the other element raises the specificity of its rule
//! above that of the element's own states, so it may count only if none of these declares the same.

use crate::model::{Component, ElementId, PseudoElement, Rule, SiblingSide, StateTarget};
use std::collections::HashSet;

/// Returns the owners of classes whose rules keep their order if the classes of other elements count.
pub(super) fn plain_owners(component: &Component, owners: &[ElementId], lists: &[String]) -> HashSet<ElementId> {
    owners.iter().copied().filter(|owner| keeps_order(&component.elements[owner.0].rules, lists)).collect()
}

/// Returns true if the class of the element whose state this is may count: it is one class, of an ancestor or of a
/// preceding sibling.
pub(super) fn may_count(target: StateTarget, lists: &[String]) -> bool {
    match target {
        StateTarget::Ancestor(_) => true,
        StateTarget::Sibling(SiblingSide::Before | SiblingSide::JustBefore, list) => !lists[list.0].contains(','),
        _ => false,
    }
}

/// Returns true if rules whose specificity is raised declare nothing that other rules with a state declare.
fn keeps_order(rules: &[Rule], lists: &[String]) -> bool {
    let (mut raised, mut others): (HashSet<_>, HashSet<(Option<PseudoElement>, &str)>) = Default::default();
    for rule in rules {
        let Some(state) = &rule.state else { continue };
        let declared = rule.declarations.iter().map(|own| (rule.pseudo, own.name.as_ref()));
        if may_count(state.target, lists) {
            raised.extend(declared);
        } else {
            others.extend(declared);
        }
    }
    raised.is_disjoint(&others)
}
