//! Relations between state triggers: which of them hold while another one holds, and which combinations are captured
//! because the page decides between them.

use super::acts::{self, ACTS, Act};
use super::resolve::Resolver;
use super::triggers::Trigger;
use crate::code::model::{StateOf, UserAction};
use limner_page::NodeId;
use limner_style::selector::State as Action;

impl Resolver<'_> {
    /// Returns true if everything that `other` requires holds while `trigger` holds.
    pub(super) fn implies(&self, trigger: &Trigger, other: &Trigger) -> bool {
        let own = |acted: Option<(usize, NodeId)>| {
            acted.map(|(act, at)| Trigger { act, of: StateOf::Itself, at, weight: 0, meanwhile: None })
        };
        let (alone, meanwhile) = (Trigger { meanwhile: None, ..*trigger }, own(trigger.meanwhile));
        let is_in = |other: &Trigger| {
            self.implies_alone(&alone, other) || meanwhile.is_some_and(|own| self.implies_alone(&own, other))
        };
        is_in(&Trigger { meanwhile: None, ..*other }) && own(other.meanwhile).is_none_or(|own| is_in(&own))
    }

    /// Same as [`Self::implies`], for triggers about the state of one element.
    fn implies_alone(&self, trigger: &Trigger, other: &Trigger) -> bool {
        let (held, named) = (ACTS[trigger.act].held, ACTS[other.act].named());
        let is_held = named.iter().all(|state| held.contains(state));
        let spreads = named.iter().all(|state| matches!(state, Action::Hover | Action::FocusWithin | Action::Active));
        let is_at = |at: NodeId| at == other.at || (spreads && self.view.document.is_inside(at, other.at));
        let at = || match (self.followed.list_of(trigger.of), self.followed.list_of(other.of)) {
            (Some(own), Some(others)) => {
                trigger.of == other.of || own.iter().all(|id| others.binary_search(id).is_ok())
            }
            (None, Some(_)) => trigger.at == other.at,
            // Lists are in document order: if the first and the last element are inside `other.at`, all are.
            (Some([first, .., last]), None) => {
                [first, last].iter().all(|id| self.skeleton.node(**id).is_some_and(is_at))
            }
            _ => is_at(trigger.at),
        };
        is_held && at()
    }
}

/// Returns the compound triggers (`:checked:focus`) whose parts each have rules. On the page, specificity decides
/// between the parts; it is not always the part whose rules come last in the component.
pub(super) fn of(triggers: &[Trigger]) -> Vec<Trigger> {
    let is_new = |trigger: &Trigger| !triggers.iter().any(|own| own.is_like(trigger));
    let own = |actions: &[UserAction]| {
        let does_all = |own: &&Trigger| actions.iter().all(|action| ACTS[own.act].actions.contains(action));
        triggers.iter().find(|own| own.of == StateOf::Itself && does_all(own)).copied()
    };
    // Most pages style disabled buttons, few style their `:hover`: combinations with `:disabled` are captured only if a
    // rule names them.
    let is_alive = |act: &Act| !act.actions.contains(&UserAction::Disabled);
    let several = ACTS.iter().enumerate().filter(|(_, act)| act.actions.len() > 1 && is_alive(act));
    let to_one = several.filter_map(|(at, act)| {
        let mut parts = act.actions.chunks(1);
        let first = own(parts.next()?)?;
        parts.all(|part| own(part).is_some()).then_some(Trigger { act: at, weight: 0, ..first })
    });
    let to_two = acts::while_acting().flat_map(|(meanwhile, act)| {
        let own = own(ACTS[meanwhile].actions).map(|own| (meanwhile, own.at));
        let others = triggers.iter().filter(move |other| {
            own.is_some() && other.act == act && other.meanwhile.is_none() && other.of != StateOf::Itself
        });
        others.map(move |other| Trigger { meanwhile: own, ..*other })
    });
    to_one.chain(to_two).filter(is_new).collect()
}
