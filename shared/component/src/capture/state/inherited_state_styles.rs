//! Styles under a state that descendants inherit: custom properties that change with an element's state, and to which
//! its descendants refer.
//!
//! Example: in `.card:hover { --color: red } .card p { color: var(--color) }` the `p` needs a rule for the state of the
//! card.

use super::state_trigger::StateTrigger;
use crate::capture::environments::{EnvId, EnvMap};
use limner_component_model::model::{ElementId, StateTarget};
use limner_style::{ComputedStyle, SpecifiedStyle};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of styles that are handed on to children, one for each element and trigger.
const MAX_INHERITED_STATE_STYLES: usize = 3_000;

/// A trigger, and the style of an element's parent while it holds.
#[derive(Clone)]
pub(crate) struct InheritedStateStyle {
    trigger: StateTrigger,
    styles: Arc<EnvMap<Arc<ComputedStyle>>>,
}

impl InheritedStateStyle {
    /// Returns true if the style is the one under a trigger.
    pub(crate) fn is_under(&self, trigger: &StateTrigger) -> bool {
        self.trigger.has_same_condition(trigger)
    }

    pub(crate) fn style(&self, env: EnvId) -> &Arc<ComputedStyle> {
        &self.styles[env]
    }
}

/// All such styles, by parent.
#[derive(Default)]
pub(crate) struct InheritedStateStyles {
    by_parent: HashMap<ElementId, Vec<InheritedStateStyle>>,
    count: usize,
}

impl InheritedStateStyles {
    /// Returns the styles under triggers that a child of `parent` inherits from.
    pub(crate) fn inherited_by(&self, parent: Option<ElementId>) -> Vec<InheritedStateStyle> {
        let known =
            parent.filter(|_| self.count < MAX_INHERITED_STATE_STYLES).and_then(|parent| self.by_parent.get(&parent));
        known.cloned().unwrap_or_default()
    }

    /// Hands the styles of an element under a trigger on to its children.
    pub(crate) fn propagate(
        &mut self,
        element: ElementId,
        trigger: StateTrigger,
        acted: &EnvMap<Option<SpecifiedStyle>>,
    ) {
        let styles: Option<EnvMap<_>> = acted.iter().map(|own| Some(own.as_ref()?.style.clone())).collect();
        let Some(styles) = styles.map(Arc::new) else { return };
        let of = match trigger.target {
            StateTarget::SelfElement => StateTarget::Ancestor(element),
            StateTarget::Descendant(list) => StateTarget::Within(element, list),
            of => of,
        };
        let trigger = StateTrigger { target: of, match_count: 0, ..trigger };
        self.by_parent.entry(element).or_default().push(InheritedStateStyle { trigger, styles });
        self.count += 1;
    }
}

/// Merges triggers with those of inherited styles, in order.
pub(crate) fn merge_inherited(mut triggers: Vec<StateTrigger>, inherited: &[InheritedStateStyle]) -> Vec<StateTrigger> {
    for carried in inherited {
        if !triggers.iter().any(|own| carried.is_under(own)) {
            triggers.push(carried.trigger);
        }
    }
    triggers.sort_by_key(StateTrigger::sort_key);
    triggers
}
