//! Adds declarations that apply under all conditions.

use limner_component_model::model::{Condition, Declaration, Element, Rule};

/// Adds a declaration to an element's rule without conditions, in the normal form of rules.
pub(super) fn declare(element: &mut Element, name: &'static str, value: &str) {
    let declaration = Declaration { name: name.into(), value: value.to_owned(), computed: value.to_owned() };
    let is_base = |rule: &&mut Rule| rule.condition.is_empty() && rule.state.is_none() && rule.pseudo.is_none();
    match element.rules.iter_mut().find(is_base) {
        Some(rule) => {
            rule.declarations.push(declaration);
            rule.declarations.sort_by(|one, other| one.name.cmp(&other.name));
        }
        None => {
            let (condition, declarations) = (Condition::default(), vec![declaration]);
            element.rules.insert(0, Rule { condition, state: None, pseudo: None, declarations });
        }
    }
}
