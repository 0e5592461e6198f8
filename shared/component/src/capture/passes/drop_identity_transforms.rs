//! Removes functions without effect from transforms. Stylesheets that assemble transforms from custom properties use
//! all functions.
//!
//! Before → after: `translate(0, -50%) rotate(0) skewX(0)` → `translate(0, -50%)`.
//!
//! Reads and changes the rules. It leaves animated elements alone, so that it depends on no pass about keyframes; it
//! stands before `normalize-initial-states`, which compares whole declarations.

use crate::capture::passes::{Draft, PassContext};
use limner_component_model::calc_simplify::changes_nothing;
use limner_component_model::model::Rule;
use limner_style::value::{Component, parse_components, serialize_exact};

/// Removes functions that have no effect under any condition and are at the same position of every list, so that the
/// interpolation between two values stays the same.
pub(crate) fn drop_identity_transforms(_: &PassContext<'_, '_>, draft: &mut Draft) {
    for element in &mut draft.component.elements {
        let mut pseudos: Vec<_> = element.rules.iter().map(|rule| rule.pseudo).collect();
        pseudos.sort_unstable();
        pseudos.dedup();
        for pseudo in pseudos {
            let mut rules: Vec<&mut Rule> = element.rules.iter_mut().filter(|rule| rule.pseudo == pseudo).collect();
            remove_identity_functions(&mut rules);
        }
    }
}

/// Parses a list of transform functions; `None` for any other value.
fn functions(value: &str) -> Option<Vec<Component>> {
    let components: Vec<Component> = parse_components(value)?;
    components.iter().all(|own| matches!(own, Component::Function { .. })).then_some(components)
}

/// Removes the functions without effect from the transforms of one element or pseudo-element.
fn remove_identity_functions(rules: &mut [&mut Rule]) {
    let declared = rules.iter().flat_map(|rule| &rule.declarations);
    if declared.clone().any(|own| own.name == "animation-name" && own.value != "none") {
        return;
    }
    let values = declared.filter(|own| own.name == "transform" && own.value != "none");
    let Some(lists) = values.map(|own| functions(&own.value)).collect::<Option<Vec<_>>>() else { return };
    let Some(first) = lists.first().filter(|first| first.len() > 1) else { return };
    if !lists.iter().all(|list| list.iter().map(name).eq(first.iter().map(name))) {
        return;
    }
    let mut is_kept: Vec<bool> =
        (0..first.len()).map(|at| !lists.iter().all(|list| changes_nothing(&list[at]))).collect();
    if is_kept.iter().all(|own| *own) {
        return;
    }
    // A transform without effect still establishes a stacking context.
    is_kept[0] |= is_kept.iter().all(|own| !*own);
    let mut lists = lists.into_iter();
    for declaration in rules.iter_mut().flat_map(|rule| &mut rule.declarations) {
        if declaration.name == "transform" && declaration.value != "none" {
            let list = lists.next().into_iter().flatten();
            let kept: Vec<Component> = list.zip(&is_kept).filter_map(|(own, kept)| kept.then_some(own)).collect();
            declaration.value = serialize_exact(&kept);
        }
    }
}

fn name(function: &Component) -> Option<&str> {
    match function {
        Component::Function { name, .. } => Some(name),
        _ => None,
    }
}
