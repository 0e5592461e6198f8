//! Custom properties that change while a visitor acts on an element, and that what is inside of it names.

use super::triggers::Trigger;
use crate::code::model::{ElementId, StateOf};
use limner_style::{ComputedStyle, Specification};
use std::collections::HashMap;
use std::sync::Arc;

/// Elements that are styled anew for what changes around them, each time counted.
const MAX_CARRIED: usize = 3_000;

/// What a visitor does to something around an element, and the style that its parent has then.
#[derive(Clone)]
pub(super) struct Carried {
    trigger: Trigger,
    /// By cell.
    styles: Arc<[Arc<ComputedStyle>]>,
}

impl Carried {
    pub(super) fn is_of(&self, trigger: &Trigger) -> bool {
        self.trigger.is_like(trigger)
    }

    pub(super) fn style(&self, cell: usize) -> &Arc<ComputedStyle> {
        &self.styles[cell]
    }
}

/// By parent.
#[derive(Default)]
pub(super) struct AllCarried {
    by_parent: HashMap<ElementId, Vec<Carried>>,
    count: usize,
}

impl AllCarried {
    /// What an element in this one gets from around it.
    pub(super) fn given_to(&self, parent: Option<ElementId>) -> Vec<Carried> {
        let known = parent.filter(|_| self.count < MAX_CARRIED).and_then(|parent| self.by_parent.get(&parent));
        known.cloned().unwrap_or_default()
    }

    /// Hands the styles of an element on to what is inside of it.
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

/// Triggers with those of what changes around, in order.
pub(super) fn with_carried(mut triggers: Vec<Trigger>, around: &[Carried]) -> Vec<Trigger> {
    for carried in around {
        if !triggers.iter().any(|own| carried.is_of(own)) {
            triggers.push(carried.trigger);
        }
    }
    triggers.sort_by_key(Trigger::place);
    triggers
}
