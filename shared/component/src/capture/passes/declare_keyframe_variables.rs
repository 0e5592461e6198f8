//! Declares custom properties to which keyframes refer, where their values differ between the animated elements.
//!
//! Before → after: `animation-name: grow` on elements whose keyframes have `width: var(--to)` → the same, and `--to: 40%`
//! on one of them, `--to: 80%` on the other.
//!
//! Reads what `collect-keyframes` left unresolved, and changes the rules. It stands after `register-properties`, which
//! removes declarations of custom properties that are not registered, and before `rename-keyframes`, because it finds
//! animations by the page's names.

use crate::capture::at_rules::animations;
use crate::capture::passes::{Draft, PassContext};
use limner_component_model::model::Declaration;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Declares the custom properties that keyframes refer to, on the elements that they animate.
pub(crate) fn declare_keyframe_variables(context: &PassContext<'_, '_>, draft: &mut Draft) {
    let taken = &draft.unresolved_vars;
    if taken.values().all(BTreeSet::is_empty) {
        return;
    }
    let desktop = context.section.environments.desktop();
    for (at, element) in draft.component.elements.iter_mut().enumerate() {
        let style = &context.section.computed[at][desktop];
        for rule in &mut element.rules {
            let animations = animations(&rule.declarations);
            let names: BTreeSet<&String> = animations.iter().filter_map(|name| taken.get(name)).flatten().collect();
            for name in names {
                let known = rule.declarations.iter().any(|own| own.name == *name);
                let Some(value) = style.custom_property(name).filter(|_| !known) else { continue };
                let (value, computed) = (value.trim().to_owned(), value.trim().to_owned());
                rule.declarations.push(Declaration { name: Cow::Owned(name.clone()), value, computed });
            }
            rule.declarations.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }
}
