//! Determines the declarations that win the cascade on an element, and the environments in which they win.

use crate::capture::environments::EnvSet;
use limner_page::NodeId;
use limner_style::property::{CssWide, DeclaredValue, Flow, Longhand};
use limner_style::selector::PseudoElement;
use limner_style::{ApplicableDeclaration, ConditionId, Origin, StyleIndex};
use std::collections::HashMap;

/// A declaration of the page, with the longhands for which it wins (named as in left-to-right text) and the
/// environments in which it does.
pub(super) struct CascadedDeclaration<'r> {
    pub(super) candidate: ApplicableDeclaration<'r>,
    pub(super) longhands: Vec<(Longhand, EnvSet)>,
}

/// The result of the cascade for an element or pseudo-element.
#[derive(Default)]
pub(super) struct CascadedDeclarations<'r> {
    pub(super) declarations: Vec<CascadedDeclaration<'r>>,
    /// The environments in which a longhand is not inherited.
    pub(super) non_inherited_envs: HashMap<Longhand, EnvSet>,
    /// Custom properties that the page's rules set under a condition.
    pub(super) conditional: Vec<(&'r str, ConditionId)>,
}

/// Returns the environments in which a stack of conditions may hold, and those in which it holds for certain.
pub(super) type ConditionEnvs<'h> = &'h mut dyn FnMut(ConditionId) -> (EnvSet, EnvSet);

impl<'r> CascadedDeclarations<'r> {
    /// Evaluates the cascade. Declarations under states are added to those that win at rest, and do not replace them.
    pub(super) fn evaluate(
        index: &'r StyleIndex<'r>,
        (node, pseudo): (NodeId, Option<PseudoElement>),
        flow: Flow,
        holding: ConditionEnvs<'_>,
    ) -> Self {
        let mut winners = Self::default();
        let mut decided: HashMap<Longhand, EnvSet> = HashMap::new();
        for candidate in index.candidates(node, pseudo).into_iter().rev() {
            let (may, must) = holding(candidate.condition);
            if may.is_empty() {
                continue;
            }
            let Some(longhands) = candidate.declaration.longhands() else {
                if candidate.condition != ConditionId::default() {
                    winners.conditional.push((candidate.declaration.name, candidate.condition));
                }
                continue;
            };
            let mut won = Vec::new();
            for declared in longhands.iter() {
                let longhand = declared.physical(flow);
                let known = decided.entry(longhand).or_default();
                let left = may.difference(*known);
                if left.is_empty() || declared.value == DeclaredValue::Wide(CssWide::RevertLayer) {
                    continue;
                }
                won.push((declared.longhand, left));
                if candidate.is_at_rest() {
                    if !is_inherited(longhand, &declared.value) {
                        let own = winners.non_inherited_envs.entry(longhand).or_default();
                        *own = own.union(must.difference(*known));
                    }
                    *known = known.union(must);
                }
            }
            if candidate.origin == Origin::Author && !won.is_empty() {
                winners.declarations.push(CascadedDeclaration { candidate, longhands: won });
            }
        }
        winners
    }
}

/// Returns true if a value is that of the parent.
fn is_inherited(longhand: Longhand, value: &DeclaredValue) -> bool {
    match value {
        DeclaredValue::Wide(CssWide::Inherit) => true,
        DeclaredValue::Wide(CssWide::Unset) => longhand.is_inherited(),
        _ => false,
    }
}
