//! Styles under a state that descendants inherit: custom properties that change with an element's state, and to which
//! its descendants refer.
//!
//! Example: in `.card:hover { --color: red } .card p { color: var(--color) }` the `p` needs a rule for the state of the
//! card.

use super::triggers::Trigger;
use crate::code::model::{ElementId, StateOf};
use limner_style::{ComputedStyle, Specification};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of styles that are handed on to children, one for each element and trigger.
const MAX_CARRIED: usize = 3_000;

/// A trigger, and the style of an element's parent while it holds.
#[derive(Clone)]
pub(super) struct Carried {
    trigger: Trigger,
    /// By environment.
    styles: Arc<[Arc<ComputedStyle>]>,
}

impl Carried {
    /// Returns true if the style is the one under a trigger.
    pub(super) fn is_of(&self, trigger: &Trigger) -> bool {
        self.trigger.is_like(trigger)
    }

    pub(super) fn style(&self, cell: usize) -> &Arc<ComputedStyle> {
        &self.styles[cell]
    }
}

/// All such styles, by parent.
#[derive(Default)]
pub(super) struct AllCarried {
    by_parent: HashMap<ElementId, Vec<Carried>>,
    count: usize,
}

impl AllCarried {
    /// Returns the styles under triggers that a child of `parent` inherits from.
    pub(super) fn given_to(&self, parent: Option<ElementId>) -> Vec<Carried> {
        let known = parent.filter(|_| self.count < MAX_CARRIED).and_then(|parent| self.by_parent.get(&parent));
        known.cloned().unwrap_or_default()
    }

    /// Hands the styles of an element under a trigger on to its children.
    pub(super) fn hand_on(&mut self, element: ElementId, trigger: Trigger, acted: &[Option<Specification>]) {
        let styles: Option<Arc<[_]>> = acted.iter().map(|own| Some(own.as_ref()?.style.clone())).collect();
        let Some(styles) = styles else { return };
        let of = match trigger.of {
            StateOf::Itself => StateOf::Ancestor(element),
            StateOf::Descendant(list) => StateOf::Within(element, list),
            of => of,
        };
        let trigger = Trigger { of, weight: 0, ..trigger };
        self.by_parent.entry(element).or_default().push(Carried { trigger, styles });
        self.count += 1;
    }
}

/// Merges triggers with those of inherited styles, in order.
pub(super) fn with_carried(mut triggers: Vec<Trigger>, inherited: &[Carried]) -> Vec<Trigger> {
    for carried in inherited {
        if !triggers.iter().any(|own| carried.is_of(own)) {
            triggers.push(carried.trigger);
        }
    }
    triggers.sort_by_key(Trigger::place);
    triggers
}
